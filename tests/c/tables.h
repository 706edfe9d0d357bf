/* Whole tables built in memory, and the values they should hold from a search without regions,
 * ranks or planes. */
#ifndef TABLES_H
#define TABLES_H

#include "tables/build.h"
#include "twins.h"

typedef struct {
    p15_space space;
    bool classic;
    unsigned goal_map, home, max_value;
    uint8_t *payload;
    size_t payload_bytes;
    uint64_t states[P15_MAX_LEVELS], placements[P15_MAX_LEVELS]; /* found in each level */
} built;

static inline void build_free(built *b) {
    p15_space_free(&b->space);
    free(b->payload);
}

/* Level after level until one finds nothing. `sparse`: a call sees only the planes that it may. */
static inline void build_levels(p15_build *build, bool sparse, built *b) {
    uint64_t *planes[2][P15_SEGMENTS];
    memcpy(planes, build->planes, sizeof planes);
    p15_build_start(build);
    b->states[0] = b->placements[0] = 1;
    for (unsigned level = 1; b->states[level - 1]; level++) {
        CHECK(level < P15_MAX_LEVELS);
        for (unsigned segment = 0; segment < P15_SEGMENTS; segment++) {
            bool sources[P15_SEGMENTS] = {false};
            if (!p15_build_touches(build, level, segment)) continue;
            if (p15_build_sources(build, level, segment, sources) == 0) continue;
            if (sparse) {
                memset(build->planes, 0, sizeof build->planes);
                for (unsigned s = 0; s < P15_SEGMENTS; s++)
                    if (sources[s]) build->planes[(level - 1) >> 1 & 1][s] = planes[(level - 1) >> 1 & 1][s];
                build->planes[0][segment] = planes[0][segment];
                build->planes[1][segment] = planes[1][segment];
            }
            p15_build_level(build, level, segment, &b->states[level], &b->placements[level]);
            memcpy(build->planes, planes, sizeof planes);
        }
        if (b->states[level]) b->max_value = level;
    }
}

/* A build whose planes are there, and the table that it is to fill. */
static inline void build_open(p15_shape shape, unsigned goal_map, unsigned home, bool classic, p15_cpu cpu,
                              p15_build *build, built *b) {
    memset(b, 0, sizeof *b);
    b->classic = classic;
    b->goal_map = goal_map;
    b->home = home;
    p15_space *space = &b->space;
    CHECK(p15_space_init(shape, twin_count(goal_map), space) == P15_OK);
    CHECK(p15_build_init(space, goal_map, home, classic, cpu, build) == P15_OK);

    size_t map_bytes = p15_map_nibble_bytes(space), columns = ((size_t)space->block_count + 63) / 64;
    b->payload_bytes = classic ? space->map_count * map_bytes : space->row_count * columns * 8;
    b->payload = allocate(b->payload_bytes, 1);
    size_t nibbles = 0;
    for (unsigned segment = 0; segment < P15_SEGMENTS; segment++) {
        size_t bytes = p15_build_plane_bytes(space, segment);
        for (unsigned plane = 0; plane < 2 && bytes; plane++) build->planes[plane][segment] = allocate(bytes, 1);
        build->nibbles[segment] = b->payload + nibbles;
        nibbles += p15_build_nibble_bytes(space, segment);
    }
    CHECK(nibbles == space->map_count * map_bytes);
}

/* The rows of a zero-aware table, when all levels are done. */
static inline void build_rows(p15_build *build, built *b) {
    const p15_space *space = &b->space;
    size_t columns = ((size_t)space->block_count + 63) / 64; /* in words of 64 blocks */
    unsigned k = space->k, word_rows = k < 2 ? 1 : k * (k - 1);
    uint64_t *column = allocate(columns * 64, sizeof *column);
    for (uint32_t word = 0; word < space->word_count; word++) {
        for (unsigned segment = 0; segment < P15_SEGMENTS; segment++)
            if (build->planes[1][segment]) p15_build_collect(build, segment, word, word + 1, column);
        p15_build_transpose(build, column, b->payload + (size_t)word * word_rows * columns * 8);
    }
    free(column);
}

static inline void build_close(p15_build *build) {
    for (unsigned segment = 0; segment < P15_SEGMENTS; segment++) {
        free(build->planes[0][segment]);
        free(build->planes[1][segment]);
    }
    p15_build_free(build);
}

static inline void build_table(p15_shape shape, unsigned goal_map, unsigned home, bool classic, p15_cpu cpu,
                               bool sparse, built *b) {
    p15_build build;
    build_open(shape, goal_map, home, classic, cpu, &build, b);
    build_levels(&build, sparse, b);
    if (!classic) build_rows(&build, b);
    build_close(&build);
}

/* ------------------------------------------------------------------------------------ twin --- */

#define UNREACHED 255

/* The fewest moves of pattern tiles for every placement and cell of the blank. */
typedef struct {
    p15_shape shape;
    unsigned k;
    uint8_t *values;
} twin_table;

