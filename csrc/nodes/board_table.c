#include "nodes/board_table.h"

#include "base/pieces.h"

#include <stdlib.h>
#include <string.h>

#define LOAD 0.75
#define MOST_DISPLACED 1023u
#define TAIL (MOST_DISPLACED + 1u) /* displaced boards of the last home lie beyond it */
#define LOWEST (4u * TAIL)         /* slots that growing copies first */
#define FIRST_SLOTS 64u
#define TWICE (1u << 22) /* smaller tables become twice as large, larger ones by half larger */
#define AHEAD 16u        /* boards whose slots are prefetched */

static void set_slots(p15_board_table *t, size_t slots) {
    t->slots = slots;
    t->room = (size_t)((double)slots * LOAD);
}

size_t p15_board_table_slots(const p15_board_table *t) { return t->slots + TAIL; }

size_t p15_board_table_bytes(const p15_board_table *t) {
    return p15_board_table_slots(t) * (sizeof *t->keys + t->value_bytes);
}

p15_status p15_board_table_init(unsigned value_bytes, unsigned key_bytes, size_t expected, size_t most_bytes,
                                p15_board_table *t) {
    memset(t, 0, sizeof *t);
    bool is_key = key_bytes <= 8 && (key_bytes & (key_bytes - 1)) == 0 && key_bytes <= value_bytes;
    if (value_bytes < 1 || value_bytes > P15_MOST_VALUE_BYTES || !is_key) return P15_ERR_ARGUMENT;
    t->value_bytes = value_bytes;
    t->key_bytes = key_bytes;
    size_t most = most_bytes / (sizeof *t->keys + value_bytes);
    t->most_slots = most < TAIL ? 0 : most - TAIL < UINT32_MAX ? most - TAIL : UINT32_MAX;
    if (expected > UINT32_MAX / 2) expected = UINT32_MAX / 2;
    set_slots(t, FIRST_SLOTS + (size_t)((double)expected / LOAD));
    if (t->slots > t->most_slots) set_slots(t, FIRST_SLOTS);
    if (t->slots > t->most_slots) return P15_ERR_MEMORY;
    size_t least = p15_board_table_slots(t);
    most = t->most_slots + TAIL;
    p15_status status = p15_pages_reserve(least * sizeof *t->keys, most * sizeof *t->keys, &t->key_pages);
    if (status == P15_OK) status = p15_pages_reserve(least * value_bytes, most * value_bytes, &t->value_pages);
    t->keys = t->key_pages.memory;
    t->values = t->value_pages.memory;
    if (status != P15_OK) p15_board_table_free(t);
    return status;
}

void p15_board_table_free(p15_board_table *t) {
    free(t->aside);
    t->aside = NULL;
    p15_pages_release(&t->key_pages);
    p15_pages_release(&t->value_pages);
}

/* ------------------------------------------------------------------------------------------------ boards */

/* Where a board lies if no other one does. */
P15_INLINE size_t home_of(const p15_board_table *t, p15_board board) {
    board = (board ^ board >> 32) * UINT64_C(0x9e3779b97f4a7c15); /* both steps are bijections */
    board = (board ^ board >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return (size_t)((board >> 32) * t->slots >> 32);
}

/* The slot of a board, or the empty one where it belongs; neither, where all of its slots are full. */
P15_INLINE size_t find(const p15_board_table *t, size_t home, p15_board board) {
    size_t at = home;
    while (t->keys[at] != board && t->keys[at] != 0 && at - home < MOST_DISPLACED) at++;
    return at;
}

P15_INLINE size_t prefetch(const p15_board_table *t, p15_board board) {
    size_t home = home_of(t, board);
    P15_PREFETCH(t->keys + home);
    P15_PREFETCH(t->values + home * t->value_bytes);
    return home;
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
        size_t at = find(t, homes[i % AHEAD], board);
        uint8_t *there = t->values + at * bytes;
        bool is_new = t->keys[at] != board, is_written = is_new || rule == P15_TABLE_UPDATE;
        if (is_new) {
            if (t->keys[at] != 0 || t->count >= t->room) return i;
            t->keys[at] = board;
            t->count++;
        } else if (rule == P15_TABLE_LOWER) {
            is_written = number_of(value, t->key_bytes) < number_of(there, t->key_bytes);
        }
        if (is_written) copy(there, value, bytes);
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
        size_t at = find(t, homes[i % AHEAD], board);
        found[i] = board != 0 && t->keys[at] == board;
        if (found[i])
            copy(values + i * bytes, t->values + at * bytes, bytes);
        else
            memset(values + i * bytes, 0, bytes);
        if (i + AHEAD < count) homes[i % AHEAD] = prefetch(t, boards[i + AHEAD]);
    }
}

