/* Long jobs of searches that keep nodes (base/pieces.h): no call does more than a piece of one. Calls that are amid a
 * job expand nothing, there are as many of them as the kept nodes need, and paths can be asked for between any two.
 *
 * A closed table that has grown to hold n nodes by halves has carried more than n nodes. */

#include "search/best_first/anytime.h"
#include "search/best_first/best_first.h"
#include "search/best_first/bidirectional.h"
#include "search/best_first/local.h"
#include "search/deepening/deepening.h"
#include "search/layers/beam_stack.h"
#include "search/layers/breadth_first.h"
#include "search/meeting/meeting.h"
#include "searches.h"

#define CALLS 150000u

static p15_evaluator *forward, *backward;
static p15_board start, goal;

/* Runs a search step by step. Returns the calls that began amid a job. */
static size_t drive(p15_search *search, p15_report *last) {
    static uint8_t path[4096];
    size_t amid = 0;
    bool more = true;
    *last = *p15_search_report(search);
    for (unsigned call = 0; more && call < CALLS; call++) {
        p15_report before = *last;
        more = p15_search_run(search, 1);
        *last = *p15_search_report(search);
        amid += before.upkeep;
        CHECK(!before.upkeep || !last->upkeep || before.expanded == last->expanded);
        size_t length = last->upkeep && amid % 64 == 0 ? path_of(search, path, sizeof path) : SIZE_MAX;
        if (length != SIZE_MAX) {
            CHECK(length <= sizeof path);
            CHECK(leads(p15_evaluator_shape(forward), start, goal, path, length));
        }
    }
    p15_search_delete(search);
    return amid;
}

/* Amid jobs that touch so many nodes. */
static void check(const char *name, p15_status status, p15_search *search) {
    p15_report last;
    CHECK(status == P15_OK);
    size_t amid = drive(search, &last), nodes = last.nodes > last.largest_open ? last.nodes : last.largest_open;
    if (nodes == 0) nodes = last.bytes / 16; /* IDA* with a table counts no nodes */
    if (amid * P15_PIECE < nodes || nodes < 4000) fprintf(stderr, "%s: %zu calls, %zu nodes\n", name, amid, nodes);
    CHECK(amid * P15_PIECE >= nodes && nodes >= 4000);
}

static void test_best_first(unsigned h_weight, bool prove, unsigned batch) {
    p15_search *search;
    p15_bestfirst_options o = {!prove, h_weight, P15_TIES_LARGER_G, prove, {0, 1, 2, 3}, ROOM, p15_cpu_pick(), batch};
    p15_status status = p15_bestfirst_new(forward, start, &o, &search);
    check(prove ? "branch and bound" : "best-first", status, search);
}

static void test_anytime(unsigned h_step, unsigned batch) {
    p15_search *search;
    p15_anytime_options o = {2, 4, h_step, {0, 1, 2, 3}, ROOM, p15_cpu_pick(), batch};
    p15_status status = p15_anytime_new(forward, start, &o, &search);
    check(h_step ? "ARA*" : "anytime", status, search);
}

static void test_meeting(p15_meeting_rule rule, unsigned batch) {
    p15_search *search;
    p15_end ends[2] = {{start, forward, {0, 1, 2, 3}}, {goal, backward, {0, 1, 2, 3}}};
    p15_meeting_options o = {rule, {0, 1, 2, 3}, ROOM, p15_cpu_pick(), batch};
    p15_status status = p15_meeting_new(ends, &o, &search);
    check("meeting", status, search);
}

static void test_others(p15_shape shape) {
    p15_search *search;
    p15_status status = p15_bidirectional_new(shape, start, goal, ORDERS[0], ROOM, p15_cpu_pick(), &search);
    check("bidirectional", status, search);
    status = p15_beam_new(forward, start, ORDERS[0], 5000, ROOM, &search);
    check("beam", status, search);
    status = p15_breadth_new(forward, start, ORDERS[0], ROOM, &search);
    check("breadth-first heuristic", status, search);
    status = p15_beam_stack_new(forward, start, ORDERS[0], 4000, 200, ROOM, &search);
    check("beam stack", status, search);
    status =
        p15_deepening_new(forward, start, ORDERS[0], P15_FROM_H, P15_MAX_BOUND, UINT64_MAX, p15_cpu_pick(), &search);
    if (status == P15_OK) status = p15_deepening_remember(search, ROOM);
    check("IDA* with a table", status, search);
}

int main(void) {
    p15_shape shape = shape_of(3, 4);
    goal = p15_board_goal(shape, 11);
    do start = draw_board(shape, goal);
    while (p15_board_manhattan(start, goal, shape) < 34);
    forward = evaluator_of(shape, goal, 1u << P15_MANHATTAN);
    backward = evaluator_of(shape, start, 1u << P15_MANHATTAN);
    test_best_first(1, false, 1);
    test_best_first(1, false, 100);
    test_best_first(1, true, 1);
    test_best_first(1, true, 7);
    test_anytime(0, 1);
    test_anytime(0, 50);
    test_anytime(1, 1);
    for (unsigned rule = 0; rule < P15_MEETING_COUNT; rule++) {
        test_meeting((p15_meeting_rule)rule, 1);
        test_meeting((p15_meeting_rule)rule, 20);
    }
    test_others(shape);
    p15_evaluator_delete(forward);
    p15_evaluator_delete(backward);
    return 0;
}
