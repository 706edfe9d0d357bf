#include "search/deepening/bundles.h"

#include <stdlib.h>
#include <string.h>

#if P15_HAVE_V4
#include <immintrin.h>
#endif

#define MOST_ARRIVALS (P15_MAX_CELLS * P15_DIRECTIONS)
#define FULL 128u       /* nodes of a bundle that are worth a visit */
#define MOST_TAKEN 128u /* from a bundle with slack, so that those with less can follow */
#define STORED 8u       /* nodes that a visit may write beyond the last one it counts */

/* Nodes of one arrival and one slack, each as its parent and the parent's wants: the move is made when they are taken
 * out. */
typedef struct {
    uint64_t *boards, *wants;
    uint32_t count, room;
} bundle;

/* A child by the wants of its parent. */
typedef struct {
    uint64_t good;  /* one bit: the move keeps the slack */
    uint64_t alive; /* without slack, the child is the goal or has a child of its own if one of these is set */
    uint8_t good_bit, arrival;
} heir;

/* How nodes of a bundle come to be: the blank has moved in a direction, onto a cell. */
typedef struct {
    p15_board nibble;                 /* of the cell: all ones */
    uint64_t wants[P15_MAX_CELLS];    /* of each tile on the cell that the blank left, in place */
    uint8_t bytes[P15_MAX_CELLS];     /* the same, the byte that holds it alone */
    uint8_t rotate_cell, rotate_byte; /* bring the cell's nibble to the cell left; to the low half of that one's byte */
    uint8_t shift_left;               /* of the cell left */
    bool home;
    uint8_t heir_count;
    heir heirs[P15_DIRECTIONS - 1];
} arrival;

struct p15_bundles {
    const p15_h_changes *changes;
    p15_shape shape;
    p15_board goal;
    p15_cpu cpu;
    unsigned arrival_count;
    arrival arrivals[MOST_ARRIVALS];
    uint8_t arrival_of[P15_MAX_CELLS][P15_DIRECTIONS];
    uint8_t tile_wants[P15_MAX_CELLS][P15_MAX_CELLS]; /* [cell][tile] */
    bundle *bundles;                                  /* [level of slack][arrival] */
    unsigned level_count, level_room, level;
    bool met, failed; /* the goal; for want of memory */
    uint64_t counts[MOST_ARRIVALS];
    size_t bytes; /* of nodes */
};

/* ------------------------------------------------------------------------------------------------ tables */

