/* p15_space: the state space of a pattern of k tiles, shared by all patterns of that size.
 *
 * A state is the cells of a pattern's k tiles and, as far as that matters, where the blank is:
 *
 *     map      16 bits, bit i set when some tile of the pattern stands on cell i
 *     region   a connected component of the cells outside the map; the blank is in exactly one
 *     perm     which tile stands on which cell of the map
 *
 *     . A . B        map  = cells 1 3 6 (bits 0x004a), perm = A B C
 *     . . C .        one region: all other cells hang together
 *
 * A pair (map, region) is a block. The blank moves freely inside its region without moving a tile of the pattern, so a
 * state is (block, perm) and a move slides one tile of the pattern by one cell into the region.
 *
 *   - Every move changes the number of moves to the goal by exactly one: the colour of the map's cells, as on a chess
 *     board, alternates.
 *   - A tile on position a of the map, in row-major order, slides to position b and leaves the order of the other tiles
 *     alone. Horizontally a = b; vertically it passes at most cols - 1 tiles.
 *
 * perm is held as a word of 3-bit fields: field i (bits 3i..3i+2) is the label, 0..k-1, of the tile on the i-th cell of
 * the map. Labels follow the tiles' order in the goal, so the goal's perm is 0 1 2 .. k-1. A move is then "take field a
 * out, put it back in as field b".
 *
 * Perm index. With d_i = how many later labels are smaller than label i (Lehmer code):
 *
 *     word = d_2, .., d_{k-1} in mixed radix, 0 .. (k-2)!-1      bit = 8 * d_1 + d_0
 *     row  = word * k * (k-1)  +  d_1 * k + d_0                  0 .. k!-1
 *
 * (word, bit) is the address inside a block while a table is built: a block is (k-2)! words of 64 bits. row numbers the
 * rows of a finished table. It is the sum of a part that depends on the first four labels and one that depends on the
 * order of the others, so two lookups in 8 kB tables give it.
 *
 * Maps are numbered by their high byte, then by (colour of the low byte, low byte) among the low bytes of fitting size.
 * The maps with one high byte and one colour are a segment, the unit of construction. Blocks are numbered map by map.
 *
 * Memory: 8 bytes per map, 4 bytes per block, and 19 kB; 0.3 MB for k = 8 on 4x4. Sizes on 4x4:
 *
 *     k   maps    blocks   perms    states
 *     6    8,008  16,412      720      11,816,640
 *     7   11,440  27,748    5,040     139,849,920
 *     8   12,870  35,347   40,320   1,425,191,040 */
#ifndef P15_TABLES_SPACE_H
#define P15_TABLES_SPACE_H

#include "base/bits.h"
#include "base/board.h"
#include "base/status.h"

#define P15_MAX_PATTERN 8 /* tiles in a pattern */
#define P15_MAX_REGIONS 8 /* isolated free cells around a checkerboard of 8 tiles */
#define P15_SEGMENTS 512  /* (high byte of the map, colour of the low byte) */
#define P15_MAX_MOVES 24  /* edges of a 4x4 board: no block has more moves */

/* One move out of a block: the tile on position `from` slides to position `to`, which leads to `block`. */
typedef struct {
    uint16_t block;
    uint8_t from, to;
} p15_space_move;

typedef struct {
    p15_shape shape;
    unsigned k;           /* tiles in the pattern, 1..8, fewer than cells */
    uint32_t map_count;   /* C(cells, k) */
    uint32_t block_count; /* at most 65,536 */
    uint32_t row_count;   /* k! */
    uint32_t word_count;  /* 64-bit words of a block under construction: max(1, (k-2)!) */
    uint16_t high[256];   /* map index = high[map >> 8] + low[map & 255] */
    uint8_t low[256];
    unsigned everywhere, first_column, colours; /* sets of cells: all, column 0, those of odd colour */
    uint64_t *maps;         /* [map_count] bits 3i..3i+2: region of cell i; bits 48..63: first block */
    uint16_t *block_map;    /* [block_count] the map's cells */
    uint16_t *block_region; /* [block_count] the region's cells */
    uint32_t segment_begin[P15_SEGMENTS + 1]; /* first block of each segment */
    uint16_t first_rows[4096];                /* row = first_rows[perm & 4095] + last_rows[perm >> 12] */
    uint16_t last_rows[4096];
    /* after p15_space_link: */
    uint32_t *move_begin; /* [block_count + 1] block b's moves are moves[move_begin[b]] .. */
    p15_space_move *moves;
    uint32_t *perms; /* [row_count] the perm of each row */
} p15_space;

