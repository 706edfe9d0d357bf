/* p15_patterns: a sum of pattern values, each from a table of ours or from an array of the caller's.
 *
 * A pattern is some tiles. Its value is known from where they stand, and for zero-aware tables and some arrays from
 * where the blank is:
 *
 *     table    tables/table.h, zero-aware or classic, for a goal whose blank is in the region of the table
 *     array    a byte for each placement, in the order of tables/placements.h; the blank may be listed like a tile.
 *              A shorter array has one byte for several placements: entry  rank / divisor % size.
 *              Each value may have the Manhattan distance of the tiles added, and some moves subtracted (not below 0):
 *
 *                  value = max(0, entry + Manhattan - less)
 *
 * The sum is a lower bound if no tile is in two patterns, and each value counts moves of its own tiles only and is a
 * lower bound of them. This module only adds.
 *
 * A move changes the values of the patterns that list the tile, and of all arrays that list the blank. A child costs
 * two look-ups for each of these. Arrays cost a chain of k bit counts per look-up, tables what tables/table.h says.
 *
 * Ownership: a sum points to tables and arrays that outlive it. It owns no memory, and may be copied.
 * Threads: a sum is read-only once its patterns are added. */
#ifndef P15_HEURISTICS_PATTERNS_H
#define P15_HEURISTICS_PATTERNS_H

#include "tables/table.h"

#define P15_MAX_PATTERNS 15     /* in a sum: as many as tiles */
#define P15_MAX_ARRAY_PATTERN 9 /* tiles and blank that an array lists: 4.2 billion placements on 16 cells */

/* An array, which the caller owns. */
typedef struct {
    const uint8_t *values;
    uint64_t size, divisor;               /* see above; the number of placements, and 1, with a byte for each */
    unsigned count;                       /* tiles that it lists */
    uint8_t order[P15_MAX_ARRAY_PATTERN]; /* these in order, different; 0 is the blank */
    uint8_t cell_to[P15_MAX_CELLS];       /* the array's cell for a cell of the board */
    bool beyond_manhattan;                /* whether Manhattan distance is added */
    uint8_t home[P15_MAX_ARRAY_PATTERN];  /* then, the array's goal cell of each listed tile */
    uint8_t less;                         /* what is subtracted */
} p15_array;

typedef struct {
    const p15_table *table; /* NULL: an array */
    p15_array array;
    uint8_t distance[P15_MAX_ARRAY_PATTERN][P15_MAX_CELLS]; /* of an array's listed tile from a cell; 0 of the blank */
    uint16_t tiles;                                         /* bit t for tile t; the blank is bit 0 */
    uint8_t labels[P15_MAX_CELLS];                          /* a table's labels, by tile */
} p15_pattern;

typedef struct {
    p15_shape shape;
    p15_board goal;
    unsigned count;
    p15_pattern patterns[P15_MAX_PATTERNS];
    uint16_t moved[P15_MAX_CELLS]; /* by tile: the patterns whose values its moves may change, bit i for patterns[i] */
} p15_patterns;

/* An empty sum, whose value is 0. The goal is a board of the shape. */
void p15_patterns_init(p15_shape shape, p15_board goal, p15_patterns *sum);

/* Adds a table that outlives the sum. Its pattern's tiles are those of its goal cells. P15_ERR_PATTERN unless
 * the table is of this shape and the goal's blank is in its region, P15_ERR_ARGUMENT when there is no room. */
p15_status p15_patterns_add_table(p15_patterns *sum, const p15_table *table);

/* Adds an array, whose values outlive the sum. P15_ERR_PATTERN unless it lists 1 .. P15_MAX_ARRAY_PATTERN tiles of the
 * shape, and `size` is 1 .. the number of their placements; P15_ERR_ARGUMENT when there is no room, the divisor is 0, or
 * cell_to does not permute the cells. */
p15_status p15_patterns_add_array(p15_patterns *sum, const p15_array *array);

/* The sum of a board's values, which may be any number. P15_ERR_CORRUPT: a damaged table. */
p15_status p15_patterns_value(const p15_patterns *sum, p15_board board, unsigned *value);

/* By how much the sum changes when `tile` moves from `cell` to `blank`, the blank's cell in `parent`. */
int p15_patterns_change(const p15_patterns *sum, p15_board parent, unsigned blank, unsigned tile, unsigned cell);

/* Where the tiles of a pattern stand: the map and the perm of tables/space.h. `shift_of` has the
 * bits of each cell in the board, `tiles` the tiles of the pattern. */
static inline void p15_pattern_state(p15_board board, unsigned cells, const uint8_t *shift_of, unsigned tiles,
                                     const uint8_t *labels, unsigned *map, uint32_t *perm) {
    unsigned found = 0, position = 0;
    uint32_t fields = 0;
    for (unsigned i = 0; i < cells; i++) {
        unsigned tile = (unsigned)(board >> shift_of[i]) & 15u, in = tiles >> tile & 1u;
        found |= in << i;
        fields |= (uint32_t)(in * labels[tile]) << position;
        position += 3 * in;
    }
    *map = found;
    *perm = fields;
}

#endif
