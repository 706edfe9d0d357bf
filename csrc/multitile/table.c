#include "multitile/table.h"

#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 1000u /* of a descent; distances are below 60 */

/* Reads the codebooks, and what each code means. */
static p15_status read_codebook(const uint8_t *codebook, p15_multi_code *codes) {
    for (unsigned number = 0; number < 256; number++) {
        const uint8_t *excess = codebook + 4 * (number / 3 % P15_CODEBOOK_SIZE);
        p15_multi_code *code = &codes[number];
        code->excess = 0;
        code->others = number % 3 * 0x40404040u;
        for (unsigned cell = 0; cell < 4; cell++) {
            unsigned others = P15_MOST_EXCESS;
            if (excess[cell] > P15_MOST_EXCESS) return P15_ERR_CORRUPT;
            for (unsigned other = 0; other < 4; other++)
                if (other != cell && excess[other] < others) others = excess[other];
            code->excess |= (uint32_t)excess[cell] << (8 * cell);
            code->others |= (others + 1) << (8 * cell);
        }
    }
    return P15_OK;
}

/* ------------------------------------------------------------------------------------------------ near home */

#define ENOUGH_NEAR (P15_NEAR_SLOTS / 8) /* lines; one more level has at most seven times as many */

/* The slot of a line, or the empty one where it belongs. */
static p15_near_line *find_near(const p15_multi_table *table, unsigned axis, p15_line_state state) {
    uint32_t key = 2 * (uint32_t)p15_line_space_entry(table->lines, state) + axis + 1;
    uint32_t slot = key * 2654435769u >> 17;
    while (table->near[slot].key != 0 && table->near[slot].key != key) slot = (slot + 1) % P15_NEAR_SLOTS;
    return &table->near[slot];
}

/* A cell of a line that has been reached. */
typedef struct {
    p15_line_state state;
    uint8_t axis;
} reached;

/* Lists lines near home, level by level as p15_multi_build does. */
static p15_status list_near(p15_multi_table *table) {
    const p15_line_space *lines = table->lines;
    size_t capacity = P15_NEAR_SLOTS, count = 0, lines_found = 0;
    table->near = calloc(P15_NEAR_SLOTS, sizeof *table->near);
    reached *level = malloc(sizeof *level * capacity), *next = malloc(sizeof *next * capacity);
    if (!table->near || !level || !next) {
        free(table->near);
        free(level);
        free(next);
        return P15_ERR_MEMORY;
    }
    for (unsigned axis = 0; axis < P15_AXES; axis++) level[count++] = (reached){table->goal[axis], (uint8_t)axis};
    for (unsigned distance = 0; count > 0 && lines_found < ENOUGH_NEAR; distance++) {
        for (size_t i = 0; i < count; i++) {
            p15_near_line *line = find_near(table, level[i].axis, level[i].state);
            lines_found += line->key == 0;
            line->key = 2 * (uint32_t)p15_line_space_entry(lines, level[i].state) + level[i].axis + 1;
            line->fresh |= (uint8_t)(1u << level[i].state.cell);
        }
        size_t next_count = 0;
        for (size_t i = 0; i < count; i++) {
            unsigned axis = level[i].axis, all = (1u << lines->line_cells[axis]) - 1u;
            p15_near_line *line = find_near(table, axis, level[i].state);
            unsigned before = line->done, now = line->fresh & ~before, further = 0;
            line->fresh = 0;
            if (!now) continue; /* the second time in this level, or home again */
            if (before == 0) {
                line->smallest = (uint8_t)distance;
                further = now & (now - 1) ? all : all & ~now;
            } else if ((before & (before - 1)) == 0) {
                further = before;
            }
            line->done |= (uint8_t)now;
            for (; further; further &= further - 1) {
                p15_line_state there = level[i].state;
                there.cell = (uint8_t)p15_lowest_bit(further);
                if (next_count < capacity)
                    next[next_count++] = (reached){p15_line_space_cross(lines, axis, there), (uint8_t)(1 - axis)};
            }
        }
        reached *swap = level;
        level = next;
        next = swap;
        count = next_count;
    }
    free(level);
    free(next);
    return P15_OK;
}

p15_status p15_multi_table_init(const p15_line_space *lines, const uint8_t *payload, size_t payload_bytes,
                                unsigned goal_map, unsigned home, p15_multi_table *table) {
    if (!p15_is_goal(lines->shape, lines->k, goal_map, home)) return P15_ERR_PATTERN;
    if (payload_bytes != p15_multi_payload_bytes(lines)) return P15_ERR_ARGUMENT;
    memset(table, 0, sizeof *table);
    table->lines = lines;
    table->goal_map = goal_map;
    table->home = home;
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        if (!p15_multi_coded(lines, axis)) continue;
        p15_status status = read_codebook(payload, table->codes[axis]);
        if (status != P15_OK) return status;
        payload += P15_CODEBOOK_BYTES;
    }
    table->entries[0] = payload;
    table->entries[1] = payload + p15_multi_axis_bytes(lines, 0);
    for (unsigned axis = 0; axis < P15_AXES; axis++)
        table->goal[axis] = p15_line_space_goal(lines, axis, goal_map, home);
    return list_near(table);
}

