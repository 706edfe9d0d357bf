#include "optimal/worker.h"

#include "base/clock.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------------------------ slots */

/* Adds up the nodes below the slot's subtree. */
static void add_counts(p15_worker *w, p15_search_slot *slot) {
    p15_counts_add(&w->counts, slot->counts);
    p15_counts_add(&slot->searched, slot->counts);
    if (slot->searching) slot->search->searched[slot->position] = slot->counts;
    slot->counts = (p15_counts){0, 0};
}

bool p15_search_slot_next(p15_worker *w, p15_search_slot *slot) {
    p15_idastar *search = slot->search;
    add_counts(w, slot);
    slot->position = atomic_fetch_add(&search->cursor, 1);
    slot->searching = slot->position < search->scheduled && slot->position <= atomic_load(&search->best);
    if (slot->searching) w->metric->take(slot);
    return slot->searching;
}

/* Lets an idle slot join the iteration of a search. */
static void join(p15_search_slot *slot, p15_idastar *search, uint64_t most) {
    slot->search = search;
    slot->most = most;
    slot->searching = false;
    slot->counts = slot->searched = (p15_counts){0, 0};
    slot->found_at = P15_NO_SUBTREE;
    search->metric->join(slot);
}

/* Ends the iteration of a slot that has found a solution. */
static void finish_slot(p15_worker *w, p15_search_slot *slot) {
    p15_idastar *search = slot->search;
    add_counts(w, slot);
    slot->found_at = slot->position;
    w->metric->find(slot);
    unsigned best = atomic_load(&search->best);
    while (slot->found_at < best && !atomic_compare_exchange_weak(&search->best, &best, slot->found_at)) {
    }
    slot->search = NULL;
}

static unsigned busy_slots(const p15_worker *w) {
    unsigned busy = 0;
    for (unsigned i = 0; i < w->slot_count; i++) busy += w->slots[i].search != NULL;
    return busy;
}

/* Makes all slots idle, and free to join any iteration. */
static void release_slots(p15_worker *w) {
    for (unsigned i = 0; i < w->slot_count; i++) {
        w->slots[i].search = NULL;
        w->slots[i].found_at = P15_NO_SUBTREE;
        w->slots[i].joined = 0;
    }
}

/* ------------------------------------------------------------------------------------------------ workers */

p15_status p15_worker_new(const p15_metric *metric, const void *problem, p15_worker **worker) {
    p15_worker *w = calloc(1, sizeof *w);
    if (!w) return P15_ERR_MEMORY;
    w->metric = metric;
    w->problem = problem;
    p15_status status = metric->make_slots(w);
    if (status != P15_OK) {
        free(w);
        return status;
    }
    release_slots(w);
    *worker = w;
    return P15_OK;
}

void p15_worker_delete(p15_worker *worker) {
    if (!worker) return;
    for (unsigned i = 0; i < worker->slot_count; i++) p15_idastar_delete(worker->searches[i]);
    if (worker->metric->free_slots) worker->metric->free_slots(worker);
    free(worker->memory);
    free(worker);
}

p15_counts p15_worker_counts(const p15_worker *worker) {
    p15_counts sum = worker->counts;
    for (unsigned i = 0; i < worker->slot_count; i++)
        if (worker->slots[i].search) p15_counts_add(&sum, worker->slots[i].counts);
    return sum;
}

/* ------------------------------------------------------------------------------------------------ one board */

static bool work(p15_worker *worker, p15_idastar *search, uint64_t *visits) {
    if (search->ended || search->status != P15_OK) return false;
    for (;;) {
        uint32_t best = atomic_load(&search->best);
        for (unsigned i = 0; i < worker->slot_count; i++) {
            p15_search_slot *slot = &worker->slots[i];
            if (slot->search && slot->searching && slot->position > best) {
                p15_counts_add(&worker->counts, slot->counts);
                slot->search = NULL;
            }
            if (slot->search || slot->joined == search->iteration_count + 1) continue;
            slot->joined = search->iteration_count + 1;
            join(slot, search, UINT64_MAX);
        }
        if (busy_slots(worker) == 0) return false;
        if (*visits == 0) return true;
        p15_search_slot_end end = P15_SLOT_RUNNING;
        unsigned ended = worker->metric->run(worker, visits, &end);
        if (ended == worker->slot_count) continue;
        if (end == P15_SLOT_SOLVED)
            finish_slot(worker, &worker->slots[ended]);
        else
            worker->slots[ended].search = NULL;
    }
}

