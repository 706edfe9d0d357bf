/* Tables of boards against a plain array, with values of all sizes, through many sizes and in pieces, and to a limit of
 * memory. */

#include "check.h"
#include "base/pages.h"

/* As where the system allows less address space than is asked for. */
static size_t most_reserved = SIZE_MAX;
static p15_status reserve_less(size_t least, size_t most, p15_pages *pages) {
    return p15_pages_reserve(least, most < most_reserved ? most : most_reserved, pages);
}

#define p15_pages_reserve reserve_less
#include "nodes/board_table.c"
#undef p15_pages_reserve

#define KEYS 30000u

/* A board for each of KEYS numbers: a table takes any 64 bits but 0. */
static p15_board board_of(unsigned key) { return (uint64_t)(key + 1) * UINT64_C(0x100000001b3); }

/* Every byte of a value, from a number. */
static void write_value(unsigned number, unsigned bytes, uint8_t *value) {
    for (unsigned i = 0; i < bytes; i++) value[i] = (uint8_t)(number * 7 + i * 31);
}

/* Puts one board, with as much growing as that takes. False: there is no memory. */
static bool put(p15_board_table *table, p15_table_rule rule, p15_board board, const uint8_t *value, uint8_t *changed) {
    while (p15_board_table_put(table, rule, &board, value, 1, changed) == 0) do
            if (p15_board_table_grow(table) != P15_OK) return false;
        while (table->left > 0);
    return true;
}

/* All boards of a table, and no others, have their values. */
static void check_all(const p15_board_table *table, const unsigned *numbers) {
    p15_board boards[KEYS];
    static uint8_t values[KEYS * P15_MOST_VALUE_BYTES], found[KEYS];
    size_t count = 0;
    for (unsigned key = 0; key < KEYS; key++) boards[key] = board_of(key);
    p15_board_table_get(table, boards, KEYS, values, found);
    for (unsigned key = 0; key < KEYS; key++) {
        uint8_t expected[P15_MOST_VALUE_BYTES] = {0};
        if (numbers[key]) write_value(numbers[key], table->value_bytes, expected);
        CHECK(found[key] == (numbers[key] != 0));
        CHECK(memcmp(values + (size_t)key * table->value_bytes, expected, table->value_bytes) == 0);
        count += found[key];
    }
    CHECK(count == table->count);
    CHECK(p15_board_table_keys(table, 0, p15_board_table_buckets(table), boards) == count);
}

/* Boards with values of some bytes, until no more fit; at most `most` bytes. */
static void test_table(unsigned bytes, size_t expected, size_t most) {
    p15_board_table table;
    static unsigned numbers[KEYS];
    memset(numbers, 0, sizeof numbers);
    CHECK(p15_board_table_init(bytes, 0, expected, most, &table) == P15_OK);
    unsigned full = 0;
    for (unsigned step = 1; step <= 2 * KEYS && !full; step++) {
        unsigned key = draw(KEYS), rule = draw(2);
        uint8_t value[P15_MOST_VALUE_BYTES], changed = 2;
        write_value(step, bytes, value);
        if (!put(&table, rule ? P15_TABLE_UPDATE : P15_TABLE_INSERT, board_of(key), value, &changed)) {
            full = step;
            break;
        }
        CHECK(changed == (numbers[key] == 0));
        if (rule || !numbers[key]) numbers[key] = step;
        if (step == 100) check_all(&table, numbers);
    }
    CHECK(p15_board_table_bytes(&table) <= most && (full != 0) == (most < (size_t)1 << 20));
    if (full) CHECK((double)table.count > 0.6 * (double)most / 64 * table.slots - 512.0 * table.slots);
    check_all(&table, numbers);
    p15_board_table_free(&table);
    p15_board_table_free(&table); /* twice is fine */
}

static void test_refusals(void) {
    p15_board_table table;
    const unsigned wrong[][2] = {{0, 0}, {17, 0}, {4, 3}, {2, 4}, {16, 16}};
    for (unsigned i = 0; i < 5; i++)
        CHECK(p15_board_table_init(wrong[i][0], wrong[i][1], 0, SIZE_MAX, &table) == P15_ERR_ARGUMENT);
    CHECK(p15_board_table_init(1, 0, 0, 1000, &table) == P15_ERR_MEMORY);
}

/* A table fills what was reserved, where that is less than it may use. */
static void test_smaller_reservation(void) {
    const size_t reserved = (size_t)150 << 10;
    most_reserved = reserved;
    for (unsigned bytes = 1; bytes <= P15_MOST_VALUE_BYTES; bytes += 7) {
        p15_board_table table;
        uint8_t value[P15_MOST_VALUE_BYTES] = {1}, changed;
        unsigned key = 0;
        CHECK(p15_board_table_init(bytes, 0, 0, (size_t)1 << 24, &table) == P15_OK);
        while (put(&table, P15_TABLE_INSERT, board_of(key), value, &changed)) key++;
        CHECK(p15_board_table_bytes(&table) <= reserved && p15_board_table_bytes(&table) + 64 > reserved);
        CHECK(table.count == key && (double)key > 0.75 * (double)reserved / 64 * table.slots - 512.0 * table.slots);
        p15_board_table_free(&table);
    }
    most_reserved = SIZE_MAX;
}

int main(void) {
    for (unsigned bytes = 1; bytes <= P15_MOST_VALUE_BYTES; bytes++)
        test_table(bytes, bytes % 3 * 5000, bytes % 2 ? (size_t)1 << 24 : (size_t)150 << 10);
    test_refusals();
    test_smaller_reservation();
    return 0;
}