bool p15_bundles_fit(const p15_h_changes *changes, p15_shape shape) {
    for (unsigned blank = 0; blank < shape.cells; blank++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
            for (unsigned tile = 1; tile < shape.cells; tile++)
                if (p15_cell_neighbour(shape, blank, direction) >= 0 && (*changes)[blank][direction][tile] != 1 &&
                    (*changes)[blank][direction][tile] != -1)
                    return false;
    return true;
}

static void make_wants(p15_bundles *b) {
    for (unsigned cell = 0; cell < b->shape.cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            int blank = p15_cell_neighbour(b->shape, cell, 3 - direction);
            for (unsigned tile = 1; tile < b->shape.cells && blank >= 0; tile++)
                if ((*b->changes)[blank][direction][tile] < 0) b->tile_wants[cell][tile] |= (uint8_t)(1u << direction);
        }
}

static uint64_t wants_of(const p15_bundles *b, p15_board board) {
    uint64_t wants = 0;
    for (unsigned cell = 0; cell < b->shape.cells; cell++)
        wants |= (uint64_t)b->tile_wants[cell][p15_board_tile(board, cell)] << (4 * cell);
    return wants;
}

static uint64_t want_bit(unsigned cell, unsigned direction) { return UINT64_C(1) << (4 * cell + direction); }

static void make_arrival(p15_bundles *b, unsigned cell, unsigned direction, unsigned home, arrival *a) {
    unsigned left = (unsigned)p15_cell_neighbour(b->shape, cell, 3 - direction);
    a->nibble = UINT64_C(15) << (4 * cell);
    for (unsigned tile = 1; tile < b->shape.cells; tile++) {
        a->wants[tile] = (uint64_t)b->tile_wants[left][tile] << (4 * left);
        a->bytes[tile] = (uint8_t)(b->tile_wants[left][tile] << 4 * (left & 1));
    }
    a->rotate_cell = (uint8_t)(4 * (left - cell) & 63u);
    a->rotate_byte = (uint8_t)(4 * ((left & ~1u) - cell) & 63u);
    a->shift_left = (uint8_t)(4 * left);
    a->home = cell == home;
    for (unsigned d = 0; d < P15_DIRECTIONS; d++) {
        int next = p15_cell_neighbour(b->shape, cell, d);
        if (next < 0 || d == 3 - direction) continue;
        heir *h = &a->heirs[a->heir_count++];
        h->good_bit = (uint8_t)(4 * (unsigned)next + d);
        h->good = want_bit((unsigned)next, d);
        h->arrival = b->arrival_of[next][d];
        if ((unsigned)next == home) h->alive = h->good;
        /* The child's own move changes none of these cells: the tile it moves ends where the undo would lead. */
        for (unsigned e = 0; e < P15_DIRECTIONS; e++) {
            int after = p15_cell_neighbour(b->shape, (unsigned)next, e);
            if (after >= 0 && e != 3 - d) h->alive |= want_bit((unsigned)after, e);
        }
    }
}

static void make_arrivals(p15_bundles *b) {
    unsigned home = p15_board_blank(b->goal);
    for (unsigned cell = 0; cell < b->shape.cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
            if (p15_cell_neighbour(b->shape, cell, 3 - direction) >= 0)
                b->arrival_of[cell][direction] = (uint8_t)b->arrival_count++;
    for (unsigned cell = 0; cell < b->shape.cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
            if (p15_cell_neighbour(b->shape, cell, 3 - direction) >= 0)
                make_arrival(b, cell, direction, home, &b->arrivals[b->arrival_of[cell][direction]]);
}

/* ------------------------------------------------------------------------------------------------ visits */

/* Where a visit takes nodes from, and where it puts their children: those that keep the slack, and those that lose 1 of
 * it, since f grows by 2. */
typedef struct {
    const arrival *a;
    bundle *from;
    uint32_t count;      /* the last ones of `from` */
    bundle *keep, *lose; /* [arrival] */
    p15_board goal;
    uint64_t *counts;
} route;

/* What becomes of children, by the slack of the nodes visited. Those that keep it are put in one bundle, those that
 * lose 1 of it in another. Of children without slack, only those that are alive are stored; the others are just
 * counted. */
typedef enum {
    NO_SLACK,   /* those that lose it are cut off; those that keep it have none */
    LAST_SLACK, /* those that lose it have none */
    MORE_SLACK  /* all have some */
} slack_kind;

/* Makes the moves of the nodes in place, then deals them out to one child after the other. Whether a node is dealt out
 * decides only whether the next one is written over it. Returns whether one is the goal. */
P15_INLINE bool visit_body(const route *r, slack_kind slack) {
    const arrival *a = r->a;
    uint64_t *restrict boards = r->from->boards, *restrict wants = r->from->wants;
    uint32_t end = r->from->count, begin = end - r->count;
    unsigned left = a->rotate_cell, right = -left & 63u;
    bool met = false;
    for (uint32_t i = begin; i < end; i++) {
        p15_board tile = boards[i] & a->nibble, board = boards[i] ^ tile ^ (tile << left | tile >> right);
        boards[i] = board;
        wants[i] = (wants[i] & ~a->nibble) | a->wants[board >> a->shift_left & 15u];
    }
    for (uint32_t i = begin; i < end && a->home; i++) met |= boards[i] == r->goal;
    r->from->count = begin;
    for (unsigned c = 0; c < a->heir_count; c++) {
        const heir *h = &a->heirs[c];
        uint64_t alive = h->alive, found = 0;
        unsigned bit = h->good_bit;
        bundle *keep = &r->keep[h->arrival];
        uint64_t *restrict keep_boards = keep->boards, *restrict keep_wants = keep->wants;
        uint32_t kept = keep->count;
        if (slack == NO_SLACK) {
            for (uint32_t i = begin; i < end; i++) {
                uint32_t good = wants[i] >> bit & 1u;
                keep_boards[kept] = boards[i];
                keep_wants[kept] = wants[i];
                found += good;
                kept += good & ((wants[i] & alive) != 0);
            }
        } else {
            bundle *lose = &r->lose[h->arrival];
            uint64_t *restrict lose_boards = lose->boards, *restrict lose_wants = lose->wants;
            uint32_t lost = lose->count;
            for (uint32_t i = begin; i < end; i++) {
                uint32_t good = wants[i] >> bit & 1u;
                keep_boards[kept] = lose_boards[lost] = boards[i];
                keep_wants[kept] = lose_wants[lost] = wants[i];
                kept += good;
                lost += (good ^ 1u) & (slack == MORE_SLACK || (wants[i] & alive) != 0);
            }
            lose->count = lost;
            found = r->count;
        }
        keep->count = kept;
        r->counts[h->arrival] += found;
    }
    return met;
}

typedef bool visit_function(const route *r, slack_kind slack);

P15_INLINE bool visit_each(const route *r, slack_kind slack) {
    switch (slack) {
    case NO_SLACK:
        return visit_body(r, NO_SLACK);
    case LAST_SLACK:
        return visit_body(r, LAST_SLACK);
    default:
        return visit_body(r, MORE_SLACK);
    }
}

static bool visit_plain(const route *r, slack_kind slack) { return visit_each(r, slack); }
P15_TARGET_V3 static bool visit_v3(const route *r, slack_kind slack) { return visit_each(r, slack); }

#if P15_HAVE_V4
/* The same on 8 nodes at a time, all in registers. */
P15_TARGET_V4 P15_INLINE bool visit_body_v4(const route *r, slack_kind slack, unsigned heir_count) {
    const arrival *a = r->a;
    __m512i nibble = _mm512_set1_epi64((long long)a->nibble), goal = _mm512_set1_epi64((long long)r->goal);
    __m512i rotate_cell = _mm512_set1_epi64(a->rotate_cell), rotate_byte = _mm512_set1_epi64(a->rotate_byte);
    __m512i bytes = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)a->bytes));
    __m512i good[P15_DIRECTIONS - 1], alive[P15_DIRECTIONS - 1];
    uint64_t *keep_boards[P15_DIRECTIONS - 1], *keep_wants[P15_DIRECTIONS - 1], found[P15_DIRECTIONS - 1];
    uint64_t *lose_boards[P15_DIRECTIONS - 1], *lose_wants[P15_DIRECTIONS - 1];
    uint64_t kept[P15_DIRECTIONS - 1], lost[P15_DIRECTIONS - 1];
    for (unsigned c = 0; c < heir_count; c++) {
        bundle *keep = &r->keep[a->heirs[c].arrival], *lose = slack == NO_SLACK ? keep : &r->lose[a->heirs[c].arrival];
        good[c] = _mm512_set1_epi64((long long)a->heirs[c].good);
        alive[c] = _mm512_set1_epi64((long long)a->heirs[c].alive);
        found[c] = 0;
        keep_boards[c] = keep->boards;
        keep_wants[c] = keep->wants;
        kept[c] = keep->count;
        lose_boards[c] = lose->boards;
        lose_wants[c] = lose->wants;
        lost[c] = lose->count;
    }
    /* The first vector alone may have less than 8 nodes. */
    uint64_t begin = r->from->count - r->count, i = begin + ((r->count - 1) & ~7u);
    __mmask8 lanes = (__mmask8)(0xffu >> (7 - ((r->count - 1) & 7u))), met = 0;
    for (;; i -= 8, lanes = 0xff) {
        __m512i board = _mm512_maskz_loadu_epi64(lanes, r->from->boards + i);
        __m512i want = _mm512_maskz_loadu_epi64(lanes, r->from->wants + i);
        __m512i tile = _mm512_and_si512(board, nibble);
        /* 0x96: exclusive or of all three; 0xba: (want & ~nibble) | the wants that follow */
        board = _mm512_ternarylogic_epi64(board, tile, _mm512_rolv_epi64(tile, rotate_cell), 0x96);
        want = _mm512_ternarylogic_epi64(want, nibble, _mm512_shuffle_epi8(bytes, _mm512_rolv_epi64(tile, rotate_byte)),
                                         0xba);
        if (a->home) met |= _mm512_mask_cmpeq_epi64_mask(lanes, board, goal);
        for (unsigned c = 0; c < heir_count; c++) {
            __mmask8 keeps = _mm512_mask_test_epi64_mask(lanes, want, good[c]);
            __mmask8 loses = (__mmask8)(lanes & ~keeps);
            if (slack == NO_SLACK) {
                found[c] += (unsigned)__builtin_popcount(keeps);
                keeps = _mm512_mask_test_epi64_mask(keeps, want, alive[c]);
            } else {
                if (slack == LAST_SLACK) loses = _mm512_mask_test_epi64_mask(loses, want, alive[c]);
                _mm512_storeu_si512(lose_boards[c] + lost[c], _mm512_maskz_compress_epi64(loses, board));
                _mm512_storeu_si512(lose_wants[c] + lost[c], _mm512_maskz_compress_epi64(loses, want));
                lost[c] += (unsigned)__builtin_popcount(loses);
            }
            _mm512_storeu_si512(keep_boards[c] + kept[c], _mm512_maskz_compress_epi64(keeps, board));
            _mm512_storeu_si512(keep_wants[c] + kept[c], _mm512_maskz_compress_epi64(keeps, want));
            kept[c] += (unsigned)__builtin_popcount(keeps);
        }
        if (i == begin) break;
    }
    r->from->count = (uint32_t)begin;
    for (unsigned c = 0; c < heir_count; c++) {
        r->keep[a->heirs[c].arrival].count = (uint32_t)kept[c];
        if (slack != NO_SLACK) r->lose[a->heirs[c].arrival].count = (uint32_t)lost[c];
        r->counts[a->heirs[c].arrival] += slack == NO_SLACK ? found[c] : r->count;
    }
    return met != 0;
}

