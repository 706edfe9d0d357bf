/* p15_bestfirst: lengths and bounds against complete tables; the same counts and paths in pieces and on every processor;
 * limits of memory, wherever they strike. tests/unit/searches/test_recording.py compares every expansion with a twin. */

#include "search/best_first/best_first.h"
#include "search/best_first/closed.h"
#include "searches.h"
#include "networks.h"
#include "optimal/fsm.h"
#include "tables.h"

#define MOST_BATCH 50

/* ------------------------------------------------------------------------------------------------ best-first search */

static p15_search *search_of(const p15_evaluator *e, p15_board start, const p15_bestfirst_options *o) {
    p15_search *search;
    CHECK(p15_bestfirst_new(e, start, o, &search) == P15_OK);
    return search;
}

typedef struct {
    const p15_evaluator *evaluator;
    p15_board start;
    p15_bestfirst_options options;
} problem;

static p15_search *make(const void *of) {
    problem p = *(const problem *)of;
    p.options.cpu = next_level();
    return search_of(p.evaluator, p.start, &p.options);
}

/* Returns the length of the solution that is found. */
static size_t check_search(const p15_evaluator *e, p15_board start, p15_bestfirst_options o, p15_report *report) {
    problem p = {e, start, o};
    size_t length = check_runs(p15_evaluator_shape(e), make, &p, report);
    CHECK(report->state == P15_SEARCH_SOLVED);
    return length;
}

typedef struct {
    unsigned g_weight, h_weight;
    bool prove;
} priority;

static const priority PRIORITIES[] = {
    {1, 1, false}, {1, 0, false}, {0, 1, true},  {1, 1, true},   {64, 64, false}, /* optimal */
    {1, 2, false}, {4, 5, false}, {0, 1, false}, {0, 64, false}, {64, 63, false}};
#define OPTIMAL 5
#define PRIORITY_COUNT (sizeof PRIORITIES / sizeof *PRIORITIES)

/* One board by one priority in all ties; `length` is the shortest. */
static uint64_t check_board(const p15_evaluator *e, p15_board start, const priority *p, unsigned length) {
    uint64_t reopened = 0;
    for (unsigned ties = 0; ties < 3; ties++) {
        p15_report report;
        p15_bestfirst_options o = {p->g_weight, p->h_weight, (p15_ties)ties, p->prove, {0}, ROOM, P15_CPU_PLAIN, 1};
        memcpy(o.order, ORDERS[draw(3)], sizeof o.order);
        if (draw(3) == 0) o.batch = 2 + draw(MOST_BATCH - 1);
        size_t found = check_search(e, start, o, &report);
        CHECK(found >= length && report.lower_bound <= length);
        if (p - PRIORITIES < OPTIMAL)
            CHECK(found == length && report.lower_bound == length);
        else if (p->g_weight)
            CHECK(found * p->g_weight <= length * (p->g_weight > p->h_weight ? p->g_weight : p->h_weight));
        reopened += report.reopened;
    }
    return reopened;
}

static const unsigned KINDS[] = {0,
                                 1u << P15_MISPLACED,
                                 1u << P15_MANHATTAN,
                                 1u << P15_LINEAR_CONFLICT,
                                 1u << P15_WALKING_DISTANCE,
                                 1u << P15_REVERSAL | 1u << P15_WALKING_DISTANCE | 1u << P15_MISPLACED};
#define KIND_COUNT (sizeof KINDS / sizeof *KINDS)

/* Boards of small shapes; a board is its own goal, too. */
static void test_small(p15_shape shape, unsigned count) {
    p15_board goal = draw_board(shape, p15_board_goal(shape, 0));
    uint8_t *lengths = distances(shape, goal);
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        p15_evaluator *e = evaluator_of(shape, goal, KINDS[kind]);
        for (unsigned i = 0; i < count; i++)
            for (unsigned p = 0; p < PRIORITY_COUNT; p++) {
                p15_board start = i ? draw_board(shape, goal) : goal;
                check_board(e, start, &PRIORITIES[p], lengths[twin_rank(shape, start)]);
            }
        p15_evaluator_delete(e);
    }
    free(lengths);
}

