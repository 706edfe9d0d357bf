/* p15_multi_build and p15_multi_table: every entry against a breadth-first search of the pattern's states, the values
 * of states by descent, and no harm from damaged tables. */

#include "multi.h"

typedef struct {
    const multi_built *b;
    twin_table *twins; /* one per axis */
    unsigned exact_lookups, lookups, exact_values, values;
} comparison;

/* The excess that the table's line has by the twin: the distances of its cells when the next move leaves the line. */
static unsigned distances_of(const comparison *c, unsigned axis, uint64_t state, p15_line_state *here,
                             uint8_t *distances, uint8_t *along) {
    const p15_line_space *lines = &c->b->lines;
    uint8_t cell_of[P15_MULTI_MAX_PATTERN + 1];
    unsigned cells[P15_MAX_CELLS], k = lines->k, smallest = UNREACHED;
    twin_cells(k, state, cell_of);
    *here = p15_line_space_state(lines, axis, cell_of, cell_of[k]);
    unsigned count = twin_moves(lines->shape, axis, cell_of[k], cells);
    cells[count++] = cell_of[k];
    for (unsigned i = 0; i < count; i++) {
        unsigned position = axis == 0 ? cells[i] % lines->shape.cols : cells[i] / lines->shape.cols;
        size_t index = twin_index(&c->twins[0], twin_slide(lines->shape, k, state, cells[i]));
        distances[position] = c->twins[1 - axis].values[index];
        along[position] = c->twins[axis].values[index];
        if (distances[position] < smallest) smallest = distances[position];
    }
    return smallest;
}

/* Whether a codebook has these excesses, a byte each. */
static bool in_book(const uint8_t *codebook, const uint8_t *excess) {
    for (unsigned i = 0; i < P15_CODEBOOK_SIZE; i++)
        if (memcmp(codebook + 4 * i, excess, 4) == 0) return true;
    return false;
}

/* What one look-up tells of a line, from each of its cells and from lower bounds. */
static void check_line(uint64_t state, void *with) {
    comparison *c = with;
    const p15_line_space *lines = &c->b->lines;
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        p15_line_state here;
        uint8_t distances[P15_MAX_LINE], along[P15_MAX_LINE], excess[P15_MAX_LINE];
        unsigned smallest = distances_of(c, axis, state, &here, distances, along), length = lines->line_cells[axis];
        if (smallest == UNREACHED) continue;
        bool exact = true;
        for (unsigned i = 0; i < length; i++) {
            excess[i] = (uint8_t)(distances[i] - smallest);
            exact &= excess[i] < P15_MOST_EXCESS;
        }
        const uint8_t *codebook = c->b->payload + (axis && p15_multi_coded(lines, 0) ? P15_CODEBOOK_BYTES : 0);
        if (length == 4) exact = in_book(codebook, excess);
        c->exact_lookups += exact;
        c->lookups++;
        for (unsigned lowered = 0; lowered < 4 && lowered <= along[here.cell]; lowered++) {
            unsigned least = UNREACHED;
            uint64_t values = p15_multi_values(&c->b->table, axis, p15_line_space_entry(lines, here), length, here.cell,
                                               along[here.cell] - lowered);
            for (unsigned i = 0; i < length; i++) {
                unsigned value = values >> (8 * i) & 255u;
                if (i == here.cell) continue;
                CHECK(value <= distances[i]);
                if (value < least) least = value;
                /* Two of a coded line's bits tell more than the bound. */
                if (exact && (!lowered || (length == 4 && lowered < 3))) CHECK(value == distances[i]);
            }
            if (along[here.cell] == 0) break; /* home */
            if (!lowered || (length == 4 && lowered < 3)) CHECK(least + 1 == along[here.cell]);
        }
    }
}

static void check_value(uint64_t state, void *with) {
    comparison *c = with;
    uint8_t cell_of[P15_MULTI_MAX_PATTERN + 1];
    unsigned values[P15_AXES];
    size_t index = twin_index(&c->twins[0], state);
    if (c->twins[0].values[index] == UNREACHED) return;
    twin_cells(c->b->lines.k, state, cell_of);
    p15_line_state there = p15_line_space_state(&c->b->lines, 0, cell_of, cell_of[c->b->lines.k]);
    CHECK(p15_multi_table_value(&c->b->table, there, values) == P15_OK);
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        CHECK(values[axis] <= c->twins[axis].values[index]);
        c->exact_values += values[axis] == c->twins[axis].values[index];
        c->values++;
    }
}

static void check_both(uint64_t state, void *with) {
    check_line(state, with);
    check_value(state, with);
}

/* A table against its twin: `some` random states, or all of them if it is 0. */
static void check_table(p15_shape shape, unsigned goal_map, unsigned home, unsigned some) {
    multi_built b;
    twin_table twins[P15_AXES];
    unsigned k = twin_count(goal_map);
    build_multi(shape, goal_map, home, p15_cpu_highest(), 1 + draw(1000), &b);
    twin_multi(shape, goal_map, home, twins);
    size_t states = 1, found[UNREACHED + 1] = {0};
    for (unsigned i = 0; i <= k; i++) states *= shape.cells - i;
    for (size_t i = 0; i < 2 * states; i++) found[twins[i & 1].values[i / 2]]++;
    for (unsigned level = 0; level < P15_MULTI_MAX_LEVELS; level++)
        CHECK(b.states[level] == (level < UNREACHED ? found[level] : 0));

    comparison c = {&b, twins, 0, 0, 0, 0};
    if (some == 0) each_state(shape, k, check_both, &c);
    for (unsigned i = 0; i < some; i++) check_both(draw_state_of(shape, k), &c);
    CHECK(c.values == (some ? 2 * some : c.values) && c.exact_values == c.values);
    CHECK(c.exact_lookups >= c.lookups * (shape.rows == 4 || shape.cols == 4 ? 2ull : 3ull) / 3);
    twin_multi_free(twins);
    free_multi(&b);
}