size_t p15_board_table_keys(const p15_board_table *t, size_t begin, size_t end, p15_board *boards) {
    size_t count = 0;
    for (size_t at = begin; at < end; at++)
        if (t->keys[at]) boards[count++] = t->keys[at];
    return count;
}

/* ------------------------------------------------------------------------------------------------ growing */

static p15_status begin_growing(p15_board_table *t) {
    size_t old = t->slots, least = (old * 4 + 2) / 3, slots = old < TWICE ? 2 * old : old / 2 * 3, all = old + TAIL;
    if (slots > t->most_slots || t->most_slots < (slots * 4 + 2) / 3)
        slots = t->most_slots; /* it will not grow again */
    if (slots < least) return P15_ERR_MEMORY;
    size_t aside = all < LOWEST ? all : LOWEST;
    if (p15_pages_use(&t->key_pages, (slots + TAIL) * sizeof *t->keys) != P15_OK ||
        p15_pages_use(&t->value_pages, (slots + TAIL) * t->value_bytes) != P15_OK)
        return P15_ERR_MEMORY;
    t->aside = malloc(aside * (sizeof *t->keys + t->value_bytes));
    if (!t->aside) return P15_ERR_MEMORY;
    memcpy(t->aside, t->keys, aside * sizeof *t->keys);
    memcpy(t->aside + aside, t->values, aside * t->value_bytes);
    memset(t->keys, 0, aside * sizeof *t->keys);
    t->old_slots = old;
    t->left = all;
    set_slots(t, slots);
    return P15_OK;
}

/* Puts a board of the table before, and its value, into the larger one. */
static bool carry(p15_board_table *t, p15_board board, const uint8_t *value) {
    size_t home = home_of(t, board), at = home;
    while (t->keys[at] && at - home < MOST_DISPLACED) at++;
    if (t->keys[at]) return false;
    t->keys[at] = board;
    copy(t->values + at * t->value_bytes, value, t->value_bytes);
    return true;
}

p15_status p15_board_table_grow(p15_board_table *t) {
    if (t->lost) return P15_ERR_MEMORY;
    if (t->left == 0) {
        p15_status status = begin_growing(t);
        if (status != P15_OK) return status;
    }
    unsigned bytes = t->value_bytes;
    size_t all = t->old_slots + TAIL, aside = all < LOWEST ? all : LOWEST;
    const uint8_t *aside_values = (const uint8_t *)(t->aside + aside);
    size_t end = t->left > P15_PIECE ? t->left - P15_PIECE : 0;
    for (size_t at = t->left; at-- > end;) {
        bool is_aside = at < aside;
        p15_board board = is_aside ? t->aside[at] : t->keys[at];
        if (!board) continue;
        if (!is_aside) t->keys[at] = 0;
        /* The new slot may be the old one. */
        uint8_t value[P15_MOST_VALUE_BYTES];
        copy(value, is_aside ? aside_values + at * bytes : t->values + at * bytes, bytes);
        if (!carry(t, board, value)) t->lost = true;
    }
    t->left = end;
    if (end > 0) return P15_OK;
    free(t->aside);
    t->aside = NULL;
    return t->lost ? P15_ERR_MEMORY : P15_OK;
}
