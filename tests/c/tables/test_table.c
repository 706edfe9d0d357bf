/* p15_table, p15_build: every value of small tables against a plain breadth-first search, and garbage. */

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

/* How many states and placements have each value. */
typedef struct {
    uint64_t states[256], placements[256];
} histogram;

/* The values of a sound table by block and row. */
static void check_values(const built *b, const twin_table *twin, histogram *found) {
    const p15_space *space = &b->space;
    p15_table table = open_table(b, b->max_value), tight = open_table(b, b->max_value - 1), plain = table;
    plain.cpu = P15_CPU_PLAIN;
    CHECK(table.goal_block == p15_space_block(space, b->goal_map, b->home));
    for (uint32_t block = 0; block < space->block_count; block++) {
        unsigned map = space->block_map[block], region = space->block_region[block];
        unsigned cell = 0, value;
        while (!(region >> cell & 1u)) cell++;
        for (uint32_t row = 0; row < space->row_count; row++) {
            uint32_t perm = p15_space_unrank(space, row);
            unsigned expected = twin_value(twin, map, perm, cell);
            for (unsigned other = cell + 1; other < space->shape.cells; other++)
                CHECK(!(region >> other & 1u) || twin_value(twin, map, perm, other) == expected);
            p15_status status = p15_table_value(&table, map, perm, cell, &value);
            CHECK(status == (expected == UNREACHED ? P15_ERR_CORRUPT : P15_OK));
            CHECK(status != P15_OK || value == expected);
            CHECK(status == P15_OK || p15_table_bit(&table, row, block) == 0);
            CHECK(p15_table_value(&plain, map, perm, cell, &value) == status);
            CHECK(status != P15_OK || value == expected);
            status = p15_table_value(&tight, map, perm, cell, &value);
            CHECK(status == (expected >= b->max_value ? P15_ERR_CORRUPT : P15_OK));
            found->states[expected]++;
        }
    }
}

/* The same of a classic table, by map and row. */
static void check_least_values(const built *b, const twin_table *twin, histogram *found) {
    const p15_space *space = &b->space;
    p15_shape shape = space->shape;
    p15_table table = open_table(b, b->max_value);
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
            unsigned expected = least < manhattan + 30 ? least : manhattan + 30;
            if (least == UNREACHED)
                CHECK(p15_table_nibble(&table, p15_space_map_index(space, map), row) == 0);
            else
                CHECK(p15_table_value(&table, map, perm, 0, &value) == P15_OK && value == expected);
            found->placements[least]++;
        }
    }
}

/* Tables of both formats: the same by all levels of instructions and with only the planes that a level needs. */
static void check_sound(p15_shape shape, unsigned k, unsigned home) {
    unsigned goal_map = draw_map(shape, k, home);
    twin_table twin;
    histogram found = {{0}, {0}};
    built tables[2];
    twin_build(shape, goal_map, home, &twin);
    for (unsigned classic = 0; classic < 2; classic++) {
        built *b = &tables[classic], again;
        build_table(shape, goal_map, home, classic, P15_CPU_PLAIN, false, b);
        build_table(shape, goal_map, home, classic, p15_cpu_highest(), true, &again);
        CHECK(memcmp(again.payload, b->payload, again.payload_bytes) == 0);
        CHECK(memcmp(again.states, b->states, sizeof again.states) == 0);
        CHECK(memcmp(again.placements, b->placements, sizeof again.placements) == 0);
        build_free(&again);
    }
    check_values(&tables[0], &twin, &found);
    check_least_values(&tables[1], &twin, &found);
    for (unsigned value = 0; value < UNREACHED; value++) {
        CHECK(tables[0].states[value] == found.states[value] && tables[1].states[value] == found.states[value]);
        CHECK(tables[0].placements[value] == (value == 0) && tables[1].placements[value] == found.placements[value]);
    }
    CHECK(found.states[tables[0].max_value] > 0 && found.states[tables[0].max_value + 1] == 0);
    build_free(&tables[0]);
    build_free(&tables[1]);
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
        free(payload);
    }
    p15_space_free(&space);
}

int main(int count, char **arguments) {
    bool slow = is_slow(count, arguments);
    unsigned most = slow ? 8 : 6;
    check_arguments();
    const unsigned homes_4x4[] = {15, 0, 1, 6}, homes_3x3[] = {8, 1, 4};
    for (unsigned k = 1; k <= (slow ? 4 : 3); k++) check_sound(shape_of(4, 4), k, homes_4x4[k - 1]);
    for (unsigned k = 1; k <= most; k++) check_sound(shape_of(3, 3), k, homes_3x3[k % 3]);
    check_sound(shape_of(3, 3), 8, 8);
    check_sound(shape_of(4, 4), 3, 15);
    check_sound(shape_of(2, 2), 1, 3);
    check_sound(shape_of(2, 2), 2, 0);
    check_sound(shape_of(2, 2), 3, 3);
    check_sound(shape_of(3, 2), 5, 5);
    check_sound(shape_of(2, 5), 5, 2);
    if (slow) check_sound(shape_of(2, 5), 8, 9); /* nibbles beyond 15 */
    check_sound(shape_of(3, 4), 4, 11);
    check_sound(shape_of(2, 8), 3, 15);
    check_sound(shape_of(8, 2), 3, 0);

    check_garbage(shape_of(4, 4), 5, 15);
    check_garbage(shape_of(4, 4), 2, 6);
    check_garbage(shape_of(3, 3), most, 8);
    check_garbage(shape_of(2, 8), 4, 0);
    return 0;
}
