/* p15_graph and p15_solutions: the boards on all shortest solutions of boards of 3x3, their first moves, numbers and
 * lists, against breadth-first distances of all boards. */

#include "optimal/solutions.h"
#include "problems.h"

enum { BOARDS = 60, ALL = 362880 };

static uint8_t *lengths; /* of all boards of 3x3 by twin_rank */
static const uint8_t order[P15_DIRECTIONS] = {P15_DOWN, P15_UP, P15_RIGHT, P15_LEFT};

static unsigned twin_distance(p15_shape shape, p15_board board) { return lengths[twin_rank(shape, board)]; }

/* Lists every shortest solution, in the order of its moves; returns how many there are. */
static unsigned list_solutions(p15_shape shape, p15_board board, uint8_t *moves, unsigned depth, uint8_t (*list)[32]) {
    unsigned distance = twin_distance(shape, board), blank = p15_board_blank(board), count = 0;
    if (distance == 0) {
        memcpy(*list, moves, depth);
        return 1;
    }
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
        int cell = p15_cell_neighbour(shape, blank, order[i]);
        if (cell < 0) continue;
        p15_board next = p15_board_slide(board, blank, (unsigned)cell);
        if (twin_distance(shape, next) > distance) continue;
        moves[depth] = order[i];
        count += list_solutions(shape, next, moves, depth + 1, list + count);
    }
    return count;
}

/* Resolves all queries, each with two workers. */
static unsigned answer(const p15_problem *problem, p15_graph *graph) {
    const p15_query *query;
    p15_idastar *search = p15_idastar_new(problem);
    p15_worker *workers[2];
    unsigned count = 0;
    CHECK(search != NULL);
    for (unsigned w = 0; w < 2; w++) CHECK(p15_worker_new(problem, &workers[w]) == P15_OK);
    for (; (query = p15_graph_next_query(graph)); count++) {
        const p15_board board = graph->known[query->index].board;
        p15_result result;
        unsigned blank = p15_board_blank(board), limit = query->limit;
        unsigned before = p15_cell_step(problem->shape, blank, 3u - query->move);
        unsigned distance = twin_distance(problem->shape, board);
        CHECK(twin_distance(problem->shape, p15_board_slide(board, blank, before)) == limit + 1);
        CHECK(p15_idastar_begin(search, board, query->move, limit) == P15_OK);
        do {
            while ((int)p15_worker_run(workers[0], search, 100) | (int)p15_worker_run(workers[1], search, 100)) {
            }
        } while (p15_idastar_advance(search, workers, 2));
        p15_idastar_result(search, &result, NULL);
        CHECK(result.status == P15_OK && result.solved == (distance <= limit));
        CHECK(!result.solved || result.length == distance);
        CHECK(p15_graph_add_result(graph, &result) == P15_OK);
    }
    for (unsigned w = 0; w < 2; w++) p15_worker_delete(workers[w]);
    p15_idastar_delete(search);
    return count;
}

static uint32_t add(p15_problem *problem, p15_graph *graph, p15_board board) {
    p15_result *result = solve(problem, &board, 1, problem->slot_count, 1000);
    CHECK(p15_graph_add_path(graph, board, result->length, result->path) == P15_OK);
    free(result);
    uint32_t index = p15_graph_find(graph, board);
    CHECK(index != P15_NO_BOARD && graph->known[index].distance == twin_distance(problem->shape, board));
    return index;
}

/* Everything that a graph knows is right. */
static void check_known(const p15_graph *graph) {
    for (uint32_t i = 0; i < graph->count; i++) {
        const p15_known *known = &graph->known[i];
        unsigned distance = twin_distance(graph->shape, known->board), blank = p15_board_blank(known->board), moves = 0;
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            int cell = p15_cell_neighbour(graph->shape, blank, dir);
            if (cell < 0) continue;
            p15_board next = p15_board_slide(known->board, blank, (unsigned)cell);
            moves |= (unsigned)(twin_distance(graph->shape, next) < distance) << dir;
        }
        CHECK(known->distance == distance && !known->pending);
        CHECK(known->whole ? known->moves == moves : (known->moves & ~moves) == 0 && (known->moves || !distance));
    }
}

static void check_solutions(const p15_graph *graph, uint32_t index, uint8_t (*list)[32]) {
    p15_board board = graph->known[index].board;
    unsigned length = graph->known[index].distance, seen = 0;
    uint8_t moves[P15_MAX_LENGTH];
    unsigned expected = list_solutions(graph->shape, board, moves, 0, list);
    uint64_t counts[P15_COUNT_WORDS];
    CHECK(p15_solutions_count(graph, counts) == P15_OK);
    CHECK(counts[0] == expected && !(counts[1] | counts[2] | counts[3]));
    p15_listing listing;
    p15_listing_begin(index, order, &listing);
    p15_listing_state state;
    while ((state = p15_listing_next(graph, &listing)) == P15_LISTING_SOLUTION) {
        CHECK(seen < expected);
        for (unsigned i = 0; i < length; i++) CHECK(p15_path_move(listing.path, i) == list[seen][i]);
        seen++;
    }
    CHECK(state == P15_LISTING_ENDED && seen == expected);
    CHECK(p15_listing_next(graph, &listing) == P15_LISTING_ENDED);
}

