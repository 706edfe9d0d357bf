/* p15_meeting: true lengths with every rule and level, also where an evaluator looks at turned boards; every limit of
 * memory; errors. The counts are compared with the twins of tests/unit/searches/test_meeting.py. */

#include "search/meeting/meeting.h"
#include "searches.h"

/* An end whose evaluator sees boards upside down. */
static p15_end turned_end(p15_shape shape, p15_board root, p15_board other, unsigned kinds) {
    p15_board turned = 0;
    for (unsigned cell = 0; cell < shape.cells; cell++)
        turned |= (p15_board)p15_board_tile(other, shape.cells - 1u - cell) << (4 * cell);
    return (p15_end){root, evaluator_of(shape, turned, kinds), {3, 2, 1, 0}};
}

/* Searches in pieces, and checks what is told on the way. */
static p15_report run_checked(const p15_end ends[2], const p15_meeting_options *options, p15_shape shape,
                              unsigned length) {
    p15_search *search;
    p15_report report = {0};
    uint8_t path[256];
    if (p15_meeting_new(ends, options, &search) == P15_ERR_MEMORY) {
        CHECK(search == NULL && options->max_bytes < 60000);
        return report;
    }
    do {
        report = *p15_search_report(search);
        CHECK(report.bytes <= options->max_bytes && report.lower_bound <= length);
    } while (p15_search_run(search, 1 + draw(40)));
    report = *p15_search_report(search);
    CHECK(report.bytes <= options->max_bytes && report.lower_bound <= length);
    size_t moves = path_of(search, path, 256);
    if (report.state == P15_SEARCH_SOLVED) CHECK(moves == length && report.lower_bound == length);
    if (moves != SIZE_MAX) {
        p15_board last;
        CHECK(moves >= length && p15_board_apply(ends[0].root, shape, path, moves, &last) == moves);
        CHECK(last == ends[1].root);
    }
    p15_search_delete(search);
    return report;
}

static void test_lengths(p15_shape shape, unsigned count) {
    p15_board goal = draw_board(shape, p15_board_goal(shape, 0));
    uint8_t *lengths = distances(shape, goal);
    for (unsigned i = 0; i < count; i++) {
        p15_board start = i ? draw_board(shape, goal) : goal;
        unsigned length = lengths[twin_rank(shape, start)], kinds = i % 8; /* as bits */
        p15_end straight[2] = {{start, evaluator_of(shape, goal, kinds), {0, 1, 2, 3}},
                               {goal, evaluator_of(shape, start, kinds), {0, 1, 2, 3}}};
        p15_end turned[2] = {turned_end(shape, start, goal, kinds), turned_end(shape, goal, start, kinds)};
        for (unsigned rule = 0; rule < P15_MEETING_COUNT; rule++) {
            p15_meeting_options options = {.rule = (p15_meeting_rule)rule, .max_bytes = ROOM};
            options.batch = i % 2 ? 1 : 1 + i % 7;
            memcpy(options.order, ORDERS[i % 3], sizeof options.order);
            p15_report one = run_checked(turned, &options, shape, length);
            CHECK(one.state == P15_SEARCH_SOLVED);
            for (unsigned level = 0; level <= p15_cpu_pick(); level++) {
                options.cpu = (p15_cpu)level;
                p15_report two = run_checked(straight, &options, shape, length);
                CHECK(two.state == P15_SEARCH_SOLVED && one.expanded == two.expanded);
                CHECK(one.generated == two.generated && one.nodes == two.nodes);
            }
        }
        for (unsigned k = 0; k < 2; k++) {
            p15_evaluator_delete((p15_evaluator *)straight[k].evaluator);
            p15_evaluator_delete((p15_evaluator *)turned[k].evaluator);
        }
    }
    free(lengths);
}

static void test_limits(void) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8), start = goal;
    uint8_t *lengths = distances(shape, goal);
    while (lengths[twin_rank(shape, start)] < 27) start = draw_board(shape, goal);
    p15_end ends[2] = {{start, evaluator_of(shape, goal, 2), {0, 1, 2, 3}},
                       {goal, evaluator_of(shape, start, 2), {0, 1, 2, 3}}};
    for (unsigned rule = 0; rule < P15_MEETING_COUNT; rule++) {
        unsigned states[4] = {0};
        for (size_t max_bytes = 40000; max_bytes < 400000; max_bytes += draw(8000)) {
            p15_meeting_options options = {.rule = (p15_meeting_rule)rule, .order = {0, 1, 2, 3}};
            options.batch = 1 + draw(20);
            options.max_bytes = max_bytes;
            options.cpu = next_level();
            states[run_checked(ends, &options, shape, lengths[twin_rank(shape, start)]).state]++;
        }
        CHECK(states[P15_SEARCH_NO_ROOM] > 2 && states[P15_SEARCH_FAILED] == 0);
    }
    for (unsigned k = 0; k < 2; k++) p15_evaluator_delete((p15_evaluator *)ends[k].evaluator);
    free(lengths);
}

