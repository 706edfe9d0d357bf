#include "multitile/search.h"

#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>
#if P15_HAVE_V4
#include <immintrin.h>
#endif

#define SLOTS 8
#define MAX_STACK (P15_MULTI_MAX_LENGTH * (P15_MAX_LINE - 1) + 1)
#define SPLIT_NODES 2000 /* generated in an iteration, before the next one is shared by more than two tasks */
#define SPLIT_SLACK 9    /* moves of its bound beyond h, before a search that only decides is shared */
#define MOST_PREFIX 6    /* moves above a task */
#define ENOUGH_TASKS 256
#define MAX_TASKS (ENOUGH_TASKS * (P15_MAX_LINE - 1))

/* A node's values are at most P15_MULTI_MAX_LENGTH, and p15_multi_values adds at most 1 + P15_MOST_EXCESS. */
_Static_assert(P15_MULTI_MAX_LENGTH + 1 + P15_MOST_EXCESS < 128, "larger() compares bytes below 128");
_Static_assert(SPLIT_SLACK > MOST_PREFIX, "a solution is longer than a task's path");
_Static_assert(P15_MULTI_MAX_LENGTH <= P15_MAX_ITERATIONS && SLOTS <= P15_MAX_SLOTS, "room for all");

typedef struct {
    p15_multi_node node;
    uint8_t h;
    uint8_t path[P15_MULTI_MAX_LENGTH]; /* the blank's cells after the moves above the node */
} task;

typedef struct {
    p15_idastar base;
    task *tasks;
    uint32_t task_count;
    bool split;   /* the tasks are below the roots */
    bool decides; /* a move has led to the board */
} multi_search;

/* What a worker's slot has beside p15_search_slot. */
typedef struct {
    unsigned count;                         /* nodes on the stack */
    uint8_t path[P15_MULTI_MAX_LENGTH + 1]; /* the blank's cells; by depth */
    unsigned solved;                        /* moves of the path that is a solution */
    p15_multi_node stack[MAX_STACK];
} own_slot;

/* ------------------------------------------------------------------------------------------------ one node */

/* The larger one of each pair of bytes; all are below 128. */
P15_INLINE uint64_t larger(uint64_t a, uint64_t b) {
    const uint64_t top = UINT64_C(0x8080808080808080);
    uint64_t a_is = (((a | top) - b) & top) >> 7; /* 1 where a >= b */
    uint64_t mask = a_is * 255u;
    return (a & mask) | (b & ~mask);
}

/* A node that is expanded, and the values of its children: of each lookup, a byte per cell of the line. */
typedef struct {
    p15_multi_node node;
    uint64_t values[P15_MULTI_MAX_LOOKUPS];
} expansion;

/* Writes the values. Returns, a bit per cell, the children whose values are at most `most`, and 8 bits higher those whose
 * values are all 0. */
typedef unsigned evaluate_function(const p15_multi_problem *problem, expansion *e, unsigned most);

P15_INLINE unsigned line_length(p15_shape shape, unsigned axis) { return axis == 0 ? shape.cols : shape.rows; }

P15_INLINE unsigned evaluate(const p15_multi_problem *problem, expansion *e, unsigned most) {
    const p15_multi_node *node = &e->node;
    unsigned axis = node->axis, length = line_length(problem->shape, axis), cols = problem->shape.cols;
    unsigned here = axis == 0 ? node->blank % cols : node->blank / cols;
    uint64_t largest = 0;
    for (unsigned v = 0; v < problem->lookup_count; v++) {
        const p15_multi_lookup *lookup = &problem->lookups[v];
        bool mirrored = lookup->mirrored[axis];
        size_t entry = (size_t)node->block[v] * lookup->table->lines->perm_count + node->perm[v];
        uint64_t cells = p15_multi_values(lookup->table, axis ^ lookup->transposed, entry, length,
                                          mirrored ? length - 1 - here : here, node->value[v]);
        if (mirrored) cells = __builtin_bswap64(cells) >> (8 * (P15_MAX_LINE - length));
        e->values[v] = cells;
        largest = larger(largest, cells);
    }
    unsigned found = 0;
    for (unsigned position = 0; position < length; position++) {
        unsigned value = largest >> (8 * position) & 255u;
        if (position != here) found |= ((value <= most) | (value == 0) << 8) << position;
    }
    return found;
}

