/* p15_idastar: IDA* on one board: its iterations, and the fringe from which each of them goes on.
 *
 * The nodes that an iteration cuts off are kept, and the next iteration goes on from them instead of beginning at the
 * root: it takes those of smaller h first, so that the last iteration meets the goal early (fringe search: Bjornsson,
 * Enzenberger, Holte & Schaeffer 2005). Such a fringe moves. A fringe that has grown beyond a few hundred nodes stays
 * where it is: from then on every iteration searches the subtrees below it, in the order of the smallest h that each
 * saw in the iteration before (A*+IDA*: Bu & Korf 2019).
 *
 * The longer the words of the automaton, the fewer nodes; but long words take time to make, and their table takes room
 * in the near caches. So a search that has proved to be large goes on with longer ones (p15_idastar_lengthen).
 *
 * The answer of an iteration is that of the first subtree, in this order, that reaches the goal, and the counts are
 * those of the subtrees up to it. A moving fringe is one lane's work. So solution, expanded and generated do not depend
 * on the number of lanes, workers or threads.
 *
 * Ownership: a search points to its problem, which outlives it.
 * Threads: the calls of this header are made by one thread while no worker runs (optimal/worker.h), except where they
 * say otherwise. */
#ifndef P15_OPTIMAL_FRINGE_H
#define P15_OPTIMAL_FRINGE_H

#include "base/iteration.h"
#include "optimal/nodes.h"
#include "optimal/path.h"
#include "optimal/views.h"

#include <stdatomic.h>

#define P15_MAX_ITERATIONS 64
#define P15_NO_LIMIT 255u /* longer than any solution */

typedef struct {
    p15_status status; /* P15_OK: ran to the goal or to a limit; else what was wrong with the board or a table */
    bool solved;       /* false: a limit stopped it */
    uint8_t length, lower_bound;  /* lower_bound: no solution is shorter */
    uint8_t path[P15_PATH_BYTES]; /* optimal/path.h, in the problem's orientation */
    uint64_t expanded, generated;
    double seconds; /* wall time, divided by the number of searches that shared the thread */
    unsigned iteration_count;
} p15_result;

typedef struct p15_idastar p15_idastar;

/* A search of one board for a solution of at most `limit` moves, P15_NO_LIMIT for one of any length;
 * P15_ERR_UNSOLVABLE, P15_ERR_CORRUPT or P15_ERR_MEMORY without one. No iteration's bound exceeds the limit: a
 * search that would need one ends unsolved, with P15_OK and that bound as its lower bound. Until then the limit
 * changes nothing. */
p15_status p15_idastar_new(const p15_problem *problem, p15_board board, unsigned limit, p15_idastar **search);
void p15_idastar_delete(p15_idastar *search); /* NULL is fine */

/* A search of no board yet, to begin many boards with, one after the other. Returns NULL for want of memory. */
p15_idastar *p15_idastar_empty(const p15_problem *problem);

/* Begins with a board and its first iteration, as p15_idastar_new does. */
p15_status p15_idastar_begin(p15_idastar *search, p15_board board, unsigned limit);

/* Begins with a board that a move has led to, and asks only whether it has a solution of at most `limit` moves that
 * does not undo the move. When an iteration leaves a fringe that several lanes can share, the next one is that of the
 * limit. */
p15_status p15_idastar_begin_child(p15_idastar *search, p15_board board, unsigned move, unsigned limit);

/* Whether the search has just ended a large iteration with the words of the problem. */
bool p15_idastar_wants_words(const p15_idastar *search);

/* Goes on with the longer words of the problem, which are there. Subtrees whose way is not such a word are dropped:
 * another way of the same length leads to each of their boards. Called between two iterations. */
void p15_idastar_lengthen(p15_idastar *search);

/* What is known so far: bounds, counts of finished iterations, and after the end the solution. Running counts of an
 * iteration that a limit cut short are the worker's. Safe while workers run. */
