/* p15_board: a sliding-tile board in one 64-bit word, and all that can be said of a board without a search.
 *
 * Cell i (row-major, cell 0 top left) is the nibble at bits 4i .. 4i+3; it holds the tile 1 .. cells-1 that lies there,
 * or 0 for the blank. On 4x4:
 *
 *      cells            a board           bits 63                           0
 *    0  1  2  3       1  2  3  4          +--------+--------+----+----+----+
 *    4  5  6  7       5  6  7  8          | cell15 | cell14 | .. |cell1|cell0|
 *    8  9 10 11       9 10 11 12          +--------+--------+----+----+----+
 *   12 13 14 15      13 14 15  0           0x 0fedcba987654321
 *
 * Read as a hexadecimal number the board therefore stands in reverse.
 *
 * Invariants of a p15_board of a p15_shape (p15_board_check tests them):
 *   - the low `cells` nibbles are a permutation of 0 .. cells-1;
 *   - all higher nibbles are 0.
 * Every function but p15_board_check and p15_board_pack takes them for granted, and asserts them at most in debug
 * builds.
 *
 * All functions are pure: no allocation, no state, safe from any thread. */
#ifndef P15_BASE_BOARD_H
#define P15_BASE_BOARD_H

#include "base/bits.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define P15_MAX_CELLS 16
#define P15_MAX_SYMMETRIES 8

/* No shortest solution is longer, on any shape and to any goal.
 *
 * The largest distances to a goal with the blank in a corner are 80 on 4x4 and 2x6, 84 on 3x5, 108 on 2x7, 140 on 2x8,
 * and less on the other shapes. Any other goal is `d` moves from a board with the blank in the nearest corner, to which
 * no distance is larger; d is at most 3. */
#define P15_FARTHEST 143u

typedef struct {
    uint8_t rows, cols, cells; /* cells == rows * cols */
} p15_shape;

typedef uint64_t p15_board;

/* Directions in which the BLANK moves; the tile it changes places with moves the other way. The order is Korf's
 * (1985) order of children, and makes the opposite of direction d equal to 3 - d. */
enum { P15_UP = 0, P15_LEFT = 1, P15_RIGHT = 2, P15_DOWN = 3, P15_DIRECTIONS = 4 };

/* ------------------------------------------------------------------------------------------------ shapes */

/* Fill *out with the shape of rows x cols. P15_ERR_SHAPE, *out untouched, unless both are in 2..8 and their product
 * is at most P15_MAX_CELLS. (On a single row or column no two tiles can ever change places: not this puzzle.) */
p15_status p15_shape_init(unsigned rows, unsigned cols, p15_shape *out);

/* The cell next to `cell` in direction `dir`, or -1 beyond the edge. */
int p15_cell_neighbour(p15_shape shape, unsigned cell, unsigned dir);

/* The same where it is known not to be beyond the edge: for inner loops. */
static inline unsigned p15_cell_step(p15_shape shape, unsigned cell, unsigned dir) {
    const unsigned steps[P15_DIRECTIONS] = {0u - shape.cols, 0u - 1u, 1u, shape.cols};
    return cell + steps[dir];
}

/* The taxicab distance between two cells. */
unsigned p15_cell_distance(p15_shape shape, unsigned a, unsigned b);

/* Whether a goal has k pattern tiles on the cells of goal_map, and the blank on another cell. */
bool p15_is_goal(p15_shape shape, unsigned k, unsigned goal_map, unsigned home);

/* All symmetries of the rectangle as cell maps: under symmetry s, what lies at cell i goes to cell out[s][i]. Returns
 * how many there are, 8 for a square and 4 otherwise; rows of `out` beyond that, and cells beyond the shape's, are
 * untouched.
 *
 *   square:  s = transpose + 2 * mirror_columns + 4 * mirror_rows
 *   other:   s = mirror_columns + 2 * mirror_rows
 *
 * with the transpose (about the main diagonal) applied first. So the identity is number 0, the half turn is the last
 * number without the transpose, and the transpose of a square is number 1. */
unsigned p15_symmetries(p15_shape shape, uint8_t out[P15_MAX_SYMMETRIES][P15_MAX_CELLS]);

/* Whether a cell map is one of them. */
bool p15_is_symmetry(p15_shape shape, const uint8_t *cell_to);

/* ------------------------------------------------------------------------------------------------ one board */

/* P15_OK if `board` keeps the invariants above, else P15_ERR_BOARD. */
p15_status p15_board_check(p15_board board, p15_shape shape);

