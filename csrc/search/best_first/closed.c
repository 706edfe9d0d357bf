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

p15_status p15_closed_init(p15_shape shape, p15_memory *memory, p15_closed *closed) {
    unsigned key_bits = 4u * (shape.cells - 1u), least_bits = key_bits > REST_BITS ? key_bits - REST_BITS : 0;
    memset(closed, 0, sizeof *closed);
    closed->key_bits = key_bits;
    closed->top_bits = key_bits < 32 ? key_bits : 32;
    closed->key_mask = (UINT64_C(1) << key_bits) - 1;
    if (least_bits < 6) least_bits = 6;
    set_bucket_count(closed, (size_t)1 << least_bits);
    size_t least = bytes_of(closed->bucket_count), most = bytes_of((size_t)1 << closed->top_bits);
    closed->memory = memory;
    if (!p15_memory_take(memory, least)) return P15_ERR_MEMORY;
    memory->tables += least;
    p15_status status = p15_pages_reserve(least, memory->most < most ? memory->most : most, &closed->pages);
    closed->slots = closed->pages.memory;
    return status;
}

void p15_closed_free(p15_closed *closed) {
    free(closed->growth);
    closed->growth = NULL;
    p15_pages_release(&closed->pages);
}

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

/* A table that grows. What it was is the table itself, until the last node is carried. */
struct p15_growth {
    p15_closed grown;
    double inverse; /* of the number of buckets before */
    bool checking;  /* whether every node will find a place; else nodes are carried */
    size_t bucket;  /* those from here on are done */
    fill fill;
    size_t set_aside; /* of the lowest buckets */
    p15_slot lowest[];
};

/* The buckets of the table before, as they were. */
static inline const p15_slot *bucket_before(const p15_closed *closed, const p15_growth *g, size_t bucket) {
    return (bucket < g->set_aside && !g->checking ? g->lowest : closed->slots) + bucket * P15_BUCKET_SLOTS;
}

static void begin_pass(const p15_closed *closed, p15_growth *g, bool checking) {
    g->checking = checking;
    g->bucket = closed->bucket_count + P15_MOST_DISPLACED;
    memset(&g->fill, 0, sizeof g->fill);
    g->fill.low = g->grown.bucket_count + P15_MOST_DISPLACED;
}

/* Begins to carry the nodes. False: the system has no memory. */
static bool begin_carrying(p15_closed *closed, p15_growth *g) {
    if (p15_pages_use(&closed->pages, bytes_of(g->grown.bucket_count)) != P15_OK) return false;
    size_t more = bytes_of(g->grown.bucket_count) - bytes_of(closed->bucket_count);
    closed->memory->used += more;
    closed->memory->tables += more;
    g->grown.pages = closed->pages;
    memcpy(g->lowest, closed->slots, g->set_aside * BUCKET_BYTES);
    memset(closed->slots, 0, g->set_aside * BUCKET_BYTES);
    begin_pass(closed, g, false);
    return true;
}

/* Begins to grow. */
static p15_status begin_growing(p15_closed *closed, size_t bucket_count) {
    if (bucket_count < closed->bucket_count + (closed->bucket_count + 15) / 16 ||
        bucket_count > 4 * closed->bucket_count)
        return P15_ERR_ARGUMENT;
    if (bucket_count > (size_t)1 << closed->top_bits || bytes_of(bucket_count) > closed->pages.bytes)
        return P15_ERR_MEMORY;
    size_t all = closed->bucket_count + P15_MOST_DISPLACED, set_aside = all < LOWEST ? all : LOWEST;
    p15_growth *g = malloc(sizeof *g + set_aside * BUCKET_BYTES);
    if (!g) return P15_ERR_MEMORY;
    g->grown = *closed;
    g->grown.refused = false;
    set_bucket_count(&g->grown, bucket_count);
    g->inverse = 1.0 / (double)closed->bucket_count;
    g->set_aside = set_aside;
    bool crowded = closed->node_count + P15_DIRECTIONS <= closed->room; /* it grows early: some neighbourhood is full */
    begin_pass(closed, g,
               crowded || (double)closed->node_count > SAFE_LOAD * (double)(bucket_count * P15_BUCKET_SLOTS));
    if (!g->checking && !begin_carrying(closed, g)) {
        free(g);
        return P15_ERR_MEMORY;
    }
    closed->growth = g;
    return P15_OK;
}

/* Whether the nodes of some buckets would find places. They come in the order of carrying, not in that in which they
 * were added: where a long run of buckets becomes full, the last to come goes to its end. */
