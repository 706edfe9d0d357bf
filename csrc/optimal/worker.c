#include "optimal/worker.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* One search below a subtree of a fringe. */
typedef struct {
    p15_idastar *search; /* NULL: idle */
    bool searching;      /* whether it has a subtree; false: it has just come to the iteration */
    uint32_t turn;       /* of the subtree in its iteration */
    uint32_t at, end;    /* nodes of the subtree that it has not taken yet */
    unsigned joined;     /* 1 + the number of the iteration it has joined, 0 for none */
    uint64_t most;       /* nodes that may be generated in the iteration */
    p15_nodes nodes;     /* to be expanded, the next ones last */
    p15_group *group;
    void *memory;         /* that the group lies in */
    uint32_t answer_turn; /* the first subtree that this lane solved in the iteration, P15_NO_SUBTREE for none */
    p15_answer answer;
    p15_counts counts;   /* below the present subtree */
    p15_counts searched; /* below those that it has searched in the iteration */
    size_t board;        /* of the batch */
    bool waiting;        /* the board's search, which it has left, waits for longer words */
    double started;
} lane;

struct p15_worker {
    const p15_problem *problem;
    p15_steps steps;
    p15_counts counts; /* but below the lanes' present subtrees */
    unsigned lane_count;
    lane lanes[P15_MAX_LANES];
    p15_idastar *searches[P15_MAX_LANES]; /* the lanes' own, for batches */
};

/* ------------------------------------------------------------------------------------------------ lanes */

typedef enum { LANE_RUNNING, LANE_EXHAUSTED, LANE_SOLVED, LANE_OVER } lane_end; /* over: beyond its most nodes */

/* Adds up the nodes below the lane's subtree. */
static void add_counts(p15_worker *w, lane *l) {
    p15_idastar *search = l->search;
    p15_counts_add(&w->counts, l->counts);
    p15_counts_add(&l->searched, l->counts);
    if (l->searching) search->subtrees[search->turn[l->turn]].counts = l->counts;
    l->counts = (p15_counts){0, 0};
}

/* Ends the work below the lane's subtree and goes on with the next one that can still matter; false: there is none. */
static bool next_subtree(p15_worker *w, lane *l) {
    p15_idastar *search = l->search;
    add_counts(w, l);
    l->turn = atomic_fetch_add(&search->cursor, 1);
    l->searching = l->turn < search->turn_count && l->turn <= atomic_load(&search->best);
    if (!l->searching) return false;
    const p15_subtree *s = &search->subtrees[search->turn[l->turn]];
    l->at = s->begin;
    l->end = s->end;
    l->nodes.count = 0;
    return true;
}

/* Lets the lane have `count` nodes, at most P15_GROUP, if its subtree has as many. False for want of memory. */
static bool refill(lane *l, unsigned count) {
    p15_idastar *search = l->search;
    uint32_t within[P15_GROUP];
    unsigned begin = l->nodes.count, taken = 0;
    if (!p15_nodes_reserve(&l->nodes, P15_GROUP)) return false;
    while (begin + taken < count && l->at < l->end) {
        uint32_t i = search->order[l->at++];
        if (p15_node_h(&search->fringe, i) + p15_node_depth(&search->fringe, i) <= search->bound) {
            within[taken++] = i;
        } else if (search->keeping) {
            if (!p15_nodes_reserve(&search->next, 1)) return false;
            p15_nodes_push(&search->next, &search->fringe, &i, 1);
        }
    }
    p15_nodes_push(&l->nodes, &search->fringe, within, taken);
    for (unsigned i = 0; i < taken && !search->moving; i++)
        *p15_nodes_word(&l->nodes, begin + i, P15_WORD_DEPTH) |= within[i] << P15_DEPTH_ORIGIN;
    return true;
}

/* Notes the smallest h seen below nodes of a staying fringe, given a group's nodes that have just been taken. */
static void note_h(p15_idastar *search, const p15_group *g) {
    for (unsigned i = 0; i < g->parent_count; i++) {
        uint8_t *seen = &search->seen[p15_word_origin(p15_group_word(g, &search->fringe, i, P15_WORD_DEPTH))];
        unsigned h = p15_head_h(p15_group_word(g, &search->fringe, i, P15_WORD_HEAD));
        if (h < *seen) *seen = (uint8_t)h;
    }
}

