/* Long jobs of searches that keep nodes (base/pieces.h): no call does more than a piece of one. Calls that are amid a
 * job expand nothing, there are as many of them as the kept nodes need, and paths can be asked for between any two.
 *
 * A closed table that has grown to hold n nodes by halves has carried more than n nodes. */

#include "boards.h"
#include "search/best_first/anytime.h"
#include "search/best_first/best_first.h"
#include "search/best_first/bidirectional.h"
#include "search/best_first/local.h"
#include "search/deepening/deepening.h"
#include "search/layers/beam_stack.h"
#include "search/layers/breadth_first.h"
#include "search/meeting/meeting.h"

#define ROOM ((size_t)64 << 20)
#define CALLS 150000u

static p15_evaluator *forward, *backward;
static p15_board start, goal;

typedef struct {
    void *search;
    bool (*run)(void *search, uint64_t steps);
    void (*report)(const void *search, p15_report *report);
    size_t (*path)(const void *search, uint8_t *directions, size_t room);
    void (*delete)(void *search);
} any;

#define FUNCTIONS_OF(kind)                                                                                     \
    static bool run_##kind(void *search, uint64_t steps) { return p15_##kind##_run(search, steps); }           \
    static void report_##kind(const void *search, p15_report *report) { p15_##kind##_report(search, report); } \
    static size_t path_##kind(const void *search, uint8_t *directions, size_t room) {                          \
        return p15_##kind##_path(search, directions, room);                                                    \
    }                                                                                                          \
    static void delete_##kind(void *search) { p15_##kind##_delete(search); }                                   \
    static any any_##kind(p15_##kind *search, p15_status status) {                                             \
        CHECK(status == P15_OK);                                                                               \
        return (any){search, run_##kind, report_##kind, path_##kind, delete_##kind};                           \
    }

FUNCTIONS_OF(bestfirst)
FUNCTIONS_OF(bidirectional)
FUNCTIONS_OF(beam)
FUNCTIONS_OF(anytime)
FUNCTIONS_OF(meeting)
FUNCTIONS_OF(breadth)
FUNCTIONS_OF(beam_stack)

/* IDA* with a table tells nothing of its nodes but their bytes. */
static void p15_remembered_report(const p15_deepening *search, p15_report *report) {
    p15_deepening_result result;
    p15_deepening_look(search, &result);
    *report = (p15_report){.expanded = result.expanded, .nodes = result.bytes / 16, .upkeep = result.upkeep};
}
static size_t p15_remembered_path(const p15_deepening *search, uint8_t *directions, size_t room) {
    return search && directions && room ? SIZE_MAX : SIZE_MAX;
}
#define p15_remembered p15_deepening
#define p15_remembered_run p15_deepening_run
#define p15_remembered_delete p15_deepening_delete
FUNCTIONS_OF(remembered)

/* Runs a search step by step. Returns the calls that began amid a job. */
static size_t drive(any a, p15_report *last) {
    static uint8_t path[4096];
    size_t amid = 0;
    bool more = true;
    a.report(a.search, last);
    for (unsigned call = 0; more && call < CALLS; call++) {
        p15_report before = *last;
        more = a.run(a.search, 1);
        a.report(a.search, last);
        amid += before.upkeep;
        CHECK(!before.upkeep || !last->upkeep || before.expanded == last->expanded);
        size_t length = last->upkeep && amid % 64 == 0 ? a.path(a.search, path, sizeof path) : SIZE_MAX;
        if (length != SIZE_MAX) {
            CHECK(length <= sizeof path);
            CHECK(leads(p15_evaluator_shape(forward), start, goal, path, length));
        }
    }
    a.delete(a.search);
    return amid;
}

/* Amid jobs that touch so many nodes. */
static void check(const char *name, any a) {
    p15_report last;
    size_t amid = drive(a, &last), nodes = last.nodes > last.largest_open ? last.nodes : last.largest_open;
    if (amid * P15_PIECE < nodes || nodes < 4000) fprintf(stderr, "%s: %zu calls, %zu nodes\n", name, amid, nodes);
    CHECK(amid * P15_PIECE >= nodes && nodes >= 4000);
}

static void test_best_first(unsigned h_weight, bool prove, unsigned batch) {
    p15_bestfirst *search;
    p15_bestfirst_options o = {!prove, h_weight, P15_TIES_LARGER_G, prove, {0, 1, 2, 3}, ROOM, p15_cpu_pick(), batch};
    p15_status status = p15_bestfirst_new(forward, start, &o, &search);
    check(prove ? "branch and bound" : "best-first", any_bestfirst(search, status));
}

static void test_anytime(unsigned h_step, unsigned batch) {
    p15_anytime *search;
    p15_anytime_options o = {2, 4, h_step, {0, 1, 2, 3}, ROOM, p15_cpu_pick(), batch};
    p15_status status = p15_anytime_new(forward, start, &o, &search);
    check(h_step ? "ARA*" : "anytime", any_anytime(search, status));
}

static void test_meeting(p15_meeting_rule rule, unsigned batch) {
    p15_meeting *search;
    p15_end ends[2] = {{start, forward, {0, 1, 2, 3}}, {goal, backward, {0, 1, 2, 3}}};
    p15_meeting_options o = {rule, {0, 1, 2, 3}, ROOM, p15_cpu_pick(), batch};
    p15_status status = p15_meeting_new(ends, &o, &search);
    check("meeting", any_meeting(search, status));
}

int main(void) {
    p15_shape shape = shape_of(3, 4);
    p15_bidirectional *bidirectional;
    p15_beam *beam;
    p15_breadth *breadth;
    p15_beam_stack *stack;
    p15_deepening *remembered;
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
    p15_status status = p15_bidirectional_new(shape, start, goal, ORDERS[0], ROOM, &bidirectional);
    check("bidirectional", any_bidirectional(bidirectional, status));
    status = p15_beam_new(forward, start, ORDERS[0], 5000, ROOM, &beam);
    check("beam", any_beam(beam, status));
    status = p15_breadth_new(forward, start, ORDERS[0], ROOM, &breadth);
    check("breadth-first heuristic", any_breadth(breadth, status));
    status = p15_beam_stack_new(forward, start, ORDERS[0], 4000, 200, ROOM, &stack);
    check("beam stack", any_beam_stack(stack, status));
    status = p15_deepening_new(forward, start, ORDERS[0], P15_FROM_H, P15_MAX_BOUND, UINT64_MAX, p15_cpu_pick(),
                               &remembered);
    if (status == P15_OK) status = p15_deepening_remember(remembered, ORDERS[0], ROOM);
    check("IDA* with a table", any_remembered(remembered, status));
    p15_evaluator_delete(forward);
    p15_evaluator_delete(backward);
    return 0;
}
