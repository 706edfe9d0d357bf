/* p15_worker: lengths against breadth-first search, the same answers whatever the slots, workers and budgets. */

#include "optimal/exact.h"
#include "optimal/limits.h"

/* ----------------------------------------------------------------------------- arguments --- */

static void check_arguments(const partition *zero_aware, const partition *classic, const p15_fsm *fsm) {
    p15_problem problem = {0};
    p15_shape shape = zero_aware->shape;
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    unsigned count = zero_aware->count, symmetries = p15_symmetries(shape, maps);
    const p15_table *tables = zero_aware->tables;
    CHECK(p15_problem_init(shape, shape.cells, fsm, &problem) == P15_ERR_ARGUMENT);
    start_problem(zero_aware, fsm, &problem);
    for (unsigned s = 0; s < symmetries; s++)
        if (maps[s][zero_aware->home] != zero_aware->home)
            CHECK(p15_problem_add_lookup(&problem, tables, count, maps[s]) == P15_ERR_PATTERN);
    uint8_t torn[P15_MAX_CELLS], beyond[P15_MAX_CELLS];
    memcpy(torn, maps[0], sizeof torn);
    memcpy(beyond, maps[0], sizeof beyond);
    torn[0] = maps[0][1];
    torn[1] = maps[0][0];
    beyond[0] = 200;
    CHECK(p15_problem_add_lookup(&problem, tables, count, torn) == P15_ERR_PATTERN);
    CHECK(p15_problem_add_lookup(&problem, tables, count, beyond) == P15_ERR_PATTERN);
    CHECK(p15_problem_add_lookup(&problem, tables, count - 1, maps[0]) == P15_ERR_PATTERN);
    CHECK(p15_problem_add_lookup(&problem, tables, 0, maps[0]) == P15_ERR_PATTERN);
    p15_table twice[] = {tables[0], tables[0]}, mixed[] = {tables[0], classic->tables[1]};
    CHECK(p15_problem_add_lookup(&problem, twice, 2, maps[0]) == P15_ERR_PATTERN);
    CHECK(p15_problem_add_lookup(&problem, mixed, 2, maps[0]) == P15_ERR_PATTERN);
    CHECK(problem.lookup_count == 0 && problem.pattern_count == 0);
    for (unsigned i = 0; i < P15_MAX_LOOKUPS; i++)
        CHECK(p15_problem_add_lookup(&problem, tables, count, maps[0]) == P15_OK);
    CHECK(p15_problem_add_lookup(&problem, tables, count, maps[0]) == P15_ERR_PATTERN);
    start_problem(zero_aware, fsm, &problem);
    add_lookup(zero_aware, 0, &problem);
    CHECK(p15_problem_add_lookup(&problem, classic->tables, count, maps[0]) == P15_ERR_PATTERN);

    p15_problem other = {0};
    CHECK(p15_problem_init(shape_of(2, 4), 7, fsm, &other) == P15_OK);
    CHECK(p15_problem_add_lookup(&other, tables, count, maps[0]) == P15_ERR_PATTERN);
    p15_problem_free(&problem);
    p15_problem_free(&other);
}

/* -------------------------------------------------------------------------------- shapes --- */

static p15_board *draw_boards(p15_shape shape, p15_board goal, unsigned least, unsigned most, size_t count) {
    p15_board *boards = allocate(count, sizeof *boards);
    for (size_t i = 0; i < count; i++) boards[i] = draw_walk(shape, goal, least + draw(most - least + 1));
    return boards;
}

/* A move makes a board's states those that descents give for the board after it. */
static void check_steps(const p15_problem *problem, p15_board board) {
    unsigned blank = p15_board_blank(board), steps = 0, h, stepped_h;
    for (unsigned move = 0; move < P15_DIRECTIONS; move++) {
        int cell = p15_cell_neighbour(problem->shape, blank, move);
        if (cell < 0) continue;
        p15_state stepped[P15_MAX_LOOKUP_PATTERNS], states[P15_MAX_LOOKUP_PATTERNS];
        p15_board child = p15_board_slide(board, blank, (unsigned)cell);
        CHECK(p15_problem_states(problem, board, stepped) == P15_OK);
        CHECK(p15_problem_step(problem, board, move, stepped) == P15_OK);
        CHECK(p15_problem_states(problem, child, states) == P15_OK);
        CHECK(memcmp(stepped, states, problem->pattern_count * sizeof *states) == 0);
        CHECK(p15_problem_h(problem, stepped, NULL, &stepped_h) == P15_OK);
        CHECK(p15_heuristic(problem, child, &h, NULL) == P15_OK && h == stepped_h);
        steps++;
    }
    CHECK(steps >= 2);
}

