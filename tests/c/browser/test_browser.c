/* p15_session and p15_watched, as the page calls them: all boards of a small shape against breadth-first search,
 * questions that are given up, and a system that refuses memory. tests/unit/page runs the same code as WebAssembly. */

#include "boards.h"
#include "browser/watched.h"
#include "partitions.h"
#include "search/deepening/deepening.h"

/* ------------------------------------------------------------------------------------- a system that refuses memory */

static unsigned requests, refused = UINT32_MAX; /* how many there were; the one that is refused */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size) { return requests++ == refused ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return requests++ == refused ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *memory, size_t size) { return requests++ == refused ? NULL : __real_realloc(memory, size); }

/* --------------------------------------------------------------------------------------------------- sessions */

static const uint16_t PATTERNS[] = {0x00f, 0x0f0}; /* of 3x3, whose home is the last cell */
static const uint8_t STRAIGHT[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};

/* NULL: the system has refused memory. */
static p15_session *make_session(void) {
    p15_session *session = p15_session_new(3, 3, 8);
    p15_status status = session ? p15_session_add(session, PATTERNS, 2, STRAIGHT) : P15_ERR_MEMORY;
    CHECK(status == P15_OK || status == P15_ERR_MEMORY);
    if (status == P15_OK) return session;
    p15_session_delete(session);
    return NULL;
}

static p15_status run(p15_session *session) {
    while (p15_session_run(session, 100)) {
    }
    return p15_session_status(session);
}

/* Solves a board, and asks for all its first moves and all its shortest solutions: how many there are. */
static p15_status ask(p15_session *session, p15_board board, double *count, unsigned *listed) {
    p15_shape shape = shape_of(3, 3);
    p15_listing_state state;
    p15_status status = p15_session_begin(session, board, P15_MAX_LENGTH);
    if (status == P15_OK) status = run(session);
    if (status == P15_OK) status = p15_session_query(session, board);
    if (status == P15_OK) status = run(session);
    if (status == P15_OK) status = p15_session_reach(session, board);
    if (status == P15_OK) status = run(session);
    if (status != P15_OK) return status;
    if ((*count = p15_session_count(session)) < 0) return P15_ERR_MEMORY;
    for (*listed = 0; (state = p15_session_next_solution(session)) == P15_LISTING_SOLUTION; ++*listed)
        CHECK(leads(shape, board, p15_board_goal(shape, 8), p15_session_path(session),
                    p15_session_distance(session, board)));
    CHECK(state == P15_LISTING_ENDED);
    return P15_OK;
}

/* The distance, the first moves and the number of all shortest solutions by breadth-first search. */
static unsigned closer(p15_shape shape, const uint8_t *lengths, p15_board board, p15_board *children) {
    unsigned moves = 0, blank = p15_board_blank(board);
    for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
        int cell = p15_cell_neighbour(shape, blank, direction);
        if (cell < 0) continue;
        children[direction] = p15_board_slide(board, blank, (unsigned)cell);
        if (lengths[twin_rank(shape, children[direction])] < lengths[twin_rank(shape, board)]) moves |= 1u << direction;
    }
    return moves;
}

static double count_all(p15_shape shape, const uint8_t *lengths, p15_board board) {
    p15_board children[P15_DIRECTIONS];
    double count = lengths[twin_rank(shape, board)] == 0;
    unsigned moves = closer(shape, lengths, board, children);
    for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
        if (moves >> direction & 1u) count += count_all(shape, lengths, children[direction]);
    return count;
}

static void test_every_answer(unsigned boards) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8), children[P15_DIRECTIONS];
    uint8_t *lengths = distances(shape, goal);
    p15_session *session = make_session();
    for (unsigned i = 0; i < boards; i++) {
        p15_board board = draw_near(shape, goal, draw(60)), other = draw_near(shape, goal, 100);
        double count;
        unsigned listed;
        if (i % 97 == 1) { /* given up: forgotten with its open queries */
            CHECK(p15_session_begin(session, other, P15_MAX_LENGTH) == P15_OK && run(session) == P15_OK);
            CHECK(p15_session_reach(session, other) == P15_OK);
            for (unsigned steps = draw(4); steps > 0; steps--) p15_session_run(session, 1);
            CHECK(p15_session_next_solution(session) != P15_LISTING_WRONG && p15_session_known(session) > 0);
            p15_session_forget(session);
            CHECK(p15_session_known(session) == 0 && p15_session_next_solution(session) == P15_LISTING_WAITS);
            CHECK(p15_session_count(session) == -1 && p15_session_query(session, other) == P15_ERR_ARGUMENT);
        }
        if (i % 7 == 2) { /* the bound is that of the board that is asked about */
            CHECK(p15_session_begin(session, other, P15_MAX_LENGTH) == P15_OK);
            CHECK(p15_session_lower_bound(session) <= lengths[twin_rank(shape, other)]);
        }
        CHECK(ask(session, board, &count, &listed) == P15_OK);
        unsigned distance = lengths[twin_rank(shape, board)];
        CHECK(p15_session_distance(session, board) == distance && p15_session_lower_bound(session) == distance);
        CHECK(p15_session_moves(session, board) == closer(shape, lengths, board, children));
        CHECK(count == count_all(shape, lengths, board) && count == listed);
    }
    p15_session_delete(session);
    free(lengths);
}

