/* p15_multi_build: breadth-first construction of a multi-tile table.
 *
 * Level t holds the states at distance t, for each axis of the first move. They are kept where the moves that lead to
 * them end: a state whose first move is along the other axis is a cell of its line of this axis. When a line of this
 * axis gets cells of level t, then
 *
 *     its first cell       all other cells can move there: their distance along this axis is t + 1
 *     its second cell      so can the first one: its distance is t + 1
 *     any further cell     nothing new
 *
 * So each line adds cells at most twice. They are cells of level t + 1 of lines of the other axis. From one cell, all
 * lines of a block cross to the same block, so only their perms are looked up, one by one.
 *
 * Memory: six bytes per line of up to four cells, eight bytes per longer line, and flags. On 4x4 with k = 6, that is
 * 173 MB. */
#ifndef P15_MULTITILE_BUILD_H
#define P15_MULTITILE_BUILD_H

#include "base/cpu.h"
#include "multitile/table.h"

#define P15_MULTI_MAX_LEVELS 128 /* values stay below 128; the largest on 16 cells is far below */

typedef struct {
    const p15_line_space *lines;
    p15_cpu cpu;
    void *excess[P15_AXES];     /* [entry] uint16_t, or uint32_t for lines of more than four cells: 4 bits per cell */
    uint8_t *done[P15_AXES];    /* [entry] cells of this level or an earlier one */
    uint8_t *first[P15_AXES];   /* [entry] the level of the first cell */
    uint8_t *next[P15_AXES][2]; /* [level & 1][entry] cells of a level; 0 elsewhere */
    uint8_t *touched[P15_AXES][2]; /* [level & 1][block] whether there are any */
    void *memory;
} p15_multi_build;

/* Begins a table. P15_ERR_PATTERN when the pattern does not fit the lines, or has the home in it; P15_ERR_MEMORY. The
 * lines outlive the build. */
p15_status p15_multi_build_init(const p15_line_space *lines, unsigned goal_map, unsigned home, p15_cpu cpu,
                                p15_multi_build *build);
void p15_multi_build_free(p15_multi_build *build);

/* Bytes of memory that a build takes, without the payload. */
size_t p15_multi_build_bytes(const p15_line_space *lines);

/* Takes the blocks block_begin .. block_end - 1 of one axis through a level: levels in order from 0, the two axes of a
 * level in any order. Returns how many states of the level they have; a level without states is the last one. */
uint64_t p15_multi_build_level(p15_multi_build *build, unsigned level, unsigned axis, uint32_t block_begin,
                               uint32_t block_end);

/* After the last level: writes the codebook and the entries of an axis to the payload. P15_ERR_MEMORY. */
p15_status p15_multi_build_write(const p15_multi_build *build, unsigned axis, uint8_t *payload);

#endif
