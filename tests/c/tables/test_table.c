/* p15_table: every value of small tables, what the check sees of a flipped bit, and garbage. */

#include "tables/table.h"
#include "tables.h"

static p15_table open_table(const built *b, unsigned max_value) {
    p15_table table;
    CHECK(p15_table_init(&b->space, b->payload, b->payload_bytes, b->classic, max_value, b->goal_map, b->home,
                         &table) == P15_OK);
    return table;
}

static void check_arguments(void) {
    built b;
    p15_table table;
    build_table(shape_of(3, 3), 0x07, 8, false, P15_CPU_PLAIN, false, &b);
    const p15_space *space = &b.space;
    for (unsigned classic = 0; classic < 2; classic++) {
        size_t row_bytes = classic ? 3 : (space->block_count + 63) / 64 * 8;
        size_t bytes = row_bytes * (classic ? space->map_count : 6);
        CHECK(p15_table_row_bytes(space, classic) == row_bytes);
        CHECK(p15_table_payload_bytes(space, classic) == bytes);
        for (unsigned i = 0; i < 3; i++)
            CHECK(p15_table_init(space, b.payload, bytes + i - 1, classic, 20, 0x07, 8, &table) ==
                  (i == 1 ? P15_OK : P15_ERR_CORRUPT));
        CHECK(p15_table_init(space, b.payload, bytes, classic, 256, 0x07, 8, &table) == P15_ERR_CORRUPT);
        const struct {
            unsigned goal_map, home;
        } wrong[] = {{7, 2}, {7, 9}, {3, 8}, {0x203, 8}};
        for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
            CHECK(p15_table_init(space, b.payload, bytes, classic, 20, wrong[i].goal_map, wrong[i].home, &table) ==
                  P15_ERR_PATTERN);
    }
    build_free(&b);
}

/* The values of a sound table by block and row; returns how many states no board shows. */
static uint64_t check_values(const built *b, const twin_table *twin) {
    const p15_space *space = &b->space;
    p15_table table = open_table(b, b->max_value), tight = open_table(b, b->max_value - 1), plain = table;
    plain.cpu = P15_CPU_PLAIN;
    CHECK(table.goal_block == p15_space_block(space, b->goal_map, b->home));
    uint64_t hidden = 0;
    for (uint32_t block = 0; block < space->block_count; block++) {
        unsigned map = space->block_map[block], region = space->block_region[block];
        unsigned cell = 0, value;
        while (!(region >> cell & 1u)) cell++;
        for (uint32_t row = 0; row < space->row_count; row++) {
            uint32_t perm = p15_space_unrank(space, row);
            unsigned expected = twin_value(twin, map, perm, cell);
            hidden += expected == UNREACHED;
            p15_status status = p15_table_value(&table, map, perm, cell, &value);
            CHECK(status == (expected == UNREACHED ? P15_ERR_CORRUPT : P15_OK));
            CHECK(status != P15_OK || value == expected);
            CHECK(p15_table_value(&plain, map, perm, cell, &value) == status);
            CHECK(status != P15_OK || value == expected);
            status = p15_table_value(&tight, map, perm, cell, &value);
            CHECK(status == (expected >= b->max_value ? P15_ERR_CORRUPT : P15_OK));
        }
    }
    return hidden;
}

/* The same of a classic table, by map and row. */
static uint64_t check_least_values(const built *b, const twin_table *twin) {
    const p15_space *space = &b->space;
    p15_shape shape = space->shape;
    p15_table table = open_table(b, b->max_value);
    uint64_t hidden = 0;
    for (unsigned map = 0; map < 1u << shape.cells; map++) {
        if (twin_count(map) != space->k) continue;
        for (uint32_t row = 0; row < space->row_count; row++) {
            uint32_t perm = p15_space_unrank(space, row);
            unsigned manhattan = twin_manhattan(shape, b->goal_map, map, perm), least = UNREACHED;
            unsigned value;
            CHECK(p15_table_manhattan(&table, map, perm) == manhattan);
            for (unsigned cell = 0; cell < shape.cells; cell++) {
                unsigned here = map >> cell & 1u ? UNREACHED : twin_value(twin, map, perm, cell);
                least = here < least ? here : least;
            }
            hidden += least == UNREACHED;
            unsigned expected = least < manhattan + 30 ? least : manhattan + 30;
            if (least != UNREACHED) CHECK(p15_table_value(&table, map, perm, 0, &value) == P15_OK && value == expected);
        }
    }
    return hidden;
}