static lane_end visit_lane(p15_worker *w, lane *l) {
    const p15_problem *problem = w->problem;
    p15_idastar *search = l->search;
    p15_group *g = l->group;
    if (l->searched.generated + l->counts.generated > l->most) return LANE_OVER;
    if (g->parent_count > 0) {
        if (!p15_nodes_reserve(&l->nodes, P15_MOST_CHILDREN) ||
            (g->keeping && !p15_nodes_reserve(&search->next, P15_MOST_CHILDREN))) {
            search->status = P15_ERR_MEMORY;
            return LANE_EXHAUSTED;
        }
        if (!w->steps.go_on(problem, g, &l->nodes, &search->next)) return LANE_RUNNING;
        if (g->goal < g->child_count) return LANE_SOLVED;
    }
    unsigned most = w->steps.width;
    for (;;) {
        if (l->searching) {
            if (l->nodes.count < most && l->at < l->end && !refill(l, most)) {
                search->status = P15_ERR_MEMORY;
                return LANE_EXHAUSTED;
            }
            if (l->nodes.count) break;
        }
        if (!next_subtree(w, l)) return LANE_EXHAUSTED;
    }
    if (most > l->nodes.count) most = l->nodes.count;
    if (search->keeping && search->next.count > problem->most_fringe) search->keeping = false; /* too many */
    g->keeping = search->keeping;
    w->steps.begin(problem, search->automaton->next, g, &l->nodes, most, search->bound);
    if (!search->moving) note_h(search, g);
    l->counts.expanded += g->parent_count;
    l->counts.generated += g->child_count;
    return LANE_RUNNING;
}

/* Visits the busy lanes in turn until one ends or *visits is used up. Returns the lane that ended, or lane_count. */
static unsigned run(p15_worker *w, uint64_t *visits, lane_end *end) {
    for (uint64_t spent = 1; *visits > 0 && spent > 0; *visits -= spent < *visits ? spent : *visits) {
        spent = 0;
        for (unsigned i = 0; i < w->lane_count; i++) {
            if (!w->lanes[i].search) continue;
            *end = visit_lane(w, &w->lanes[i]);
            if (*end != LANE_RUNNING) return i;
            spent += w->lanes[i].group->parent_count;
        }
    }
    return w->lane_count;
}

static bool make_lane(const p15_problem *problem, lane *l) {
    memset(l, 0, sizeof *l);
    l->answer_turn = P15_NO_SUBTREE;
    l->nodes = p15_nodes_none(problem, p15_steps_pick(problem).columns);
    l->memory = calloc(1, sizeof *l->group + P15_LINE);
    l->group = l->memory ? (p15_group *)(((uintptr_t)l->memory + P15_LINE - 1) & ~(uintptr_t)(P15_LINE - 1)) : NULL;
    return l->group != NULL;
}

/* Gives an idle lane to the iteration of a search. */
static void join(lane *l, p15_idastar *search, uint64_t most) {
    l->search = search;
    l->most = most;
    l->searching = false;
    l->group->parent_count = 0;
    l->counts = l->searched = (p15_counts){0, 0};
    l->answer_turn = P15_NO_SUBTREE;
}

/* Books the answer of a lane. */
static void finish_lane(p15_worker *w, lane *l) {
    p15_idastar *search = l->search;
    add_counts(w, l);
    l->answer_turn = l->turn;
    p15_idastar_answer(search, l->group, &l->answer);
    unsigned best = atomic_load(&search->best);
    while (l->answer_turn < best && !atomic_compare_exchange_weak(&search->best, &best, l->answer_turn)) {
    }
    l->search = NULL;
}

/* ------------------------------------------------------------------------------------------------ workers */

p15_status p15_worker_new(const p15_problem *problem, p15_worker **worker) {
    p15_worker *w = calloc(1, sizeof *w);
    if (!w) return P15_ERR_MEMORY;
    w->problem = problem;
    w->steps = p15_steps_pick(problem);
    w->lane_count = problem->lane_count < P15_MAX_LANES ? problem->lane_count : P15_MAX_LANES;
    for (unsigned i = 0; i < w->lane_count; i++)
        if (!make_lane(problem, &w->lanes[i]) || !(w->searches[i] = p15_idastar_new(problem))) {
            p15_worker_delete(w);
            return P15_ERR_MEMORY;
        }
    *worker = w;
    return P15_OK;
}

void p15_worker_delete(p15_worker *worker) {
    if (!worker) return;
    for (unsigned i = 0; i < worker->lane_count; i++) {
        free(worker->lanes[i].memory);
        p15_nodes_free(&worker->lanes[i].nodes);
        p15_idastar_delete(worker->searches[i]);
    }
    free(worker);
}

p15_counts p15_worker_counts(const p15_worker *worker) {
    p15_counts sum = worker->counts;
    for (unsigned i = 0; i < worker->lane_count; i++)
        if (worker->lanes[i].search) p15_counts_add(&sum, worker->lanes[i].counts);
    return sum;
}