/* The neighbours of a board one by one, with a shortest solution of each, and nodes of a search that is at work. */
static void test_children(void) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8), children[P15_DIRECTIONS];
    uint8_t *lengths = distances(shape, goal);
    p15_session *session = make_session();
    for (unsigned i = 0; i < 100; i++) {
        p15_board board = draw_near(shape, goal, draw(60));
        memset(children, 0, sizeof children);
        closer(shape, lengths, board, children);
        p15_session_forget(session);
        CHECK(p15_session_query_child(session, board, 0) == P15_ERR_ARGUMENT);
        CHECK(p15_session_solution(session, board) == P15_ERR_ARGUMENT && p15_session_moves(session, board) == 0);
        CHECK(p15_session_begin(session, board, P15_MAX_LENGTH) == P15_OK);
        p15_session_run(session, 1);
        double before = p15_session_generated(session);
        CHECK(before >= 0 && p15_session_expanded(session) >= 0 && run(session) == P15_OK);
        CHECK(p15_session_generated(session) >= before);
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            p15_board child = children[direction];
            if (!child) continue;
            CHECK(p15_session_query_child(session, board, direction) == P15_OK && run(session) == P15_OK);
            unsigned distance = lengths[twin_rank(shape, child)];
            CHECK(p15_session_distance(session, child) == distance && p15_session_solution(session, child) == P15_OK);
            CHECK(leads(shape, child, goal, p15_session_path(session), distance));
        }
    }
    p15_session_delete(session);
    free(lengths);
}

/* A question about a known board, while another board is searched for. */
static void test_question_during_a_search(void) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8), near = draw_near(shape, goal, 10), far = draw_near(shape, goal, 60);
    uint8_t *lengths = distances(shape, goal);
    p15_session *session = make_session();
    CHECK(p15_session_begin(session, near, P15_MAX_LENGTH) == P15_OK && run(session) == P15_OK);
    CHECK(p15_session_begin(session, far, P15_MAX_LENGTH) == P15_OK && p15_session_query(session, near) == P15_OK);
    CHECK(run(session) == P15_OK);
    CHECK(p15_session_distance(session, far) == lengths[twin_rank(shape, far)]);
    CHECK(p15_session_distance(session, near) == lengths[twin_rank(shape, near)]);
    p15_session_delete(session);
    free(lengths);
}

/* Lookups that are refused leave nothing behind: the same ones are refused again, and others are added. */
static void test_refused_lookups(void) {
    p15_session *session = p15_session_new(3, 3, 8);
    const uint16_t none[] = {0x0ff, 0}, home[] = {0x1ff}, beyond[] = {0x200, 0x0ff}, many[40] = {0x0ff};
    double count;
    unsigned listed;
    for (unsigned again = 0; again < 2; again++) {
        CHECK(p15_session_add(session, none, 2, STRAIGHT) == P15_ERR_PATTERN);
        CHECK(p15_session_add(session, home, 1, STRAIGHT) == P15_ERR_PATTERN);
        CHECK(p15_session_add(session, beyond, 2, STRAIGHT) == P15_ERR_PATTERN);
        CHECK(p15_session_add(session, many, 40, STRAIGHT) == P15_ERR_PATTERN);
        for (unsigned at = 0; at < 20; at++) { /* while memory is refused */
            requests = 0;
            refused = at;
            p15_status status = p15_session_add(session, PATTERNS, 2, STRAIGHT);
            refused = UINT32_MAX;
            CHECK(status == P15_OK || status == P15_ERR_MEMORY);
            if (status == P15_OK) break;
        }
    }
    CHECK(p15_session_add(session, PATTERNS, 2, STRAIGHT) == P15_OK);
    CHECK(ask(session, draw_near(shape_of(3, 3), p15_board_goal(shape_of(3, 3), 8), 100), &count, &listed) == P15_OK);
    p15_session_delete(session);
}