/* 3x3 boards, near ones where a search knows little. */
static void test_3x3(p15_board goal, const uint8_t *lengths) {
    p15_shape shape = shape_of(3, 3);
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        p15_evaluator *e = evaluator_of(shape, goal, KINDS[kind]);
        for (unsigned p = 0; p < PRIORITY_COUNT; p++) {
            bool far = kind > 1 && p != 1 && p != 2;
            p15_board start = far && kind < 4 ? draw_board(shape, goal) : draw_near(shape, goal, p == 2 ? 4 : 12);
            if (p == 2 && kind < 2) continue; /* goes astray, and turns over the whole space */
            check_board(e, start, &PRIORITIES[p], lengths[twin_rank(shape, start)]);
        }
        p15_evaluator_delete(e);
    }
}

/* Searches on 4x4 for boards that are some moves away; the shortest length is what A* finds. */
static void test_4x4(unsigned moves) {
    p15_shape shape = shape_of(4, 4);
    p15_board goal = p15_board_goal(shape, 15);
    for (unsigned kind = 2; kind < KIND_COUNT; kind++) {
        p15_report report;
        p15_evaluator *e = evaluator_of(shape, goal, KINDS[kind]);
        p15_board start = draw_near(shape, goal, moves);
        p15_bestfirst_options o = {1, 1, P15_TIES_LARGER_G, false, {0, 1, 2, 3}, ROOM, P15_CPU_PLAIN, 1};
        unsigned length = (unsigned)check_search(e, start, o, &report);
        CHECK(length <= moves && length % 2 == 0 && report.lower_bound == length);
        check_board(e, start, &PRIORITIES[5], length);
        check_board(e, start, &PRIORITIES[6], length);
        p15_evaluator_delete(e);
    }
}

/* Without a heuristic the last come goes first: hundreds of thousands of moves, far more than g counts. */
static void test_deep(void) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8);
    p15_report report;
    p15_evaluator *e = evaluator_of(shape, goal, 0);
    p15_board start = draw_board(shape, goal);
    p15_bestfirst_options o = {0, 1, P15_TIES_LIFO, false, {0, 1, 2, 3}, ROOM, P15_CPU_PLAIN, 1};
    size_t length = check_search(e, start, o, &report);
    CHECK(length > 3 * P15_CLOSED_MAX_G && report.lower_bound == 0);
    o.prove = true; /* better ways there are: cut off, it still has the best so far */
    p15_search *search = search_of(e, start, &o);
    uint8_t *directions = allocate(length, 1);
    CHECK(path_of(search, NULL, 0) == SIZE_MAX);
    for (unsigned i = 0; i < 8; i++) {
        CHECK(p15_search_run(search, 10000 + length / 4));
        size_t now = path_of(search, directions, length);
        if (now == SIZE_MAX) continue;
        CHECK(now <= length && leads(shape, start, goal, directions, now));
    }
    report = *p15_search_report(search);
    CHECK(report.lower_bound == 0 && report.state == P15_SEARCH_RUNNING);
    p15_search_delete(search);
    free(directions);
    p15_evaluator_delete(e);
}

/* Classic tables, which let h fall by more than one a move: nodes are opened again, and A* stays optimal. */
static void test_inconsistent(p15_board goal, const uint8_t *lengths) {
    static const unsigned goal_maps[] = {0x00f, 0x0f0};
    p15_shape shape = shape_of(3, 3);
    p15_fsm automaton;
    static p15_problem problem;
    built parts[2];
    p15_table tables[2];
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    uint64_t reopened = 0;
    CHECK(goal == p15_board_goal(shape, 8));
    CHECK(p15_fsm_init(shape, 2, &automaton) == P15_OK);
    CHECK(p15_problem_init(shape, 8, &automaton, &problem) == P15_OK);
    for (unsigned i = 0; i < 2; i++) {
        build_table(shape, goal_maps[i], 8, true, p15_cpu_pick(), false, &parts[i]);
        CHECK(p15_table_init(&parts[i].space, parts[i].payload, parts[i].payload_bytes, true, parts[i].max_value,
                             goal_maps[i], 8, &tables[i]) == P15_OK);
    }
    CHECK(p15_symmetries(shape, maps) == 8);
    p15_evaluator *one = evaluator_of(shape, goal, 0), *several = evaluator_of(shape, goal, 1u << P15_MISPLACED);
    CHECK(p15_problem_add_lookup(&problem, tables, 2, maps[0]) == P15_OK);
    CHECK(p15_evaluator_add_views(one, &problem) == P15_OK && p15_evaluator_count(one) == 1);
    CHECK(p15_problem_add_lookup(&problem, tables, 2, maps[1]) == P15_OK);
    CHECK(p15_evaluator_add_views(several, &problem) == P15_OK && p15_evaluator_count(several) == 3);
    for (unsigned i = 0; i < 24; i++) {
        p15_board start = draw_board(shape, goal);
        unsigned length = lengths[twin_rank(shape, start)];
        reopened += check_board(i % 2 ? one : several, start, &PRIORITIES[i % 3 ? 0 : 5], length);
    }
    CHECK(reopened > 0);
    p15_evaluator_delete(one);
    p15_evaluator_delete(several);
    for (unsigned i = 0; i < 2; i++) build_free(&parts[i]);
    p15_problem_free(&problem);
    p15_fsm_free(&automaton);
}