#if P15_HAVE_V4
/* Whether the board is 4x4 with four lookups of as many tiles, none of which mirrors it. */
P15_INLINE bool is_common(const p15_multi_problem *problem) {
    const p15_multi_lookup *lookups = problem->lookups;
    bool common = problem->shape.rows == 4 && problem->shape.cols == 4 && problem->lookup_count == 4;
    for (unsigned v = 0; v < problem->lookup_count; v++)
        common &= lookups[v].table->lines->k == lookups[0].table->lines->k &&
                  !(lookups[v].mirrored[0] | lookups[v].mirrored[1]);
    return common;
}

/* evaluate where is_common: a part of a vector per lookup. */
P15_TARGET_V3 P15_INLINE unsigned evaluate_common(const p15_multi_problem *problem, expansion *e, unsigned most) {
    const p15_multi_node *node = &e->node;
    unsigned axis = node->axis, here = node->blank >> (2 * axis) & 3u;
    __m128i code[4];
    for (unsigned v = 0; v < 4; v++) {
        const p15_multi_lookup *lookup = &problem->lookups[v];
        uint32_t entry = node->block[v] * problem->lookups[0].table->lines->perm_count + node->perm[v];
        code[v] = _mm_loadl_epi64((const void *)&lookup->codes[axis][lookup->entries[axis][entry]]);
    }
    __m128i low = _mm_unpacklo_epi32(code[0], code[1]), high = _mm_unpacklo_epi32(code[2], code[3]);
    __m128i excess = _mm_unpacklo_epi64(low, high), others = _mm_unpackhi_epi64(low, high);
    others = _mm_and_si128(_mm_srl_epi32(others, _mm_cvtsi32_si128((int)(8 * here))), _mm_set1_epi32(255));
    int32_t parent;
    memcpy(&parent, node->value, sizeof parent);
    __m128i remainder = _mm_srli_epi32(others, 6), below = _mm_and_si128(others, _mm_set1_epi32(31));
    __m128i least = _mm_subs_epu16(_mm_cvtepu8_epi32(_mm_cvtsi32_si128(parent)), below);
    /* The next number with this remainder is remainder + 3 * third; a division by 3 is a product with 2^16 / 3. */
    __m128i third = _mm_add_epi32(_mm_sub_epi32(least, remainder), _mm_set1_epi32(2));
    third = _mm_mulhi_epu16(third, _mm_set1_epi32(21846));
    least = _mm_add_epi32(remainder, _mm_add_epi32(third, _mm_add_epi32(third, third)));
    __m128i all = _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    __m128i values = _mm_add_epi8(excess, _mm_shuffle_epi8(least, all));
    _mm256_storeu_si256((__m256i *)(void *)e->values, _mm256_cvtepu32_epi64(values));
    __m128i largest = _mm_max_epu8(values, _mm_srli_si128(values, 8)), limit = _mm_set1_epi8((char)most);
    largest = _mm_max_epu8(largest, _mm_srli_si128(largest, 4));
    __m128i fits = _mm_cmpeq_epi8(_mm_max_epu8(largest, limit), limit);
    __m128i zeros = _mm_cmpeq_epi8(largest, _mm_setzero_si128());
    return (unsigned)_mm_movemask_epi8(_mm_unpacklo_epi64(fits, zeros)) & 0xf0fu & ~(0x101u << here);
}
#endif

/* Makes a child that has been evaluated, and prefetches its entries. With `common` as a constant, the compiler unrolls
 * the loop. */
