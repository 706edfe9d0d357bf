/* A problem on 3x3 whose tables are so small that its frontiers grow, and boards for it. */
#ifndef PROBLEMS_H
#define PROBLEMS_H

#include "partitions.h"

typedef struct {
    partition parts;
    p15_fsm fsm;
    p15_problem problem;
} weak_problem;

static inline void make_weak(weak_problem *w) {
    static const unsigned goal_maps[] = {0x003, 0x00c, 0x030, 0x0c0};
    memset(w, 0, sizeof *w);
    make_partition(shape_of(3, 3), 8, false, 4, goal_maps, &w->parts);
    w->fsm = fsm_of(3, 3, 2);
    CHECK(p15_problem_init(shape_of(3, 3), 8, &w->fsm, &w->problem) == P15_OK);
    add_lookup(&w->parts, 0, &w->problem);
    w->problem.slot_count = 2;
}

static inline void free_weak(weak_problem *w) {
    p15_problem_free(&w->problem);
    p15_fsm_free(&w->fsm);
    free_partition(&w->parts);
}

/* Boards that reach the goal, and are not it. */
static inline void draw_boards(const weak_problem *w, unsigned count, p15_board *boards) {
    for (unsigned i = 0; i < count; i += boards[i] != w->problem.goal)
        boards[i] = draw_board(w->problem.shape, w->problem.goal);
}

#endif
