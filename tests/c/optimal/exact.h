/* What searches must find: distances by breadth-first search, values by tables of twins. */
#ifndef EXACT_H
#define EXACT_H

#include "subjects.h"

/* The same answers whatever the slots, processor, workers and budgets. */
static inline void check_alike(subject s, const p15_board *boards, size_t count) {
    p15_result *first = solve(s, boards, count, 8, UINT64_MAX);
    const struct {
        unsigned slots;
        uint64_t visits;
    } others[] = {{1, 1000}, {3, 1}, {P15_MAX_SLOTS, 17}};
    static unsigned calls;
    p15_iteration iterations[P15_MAX_ITERATIONS];
    p15_cpu *cpu = cpu_of(s), kept = *cpu, level = P15_CPU_PLAIN;
    for (unsigned i = 0; i < 3 || level <= p15_cpu_highest(); i++) {
        *cpu = level <= p15_cpu_highest() ? level++ : next_level();
        unsigned other_run = (i + calls) % 3;
        p15_result *other = solve(s, boards, count, others[other_run].slots, others[other_run].visits);
        for (size_t j = 0; j < count; j++) CHECK(same_result(&first[j], &other[j]));
        free(other);
    }
    calls++;
    for (size_t i = 0; i < count; i += 1 + count / 40) {
        if (first[i].status != P15_OK) continue;
        for (unsigned workers = 1; workers <= 3; workers++) {
            *cpu = next_level();
            p15_result one = solve_one(s, boards[i], workers, 1 + draw(6), 1 + draw(50), iterations);
            CHECK(same_result(&first[i], &one));
        }
        p15_result one = solve_one(s, boards[i], 1, 1, 1, iterations);
        CHECK(same_result(&first[i], &one));
    }
    *cpu = kept;
    free(first);
}

/* What is wrong with a board is told, and the boards around it are solved. */
static inline void check_statuses(subject s) {
    p15_shape shape = s.shape;
    uint8_t tiles[P15_MAX_CELLS];
    p15_board boards[9], unsolvable, goal = s.goal;
    p15_board_unpack(goal, shape, tiles);
    unsigned home = p15_board_blank(goal), a = home == 0, b = a + 1 + (home == a + 1);
    uint8_t tile = tiles[a];
    tiles[a] = tiles[b];
    tiles[b] = tile;
    CHECK(p15_board_pack(tiles, shape, &unsolvable) == P15_OK);
    for (unsigned i = 0; i < 9; i++) boards[i] = draw_walk(shape, goal, 5 * i);
    boards[1] = boards[2] = boards[8] = unsolvable;
    boards[3] = 0;
    boards[4] = UINT64_MAX;
    p15_status expected[9] = {[1] = P15_ERR_UNSOLVABLE,
                              [2] = P15_ERR_UNSOLVABLE,
                              [3] = P15_ERR_BOARD,
                              [4] = P15_ERR_BOARD,
                              [8] = P15_ERR_UNSOLVABLE};
    for (unsigned slots = 1; slots <= 10; slots += 3) {
        p15_result *results = solve(s, boards, 9, slots, 3);
        for (unsigned i = 0; i < 9; i++) {
            unsigned h = 99;
            CHECK(results[i].status == expected[i] && results[i].solved == !expected[i]);
            CHECK(h_of(s, boards[i], &h) == expected[i]);
            if (expected[i]) {
                CHECK(results[i].expanded == 0 && results[i].generated == 0 && h == 99);
                p15_idastar *search = search_of(s);
                for (unsigned move = 0; move <= P15_DIRECTIONS; move++)
                    CHECK(p15_idastar_begin(search, boards[i], move, P15_NO_LIMIT) == expected[i]);
                p15_idastar_delete(search);
            }
        }
        CHECK(results[0].length == 0 && results[0].expanded == 0);
        free(results);
    }

    /* So it is in a batch that was stopped: only the goal is solved. */
    p15_result stopped[9] = {{.status = P15_OK}};
    p15_batch batch;
    p15_worker *worker;
    make_workers(s, &worker, 1);
    p15_batch_start(boards, NULL, NULL, stopped, 9, &batch);
    p15_batch_stop(&batch);
    while (p15_worker_run_batch(worker, &batch, 3)) {
    }
    for (unsigned i = 0; i < 9; i++)
        CHECK(stopped[i].status == expected[i] && stopped[i].solved == (boards[i] == goal));
    delete_workers(&worker, 1);

    p15_iteration iterations[P15_MAX_ITERATIONS];
    p15_result one = solve_one(s, goal, 2, 2, 5, iterations);
    CHECK(one.length == 0 && one.expanded == 0 && one.iteration_count == 0);

    /* Results that say already what is wrong are passed over. */
    p15_result results[2] = {{.status = P15_ERR_ARGUMENT, .length = 77}, {.status = P15_OK}};
    run_batch(s, boards + 5, NULL, NULL, 2, 10, results);
    CHECK(results[0].status == P15_ERR_ARGUMENT && results[0].length == 77);
    check_path(s, boards[6], &results[1]);
    run_batch(s, NULL, NULL, NULL, 0, 100, NULL);
}

