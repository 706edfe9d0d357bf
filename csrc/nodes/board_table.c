#include "nodes/board_table.h"

#include "base/pieces.h"

#include <stdlib.h>
#include <string.h>

#define LOAD 0.8
#define BUCKET_BYTES 64u
#define MOST_DISPLACED 511u
#define TAIL (MOST_DISPLACED + 1u) /* displaced boards of the last home lie beyond it */
#define LOWEST (4u * TAIL)         /* buckets that growing copies first */
#define FIRST_BUCKETS 8u
#define SMALL_BYTES ((size_t)64 << 20) /* up to there, a table doubles */
#define AHEAD 16u                      /* boards whose buckets are prefetched */

static void set_buckets(p15_board_table *t, size_t buckets) {
    t->bucket_count = buckets;
    t->room = (size_t)((double)(buckets * t->slots) * LOAD);
}

size_t p15_board_table_buckets(const p15_board_table *t) { return t->bucket_count + TAIL; }

size_t p15_board_table_bytes(const p15_board_table *t) { return p15_board_table_buckets(t) * BUCKET_BYTES; }

p15_status p15_board_table_init(unsigned value_bytes, unsigned key_bytes, size_t expected, size_t most_bytes,
                                p15_board_table *t) {
    memset(t, 0, sizeof *t);
    bool is_key = key_bytes <= 8 && (key_bytes & (key_bytes - 1)) == 0 && key_bytes <= value_bytes;
    if (value_bytes < 1 || value_bytes > P15_MOST_VALUE_BYTES || !is_key) return P15_ERR_ARGUMENT;
    t->value_bytes = value_bytes;
    t->key_bytes = key_bytes;
    t->slots = BUCKET_BYTES / (unsigned)(sizeof(p15_board) + value_bytes);
    size_t most = most_bytes / BUCKET_BYTES;
    t->most_buckets = most < TAIL ? 0 : most - TAIL < UINT32_MAX ? most - TAIL : UINT32_MAX;
    double wanted = FIRST_BUCKETS + (double)expected / LOAD / t->slots;
    set_buckets(t, wanted < (double)t->most_buckets ? (size_t)wanted : FIRST_BUCKETS);
    if (t->bucket_count > t->most_buckets) return P15_ERR_MEMORY;
    p15_status status = p15_pages_reserve(p15_board_table_bytes(t), (t->most_buckets + TAIL) * BUCKET_BYTES, &t->pages);
    t->buckets = t->pages.memory;
    size_t reserved = t->pages.bytes / BUCKET_BYTES; /* the system may allow less than was asked for */
    if (status == P15_OK && reserved - TAIL < t->most_buckets) t->most_buckets = reserved - TAIL;
    return status;
}

void p15_board_table_free(p15_board_table *t) {
    free(t->lowest);
    t->lowest = NULL;
    p15_pages_release(&t->pages);
}

/* ------------------------------------------------------------------------------------------------ boards */

/* The bucket where a board lies if it has a free slot. */
P15_INLINE size_t home_of(const p15_board_table *t, p15_board board) {
    board = (board ^ board >> 32) * UINT64_C(0x9e3779b97f4a7c15); /* both steps are bijections */
    board = (board ^ board >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (size_t)((board >> 32) * t->bucket_count >> 32);
}

P15_INLINE size_t prefetch(const p15_board_table *t, p15_board board) {
    size_t home = home_of(t, board);
    P15_PREFETCH(t->buckets + home * BUCKET_BYTES);
    return home;
}

typedef struct {
    p15_board *board;
    uint8_t *value;
} slot;

/* Slot i of a bucket. */
P15_INLINE slot slot_of(const p15_board_table *t, uint8_t *bucket, unsigned i) {
    return (slot){(p15_board *)bucket + i, bucket + t->slots * sizeof(p15_board) + i * t->value_bytes};
}

/* The slot of a board, or the empty one where it belongs; a slot of another board where all that it may have are full. */
P15_INLINE slot find(const p15_board_table *t, size_t home, p15_board board) {
    uint8_t *bucket = t->buckets + home * BUCKET_BYTES;
    for (unsigned displacement = 0;; displacement++, bucket += BUCKET_BYTES) {
        const p15_board *boards = (const p15_board *)bucket;
        for (unsigned i = 0; i < t->slots; i++)
            if (boards[i] == board || boards[i] == 0) return slot_of(t, bucket, i);
        if (displacement == MOST_DISPLACED) return slot_of(t, bucket, 0);
    }
}

/* Copies a value: usual sizes without a call. */
P15_INLINE void copy(uint8_t *to, const uint8_t *from, unsigned bytes) {
    switch (bytes) {
    case 1:
        *to = *from;
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, bytes);
    }
}

/* The number in the first bytes of a value. */
P15_INLINE uint64_t number_of(const uint8_t *value, unsigned bytes) {
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++) number |= (uint64_t)value[i] << (8 * i);
    return number;
}

