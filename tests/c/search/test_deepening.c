/* p15_deepening: iterations, counts and solutions against a recursive twin, for any evaluator, order, goal and bounds,
 * and the same whatever the processor and the budget. */

#include "search/deepening/deepening.h"
#include "searches.h"

#define MOST_TWIN_ITERATIONS 64

/* ---------------------------------------------------------------------------------- twin --- */

typedef struct {
    const p15_evaluator *evaluator;
    p15_shape shape;
    p15_board goal;
    const uint8_t *order;
    unsigned bound, next_bound, length;
    uint8_t path[P15_MAX_BOUND + 1];
    uint64_t expanded, generated;
} twin;

/* From the definition alone: h of every board anew. */
static bool twin_visit(twin *t, p15_board board, unsigned g, unsigned last) {
    p15_values values;
    unsigned h;
    CHECK(p15_evaluator_board(t->evaluator, board, &h, &values) == P15_OK);
    if (g + h > t->bound) {
        if (g + h < t->next_bound) t->next_bound = g + h;
        return false;
    }
    t->length = g;
    if (board == t->goal) return true;
    t->expanded++;
    unsigned blank = p15_board_blank(board);
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
        int cell = p15_cell_neighbour(t->shape, blank, t->order[i]);
        if (cell < 0 || (g > 0 && t->order[i] == 3 - last)) continue;
        t->generated++;
        t->path[g] = t->order[i];
        if (twin_visit(t, p15_board_slide(board, blank, (unsigned)cell), g + 1, t->order[i])) return true;
    }
    return false;
}

typedef struct {
    bool solved;
    unsigned count, lower_bound;
    p15_iteration iterations[MOST_TWIN_ITERATIONS];
} twin_answer;

static void twin_search(twin *t, p15_board start, uint32_t first, uint32_t last, twin_answer *a) {
    p15_values values;
    memset(a, 0, sizeof *a);
    CHECK(p15_evaluator_board(t->evaluator, start, &a->lower_bound, &values) == P15_OK);
    t->length = 0;
    a->solved = start == t->goal;
    for (t->bound = first == P15_FROM_H ? a->lower_bound : first; !a->solved && t->bound <= last;
         t->bound = a->lower_bound = t->next_bound) {
        t->next_bound = UINT32_MAX;
        t->expanded = t->generated = 0;
        a->solved = twin_visit(t, start, 0, 0);
        CHECK(a->count < MOST_TWIN_ITERATIONS);
        a->iterations[a->count++] = (p15_iteration){t->bound, t->expanded, t->generated};
        if (a->solved) break;
    }
}

/* ---------------------------------------------------------------------------- comparison --- */

static void compare(const p15_evaluator *evaluator, p15_board start, const uint8_t *order, uint32_t first,
                    uint32_t last, p15_cpu cpu, uint64_t visits, const twin *t, const twin_answer *expected) {
    p15_search *search;
    p15_report r;
    uint64_t expanded = 0, generated = 0;
    CHECK(p15_deepening_new(evaluator, start, order, first, last, UINT64_MAX, cpu, &search) == P15_OK);
    while (p15_search_run(search, visits));
    r = *p15_search_report(search);
    CHECK((r.state == P15_SEARCH_SOLVED) == expected->solved && r.lower_bound == expected->lower_bound);
    CHECK(r.iteration_count == expected->count);
    for (unsigned i = 0; i < expected->count; i++) {
        CHECK(r.iterations[i].bound == expected->iterations[i].bound);
        CHECK(r.iterations[i].expanded == expected->iterations[i].expanded);
        CHECK(r.iterations[i].generated == expected->iterations[i].generated);
        expanded += r.iterations[i].expanded;
        generated += r.iterations[i].generated;
    }
    CHECK(r.expanded == expanded && r.generated == generated);
    if (expected->solved) {
        CHECK(r.length == t->length && memcmp(r.path, t->path, t->length) == 0);
    }
    p15_search_delete(search);
}

