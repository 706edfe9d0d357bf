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

/* Runs a new search of `make` several times, the last time in the smallest steps, and checks that all runs count the same
 * and find the same path. Returns its length, SIZE_MAX without one; *report is the last run's, without its path. */
static inline size_t check_runs(p15_shape shape, p15_search *(*make)(const void *options), const void *options,
                                p15_report *report) {
    p15_report first = {0};
    uint8_t *path = NULL;
    for (unsigned run = 0; run < 3; run++) {
        p15_search *search = make(options);
        CHECK(p15_search_run(search, 0) == (p15_search_report(search)->state == P15_SEARCH_RUNNING));
        run_to_end(search, run == 2);
        *report = *p15_search_report(search);
        if (run == 0) {
            first = *report;
            path = allocate(first.length, 1);
            if (first.path) memcpy(path, first.path, first.length);
        }
        check_counts(report, &first);
        CHECK(report->lower_bound == first.lower_bound && report->bytes <= ROOM);
        CHECK(!report->path == !first.path && report->length == first.length);
        CHECK(!report->path || memcmp(report->path, path, first.length) == 0);
        if (report->state == P15_SEARCH_SOLVED) CHECK(leads(shape, search->start, search->goal, path, first.length));
        p15_search_delete(search);
    }
    free(path);
    return first.path ? first.length : SIZE_MAX;
}

#endif
