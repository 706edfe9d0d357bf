/* p15_evaluator: children against boards along random walks to any goal on every shape, lookups of tables against the
 * search's own heuristic, networks against their own numbers, functions that say what a component says, and no harm from
 * damaged tables. tests/unit/searches/test_heuristics.py compares boards with twins. */

#include "boards.h"
#include "networks.h"
#include "optimal/fsm.h"
#include "tables.h"

static p15_board draw_arrangement(p15_shape shape) {
    uint8_t tiles[P15_MAX_CELLS];
    p15_board board;
    for (unsigned i = 0; i < shape.cells; i++) {
        unsigned j = draw(i + 1);
        tiles[i] = tiles[j];
        tiles[j] = (uint8_t)i;
    }
    CHECK(p15_board_pack(tiles, shape, &board) == P15_OK);
    return board;
}

/* All children of some boards at once, against the boards. */
static void compare_children(const p15_evaluator *e, const p15_board *parents, size_t count) {
    p15_shape shape = p15_evaluator_shape(e);
    p15_evaluations *children;
    p15_values wanted[64];
    size_t made = 0;
    unsigned h;
    CHECK(p15_evaluations_new(e, 4 * count, &children) == P15_OK);
    for (size_t i = 0; i < count; i++) {
        unsigned blank = p15_board_blank(parents[i]);
        p15_values values;
        CHECK(p15_evaluator_board(e, parents[i], &h, &values) == P15_OK);
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            int cell = p15_cell_neighbour(shape, blank, direction);
            if (cell < 0) continue;
            p15_board child = p15_board_slide(parents[i], blank, (unsigned)cell);
            CHECK(p15_evaluator_board(e, child, &h, &wanted[made++]) == P15_OK);
            CHECK(p15_values_h(wanted[made - 1]) == h);
            p15_evaluations_add(children, parents[i], values, blank, direction);
        }
    }
    CHECK(memcmp(p15_evaluations_run(children), wanted, made * sizeof *wanted) == 0);
    p15_evaluations_delete(children);
}

/* Walks on from `board`, holding every child against the board itself; returns where it ends. */
static p15_board walk(const p15_evaluator *e, p15_board board, unsigned moves) {
    p15_shape shape = p15_evaluator_shape(e);
    unsigned h, expected;
    p15_values values, wanted;
    p15_board parents[4];
    CHECK(p15_evaluator_board(e, board, &h, &values) == P15_OK);
    while (moves > 0) {
        parents[moves % 4] = board;
        if (moves % 4 == 1 && draw(4) == 0) compare_children(e, parents + 1, 1);
        unsigned blank = p15_board_blank(board), dir = draw(P15_DIRECTIONS);
        int cell = p15_cell_neighbour(shape, blank, dir);
        if (cell < 0) continue;
        unsigned child = p15_evaluator_child(e, board, values, blank, dir, &values);
        board = p15_board_slide(board, blank, (unsigned)cell);
        CHECK(p15_evaluator_board(e, board, &expected, &wanted) == P15_OK);
        CHECK(child == expected && values == wanted);
        moves--;
    }
    return board;
}

/* ------------------------------------------------------------------------------------------------ tests */

/* Of all heuristics at once: the word of values holds each. */
static void test_children(p15_shape shape) {
    p15_board goal = draw_arrangement(shape);
    p15_evaluator *all = evaluator_of(shape, goal, 0);
    for (unsigned kind = 0; kind < P15_HEURISTIC_COUNT; kind++)
        CHECK(p15_evaluator_add(all, (p15_heuristic_kind)kind) == P15_OK);
    CHECK(p15_evaluator_count(all) == P15_HEURISTIC_COUNT);
    walk(all, goal, 300);
    for (unsigned i = 0; i < 10; i++) walk(all, draw_board(shape, goal), 30);
    p15_evaluator_delete(all);
}

