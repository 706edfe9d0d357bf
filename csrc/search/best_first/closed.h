/* p15_closed: the nodes that a best-first search knows, 8 bytes each: an open-addressing table that grows in place.
 *
 * The first n - 1 cells of a board of n determine it, so its key has B = 4 (n - 1) bits, up to 60. A bijection mixes the key
 * into a hash of B bits. The hash is held only in part: the rest follows from where a node lies.
 *
 *     hash   [ top T = min(B, 32) bits | low B - T bits ]
 *     home bucket = top * buckets >> T              a bucket: 8 slots, one cache line
 *     rest        = what of top * buckets is below bit T, without its lowest floor(log2 buckets) bits, then the low
 *                 bits
 *
 * Tops of the same bucket are multiples of `buckets` apart, so what is cut off the product distinguishes none of them. A node
 * whose home bucket is full lies in the next one that is not, at most 127 further on: its displacement.
 *
 *     slot   bits 0..1    the blank's direction in the move that led here
 *            bit  2       closed: the node has been expanded with this g
 *            bits 3..12   g + 1, so that an empty slot is 0; it stops counting at P15_CLOSED_MAX_G
 *            bits 13..19  displacement
 *            bits 20..63  rest
 *
 * The rest has B - floor(log2 buckets) bits, so 16 cells need 65,536 buckets at least (4 MB, touched as they are used).
 *
 * Order: a home bucket grows with the hash. So a larger table is filled by walking the smaller one from its end to its
 * beginning, in the same memory: no second copy, no random access. That takes 0.6 s for 26 million nodes, so it is done
 * piece by piece (base/pieces.h).
 *
 * Cost: 8 bytes / load per node, where the load is at most 0.85 and, after growing by half, at least 0.56: 9 to 14
 * bytes. A lookup is one cache miss, rarely two.
 *
 * Nodes are never taken out. One thread at a time. */
#ifndef P15_BEST_FIRST_CLOSED_H
#define P15_BEST_FIRST_CLOSED_H

#include "base/moves.h"
#include "base/pages.h"
#include "base/pieces.h"
#include "search/memory.h"

#define P15_CLOSED_MAX_G 1022u
#define P15_BUCKET_SLOTS 8u
#define P15_CLOSED_LOAD 0.85 /* beyond it, runs of full buckets become long */
#define P15_MOST_DISPLACED 127u

_Static_assert(P15_CLOSED_MAX_G > P15_FARTHEST, "g of a node on a shortest solution is exact");

typedef uint64_t p15_slot;

typedef struct p15_growth p15_growth;

typedef struct {
    p15_slot *slots;
    size_t bucket_count, node_count;
    size_t room;                              /* nodes beyond which it is to grow */
    unsigned key_bits, top_bits, bucket_bits; /* bucket_bits: floor(log2 bucket_count) */
    uint64_t key_mask;
    p15_pages pages;
    p15_memory *memory; /* where its bytes are counted; while it grows, those of the larger table */
    p15_growth *growth; /* NULL: it does not grow now */
    bool refused;       /* there is no memory for more nodes */
} p15_closed;

/* The home bucket of a board, and what its slot holds besides the displacement and what may change. */
typedef struct {
    size_t bucket;
    p15_slot rest;
} p15_where;

/* An empty table; P15_ERR_MEMORY, nothing to free, when not even the smallest fits. */
p15_status p15_closed_init(p15_shape shape, p15_memory *memory, p15_closed *closed);
void p15_closed_free(p15_closed *closed);

/* The fewest buckets to which a table grows: its load is 0.64 at most then, and 128 buckets in a row become full with a
 * probability of exp(-80). */
#define P15_LEAST_GROWTH(buckets) (((buckets) * 4 + 2) / 3)

/* Grows to bucket_count buckets, P15_LEAST_GROWTH to 4 times as many as there are: P15_ERR_ARGUMENT otherwise.
 * P15_ERR_MEMORY: more than were reserved or the system has, nothing changed; or, as good as never, a node would lie too
 * far from its home. Then nodes are lost, and there is no room for others. A larger table has all its slots elsewhere. */
p15_status p15_closed_grow(p15_closed *closed, size_t bucket_count);

/* A piece of growing by half, or by as much as is affordable when all that the memory counts beside closed tables grows
 * with the nodes. False: call it again. Until then, nothing can be found or added, and node_count and room stay as they
 * are. True: the table has grown, or `refused` is set: P15_ERR_MEMORY of p15_closed_grow. */
bool p15_closed_grow_on(p15_closed *closed);

/* All pieces at once. */
p15_status p15_closed_enlarge(p15_closed *closed);

/* Whether the children of a node fit. */
P15_INLINE bool p15_closed_has_room(const p15_closed *closed) {
    return closed->node_count + P15_DIRECTIONS <= closed->room;
}