/* An error ends a question, and the next one is answered. */
static void test_refusals(void) {
    p15_board far = draw_near(shape_of(3, 3), p15_board_goal(shape_of(3, 3), 8), 200);
    p15_session *session = make_session();
    double expected, count;
    unsigned listed, all;
    CHECK(ask(session, far, &expected, &all) == P15_OK);
    p15_session_delete(session);
    for (unsigned at = 0;; at++) {
        requests = 0;
        refused = at;
        session = make_session();
        p15_status status = session ? ask(session, far, &count, &listed) : P15_OK;
        refused = UINT32_MAX;
        CHECK(status == P15_OK || status == P15_ERR_MEMORY);
        if (session) CHECK(ask(session, far, &count, &listed) == P15_OK && count == expected && listed == all);
        p15_session_delete(session);
        if (requests <= at) break;
    }
}

/* --------------------------------------------------------------------------------------------------- searches */

/* Runs a search to its end or to a lack of memory, and reads all that it wrote. The length; -1: none. */
static double watch(const p15_watched_options *options, p15_board start, p15_session *session, p15_status *status) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8);
    p15_watched *watched = p15_watched_new(3, 3, start, goal, options, session, status);
    CHECK(!watched == (*status != P15_OK));
    if (!watched) return -1;
    int written = 0;
    bool more = true;
    while (more && written >= 0) {
        more = p15_watched_run(watched, 1 + draw(50));
        int count = p15_watched_expansion_count(watched);
        for (int i = 0; i < count; i++) CHECK(p15_watched_expansions(watched)[i].child_count <= P15_DIRECTIONS);
        p15_watched_taken(watched);
        written = count;
        CHECK(p15_watched_report(watched)->lower_bound <= 31);
    }
    const p15_watched_counts *counts = p15_watched_report(watched);
    double length = counts->length;
    if (length >= 0) CHECK(leads(shape, start, goal, p15_watched_path(watched), (size_t)length));
    for (unsigned i = 0; i < counts->iterations; i++) CHECK(p15_watched_iteration(watched, i)[1] >= 0);
    CHECK(p15_watched_iteration(watched, (unsigned)counts->iterations) == NULL);
    p15_watched_delete(watched);
    return length;
}

static void test_searches(void) {
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8);
    uint8_t *lengths = distances(shape, goal);
    p15_session *session = make_session();
    for (unsigned kernel = 0; kernel < P15_KERNEL_COUNT; kernel++) {
        p15_watched_options options = {
            .kernel = kernel, .heuristics = 1u << P15_MANHATTAN, .order = {0, 1, 2, 3}, .max_bytes = 8u << 20};
        options.g_weight = options.h_weight = options.h_step = options.promises = options.prove = 1;
        options.width = 100000;
        options.below = 32;
        options.first_bound = P15_FROM_H;
        options.last_bound = P15_MAX_BOUND;
        bool tables = kernel != P15_KERNEL_MEETING && kernel != P15_KERNEL_BIDIRECTIONAL;
        if (tables) options.heuristics |= 1u << P15_HEURISTIC_COUNT;
        for (unsigned i = 0; i < 8; i++) {
            p15_board start = draw_near(shape, goal, draw(60));
            p15_status status;
            options.traced = i % 2;
            double length = watch(&options, start, session, &status);
            CHECK(status == P15_OK);
            CHECK(kernel == P15_KERNEL_HILL_CLIMBING ? length == -1 || length == lengths[twin_rank(shape, start)]
                                                     : length == lengths[twin_rank(shape, start)]);
        }
        p15_board start = draw_near(shape, goal, 30);
        options.traced = 1;
        for (unsigned at = 0; at < 60; at += 1 + at / 12) { /* the first ones, and some of the others */
            p15_status status;
            requests = 0;
            refused = at;
            double length = watch(&options, start, session, &status);
            refused = UINT32_MAX;
            CHECK(status == P15_OK || status == P15_ERR_MEMORY);
            CHECK(length == -1 || length >= lengths[twin_rank(shape, start)]);
        }
        p15_status status;
        CHECK(!tables || (watch(&options, start, NULL, &status) == -1 && status == P15_ERR_ARGUMENT));
    }
    p15_status status;
    p15_watched_options unknown = {.kernel = P15_KERNEL_COUNT, .order = {0, 1, 2, 3}};
    CHECK(watch(&unknown, goal, NULL, &status) == -1 && status == P15_ERR_ARGUMENT);
    p15_session_delete(session);
    free(lengths);
}

int main(int count, char **arguments) {
    test_every_answer(is_slow(count, arguments) ? 10000 : 1500);
    test_refusals();
    test_children();
    test_question_during_a_search();
    test_refused_lookups();
    test_searches();
    return 0;
}