/* The index of the first of many that does not keep them, or count; in two thirds of the time. */
size_t p15_boards_check(const p15_board *boards, size_t count, p15_shape shape);

/* Pack tiles[0 .. cells-1], row-major with 0 for the blank. P15_ERR_BOARD, *out untouched, unless they are a
 * permutation of 0 .. cells-1. It is inline, because a call per board takes a quarter more time. */
static inline p15_status p15_board_pack(const uint8_t *tiles, p15_shape shape, p15_board *out) {
    unsigned seen = 0;
    uint64_t board = 0;
    for (unsigned cell = 0; cell < shape.cells; cell++) {
        if (tiles[cell] >= shape.cells) return P15_ERR_BOARD;
        seen |= 1u << tiles[cell];
        board |= (uint64_t)tiles[cell] << (4 * cell);
    }
    if (seen != (1u << shape.cells) - 1) return P15_ERR_BOARD;
    *out = board;
    return P15_OK;
}

/* The inverse of p15_board_pack: fills tiles[0 .. cells-1]. */
void p15_board_unpack(p15_board board, p15_shape shape, uint8_t *tiles);

/* The tile at `cell` (< 16); 0 is the blank. */
static inline unsigned p15_board_tile(p15_board board, unsigned cell) { return (unsigned)(board >> (4 * cell)) & 15; }

/* The board after the tile at `cell` has slid into the blank at `blank`: the blank's nibble is 0, so one
 * exclusive-or per nibble moves the tile. The caller vouches that `blank` is the blank's cell and `cell` its
 * neighbour. */
static inline p15_board p15_board_slide(p15_board board, unsigned blank, unsigned cell) {
    uint64_t tile = (board >> (4 * cell)) & 15;
    return board ^ (tile << (4 * cell)) ^ (tile << (4 * blank));
}

/* The blank's cell: the lowest nibble that is 0. Subtracting 1 from every nibble sets the top bit of the nibbles that
 * were 0. Below the lowest of them, nothing is borrowed. The last nibble counts as 0, so that any word has a cell: the
 * memory of a caller's boards may be written by others after it was checked. */
P15_INLINE unsigned p15_board_blank(p15_board board) {
    uint64_t zeros = (board - UINT64_C(0x1111111111111111)) & ~board & UINT64_C(0x8888888888888888);
    return p15_lowest_bit(zeros | UINT64_C(1) << 63) / 4;
}

/* Fill cell_of[t] with the cell of tile t, the blank included. */
void p15_board_locate(p15_board board, p15_shape shape, uint8_t cell_of[P15_MAX_CELLS]);

/* The board with the blank at `home` (< cells) and the tiles 1, 2, 3, ... row-major over the other cells. */
p15_board p15_board_goal(p15_shape shape, unsigned home);

/* Whether any sequence of moves leads from `board` to `goal`.
 *
 * A move is one transposition (of blank and tile) and one step of the blank. So the parity of the permutation that
 * carries board to goal, blank included, must equal the parity of the blank's taxicab distance; with both sides at
 * least 2 that is also sufficient (Johnson & Story 1879), and exactly cells!/2 boards reach a given goal. */
bool p15_board_solvable(p15_board board, p15_board goal, p15_shape shape);

/* The board whose cell cell_to[i] holds tile_to[t], where t lies at cell i of `board`. Both maps are permutations of
 * 0 .. cells-1. Slides are kept only if cell_to is a symmetry and tile_to[0] is 0. */
p15_board p15_board_transform(p15_board board, p15_shape shape, const uint8_t *cell_to, const uint8_t *tile_to);

/* Manhattan distance: a lower bound on the moves, of the same parity as their number if the board is solvable. */
unsigned p15_board_manhattan(p15_board board, p15_board goal, p15_shape shape);

/* Move the blank along dirs[0 .. count-1] and write the final board to *out. Returns how many moves were made: it stops
 * at a move that would leave the board, or is no direction. */
size_t p15_board_apply(p15_board board, p15_shape shape, const uint8_t *dirs, size_t count, p15_board *out);

/* Whether dirs[0 .. count-1] are a solution: P15_OK if every move is legal and the last board is the goal, otherwise
 * P15_ERR_ANSWER. Every search calls it, or p15_path_replay, before it gives an answer. */
p15_status p15_board_replay(p15_board board, p15_board goal, p15_shape shape, const uint8_t *dirs, size_t count);

#endif
