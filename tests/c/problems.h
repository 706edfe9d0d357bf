/* Problems of both metrics on 3x3 whose tables are so small that their searches are large, and boards for them. */
#ifndef PROBLEMS_H
#define PROBLEMS_H

#include "subjects.h"

typedef struct {
    partition parts;
    p15_fsm fsm;
    p15_problem single;
    multi_built table;
    p15_multi_problem multi;
} weak_problems;

static inline void make_weak(weak_problems *w) {
    static const unsigned goal_maps[] = {0x003, 0x00c, 0x030, 0x0c0};
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    p15_shape shape = shape_of(3, 3);
    memset(w, 0, sizeof *w);
    make_partition(shape, 8, false, 4, goal_maps, &w->parts);
    w->fsm = fsm_of(3, 3, 2);
    CHECK(p15_problem_init(shape, 8, &w->fsm, &w->single) == P15_OK);
    add_lookup(&w->parts, 0, &w->single);
    w->single.slot_count = 2;
    w->single.shared = 50;
    build_multi(shape, 0x011, 8, p15_cpu_highest(), 1000, &w->table);
    p15_symmetries(shape, maps);
    CHECK(p15_multi_problem_init(shape, 8, &w->multi) == P15_OK);
    CHECK(p15_multi_problem_add_lookup(&w->multi, &w->table.table, maps[0]) == P15_OK);
}

static inline void free_weak(weak_problems *w) {
    p15_problem_free(&w->single);
    p15_fsm_free(&w->fsm);
    free_partition(&w->parts);
    free_multi(&w->table);
}

/* Boards that reach the goal, and are not it. */
static inline void draw_boards(subject s, unsigned count, p15_board *boards) {
    for (unsigned i = 0; i < count; i += boards[i] != s.goal) boards[i] = draw_board(s.shape, s.goal);
}

#endif
