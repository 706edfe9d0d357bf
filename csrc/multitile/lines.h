/* p15_line_space: the state space of a pattern in the multi-tile metric, line by line.
 *
 * A multi-tile move slides the blank any number of cells along its row or its column; all tiles that it passes move by
 * one cell. The next move is along the other axis. The boards that differ only in where the blank stands in its row
 * form a line: a move along the row goes from any of them to any other one.
 *
 *     axis 0, a row      axis 1, a column           the line of row 1, its cells:
 *
 *      .  .  .  .         .  a  .  .                 _ a b .     a _ b .     a b _ .     a b . _
 *      _  a  b  .         .  _  .  .
 *      .  .  .  .         .  b  .  .
 *
 * A state of a pattern is the cells of the blank and of the pattern's k tiles. With the blank taken out, all states of
 * a line are the same arrangement of k tiles on cells - 1 positions. Cells are counted along the line's axis: row by
 * row on axis 0, column by column on axis 1. In this order the blank's moves along the line change nothing.
 *
 *     block   the number of the line (of the row, of the column), and the set of positions: line * map_count + rank
 *     perm    the rank of the labels in the order of their positions; label i is the tile of the i-th lowest goal cell
 *     entry   block * perm_count + perm
 *
 * Every state lies on one line of each axis. A crossing leads from one to the other: from a block and the blank's cell
 * in its line to the block of the other axis, and to the order in which the labels are read there.
 *
 * On 4x4 with k = 6: 20,020 blocks per axis, 720 perms, 14,414,400 lines per axis; crossings take 320 kB, orders
 * 1 MB. */
#ifndef P15_MULTITILE_LINES_H
#define P15_MULTITILE_LINES_H

#include "base/bits.h"
#include "base/board.h"

#define P15_AXES 2
#define P15_MULTI_MAX_PATTERN 6 /* the orders take (k!)^2 numbers of two bytes */
#define P15_MAX_LINE 8          /* cells */

typedef struct {
    uint16_t block; /* of the other axis */
    uint16_t order; /* the labels there, from those here: a row of p15_line_space.reorder */
} p15_crossing;

typedef struct {
    p15_shape shape;
    unsigned k;
    uint32_t map_count;                /* sets of k of cells - 1 positions */
    uint32_t perm_count;               /* k! */
    uint8_t line_cells[P15_AXES];      /* cells of a line: columns, rows */
    uint8_t line_count[P15_AXES];      /* rows, columns */
    uint32_t block_count[P15_AXES];    /* line_count * map_count */
    uint16_t *rank;                    /* [set of positions] its number among the sets of k */
    uint16_t *maps;                    /* the inverse */
    p15_crossing *crossings[P15_AXES]; /* [block * line_cells + cell of the line]; squares have one array for both */
    uint16_t *reorder;                 /* [order * perm_count + perm] */
} p15_line_space;

/* Lists the lines of patterns of k tiles. P15_ERR_PATTERN unless k is 1 .. P15_MULTI_MAX_PATTERN and less than the
 * cells; P15_ERR_MEMORY. On success the caller ends it with p15_line_space_free. */
p15_status p15_line_space_init(p15_shape shape, unsigned k, p15_line_space *lines);
void p15_line_space_free(p15_line_space *lines);

/* How many lines an axis has. */
static inline size_t p15_line_space_entries(const p15_line_space *lines, unsigned axis) {
    return (size_t)lines->block_count[axis] * lines->perm_count;
}

/* A state as a line and a cell of it. */
typedef struct {
    uint16_t block, perm;
    uint8_t cell;
} p15_line_state;

/* The state of tiles on cell_of[0 .. k-1], label by label, and the blank's cell, on its line of an axis. The cells are
 * cells of the board and all different. */
p15_line_state p15_line_space_state(const p15_line_space *lines, unsigned axis, const uint8_t *cell_of, unsigned blank);

/* The state of the goal: the labels on the cells of goal_map in order, the blank at home. */
p15_line_state p15_line_space_goal(const p15_line_space *lines, unsigned axis, unsigned goal_map, unsigned home);

/* The same state on its line of the other axis. */
static inline p15_line_state p15_line_space_cross(const p15_line_space *lines, unsigned axis, p15_line_state state) {
    p15_crossing crossing = lines->crossings[axis][(size_t)state.block * lines->line_cells[axis] + state.cell];
    return (p15_line_state){crossing.block, lines->reorder[crossing.order * lines->perm_count + state.perm],
                            (uint8_t)(state.block / lines->map_count)};
}

static inline size_t p15_line_space_entry(const p15_line_space *lines, p15_line_state state) {
    return (size_t)state.block * lines->perm_count + state.perm;
}

#endif