P15_INLINE void make_child(const p15_multi_problem *problem, const expansion *e, unsigned position, bool common,
                           p15_multi_node *child) {
    const p15_multi_node *node = &e->node;
    p15_shape shape = problem->shape;
    unsigned axis = node->axis, blank = node->blank;
    unsigned length = common ? 4 : line_length(shape, axis), other_length = common ? 4 : line_length(shape, 1 - axis);
    for (unsigned v = 0; v < (common ? 4 : problem->lookup_count); v++) {
        const p15_multi_lookup *lookup = &problem->lookups[v];
        const p15_line_space *lines = problem->lookups[common ? 0 : v].table->lines;
        unsigned lookup_axis = common ? 0 : axis ^ lookup->transposed; /* squares have the same lines along both */
        unsigned cell = !common && lookup->mirrored[axis] ? length - 1 - position : position;
        p15_crossing crossing = lines->crossings[lookup_axis][node->block[v] * length + cell];
        child->block[v] = crossing.block;
        child->perm[v] = lines->reorder[crossing.order * lines->perm_count + node->perm[v]];
        child->value[v] = (uint8_t)(e->values[v] >> (8 * position));
        size_t entry = (size_t)crossing.block * lines->perm_count + child->perm[v];
        P15_PREFETCH(lookup->entries[1 - axis] + entry * p15_multi_entry_bytes(other_length));
        P15_PREFETCH(lines->crossings[1 - lookup_axis] + crossing.block * other_length);
    }
    child->axis = (uint8_t)(1 - axis);
    child->depth = (uint8_t)(node->depth + 1);
    if (common) /* bits 0, 1: the column; bits 2, 3: the row */
        child->blank = (uint8_t)(blank ^ ((blank >> 2 * axis & 3u) ^ position) << 2 * axis);
    else
        child->blank =
            (uint8_t)(axis == 0 ? blank - blank % shape.cols + position : blank % shape.cols + position * shape.cols);
}

/* Writes the moves that the slot has made. */
static void find(p15_search_slot *slot) {
    const own_slot *own = slot->own;
    p15_found *found = &slot->found;
    *found = (p15_found){.solved = true, .length = (uint8_t)own->solved};
    p15_path_set_cell(found->path, 0, p15_board_blank(slot->search->board));
    for (unsigned i = 1; i <= own->solved; i++) p15_path_set_cell(found->path, i, own->path[i]);
}

/* Expands nodes of a worker's slots, all of one search, in turn: p15_metric.run. A round expands one node of each slot:
 * first all are evaluated, then their children made. So what is computed does not wait for branches. */
P15_INLINE unsigned run_slots(p15_worker *worker, uint64_t *visits, p15_search_slot_end *end, bool common,
                              evaluate_function *evaluate_node) {
    const p15_multi_problem *problem = worker->problem;
    p15_search_slot *active[SLOTS];
    expansion expansions[SLOTS];
    unsigned count = 0;
    for (unsigned i = 0; i < SLOTS; i++)
        if (worker->slots[i].search) active[count++] = &worker->slots[i];
    const p15_idastar *search = active[0]->search;
    unsigned bound = search->bound;
    while (*visits > 0) {
        uint8_t children[SLOTS * P15_MAX_LINE]; /* P15_MAX_LINE * the number of the expansion + position */
        unsigned made = 0, zeros = 0, i;
        bool exhausted = false;
        for (i = 0; i < count && *visits > 0 && !zeros; i++, --*visits) {
            p15_search_slot *slot = active[i];
            own_slot *own = slot->own;
            exhausted = own->count == 0 && !p15_search_slot_next(worker, slot);
            if (exhausted) break;
            expansion *e = &expansions[i];
            e->node = own->stack[--own->count];
            own->path[e->node.depth] = e->node.blank;
            unsigned left = bound - e->node.depth; /* at least 1 */
            unsigned found = evaluate_node(problem, e, left - 1), fits = left > 1 ? found & 255u : 0;
            unsigned length = common ? 4 : line_length(problem->shape, e->node.axis);
            zeros = found >> 8;
            slot->counts.expanded++;
            slot->counts.generated += length - 1;
            for (unsigned position = length; position-- > 0;) {
                children[made] = (uint8_t)(P15_MAX_LINE * i + position);
                made += fits >> position & 1u;
            }
        }
        for (unsigned c = 0; c < made; c++) {
            unsigned number = children[c] / P15_MAX_LINE;
            own_slot *own = active[number]->own;
            make_child(problem, &expansions[number], children[c] % P15_MAX_LINE, common, &own->stack[own->count++]);
        }
        if (exhausted) {
            *end = P15_SLOT_EXHAUSTED;
            return (unsigned)(active[i] - worker->slots);
        }
        for (unsigned position = P15_MAX_LINE; zeros && position-- > 0;) {
            if (!(zeros >> position & 1u)) continue;
            own_slot *own = active[i - 1]->own;
            p15_multi_node child;
            make_child(problem, &expansions[i - 1], position, false, &child);
            own->solved = child.depth;
            own->path[child.depth] = child.blank;
            find(active[i - 1]);
            if (p15_path_replay_cells(search->board, search->goal, worker->shape, active[i - 1]->found.path,
                                      own->solved) != P15_OK)
                continue;
            *end = P15_SLOT_SOLVED;
            return (unsigned)(active[i - 1] - worker->slots);
        }
    }
    return SLOTS;
}

