/* p15_worker with damaged tables, and with tables that exceed what a board needs: no harm, and no wrong solution. */

#include "optimal/graph.h"
#include "subjects.h"

/* ------------------------------------------------------------------------------- garbage --- */

/* Boards in the care of damaged tables: each ends, or is still running when its visits are used
 * up; what ends as solved is solved. Returns how many ended. */
static unsigned check_garbage(p15_shape shape, unsigned home, bool classic, unsigned count, const unsigned *goal_maps,
                              unsigned fill, const p15_fsm *fsm) {
    enum { BOARDS = 40, VISITS = 3000 };
    partition p = {.shape = shape, .home = home, .count = count};
    p15_space spaces[MOST_PARTS];
    uint8_t *payloads[MOST_PARTS];
    for (unsigned i = 0; i < count; i++) {
        CHECK(p15_space_init(shape, twin_count(goal_maps[i]), &spaces[i]) == P15_OK);
        size_t bytes = p15_table_payload_bytes(&spaces[i], classic);
        payloads[i] = malloc(bytes); /* of exactly that size, for the sanitizer */
        CHECK(payloads[i] != NULL);
        for (size_t j = 0; j < bytes; j++) payloads[i][j] = (uint8_t)(fill < 256 ? fill : draw(256));
        CHECK(p15_table_init(&spaces[i], payloads[i], bytes, classic, 255, goal_maps[i], home, &p.tables[i]) == P15_OK);
    }
    p15_problem problem = {0};
    start_problem(&p, fsm, &problem);
    add_lookup(&p, 0, &problem);
    if (shape.rows == shape.cols && home == shape.cells - 1u) add_lookup(&p, 1, &problem);
    unsigned ended = 0;
    for (unsigned i = 0; i < BOARDS; i++) {
        p15_board board = draw_walk(shape, problem.goal, 1 + i);
        p15_result result = {.status = P15_OK};
        p15_batch batch;
        p15_worker *worker;
        problem.slot_count = 1 + i % 2;
        problem.cpu = next_level();
        problem.plain = i % 5 == 0;
        CHECK(p15_worker_new(&P15_SINGLE_TILE, &problem, &worker) == P15_OK);
        p15_batch_start(&board, NULL, NULL, &result, 1, &batch);
        p15_worker_run_batch(worker, &batch, VISITS);
        if (p15_batch_done(&batch)) {
            ended++;
            CHECK(result.status == P15_OK || result.status == P15_ERR_CORRUPT);
            if (result.status == P15_OK) check_path(single_tile(&problem), board, &result);
        }
        p15_worker_delete(worker);
    }
    for (unsigned i = 0; i < count; i++) {
        p15_space_free(&spaces[i]);
        free(payloads[i]);
    }
    p15_problem_free(&problem);
    return ended;
}

/* Tables that tell of more moves than any board needs, to begin with: none of a search's arrays may
 * be made too short for them. A table a tile; nibbles of 15 only where the tile stands at first. */
static void check_too_far(void) {
    p15_shape shape = shape_of(2, 8);
    p15_fsm fsm = fsm_of(2, 8, 8);
    p15_board goal = p15_board_goal(shape, 15), board = draw_walk(shape, goal, 500);
    p15_space space;
    p15_table tables[15];
    p15_problem problem = {0};
    uint8_t payload[15][16] = {{0}}, maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    CHECK(p15_space_init(shape, 1, &space) == P15_OK);
    CHECK(p15_table_payload_bytes(&space, true) == 16);
    for (unsigned cell = 0; cell < 16; cell++) {
        unsigned tile = p15_board_tile(board, cell); /* its goal is cell tile - 1 */
        if (tile > 0 && tile <= 6) payload[tile - 1][p15_space_map_index(&space, 1u << cell)] = 15;
    }
    for (unsigned i = 0; i < 15; i++)
        CHECK(p15_table_init(&space, payload[i], 16, true, 255, 1u << i, 15, &tables[i]) == P15_OK);
    CHECK(p15_problem_init(shape, 15, &fsm, &problem) == P15_OK);
    p15_symmetries(shape, maps);
    CHECK(p15_problem_add_lookup(&problem, tables, 15, maps[0]) == P15_OK);
    unsigned h, manhattan = p15_board_manhattan(board, goal, shape);
    CHECK(manhattan + 6 * 30 > P15_MAX_LENGTH && manhattan + 6 * 30 < 256);
    CHECK(p15_heuristic(&problem, board, &h, NULL) == P15_ERR_CORRUPT);
    p15_result result = {.status = P15_OK};
    run_batch(single_tile(&problem), &board, NULL, NULL, 1, 1000, &result);
    CHECK(result.status == P15_ERR_CORRUPT && !result.solved);
    p15_space_free(&space);
    p15_problem_free(&problem);
    p15_fsm_free(&fsm);
}

