#include "optimal/worker.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* One search below a subtree of a frontier. */
typedef struct {
    p15_idastar *search; /* NULL: idle */
    bool searching;      /* whether it has a subtree; false: it has just come to the iteration */
    uint32_t position;   /* of the subtree in its iteration */
    uint32_t at, end;    /* nodes of the subtree that it has not taken yet */
    unsigned joined;     /* 1 + the number of the iteration it has joined, 0 for none */
    uint64_t most;       /* nodes that may be generated in the iteration */
    p15_nodes nodes;     /* to be expanded, the next ones last */
    p15_node_batch *batch;
    uint32_t found_at; /* the first subtree that this slot solved in the iteration, P15_NO_SUBTREE for none */
    p15_found found;
    p15_counts counts;   /* below the present subtree */
    p15_counts searched; /* below those that it has searched in the iteration */
    size_t board;        /* of the batch */
    bool waiting;        /* the board's search, which it has left, waits for longer sequences */
    double started;
} search_slot;

struct p15_worker {
    const p15_problem *problem;
    p15_expander expander;
    p15_counts counts; /* but below the slots' present subtrees */
    unsigned slot_count;
    search_slot slots[P15_MAX_SLOTS];
    void *memory;                         /* of the slots' batches of nodes */
    p15_idastar *searches[P15_MAX_SLOTS]; /* the slots' own, for batches; NULL: not needed yet */
};

/* ------------------------------------------------------------------------------------------------ slots */

typedef enum { SLOT_RUNNING, SLOT_EXHAUSTED, SLOT_SOLVED, SLOT_OVER } slot_end; /* over: beyond its most nodes */

/* Adds up the nodes below the slot's subtree. */
static void add_counts(p15_worker *w, search_slot *slot) {
    p15_idastar *search = slot->search;
    p15_counts_add(&w->counts, slot->counts);
    p15_counts_add(&slot->searched, slot->counts);
    if (slot->searching) search->subtrees[search->schedule[slot->position]].counts = slot->counts;
    slot->counts = (p15_counts){0, 0};
}

/* Ends the work below the slot's subtree and goes on with the next one that can still matter; false: there is none. */
static bool next_subtree(p15_worker *w, search_slot *slot) {
    p15_idastar *search = slot->search;
    add_counts(w, slot);
    slot->position = atomic_fetch_add(&search->cursor, 1);
    slot->searching = slot->position < search->scheduled && slot->position <= atomic_load(&search->best);
    if (!slot->searching) return false;
    const p15_subtree *s = &search->subtrees[search->schedule[slot->position]];
    slot->at = s->begin;
    slot->end = s->end;
    slot->nodes.count = 0;
    return true;
}

/* Fills the slot up to `count` nodes, at most P15_MAX_PARENTS, if its subtree has as many. False: out of memory. */
static bool refill(search_slot *slot, unsigned count) {
    p15_idastar *search = slot->search;
    uint32_t within[P15_MAX_PARENTS];
    unsigned begin = slot->nodes.count, taken = 0;
    if (!p15_nodes_reserve(&slot->nodes, P15_MAX_PARENTS)) return false;
    while (begin + taken < count && slot->at < slot->end) {
        uint32_t i = search->order[slot->at++];
        if (p15_node_h(&search->frontier, i) + p15_node_depth(&search->frontier, i) <= search->bound) {
            within[taken++] = i;
        } else if (search->keeping) {
            if (!p15_nodes_reserve(&search->next, 1)) return false;
            p15_nodes_push(&search->next, &search->frontier, &i, 1);
        }
    }
    p15_nodes_push(&slot->nodes, &search->frontier, within, taken);
    for (unsigned i = 0; i < taken && !search->advancing; i++)
        *p15_nodes_word(&slot->nodes, begin + i, P15_WORD_DEPTH) |= within[i] << P15_DEPTH_ORIGIN;
    return true;
}