/* On every processor and with various budgets. */
static void check_search(const p15_evaluator *evaluator, p15_board start, const uint8_t *order, uint32_t first,
                         uint32_t last) {
    static twin t;
    static twin_answer expected;
    t.evaluator = evaluator;
    t.shape = p15_evaluator_shape(evaluator);
    t.goal = p15_evaluator_goal(evaluator);
    t.order = order;
    twin_search(&t, start, first, last, &expected);
    uint64_t total = 0;
    for (unsigned i = 0; i < expected.count; i++) total += expected.iterations[i].generated;
    for (unsigned cpu = P15_CPU_PLAIN; cpu <= (unsigned)p15_cpu_pick(); cpu++) {
        compare(evaluator, start, order, first, last, (p15_cpu)cpu, UINT64_MAX, &t, &expected);
        compare(evaluator, start, order, first, last, (p15_cpu)cpu, 1 + draw(5000), &t, &expected);
    }
    if (total < 20000) compare(evaluator, start, order, first, last, p15_cpu_pick(), 1, &t, &expected);
}

#define FUNCTION P15_HEURISTIC_COUNT /* whose children are evaluated together */

/* Manhattan, and two moves more where the blank is in its first cell: neither admissible nor consistent. */
static void say(void *context, const p15_board *boards, size_t count, uint8_t *values) {
    const p15_evaluator *e = context;
    for (size_t i = 0; i < count; i++)
        values[i] = (uint8_t)(p15_board_manhattan(boards[i], p15_evaluator_goal(e), p15_evaluator_shape(e)) +
                              2 * !p15_board_tile(boards[i], 0));
}

static p15_evaluator *evaluator_with(p15_shape shape, p15_board goal, int kind) {
    p15_evaluator *evaluator;
    CHECK(p15_evaluator_new(shape, goal, &evaluator) == P15_OK);
    if (kind == FUNCTION)
        CHECK(p15_evaluator_add_function(evaluator, say, evaluator) == P15_OK);
    else if (kind >= 0)
        CHECK(p15_evaluator_add(evaluator, (p15_heuristic_kind)kind) == P15_OK);
    return evaluator;
}

static p15_board draw_walk(p15_shape shape, p15_board board, unsigned moves) {
    while (moves > 0) {
        unsigned blank = p15_board_blank(board);
        int cell = p15_cell_neighbour(shape, blank, draw(P15_DIRECTIONS));
        if (cell < 0) continue;
        board = p15_board_slide(board, blank, (unsigned)cell);
        moves--;
    }
    return board;
}

static void draw_order(uint8_t *order) {
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
        unsigned j = draw(i + 1);
        order[i] = order[j];
        order[j] = (uint8_t)i;
    }
}

/* ---------------------------------------------------------------------------------- tests --- */

static void test_small_searches(void) {
    static const struct {
        unsigned rows, cols, moves;
    } cases[] = {{2, 2, 30}, {2, 3, 60}, {3, 2, 60}, {3, 3, 16}, {2, 4, 20},
                 {3, 4, 20}, {2, 8, 20}, {8, 2, 14}, {4, 4, 16}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int kind = -1; kind <= FUNCTION; kind++)
            for (unsigned repeat = 0; repeat < 3; repeat++) {
                p15_shape shape = shape_of(cases[i].rows, cases[i].cols);
                p15_board goal = draw_walk(shape, p15_board_goal(shape, draw(shape.cells)), draw(200));
                unsigned moves = kind <= P15_MISPLACED && cases[i].moves < 30 ? cases[i].moves / 2 : cases[i].moves;
                p15_board start = draw_walk(shape, goal, 1 + draw(moves));
                p15_evaluator *evaluator = evaluator_with(shape, goal, kind);
                uint8_t order[P15_DIRECTIONS];
                draw_order(order);
                check_search(evaluator, start, order, P15_FROM_H, P15_MAX_BOUND);
                check_search(evaluator, goal, order, P15_FROM_H, P15_MAX_BOUND);
                uint32_t first = draw(9), last = first + draw(5);
                check_search(evaluator, start, order, first, last);
                check_search(evaluator, start, order, last, last);
                p15_evaluator_delete(evaluator);
            }
}