/* An iteration whose bound is far too large leaves a frontier of tens of thousands of nodes: the search goes on from
 * it, or from the one before if there are too many. Manhattan distance, by a table per tile; at the root, one of them
 * tells too much. */
static void check_large_frontiers(void) {
    p15_shape shape = shape_of(4, 4);
    p15_fsm fsm = fsm_of(4, 4, 10);
    p15_board goal = p15_board_goal(shape, 15);
    p15_space space;
    p15_table tables[15];
    p15_problem problem = {0};
    uint8_t payload[15][16], maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    unsigned large = 0, too_large = 0;
    CHECK(p15_space_init(shape, 1, &space) == P15_OK);
    p15_symmetries(shape, maps);
    for (unsigned i = 0; i < 15; i++)
        CHECK(p15_table_init(&space, payload[i], 16, true, 255, 1u << i, 15, &tables[i]) == P15_OK);
    CHECK(p15_problem_init(shape, 15, &fsm, &problem) == P15_OK);
    CHECK(p15_problem_add_lookup(&problem, tables, 15, maps[0]) == P15_OK);
    problem.slot_count = 1;
    while (large < 2 || too_large < 1) {
        p15_board board = draw_walk(shape, goal, 60 + draw(60));
        unsigned blank = p15_board_blank(board), cell = blank < 4 ? blank + 4 : blank - 4, h;
        unsigned tile = p15_board_tile(board, cell);
        memset(payload, 0, sizeof payload);
        payload[tile - 1][p15_space_map_index(&space, 1u << cell)] = (uint8_t)(5 + draw(3));
        problem.cpu = next_level();
        p15_worker *worker;
        p15_result result;
        CHECK(p15_heuristic(&problem, board, &h, NULL) == P15_OK &&
              p15_worker_new(&P15_SINGLE_TILE, &problem, &worker) == P15_OK);
        p15_idastar *search = begin_search(single_tile(&problem), board, h + 2);
        p15_fringe *fringe = (p15_fringe *)search;
        while (p15_worker_run(worker, search, UINT64_MAX)) continue;
        bool more = p15_idastar_advance(search, &worker, 1);
        bool stays = fringe->next.count > problem.max_frontier;
        bool late = search->found.solved && search->found.length < search->bound; /* found, but not as a shortest one */
        CHECK(search->status == (late ? P15_ERR_CORRUPT : P15_OK));
        CHECK(fringe->frontier.count <= (stays ? 256 : problem.max_frontier));
        too_large += more && stays;
        if (more && (stays || fringe->frontier.count > 0x8000)) {
            large += !stays;
            while (p15_worker_run(worker, search, UINT64_MAX)) continue;
            late = !p15_idastar_advance(search, &worker, 1) && search->found.length < search->bound;
            CHECK(search->ended && search->status == (search->found.solved && late ? P15_ERR_CORRUPT : P15_OK));
        }
        p15_idastar_result(search, &result, NULL);
        if (result.solved) check_path(single_tile(&problem), board, &result);
        p15_idastar_delete(search);
        p15_worker_delete(worker);
    }
    p15_space_free(&space);
    p15_problem_free(&problem);
    p15_fsm_free(&fsm);
}

/* Long solutions from tables that tell too much here and there: what is called solved leads to the goal. Among these
 * draws is a board whose path of 65 moves and more once did not. */
