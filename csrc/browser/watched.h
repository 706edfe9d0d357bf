/* p15_watched: one textbook search for a page in a browser, with what it does node by node.
 *
 * The caller is JavaScript: it writes the options as an array of 32-bit numbers (p15_watched_options), runs the search in
 * pieces, and reads the counts as an array of doubles (p15_watched_counts) and the expansions from memory (p15_expansion,
 * search/trace.h, whose layout is asserted in watched.c):
 *
 *     p15_watched_new(rows, cols, start, goal, options, session, &status)
 *     while (p15_watched_run(watched, expansions)) read the expansions; p15_watched_taken(watched)
 *
 * The options of each algorithm are numbers that Python gives the page: puzzle15/page/_assembling.py. All heuristics here
 * are admissible. */
#ifndef P15_BROWSER_WATCHED_H
#define P15_BROWSER_WATCHED_H

#include "browser/session.h"
#include "search/kernels.h"

typedef struct p15_watched p15_watched;

/* What a kernel does not use is ignored. */
typedef struct {
    uint32_t kernel;                /* search/kernels.h */
    uint32_t heuristics;            /* a bit for each p15_heuristic_kind; the next one: the session's tables */
    uint32_t traced;                /* whether it writes expansions */
    uint32_t promises;              /* whether its solutions are shortest ones */
    uint32_t order[P15_DIRECTIONS]; /* the directions of the blank, in which children are made */
    uint32_t max_bytes;
    uint32_t g_weight, h_weight, h_step;
    uint32_t ties, prove;             /* of best_first */
    uint32_t rule;                    /* of meeting */
    uint32_t width;                   /* of beam and beam_stack */
    uint32_t below;                   /* of beam_stack */
    uint32_t first_bound, last_bound; /* of deepening; first_bound may be P15_FROM_H */
    uint32_t table_bytes;             /* of deepening: boards are remembered in a table of this size; 0: none */
} p15_watched_options;

/* NULL, with the reason in *status. `session` has the tables that are among the heuristics, and the goal; else it may be
 * NULL. It outlives the search. */
p15_watched *p15_watched_new(unsigned rows, unsigned cols, p15_board start, p15_board goal,
                             const p15_watched_options *options, const p15_session *session, p15_status *status);
void p15_watched_delete(p15_watched *watched); /* NULL is fine */

/* Expands about so many nodes. True while there is more to do. */
bool p15_watched_run(p15_watched *watched, double expansions);

/* The expansions since the last p15_watched_taken that do not change any more, and how many they are; -1: no memory. */
const p15_expansion *p15_watched_expansions(const p15_watched *watched);
int p15_watched_expansion_count(const p15_watched *watched);
void p15_watched_taken(p15_watched *watched);

/* What is known so far, in the order of p15_watched_counts. Good until the next call. */
typedef struct {
    double state;       /* p15_search_state; solved, too, if the solution is proved to be a shortest one */
    double lower_bound; /* no solution is shorter */
    double expanded, generated, reopened, largest_open, nodes, bytes;
    double length; /* of the best solution so far; -1: none yet */
    double iterations;
} p15_watched_counts;
const p15_watched_counts *p15_watched_report(p15_watched *watched);

/* The blank's directions of the best solution, replayed; NULL: there is none. */
const uint8_t *p15_watched_path(p15_watched *watched);

/* An iteration that has ended: its bound, the expanded and the generated nodes. */
const double *p15_watched_iteration(p15_watched *watched, unsigned index);

#endif