/* The changes of h are those of the children. */
static void test_changes(void) {
    p15_shape shape = shape_of(3, 4);
    p15_board goal = draw_arrangement(shape);
    p15_evaluator *zero = evaluator_of(shape, goal, 0);
    p15_values values;
    CHECK(h_of(zero, draw_board(shape, goal)) == 0);
    for (int kind = -1; kind < P15_HEURISTIC_COUNT; kind++) {
        p15_evaluator *e = evaluator_of(shape, goal, kind < 0 ? 0 : 1u << kind);
        const p15_h_changes *changes = p15_evaluator_changes(e);
        CHECK((changes != NULL) == (kind < P15_REVERSAL));
        p15_board board = draw_board(shape, goal);
        unsigned blank = p15_board_blank(board), h;
        CHECK(p15_evaluator_board(e, board, &h, &values) == P15_OK);
        for (unsigned dir = 0; dir < P15_DIRECTIONS && changes; dir++) {
            int cell = p15_cell_neighbour(shape, blank, dir);
            for (unsigned tile = 0; cell < 0 && tile < shape.cells; tile++) CHECK((*changes)[blank][dir][tile] == 0);
            if (cell < 0) continue;
            p15_values child;
            int change = (*changes)[blank][dir][p15_board_tile(board, (unsigned)cell)];
            CHECK(p15_evaluator_child(e, board, values, blank, dir, &child) == h + (unsigned)change);
        }
        if (kind >= 0) {
            CHECK(p15_evaluator_add(e, P15_MANHATTAN) == P15_OK);
            CHECK(p15_evaluator_changes(e) == NULL);
        }
        p15_evaluator_delete(e);
    }
    p15_evaluator_delete(zero);
}

/* Three tables, seen plainly and reflected, beside another heuristic; then with damaged bytes. */
static void test_views(bool classic) {
    static const unsigned goal_maps[] = {0x00f, 0x0f0};
    p15_shape shape = shape_of(3, 3);
    p15_fsm automaton;
    static p15_problem problem;
    built parts[2];
    p15_table tables[2];
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS], views[P15_MAX_LOOKUPS];
    CHECK(p15_fsm_init(shape, 2, &automaton) == P15_OK);
    CHECK(p15_problem_init(shape, 8, &automaton, &problem) == P15_OK);
    for (unsigned i = 0; i < 2; i++) {
        build_table(shape, goal_maps[i], 8, classic, p15_cpu_pick(), false, &parts[i]);
        CHECK(p15_table_init(&parts[i].space, parts[i].payload, parts[i].payload_bytes, classic, parts[i].max_value,
                             goal_maps[i], 8, &tables[i]) == P15_OK);
    }
    CHECK(p15_symmetries(shape, maps) == 8);
    for (unsigned s = 0; s < 2; s++) CHECK(p15_problem_add_lookup(&problem, tables, 2, maps[s]) == P15_OK);

    p15_evaluator *e = evaluator_of(shape, problem.goal, 1u << P15_LINEAR_CONFLICT);
    CHECK(p15_evaluator_add_views(e, &problem) == P15_OK && p15_evaluator_count(e) == 3);
    CHECK(p15_evaluator_changes(e) == NULL);
    for (unsigned i = 0; i < 200; i++) {
        p15_board board = draw_board(shape, problem.goal);
        unsigned h, most;
        p15_values values;
        CHECK(p15_heuristic(&problem, board, &most, views) == P15_OK);
        CHECK(p15_evaluator_board(e, board, &h, &values) == P15_OK);
        CHECK((values >> 8 & 255u) == views[0] && values >> 16 == views[1] && h >= most);
        walk(e, board, 20);
    }
    /* the sum of the same tables is the first view's value */
    p15_evaluator *added = evaluator_of(shape, problem.goal, 1u << P15_MANHATTAN);
    p15_patterns sum;
    p15_patterns_init(shape, problem.goal, &sum);
    for (unsigned i = 0; i < 2; i++) CHECK(p15_patterns_add_table(&sum, &tables[i]) == P15_OK);
    CHECK(p15_evaluator_add_patterns(added, &sum) == P15_OK && p15_evaluator_count(added) == 2);
    CHECK(p15_evaluator_changes(added) == NULL);
    for (unsigned i = 0; i < 100; i++) {
        p15_board board = draw_board(shape, problem.goal);
        unsigned h, most;
        p15_values values;
        CHECK(p15_heuristic(&problem, board, &most, views) == P15_OK);
        CHECK(p15_evaluator_board(added, board, &h, &values) == P15_OK && values >> 8 == views[0]);
        walk(added, board, 20);
    }
    p15_patterns_init(shape, p15_board_goal(shape, 0), &sum);
    CHECK(p15_evaluator_add_patterns(added, &sum) == P15_ERR_ARGUMENT && p15_evaluator_count(added) == 2);
    p15_evaluator_delete(added);

    /* more views than there is room for change nothing */
    for (unsigned i = 0; i < 2; i++) CHECK(p15_evaluator_add_views(e, &problem) == P15_OK);
    CHECK(p15_evaluator_add_views(e, &problem) == P15_ERR_ARGUMENT && p15_evaluator_count(e) == 7);
    walk(e, problem.goal, 50);

    for (unsigned round = 0; round < 50; round++) {
        p15_board board = draw_board(shape, problem.goal);
        unsigned h, blank = p15_board_blank(board);
        p15_values values;
        for (unsigned i = 0; i < 20; i++)
            parts[i % 2].payload[draw((uint32_t)parts[i % 2].payload_bytes)] = (uint8_t)draw(256);
        p15_status status = p15_evaluator_board(e, board, &h, &values);
        CHECK(status == P15_OK || status == P15_ERR_CORRUPT);
        values = (p15_values)draw(0x10000) << (8 * draw(6));
        for (unsigned moves = 0; moves < 200;) {
            unsigned dir = draw(P15_DIRECTIONS);
            int cell = p15_cell_neighbour(shape, blank, dir);
            if (cell < 0) continue;
            CHECK(p15_evaluator_child(e, board, values, blank, dir, &values) < 256);
            board = p15_board_slide(board, blank, (unsigned)cell);
            blank = (unsigned)cell;
            moves++;
        }
    }
    p15_evaluator_delete(e);

    e = evaluator_of(shape, p15_board_goal(shape, 0), 0);
    CHECK(p15_evaluator_add_views(e, &problem) == P15_ERR_ARGUMENT && p15_evaluator_count(e) == 0);
    p15_evaluator_delete(e);
    for (unsigned i = 0; i < 2; i++) build_free(&parts[i]);
    p15_problem_free(&problem);
    p15_fsm_free(&automaton);
}