/* A search that no board began has ended. */
static void check_no_board(const p15_problem *problem) {
    p15_worker *worker;
    p15_idastar *search = p15_idastar_new(&P15_SINGLE_TILE, problem);
    CHECK(search && p15_worker_new(&P15_SINGLE_TILE, problem, &worker) == P15_OK);
    CHECK(!p15_worker_run(worker, search, 10));
    CHECK(!p15_idastar_advance(search, &worker, 1));
    p15_worker_delete(worker);
    p15_idastar_delete(search);
}

/* Random boards of a problem, plainly and not; each time, some checks have another level. */
static void check_draws(p15_problem *problem, unsigned least, unsigned most, size_t plain, size_t count) {
    p15_cpu kept = problem->cpu;
    p15_board *boards = draw_boards(problem->shape, problem->goal, least, most, count);
    for (size_t i = 0; i < count; i++) check_steps(problem, boards[i]);
    problem->plain = true; /* test_reference.c compares its nodes */
    check_alike(single_tile(problem), boards, plain);
    problem->plain = false;
    for (size_t i = 0; i < plain; i++) check_fringe(problem, boards[i]);
    check_alike(single_tile(problem), boards, count);
    problem->cpu = next_level();
    check_limits(single_tile(problem), boards, plain);
    check_node_limits(single_tile(problem), boards, plain);
    check_stop(single_tile(problem), boards, count);
    problem->cpu = next_level();
    problem->plain = true;
    check_limits(single_tile(problem), boards, plain / 4);
    check_node_limits(single_tile(problem), boards, plain / 4);
    check_stop(single_tile(problem), boards, plain);
    p15_result *expected = solve(single_tile(problem), boards, count, 8, UINT64_MAX);
    problem->plain = false;
    problem->cpu = kept;
    p15_result *results = solve(single_tile(problem), boards, count, 8, UINT64_MAX);
    for (size_t i = 0; i < count; i++) CHECK(results[i].length == expected[i].length);
    free(expected);
    free(results);
    free(boards);
}

/* Longer sequences for large searches: the same lengths with fewer nodes, alike whatever the slots and workers, and an
 * end for a batch that is stopped while it waits for them. */
static void check_longer_sequences(p15_problem *problem, const p15_fsm *longer) {
    enum { COUNT = 20 };
    draw_state = SEED; /* the same boards by every compiler, which may draw before in another order */
    p15_board *boards = draw_boards(problem->shape, problem->goal, 90, 130, COUNT);
    p15_iteration iterations[2][P15_MAX_ITERATIONS];
    unsigned lengths[COUNT];
    uint64_t saved = 0;
    longer_fsm = longer;
    for (unsigned i = 0; i < COUNT; i++) {
        problem->large = UINT64_MAX;
        p15_result before = solve_one(single_tile(problem), boards[i], 1, 1, 1000, iterations[0]);
        problem->large = 200;
        p15_result after = solve_one(single_tile(problem), boards[i], 1, 1, 1000, iterations[1]);
        CHECK(after.length == before.length && after.iteration_count == before.iteration_count);
        lengths[i] = after.length;
        for (unsigned j = 0; j + 1 < after.iteration_count; j++) { /* the last one ends where it meets the goal */
            CHECK(iterations[1][j].generated <= iterations[0][j].generated);
            saved += iterations[0][j].generated - iterations[1][j].generated;
        }
    }
    CHECK(atomic_load(&problem->longer) == longer && saved > 0);
    atomic_store(&problem->longer, NULL);
    free(solve(single_tile(problem), boards, COUNT, 5, 10000));
    CHECK(atomic_load(&problem->longer) == longer);
    check_alike(single_tile(problem), boards, COUNT);

    p15_batch batch;
    p15_worker *worker;
    atomic_store(&problem->longer, NULL);
    p15_result *results = allocate(COUNT, sizeof *results);
    CHECK(p15_worker_new(&P15_SINGLE_TILE, problem, &worker) == P15_OK);
    p15_batch_start(boards, NULL, NULL, results, COUNT, &batch);
    while (!p15_batch_wants_longer(&batch)) CHECK(p15_worker_run_batch(worker, &batch, 1000));
    p15_batch_stop(&batch);
    while (p15_worker_run_batch(worker, &batch, 1000)) CHECK(p15_batch_done(&batch) < COUNT);
    CHECK(p15_batch_done(&batch) == COUNT);
    for (unsigned i = 0; i < COUNT; i++) CHECK(results[i].status == P15_OK && results[i].lower_bound <= lengths[i]);
    p15_worker_delete(worker);
    problem->large = UINT64_MAX;
    free(results);
    free(boards);
}

