/* Tables of the multi-tile metric with wrong payloads: refused when they are opened, or no look-up and no search leaves
 * them or answers wrongly. Input: the table, what is done to it, and what is asked. */

#include "damage.h"

typedef struct {
    multi_built b;
    uint8_t *whole;
    p15_multi_table sound; /* opened once: that takes as long as all the rest of an input */
} subjects;

static subjects *subjects_of(unsigned number, unsigned part) {
    static subjects *made[CASE_COUNT][5];
    const damage_case *c = &CASES[number];
    subjects **s = &made[number][part];
    if (*s) return *s;
    *s = allocate(1, sizeof **s);
    build_multi(shape_of(c->rows, c->cols), c->goal_maps[part], c->home, p15_cpu_highest(), 1000, &(*s)->b);
    (*s)->whole = allocate((*s)->b.payload_bytes, 1);
    memcpy((*s)->whole, (*s)->b.payload, (*s)->b.payload_bytes);
    CHECK(p15_multi_table_init(&(*s)->b.lines, (*s)->b.payload, (*s)->b.payload_bytes, c->goal_maps[part], c->home,
                               &(*s)->sound) == P15_OK);
    return *s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, data + size};
    unsigned number = below(&in, CASE_COUNT), part = below(&in, CASES[number].count), asked = below(&in, 4);
    subjects *s = subjects_of(number, part);
    const p15_line_space *lines = &s->b.lines;
    unsigned home = CASES[number].home, goal_map = CASES[number].goal_maps[part];
    size_t bytes = s->b.payload_bytes;
    bool sound = !damage(&in, s->b.payload, bytes), same = true;
    if (asked == 0 && take(&in) % 2) {
        same = false;
        home = take(&in);
        goal_map = take2(&in);
        if (take(&in) % 2) bytes = take4(&in) % (bytes + 1);
    }
    /* Of the payload, opening reads the codebooks, at the beginning. */
    bool opened = same && take(&in) % 8 && !memcmp(s->b.payload, s->whole, p15_multi_codebooks_bytes(lines));
    p15_multi_table table = s->sound;
    p15_status status = P15_OK;
    if (!opened) status = p15_multi_table_init(lines, s->b.payload, bytes, goal_map, home, &table);
    CHECK(status == P15_OK || status == P15_ERR_CORRUPT || !same);
    CHECK(status != P15_ERR_CORRUPT || !sound || !same);
    if (status == P15_OK) {
        p15_board goal = p15_board_goal(lines->shape, home), board = take_board(&in, lines->shape, goal);
        uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS], lookups[P15_MULTI_MAX_LOOKUPS];
        unsigned count = p15_symmetries(lines->shape, maps), values[P15_AXES], h;
        p15_multi_problem problem;
        p15_line_state state = {.block = (uint16_t)(take2(&in) % lines->block_count[0]),
                                .perm = (uint16_t)(take2(&in) % lines->perm_count),
                                .cell = (uint8_t)below(&in, lines->line_cells[0])};
        status = p15_multi_table_value(&table, state, values);
        CHECK(status == P15_OK || status == P15_ERR_CORRUPT); /* no moves may lead to this state */
        CHECK(p15_multi_problem_init(lines->shape, home, &problem) == P15_OK);
        CHECK(p15_multi_problem_add_lookup(&problem, &table, maps[0]) == P15_OK);
        for (unsigned i = 1; i < count; i++) {
            status = p15_multi_problem_add_lookup(&problem, &table, maps[i]);
            CHECK(status == (maps[i][home] == home ? P15_OK : P15_ERR_PATTERN));
        }
        bool valid = p15_board_check(board, lines->shape) == P15_OK && p15_board_solvable(board, goal, lines->shape);
        status = p15_multi_heuristic(&problem, board, &h, lookups);
        CHECK(status == P15_OK ? valid : !valid || (status == P15_ERR_CORRUPT && !(sound && same)));
        if (asked > 0 || same) search_board(multi_tile(&problem), &in, board, sound && same, 500);
        if (!opened) p15_multi_table_free(&table);
    }
    memcpy(s->b.payload, s->whole, s->b.payload_bytes);
    return 0;
}
