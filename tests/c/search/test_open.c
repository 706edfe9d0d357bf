/* p15_open: puts and takes at random against a sorted array; chunks that are used again; limits. */

#include "search/best_first/open.h"
#include "twins.h"

#define ROOM ((size_t)64 << 20)
#define MOST 4000

typedef struct {
    unsigned row, column;
    uint64_t number; /* of its coming */
    p15_board board;
    uint64_t word;
} item;

/* What is open, in the order in which it is to leave. */
typedef struct {
    bool last_first;
    size_t count;
    uint64_t numbers;
    item items[MOST];
} twin;

static bool leaves_before(const twin *t, const item *a, const item *b) {
    if (a->row != b->row) return a->row < b->row;
    if (a->column != b->column) return a->column < b->column;
    return t->last_first ? a->number > b->number : a->number < b->number;
}

static void twin_put(twin *t, item new) {
    size_t at = t->count++;
    CHECK(t->count <= MOST);
    for (; at > 0 && leaves_before(t, &new, &t->items[at - 1]); at--) t->items[at] = t->items[at - 1];
    t->items[at] = new;
}

static item twin_take(twin *t) {
    item first = t->items[0];
    memmove(&t->items[0], &t->items[1], --t->count * sizeof *t->items);
    return first;
}

/* Boards of any bits: the list looks at none. */
static item draw_item(twin *t, unsigned rows, unsigned columns) {
    uint64_t board = (uint64_t)draw(UINT32_MAX) << 32 | (draw(UINT32_MAX) + 1u);
    return (item){draw(rows), draw(columns), t->numbers++, board, board ^ t->numbers << 40};
}

static void put(p15_open *open, twin *t, item new) {
    CHECK(p15_open_put(open, new.row, new.column, new.board, new.word) == P15_OK);
    twin_put(t, new);
}

static void take(p15_open *open, twin *t) {
    unsigned row = 77, column = 77;
    p15_board board = 77;
    uint64_t word = 77;
    if (t->count == 0) {
        CHECK(open->count == 0 && p15_open_first(open) == NULL && p15_open_next(open) == 0);
        CHECK(!p15_open_take(open, &row, &column, &board, &word));
        CHECK(row == 77 && column == 77 && board == 77 && word == 77);
        return;
    }
    item wanted = twin_take(t);
    CHECK(p15_open_next(open) == wanted.board);
    CHECK(p15_open_take(open, &row, &column, &board, &word));
    CHECK(row == wanted.row && column == wanted.column && board == wanted.board);
    CHECK(word == (open->wide ? wanted.word : 77));
    CHECK(open->count == t->count);
}

/* Waves of more puts and of more takes, so that lists fill many chunks and run empty. */
static void test_waves(bool last_first, bool wide, unsigned rows, unsigned columns, unsigned steps) {
    static twin t;
    p15_open open;
    p15_memory memory = {.most = ROOM};
    t.last_first = last_first;
    t.count = 0;
    CHECK(p15_open_init(last_first, wide, columns, &memory, &open) == P15_OK);
    for (unsigned i = 0; i < steps; i++) {
        unsigned puts = i / 1500 % 2 ? 3 : 7; /* of ten */
        if (draw(10) < puts && t.count < MOST)
            put(&open, &t, draw_item(&t, rows, columns));
        else
            take(&open, &t);
        CHECK(memory.used <= ROOM);
    }
    while (t.count) take(&open, &t);
    take(&open, &t);
    put(&open, &t, draw_item(&t, rows, columns)); /* of any row, after all have been passed */
    take(&open, &t);
    p15_open_free(&open);
}

/* Once the most entries have been seen, filling as much again takes no more chunks. */
static void test_chunks_are_used_again(bool last_first, bool wide) {
    static twin t;
    p15_open open;
    p15_memory memory = {.most = ROOM};
    size_t most = 0;
    t.last_first = last_first;
    t.count = 0;
    CHECK(p15_open_init(last_first, wide, 1, &memory, &open) == P15_OK);
    for (unsigned round = 0; round < 6; round++) {
        for (unsigned i = 0; i < 2000; i++) {
            item new = draw_item(&t, 1, 1);
            new.row = round;
            put(&open, &t, new);
        }
        if (round == 0) most = open.chunk_count;
        CHECK(open.chunk_count == most && most == 1 + (2000 + open.per_chunk - 1) / open.per_chunk);
        while (t.count) take(&open, &t);
    }
    p15_open_free(&open);
}