/* Boards far from the goal and near it; networks that tell what they should, and any nonsense. */
static void test_networks(void) {
    p15_shape shape = shape_of(4, 4);
    p15_board goal = p15_board_goal(shape, 15);
    for (unsigned i = 0; i < 8; i++) {
        bool quantized = i % 2, residual = i / 2 % 2;
        float lowered = (float)draw(100) / 25;
        p15_dense *network = draw_network(quantized), *other = draw_network(true);
        p15_evaluator *e = evaluator_of(shape, goal, i < 4 ? 0 : 1u << P15_LINEAR_CONFLICT);
        CHECK(!p15_evaluator_prefers_batches(e));
        CHECK(p15_evaluator_add_network(e, network, residual, lowered) == P15_OK && p15_evaluator_changes(e) == NULL);
        CHECK(p15_evaluator_prefers_batches(e) && p15_evaluator_count(e) == 1 + (i >= 4));
        CHECK(p15_evaluator_add(e, P15_MANHATTAN) == P15_OK);
        if (i == 7) CHECK(p15_evaluator_add_network(e, other, true, 0) == P15_OK);
        p15_board boards[300];
        uint8_t h[300], status[300];
        for (unsigned k = 0; k < 300; k++) {
            unsigned value, place = 8 * (i >= 4), manhattan;
            p15_values values;
            boards[k] = k % 2 ? draw_board(shape, goal) : walk(e, goal, draw(30));
            manhattan = p15_board_manhattan(boards[k], goal, shape);
            CHECK(p15_evaluator_board(e, boards[k], &value, &values) == P15_OK);
            CHECK((values >> (place + 8) & 255u) == manhattan && (value - manhattan) % 2 == 0 &&
                  value <= P15_FARTHEST_4X4);
            float predicted = p15_dense_board(network, boards[k]);
            if (residual) predicted = (float)manhattan + 2 * predicted;
            unsigned expected = manhattan;
            while (boards[k] != goal && predicted - lowered >= (float)expected + 1) expected += 2;
            CHECK((values >> place & 255u) == expected);
        }
        boards[7] = 0;
        boards[150] = UINT64_C(0x0efdcba987654321);
        CHECK(p15_evaluator_boards(e, boards, 300, h, status) == P15_OK);
        for (unsigned k = 0; k < 300; k++) {
            CHECK(status[k] == (k == 7 ? P15_ERR_BOARD : k == 150 ? P15_ERR_UNSOLVABLE : P15_OK));
            CHECK(h[k] == (status[k] ? 0 : h_of(e, boards[k])));
        }
        CHECK(p15_evaluator_boards(e, boards, 0, NULL, NULL) == P15_OK);
        p15_evaluator_delete(e);
        p15_dense_delete(network);
        p15_dense_delete(other);
    }

    /* numbers beyond all distances */
    static float zeros[P15_DENSE_INPUTS];
    static const float numbers[] = {1e6f, -1e6f};
    for (unsigned i = 0; i < 2; i++) {
        p15_dense_layer layer = {P15_DENSE_INPUTS, 1, P15_LINEAR, zeros, &numbers[i]};
        p15_dense *network;
        CHECK(p15_dense_new(&layer, 1, p15_cpu_pick(), &network) == P15_OK);
        p15_evaluator *e = evaluator_of(shape, goal, 0);
        CHECK(p15_evaluator_add_network(e, network, true, 0) == P15_OK);
        for (unsigned k = 0; k < 20; k++) {
            p15_board board = draw_board(shape, goal);
            unsigned manhattan = p15_board_manhattan(board, goal, shape);
            CHECK(h_of(e, board) == (i ? manhattan : P15_FARTHEST_4X4 - manhattan % 2));
        }
        CHECK(h_of(e, goal) == 0);
        p15_evaluator_delete(e);
        CHECK(p15_evaluator_new(shape, p15_board_goal(shape, 0), &e) == P15_OK);
        CHECK(p15_evaluator_add_network(e, network, true, 0) == P15_ERR_ARGUMENT);
        p15_evaluator_delete(e);
        CHECK(p15_evaluator_new(shape_of(2, 8), p15_board_goal(shape_of(2, 8), 15), &e) == P15_OK);
        CHECK(p15_evaluator_add_network(e, network, true, 0) == P15_ERR_ARGUMENT);
        p15_evaluator_delete(e);
        e = evaluator_of(shape, goal, 0);
        CHECK(p15_evaluator_add_network(e, network, true, -0.5f) == P15_ERR_ARGUMENT);
        CHECK(p15_evaluator_add_network(e, network, true, 80.5f) == P15_ERR_ARGUMENT);
        p15_evaluations *children;
        CHECK(p15_evaluations_new(e, 0, &children) == P15_ERR_ARGUMENT && children == NULL);
        CHECK(p15_evaluations_new(e, P15_DENSE_MAX_BATCH + 1, &children) == P15_ERR_ARGUMENT && children == NULL);
        p15_evaluations_delete(NULL);
        CHECK(p15_evaluator_count(e) == 0);
        p15_evaluator_delete(e);
        p15_dense_delete(network);
    }
}

