#include "multitile/search.h"

#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

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
    unsigned count; /* nodes on the stack */
    uint8_t path[P15_MULTI_MAX_LENGTH];
    unsigned solved; /* moves of the path that is a solution */
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

/* What an expansion may take for granted: with constants, the compiler unrolls the loops over lookups and cells. */
typedef struct {
    unsigned lookups; /* how many */
    bool common;      /* the board is 4x4; no view mirrors it, and all have the same lines */
} assumptions;

/* Writes the children whose values are at most `most`, and prefetches their entries; returns how many. */
P15_INLINE unsigned expand(const p15_multi_problem *problem, const p15_multi_node *node, unsigned most,
                           p15_multi_node *children, assumptions given) {
    p15_shape shape = problem->shape;
    unsigned axis = node->axis, count = 0;
    unsigned length = given.common ? 4 : axis == 0 ? shape.cols : shape.rows;
    unsigned other_length = given.common ? 4 : axis == 0 ? shape.rows : shape.cols;
    unsigned here = axis == 0 ? node->blank % shape.cols : node->blank / shape.cols;
    if (given.common) here = axis == 0 ? node->blank % 4u : node->blank / 4u;
    const p15_line_space *first_lines = given.common ? problem->lookups[0].table->lines : NULL;
    uint64_t values[P15_MULTI_MAX_LOOKUPS], largest = 0;
    for (unsigned v = 0; v < given.lookups; v++) {
        const p15_multi_lookup *lookup = &problem->lookups[v];
        const p15_line_space *lines = given.common ? first_lines : lookup->table->lines;
        bool mirrored = !given.common && lookup->mirrored[axis];
        size_t entry = (size_t)node->block[v] * lines->perm_count + node->perm[v];
        uint64_t cells = p15_multi_values(lookup->table, axis ^ lookup->transposed, entry, length,
                                          mirrored ? length - 1 - here : here, node->value[v]);
        if (mirrored) {
            uint64_t back = 0;
            for (unsigned i = 0; i < length; i++) back |= (cells >> (8 * i) & 255u) << (8 * (length - 1 - i));
            cells = back;
        }
        values[v] = cells;
        largest = larger(largest, cells);
    }
    for (unsigned position = length; position-- > 0;) {
        if ((largest >> (8 * position) & 255u) > most || position == here) continue;
        p15_multi_node *child = &children[count++];
        child->axis = (uint8_t)(1 - axis);
        child->blank =
            (uint8_t)(axis == 0 ? node->blank - here + position : node->blank + (position - here) * shape.cols);
        child->depth = (uint8_t)(node->depth + 1);
        for (unsigned v = 0; v < given.lookups; v++) {
            const p15_multi_lookup *lookup = &problem->lookups[v];
            const p15_line_space *lines = given.common ? first_lines : lookup->table->lines;
            unsigned lookup_axis = axis ^ lookup->transposed;
            unsigned cell = !given.common && lookup->mirrored[axis] ? length - 1 - position : position;
            p15_crossing crossing = lines->crossings[lookup_axis][(size_t)node->block[v] * length + cell];
            child->block[v] = crossing.block;
            child->perm[v] = lines->reorder[crossing.order * lines->perm_count + node->perm[v]];
            child->value[v] = (uint8_t)(values[v] >> (8 * position));
            size_t entry = (size_t)crossing.block * lines->perm_count + child->perm[v];
            P15_PREFETCH(lookup->table->entries[1 - lookup_axis] + entry * p15_multi_entry_bytes(other_length));
            P15_PREFETCH(lines->crossings[1 - lookup_axis] + (size_t)crossing.block * other_length);
        }
    }
    return count;
}

/* Whether a path is a solution: every move goes along a line, and the last board is the goal. */
static bool leads_home(const p15_idastar *search, const uint8_t *path, unsigned length) {
    p15_shape shape = ((const p15_multi_problem *)search->problem)->shape;
    p15_board board = search->board;
    unsigned blank = p15_board_blank(board);
    for (unsigned i = 0; i < length; i++) {
        unsigned cell = path[i];
        bool along = blank / shape.cols == cell / shape.cols || blank % shape.cols == cell % shape.cols;
        if (cell >= shape.cells || cell == blank || !along) return false;
        board = p15_multi_slide(shape, board, blank, cell);
        blank = cell;
    }
    return board == search->goal;
}

