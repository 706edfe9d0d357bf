/* Boards to search. */
#ifndef BOARDS_H
#define BOARDS_H

#include "twins.h"

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

/* Whether the directions lead from start to goal. */
static inline bool leads(p15_shape shape, p15_board start, p15_board goal, const uint8_t *directions, size_t length) {
    p15_board end;
    return p15_board_apply(start, shape, directions, length, &end) == length && end == goal;
}

#endif