/* Fills *space for patterns of k tiles on `shape`. P15_ERR_PATTERN when k is not 1..min(8, cells-1), P15_ERR_MEMORY.
 * On success the caller owns it and ends it with p15_space_free. */
p15_status p15_space_init(p15_shape shape, unsigned k, p15_space *space);
void p15_space_free(p15_space *space);

static inline uint32_t p15_space_map_index(const p15_space *space, unsigned map) {
    return (uint32_t)space->high[map >> 8] + space->low[map & 255];
}

/* The block of a map and a cell outside it. */
static inline uint32_t p15_space_block(const p15_space *space, unsigned map, unsigned cell) {
    uint64_t record = space->maps[p15_space_map_index(space, map)];
    return (uint32_t)(record >> 48) + ((uint32_t)(record >> (3 * cell)) & 7u);
}

static inline uint32_t p15_space_row(const p15_space *space, uint32_t perm) {
    return (uint32_t)space->first_rows[perm & 4095u] + space->last_rows[perm >> 12];
}

/* The perm after the label in field `from` is taken out and put back in as field `to`. */
static inline uint32_t p15_perm_move(uint32_t perm, unsigned from, unsigned to) {
    uint32_t below = (1u << (3 * from)) - 1u, under = (1u << (3 * to)) - 1u;
    uint32_t label = (perm >> (3 * from)) & 7u;
    uint32_t rest = (perm & below) | ((perm >> 3) & ~below);
    return (rest & under) | (label << (3 * to)) | ((rest & ~under) << 3);
}

/* The perm of a row: the inverse of p15_space_row. Slow (k^2), for construction of lookups and checks. */
uint32_t p15_space_unrank(const p15_space *space, uint32_t row);

/* The cells one step from `cells` in a direction. */
static inline unsigned p15_space_step(const p15_space *space, unsigned cells, unsigned dir) {
    unsigned cols = space->shape.cols;
    switch (dir) {
    case P15_UP:
        return cells >> cols;
    case P15_LEFT:
        return (cells & ~space->first_column) >> 1;
    case P15_RIGHT:
        return cells << 1 & ~space->first_column & space->everywhere;
    default:
        return cells << cols & space->everywhere;
    }
}

/* The move that takes the blank in direction dir to `cell`, so the tile there, one of the map's, the other way. */
static inline p15_space_move p15_space_move_of(const p15_space *space, unsigned map, unsigned cell, unsigned dir) {
    unsigned next = p15_lowest_bit(p15_space_step(space, 1u << cell, 3 - dir)), rest = map & ~(1u << cell);
    return (p15_space_move){.block = (uint16_t)p15_space_block(space, rest | 1u << next, cell),
                            .from = (uint8_t)p15_count_bits(rest & ((1u << cell) - 1u)),
                            .to = (uint8_t)p15_count_bits(rest & ((1u << next) - 1u))};
}

/* The segment of a map, 0..511, and of a block. */
static inline unsigned p15_space_segment(const p15_space *space, unsigned map) {
    return 2u * (map >> 8) + (p15_count_bits(map & 255u & space->colours) & 1u);
}

/* All moves out of a block, in a fixed order; returns their number, at most P15_MAX_MOVES. Moves are undone by
 * moves: from the block reached, `to` slides to `from` and leads back. */
unsigned p15_space_moves(const p15_space *space, uint32_t block, p15_space_move *moves);

/* Lists the moves of all blocks and the perms of all rows (1 MB for k = 8 on 4x4). Not safe beside other uses of the
 * space; does nothing the second time. P15_ERR_MEMORY leaves the space as it was. */
p15_status p15_space_link(p15_space *space);

/* Manhattan distance from every cell to the goal of every label; other entries are left as they are. */
void p15_goal_distances(const p15_space *space, unsigned goal_map, uint8_t distance[P15_MAX_CELLS][P15_MAX_PATTERN]);

#endif
