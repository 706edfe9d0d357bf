#include "optimal/worker.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* One depth-first search below a record. */
typedef struct {
    p15_idastar *search; /* NULL: idle */
    uint32_t record;     /* P15_NO_RECORD: it has just come to the iteration */
    uint32_t order;      /* staying fringe: of the subtree in its iteration */
    unsigned joined;     /* 1 + the number of the iteration it has joined, 0 for none */
    p15_stack stack;
    uint32_t answer_order; /* the first subtree that this lane solved in the iteration, P15_NO_SUBTREE for none */
    p15_answer answer;
    uint64_t expanded, generated; /* staying fringe: in the subtrees that it has searched in the iteration */
    size_t board;                 /* of the batch */
    bool waiting;                 /* the board's search, which it has left, waits for longer words */
    double started;
} lane;

struct p15_worker {
    const p15_problem *problem;
    uint64_t expanded, generated; /* but below the lanes' present records */
    unsigned lane_count;
    lane lanes[P15_MAX_LANES];
    p15_idastar *searches[P15_MAX_LANES]; /* the lanes' own, for batches */
};

/* ------------------------------------------------------------------------------------------------ lanes */

typedef enum { LANE_RUNNING, LANE_EXHAUSTED, LANE_SOLVED } lane_end;

/* Books the nodes below the lane's record. */
P15_INLINE void book(p15_worker *w, lane *l) {
    p15_idastar *search = l->search;
    const p15_stack *stack = &l->stack;
    w->expanded += stack->expanded;
    w->generated += stack->generated;
    if (search->moving) {
        search->moved_expanded += stack->expanded;
        search->moved_generated += stack->generated;
    } else if (l->record != P15_NO_RECORD) {
        p15_subtree *s = &search->subtrees[search->order[l->order]];
        s->expanded = stack->expanded;
        s->generated = stack->generated;
        s->min_h = (uint16_t)stack->min_h;
        l->expanded += stack->expanded;
        l->generated += stack->generated;
    }
    l->stack.expanded = l->stack.generated = 0;
}

/* Ends the work below the lane's record and goes on with the next one that can still matter; false: there is none. */
P15_INLINE bool next_record(p15_worker *w, lane *l, unsigned views, unsigned places) {
    p15_idastar *search = l->search;
    book(w, l);
    if (search->moving) {
        l->record = p15_idastar_next(search, places);
    } else {
        l->order = atomic_fetch_add(&search->cursor, 1);
        bool none = l->order >= search->order_count || l->order > atomic_load(&search->best);
        l->record = none ? P15_NO_RECORD : search->subtrees[search->order[l->order]].record;
    }
    l->stack.bound = search->bound;
    if (l->record == P15_NO_RECORD) return false;
    p15_idastar_load(search, l->record, views, places, &l->stack);
    return true;
}

P15_INLINE lane_end visit_lane(p15_worker *w, lane *l, unsigned views, unsigned places, bool axes, bool classic) {
    const p15_problem *problem = w->problem;
    p15_stack *stack = &l->stack;
    if (l->record == P15_NO_RECORD) {
        if (!next_record(w, l, views, places)) return LANE_EXHAUSTED;
        p15_stack_ask(problem, stack, views, places, axes, classic);
        return LANE_RUNNING;
    }
    unsigned beyond;
    if (p15_stack_take(problem, stack, views, places, classic, &beyond)) return LANE_SOLVED;
    if (l->search->keeping && beyond && !p15_idastar_keep(l->search, stack, l->record, beyond, views, places))
        return LANE_EXHAUSTED;
    p15_node *n = stack->top;
    while (n->waiting_count == 0) {
        if (p15_stack_at_root(stack, n)) {
            if (!next_record(w, l, views, places)) return LANE_EXHAUSTED;
            p15_stack_ask(problem, stack, views, places, axes, classic);
            return LANE_RUNNING;
        }
        n = p15_node_parent(n, views, places);
    }
    p15_stack_descend(problem, stack, n, views, places);
    p15_stack_ask(problem, stack, views, places, axes, classic);
    return LANE_RUNNING;
}

/* Visits the busy lanes in turn until one ends or *visits is used up. Returns the lane that ended, or lane_count. */
P15_INLINE unsigned run_lanes(p15_worker *w, uint64_t *visits, lane_end *end, unsigned views, unsigned places,
                              bool axes, bool classic) {
    while (*visits > 0) {
        unsigned busy = 0;
        for (unsigned i = 0; i < w->lane_count; i++) {
            if (!w->lanes[i].search) continue;
            busy++;
            *end = visit_lane(w, &w->lanes[i], views, places, axes, classic);
            if (*end != LANE_RUNNING) return i;
        }
        *visits -= busy < *visits ? busy : *visits;
        if (!busy) break;
    }
    return w->lane_count;
}