/* Boards that need no visits, and boards to be passed over, do not make a call endless. */
static void check_budget(p15_problem *problem) {
    enum { COUNT = 1000 };
    p15_board boards[COUNT];
    p15_result *results = allocate(COUNT, sizeof *results);
    p15_batch batch;
    p15_worker *worker;
    unsigned calls = 0;
    for (size_t i = 0; i < COUNT; i++) {
        boards[i] = problem->goal;
        if (i % 2) results[i].status = P15_ERR_BOARD;
    }
    CHECK(p15_worker_new(&P15_SINGLE_TILE, problem, &worker) == P15_OK);
    p15_batch_start(boards, NULL, NULL, results, COUNT, &batch);
    CHECK(p15_worker_run_batch(worker, &batch, 1000));
    CHECK(p15_batch_done(&batch) > 0 && p15_batch_done(&batch) < COUNT / 2);
    while (p15_worker_run_batch(worker, &batch, 1000)) calls++;
    CHECK(calls > 2 && p15_batch_done(&batch) == COUNT);
    for (size_t i = 0; i < COUNT; i++)
        CHECK(results[i].status == (i % 2 ? P15_ERR_BOARD : P15_OK) && results[i].solved == (i % 2 == 0));
    p15_worker_delete(worker);
    free(results);
}

/* All 181,440 boards with tables that know the distance, a fifth with halves and reflection; or one in `sparse` of
 * these. */
static void check_3x3(unsigned sparse) {
    p15_fsm fsm = fsm_of(3, 3, 10);
    const unsigned whole[] = {0x0ff}, halves[] = {0x01b, 0x0e4};
    p15_shape shape = shape_of(3, 3);
    atlas a = make_atlas(shape, p15_board_goal(shape, 8), twin_slides);
    p15_problem problem = {0};
    partition p, classic;
    make_partition(shape, 8, false, 1, whole, &p);
    start_problem(&p, &fsm, &problem);
    add_lookup(&p, 0, &problem);
    check_distances(single_tile(&problem), &a, sparse, 5);
    check_budget(&problem);
    check_no_board(&problem);
    free_partition(&p);

    make_partition(shape, 8, false, 2, halves, &p);
    start_problem(&p, &fsm, &problem);
    add_lookup(&p, 0, &problem);
    check_distances(single_tile(&problem), &a, 37, 5);
    check_draws(&problem, 10, 300, 20, 100);
    add_lookup(&p, 1, &problem);
    check_distances(single_tile(&problem), &a, 5 * sparse, 3);
    check_draws(&problem, 10, 300, 20, 500);
    check_statuses(single_tile(&problem));

    make_partition(shape, 8, true, 2, halves, &classic);
    start_problem(&classic, &fsm, &problem);
    add_lookup(&classic, 1, &problem);
    check_distances(single_tile(&problem), &a, 37, 5);
    add_lookup(&classic, 0, &problem);
    check_distances(single_tile(&problem), &a, 11 * sparse, 5);
    check_draws(&problem, 10, 300, 20, 100);
    check_statuses(single_tile(&problem));
    check_arguments(&p, &classic, &fsm);
    free_partition(&p);
    free_partition(&classic);
    free_atlas(&a);
    p15_problem_free(&problem);
    p15_fsm_free(&fsm);
}

