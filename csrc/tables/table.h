/* p15_table: a finished table, read-only: lookups, values by descent.
 *
 * zero-aware   one bit per state: (value >> 1) & 1. A row is one perm, its bits are blocks, little end first:
 *
 *                  row 0      | block 0..7 | block 8..15 | ..      row_bytes, a multiple of 8
 *                  row 1      | ..
 *
 *              The parity of a value is that of the map's colour, and a move changes a value by one. So one bit of the
 *              neighbour shows the direction, and a search carries values along. The first value comes from walking
 *              down to the goal. (Clausecker & Reinefeld, SoCS 2019; Cooperman & Finkelstein 1992 for the walk.)
 * classic      one nibble per placement (map, perm): (value - Manhattan distance) / 2, map by map, row by row, the even
 *              row in the low nibble; value = the minimum over the blank's regions. 15 stands for 15 and more.
 *
 * No byte of the payload is ever used as an index or a count: whatever they hold, lookups stay inside the payload
 * and values inside 0..255. A walk that does not reach the goal within the table's largest value returns
 * P15_ERR_CORRUPT.
 * Threads: all functions are safe to call from several threads on one table. */
#ifndef P15_TABLES_TABLE_H
#define P15_TABLES_TABLE_H

#include "base/cpu.h"
#include "tables/space.h"

typedef struct {
    const p15_space *space; /* not owned, nor is the payload */
    const uint8_t *payload;
    bool classic;
    p15_cpu cpu;        /* the walk's compilation */
    unsigned max_value; /* of any entry */
    unsigned goal_map, home;
    uint32_t goal_block;
    size_t row_bytes;                                 /* zero-aware: of a row; classic: of a map */
    uint8_t distance[P15_MAX_CELLS][P15_MAX_PATTERN]; /* Manhattan distance from a cell to a label's goal */
} p15_table;

size_t p15_table_row_bytes(const p15_space *space, bool classic);
size_t p15_table_payload_bytes(const p15_space *space, bool classic);

/* P15_ERR_PATTERN when goal_map or home do not fit the space, P15_ERR_CORRUPT when payload_bytes is not the size
 * that p15_table_payload_bytes gives. */
p15_status p15_table_init(const p15_space *space, const uint8_t *payload, size_t payload_bytes, bool classic,
                          unsigned max_value, unsigned goal_map, unsigned home, p15_table *table);

static inline unsigned p15_table_bit(const p15_table *table, uint32_t row, uint32_t block) {
    return table->payload[row * table->row_bytes + (block >> 3)] >> (block & 7u) & 1u;
}

static inline unsigned p15_table_nibble(const p15_table *table, uint32_t map_index, uint32_t row) {
    return table->payload[map_index * table->row_bytes + (row >> 1)] >> (4 * (row & 1u)) & 15u;
}

/* The value modulo 4 of a state of the zero-aware table. */
P15_INLINE unsigned p15_table_residue(const p15_table *table, uint32_t row, uint32_t block) {
    unsigned odd = p15_count_bits((table->space->block_map[block] ^ table->goal_map) & table->space->colours) & 1u;
    return 2 * p15_table_bit(table, row, block) + odd;
}

/* Manhattan distance of a placement's tiles to their goal cells. */
unsigned p15_table_manhattan(const p15_table *table, unsigned map, uint32_t perm);

/* The value of a state: a map of the pattern's size, a perm of it, and the blank's cell outside the map.
 * P15_ERR_CORRUPT when no walk leads down to the goal: the state cannot be reached, or the payload is damaged. */
p15_status p15_table_value(const p15_table *table, unsigned map, uint32_t perm, unsigned blank, unsigned *value);

/* The values of `count` states, each of a table of its own; all tables are of one format. */
p15_status p15_table_values(const p15_table *tables, const uint32_t *maps, const uint32_t *perms, const uint8_t *blanks,
                            unsigned count, unsigned *values);

/* By how much the value changes when the tile of the map at cell `from` slides to its neighbour `to`, where the blank
 * was: +1 or -1 in a zero-aware table, and an odd number in a classic one. Takes two lookups. */
int p15_table_change(const p15_table *table, unsigned map, uint32_t perm, unsigned from, unsigned to);

#endif
