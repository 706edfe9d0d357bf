/* p15_moves: the moves of the blank in the order in which a search makes children. */
#ifndef P15_BASE_MOVES_H
#define P15_BASE_MOVES_H

#include "base/board.h"

typedef struct {
    int8_t cells[P15_MAX_CELLS][P15_DIRECTIONS]; /* the blank's cell after a move from a cell, -1 beyond the edge */
    uint8_t order[P15_DIRECTIONS];               /* directions */
} p15_moves;

/* P15_ERR_ARGUMENT unless order is a permutation of the directions. */
static inline p15_status p15_moves_init(p15_shape shape, const uint8_t order[P15_DIRECTIONS], p15_moves *moves) {
    unsigned seen = 0;
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
        if (order[i] >= P15_DIRECTIONS) return P15_ERR_ARGUMENT;
        seen |= 1u << order[i];
        moves->order[i] = order[i];
    }
    if (seen != 15u) return P15_ERR_ARGUMENT;
    for (unsigned cell = 0; cell < P15_MAX_CELLS; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
            moves->cells[cell][direction] =
                (int8_t)(cell < shape.cells ? p15_cell_neighbour(shape, cell, direction) : -1);
    return P15_OK;
}

/* The board after a legal move of the blank. */
P15_INLINE p15_board p15_moves_apply(const p15_moves *moves, p15_board board, unsigned direction) {
    unsigned blank = p15_board_blank(board);
    return p15_board_slide(board, blank, (unsigned)moves->cells[blank][direction]);
}

#endif