/* Notes the smallest h seen below fixed roots, given the nodes that a batch has just taken. */
static void note_h(p15_idastar *search, const p15_node_batch *b) {
    for (unsigned i = 0; i < b->parent_count; i++) {
        uint8_t *seen = &search->seen[p15_word_origin(p15_parent_word(b, &search->frontier, i, P15_WORD_DEPTH))];
        unsigned h = p15_head_h(p15_parent_word(b, &search->frontier, i, P15_WORD_HEAD));
        if (h < *seen) *seen = (uint8_t)h;
    }
}

static slot_end visit_slot(p15_worker *w, search_slot *slot) {
    const p15_problem *problem = w->problem;
    p15_idastar *search = slot->search;
    p15_node_batch *b = slot->batch;
    if (slot->searched.generated + slot->counts.generated > slot->most) return SLOT_OVER;
    if (b->parent_count > 0) {
        if (!p15_nodes_reserve(&slot->nodes, P15_MOST_CHILDREN) ||
            (b->keeping && !p15_nodes_reserve(&search->next, P15_MOST_CHILDREN))) {
            search->status = P15_ERR_MEMORY;
            return SLOT_EXHAUSTED;
        }
        if (!w->expander.resume(problem, b, &slot->nodes, &search->next)) return SLOT_RUNNING;
        if (b->goal < b->child_count) return SLOT_SOLVED;
    }
    unsigned most = w->expander.width;
    for (;;) {
        if (slot->searching) {
            if (slot->nodes.count < most && slot->at < slot->end && !refill(slot, most)) {
                search->status = P15_ERR_MEMORY;
                return SLOT_EXHAUSTED;
            }
            if (slot->nodes.count) break;
        }
        if (!next_subtree(w, slot)) return SLOT_EXHAUSTED;
    }
    if (most > slot->nodes.count) most = slot->nodes.count;
    if (search->keeping && search->next.count > problem->max_frontier) search->keeping = false; /* too many */
    b->keeping = search->keeping;
    w->expander.issue(problem, search->fsm->next, b, &slot->nodes, most, search->bound);
    if (!search->advancing) note_h(search, b);
    slot->counts.expanded += b->parent_count;
    slot->counts.generated += b->child_count;
    return SLOT_RUNNING;
}

/* Visits the busy slots one after the other until one ends or *visits is used up. Returns the slot that ended, or
 * slot_count. */
static unsigned run(p15_worker *w, uint64_t *visits, slot_end *end) {
    for (uint64_t spent = 1; *visits > 0 && spent > 0; *visits -= spent < *visits ? spent : *visits) {
        spent = 0;
        for (unsigned i = 0; i < w->slot_count; i++) {
            if (!w->slots[i].search) continue;
            *end = visit_slot(w, &w->slots[i]);
            if (*end != SLOT_RUNNING) return i;
            spent += w->slots[i].batch->parent_count;
        }
    }
    return w->slot_count;
}

/* Lets an idle slot join the iteration of a search. */
static void join(search_slot *slot, p15_idastar *search, uint64_t most) {
    slot->search = search;
    slot->most = most;
    slot->searching = false;
    slot->batch->parent_count = 0;
    slot->counts = slot->searched = (p15_counts){0, 0};
    slot->found_at = P15_NO_SUBTREE;
}

/* Ends the iteration of a slot that has found a solution. */
static void finish_slot(p15_worker *w, search_slot *slot) {
    p15_idastar *search = slot->search;
    add_counts(w, slot);
    slot->found_at = slot->position;
    p15_idastar_find(search, slot->batch, &slot->found);
    unsigned best = atomic_load(&search->best);
    while (slot->found_at < best && !atomic_compare_exchange_weak(&search->best, &best, slot->found_at)) {
    }
    slot->search = NULL;
}

/* ------------------------------------------------------------------------------------------------ workers */

p15_status p15_worker_new(const p15_problem *problem, p15_worker **worker) {
    p15_worker *w = calloc(1, sizeof *w);
    if (!w) return P15_ERR_MEMORY;
    w->problem = problem;
    w->expander = p15_expander_pick(problem);
    w->slot_count = problem->slot_count < P15_MAX_SLOTS ? problem->slot_count : P15_MAX_SLOTS;
    w->memory = malloc(w->slot_count * sizeof(p15_node_batch) + P15_LINE);
    if (!w->memory) {
        free(w);
        return P15_ERR_MEMORY;
    }
    uintptr_t aligned = ((uintptr_t)w->memory + P15_LINE - 1) & ~(uintptr_t)(P15_LINE - 1);
    for (unsigned i = 0; i < w->slot_count; i++) {
        w->slots[i].found_at = P15_NO_SUBTREE;
        w->slots[i].nodes = p15_nodes_none(problem, w->expander.columns);
        w->slots[i].batch = (p15_node_batch *)aligned + i;
    }
    *worker = w;
    return P15_OK;
}

