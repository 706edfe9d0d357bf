/* p15_idastar: IDA* on one board: its iterations, and the fringe from which each of them goes on.
 *
 * The nodes that an iteration cuts off are kept, and the next iteration goes on from them instead of beginning at the
 * root: it takes those of smaller h first, so that the last iteration meets the goal early (fringe search: Bjornsson,
 * Enzenberger, Holte & Schaeffer 2005). Such a fringe moves. A fringe that has grown beyond a few hundred nodes stays
 * where it is: from then on every iteration searches below its nodes, in the order of the smallest h that was seen
 * below each in the iterations before (A*+IDA*: Bu & Korf 2019).
 *
 * Nodes are expanded in groups (optimal/steps.h), always the latest ones first. When fewer are left than a group
 * takes, nodes of the fringe follow. Once an iteration has been large, a fringe that stays is cut into subtrees, which
 * are some of its nodes each, for several lanes. A fringe of more nodes than problem->most_fringe is not kept: the one
 * before it stays.
 *
 * The longer the words of the automaton, the fewer nodes; but long words take time to make, and their table takes room
 * in the near caches. So a search that has proved to be large goes on with longer ones (p15_idastar_lengthen).
 *
 * The answer of an iteration is that of the first subtree, in order, that reaches the goal, and the counts are those of
 * the subtrees up to it. A subtree is one lane's work, and its groups do not depend on what other lanes do. So
 * solution, expanded and generated do not depend on the number of lanes, workers or threads. Every answer is replayed
 * before it is given: its moves must be legal, and lead to the goal.
 *
 * Ownership: a search points to its problem, which outlives it.
 * Threads: the calls of this header are made by one thread while no worker runs (optimal/worker.h), except where they
 * say otherwise. */
#ifndef P15_OPTIMAL_FRINGE_H
#define P15_OPTIMAL_FRINGE_H

#include "base/iteration.h"
#include "optimal/batch.h"
#include "optimal/steps.h"

#define P15_MAX_ITERATIONS (P15_MAX_LENGTH / 2 + 1) /* bounds grow by 2 */
#define P15_MAX_SUBTREES 256u                       /* of a fringe that lanes share */

typedef struct p15_idastar p15_idastar;

/* A search of no board yet, to begin many boards with, one after the other. Returns NULL for want of memory. */
p15_idastar *p15_idastar_new(const p15_problem *problem);
void p15_idastar_delete(p15_idastar *search); /* NULL is fine */

/* Begins with a board, to find a solution of at most `limit` moves: P15_NO_LIMIT for one of any length. No iteration's
 * bound exceeds the limit: a search that would need one ends unsolved, with P15_OK and that bound as its lower bound.
 * Until then the limit changes nothing.
 *
 * If `move` is a direction, it has led to the board, and the search only answers whether there is a solution of at most
 * `limit` moves that does not undo it. When an iteration leaves a fringe of some dozens of nodes, the next one is that
 * of the limit. Otherwise `move` is P15_DIRECTIONS.
 *
 * P15_ERR_BOARD, P15_ERR_UNSOLVABLE, P15_ERR_CORRUPT or P15_ERR_MEMORY: there is nothing to run. */
p15_status p15_idastar_begin(p15_idastar *search, p15_board board, unsigned move, unsigned limit);

/* Whether the search has just ended a large iteration with the words of the problem. */
bool p15_idastar_wants_words(const p15_idastar *search);

/* Goes on with the longer words of the problem, which are there. Nodes of the fringe whose moves are not such a word
 * are dropped: another path of the same length leads to each of their boards. Called between two iterations. */
void p15_idastar_lengthen(p15_idastar *search);

/* What is known so far: bounds, counts of finished iterations, and after the end the solution. Running counts of an
 * iteration that a limit cut short are the worker's. Safe while workers run. */
void p15_idastar_result(const p15_idastar *search, p15_result *result, p15_iteration *iterations);

/* ------------------------------------------------------------------------------------------------ for worker.c */

#define P15_NO_SUBTREE UINT32_MAX

/* Nodes of the fringe below which one lane searches at a time, and what the iterations learn of them. */
typedef struct {
    p15_counts counts;   /* in the last iteration that it was part of */
    uint32_t begin, end; /* search->order */
} p15_subtree;

typedef struct {
    bool solved;
    uint8_t length, path[P15_PATH_BYTES];
} p15_answer;

struct p15_idastar {
    const p15_problem *problem;
    const p15_automaton *automaton;
    _Atomic(p15_status) status; /* a lane may find it, while others read it */
    bool ended;
    p15_board board;
    p15_answer answer;
    unsigned bound, limit, iteration_count;
    p15_iteration iterations[P15_MAX_ITERATIONS];
    p15_counts counts; /* in finished iterations */
    bool asking;       /* whether a move has led to the board: only the iteration of the limit matters */
    uint8_t move;
    bool moving;            /* whether the fringe moves on, or stays */
    bool keeping;           /* moving, and the next bound is within the limit: what is cut off will be wanted */
    p15_nodes fringe, next; /* next: what is cut off in this iteration, and will be the next fringe */
    uint32_t *order;        /* [fringe.room] nodes of the fringe, the most promising first */
    uint32_t order_room;
    uint8_t *seen; /* [fringe.room] for each node of a staying fringe the smallest h seen below it */
    p15_subtree subtrees[P15_MAX_SUBTREES];
    uint32_t subtree_count;
    uint32_t turn[P15_MAX_SUBTREES], turn_count; /* subtrees within the bound, the most promising first */
    atomic_uint cursor, best;                    /* next to take; first known to be solved, or P15_NO_SUBTREE */
};

/* Writes the path to the child with h = 0 of a group that is done. When that child's board is not the goal, the tables
 * are damaged, and the answer is not solved. Any lane may call it. */
void p15_idastar_answer(const p15_idastar *search, const p15_group *group, p15_answer *answer);

/* The nodes of the first `subtrees` in turn, all of which have been searched in this iteration. */
p15_counts p15_idastar_counts(const p15_idastar *search, uint32_t subtrees);

/* Ends an iteration; `found` is the answer of the subtree `best`, NULL when no subtree has one. Prepares the next
 * iteration; returns false when there is none: the search has ended. */
bool p15_idastar_end_iteration(p15_idastar *search, const p15_answer *found);

#endif