/* Expands nodes of a worker's slots, all of one search, in turn: p15_metric.run. */
P15_INLINE unsigned run_slots(p15_worker *worker, uint64_t *visits, p15_search_slot_end *end, assumptions given) {
    const p15_multi_problem *problem = worker->problem;
    unsigned line_cells[P15_AXES] = {problem->shape.cols, problem->shape.rows};
    p15_search_slot *active[SLOTS];
    unsigned count = 0;
    for (unsigned i = 0; i < SLOTS; i++)
        if (worker->slots[i].search) active[count++] = &worker->slots[i];
    const p15_idastar *search = active[0]->search;
    unsigned bound = search->bound;
    while (*visits > 0)
        for (unsigned i = 0; i < count; i++) {
            p15_search_slot *slot = active[i];
            own_slot *own = slot->own;
            if (own->count == 0 && !p15_search_slot_next(worker, slot)) {
                *end = P15_SLOT_EXHAUSTED;
                return (unsigned)(slot - worker->slots);
            }
            --*visits;
            p15_multi_node node = own->stack[--own->count];
            if (node.depth) own->path[node.depth - 1] = node.blank;
            unsigned left = bound - node.depth; /* at least 1 */
            p15_multi_node *children = &own->stack[own->count];
            unsigned made = expand(problem, &node, left - 1, children, given);
            slot->counts.expanded++;
            slot->counts.generated += line_cells[node.axis] - 1u;
            for (unsigned c = 0; c < made; c++) {
                unsigned h = 0;
                for (unsigned v = 0; v < given.lookups; v++) h |= children[c].value[v];
                if (h > 0) continue;
                own->path[node.depth] = children[c].blank;
                own->solved = node.depth + 1u;
                if (leads_home(search, own->path, own->solved)) {
                    *end = P15_SLOT_SOLVED;
                    return (unsigned)(slot - worker->slots);
                }
            }
            if (left > 1) own->count += made;
            if (*visits == 0) break;
        }
    return SLOTS;
}

/* Whether the constants of the common case hold: 4x4 boards with the home in a corner. */
P15_INLINE bool is_common(const p15_multi_problem *problem) {
    bool common = problem->shape.rows == 4 && problem->shape.cols == 4 && problem->lookup_count == 4;
    for (unsigned v = 0; v < problem->lookup_count; v++) {
        const p15_multi_lookup *lookup = &problem->lookups[v];
        common &=
            lookup->table->lines == problem->lookups[0].table->lines && !lookup->mirrored[0] && !lookup->mirrored[1];
    }
    return common;
}

static unsigned run_plain(p15_worker *worker, uint64_t *visits, p15_search_slot_end *end) {
    const p15_multi_problem *problem = worker->problem;
    return run_slots(worker, visits, end, (assumptions){problem->lookup_count, false});
}

P15_TARGET_V3 static unsigned run_v3(p15_worker *worker, uint64_t *visits, p15_search_slot_end *end) {
    const p15_multi_problem *problem = worker->problem;
    if (is_common(problem)) return run_slots(worker, visits, end, (assumptions){4, true});
    return run_slots(worker, visits, end, (assumptions){problem->lookup_count, false});
}

typedef unsigned run_function(p15_worker *, uint64_t *, p15_search_slot_end *);

static run_function *const RUNS[] = P15_BY_LEVEL(run_plain, run_v3, run_v3, run_v3);

static unsigned run(p15_worker *worker, uint64_t *visits, p15_search_slot_end *end) {
    return RUNS[((const p15_multi_problem *)worker->problem)->cpu](worker, visits, end);
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
            p15_multi_node children[P15_MAX_LINE];
            unsigned made = expand(problem, &search->tasks[i].node, P15_MULTI_MAX_LENGTH, children,
                                   (assumptions){problem->lookup_count, false});
            p15_counts_add(&counts, (p15_counts){1, made});
            while (made-- > 0) { /* a stack gives the last one first */
                task *child = &below[count++];
                child->node = children[made];
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
    uint8_t cells[P15_MULTI_MAX_LENGTH];
    const p15_found *found = &base->found;
    for (unsigned i = 0; i < found->length; i++) cells[i] = (uint8_t)p15_path_cell(found->path, i + 1);
    bool fits = found->length == base->bound || (search->decides && found->length < base->bound);
    return fits && leads_home(base, cells, found->length) ? P15_OK : P15_ERR_ANSWER;
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
    memcpy(own->path, next->path, next->node.depth);
}

static void find(p15_search_slot *slot) {
    const own_slot *own = slot->own;
    p15_found *found = &slot->found;
    *found = (p15_found){.solved = true, .length = (uint8_t)own->solved};
    p15_path_set_cell(found->path, 0, p15_board_blank(slot->search->board));
    for (unsigned i = 1; i <= own->solved; i++) p15_path_set_cell(found->path, i, own->path[i - 1]);
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
