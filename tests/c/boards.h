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

/* Of every board of a small shape, by rank: its distance to the goal; 255 for the other half. */
static inline uint8_t *distances(p15_shape shape, p15_board goal) {
    size_t boards = 1, count = 0;
    for (unsigned i = 2; i <= shape.cells; i++) boards *= i;
    uint8_t *lengths = allocate(boards, 1);
    p15_board *queue = allocate(boards, sizeof *queue);
    memset(lengths, 255, boards);
    lengths[twin_rank(shape, goal)] = 0;
    queue[count++] = goal;
    for (size_t i = 0; i < count; i++) {
        unsigned blank = p15_board_blank(queue[i]), length = lengths[twin_rank(shape, queue[i])];
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            int cell = p15_cell_neighbour(shape, blank, direction);
            if (cell < 0) continue;
            p15_board next = p15_board_slide(queue[i], blank, (unsigned)cell);
            uint8_t *of_next = &lengths[twin_rank(shape, next)];
            if (*of_next != 255) continue;
            *of_next = (uint8_t)(length + 1);
            queue[count++] = next;
        }
    }
    CHECK(count == boards / 2);
    free(queue);
    return lengths;
}

/* An evaluator of some components, as bits: 1 << kind. */
static inline p15_evaluator *evaluator_of(p15_shape shape, p15_board goal, unsigned kinds) {
    p15_evaluator *e;
    CHECK(p15_evaluator_new(shape, goal, &e) == P15_OK);
    for (unsigned kind = 0; kind < P15_HEURISTIC_COUNT; kind++)
        if (kinds >> kind & 1u) CHECK(p15_evaluator_add(e, (p15_heuristic_kind)kind) == P15_OK);
    return e;
}

static inline unsigned h_of(const p15_evaluator *e, p15_board board) {
    unsigned h;
    p15_values values;
    CHECK(p15_evaluator_board(e, board, &h, &values) == P15_OK);
    return h;
}

/* Whether the directions lead from start to goal. */
static inline bool leads(p15_shape shape, p15_board start, p15_board goal, const uint8_t *directions, size_t length) {
    p15_board end;
    return p15_board_apply(start, shape, directions, length, &end) == length && end == goal;
}

#endif
