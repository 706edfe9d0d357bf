#include "search/deepening/buckets.h"

#include <stdlib.h>
#include <string.h>

#if P15_HAVE_V4
#include <immintrin.h>
#endif

#define LEVELS (P15_MOST_SLACK + 1)
#define ARRIVALS (P15_MAX_CELLS * P15_DIRECTIONS)
#define FULL 128u       /* nodes of a bucket that are worth a visit */
#define MOST_TAKEN 128u /* from a bucket with slack, so that those with less can follow */
#define STORED 8u       /* nodes that a visit may write beyond the last one it counts */

/* Nodes of one arrival and one slack, each as its parent and the parent's wants: the move is made when they are taken
 * out. */
typedef struct {
    uint64_t *boards, *wants;
    uint32_t count, room;
} bucket;

/* A child of the nodes of an arrival. */
typedef struct {
    uint64_t good;  /* the bit of the wants that says whether the move keeps the slack */
    uint64_t alive; /* without slack, the child is the goal or has a child of its own if one of these bits is set */
    uint8_t arrival;
} child;

/* How nodes of a bucket come to be: the blank has moved in a direction, onto a cell. */
typedef struct {
    p15_board nibble;              /* of the cell: all ones */
    uint64_t wants[P15_MAX_CELLS]; /* of each tile on the cell that the blank left */
    uint8_t left, rotate;          /* the first bit of the cell left; what brings the cell's nibble there */
    bool home;
    uint8_t child_count;
    child children[P15_DIRECTIONS - 1];
} arrival;

struct p15_buckets {
    p15_shape shape;
    p15_board goal;
    p15_cpu cpu;
    arrival arrivals[ARRIVALS];
    uint8_t tile_wants[P15_MAX_CELLS][P15_MAX_CELLS]; /* [cell][tile] */
    bucket buckets[LEVELS][ARRIVALS];                 /* [slack][arrival] */
    unsigned levels, level;    /* no node has a slack of `levels` or more; the slack that is visited next */
    uint64_t counts[ARRIVALS]; /* nodes of each arrival */
    size_t bytes;
};

/* ------------------------------------------------------------------------------------------------ tables */

static unsigned arrival_of(unsigned cell, unsigned direction) { return P15_DIRECTIONS * cell + direction; }

bool p15_buckets_fit(const p15_h_changes *changes, p15_shape shape) {
    for (unsigned blank = 0; blank < shape.cells; blank++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
            for (unsigned tile = 1; tile < shape.cells && p15_cell_neighbour(shape, blank, direction) >= 0; tile++)
                if (abs((*changes)[blank][direction][tile]) != 1) return false;
    return true;
}

static void make_wants(p15_buckets *b, const p15_h_changes *changes) {
    for (unsigned blank = 0; blank < b->shape.cells; blank++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            int cell = p15_cell_neighbour(b->shape, blank, direction);
            for (unsigned tile = 1; tile < b->shape.cells && cell >= 0; tile++)
                if ((*changes)[blank][direction][tile] < 0) b->tile_wants[cell][tile] |= (uint8_t)(1u << direction);
        }
}

static void make_arrival(p15_buckets *b, unsigned cell, unsigned direction, unsigned left) {
    arrival *a = &b->arrivals[arrival_of(cell, direction)];
    unsigned home = p15_board_blank(b->goal);
    a->nibble = UINT64_C(15) << (4 * cell);
    a->left = (uint8_t)(4 * left);
    a->rotate = (uint8_t)(4 * (left - cell) & 63u);
    a->home = cell == home;
    for (unsigned tile = 1; tile < b->shape.cells; tile++)
        a->wants[tile] = (uint64_t)b->tile_wants[left][tile] << (4 * left);
    for (unsigned d = 0; d < P15_DIRECTIONS; d++) {
        int next = p15_cell_neighbour(b->shape, cell, d);
        if (next < 0 || d == 3 - direction) continue;
        unsigned number = arrival_of((unsigned)next, d); /* and the number of its bit in the wants */
        child *c = &a->children[a->child_count++];
        *c = (child){.good = UINT64_C(1) << number, .arrival = (uint8_t)number};
        if ((unsigned)next == home) c->alive = c->good;
        /* The child's own move changes none of these cells: the tile it moves ends where the undo would lead. */
        for (unsigned e = 0; e < P15_DIRECTIONS; e++) {
            int after = p15_cell_neighbour(b->shape, (unsigned)next, e);
            if (after >= 0 && e != 3 - d) c->alive |= UINT64_C(1) << arrival_of((unsigned)after, e);
        }
    }
}

p15_status p15_buckets_new(const p15_h_changes *changes, p15_shape shape, p15_board goal, p15_cpu cpu,
                           p15_buckets **made) {
    *made = NULL;
    p15_buckets *b = calloc(1, sizeof *b);
    if (!b) return P15_ERR_MEMORY;
    b->shape = shape;
    b->goal = goal;
    b->cpu = cpu;
    b->bytes = sizeof *b;
    make_wants(b, changes);
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            int left = p15_cell_neighbour(shape, cell, 3 - direction);
            if (left >= 0) make_arrival(b, cell, direction, (unsigned)left);
        }
    *made = b;
    return P15_OK;
}