static void check_long_garbage(void) {
    enum { BOARDS = 20 };
    p15_fsm fsm = fsm_of(2, 6, 8);
    const unsigned halves[] = {0x0c7, 0x738};
    p15_problem problem = {0};
    partition p;
    draw_state = SEED;
    make_partition(shape_of(2, 6), 11, true, 2, halves, &p);
    for (unsigned i = 0; i < 2; i++)
        for (size_t j = 0; j < p.parts[i].payload_bytes; j++)
            if (draw(30) == 0)
                p.parts[i].payload[j] = (uint8_t)(p.parts[i].payload[j] + 0x11 * (p.parts[i].payload[j] < 0x80));
    start_problem(&p, &fsm, &problem);
    add_lookup(&p, 0, &problem);
    unsigned long_ones = 0, solved = 0;
    for (unsigned i = 0; i < BOARDS; i++) {
        p15_board board;
        unsigned h = 0;
        do board = draw_walk(p.shape, problem.goal, 1000);
        while (p15_heuristic(&problem, board, &h, NULL) != P15_OK || h < 64);
        p15_result result = {.status = P15_OK};
        problem.slot_count = 1 + i % 2;
        problem.cpu = next_level();
        run_batch(single_tile(&problem), &board, NULL, NULL, 1, 100000, &result);
        if (result.status == P15_OK) check_path(single_tile(&problem), board, &result);
        solved += result.solved;
        long_ones += result.length > 64;
    }
    CHECK(long_ones > 0 && solved > BOARDS / 2);
    free_partition(&p);
    p15_problem_free(&problem);
    p15_fsm_free(&fsm);
}

/* After a move, damaged tables may give another board the value of the goal: its search ends at once. */
static void check_value_of_the_goal(void) {
    const unsigned goal_maps[] = {0x00f, 0x0e0, 0x100};
    p15_fsm fsm = fsm_of(3, 3, 8);
    p15_problem problem = {0};
    partition p;
    make_partition(shape_of(3, 3), 4, false, 3, goal_maps, &p);
    memset(p.parts[1].payload, 0, p.parts[1].payload_bytes);
    start_problem(&p, &fsm, &problem);
    add_lookup(&p, 0, &problem);
    p15_idastar *search = p15_idastar_new(&P15_SINGLE_TILE, &problem);
    CHECK(search);
    for (unsigned found = 0; found < 20;) {
        p15_board board = draw_walk(p.shape, problem.goal, 1 + draw(8));
        p15_status status = p15_idastar_begin(search, board, draw(P15_DIRECTIONS), P15_NO_LIMIT);
        if (board == problem.goal || search->bound > 0) continue;
        CHECK(status == P15_ERR_CORRUPT);
        found++;
    }
    p15_idastar_delete(search);
    free_partition(&p);
    p15_problem_free(&problem);
    p15_fsm_free(&fsm);
}

static void check_damaged(void) {
    const struct {
        unsigned rows, cols, count, goal_maps[5];
    } cases[] = {
        {2, 2, 2, {0x03, 0x04}},
        {3, 3, 2, {0x01b, 0x0e4}},
        {4, 4, 3, {0x08cc, 0x1113, 0x6620}},
        {2, 8, 5, {0x0007, 0x0038, 0x01c0, 0x0e00, 0x7000}},
    };
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) {
        p15_shape shape = shape_of(cases[c].rows, cases[c].cols);
        p15_fsm fsm = fsm_of(shape.rows, shape.cols, 8);
        unsigned ended = 0, draws = 0;
        for (unsigned trial = 0; trial < 5; trial++)
            for (unsigned classic = 0; classic < 2; classic++) {
                unsigned fill = trial == 0 ? 0 : trial == 1 ? 255 : 256;
                ended +=
                    check_garbage(shape, shape.cells - 1u, classic, cases[c].count, cases[c].goal_maps, fill, &fsm);
                draws += 40;
            }
        /* On 2x2 the sequences end by themselves; elsewhere a search that lost its way may go on. */
        CHECK(c == 0 ? ended == draws : ended > draws / 4);
        p15_fsm_free(&fsm);
    }
}

/* A result that contradicts what a graph knows. */
static void check_contradiction(void) {
    p15_shape shape = shape_of(3, 3);
    p15_graph graph;
    p15_board goal = p15_board_goal(shape, 8), board = p15_board_slide(goal, 8, 7);
    const uint8_t path[P15_PATH_BYTES] = {P15_RIGHT};
    p15_result result = {.status = P15_OK, .solved = true, .length = 2};
    CHECK(p15_graph_init(shape, goal, false, &graph) == P15_OK && p15_graph_add_path(&graph, board, 1, path) == P15_OK);
    CHECK(p15_graph_query(&graph, p15_graph_find(&graph, board)) == P15_OK);
    CHECK(p15_graph_next_query(&graph)->limit == 0);
    CHECK(p15_graph_add_result(&graph, &result) == P15_ERR_CORRUPT);
    p15_graph_free(&graph);
}

int main(void) {
    check_damaged();
    check_contradiction();
    check_large_frontiers();
    check_long_garbage();
    check_too_far();
    check_value_of_the_goal();
    return 0;
}
