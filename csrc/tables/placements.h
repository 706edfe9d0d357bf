/* p15_placements: the placements of a pattern's tiles, numbered in lexicographic order, and a table's values in it.
 *
 * A placement is the cells c_0, c_1, .. of the pattern's tiles in some order; the blank may be listed like a tile, last.
 * Placements are numbered in the lexicographic order of these sequences:
 *
 *     d_i  = how many cells below c_i none of c_0 .. c_(i-1) is           0 .. cells-1-i
 *     rank = ( .. (d_0 (cells-1) + d_1) (cells-2) + d_2 .. )              0 .. cells!/(cells-k)! - 1
 *
 * With three cells and two tiles:  c = 01 02 10 12 20 21, rank = 0 1 2 3 4 5.
 *
 * A listing writes the values of a zero-aware table in this order. The blocks of the table's space form a tree whose root
 * is the goal's block, and each block has a move to its parent. If the move passes no tile, then both blocks are in one
 * row of the table (tables/table.h), and a bit tells whether the value is one more than the parent's or one less; nearly
 * all blocks have such a move. Otherwise the path to the root is followed, where the value of each row is known.
 *
 * Memory: 8 bytes per block and one per row, 0.3 MB for 8 tiles on 4x4. Time: some 10 ns per state on one core. */
#ifndef P15_TABLES_PLACEMENTS_H
#define P15_TABLES_PLACEMENTS_H

#include "tables/table.h"

/* One more step of a rank: `rank` of the cells before, which are `taken`; `left` cells are not, and `cell` is next. */
P15_INLINE uint64_t p15_placement_next(uint64_t rank, unsigned left, unsigned taken, unsigned cell) {
    return rank * left + p15_count_bits(~taken & ((1u << cell) - 1u));
}

/* How many placements list so many tiles. */
static inline uint64_t p15_placement_count(p15_shape shape, unsigned listed) {
    uint64_t product = 1;
    for (unsigned i = 0; i < listed; i++) product *= shape.cells - i;
    return product;
}

/* A block, and the move that leads from there to its parent in the tree. */
typedef struct {
    uint16_t block;
    p15_space_move up;
} p15_listing_step;

typedef struct {
    const p15_table *table;
    bool blank;                     /* whether placements list the blank, after the tiles */
    bool delta;                     /* whether values are less the Manhattan distance of the tiles */
    uint8_t order[P15_MAX_PATTERN]; /* the labels of the pattern, in the order in which placements list them */
    uint8_t cell_to[P15_MAX_CELLS]; /* the placement's cell for each cell of the table */
    p15_listing_step *steps;        /* [block_count] each block after its parent, the root first */
    p15_space_move *ups;            /* [block_count] by block */
    uint8_t *roots;                 /* [row_count] values of the goal's block */
    uint8_t *found;                 /* [block_count] values of a row */
} p15_listing;

/* Prepares to list a zero-aware table that outlives the listing. order[0 .. k-1] are all labels, and cell_to permutes
 * the cells. P15_ERR_MEMORY, P15_ERR_CORRUPT: a damaged table. The caller ends it with p15_listing_free. */
p15_status p15_listing_init(const p15_table *table, const uint8_t *order, const uint8_t *cell_to, bool blank,
                            bool delta, p15_listing *listing);
void p15_listing_free(p15_listing *listing);

/* Writes the values of rows [begin, end) of the table to values[rank], a byte each. Without the blank, the value of a
 * placement is the minimum over the blank's cells. values[] has p15_placement_count(shape, k + blank) entries.
 * Placements from which no moves lead to the goal get 0. Different listings may write different rows at once. */
void p15_listing_rows(p15_listing *listing, uint32_t begin, uint32_t end, uint8_t *values);

#endif