/* A state is the cells of the labels and last the blank's, a nibble each. */
static inline size_t twin_index(const twin_table *t, uint64_t state) {
    size_t index = 0;
    for (unsigned i = 0; i <= t->k; i++) {
        unsigned cell = state >> (4 * i) & 15u, free_below = cell;
        for (unsigned j = 0; j < i; j++) free_below -= (state >> (4 * j) & 15u) < cell;
        index = index * (t->shape.cells - i) + free_below;
    }
    return index;
}

typedef struct {
    uint64_t *items;
    size_t count, room;
} twin_list;

static inline void twin_push(twin_list *list, uint64_t item) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        list->items = realloc(list->items, list->room * sizeof *list->items);
        CHECK(list->items != NULL);
    }
    list->items[list->count++] = item;
}

/* Moves of the blank past other tiles cost nothing, those that move a tile of the pattern one. */
static inline void twin_build(p15_shape shape, unsigned goal_map, unsigned home, twin_table *t) {
    size_t states = 1;
    t->shape = shape;
    t->k = twin_count(goal_map);
    for (unsigned i = 0; i <= t->k; i++) states *= shape.cells - i;
    t->values = allocate(states, 1);
    memset(t->values, UNREACHED, states);

    uint64_t goal = (uint64_t)home << (4 * t->k);
    for (unsigned cell = 0, label = 0; cell < shape.cells; cell++)
        if (goal_map >> cell & 1u) goal |= (uint64_t)cell << (4 * label++);
    twin_list level = {0}, next = {0};
    twin_push(&level, goal);
    for (unsigned value = 0; level.count; value++) {
        CHECK(value < UNREACHED);
        for (size_t i = 0; i < level.count; i++) {
            uint64_t state = level.items[i];
            uint8_t *known = &t->values[twin_index(t, state)];
            if (*known != UNREACHED) continue;
            *known = (uint8_t)value;
            unsigned blank = state >> (4 * t->k) & 15u;
            for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
                int cell = p15_cell_neighbour(shape, blank, dir);
                if (cell < 0) continue;
                uint64_t after = state ^ (uint64_t)(blank ^ (unsigned)cell) << (4 * t->k);
                unsigned label = 0;
                while (label < t->k && (state >> (4 * label) & 15u) != (unsigned)cell) label++;
                if (label < t->k) after ^= (uint64_t)(blank ^ (unsigned)cell) << (4 * label);
                twin_push(label < t->k ? &next : &level, after);
            }
        }
        twin_list done = level;
        level = next;
        next = done;
        next.count = 0;
    }
    free(level.items);
    free(next.items);
}

static inline unsigned twin_value(const twin_table *t, unsigned map, uint32_t perm, unsigned blank) {
    uint64_t state = (uint64_t)blank << (4 * t->k);
    for (unsigned cell = 0; cell < t->shape.cells; cell++)
        if (map >> cell & 1u) {
            state |= (uint64_t)cell << (4 * (perm & 7u));
            perm >>= 3;
        }
    return t->values[twin_index(t, state)];
}

/* The sum of the tiles' distances from the cells of their labels in the goal. */
static inline unsigned twin_manhattan(p15_shape shape, unsigned goal_map, unsigned map, uint32_t perm) {
    uint8_t at[P15_MAX_CELLS];
    unsigned goal_of[8] = {0}, sum = 0;
    for (unsigned cell = 0, label = 0; cell < shape.cells; cell++)
        if (goal_map >> cell & 1u) goal_of[label++] = cell;
    twin_place(shape, map, perm, at);
    for (unsigned cell = 0; cell < shape.cells; cell++)
        if (at[cell] != EMPTY) {
            unsigned goal = goal_of[at[cell]];
            sum += (unsigned)(abs((int)(cell / shape.cols) - (int)(goal / shape.cols)) +
                              abs((int)(cell % shape.cols) - (int)(goal % shape.cols)));
        }
    return sum;
}

/* The states that one move of a tile leads to, as block * row_count + row; returns their number. */
static inline unsigned twin_neighbours(const p15_space *space, uint32_t block, uint32_t row, size_t *states) {
    p15_shape shape = space->shape;
    unsigned map = space->block_map[block], region = space->block_region[block], count = 0;
    uint32_t perm = p15_space_unrank(space, row);
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            int next = p15_cell_neighbour(shape, cell, dir);
            if (!(map >> cell & 1u) || next < 0 || !(region >> next & 1u)) continue;
            uint8_t at[P15_MAX_CELLS];
            twin_place(shape, map, perm, at);
            at[next] = at[cell];
            at[cell] = EMPTY;
            states[count++] = (size_t)p15_space_block(space, twin_map(shape, at), cell) * space->row_count +
                              p15_space_row(space, twin_perm(shape, at));
        }
    return count;
}

/* k cells, the home not among them. */
static inline unsigned draw_map(p15_shape shape, unsigned k, unsigned home) {
    unsigned map = 0;
    while (twin_count(map) < k) map |= 1u << draw(shape.cells) & ~(1u << home);
    return map;
}

#endif
