/* Whole multi-tile tables built in memory, and the distances of patterns and of boards from a search that makes every
 * move, one cell after the other. */
#ifndef MULTI_H
#define MULTI_H

#include "multitile/build.h"
#include "tables.h"

typedef struct {
    p15_line_space lines;
    unsigned levels;
    uint64_t states[P15_MULTI_MAX_LEVELS]; /* found in each level, on both axes */
    uint8_t *payload;
    size_t payload_bytes;
    p15_multi_table table;
} multi_built;

/* Level after level, in calls of at most `step` blocks. */
static inline void build_multi(p15_shape shape, unsigned goal_map, unsigned home, p15_cpu cpu, uint32_t step,
                               multi_built *b) {
    p15_multi_build build;
    memset(b, 0, sizeof *b);
    CHECK(p15_line_space_init(shape, twin_count(goal_map), &b->lines) == P15_OK);
    CHECK(p15_multi_build_init(&b->lines, goal_map, home, cpu, &build) == P15_OK);
    for (uint64_t found = 1; found;) {
        CHECK(b->levels < P15_MULTI_MAX_LEVELS);
        found = 0;
        for (unsigned i = 0; i < P15_AXES; i++) {
            unsigned axis = i ^ (b->levels & 1u); /* the axes of a level in any order */
            uint32_t end, count = b->lines.block_count[axis];
            for (uint32_t block = 0; block < count; block = end) {
                end = count - block < step ? count : block + step;
                found += p15_multi_build_level(&build, b->levels, axis, block, end);
            }
        }
        if (found) b->states[b->levels++] = found;
    }
    b->payload_bytes = p15_multi_payload_bytes(&b->lines);
    b->payload = allocate(b->payload_bytes, 1);
    for (unsigned axis = 0; axis < P15_AXES; axis++) CHECK(p15_multi_build_write(&build, axis, b->payload) == P15_OK);
    p15_multi_build_free(&build);
    CHECK(p15_multi_table_init(&b->lines, b->payload, b->payload_bytes, goal_map, home, &b->table) == P15_OK);
}

static inline void free_multi(multi_built *b) {
    p15_multi_table_free(&b->table);
    p15_line_space_free(&b->lines);
    free(b->payload);
}

/* ----------------------------------------------------------------------------------- twins --- */

/* The blank's cells after the moves along an axis, the nearest ones first; returns their number. */
static inline unsigned twin_moves(p15_shape shape, unsigned axis, unsigned blank, unsigned *cells) {
    unsigned count = 0;
    for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++)
        if ((dir == P15_LEFT || dir == P15_RIGHT) == (axis == 0))
            for (int cell = p15_cell_neighbour(shape, blank, dir); cell >= 0;
                 cell = p15_cell_neighbour(shape, (unsigned)cell, dir))
                cells[count++] = (unsigned)cell;
    return count;
}

/* The next cell on the blank's way to a cell of its line. */
static inline unsigned twin_step(p15_shape shape, unsigned blank, unsigned cell) {
    unsigned step = blank / shape.cols == cell / shape.cols ? 1u : shape.cols;
    return cell > blank ? blank + step : blank - step;
}

/* A state of twin_index, after its blank has gone along its line to a cell. */
static inline uint64_t twin_slide(p15_shape shape, unsigned k, uint64_t state, unsigned cell) {
    for (unsigned blank; (blank = state >> (4 * k) & 15u) != cell;) {
        unsigned next = twin_step(shape, blank, cell);
        for (unsigned label = 0; label < k; label++)
            if ((state >> (4 * label) & 15u) == next) state ^= (uint64_t)(blank ^ next) << (4 * label);
        state ^= (uint64_t)(blank ^ next) << (4 * k);
    }
    return state;
}

