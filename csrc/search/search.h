/* p15_search: what all searches have in common: how one is made and run, and what it reports.
 *
 * The header of each search says how it chooses nodes, and which options it has. It is run in steps, so that its owner can
 * look at signals and limits between them:
 *
 *     p15_search_new(&P15_BESTFIRST, &options, &search)
 *     while (p15_search_run(search, 1000)) look at p15_search_report(search)
 *     p15_search_delete(search)
 *
 * Each search may be refused with P15_ERR_ARGUMENT (an order that does not have each direction once, and what its header
 * says), P15_ERR_BOARD, P15_ERR_UNSOLVABLE, P15_ERR_CORRUPT (a damaged table) and P15_ERR_MEMORY; there is no search then.
 *
 * One thread at a time. */
#ifndef P15_SEARCH_SEARCH_H
#define P15_SEARCH_SEARCH_H

#include "base/iteration.h"
#include "base/moves.h"
#include "search/best_first/closed.h"
#include "search/best_first/open.h"
#include "search/trace.h"

#define P15_NO_SOLUTION UINT32_MAX
#define P15_MAX_EXPANDED 16384u /* the most nodes of a batch, which are expanded at once */
#define P15_MOST_LAYERS 1280u   /* no search has a node of so large a g + h */

typedef enum { P15_TIES_FIFO, P15_TIES_LIFO, P15_TIES_LARGER_G } p15_ties;
typedef enum { P15_MM, P15_MME, P15_NBS, P15_BREADTH } p15_meeting_rule;

/* What a search is made of. All read the start, the goal, which is the evaluator's, and the order; of the others, each
 * reads those that its header names. */
typedef struct {
    p15_board start, goal;
    const p15_evaluator *evaluator;
    uint8_t order[P15_DIRECTIONS]; /* the directions of the blank, in which children are made */
    size_t max_bytes;              /* of memory */
    p15_cpu cpu;                   /* the level of instructions */
    unsigned batch;                /* nodes that are expanded at once: 1 .. P15_MAX_EXPANDED */
    unsigned g_weight, h_weight, h_step;
    const uint32_t *rows; /* NULL: none */
    const uint16_t *bounds;
    p15_ties ties;
    bool prove;
    size_t width;
    unsigned below;
    uint32_t first_bound, last_bound;
    uint64_t limit;
    size_t table_bytes;
    p15_meeting_rule rule;
    const p15_evaluator *backward;
    uint8_t back[2][P15_DIRECTIONS];
} p15_search_options;

typedef enum {
    P15_SEARCH_RUNNING,
    P15_SEARCH_SOLVED,
    P15_SEARCH_FAILED, /* the space that the search allows itself is exhausted */
    P15_SEARCH_NO_ROOM /* no memory for more nodes */
} p15_search_state;

/* The expanded nodes by layer, and the children that were made of them: at [side][g + h], whatever the priority is, and
 * at [side][g]. */
typedef struct {
    p15_counts by_f[2][P15_MOST_LAYERS], by_g[2][P15_MOST_LAYERS];
    bool without_g; /* by_g is of no use: some nodes were counted together (deepening/trees.h) */
} p15_layers;

typedef struct {
    p15_search_state state;
    unsigned lower_bound; /* no solution is shorter, if the heuristic is admissible */
    uint64_t expanded;    /* nodes whose children were made */
    uint64_t generated;   /* children made, but for the undo of the last move */
    uint64_t reopened;    /* closed nodes that were reached with a smaller g */
    uint64_t largest_open, largest_closed;
    uint64_t to_first, to_best; /* expanded until the first solution was found, and until the best one was */
    size_t nodes, bytes;        /* known; used for them, at the most */
    bool upkeep;           /* the next call does not expand but continues a long job, such as growing: base/pieces.h */
    const uint8_t *path;   /* the blank's directions from the start to the goal, of the best solution; NULL: none yet */
    size_t length;         /* of the path */
    unsigned improvements; /* of anytime and beam-stack search: how often there was something new to report */
    unsigned h_weight;     /* of anytime search: see there */
    const p15_iteration *iterations; /* of searches that have them: those that have ended */
    size_t iteration_count;
    const p15_layers *layers; /* NULL: they are not counted */
} p15_report;

typedef struct p15_search p15_search;
typedef struct p15_search_type p15_search_type; /* the header of each search has one */

/* Makes a search, unless its type refuses the options. Tables, evaluators and arrays outlive it. */
p15_status p15_search_new(const p15_search_type *type, const p15_search_options *options, p15_search **search);

/* Expands about `expansions` nodes. Returns early between two pieces of a long job (base/pieces.h). True while there is
 * more to do. */
