/* A problem on 3x3 whose tables are so small that its frontiers grow, and boards for it. */
#ifndef PROBLEMS_H
#define PROBLEMS_H

#include "optimal/worker.h"
#include "fsms.h"
#include "tables.h"

enum { PARTS = 4 };

typedef struct {
    built parts[PARTS];
    p15_table tables[PARTS];
    p15_fsm fsm;
    p15_problem problem;
} weak_problem;

static inline void make_weak(weak_problem *w) {
    static const unsigned goal_maps[PARTS] = {0x003, 0x00c, 0x030, 0x0c0};
    p15_shape shape = shape_of(3, 3);
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    p15_symmetries(shape, maps);
    for (unsigned i = 0; i < PARTS; i++) {
        built *b = &w->parts[i];
        build_table(shape, goal_maps[i], 8, false, P15_CPU_PLAIN, false, b);
        CHECK(p15_table_init(&b->space, b->payload, b->payload_bytes, false, b->max_value, goal_maps[i], 8,
                             &w->tables[i]) == P15_OK);
    }
    CHECK(make_fsm(shape, 2, &w->fsm) == P15_OK);
    CHECK(p15_problem_init(shape, 8, &w->fsm, &w->problem) == P15_OK);
    CHECK(p15_problem_add_lookup(&w->problem, w->tables, PARTS, maps[0]) == P15_OK);
    w->problem.slot_count = 2;
}

static inline void free_weak(weak_problem *w) {
    p15_problem_free(&w->problem);
    p15_fsm_free(&w->fsm);
    for (unsigned i = 0; i < PARTS; i++) build_free(&w->parts[i]);
}

/* Boards that reach the goal, and are not it. */
static inline void draw_boards(const weak_problem *w, unsigned count, p15_board *boards) {
    p15_shape shape = w->problem.shape;
    for (unsigned i = 0; i < count;) {
        uint8_t tiles[P15_MAX_CELLS] = {0};
        for (unsigned cell = 0; cell < shape.cells; cell++) {
            unsigned other = draw(cell + 1);
            tiles[cell] = tiles[other];
            tiles[other] = (uint8_t)cell;
        }
        CHECK(p15_board_pack(tiles, shape, &boards[i]) == P15_OK);
        i += p15_board_solvable(boards[i], w->problem.goal, shape) && boards[i] != w->problem.goal;
    }
}

#endif
