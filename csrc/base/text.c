#include "base/text.h"

#include <string.h>

/* The cells of a line and where its rows end. */
typedef struct {
    uint8_t tiles[P15_MAX_CELLS];
    unsigned cells, rows, cols; /* rows is 1 if the line has no '/' */
} p15_cells;

/* The value of a digit, or 16. */
static unsigned digit_of(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
    return 16;
}

static bool read_digits(const char *line, const char *end, p15_cells *out) {
    for (; line < end; line++) {
        unsigned digit = digit_of(*line);
        if (digit == 16 || out->cells == P15_MAX_CELLS) return false;
        out->tiles[out->cells++] = (uint8_t)digit;
    }
    return true;
}

static bool read_numbers(const char *line, const char *end, p15_cells *out) {
    for (unsigned row_begin = 0;;) {
        if (line == end || *line < '0' || *line > '9' || out->cells == P15_MAX_CELLS) return false;
        unsigned number = (unsigned)(*line++ - '0');
        if (number != 0 && line < end && *line >= '0' && *line <= '9') number = 10 * number + (unsigned)(*line++ - '0');
        if (number >= P15_MAX_CELLS) return false;
        out->tiles[out->cells++] = (uint8_t)number;
        if (line < end && *line == ' ') {
            line++;
            continue;
        }
        /* The end of a row. All rows are as long as the first one. */
        if (line < end && *line != '/') return false;
        unsigned cols = out->cells - row_begin;
        if (out->rows++ == 0) out->cols = cols;
        if (cols != out->cols) return false;
        if (line == end) return true;
        line++;
        row_begin = out->cells;
    }
}

/* The board of a line, and its shape; 0 if it is to be left unread. */
static p15_board read_line(const char *line, const char *end, p15_shape wanted, p15_shape *shape) {
    p15_cells cells = {.cells = 0};
    size_t length = (size_t)(end - line);
    /* The shortest board has four cells, and only digits have no separator at the second and the third place. */
    bool digits = length > 2 && digit_of(line[1]) < 16 && digit_of(line[2]) < 16;
    if (!(digits ? read_digits(line, end, &cells) : read_numbers(line, end, &cells))) return 0;
    if (cells.rows > 1) {
        if (p15_shape_init(cells.rows, cells.cols, shape) != P15_OK) return 0;
    } else if (wanted.cells != 0) {
        *shape = wanted;
    } else {
        unsigned side = cells.cells == 16 ? 4 : cells.cells == 9 ? 3 : 2;
        if (p15_shape_init(side, side, shape) != P15_OK) return 0;
    }
    if (shape->cells != cells.cells) return 0;
    if (wanted.cells != 0 && (shape->rows != wanted.rows || shape->cols != wanted.cols)) return 0;
    p15_board board = 0;
    return p15_board_pack(cells.tiles, *shape, &board) == P15_OK ? board : 0;
}

void p15_text_read_lines(const char *text, size_t length, size_t count, p15_shape wanted, p15_board *boards,
                         uint8_t (*shapes)[2]) {
    const char *line = text, *stop = text + length;
    for (size_t i = 0; i < count; i++) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        if (end == NULL) end = stop;
        p15_shape shape = {0};
        boards[i] = read_line(line, end, wanted, &shape);
        shapes[i][0] = boards[i] == 0 ? 0 : shape.rows;
        shapes[i][1] = boards[i] == 0 ? 0 : shape.cols;
        line = end < stop ? end + 1 : stop;
    }
}