static void check_sound(p15_shape shape, unsigned k, unsigned home) {
    unsigned goal_map = draw_map(shape, k, home);
    twin_table twin;
    twin_build(shape, goal_map, home, &twin);
    for (unsigned classic = 0; classic < 2; classic++) {
        built b;
        build_table(shape, goal_map, home, classic, P15_CPU_PLAIN, false, &b);
        uint64_t hidden = classic ? check_least_values(&b, &twin) : check_values(&b, &twin);
        p15_table table = open_table(&b, b.max_value);
        p15_table_report report = {0};
        uint32_t rows = b.space.row_count;
        if (!classic) {
            p15_table_check(&table, 0, rows / 2, &report);
            p15_table_check(&table, rows / 2, rows, &report);
            CHECK(report.entries == (uint64_t)b.space.block_count * rows && report.unreachable == hidden);
            CHECK(report.false_goals == 0 && report.stuck == 0);
        }
        build_free(&b);
    }
    free(twin.values);
}

/* ----------------------------------------------------------------------------- flipped bits ---
 *
 * Flipping a state's bit makes its closer neighbours look farther and its farther ones closer. The
 * check sees that when the state has no farther neighbour (it is stuck), when it was the only
 * closer neighbour of another (that one is stuck), or when it stands next to the goal. It cannot
 * see any other flip, nor one of a state that no board shows, nor of the bits beyond the last
 * block of a row. So the check is for the builder's mistakes; damage to a file is for its checksum to find. */

typedef struct {
    unsigned flips, seen;
} tally;

static void compare_reports(p15_table *table, p15_table_report expected, tally *t) {
    p15_table_report report = {0};
    p15_table_check(table, 0, table->space->row_count, &report);
    CHECK(report.false_goals == expected.false_goals && report.stuck == expected.stuck);
    t->flips++;
    t->seen += report.false_goals + report.stuck > 0;
}

