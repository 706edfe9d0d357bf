#include "search/best_first/closed.h"

#include <stdlib.h>
#include <string.h>

#define REST_BITS 44u
#define BUCKET_BYTES (P15_BUCKET_SLOTS * sizeof(p15_slot))
#define WINDOW 1024u
#define SAFE_LOAD 0.65 /* below it, 128 buckets in a row become full with a probability of exp(-80) */
#define LOWEST 4096u /* buckets that growing sets aside first: there, a node's new bucket may not have been read yet */

static unsigned floor_log2(uint64_t x) {
    unsigned bits = 0;
    while (x >>= 1) bits++;
    return bits;
}

/* Displaced nodes of the last home bucket lie beyond it. */
static size_t bytes_of(size_t bucket_count) { return (bucket_count + P15_MOST_DISPLACED) * BUCKET_BYTES; }

static void set_bucket_count(p15_closed *closed, size_t bucket_count) {
    closed->bucket_count = bucket_count;
    closed->bucket_bits = floor_log2(bucket_count);
    closed->room = (size_t)((double)(bucket_count * P15_BUCKET_SLOTS) * P15_CLOSED_LOAD);
}

p15_status p15_closed_init(p15_shape shape, size_t max_bytes, p15_closed *closed) {
    unsigned key_bits = 4u * (shape.cells - 1u), least_bits = key_bits > REST_BITS ? key_bits - REST_BITS : 0;
    memset(closed, 0, sizeof *closed);
    closed->key_bits = key_bits;
    closed->top_bits = key_bits < 32 ? key_bits : 32;
    closed->key_mask = (UINT64_C(1) << key_bits) - 1;
    if (least_bits < 6) least_bits = 6;
    set_bucket_count(closed, (size_t)1 << least_bits);
    size_t least = bytes_of(closed->bucket_count), most = bytes_of((size_t)1 << closed->top_bits);
    if (max_bytes < least) return P15_ERR_MEMORY;
    p15_status status = p15_pages_reserve(least, max_bytes < most ? max_bytes : most, &closed->pages);
    closed->slots = closed->pages.memory;
    return status;
}

void p15_closed_free(p15_closed *closed) { p15_pages_release(&closed->pages); }

size_t p15_closed_bytes(const p15_closed *closed) { return bytes_of(closed->bucket_count); }

/* The hash of the node at a slot. `inverse` is that of the number of buckets. */
static inline uint64_t hash_of(const p15_closed *closed, double inverse, size_t bucket, p15_slot slot) {
    unsigned low_bits = closed->key_bits - closed->top_bits;
    uint64_t rest = slot >> 20, home = bucket - (slot >> 13 & P15_MOST_DISPLACED);
    /* The top is the only number of which this is less than a bucket_count below the product. */
    uint64_t least = home << closed->top_bits | rest >> low_bits << closed->bucket_bits;
    uint64_t top = (uint64_t)((double)least * inverse);
    while (top * closed->bucket_count >= least + closed->bucket_count) top--;
    while (top * closed->bucket_count < least) top++;
    return top << low_bits | (rest & ((UINT64_C(1) << low_bits) - 1));
}

/* How many slots of the buckets around the present one are used, by bucket modulo WINDOW: asking the buckets themselves
 * would have to wait for what was just written there. No node goes below bucket `low` yet. */
typedef struct {
    size_t low;
    uint8_t used[WINDOW];
} fill;

/* The first bucket from `home` on that has a slot to spare. */
static inline size_t bucket_to_spare(size_t home, fill *f) {
    size_t place = home;
    while (f->low > home) f->used[--f->low % WINDOW] = 0;
    while (f->used[place % WINDOW] == P15_BUCKET_SLOTS && place - home <= P15_MOST_DISPLACED) place++;
    return place;
}

/* Whether every node would find a place in a table of bucket_count buckets. They come in the order of carrying, not in
 * that in which they were added: where a long run of buckets becomes full, the last to come goes to its end. */
static bool all_fit(const p15_closed *closed, double inverse, size_t bucket_count) {
    unsigned low_bits = closed->key_bits - closed->top_bits;
    fill f = {.low = bucket_count + P15_MOST_DISPLACED};
    for (size_t bucket = closed->bucket_count + P15_MOST_DISPLACED; bucket-- > 0;) {
        const p15_slot *from = closed->slots + bucket * P15_BUCKET_SLOTS;
        for (unsigned i = 0; i < P15_BUCKET_SLOTS && from[i]; i++) {
            size_t home =
                (size_t)((hash_of(closed, inverse, bucket, from[i]) >> low_bits) * bucket_count >> closed->top_bits);
            size_t place = bucket_to_spare(home, &f);
            if (place - home > P15_MOST_DISPLACED) return false;
            f.used[place % WINDOW]++;
        }
    }
    return true;
}