typedef unsigned run_function(p15_worker *, uint64_t *, lane_end *);

#define RUN_FUNCTION(name, views, places, axes, classic)                                            \
    static unsigned run_##name##_plain(p15_worker *w, uint64_t *visits, lane_end *end) {            \
        return run_lanes(w, visits, end, views, places, axes, classic);                             \
    }                                                                                               \
    P15_TARGET_V3 static unsigned run_##name##_v3(p15_worker *w, uint64_t *visits, lane_end *end) { \
        return run_lanes(w, visits, end, views, places, axes, classic);                             \
    }                                                                                               \
    static run_function *const RUN_##name[] =                                                       \
        P15_BY_LEVEL(run_##name##_plain, run_##name##_v3, run_##name##_v3, run_##name##_v3);
RUN_FUNCTION(halves, 2, 4, true, false)  /* two patterns and their reflection */
RUN_FUNCTION(thirds, 4, 12, true, false) /* two partitions of three patterns and their reflections */
RUN_FUNCTION(views, w->problem->view_count, w->problem->place_count, false, false)
RUN_FUNCTION(classic_views, w->problem->view_count, w->problem->place_count, false, true)

static run_function *pick_run(const p15_problem *problem) {
    if (problem->classic) return RUN_classic_views[problem->cpu];
    bool axes = true;
    for (unsigned v = 0; v < problem->view_count; v++) axes &= problem->views[v].transposed == (v % 2 == 1);
    if (axes && problem->view_count == 2 && problem->place_count == 4) return RUN_halves[problem->cpu];
    if (axes && problem->view_count == 4 && problem->place_count == 12) return RUN_thirds[problem->cpu];
    return RUN_views[problem->cpu];
}

static bool make_lane(const p15_problem *problem, lane *l) {
    memset(l, 0, sizeof *l);
    l->answer_order = P15_NO_SUBTREE;
    l->stack.frames = malloc(p15_frame_bytes(problem->view_count, problem->place_count) * (P15_MAX_LENGTH + 2));
    return l->stack.frames != NULL;
}

/* Gives an idle lane to the iteration of a search. */
static void join(lane *l, p15_idastar *search) {
    l->search = search;
    l->record = P15_NO_RECORD;
    l->expanded = l->generated = 0;
    l->stack.expanded = l->stack.generated = 0;
    l->answer_order = P15_NO_SUBTREE;
}

/* Books the answer of a lane. */
static void finish_lane(p15_worker *w, lane *l) {
    p15_idastar *search = l->search;
    book(w, l);
    l->answer_order = search->moving ? 0 : l->order;
    p15_idastar_answer(search, &l->stack, l->record, &l->answer);
    unsigned best = atomic_load(&search->best);
    while (l->answer_order < best && !atomic_compare_exchange_weak(&search->best, &best, l->answer_order)) {
    }
    l->search = NULL;
}

/* ------------------------------------------------------------------------------------------------ workers */

p15_status p15_worker_new(const p15_problem *problem, p15_worker **worker) {
    p15_worker *w = calloc(1, sizeof *w);
    if (!w) return P15_ERR_MEMORY;
    w->problem = problem;
    w->lane_count = problem->lane_count < P15_MAX_LANES ? problem->lane_count : P15_MAX_LANES;
    for (unsigned i = 0; i < w->lane_count; i++)
        if (!make_lane(problem, &w->lanes[i]) || !(w->searches[i] = p15_idastar_empty(problem))) {
            p15_worker_delete(w);
            return P15_ERR_MEMORY;
        }
    *worker = w;
    return P15_OK;
}

void p15_worker_delete(p15_worker *worker) {
    if (!worker) return;
    for (unsigned i = 0; i < worker->lane_count; i++) {
        free(worker->lanes[i].stack.frames);
        p15_idastar_delete(worker->searches[i]);
    }
    free(worker);
}

uint64_t p15_worker_generated(const p15_worker *worker) {
    uint64_t running = 0;
    for (unsigned i = 0; i < worker->lane_count; i++)
        if (worker->lanes[i].search) running += worker->lanes[i].stack.generated;
    return worker->generated + running;
}

uint64_t p15_worker_expanded(const p15_worker *worker) {
    uint64_t running = 0;
    for (unsigned i = 0; i < worker->lane_count; i++)
        if (worker->lanes[i].search) running += worker->lanes[i].stack.expanded;
    return worker->expanded + running;
}

static unsigned busy_lanes(const p15_worker *w) {
    unsigned busy = 0;
    for (unsigned i = 0; i < w->lane_count; i++) busy += w->lanes[i].search != NULL;
    return busy;
}

bool p15_worker_run(p15_worker *worker, p15_idastar *search, uint64_t visits) {
    run_function *run = pick_run(worker->problem);
    if (search->ended || search->status != P15_OK) return false;
    for (;;) {
        uint32_t best = atomic_load(&search->best);
        for (unsigned i = 0; i < worker->lane_count; i++) {
            lane *l = &worker->lanes[i];
            if (!search->moving && l->search && l->record != P15_NO_RECORD && l->order > best) {
                worker->expanded += l->stack.expanded;
                worker->generated += l->stack.generated;
                l->search = NULL;
            }
            if (l->search || l->joined == search->iteration_count + 1) continue;
            l->joined = search->iteration_count + 1;
            /* a moving fringe is one lane's work: the order of its records must not depend on who was faster */
            if (!search->moving || atomic_fetch_add(&search->cursor, 1) == 0) join(l, search);
        }
        if (busy_lanes(worker) == 0) return false;
        if (visits == 0) return true;
        lane_end end = LANE_RUNNING;
        unsigned ended = run(worker, &visits, &end);
        if (ended == worker->lane_count) continue;
        if (end == LANE_SOLVED)
            finish_lane(worker, &worker->lanes[ended]);
        else
            worker->lanes[ended].search = NULL;
    }
}

bool p15_idastar_advance(p15_idastar *search, p15_worker *const *workers, unsigned worker_count) {
    if (search->ended) return false;
    uint32_t best = atomic_load(&search->best);
    const p15_answer *found = NULL;
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->lane_count; i++) {
            lane *l = &workers[w]->lanes[i];
            if (best != P15_NO_SUBTREE && l->answer_order == best) found = &l->answer;
            l->search = NULL;
        }
    bool more = p15_idastar_end_iteration(search, found);
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->lane_count; i++) {
            workers[w]->lanes[i].answer_order = P15_NO_SUBTREE;
            workers[w]->lanes[i].joined = 0;
        }
    return more;
}