P15_TARGET_V4 P15_INLINE bool visit_heirs_v4(const route *r, slack_kind slack) {
    switch (r->a->heir_count) {
    case 1:
        return visit_body_v4(r, slack, 1);
    case 2:
        return visit_body_v4(r, slack, 2);
    default:
        return visit_body_v4(r, slack, 3);
    }
}

P15_TARGET_V4 static bool visit_v4(const route *r, slack_kind slack) {
    switch (slack) {
    case NO_SLACK:
        return visit_heirs_v4(r, NO_SLACK);
    case LAST_SLACK:
        return visit_heirs_v4(r, LAST_SLACK);
    default:
        return visit_heirs_v4(r, MORE_SLACK);
    }
}
#endif

static visit_function *const VISITS[] = P15_BY_LEVEL(visit_plain, visit_v3, visit_v4, visit_v4);

/* ------------------------------------------------------------------------------------------------ levels */

static bundle *level_of(p15_bundles *b, unsigned level) { return b->bundles + level * b->arrival_count; }

static bool reserve(p15_bundles *b, bundle *to, uint32_t more) {
    uint32_t needed = to->count + more + STORED, room = to->room ? to->room : 128;
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
    to->boards = words;
    to->wants = words + room;
    to->room = room;
    return true;
}

/* Visits the bundles of a level once each: all their nodes, or whole vectors from those that are worth it. Returns how
 * many children they have. */
