/* p15_patterns: sums of arrays and of tables against values that are looked up plainly, changes against values along
 * random walks, for any goal and any renaming of cells; and what is refused. */

#include "search/heuristics/patterns.h"
#include "tables.h"

static p15_board draw_any_board(p15_shape shape) {
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

/* Walks on from a board, holding every change against the values of the boards. */
static void walk(const p15_patterns *sum, p15_board board, unsigned moves) {
    unsigned before, after;
    CHECK(p15_patterns_value(sum, board, &before) == P15_OK);
    while (moves > 0) {
        unsigned blank = p15_board_blank(board);
        int cell = p15_cell_neighbour(sum->shape, blank, draw(P15_DIRECTIONS));
        if (cell < 0) continue;
        unsigned tile = p15_board_tile(board, (unsigned)cell);
        int change = p15_patterns_change(sum, board, blank, tile, (unsigned)cell);
        board = p15_board_slide(board, blank, (unsigned)cell);
        CHECK(p15_patterns_value(sum, board, &after) == P15_OK);
        CHECK((int)after == (int)before + change);
        before = after;
        moves--;
    }
}

typedef struct {
    uint8_t *values;
    uint8_t order[P15_MAX_ARRAY_PATTERN], cell_to[P15_MAX_CELLS];
    unsigned count;
} array;

/* Random bytes for some tiles in any order, the blank perhaps among them. */
static array draw_array(p15_shape shape, unsigned count, bool blank) {
    array a = {.count = count};
    unsigned taken = blank ? 0 : 1, cells = 0;
    for (unsigned i = 0; i < count;) {
        unsigned tile = draw(shape.cells);
        if (blank && i + 1 == count && !(taken & 1u)) tile = 0;
        if (taken >> tile & 1u) continue;
        taken |= 1u << tile;
        a.order[i++] = (uint8_t)tile;
    }
    for (unsigned i = 0; i < shape.cells;) {
        unsigned cell = draw(shape.cells);
        if (cells >> cell & 1u) continue;
        cells |= 1u << cell;
        a.cell_to[i++] = (uint8_t)cell;
    }
    uint64_t size = p15_placement_count(shape, count);
    a.values = allocate(size, 1);
    for (uint64_t i = 0; i < size; i++) a.values[i] = (uint8_t)draw(60);
    return a;
}

static unsigned value_of(p15_shape shape, const array *a, p15_board board) {
    twin_table all = {.shape = shape, .k = a->count - 1};
    uint64_t state = 0;
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned cell = 0; cell < shape.cells; cell++)
            if (p15_board_tile(board, cell) == a->order[i]) state |= (uint64_t)a->cell_to[cell] << (4 * i);
    return a->values[twin_index(&all, state)];
}

static void test_arrays(p15_shape shape, unsigned most) {
    array arrays[4];
    p15_patterns sum;
    p15_patterns_init(shape, draw_any_board(shape), &sum);
    for (unsigned i = 0; i < 4; i++) {
        arrays[i] = draw_array(shape, 1 + draw(most), i % 2);
        CHECK(p15_patterns_add_array(&sum, arrays[i].values, p15_placement_count(shape, arrays[i].count),
                                     arrays[i].order, arrays[i].count, arrays[i].cell_to) == P15_OK);
        for (unsigned k = 0; k < 20; k++) {
            p15_board board = draw_any_board(shape);
            unsigned value, expected = 0;
            for (unsigned j = 0; j <= i; j++) expected += value_of(shape, &arrays[j], board);
            CHECK(p15_patterns_value(&sum, board, &value) == P15_OK && value == expected);
        }
        walk(&sum, draw_any_board(shape), 100);
    }
    for (unsigned i = 0; i < 4; i++) free(arrays[i].values);
}

/* Placements are numbered as the header says. */
static void test_order(void) {
    static const uint8_t order[] = {2, 1}, cell_to[] = {0, 1, 2, 3};
    p15_shape shape = shape_of(2, 2);
    uint8_t values[12];
    unsigned value, rank = 0;
    p15_patterns sum;
    for (unsigned i = 0; i < 12; i++) values[i] = (uint8_t)i;
    p15_patterns_init(shape, p15_board_goal(shape, 3), &sum);
    CHECK(p15_patterns_add_array(&sum, values, 12, order, 2, cell_to) == P15_OK);
    for (unsigned first = 0; first < 4; first++)
        for (unsigned second = 0; second < 4; second++) {
            uint8_t tiles[4] = {3, 3, 3, 3};
            p15_board board;
            if (first == second) continue;
            tiles[first] = 2;
            tiles[second] = 1;
            for (unsigned cell = 0; cell < 4; cell++)
                if (tiles[cell] == 3) {
                    tiles[cell] = 0;
                    break;
                }
            CHECK(p15_board_pack(tiles, shape, &board) == P15_OK);
            CHECK(p15_patterns_value(&sum, board, &value) == P15_OK && value == rank++);
        }
    CHECK(rank == 12 && p15_placement_count(shape_of(4, 4), 8) == 518918400);
}