/* What the check should say, told from the true values of a state and its neighbours. */
static tally check_bit_flips(built *b, const uint8_t *values) {
    p15_table table = open_table(b, b->max_value);
    const p15_space *space = &b->space;
    size_t row_bytes = ((size_t)space->block_count + 63) / 64 * 8;
    tally t = {0, 0};
    for (size_t bit = 0; bit < b->payload_bytes * 8; bit++) {
        uint32_t row = (uint32_t)(bit / (row_bytes * 8)), block = (uint32_t)(bit % (row_bytes * 8));
        p15_table_report expected = {0};
        size_t state = (size_t)block * space->row_count + row, near[P15_MAX_MOVES];
        if (block < space->block_count && values[state] != UNREACHED) {
            unsigned count = twin_neighbours(space, block, row, near), farther = 0;
            for (unsigned i = 0; i < count; i++) {
                if (values[near[i]] < values[state]) {
                    expected.false_goals += values[near[i]] == 0;
                    continue;
                }
                farther++;
                size_t next[P15_MAX_MOVES];
                unsigned closer = 0, others = twin_neighbours(space, (uint32_t)(near[i] / space->row_count),
                                                              (uint32_t)(near[i] % space->row_count), next);
                for (unsigned j = 0; j < others; j++) closer += values[next[j]] < values[near[i]];
                expected.stuck += closer == 1;
            }
            expected.false_goals += values[state] == 0;
            expected.stuck += values[state] > 0 && farther == 0;
        }
        b->payload[bit / 8] ^= (uint8_t)(1u << (bit % 8));
        compare_reports(&table, expected, &t);
        b->payload[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    }
    return t;
}

static void check_flips(p15_shape shape, unsigned goal_map, unsigned home, unsigned bits_seen) {
    twin_table twin;
    built b;
    twin_build(shape, goal_map, home, &twin);
    build_table(shape, goal_map, home, false, P15_CPU_PLAIN, false, &b);
    const p15_space *space = &b.space;
    uint8_t *values = allocate((size_t)space->block_count * space->row_count, 1);
    for (uint32_t block = 0; block < space->block_count; block++)
        for (uint32_t row = 0; row < space->row_count; row++) {
            unsigned cell = p15_lowest_bit(space->block_region[block]);
            values[(size_t)block * space->row_count + row] =
                (uint8_t)twin_value(&twin, space->block_map[block], p15_space_unrank(space, row), cell);
        }
    tally t = check_bit_flips(&b, values);
    CHECK(t.seen == bits_seen && t.seen < t.flips);
    free(values);
    build_free(&b);
    free(twin.values);
}

/* ---------------------------------------------------------------------------------- garbage --- */

/* Whatever the payload: a value within the largest and of the right parity, or CORRUPT. */
static void check_garbage(p15_shape shape, unsigned k, unsigned home) {
    unsigned goal_map = draw_map(shape, k, home);
    p15_space space;
    CHECK(p15_space_init(shape, k, &space) == P15_OK && p15_space_link(&space) == P15_OK);
    for (unsigned trial = 0; trial < 12; trial++) {
        bool classic = trial % 2;
        size_t bytes = p15_table_payload_bytes(&space, classic);
        uint8_t *payload = malloc(bytes); /* of exactly that size, for the sanitizer */
        CHECK(payload != NULL);
        for (size_t i = 0; i < bytes; i++) payload[i] = (uint8_t)(trial < 2 ? 0 : trial < 4 ? 255 : draw(256));
        unsigned max_value = draw(256);
        p15_table table;
        CHECK(p15_table_init(&space, payload, bytes, classic, max_value, goal_map, home, &table) == P15_OK);
        for (unsigned i = 0; i < 2000; i++) {
            uint32_t block = draw(space.block_count), perm = draw_perm(k);
            if (i == 0) {
                block = table.goal_block;
                perm = p15_space_unrank(&space, 0);
            }
            unsigned map = space.block_map[block], cell = 0, value = 999;
            while (!(space.block_region[block] >> cell & 1u)) cell++;
            p15_status status = p15_table_value(&table, map, perm, cell, &value);
            CHECK(status == P15_OK || status == P15_ERR_CORRUPT);
            if (status != P15_OK) continue;
            CHECK(classic || p15_table_bit(&table, 0, table.goal_block) == 0);
            unsigned manhattan = twin_manhattan(shape, goal_map, map, perm);
            CHECK(value <= max_value && value >= manhattan && (value - manhattan) % 2 == 0);
        }
        p15_table_report report = {0};
        if (!classic) p15_table_check(&table, space.row_count - 1, space.row_count, &report);
        CHECK(classic || report.entries == space.block_count);
        free(payload);
    }
    p15_space_free(&space);
}

int main(void) {
    check_arguments();
    const unsigned homes_4x4[] = {15, 5, 1}, homes_3x3[] = {8, 1, 4};
    for (unsigned k = 1; k <= 3; k++) check_sound(shape_of(4, 4), k, homes_4x4[k - 1]);
    for (unsigned k = 1; k <= 8; k++) check_sound(shape_of(3, 3), k, homes_3x3[k % 3]);
    check_sound(shape_of(2, 2), 3, 3);
    check_sound(shape_of(2, 2), 2, 0);
    check_sound(shape_of(3, 2), 5, 5);
    check_sound(shape_of(2, 5), 4, 2);
    check_sound(shape_of(3, 4), 4, 11);
    check_sound(shape_of(2, 8), 3, 15);
    check_sound(shape_of(8, 2), 3, 0);

    check_flips(shape_of(2, 2), 0x7, 3, 10);
    check_flips(shape_of(2, 2), 0xc, 0, 6);
    check_flips(shape_of(2, 3), 0x13, 5, 132);
    check_flips(shape_of(2, 3), 0x17, 5, 207);
    check_flips(shape_of(3, 3), 0x28, 4, 32);
    check_flips(shape_of(3, 4), 0x048, 11, 27);

    check_garbage(shape_of(4, 4), 5, 15);
    check_garbage(shape_of(4, 4), 2, 6);
    check_garbage(shape_of(3, 3), 8, 8);
    check_garbage(shape_of(2, 8), 4, 0);
    return 0;
}