static uint64_t sweep(p15_bundles *b, unsigned level, bool all) {
    visit_function *visit_nodes = VISITS[b->cpu];
    uint64_t total = 0;
    route r = {.keep = level_of(b, level),
               .lose = level ? level_of(b, level - 1) : NULL,
               .goal = b->goal,
               .counts = b->counts};
    for (unsigned i = 0; i < b->arrival_count; i++) {
        r.a = &b->arrivals[i];
        r.from = &r.keep[i];
        r.count = r.from->count;
        if (r.count < (all ? 1 : FULL)) continue;
        if (!all) r.count = level && r.count > MOST_TAKEN ? MOST_TAKEN : r.count & ~7u;
        for (unsigned c = 0; c < r.a->heir_count; c++)
            if (!reserve(b, &r.keep[r.a->heirs[c].arrival], r.count) ||
                (level && !reserve(b, &r.lose[r.a->heirs[c].arrival], r.count))) {
                b->failed = true;
                return total;
            }
        b->met |= visit_nodes(&r, level == 0 ? NO_SLACK : level == 1 ? LAST_SLACK : MORE_SLACK);
        total += (uint64_t)r.count * r.a->heir_count;
    }
    return total;
}

/* ------------------------------------------------------------------------------------------------ public calls */

p15_status p15_bundles_new(const p15_h_changes *changes, p15_shape shape, p15_board goal, p15_cpu cpu,
                           p15_bundles **made) {
    p15_bundles *b = *made = calloc(1, sizeof *b);
    if (!b) return P15_ERR_MEMORY;
    b->changes = changes;
    b->shape = shape;
    b->goal = goal;
    b->cpu = cpu;
    make_wants(b);
    make_arrivals(b);
    return P15_OK;
}

