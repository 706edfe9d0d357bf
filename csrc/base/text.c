#include "base/text.h"

#include <string.h>

/* The cells of a line and where its rows end. */
typedef struct {
    uint8_t tiles[P15_MAX_CELLS];
    unsigned cells, rows, cols, row_begin; /* rows is 1 if no row ends before the end of the line */
} p15_cells;

/* What stands around and between numbers. */
typedef struct {
    const char *before, *between, *between_rows, *after;
    bool marks; /* whether the blank may be a mark */
} p15_form;

static const p15_form FORMS[] = {
    {"", " ", "/", "", true},        {"", ",", "/", "", true},      {"[[", ", ", "], [", "]]", false},
    {"[[", ",", "],[", "]]", false}, {"[", ", ", NULL, "]", false}, {"[", ",", NULL, "]", false},
};

static bool is_mark(char c) { return c == '_' || c == '.' || c == '-' || c == 'x'; }

/* The tile of a digit or of a mark, or 16. */
static unsigned tile_of(char c) {
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
    return is_mark(c) ? 0 : 16;
}

static bool add_tile(p15_cells *cells, unsigned tile) {
    if (tile >= P15_MAX_CELLS || cells->cells == P15_MAX_CELLS) return false;
    cells->tiles[cells->cells++] = (uint8_t)tile;
    return true;
}

/* Whether the row that ends here is as long as the first one. */
static bool end_row(p15_cells *cells) {
    unsigned cols = cells->cells - cells->row_begin;
    if (cells->rows++ == 0) cells->cols = cols;
    cells->row_begin = cells->cells;
    return cols == cells->cols;
}

static bool read_digits(const char *line, const char *end, p15_cells *out) {
    for (; line < end; line++)
        if (*line == ' ' ? !end_row(out) : !add_tile(out, tile_of(*line))) return false;
    return end_row(out);
}

/* Go on behind `what` if it stands here. */
static bool skip(const char **line, const char *end, const char *what) {
    const char *at = *line;
    for (; *what != '\0'; what++)
        if (at == end || *at++ != *what) return false;
    *line = at;
    return true;
}

static bool read_numbers(const char *line, const char *end, const p15_form *form, p15_cells *out) {
    if (!skip(&line, end, form->before)) return false;
    for (;;) {
        if (line == end || !((*line >= '0' && *line <= '9') || (form->marks && is_mark(*line)))) return false;
        unsigned number = tile_of(*line++);
        if (number != 0 && line < end && *line >= '0' && *line <= '9') number = 10 * number + tile_of(*line++);
        if (!add_tile(out, number)) return false;
        if (skip(&line, end, form->between)) continue;
        if (!end_row(out)) return false;
        if (form->between_rows == NULL || !skip(&line, end, form->between_rows))
            return skip(&line, end, form->after) && line == end;
    }
}

static bool read_cells(const char *line, const char *end, p15_cells *out) {
    /* The shortest board has four cells, and only digits have no separator at the first three places. */
    if (end - line > 2 && tile_of(line[0]) < 16 && tile_of(line[1]) < 16 && tile_of(line[2]) < 16) {
        *out = (p15_cells){.cells = 0};
        return read_digits(line, end, out);
    }
    for (size_t i = 0; i < sizeof(FORMS) / sizeof(FORMS[0]); i++) {
        *out = (p15_cells){.cells = 0};
        if (read_numbers(line, end, &FORMS[i], out)) return true;
    }
    return false;
}

/* The board of a line, and its shape; 0 if it is to be left unread. */
static p15_board read_line(const char *line, const char *end, p15_shape wanted, p15_shape *shape) {
    p15_cells cells;
    if (!read_cells(line, end, &cells)) return 0;
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
