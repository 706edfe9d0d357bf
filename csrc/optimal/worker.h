/* p15_worker: iterative-deepening A* (Korf 1985) on one board or on many, over the views of a problem.
 *
 * Four things make the search fast:
 *
 *   - Groups. Up to 14 nodes are expanded together (optimal/steps.h), where there is AVX-512 by vectors that hold 16
 *     children.
 *   - Lanes. A table of 178 MB answers from main memory, some hundred nanoseconds away. A worker holds several lanes,
 *     each a search of its own. A visit to a lane takes in the table bytes that its group asked for last time, and asks
 *     for the next ones; by the next visit they have come.
 *   - Words. The automaton (optimal/automaton.h) leaves out moves that lead to duplicates.
 *   - The fringe (optimal/fringe.h). An iteration goes on from the nodes that the one before cut off.
 *
 * The lanes of one search share the subtrees of its fringe; in a batch every lane has a board of its own. What is found
 * depends neither on the number of lanes nor on that of workers.
 *
 * Ownership: a worker points to its problem, which outlives it. A worker that was stopped in the middle of a search
 * or a batch is deleted.
 * Threads: one worker belongs to one thread. Several workers may run the same search, or share a batch; the calls that
 * end an iteration are made by one thread while no worker runs. */
#ifndef P15_OPTIMAL_WORKER_H
#define P15_OPTIMAL_WORKER_H

#include "optimal/fringe.h"

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
 * Returns false when the search has ended: it is solved, its limit is reached, or result.status says what went
 * wrong. */
bool p15_idastar_advance(p15_idastar *search, p15_worker *const *workers, unsigned worker_count);

/* The nodes that the search has generated and that count, whatever lanes and workers do next: those of finished
 * iterations, and of the present one those before the first subtree that is not searched yet, and in it. When nothing
 * is left to do in the iteration, they are what result.generated will be. Called while no worker runs. */
uint64_t p15_idastar_generated(const p15_idastar *search, p15_worker *const *workers, unsigned worker_count);

/* ---- many boards */

/* Solves boards of the batch, one per lane, for about `visits` node visits, of which beginning a board counts as
 * some. Returns true while there is more to do. */
bool p15_worker_run_batch(p15_worker *worker, p15_batch *batch, uint64_t visits);

#endif