void p15_multi_table_free(p15_multi_table *table) {
    free(table->near);
    table->near = NULL;
}

/* A line's entry as numbers. */
typedef struct {
    bool coded;
    unsigned remainder; /* of the smallest distance; of coded lines */
    uint8_t excess[P15_MAX_LINE], others[P15_MAX_LINE];
} line_numbers;

static line_numbers read_line(const p15_multi_table *table, unsigned axis, p15_line_state state) {
    const p15_line_space *lines = table->lines;
    unsigned cells = lines->line_cells[axis], bytes = p15_multi_entry_bytes(cells);
    const uint8_t *position = table->entries[axis] + p15_line_space_entry(lines, state) * bytes;
    line_numbers line = {p15_multi_coded(lines, axis), 0, {0}, {0}};
    if (line.coded) {
        p15_multi_code code = table->codes[axis][*position];
        line.remainder = code.others >> 30;
        for (unsigned i = 0; i < cells; i++) line.excess[i] = (uint8_t)(code.excess >> (8 * i));
    } else {
        for (unsigned i = 0; i < cells; i++) line.excess[i] = position[i / 2] >> (4 * (i % 2)) & 15u;
    }
    for (unsigned i = 0; i < cells; i++) {
        line.others[i] = P15_MOST_EXCESS;
        for (unsigned j = 0; j < cells; j++)
            if (j != i && line.excess[j] < line.others[i]) line.others[i] = line.excess[j];
    }
    return line;
}

/* Whether the entry of the first line holds the exact excess at a crossing, or a lower one. */
typedef enum { LOWERED, UNCERTAIN, EXACT } certainty;

static certainty compare(const line_numbers *first, unsigned cell, const line_numbers *second, unsigned second_cell) {
    unsigned held = second->excess[second_cell];
    unsigned sum = 2u + first->others[cell] + second->others[second_cell], second_excess = sum - first->excess[cell];
    if (sum < first->excess[cell] || second_excess < held) return LOWERED;
    if (!second->coded && held < P15_MOST_EXCESS) return second_excess == held ? EXACT : LOWERED;
    if (!first->coded && first->excess[cell] < P15_MOST_EXCESS) return EXACT;
    if (!first->coded || !second->coded) return UNCERTAIN;
    unsigned difference = first->remainder + 3 - second->remainder; /* of the smallest distances, and 3 */
    if ((difference + 1 + first->others[cell]) % 3 != second_excess % 3) return LOWERED;
    return second_excess - held < 3 ? EXACT : UNCERTAIN;
}

/* The smallest distance of a state's line, by steepest descent. */
static p15_status descend(const p15_multi_table *table, unsigned axis, p15_line_state state, int *smallest) {
    const p15_line_space *lines = table->lines;
    line_numbers line = read_line(table, axis, state);
    *smallest = 0;
    for (unsigned steps = 0; steps < MOST_STEPS; steps++) {
        const p15_near_line *near = find_near(table, axis, state);
        if (near->done) {
            *smallest += near->smallest;
            return P15_OK;
        }
        /* One of the cells with the smallest held excess really has it. */
        unsigned best = 0, uncertain = 0, least = line.others[state.cell];
        certainty found = LOWERED;
        p15_line_state best_state = state;
        line_numbers best_line = line;
        for (unsigned cell = 0; cell < lines->line_cells[axis] && found != EXACT; cell++) {
            if (cell == state.cell || line.excess[cell] > least) continue;
            p15_line_state here = state;
            here.cell = (uint8_t)cell;
            here = p15_line_space_cross(lines, axis, here);
            line_numbers crossed = read_line(table, 1 - axis, here);
            certainty now = compare(&line, cell, &crossed, here.cell);
            uncertain += now == UNCERTAIN;
            if (now <= found) continue;
            found = now;
            best = cell;
            best_state = here;
            best_line = crossed;
        }
        if (found == LOWERED) return P15_ERR_CORRUPT;
        unsigned excess = 2u + line.others[best] + best_line.others[best_state.cell] - least; /* on the next line */
        if (found == UNCERTAIN && uncertain > 1) /* as far down as it may be: a lower bound */
            excess -= (excess - best_line.excess[best_state.cell]) / 3 * 3;
        *smallest += (int)excess - 1 - (int)line.others[best];
        state = best_state;
        line = best_line;
        axis = 1 - axis;
    }
    return P15_ERR_CORRUPT;
}

p15_status p15_multi_table_value(const p15_multi_table *table, p15_line_state state, unsigned values[P15_AXES]) {
    const p15_line_space *lines = table->lines;
    p15_line_state home = table->goal[0];
    values[0] = values[1] = 0;
    if (state.block == home.block && state.perm == home.perm && state.cell == home.cell) return P15_OK;
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        p15_line_state start = axis == 0 ? state : p15_line_space_cross(lines, 0, state);
        int smallest;
        p15_status status = descend(table, axis, start, &smallest);
        if (status != P15_OK) return status;
        line_numbers line = read_line(table, axis, start);
        if (smallest < 0) return P15_ERR_CORRUPT;
        values[axis] = 1u + (unsigned)smallest + line.others[start.cell];
    }
    return P15_OK;
}
