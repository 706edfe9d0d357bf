/* p15_closed: every key of small shapes against a plain array, through many sizes; boards that must not be taken for
 * each other; full neighbourhoods; growth that is refused; limits of memory.
 *
 * The table takes any key, so where no board is needed, the keys are plain numbers. */

#include "search/best_first/closed.h"
#include "twins.h"

#define ROOM ((size_t)64 << 20)

/* What the table should hold: notes[key] is a slot's g, direction and closed flag, 0 for none. */
typedef struct {
    p15_closed closed;
    uint16_t *notes;
    size_t key_count, node_count;
} twin;

/* The memory of a new table. */
static p15_memory *memory_of(size_t most) {
    static p15_memory memories[8];
    static unsigned next;
    p15_memory *memory = &memories[next++ % 8];
    *memory = (p15_memory){.most = most};
    return memory;
}

/* Enlarges a table where `other` bytes are used beside it, of `most`. */
static p15_status enlarge(p15_closed *closed, size_t other, size_t most) {
    closed->memory->most = most;
    closed->memory->used += other;
    p15_status status = p15_closed_enlarge(closed);
    closed->memory->used -= other;
    return status;
}

static twin twin_new(p15_shape shape, size_t max_bytes) {
    twin t = {.key_count = (size_t)1 << (4 * (shape.cells - 1))};
    CHECK(p15_closed_init(shape, memory_of(max_bytes), &t.closed) == P15_OK);
    t.notes = allocate(t.key_count, sizeof *t.notes);
    return t;
}

static void twin_free(twin *t) {
    p15_closed_free(&t->closed);
    p15_closed_free(&t->closed); /* twice is fine */
    free(t->notes);
}

/* The place of a board. */
static p15_slot *find(const p15_closed *closed, p15_board board) {
    p15_where where = p15_closed_where(closed, board);
    CHECK(where.bucket < closed->bucket_count && (where.rest & 0xfffffu) == 0);
    p15_slot *slot = p15_closed_find(closed, where);
    CHECK(slot == NULL || (slot >= closed->slots && slot < closed->slots + closed->memory->used / sizeof *slot));
    return slot;
}

/* Adds a key, or changes its node. False: the table has no place for it. */
static bool note(twin *t, size_t key) {
    p15_slot *slot = find(&t->closed, key);
    unsigned g = draw(8) ? draw(60) : draw(P15_CLOSED_MAX_G + 1), direction = draw(P15_DIRECTIONS), close = draw(2);
    if (!slot) return false;
    CHECK((*slot & 0x1fffu) == t->notes[key]);
    if (*slot == 0) {
        p15_closed_add(&t->closed, p15_closed_where(&t->closed, key), slot, g, direction);
        t->node_count++;
    } else {
        *slot = p15_slot_moved(*slot, g, direction);
    }
    CHECK(!p15_slot_closed(*slot) && t->closed.node_count == t->node_count);
    if (close) *slot = p15_slot_close(*slot);
    CHECK(p15_slot_g(*slot) == g && p15_slot_direction(*slot) == direction && p15_slot_closed(*slot) == close);
    t->notes[key] = (uint16_t)(*slot & 0x1fffu);
    return true;
}

/* Every `step`th key has its node, or none. */
static void check_all(const twin *t, size_t step) {
    for (size_t key = draw((uint32_t)step); key < t->key_count; key += step) {
        const p15_slot *slot = find(&t->closed, key);
        CHECK(slot ? (*slot & 0x1fffu) == t->notes[key] : t->notes[key] == 0);
    }
}

/* ------------------------------------------------------------------------------------------------ keys */

/* Grows by a fraction again and again, filling up before each time: of a small shape, with all keys in the end. */
static void test_sizes(p15_shape shape, unsigned numerator, unsigned denominator, size_t most, size_t step) {
    twin t = twin_new(shape, ROOM);
    for (;;) {
        size_t buckets = t.closed.bucket_count, more = (buckets * numerator + denominator - 1) / denominator;
        while (t.node_count < t.closed.room && t.node_count < t.key_count)
            if (!note(&t, draw((uint32_t)t.key_count))) break;
        check_all(&t, step);
        if (more > most) break;
        CHECK(p15_closed_grow(&t.closed, more) == P15_OK && t.closed.bucket_count == more);
        CHECK(t.closed.memory->used == (more + P15_MOST_DISPLACED) * 64);
    }
    CHECK(t.key_count > 4096 || t.node_count == t.key_count);
    check_all(&t, t.key_count > 4096 ? 7 : 1);
    twin_free(&t);
}