static unsigned run_plain(p15_worker *worker, uint64_t *visits, p15_search_slot_end *end) {
    return run_slots(worker, visits, end, false, evaluate);
}

P15_TARGET_V3 static unsigned run_v3(p15_worker *worker, uint64_t *visits, p15_search_slot_end *end) {
#if P15_HAVE_V4
    if (is_common(worker->problem)) return run_slots(worker, visits, end, true, evaluate_common);
#endif
    return run_slots(worker, visits, end, false, evaluate);
}

static unsigned run(p15_worker *worker, uint64_t *visits, p15_search_slot_end *end) {
    static unsigned (*const runs[])(p15_worker *, uint64_t *, p15_search_slot_end *) =
        P15_BY_LEVEL(run_plain, run_v3, run_v3, run_v3);
    return runs[((const p15_multi_problem *)worker->problem)->cpu](worker, visits, end);
}

/* ------------------------------------------------------------------------------------------------ one board */

static void free_search(p15_idastar *search) { free(((multi_search *)search)->tasks); }

/* The tasks are the roots; after a move, that of the other axis, and the bound is the limit. */
static p15_status begin(p15_idastar *base, unsigned move) {
    multi_search *search = (multi_search *)base;
    const p15_multi_problem *problem = base->problem;
    p15_multi_node roots[P15_AXES];
    p15_status status = p15_multi_roots(problem, base->board, roots);
    if (status != P15_OK) return status;
    if (base->board == base->goal) {
        base->found.path[0] = (uint8_t)p15_board_blank(base->board);
        return P15_OK;
    }
    search->decides = move != P15_DIRECTIONS;
    search->split = false;
    search->task_count = 0;
    base->bound = P15_MULTI_MAX_LENGTH;
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        bool goes_on = axis == 0 ? move == P15_LEFT || move == P15_RIGHT : move == P15_UP || move == P15_DOWN;
        if (goes_on) continue;
        task *root = &search->tasks[search->task_count++];
        root->node = roots[axis];
        root->h = (uint8_t)p15_multi_node_h(problem, &roots[axis]);
        if (root->h < base->bound) base->bound = root->h ? root->h : 1;
    }
    unsigned most = base->limit < base->most_moves ? base->limit : base->most_moves;
    if (search->decides && base->bound < most) base->bound = most;
    return P15_OK;
}

/* Replaces the roots by the nodes some moves below them, in the order in which a search meets them. Nodes further away
 * than any solution are left out. The iteration that has ended, if any, counts what that takes. */