/* Tables of two patterns that leave out tiles, for any goal with its blank in the home, and an array beside them. */
static void test_tables(p15_shape shape, unsigned home, bool classic) {
    built parts[2];
    twin_table twins[2];
    p15_table tables[2];
    p15_patterns sum;
    unsigned first = draw_map(shape, 1 + draw(2), home), maps[2] = {first, 0};
    while (!maps[1]) maps[1] = draw_map(shape, 1 + draw(3), home) & ~first;
    p15_board goal = draw_any_board(shape);
    while (p15_board_blank(goal) != home) goal = draw_any_board(shape);
    array beside = draw_array(shape, 2, true);
    p15_patterns_init(shape, goal, &sum);
    for (unsigned i = 0; i < 2; i++) {
        build_table(shape, maps[i], home, classic, p15_cpu_pick(), false, &parts[i]);
        twin_build(shape, maps[i], home, &twins[i]);
        CHECK(p15_table_init(&parts[i].space, parts[i].payload, parts[i].payload_bytes, classic, parts[i].max_value,
                             maps[i], home, &tables[i]) == P15_OK);
        CHECK(p15_patterns_add_table(&sum, &tables[i]) == P15_OK);
    }
    CHECK(p15_patterns_add_array(&sum, beside.values, p15_placement_count(shape, 2), beside.order, 2, beside.cell_to) ==
          P15_OK);
    for (unsigned k = 0; k < 50; k++) {
        p15_board board = draw_any_board(shape);
        unsigned value, expected = value_of(shape, &beside, board);
        for (unsigned i = 0; i < 2; i++) {
            uint64_t state = 0;
            unsigned label = 0, least = UNREACHED;
            for (unsigned at = 0; at < shape.cells; at++) {
                if (!(maps[i] >> at & 1u)) continue;
                for (unsigned cell = 0; cell < shape.cells; cell++)
                    if (p15_board_tile(board, cell) == p15_board_tile(goal, at)) state |= (uint64_t)cell << (4 * label);
                label++;
            }
            for (unsigned blank = 0; blank < shape.cells; blank++) {
                bool there = p15_board_blank(board) == blank, taken = false;
                for (unsigned j = 0; j < label; j++) taken |= (state >> (4 * j) & 15u) == blank;
                if (taken || (!classic && !there)) continue;
                unsigned found = twins[i].values[twin_index(&twins[i], state | (uint64_t)blank << (4 * label))];
                if (found < least) least = found;
            }
            expected += least;
        }
        CHECK(p15_patterns_value(&sum, board, &value) == P15_OK && value == expected);
        walk(&sum, board, 20);
    }
    /* a home in another region, and another shape */
    for (home = 0; !(maps[0] >> home & 1u);) home++;
    p15_patterns_init(shape, p15_board_goal(shape, home), &sum);
    CHECK(p15_patterns_add_table(&sum, &tables[0]) == P15_ERR_PATTERN);
    p15_patterns_init(shape_of(2, 2), p15_board_goal(shape_of(2, 2), 3), &sum);
    CHECK(p15_patterns_add_table(&sum, &tables[0]) == P15_ERR_PATTERN && sum.count == 0);
    for (unsigned i = 0; i < 2; i++) {
        build_free(&parts[i]);
        free(twins[i].values);
    }
    free(beside.values);
}

static void test_what_is_refused(void) {
    static const uint8_t order[] = {1, 2}, twice[] = {1, 1}, beyond[] = {1, 4}, cell_to[] = {0, 1, 2, 3};
    static const uint8_t folded[] = {0, 1, 1, 3}, values[12];
    p15_shape shape = shape_of(2, 2);
    p15_patterns sum;
    p15_patterns_init(shape, p15_board_goal(shape, 3), &sum);
    CHECK(p15_patterns_add_array(&sum, values, 11, order, 2, cell_to) == P15_ERR_PATTERN);
    CHECK(p15_patterns_add_array(&sum, values, 1, order, 0, cell_to) == P15_ERR_PATTERN);
    CHECK(p15_patterns_add_array(&sum, values, 12, order, 5, cell_to) == P15_ERR_PATTERN);
    CHECK(p15_patterns_add_array(&sum, values, 12, twice, 2, cell_to) == P15_ERR_PATTERN);
    CHECK(p15_patterns_add_array(&sum, values, 12, beyond, 2, cell_to) == P15_ERR_PATTERN);
    CHECK(p15_patterns_add_array(&sum, values, 12, order, 2, folded) == P15_ERR_ARGUMENT && sum.count == 0);
    for (unsigned i = 0; i < P15_MAX_PATTERNS; i++)
        CHECK(p15_patterns_add_array(&sum, values, 12, order, 2, cell_to) == P15_OK);
    CHECK(p15_patterns_add_array(&sum, values, 12, order, 2, cell_to) == P15_ERR_ARGUMENT);
    CHECK(sum.count == P15_MAX_PATTERNS);
}

int main(void) {
    test_order();
    test_what_is_refused();
    for (unsigned i = 0; i < 5; i++) {
        test_arrays(shape_of(2, 2), 3);
        test_arrays(shape_of(3, 3), 5);
        test_arrays(shape_of(2, 5), 4);
        test_arrays(shape_of(4, 4), 3);
    }
    for (unsigned classic = 0; classic < 2; classic++) {
        test_tables(shape_of(3, 3), 8, classic);
        test_tables(shape_of(3, 3), 4, classic);
        test_tables(shape_of(2, 5), 3, classic);
        test_tables(shape_of(3, 4), 0, classic);
    }
    return 0;
}