void p15_worker_delete(p15_worker *worker) {
    if (!worker) return;
    for (unsigned i = 0; i < worker->slot_count; i++) {
        p15_nodes_free(&worker->slots[i].nodes);
        p15_idastar_delete(worker->searches[i]);
    }
    free(worker->memory);
    free(worker);
}

p15_counts p15_worker_counts(const p15_worker *worker) {
    p15_counts sum = worker->counts;
    for (unsigned i = 0; i < worker->slot_count; i++)
        if (worker->slots[i].search) p15_counts_add(&sum, worker->slots[i].counts);
    return sum;
}

static unsigned busy_slots(const p15_worker *w) {
    unsigned busy = 0;
    for (unsigned i = 0; i < w->slot_count; i++) busy += w->slots[i].search != NULL;
    return busy;
}

bool p15_worker_run(p15_worker *worker, p15_idastar *search, uint64_t visits) {
    if (search->ended || search->status != P15_OK) return false;
    for (;;) {
        uint32_t best = atomic_load(&search->best);
        for (unsigned i = 0; i < worker->slot_count; i++) {
            search_slot *slot = &worker->slots[i];
            if (slot->search && slot->searching && slot->position > best) {
                p15_counts_add(&worker->counts, slot->counts);
                slot->search = NULL;
            }
            if (slot->search || slot->joined == search->iteration_count + 1) continue;
            slot->joined = search->iteration_count + 1;
            join(slot, search, UINT64_MAX);
        }
        if (busy_slots(worker) == 0) return false;
        if (visits == 0) return true;
        slot_end end = SLOT_RUNNING;
        unsigned ended = run(worker, &visits, &end);
        if (ended == worker->slot_count) continue;
        if (end == SLOT_SOLVED)
            finish_slot(worker, &worker->slots[ended]);
        else
            worker->slots[ended].search = NULL;
    }
}

bool p15_idastar_advance(p15_idastar *search, p15_worker *const *workers, unsigned worker_count) {
    if (search->ended) return false;
    uint32_t best = atomic_load(&search->best);
    const p15_found *found = NULL;
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->slot_count; i++) {
            search_slot *slot = &workers[w]->slots[i];
            if (best != P15_NO_SUBTREE && slot->found_at == best) found = &slot->found;
            slot->search = NULL;
        }
    bool more = p15_idastar_end_iteration(search, found);
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->slot_count; i++) {
            workers[w]->slots[i].found_at = P15_NO_SUBTREE;
            workers[w]->slots[i].joined = 0;
        }
    return more;
}

uint64_t p15_idastar_generated(const p15_idastar *search, p15_worker *const *workers, unsigned worker_count) {
    uint32_t best = atomic_load(&search->best), first = best == P15_NO_SUBTREE ? search->scheduled : best + 1;
    uint64_t below = 0;
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->slot_count; i++) {
            const search_slot *slot = &workers[w]->slots[i];
            if (!slot->search || !slot->searching || slot->position >= first) continue;
            first = slot->position;
            below = slot->counts.generated;
        }
    uint32_t taken = atomic_load(&search->cursor);
    return search->counts.generated + p15_idastar_counts(search, first < taken ? first : taken).generated + below;
}

/* ------------------------------------------------------------------------------------------------ batches */

/* What beginning a board takes, in visits: of some boards that is all that they take. */
#define BOARD_VISITS 16

/* Lets a slot join the next iteration of its board. */
static void join_board(search_slot *slot, p15_idastar *search, const p15_batch *batch) {
    join(slot, search, batch->max_nodes ? batch->max_nodes[slot->board] - search->counts.generated : UINT64_MAX);
}

