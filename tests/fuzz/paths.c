/* Moves as bytes and as packed paths: what is applied can be taken back, a replay agrees with it, and a graph takes no
 * path that does not lead to the goal, in either metric. Input: a shape, a home, the metric, a board, and the moves. */

#include "fuzz.h"
#include "optimal/graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, data + size};
    p15_shape shape = take_shape(&in);
    unsigned kind = take(&in);
    p15_board goal = p15_board_goal(shape, (kind >> 1) % shape.cells), board = take_walk(&in, shape, goal), end, back;
    size_t count = (size_t)(in.end - in.at);
    uint8_t *dirs = take_bytes(&in, count);
    if (kind & 128u)
        for (size_t i = 0; i < count; i++) dirs[i] &= 3u;
    size_t made = p15_board_apply(board, shape, dirs, count, &end);
    CHECK(made <= count && p15_board_check(end, shape) == P15_OK);
    CHECK((p15_board_replay(board, goal, shape, dirs, count) == P15_OK) == (made == count && end == goal));
    CHECK(p15_board_solvable(end, goal, shape));
    if (made < count) CHECK(dirs[made] > 3 || p15_cell_neighbour(shape, p15_board_blank(end), dirs[made]) < 0);
    uint8_t *undo = take_bytes(&in, made);
    for (size_t i = 0; i < made; i++) undo[i] = 3 - dirs[made - 1 - i];
    CHECK(p15_board_apply(end, shape, undo, made, &back) == made && back == board);
    free(undo);

    uint8_t path[P15_PATH_BYTES] = {0};
    unsigned length = count < P15_MAX_LENGTH ? (unsigned)count : P15_MAX_LENGTH;
    for (unsigned i = 0; i < length; i++) p15_path_set(path, i, dirs[i] & 3u);
    for (unsigned i = 0; i < length; i++) CHECK(p15_path_move(path, i) == (dirs[i] & 3u));
    CHECK(p15_path_replay(board, goal, shape, path, P15_MAX_LENGTH + 1) == P15_ERR_ANSWER);

    bool multi_tile = kind & 1u;
    p15_graph graph;
    CHECK(p15_graph_init(shape, goal, multi_tile, &graph) == P15_OK);
    if (multi_tile) /* cells: each byte goes along the row or the column */
        for (unsigned i = 0, most = length < 80 ? length : 80; i < most; i++) p15_path_set_cell(path, i, dirs[i] & 15u);
    for (unsigned n = 0; n < 2; n++) {
        unsigned tried = n ? length / 2 : length;
        p15_status status = p15_graph_add_path(&graph, board, tried, path);
        CHECK(status == P15_OK || status == P15_ERR_ANSWER || status == P15_ERR_CORRUPT);
        if (!multi_tile) {
            bool leads = p15_path_replay(board, goal, shape, path, tried) == P15_OK;
            CHECK((status == P15_ERR_ANSWER) == !leads);
        }
        if (status != P15_OK) continue;
        uint8_t again[P15_PATH_BYTES];
        uint32_t index = p15_graph_find_known(&graph, board);
        CHECK(index != P15_NO_BOARD && graph.known[index].distance == tried);
        CHECK(p15_graph_solution(&graph, index, again) == P15_OK);
        CHECK(p15_graph_reach(&graph, index) == P15_OK);
    }
    p15_graph_free(&graph);
    free(dirs);
    return 0;
}
