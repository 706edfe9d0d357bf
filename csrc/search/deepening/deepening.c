#include "search/deepening/deepening.h"

#include <stdlib.h>
#include <string.h>

#if P15_HAVE_V4
#include <immintrin.h>
#endif

#define PLAIN_NODES (1u << 14) /* an iteration of no more is walked through, which takes a tenth of a millisecond */
#define MOST_TASK_MOVES 32u    /* a task's moves are one word */
#define TASK_NODES (1u << 12)  /* tasks are made deeper until there is one for so many nodes of the iteration before, */
#define FEW_TASKS 2048u        /* though no less than so many, */
#define MANY_TASKS (1u << 14)  /* and no more than so many are needed */
#define GROUP_NODES (1u << 21) /* a smaller group would not fill the bundles */
#define MOST_LEVELS 64u        /* of slack */
#define MOST_ARRIVALS (P15_MAX_CELLS * P15_DIRECTIONS)
#define FULL 128u       /* nodes of a bundle that are worth a visit */
#define MOST_TAKEN 128u /* from a bundle with slack, so that those with less can follow */
#define STORED 8u       /* nodes that a visit may write beyond the last one it counts */

/* The children of a node by the blank's cell and last direction (P15_DIRECTIONS: none), in the order of the search. */
typedef struct {
    uint8_t count, directions[P15_DIRECTIONS], cells[P15_DIRECTIONS];
} choices;

/* A node on the way of a walk. */
typedef struct {
    p15_board board;
    p15_values values;
    uint8_t h, blank, last, next; /* next: the choice to make next */
} frame;

/* The root of a subtree, and the nodes above it that come before it in depth-first order. */
typedef struct {
    p15_board board;
    p15_values values;
    uint64_t moves; /* from the start, 2 bits each, the last one lowest */
    uint64_t expanded, generated;
    uint8_t h, blank, last;
} task;

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

typedef enum { WHOLE, GROUP, TASK, ENDED } phase;

struct p15_deepening {
    const p15_evaluator *evaluator;
    const p15_steps *steps;
    p15_shape shape;
    p15_board start, goal;
    p15_values start_values;
    unsigned start_h, start_blank, bound, last_bound, lower_bound;
    p15_cpu cpu;
    p15_status status;
    phase phase;
    bool solved;
    unsigned length;
    uint8_t path[P15_MAX_BOUND];
    choices choices[P15_MAX_CELLS][P15_DIRECTIONS + 1];
    uint64_t expanded, generated; /* in finished iterations */
    uint64_t limit;               /* of generated */
    p15_iteration *iterations;
    unsigned iteration_count, iteration_room;

    /* a walk */
    frame *frames; /* P15_MAX_BOUND + 1 */
    unsigned top;
    uint64_t above, above_count; /* moves from the start to frames[0] */
    unsigned horizon;            /* nodes at this depth become tasks */
    unsigned cut;                /* the smallest f beyond the bound */
    uint64_t walk_expanded, walk_generated;

    /* tasks of the iteration */
    task *tasks;
    uint32_t task_count, task_room;
    unsigned task_moves;                      /* from the start to each */
    uint64_t split_expanded, split_generated; /* above all of them */
    bool split_solved;                        /* the goal lies above, after all of them */
    uint32_t task, group_end, group;          /* searched now: task .. group_end - 1; group: how many come next */
    bool near;                                /* a goal or the limit is known to be ahead */
    uint64_t done_expanded, done_generated;   /* in tasks before `task` */

    /* bundles */
    bool bundled; /* every step is 1 or -1 */
    unsigned arrival_count;
    arrival arrivals[MOST_ARRIVALS];
    uint8_t arrival_of[P15_MAX_CELLS][P15_DIRECTIONS];
    uint8_t tile_wants[P15_MAX_CELLS][P15_MAX_CELLS]; /* [cell][tile] */
    bundle *bundles;                                  /* [level of slack][arrival] */
    unsigned level_count, level_room, level;
    bool met; /* the goal */
    uint64_t counts[MOST_ARRIVALS];
    size_t bundle_bytes;
};

/* ------------------------------------------------------------------------------------------------ walks */

typedef enum { WALK_RUNNING, WALK_ENDED, WALK_SOLVED, WALK_FAILED } walk_end;