/* Iterations that are cut into tasks: those of Manhattan distance beyond some ten thousand nodes. */
static void test_buckets(void) {
    static const struct {
        unsigned rows, cols, moves;
    } cases[] = {{4, 4, 100}, {3, 4, 100}, {2, 6, 300}, {5, 3, 100}, {8, 2, 80}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        p15_shape shape = shape_of(cases[i].rows, cases[i].cols);
        for (unsigned repeat = 0; repeat < 4; repeat++) {
            p15_board goal = draw_walk(shape, p15_board_goal(shape, draw(shape.cells)), draw(200));
            p15_board start = draw_walk(shape, goal, cases[i].moves);
            p15_evaluator *evaluator = evaluator_with(shape, goal, P15_MANHATTAN);
            uint8_t order[P15_DIRECTIONS];
            p15_values values;
            unsigned h;
            draw_order(order);
            CHECK(p15_evaluator_board(evaluator, start, &h, &values) == P15_OK);
            check_search(evaluator, start, order, h, h + 12);
            p15_evaluator_delete(evaluator);
        }
    }
}

/* Boards near the goal and bounds far above their h: goals are met above the tasks, in the first ones and in the last
 * ones, with slack to spare. */
static void test_slack(void) {
    p15_shape shape = shape_of(4, 4);
    p15_board goal = p15_board_goal(shape, 5);
    p15_evaluator *evaluator = evaluator_with(shape, goal, P15_MANHATTAN);
    for (unsigned repeat = 0; repeat < 40; repeat++) {
        uint8_t order[P15_DIRECTIONS];
        draw_order(order);
        p15_board start = draw_walk(shape, goal, 1 + draw(repeat % 2 ? 4 : 24));
        uint32_t first = 16 + 2 * draw(4) + draw(2);
        check_search(evaluator, start, order, first, first);
    }
    p15_evaluator_delete(evaluator);
}

/* Some of Korf's boards and their counts, which have 1 for the root. */
static void test_korf(void) {
    static const struct {
        uint8_t tiles[P15_MAX_CELLS];
        unsigned length;
        uint64_t nodes;
    } boards[] = {
        {{14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15}, 45, 546344},
        {{0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15}, 42, 540860},
        {{3, 14, 9, 11, 5, 4, 8, 2, 13, 12, 6, 7, 10, 1, 15, 0}, 46, 1650696},
    };
    static const uint8_t order[P15_DIRECTIONS] = {P15_UP, P15_LEFT, P15_RIGHT, P15_DOWN};
    p15_shape shape = shape_of(4, 4);
    p15_evaluator *evaluator = evaluator_with(shape, p15_board_goal(shape, 0), P15_MANHATTAN);
    for (unsigned i = 0; i < sizeof boards / sizeof *boards; i++)
        for (unsigned cpu = P15_CPU_PLAIN; cpu <= (unsigned)p15_cpu_pick(); cpu++) {
            p15_board start, end;
            p15_search *search;
            p15_report r;
            CHECK(p15_board_pack(boards[i].tiles, shape, &start) == P15_OK);
            CHECK(p15_deepening_new(evaluator, start, order, P15_FROM_H, P15_MAX_BOUND, UINT64_MAX, (p15_cpu)cpu,
                                    &search) == P15_OK);
            uint64_t before = 0;
            for (bool more = true; more; before = r.generated) {
                more = p15_search_run(search, 100000);
                r = *p15_search_report(search);
                CHECK(r.generated > 0 && r.generated < before + 1000000);
            }
            CHECK((r.state == P15_SEARCH_SOLVED) && r.length == boards[i].length && r.lower_bound == r.length);
            CHECK(r.generated + 1 == boards[i].nodes);
            CHECK(p15_board_apply(start, shape, r.path, r.length, &end) == r.length && end == p15_board_goal(shape, 0));
            p15_search_delete(search);
        }
    p15_evaluator_delete(evaluator);
}

