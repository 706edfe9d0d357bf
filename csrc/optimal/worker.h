/* p15_worker: iterative-deepening A* (Korf 1985) on one board or on many, with the lookups of a problem.
 *
 * Four things make the search fast:
 *
 *   - Batches of nodes. Up to 14 nodes are expanded together (optimal/expander.h); AVX-512 has 16 children in a vector.
 *   - Search slots. Tables are read from main memory, some hundred nanoseconds away. A worker has several slots, each a
 *     search of its own, and resumes one after the other. By then the entries that a batch has prefetched have come.
 *   - The finite-state machine (optimal/fsm.h) prunes moves that lead to duplicates.
 *   - The frontier (optimal/idastar.h). An iteration goes on from the nodes that the one before cut off.
 *
 * The slots of one search share the subtrees of its frontier; in a batch of boards every slot has a board of its own.
 * What is found depends neither on the number of slots nor on that of workers.
 *
 * Ownership: a worker points to its problem, which outlives it. A worker that was stopped in the middle of a search
 * or a batch is deleted.
 * Threads: one worker belongs to one thread. Several workers may run the same search, or share a batch; the calls that
 * end an iteration are made by one thread while no worker runs. */
#ifndef P15_OPTIMAL_WORKER_H
#define P15_OPTIMAL_WORKER_H

#include "optimal/idastar.h"

typedef struct p15_worker p15_worker;

p15_status p15_worker_new(const p15_problem *problem, p15_worker **worker);
void p15_worker_delete(p15_worker *worker); /* NULL is fine */

/* The nodes that this worker has made so far: for limits. */
p15_counts p15_worker_counts(const p15_worker *worker);

/* ---- one board */

/* Works on the search's present iteration for about `visits` visits to a node; an expansion takes two or more. Returns
 * true while there is more to do, false when nothing is left for this worker to do in this iteration. */
bool p15_worker_run(p15_worker *worker, p15_idastar *search, uint64_t visits);

/* Ends an iteration and prepares the next one. All workers that ran are given, and are done with the iteration.
 * Returns false when the search has ended: it is solved, its limit is reached, or result.status is an error. */
bool p15_idastar_advance(p15_idastar *search, p15_worker *const *workers, unsigned worker_count);

/* The nodes that count so far, for limits: those of finished iterations, and of the present one those before the first
 * subtree that is not searched yet, and in it. Called while no worker runs. */
uint64_t p15_idastar_generated(const p15_idastar *search, p15_worker *const *workers, unsigned worker_count);

/* ---- many boards */

/* Solves boards of the batch, one per slot, for about `visits` node visits; beginning a board counts as some. Returns
 * true while there is more to do. */
bool p15_worker_run_batch(p15_worker *worker, p15_batch *batch, uint64_t visits);

#endif