bool p15_search_run(p15_search *search, uint64_t expansions);

/* What is known so far. It is good until the next call. */
const p15_report *p15_search_report(p15_search *search);

/* From now on, the search writes what it does to a trace; NULL: no more. A trace begins before the first run. */
void p15_search_trace(p15_search *search, p15_trace *trace);

/* Lets the search count its nodes by layer, from before its first run and its trace on. That takes 80 kB. P15_ERR_MEMORY:
 * it counts none. */
p15_status p15_search_count_layers(p15_search *search);

void p15_search_delete(p15_search *search); /* NULL is fine */

/* ------------------------------------------------------------------------------------------------ for the searches */

/* What the calls above do for one kind of search. */
struct p15_search_type {
    size_t bytes;  /* of a search */
    bool by_sides; /* each side has an evaluator, which the search takes from its options */
    /* The rest of making it: all else is 0, but what p15_search_new sets. After an error, `end` is called. */
    p15_status (*make)(p15_search *search);
    bool (*run)(p15_search *search, uint64_t expansions); /* of a search that is running */
    void (*complete)(p15_search *search);                 /* fills the rest of the report; NULL: nothing is missing */
    void (*traced)(p15_search *search);                   /* the trace has changed; NULL: nothing to do */
    void (*counted)(p15_search *search);                  /* layers are counted; NULL: nothing to do */
    void (*end)(p15_search *search); /* frees what it alone has; NULL: nothing. It may be half made. */
};

/* The first member of each search. */
struct p15_search {
    const p15_search_type *type;
    p15_search_options options;
    const p15_evaluator *evaluator; /* NULL: each side has its own */
    const p15_h_changes *changes;   /* the evaluator's, or NULL */
    p15_moves moves;
    p15_board start, goal;
    unsigned h; /* of the start */
    p15_values values;
    p15_memory memory;
    p15_trace *trace;   /* NULL: none */
    p15_layers *layers; /* NULL: none */
    p15_report report;
    uint8_t *path;
    p15_iteration *iterations;
    size_t iteration_room;
    p15_evaluations *batches[2]; /* children that are evaluated together; NULL: one by one */
    /* Of searches that keep their nodes in closed tables, of one side or of two: best_first/expand.h. */
    p15_closed closed[2];
    p15_open open[4];
    struct p15_parent *parents;
    unsigned parent_count, parent_at;  /* the nodes that are expanded together, and the next of them */
    const p15_values *batch_values[2]; /* of their children */
};

/* Ends the search. Returns false, for the functions that say whether there is more to do. */
bool p15_search_end(p15_search *search, p15_search_state state);

/* Ends a search that has no open node left: solved if it has a solution. Returns false, too. */
bool p15_search_exhausted(p15_search *search);

/* Makes room for as many children that are evaluated together, if the evaluator prefers that. P15_ERR_MEMORY. */
p15_status p15_search_batch(p15_search *search, size_t room);

/* Makes the closed table of a side, with its root: the start, or on side 1 the goal. P15_ERR_MEMORY. */
p15_status p15_search_root(p15_search *search, unsigned side);

/* Ends a search whose start is the goal, and traces it. Returns false, too. */
bool p15_search_at_goal(p15_search *search);

P15_INLINE void p15_layers_add(p15_layers *layers, unsigned side, unsigned g, unsigned h, p15_counts more) {
    p15_counts_add(&layers->by_f[side][g + h], more);
    p15_counts_add(&layers->by_g[side][g], more);
}

/* Counts an expanded node, of which so many children were made, in its layers. */
P15_INLINE void p15_search_count(p15_search *search, unsigned side, unsigned g, unsigned h, unsigned generated) {
    if (search->layers) p15_layers_add(search->layers, side, g, h, (p15_counts){1, generated});
}

/* Room for the path of a solution, in place of the one before. NULL: no memory. The report knows how many nodes were
 * expanded for it. */
uint8_t *p15_search_path(p15_search *search, size_t length);

/* Notes an iteration that has ended. False: no memory. */
bool p15_search_iterated(p15_search *search, unsigned bound, uint64_t expanded, uint64_t generated);

/* P15_DEFINE_RUN_SOME(run_all) compiles an always-inlined body `bool run_all(p15_search *, uint64_t)` by level, and
 * defines `run_some`, which runs one of the compilations. */
#define P15_DEFINE_RUN_SOME(run_all)                                                \
    P15_COMPILE_BY_LEVEL(bool, run_all, (p15_search * search, uint64_t expansions), \
                         return run_all(search, expansions));                       \
    static bool run_some(p15_search *search, uint64_t expansions) {                 \
        return run_all##_by_level[search->options.cpu](search, expansions);         \
    }

#endif
