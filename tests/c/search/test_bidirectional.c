/* p15_bidirectional: every count and every path against a twin of plain arrays, true lengths, pieces, limits of
 * memory. */

#include "search/best_first/bidirectional.h"
#include "searches.h"

#define NONE UINT32_MAX
#define MOST 60000
#define HEADS 65536

typedef struct {
    p15_board board;
    uint32_t parent, next;
    uint8_t direction;
} node;

/* Nodes in the order of their coming, which is also the queue: those from `at` on are open. */
typedef struct {
    node nodes[MOST];
    uint32_t heads[HEADS], count, at, level_end;
} side;

static uint32_t *chain(side *s, p15_board board) {
    uint32_t *link = &s->heads[board * UINT64_C(0x9e3779b97f4a7c15) >> 48];
    while (*link != NONE && s->nodes[*link].board != board) link = &s->nodes[*link].next;
    return link;
}

static bool add(side *s, p15_board board, uint32_t parent, unsigned direction) {
    uint32_t *link = chain(s, board);
    if (*link != NONE) return false;
    CHECK(s->count < MOST);
    s->nodes[s->count] = (node){board, parent, NONE, (uint8_t)direction};
    *link = s->count++;
    return true;
}

/* Fills the counts, and the path; returns its length. */
static size_t twin_run(p15_shape shape, p15_board start, p15_board goal, const uint8_t *order, p15_report *report,
                       uint8_t *path) {
    static side sides[2];
    p15_board meeting = start;
    size_t length = 0, half;
    unsigned turn = 0;
    *report = (p15_report){.state = P15_SEARCH_SOLVED, .largest_open = 2};
    for (unsigned i = 0; i < 2; i++) {
        memset(sides[i].heads, 255, sizeof sides[i].heads);
        sides[i].count = sides[i].at = 0;
        sides[i].level_end = 1;
        CHECK(add(&sides[i], i ? goal : start, NONE, 0));
    }
    for (bool met = start == goal; !met;) {
        side *s = &sides[turn], *other = &sides[1 - turn];
        if (s->at == s->level_end) {
            s->level_end = s->count;
            turn = sides[0].count - sides[0].at <= sides[1].count - sides[1].at ? 0 : 1;
            continue;
        }
        uint32_t parent = s->at++;
        const node *n = &s->nodes[parent];
        unsigned blank = p15_board_blank(n->board);
        report->expanded++;
        for (unsigned i = 0; i < P15_DIRECTIONS && !met; i++) {
            int cell = p15_cell_neighbour(shape, blank, order[i]);
            if (cell < 0 || (n->parent != NONE && n->direction + order[i] == 3)) continue;
            p15_board child = p15_board_slide(n->board, blank, (unsigned)cell);
            report->generated++;
            if (!add(s, child, parent, order[i])) continue;
            met = *chain(other, child) != NONE;
            meeting = child;
        }
        uint64_t open = sides[0].count - sides[0].at + sides[1].count - sides[1].at - met;
        if (open > report->largest_open) report->largest_open = open;
    }
    report->largest_closed = report->expanded;
    report->nodes = sides[0].count + sides[1].count;
    for (uint32_t i = *chain(&sides[0], meeting); sides[0].nodes[i].parent != NONE; i = sides[0].nodes[i].parent)
        length++;
    half = length;
    for (uint32_t i = *chain(&sides[0], meeting); half > 0; i = sides[0].nodes[i].parent)
        path[--half] = sides[0].nodes[i].direction;
    for (uint32_t i = *chain(&sides[1], meeting); sides[1].nodes[i].parent != NONE; i = sides[1].nodes[i].parent)
        path[length++] = (uint8_t)(3 - sides[1].nodes[i].direction);
    return report->lower_bound = (unsigned)length;
}

static size_t check_search(p15_shape shape, p15_board start, p15_board goal) {
    p15_report wanted, report;
    uint8_t path[256], told[256];
    const uint8_t *order = ORDERS[draw(3)];
    size_t length = twin_run(shape, start, goal, order, &wanted, path);
    for (unsigned way = 0; way < 2; way++) {
        p15_search *search;
        CHECK(p15_bidirectional_new(shape, start, goal, order, ROOM, p15_cpu_pick(), &search) == P15_OK);
        CHECK((path_of(search, told, 256) == SIZE_MAX) == (start != goal));
        CHECK(p15_search_run(search, 0) == (start != goal));
        run_to_end(search, way);
        report = *p15_search_report(search);
        check_counts(&report, &wanted);
        CHECK(report.lower_bound == wanted.lower_bound && report.bytes <= ROOM);
        CHECK(path_of(search, told, 256) == length && memcmp(told, path, length) == 0);
        p15_search_delete(search);
    }
    CHECK(leads(shape, start, goal, path, length));
    return length;
}