void p15_bundles_delete(p15_bundles *b) {
    if (!b) return;
    for (unsigned i = 0; i < b->level_room * b->arrival_count; i++) free(b->bundles[i].boards);
    free(b->bundles);
    free(b);
}

bool p15_bundles_begin(p15_bundles *b, unsigned most_slack) {
    unsigned count = most_slack + 1;
    if (count > b->level_room) {
        bundle *bundles = realloc(b->bundles, count * b->arrival_count * sizeof *bundles);
        if (!bundles) return false;
        b->bundles = bundles;
        memset(level_of(b, b->level_room), 0, (count - b->level_room) * b->arrival_count * sizeof *bundles);
        b->level_room = count;
    }
    b->level_count = count;
    return true;
}

void p15_bundles_clear(p15_bundles *b) {
    for (unsigned i = 0; i < b->level_room * b->arrival_count; i++) b->bundles[i].count = 0;
    memset(b->counts, 0, sizeof b->counts);
    b->met = b->failed = false;
    b->level = b->level_count - 1;
}

bool p15_bundles_add(p15_bundles *b, p15_board board, unsigned blank, unsigned last, unsigned slack) {
    unsigned arrival = b->arrival_of[blank][last];
    bundle *to = level_of(b, slack) + arrival;
    if (!reserve(b, to, 1)) return false;
    p15_board parent = p15_board_slide(board, blank, (unsigned)p15_cell_neighbour(b->shape, blank, 3u - last));
    to->boards[to->count] = parent;
    to->wants[to->count++] = wants_of(b, parent);
    b->counts[arrival]++;
    return true;
}

/* Levels of little slack come first, so that bundles stay short. A level is left alone until one of its bundles is long
 * enough to be worth a visit. When there is no such bundle on any level, the highest one with nodes is emptied. */
p15_progress p15_bundles_run(p15_bundles *b, uint64_t *visits) {
    while (*visits > 0) {
        uint64_t children = sweep(b, b->level, false);
        if (children == 0 && !b->failed && b->level + 1 < b->level_count) {
            b->level++;
            continue;
        }
        if (children == 0 && !b->failed) {
            unsigned waiting = b->level_count * b->arrival_count;
            while (waiting > 0 && b->bundles[waiting - 1].count == 0) waiting--;
            if (waiting == 0) return P15_PART_ENDED;
            b->level = (waiting - 1) / b->arrival_count;
            children = sweep(b, b->level, true);
        }
        if (b->failed) return P15_PART_FAILED;
        if (b->met) return P15_PART_SOLVED;
        if (b->level) b->level--;
        *visits -= children < *visits ? children : *visits;
    }
    return P15_PART_RUNNING;
}

void p15_bundles_count(const p15_bundles *b, uint64_t *expanded, uint64_t *generated) {
    *expanded = *generated = 0;
    for (unsigned a = 0; a < b->arrival_count; a++) {
        *expanded += b->counts[a];
        *generated += b->counts[a] * b->arrivals[a].heir_count;
    }
}

size_t p15_bundles_bytes(const p15_bundles *b) {
    return sizeof *b + b->level_room * b->arrival_count * sizeof *b->bundles + b->bytes;
}