void p15_buckets_delete(p15_buckets *b) {
    for (unsigned i = 0; b && i < LEVELS * ARRIVALS; i++) free(b->buckets[i / ARRIVALS][i % ARRIVALS].boards);
    free(b);
}

/* ------------------------------------------------------------------------------------------------ visits */

/* Makes the moves of some nodes where they are. Returns whether one of them becomes the goal. */
typedef bool move_function(const arrival *a, p15_board goal, uint64_t *boards, uint64_t *wants, size_t count);

/* Copies nodes to the buckets of a child, as its parents: to `keep` those whose move keeps the slack, to `lose` the
 * others, with 1 less. Of nodes that are without slack then, only those that are alive are stored; `slack` is what they
 * had: 0, 1 or more. Without any, the others are cut off, and `lose` is NULL. Returns how many children there are. */
typedef uint64_t file_function(const child *c, const uint64_t *boards, const uint64_t *wants, size_t count,
                               unsigned slack, bucket *keep, bucket *lose);

P15_INLINE bool move_each(const arrival *a, p15_board goal, uint64_t *restrict boards, uint64_t *restrict wants,
                          size_t count) {
    unsigned left = a->rotate, right = -left & 63u;
    bool met = false;
    for (size_t i = 0; i < count; i++) {
        p15_board tile = boards[i] & a->nibble, board = boards[i] ^ tile ^ (tile << left | tile >> right);
        boards[i] = board;
        wants[i] = (wants[i] & ~a->nibble) | a->wants[board >> a->left & 15u];
    }
    for (size_t i = 0; i < count && a->home; i++) met |= boards[i] == goal;
    return met;
}

/* Whether a node is stored decides only whether the next one is written over it. */
P15_INLINE uint64_t file_each(const child *c, const uint64_t *restrict boards, const uint64_t *restrict wants,
                              size_t count, unsigned slack, bucket *keep, bucket *lose) {
    bucket kept = *keep, lost = lose ? *lose : (bucket){0};
    uint64_t good = c->good, alive = c->alive, found = 0;
    for (size_t i = 0; i < count && !lose; i++) {
        uint32_t keeps = (wants[i] & good) != 0;
        kept.boards[kept.count] = boards[i];
        kept.wants[kept.count] = wants[i];
        found += keeps;
        kept.count += keeps & ((wants[i] & alive) != 0);
    }
    for (size_t i = 0; i < count && lose; i++) {
        uint32_t keeps = (wants[i] & good) != 0;
        kept.boards[kept.count] = lost.boards[lost.count] = boards[i];
        kept.wants[kept.count] = lost.wants[lost.count] = wants[i];
        kept.count += keeps;
        lost.count += (keeps ^ 1u) & (slack > 1 || (wants[i] & alive) != 0);
    }
    *keep = kept;
    if (lose) *lose = lost;
    return lose ? count : found;
}

#if P15_HAVE_V4
/* The same with 8 nodes at a time; the last ones may be fewer. */
P15_INLINE __mmask8 some_of_eight(size_t left) { return (__mmask8)(left < 8 ? (1u << left) - 1u : 0xffu); }