/* Every board of a small shape. */
static void test_all(p15_shape shape) {
    size_t boards = 1;
    p15_board goal = draw_board(shape, p15_board_goal(shape, 0));
    uint8_t *lengths = distances(shape, goal);
    for (unsigned i = 2; i <= shape.cells; i++) boards *= i;
    uint8_t *seen = allocate(boards, 1);
    for (size_t left = boards / 2; left > 0;) {
        p15_board start = draw_board(shape, goal);
        size_t rank = twin_rank(shape, start);
        if (seen[rank]) continue;
        seen[rank] = 1;
        left--;
        CHECK(check_search(shape, start, goal) == lengths[rank]);
    }
    free(seen);
    free(lengths);
}

static void test_some(p15_shape shape, unsigned count) {
    p15_board goal = draw_board(shape, p15_board_goal(shape, 0));
    uint8_t *lengths = distances(shape, goal);
    for (unsigned i = 0; i < count; i++) {
        p15_board start = i ? draw_board(shape, goal) : goal;
        CHECK(check_search(shape, start, goal) == lengths[twin_rank(shape, start)]);
    }
    free(lengths);
}

static void test_limits(void) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8), start = goal;
    uint8_t *lengths = distances(shape, goal), told[256];
    unsigned states[4] = {0}, length;
    while (lengths[twin_rank(shape, start)] < 26) start = draw_board(shape, goal);
    length = lengths[twin_rank(shape, start)];
    for (size_t max_bytes = 20000; max_bytes < 200000; max_bytes += draw(700)) {
        p15_search *search;
        p15_report report;
        p15_status status = p15_bidirectional_new(shape, start, goal, ORDERS[0], max_bytes, p15_cpu_pick(), &search);
        if (status) {
            CHECK(status == P15_ERR_MEMORY && search == NULL && max_bytes < 40000);
            continue;
        }
        do {
            report = *p15_search_report(search);
            CHECK(report.bytes <= max_bytes && report.lower_bound <= length);
        } while (p15_search_run(search, 31));
        report = *p15_search_report(search);
        CHECK(report.bytes <= max_bytes && report.lower_bound <= length);
        CHECK(report.state == P15_SEARCH_SOLVED || report.state == P15_SEARCH_NO_ROOM);
        CHECK(path_of(search, told, 256) == (report.state == P15_SEARCH_SOLVED ? length : SIZE_MAX));
        states[report.state]++;
        p15_search_delete(search);
    }
    CHECK(states[P15_SEARCH_SOLVED] > 20 && states[P15_SEARCH_NO_ROOM] > 20);
    free(lengths);
}

static void test_errors(void) {
    static const uint8_t bad[] = {0, 1, 2, 2};
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8);
    p15_search *search = NULL;
    CHECK(p15_bidirectional_new(shape, 0, goal, ORDERS[0], ROOM, p15_cpu_pick(), &search) == P15_ERR_BOARD &&
          search == NULL);
    CHECK(p15_bidirectional_new(shape, goal, goal << 8, ORDERS[0], ROOM, p15_cpu_pick(), &search) == P15_ERR_BOARD &&
          search == NULL);
    CHECK(p15_bidirectional_new(shape, goal, UINT64_C(0x087654312), ORDERS[0], ROOM, p15_cpu_pick(), &search) ==
          P15_ERR_UNSOLVABLE);
    CHECK(p15_bidirectional_new(shape, goal, goal, bad, ROOM, p15_cpu_pick(), &search) == P15_ERR_ARGUMENT &&
          search == NULL);
    for (size_t max_bytes = 0; max_bytes < 26000; max_bytes += 1000)
        CHECK(p15_bidirectional_new(shape, goal, goal, ORDERS[0], max_bytes, p15_cpu_pick(), &search) ==
                  P15_ERR_MEMORY &&
              search == NULL);
    p15_search_delete(NULL);
}

int main(void) {
    test_all(shape_of(2, 2));
    test_all(shape_of(2, 3));
    test_some(shape_of(3, 3), 30);
    test_some(shape_of(2, 4), 20);
    test_limits();
    test_errors();
    return 0;
}