/* Homes elsewhere, and all the symmetries that keep them; thousands of boards of each, or one in `sparse` of these. */
static void check_homes(unsigned sparse) {
    const struct {
        unsigned rows, cols, home, count, goal_maps[3];
    } cases[] = {
        {3, 3, 4, 2, {0x02b, 0x1c4}}, {3, 3, 1, 3, {0x00d, 0x070, 0x180}},
        {2, 4, 7, 2, {0x00f, 0x070}}, {4, 2, 2, 3, {0x003, 0x0e0, 0x018}},
        {2, 3, 4, 1, {0x02f}},        {2, 2, 0, 2, {0x002, 0x00c}},
    };
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++)
        for (unsigned classic = 0; classic < 2; classic++) {
            p15_shape shape = shape_of(cases[c].rows, cases[c].cols);
            unsigned home = cases[c].home, symmetries[P15_MAX_SYMMETRIES];
            uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
            partition p;
            make_partition(shape, home, classic, cases[c].count, cases[c].goal_maps, &p);
            p15_fsm fsm = fsm_of(shape.rows, shape.cols, 4 + 2 * c);
            p15_problem problem = {0};
            start_problem(&p, &fsm, &problem);
            for (unsigned s = 0; s < p15_symmetries(shape, maps); s++)
                if (maps[s][home] == home) {
                    symmetries[problem.lookup_count] = s;
                    add_lookup(&p, s, &problem);
                }
            twin_table twins[3];
            for (unsigned i = 0; i < p.count; i++) twin_build(shape, cases[c].goal_maps[i], home, &twins[i]);
            check_lookups(&problem, &p, symmetries, twins, classic);
            for (unsigned i = 0; i < p.count; i++) free(twins[i].values);
            atlas a = make_atlas(shape, p15_board_goal(shape, home), twin_slides);
            check_distances(single_tile(&problem), &a, sparse * (1 + a.count / 3000), 5);
            free_atlas(&a);
            check_draws(&problem, 1, 100, 10, 50);
            check_statuses(single_tile(&problem));
            p15_problem_free(&problem);
            p15_fsm_free(&fsm);
            free_partition(&p);
        }
}

/* Searches that go deep, so that paths are put together from many parts. */
static void check_2x5(void) {
    p15_fsm fsm = fsm_of(2, 5, 8);
    const unsigned most[] = {0x0ff, 0x100}, halves[] = {0x063, 0x19c};
    p15_shape shape = shape_of(2, 5);
    atlas a = make_atlas(shape, p15_board_goal(shape, 9), twin_slides);
    for (unsigned i = 0; i < 2; i++) {
        p15_problem problem = {0};
        partition p;
        make_partition(shape, 9, false, 2, i ? halves : most, &p);
        start_problem(&p, &fsm, &problem);
        add_lookup(&p, 0, &problem);
        check_distances(single_tile(&problem), &a, i ? 100003 : 1009, 5);
        p15_board far[] = {a.boards[a.count - 1], a.boards[a.count - 40], a.boards[a.count / 2]};
        check_alike(single_tile(&problem), far, i ? 1 : 3);
        p15_problem_free(&problem);
        free_partition(&p);
    }
    free_atlas(&a);
    p15_fsm_free(&fsm);
}

/* Solutions of more than 64 moves, with few and with many words of moves in a node. */
static void check_long_paths(void) {
    enum { BOARDS = 3 };
    p15_fsm fsm = fsm_of(2, 6, 8);
    const unsigned halves[] = {0x0c7, 0x738};
    p15_problem problem = {0};
    partition p;
    make_partition(shape_of(2, 6), 11, false, 2, halves, &p);
    start_problem(&p, &fsm, &problem);
    add_lookup(&p, 0, &problem);
    for (unsigned long_ones = 0; long_ones == 0;) {
        p15_board boards[BOARDS];
        for (unsigned i = 0, h; i < BOARDS; i += h > 58) {
            boards[i] = draw_walk(p.shape, problem.goal, 1000);
            CHECK(p15_heuristic(&problem, boards[i], &h, NULL) == P15_OK);
        }
        problem.plain = false;
        p15_result *results = solve(single_tile(&problem), boards, BOARDS, 4, UINT64_MAX);
        problem.plain = true;
        p15_result *plain = solve(single_tile(&problem), boards, BOARDS, 4, UINT64_MAX);
        for (unsigned i = 0; i < BOARDS; i++) {
            CHECK(results[i].status == P15_OK && results[i].length == plain[i].length);
            long_ones += results[i].length > 64;
        }
        check_alike(single_tile(&problem), boards, BOARDS);
        free(plain);
        free(results);
    }
    free_partition(&p);
    p15_problem_free(&problem);
    p15_fsm_free(&fsm);
}