/* Writes the result of a slot's board. */
static void write_result(const p15_worker *w, unsigned index, p15_batch *batch, unsigned busy) {
    const search_slot *slot = &w->slots[index];
    p15_result *result = &batch->results[slot->board];
    p15_idastar_result(w->searches[index], result, NULL);
    result->seconds = (p15_clock_now() - slot->started) / busy;
    atomic_fetch_add(&batch->done, 1);
}

/* Begins boards of the batch in a slot, until one needs visits. False when none is left, or the visits that may be made
 * do not allow for another one. */
static bool next_board(p15_worker *w, unsigned index, p15_batch *batch, uint64_t *visits) {
    search_slot *slot = &w->slots[index];
    if (!w->searches[index]) w->searches[index] = p15_idastar_new(w->problem);
    p15_idastar *search = w->searches[index];
    slot->search = NULL;
    while (p15_batch_take(batch, w->problem->shape, w->problem->goal, 1, visits, &slot->board)) {
        if (!search) {
            batch->results[slot->board].status = P15_ERR_MEMORY;
            atomic_fetch_add(&batch->done, 1);
            continue;
        }
        unsigned move = batch->moves ? batch->moves[slot->board] : P15_DIRECTIONS;
        *visits -= *visits < BOARD_VISITS ? *visits : BOARD_VISITS;
        slot->started = p15_clock_now();
        p15_idastar_begin(search, batch->boards[slot->board], move, p15_batch_limit(batch, slot->board));
        if (search->status == P15_OK && !search->ended) {
            join_board(slot, search, batch);
            return true;
        }
        write_result(w, index, batch, 1);
    }
    return false;
}

/* Ends the search of a slot's board where it is. */
static void cut_short(p15_worker *w, search_slot *slot) {
    add_counts(w, slot);
    p15_counts_add(&slot->search->counts, slot->searched);
}

/* Begins the next iteration of a slot's board; false: the search waits for longer sequences. */
static bool next_iteration(p15_worker *w, unsigned index, p15_batch *batch) {
    search_slot *slot = &w->slots[index];
    p15_idastar *search = w->searches[index];
    slot->waiting = false;
    if (p15_idastar_wants_longer(search)) {
        if (atomic_load(&w->problem->longer)) {
            p15_idastar_lengthen(search);
        } else {
            slot->waiting = true;
            slot->search = NULL;
            atomic_store(&batch->wants_longer, true);
            return false;
        }
    }
    join_board(slot, search, batch);
    return true;
}

bool p15_worker_run_batch(p15_worker *worker, p15_batch *batch, uint64_t visits) {
    unsigned busy = busy_slots(worker), waiting = 0;
    bool stopped = atomic_load(&batch->stopped);
    for (unsigned i = 0; i < worker->slot_count; i++) {
        search_slot *slot = &worker->slots[i];
        if ((slot->search || slot->waiting) && stopped) {
            if (slot->search) cut_short(worker, slot);
            write_result(worker, i, batch, busy ? busy : 1);
            slot->search = NULL;
            slot->waiting = false;
        }
        if (slot->waiting)
            next_iteration(worker, i, batch);
        else if (!slot->search)
            next_board(worker, i, batch, &visits);
    }
    busy = busy_slots(worker);
    while (visits > 0 && busy > 0) {
        slot_end end = SLOT_RUNNING;
        unsigned ended = run(worker, &visits, &end);
        if (ended == worker->slot_count) continue;
        search_slot *slot = &worker->slots[ended];
        p15_idastar *search = worker->searches[ended];
        if (end == SLOT_SOLVED) finish_slot(worker, slot);
        if (end == SLOT_OVER) {
            cut_short(worker, slot);
        } else if (p15_idastar_end_iteration(search, &slot->found)) {
            if (!next_iteration(worker, ended, batch)) busy--;
            continue;
        }
        write_result(worker, ended, batch, busy);
        if (!next_board(worker, ended, batch, &visits)) busy--;
    }
    for (unsigned i = 0; i < worker->slot_count; i++) waiting += worker->slots[i].waiting;
    return busy > 0 || waiting > 0 || atomic_load(&batch->next) < batch->count;
}
