/* p15_local: beam search and hill climbing against twins of plain arrays; pieces; limits of memory. */

#include "search/best_first/closed.h"
#include "search/best_first/local.h"
#include "searches.h"
#include "networks.h"

#define NONE UINT32_MAX
#define MOST 200000
#define HEADS 65536

typedef struct {
    p15_board board;
    unsigned level; /* that it was last put in */
    bool expanded;
    uint8_t direction;
    uint32_t parent, next;
} node;

typedef struct {
    node nodes[MOST];
    uint32_t heads[HEADS], count;
    uint32_t level[MOST], children[MOST];
} twin;

static uint32_t *chain(twin *t, p15_board board) {
    uint32_t *link = &t->heads[board * UINT64_C(0x9e3779b97f4a7c15) >> 48];
    while (*link != NONE && t->nodes[*link].board != board) link = &t->nodes[*link].next;
    return link;
}

/* Sorts by h, the earlier first among equals. */
static void sort_by_h(const p15_evaluator *e, const twin *t, uint32_t *numbers, unsigned count) {
    static unsigned h[MOST];
    for (unsigned i = 0; i < count; i++) {
        uint32_t number = numbers[i];
        unsigned of_number = h_of(e, t->nodes[number].board), at = i;
        for (; at > 0 && h[at - 1] > of_number; at--) {
            numbers[at] = numbers[at - 1];
            h[at] = h[at - 1];
        }
        numbers[at] = number;
        h[at] = of_number;
    }
}

/* Returns the length, SIZE_MAX without a solution. */
static size_t twin_beam(const p15_evaluator *e, p15_board start, const uint8_t *order, size_t width, p15_report *report,
                        uint8_t *path) {
    static twin t;
    p15_shape shape = p15_evaluator_shape(e);
    unsigned count = 1;
    memset(t.heads, 255, sizeof t.heads);
    t.count = 1;
    t.nodes[0] = (node){start, 0, false, 0, NONE, NONE};
    *chain(&t, start) = 0;
    t.level[0] = 0;
    *report = (p15_report){.state = P15_SEARCH_FAILED, .largest_open = 1, .nodes = 1};
    for (unsigned level = 1; count > 0; level++) {
        unsigned made = 0;
        for (unsigned i = 0; i < count; i++) {
            uint32_t parent = t.level[i];
            node *n = &t.nodes[parent];
            if (n->board == p15_evaluator_goal(e)) {
                size_t length = 0, left;
                for (uint32_t k = parent; t.nodes[k].parent != NONE; k = t.nodes[k].parent) length++;
                CHECK(length == level - 1);
                left = length;
                for (uint32_t k = parent; left > 0; k = t.nodes[k].parent) path[--left] = t.nodes[k].direction;
                report->state = P15_SEARCH_SOLVED;
                report->nodes = t.count;
                return length;
            }
            unsigned blank = p15_board_blank(n->board);
            n->expanded = true;
            report->largest_closed = ++report->expanded;
            for (unsigned j = 0; j < P15_DIRECTIONS; j++) {
                int cell = p15_cell_neighbour(shape, blank, order[j]);
                if (cell < 0 || (n->parent != NONE && n->direction + order[j] == 3)) continue;
                report->generated++;
                p15_board child = p15_board_slide(n->board, blank, (unsigned)cell);
                uint32_t *known = chain(&t, child), number = *known;
                unsigned counted = level < P15_CLOSED_MAX_G ? level : P15_CLOSED_MAX_G;
                if (number != NONE && (t.nodes[number].expanded || t.nodes[number].level >= counted)) continue;
                if (number == NONE) {
                    CHECK(t.count < MOST);
                    *known = number = t.count++;
                    t.nodes[number].next = NONE;
                }
                t.nodes[number] = (node){child, counted, false, order[j], parent, t.nodes[number].next};
                t.children[made++] = number;
            }
        }
        sort_by_h(e, &t, t.children, made);
        report->nodes = t.count;
        if (made > report->largest_open) report->largest_open = made;
        count = made < width ? made : (unsigned)width;
        memcpy(t.level, t.children, count * sizeof *t.level);
    }
    return SIZE_MAX;
}

static void check_beam(const p15_evaluator *e, p15_board start, size_t width, unsigned *states) {
    p15_report wanted, report;
    const uint8_t *order = ORDERS[draw(3)];
    static uint8_t path[MOST], told[MOST];
    size_t length = twin_beam(e, start, order, width, &wanted, path);
    for (unsigned way = 0; way < 2; way++) {
        p15_search *search;
        CHECK(p15_beam_new(e, start, order, width, ROOM, &search) == P15_OK);
        CHECK(path_of(search, told, MOST) == SIZE_MAX && p15_search_run(search, 0));
        run_to_end(search, way);
        report = *p15_search_report(search);
        CHECK(report.lower_bound == 0 && report.bytes <= ROOM);
        check_counts(&report, &wanted);
        CHECK(path_of(search, told, MOST) == length);
        if (length != SIZE_MAX) {
            CHECK(memcmp(told, path, length) == 0);
            CHECK(leads(p15_evaluator_shape(e), start, p15_evaluator_goal(e), told, length));
        }
        p15_search_delete(search);
    }
    states[wanted.state]++;
}

/* A small shape's last nodes: with all children kept, a beam is a breadth-first search. */
static void test_beam(p15_shape shape, unsigned count) {
    static const size_t widths[] = {1, 2, 5, 100, P15_MAX_WIDTH};
    static const unsigned kinds[] = {0, 1u << P15_MISPLACED, 1u << P15_MANHATTAN,
                                     1u << P15_LINEAR_CONFLICT | 1u << P15_WALKING_DISTANCE};
    unsigned states[4] = {0};
    p15_board goal = draw_board(shape, p15_board_goal(shape, 0));
    for (unsigned kind = 0; kind < 4; kind++) {
        p15_evaluator *e = evaluator_of(shape, goal, kinds[kind]);
        for (unsigned w = 0; w < 5; w++)
            for (unsigned i = 0; i < count; i++) {
                p15_board start = i == 0            ? goal
                                  : w == 4 || i % 2 ? draw_near(shape, goal, 10)
                                                    : draw_board(shape, goal);
                check_beam(e, start, widths[w], states);
            }
        p15_evaluator_delete(e);
    }
    CHECK(states[P15_SEARCH_SOLVED] > 0 && (states[P15_SEARCH_FAILED] > 0 || shape.cells != 6));
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