bool p15_worker_run(p15_worker *worker, p15_idastar *search, uint64_t visits) { return work(worker, search, &visits); }

bool p15_idastar_advance(p15_idastar *search, p15_worker *const *workers, unsigned worker_count) {
    if (search->ended) return false;
    uint32_t best = atomic_load(&search->best);
    const p15_found *found = NULL;
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->slot_count; i++) {
            const p15_search_slot *slot = &workers[w]->slots[i];
            if (best != P15_NO_SUBTREE && slot->found_at == best) found = &slot->found;
        }
    bool more = p15_idastar_end_iteration(search, found);
    for (unsigned w = 0; w < worker_count; w++) release_slots(workers[w]);
    return more;
}

uint64_t p15_idastar_generated(const p15_idastar *search, p15_worker *const *workers, unsigned worker_count) {
    if (search->ended) return search->counts.generated;
    uint32_t best = atomic_load(&search->best), first = best == P15_NO_SUBTREE ? search->scheduled : best + 1;
    uint64_t below = 0;
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->slot_count; i++) {
            const p15_search_slot *slot = &workers[w]->slots[i];
            if (!slot->search || !slot->searching || slot->position >= first) continue;
            first = slot->position;
            below = slot->counts.generated;
        }
    uint32_t taken = atomic_load(&search->cursor);
    return search->counts.generated + p15_idastar_counts(search, first < taken ? first : taken).generated + below;
}

p15_run_end p15_worker_run_alone(p15_worker *worker, p15_idastar *search, uint64_t visits, uint64_t max_nodes) {
    for (;;) {
        if (work(worker, search, &visits)) return P15_RUN_PAUSED;
        if (p15_idastar_generated(search, &worker, 1) > max_nodes) return P15_RUN_PAUSED;
        if (!p15_idastar_advance(search, &worker, 1)) return P15_RUN_ENDED;
        if (!p15_idastar_lengthen(search)) return P15_RUN_WAITS;
    }
}

/* ------------------------------------------------------------------------------------------------ batches */

/* What beginning a board takes, in visits: of some boards that is all that they take. */
#define BOARD_VISITS 16

/* The result of a board that is not begun. */
static void pass(const p15_worker *w, p15_board board, p15_result *result) {
    result->status = p15_board_check(board, w->shape);
    if (result->status == P15_OK && !p15_board_solvable(board, w->goal, w->shape)) result->status = P15_ERR_UNSOLVABLE;
    if (result->status != P15_OK) return;
    result->lower_bound = (uint8_t)((p15_board_manhattan(board, w->goal, w->shape) + w->tiles - 1) / w->tiles);
}

/* Takes the next board that is to be solved; false if there is none, or no visit is left. Once the batch was stopped, it
 * ends the boards that are left, but for the goal: each takes a visit. */
static bool take_board(const p15_worker *w, p15_batch *batch, uint64_t *visits, size_t *board) {
    while (*visits > 0 && (*board = atomic_fetch_add(&batch->next, 1)) < batch->count) {
        p15_result *result = &batch->results[*board];
        if (result->status == P15_OK) {
            if (!atomic_load(&batch->stopped) || batch->boards[*board] == w->goal) return true;
            --*visits;
            pass(w, batch->boards[*board], result);
        }
        atomic_fetch_add(&batch->done, 1);
    }
    return false;
}

/* Writes the result of a slot's board. */
static void write_result(const p15_worker *w, unsigned index, p15_batch *batch, unsigned busy) {
    const p15_search_slot *slot = &w->slots[index];
    p15_result *result = &batch->results[slot->board];
    p15_idastar_result(w->searches[index], result, NULL);
    result->seconds = (p15_clock_now() - slot->started) / busy;
    atomic_fetch_add(&batch->done, 1);
}

/* Begins boards of the batch in a slot, until one needs visits. False when none is left, or the visits that may be made
 * do not allow for another one. */
