#include "search/heuristics/patterns.h"

#include <string.h>

/* The cells of a board in order, in bits of the board. */
static const uint8_t SHIFT_OF[P15_MAX_CELLS] = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};

void p15_patterns_init(p15_shape shape, p15_board goal, p15_patterns *sum) {
    memset(sum, 0, sizeof *sum);
    sum->shape = shape;
    sum->goal = goal;
}

/* The next pattern, whose tiles are these. It belongs to the sum when `take` is called. */
static void take(p15_patterns *sum, unsigned tiles) {
    for (unsigned tile = 1; tile < sum->shape.cells; tile++)
        if ((tiles >> tile & 1u) || (tiles & 1u)) sum->moved[tile] |= (uint16_t)(1u << sum->count);
    sum->patterns[sum->count++].tiles = (uint16_t)tiles;
}

p15_status p15_patterns_add_table(p15_patterns *sum, const p15_table *table) {
    unsigned home = p15_board_blank(sum->goal), tiles = 0;
    const p15_space *space = table->space;
    if (sum->count == P15_MAX_PATTERNS) return P15_ERR_ARGUMENT;
    if (space->shape.cells != sum->shape.cells || space->shape.cols != sum->shape.cols ||
        table->goal_map >> home & 1u || p15_space_block(space, table->goal_map, home) != table->goal_block)
        return P15_ERR_PATTERN;
    p15_pattern *p = &sum->patterns[sum->count];
    p->table = table;
    for (unsigned cell = 0, label = 0; cell < sum->shape.cells; cell++) {
        if (!(table->goal_map >> cell & 1u)) continue;
        unsigned tile = p15_board_tile(sum->goal, cell);
        p->labels[tile] = (uint8_t)label++;
        tiles |= 1u << tile;
    }
    take(sum, tiles);
    return P15_OK;
}

p15_status p15_patterns_add_array(p15_patterns *sum, const p15_array *array) {
    unsigned cells = sum->shape.cells, tiles = 0, reached = 0;
    if (sum->count == P15_MAX_PATTERNS || array->divisor == 0) return P15_ERR_ARGUMENT;
    if (array->count < 1 || array->count > P15_MAX_ARRAY_PATTERN || array->count > cells || array->size < 1 ||
        array->size > p15_arrangements(sum->shape.cells, array->count))
        return P15_ERR_PATTERN;
    for (unsigned i = 0; i < array->count; i++) {
        if (array->order[i] >= cells || tiles >> array->order[i] & 1u || array->home[i] >= cells)
            return P15_ERR_PATTERN;
        tiles |= 1u << array->order[i];
    }
    for (unsigned cell = 0; cell < cells; cell++) {
        if (array->cell_to[cell] >= cells || reached >> array->cell_to[cell] & 1u) return P15_ERR_ARGUMENT;
        reached |= 1u << array->cell_to[cell];
    }
    p15_pattern *p = &sum->patterns[sum->count];
    p->array = *array;
    for (unsigned i = 0; i < array->count; i++)
        for (unsigned cell = 0; cell < cells && array->order[i]; cell++)
            p->distance[i][cell] = (uint8_t)p15_cell_distance(sum->shape, cell, array->home[i]);
    take(sum, tiles);
    return P15_OK;
}

/* An array's value, from the cell of each tile of the board. */
static inline unsigned array_value(const p15_pattern *p, unsigned cells, const uint8_t *cell_of) {
    const p15_array *array = &p->array;
    unsigned taken = 0;
    uint64_t entry = 0;
    for (unsigned i = 0; i < array->count; i++) {
        unsigned cell = array->cell_to[cell_of[array->order[i]]];
        entry = p15_rank_next(entry, cells - i, taken, cell);
        taken |= 1u << cell;
    }
    if (array->divisor > 1) entry /= array->divisor;
    if (entry >= array->size) entry %= array->size;
    unsigned value = array->values[entry];
    for (unsigned i = 0; array->beyond_manhattan && i < array->count; i++)
        value += p->distance[i][array->cell_to[cell_of[array->order[i]]]];
    return value > array->less ? value - array->less : 0;
}

static inline void find_cells(p15_board board, unsigned cells, uint8_t *cell_of) {
    for (unsigned cell = 0; cell < cells; cell++) cell_of[p15_board_tile(board, cell)] = (uint8_t)cell;
}

p15_status p15_patterns_value(const p15_patterns *sum, p15_board board, unsigned *value) {
    unsigned cells = sum->shape.cells, total = 0;
    uint8_t cell_of[P15_MAX_CELLS];
    find_cells(board, cells, cell_of);
    for (unsigned i = 0; i < sum->count; i++) {
        const p15_pattern *p = &sum->patterns[i];
        unsigned map, found;
        uint32_t perm;
        if (p->table) {
            p15_pattern_state(board, cells, SHIFT_OF, p->tiles, p->labels, &map, &perm);
            p15_status status = p15_table_value(p->table, map, perm, cell_of[0], &found);
            if (status != P15_OK) return status;
        } else {
            found = array_value(p, cells, cell_of);
        }
        total += found;
    }
    *value = total;
    return P15_OK;
}

int p15_patterns_change(const p15_patterns *sum, p15_board parent, unsigned blank, unsigned tile, unsigned cell) {
    unsigned cells = sum->shape.cells;
    uint8_t before[P15_MAX_CELLS], after[P15_MAX_CELLS];
    int change = 0;
    bool placed = false;
    for (unsigned left = sum->moved[tile]; left; left &= left - 1) {
        const p15_pattern *p = &sum->patterns[p15_lowest_bit(left)];
        if (p->table) {
            unsigned map;
            uint32_t perm;
            p15_pattern_state(parent, cells, SHIFT_OF, p->tiles, p->labels, &map, &perm);
            change += p15_table_change(p->table, map, perm, cell, blank);
            continue;
        }
        if (!placed) {
            find_cells(parent, cells, before);
            memcpy(after, before, sizeof after);
            after[tile] = (uint8_t)blank;
            after[0] = (uint8_t)cell;
            placed = true;
        }
        change += (int)array_value(p, cells, after) - (int)array_value(p, cells, before);
    }
    return change;
}