size_t p15_board_table_put(p15_board_table *t, p15_table_rule rule, const p15_board *boards, const uint8_t *values,
                           size_t count, uint8_t *changed) {
    static const uint8_t zeros[P15_MOST_VALUE_BYTES];
    unsigned bytes = t->value_bytes;
    size_t homes[AHEAD];
    for (size_t i = 0; i < count && i < AHEAD; i++) homes[i] = prefetch(t, boards[i]);
    for (size_t i = 0; i < count; i++) {
        p15_board board = boards[i];
        const uint8_t *value = values ? values + i * bytes : zeros;
        slot at = find(t, homes[i % AHEAD], board);
        bool is_new = *at.board != board, is_written = is_new || rule == P15_TABLE_UPDATE;
        if (is_new) {
            if (*at.board != 0 || t->count >= t->room) return i;
            *at.board = board;
            t->count++;
        } else if (rule == P15_TABLE_LOWER) {
            is_written = number_of(value, t->key_bytes) < number_of(at.value, t->key_bytes);
        }
        if (is_written) copy(at.value, value, bytes);
        changed[i] = rule == P15_TABLE_UPDATE ? is_new : is_written;
        if (i + AHEAD < count) homes[i % AHEAD] = prefetch(t, boards[i + AHEAD]);
    }
    return count;
}

void p15_board_table_get(const p15_board_table *t, const p15_board *boards, size_t count, uint8_t *values,
                         uint8_t *found) {
    unsigned bytes = t->value_bytes;
    size_t homes[AHEAD];
    for (size_t i = 0; i < count && i < AHEAD; i++) homes[i] = prefetch(t, boards[i]);
    for (size_t i = 0; i < count; i++) {
        p15_board board = boards[i];
        slot at = find(t, homes[i % AHEAD], board);
        found[i] = board != 0 && *at.board == board;
        if (found[i])
            copy(values + i * bytes, at.value, bytes);
        else
            memset(values + i * bytes, 0, bytes);
        if (i + AHEAD < count) homes[i % AHEAD] = prefetch(t, boards[i + AHEAD]);
    }
}

size_t p15_board_table_keys(const p15_board_table *t, size_t begin, size_t end, p15_board *boards) {
    size_t count = 0;
    for (size_t bucket = begin; bucket < end; bucket++)
        for (unsigned i = 0; i < t->slots; i++) {
            p15_board board = *slot_of(t, t->buckets + bucket * BUCKET_BYTES, i).board;
            if (board) boards[count++] = board;
        }
    return count;
}

/* ------------------------------------------------------------------------------------------------ growing */

static p15_status begin_growing(p15_board_table *t) {
    size_t old = t->bucket_count, least = (old * 4 + 2) / 3, all = old + TAIL;
    size_t buckets = p15_board_table_bytes(t) < SMALL_BYTES ? 2 * old : old / 2 * 3;
    if (t->most_buckets < (buckets * 4 + 2) / 3) buckets = t->most_buckets; /* it will not grow again */
    if (buckets < least || p15_pages_use(&t->pages, (buckets + TAIL) * BUCKET_BYTES) != P15_OK) return P15_ERR_MEMORY;
    size_t aside = all < LOWEST ? all : LOWEST;
    t->lowest = malloc(aside * BUCKET_BYTES);
    if (!t->lowest) return P15_ERR_MEMORY;
    memcpy(t->lowest, t->buckets, aside * BUCKET_BYTES);
    memset(t->buckets, 0, aside * BUCKET_BYTES);
    t->aside = aside;
    t->left = all;
    set_buckets(t, buckets);
    return P15_OK;
}

/* Puts the boards of a bucket of the smaller table, and their values, into the larger one. */
static bool carry(p15_board_table *t, uint8_t *bucket) {
    for (unsigned i = 0; i < t->slots; i++) {
        slot from = slot_of(t, bucket, i);
        if (!*from.board) return true;
        slot to = find(t, home_of(t, *from.board), *from.board);
        if (*to.board) return false;
        *to.board = *from.board;
        copy(to.value, from.value, t->value_bytes);
    }
    return true;
}

p15_status p15_board_table_grow(p15_board_table *t) {
    if (t->lost) return P15_ERR_MEMORY;
    if (t->left == 0) {
        p15_status status = begin_growing(t);
        if (status != P15_OK) return status;
    }
    size_t buckets = P15_PIECE / 8, end = t->left > buckets ? t->left - buckets : 0;
    for (size_t at = t->left; at-- > end;) {
        p15_board bucket[BUCKET_BYTES / sizeof(p15_board)];
        bool is_aside = at < t->aside;
        memcpy(bucket, (is_aside ? t->lowest : t->buckets) + at * BUCKET_BYTES, BUCKET_BYTES);
        if (!is_aside) memset(t->buckets + at * BUCKET_BYTES, 0, BUCKET_BYTES);
        if (!carry(t, (uint8_t *)bucket)) t->lost = true;
    }
    t->left = end;
    if (end > 0) return P15_OK;
    free(t->lowest);
    t->lowest = NULL;
    return t->lost ? P15_ERR_MEMORY : P15_OK;
}