/* A limit cuts the search off at the same place on every processor, and not a node too early. */
static void test_limit(void) {
    static const uint8_t tiles[P15_MAX_CELLS] = {14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15};
    static const uint8_t order[P15_DIRECTIONS] = {P15_UP, P15_LEFT, P15_RIGHT, P15_DOWN};
    const uint64_t needed = 546343;
    p15_shape shape = shape_of(4, 4);
    p15_board start;
    CHECK(p15_board_pack(tiles, shape, &start) == P15_OK);
    p15_evaluator *evaluator = evaluator_with(shape, p15_board_goal(shape, 0), P15_MANHATTAN);
    for (unsigned repeat = 0; repeat < 12; repeat++) {
        uint64_t limit = repeat < 3 ? needed - 1 + repeat : repeat < 6 ? repeat - 3 : draw(600000), expanded = 0;
        for (unsigned cpu = P15_CPU_PLAIN; cpu <= (unsigned)p15_cpu_pick(); cpu++) {
            p15_search *search;
            p15_report r;
            CHECK(p15_deepening_new(evaluator, start, order, P15_FROM_H, P15_MAX_BOUND, limit, (p15_cpu)cpu, &search) ==
                  P15_OK);
            bool more;
            do {
                more = p15_search_run(search, 1 + draw(200000));
                r = *p15_search_report(search);
            } while (more && r.generated < limit);
            CHECK((r.state == P15_SEARCH_SOLVED) == (limit >= needed) && (r.state == P15_SEARCH_SOLVED) == !more);
            CHECK((r.state == P15_SEARCH_SOLVED) ? r.generated == needed
                                                 : r.generated >= limit && r.generated <= limit + 100);
            CHECK(cpu == P15_CPU_PLAIN || r.expanded == expanded);
            expanded = r.expanded;
            p15_search_delete(search);
        }
    }
    p15_evaluator_delete(evaluator);
}

static void test_refusals(void) {
    static const uint8_t order[P15_DIRECTIONS] = {0, 1, 2, 3}, twice[P15_DIRECTIONS] = {0, 1, 1, 3},
                         beyond[P15_DIRECTIONS] = {0, 1, 2, 4};
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8), odd = goal ^ 0x33; /* 1 and 2 change places */
    p15_evaluator *evaluator = evaluator_with(shape, goal, P15_MANHATTAN);
    p15_cpu cpu = p15_cpu_pick();
    p15_search *search;
    CHECK(p15_deepening_new(evaluator, odd, order, P15_FROM_H, 80, 9, cpu, &search) == P15_ERR_UNSOLVABLE && !search);
    CHECK(p15_deepening_new(evaluator, goal >> 4, order, P15_FROM_H, 80, 9, cpu, &search) == P15_ERR_BOARD && !search);
    CHECK(p15_deepening_new(evaluator, goal, twice, P15_FROM_H, 80, 9, cpu, &search) == P15_ERR_ARGUMENT && !search);
    CHECK(p15_deepening_new(evaluator, goal, beyond, P15_FROM_H, 80, 9, cpu, &search) == P15_ERR_ARGUMENT && !search);
    const uint32_t most = P15_MAX_BOUND + 1;
    CHECK(p15_deepening_new(evaluator, goal, order, most, 80, 9, cpu, &search) == P15_ERR_ARGUMENT && !search);
    CHECK(p15_deepening_new(evaluator, goal, order, 0, most, 9, cpu, &search) == P15_ERR_ARGUMENT && !search);
    p15_search_delete(NULL);
    p15_evaluator_delete(evaluator);
}

/* One search as deep as any may be: the longest path, and memory enough for it. */
static void test_deepest(void) {
    static const uint8_t order[P15_DIRECTIONS] = {P15_LEFT, P15_UP, P15_DOWN, P15_RIGHT};
    p15_shape shape = shape_of(2, 2);
    p15_board goal = p15_board_goal(shape, 3);
    for (int kind = -1; kind <= FUNCTION; kind += kind == P15_MANHATTAN ? FUNCTION - P15_MANHATTAN : 1) {
        p15_evaluator *evaluator = evaluator_with(shape, goal, kind);
        check_search(evaluator, draw_walk(shape, goal, 7), order, P15_MAX_BOUND, P15_MAX_BOUND);
        p15_evaluator_delete(evaluator);
    }
    shape = shape_of(3, 3);
    goal = p15_board_goal(shape, 8);
    p15_evaluator *evaluator = evaluator_with(shape, goal, -1);
    check_search(evaluator, draw_walk(shape, goal, 40), order, P15_MAX_BOUND, P15_MAX_BOUND);
    p15_evaluator_delete(evaluator);
}

int main(void) {
    test_korf();
    test_small_searches();
    test_buckets();
    test_slack();
    test_limit();
    test_refusals();
    test_deepest();
    return 0;
}
