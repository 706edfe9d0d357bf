/* Anytime A*, ARA*, breadth-first heuristic search and beam-stack search: right answers and bounds, pieces, limits of
 * memory. tests/unit/searches/test_anytime.py compares their expansions with twins. */

#include "searches.h"
#include "search/best_first/anytime.h"
#include "search/layers/beam_stack.h"
#include "search/layers/breadth_first.h"

typedef enum { ANYTIME, ARA, BREADTH, STACK, KINDS } kind;

static p15_status begin(kind k, const p15_evaluator *e, p15_board start, size_t max_bytes, p15_search **search) {
    static const uint8_t *order = ORDERS[1];
    if (k == BREADTH) return p15_breadth_new(e, start, order, max_bytes, search);
    if (k == STACK) return p15_beam_stack_new(e, start, order, 1 + draw(200), 32, max_bytes, search);
    p15_anytime_options options = {.g_weight = 2,
                                   .h_weight = 2 + draw(6),
                                   .h_step = k == ARA ? 1 + draw(3) : 0,
                                   .max_bytes = max_bytes,
                                   .cpu = next_level(),
                                   .batch = k == ARA ? 1 : 1 + draw(5)};
    memcpy(options.order, order, sizeof options.order);
    return p15_anytime_new(e, start, &options, search);
}

/* Runs a search in pieces to its end; its bounds and solutions hold all the time. */
static p15_report finish(p15_search *a, p15_shape shape, p15_board start, p15_board goal, unsigned distance,
                         size_t max_bytes) {
    uint8_t directions[256];
    unsigned bound = 0;
    size_t best = SIZE_MAX;
    for (bool more = true; more;) {
        more = p15_search_run(a, 1 + draw(300));
        p15_report report = *p15_search_report(a);
        CHECK(report.lower_bound >= bound && report.lower_bound <= distance && report.bytes <= max_bytes);
        bound = report.lower_bound;
        size_t length = path_of(a, directions, 256);
        CHECK(length <= best && length >= distance);
        best = length;
        CHECK(length == SIZE_MAX || (length <= 256 && leads(shape, start, goal, directions, length)));
        CHECK((report.state == P15_SEARCH_RUNNING) == more);
    }
    CHECK(!p15_search_run(a, 1));
    return *p15_search_report(a);
}

static void test_answers(unsigned kinds) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = draw_board(shape, p15_board_goal(shape, 8));
    uint8_t *lengths = distances(shape, goal);
    p15_evaluator *e = evaluator_of(shape, goal, kinds);
    for (unsigned i = 0; i < 40; i++) {
        p15_board start = i == 0 ? goal : i % 2 ? draw_near(shape, goal, i / 2) : draw_board(shape, goal);
        unsigned distance = lengths[twin_rank(shape, start)];
        for (kind k = 0; k < KINDS; k++) {
            p15_search *a;
            CHECK(begin(k, e, start, ROOM, &a) == P15_OK);
            p15_report report = finish(a, shape, start, goal, distance, ROOM);
            CHECK(report.state == P15_SEARCH_SOLVED && report.lower_bound == distance);
            CHECK(path_of(a, NULL, 0) == distance);
            p15_search_delete(a);
        }
    }
    p15_evaluator_delete(e);
    free(lengths);
}

/* Solutions with more moves than a word holds: the relay layers of a 2x5 board. */
static void test_relays(void) {
    p15_shape shape = shape_of(2, 5);
    p15_board goal = p15_board_goal(shape, 9);
    p15_evaluator *e = evaluator_of(shape, goal, 1u << P15_WALKING_DISTANCE);
    unsigned longer = 0;
    for (unsigned i = 0; i < 6; i++) {
        p15_board start = draw_board(shape, goal);
        p15_search *a;
        CHECK(begin(BREADTH, e, start, ROOM, &a) == P15_OK);
        while (p15_search_run(a, 100000)) continue;
        uint8_t directions[256];
        size_t length = path_of(a, directions, 256);
        CHECK(p15_search_report(a)->state == P15_SEARCH_SOLVED && leads(shape, start, goal, directions, length));
        longer += length > P15_RELAY_MOVES;
        p15_search_delete(a);
    }
    CHECK(longer > 0);
    p15_evaluator_delete(e);
}