/* ------------------------------------------------------------------------ all of a shape --- */

/* Every stride-th board of an atlas at its distance, and h no larger; of these, one in `other` with
 * 1 and 3 slots as well. */
static inline void check_distances(subject s, const atlas *a, size_t stride, size_t other) {
    size_t count = (a->count + stride - 1) / stride;
    p15_board *boards = allocate(count, sizeof *boards);
    for (size_t i = 0; i < count; i++) boards[i] = a->boards[i * stride];
    p15_result *results = solve(s, boards, count, 8, 100000);
    for (size_t i = 0; i < count; i++) {
        unsigned h, distance = a->lengths[twin_rank(s.shape, boards[i])];
        CHECK(results[i].status == P15_OK && results[i].length == distance);
        CHECK(h_of(s, boards[i], &h) == P15_OK);
        CHECK(h <= distance && ((distance - h) % 2 == 0 || s.multi));
    }
    size_t few = count / other;
    for (size_t i = 0; i < few; i++) boards[i] = boards[i * other];
    p15_cpu *cpu = cpu_of(s), kept = *cpu;
    for (unsigned slots = 1; slots <= 3; slots += 2) {
        *cpu = next_level();
        p15_result *again = solve(s, boards, few, slots, 1000);
        for (size_t i = 0; i < few; i++) CHECK(same_result(&again[i], &results[i * other]));
        free(again);
    }
    *cpu = kept;
    free(results);
    free(boards);
}

/* ------------------------------------------------------------------- the textbook search --- */

/* While the frontier moves, iterations together expand what a textbook iteration does by itself; when
 * it stays, those before it and one iteration. (The last iteration stops at the goal.) */
static inline void check_fringe(p15_problem *problem, p15_board board) {
    p15_iteration plain[P15_MAX_ITERATIONS], its[P15_MAX_ITERATIONS];
    problem->plain = true;
    unsigned count = solve_one(single_tile(problem), board, 1, 4, 1000, plain).iteration_count;
    problem->plain = false;
    CHECK(solve_one(single_tile(problem), board, 1, 4, 1000, its).iteration_count == count);
    uint64_t expanded = 0, generated = 0, expanded_before = 0, generated_before = 0;
    bool moves = true;
    for (unsigned i = 0; i + 1 < count; i++) {
        if (moves && expanded + its[i].expanded != plain[i].expanded) {
            moves = false; /* the iteration before was the first on the frontier that stays */
            expanded = expanded_before;
            generated = generated_before;
        }
        CHECK(expanded + its[i].expanded == plain[i].expanded);
        CHECK(generated + its[i].generated == plain[i].generated);
        if (moves) {
            expanded_before = expanded;
            generated_before = generated;
            expanded += its[i].expanded;
            generated += its[i].generated;
        }
    }
}

/* ---------------------------------------------------------------------------- heuristics --- */

/* h of random boards: the largest lookup. A lookup is the sum of its patterns' true values, and a lookup through a
 * symmetry is what the board's image has without it. */
static inline void check_lookups(p15_problem *problem, const partition *p, const unsigned *symmetries,
                                 const twin_table *twins, bool classic) {
    p15_shape shape = p->shape;
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    p15_symmetries(shape, maps);
    for (unsigned trial = 0; trial < 300; trial++) {
        p15_board board = draw_walk(shape, problem->goal, trial);
        unsigned h, largest = 0;
        uint8_t lookups[P15_MAX_LOOKUPS];
        CHECK(p15_heuristic(problem, board, &h, lookups) == P15_OK);
        for (unsigned v = 0; v < problem->lookup_count; v++) {
            const uint8_t *cell_to = maps[symmetries[v]];
            uint8_t tile_to[P15_MAX_CELLS];
            for (unsigned cell = 0; cell < shape.cells; cell++)
                tile_to[p15_board_tile(problem->goal, cell)] = (uint8_t)p15_board_tile(problem->goal, cell_to[cell]);
            p15_board seen = p15_board_transform(board, shape, cell_to, tile_to);
            unsigned sum = 0;
            for (unsigned i = 0; i < p->count; i++) {
                uint8_t at[P15_MAX_CELLS];
                unsigned goal_map = p->parts[i].goal_map, least = UNREACHED;
                for (unsigned cell = 0; cell < shape.cells; cell++) {
                    unsigned tile = p15_board_tile(seen, cell), label = 0, goal = 0;
                    while (p15_board_tile(problem->goal, goal) != tile) label += goal_map >> goal++ & 1u;
                    at[cell] = goal_map >> goal & 1u ? (uint8_t)label : EMPTY;
                }
                for (unsigned cell = 0; cell < shape.cells; cell++) {
                    if (at[cell] != EMPTY || (!classic && cell != p15_board_blank(seen))) continue;
                    unsigned value = twin_value(&twins[i], twin_map(shape, at), twin_perm(shape, at), cell);
                    least = value < least ? value : least;
                }
                sum += least;
            }
            CHECK(lookups[v] == sum);
            largest = sum > largest ? sum : largest;
        }
        CHECK(h == largest);
    }
}

#endif
