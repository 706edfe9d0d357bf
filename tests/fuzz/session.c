/* The page's core, asked in any order: shortest solutions, distances and first moves are those of a breadth-first search.
 * Input: a shape and its lookups, and then one question after the other. */

#include "browser/session.h"
#include "damage.h"

/* A session with lookups of any patterns; NULL: there is none of this shape. */
static p15_session *make_session(input *in) {
    unsigned rows = 2 + below(in, 2), cols = 2 + below(in, 2), home = take(in);
    if (take(in) % 16 == 15) rows = take(in);
    home = take(in) % 16 == 15 ? home : home % (rows * cols ? rows * cols : 1);
    p15_session *session = p15_session_new(rows, cols, home);
    if (!session) return NULL;
    p15_shape shape = shape_of(rows, cols);
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    unsigned symmetries = p15_symmetries(shape, maps);
    for (unsigned calls = 1 + below(in, 3); calls > 0; calls--) { /* patterns of the goal's cells in order, or any */
        uint16_t patterns[44] = {0};
        unsigned count = take(in) % 8 == 7 ? below(in, 40) : 1 + below(in, 3);
        if (shape.cells > 6 && count > 0) count += shape.cells > 9 ? 4 : 1; /* larger patterns take long */
        uint8_t *cell_to = take_bytes(in, shape.cells);
        if (take(in) % 8 < 7) memcpy(cell_to, maps[below(in, symmetries)], shape.cells);
        for (unsigned i = 0; i < count; i++) patterns[i] = (uint16_t)(take(in) % 8 == 7 ? take2(in) : 0);
        if (shape.cells > 9) memset(patterns, 0, sizeof patterns);
        for (unsigned cell = 0; cell < shape.cells; cell++)
            if (cell != home && count > 0) patterns[cell % count] |= (uint16_t)(1u << cell);
        p15_status status = p15_session_add(session, patterns, count, cell_to);
        CHECK(status == P15_OK || status == P15_ERR_PATTERN);
        free(cell_to);
    }
    return session;
}

/* Sessions take longer to make than to ask: most inputs ask one of these, which has forgotten what others asked. */
enum { KEPT = 64 };

/* Whether an input makes a session of its own. What follows from such an input is mostly another one, and covers more:
 * without the sum, these are soon all that is tried. */
static bool makes_its_own(const uint8_t *data, size_t size) {
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++) sum += data[i];
    return size > 0 && data[0] % 16 == 15 && sum % 8 == 0;
}

static p15_session *kept_session(unsigned number) {
    static p15_session *made[KEPT];
    uint8_t bytes[200];
    uint32_t random = number;
    for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
    if (!made[number]) made[number] = make_session(&(input){bytes, bytes + sizeof bytes});
    return made[number];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, data + size};
    unsigned number = take(&in);
    bool kept = !makes_its_own(data, size);
    p15_session *session = kept ? kept_session(number % KEPT) : make_session(&in);
    if (!session) return 0;
    const p15_problem *problem = p15_session_problem(session);
    p15_shape shape = problem->shape;
    p15_board goal = problem->goal;
    const uint8_t *lengths = shape.cells == 9 && p15_board_blank(goal) != 8 ? NULL : oracle(shape, goal, false);
    if (problem->lookup_count == 0) in.at = in.end; /* whoever asks has added one */
    p15_board board = goal;
    bool idle = true;            /* no search is at work */
    p15_status refused = P15_OK; /* what became of the last board that was given */
    for (unsigned question = 0; in.at < in.end && question < 40; question++) {
        unsigned what = below(&in, 12);
        if (take(&in) % 4 == 0) board = take_board(&in, shape, goal);
        bool valid = p15_board_check(board, shape) == P15_OK && p15_board_solvable(board, goal, shape);
        unsigned length = valid && lengths ? lengths[twin_rank(shape, board)] : P15_NOT_KNOWN;
        if (what == 0) {
            if (!idle) p15_session_forget(session);
            refused = p15_session_begin(session, board, take(&in) % 4 ? P15_MAX_LENGTH : take(&in));
            CHECK((refused == P15_OK) == valid);
            idle = !valid;
        } else if (what == 1) {
            p15_session_query(session, board);
        } else if (what == 2) {
            p15_session_query_child(session, board, below(&in, P15_DIRECTIONS));
        } else if (what == 3) {
            p15_session_reach(session, board);
        }
        if (what == 1 || what == 2 || what == 3 || what == 9) refused = P15_OK; /* forgotten, with all that was known */
        if (what > 3 && what < 8) {
            idle = false;
            for (unsigned calls = 1 + below(&in, 32); calls > 0 && !idle; calls--)
                idle = !p15_session_run(session, 1 + take(&in) % 64);
            CHECK(p15_session_status(session) == refused);
        } else if (what == 8) {
            p15_session_forget(session);
            refused = P15_OK;
            idle = true;
            CHECK(p15_session_known(session) == 0 && p15_session_count(session) == -1);
        } else if (what == 9 && p15_session_solution(session, board) == P15_OK) {
            unsigned known = p15_session_distance(session, board);
            CHECK(valid && p15_board_replay(board, goal, shape, p15_session_path(session), known) == P15_OK);
        } else if (what == 10) {
            p15_listing_state state = P15_LISTING_SOLUTION;
            for (unsigned calls = 5; calls > 0 && state == P15_LISTING_SOLUTION; calls--)
                state = p15_session_next_solution(session);
            CHECK(state != P15_LISTING_WRONG);
        } else if (what == 11) {
            CHECK(p15_session_count(session) != 0 && p15_session_expanded(session) >= 0);
            CHECK(p15_session_generated(session) >= 0);
        }
        unsigned known = p15_session_distance(session, board), bound = p15_session_lower_bound(session);
        if (known != P15_NOT_KNOWN && lengths) CHECK(known == length);
        CHECK(bound < 256);
        if (!valid) CHECK(known == P15_NOT_KNOWN && p15_session_moves(session, board) == 0);
    }
    if (kept)
        p15_session_forget(session);
    else
        p15_session_delete(session);
    return 0;
}
