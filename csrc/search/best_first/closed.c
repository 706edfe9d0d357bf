#include "search/best_first/closed.h"

#include <stdlib.h>
#include <string.h>

#define REST_BITS 44u
#define BUCKET_BYTES (P15_BUCKET_SLOTS * sizeof(p15_slot))
#define WINDOW 1024u
#define LOWEST 4096u /* buckets that growing sets aside first: there, a node's new bucket may not have been read yet */

static unsigned floor_log2(uint64_t x) {
    unsigned bits = 0;
    while (x >>= 1) bits++;
    return bits;
}

/* Displaced nodes of the last home bucket lie beyond it. */
static uint64_t bytes_of(uint64_t bucket_count) { return (bucket_count + P15_MOST_DISPLACED) * BUCKET_BYTES; }

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
    size_t least = (size_t)bytes_of(closed->bucket_count);
    uint64_t most = bytes_of(UINT64_C(1) << closed->top_bits);
    closed->memory = memory;
    if (!p15_memory_take(memory, least)) return P15_ERR_MEMORY;
    memory->tables += least;
    p15_status status = p15_pages_reserve(least, memory->most < most ? memory->most : (size_t)most, &closed->pages);
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

/* How many slots of the buckets around the present one are used, by bucket modulo WINDOW: reading the buckets themselves
 * would have to wait for what was just written there. No node is below bucket `low` yet. */
typedef struct {
    size_t low;
    uint8_t used[WINDOW];
} fill;

/* A table that grows. Until the last node is carried over, the table itself is what it was before. */
struct p15_growth {
    p15_closed grown;
    double inverse; /* of the number of buckets before */
    bool lost;      /* a node did not find a slot */
    size_t bucket;  /* those from here on are done */
    fill fill;
    size_t set_aside; /* of the lowest buckets */
    p15_slot lowest[];
};

/* The most buckets that are affordable when all that the memory counts beside closed tables grows with the nodes. */
static size_t affordable_count(const p15_closed *closed) {
    uint64_t limit = UINT64_C(1) << closed->top_bits;
    const p15_memory *memory = closed->memory;
    size_t others = memory->used - memory->tables, tables = memory->tables - bytes_of(closed->bucket_count);
    size_t most = memory->most > tables ? memory->most - tables : 0;
    double nodes = closed->node_count ? (double)closed->node_count : 1.0;
    double bucket_bytes = P15_BUCKET_SLOTS * (sizeof(p15_slot) + P15_CLOSED_LOAD * (double)others / nodes);
    size_t affordable = most > bytes_of(0) ? (size_t)((double)(most - bytes_of(0)) * 0.999 / bucket_bytes) : 0;
    return affordable < limit ? affordable : limit;
}

static p15_status begin_growing(p15_closed *closed, size_t bucket_count) {
    if (bucket_count < P15_LEAST_GROWTH(closed->bucket_count) || bucket_count > 4 * closed->bucket_count)
        return P15_ERR_ARGUMENT;
    if (bucket_count > UINT64_C(1) << closed->top_bits) return P15_ERR_MEMORY;
    size_t all = closed->bucket_count + P15_MOST_DISPLACED, set_aside = all < LOWEST ? all : LOWEST;
    p15_growth *g = calloc(1, sizeof *g + set_aside * BUCKET_BYTES);
    if (!g || p15_pages_use(&closed->pages, bytes_of(bucket_count)) != P15_OK) {
        free(g);
        return P15_ERR_MEMORY;
    }
    size_t more = bytes_of(bucket_count) - bytes_of(closed->bucket_count);
    closed->memory->used += more;
    closed->memory->tables += more;
    g->grown = *closed;
    set_bucket_count(&g->grown, bucket_count);
    g->inverse = 1.0 / (double)closed->bucket_count;
    g->bucket = all;
    g->fill.low = bucket_count + P15_MOST_DISPLACED;
    g->set_aside = set_aside;
    memcpy(g->lowest, closed->slots, set_aside * BUCKET_BYTES);
    memset(closed->slots, 0, set_aside * BUCKET_BYTES);
    closed->growth = g;
    return P15_OK;
}