static void check_levels_of_processors(void) {
    static const unsigned shapes[][2] = {{4, 4}, {3, 3}, {2, 5}, {5, 2}, {8, 2}};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        p15_shape shape = shape_of(shapes[i][0], shapes[i][1]);
        unsigned home = draw(shape.cells), goal_map = draw_map(shape, 3, home);
        multi_built plain, best;
        build_multi(shape, goal_map, home, P15_CPU_PLAIN, 7, &plain);
        build_multi(shape, goal_map, home, p15_cpu_highest(), UINT32_MAX, &best);
        CHECK(memcmp(plain.payload, best.payload, plain.payload_bytes) == 0 && plain.levels == best.levels);
        free_multi(&plain);
        free_multi(&best);
    }
}

/* ------------------------------------------------------------------------------ bad input --- */

static void check_arguments(void) {
    p15_shape shape = shape_of(3, 4);
    p15_multi_build build;
    p15_line_space none;
    multi_built b;
    const unsigned sizes[] = {0, P15_MULTI_MAX_PATTERN + 1, 12};
    for (unsigned i = 0; i < 3; i++) CHECK(p15_line_space_init(shape, sizes[i], &none) == P15_ERR_PATTERN);
    build_multi(shape, 0x007, 11, p15_cpu_highest(), 100, &b);
    static const struct {
        unsigned goal_map, home;
    } wrong[] = {{0x007, 2}, {0x003, 11}, {0x00f, 11}, {0x1003, 11}, {0x007, 12}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        p15_multi_table table;
        CHECK(p15_multi_build_init(&b.lines, wrong[i].goal_map, wrong[i].home, P15_CPU_PLAIN, &build) ==
              P15_ERR_PATTERN);
        CHECK(p15_multi_table_init(&b.lines, b.payload, b.payload_bytes, wrong[i].goal_map, wrong[i].home, &table) ==
              P15_ERR_PATTERN);
    }
    p15_multi_table table;
    CHECK(p15_multi_table_init(&b.lines, b.payload, b.payload_bytes - 1, 0x007, 11, &table) == P15_ERR_ARGUMENT);
    b.payload[4 * P15_CODEBOOK_SIZE - 1] = P15_MOST_EXCESS + 1;
    CHECK(p15_multi_table_init(&b.lines, b.payload, b.payload_bytes, 0x007, 11, &table) == P15_ERR_CORRUPT);
    free_multi(&b);
}

/* Descents in tables whose entries, and at times codebooks, are noise. */
static void check_damage(p15_shape shape, unsigned k, unsigned share, unsigned rounds) {
    unsigned home = draw(shape.cells);
    multi_built b;
    build_multi(shape, draw_map(shape, k, home), home, p15_cpu_highest(), 1000, &b);
    size_t codebooks = p15_multi_codebooks_bytes(&b.lines);
    for (size_t i = draw(2) ? codebooks : 0; i < b.payload_bytes; i++)
        if (draw(1000) < share) b.payload[i] = (uint8_t)draw(i < codebooks ? P15_MOST_EXCESS + 1 : 256);
    unsigned goal_map = b.table.goal_map;
    p15_multi_table_free(&b.table);
    CHECK(p15_multi_table_init(&b.lines, b.payload, b.payload_bytes, goal_map, home, &b.table) == P15_OK);
    for (unsigned i = 0; i < rounds; i++) {
        uint8_t cell_of[P15_MULTI_MAX_PATTERN + 1];
        unsigned values[P15_AXES];
        twin_cells(k, draw_state_of(shape, k), cell_of);
        p15_status status =
            p15_multi_table_value(&b.table, p15_line_space_state(&b.lines, 0, cell_of, cell_of[k]), values);
        CHECK(status == P15_OK || status == P15_ERR_CORRUPT);
    }
    free_multi(&b);
}

int main(int count, char **arguments) {
    static const struct {
        unsigned rows, cols, least, most;
    } all[] = {{2, 2, 1, 2}, {2, 3, 1, 5}, {3, 2, 1, 4}, {3, 3, 1, 4}, {2, 4, 2, 4}, {4, 2, 2, 3},
               {2, 5, 1, 3}, {5, 2, 1, 3}, {7, 2, 1, 2}, {2, 8, 1, 2}, {3, 4, 2, 3}, {4, 4, 1, 2}};
    bool slow = is_slow(count, arguments);
    check_arguments();
    check_levels_of_processors();
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        for (unsigned k = all[i].least; k <= all[i].most; k++) {
            p15_shape shape = shape_of(all[i].rows, all[i].cols);
            unsigned home = k % 2 ? shape.cells - 1u : draw(shape.cells);
            check_table(shape, draw_map(shape, k, home), home, 0);
        }
    static const struct {
        unsigned rows, cols, k;
    } damaged[] = {{2, 2, 2}, {3, 3, 3}, {4, 4, 3}, {3, 4, 4}, {2, 8, 3}, {8, 2, 2}, {5, 3, 3}};
    for (unsigned i = 0; i < sizeof damaged / sizeof *damaged; i++)
        for (unsigned share = 1; share <= 1000; share *= 10)
            check_damage(shape_of(damaged[i].rows, damaged[i].cols), damaged[i].k, share, 300);
    p15_shape shape = shape_of(4, 4);
    static const unsigned homes[] = {15, 1, 5}; /* a corner, an edge, the centre */
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 3; k <= (slow ? 5u - (i > 0) : 3u); k++)
            check_table(shape, draw_map(shape, k, homes[i]), homes[i], slow ? 20000 : 3000);
    return 0;
}
