/* p15_graph: how far a board can be, a graph that has forgotten its boards, and a system that refuses memory. Python
 * tests compare distances, first moves and solutions with breadth-first search. */

#include "boards.h"
#include "check.h"
#include "optimal/graph.h"

static const unsigned LEFT = 1, RIGHT = 2;

static unsigned requests, refused = UINT32_MAX; /* how many there were; the one that is refused */

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_calloc(size_t count, size_t size) { return requests++ == refused ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *memory, size_t size) { return requests++ == refused ? NULL : __real_realloc(memory, size); }

/* A path along which no board comes twice, to the goal: its first board. */
static p15_board wander(p15_shape shape, p15_board goal, unsigned length, uint8_t *path) {
    p15_board boards[P15_MAX_LENGTH + 1] = {goal};
    for (unsigned count = 0, dead_ends = 0; count < length;) {
        unsigned blank = p15_board_blank(boards[count]), move = (unsigned)draw(P15_DIRECTIONS);
        int cell = p15_cell_neighbour(shape, blank, move);
        if (cell < 0) continue;
        p15_board next = p15_board_slide(boards[count], blank, (unsigned)cell);
        bool known = false;
        for (unsigned i = 0; i <= count; i++) known |= boards[i] == next;
        if (known) {
            if (++dead_ends % 64 == 0) count = 0;
            continue;
        }
        p15_path_set(path, length - 1 - count, 3 - move);
        boards[++count] = next;
    }
    return boards[length];
}

/* A board may be P15_MAX_LENGTH moves away, and its neighbours no further. */
static void test_the_longest_distance(void) {
    p15_shape shape = shape_of(4, 4);
    p15_board goal = p15_board_goal(shape, 15);
    for (unsigned length = P15_MAX_LENGTH - 1; length <= P15_MAX_LENGTH; length++) {
        p15_graph graph;
        uint8_t path[P15_PATH_BYTES] = {0};
        p15_board board = wander(shape, goal, length, path);
        CHECK(p15_graph_init(shape, goal, false, &graph) == P15_OK);
        CHECK(p15_graph_add_path(&graph, board, length, path) == P15_OK);
        CHECK(graph.count == length + 1 && graph.known[p15_graph_find(&graph, board)].distance == length);
        CHECK(p15_graph_query(&graph, p15_graph_find(&graph, board)) == P15_OK);
        const p15_query *query = p15_graph_next_query(&graph);
        CHECK(query && query->limit == length - 1);
        p15_board beside = graph.known[query->index].board;
        p15_result further = {.status = P15_OK, .solved = false};
        p15_status status = p15_graph_add_result(&graph, &further);
        CHECK(status == (length < P15_MAX_LENGTH ? P15_OK : P15_ERR_CORRUPT));
        const p15_known *known = &graph.known[p15_graph_find(&graph, beside)];
        CHECK(length < P15_MAX_LENGTH ? known->exact && known->distance == length + 1 : !known->exact);
        p15_graph_free(&graph);
    }
}

/* A cleared graph knows nothing, and can be used again. */
static void test_clearing(void) {
    p15_shape shape = shape_of(4, 4);
    p15_board goal = p15_board_goal(shape, 15);
    p15_graph graph;
    uint8_t path[P15_PATH_BYTES] = {0}, one[P15_PATH_BYTES] = {(uint8_t)RIGHT};
    p15_board board = wander(shape, goal, 150, path), near = p15_board_slide(goal, 15, 14);
    CHECK(p15_graph_init(shape, goal, false, &graph) == P15_OK);
    for (unsigned turn = 0; turn < 2; turn++) {
        CHECK(p15_graph_add_path(&graph, board, 150, path) == P15_OK);
        CHECK(p15_graph_query(&graph, p15_graph_find(&graph, board)) == P15_OK && graph.query_count > 0);
        CHECK(p15_graph_find(&graph, board) != P15_NO_BOARD && graph.pending_count == 1);
        p15_graph_clear(&graph);
        CHECK(graph.count == 0 && graph.pending_count == 0 && !p15_graph_next_query(&graph));
        for (uint32_t i = 0; i <= graph.slot_mask; i++) CHECK(graph.slots[i] == 0);
        CHECK(p15_graph_find(&graph, board) == P15_NO_BOARD && p15_graph_find(&graph, goal) == P15_NO_BOARD);
    }
    CHECK(p15_board_blank(near) == 14 && p15_graph_add_path(&graph, near, 1, one) == P15_OK && graph.count == 2);
    one[0] = (uint8_t)LEFT; /* leads elsewhere */
    CHECK(p15_graph_add_path(&graph, near, 1, one) == P15_ERR_ANSWER && graph.count == 2);
    p15_graph_free(&graph);
}

