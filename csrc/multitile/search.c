#include "multitile/search.h"

#include "base/clock.h"
#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS 8
#define MAX_STACK (P15_MULTI_MAX_LENGTH * (P15_MAX_LINE - 1) + 1)
#define SPLIT_NODES 2000 /* generated in an iteration, before the next one is shared by more than two tasks */
#define MOST_PREFIX 6    /* moves above a task */
#define ENOUGH_TASKS 256
#define NOT_ENDED UINT64_MAX
#define MAX_TASKS (ENOUGH_TASKS * (P15_MAX_LINE - 1))

/* A node's values are at most P15_MULTI_MAX_LENGTH, and p15_multi_values adds at most 1 + P15_MOST_EXCESS. */
_Static_assert(P15_MULTI_MAX_LENGTH + 1 + P15_MOST_EXCESS < 128, "larger() compares bytes below 128");

typedef struct {
    p15_multi_node node;
    uint8_t h;
    uint8_t path[P15_MULTI_MAX_LENGTH]; /* as of a result: of the moves above the node, and of a solution */
    uint64_t expanded;                  /* in the present iteration, once the task has ended */
    atomic_uint_fast64_t generated;     /* the same; NOT_ENDED until then */
} task;

struct p15_multi_search {
    const p15_multi_problem *problem;
    p15_board board;
    unsigned limit, bound;
    p15_status status;
    bool ended, solved;
    task *tasks;
    uint32_t task_count;
    atomic_uint_fast32_t cursor; /* the next task to take */
    atomic_uint_fast32_t best;   /* the first task with a solution */
    uint8_t path[P15_MULTI_MAX_LENGTH];
    p15_counts counts; /* in finished iterations */
    unsigned iteration_count;
    p15_iteration iterations[P15_MULTI_MAX_LENGTH];
};

typedef struct {
    uint32_t task;  /* or P15_MULTI_NO_TASK */
    unsigned count; /* nodes on the stack */
    p15_counts counts;
    uint8_t path[P15_MULTI_MAX_LENGTH];
    p15_multi_node stack[MAX_STACK];
} search_slot;

struct p15_multi_worker {
    const p15_multi_problem *problem;
    p15_cpu cpu;
    p15_counts counts;     /* in tasks that have ended */
    p15_multi_search *own; /* of a batch's board */
    size_t board;
    double started;
    bool busy; /* with a board of a batch */
    search_slot slots[SLOTS];
};

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
static bool leads_home(const p15_multi_search *search, const uint8_t *path, unsigned length) {
    p15_shape shape = search->problem->shape;
    p15_board board = search->board;
    unsigned blank = p15_board_blank(board);
    for (unsigned i = 0; i < length; i++) {
        unsigned cell = path[i];
        bool along = blank / shape.cols == cell / shape.cols || blank % shape.cols == cell % shape.cols;
        if (cell >= shape.cells || cell == blank || !along) return false;
        board = p15_multi_slide(shape, board, blank, cell);
        blank = cell;
    }
    return board == search->problem->goal;
}

/* Expands nodes of a worker's slots in turn, until a slot has no node left or has found a solution, or no visit is
 * left. Returns this slot, or SLOTS. */