P15_INLINE_V4 bool move_eight(const arrival *a, p15_board goal, uint64_t *boards, uint64_t *wants, size_t count) {
    __m512i nibble = _mm512_set1_epi64((long long)a->nibble), home = _mm512_set1_epi64((long long)goal);
    __m512i low = _mm512_loadu_si512(a->wants), high = _mm512_loadu_si512(a->wants + 8);
    __m512i rotate = _mm512_set1_epi64(a->rotate), left = _mm512_set1_epi64(a->left);
    __mmask8 met = 0;
    for (size_t i = 0; i < count; i += 8) {
        __mmask8 nodes = some_of_eight(count - i);
        __m512i board = _mm512_maskz_loadu_epi64(nodes, boards + i), want = _mm512_maskz_loadu_epi64(nodes, wants + i);
        __m512i tile = _mm512_and_si512(board, nibble);
        board = _mm512_xor_si512(_mm512_xor_si512(board, tile), _mm512_rolv_epi64(tile, rotate));
        tile = _mm512_srlv_epi64(board, left); /* of these, the low 4 bits choose a number */
        want = _mm512_or_si512(_mm512_andnot_si512(nibble, want), _mm512_permutex2var_epi64(low, tile, high));
        _mm512_mask_storeu_epi64(boards + i, nodes, board);
        _mm512_mask_storeu_epi64(wants + i, nodes, want);
        met |= _mm512_mask_cmpeq_epi64_mask(nodes, board, home);
    }
    return met != 0;
}

P15_INLINE_V4 void store_eight(bucket *to, __mmask8 nodes, __m512i board, __m512i want) {
    _mm512_storeu_si512(to->boards + to->count, _mm512_maskz_compress_epi64(nodes, board));
    _mm512_storeu_si512(to->wants + to->count, _mm512_maskz_compress_epi64(nodes, want));
    to->count += p15_count_bits(nodes);
}

P15_INLINE_V4 uint64_t file_eight(const child *c, const uint64_t *boards, const uint64_t *wants, size_t count,
                                  unsigned slack, bucket *keep, bucket *lose) {
    __m512i good = _mm512_set1_epi64((long long)c->good), alive = _mm512_set1_epi64((long long)c->alive);
    bucket kept = *keep, lost = lose ? *lose : (bucket){0};
    uint64_t found = 0;
    for (size_t i = 0; i < count; i += 8) {
        __mmask8 nodes = some_of_eight(count - i);
        __m512i board = _mm512_maskz_loadu_epi64(nodes, boards + i), want = _mm512_maskz_loadu_epi64(nodes, wants + i);
        __mmask8 keeps = _mm512_mask_test_epi64_mask(nodes, want, good), loses = (__mmask8)(nodes & ~keeps);
        __mmask8 lives = _mm512_test_epi64_mask(want, alive);
        found += p15_count_bits(keeps);
        store_eight(&kept, lose ? keeps : keeps & lives, board, want);
        if (lose) store_eight(&lost, slack > 1 ? loses : loses & lives, board, want);
    }
    *keep = kept;
    if (lose) *lose = lost;
    return lose ? count : found;
}
#endif

/* Takes the last `count` nodes out of a bucket, makes their moves, and stores their children. Returns whether one is the
 * goal. */
P15_INLINE bool visit(p15_buckets *b, unsigned slack, unsigned number, uint32_t count, move_function *move,
                      file_function *file) {
    const arrival *a = &b->arrivals[number];
    bucket *from = &b->buckets[slack][number];
    from->count -= count;
    uint64_t *boards = from->boards + from->count, *wants = from->wants + from->count;
    bool met = move(a, b->goal, boards, wants, count);
    for (unsigned i = 0; i < a->child_count; i++) {
        unsigned to = a->children[i].arrival;
        bucket *keep = &b->buckets[slack][to], *lose = slack ? &b->buckets[slack - 1][to] : NULL;
        b->counts[to] += file(&a->children[i], boards, wants, count, slack, keep, lose);
    }
    return met;
}

typedef bool visit_function(p15_buckets *b, unsigned slack, unsigned number, uint32_t count);

static bool visit_plain(p15_buckets *b, unsigned slack, unsigned number, uint32_t count) {
    return visit(b, slack, number, count, move_each, file_each);
}

#if P15_HAVE_V4
P15_TARGET_V4 static bool visit_v4(p15_buckets *b, unsigned slack, unsigned number, uint32_t count) {
    return visit(b, slack, number, count, move_eight, file_eight);
}
#endif

static visit_function *const VISITS[] = P15_BY_LEVEL(visit_plain, visit_plain, visit_v4, visit_v4);

/* ------------------------------------------------------------------------------------------------ levels */

