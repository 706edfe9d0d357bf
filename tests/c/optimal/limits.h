/* Searches with limits: of moves, of nodes, of time. */
#ifndef LIMITS_H
#define LIMITS_H

#include "subjects.h"

/* --------------------------------------------------------------------------------- limits --- */

/* A search with a limit is the one without, until that would need a bound beyond it: in batches, and
 * alone with any number of workers. */
static inline void check_limits(subject s, const p15_board *boards, size_t count) {
    const int around[] = {-160, -3, -2, -1, 0, 1, 2};
    enum { LIMITS = sizeof around / sizeof *around };
    unsigned step = s.single ? 2 : 1;
    p15_result *free_results = solve(s, boards, count, 8, UINT64_MAX);
    p15_board *tried = allocate(LIMITS * count, sizeof *tried);
    uint8_t *limits = allocate(LIMITS * count, 1);
    p15_result *results = allocate(LIMITS * count, sizeof *results);
    for (size_t i = 0; i < LIMITS * count; i++) {
        int limit = free_results[i / LIMITS].length + around[i % LIMITS];
        tried[i] = boards[i / LIMITS];
        limits[i] = (uint8_t)(limit < 0 ? 0 : limit);
    }
    for (unsigned slots = 1; slots <= 5; slots += 4) {
        set_slots(s, slots);
        memset(results, 0, LIMITS * count * sizeof *results);
        run_batch(s, tried, limits, NULL, LIMITS * count, 100, results);
        for (size_t i = 0; i < LIMITS * count; i++) {
            const p15_result *without = &free_results[i / LIMITS];
            p15_iteration its[P15_MAX_ITERATIONS], before[P15_MAX_ITERATIONS];
            if (limits[i] >= without->length) {
                CHECK(same_result(&results[i], without));
                continue;
            }
            unsigned h, finished = 0;
            uint64_t expanded = 0, generated = 0;
            CHECK(h_of(s, tried[i], &h) == P15_OK);
            CHECK(results[i].status == P15_OK && !results[i].solved && results[i].length == 0);
            CHECK(results[i].lower_bound > limits[i] && results[i].lower_bound <= without->length);
            CHECK(results[i].lower_bound == h || results[i].lower_bound <= limits[i] + step);
            h += h == 0 && s.multi;
            if (i % 3) continue;
            solve_one(s, tried[i], 1, slots, 1000, before);
            for (; h + step * finished <= limits[i]; finished++) {
                expanded += before[finished].expanded;
                generated += before[finished].generated;
            }
            CHECK(results[i].iteration_count == finished);
            if (s.single)
                CHECK(results[i].expanded == expanded && results[i].generated == generated);
            else /* sharing the last iteration among subtrees, which takes nodes, is left out */
                CHECK(results[i].expanded <= expanded && results[i].generated <= generated);

            p15_worker *workers[2];
            p15_result alone;
            make_workers(s, workers, 2);
            p15_idastar *search = begin_search(s, tried[i], limits[i]);
            do {
                while ((int)p15_worker_run(workers[0], search, 7) | (int)p15_worker_run(workers[1], search, 11)) {
                }
            } while (p15_idastar_advance(search, workers, 2));
            p15_idastar_result(search, &alone, its);
            CHECK(same_result(&alone, &results[i]) && alone.lower_bound == results[i].lower_bound);
            CHECK(!p15_worker_run(workers[0], search, 7) && !p15_idastar_advance(search, workers, 2));
            p15_idastar_delete(search);
            delete_workers(workers, 2);
        }
    }
    free(free_results);
    free(tried);
    free(limits);
    free(results);
}

/* What a board has proved when it may generate `most` nodes, from its iterations without a limit: whether it is solved,
 * and its lower bound. */
static inline bool within_nodes(const p15_iteration *iterations, unsigned count, unsigned h, uint64_t most,
                                unsigned *bound) {
    uint64_t generated = 0;
    *bound = h;
    for (unsigned i = 0; i < count; i++) {
        *bound = iterations[i].bound;
        if ((generated += iterations[i].generated) > most) return false;
    }
    return true;
}

/* A search of many nodes is solved if, and only if, its limit allows for them; else it has proved what it had within
 * the limit, and made few more nodes: in batches, and alone with any number of workers. */