uint64_t p15_idastar_generated(const p15_idastar *search, p15_worker *const *workers, unsigned worker_count) {
    uint32_t best = atomic_load(&search->best), first = best == P15_NO_SUBTREE ? search->order_count : best + 1;
    uint64_t below = 0;
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->lane_count; i++) {
            const lane *l = &workers[w]->lanes[i];
            if (!l->search || l->record == P15_NO_RECORD || (!search->moving && l->order >= first)) continue;
            first = l->order;
            below = l->stack.generated;
        }
    uint32_t taken = atomic_load(&search->cursor);
    return search->generated + p15_idastar_iteration(search, first < taken ? first : taken).generated + below;
}

/* ------------------------------------------------------------------------------------------------ batches */

void p15_batch_start(const p15_board *boards, const uint8_t *limits, const uint64_t *max_nodes, p15_result *results,
                     size_t count, p15_batch *batch) {
    batch->boards = boards;
    batch->limits = limits;
    batch->max_nodes = max_nodes;
    batch->moves = NULL;
    batch->results = results;
    batch->count = count;
    atomic_init(&batch->next, 0);
    atomic_init(&batch->done, 0);
    atomic_init(&batch->stopped, false);
    atomic_init(&batch->wants_words, false);
}

void p15_batch_stop(p15_batch *batch) { atomic_store(&batch->stopped, true); }

bool p15_batch_wants_words(const p15_batch *batch, const p15_problem *problem) {
    return atomic_load(&((p15_batch *)batch)->wants_words) && !atomic_load(&((p15_problem *)problem)->longer);
}

size_t p15_batch_done(const p15_batch *batch) { return atomic_load(&((p15_batch *)batch)->done); }

/* What beginning a board takes, in visits: of some boards that is all that they take. */
#define BOARD_VISITS 16

/* Gives a lane boards of the batch until one needs visits. False when none is left, or the visits that may be made do
 * not allow for another one. */
static bool next_board(p15_worker *w, unsigned index, p15_batch *batch, uint64_t *visits) {
    lane *l = &w->lanes[index];
    p15_idastar *search = w->searches[index];
    l->search = NULL;
    while (*visits > 0 && (l->board = atomic_fetch_add(&batch->next, 1)) < batch->count) {
        p15_result *result = &batch->results[l->board];
        if (result->status == P15_OK) {
            *visits -= *visits < BOARD_VISITS ? *visits : BOARD_VISITS;
            l->started = p15_clock_now();
            unsigned limit = batch->limits ? batch->limits[l->board] : P15_NO_LIMIT;
            if (atomic_load(&batch->stopped)) limit = 0;
            p15_status status =
                batch->moves ? p15_idastar_begin_child(search, batch->boards[l->board], batch->moves[l->board], limit)
                             : p15_idastar_begin(search, batch->boards[l->board], limit);
            if (status == P15_OK && !search->ended) {
                join(l, search);
                return true;
            }
            p15_idastar_result(search, result, NULL);
            result->status = status;
            result->seconds = p15_clock_now() - l->started;
        } else {
            --*visits;
        }
        atomic_fetch_add(&batch->done, 1);
    }
    return false;
}

