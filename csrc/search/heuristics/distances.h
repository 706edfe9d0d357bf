/* p15_distances: heuristics that compare where tiles stand with their goal cells, for any goal on any shape.
 *
 *     misplaced         tiles off their goal cells: a move mends one at most
 *     Manhattan         each tile's taxicab distance to its goal cell
 *     reversal          D. Kunkle 2001: two neighbours on each other's goal cells must pass each other: 2 for each such pair
 *     linear conflict   Hansson, Mayer & Yung 1992: of the tiles in their goal line, all but the longest sequence that
 *                       stands in order must leave the line and come back. Exact for each row and each column.
 *
 *     misplaced <= Manhattan <= reversal <= linear conflict
 *
 * Each has a value of a board, and the change of it by a move. Per child, misplaced and Manhattan cost 1 look-up. The linear conflict costs
 * the code of one line and two look-ups in 4 kB: a move within a line leaves the order of the line's tiles alone, and a
 * move between two lines matters to the tile's goal line only. Lines of more than four cells are computed.
 *
 * All structures are read-only once made: any number of threads may use them. They own no memory. */
#ifndef P15_HEURISTICS_DISTANCES_H
#define P15_HEURISTICS_DISTANCES_H

#include "base/board.h"

typedef struct {
    p15_shape shape;
    p15_board goal;
    uint8_t goal_of[P15_MAX_CELLS];                 /* the goal cell of each tile */
    uint8_t taxicabs[P15_MAX_CELLS][P15_MAX_CELLS]; /* [cell][tile], 0 for the blank */
} p15_distances;

/* The goal is a board of the shape. */
void p15_distances_init(p15_shape shape, p15_board goal, p15_distances *distances);

/* ------------------------------------------------------------------------------------------------ sums over tiles */

/* How h changes when the blank moves: [blank's cell before][direction of the blank][tile that is moved]. 0 for moves
 * beyond the edge. */
typedef int8_t p15_h_changes[P15_MAX_CELLS][P15_DIRECTIONS][P15_MAX_CELLS];

/* The changes of the Manhattan distance, or of the number of misplaced tiles. `changes` holds zeros. */
void p15_distances_changes(const p15_distances *distances, bool misplaced, p15_h_changes changes);

unsigned p15_distances_misplaced(const p15_distances *distances, p15_board board);

/* The Manhattan distance of a board. p15_board_manhattan would take as long as all other values of a child. */
static inline unsigned p15_distances_manhattan(const p15_distances *distances, p15_board board) {
    unsigned sum = 0;
    for (unsigned cell = 0; cell < P15_MAX_CELLS; cell++) sum += distances->taxicabs[cell][p15_board_tile(board, cell)];
    return sum;
}

/* By how much a move of `tile` from `cell` to `blank` changes the Manhattan distance. */
static inline int p15_distances_change(const p15_distances *distances, unsigned tile, unsigned cell, unsigned blank) {
    return distances->taxicabs[blank][tile] - distances->taxicabs[cell][tile];
}

/* ------------------------------------------------------------------------------------------------ reversals */

/* How many pairs of neighbours stand on each other's goal cells. */
unsigned p15_reversals_count(const p15_distances *distances, p15_board board);

/* The change of h by a move of `tile` from `cell` to `blank`: the tile on its goal cell was, or becomes, its partner. */
static inline int p15_reversals_change(const p15_distances *d, p15_board parent, unsigned blank, unsigned tile,
                                       unsigned cell) {
    unsigned other = p15_board_tile(parent, d->goal_of[tile]), before = d->taxicabs[cell][tile];
    unsigned after = d->taxicabs[blank][tile];
    int lost = before == 1 && other != 0 && other == p15_board_tile(d->goal, cell);
    int won = after == 1 && other != 0 && other == p15_board_tile(d->goal, blank);
    return (int)after - (int)before + 2 * (won - lost);
}

/* ------------------------------------------------------------------------------------------------ linear conflict */

#define P15_MAX_ROWS_AND_COLUMNS 10 /* 2x8 */
#define P15_LINE_TABLE_BITS 3       /* of a position in lines of up to four cells: 12 bits for a line */
#define P15_NO_LINE 255

/* A line's code: for each of its cells, the position on the line of the goal cell of the tile that stands there, counted
 * from 1; 0 for the blank and for tiles of other lines. Lines are numbered rows first. */
typedef struct {
    uint8_t shift, stride, cells;    /* first cell and distance of cells, in bits of the board */
    uint8_t bits;                    /* of a position in the code */
    uint8_t position[P15_MAX_CELLS]; /* of each tile */
} p15_line;

/* What a move does to the one line that the moved tile enters or leaves and that is its goal line. */
typedef struct {
    int8_t change; /* of the Manhattan distance */
    uint8_t line;  /* P15_NO_LINE when there is none */
    uint8_t shift; /* of the tile in the line's code */
    uint8_t unused;
} p15_line_move;

typedef struct {
    unsigned count;
    p15_line lines[P15_MAX_ROWS_AND_COLUMNS];
    p15_line_move moves[P15_MAX_CELLS][P15_DIRECTIONS][P15_MAX_CELLS];
    uint8_t leavers[1 << 4 * P15_LINE_TABLE_BITS]; /* of the code of a line of up to four cells */
} p15_conflict_lines;

/* Fills *lines, which holds zeros. */
void p15_conflict_lines_init(const p15_distances *distances, p15_conflict_lines *lines);

/* How many of the tiles in their goal lines must leave them, over all lines: h is 2 for each of them, beyond the
 * Manhattan distance. */
unsigned p15_conflict_lines_leavers(const p15_conflict_lines *lines, p15_board board);

/* How many tiles must leave a line of this code: all but the longest sequence in order. `ends` has a bit for the
 * smallest position that a sequence of each length can end in. */
static inline unsigned p15_line_count_leavers(uint32_t code, unsigned bits) {
    unsigned tiles = 0, ends = 0;
    for (; code; code >>= bits) {
        unsigned position = code & ((1u << bits) - 1u);
        if (position == 0) continue;
        unsigned above = ends & ~((2u << position) - 1u);
        ends ^= above & (0u - above);
        ends |= 1u << position;
        tiles++;
    }
    return tiles - p15_count_bits(ends);
}

static inline unsigned p15_line_leavers(const p15_conflict_lines *lines, const p15_line *line, uint32_t code) {
    return line->bits == P15_LINE_TABLE_BITS ? lines->leavers[code] : p15_line_count_leavers(code, line->bits);
}

static inline uint32_t p15_line_code(const p15_line *line, p15_board board) {
    uint32_t code = 0;
    board >>= line->shift;
    for (unsigned i = 0; i < line->cells; i++)
        code |= (uint32_t)line->position[board >> (i * line->stride) & 15u] << (i * line->bits);
    return code;
}

/* The change of h by a move of `tile` from `parent`. */
static inline int p15_conflict_lines_change(const p15_conflict_lines *lines, p15_board parent, unsigned blank,
                                            unsigned direction, unsigned tile) {
    const p15_line_move *move = &lines->moves[blank][direction][tile];
    if (move->line == P15_NO_LINE) return move->change;
    const p15_line *home = &lines->lines[move->line];
    uint32_t before = p15_line_code(home, parent), after = before ^ (uint32_t)home->position[tile] << move->shift;
    return move->change + 2 * ((int)p15_line_leavers(lines, home, after) - (int)p15_line_leavers(lines, home, before));
}

#endif