/* With little memory: puts fail when it is used up, change nothing, and succeed again after takes. */
static void test_limits(bool last_first, bool wide, unsigned rows, unsigned columns, size_t max_bytes) {
    static twin t;
    p15_open open;
    p15_memory memory = {.most = max_bytes};
    t.last_first = last_first;
    t.count = 0;
    CHECK(p15_open_init(last_first, wide, columns, &memory, &open) == P15_OK);
    for (unsigned round = 0; round < 3; round++) {
        unsigned refused = 0;
        while (refused < 5 && t.count < MOST) {
            item new = draw_item(&t, rows, columns);
            size_t count = open.count;
            p15_status status = p15_open_put(&open, new.row, new.column, new.board, new.word);
            CHECK(status == P15_OK || status == P15_ERR_MEMORY);
            CHECK(memory.used <= max_bytes && open.count == count + (status == P15_OK));
            if (status == P15_OK)
                twin_put(&t, new);
            else
                refused++;
        }
        CHECK(refused == 5);
        for (unsigned i = 0; i < 10; i++) take(&open, &t);
        if (round == 1)
            while (t.count) take(&open, &t);
    }
    memory.most = 0; /* the owner needs it all: what is filed stays */
    for (unsigned i = 0; i < 300; i++) {
        CHECK(p15_open_put(&open, rows, 0, 1, 1) == P15_ERR_MEMORY);
        take(&open, &t);
    }
    memory.most = max_bytes;
    while (t.count) take(&open, &t);
    p15_open_free(&open);
}

static void test_bounds(void) {
    p15_open open;
    p15_memory memory = {.most = 4095};
    unsigned row, column;
    p15_board board;
    CHECK(p15_open_init(false, false, 1, &memory, &open) == P15_ERR_MEMORY);
    memory.most = 4096;
    CHECK(p15_open_init(false, false, 1, &memory, &open) == P15_OK);
    CHECK(p15_open_put(&open, P15_OPEN_MOST_ROWS - 1, 0, 1, 0) == P15_ERR_MEMORY);
    CHECK(p15_open_put(&open, 5, 0, 1, 0) == P15_OK);
    p15_open_free(&open);
    memory = (p15_memory){.most = ROOM};
    CHECK(p15_open_init(false, false, 1, &memory, &open) == P15_OK);
    CHECK(p15_open_put(&open, P15_OPEN_MOST_ROWS, 0, 1, 0) == P15_ERR_ARGUMENT);
    CHECK(p15_open_put(&open, UINT32_MAX, 0, 1, 0) == P15_ERR_ARGUMENT && open.count == 0 && open.row_count == 0);
    CHECK(p15_open_put(&open, P15_OPEN_MOST_ROWS - 1, 0, 15, 0) == P15_OK);
    CHECK(p15_open_take(&open, &row, &column, &board, NULL) && row == P15_OPEN_MOST_ROWS - 1 && board == 15);
    CHECK(memory.used < ROOM && memory.used > (P15_OPEN_MOST_ROWS - 1) * sizeof(p15_open_row));
    p15_open_free(&open);
}

int main(void) {
    for (unsigned i = 0; i < 4; i++) {
        bool last_first = i & 1u, wide = i & 2u;
        test_waves(last_first, wide, 1, 1, 12000);
        test_waves(last_first, wide, 5, 1, 12000);
        test_waves(last_first, wide, 3, 4, 12000);
        test_waves(last_first, wide, 300, 1, 6000);
        test_waves(last_first, wide, 40, P15_OPEN_COLUMNS, 12000);
        test_chunks_are_used_again(last_first, wide);
        test_limits(last_first, wide, 4, 1, 16000);
        test_limits(last_first, wide, 300, 1, 40000);
        test_limits(last_first, wide, 10, P15_OPEN_COLUMNS, 60000);
        test_limits(last_first, wide, 1, 1, 4096);
    }
    test_bounds();
    return 0;
}
