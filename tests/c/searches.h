/* What the tests of searches share: their paths, and how they are run. */
#ifndef SEARCHES_H
#define SEARCHES_H

#include "boards.h"
#include "search/search.h"

#define ROOM ((size_t)64 << 20) /* memory enough for any search of the tests */

/* Writes at most `room` directions of a search's path, and returns its length; SIZE_MAX: there is none. */
static inline size_t path_of(p15_search *search, uint8_t *directions, size_t room) {
    const p15_report *report = p15_search_report(search);
    if (!report->path) return SIZE_MAX;
    if (room > report->length) room = report->length;
    if (room > 0) memcpy(directions, report->path, room);
    return report->length;
}

/* Runs a new search to its end: at once, or, if `slowly`, in the smallest steps. */
static inline void run_to_end(p15_search *search, bool slowly) {
    bool more = p15_search_run(search, 1);
    while (more) more = p15_search_run(search, slowly ? 1 : UINT64_MAX);
    CHECK(!p15_search_run(search, 1));
}

/* Whether both have counted the same. */
static inline void check_counts(const p15_report *a, const p15_report *b) {
    CHECK(a->state == b->state && a->expanded == b->expanded && a->generated == b->generated);
    CHECK(a->reopened == b->reopened && a->nodes == b->nodes);
    CHECK(a->largest_open == b->largest_open && a->largest_closed == b->largest_closed);
}

#endif