/* What a function is called with. */
typedef struct {
    p15_shape shape;
    p15_board goal;
    size_t calls, largest;
} calls;

static void say_manhattan(void *context, const p15_board *boards, size_t count, uint8_t *values) {
    calls *c = context;
    c->calls++;
    if (count > c->largest) c->largest = count;
    for (size_t i = 0; i < count; i++) values[i] = (uint8_t)p15_board_manhattan(boards[i], c->goal, c->shape);
}

/* A function beside the component that says the same: children, boards and batches. */
static void test_functions(p15_shape shape) {
    p15_board goal = draw_arrangement(shape), boards[300], parents[16];
    uint8_t h[300], status[300];
    p15_values values;
    unsigned value;
    calls c = {shape, goal, 0, 0};
    p15_evaluator *e = evaluator_of(shape, goal, 1u << P15_MANHATTAN);
    CHECK(!p15_evaluator_has_function(e) && !p15_evaluator_prefers_batches(e));
    CHECK(p15_evaluator_add_function(e, say_manhattan, &c) == P15_OK);
    CHECK(p15_evaluator_has_function(e) && p15_evaluator_prefers_batches(e) && p15_evaluator_count(e) == 2);
    CHECK(p15_evaluator_changes(e) == NULL);
    walk(e, goal, 60);
    for (unsigned i = 0; i < 300; i++) {
        boards[i] = draw_board(shape, goal);
        if (i < 16) parents[i] = boards[i];
        CHECK(p15_evaluator_board(e, boards[i], &value, &values) == P15_OK);
        CHECK(values == value * UINT64_C(0x0101) && value == p15_board_manhattan(boards[i], goal, shape));
    }
    c.largest = 0;
    compare_children(e, parents, 16);
    CHECK(c.largest >= 32); /* once for all of them */
    boards[7] = 0;
    c.calls = c.largest = 0;
    CHECK(p15_evaluator_boards(e, boards, 300, h, status) == P15_OK);
    CHECK(c.calls == 1 && c.largest == 299);
    for (unsigned i = 0; i < 300; i++) CHECK(h[i] == (i == 7 ? 0 : p15_board_manhattan(boards[i], goal, shape)));
    boards[0] = 0;
    CHECK(p15_evaluator_boards(e, boards, 1, h, status) == P15_OK && c.calls == 1); /* never for no boards */
    while (p15_evaluator_count(e) < P15_MAX_COMPONENTS)
        CHECK(p15_evaluator_add_function(e, say_manhattan, &c) == P15_OK);
    CHECK(p15_evaluator_add_function(e, say_manhattan, &c) == P15_ERR_ARGUMENT);
    CHECK(h_of(e, boards[1]) == p15_board_manhattan(boards[1], goal, shape));
    p15_evaluator_delete(e);
}

