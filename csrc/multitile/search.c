#include "multitile/search.h"

#include "base/clock.h"
#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

#define LANES 8
#define MAX_STACK (P15_MULTI_MAX_LENGTH * (P15_MAX_LINE - 1) + 1)
#define SPLIT_NODES 2000 /* generated in an iteration, before the next one is shared by more than two tasks */
#define MOST_PREFIX 6    /* moves above a task */
#define ENOUGH_TASKS 256
#define MAX_TASKS (ENOUGH_TASKS * (P15_MAX_LINE - 1))

typedef struct {
    p15_multi_node node;
    uint8_t h;
    uint8_t path[P15_MULTI_MAX_LENGTH]; /* as of a result: of the moves above the node, and of a solution */
    uint64_t expanded, generated;       /* in the present iteration */
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
    uint64_t expanded, generated;
    unsigned iteration_count;
    p15_iteration iterations[P15_MULTI_MAX_LENGTH];
};

typedef struct {
    uint32_t task;  /* or P15_MULTI_NO_TASK */
    unsigned count; /* nodes on the stack */
    uint64_t expanded, generated;
    uint8_t path[P15_MULTI_MAX_LENGTH];
    p15_multi_node stack[MAX_STACK];
} lane;

struct p15_multi_worker {
    const p15_multi_problem *problem;
    p15_cpu cpu;
    uint64_t expanded, generated; /* in tasks that have ended */
    p15_multi_search *own;        /* of a batch's board */
    size_t board;
    double started;
    bool busy; /* with a board of a batch */
    lane lanes[LANES];
};

/* ------------------------------------------------------------------------------------------------ one node */

/* The larger one of each pair of bytes; all are below 128. */
P15_INLINE uint64_t larger(uint64_t a, uint64_t b) {
    const uint64_t top = UINT64_C(0x8080808080808080);
    uint64_t a_is = (((a | top) - b) & top) >> 7; /* 1 where a >= b */
    uint64_t mask = a_is * 255u;
    return (a & mask) | (b & ~mask);
}

/* The cell of the board at a place of a line through `blank`. */
P15_INLINE unsigned line_cell(p15_shape shape, unsigned axis, unsigned blank, unsigned place) {
    return axis == 0 ? blank / shape.cols * shape.cols + place : place * shape.cols + blank % shape.cols;
}

/* Writes the children whose values are at most `most`, and asks for their entries; returns how many. */
P15_INLINE unsigned expand(const p15_multi_problem *problem, const p15_multi_node *node, unsigned most,
                           p15_multi_node *children) {
    p15_shape shape = problem->shape;
    unsigned axis = node->axis, views = problem->view_count, count = 0;
    unsigned length = axis == 0 ? shape.cols : shape.rows;
    unsigned here = axis == 0 ? node->blank % shape.cols : node->blank / shape.cols;
    uint64_t values[P15_MULTI_MAX_VIEWS], largest = 0;
    for (unsigned v = 0; v < views; v++) {
        const p15_multi_view *view = &problem->views[v];
        const p15_lines *lines = view->table->lines;
        unsigned cell = view->mirrored[axis] ? length - 1 - here : here;
        size_t entry = (size_t)node->block[v] * lines->perm_count + node->perm[v];
        uint64_t bytewise =
            p15_multi_values(view->table, axis ^ view->transposed, entry, length, cell, node->value[v]);
        if (view->mirrored[axis]) {
            uint64_t back = 0;
            for (unsigned i = 0; i < length; i++) back |= (bytewise >> (8 * i) & 255u) << (8 * (length - 1 - i));
            bytewise = back;
        }
        values[v] = bytewise;
        largest = larger(largest, bytewise);
    }
    for (unsigned place = length; place-- > 0;) {
        if ((largest >> (8 * place) & 255u) > most || place == here) continue;
        p15_multi_node *child = &children[count++];
        child->axis = (uint8_t)(1 - axis);
        child->blank = (uint8_t)line_cell(shape, axis, node->blank, place);
        child->depth = (uint8_t)(node->depth + 1);
        unsigned child_bytes = p15_multi_entry_bytes(axis == 0 ? shape.rows : shape.cols);
        for (unsigned v = 0; v < views; v++) {
            const p15_multi_view *view = &problem->views[v];
            const p15_lines *lines = view->table->lines;
            unsigned view_axis = axis ^ view->transposed;
            unsigned cell = view->mirrored[axis] ? length - 1 - place : place;
            p15_turn turn = lines->turns[view_axis][node->block[v] * P15_MAX_LINE + cell];
            child->block[v] = turn.block;
            child->perm[v] = lines->reorder[turn.order * lines->perm_count + node->perm[v]];
            child->value[v] = (uint8_t)(values[v] >> (8 * place));
            size_t entry = (size_t)turn.block * lines->perm_count + child->perm[v];
            P15_PREFETCH(view->table->entries[1 - view_axis] + entry * child_bytes);
        }
    }
    return count;
}

