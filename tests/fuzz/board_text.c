/* Lines of text as boards: what is read is a board, is read again from each form in which it is written, and does not
 * depend on the other lines. Input: a shape, how many lines are asked for beyond those that there are, and the text. */

#include "base/text.h"
#include "fuzz.h"

/* base/text.h: its six forms, `between` the numbers of a row and between rows. */
static size_t write_board(p15_board board, p15_shape shape, unsigned form, char *text) {
    static const char *const FORMS[][4] = {
        {"", " ", "/", ""}, {"", ",", "/", ""}, {"[[", ", ", "], [", "]]"}, {"[[", ",", "],[", "]]"}, {"", "", " ", ""},
    };
    const char *const *f = FORMS[form];
    char *at = text + sprintf(text, "%s", f[0]);
    for (unsigned cell = 0; cell < shape.cells; cell++) {
        if (cell) at += sprintf(at, "%s", cell % shape.cols ? f[1] : f[2]);
        at += sprintf(at, form == 4 ? "%x" : "%u", p15_board_tile(board, cell));
    }
    return (size_t)(at + sprintf(at, "%s", f[3]) - text);
}

static void check_again(p15_board board, p15_shape shape) {
    for (unsigned form = 0; form < 5; form++) {
        char text[256];
        p15_board again;
        uint8_t sides[2];
        size_t length = write_board(board, shape, form, text);
        if (form == 4 && shape.cols < 3) continue; /* a row of digits has at least three cells */
        p15_text_read_lines(text, length, 1, (p15_shape){0}, &again, &sides);
        CHECK(again == board && sides[0] == shape.rows && sides[1] == shape.cols);
        p15_text_read_lines(text, length, 1, shape, &again, &sides);
        CHECK(again == board && sides[0] == shape.rows && sides[1] == shape.cols);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { MOST = 64 };
    input in = {data, data + size};
    unsigned kind = take(&in), more = kind >> 6;
    p15_shape wanted = {0};
    if (p15_shape_init(2 + kind % 8, 2 + kind / 8 % 8, &wanted) != P15_OK) wanted = (p15_shape){0};
    size_t length = (size_t)(in.end - in.at), count = 1 + more;
    char *text = (char *)take_bytes(&in, length);
    for (size_t i = 0; i < length; i++) count += text[i] == '\n';
    if (count > MOST) count = MOST;
    p15_board *boards = allocate(count, sizeof *boards);
    uint8_t (*shapes)[2] = allocate(count, sizeof *shapes);
    p15_text_read_lines(text, length, count, wanted, boards, shapes);

    const char *line = text, *stop = text + length;
    for (size_t i = 0; i < count; i++) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        if (!end) end = stop;
        p15_board alone;
        uint8_t sides[2];
        p15_text_read_lines(line, (size_t)(end - line), 1, wanted, &alone, &sides);
        CHECK(alone == boards[i] && sides[0] == shapes[i][0] && sides[1] == shapes[i][1]);
        if (boards[i]) {
            p15_shape shape;
            CHECK(p15_shape_init(shapes[i][0], shapes[i][1], &shape) == P15_OK);
            CHECK(p15_board_check(boards[i], shape) == P15_OK);
            CHECK(!wanted.cells || (shape.rows == wanted.rows && shape.cols == wanted.cols));
            check_again(boards[i], shape);
        } else
            CHECK(shapes[i][0] == 0 && shapes[i][1] == 0);
        line = end < stop ? end + 1 : stop;
    }
    free(text);
    free(boards);
    free(shapes);
    return 0;
}
