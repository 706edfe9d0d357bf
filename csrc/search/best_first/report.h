/* p15_report: what every search that keeps nodes tells of itself. */
#ifndef P15_BEST_FIRST_REPORT_H
#define P15_BEST_FIRST_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    P15_SEARCH_RUNNING,
    P15_SEARCH_SOLVED,
    P15_SEARCH_FAILED, /* the space that it allows itself is exhausted */
    P15_SEARCH_NO_ROOM /* for more nodes */
} p15_search_state;

typedef struct {
    p15_search_state state;
    unsigned lower_bound; /* no solution is shorter, if the heuristic is admissible */
    uint64_t expanded;    /* nodes whose children were made */
    uint64_t generated;   /* children made, but for the undo of the last move */
    uint64_t reopened;    /* closed nodes that were reached with a smaller g */
    uint64_t largest_open, largest_closed;
    size_t nodes, bytes; /* known; used for them, at the most */
    bool upkeep;         /* the next call does not expand but goes on with a long job, such as growing: base/pieces.h */
} p15_report;

#endif