void p15_idastar_result(const p15_idastar *search, p15_result *result, p15_iteration *iterations);

/* ------------------------------------------------------------------------------------------------ for worker.c */

#define P15_NO_RECORD UINT32_MAX
#define P15_NO_SUBTREE UINT32_MAX

/* A node from which iterations go on, followed by its places: one cache line for two views of two patterns. Records
 * are never taken back during a search: later ones name them as the way that led to them. */
typedef struct {
    p15_board board;
    uint64_t moves;  /* as in a node; the last `count` of them come after those of record `before` */
    uint32_t before; /* P15_NO_RECORD: from the start */
    uint32_t link;   /* the next record of the same h */
    uint16_t state;
    uint8_t blank, h, depth, count;
    uint8_t unused[2];
} p15_record;

/* What a staying fringe's iterations learn of a record. */
typedef struct {
    uint64_t expanded, generated; /* below it, in the last iteration that it was part of */
    uint32_t record;
    uint16_t min_h, f; /* the smallest h seen below it; its own f */
} p15_subtree;

typedef struct {
    bool solved;
    uint8_t length, path[P15_PATH_BYTES];
} p15_answer;

struct p15_idastar {
    const p15_problem *problem;
    const p15_automaton *automaton;
    _Atomic(p15_status) status; /* the lane that moves a fringe may find it, while others read it */
    bool ended;
    p15_answer answer;
    unsigned bound, limit, iteration_count;
    p15_iteration iterations[P15_MAX_ITERATIONS];
    uint64_t expanded, generated; /* in finished iterations */
    uint8_t *records;             /* record, places */
    uint32_t record_count, record_room;
    bool asking;  /* p15_idastar_begin_child: only the iteration of the limit matters */
    uint8_t move; /* then, the one that has led to the board */
    bool moving;  /* whether the fringe moves on, or stays */
    bool keeping; /* moving, and the next bound is within the limit: what is cut off will be wanted */
    /* a moving fringe: records listed by h, the latest first */
    uint32_t present[256], next[256];
    unsigned present_h; /* no record of a smaller h is left in `present` */
    uint32_t next_count;
    uint64_t moved_expanded, moved_generated; /* in this iteration */
    /* a staying fringe */
    p15_subtree *subtrees;
    uint32_t subtree_count, subtree_room;
    uint32_t *order, order_count; /* subtrees within the bound, the most promising first */
    atomic_uint cursor, best;     /* next to take; first known to be solved, or P15_NO_SUBTREE */
};

/* Writes the path to the child with h = 0 of a stack's top node. The stack's lowest node is that of a record.
 * Returns false when that board is not the goal: then the tables are damaged, and the answer is not solved. Any lane
 * may call it. */
bool p15_idastar_answer(const p15_idastar *search, const p15_stack *stack, uint32_t record, p15_answer *answer);

/* The present iteration: its bound, and the nodes that are booked. Of a staying fringe, those are the nodes of the
 * first `subtrees` in order, all of which have been searched. */
p15_iteration p15_idastar_iteration(const p15_idastar *search, uint32_t subtrees);

/* Ends an iteration; `found` is the answer of the subtree `best`, NULL when no subtree has one. Prepares the next
 * iteration; returns false when there is none: the search has ended. */
bool p15_idastar_end_iteration(p15_idastar *search, const p15_answer *found);

/* Makes room for more records. Returns false when search->status says why there is none. */
bool p15_idastar_grow(p15_idastar *search);

/* Makes a record, and returns its index. P15_NO_RECORD when search->status says why there is no room. */
P15_INLINE uint32_t p15_idastar_add_record(p15_idastar *search) {
    if (search->record_count == search->record_room && !p15_idastar_grow(search)) return P15_NO_RECORD;
    return search->record_count++;
}

