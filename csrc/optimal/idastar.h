/* p15_idastar: IDA* on one board: its iterations, and the frontier from which each of them goes on.
 *
 * The nodes that an iteration cuts off are the frontier. The next iteration goes on from them instead of beginning at
 * the root: it takes those of smaller h first, so that the last iteration meets the goal early (fringe search:
 * Bjornsson, Enzenberger, Holte & Schaeffer 2005). So the frontier advances. Once it has more than a few hundred nodes,
 * they become fixed roots: from then on every iteration searches below them, in the order of the smallest h that the
 * iterations before have seen below each (A*+IDA*: Bu & Korf 2019).
 *
 * Nodes are expanded in batches (optimal/expander.h), the latest ones first. Once an iteration has been large, the
 * fixed roots are divided into subtrees for several slots. A frontier of more nodes than problem->max_frontier is not
 * kept; the one before it has the fixed roots. A large search goes on with longer sequences of the machine, which prune
 * more nodes but take time to make (p15_idastar_lengthen).
 *
 * The result of an iteration is that of the first subtree, in order, that reaches the goal, and the counts are those of
 * the subtrees up to it. A subtree is one slot's work, so neither depends on the number of slots, workers or threads.
 * Every solution is replayed: its moves must be legal, and lead to the goal.
 *
 * Ownership: a search points to its problem, which outlives it.
 * Threads: the calls of this header are made by one thread while no worker runs (optimal/worker.h), unless noted
 * otherwise. */
#ifndef P15_OPTIMAL_IDASTAR_H
#define P15_OPTIMAL_IDASTAR_H

#include "base/iteration.h"
#include "optimal/batch.h"
#include "optimal/expander.h"

#define P15_MAX_ITERATIONS (P15_MAX_LENGTH / 2 + 1) /* bounds grow by 2 */
#define P15_MAX_SUBTREES 256u                       /* of a frontier that slots share */

typedef struct p15_idastar p15_idastar;

/* A search of no board yet, to begin many boards with, one after the other. Returns NULL for want of memory. */
p15_idastar *p15_idastar_new(const p15_problem *problem);
void p15_idastar_delete(p15_idastar *search); /* NULL is fine */

/* Begins with a board, to find a solution of at most `limit` moves: P15_NO_LIMIT for one of any length. A search that
 * would need a bound beyond the limit ends unsolved, with P15_OK and that bound as its lower bound.
 *
 * If `move` is a direction, it has led to the board, and the search only decides whether there is a solution of at most
 * `limit` moves that does not undo it. Otherwise `move` is P15_DIRECTIONS.
 *
 * P15_ERR_BOARD, P15_ERR_UNSOLVABLE, P15_ERR_CORRUPT or P15_ERR_MEMORY: there is nothing to run. */
p15_status p15_idastar_begin(p15_idastar *search, p15_board board, unsigned move, unsigned limit);

/* Whether the search has just ended a large iteration, and should go on with longer sequences. */
bool p15_idastar_wants_longer(const p15_idastar *search);

/* Takes the problem's machine for longer sequences, which was given. It prunes fixed roots, too: another path of the
 * same length leads to each of their boards. Called between two iterations. */
void p15_idastar_lengthen(p15_idastar *search);

/* What is known so far: bounds, counts of finished iterations, and after the end the solution. Safe while workers run.
 * */
void p15_idastar_result(const p15_idastar *search, p15_result *result, p15_iteration *iterations);

/* ------------------------------------------------------------------------------------------------ for worker.c */

#define P15_NO_SUBTREE UINT32_MAX

/* Nodes of the frontier below which one slot searches at a time. */
typedef struct {
    p15_counts counts;   /* in the last iteration that it was part of */
    uint32_t begin, end; /* search->order */
} p15_subtree;

typedef struct {
    bool solved;
    uint8_t length, path[P15_PATH_BYTES];
} p15_found;

struct p15_idastar {
    const p15_problem *problem;
    const p15_fsm *fsm;
    _Atomic(p15_status) status; /* a slot may find it, while others read it */
    bool ended;
    p15_board board;
    p15_found found;
    unsigned bound, limit, iteration_count;
    p15_iteration iterations[P15_MAX_ITERATIONS];
    p15_counts counts; /* in finished iterations */
    bool decision;     /* whether a move has led to the board: only the iteration of the limit matters */
    uint8_t move;
    bool advancing; /* whether the frontier is replaced after an iteration; if not, its nodes are fixed roots */
    bool keeping;   /* advancing, and the next bound is within the limit: what is cut off will be wanted */
    p15_nodes frontier, next; /* next: what is cut off in this iteration, and will be the next frontier */
    uint32_t *order;          /* [frontier.capacity] nodes of the frontier, the most promising first */
    uint32_t order_capacity;
    uint8_t *seen; /* [frontier.capacity] for each fixed root the smallest h seen below it */
    p15_subtree subtrees[P15_MAX_SUBTREES];
    uint32_t subtree_count;
    uint32_t schedule[P15_MAX_SUBTREES], scheduled; /* subtrees within the bound, the most promising first */
    atomic_uint cursor, best; /* of the schedule: next to take; first known to be solved, or P15_NO_SUBTREE */
};

/* Writes the path to the child with h = 0 of a batch that is done. When that child's board is not the goal, the tables
 * are damaged, and *found is not solved. Any slot may call it. */
void p15_idastar_find(const p15_idastar *search, const p15_node_batch *batch, p15_found *found);

/* The nodes of the first `subtrees` of the schedule, all of which have been searched in this iteration. */
p15_counts p15_idastar_counts(const p15_idastar *search, uint32_t subtrees);

/* Ends an iteration; `found` is what the subtree `best` has found, NULL if there is none. Prepares the next
 * iteration; returns false when there is none: the search has ended. */
bool p15_idastar_end_iteration(p15_idastar *search, const p15_found *found);

#endif