/* The distances of all states of a pattern, one table per axis of the first move. */
static inline void twin_multi(p15_shape shape, unsigned goal_map, unsigned home, twin_table tables[P15_AXES]) {
    unsigned k = twin_count(goal_map);
    size_t states = 1;
    for (unsigned i = 0; i <= k; i++) states *= shape.cells - i;
    uint64_t goal = (uint64_t)home << (4 * k), other_axis = UINT64_C(1) << 63;
    for (unsigned cell = 0, label = 0; cell < shape.cells; cell++)
        if (goal_map >> cell & 1u) goal |= (uint64_t)cell << (4 * label++);
    twin_list level = {0}, next = {0};
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        tables[axis] = (twin_table){shape, k, allocate(states, 1)};
        memset(tables[axis].values, UNREACHED, states);
        twin_push(&level, goal | axis * other_axis);
    }
    for (unsigned distance = 0; level.count; distance++) {
        next.count = 0;
        for (size_t i = 0; i < level.count; i++) {
            unsigned axis = level.items[i] >> 63, cells[P15_MAX_CELLS];
            uint64_t state = level.items[i] & ~other_axis;
            uint8_t *known = &tables[axis].values[twin_index(&tables[axis], state)];
            if (*known != UNREACHED) continue;
            *known = (uint8_t)distance;
            unsigned count = twin_moves(shape, 1 - axis, state >> (4 * k) & 15u, cells); /* the move that led here */
            for (unsigned j = 0; j < count; j++)
                twin_push(&next, twin_slide(shape, k, state, cells[j]) | (1 - axis) * other_axis);
        }
        twin_list done = level;
        level = next;
        next = done;
    }
    free(level.items);
    free(next.items);
}

static inline void twin_multi_free(twin_table tables[P15_AXES]) {
    free(tables[0].values);
    free(tables[1].values);
}

/* A state of twin_index as cells; the blank's is the last one. */
static inline void twin_cells(unsigned k, uint64_t state, uint8_t *cell_of) {
    for (unsigned i = 0; i <= k; i++) cell_of[i] = state >> (4 * i) & 15u;
}

/* k labels and the blank on cells drawn at random. */
static inline uint64_t draw_state_of(p15_shape shape, unsigned k) {
    uint64_t state = 0;
    for (unsigned i = 0, taken = 0; i <= k;) {
        unsigned cell = draw(shape.cells);
        if (taken >> cell & 1u) continue;
        taken |= 1u << cell;
        state |= (uint64_t)cell << (4 * i++);
    }
    return state;
}

/* Calls a function for each state of k labels. */
static inline void each_state(p15_shape shape, unsigned k, void (*use)(uint64_t state, void *with), void *with) {
    uint64_t end = UINT64_C(1) << (4 * (k + 1));
    for (uint64_t state = 0; state < end;) {
        unsigned taken = 0, i = k + 1;
        uint64_t step = 0; /* the highest digit that is wrong counts on, and those below begin again */
        while (i-- > 0 && !step) {
            unsigned cell = state >> (4 * i) & 15u;
            if (cell >= shape.cells || taken >> cell & 1u) step = UINT64_C(1) << (4 * i);
            taken |= 1u << cell;
        }
        if (!step) use(state, with);
        state = step ? (state & ~(step - 1)) + step : state + 1;
    }
}

/* A board after the blank has gone along its line to a cell. */
static inline p15_board twin_slide_board(p15_shape shape, p15_board board, unsigned cell) {
    for (unsigned blank; (blank = p15_board_blank(board)) != cell;)
        board = p15_board_slide(board, blank, twin_step(shape, blank, cell));
    return board;
}

/* The boards one multi-tile move from a board. */
static inline unsigned twin_multi_children(p15_shape shape, p15_board board, p15_board *children) {
    unsigned cells[P15_MAX_CELLS], count = 0;
    for (unsigned axis = 0; axis < P15_AXES; axis++)
        for (unsigned i = twin_moves(shape, axis, p15_board_blank(board), cells); i-- > 0;)
            children[count++] = twin_slide_board(shape, board, cells[i]);
    return count;
}

#endif
