/* p15_text under the sanitizers: the three forms on every shape, damaged lines, exact-size buffers. */

#include "check.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 128

enum { SLASH, FLAT, COMMAS, COMMA_ROWS, DIGITS, ROWS, JSON, COMPACT_JSON, LIST, COMPACT_LIST, FORMS };

static const struct {
    const char *before, *between, *between_rows, *after;
} AROUND[FORMS] = {
    {"", " ", "/", ""},     {"", " ", " ", ""},   {"", ",", ",", ""},         {"", ",", "/", ""},
    {"", "", "", ""},       {"", "", " ", ""},    {"[[", ", ", "], [", "]]"}, {"[[", ",", "],[", "]]"},
    {"[", ", ", ", ", "]"}, {"[", ",", ",", "]"},
};

static bool has_rows(int form) {
    return form == SLASH || form == COMMA_ROWS || form == ROWS || form == JSON || form == COMPACT_JSON;
}

/* Writes a board in a form, and returns its length. */
static size_t write_line(char *out, const uint8_t *tiles, p15_shape shape, int form) {
    size_t length = (size_t)sprintf(out, "%s", AROUND[form].before);
    for (unsigned cell = 0; cell < shape.cells; cell++) {
        bool row = cell % shape.cols == 0;
        if (cell > 0)
            length += (size_t)sprintf(out + length, "%s", row ? AROUND[form].between_rows : AROUND[form].between);
        length += (size_t)sprintf(out + length, form == DIGITS || form == ROWS ? "%x" : "%u", (unsigned)tiles[cell]);
    }
    return length + (size_t)sprintf(out + length, "%s", AROUND[form].after);
}

/* Reads one line from memory of its very size. */
static p15_board read_alone(const char *line, size_t length, p15_shape wanted, uint8_t shape[1][2]) {
    char *text = malloc(length ? length : 1);
    CHECK(text != NULL);
    memcpy(text, line, length);
    p15_board board = 99;
    p15_text_read_lines(text, length, 1, wanted, &board, shape);
    free(text);
    return board;
}

static void check_forms(p15_shape shape) {
    const p15_shape any = {0, 0, 0};
    for (int turn = 0; turn < 50; turn++) {
        uint8_t tiles[P15_MAX_CELLS];
        for (unsigned i = 0; i < shape.cells; i++) {
            unsigned j = draw(i + 1);
            tiles[i] = tiles[j];
            tiles[j] = (uint8_t)i;
        }
        p15_board board;
        CHECK(p15_board_pack(tiles, shape, &board) == P15_OK);
        for (int form = 0; form < FORMS; form++) {
            char line[LONGEST];
            uint8_t told[1][2];
            size_t length = write_line(line, tiles, shape, form);
            /* Any 16 cells without separate rows are taken for 4x4. */
            unsigned side = shape.cells == 16 ? 4 : shape.cells == 9 ? 3 : shape.cells == 4 ? 2 : 0;
            unsigned rows = has_rows(form) ? shape.rows : side, cols = has_rows(form) ? shape.cols : side;
            if (form == ROWS && shape.cols == 2) continue; /* such words look like numbers */
            CHECK(read_alone(line, length, shape, told) == board);
            CHECK(told[0][0] == shape.rows && told[0][1] == shape.cols);
            CHECK(read_alone(line, length, any, told) == (rows == 0 ? 0 : board));
            CHECK(told[0][0] == rows && told[0][1] == cols);
            /* Without its end, and with a byte of any value in its middle, it is a board or none. */
            CHECK(read_alone(line, length - 1, shape, told) == 0 && told[0][0] == 0 && told[0][1] == 0);
            size_t place = draw((uint32_t)length);
            line[place] = (char)draw(256);
            p15_board other = read_alone(line, length, shape, told);
            CHECK(other == 0 || p15_board_check(other, shape) == P15_OK);
        }
    }
}

static void check_what_is_left_unread(void) {
    static const char lines[] =
        "\n \n0\n1 2/3\n1 2/3 0/\n/1 2/3 0\n1 2//3 0\n1  2/3 0\n 1 2/3 0\n1 2/3 0 \n1 2/3 00\n01 2/3 0\n1 2/3 4\n1 2/3 "
        "b\n"
        "1/2/3/0\n1 2 3/0\n1 2 3 4 0\n12345\n1 2 3 4 5 0\n123456780 \n12345678b\n1 2/3 16\n1 2/3 3\n1,2,3,0 "
        "\n12345678A\n"
        "0123456789abcdef0\n1 2/3 0\r\n1 2 3/4 5 6/7 8 10\n1 2\t3 0\n[1, 2, 3, _]\n[[1, 2], [3, 0]\n[[1, 2],[3, 0]]\n"
        "[[1 2], [3 0]]\n[1, 2, 3, 0]]\n1, 2, 3, 0\n1,2 3,0\n123 45678 0\n1234  5670\n12 30\n12/30\n134/8b5/726\n1__0\n"
        "- 1 2 -3\n";
    const p15_shape any = {0, 0, 0};
    uint8_t told[1][2];
    for (const char *line = lines; *line != '\0'; line = strchr(line, '\n') + 1)
        CHECK(read_alone(line, strcspn(line, "\n"), any, told) == 0);
    CHECK(read_alone("1 2/3 _", 7, any, told) == 0x0321 && read_alone("x,1,2,3", 7, any, told) == 0x3210);
    CHECK(read_alone("12.3", 4, any, told) == 0x3021 && read_alone("[[1, 2, 3, 0]]", 14, any, told) == 0x0321);
    p15_shape wanted;
    CHECK(p15_shape_init(2, 3, &wanted) == P15_OK);
    CHECK(read_alone("1 2/3 4/5 0", 11, wanted, told) == 0);
    CHECK(read_alone("1 2/3 0", 7, wanted, told) == 0);
    CHECK(read_alone("1 2 3 4 5 0", 11, wanted, told) == 0x054321);
}

static void check_lines(void) {
    const char text[] = "1 2/3 0\n\nnonsense\n1230\n2 1 0/3 4 5\n0 1 2 3";
    const p15_shape any = {0, 0, 0};
    const p15_board expected[] = {0x0321, 0, 0, 0x0321, 0x543012, 0x3210, 0, 0};
    const uint8_t rows[] = {2, 0, 0, 2, 2, 2, 0, 0}, cols[] = {2, 0, 0, 2, 3, 2, 0, 0};
    p15_board boards[8];
    uint8_t shapes[8][2];
    p15_text_read_lines(text, sizeof(text) - 1, 8, any, boards, shapes);
    for (int i = 0; i < 8; i++) CHECK(boards[i] == expected[i] && shapes[i][0] == rows[i] && shapes[i][1] == cols[i]);
}

int main(void) {
    for (unsigned rows = 2; rows <= 8; rows++) {
        for (unsigned cols = 2; cols <= 8; cols++) {
            p15_shape shape;
            if (p15_shape_init(rows, cols, &shape) == P15_OK) check_forms(shape);
        }
    }
    check_what_is_left_unread();
    check_lines();
    return 0;
}