/* The graph of a board on 3x3 from which the goal is one multi-tile move away, or two single-tile moves. */
static uint32_t two_tiles(bool multi_tile, p15_graph *graph) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8), board = p15_board_slide(p15_board_slide(goal, 8, 7), 7, 6);
    uint8_t path[P15_PATH_BYTES] = {0};
    p15_path_set(path, 0, RIGHT);
    p15_path_set(path, 1, RIGHT);
    if (multi_tile) {
        p15_path_set_cell(path, 0, 6);
        p15_path_set_cell(path, 1, 8);
    }
    CHECK(p15_graph_init(shape, goal, multi_tile, graph) == P15_OK);
    CHECK(p15_graph_add_path(graph, board, multi_tile ? 1 : 2, path) == P15_OK);
    return p15_graph_find_known(graph, board);
}

/* Boards are reached again in a second pass, and only those that first moves lead to. */
static void test_reaching_twice(void) {
    p15_graph graph;
    uint32_t index = two_tiles(false, &graph);
    for (unsigned i = 0; i < 3; i++) {
        CHECK(p15_graph_reach(&graph, index) == P15_OK && graph.order_count == 3 && graph.order[0] == index);
        CHECK(p15_graph_reach(&graph, graph.order[1]) == P15_OK && graph.order_count == 2);
        CHECK(!graph.known[index].reached && graph.known[graph.order[1]].reached);
    }
    p15_graph_free(&graph);
}

/* In multi-tile moves, a board that is not nearer is as far or further; a second query tells. */
static void test_boards_that_are_as_far(void) {
    p15_graph graph;
    uint32_t index = two_tiles(true, &graph);
    p15_board between = p15_board_slide(graph.known[index].board, 6, 7);
    CHECK(graph.count == 2 && graph.known[index].distance == 1 && graph.known[index].moves == 1u << (RIGHT + 4));
    CHECK(p15_graph_query(&graph, index) == P15_OK);
    const p15_query *query = p15_graph_next_query(&graph);
    CHECK(query && query->limit == 0 && query->move < P15_DIRECTIONS);
    p15_result no = {.status = P15_OK, .solved = false}, yes = {.status = P15_OK, .solved = true, .length = 1};
    for (; p15_graph_next_query(&graph);) CHECK(p15_graph_add_result(&graph, &no) == P15_OK);
    uint32_t beside = p15_graph_find(&graph, between);
    CHECK(graph.known[index].whole && !graph.known[beside].exact && graph.known[beside].distance == 1);
    CHECK(p15_graph_find_known(&graph, between) == P15_NO_BOARD);

    CHECK(p15_graph_query_child(&graph, index, RIGHT) == P15_OK && (query = p15_graph_next_query(&graph)));
    CHECK(query->index == beside && query->limit == 1 && query->move == P15_DIRECTIONS);
    p15_path_set_cell(yes.path, 0, 7);
    p15_path_set_cell(yes.path, 1, 8);
    CHECK(p15_graph_add_result(&graph, &yes) == P15_OK && !p15_graph_next_query(&graph));
    CHECK(p15_graph_find_known(&graph, between) == beside && graph.known[beside].moves == 1u << RIGHT);

    CHECK(p15_graph_query_child(&graph, index, 0) == P15_OK && (query = p15_graph_next_query(&graph)));
    uint32_t above = query->index;
    graph.known[above].distance = 2; /* as a query from another board would tell, which has no move back from here */
    CHECK(p15_graph_next_query(&graph) == query && p15_graph_add_result(&graph, &no) == P15_OK);
    CHECK(graph.known[above].exact && graph.known[above].distance == 2 && graph.known[above].moves == 1u << 3);
    CHECK(p15_graph_query_child(&graph, index, 4) == P15_OK && (query = p15_graph_next_query(&graph)));
    uint32_t at_the_top = query->index;
    CHECK(p15_graph_add_result(&graph, &no) == P15_OK && graph.known[at_the_top].moves == 1u << (3 + 4));

    CHECK(p15_graph_query_child(&graph, above, RIGHT) == P15_OK && (query = p15_graph_next_query(&graph)));
    yes.length = 0;
    CHECK(query->limit == 2 && p15_graph_add_result(&graph, &yes) == P15_ERR_CORRUPT); /* it is 1 .. 3 moves away */
    p15_graph_free(&graph);
}

