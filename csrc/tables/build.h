/* p15_build: breadth-first construction of a pattern's values, one level and one segment per call.
 *
 * Every state has two bits, held as two planes of one bit:
 *
 *     plane 0   visited, and its value has (value >> 1) & 1 = 0
 *     plane 1   visited, and its value has (value >> 1) & 1 = 1        neither: not visited yet
 *
 * The colour of a map's cells decides the parity of its values, so a level touches every second segment only, and plane
 * 1 of the finished search *is* the zero-aware table (tables/table.h). No frontier is stored: in the segments of parity
 * t, the states in plane (t >> 1) & 1 have values t, t-4, t-8, .. , and all neighbours of the older ones are visited.
 *
 * A block collects the planes of its neighbours, permuted by the move (tables/block.h), and keeps what is new. Only the
 * thread that owns a segment writes it, and it reads segments of the other parity only, so threads need no atomics.
 *
 * A classic table has one value per placement, the minimum over regions. For it a third plane holds one nibble per
 * placement, (value - Manhattan distance) / 2, written when the first region of the placement is reached. On 4x4 the
 * nibble is at most 9. On long and narrow boards it may exceed 15 and is then held as 15; the value stays a lower
 * bound.
 *
 * The caller owns the planes and provides them segment by segment, maybe from a scratch file (structured duplicate
 * detection: Zhou & Hansen, AAAI 2004). A level on a segment needs that segment's planes, and plane (level - 1 >> 1) &
 * 1 of the segments that p15_build_sources names. */
#ifndef P15_TABLES_BUILD_H
#define P15_TABLES_BUILD_H

#include "tables/block.h"

#define P15_MAX_LEVELS 256 /* values fit a byte */

_Static_assert(P15_MAX_LEVELS > P15_FARTHEST, "a pattern needs no more moves than a board");

typedef struct {
    const p15_space *space;
    p15_cpu cpu;
    bool classic;
    unsigned goal_map;
    uint32_t goal_block;
    uint64_t
        *planes[2][P15_SEGMENTS];   /* set by the caller: block b of segment s at (b - segment_begin[s]) * word_count */
    uint8_t *nibbles[P15_SEGMENTS]; /* classic only: map by map, p15_build_nibble_bytes each, zero at first */
    p15_block_moves moves;
    uint8_t distance[P15_MAX_CELLS][P15_MAX_PATTERN]; /* classic only: Manhattan distance of a label's goal cell */
    uint32_t *unvisited;                              /* [block] states not yet reached */
    uint8_t *level_of; /* [block] 1 + the last level that reached a state here; 0: none did */
} p15_build;

/* Prepares the search from a goal: the pattern's tiles are on the cells of goal_map, and the blank's home is outside
 * it. P15_ERR_PATTERN when they do not fit the space; P15_ERR_MEMORY. Links the space (p15_space_link), which must
 * outlive the build. */
p15_status p15_build_init(p15_space *space, unsigned goal_map, unsigned home, bool classic, p15_cpu cpu,
                          p15_build *build);
void p15_build_free(p15_build *build);

/* The bytes of one plane of a segment, of a classic segment's nibbles, and of one map's nibbles. */
size_t p15_build_plane_bytes(const p15_space *space, unsigned segment);
size_t p15_build_nibble_bytes(const p15_space *space, unsigned segment);
size_t p15_map_nibble_bytes(const p15_space *space);

/* Whether states of this level lie in the segment. */
bool p15_build_touches(const p15_build *build, unsigned level, unsigned segment);

/* Sets sources[s] for each segment whose states of level - 1 have neighbours in `segment`, and returns how many
 * these are. When it returns 0, the level reaches nothing here and p15_build_level need not be called. */
unsigned p15_build_sources(const p15_build *build, unsigned level, unsigned segment, bool *sources);

/* Makes level 0, the goal. Its segment's planes must be present and zero. */
void p15_build_start(p15_build *build);

/* Finds the segment's states of this level, from 1 on. Every segment of level - 1 must be finished; calls on
 * different segments may run at once. Adds to *states, and for classic to *placements, the number of those found. */
void p15_build_level(p15_build *build, unsigned level, unsigned segment, uint64_t *states, uint64_t *placements);

/* These two turn plane 1 into the rows of a table: all blocks of a few words become the rows of those words. collect
 * copies words [word_begin, word_end) of a segment to columns[word - word_begin][block]; a column is the caller's,
 * 64 * ceil(block_count / 64) words, zero beyond block_count. transpose writes one column's k * (k-1) rows, in the
 * order of p15_space_row, each row_bytes = 8 * ceil(block_count / 64) bytes, little end first. */
void p15_build_collect(const p15_build *build, unsigned segment, uint32_t word_begin, uint32_t word_end,
                       uint64_t *columns);
void p15_build_transpose(const p15_build *build, const uint64_t *column, uint8_t *rows);

#endif