/* Whether the moves of a path lead to the goal. */
static bool leads_home(const p15_multi_search *search, const uint8_t *path, unsigned length) {
    p15_board board = search->board;
    unsigned blank = p15_board_blank(board);
    for (unsigned i = 0; i < length; i++) {
        board = p15_multi_slide(search->problem->shape, board, blank, path[i]);
        blank = path[i];
    }
    return board == search->problem->goal;
}

/* Expands nodes of a worker's lanes in turn, until a lane has no node left or has found a solution, or no visit is
 * left. Returns this lane, or LANES. */
P15_INLINE unsigned run_lanes(p15_multi_worker *worker, const p15_multi_search *search, uint64_t *visits,
                              bool *solved) {
    const p15_multi_problem *problem = search->problem;
    unsigned line_cells[P15_AXES] = {problem->shape.cols, problem->shape.rows};
    unsigned active[LANES], count = 0, bound = search->bound;
    for (unsigned i = 0; i < LANES; i++)
        if (worker->lanes[i].task != P15_MULTI_NO_TASK) active[count++] = i;
    while (*visits > 0)
        for (unsigned i = 0; i < count; i++) {
            lane *l = &worker->lanes[active[i]];
            if (l->count == 0) {
                *solved = false;
                return active[i];
            }
            --*visits;
            p15_multi_node node = l->stack[--l->count];
            if (node.depth) l->path[node.depth - 1] = node.blank;
            unsigned left = bound - node.depth; /* at least 1: a child of value 0 is looked at below */
            p15_multi_node *children = &l->stack[l->count];
            unsigned made = expand(problem, &node, left - 1, children);
            l->expanded++;
            l->generated += line_cells[node.axis] - 1u;
            for (unsigned c = 0; c < made; c++) {
                if (p15_multi_node_h(problem, &children[c]) > 0) continue;
                l->path[node.depth] = children[c].blank;
                if (leads_home(search, l->path, node.depth + 1u)) {
                    *solved = true;
                    return active[i];
                }
            }
            if (left > 1) l->count += made;
            if (*visits == 0) break;
        }
    return LANES;
}

static unsigned run_lanes_plain(p15_multi_worker *worker, const p15_multi_search *search, uint64_t *visits,
                                bool *solved) {
    return run_lanes(worker, search, visits, solved);
}

P15_TARGET_V3 static unsigned run_lanes_v3(p15_multi_worker *worker, const p15_multi_search *search,
                                           uint64_t *visits, bool *solved) {
    return run_lanes(worker, search, visits, solved);
}

typedef unsigned run_function(p15_multi_worker *, const p15_multi_search *, uint64_t *, bool *);

static run_function *const RUNS[] = P15_BY_LEVEL(run_lanes_plain, run_lanes_v3, run_lanes_v3, run_lanes_v3);

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
    for (uint32_t i = 0; i < search->task_count; i++) search->tasks[i].expanded = search->tasks[i].generated = 0;
}