/* Boards explored in one graph after the other, or in the same one. */
static void check_exploration(p15_problem *problem, const p15_board *boards, bool together) {
    p15_graph graph;
    uint8_t (*list)[32] = allocate(10000, sizeof *list);
    CHECK(p15_graph_init(problem->shape, problem->goal, &graph) == P15_OK);
    for (unsigned i = 0; i < BOARDS; i++) {
        uint32_t index = add(problem, &graph, boards[i]);
        do {
            CHECK(p15_graph_reach(&graph, index) == P15_OK);
        } while (graph.pending_count > 0 && (answer(problem, &graph), true));
        for (uint32_t at = 1; at < graph.order_count; at++)
            CHECK(graph.known[graph.order[at - 1]].distance >= graph.known[graph.order[at]].distance);
        check_known(&graph);
        check_solutions(&graph, index, list);
        if (!together) p15_graph_clear(&graph);
    }
    p15_graph_free(&graph);
    free(list);
}

/* Numbers of 256 bits, of a graph that has far more solutions than a puzzle: from each board, moves lead to all its
 * neighbours that were found later. Byte by byte, modulo 2^256. */
static void check_large_counts(p15_shape shape) {
    enum { BYTES = 8 * P15_COUNT_WORDS };
    p15_graph graph;
    uint64_t counts[P15_COUNT_WORDS], seen[P15_COUNT_WORDS] = {0};
    CHECK(p15_graph_init(shape, p15_board_goal(shape, 0), &graph) == P15_OK);
    p15_board *stack = allocate(P15_DIRECTIONS * ALL, sizeof *stack);
    stack[0] = p15_board_goal(shape, 0);
    for (size_t left = 1; left > 0;) { /* depth-first, so that there are long counts */
        p15_board board = stack[--left];
        if (p15_graph_find(&graph, board) != P15_NO_BOARD) continue;
        graph.goal = board; /* each board is taken for one, so that no solutions are needed */
        CHECK(p15_graph_add_path(&graph, board, 0, (uint8_t[P15_PATH_BYTES]){0}) == P15_OK);
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            int cell = p15_cell_neighbour(shape, p15_board_blank(board), dir);
            if (cell >= 0) stack[left++] = p15_board_slide(board, p15_board_blank(board), (unsigned)cell);
        }
    }
    free(stack);
    uint8_t (*sums)[BYTES] = allocate(graph.count, BYTES);
    for (uint32_t begin = graph.count; begin-- > 0;) {
        p15_known *known = &graph.known[begin];
        unsigned blank = p15_board_blank(known->board);
        known->moves = 0;
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            int cell = p15_cell_neighbour(shape, blank, dir);
            if (cell < 0) continue;
            uint32_t next = p15_graph_find(&graph, p15_board_slide(known->board, blank, (unsigned)cell));
            if (next <= begin) continue;
            known->moves |= (uint8_t)(1u << dir);
            for (unsigned i = 0, sum = 0; i < BYTES; i++, sum >>= 8) {
                sum += sums[begin][i] + sums[next][i];
                sums[begin][i] = sum & 255u;
            }
        }
        known->distance = known->moves != 0;
        if (!known->moves) sums[begin][0] = 1;
        if (begin % 500) continue;
        graph.order_count = graph.count - begin;
        for (uint32_t i = begin; i < graph.count; i++) graph.order[i - begin] = i;
        CHECK(p15_solutions_count(&graph, counts) == P15_OK);
        for (unsigned i = 0; i < BYTES; i++) CHECK((counts[i / 8] >> (8 * (i % 8)) & 255u) == sums[begin][i]);
        for (unsigned word = 0; word < P15_COUNT_WORDS; word++) seen[word] |= counts[word];
    }
    for (unsigned word = 0; word < P15_COUNT_WORDS; word++) CHECK(seen[word] >> 32);
    free(sums);
    p15_graph_free(&graph);
}

