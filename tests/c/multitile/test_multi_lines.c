/* p15_line_space: numbers of lines against their definition, and turns against real moves. */

#include "multi.h"

/* Of each cell, in the order of an axis: the label there, the blank, or nothing. */
enum { BLANK = 100, NONE };

static void lay_out(p15_shape shape, unsigned axis, unsigned k, const uint8_t *cell_of, uint8_t *at) {
    for (unsigned place = 0; place < shape.cells; place++) {
        unsigned cell = axis == 0 ? place : place % shape.rows * shape.cols + place / shape.rows;
        at[place] = NONE;
        for (unsigned label = 0; label <= k; label++)
            if (cell_of[label] == cell) at[place] = label < k ? (uint8_t)label : BLANK;
    }
}

static bool same(p15_line_state a, p15_line_state b) {
    return a.block == b.block && a.perm == b.perm && a.cell == b.cell;
}

/* The state by the header's definition. */
static p15_line_state twin_of(const p15_line_space *lines, unsigned axis, const uint8_t *cell_of) {
    uint8_t at[P15_MAX_CELLS];
    p15_shape shape = lines->shape;
    unsigned set = 0, place = 0, line = 0, cell = 0, perm = 0, rank = 0, length = axis == 0 ? shape.cols : shape.rows;
    lay_out(shape, axis, lines->k, cell_of, at);
    for (unsigned i = 0; i < shape.cells; i++) {
        if (at[i] == BLANK) {
            line = i / length;
            cell = i % length;
        } else {
            set |= (at[i] != NONE ? 1u : 0u) << place++;
        }
    }
    unsigned seen = 0; /* sequences that are smaller: those of each digit that are */
    for (unsigned i = 0; i < shape.cells; i++) {
        unsigned smaller = 0;
        if (at[i] >= BLANK) continue;
        for (unsigned j = i + 1; j < shape.cells; j++) smaller += at[j] < at[i];
        perm = perm * (lines->k - seen++) + smaller;
    }
    for (unsigned other = 0; other < set; other++) rank += twin_count(other) == lines->k;
    return (p15_line_state){(uint16_t)(line * lines->map_count + rank), (uint16_t)perm, (uint8_t)cell};
}

/* The state of k tiles and a blank, what its turns and moves lead to, and back. */
static void check_state(const p15_line_space *lines, uint64_t state) {
    uint8_t cell_of[P15_MULTI_MAX_PATTERN + 1];
    unsigned k = lines->k;
    twin_cells(k, state, cell_of);
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        p15_line_state here = p15_line_space_state(lines, axis, cell_of, cell_of[k]);
        CHECK(same(here, twin_of(lines, axis, cell_of)));
        CHECK(here.block < lines->block_count[axis] && here.perm < lines->perm_count);
        CHECK(here.cell < lines->line_cells[axis]);
        CHECK(p15_line_space_entry(lines, here) < p15_line_space_entries(lines, axis));
        p15_line_state there = p15_line_space_turn(lines, axis, here);
        CHECK(same(there, p15_line_space_state(lines, 1 - axis, cell_of, cell_of[k])));
        CHECK(same(here, p15_line_space_turn(lines, 1 - axis, there)));

        unsigned cells[P15_MAX_CELLS], seen = 1u << here.cell;
        for (unsigned i = twin_moves(lines->shape, axis, cell_of[k], cells); i-- > 0;) {
            uint8_t moved[P15_MULTI_MAX_PATTERN + 1];
            twin_cells(k, twin_slide(lines->shape, k, state, cells[i]), moved);
            p15_line_state after = p15_line_space_state(lines, axis, moved, moved[k]);
            CHECK(after.block == here.block && after.perm == here.perm);
            seen |= 1u << after.cell;
        }
        CHECK(seen == (1u << lines->line_cells[axis]) - 1u);
    }
}

typedef struct {
    const p15_line_space *lines;
    uint8_t *cells[P15_AXES]; /* [entry] those seen */
} cover;

static void cover_state(uint64_t state, void *with) {
    cover *c = with;
    uint8_t cell_of[P15_MULTI_MAX_PATTERN + 1];
    check_state(c->lines, state);
    twin_cells(c->lines->k, state, cell_of);
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        p15_line_state here = p15_line_space_state(c->lines, axis, cell_of, cell_of[c->lines->k]);
        uint8_t *seen = &c->cells[axis][p15_line_space_entry(c->lines, here)];
        CHECK(!(*seen >> here.cell & 1u));
        *seen |= (uint8_t)(1u << here.cell);
    }
}

/* Each state is one cell of one line of each axis, and each cell of a line is a state. */
static void check_all(const p15_line_space *lines) {
    cover c = {lines, {NULL, NULL}};
    for (unsigned axis = 0; axis < P15_AXES; axis++) c.cells[axis] = allocate(p15_line_space_entries(lines, axis), 1);
    each_state(lines->shape, lines->k, cover_state, &c);
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        for (size_t entry = 0; entry < p15_line_space_entries(lines, axis); entry++)
            CHECK(c.cells[axis][entry] == (1u << lines->line_cells[axis]) - 1u);
        free(c.cells[axis]);
    }
}

int main(int count, char **arguments) {
    bool slow = is_slow(count, arguments);
    p15_line_space lines;
    for (unsigned rows = 2; rows <= 8; rows++)
        for (unsigned cols = 2; rows * cols <= P15_MAX_CELLS; cols++) {
            p15_shape shape = shape_of(rows, cols);
            CHECK(p15_line_space_init(shape, 0, &lines) == P15_ERR_PATTERN);
            CHECK(p15_line_space_init(shape, shape.cells, &lines) == P15_ERR_PATTERN);
            CHECK(p15_line_space_init(shape, P15_MULTI_MAX_PATTERN + 1, &lines) == P15_ERR_PATTERN);
            for (unsigned k = 1; k <= P15_MULTI_MAX_PATTERN && k < shape.cells; k++) {
                if (k > 4 && shape.cells > 9 && !slow) continue;
                CHECK(p15_line_space_init(shape, k, &lines) == P15_OK);
                for (unsigned i = 0; i < 20; i++) check_state(&lines, draw_state_of(shape, k));
                if (p15_line_space_entries(&lines, 0) < 3000) check_all(&lines);
                p15_line_space_free(&lines);
            }
        }
    CHECK(p15_line_space_init(shape_of(4, 4), 6, &lines) == P15_OK); /* the numbers of the header */
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        CHECK(lines.block_count[axis] == 20020 && p15_line_space_entries(&lines, axis) == 14414400);
        CHECK(sizeof(p15_turn) * lines.block_count[axis] * lines.line_cells[axis] == 320320);
    }
    CHECK(p15_multi_payload_bytes(&lines) / 100000 == 288 && p15_multi_build_bytes(&lines) / 1000000 == 173);
    CHECK(lines.perm_count == 720 && sizeof *lines.reorder * 720 * 720 == 1036800);
    for (unsigned i = 0; i < 200; i++) check_state(&lines, draw_state_of(lines.shape, 6));
    p15_line_space_free(&lines);
    return 0;
}
