/* p15_bidirectional: true lengths, pieces, levels, limits of memory. tests/unit/searches/test_recording.py compares every
 * expansion with a twin. */

#include "search/best_first/bidirectional.h"
#include "searches.h"

typedef struct {
    p15_shape shape;
    p15_board start, goal;
    const uint8_t *order;
} problem;

static p15_search *make(const void *of) {
    const problem *p = of;
    p15_search *search;
    CHECK(p15_bidirectional_new(p->shape, p->start, p->goal, p->order, ROOM, next_level(), &search) == P15_OK);
    return search;
}

static size_t check_search(p15_shape shape, p15_board start, p15_board goal) {
    p15_report report;
    problem p = {shape, start, goal, ORDERS[draw(3)]};
    size_t length = check_runs(shape, make, &p, &report);
    CHECK(report.lower_bound == length);
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