/* As many nodes go together as may: in pairs with NBS. */
static void test_batches(void) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8), start = UINT64_C(0x103452768); /* 31 moves */
    p15_end ends[2] = {{start, evaluator_of(shape, goal, 2), {0, 1, 2, 3}},
                       {goal, evaluator_of(shape, start, 2), {0, 1, 2, 3}}};
    for (unsigned rule = 0; rule < P15_MEETING_COUNT; rule++)
        for (unsigned batch = 1; batch <= 8; batch++) {
            p15_meeting_options options = {.rule = (p15_meeting_rule)rule, .order = {0, 1, 2, 3}, .max_bytes = ROOM};
            p15_search *search;
            p15_report report = {0};
            uint64_t largest = 0;
            options.batch = batch;
            CHECK(p15_meeting_new(ends, &options, &search) == P15_OK);
            for (bool more = true; more;) {
                uint64_t before = report.expanded;
                more = p15_search_run(search, 1);
                report = *p15_search_report(search);
                if (report.expanded - before > largest) largest = report.expanded - before;
            }
            CHECK(report.state == P15_SEARCH_SOLVED && report.lower_bound == 31);
            CHECK(largest == (rule == P15_NBS && batch > 1 ? batch / 2 * 2 : batch));
            p15_search_delete(search);
        }
    for (unsigned k = 0; k < 2; k++) p15_evaluator_delete((p15_evaluator *)ends[k].evaluator);
}

static void test_errors(void) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8);
    p15_evaluator *evaluator = evaluator_of(shape, goal, 1), *other = evaluator_of(shape_of(2, 3), 0x054321, 1);
    p15_meeting_options options = {.order = {0, 1, 2, 3}, .max_bytes = ROOM, .batch = 1};
    p15_end good = {goal, evaluator, {0, 1, 2, 3}};
    p15_search *search = NULL;
    const struct {
        p15_end ends[2];
        p15_status status;
    } cases[] = {
        {{good, good}, P15_OK},
        {{{0, evaluator, {0, 1, 2, 3}}, good}, P15_ERR_BOARD},
        {{{UINT64_C(0x087654312), evaluator, {0, 1, 2, 3}}, good}, P15_ERR_UNSOLVABLE},
        {{good, {goal, other, {0, 1, 2, 3}}}, P15_ERR_ARGUMENT},
        {{good, {goal, evaluator, {0, 1, 2, 9}}}, P15_ERR_ARGUMENT},
        {{good, {goal, evaluator, {1, 0, 2, 3}}}, P15_ERR_ARGUMENT}, /* no symmetry */
        {{good, {goal, evaluator, {3, 2, 1, 0}}}, P15_ERR_ARGUMENT}, /* it would carry the blank to a tile */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(p15_meeting_new(cases[i].ends, &options, &search) == cases[i].status);
        CHECK((search == NULL) == (cases[i].status != P15_OK));
        p15_search_delete(search);
    }
    options.rule = P15_MEETING_COUNT;
    CHECK(p15_meeting_new(cases[0].ends, &options, &search) == P15_ERR_ARGUMENT && search == NULL);
    options = (p15_meeting_options){.order = {0, 1, 1, 3}, .max_bytes = ROOM, .batch = 1};
    CHECK(p15_meeting_new(cases[0].ends, &options, &search) == P15_ERR_ARGUMENT && search == NULL);
    for (unsigned batch = 0; batch <= P15_MAX_EXPANDED + 1; batch += P15_MAX_EXPANDED + 1) {
        options = (p15_meeting_options){.order = {0, 1, 2, 3}, .max_bytes = ROOM, .batch = batch};
        CHECK(p15_meeting_new(cases[0].ends, &options, &search) == P15_ERR_ARGUMENT && search == NULL);
    }
    p15_evaluator_delete(evaluator);
    p15_evaluator_delete(other);
}

int main(void) {
    test_lengths(shape_of(2, 2), 12);
    test_lengths(shape_of(2, 3), 40);
    test_lengths(shape_of(3, 3), 12);
    test_limits();
    test_batches();
    test_errors();
    return 0;
}