/* ------------------------------------------------------------------------------------------------ boards */

/* Adds new boards, numbered; each must find an empty place. */
static void add_new(p15_closed *closed, p15_board board, size_t number) {
    if (closed->node_count + 1 > closed->room) CHECK(enlarge(closed, 0, ROOM) == P15_OK);
    p15_slot *slot = find(closed, board);
    CHECK(slot && *slot == 0);
    p15_closed_add(closed, p15_closed_where(closed, board), slot, (unsigned)(number % 1000), (unsigned)(number & 3));
}

static void check_numbered(const p15_closed *closed, p15_board board, size_t number) {
    const p15_slot *slot = find(closed, board);
    CHECK(slot && *slot && p15_slot_g(*slot) == number % 1000 && p15_slot_direction(*slot) == (number & 3));
}

static int compare(const void *a, const void *b) {
    p15_board x = *(const p15_board *)a, y = *(const p15_board *)b;
    return x < y ? -1 : x > y;
}

/* Boards at random, and those along a walk, which differ in few cells; and what lies around them, absent. */
static void test_boards(p15_shape shape, size_t count) {
    p15_closed closed;
    p15_board *boards = allocate(count, sizeof *boards);
    size_t different = 0;
    for (size_t i = 0; i < count; i++) {
        p15_board children[P15_DIRECTIONS];
        bool walks = i % 8 > 0;
        unsigned choices = walks ? twin_slides(shape, boards[i - 1], children) : 0;
        boards[i] = walks ? children[draw(choices)] : draw_board(shape, p15_board_goal(shape, 0));
    }
    qsort(boards, count, sizeof *boards, compare);
    for (size_t i = 0; i < count; i++)
        if (different == 0 || boards[i] != boards[different - 1]) boards[different++] = boards[i];
    CHECK(p15_closed_init(shape, memory_of(ROOM), &closed) == P15_OK);
    for (size_t i = 0; i < different; i++) add_new(&closed, boards[i], i);
    for (size_t i = 0; i < different; i++) {
        p15_board near[P15_DIRECTIONS];
        check_numbered(&closed, boards[i], i);
        for (unsigned j = twin_slides(shape, boards[i], near); j-- > 0;) {
            const p15_slot *slot = find(&closed, near[j]);
            CHECK(slot && (*slot != 0) == (bsearch(&near[j], boards, different, sizeof *near, compare) != NULL));
        }
    }
    p15_closed_free(&closed);
    free(boards);
}

/* ------------------------------------------------------------------------------------- full neighbourhoods */

/* Adds up to `count` keys of a home bucket, the first ones from *key on. Returns how many found a place. */
static unsigned crowd(twin *t, size_t bucket, unsigned count, size_t *key) {
    unsigned added = 0;
    for (; added < count && *key < t->key_count; ++*key) {
        if (t->notes[*key] || p15_closed_where(&t->closed, *key).bucket != bucket) continue;
        if (!note(t, *key)) break;
        added++;
    }
    return added;
}

/* A home bucket has place for 8 * 128 nodes, wherever it lies; growing spreads them. */
static void test_crowded_bucket(size_t bucket, size_t more) {
    twin t = twin_new(shape_of(2, 3), ROOM);
    size_t key = 0;
    CHECK(crowd(&t, bucket, 2000, &key) == P15_BUCKET_SLOTS * (P15_MOST_DISPLACED + 1));
    CHECK(find(&t.closed, key) == NULL);
    check_all(&t, 101);
    CHECK(p15_closed_grow(&t.closed, more) == P15_OK);
    check_all(&t, 101);
    CHECK(find(&t.closed, key) != NULL);
    twin_free(&t);
}