/* Cells that lie on no line, or from which no move begins, are no path. */
static void test_paths_of_cells(void) {
    static const uint8_t wrong[][3] = {{6, 6, 8}, {6, 4, 8}, {7, 8, 8}, {6, 7, 7}, {6, 8, 15}, {6, 0, 15}, {6, 8, 7}};
    p15_graph graph;
    uint32_t index = two_tiles(true, &graph);
    uint8_t path[P15_PATH_BYTES] = {0};
    CHECK(p15_graph_solution(&graph, index, path) == P15_OK && p15_path_cell(path, 0) == 6);
    CHECK(p15_path_cell(path, 1) == 8 && graph.most < 2 * P15_PATH_BYTES);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        for (unsigned j = 0; j < 3; j++) p15_path_set_cell(path, j, wrong[i][j]);
        CHECK(p15_graph_add_path(&graph, graph.known[index].board, 2, path) == P15_ERR_ANSWER && graph.count == 2);
    }
    CHECK(p15_graph_add_path(&graph, graph.known[index].board, graph.most + 1, path) == P15_ERR_ANSWER);
    for (unsigned j = 0; j < 3; j++) p15_path_set_cell(path, j, 6 + j);
    CHECK(p15_graph_add_path(&graph, graph.known[index].board, 2, path) == P15_ERR_CORRUPT); /* not a shortest one */
    p15_graph_free(&graph);
}

/* A refused request is an error, never an incomplete answer; asked again, the graph answers. */
static void test_refused_memory(void) {
    static p15_status (*const asks[])(p15_graph *, uint32_t) = {p15_graph_query_path, p15_graph_reach};
    const unsigned length = 62; /* of the 64 boards before the graph grows, 63 are known */
    p15_shape shape = shape_of(4, 4);
    p15_board goal = p15_board_goal(shape, 15);
    uint8_t path[P15_PATH_BYTES] = {0};
    p15_board board = wander(shape, goal, length, path);
    for (unsigned ask = 0; ask < sizeof asks / sizeof *asks; ask++) {
        p15_status status = P15_ERR_MEMORY;
        for (unsigned at = 0; status != P15_OK; at++) {
            p15_graph graph;
            CHECK(p15_graph_init(shape, goal, false, &graph) == P15_OK);
            CHECK(p15_graph_add_path(&graph, board, length, path) == P15_OK && graph.count == length + 1);
            uint32_t index = p15_graph_find_known(&graph, board);
            requests = 0;
            refused = at;
            status = asks[ask](&graph, index);
            CHECK(status == (requests > at ? P15_ERR_MEMORY : P15_OK));
            CHECK(status == P15_ERR_MEMORY || at > 4); /* the boards, their slots, and the queries */
            refused = UINT32_MAX;
            CHECK(asks[ask](&graph, index) == P15_OK && graph.pending_count == length);
            CHECK(p15_graph_find_known(&graph, board) == index && graph.known[index].distance == length);
            p15_graph_free(&graph);
        }
    }
}

int main(void) {
    test_the_longest_distance();
    test_clearing();
    test_reaching_twice();
    test_boards_that_are_as_far();
    test_paths_of_cells();
    test_refused_memory();
    return 0;
}
