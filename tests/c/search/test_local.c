/* p15_local: beam search in pieces, within limits of memory, and with all children as breadth-first search; hill climbing
 * against a plain loop. tests/unit/searches/test_recording.py compares every expansion with a twin. */

#include "search/best_first/closed.h"
#include "search/best_first/local.h"
#include "searches.h"
#include "networks.h"

typedef struct {
    const p15_evaluator *evaluator;
    p15_board start;
    const uint8_t *order;
    size_t width;
} problem;

static p15_search *make(const void *of) {
    const problem *p = of;
    p15_search *search;
    CHECK(p15_beam_new(p->evaluator, p->start, p->order, p->width, ROOM, &search) == P15_OK);
    return search;
}

static size_t check_beam(const p15_evaluator *e, p15_board start, size_t width, unsigned *states) {
    p15_report report;
    problem p = {e, start, ORDERS[draw(3)], width};
    size_t length = check_runs(p15_evaluator_shape(e), make, &p, &report);
    CHECK(report.lower_bound == 0);
    states[report.state]++;
    return length;
}

/* A small shape's last nodes: with all children kept, a beam is a breadth-first search. */
static void test_beam(p15_shape shape, unsigned count) {
    static const size_t widths[] = {1, 2, 5, 100, P15_MAX_WIDTH};
    static const unsigned kinds[] = {0, 1u << P15_MISPLACED, 1u << P15_MANHATTAN,
                                     1u << P15_LINEAR_CONFLICT | 1u << P15_WALKING_DISTANCE};
    unsigned states[4] = {0};
    p15_board goal = draw_board(shape, p15_board_goal(shape, 0));
    uint8_t *lengths = distances(shape, goal);
    for (unsigned kind = 0; kind < 4; kind++) {
        p15_evaluator *e = evaluator_of(shape, goal, kinds[kind]);
        for (unsigned w = 0; w < 5; w++)
            for (unsigned i = 0; i < count; i++) {
                p15_board start = i == 0            ? goal
                                  : w == 4 || i % 2 ? draw_near(shape, goal, 10)
                                                    : draw_board(shape, goal);
                size_t length = check_beam(e, start, widths[w], states);
                CHECK(w == 4 ? length == lengths[twin_rank(shape, start)] : length >= lengths[twin_rank(shape, start)]);
            }
        p15_evaluator_delete(e);
    }
    CHECK(states[P15_SEARCH_SOLVED] > 0 && (states[P15_SEARCH_FAILED] > 0 || shape.cells != 6));
    free(lengths);
}

static void test_limits(void) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8);
    p15_evaluator *e = evaluator_of(shape, goal, 1u << P15_MANHATTAN);
    unsigned states[4] = {0};
    uint8_t told[256];
    for (size_t max_bytes = 12000; max_bytes < 400000; max_bytes += draw(4000)) {
        p15_search *search;
        p15_report report;
        p15_board start = draw_board(shape, goal);
        p15_status status = p15_beam_new(e, start, ORDERS[0], 1 + draw(3000), max_bytes, &search);
        if (status) {
            CHECK(status == P15_ERR_MEMORY && search == NULL && max_bytes < 19000);
            continue;
        }
        do {
            report = *p15_search_report(search);
            CHECK(report.bytes <= max_bytes);
        } while (p15_search_run(search, 31));
        report = *p15_search_report(search);
        CHECK(report.bytes <= max_bytes);
        size_t length = path_of(search, told, 256);
        CHECK((report.state == P15_SEARCH_SOLVED) == (length != SIZE_MAX));
        if (length <= 256) CHECK(leads(shape, start, goal, told, length));
        states[report.state]++;
        p15_search_delete(search);
    }
    CHECK(states[P15_SEARCH_SOLVED] > 20 && states[P15_SEARCH_NO_ROOM] > 10);
    p15_evaluator_delete(e);
}

/* ------------------------------------------------------------------------------------------------ hill climbing */

static void check_climb(const p15_evaluator *e, p15_board start, unsigned *states) {
    p15_shape shape = p15_evaluator_shape(e);
    p15_board board = start, end, goal = p15_evaluator_goal(e);
    p15_search *search;
    const uint8_t *order = ORDERS[draw(3)];
    uint8_t directions[256];
    size_t moves = 0, generated = 0, expanded = 0;
    CHECK(p15_climb_new(e, start, order, &search) == P15_OK);
    run_to_end(search, draw(2));
    p15_report report = *p15_search_report(search);
    size_t length = path_of(search, directions, 256);
    while (board != goal) {
        unsigned best = 4, best_h = h_of(e, board), blank = p15_board_blank(board);
        expanded++;
        for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
            int cell = p15_cell_neighbour(shape, blank, order[i]);
            if (cell < 0 || (moves > 0 && directions[moves - 1] + order[i] == 3)) continue;
            generated++;
            unsigned h = h_of(e, p15_board_slide(board, blank, (unsigned)cell));
            if (h < best_h) {
                best_h = h;
                best = order[i];
            }
        }
        if (best == 4) break;
        CHECK(moves < length && directions[moves] == best);
        board = p15_board_slide(board, blank, (unsigned)p15_cell_neighbour(shape, blank, best));
        moves++;
    }
    CHECK(moves == length && report.expanded == expanded && report.generated == generated);
    CHECK(p15_board_apply(start, shape, directions, length, &end) == length && end == board);
    CHECK(report.state == (board == goal ? P15_SEARCH_SOLVED : P15_SEARCH_FAILED));
    states[report.state]++;
    p15_search_delete(search);
}