P15_INLINE unsigned run_slots(p15_multi_worker *worker, const p15_multi_search *search, uint64_t *visits, bool *solved,
                              assumptions given) {
    const p15_multi_problem *problem = search->problem;
    unsigned line_cells[P15_AXES] = {problem->shape.cols, problem->shape.rows};
    unsigned active[SLOTS], count = 0, bound = search->bound;
    for (unsigned i = 0; i < SLOTS; i++)
        if (worker->slots[i].task != P15_MULTI_NO_TASK) active[count++] = i;
    while (*visits > 0)
        for (unsigned i = 0; i < count; i++) {
            search_slot *slot = &worker->slots[active[i]];
            if (slot->count == 0) {
                *solved = false;
                return active[i];
            }
            --*visits;
            p15_multi_node node = slot->stack[--slot->count];
            if (node.depth) slot->path[node.depth - 1] = node.blank;
            unsigned left = bound - node.depth; /* at least 1 */
            p15_multi_node *children = &slot->stack[slot->count];
            unsigned made = expand(problem, &node, left - 1, children, given);
            slot->counts.expanded++;
            slot->counts.generated += line_cells[node.axis] - 1u;
            for (unsigned c = 0; c < made; c++) {
                unsigned h = 0;
                for (unsigned v = 0; v < given.lookups; v++) h |= children[c].value[v];
                if (h > 0) continue;
                slot->path[node.depth] = children[c].blank;
                if (leads_home(search, slot->path, node.depth + 1u)) {
                    *solved = true;
                    return active[i];
                }
            }
            if (left > 1) slot->count += made;
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

static unsigned run_slots_plain(p15_multi_worker *worker, const p15_multi_search *search, uint64_t *visits,
                                bool *solved) {
    return run_slots(worker, search, visits, solved, (assumptions){search->problem->lookup_count, false});
}

P15_TARGET_V3 static unsigned run_slots_v3(p15_multi_worker *worker, const p15_multi_search *search, uint64_t *visits,
                                           bool *solved) {
    if (is_common(search->problem)) return run_slots(worker, search, visits, solved, (assumptions){4, true});
    return run_slots(worker, search, visits, solved, (assumptions){search->problem->lookup_count, false});
}

typedef unsigned run_function(p15_multi_worker *, const p15_multi_search *, uint64_t *, bool *);

static run_function *const RUNS[] = P15_BY_LEVEL(run_slots_plain, run_slots_v3, run_slots_v3, run_slots_v3);

/* ------------------------------------------------------------------------------------------------ one board */

p15_status p15_multi_search_new(const p15_multi_problem *problem, p15_multi_search **search) {
    p15_multi_search *s = calloc(1, sizeof *s);
    task *tasks = malloc(sizeof *tasks * MAX_TASKS);
    if (!s || !tasks) {
        free(s);
        free(tasks);
        return P15_ERR_MEMORY;
    }
    s->problem = problem;
    s->tasks = tasks;
    s->ended = true;
    *search = s;
    return P15_OK;
}

void p15_multi_search_delete(p15_multi_search *search) {
    if (!search) return;
    free(search->tasks);
    free(search);
}

static void begin_iteration(p15_multi_search *search) {
    atomic_store(&search->cursor, 0);
    atomic_store(&search->best, P15_MULTI_NO_TASK);
    for (uint32_t i = 0; i < search->task_count; i++) {
        search->tasks[i].expanded = 0;
        atomic_store_explicit(&search->tasks[i].generated, NOT_ENDED, memory_order_relaxed);
    }
}

p15_status p15_multi_search_begin(p15_multi_search *search, p15_board board, unsigned limit) {
    const p15_multi_problem *problem = search->problem;
    p15_multi_node roots[P15_AXES];
    search->board = board;
    search->limit = limit;
    search->bound = 0;
    search->solved = false;
    search->ended = true;
    search->counts = (p15_counts){0, 0};
    search->iteration_count = 0;
    search->status = p15_multi_roots(problem, board, roots);
    if (search->status != P15_OK) return search->status;
    if (board == problem->goal) {
        search->solved = true;
        return P15_OK;
    }
    search->task_count = P15_AXES;
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        search->tasks[axis].node = roots[axis];
        search->tasks[axis].h = (uint8_t)p15_multi_node_h(problem, &roots[axis]);
    }
    unsigned bound = search->tasks[0].h < search->tasks[1].h ? search->tasks[0].h : search->tasks[1].h;
    search->bound = bound ? bound : 1;
    search->ended = search->bound > limit;
    begin_iteration(search);
    return P15_OK;
}

void p15_multi_search_result(const p15_multi_search *search, p15_result *result, p15_iteration *iterations) {
    memset(result, 0, sizeof *result);
    result->status = search->status;
    result->solved = search->solved && search->status == P15_OK;
    result->lower_bound = (uint8_t)search->bound;
    result->length = result->solved ? (uint8_t)search->bound : 0;
    if (result->solved) result->path[0] = (uint8_t)p15_board_blank(search->board);
    for (unsigned i = 1; i <= result->length; i++)
        result->path[i / 2] |= (uint8_t)(search->path[i - 1] << (4 * (i % 2)));
    result->expanded = search->counts.expanded;
    result->generated = search->counts.generated;
    result->iteration_count = search->iteration_count;
    if (iterations) memcpy(iterations, search->iterations, sizeof *iterations * search->iteration_count);
}

/* Replaces the roots by the nodes some moves below them, in the order in which a search meets them. Nodes further away
 * than any solution are left out. */
static p15_status split(p15_multi_search *search, p15_iteration *counts) {
    const p15_multi_problem *problem = search->problem;
    for (unsigned depth = 0; depth < MOST_PREFIX && search->task_count < ENOUGH_TASKS; depth++) {
        task *below = malloc(sizeof *below * MAX_TASKS);
        uint32_t count = 0;
        if (!below) return P15_ERR_MEMORY;
        for (uint32_t i = 0; i < search->task_count; i++) {
            p15_multi_node children[P15_MAX_LINE];
            unsigned made = expand(problem, &search->tasks[i].node, P15_MULTI_MAX_LENGTH, children,
                                   (assumptions){problem->lookup_count, false});
            counts->expanded++;
            counts->generated += made;
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
    return P15_OK;
}

bool p15_multi_search_advance(p15_multi_search *search) {
    if (search->ended) return false;
    uint_fast32_t best = atomic_load(&search->best);
    p15_iteration *iteration = &search->iterations[search->iteration_count++];
    *iteration = (p15_iteration){search->bound, 0, 0};
    for (uint32_t i = 0; i < search->task_count && i <= best; i++) {
        iteration->expanded += search->tasks[i].expanded;
        iteration->generated += atomic_load(&search->tasks[i].generated);
    }
    search->ended = search->solved = best != P15_MULTI_NO_TASK;
    if (search->solved) {
        memcpy(search->path, search->tasks[best].path, search->bound);
        if (!leads_home(search, search->path, search->bound)) search->status = P15_ERR_ANSWER;
    } else {
        search->bound++;
        search->ended = search->bound > search->limit;
        if (!search->ended && search->bound == P15_MULTI_MAX_LENGTH)
            search->status = P15_ERR_CORRUPT; /* no board is so far from home */
        else if (!search->ended && search->task_count == P15_AXES && iteration->generated > SPLIT_NODES)
            search->status = split(search, iteration);
        search->ended |= search->status != P15_OK;
    }
    p15_counts_add(&search->counts, (p15_counts){iteration->expanded, iteration->generated});
    begin_iteration(search);
    return !search->ended;
}

uint64_t p15_multi_search_generated(const p15_multi_search *search) {
    uint64_t sum = search->counts.generated;
    if (search->ended) return sum;
    for (uint32_t i = 0; i < search->task_count; i++) {
        uint64_t generated = atomic_load(&search->tasks[i].generated);
        if (generated == NOT_ENDED) break;
        sum += generated;
        if (i >= atomic_load(&search->best)) break;
    }
    return sum;
}

p15_status p15_multi_worker_new(const p15_multi_problem *problem, p15_multi_worker **worker) {
    p15_multi_worker *w = malloc(sizeof *w);
    if (!w) return P15_ERR_MEMORY;
    if (p15_multi_search_new(problem, &w->own) != P15_OK) {
        free(w);
        return P15_ERR_MEMORY;
    }
    w->problem = problem;
    w->cpu = problem->cpu;
    w->counts = (p15_counts){0, 0};
    w->busy = false;
    for (unsigned i = 0; i < SLOTS; i++) w->slots[i].task = P15_MULTI_NO_TASK;
    *worker = w;
    return P15_OK;
}

void p15_multi_worker_delete(p15_multi_worker *worker) {
    if (!worker) return;
    p15_multi_search_delete(worker->own);
    free(worker);
}

p15_counts p15_multi_worker_counts(const p15_multi_worker *worker) {
    p15_counts sum = worker->counts;
    for (unsigned i = 0; i < SLOTS; i++)
        if (worker->slots[i].task != P15_MULTI_NO_TASK) p15_counts_add(&sum, worker->slots[i].counts);
    return sum;
}

/* Gives a slot the next task whose node is within the bound. False when there is none before the best. */
static bool take(search_slot *slot, p15_multi_search *search) {
    uint_fast32_t index;
    while ((index = atomic_fetch_add(&search->cursor, 1)) < search->task_count) {
        task *next = &search->tasks[index];
        if (index > atomic_load(&search->best)) return false;
        if (next->h + next->node.depth > search->bound) {
            atomic_store(&next->generated, 0);
            continue;
        }
        slot->task = (uint32_t)index;
        slot->count = 1;
        slot->counts = (p15_counts){0, 0};
        slot->stack[0] = next->node;
        memcpy(slot->path, next->path, next->node.depth);
        return true;
    }
    return false;
}

static void end_task(p15_multi_worker *worker, search_slot *slot, p15_multi_search *search, bool solved) {
    task *ended = &search->tasks[slot->task];
    ended->expanded = slot->counts.expanded;
    p15_counts_add(&worker->counts, slot->counts);
    if (solved) {
        memcpy(ended->path, slot->path, search->bound);
        uint_fast32_t best = atomic_load(&search->best);
        while (slot->task < best && !atomic_compare_exchange_weak(&search->best, &best, slot->task));
    }
    atomic_store(&ended->generated, slot->counts.generated);
    slot->task = P15_MULTI_NO_TASK;
}

static bool run(p15_multi_worker *worker, p15_multi_search *search, uint64_t *visits) {
    if (search->ended) return false;
    for (;;) {
        bool any = false, solved = false;
        uint_fast32_t best = atomic_load(&search->best);
        for (unsigned i = 0; i < SLOTS; i++) {
            search_slot *slot = &worker->slots[i];
            if (slot->task != P15_MULTI_NO_TASK && slot->task > best) end_task(worker, slot, search, false);
            if (slot->task != P15_MULTI_NO_TASK || take(slot, search)) any = true;
        }
        if (!any) return false;
        if (*visits == 0) return true;
        unsigned ended = RUNS[worker->cpu](worker, search, visits, &solved);
        if (ended < SLOTS) end_task(worker, &worker->slots[ended], search, solved);
    }
}

bool p15_multi_worker_run(p15_multi_worker *worker, p15_multi_search *search, uint64_t visits) {
    return run(worker, search, &visits);
}

/* ------------------------------------------------------------------------------------------------ many boards */

static void end_board(p15_multi_worker *worker, p15_batch *batch) {
    p15_result *result = &batch->results[worker->board];
    p15_multi_search_result(worker->own, result, NULL);
    result->seconds = p15_clock_now() - worker->started;
    atomic_fetch_add(&batch->done, 1);
    for (unsigned i = 0; i < SLOTS; i++) worker->slots[i].task = P15_MULTI_NO_TASK; /* of a search that was stopped */
    worker->busy = false;
}

/* Begins the next board of a batch that takes a search; false if there is none, or no visit is left. */
static bool next_board(p15_multi_worker *worker, p15_batch *batch, uint64_t *visits) {
    p15_shape shape = worker->problem->shape;
    unsigned tiles = (shape.rows > shape.cols ? shape.rows : shape.cols) - 1u;
    while (p15_batch_take(batch, shape, worker->problem->goal, tiles, visits, &worker->board)) {
        --*visits;
        worker->started = p15_clock_now();
        p15_multi_search_begin(worker->own, batch->boards[worker->board], p15_batch_limit(batch, worker->board));
        if (!worker->own->ended) return true;
        end_board(worker, batch);
    }
    return false;
}

bool p15_multi_worker_run_batch(p15_multi_worker *worker, p15_batch *batch, uint64_t visits) {
    while (visits > 0) {
        if (!worker->busy) worker->busy = next_board(worker, batch, &visits);
        if (!worker->busy) break;
        p15_multi_search *search = worker->own;
        bool more = run(worker, search, &visits);
        bool over = batch->max_nodes && p15_multi_search_generated(search) > batch->max_nodes[worker->board];
        if (over || atomic_load(&batch->stopped) || (!more && !p15_multi_search_advance(search)))
            end_board(worker, batch);
    }
    return worker->busy || atomic_load(&batch->next) < batch->count;
}