/* Makes records for the first moves of the way from a record to the children of the top node above it, which is
 * *count moves long, until at most 32 moves are left. Returns the last record made; P15_NO_RECORD as
 * p15_idastar_add_record does. */
uint32_t p15_idastar_bridge(p15_idastar *search, const p15_stack *stack, uint32_t record, unsigned *count);

P15_INLINE p15_record *p15_record_at(const p15_idastar *search, uint32_t index, unsigned places) {
    return (p15_record *)(search->records + index * (sizeof(p15_record) + places * sizeof(p15_place)));
}

P15_INLINE p15_place *p15_record_places(const p15_record *r) { return (p15_place *)(r + 1); }

/* Puts the children of the top node that are beyond the bound, a bit each, on the next fringe. `record` is that of
 * the stack's lowest node. Returns false when search->status says why there is no room. */
P15_INLINE bool p15_idastar_keep(p15_idastar *search, const p15_stack *stack, uint32_t record, unsigned beyond,
                                 unsigned views, unsigned places) {
    const p15_problem *problem = search->problem;
    const p15_node *n = stack->top;
    unsigned count = n->depth + 1u - ((const p15_node *)stack->frames)->depth;
    if (count > 32 && (record = p15_idastar_bridge(search, stack, record, &count)) == P15_NO_RECORD) return false;
    for (unsigned i = 0; beyond >> i; i++) {
        if (!(beyond >> i & 1u)) continue;
        const p15_child *c = p15_node_child(n, i, views, places);
        uint32_t index = p15_idastar_add_record(search);
        if (index == P15_NO_RECORD) return false;
        p15_record *r = p15_record_at(search, index, places);
        unsigned cell = p15_cell_step(problem->shape, n->blank, c->move);
        r->board = p15_board_slide(n->board, n->blank, cell);
        r->moves = n->moves << 2 | c->move;
        r->before = record;
        r->link = search->next[c->h];
        r->state = c->state;
        r->blank = (uint8_t)cell;
        r->h = c->h;
        r->depth = (uint8_t)(n->depth + 1);
        r->count = (uint8_t)count;
        p15_child_write_places(problem, n, c, views, places, p15_record_places(r));
        search->next[c->h] = index;
        search->next_count++;
    }
    return true;
}

/* The next record of a moving fringe, or P15_NO_RECORD. Records not yet within the bound go over to the next one. */
P15_INLINE uint32_t p15_idastar_next(p15_idastar *search, unsigned places) {
    for (;;) {
        uint32_t index = search->present[search->present_h];
        if (index == P15_NO_RECORD) {
            if (search->present_h == 255) return P15_NO_RECORD;
            search->present_h++;
            continue;
        }
        p15_record *r = p15_record_at(search, index, places);
        search->present[search->present_h] = r->link;
        if (r->depth + (unsigned)r->h <= search->bound) return index;
        r->link = search->next[r->h];
        search->next[r->h] = index;
        search->next_count++;
    }
}

/* Makes a record the lowest node of a stack, and its top. */
P15_INLINE void p15_idastar_load(const p15_idastar *search, uint32_t index, unsigned views, unsigned places,
                                 p15_stack *stack) {
    const p15_record *r = p15_record_at(search, index, places);
    p15_node *n = (p15_node *)stack->frames;
    stack->top = n;
    stack->words = search->automaton->next;
    stack->min_h = r->h;
    n->board = r->board;
    n->moves = r->moves;
    n->state = r->state;
    n->blank = r->blank;
    n->h = r->h;
    n->depth = r->depth;
    const p15_place *from = p15_record_places(r);
    p15_places_copy(from, places, p15_node_places(n));
    for (unsigned v = 0; v < views; v++) {
        const p15_view *view = &search->problem->views[v];
        unsigned h = 0;
        for (unsigned p = view->place_begin; p < view->place_end; p++) h += (unsigned)(from[p] >> P15_PLACE_VALUE_BIT);
        n->view_h[v] = (uint8_t)h;
    }
}

#endif