static void test_limits(void) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8);
    uint8_t *lengths = distances(shape, goal);
    p15_evaluator *e = evaluator_of(shape, goal, 1u << P15_MANHATTAN);
    unsigned states[4] = {0};
    for (size_t max_bytes = 0; max_bytes < 300000; max_bytes += draw(5000))
        for (kind k = 0; k < KINDS; k++) {
            p15_search *a;
            p15_board start = draw_board(shape, goal);
            p15_status status = begin(k, e, start, max_bytes, &a);
            CHECK(status == P15_OK || (status == P15_ERR_MEMORY && max_bytes < 40000));
            if (status) continue;
            states[finish(a, shape, start, goal, lengths[twin_rank(shape, start)], max_bytes).state]++;
            p15_search_delete(a);
        }
    CHECK(states[P15_SEARCH_SOLVED] > 20 && states[P15_SEARCH_NO_ROOM] > 20);
    p15_evaluator_delete(e);
    free(lengths);
}

static void test_arguments(void) {
    static const uint8_t wrong[P15_DIRECTIONS] = {0, 1, 1, 2};
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8);
    p15_evaluator *e = evaluator_of(shape, goal, 1u << P15_MANHATTAN);
    p15_search *search;
    p15_anytime_options fine = {.g_weight = 1, .h_weight = 2, .max_bytes = ROOM, .batch = 1};
    memcpy(fine.order, ORDERS[0], sizeof fine.order);
    for (unsigned i = 0; i < 7; i++) {
        p15_anytime_options options = fine;
        if (i == 0) options.g_weight = 0;
        if (i == 1) options.g_weight = 3;
        if (i == 2) options.h_weight = P15_MOST_PARTS + 1;
        if (i == 3) options.batch = 0;
        if (i == 4) options.batch = 2, options.h_step = 1;
        if (i == 5) memcpy(options.order, wrong, sizeof wrong);
        if (i == 6) options.batch = P15_MAX_EXPANDED + 1;
        CHECK(p15_anytime_new(e, goal, &options, &search) == P15_ERR_ARGUMENT && !search);
    }
    CHECK(p15_breadth_new(e, goal, wrong, ROOM, &search) == P15_ERR_ARGUMENT && !search);
    CHECK(p15_beam_stack_new(e, goal, wrong, 1, 32, ROOM, &search) == P15_ERR_ARGUMENT && !search);
    CHECK(p15_beam_stack_new(e, goal, ORDERS[0], 0, 32, ROOM, &search) == P15_ERR_ARGUMENT);
    CHECK(p15_beam_stack_new(e, goal, ORDERS[0], P15_MOST_STACK_WIDTH + 1, 32, ROOM, &search) == P15_ERR_ARGUMENT);
    CHECK(p15_beam_stack_new(e, goal, ORDERS[0], 1, 0, ROOM, &search) == P15_ERR_ARGUMENT);
    CHECK(p15_beam_stack_new(e, goal, ORDERS[0], 1, P15_MOST_STACK_MOVES + 1, ROOM, &search) == P15_ERR_ARGUMENT);
    CHECK(p15_anytime_new(e, goal ^ 1, &fine, &search) == P15_ERR_BOARD && !search);
    CHECK(p15_breadth_new(e, goal ^ 1, ORDERS[0], ROOM, &search) == P15_ERR_BOARD);
    CHECK(p15_beam_stack_new(e, goal ^ 1, ORDERS[0], 1, 32, ROOM, &search) == P15_ERR_BOARD);
    p15_search_delete(NULL);
    p15_evaluator_delete(e);
}

int main(void) {
    test_answers(1u << P15_MANHATTAN);
    test_answers(1u << P15_LINEAR_CONFLICT);
    test_answers(1u << P15_MISPLACED | 1u << P15_WALKING_DISTANCE);
    test_relays();
    test_limits();
    test_arguments();
    return 0;
}