static void start_walk(p15_deepening *s, p15_board board, p15_values values, unsigned h, unsigned blank,
                       unsigned last) {
    s->top = 0;
    s->frames[0] = (frame){board, values, (uint8_t)h, (uint8_t)blank, (uint8_t)last, 0};
    s->walk_expanded = 1;
    s->walk_generated = 0;
}

static void walk_start(p15_deepening *s) {
    s->above = s->above_count = 0;
    start_walk(s, s->start, s->start_values, s->start_h, s->start_blank, P15_DIRECTIONS);
}

static void walk_task(p15_deepening *s, const task *t) {
    s->above = t->moves;
    s->above_count = s->task_moves;
    s->horizon = UINT32_MAX;
    start_walk(s, t->board, t->values, t->h, t->blank, t->last);
}

static void write_path(p15_deepening *s) {
    unsigned length = 0;
    for (unsigned i = (unsigned)s->above_count; i-- > 0;) s->path[length++] = (uint8_t)(s->above >> (2 * i) & 3u);
    for (unsigned i = 0; i <= s->top; i++) {
        const frame *f = &s->frames[i];
        s->path[length++] = s->choices[f->blank][f->last].directions[f->next - 1];
    }
    s->length = length;
}

static bool add_task(p15_deepening *s, const frame *f, uint64_t expanded, uint64_t generated) {
    if (s->task_count == s->task_room) {
        uint32_t room = s->task_room ? 2 * s->task_room : FEW_TASKS;
        task *tasks = realloc(s->tasks, room * sizeof *tasks);
        if (!tasks) return false;
        s->tasks = tasks;
        s->task_room = room;
    }
    uint64_t moves = 0;
    for (unsigned i = 1; i <= s->horizon - 1; i++) moves = moves << 2 | s->frames[i].last;
    s->tasks[s->task_count++] =
        (task){f->board, f->values, moves << 2 | f->last, expanded, generated, f->h, f->blank, f->last};
    return true;
}

/* Goes on with a walk for at most *visits children, which it counts down. */
P15_INLINE walk_end walk_body(p15_deepening *s, const p15_steps *steps, uint64_t *visits) {
    const p15_evaluator *evaluator = s->evaluator;
    p15_board goal = s->goal;
    unsigned bound = s->bound, horizon = s->horizon, cut = s->cut, depth = (unsigned)s->above_count + s->top + 1;
    uint64_t expanded = s->walk_expanded, generated = s->walk_generated, left = *visits;
    frame *f = s->frames + s->top;
    walk_end end = WALK_RUNNING;
    while (left > 0) {
        const choices *c = &s->choices[f->blank][f->last];
        if (f->next == c->count) {
            if (f == s->frames) {
                end = WALK_ENDED;
                break;
            }
            f--;
            depth--;
            continue;
        }
        left--;
        generated++;
        unsigned direction = c->directions[f->next], cell = c->cells[f->next], h;
        f->next++;
        p15_values values = 0;
        if (steps)
            h = (unsigned)(f->h + (*steps)[f->blank][direction][p15_board_tile(f->board, cell)]);
        else
            h = p15_evaluator_child(evaluator, f->board, f->values, f->blank, direction, &values);
        if (depth + h > bound) {
            if (depth + h < cut) cut = depth + h;
            continue;
        }
        p15_board board = p15_board_slide(f->board, f->blank, cell);
        if (board == goal) {
            end = WALK_SOLVED;
            break;
        }
        f[1] = (frame){board, values, (uint8_t)h, (uint8_t)cell, (uint8_t)direction, 0};
        if (depth == horizon) {
            if (add_task(s, f + 1, expanded, generated)) continue;
            end = WALK_FAILED;
            break;
        }
        f++;
        depth++;
        expanded++;
    }
    s->top = (unsigned)(f - s->frames);
    s->cut = cut;
    s->walk_expanded = expanded;
    s->walk_generated = generated;
    *visits = left;
    if (end == WALK_SOLVED) write_path(s);
    return end;
}

static walk_end walk_steps(p15_deepening *s, uint64_t *visits) { return walk_body(s, s->steps, visits); }
static walk_end walk_any(p15_deepening *s, uint64_t *visits) { return walk_body(s, NULL, visits); }

static walk_end walk(p15_deepening *s, uint64_t *visits) {
    return s->steps ? walk_steps(s, visits) : walk_any(s, visits);
}

