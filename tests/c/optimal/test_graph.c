/* p15_graph: how far a board can be, and a graph that has forgotten its boards. Python tests compare distances, first
 * moves and solutions with breadth-first search. */

#include "boards.h"
#include "check.h"
#include "optimal/graph.h"

static const unsigned LEFT = 1, RIGHT = 2;

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
        CHECK(p15_graph_init(shape, goal, &graph) == P15_OK);
        CHECK(p15_graph_add_path(&graph, board, length, path) == P15_OK);
        CHECK(graph.count == length + 1 && graph.known[p15_graph_find(&graph, board)].distance == length);
        CHECK(p15_graph_query(&graph, p15_graph_find(&graph, board)) == P15_OK);
        const p15_query *query = p15_graph_next_query(&graph);
        CHECK(query && query->limit == length - 1);
        p15_board beside = graph.known[query->index].board;
        p15_result further = {.status = P15_OK, .solved = false};
        p15_status status = p15_graph_add_result(&graph, &further);
        CHECK(status == (length < P15_MAX_LENGTH ? P15_OK : P15_ERR_CORRUPT));
        unsigned distance = graph.known[p15_graph_find(&graph, beside)].distance;
        CHECK(distance == (length < P15_MAX_LENGTH ? length + 1 : P15_NOT_KNOWN));
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
    CHECK(p15_graph_init(shape, goal, &graph) == P15_OK);
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

int main(void) {
    test_the_longest_distance();
    test_clearing();
    return 0;
}
