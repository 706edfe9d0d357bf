/* p15_rank: the boards that reach a goal, numbered without gaps.
 *
 * The first digit is the blank's cell. Then, row by row, each tile's digit counts the smaller tiles that come after it:
 *
 *    2 3 1/. .        blank 3   digits 1, 1, 0, ..        number 3 * 5!/2 + 1 * 4!/2 + 1 * 3!/2 + .. of 6!/2
 *
 * The last two tiles have no digit. They can stand in two orders, and only one of the two boards reaches the goal,
 * because an exchange of two tiles changes the parity. So the numbers are 0 .. cells!/2 - 1, for any goal. */
#ifndef P15_NODES_RANK_H
#define P15_NODES_RANK_H

#include "base/board.h"

/* By the number k of tiles that follow: their solvable arrangements, k!/2. */
static const uint64_t p15_rank_weights[P15_MAX_CELLS] = {
    0, 0, 1, 3, 12, 60, 360, 2520, 20160, 181440, 1814400, 19958400, 239500800, 3113510400, 43589145600, 653837184000,
};

static inline uint64_t p15_rank(p15_board board, p15_shape shape) {
    unsigned blank = p15_board_blank(board), tiles = shape.cells - 1u;
    uint64_t before = (UINT64_C(1) << (4 * blank)) - 1;
    uint64_t row = (board & before) | (board >> 4 & ~before); /* the tiles alone */
    uint64_t numbers = UINT64_C(0xedcba98765432100); /* nibble t: the tiles smaller than t that have not come so far */
    uint64_t rank = blank * p15_rank_weights[tiles];
    for (unsigned i = 0; i + 2 < tiles; i++) {
        unsigned shift = 4 * p15_board_tile(row, i);
        rank += (numbers >> shift & 15) * p15_rank_weights[tiles - 1 - i];
        numbers -= UINT64_C(0x1111111111111110) << shift; /* of all larger tiles; none that is still to come has 0 */
    }
    return rank;
}

/* The board of a number below cells!/2 that reaches `goal`. */
static inline p15_board p15_unrank(uint64_t rank, p15_shape shape, p15_board goal) {
    unsigned tiles = shape.cells - 1u, blank = (unsigned)(rank / p15_rank_weights[tiles]);
    uint64_t left = UINT64_C(0xfedcba987654321), row = 0; /* the tiles that have not come so far, in order */
    rank %= p15_rank_weights[tiles];
    for (unsigned i = 0; i < tiles; i++) {
        uint64_t weight = p15_rank_weights[tiles - 1 - i];
        unsigned shift = weight ? 4 * (unsigned)(rank / weight) : 0;
        if (weight) rank %= weight;
        row |= (left >> shift & 15) << (4 * i);
        left = (left & ((UINT64_C(1) << shift) - 1)) | (left >> shift >> 4 << shift);
    }
    uint64_t before = (UINT64_C(1) << (4 * blank)) - 1;
    p15_board board = (row & before) | (row & ~before) << 4;
    if (p15_board_solvable(board, goal, shape)) return board;
    unsigned last = 4 * (tiles - 1), previous = last - 4; /* the last two tiles change places */
    uint64_t change = (row >> last ^ row >> previous) & 15;
    row ^= change << last | change << previous;
    return (row & before) | (row & ~before) << 4;
}

#endif
