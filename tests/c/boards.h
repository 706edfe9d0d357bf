/* Boards to search, their true distances, and evaluators. */
#ifndef BOARDS_H
#define BOARDS_H

#include "search/heuristics/evaluator.h"
#include "twins.h"

static const uint8_t ORDERS[][P15_DIRECTIONS] = {{0, 1, 2, 3}, {3, 1, 0, 2}, {2, 3, 1, 0}};

/* The board after some moves, no one of which takes back the last. */
static inline p15_board draw_near(p15_shape shape, p15_board board, unsigned moves) {
    for (unsigned last = 4; moves > 0;) {
        unsigned blank = p15_board_blank(board), direction = draw(P15_DIRECTIONS);
        int cell = p15_cell_neighbour(shape, blank, direction);
        if (cell < 0 || direction + last == 3) continue;
        board = p15_board_slide(board, blank, (unsigned)cell);
        last = direction;
        moves--;
    }
    return board;
}

/* An evaluator of some components, as bits: 1 << kind. */
static inline p15_evaluator *evaluator_of(p15_shape shape, p15_board goal, unsigned kinds) {
    p15_evaluator *e;
    CHECK(p15_evaluator_new(shape, goal, &e) == P15_OK);
    for (unsigned kind = 0; kind < P15_HEURISTIC_COUNT; kind++)
        if (kinds >> kind & 1u) CHECK(p15_evaluator_add(e, (p15_heuristic_kind)kind) == P15_OK);
    return e;
}

/* Whether the directions lead from start to goal. */
static inline bool leads(p15_shape shape, p15_board start, p15_board goal, const uint8_t *directions, size_t length) {
    p15_board end;
    return p15_board_apply(start, shape, directions, length, &end) == length && end == goal;
}

#endif