/* Puts a node of the old table, at a bucket of it, into the grown one. */
static inline void carry(p15_closed *closed, const p15_closed *old, double inverse, size_t bucket, p15_slot slot,
                         fill *f) {
    unsigned low_bits = closed->key_bits - closed->top_bits;
    uint64_t hash = hash_of(old, inverse, bucket, slot);
    uint64_t product = (hash >> low_bits) * closed->bucket_count;
    uint64_t below = (product & ((UINT64_C(1) << closed->top_bits) - 1)) >> closed->bucket_bits;
    uint64_t rest = below << low_bits | (hash & ((UINT64_C(1) << low_bits) - 1));
    size_t home = (size_t)(product >> closed->top_bits), place = bucket_to_spare(home, f);
    closed->slots[place * P15_BUCKET_SLOTS + f->used[place % WINDOW]++] =
        rest << 20 | (place - home) << 13 | (slot & 0x1fffu);
}

p15_status p15_closed_grow(p15_closed *closed, size_t bucket_count) {
    p15_closed old = *closed;
    double inverse = 1.0 / (double)old.bucket_count;
    if (bucket_count < old.bucket_count + (old.bucket_count + 15) / 16 || bucket_count > 4 * old.bucket_count)
        return P15_ERR_ARGUMENT;
    if (bucket_count > (size_t)1 << closed->top_bits || bytes_of(bucket_count) > closed->pages.bytes)
        return P15_ERR_MEMORY;
    bool crowded = old.node_count + P15_DIRECTIONS <= old.room; /* it grows early: some neighbourhood is full */
    if ((crowded || (double)old.node_count > SAFE_LOAD * (double)(bucket_count * P15_BUCKET_SLOTS)) &&
        !all_fit(closed, inverse, bucket_count))
        return P15_ERR_MEMORY;
    if (p15_pages_use(&closed->pages, bytes_of(bucket_count)) != P15_OK) return P15_ERR_MEMORY;
    size_t all = old.bucket_count + P15_MOST_DISPLACED, set_aside = all < LOWEST ? all : LOWEST;
    p15_slot *lowest = malloc(set_aside * BUCKET_BYTES), slots[P15_BUCKET_SLOTS];
    if (!lowest) return P15_ERR_MEMORY;
    set_bucket_count(closed, bucket_count);
    fill f = {.low = bucket_count + P15_MOST_DISPLACED};
    memcpy(lowest, closed->slots, set_aside * BUCKET_BYTES);
    memset(closed->slots, 0, set_aside * BUCKET_BYTES);
    for (size_t bucket = all; bucket-- > 0;) {
        const p15_slot *from = lowest + bucket * P15_BUCKET_SLOTS;
        if (bucket >= set_aside) {
            p15_slot *place = closed->slots + bucket * P15_BUCKET_SLOTS;
            from = memcpy(slots, place, BUCKET_BYTES);
            memset(place, 0, BUCKET_BYTES);
        }
        for (unsigned i = 0; i < P15_BUCKET_SLOTS && from[i]; i++) carry(closed, &old, inverse, bucket, from[i], &f);
    }
    free(lowest);
    return P15_OK;
}

p15_status p15_closed_enlarge(p15_closed *closed, size_t other_bytes, size_t max_bytes) {
    size_t wanted = closed->bucket_count / 2 * 3, limit = (size_t)1 << closed->top_bits;
    double nodes = closed->node_count ? (double)closed->node_count : 1.0;
    double bucket_bytes = P15_BUCKET_SLOTS * (sizeof(p15_slot) + P15_CLOSED_LOAD * (double)other_bytes / nodes);
    size_t affordable =
        max_bytes > bytes_of(0) ? (size_t)((double)(max_bytes - bytes_of(0)) * 0.999 / bucket_bytes) : 0;
    if (affordable > limit) affordable = limit;
    return p15_closed_grow(closed, wanted < affordable ? wanted : affordable) == P15_OK ? P15_OK : P15_ERR_MEMORY;
}

void p15_closed_open_all(p15_closed *closed) {
    size_t slots = (closed->bucket_count + P15_MOST_DISPLACED) * P15_BUCKET_SLOTS;
    for (size_t i = 0; i < slots; i++)
        if (p15_slot_closed(closed->slots[i])) closed->slots[i] ^= 4u;
}

size_t p15_closed_walk(const p15_closed *closed, const p15_moves *moves, p15_board start, p15_board node,
                       uint8_t *directions, size_t room) {
    size_t length = room ? p15_closed_walk(closed, moves, start, node, NULL, 0) : 0, count = 0;
    for (; node != start; count++) {
        unsigned direction = p15_slot_direction(*p15_closed_find(closed, p15_closed_where(closed, node)));
        if (room && length - 1 - count < room) directions[length - 1 - count] = (uint8_t)direction;
        node = p15_moves_apply(moves, node, 3u - direction);
    }
    return count;
}
