/* P15_DEFINE_RUN_SOME: the compilations of a search's loop, and which of them runs.
 *
 * P15_DEFINE_RUN_SOME(run_all, level) defines     static bool run_some(p15_search *search, uint64_t expansions)
 *
 * from an always-inlined body                     bool run_all(p15_search *search, uint64_t expansions)
 *
 * which is compiled once for each processor level that has one. `level` is an expression in `search`: the p15_cpu of its
 * options. */
#ifndef P15_BEST_FIRST_COMPILATIONS_H
#define P15_BEST_FIRST_COMPILATIONS_H

#include "search/search.h"

#define P15_DEFINE_RUN_SOME(run_all, level)                                                                           \
    static bool run_plain(p15_search *search, uint64_t expansions) { return run_all(search, expansions); }            \
    P15_TARGET_V3 static bool run_v3(p15_search *search, uint64_t expansions) { return run_all(search, expansions); } \
    static bool run_some(p15_search *search, uint64_t expansions) {                                                   \
        static bool (*const RUNS[])(p15_search *, uint64_t) = P15_BY_LEVEL(run_plain, run_v3, run_v3, run_v3);        \
        return RUNS[level](search, expansions);                                                                       \
    }

#endif