/* Whether a node can be expanded. If its children do not fit, this is a piece of growing, and the run pauses. */
P15_INLINE bool p15_closed_prepare(p15_closed *closed) {
    if (p15_closed_has_room(closed) || closed->refused) return true;
    p15_closed_grow_on(closed);
    return false;
}

/* Opens all nodes, so that none counts as expanded, piece by piece: those from bucket *from on, 0 in the beginning.
 * False: call it again. */
bool p15_closed_open_all(p15_closed *closed, size_t *from);

P15_INLINE p15_where p15_closed_where(const p15_closed *closed, p15_board board) {
    uint64_t mask = closed->key_mask, x = board & mask; /* the top of the product depends on all bits of the key */
    unsigned half = closed->key_bits / 2, low_bits = closed->key_bits - closed->top_bits;
    x ^= x >> half;
    x = x * UINT64_C(0x9e3779b97f4a7c15) & mask; /* odd, so a bijection on the masked bits */
    uint64_t product = (x >> low_bits) * closed->bucket_count;
    uint64_t below = (product & ((UINT64_C(1) << closed->top_bits) - 1)) >> closed->bucket_bits;
    uint64_t rest = below << low_bits | (x & ((UINT64_C(1) << low_bits) - 1));
    return (p15_where){(size_t)(product >> closed->top_bits), rest << 20};
}

P15_INLINE void p15_closed_prefetch(const p15_closed *closed, p15_where where) {
    P15_PREFETCH(closed->slots + where.bucket * P15_BUCKET_SLOTS);
}

/* Which slots of a bucket are empty or hold `wanted`, as bits. Looks at all of them without a branch: which one it will
 * be cannot be foreseen. */
P15_INLINE unsigned p15_bucket_match(const p15_slot *bucket, p15_slot wanted) {
    typedef uint64_t four __attribute__((vector_size(32)));
    const four *halves = (const four *)bucket, bits = {1, 2, 4, 8}, none = {0, 0, 0, 0};
    four low = halves[0], high = halves[1];
    low = (four)((((low ^ wanted) >> 13) == none) | (low == none)) & bits;
    high = (four)((((high ^ wanted) >> 13) == none) | (high == none)) & (bits << 4);
    low |= high;
    return (unsigned)(low[0] | low[1] | low[2] | low[3]);
}

/* The slot of a board, or the empty one (0) where it belongs; NULL when there is none before the table grows. */
P15_INLINE p15_slot *p15_closed_find(const p15_closed *closed, p15_where where) {
    p15_slot *bucket = closed->slots + where.bucket * P15_BUCKET_SLOTS, wanted = where.rest;
    for (unsigned displacement = 0; displacement <= P15_MOST_DISPLACED; displacement++) {
        unsigned found = p15_bucket_match(bucket, wanted);
        if (found) return bucket + p15_lowest_bit(found);
        wanted += UINT64_C(1) << 13;
        bucket += P15_BUCKET_SLOTS;
    }
    return NULL;
}

/* Fills the empty slot that p15_closed_find gave for `where`. */
P15_INLINE void p15_closed_add(p15_closed *closed, p15_where where, p15_slot *slot, unsigned g, unsigned direction) {
    uint64_t displacement = (size_t)(slot - closed->slots) / P15_BUCKET_SLOTS - where.bucket;
    *slot = where.rest | displacement << 13 | (uint64_t)(g + 1) << 3 | direction;
    closed->node_count++;
}

/* The slot of a board that is there. */
P15_INLINE p15_slot *p15_closed_known(const p15_closed *closed, p15_board board) {
    return p15_closed_find(closed, p15_closed_where(closed, board));
}

static inline unsigned p15_slot_g(p15_slot slot) { return (unsigned)(slot >> 3 & 1023u) - 1u; }

static inline unsigned p15_slot_direction(p15_slot slot) { return (unsigned)slot & 3u; }

/* The undo of the move that led to a node; P15_DIRECTIONS for the start, whose g is 0. */
static inline unsigned p15_slot_undo(p15_slot slot) {
    return p15_slot_g(slot) == 0 ? P15_DIRECTIONS : 3u - p15_slot_direction(slot);
}

/* The g of a child. */
static inline unsigned p15_slot_child_g(p15_slot slot) {
    return p15_slot_g(slot) < P15_CLOSED_MAX_G ? p15_slot_g(slot) + 1 : P15_CLOSED_MAX_G;
}

static inline bool p15_slot_closed(p15_slot slot) { return slot & 4u; }

static inline p15_slot p15_slot_close(p15_slot slot) { return slot | 4u; }

/* Gives a slot another g and direction, and opens it. */
static inline p15_slot p15_slot_moved(p15_slot slot, unsigned g, unsigned direction) {
    return (slot & ~UINT64_C(0x1fff)) | (uint64_t)(g + 1) << 3 | direction;
}

#endif