/* Puts a node of the table before, at a bucket of it, into the grown one. False: it would lie too far from its home. */
P15_INLINE bool carry(const p15_closed *before, const p15_closed *grown, double inverse, size_t bucket, p15_slot slot,
                      fill *f) {
    unsigned low_bits = grown->key_bits - grown->top_bits;
    uint64_t hash = hash_of(before, inverse, bucket, slot);
    uint64_t product = (hash >> low_bits) * grown->bucket_count;
    uint64_t below = (product & ((UINT64_C(1) << grown->top_bits) - 1)) >> grown->bucket_bits;
    uint64_t rest = below << low_bits | (hash & ((UINT64_C(1) << low_bits) - 1));
    size_t home = (size_t)(product >> grown->top_bits), at = home;
    while (f->low > home) f->used[--f->low % WINDOW] = 0;
    while (f->used[at % WINDOW] == P15_BUCKET_SLOTS && at - home <= P15_MOST_DISPLACED) at++;
    if (at - home > P15_MOST_DISPLACED) return false;
    grown->slots[at * P15_BUCKET_SLOTS + f->used[at % WINDOW]++] = rest << 20 | (at - home) << 13 | (slot & 0x1fffu);
    return true;
}

/* Carries the nodes of some buckets. */
static void carry_some(p15_closed *closed) {
    p15_growth *g = closed->growth;
    p15_closed before = *closed, grown = g->grown;
    double inverse = g->inverse;
    fill f = g->fill; /* and back: no slot that is written can be part of it */
    bool lost = g->lost;
    size_t buckets = P15_PIECE / P15_BUCKET_SLOTS, end = g->bucket > buckets ? g->bucket - buckets : 0;
    for (size_t bucket = g->bucket; bucket-- > end;) {
        bool aside = bucket < g->set_aside;
        p15_slot from[P15_BUCKET_SLOTS], *slots = (aside ? g->lowest : before.slots) + bucket * P15_BUCKET_SLOTS;
        memcpy(from, slots, BUCKET_BYTES);
        if (!aside) memset(slots, 0, BUCKET_BYTES);
        for (unsigned i = 0; i < P15_BUCKET_SLOTS && from[i]; i++)
            lost |= !carry(&before, &grown, inverse, bucket, from[i], &f);
    }
    g->fill = f;
    g->lost = lost;
    g->bucket = end;
    if (end > 0) return;
    grown.refused = lost;
    if (lost) grown.room = 0;
    *closed = grown;
    closed->growth = NULL;
    free(g);
}

p15_status p15_closed_grow(p15_closed *closed, size_t bucket_count) {
    p15_status status = begin_growing(closed, bucket_count);
    while (closed->growth) carry_some(closed);
    return !status && closed->refused ? P15_ERR_MEMORY : status;
}

bool p15_closed_grow_on(p15_closed *closed) {
    if (!closed->growth) {
        size_t wanted = closed->bucket_count / 2 * 3, affordable = affordable_count(closed);
        if (affordable < P15_LEAST_GROWTH(wanted)) wanted = affordable; /* it will not grow again */
        closed->refused = begin_growing(closed, wanted) != P15_OK;
        if (closed->refused) return true;
    }
    carry_some(closed);
    return !closed->growth;
}

p15_status p15_closed_enlarge(p15_closed *closed) {
    while (!p15_closed_grow_on(closed)) continue;
    return closed->refused ? P15_ERR_MEMORY : P15_OK;
}

bool p15_closed_open_all(p15_closed *closed, size_t *from) {
    size_t buckets = closed->bucket_count + P15_MOST_DISPLACED, end = *from + P15_PIECE;
    if (end > buckets) end = buckets;
    for (size_t i = *from * P15_BUCKET_SLOTS; i < end * P15_BUCKET_SLOTS; i++)
        if (p15_slot_closed(closed->slots[i])) closed->slots[i] ^= 4u;
    *from = end;
    return end == buckets;
}
