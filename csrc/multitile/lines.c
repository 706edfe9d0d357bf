#include "multitile/lines.h"

#include <stdlib.h>
#include <string.h>

/* The rank of a sequence of k different numbers below k. */
static uint32_t perm_rank(const uint8_t *labels, unsigned k) {
    uint64_t rank = 0;
    for (unsigned i = 0, used = 0; i < k; used |= 1u << labels[i++]) rank = p15_rank_next(rank, k - i, used, labels[i]);
    return (uint32_t)rank;
}

static void perm_unrank(uint32_t rank, unsigned k, uint8_t *labels) {
    unsigned left = (1u << k) - 1u;
    for (unsigned i = 0; i < k; i++) {
        uint32_t after = (uint32_t)p15_arrangements(k - 1 - i, k - 1 - i);
        labels[i] = (uint8_t)p15_nth_bit(left, rank / after);
        rank %= after;
        left &= ~(1u << labels[i]);
    }
}

/* The number of a cell, counted along an axis. */
static unsigned counted(p15_shape shape, unsigned axis, unsigned cell) {
    return axis == 0 ? cell : cell % shape.cols * shape.rows + cell / shape.cols;
}

/* Takes the position of the blank out of a set of cells that are counted along an axis. */
static unsigned without(unsigned cells, unsigned blank) {
    unsigned below = (1u << blank) - 1u;
    return (cells & below) | (cells >> 1 & ~below);
}

static p15_crossing crossing_of(const p15_line_space *lines, unsigned axis, unsigned line, unsigned map,
                                unsigned cell) {
    unsigned cells = lines->line_cells[axis], blank = line * cells + cell;
    uint8_t rank_at[P15_MAX_CELLS], source[P15_MULTI_MAX_PATTERN]; /* rank_at: of a cell counted along the other axis */
    unsigned seen = 0, there = 0, other_cells = lines->line_count[axis];
    for (unsigned position = 0; position + 1 < lines->shape.cells; position++) {
        if (!(map >> position & 1u)) continue;
        unsigned here = position + (position >= blank);
        unsigned other = here % cells * other_cells + here / cells;
        rank_at[other] = (uint8_t)seen++;
        there |= 1u << other;
    }
    unsigned count = 0;
    for (unsigned bits = there; bits; bits &= bits - 1) source[count++] = rank_at[p15_lowest_bit(bits)];
    unsigned other_map = without(there, cell * other_cells + line);
    return (p15_crossing){(uint16_t)(cell * lines->map_count + lines->rank[other_map]),
                          (uint16_t)perm_rank(source, lines->k)};
}

p15_status p15_line_space_init(p15_shape shape, unsigned k, p15_line_space *lines) {
    if (k < 1 || k > P15_MULTI_MAX_PATTERN || k >= shape.cells) return P15_ERR_PATTERN;
    unsigned positions = shape.cells - 1u;
    memset(lines, 0, sizeof *lines);
    lines->shape = shape;
    lines->k = k;
    lines->perm_count = (uint32_t)p15_arrangements(k, k);
    lines->map_count = (uint32_t)p15_arrangements(positions, k) / lines->perm_count;
    lines->line_cells[0] = lines->line_count[1] = shape.cols;
    lines->line_cells[1] = lines->line_count[0] = shape.rows;
    lines->rank = malloc(sizeof *lines->rank << positions);
    lines->maps = malloc(sizeof *lines->maps * lines->map_count);
    lines->reorder = malloc(sizeof *lines->reorder * lines->perm_count * lines->perm_count);
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        lines->block_count[axis] = lines->line_count[axis] * lines->map_count;
        size_t count = (size_t)lines->block_count[axis] * lines->line_cells[axis];
        lines->crossings[axis] =
            axis == 1 && shape.rows == shape.cols ? lines->crossings[0] : malloc(sizeof(p15_crossing) * count);
    }
    if (!lines->rank || !lines->maps || !lines->reorder || !lines->crossings[0] || !lines->crossings[1]) {
        p15_line_space_free(lines);
        return P15_ERR_MEMORY;
    }
    uint16_t count = 0;
    for (unsigned map = 0; map < 1u << positions; map++) {
        lines->rank[map] = count;
        if (p15_count_bits(map) == k) lines->maps[count++] = (uint16_t)map;
    }
    for (unsigned axis = 0; axis < P15_AXES && (axis == 0 || lines->crossings[1] != lines->crossings[0]); axis++)
        for (uint32_t block = 0; block < lines->block_count[axis]; block++)
            for (unsigned cell = 0; cell < lines->line_cells[axis]; cell++)
                lines->crossings[axis][(size_t)block * lines->line_cells[axis] + cell] =
                    crossing_of(lines, axis, block / lines->map_count, lines->maps[block % lines->map_count], cell);
    for (uint32_t order = 0; order < lines->perm_count; order++) {
        uint8_t source[P15_MULTI_MAX_PATTERN], labels[P15_MULTI_MAX_PATTERN], there[P15_MULTI_MAX_PATTERN];
        perm_unrank(order, k, source);
        for (uint32_t perm = 0; perm < lines->perm_count; perm++) {
            perm_unrank(perm, k, labels);
            for (unsigned i = 0; i < k; i++) there[i] = labels[source[i]];
            lines->reorder[order * lines->perm_count + perm] = (uint16_t)perm_rank(there, k);
        }
    }
    return P15_OK;
}

void p15_line_space_free(p15_line_space *lines) {
    free(lines->rank);
    free(lines->maps);
    free(lines->reorder);
    if (lines->crossings[1] != lines->crossings[0]) free(lines->crossings[1]);
    free(lines->crossings[0]);
    memset(lines, 0, sizeof *lines);
}

p15_line_state p15_line_space_state(const p15_line_space *lines, unsigned axis, const uint8_t *cell_of,
                                    unsigned blank) {
    uint8_t label_at[P15_MAX_CELLS], labels[P15_MULTI_MAX_PATTERN];
    unsigned cells = 0, count = 0, position = counted(lines->shape, axis, blank);
    for (unsigned label = 0; label < lines->k; label++) {
        unsigned cell = counted(lines->shape, axis, cell_of[label]);
        label_at[cell] = (uint8_t)label;
        cells |= 1u << cell;
    }
    for (unsigned bits = cells; bits; bits &= bits - 1) labels[count++] = label_at[p15_lowest_bit(bits)];
    unsigned line = position / lines->line_cells[axis];
    return (p15_line_state){(uint16_t)(line * lines->map_count + lines->rank[without(cells, position)]),
                            (uint16_t)perm_rank(labels, lines->k), (uint8_t)(position % lines->line_cells[axis])};
}

p15_line_state p15_line_space_goal(const p15_line_space *lines, unsigned axis, unsigned goal_map, unsigned home) {
    uint8_t cell_of[P15_MULTI_MAX_PATTERN];
    unsigned label = 0;
    for (unsigned bits = goal_map; bits; bits &= bits - 1) cell_of[label++] = (uint8_t)p15_lowest_bit(bits);
    return p15_line_space_state(lines, axis, cell_of, home);
}