static bool reserve(p15_buckets *b, bucket *to, uint32_t more) {
    uint32_t needed = to->count + more + STORED, room = to->room ? to->room : FULL;
    if (needed <= to->room) return true;
    while (room < needed) room *= 2;
    uint64_t *words = malloc(2 * sizeof *words * room);
    if (!words) return false;
    if (to->count) {
        memcpy(words, to->boards, to->count * sizeof *words);
        memcpy(words + room, to->wants, to->count * sizeof *words);
    }
    free(to->boards);
    b->bytes += 2 * sizeof *words * (room - to->room);
    *to = (bucket){words, words + room, to->count, room};
    return true;
}

/* Visits the buckets of a slack once each: all their nodes, or whole vectors from those that are worth it. *children
 * becomes the number of their children. */
static p15_progress sweep(p15_buckets *b, unsigned slack, bool all, uint64_t *children) {
    bool met = false;
    *children = 0;
    for (unsigned i = 0; i < ARRIVALS; i++) {
        const arrival *a = &b->arrivals[i];
        uint32_t count = b->buckets[slack][i].count;
        if (count < (all ? 1 : FULL)) continue;
        if (!all) count = slack && count > MOST_TAKEN ? MOST_TAKEN : count & ~7u;
        for (unsigned c = 0; c < a->child_count; c++) {
            unsigned to = a->children[c].arrival;
            if (!reserve(b, &b->buckets[slack][to], count) || (slack && !reserve(b, &b->buckets[slack - 1][to], count)))
                return P15_PART_FAILED;
        }
        met |= VISITS[b->cpu](b, slack, i, count);
        *children += (uint64_t)count * a->child_count;
    }
    return met ? P15_PART_SOLVED : P15_PART_RUNNING;
}

/* The largest slack of a node; b->levels: there are none. */
static unsigned largest_slack(const p15_buckets *b) {
    for (unsigned slack = b->levels; slack-- > 0;)
        for (unsigned i = 0; i < ARRIVALS; i++)
            if (b->buckets[slack][i].count) return slack;
    return b->levels;
}

/* Levels of little slack come first, so that buckets stay short. A level is left alone until one of its buckets is long
 * enough to be worth a visit. When there is no such bucket on any level, the highest one with nodes is emptied. */
p15_progress p15_buckets_run(p15_buckets *b, uint64_t *visits) {
    while (*visits > 0) {
        uint64_t children = 0;
        p15_progress progress = P15_PART_RUNNING;
        for (; b->level < b->levels; b->level++) {
            progress = sweep(b, b->level, false, &children);
            if (children || progress != P15_PART_RUNNING) break;
        }
        if (b->level == b->levels) {
            b->level = largest_slack(b);
            if (b->level == b->levels) return P15_PART_ENDED;
            progress = sweep(b, b->level, true, &children);
        }
        if (progress != P15_PART_RUNNING) return progress;
        if (b->level) b->level--;
        *visits -= children < *visits ? children : *visits;
    }
    return P15_PART_RUNNING;
}

void p15_buckets_clear(p15_buckets *b) {
    for (unsigned i = 0; i < LEVELS * ARRIVALS; i++) b->buckets[i / ARRIVALS][i % ARRIVALS].count = 0;
    memset(b->counts, 0, sizeof b->counts);
    b->levels = b->level = 0;
}

bool p15_buckets_add(p15_buckets *b, const p15_root *root, unsigned slack) {
    unsigned number = arrival_of(root->blank, root->last);
    bucket *to = &b->buckets[slack][number];
    if (!reserve(b, to, 1)) return false;
    p15_board parent = p15_board_slide(root->board, root->blank, b->arrivals[number].left / 4u);
    uint64_t wants = 0;
    for (unsigned cell = 0; cell < b->shape.cells; cell++)
        wants |= (uint64_t)b->tile_wants[cell][p15_board_tile(parent, cell)] << (4 * cell);
    to->boards[to->count] = parent;
    to->wants[to->count++] = wants;
    b->counts[number]++;
    if (slack >= b->levels) b->levels = slack + 1;
    return true;
}

p15_counts p15_buckets_count(const p15_buckets *b) {
    p15_counts sum = {0, 0};
    for (unsigned i = 0; i < ARRIVALS; i++)
        p15_counts_add(&sum, (p15_counts){b->counts[i], b->counts[i] * b->arrivals[i].child_count});
    return sum;
}

size_t p15_buckets_bytes(const p15_buckets *b) { return b->bytes; }