/* Whatever the limit: the search ends, keeps to it, and claims no more than is true. */
static void check_limit(const p15_evaluator *e, p15_board start, p15_bestfirst_options o, unsigned length,
                        unsigned *states) {
    p15_shape shape = p15_evaluator_shape(e);
    p15_search *search;
    p15_report report, last = {0};
    uint8_t directions[256];
    p15_status status = p15_bestfirst_new(e, start, &o, &search);
    if (status) {
        CHECK(status == P15_ERR_MEMORY && search == NULL);
        return;
    }
    for (bool more = true; more; last = report) {
        report = *p15_search_report(search);
        CHECK(report.bytes <= o.max_bytes && report.lower_bound <= length && report.lower_bound >= last.lower_bound);
        CHECK(report.expanded - last.expanded < 97 + o.batch);
        more = p15_search_run(search, 97);
    }
    report = *p15_search_report(search);
    CHECK(report.bytes <= o.max_bytes && report.lower_bound <= length);
    CHECK(report.state == P15_SEARCH_SOLVED || report.state == P15_SEARCH_NO_ROOM);
    states[report.state]++;
    size_t found = path_of(search, directions, sizeof directions);
    if (report.state == P15_SEARCH_NO_ROOM && !o.prove) CHECK(found == SIZE_MAX);
    if (found <= sizeof directions) CHECK(leads(shape, start, p15_evaluator_goal(e), directions, found));
    p15_search_delete(search);
}

static void test_limits(p15_board goal, const uint8_t *lengths) {
    p15_shape shape = shape_of(3, 3);
    unsigned states[4] = {0};
    p15_search *search;
    p15_board start = goal;
    while (lengths[twin_rank(shape, start)] < 24) start = draw_board(shape, goal);
    unsigned length = lengths[twin_rank(shape, start)];
    for (unsigned kind = 0; kind < KIND_COUNT; kind += 1 + (kind == 2)) {
        p15_evaluator *e = evaluator_of(shape, goal, KINDS[kind]);
        for (unsigned p = 0; p < PRIORITY_COUNT; p++)
            for (size_t max_bytes = 12000 + draw(2000); max_bytes < 130000; max_bytes += 1 + draw(25000)) {
                p15_bestfirst_options o = {PRIORITIES[p].g_weight, PRIORITIES[p].h_weight, (p15_ties)draw(3),
                                           PRIORITIES[p].prove,    {0, 1, 2, 3},           max_bytes,
                                           next_level(),           1 + draw(2) * draw(30)};
                check_limit(e, start, o, length, states);
            }
        p15_evaluator_delete(e);
    }
    CHECK(states[P15_SEARCH_SOLVED] > 20 && states[P15_SEARCH_NO_ROOM] > 20);

    /* 4x4: many rows of many columns; far from the goal, so that none is solved */
    shape = shape_of(4, 4);
    start = UINT64_C(0x129d56ea47bc38f0);
    goal = p15_board_goal(shape, 15);
    p15_evaluator *e = evaluator_of(shape, goal, 1u << P15_MANHATTAN);
    for (size_t max_bytes = 4202432 + 4096; max_bytes < 4800000; max_bytes += 20000 + draw(60000)) {
        p15_bestfirst_options o = {draw(65),     1 + draw(64), (p15_ties)draw(3), false,
                                   {0, 1, 2, 3}, max_bytes,    next_level(),      1};
        if (o.g_weight) check_limit(e, start, o, 80, states);
    }
    for (size_t max_bytes = 0; max_bytes < 4202432; max_bytes = 2 * max_bytes + 1) {
        p15_bestfirst_options o = {1, 1, P15_TIES_FIFO, false, {0, 1, 2, 3}, max_bytes, p15_cpu_pick(), 1};
        CHECK(p15_bestfirst_new(e, start, &o, &search) == P15_ERR_MEMORY && search == NULL);
    }
    p15_evaluator_delete(e);
}

