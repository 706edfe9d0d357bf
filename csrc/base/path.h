/* p15_path: a solution as the blank's packed moves.
 *
 * Move i of a path is a direction of base/board.h, in bits 2 (i % 4) of byte i / 4:
 *
 *      byte    0                1
 *      bits    76 54 32 10      76 54 32 10
 *      move     3  2  1  0       7  6  5  4
 *
 * Every path takes P15_PATH_BYTES bytes. Its length is kept beside it, and the bits after its last move are 0. So many
 * paths are one array, and equal paths have equal bytes. */
#ifndef P15_BASE_PATH_H
#define P15_BASE_PATH_H

#include "base/board.h"

#define P15_MAX_LENGTH 160 /* moves */
#define P15_PATH_BYTES (P15_MAX_LENGTH / 4)

_Static_assert(P15_MAX_LENGTH >= P15_FARTHEST && P15_MAX_LENGTH < 255, "a path holds any solution, a byte its length");

static inline unsigned p15_path_move(const uint8_t *path, unsigned index) {
    return path[index / 4] >> (2 * (index % 4)) & 3u;
}

static inline void p15_path_set(uint8_t *path, unsigned index, unsigned move) {
    unsigned shift = 2 * (index % 4);
    path[index / 4] = (uint8_t)((path[index / 4] & ~(3u << shift)) | move << shift);
}

/* A path of multi-tile moves (csrc/multitile) has the blank's cells in its half bytes, the low one of byte 0 first: its
 * first cell, and its cell after each move. */
static inline unsigned p15_path_cell(const uint8_t *path, unsigned index) {
    return path[index / 2] >> (4 * (index % 2)) & 15u;
}

static inline void p15_path_set_cell(uint8_t *path, unsigned index, unsigned cell) {
    unsigned shift = 4 * (index % 2);
    path[index / 2] = (uint8_t)((path[index / 2] & ~(15u << shift)) | cell << shift);
}

/* p15_board_replay for a packed path. */
static inline p15_status p15_path_replay(p15_board board, p15_board goal, p15_shape shape, const uint8_t *path,
                                         unsigned length) {
    uint8_t dirs[P15_MAX_LENGTH];
    if (length > P15_MAX_LENGTH) return P15_ERR_ANSWER;
    for (unsigned i = 0; i < length; i++) dirs[i] = (uint8_t)p15_path_move(path, i);
    return p15_board_replay(board, goal, shape, dirs, length);
}

/* The same for a path of multi-tile moves: each goes to another cell of the blank's row or column. */
static inline p15_status p15_path_replay_cells(p15_board board, p15_board goal, p15_shape shape, const uint8_t *path,
                                               unsigned length) {
    unsigned blank = p15_board_blank(board);
    if (length >= 2 * P15_PATH_BYTES || (length > 0 && p15_path_cell(path, 0) != blank)) return P15_ERR_ANSWER;
    for (unsigned i = 1; i <= length; i++) {
        unsigned cell = p15_path_cell(path, i), step = cell / shape.cols == blank / shape.cols ? 1 : shape.cols;
        if (cell >= shape.cells || cell == blank || cell % step != blank % step) return P15_ERR_ANSWER;
        while (blank != cell) {
            unsigned next = blank < cell ? blank + step : blank - step;
            board = p15_board_slide(board, blank, next);
            blank = next;
        }
    }
    return board == goal ? P15_OK : P15_ERR_ANSWER;
}

#endif
