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
 * The perms whose tiles differ only in where the last two listed ones are belong together: 56 of 8 tiles. Their values
 * are found side by side, and their placements lie in runs of up to 90 bytes, so that memory is written once. They are
 * numbered in mixed radix, most significant digit first, by
 *
 *     e_i  = how many of the tiles listed before the i-th stand on lower cells             0 .. i
 *     rank = (c_0 w_0 + c_1 w_1 + ..) - (e_0 w_0 + e_1 w_1 + ..)       w_i = (cells-1-i) (cells-2-i) .. (cells-k+1)
 *
 * The first sum is that of the cells of the low byte of the map and of those of its high byte, which are added up once
 * for each byte.
 *
 * Memory: 72 bytes per block and one per row, 3 MB for 8 tiles on 4x4. Time: some 5 ns per state on one core. */
#ifndef P15_TABLES_PLACEMENTS_H
#define P15_TABLES_PLACEMENTS_H

#include "tables/table.h"

/* A block, and the move that leads from there to its parent in the tree. */
typedef struct {
    uint16_t block;
    p15_space_move up;
} p15_placed_step;

#define P15_LANES 64u /* perms that are listed together, and a few more for whole vectors */

/* What the cells of one byte of a map add to the ranks of the perms, and to their Manhattan distances. */
typedef struct {
    uint32_t rank[256][P15_LANES];
    uint8_t near[256][P15_LANES];
} p15_placed_sums;

typedef struct {
    const p15_table *table;
    bool blank;                     /* whether placements list the blank, after the tiles */
    bool delta;                     /* whether values are less the Manhattan distance of the tiles */
    uint8_t order[P15_MAX_PATTERN]; /* the labels of the pattern, in the order in which placements list them */
    p15_placed_step *steps;         /* [block_count] each block after its parent, the root first */
    p15_space_move *ups;            /* [block_count] by block */
    uint8_t *roots;                 /* [row_count] values of the goal's block */
    /* of the perms that are listed together: */
    uint32_t perms[P15_LANES], rows[P15_LANES];
    uint64_t *bits;              /* [block_count, rounded up to 64] bit i is the entry of the i-th perm */
    uint8_t (*found)[P15_LANES]; /* [block_count] values */
    p15_placed_sums *sums;       /* [2] of the low and of the high byte */
} p15_placed;

/* Prepares to list a zero-aware table that outlives the listing. order[0 .. k-1] are all labels. P15_ERR_MEMORY,
 * P15_ERR_CORRUPT: a damaged table. The caller ends it with p15_placed_free. */
p15_status p15_placed_init(const p15_table *table, const uint8_t *order, bool blank, bool delta, p15_placed *listing);
void p15_placed_free(p15_placed *listing);

/* How many groups of perms are listed together. */
uint32_t p15_placed_groups(const p15_space *space);

/* Writes the values of groups [begin, end) to values[rank], a byte each. Without the blank, the value of a placement is
 * the minimum over the blank's cells. values[] has p15_arrangements(cells, k + blank) entries. Placements from which
 * no moves lead to the goal get 0. Different listings may write different groups at once. */
void p15_placed_write(p15_placed *listing, uint32_t begin, uint32_t end, uint8_t *values);

#endif
