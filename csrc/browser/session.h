/* p15_session: shortest solutions for a page in a browser: one goal, small tables in memory, one board after the other.
 *
 * The caller is JavaScript, so all values are numbers, and larger results lie in memory that it reads. It makes a
 * session, gives it lookups, and begins a job. Then it runs the job in pieces, between which it looks at its messages:
 *
 *     p15_session_begin(session, board, limit)      a shortest solution
 *     p15_session_query(session, board)             the distances of the boards beside a known one
 *     p15_session_query_child(session, board, move) the distance of one of them
 *     p15_session_reach(session, board)             all boards on its shortest solutions
 *     while (p15_session_run(session, visits)) ..
 *
 * What the searches find is kept in a graph (optimal/graph.h), from which the answers come.
 *
 * Boards are packed, and of the goal p15_board_goal(shape, home). One thread. */
#ifndef P15_BROWSER_SESSION_H
#define P15_BROWSER_SESSION_H

#include "optimal/graph.h"
#include "optimal/problem.h"

typedef struct p15_session p15_session;

/* NULL: not such a shape or home, or no memory. */
p15_session *p15_session_new(unsigned rows, unsigned cols, unsigned home);
void p15_session_delete(p15_session *session);

/* Adds the lookup of a partition's tables, which are built here: `patterns` are the goal cells of each, `cell_to` is a
 * symmetry that keeps the home. P15_ERR_PATTERN, P15_ERR_MEMORY. */
p15_status p15_session_add(p15_session *session, const uint16_t *patterns, unsigned count, const uint8_t *cell_to);

/* What the lookups are added to: for the heuristics of other searches. */
const p15_problem *p15_session_problem(const p15_session *session);

/* Begins a search. After one that was given up before its end, p15_session_forget comes first. P15_ERR_BOARD, P15_ERR_UNSOLVABLE, P15_ERR_MEMORY. */
p15_status p15_session_begin(p15_session *session, p15_board board, unsigned limit);

/* Adds queries about a known board. P15_ERR_ARGUMENT: it is not known. P15_ERR_MEMORY. */
p15_status p15_session_query(p15_session *session, p15_board board);
p15_status p15_session_query_child(p15_session *session, p15_board board, unsigned move);
p15_status p15_session_reach(p15_session *session, p15_board board);

/* Searches for about `visits` visits to a node. True while there is more to do. */
bool p15_session_run(p15_session *session, double visits);

/* Of the search that began last, and of the queries since then: an error, and nodes so far. The lower bound is that of
 * the board that was asked about last. */
p15_status p15_session_status(const p15_session *session);
unsigned p15_session_lower_bound(const p15_session *session);
double p15_session_expanded(const p15_session *session);
double p15_session_generated(const p15_session *session);

/* Of a known board: its distance (P15_NOT_KNOWN), the set of the moves that are known to begin shortest solutions, and
 * a shortest solution, one byte a move of the blank, at p15_session_path. */
unsigned p15_session_distance(const p15_session *session, p15_board board);
unsigned p15_session_moves(const p15_session *session, p15_board board);
p15_status p15_session_solution(p15_session *session, p15_board board);
const uint8_t *p15_session_path(const p15_session *session);

/* The next shortest solution of the board of the last p15_session_reach, at p15_session_path, when nothing is left to
 * run. P15_LISTING_WAITS: something is left, or no board was reached. */
p15_listing_state p15_session_next_solution(p15_session *session);

/* How many boards are known, and an end to that: none is known, no search is at work, and no error remains. */
unsigned p15_session_known(const p15_session *session);
void p15_session_forget(p15_session *session);

/* How many shortest solutions the board of the last p15_session_reach has, when nothing is left to run. -1: there is no
 * memory, or something is left. */
double p15_session_count(p15_session *session);

#endif
