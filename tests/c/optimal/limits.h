/* Searches with limits: of moves, of nodes, of time. */
#ifndef LIMITS_H
#define LIMITS_H

#include "partitions.h"

/* --------------------------------------------------------------------------------- limits --- */

/* A search with a limit is the one without, until that would need a bound beyond it: in batches, and
 * alone with any number of workers. */
static inline void check_limits(p15_problem *problem, const p15_board *boards, size_t count) {
    const int around[] = {-160, -3, -2, -1, 0, 1, 2};
    enum { LIMITS = sizeof around / sizeof *around };
    p15_result *free_results = solve(problem, boards, count, 8, UINT64_MAX);
    p15_board *tried = allocate(LIMITS * count, sizeof *tried);
    uint8_t *limits = allocate(LIMITS * count, 1);
    p15_result *results = allocate(LIMITS * count, sizeof *results);
    for (size_t i = 0; i < LIMITS * count; i++) {
        int limit = free_results[i / LIMITS].length + around[i % LIMITS];
        tried[i] = boards[i / LIMITS];
        limits[i] = (uint8_t)(limit < 0 ? 0 : limit);
    }
    for (unsigned slots = 1; slots <= 5; slots += 4) {
        problem->slot_count = slots;
        memset(results, 0, LIMITS * count * sizeof *results);
        run_batch(problem, tried, limits, NULL, LIMITS * count, 100, results);
        for (size_t i = 0; i < LIMITS * count; i++) {
            const p15_result *without = &free_results[i / LIMITS];
            p15_iteration its[P15_MAX_ITERATIONS], before[P15_MAX_ITERATIONS];
            if (limits[i] >= without->length) {
                CHECK(same_result(&results[i], without));
                continue;
            }
            unsigned h, finished = 0;
            uint64_t expanded = 0, generated = 0;
            CHECK(p15_heuristic(problem, tried[i], &h, NULL) == P15_OK);
            CHECK(results[i].status == P15_OK && !results[i].solved && results[i].length == 0);
            CHECK(results[i].lower_bound > limits[i] && results[i].lower_bound <= without->length);
            CHECK(results[i].lower_bound == h || results[i].lower_bound <= limits[i] + 2);
            if (i % 3) continue;
            solve_one(problem, tried[i], 1, slots, 1000, before);
            for (; h + 2 * finished <= limits[i]; finished++) {
                expanded += before[finished].expanded;
                generated += before[finished].generated;
            }
            CHECK(results[i].iteration_count == finished);
            CHECK(results[i].expanded == expanded && results[i].generated == generated);

            p15_worker *workers[2];
            p15_result alone;
            CHECK(p15_worker_new(problem, &workers[0]) == P15_OK && p15_worker_new(problem, &workers[1]) == P15_OK);
            p15_idastar *search = begin_search(problem, tried[i], limits[i]);
            do {
                while ((int)p15_worker_run(workers[0], search, 7) | (int)p15_worker_run(workers[1], search, 11)) {
                }
            } while (p15_idastar_advance(search, workers, 2));
            p15_idastar_result(search, &alone, its);
            CHECK(same_result(&alone, &results[i]) && alone.lower_bound == results[i].lower_bound);
            CHECK(!p15_worker_run(workers[0], search, 7) && !p15_idastar_advance(search, workers, 2));
            p15_idastar_delete(search);
            p15_worker_delete(workers[0]);
            p15_worker_delete(workers[1]);
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
static inline void check_node_limits(p15_problem *problem, const p15_board *boards, size_t count) {
    enum { LIMITS = 9 };
    p15_board *tried = allocate(LIMITS * count, sizeof *tried);
    uint64_t *most = allocate(LIMITS * count, sizeof *most);
    unsigned char *solved = allocate(LIMITS * count, 1), *bounds = allocate(LIMITS * count, 1);
    p15_result *first = allocate(LIMITS * count, sizeof *first), *results = allocate(LIMITS * count, sizeof *results);
    p15_result *without = solve(problem, boards, count, 1, UINT64_MAX);
    for (size_t i = 0; i < count; i++) {
        p15_iteration iterations[P15_MAX_ITERATIONS];
        uint64_t all = solve_one(problem, boards[i], 1, 1, 1000, iterations).generated;
        uint64_t limits[LIMITS] = {0, 1, 3, all / 9, all / 2, all ? all - 1 : 0, all, all + 1, UINT64_MAX};
        for (unsigned j = 0; j < LIMITS; j++) {
            size_t at = LIMITS * i + j;
            unsigned h, bound;
            CHECK(p15_heuristic(problem, boards[i], &h, NULL) == P15_OK);
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
        problem->slot_count = slots[round];
        memset(results, 0, LIMITS * count * sizeof *results);
        run_batch(problem, tried, NULL, most, LIMITS * count, visits[round], results);
        for (size_t at = 0; at < LIMITS * count; at++) {
            CHECK(results[at].status == P15_OK && results[at].solved == solved[at]);
            CHECK(results[at].lower_bound == bounds[at]);
            if (solved[at])
                CHECK(same_result(&results[at], &without[at / LIMITS]));
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
        problem->slot_count = 1 + draw(5);
        for (unsigned w = 0; w < 3; w++) CHECK(p15_worker_new(problem, &workers[w]) == P15_OK);
        p15_idastar *search = begin_search(problem, boards[i], P15_NO_LIMIT);
        for (uint64_t last = 0; more;) {
            for (bool busy = true; busy;) {
                busy = false;
                uint64_t made = 0;
                for (unsigned w = 0; w < 3; w++) busy |= p15_worker_run(workers[w], search, 1 + draw(40));
                for (unsigned w = 0; w < 3; w++) made += p15_worker_counts(workers[w]).generated;
                uint64_t counted = p15_idastar_generated(search, workers, 3);
                CHECK(counted >= last && counted <= made);
                last = counted;
            }
            more = p15_idastar_advance(search, workers, 3);
            p15_idastar_result(search, &result, NULL);
            CHECK(result.generated == last);
        }
        CHECK(same_result(&result, &without[i]));
        p15_idastar_delete(search);
        for (unsigned w = 0; w < 3; w++) p15_worker_delete(workers[w]);
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
static inline void check_stop(p15_problem *problem, const p15_board *boards, size_t count) {
    p15_result *without = solve(problem, boards, count, 1, UINT64_MAX);
    for (unsigned calls = 0; calls < 40; calls += 13) {
        p15_result *results = allocate(count, sizeof *results);
        p15_batch batch;
        p15_worker *workers[2];
        problem->slot_count = 1 + calls % 4;
        p15_batch_start(boards, NULL, NULL, results, count, &batch);
        for (unsigned w = 0; w < 2; w++) CHECK(p15_worker_new(problem, &workers[w]) == P15_OK);
        for (unsigned call = 0; call < calls; call++)
            for (unsigned w = 0; w < 2; w++) p15_worker_run_batch(workers[w], &batch, 50);
        p15_batch_stop(&batch);
        while ((int)p15_worker_run_batch(workers[0], &batch, 50) | (int)p15_worker_run_batch(workers[1], &batch, 50)) {
        }
        CHECK(p15_batch_done(&batch) == count);
        for (size_t i = 0; i < count; i++) {
            unsigned h = p15_board_manhattan(boards[i], problem->goal, problem->shape);
            CHECK(results[i].status == P15_OK);
            if (results[i].solved) {
                CHECK(same_result(&results[i], &without[i]));
            } else {
                CHECK(h <= results[i].lower_bound && results[i].lower_bound <= without[i].length);
                CHECK(calls > 0 || (results[i].generated == 0 && results[i].lower_bound == h && h > 0));
            }
        }
        for (unsigned w = 0; w < 2; w++) p15_worker_delete(workers[w]);
        free(results);
    }
    free(without);
}

#endif