/* Fringes that must not become as large as they would: the one before stays. */
static void check_small_fringes(void) {
    enum { BOARDS = 12 };
    const unsigned thirds[] = {0x00f, 0x0f0, 0x700};
    const uint32_t most[] = {1, 10, 100, 300, 1000};
    p15_fsm fsm = fsm_of(3, 4, 8);
    p15_problem problem = {0};
    partition p;
    make_partition(shape_of(3, 4), 11, false, 3, thirds, &p);
    start_problem(&p, &fsm, &problem);
    add_lookup(&p, 0, &problem);
    p15_board *boards = draw_boards(p.shape, problem.goal, 40, 60, BOARDS);
    p15_result *results = solve(single_tile(&problem), boards, BOARDS, 4, UINT64_MAX);
    uint64_t expanded = 0, expected = 0;
    for (unsigned m = 0; m < sizeof most / sizeof *most; m++) {
        problem.max_frontier = most[m];
        p15_result *small = solve(single_tile(&problem), boards, BOARDS, 4, UINT64_MAX);
        for (unsigned i = 0; i < BOARDS; i++) {
            CHECK(small[i].length == results[i].length);
            expanded += small[i].expanded;
            expected += results[i].expanded;
        }
        check_alike(single_tile(&problem), boards, BOARDS);
        free(small);
    }
    CHECK(expanded > expected); /* nodes above the frontier are expanded again */
    free(results);
    free(boards);
    free_partition(&p);
    p15_problem_free(&problem);
    p15_fsm_free(&fsm);
}

/* Partitions of other shapes, lookups of two partitions, and the 15-puzzle with reflection. */
static void check_large(void) {
    p15_fsm fsm = fsm_of(3, 4, 8);
    const unsigned across[] = {0x00f, 0x0f0, 0x700}, down[] = {0x113, 0x4cc, 0x220};
    p15_problem problem = {0};
    partition p, q;
    make_partition(shape_of(3, 4), 11, false, 3, across, &p);
    make_partition(shape_of(3, 4), 11, false, 3, down, &q);
    start_problem(&p, &fsm, &problem);
    add_lookup(&p, 0, &problem);
    check_draws(&problem, 10, 40, 10, 20);
    add_lookup(&q, 0, &problem);
    check_draws(&problem, 10, 45, 10, 40);
    free_partition(&p);
    free_partition(&q);
    p15_problem_free(&problem);
    p15_fsm_free(&fsm);

    fsm = fsm_of(4, 4, 10);
    p15_fsm longer = fsm_of(4, 4, 14);
    /* tiles {3,4,7,8,12} {1,2,5,9,13} {6,10,11,14,15} */
    const unsigned fives[] = {0x08cc, 0x1113, 0x6620}, others[] = {0x008f, 0x0370, 0x7c00};
    for (unsigned classic = 0; classic < 2; classic++) {
        make_partition(shape_of(4, 4), 15, classic, 3, fives, &p);
        start_problem(&p, &fsm, &problem);
        add_lookup(&p, 0, &problem);
        p15_board *boards = draw_boards(p.shape, problem.goal, 20, 35, 100);
        problem.plain = true;
        p15_result *expected = solve(single_tile(&problem), boards, 100, 8, UINT64_MAX);
        problem.plain = false;
        unsigned h[100], mirrored;
        for (unsigned i = 0; i < 100; i++) CHECK(p15_heuristic(&problem, boards[i], &h[i], NULL) == P15_OK);
        for (unsigned lookups = 1; lookups <= 2; lookups++) {
            p15_result *results = solve(single_tile(&problem), boards, 100, 5, UINT64_MAX);
            for (unsigned i = 0; i < 100; i++) CHECK(results[i].length == expected[i].length);
            free(results);
            check_draws(&problem, 20, 40, 5, 30);
            check_longer_sequences(&problem, &longer);
            if (lookups == 2) break;
            add_lookup(&p, 1, &problem);
            for (unsigned i = 0; i < 100; i++) {
                CHECK(p15_heuristic(&problem, boards[i], &mirrored, NULL) == P15_OK);
                CHECK(mirrored >= h[i] && mirrored <= expected[i].length);
            }
        }
        make_partition(shape_of(4, 4), 15, classic, 3, others, &q);
        add_lookup(&q, 0, &problem);
        add_lookup(&q, 1, &problem);
        check_draws(&problem, 20, 40, 5, 20);
        free(expected);
        free(boards);
        free_partition(&p);
        free_partition(&q);
    }
    p15_problem_free(&problem);
    p15_fsm_free(&fsm);
    p15_fsm_free(&longer);
}
int main(int count, char **arguments) {
    bool slow = is_slow(count, arguments);
    unsigned sparse = slow ? 1 : 16;
    check_3x3(sparse);
    check_homes(sparse);
    if (slow) check_2x5();
    check_long_paths();
    check_small_fringes();
    check_large();
    return 0;
}