/* With a branch and bound that has nothing left to expand, full memory is no reason to stop. */
static void test_whole_space_fits(void) {
    p15_shape shape = shape_of(2, 3);
    p15_board goal = p15_board_goal(shape, 5);
    p15_evaluator *e = evaluator_of(shape, goal, 0);
    uint8_t *lengths = distances(shape, goal);
    size_t least = 191 * 64 + 2 * 1024; /* the smallest table, and a chunk of entries */
    unsigned states[4] = {0};
    for (unsigned i = 0; i < 60; i++) {
        p15_board start = draw_board(shape, goal);
        p15_bestfirst_options o = {1, 0, P15_TIES_LIFO, i % 2, {0, 1, 2, 3}, least + 1536 + draw(3000), P15_CPU_PLAIN,
                                   1};
        check_limit(e, start, o, lengths[twin_rank(shape, start)], states);
    }
    CHECK(states[P15_SEARCH_SOLVED] > 0);
    free(lengths);
    p15_evaluator_delete(e);
}

/* Networks, which open nodes again, and A* that finds longer ways; in batches, too. */
static void test_networks(void) {
    p15_shape shape = shape_of(4, 4);
    p15_board goal = p15_board_goal(shape, 15);
    uint64_t reopened = 0, longer = 0;
    for (unsigned i = 0; i < 16; i++) {
        p15_dense *network = draw_network(i % 2);
        p15_evaluator *e = evaluator_of(shape, goal, i % 4 == 3 ? 1u << P15_WALKING_DISTANCE : 0);
        p15_evaluator *bound = evaluator_of(shape, goal, 1u << P15_LINEAR_CONFLICT);
        CHECK(p15_evaluator_add_network(e, network, true, (float)draw(3)) == P15_OK);
        p15_board start = draw_near(shape, goal, 20);
        p15_report report;
        p15_bestfirst_options o = {1, 1, P15_TIES_LARGER_G, false, {0, 1, 2, 3}, ROOM, P15_CPU_PLAIN, 1};
        size_t length = check_search(bound, start, o, &report);
        for (unsigned batch = 1; batch <= MOST_BATCH; batch += 1 + draw(MOST_BATCH / 2)) {
            o.batch = batch;
            o.ties = (p15_ties)draw(3);
            o.g_weight = draw(4) > 0;
            size_t found = check_search(e, start, o, &report);
            CHECK(found >= length && (found - length) % 2 == 0);
            longer += found > length;
            reopened += report.reopened;
        }
        p15_evaluator_delete(e);
        p15_evaluator_delete(bound);
        p15_dense_delete(network);
    }
    CHECK(reopened > 0 && longer > 0);
}

static void test_errors(void) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8);
    p15_evaluator *e = evaluator_of(shape, goal, 1u << P15_MANHATTAN);
    const p15_bestfirst_options good = {1, 1, P15_TIES_FIFO, false, {0, 1, 2, 3}, ROOM, P15_CPU_PLAIN, 1};
    p15_bestfirst_options bad[8];
    p15_search *search = NULL;
    for (unsigned i = 0; i < 8; i++) bad[i] = good;
    bad[0].g_weight = bad[0].h_weight = 0;
    bad[1].g_weight = P15_MAX_WEIGHT + 1;
    bad[2].h_weight = UINT32_MAX; /* the sum would be 0 */
    bad[3].ties = (p15_ties)3;
    bad[4].order[3] = 2;
    bad[5].order[0] = 4;
    bad[6].batch = 0;
    bad[7].batch = P15_MAX_EXPANDED + 1;
    for (unsigned i = 0; i < 8; i++)
        CHECK(p15_bestfirst_new(e, goal, &bad[i], &search) == P15_ERR_ARGUMENT && search == NULL);
    CHECK(p15_bestfirst_new(e, UINT64_C(0x087654312), &good, &search) == P15_ERR_UNSOLVABLE && search == NULL);
    CHECK(p15_bestfirst_new(e, 0, &good, &search) == P15_ERR_BOARD && search == NULL);
    p15_search_delete(NULL);
    p15_evaluator_delete(e);
}

int main(int count, char **arguments) {
    p15_board goal = p15_board_goal(shape_of(3, 3), 8);
    uint8_t *lengths = distances(shape_of(3, 3), goal);
    test_small(shape_of(2, 2), 3);
    test_small(shape_of(2, 3), 3);
    test_3x3(goal, lengths);
    test_4x4(is_slow(count, arguments) ? 30 : 20);
    test_deep();
    test_inconsistent(goal, lengths);
    test_limits(goal, lengths);
    test_whole_space_fits();
    test_networks();
    test_errors();
    free(lengths);
    return 0;
}