static void test_climb(p15_shape shape) {
    unsigned states[4] = {0};
    p15_board goal = draw_board(shape, p15_board_goal(shape, 0));
    for (unsigned kinds = 0; kinds < 1u << P15_HEURISTIC_COUNT; kinds += 1 + kinds / 2) {
        p15_evaluator *e = evaluator_of(shape, goal, kinds);
        check_climb(e, goal, states);
        for (unsigned i = 0; i < 100; i++)
            check_climb(e, i % 2 ? draw_near(shape, goal, 1 + i / 10) : draw_board(shape, goal), states);
        p15_evaluator_delete(e);
    }
    CHECK(states[P15_SEARCH_SOLVED] > 20 && states[P15_SEARCH_FAILED] > 20);
}

static void test_errors(void) {
    static const uint8_t bad[] = {0, 1, 2, 2};
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8), other = UINT64_C(0x087654312);
    p15_evaluator *e = evaluator_of(shape, goal, 1u << P15_MANHATTAN);
    p15_search *beam = NULL;
    CHECK(p15_beam_new(e, goal, ORDERS[0], 0, ROOM, &beam) == P15_ERR_ARGUMENT && beam == NULL);
    CHECK(p15_beam_new(e, goal, ORDERS[0], P15_MAX_WIDTH + 1, ROOM, &beam) == P15_ERR_ARGUMENT && beam == NULL);
    CHECK(p15_beam_new(e, goal, bad, 1, ROOM, &beam) == P15_ERR_ARGUMENT && beam == NULL);
    CHECK(p15_beam_new(e, other, ORDERS[0], 1, ROOM, &beam) == P15_ERR_UNSOLVABLE && beam == NULL);
    CHECK(p15_beam_new(e, 0, ORDERS[0], 1, ROOM, &beam) == P15_ERR_BOARD && beam == NULL);
    for (size_t max_bytes = 0; max_bytes < 18000; max_bytes += 1000)
        CHECK(p15_beam_new(e, goal, ORDERS[0], 1, max_bytes, &beam) == P15_ERR_MEMORY && beam == NULL);
    p15_search_delete(NULL);
    CHECK(p15_climb_new(e, goal, bad, &beam) == P15_ERR_ARGUMENT && beam == NULL);
    CHECK(p15_climb_new(e, other, ORDERS[0], &beam) == P15_ERR_UNSOLVABLE && beam == NULL);
    p15_evaluator_delete(e);
}

/* Children that are evaluated together are kept as those that are not. */
static void test_networks(void) {
    p15_shape shape = shape_of(4, 4);
    p15_board goal = p15_board_goal(shape, 15);
    unsigned states[4] = {0};
    for (unsigned i = 0; i < 6; i++) {
        p15_dense *network = draw_network(i % 2);
        p15_evaluator *e = evaluator_of(shape, goal, i == 5 ? 1u << P15_MISPLACED : 0);
        CHECK(p15_evaluator_add_network(e, network, true, 0) == P15_OK);
        check_beam(e, draw_near(shape, goal, 20), 1 + draw(200), states);
        p15_board start = draw_near(shape, goal, 20), end;
        p15_search *search;
        CHECK(p15_climb_new(e, start, ORDERS[i % 3], &search) == P15_OK);
        run_to_end(search, false);
        const p15_report *report = p15_search_report(search);
        CHECK(p15_board_apply(start, shape, report->path, report->length, &end) == report->length &&
              h_of(e, end) + report->length <= h_of(e, start));
        p15_search_delete(search);
        p15_evaluator_delete(e);
        p15_dense_delete(network);
    }
    CHECK(states[P15_SEARCH_SOLVED] > 0);
}

int main(void) {
    test_beam(shape_of(2, 2), 4);
    test_beam(shape_of(2, 3), 4);
    test_beam(shape_of(3, 3), 4);
    test_limits();
    test_climb(shape_of(3, 3));
    test_climb(shape_of(4, 4));
    test_climb(shape_of(2, 8));
    test_networks();
    test_errors();
    return 0;
}