/* Different keys of 32 bits for different numbers, all over the table. */
static p15_board scattered(size_t number) {
    uint32_t key = (uint32_t)number * 0x85ebca6bu;
    key = (key ^ key >> 13) * 0xc2b2ae35u;
    return key ^ key >> 16;
}

/* Grows piece by piece: in as many pieces as the buckets need, and to the same table as at once. */
static void test_pieces(size_t count, size_t max_bytes, bool grows) {
    p15_closed closed, twin;
    CHECK(p15_closed_init(shape_of(3, 3), memory_of(ROOM), &closed) == P15_OK &&
          p15_closed_init(shape_of(3, 3), memory_of(ROOM), &twin) == P15_OK);
    for (size_t key = 0; key < count; key++) {
        add_new(&closed, scattered(key), key);
        add_new(&twin, scattered(key), key);
    }
    size_t before = closed.bucket_count, pieces = 1;
    p15_status status = enlarge(&twin, 0, max_bytes);
    closed.memory->most = max_bytes;
    for (; !p15_closed_grow_on(&closed); pieces++)
        CHECK(closed.growth && closed.bucket_count == before && closed.node_count == count);
    CHECK(!closed.growth && closed.refused == !grows && (status == P15_OK) == grows);
    if (grows) CHECK(pieces >= (before + P15_MOST_DISPLACED) / (P15_PIECE / P15_BUCKET_SLOTS));
    CHECK(closed.bucket_count == twin.bucket_count && memcmp(closed.slots, twin.slots, twin.memory->used) == 0);
    for (size_t key = 0; key < count; key++) check_numbered(&closed, scattered(key), key);
    pieces = 1;
    for (size_t from = 0; !p15_closed_open_all(&closed, &from);) pieces++;
    CHECK(pieces >= closed.bucket_count / P15_PIECE);
    closed.memory->most = ROOM;
    if (grows && p15_closed_grow_on(&closed)) CHECK(false); /* left amid growing */
    p15_closed_free(&closed);
    p15_closed_free(&twin);
}

/* Two crowds, one behind the other: those of the higher home, carried first, leave the others no place within reach. Such
 * a table has no room any more. */
static void test_growth_that_would_displace_too_far(void) {
    twin t = twin_new(shape_of(2, 3), ROOM);
    size_t key = 0, other = 0;
    CHECK(crowd(&t, 0, 1000, &key) == 1000 && crowd(&t, 50, 600, &other) > 100);
    CHECK(p15_closed_grow(&t.closed, P15_LEAST_GROWTH(64)) == P15_ERR_MEMORY);
    CHECK(t.closed.refused && t.closed.room == 0 && !p15_closed_has_room(&t.closed) && !t.closed.growth);
    twin_free(&t);
}

/* Long runs of full buckets at some place of a larger table, of homes that come now before, now behind each other: what
 * is carried low must not run over what has not been read yet, nor forget what lies high. */
static void test_crowds_in_place(size_t buckets, size_t home, size_t gap, size_t more) {
    twin t = twin_new(shape_of(2, 3), ROOM);
    while (t.closed.bucket_count < buckets) {
        size_t wanted = t.closed.bucket_count * 4;
        CHECK(p15_closed_grow(&t.closed, wanted < buckets ? wanted : buckets) == P15_OK);
    }
    for (size_t key = 0, added = 0; key < t.key_count; key++) { /* one or two crowds, of ten homes each */
        size_t at = p15_closed_where(&t.closed, key).bucket;
        if ((at < home || at >= home + 10) && (at < home + gap || at >= home + gap + 10)) continue;
        if (added < 1000 + 5 * gap && note(&t, key)) added++;
    }
    size_t furthest = 0;
    for (size_t i = 0; i < t.closed.memory->used / sizeof(p15_slot); i++)
        if ((t.closed.slots[i] >> 13 & P15_MOST_DISPLACED) > furthest)
            furthest = t.closed.slots[i] >> 13 & P15_MOST_DISPLACED;
    CHECK(furthest > 80);
    CHECK(p15_closed_grow(&t.closed, more) == P15_OK && t.closed.bucket_count == more);
    check_all(&t, 3);
    twin_free(&t);
}