/* ------------------------------------------------------------------------------------------------ bundles: tables */

static bool is_bundled(const p15_steps *steps, p15_shape shape) {
    if (!steps) return false;
    for (unsigned blank = 0; blank < shape.cells; blank++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
            for (unsigned tile = 1; tile < shape.cells; tile++)
                if (p15_cell_neighbour(shape, blank, direction) >= 0 && (*steps)[blank][direction][tile] != 1 &&
                    (*steps)[blank][direction][tile] != -1)
                    return false;
    return true;
}

static void make_wants(p15_deepening *s) {
    for (unsigned cell = 0; cell < s->shape.cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            int blank = p15_cell_neighbour(s->shape, cell, 3 - direction);
            for (unsigned tile = 1; tile < s->shape.cells && blank >= 0; tile++)
                if ((*s->steps)[blank][direction][tile] < 0) s->tile_wants[cell][tile] |= (uint8_t)(1u << direction);
        }
}

static uint64_t wants_of(const p15_deepening *s, p15_board board) {
    uint64_t wants = 0;
    for (unsigned cell = 0; cell < s->shape.cells; cell++)
        wants |= (uint64_t)s->tile_wants[cell][p15_board_tile(board, cell)] << (4 * cell);
    return wants;
}

static uint64_t want_bit(unsigned cell, unsigned direction) { return UINT64_C(1) << (4 * cell + direction); }

static void make_arrival(p15_deepening *s, unsigned cell, unsigned direction, unsigned home, arrival *a) {
    unsigned left = (unsigned)p15_cell_neighbour(s->shape, cell, 3 - direction);
    a->nibble = UINT64_C(15) << (4 * cell);
    for (unsigned tile = 1; tile < s->shape.cells; tile++) {
        a->wants[tile] = (uint64_t)s->tile_wants[left][tile] << (4 * left);
        a->bytes[tile] = (uint8_t)(s->tile_wants[left][tile] << 4 * (left & 1));
    }
    a->rotate_cell = (uint8_t)(4 * (left - cell) & 63u);
    a->rotate_byte = (uint8_t)(4 * ((left & ~1u) - cell) & 63u);
    a->shift_left = (uint8_t)(4 * left);
    a->home = cell == home;
    for (unsigned d = 0; d < P15_DIRECTIONS; d++) {
        int next = p15_cell_neighbour(s->shape, cell, d);
        if (next < 0 || d == 3 - direction) continue;
        heir *h = &a->heirs[a->heir_count++];
        h->good_bit = (uint8_t)(4 * (unsigned)next + d);
        h->good = want_bit((unsigned)next, d);
        h->arrival = s->arrival_of[next][d];
        if ((unsigned)next == home) h->alive = h->good;
        /* The child's own move changes none of these cells: the tile it moves ends where the undo would lead. */
        for (unsigned e = 0; e < P15_DIRECTIONS; e++) {
            int after = p15_cell_neighbour(s->shape, (unsigned)next, e);
            if (after >= 0 && e != 3 - d) h->alive |= want_bit((unsigned)after, e);
        }
    }
}

static void make_arrivals(p15_deepening *s) {
    unsigned home = p15_board_blank(s->goal, s->shape);
    for (unsigned cell = 0; cell < s->shape.cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
            if (p15_cell_neighbour(s->shape, cell, 3 - direction) >= 0)
                s->arrival_of[cell][direction] = (uint8_t)s->arrival_count++;
    for (unsigned cell = 0; cell < s->shape.cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
            if (p15_cell_neighbour(s->shape, cell, 3 - direction) >= 0)
                make_arrival(s, cell, direction, home, &s->arrivals[s->arrival_of[cell][direction]]);
}

/* ------------------------------------------------------------------------------------------------ bundles: visits */

/* Where a visit takes nodes from, and puts their children: those that keep the slack, and those that lose 1 of it, since f
 * grows by 2. */
typedef struct {
    const arrival *a;
    bundle *from;
    uint32_t count;      /* the last ones of `from` */
    bundle *keep, *lose; /* [arrival] */
    p15_board goal;
    uint64_t *counts;
} visit;

/* What becomes of children, by the slack of the nodes visited. Those that keep it are put in a bundle, those that lose 1
 * of it in another; but of children without slack only those that are alive, the others being counted alone. */
typedef enum {
    NO_SLACK,   /* those that lose it are cut off; those that keep it have none */
    LAST_SLACK, /* those that lose it have none */
    MORE_SLACK  /* all have some */
} slack;

/* Makes the moves of the nodes in place, then deals them out to one child after the other. Whether a node is dealt out
 * decides only whether the next one is written over it. Returns whether one is the goal. */
P15_INLINE bool visit_body(const visit *v, slack slack) {
    const arrival *a = v->a;
    uint64_t *restrict boards = v->from->boards, *restrict wants = v->from->wants;
    uint32_t end = v->from->count, begin = end - v->count;
    unsigned left = a->rotate_cell, right = -left & 63u;
    bool met = false;
    for (uint32_t i = begin; i < end; i++) {
        p15_board tile = boards[i] & a->nibble, board = boards[i] ^ tile ^ (tile << left | tile >> right);
        boards[i] = board;
        wants[i] = (wants[i] & ~a->nibble) | a->wants[board >> a->shift_left & 15u];
    }
    for (uint32_t i = begin; i < end && a->home; i++) met |= boards[i] == v->goal;
    v->from->count = begin;
    for (unsigned c = 0; c < a->heir_count; c++) {
        const heir *h = &a->heirs[c];
        uint64_t alive = h->alive, found = 0;
        unsigned bit = h->good_bit;
        bundle *keep = &v->keep[h->arrival];
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
            bundle *lose = &v->lose[h->arrival];
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
            found = v->count;
        }
        keep->count = kept;
        v->counts[h->arrival] += found;
    }
    return met;
}

typedef bool visit_function(const visit *v, slack slack);

P15_INLINE bool visit_each(const visit *v, slack slack) {
    switch (slack) {
    case NO_SLACK:
        return visit_body(v, NO_SLACK);
    case LAST_SLACK:
        return visit_body(v, LAST_SLACK);
    default:
        return visit_body(v, MORE_SLACK);
    }
}

static bool visit_plain(const visit *v, slack slack) { return visit_each(v, slack); }
P15_TARGET_V3 static bool visit_v3(const visit *v, slack slack) { return visit_each(v, slack); }

#if P15_HAVE_V4
/* The same on 8 nodes at a time, all in registers. */
P15_TARGET_V4 P15_INLINE bool visit_body_v4(const visit *v, slack slack, unsigned heir_count) {
    const arrival *a = v->a;
    __m512i nibble = _mm512_set1_epi64((long long)a->nibble), goal = _mm512_set1_epi64((long long)v->goal);
    __m512i rotate_cell = _mm512_set1_epi64(a->rotate_cell), rotate_byte = _mm512_set1_epi64(a->rotate_byte);
    __m512i bytes = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)a->bytes));
    __m512i good[P15_DIRECTIONS - 1], alive[P15_DIRECTIONS - 1];
    uint64_t *keep_boards[P15_DIRECTIONS - 1], *keep_wants[P15_DIRECTIONS - 1], found[P15_DIRECTIONS - 1];
    uint64_t *lose_boards[P15_DIRECTIONS - 1], *lose_wants[P15_DIRECTIONS - 1];
    uint64_t kept[P15_DIRECTIONS - 1], lost[P15_DIRECTIONS - 1];
    for (unsigned c = 0; c < heir_count; c++) {
        bundle *keep = &v->keep[a->heirs[c].arrival], *lose = slack == NO_SLACK ? keep : &v->lose[a->heirs[c].arrival];
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
    uint64_t begin = v->from->count - v->count, i = begin + ((v->count - 1) & ~7u);
    __mmask8 lanes = (__mmask8)(0xffu >> (7 - ((v->count - 1) & 7u))), met = 0;
    for (;; i -= 8, lanes = 0xff) {
        __m512i board = _mm512_maskz_loadu_epi64(lanes, v->from->boards + i);
        __m512i want = _mm512_maskz_loadu_epi64(lanes, v->from->wants + i);
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
    v->from->count = (uint32_t)begin;
    for (unsigned c = 0; c < heir_count; c++) {
        v->keep[a->heirs[c].arrival].count = (uint32_t)kept[c];
        if (slack != NO_SLACK) v->lose[a->heirs[c].arrival].count = (uint32_t)lost[c];
        v->counts[a->heirs[c].arrival] += slack == NO_SLACK ? found[c] : v->count;
    }
    return met != 0;
}

P15_TARGET_V4 P15_INLINE bool visit_heirs_v4(const visit *v, slack slack) {
    switch (v->a->heir_count) {
    case 1:
        return visit_body_v4(v, slack, 1);
    case 2:
        return visit_body_v4(v, slack, 2);
    default:
        return visit_body_v4(v, slack, 3);
    }
}

P15_TARGET_V4 static bool visit_v4(const visit *v, slack slack) {
    switch (slack) {
    case NO_SLACK:
        return visit_heirs_v4(v, NO_SLACK);
    case LAST_SLACK:
        return visit_heirs_v4(v, LAST_SLACK);
    default:
        return visit_heirs_v4(v, MORE_SLACK);
    }
}
#endif

static visit_function *const VISITS[] = P15_BY_LEVEL(visit_plain, visit_v3, visit_v4, visit_v4);

/* ------------------------------------------------------------------------------------------------ bundles: search */

static bundle *level_of(p15_deepening *s, unsigned level) { return s->bundles + level * s->arrival_count; }

static bool reserve(p15_deepening *s, bundle *b, uint32_t more) {
    uint32_t needed = b->count + more + STORED, room = b->room ? b->room : 128;
    if (needed <= b->room) return true;
    while (room < needed) room *= 2;
    uint64_t *words = malloc(2 * sizeof *words * room);
    if (!words) return false;
    if (b->count) {
        memcpy(words, b->boards, b->count * sizeof *words);
        memcpy(words + room, b->wants, b->count * sizeof *words);
    }
    free(b->boards);
    s->bundle_bytes += 2 * sizeof *words * (room - b->room);
    b->boards = words;
    b->wants = words + room;
    b->room = room;
    return true;
}

static bool make_levels(p15_deepening *s, unsigned count) {
    if (count > s->level_room) {
        bundle *bundles = realloc(s->bundles, count * s->arrival_count * sizeof *bundles);
        if (!bundles) return false;
        s->bundles = bundles;
        memset(level_of(s, s->level_room), 0, (count - s->level_room) * s->arrival_count * sizeof *bundles);
        s->level_room = count;
    }
    s->level_count = count;
    return true;
}

static void clear_bundles(p15_deepening *s) {
    for (unsigned i = 0; i < s->level_room * s->arrival_count; i++) s->bundles[i].count = 0;
    memset(s->counts, 0, sizeof s->counts);
    s->met = false;
}

static bool start_group(p15_deepening *s) {
    clear_bundles(s);
    s->level = s->level_count - 1;
    for (uint32_t i = s->task; i < s->group_end; i++) {
        const task *t = &s->tasks[i];
        unsigned a = s->arrival_of[t->blank][t->last];
        bundle *b = level_of(s, (s->bound - s->task_moves - t->h) / 2) + a;
        if (!reserve(s, b, 1)) return false;
        unsigned left = (unsigned)p15_cell_neighbour(s->shape, t->blank, 3u - t->last);
        p15_board parent = p15_board_slide(t->board, t->blank, left);
        b->boards[b->count] = parent;
        b->wants[b->count++] = wants_of(s, parent);
        s->counts[a]++;
    }
    return true;
}

static void count_group(const p15_deepening *s, uint64_t *expanded, uint64_t *generated) {
    *expanded = *generated = 0;
    for (unsigned a = 0; a < s->arrival_count; a++) {
        *expanded += s->counts[a];
        *generated += s->counts[a] * s->arrivals[a].heir_count;
    }
}

/* Visits the bundles of a level once each: all their nodes, or whole vectors from those that are worth it. Returns how
 * many children they have. */
static uint64_t sweep(p15_deepening *s, unsigned level, bool all) {
    visit_function *visit_nodes = VISITS[s->cpu];
    uint64_t total = 0;
    visit v = {.keep = level_of(s, level),
               .lose = level ? level_of(s, level - 1) : NULL,
               .goal = s->goal,
               .counts = s->counts};
    for (unsigned i = 0; i < s->arrival_count; i++) {
        v.a = &s->arrivals[i];
        v.from = &v.keep[i];
        v.count = v.from->count;
        if (v.count < (all ? 1 : FULL)) continue;
        if (!all) {
            v.count = level && v.count > MOST_TAKEN ? MOST_TAKEN : v.count & ~7u;
        }
        for (unsigned c = 0; c < v.a->heir_count; c++)
            if (!reserve(s, &v.keep[v.a->heirs[c].arrival], v.count) ||
                (level && !reserve(s, &v.lose[v.a->heirs[c].arrival], v.count))) {
                s->status = P15_ERR_MEMORY;
                return total;
            }
        s->met |= visit_nodes(&v, level == 0 ? NO_SLACK : level == 1 ? LAST_SLACK : MORE_SLACK);
        total += (uint64_t)v.count * v.a->heir_count;
    }
    return total;
}

/* Goes on with the group: levels of little slack first, so that bundles stay short. A level is left alone until one of
 * its bundles is long enough to be worth a visit; when none is on any level, the highest one is emptied. Returns false
 * when the group is done: it has no nodes left, or has met the goal. */
static bool search_group(p15_deepening *s, uint64_t *visits) {
    while (*visits > 0) {
        uint64_t children = sweep(s, s->level, false);
        if (children == 0 && s->level + 1 < s->level_count) {
            s->level++;
            continue;
        }
        if (children == 0) {
            unsigned waiting = s->level_count * s->arrival_count;
            while (waiting > 0 && s->bundles[waiting - 1].count == 0) waiting--;
            if (waiting == 0) return false;
            s->level = (waiting - 1) / s->arrival_count;
            children = sweep(s, s->level, true);
        }
        if (s->met || s->status != P15_OK) return false;
        if (s->level) s->level--;
        *visits -= children < *visits ? children : *visits;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ iterations */

/* Counts of the present iteration. */
static void count_iteration(const p15_deepening *s, uint64_t *expanded, uint64_t *generated) {
    *expanded = *generated = 0;
    switch (s->phase) {
    case WHOLE:
    case TASK:
        *expanded = s->walk_expanded;
        *generated = s->walk_generated;
        break;
    case GROUP:
        count_group(s, expanded, generated);
        break;
    case ENDED:
        return;
    }
    if (s->phase != WHOLE) {
        *expanded += s->tasks[s->task].expanded + s->done_expanded;
        *generated += s->tasks[s->task].generated + s->done_generated;
    }
}

/* How many nodes may still be generated. */
static uint64_t left_of(const p15_deepening *s) {
    uint64_t expanded, generated;
    count_iteration(s, &expanded, &generated);
    generated += s->generated;
    return generated < s->limit ? s->limit - generated : 0;
}

static void begin_iteration(p15_deepening *s);

static void end_iteration(p15_deepening *s, bool solved, uint64_t expanded, uint64_t generated) {
    if (s->iteration_count == s->iteration_room) {
        unsigned room = s->iteration_room ? 2 * s->iteration_room : 16;
        p15_iteration *iterations = realloc(s->iterations, room * sizeof *iterations);
        if (!iterations) {
            s->status = P15_ERR_MEMORY;
            s->phase = ENDED;
            return;
        }
        s->iterations = iterations;
        s->iteration_room = room;
    }
    s->iterations[s->iteration_count++] = (p15_iteration){s->bound, expanded, generated};
    s->expanded += expanded;
    s->generated += generated;
    s->phase = ENDED;
    s->solved = solved;
    if (solved) return;
    s->bound = s->lower_bound = s->cut;
    if (s->bound <= s->last_bound) begin_iteration(s);
}

/* Begins with the tasks from s->task on: with a group, or, once the end is near and groups are single tasks, with one
 * of them in order. */
static void next_group(p15_deepening *s) {
    if (s->task == s->task_count) {
        end_iteration(s, s->split_solved, s->split_expanded + s->done_expanded, s->split_generated + s->done_generated);
        return;
    }
    if (s->near && s->group == 1) {
        s->phase = TASK;
        walk_task(s, &s->tasks[s->task]);
        return;
    }
    s->phase = GROUP;
    s->group_end = s->group < s->task_count - s->task ? s->task + s->group : s->task_count;
    if (!start_group(s)) s->status = P15_ERR_MEMORY;
}

/* Ends a group or task that has not met the goal. */
static void leave_group(p15_deepening *s, uint64_t expanded, uint64_t generated) {
    s->done_expanded += expanded;
    s->done_generated += generated;
    s->task = s->phase == TASK ? s->task + 1 : s->group_end;
    if (!s->near) {
        /* A goal makes the last group to be searched again: let it be a small part of the whole. */
        uint64_t nodes = s->done_generated / 16 < GROUP_NODES ? GROUP_NODES : s->done_generated / 16;
        uint64_t group = nodes * s->task / (s->done_generated + 1);
        s->group = group < 1 ? 1 : group > 4ull * s->group ? 4 * s->group : (uint32_t)group;
    }
    next_group(s);
}

/* Cuts the iteration into tasks. */
static void split(p15_deepening *s) {
    if (!make_levels(s, (s->bound - s->start_h) / 2 + 1)) {
        s->status = P15_ERR_MEMORY;
        return;
    }
    walk_end end;
    uint64_t before = s->iteration_count ? s->iterations[s->iteration_count - 1].generated : PLAIN_NODES;
    uint64_t tasks = before / TASK_NODES;
    tasks = tasks < FEW_TASKS ? FEW_TASKS : tasks > MANY_TASKS ? MANY_TASKS : tasks;
    unsigned moves = 0;
    do {
        uint64_t visits = UINT64_MAX;
        s->horizon = s->task_moves = ++moves;
        s->task_count = 0;
        walk_start(s);
        end = walk(s, &visits);
        if (end == WALK_FAILED) {
            s->status = P15_ERR_MEMORY;
            return;
        }
        /* Where the tree is narrow, tasks would be too deep to be worth the way there. */
    } while (s->task_count > 0 && s->task_count < tasks && 16 * s->walk_generated < before && moves < MOST_TASK_MOVES);
    s->split_expanded = s->walk_expanded;
    s->split_generated = s->walk_generated;
    s->split_solved = end == WALK_SOLVED;
    s->task = 0;
    s->near = false;
    s->done_expanded = s->done_generated = 0;
    /* An iteration is some 6 times as large as the one before. */
    uint64_t group = (uint64_t)s->task_count * GROUP_NODES / (6 * before + 1);
    s->group = group < 1 ? 1 : group > s->task_count ? s->task_count : (uint32_t)group;
    s->cut = s->bound + 2;
    next_group(s);
}

static bool can_split(const p15_deepening *s) { return s->bundled && (s->bound - s->start_h) / 2 < MOST_LEVELS; }

static void begin_iteration(p15_deepening *s) {
    s->cut = UINT32_MAX;
    if (s->start_h > s->bound) {
        s->cut = s->start_h;
        end_iteration(s, false, 0, 0);
    } else if (can_split(s) && s->iteration_count && s->iterations[s->iteration_count - 1].generated > PLAIN_NODES) {
        split(s);
    } else {
        s->phase = WHOLE;
        s->horizon = UINT32_MAX;
        walk_start(s);
    }
}

static void run_whole(p15_deepening *s, uint64_t *visits) {
    bool splits = can_split(s);
    uint64_t left = PLAIN_NODES > s->walk_generated ? PLAIN_NODES - s->walk_generated : 0;
    uint64_t allowed = splits && left < *visits ? left : *visits, given = allowed;
    walk_end end = walk(s, &allowed);
    *visits -= given - allowed;
    if (end != WALK_RUNNING)
        end_iteration(s, end == WALK_SOLVED, s->walk_expanded, s->walk_generated);
    else if (splits && s->walk_generated >= PLAIN_NODES)
        split(s);
}

static void run_group(p15_deepening *s, uint64_t *visits) {
    uint64_t expanded, generated;
    bool more = search_group(s, visits);
    if (s->status != P15_OK) return;
    if (s->met || left_of(s) == 0) {
        s->near = true;
        s->group = (s->group_end - s->task) / 8 ? (s->group_end - s->task) / 8 : 1;
        next_group(s);
    } else if (!more) {
        count_group(s, &expanded, &generated);
        leave_group(s, expanded, generated);
    }
}

static void run_task(p15_deepening *s, uint64_t *visits) {
    walk_end end = walk(s, visits);
    if (end == WALK_ENDED) leave_group(s, s->walk_expanded, s->walk_generated);
    if (end != WALK_SOLVED) return;
    uint64_t expanded, generated;
    count_iteration(s, &expanded, &generated);
    end_iteration(s, true, expanded, generated);
}

/* ------------------------------------------------------------------------------------------------ public calls */

static bool make_choices(p15_deepening *s, const uint8_t *order) {
    unsigned seen = 0;
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) seen |= order[i] < P15_DIRECTIONS ? 1u << order[i] : 0;
    for (unsigned cell = 0; cell < s->shape.cells; cell++)
        for (unsigned last = 0; last <= P15_DIRECTIONS; last++)
            for (unsigned i = 0; i < P15_DIRECTIONS && seen == 15; i++) {
                choices *c = &s->choices[cell][last];
                int next = p15_cell_neighbour(s->shape, cell, order[i]);
                if (next < 0 || (last < P15_DIRECTIONS && order[i] == 3 - last)) continue;
                c->directions[c->count] = order[i];
                c->cells[c->count++] = (uint8_t)next;
            }
    return seen == 15;
}

p15_status p15_deepening_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                             uint32_t first_bound, uint32_t last_bound, uint64_t limit, p15_cpu cpu,
                             p15_deepening **search) {
    unsigned h;
    p15_values values;
    *search = NULL;
    p15_status status = p15_evaluator_board(evaluator, start, &h, &values);
    if (status != P15_OK) return status;
    if (first_bound == P15_FROM_H) first_bound = h;
    if (last_bound > P15_MAX_BOUND || first_bound > P15_MAX_BOUND) return P15_ERR_ARGUMENT;
    p15_deepening *s = calloc(1, sizeof *s);
    if (!s) return P15_ERR_MEMORY;
    s->evaluator = evaluator;
    s->steps = p15_evaluator_steps(evaluator);
    s->shape = p15_evaluator_shape(evaluator);
    s->goal = p15_evaluator_goal(evaluator);
    s->start = start;
    s->start_values = values;
    s->start_h = h;
    s->start_blank = p15_board_blank(start, s->shape);
    s->bound = first_bound;
    s->lower_bound = h;
    s->last_bound = last_bound;
    s->limit = limit;
    s->cpu = cpu;
    s->phase = ENDED;
    s->frames = malloc((P15_MAX_BOUND + 2) * sizeof *s->frames);
    status = !s->frames ? P15_ERR_MEMORY : make_choices(s, order) ? P15_OK : P15_ERR_ARGUMENT;
    if (status != P15_OK) {
        p15_deepening_delete(s);
        return status;
    }
    s->bundled = is_bundled(s->steps, s->shape);
    if (s->bundled) {
        make_wants(s);
        make_arrivals(s);
    }
    if (start == s->goal)
        s->solved = true;
    else if (first_bound <= last_bound)
        begin_iteration(s);
    *search = s;
    return P15_OK;
}

void p15_deepening_delete(p15_deepening *search) {
    if (!search) return;
    for (unsigned i = 0; i < search->level_room * search->arrival_count; i++) free(search->bundles[i].boards);
    free(search->bundles);
    free(search->tasks);
    free(search->frames);
    free(search->iterations);
    free(search);
}

bool p15_deepening_run(p15_deepening *search, uint64_t visits) {
    unsigned iterations = search->iteration_count;
    while (visits > 0 && search->phase != ENDED && search->iteration_count == iterations) {
        uint64_t limit = left_of(search), given = visits < limit ? visits : limit, left = given;
        if (limit == 0) break;
        switch (search->phase) {
        case WHOLE:
            run_whole(search, &left);
            break;
        case GROUP:
            run_group(search, &left);
            break;
        default:
            run_task(search, &left);
        }
        visits -= given - left;
        if (search->status != P15_OK) search->phase = ENDED;
    }
    return search->phase != ENDED;
}

void p15_deepening_look(const p15_deepening *search, p15_deepening_result *result) {
    uint64_t expanded, generated;
    count_iteration(search, &expanded, &generated);
    *result = (p15_deepening_result){
        .status = search->status,
        .solved = search->solved,
        .length = search->length,
        .path = search->path,
        .lower_bound = search->lower_bound,
        .expanded = search->expanded + expanded,
        .generated = search->generated + generated,
        .iteration_count = search->iteration_count,
        .iterations = search->iterations,
        .bytes = sizeof *search + (P15_MAX_BOUND + 2) * sizeof *search->frames +
                 search->iteration_room * sizeof *search->iterations + search->task_room * sizeof *search->tasks +
                 search->level_room * search->arrival_count * sizeof *search->bundles + search->bundle_bytes,
    };
}
