/* p15_open: its order against a plain sort, for all kinds of lists; rows at and beside powers of two, where it grows;
 * limits of memory. */

#include "check.h"
#include "search/best_first/open.h"

#define COUNT 3000u

typedef struct {
    unsigned row, column, put;
} entry;

static bool last_first;

static int in_order(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return (x->put < y->put) != last_first ? -1 : 1;
}

static void check_order(bool wide, unsigned columns, unsigned rows) {
    p15_memory memory = {.most = (size_t)64 << 20};
    p15_open open;
    CHECK(p15_open_init(last_first, wide, columns, &memory, &open) == P15_OK);
    static entry entries[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        entries[i] = (entry){draw(rows), draw(columns), i};
        CHECK(p15_open_put(&open, entries[i].row, entries[i].column, i + 1, 2 * i) == P15_OK);
        CHECK(entries[i].row < open.row_count && open.count == i + 1);
    }
    qsort(entries, COUNT, sizeof *entries, in_order);
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned row, column;
        p15_board board;
        uint64_t word = 2 * (uint64_t)entries[i].put;
        CHECK(p15_open_next(&open) == entries[i].put + 1);
        CHECK(p15_open_take(&open, &row, &column, &board, &word));
        CHECK(row == entries[i].row && column == entries[i].column && board == entries[i].put + 1);
        CHECK(word == 2 * (uint64_t)entries[i].put);
    }
    CHECK(p15_open_next(&open) == 0 && open.count == 0);
    p15_open_free(&open);
}

/* The first entry is in this row, so the rows are made for it alone. */
static void check_first_row(unsigned row) {
    p15_memory memory = {.most = (size_t)64 << 20};
    p15_open open;
    CHECK(p15_open_init(true, false, 1, &memory, &open) == P15_OK);
    p15_status status = p15_open_put(&open, row, 0, 7, 0);
    CHECK(status == (row < P15_OPEN_MOST_ROWS ? P15_OK : P15_ERR_ARGUMENT));
    CHECK(status != P15_OK || (row < open.row_count && open.row_count <= 2 * row + 64 && p15_open_next(&open) == 7));
    p15_open_free(&open);
}

/* Every byte is counted before it is taken: rows, then the lists of one, then a chunk. */
static void check_memory(unsigned row, unsigned rows) {
    size_t first = P15_OPEN_CHUNK_BYTES, of_rows = rows * sizeof(p15_open_row), of_lists = 3 * sizeof(p15_open_list);
    for (size_t most = 4 * first; most <= 2 * first + of_rows + of_lists; most++) {
        p15_memory memory = {.most = most};
        p15_open open;
        CHECK(p15_open_init(false, false, 3, &memory, &open) == P15_OK);
        bool whole = most == 2 * first + of_rows + of_lists;
        CHECK(p15_open_put(&open, row, 2, 7, 0) == (whole ? P15_OK : P15_ERR_MEMORY) && open.count == whole);
        size_t used = first;
        if (most - used >= of_rows) used += of_rows;
        CHECK(open.row_count == (used > first ? rows : 0));
        if (used > first && most - used >= of_lists) used += of_lists;
        CHECK(memory.used == used + (whole ? first : 0));
        p15_open_free(&open);
    }
}

int main(void) {
    check_memory(128, 256);
    for (unsigned kind = 0; kind < 4; kind++) {
        last_first = kind & 1u;
        check_order(kind >> 1, 1, 1);
        check_order(kind >> 1, 7, 5);
        check_order(kind >> 1, P15_OPEN_COLUMNS, 300);
    }
    for (unsigned row = 1; row <= P15_OPEN_MOST_ROWS; row *= 2)
        for (unsigned beside = row - 1; beside <= row + 1; beside++) check_first_row(beside);
    return 0;
}