/* ------------------------------------------------------------------------------------------------ limits */

static void test_refusals(void) {
    p15_closed closed;
    twin t = twin_new(shape_of(2, 3), (90 + P15_MOST_DISPLACED) * 64);
    for (unsigned i = 0; i < 400; i++) CHECK(note(&t, draw((uint32_t)t.key_count)));
    CHECK(t.closed.bucket_count == 64 && t.closed.room == 435);
    CHECK(p15_closed_grow(&t.closed, 64) == P15_ERR_ARGUMENT && p15_closed_grow(&t.closed, 85) == P15_ERR_ARGUMENT);
    CHECK(p15_closed_grow(&t.closed, 0) == P15_ERR_ARGUMENT && p15_closed_grow(&t.closed, 257) == P15_ERR_ARGUMENT);
    CHECK(p15_closed_grow(&t.closed, 91) == P15_ERR_MEMORY && t.closed.bucket_count == 64);
    check_all(&t, 7);
    CHECK(p15_closed_grow(&t.closed, 90) == P15_OK);
    check_all(&t, 7);
    twin_free(&t);

    /* no more buckets than keys, up to the last bit */
    t = twin_new(shape_of(2, 2), ROOM);
    while (t.closed.bucket_count < 4096) CHECK(p15_closed_grow(&t.closed, 4 * t.closed.bucket_count) == P15_OK);
    CHECK(p15_closed_grow(&t.closed, 8192) == P15_ERR_MEMORY && enlarge(&t.closed, 0, ROOM) == P15_ERR_MEMORY);
    for (size_t key = 0; key < t.key_count; key++) { /* each at home, alone */
        CHECK(note(&t, key));
        CHECK(find(&t.closed, key) == t.closed.slots + P15_BUCKET_SLOTS * p15_closed_where(&t.closed, key).bucket);
    }
    twin_free(&t);

    /* the smallest tables */
    for (unsigned rows = 2; rows <= 4; rows++) {
        p15_shape shape = shape_of(rows, 4);
        unsigned least_bits = rows == 4 ? 16 : 6;
        size_t least = (((size_t)1 << least_bits) + P15_MOST_DISPLACED) * 64;
        CHECK(p15_closed_init(shape, memory_of(least - 1), &closed) == P15_ERR_MEMORY);
        CHECK(p15_closed_init(shape, memory_of(least), &closed) == P15_OK && closed.memory->used == least);
        CHECK(enlarge(&closed, 0, least) == P15_ERR_MEMORY);
        CHECK(enlarge(&closed, 0, SIZE_MAX) == P15_ERR_MEMORY); /* more than were reserved */
        p15_closed_free(&closed);
    }
}

int main(void) {
    static const unsigned fractions[][2] = {{4, 3}, {3, 2}, {13, 7}, {2, 1}, {4, 1}};
    for (unsigned i = 0; i < sizeof fractions / sizeof *fractions; i++) {
        test_sizes(shape_of(2, 2), fractions[i][0], fractions[i][1], 4096, 1);
        test_sizes(shape_of(2, 3), fractions[i][0], fractions[i][1], 9000, 997);
    }
    test_boards(shape_of(2, 3), 20000);
    test_boards(shape_of(3, 4), 100000);
    test_boards(shape_of(4, 4), 100000);
    test_crowded_bucket(0, 86);
    test_crowded_bucket(63, 96);
    test_crowded_bucket(31, 255);
    test_growth_that_would_displace_too_far();
    test_pieces(400, ROOM, true);
    test_pieces(60000, ROOM, true);
    test_pieces(60000, 64 * 20000, true);
    test_pieces(60000, 1000, false);
    test_crowds_in_place(1500, 1100, 0, 2000);
    test_crowds_in_place(2500, 2000, 0, 3334);
    test_crowds_in_place(1500, 1100, 60, 6000);
    test_crowds_in_place(2500, 400, 60, 10000);
    test_refusals();
    return 0;
}