/* A listing that asks for what it needs gives the same, and asks nothing twice. */
static void check_lazy_listing(p15_problem *problem, const p15_board *boards) {
    p15_graph graph;
    uint8_t (*list)[32] = allocate(10000, sizeof *list), moves[P15_MAX_LENGTH];
    CHECK(p15_graph_init(problem->shape, problem->goal, &graph) == P15_OK);
    for (unsigned i = 0; i < BOARDS; i++) {
        p15_listing listing;
        unsigned seen = 0, expected = list_solutions(problem->shape, boards[i], moves, 0, list);
        uint32_t index = add(problem, &graph, boards[i]);
        p15_listing_begin(index, order, &listing);
        for (;;) {
            p15_listing_state state = p15_listing_next(&graph, &listing);
            if (state == P15_LISTING_ENDED) break;
            if (state == P15_LISTING_WAITS) {
                CHECK(!graph.known[listing.at[listing.depth]].whole);
                CHECK(p15_graph_query_path(&graph, listing.at[listing.depth]) == P15_OK);
                answer(problem, &graph);
                CHECK(graph.known[listing.at[listing.depth]].whole);
                continue;
            }
            for (unsigned m = 0; m < graph.known[index].distance; m++)
                CHECK(p15_path_move(listing.path, m) == list[seen][m]);
            seen++;
        }
        CHECK(seen == expected);
        check_known(&graph);
        p15_graph_clear(&graph);
    }
    p15_graph_free(&graph);
    free(list);
}

/* A random walk, a query about each board from the one before. */
static void check_walk(p15_problem *problem, p15_board board) {
    p15_graph graph;
    CHECK(p15_graph_init(problem->shape, problem->goal, &graph) == P15_OK);
    uint32_t index = add(problem, &graph, board);
    for (unsigned step = 0; step < 200;) {
        unsigned dir = draw(P15_DIRECTIONS), blank = p15_board_blank(board);
        int cell = p15_cell_neighbour(problem->shape, blank, dir);
        if (cell < 0) continue;
        CHECK(p15_graph_query_child(&graph, index, dir) == P15_OK);
        CHECK(p15_graph_query_child(&graph, index, dir) == P15_OK); /* the second time is not counted */
        CHECK(answer(problem, &graph) <= 1);
        board = p15_board_slide(board, blank, (unsigned)cell);
        index = p15_graph_find(&graph, board);
        CHECK(index != P15_NO_BOARD && graph.known[index].distance == twin_distance(problem->shape, board));
        uint8_t path[P15_PATH_BYTES], dirs[P15_MAX_LENGTH];
        p15_board end;
        CHECK(p15_graph_solution(&graph, index, path) == P15_OK);
        for (unsigned i = 0; i < graph.known[index].distance; i++) dirs[i] = (uint8_t)p15_path_move(path, i);
        p15_board_apply(board, problem->shape, dirs, graph.known[index].distance, &end);
        CHECK(end == problem->goal);
        step++;
    }
    check_known(&graph);
    p15_graph_free(&graph);
}

/* Contradictions are damage, and no path leads off the board. */
static void check_damage(const p15_problem *problem) {
    p15_graph graph;
    uint8_t path[P15_PATH_BYTES] = {P15_UP | P15_DOWN << 2};
    CHECK(p15_graph_init(problem->shape, problem->goal, &graph) == P15_OK);
    CHECK(p15_graph_find(&graph, problem->goal) == P15_NO_BOARD);
    CHECK(p15_graph_add_path(&graph, problem->goal, 0, path) == P15_OK);
    CHECK(p15_graph_add_path(&graph, problem->goal, 2, path) == P15_ERR_CORRUPT);
    p15_graph_clear(&graph);
    CHECK(p15_graph_find(&graph, problem->goal) == P15_NO_BOARD && graph.count == 0);
    path[0] = P15_DOWN;
    CHECK(p15_graph_add_path(&graph, problem->goal, 1, path) == P15_ERR_ANSWER);
    path[0] = P15_UP;
    CHECK(p15_graph_add_path(&graph, problem->goal, 1, path) == P15_ERR_ANSWER && graph.count == 0);
    p15_graph_free(&graph);

    p15_result result = {.status = P15_OK, .solved = true, .length = 2};
    p15_board board = p15_board_slide(problem->goal, 8, 7);
    CHECK(p15_graph_init(problem->shape, problem->goal, &graph) == P15_OK);
    path[0] = P15_RIGHT;
    CHECK(p15_graph_add_path(&graph, board, 1, path) == P15_OK);
    CHECK(p15_graph_query(&graph, p15_graph_find(&graph, board)) == P15_OK);
    CHECK(p15_graph_next_query(&graph)->limit == 0);
    CHECK(p15_graph_add_result(&graph, &result) == P15_ERR_CORRUPT);
    p15_graph_free(&graph);
}

int main(void) {
    weak_problem weak;
    p15_board boards[BOARDS];
    make_weak(&weak);
    draw_boards(&weak, BOARDS - 1, boards);
    boards[BOARDS - 1] = weak.problem.goal;
    lengths = distances(weak.problem.shape, weak.problem.goal);
    check_exploration(&weak.problem, boards, false);
    check_exploration(&weak.problem, boards, true);
    check_lazy_listing(&weak.problem, boards);
    for (unsigned i = 0; i < BOARDS; i += 10) check_walk(&weak.problem, boards[i]);
    check_walk(&weak.problem, weak.problem.goal);
    check_damage(&weak.problem);
    check_large_counts(shape_of(2, 4));
    free(lengths);
    free_weak(&weak);
    return 0;
}