static void test_errors(void) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8);
    p15_evaluator *e;
    unsigned h = 77;
    p15_values values = 77;
    CHECK(p15_evaluator_new((p15_shape){1, 9, 9}, goal, &e) == P15_ERR_SHAPE && e == NULL);
    CHECK(p15_evaluator_new((p15_shape){3, 3, 10}, goal, &e) == P15_ERR_SHAPE && e == NULL);
    CHECK(p15_evaluator_new(shape, goal << 8, &e) == P15_ERR_BOARD && e == NULL);
    p15_evaluator_delete(NULL);
    e = evaluator_of(shape, goal, 1u << P15_MANHATTAN);
    CHECK(p15_evaluator_add(e, P15_HEURISTIC_COUNT) == P15_ERR_ARGUMENT);
    CHECK(p15_evaluator_board(e, 0, &h, &values) == P15_ERR_BOARD);
    CHECK(p15_evaluator_board(e, UINT64_C(0x087654312), &h, &values) == P15_ERR_UNSOLVABLE);
    CHECK(h == 77 && values == 77);
    for (unsigned i = 1; i < P15_MAX_COMPONENTS; i++) CHECK(p15_evaluator_add(e, P15_WALKING_DISTANCE) == P15_OK);
    CHECK(p15_evaluator_add(e, P15_MANHATTAN) == P15_ERR_ARGUMENT && p15_evaluator_count(e) == P15_MAX_COMPONENTS);
    walk(e, goal, 20);
    p15_evaluator_delete(e);
}

int main(void) {
    for (unsigned rows = 2; rows <= 8; rows++)
        for (unsigned cols = 2; cols * rows <= 16 && cols <= 8; cols++) {
            p15_shape shape = shape_of(rows, cols);
            test_children(shape);
            test_functions(shape);
        }
    test_changes();
    test_views(false);
    test_views(true);
    test_networks();
    test_errors();
    return 0;
}