static unsigned busy_lanes(const p15_worker *w) {
    unsigned busy = 0;
    for (unsigned i = 0; i < w->lane_count; i++) busy += w->lanes[i].search != NULL;
    return busy;
}

bool p15_worker_run(p15_worker *worker, p15_idastar *search, uint64_t visits) {
    if (search->ended || search->status != P15_OK) return false;
    for (;;) {
        uint32_t best = atomic_load(&search->best);
        for (unsigned i = 0; i < worker->lane_count; i++) {
            lane *l = &worker->lanes[i];
            if (l->search && l->searching && l->turn > best) {
                p15_counts_add(&worker->counts, l->counts);
                l->search = NULL;
            }
            if (l->search || l->joined == search->iteration_count + 1) continue;
            l->joined = search->iteration_count + 1;
            join(l, search, UINT64_MAX);
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
            if (best != P15_NO_SUBTREE && l->answer_turn == best) found = &l->answer;
            l->search = NULL;
        }
    bool more = p15_idastar_end_iteration(search, found);
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->lane_count; i++) {
            workers[w]->lanes[i].answer_turn = P15_NO_SUBTREE;
            workers[w]->lanes[i].joined = 0;
        }
    return more;
}

uint64_t p15_idastar_generated(const p15_idastar *search, p15_worker *const *workers, unsigned worker_count) {
    uint32_t best = atomic_load(&search->best), first = best == P15_NO_SUBTREE ? search->turn_count : best + 1;
    uint64_t below = 0;
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->lane_count; i++) {
            const lane *l = &workers[w]->lanes[i];
            if (!l->search || !l->searching || l->turn >= first) continue;
            first = l->turn;
            below = l->counts.generated;
        }
    uint32_t taken = atomic_load(&search->cursor);
    return search->counts.generated + p15_idastar_counts(search, first < taken ? first : taken).generated + below;
}

/* ------------------------------------------------------------------------------------------------ batches */

/* What beginning a board takes, in visits: of some boards that is all that they take. */
#define BOARD_VISITS 16

/* Gives a lane to the next iteration of its board. */
static void join_board(lane *l, p15_idastar *search, const p15_batch *batch) {
    join(l, search, batch->max_nodes ? batch->max_nodes[l->board] - search->counts.generated : UINT64_MAX);
}

/* Writes the result of a lane's board. */
static void write_result(const p15_worker *w, unsigned index, p15_batch *batch, unsigned busy) {
    const lane *l = &w->lanes[index];
    p15_result *result = &batch->results[l->board];
    p15_idastar_result(w->searches[index], result, NULL);
    result->seconds = (p15_clock_now() - l->started) / busy;
    atomic_fetch_add(&batch->done, 1);
}

/* Gives a lane boards of the batch until one needs visits. False when none is left, or the visits that may be made do
 * not allow for another one. */
static bool next_board(p15_worker *w, unsigned index, p15_batch *batch, uint64_t *visits) {
    lane *l = &w->lanes[index];
    p15_idastar *search = w->searches[index];
    l->search = NULL;
    while (*visits > 0 && p15_batch_take(batch, &l->board)) {
        unsigned move = batch->moves ? batch->moves[l->board] : P15_DIRECTIONS;
        *visits -= *visits < BOARD_VISITS ? *visits : BOARD_VISITS;
        l->started = p15_clock_now();
        p15_idastar_begin(search, batch->boards[l->board], move, p15_batch_limit(batch, l->board));
        if (search->status == P15_OK && !search->ended) {
            join_board(l, search, batch);
            return true;
        }
        write_result(w, index, batch, 1);
    }
    return false;
}

/* Ends the search of a lane's board where it is. */
static void cut_short(p15_worker *w, lane *l) {
    add_counts(w, l);
    p15_counts_add(&l->search->counts, l->searched);
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
    join_board(l, search, batch);
    return true;
}

bool p15_worker_run_batch(p15_worker *worker, p15_batch *batch, uint64_t visits) {
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
        lane_end end = LANE_RUNNING;
        unsigned ended = run(worker, &visits, &end);
        if (ended == worker->lane_count) continue;
        lane *l = &worker->lanes[ended];
        p15_idastar *search = worker->searches[ended];
        if (end == LANE_SOLVED) finish_lane(worker, l);
        if (end == LANE_OVER) {
            cut_short(worker, l);
        } else if (p15_idastar_end_iteration(search, &l->answer)) {
            if (!go_on(worker, ended, batch)) busy--;
            continue;
        }
        write_result(worker, ended, batch, busy);
        if (!next_board(worker, ended, batch, &visits)) busy--;
    }
    for (unsigned i = 0; i < worker->lane_count; i++) waiting += worker->lanes[i].waiting;
    return busy > 0 || waiting > 0 || atomic_load(&batch->next) < batch->count;
}
