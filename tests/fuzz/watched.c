/* One textbook search of the page's core with any options, node by node: refused, or its answer leads to the goal and its
 * bound is not above the distance. Input: the options, the boards, and how far it runs. */

#include "browser/watched.h"
#include "damage.h"

static p15_session *session_of(unsigned number) {
    static p15_session *made[3];
    static const uint16_t patterns[3][2] = {{0x03, 0x04}, {0x07, 0x18}, {0x00f, 0x0f0}};
    static const unsigned sides[3][2] = {{2, 2}, {2, 3}, {3, 3}};
    static const uint8_t straight[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    if (made[number]) return made[number];
    made[number] = p15_session_new(sides[number][0], sides[number][1], sides[number][0] * sides[number][1] - 1);
    CHECK(made[number] && p15_session_add(made[number], patterns[number], 2, straight) == P15_OK);
    return made[number];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, data + size};
    unsigned number = below(&in, 3);
    p15_session *session = session_of(number);
    p15_shape shape = p15_session_problem(session)->shape;
    if (take(&in) % 4 == 3) shape = take_shape(&in);
    p15_board goal = take(&in) % 2 ? p15_board_goal(shape, shape.cells - 1u) : take_permutation(&in, shape);
    p15_board start = take_board(&in, shape, goal);
    p15_watched_options o = {.kernel = below(&in, P15_KERNEL_COUNT + 1u), .heuristics = take(&in) & 63u};
    if (shape.cells > 9) o.heuristics &= ~(1u << P15_WALKING_DISTANCE); /* takes long */
    o.traced = take(&in) % 2;
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) o.order[i] = i;
    unsigned swap = below(&in, 16);
    o.order[swap % 4] = swap / 4;
    o.order[swap / 4] = swap % 4;
    if (take(&in) % 16 == 15) o.order[0] = take4(&in);
    o.max_bytes = take2(&in) * 16;
    o.g_weight = take(&in) % 8 == 7 ? take4(&in) : take(&in) % 4;
    o.h_weight = take(&in) % 8 == 7 ? take4(&in) : take(&in) % 4;
    o.h_step = take(&in) % 8 == 7 ? take4(&in) : take(&in) % 4;
    o.ties = below(&in, 3);
    o.prove = take(&in) % 2;
    o.rule = below(&in, 4);
    o.width = take(&in) % 8 == 7 ? take4(&in) : 1u + take(&in);
    o.below = take(&in) % 8 == 7 ? take4(&in) : 40;
    o.first_bound = take(&in) % 2 ? P15_FROM_H : take(&in) % 8 == 7 ? take4(&in) : take(&in);
    o.last_bound = take(&in) % 8 == 7 ? take4(&in) : P15_MAX_BOUND;
    o.table_bytes = take(&in) % 2 ? 0 : take2(&in) * 16;
    p15_status status;
    p15_watched *watched =
        p15_watched_new(shape.rows, shape.cols, start, goal, &o, take(&in) % 4 ? session : NULL, &status);
    CHECK((watched != NULL) == (status == P15_OK));
    if (!watched) return 0;
    CHECK(p15_board_check(start, shape) == P15_OK && p15_board_solvable(start, goal, shape));
    bool more = true;
    double expanded = 0;
    for (unsigned calls = 10; more && calls > 0; calls--) {
        more = p15_watched_run(watched, 1 + take(&in));
        int count = p15_watched_expansion_count(watched);
        const p15_expansion *expansions = p15_watched_expansions(watched);
        for (int i = 0; i < count; i++) CHECK(expansions[i].child_count <= P15_DIRECTIONS);
        p15_watched_taken(watched);
        const p15_watched_counts *counts = p15_watched_report(watched);
        CHECK(counts->expanded >= expanded);
        expanded = counts->expanded;
        if (counts->length >= 0) {
            const uint8_t *path = p15_watched_path(watched);
            CHECK(path && p15_board_replay(start, goal, shape, path, (size_t)counts->length) == P15_OK);
        }
        for (unsigned i = 0; i < counts->iterations; i++) CHECK(p15_watched_iteration(watched, i)[1] >= 0);
    }
    p15_watched_delete(watched);
    return 0;
}