/* The nodes of a lane's board so far. */
static p15_iteration board_nodes(const lane *l) {
    const p15_idastar *search = l->search;
    p15_iteration nodes = {.bound = search->bound};
    nodes.expanded = search->expanded + l->stack.expanded + (search->moving ? search->moved_expanded : l->expanded);
    nodes.generated =
        search->generated + l->stack.generated + (search->moving ? search->moved_generated : l->generated);
    return nodes;
}

/* How many times each lane may be visited, at most `most` and at least once, before a board may have generated more
 * than its limit. A visit generates a child per direction at most. */
static uint64_t visits_within(const p15_worker *w, const p15_batch *batch, uint64_t most) {
    for (unsigned i = 0; i < w->lane_count; i++) {
        const lane *l = &w->lanes[i];
        if (!l->search) continue;
        uint64_t left = (batch->max_nodes[l->board] - board_nodes(l).generated) / P15_DIRECTIONS;
        if (left < most) most = left;
    }
    return most > 0 ? most : 1;
}

static bool is_over(const lane *l, const p15_batch *batch) {
    return l->search && board_nodes(l).generated > batch->max_nodes[l->board];
}

/* Ends the search of a lane's board where it is. */
static void cut_short(p15_worker *w, lane *l) {
    p15_idastar *search = l->search;
    book(w, l);
    p15_iteration nodes = board_nodes(l);
    search->expanded = nodes.expanded;
    search->generated = nodes.generated;
}

/* Writes the result of a lane's board. */
static void write_result(const p15_worker *w, unsigned index, p15_batch *batch, unsigned busy) {
    const lane *l = &w->lanes[index];
    p15_result *result = &batch->results[l->board];
    p15_idastar_result(w->searches[index], result, NULL);
    result->seconds = (p15_clock_now() - l->started) / busy;
    atomic_fetch_add(&batch->done, 1);
}

/* Lets a lane go on with its board's next iteration; false: the search waits for longer words. */
static bool go_on(p15_worker *w, unsigned index, p15_batch *batch) {
    lane *l = &w->lanes[index];
    p15_idastar *search = w->searches[index];
    l->waiting = false;
    if (p15_idastar_wants_words(search)) {
        if (atomic_load(&w->problem->longer)) {
            p15_idastar_lengthen(search);
        } else {
            l->waiting = true;
            l->search = NULL;
            atomic_store(&batch->wants_words, true);
            return false;
        }
    }
    join(l, search);
    return true;
}

bool p15_worker_run_batch(p15_worker *worker, p15_batch *batch, uint64_t visits) {
    run_function *run = pick_run(worker->problem);
    unsigned busy = busy_lanes(worker), waiting = 0;
    bool stopped = atomic_load(&batch->stopped);
    for (unsigned i = 0; i < worker->lane_count; i++) {
        lane *l = &worker->lanes[i];
        if ((l->search || l->waiting) && stopped) {
            if (l->search) cut_short(worker, l);
            write_result(worker, i, batch, busy ? busy : 1);
            l->search = NULL;
            l->waiting = false;
        }
        if (l->waiting)
            go_on(worker, i, batch);
        else if (!l->search)
            next_board(worker, i, batch, &visits);
    }
    busy = busy_lanes(worker);
    while (visits > 0 && busy > 0) {
        uint64_t given = batch->max_nodes ? busy * visits_within(worker, batch, visits / busy) : visits, left = given;
        lane_end end = LANE_RUNNING;
        unsigned ended = run(worker, &left, &end);
        visits -= given - left < visits ? given - left : visits;
        for (unsigned i = 0; batch->max_nodes && i < worker->lane_count; i++) {
            if (!is_over(&worker->lanes[i], batch)) continue;
            if (i == ended) ended = worker->lane_count;
            cut_short(worker, &worker->lanes[i]);
            write_result(worker, i, batch, busy);
            if (!next_board(worker, i, batch, &visits)) busy--;
        }
        if (ended == worker->lane_count) continue;
        lane *l = &worker->lanes[ended];
        p15_idastar *search = worker->searches[ended];
        if (end == LANE_SOLVED) finish_lane(worker, l);
        if (p15_idastar_end_iteration(search, &l->answer)) {
            if (!go_on(worker, ended, batch)) busy--;
            continue;
        }
        write_result(worker, ended, batch, busy);
        if (!next_board(worker, ended, batch, &visits)) busy--;
    }
    for (unsigned i = 0; i < worker->lane_count; i++) waiting += worker->lanes[i].waiting;
    return busy > 0 || waiting > 0 || atomic_load(&batch->next) < batch->count;
}