static bool check_some(const p15_closed *closed, p15_growth *g, size_t end) {
    size_t bucket_count = g->grown.bucket_count;
    unsigned low_bits = closed->key_bits - closed->top_bits;
    double inverse = g->inverse;
    fill f = g->fill; /* and back: no slot that is written can be part of it */
    for (size_t bucket = g->bucket; bucket-- > end;) {
        const p15_slot *from = closed->slots + bucket * P15_BUCKET_SLOTS;
        for (unsigned i = 0; i < P15_BUCKET_SLOTS && from[i]; i++) {
            size_t home =
                (size_t)((hash_of(closed, inverse, bucket, from[i]) >> low_bits) * bucket_count >> closed->top_bits);
            size_t place = bucket_to_spare(home, &f);
            if (place - home > P15_MOST_DISPLACED) return false;
            f.used[place % WINDOW]++;
        }
    }
    g->fill = f;
    g->bucket = end;
    return true;
}

/* Puts a node of the old table, at a bucket of it, into the grown one. */
static inline void carry(const p15_closed *grown, const p15_closed *old, double inverse, size_t bucket, p15_slot slot,
                         fill *f) {
    unsigned low_bits = grown->key_bits - grown->top_bits;
    uint64_t hash = hash_of(old, inverse, bucket, slot);
    uint64_t product = (hash >> low_bits) * grown->bucket_count;
    uint64_t below = (product & ((UINT64_C(1) << grown->top_bits) - 1)) >> grown->bucket_bits;
    uint64_t rest = below << low_bits | (hash & ((UINT64_C(1) << low_bits) - 1));
    size_t home = (size_t)(product >> grown->top_bits), place = bucket_to_spare(home, f);
    grown->slots[place * P15_BUCKET_SLOTS + f->used[place % WINDOW]++] =
        rest << 20 | (place - home) << 13 | (slot & 0x1fffu);
}

static void carry_some(const p15_closed *closed, p15_growth *g, size_t end) {
    p15_closed old = *closed, grown = g->grown;
    double inverse = g->inverse;
    fill f = g->fill;
    for (size_t bucket = g->bucket; bucket-- > end;) {
        p15_slot from[P15_BUCKET_SLOTS];
        memcpy(from, bucket_before(&old, g, bucket), BUCKET_BYTES);
        if (bucket >= g->set_aside) memset(old.slots + bucket * P15_BUCKET_SLOTS, 0, BUCKET_BYTES);
        for (unsigned i = 0; i < P15_BUCKET_SLOTS && from[i]; i++) carry(&grown, &old, inverse, bucket, from[i], &f);
    }
    g->fill = f;
    g->bucket = end;
}

/* A piece of growing. */
static void grow_piece(p15_closed *closed) {
    p15_growth *g = closed->growth;
    size_t buckets = P15_PIECE / P15_BUCKET_SLOTS, end = g->bucket > buckets ? g->bucket - buckets : 0;
    if (!g->checking) {
        carry_some(closed, g, end);
        if (end > 0) return;
        *closed = g->grown;
    } else if (check_some(closed, g, end) && (end > 0 || begin_carrying(closed, g))) {
        return;
    }
    closed->growth = NULL;
    free(g);
}

p15_status p15_closed_grow(p15_closed *closed, size_t bucket_count) {
    p15_status status = begin_growing(closed, bucket_count);
    if (status) return status;
    while (closed->growth) grow_piece(closed);
    return closed->bucket_count == bucket_count ? P15_OK : P15_ERR_MEMORY;
}

/* How many buckets p15_closed_enlarge wants. */
static size_t larger_count(const p15_closed *closed) {
    size_t wanted = closed->bucket_count / 2 * 3, limit = (size_t)1 << closed->top_bits;
    const p15_memory *memory = closed->memory;
    size_t others = memory->used - memory->tables, tables = memory->tables - bytes_of(closed->bucket_count);
    size_t most = memory->most > tables ? memory->most - tables : 0;
    double nodes = closed->node_count ? (double)closed->node_count : 1.0;
    double bucket_bytes = P15_BUCKET_SLOTS * (sizeof(p15_slot) + P15_CLOSED_LOAD * (double)others / nodes);
    size_t affordable = most > bytes_of(0) ? (size_t)((double)(most - bytes_of(0)) * 0.999 / bucket_bytes) : 0;
    if (affordable > limit) affordable = limit;
    return wanted < affordable ? wanted : affordable;
}

p15_status p15_closed_enlarge(p15_closed *closed) {
    return p15_closed_grow(closed, larger_count(closed)) == P15_OK ? P15_OK : P15_ERR_MEMORY;
}

bool p15_closed_grow_on(p15_closed *closed) {
    size_t before = closed->bucket_count;
    closed->refused = !closed->growth && begin_growing(closed, larger_count(closed)) != P15_OK;
    if (closed->refused) return true;
    grow_piece(closed);
    if (closed->growth) return false;
    closed->refused = closed->bucket_count == before;
    return true;
}

bool p15_closed_open_all(p15_closed *closed, size_t *from) {
    size_t buckets = closed->bucket_count + P15_MOST_DISPLACED, end = *from + P15_PIECE;
    if (end > buckets) end = buckets;
    for (size_t i = *from * P15_BUCKET_SLOTS; i < end * P15_BUCKET_SLOTS; i++)
        if (p15_slot_closed(closed->slots[i])) closed->slots[i] ^= 4u;
    *from = end;
    return end == buckets;
}
