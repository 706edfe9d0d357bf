/* p15_board_table: a table from boards to values of 1 to 16 bytes: open addressing, in place when it grows.
 *
 *     bucket   [ board | board | .. | 0 ][ value | value | .. ]     one cache line: 7 boards with values of 1 byte,
 *                                                                   6 of 2, 5 of 3 or 4, 4 of up to 8, 3 of up to 13
 *     table    [ bucket | bucket | .. | tail ]                      0, which is no board, marks an empty slot
 *     home     = top half of the board's hash * buckets >> 32
 *
 * A board whose home is full lies in the next bucket that is not, at most 511 further on: its displacement.
 *
 * Order: a home grows with the hash. So a larger table is filled by walking the smaller one from its end to its
 * beginning, in the same memory: no second copy, no random access. That is a long job, done piece by piece
 * (base/pieces.h). No board is written where another one is yet to be read: if the buckets become at least 4/3 as many,
 * a board in bucket b with displacement d has its new home at b or beyond where b >= 4 (d + 1). The buckets below are
 * copied first.
 *
 * Cost: 64 bytes / boards of a bucket / load, where the load is at most 0.8 and, after growing, at least 0.4. One cache
 * miss a board, and those of many boards overlap.
 *
 * Boards are never taken out. Any 64 bits but 0 may be a board. One thread at a time. */
#ifndef P15_NODES_BOARD_TABLE_H
#define P15_NODES_BOARD_TABLE_H

#include "base/board.h"
#include "base/pages.h"

#define P15_MOST_VALUE_BYTES 16u

typedef enum {
    P15_TABLE_INSERT, /* where the board is not there; of equal boards the first */
    P15_TABLE_UPDATE, /* always; of equal boards the last */
    P15_TABLE_LOWER   /* where the board is not there, or has a larger key: the first bytes of the value */
} p15_table_rule;

typedef struct {
    uint8_t *buckets;
    size_t bucket_count, count, room; /* room: boards beyond which it is to grow */
    unsigned slots;                   /* of a bucket */
    unsigned value_bytes, key_bytes;
    size_t most_buckets;
    p15_pages pages;
    size_t left;  /* while it grows: buckets that are yet to be read */
    size_t aside; /* while it grows: the first so many of them are in `lowest` */
    uint8_t *lowest;
    bool lost; /* a board found no slot in a larger table, which is as good as impossible */
} p15_board_table;

/* An empty table with room for `expected` boards, which may take `most_bytes`. The first key_bytes of a value, 1, 2, 4 or
 * 8, are the unsigned number that P15_TABLE_LOWER compares; 0: there is none. P15_ERR_ARGUMENT, P15_ERR_MEMORY: nothing
 * to free. */
p15_status p15_board_table_init(unsigned value_bytes, unsigned key_bytes, size_t expected, size_t most_bytes,
                                p15_board_table *table);
void p15_board_table_free(p15_board_table *table); /* also of zeros */

/* Puts values of boards there (NULL: zeros), by a rule. changed[i] becomes whether the value was written; with
 * P15_TABLE_UPDATE, whether the board is new. Returns how many boards were done; if fewer than count, the table must grow
 * before the next one. Not while it grows. */
size_t p15_board_table_put(p15_board_table *table, p15_table_rule rule, const p15_board *boards, const uint8_t *values,
                           size_t count, uint8_t *changed);

/* The values of boards, and whether they are there; zeros where they are not. Not while it grows. */
void p15_board_table_get(const p15_board_table *table, const p15_board *boards, size_t count, uint8_t *values,
                         uint8_t *found);

/* A piece of growing: to twice as many buckets, or by half from 64 MB on. Call it again while `left` > 0; until then,
 * nothing can be found or put. P15_ERR_MEMORY: there is no memory to grow, and nothing has changed; or a board is lost. */
p15_status p15_board_table_grow(p15_board_table *table);

/* The boards of buckets begin .. end - 1, in their order. Returns how many there are. */
size_t p15_board_table_keys(const p15_board_table *table, size_t begin, size_t end, p15_board *boards);

size_t p15_board_table_buckets(const p15_board_table *table); /* all of them, with the tail */
size_t p15_board_table_bytes(const p15_board_table *table);

#endif