static p15_status split(multi_search *search) {
    const p15_multi_problem *problem = search->base.problem;
    p15_counts counts = {0, 0};
    for (unsigned depth = 0; depth < MOST_PREFIX && search->task_count < ENOUGH_TASKS; depth++) {
        task *below = malloc(sizeof *below * MAX_TASKS);
        uint32_t count = 0;
        if (!below) return P15_ERR_MEMORY;
        for (uint32_t i = 0; i < search->task_count; i++) {
            expansion e = {.node = search->tasks[i].node};
            unsigned fits = evaluate(problem, &e, P15_MULTI_MAX_LENGTH) & 255u;
            p15_counts_add(&counts, (p15_counts){1, p15_count_bits(fits)});
            for (; fits; fits &= fits - 1) {
                task *child = &below[count++];
                make_child(problem, &e, p15_lowest_bit(fits), false, &child->node);
                child->h = (uint8_t)p15_multi_node_h(problem, &child->node);
                memcpy(child->path, search->tasks[i].path, depth);
                child->path[depth] = child->node.blank;
            }
        }
        free(search->tasks);
        search->tasks = below;
        search->task_count = count;
    }
    search->split = true;
    p15_counts_add(&search->base.counts, counts);
    if (search->base.iteration_count == 0) return P15_OK;
    p15_iteration *last = &search->base.iterations[search->base.iteration_count - 1];
    last->expanded += counts.expanded;
    last->generated += counts.generated;
    return P15_OK;
}

/* Schedules the tasks whose nodes are within the bound. */
static p15_status prepare(p15_idastar *base, uint64_t before) {
    multi_search *search = (multi_search *)base;
    p15_status status = P15_OK;
    bool is_large = before > SPLIT_NODES;
    if (search->decides) is_large = base->bound - search->tasks[0].h >= SPLIT_SLACK;
    if (!search->split && is_large) status = split(search);
    base->scheduled = 0;
    for (uint32_t i = 0; i < search->task_count; i++)
        if (search->tasks[i].h + search->tasks[i].node.depth <= base->bound) base->schedule[base->scheduled++] = i;
    return status;
}

static p15_status check(const p15_idastar *base) {
    const multi_search *search = (const multi_search *)base;
    const p15_found *found = &base->found;
    bool fits = found->length == base->bound || (search->decides && found->length < base->bound);
    p15_shape shape = ((const p15_multi_problem *)base->problem)->shape;
    return fits ? p15_path_replay_cells(base->board, base->goal, shape, found->path, found->length) : P15_ERR_ANSWER;
}

/* ------------------------------------------------------------------------------------------------ slots */

static p15_status make_slots(p15_worker *w) {
    const p15_multi_problem *problem = w->problem;
    p15_shape shape = problem->shape;
    own_slot *slots = malloc(SLOTS * sizeof *slots);
    if (!slots) return P15_ERR_MEMORY;
    w->memory = slots;
    w->shape = shape;
    w->goal = problem->goal;
    w->tiles = (shape.rows > shape.cols ? shape.rows : shape.cols) - 1u;
    w->slot_count = SLOTS;
    for (unsigned i = 0; i < SLOTS; i++) w->slots[i].own = &slots[i];
    return P15_OK;
}

static void join(p15_search_slot *slot) { ((own_slot *)slot->own)->count = 0; }

static void take(p15_search_slot *slot) {
    own_slot *own = slot->own;
    const task *next = &((const multi_search *)slot->search)->tasks[slot->search->schedule[slot->position]];
    own->count = 1;
    own->stack[0] = next->node;
    memcpy(own->path + 1, next->path, next->node.depth);
}

/* ------------------------------------------------------------------------------------------------ the metric */

static bool make_search(p15_idastar *base) {
    multi_search *search = (multi_search *)base;
    base->goal = ((const p15_multi_problem *)base->problem)->goal;
    base->most_moves = P15_MULTI_MAX_LENGTH - 1;
    search->tasks = malloc(sizeof *search->tasks * MAX_TASKS);
    return search->tasks != NULL;
}

const p15_metric P15_MULTI_TILE = {.bytes = sizeof(multi_search),
                                   .subtrees = MAX_TASKS,
                                   .step = 1,
                                   .together = true,
                                   .make_search = make_search,
                                   .free_search = free_search,
                                   .begin = begin,
                                   .prepare = prepare,
                                   .check = check,
                                   .make_slots = make_slots,
                                   .join = join,
                                   .take = take,
                                   .run = run,
                                   .find = find};