p15_status p15_multi_search_begin(p15_multi_search *search, p15_board board, unsigned limit) {
    const p15_multi_problem *problem = search->problem;
    p15_multi_node roots[P15_AXES];
    search->board = board;
    search->limit = limit;
    search->bound = 0;
    search->solved = false;
    search->ended = true;
    search->expanded = search->generated = 0;
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
    search->ended = search->bound > limit || search->bound >= P15_MULTI_MAX_LENGTH;
    begin_iteration(search);
    return P15_OK;
}

void p15_multi_search_result(const p15_multi_search *search, p15_multi_result *result, p15_iteration *iterations) {
    memset(result, 0, sizeof *result);
    result->status = search->status;
    result->solved = search->solved;
    result->lower_bound = (uint8_t)search->bound;
    result->length = search->solved ? (uint8_t)search->bound : 0;
    memcpy(result->path, search->path, search->solved ? search->bound : 0);
    result->expanded = search->expanded;
    result->generated = search->generated;
    result->iteration_count = search->iteration_count;
    if (iterations) memcpy(iterations, search->iterations, sizeof *iterations * search->iteration_count);
}

/* Replaces the roots by the nodes some moves below them, in the order in which a search meets them. */
static p15_status split(p15_multi_search *search, p15_iteration *counts) {
    const p15_multi_problem *problem = search->problem;
    for (unsigned depth = 0; depth < MOST_PREFIX && search->task_count < ENOUGH_TASKS; depth++) {
        task *below = malloc(sizeof *below * MAX_TASKS);
        uint32_t count = 0;
        if (!below) return P15_ERR_MEMORY;
        for (uint32_t i = 0; i < search->task_count; i++) {
            p15_multi_node children[P15_MAX_LINE];
            unsigned made = expand(problem, &search->tasks[i].node, 255, children);
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
        iteration->generated += search->tasks[i].generated;
    }
    search->ended = search->solved = best != P15_MULTI_NO_TASK;
    if (search->solved)
        memcpy(search->path, search->tasks[best].path, search->bound);
    else {
        search->bound++;
        search->ended = search->bound > search->limit || search->bound >= P15_MULTI_MAX_LENGTH;
        if (search->task_count == P15_AXES && iteration->generated > SPLIT_NODES && !search->ended) {
            search->status = split(search, iteration);
            search->ended = search->status != P15_OK;
        }
    }
    search->expanded += iteration->expanded;
    search->generated += iteration->generated;
    begin_iteration(search);
    return !search->ended;
}

p15_status p15_multi_worker_new(const p15_multi_problem *problem, p15_multi_worker **worker) {
    p15_multi_worker *w = malloc(sizeof *w);
    if (!w) return P15_ERR_MEMORY;
    if (p15_multi_search_new(problem, &w->own) != P15_OK) {
        free(w);
        return P15_ERR_MEMORY;
    }
    w->problem = problem;
    w->cpu = p15_cpu_pick();
    w->expanded = w->generated = 0;
    w->busy = false;
    for (unsigned i = 0; i < LANES; i++) w->lanes[i].task = P15_MULTI_NO_TASK;
    *worker = w;
    return P15_OK;
}

void p15_multi_worker_delete(p15_multi_worker *worker) {
    if (!worker) return;
    p15_multi_search_delete(worker->own);
    free(worker);
}

uint64_t p15_multi_worker_generated(const p15_multi_worker *worker) {
    uint64_t running = 0;
    for (unsigned i = 0; i < LANES; i++)
        if (worker->lanes[i].task != P15_MULTI_NO_TASK) running += worker->lanes[i].generated;
    return worker->generated + running;
}

uint64_t p15_multi_worker_expanded(const p15_multi_worker *worker) {
    uint64_t running = 0;
    for (unsigned i = 0; i < LANES; i++)
        if (worker->lanes[i].task != P15_MULTI_NO_TASK) running += worker->lanes[i].expanded;
    return worker->expanded + running;
}

/* Gives a lane the next task whose node is within the bound. False when there is none before the best. */
static bool take(lane *l, p15_multi_search *search) {
    uint_fast32_t index;
    while ((index = atomic_fetch_add(&search->cursor, 1)) < search->task_count) {
        const task *next = &search->tasks[index];
        if (index > atomic_load(&search->best)) return false;
        if (next->h + next->node.depth > search->bound) continue;
        l->task = (uint32_t)index;
        l->count = 1;
        l->expanded = l->generated = 0;
        l->stack[0] = next->node;
        memcpy(l->path, next->path, next->node.depth);
        return true;
    }
    return false;
}

static void end_task(p15_multi_worker *worker, lane *l, p15_multi_search *search, bool solved) {
    task *ended = &search->tasks[l->task];
    ended->expanded = l->expanded;
    ended->generated = l->generated;
    worker->expanded += l->expanded;
    worker->generated += l->generated;
    if (solved) {
        memcpy(ended->path, l->path, search->bound);
        uint_fast32_t best = atomic_load(&search->best);
        while (l->task < best && !atomic_compare_exchange_weak(&search->best, &best, l->task));
    }
    l->task = P15_MULTI_NO_TASK;
}

static bool run(p15_multi_worker *worker, p15_multi_search *search, uint64_t *visits) {
    if (search->ended) return false;
    for (;;) {
        bool any = false, solved = false;
        uint_fast32_t best = atomic_load(&search->best);
        for (unsigned i = 0; i < LANES; i++) {
            lane *l = &worker->lanes[i];
            if (l->task != P15_MULTI_NO_TASK && l->task > best) end_task(worker, l, search, false);
            if (l->task != P15_MULTI_NO_TASK || take(l, search)) any = true;
        }
        if (!any) return false;
        if (*visits == 0) return true;
        unsigned ended = RUNS[worker->cpu](worker, search, visits, &solved);
        if (ended < LANES) end_task(worker, &worker->lanes[ended], search, solved);
    }
}

bool p15_multi_worker_run(p15_multi_worker *worker, p15_multi_search *search, uint64_t visits) {
    return run(worker, search, &visits);
}

/* ------------------------------------------------------------------------------------------------ many boards */

void p15_multi_batch_start(const p15_board *boards, const uint8_t *limits, p15_multi_result *results, size_t count,
                           p15_multi_batch *batch) {
    batch->boards = boards;
    batch->limits = limits;
    batch->results = results;
    batch->count = count;
    atomic_init(&batch->next, 0);
    atomic_init(&batch->done, 0);
}

/* Begins the next board of a batch that takes a search; false if there is none, or no visit is left. */
static bool next_board(p15_multi_worker *worker, p15_multi_batch *batch, uint64_t *visits) {
    while (*visits > 0 && (worker->board = atomic_fetch_add(&batch->next, 1)) < batch->count) {
        p15_multi_result *result = &batch->results[worker->board];
        --*visits;
        if (result->status == P15_OK) {
            worker->started = p15_clock_now();
            p15_status status = p15_multi_search_begin(worker->own, batch->boards[worker->board],
                                                       batch->limits ? batch->limits[worker->board]
                                                                     : P15_MULTI_NO_LIMIT);
            if (status == P15_OK && !worker->own->ended) return true;
            p15_multi_search_result(worker->own, result, NULL);
            result->seconds = p15_clock_now() - worker->started;
        }
        atomic_fetch_add(&batch->done, 1);
    }
    return false;
}

bool p15_multi_worker_run_batch(p15_multi_worker *worker, p15_multi_batch *batch, uint64_t visits) {
    while (visits > 0) {
        if (!worker->busy) worker->busy = next_board(worker, batch, &visits);
        if (!worker->busy || run(worker, worker->own, &visits)) break;
        if (p15_multi_search_advance(worker->own)) continue;
        p15_multi_result *result = &batch->results[worker->board];
        p15_multi_search_result(worker->own, result, NULL);
        result->seconds = p15_clock_now() - worker->started;
        atomic_fetch_add(&batch->done, 1);
        worker->busy = false;
    }
    return worker->busy || atomic_load(&batch->next) < batch->count;
}