static bool next_board(p15_worker *w, unsigned index, p15_batch *batch, uint64_t *visits) {
    p15_search_slot *slot = &w->slots[index];
    if (!w->searches[index]) w->searches[index] = p15_idastar_new(w->metric, w->problem);
    p15_idastar *search = w->searches[index];
    slot->search = NULL;
    while (take_board(w, batch, visits, &slot->board)) {
        if (!search) {
            batch->results[slot->board].status = P15_ERR_MEMORY;
            atomic_fetch_add(&batch->done, 1);
            continue;
        }
        unsigned move = batch->moves ? batch->moves[slot->board] : P15_DIRECTIONS;
        *visits -= *visits < BOARD_VISITS ? *visits : BOARD_VISITS;
        slot->started = p15_clock_now();
        p15_idastar_begin(search, batch->boards[slot->board], move,
                          batch->limits ? batch->limits[slot->board] : P15_NO_LIMIT);
        if (search->status == P15_OK && !search->ended) return true;
        write_result(w, index, batch, 1);
    }
    return false;
}

/* Solves boards one after the other, by all slots together. */
static bool run_together(p15_worker *w, p15_batch *batch, uint64_t visits) {
    const p15_search_slot *slot = &w->slots[0];
    while (visits > 0) {
        if (!w->busy) w->busy = next_board(w, 0, batch, &visits);
        if (!w->busy) break;
        p15_idastar *search = w->searches[0];
        bool more = work(w, search, &visits);
        bool over = batch->max_nodes && p15_idastar_generated(search, &w, 1) > batch->max_nodes[slot->board];
        if (over || atomic_load(&batch->stopped))
            release_slots(w);
        else if (more || p15_idastar_advance(search, &w, 1))
            continue;
        write_result(w, 0, batch, 1);
        w->busy = false;
    }
    return w->busy || atomic_load(&batch->next) < batch->count;
}

/* Lets a slot join the next iteration of its board. */
static void join_board(p15_search_slot *slot, p15_idastar *search, const p15_batch *batch) {
    join(slot, search, batch->max_nodes ? batch->max_nodes[slot->board] - search->counts.generated : UINT64_MAX);
}

/* Ends the search of a slot's board where it is. */
static void cut_short(p15_worker *w, p15_search_slot *slot) {
    add_counts(w, slot);
    p15_counts_add(&slot->search->counts, slot->searched);
}

/* Begins the next iteration of a slot's board; false: the search waits for longer sequences. */
static bool next_iteration(p15_worker *w, unsigned index, p15_batch *batch) {
    p15_search_slot *slot = &w->slots[index];
    slot->waiting = !p15_idastar_lengthen(w->searches[index]);
    if (slot->waiting) {
        slot->search = NULL;
        atomic_store(&batch->wants_longer, true);
        return false;
    }
    join_board(slot, w->searches[index], batch);
    return true;
}

/* Begins a board in a slot; false: none is left, or no visit. */
static bool begin_board(p15_worker *w, unsigned index, p15_batch *batch, uint64_t *visits) {
    if (!next_board(w, index, batch, visits)) return false;
    join_board(&w->slots[index], w->searches[index], batch);
    return true;
}

bool p15_worker_run_batch(p15_worker *worker, p15_batch *batch, uint64_t visits) {
    if (worker->metric->together) return run_together(worker, batch, visits);
    unsigned busy = busy_slots(worker), waiting = 0;
    bool stopped = atomic_load(&batch->stopped);
    for (unsigned i = 0; i < worker->slot_count; i++) {
        p15_search_slot *slot = &worker->slots[i];
        if ((slot->search || slot->waiting) && stopped) {
            if (slot->search) cut_short(worker, slot);
            write_result(worker, i, batch, busy ? busy : 1);
            slot->search = NULL;
            slot->waiting = false;
        }
        if (slot->waiting)
            next_iteration(worker, i, batch);
        else if (!slot->search)
            begin_board(worker, i, batch, &visits);
    }
    busy = busy_slots(worker);
    while (visits > 0 && busy > 0) {
        p15_search_slot_end end = P15_SLOT_RUNNING;
        unsigned ended = worker->metric->run(worker, &visits, &end);
        if (ended == worker->slot_count) continue;
        p15_search_slot *slot = &worker->slots[ended];
        p15_idastar *search = worker->searches[ended];
        if (end == P15_SLOT_SOLVED) finish_slot(worker, slot);
        if (end == P15_SLOT_OVER) {
            cut_short(worker, slot);
        } else if (p15_idastar_end_iteration(search, &slot->found)) {
            if (!next_iteration(worker, ended, batch)) busy--;
            continue;
        }
        write_result(worker, ended, batch, busy);
        if (!begin_board(worker, ended, batch, &visits)) busy--;
    }
    for (unsigned i = 0; i < worker->slot_count; i++) waiting += worker->slots[i].waiting;
    return busy > 0 || waiting > 0 || atomic_load(&batch->next) < batch->count;
}