static inline void check_node_limits(subject s, const p15_board *boards, size_t count) {
    enum { LIMITS = 9 };
    p15_board *tried = allocate(LIMITS * count, sizeof *tried);
    uint64_t *most = allocate(LIMITS * count, sizeof *most);
    unsigned char *solved = allocate(LIMITS * count, 1), *bounds = allocate(LIMITS * count, 1);
    p15_result *first = allocate(LIMITS * count, sizeof *first), *results = allocate(LIMITS * count, sizeof *results);
    p15_result *without = solve(s, boards, count, 1, UINT64_MAX);
    for (size_t i = 0; i < count; i++) {
        p15_iteration iterations[P15_MAX_ITERATIONS];
        uint64_t all = solve_one(s, boards[i], 1, 1, 1000, iterations).generated;
        uint64_t limits[LIMITS] = {0, 1, 3, all / 9, all / 2, all ? all - 1 : 0, all, all + 1, UINT64_MAX};
        for (unsigned j = 0; j < LIMITS; j++) {
            size_t at = LIMITS * i + j;
            unsigned h, bound;
            CHECK(h_of(s, boards[i], &h) == P15_OK);
            tried[at] = boards[i];
            most[at] = limits[j];
            solved[at] = within_nodes(iterations, without[i].iteration_count, h, limits[j], &bound);
            bounds[at] = (unsigned char)bound;
            CHECK(solved[at] == (all <= limits[j]));
        }
    }
    for (unsigned round = 0; round < 4; round++) {
        const unsigned slots[] = {1, 3, 4, P15_MAX_SLOTS};
        const uint64_t visits[] = {UINT64_MAX, 1, 100, 7};
        set_slots(s, slots[round]);
        memset(results, 0, LIMITS * count * sizeof *results);
        run_batch(s, tried, NULL, most, LIMITS * count, visits[round], results);
        for (size_t at = 0; at < LIMITS * count; at++) {
            CHECK(results[at].status == P15_OK && results[at].solved == solved[at]);
            /* sharing a large iteration of multi-tile moves counts as part of it, and may exceed the limit alone */
            bool shared = s.multi && results[at].lower_bound == bounds[at] + 1;
            CHECK(results[at].lower_bound == bounds[at] || shared);
            if (solved[at])
                CHECK(same_result(&results[at], &without[at / LIMITS]));
            else if (s.multi)
                CHECK((results[at].generated > most[at]) == shared);
            else
                CHECK(results[at].generated > most[at] && results[at].generated <= most[at] + P15_MOST_CHILDREN);
            if (round == 0) first[at] = results[at];
            CHECK(same_result(&first[at], &results[at]));
        }
    }

    /* alone: what counts is exact at the end of an iteration, and until then never more than what is made */
    for (size_t i = 0; i < count; i += 3) {
        p15_worker *workers[3];
        p15_result result;
        bool more = true;
        set_slots(s, 1 + draw(5));
        make_workers(s, workers, 3);
        p15_idastar *search = begin_search(s, boards[i], P15_NO_LIMIT);
        for (uint64_t last = 0; more;) {
            for (bool busy = true; busy;) {
                busy = false;
                uint64_t made = 0;
                for (unsigned w = 0; w < 3; w++) busy |= p15_worker_run(workers[w], search, 1 + draw(40));
                for (unsigned w = 0; w < 3; w++) made += p15_worker_counts(workers[w]).generated;
                uint64_t counted = p15_idastar_generated(search, workers, 3);
                CHECK(counted >= last && (counted <= made || s.multi));
                last = counted;
            }
            more = p15_idastar_advance(search, workers, 3);
            p15_idastar_result(search, &result, NULL);
            CHECK(result.generated == last || (result.generated > last && s.multi));
        }
        CHECK(same_result(&result, &without[i]));
        p15_idastar_delete(search);
        delete_workers(workers, 3);
    }
    free(tried);
    free(most);
    free(solved);
    free(bounds);
    free(first);
    free(results);
    free(without);
}

/* A batch that is stopped in the middle: every board ends, and has proved no less than Manhattan distance. */
static inline void check_stop(subject s, const p15_board *boards, size_t count) {
    p15_result *without = solve(s, boards, count, 1, UINT64_MAX);
    for (unsigned calls = 0; calls < 40; calls += 13) {
        p15_result *results = allocate(count, sizeof *results);
        p15_batch batch;
        p15_worker *workers[2];
        set_slots(s, 1 + calls % 4);
        p15_batch_start(boards, NULL, NULL, results, count, &batch);
        make_workers(s, workers, 2);
        for (unsigned call = 0; call < calls; call++)
            for (unsigned w = 0; w < 2; w++) p15_worker_run_batch(workers[w], &batch, 50);
        p15_batch_stop(&batch);
        while ((int)p15_worker_run_batch(workers[0], &batch, 50) | (int)p15_worker_run_batch(workers[1], &batch, 50)) {
        }
        CHECK(p15_batch_done(&batch) == count);
        for (size_t i = 0; i < count; i++) {
            unsigned h = s.multi ? 0 : p15_board_manhattan(boards[i], s.goal, s.shape);
            CHECK(results[i].status == P15_OK);
            if (results[i].solved) {
                CHECK(same_result(&results[i], &without[i]));
            } else {
                CHECK(h <= results[i].lower_bound && results[i].lower_bound <= without[i].length);
                CHECK(calls > 0 || (results[i].generated == 0 && (s.multi || (results[i].lower_bound == h && h > 0))));
            }
        }
        delete_workers(workers, 2);
        free(results);
    }
    free(without);
}

#endif
