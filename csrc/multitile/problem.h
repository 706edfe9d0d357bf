/* p15_multi_problem: a goal, and the lookups of multi-tile tables whose maximum is the heuristic h.
 *
 * A lookup reads a table for the board itself or for its image under a symmetry that keeps the home. In the multi-tile
 * metric the values of patterns must not be added, since one move slides tiles of several patterns. So every pattern
 * stands alone, patterns may share tiles, and h is the largest value of all lookups.
 *
 * A node is a board and the axis of its next move; at the root either axis may be next. The node holds its line of that
 * axis in each lookup, and its distance. One entry per lookup gives the distances of all children (multitile/table.h).
 * The board itself is not kept: it is needed only where all values are 0, and found there by making the moves again.
 *
 * Ownership: a problem points to tables that outlive it.
 * Threads: a problem is read-only once its lookups are added. */
#ifndef P15_MULTITILE_PROBLEM_H
#define P15_MULTITILE_PROBLEM_H

#include "multitile/table.h"

#define P15_MULTI_MAX_LOOKUPS 8
#define P15_MULTI_MAX_LENGTH 79 /* moves of a solution; the longest optimal one that is known has 52 (2x7) */

typedef struct {
    const p15_multi_table *table;
    const uint8_t *entries[P15_AXES];       /* the table's; by the board's axis */
    const p15_multi_code *codes[P15_AXES];  /* likewise */
    uint8_t cell_to[P15_MAX_CELLS];         /* the symmetry: the image's cell for a cell of the board */
    uint8_t tile_of[P15_MULTI_MAX_PATTERN]; /* the board's tile for a label */
    bool transposed;                        /* rows of the board are columns of the image */
    bool mirrored[P15_AXES];                /* by the board's axis: its lines' cells are counted from the other end */
} p15_multi_lookup;

typedef struct {
    p15_shape shape;
    unsigned home;
    p15_board goal; /* p15_board_goal(shape, home) */
    unsigned lookup_count;
    p15_multi_lookup lookups[P15_MULTI_MAX_LOOKUPS];
    p15_cpu cpu; /* the level of instructions: the highest one at first */
} p15_multi_problem;

typedef struct {
    uint16_t block[P15_MULTI_MAX_LOOKUPS], perm[P15_MULTI_MAX_LOOKUPS];
    uint8_t value[P15_MULTI_MAX_LOOKUPS]; /* the distance in each lookup, along the node's axis */
    uint8_t axis;                         /* of the next move */
    uint8_t blank;                        /* the blank's cell on the board */
    uint8_t depth;                        /* moves from the root */
} p15_multi_node;

/* Starts a problem without lookups, whose h is 0. P15_ERR_ARGUMENT when home is no cell. */
p15_status p15_multi_problem_init(p15_shape shape, unsigned home, p15_multi_problem *problem);

/* Adds the lookup of a table for the image of the board under a symmetry that keeps the home, as p15_symmetries gives
 * it. P15_ERR_PATTERN when it is no such symmetry, or the table has another shape or home, or there are too many. */
p15_status p15_multi_problem_add_lookup(p15_multi_problem *problem, const p15_multi_table *table,
                                        const uint8_t *cell_to);

/* Reads the table of a lookup from other memory from now on. Call it while no search runs. The old memory must stay as
 * long as the searches that have begun. P15_ERR_ARGUMENT unless it is a table of the same pattern and lines. */
p15_status p15_multi_problem_move_table(p15_multi_problem *problem, unsigned lookup, const p15_multi_table *table);

/* The two nodes of a board, one per axis of the first move. P15_ERR_BOARD; P15_ERR_UNSOLVABLE; P15_ERR_CORRUPT when a
 * value is not below P15_MULTI_MAX_LENGTH, or cannot be found. */
p15_status p15_multi_roots(const p15_multi_problem *problem, p15_board board, p15_multi_node roots[P15_AXES]);

/* The largest value of a node. */
static inline unsigned p15_multi_node_h(const p15_multi_problem *problem, const p15_multi_node *node) {
    unsigned h = 0;
    for (unsigned v = 0; v < problem->lookup_count; v++)
        if (node->value[v] > h) h = node->value[v];
    return h;
}

/* The lower bound of a board, and that of each lookup (lookups may be NULL). Fails as p15_multi_roots does. */
p15_status p15_multi_heuristic(const p15_multi_problem *problem, p15_board board, unsigned *h, uint8_t *lookups);

#endif
