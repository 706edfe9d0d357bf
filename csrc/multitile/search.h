/* p15_multi_search: solutions with the fewest multi-tile moves, by IDA* (Korf 1985), of one board or of many.
 *
 * One entry per lookup gives the values of all children (multitile/problem.h). Children within the bound go on a stack,
 * and their entries are prefetched. A worker has several search slots, each a depth-first search of its own, and
 * expands one node of each in turn: when it comes back to a slot, the entries have come from memory.
 *
 * The slots of a search share its tasks. The first iterations have two tasks, the roots; after a large iteration, tasks
 * are the nodes some moves below them. The solution is that of the first task with one, and the counts are those of the
 * tasks up to it. So neither depends on the number of slots or of workers.
 *
 * Ownership: a search and its workers point to the problem, which outlives them.
 * Threads: one worker belongs to one thread. Several workers may run the same search, or share a batch; the calls that
 * begin a search or end an iteration are made by one thread while no worker runs. */
#ifndef P15_MULTITILE_SEARCH_H
#define P15_MULTITILE_SEARCH_H

#include "base/iteration.h"
#include "multitile/problem.h"
#include "optimal/batch.h"

#define P15_MULTI_NO_TASK UINT32_MAX

_Static_assert(P15_MULTI_MAX_LENGTH < 2 * P15_PATH_BYTES, "a path of half bytes holds any solution");

/* The blank's cell after `index` moves of a path: the nibbles of its bytes, the low one first, are these cells. */
static inline unsigned p15_multi_path_cell(const uint8_t *path, unsigned index) {
    return path[index / 2] >> (4 * (index % 2)) & 15u;
}

typedef struct p15_multi_search p15_multi_search;
typedef struct p15_multi_worker p15_multi_worker;

/* ---- one board */

p15_status p15_multi_search_new(const p15_multi_problem *problem, p15_multi_search **search);
void p15_multi_search_delete(p15_multi_search *search); /* NULL is fine */

/* Begins the search for a board; no solution of more than `limit` moves is looked for. Fails as p15_multi_roots does,
 * and then the search has ended with this status. */
p15_status p15_multi_search_begin(p15_multi_search *search, p15_board board, unsigned limit);

/* What is known so far; iterations (NULL is fine) has capacity for P15_MULTI_MAX_LENGTH. The counts are those of
 * finished iterations, `seconds` is 0. */
void p15_multi_search_result(const p15_multi_search *search, p15_result *result, p15_iteration *iterations);

p15_status p15_multi_worker_new(const p15_multi_problem *problem, p15_multi_worker **worker);
void p15_multi_worker_delete(p15_multi_worker *worker); /* NULL is fine */

/* The nodes that this worker has made so far, those of unfinished tasks too. */
p15_counts p15_multi_worker_counts(const p15_multi_worker *worker);

/* The nodes that count so far, for limits: those of finished iterations, and of the tasks that have ended before any
 * that has not. Any thread may call it, but not while another one begins the search or ends an iteration. */
uint64_t p15_multi_search_generated(const p15_multi_search *search);

/* Works on the present iteration for about `visits` expansions. Returns true while there is more to do, false when
 * nothing is left for this worker in this iteration. Until then the worker is of no use for another search. */
bool p15_multi_worker_run(p15_multi_worker *worker, p15_multi_search *search, uint64_t visits);

/* Ends an iteration and prepares the next one; all workers are done with it. Returns false when the search has ended:
 * it is solved, its limit is reached, or result.status is P15_ERR_ANSWER, P15_ERR_MEMORY, or P15_ERR_CORRUPT: no
 * solution has fewer than P15_MULTI_MAX_LENGTH moves, so a table is damaged. */
bool p15_multi_search_advance(p15_multi_search *search);

/* ---- many boards */

/* Solves boards of the batch, one after the other, for about `visits` expansions. Returns true while there is more to
 * do. Fails only by the statuses of results. The counts of a board that is stopped, by max_nodes too, are those of the
 * iterations before. */
bool p15_multi_worker_run_batch(p15_multi_worker *worker, p15_batch *batch, uint64_t visits);

#endif
