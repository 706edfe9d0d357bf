/* Tables of partitions, and problems of them. */
#ifndef PARTITIONS_H
#define PARTITIONS_H

#include "optimal/fringe.h"
#include "tables.h"

enum { MOST_PARTS = 15 };

/* The tables of a partition, given by the tiles' goal cells. */
typedef struct {
    p15_shape shape;
    unsigned home, count;
    built parts[MOST_PARTS];
    p15_table tables[MOST_PARTS];
} partition;

static inline void make_partition(p15_shape shape, unsigned home, bool classic, unsigned count,
                                  const unsigned *goal_maps, partition *p) {
    p->shape = shape;
    p->home = home;
    p->count = count;
    for (unsigned i = 0; i < count; i++) {
        built *b = &p->parts[i];
        build_table(shape, goal_maps[i], home, classic, p15_cpu_highest(), false, b);
        CHECK(p15_table_init(&b->space, b->payload, b->payload_bytes, classic, b->max_value, goal_maps[i], home,
                             &p->tables[i]) == P15_OK);
    }
}

static inline void free_partition(partition *p) {
    for (unsigned i = 0; i < p->count; i++) build_free(&p->parts[i]);
}

static inline p15_fsm fsm_of(unsigned rows, unsigned cols, unsigned length) {
    p15_fsm fsm;
    CHECK(p15_fsm_init(shape_of(rows, cols), length, &fsm) == P15_OK);
    return fsm;
}

/* Of all zeros, or another one before. A problem may not be copied: it points into itself. */
static inline void start_problem(const partition *p, const p15_fsm *fsm, p15_problem *problem) {
    p15_problem_free(problem);
    CHECK(p15_problem_init(p->shape, p->home, fsm, problem) == P15_OK);
    problem->shared = 200; /* such small searches as these are, too */
}

static inline void add_lookup(const partition *p, unsigned symmetry, p15_problem *problem) {
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    CHECK(symmetry < p15_symmetries(p->shape, maps));
    CHECK(p15_problem_add_lookup(problem, p->tables, p->count, maps[symmetry]) == P15_OK);
}

static inline p15_board draw_walk(p15_shape shape, p15_board goal, unsigned moves) {
    p15_board board = goal;
    for (unsigned i = 0; i < moves;) {
        unsigned blank = p15_board_blank(board);
        int next = p15_cell_neighbour(shape, blank, draw(P15_DIRECTIONS));
        if (next < 0) continue;
        board = p15_board_slide(board, blank, (unsigned)next);
        i++;
    }
    return board;
}

#endif
