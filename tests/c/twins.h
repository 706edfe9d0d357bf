/*
 * Slow, obvious twins of the C core, written from the definitions alone.
 *
 * A placement is an array at[cell]: the label of the pattern's tile there, or EMPTY.
 */
#ifndef TWINS_H
#define TWINS_H

#include "check.h"
#include "base/board.h"
#include "base/cpu.h"

#include <string.h>

#define EMPTY 0xff

static inline void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    CHECK(memory != NULL);
    return memory;
}

/* The levels of instructions that this processor has, in turn. */
static inline p15_cpu next_level(void) {
    static unsigned calls;
    return (p15_cpu)(calls++ % (p15_cpu_highest() + 1u));
}

static inline p15_shape shape_of(unsigned rows, unsigned cols) {
    p15_shape shape;
    CHECK(p15_shape_init(rows, cols, &shape) == P15_OK);
    return shape;
}

static inline unsigned twin_count(unsigned cells) {
    unsigned count = 0;
    for (unsigned cell = 0; cell < 32; cell++) count += cells >> cell & 1u;
    return count;
}

/* The free cells that hang together with `cell`, added to `region`. */
static inline unsigned twin_region(p15_shape shape, unsigned map, unsigned cell, unsigned region) {
    if ((map | region) >> cell & 1u) return region;
    region |= 1u << cell;
    for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
        int next = p15_cell_neighbour(shape, cell, dir);
        if (next >= 0) region = twin_region(shape, map, (unsigned)next, region);
    }
    return region;
}

static inline unsigned twin_map(p15_shape shape, const uint8_t *at) {
    unsigned map = 0;
    for (unsigned cell = 0; cell < shape.cells; cell++)
        if (at[cell] != EMPTY) map |= 1u << cell;
    return map;
}

static inline uint32_t twin_perm(p15_shape shape, const uint8_t *at) {
    uint32_t perm = 0;
    unsigned position = 0;
    for (unsigned cell = 0; cell < shape.cells; cell++)
        if (at[cell] != EMPTY) perm |= (uint32_t)at[cell] << (3 * position++);
    return perm;
}

static inline void twin_place(p15_shape shape, unsigned map, uint32_t perm, uint8_t *at) {
    for (unsigned cell = 0; cell < shape.cells; cell++) {
        at[cell] = EMPTY;
        if (map >> cell & 1u) {
            at[cell] = perm & 7u;
            perm >>= 3;
        }
    }
}

/* Where a board stands among all orders of its numbers: 0 .. cells!-1. */
static inline size_t twin_rank(p15_shape shape, p15_board board) {
    size_t rank = 0;
    for (unsigned i = 0; i < shape.cells; i++) {
        unsigned smaller = 0;
        for (unsigned j = i + 1; j < shape.cells; j++) smaller += p15_board_tile(board, j) < p15_board_tile(board, i);
        rank = rank * (shape.cells - i) + smaller;
    }
    return rank;
}

/* Writes the boards one move from a board, and returns their number. */
typedef unsigned twin_children(p15_shape shape, p15_board board, p15_board *children);

static inline unsigned twin_slides(p15_shape shape, p15_board board, p15_board *children) {
    unsigned blank = p15_board_blank(board), count = 0;
    for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
        int cell = p15_cell_neighbour(shape, blank, direction);
        if (cell >= 0) children[count++] = p15_board_slide(board, blank, (unsigned)cell);
    }
    return count;
}

/* Every board of a small shape that reaches the goal, in the order of the distances; and, by rank, the distance of each
 * board: 255 for the other half. */
typedef struct {
    p15_board *boards;
    uint8_t *lengths;
    size_t count;
} atlas;

static inline atlas make_atlas(p15_shape shape, p15_board goal, twin_children *children) {
    size_t orders = 1;
    for (unsigned i = 2; i <= shape.cells; i++) orders *= i;
    atlas a = {allocate(orders / 2, sizeof(p15_board)), allocate(orders, 1), 1};
    memset(a.lengths, 255, orders);
    a.boards[0] = goal;
    a.lengths[twin_rank(shape, goal)] = 0;
    for (size_t i = 0; i < a.count; i++) {
        p15_board next[2 * P15_MAX_CELLS];
        unsigned length = a.lengths[twin_rank(shape, a.boards[i])];
        for (unsigned j = children(shape, a.boards[i], next); j-- > 0;) {
            uint8_t *of_next = &a.lengths[twin_rank(shape, next[j])];
            if (*of_next != 255) continue;
            *of_next = (uint8_t)(length + 1);
            a.boards[a.count++] = next[j];
        }
    }
    CHECK(a.count == orders / 2);
    return a;
}

static inline void free_atlas(atlas *a) {
    free(a->boards);
    free(a->lengths);
}

/* The lengths of an atlas. */
static inline uint8_t *distances(p15_shape shape, p15_board goal) {
    atlas a = make_atlas(shape, goal, twin_slides);
    free(a.boards);
    return a.lengths;
}

/* A board that reaches the goal. */
static inline p15_board draw_board(p15_shape shape, p15_board goal) {
    uint8_t tiles[P15_MAX_CELLS];
    p15_board board;
    do {
        for (unsigned i = 0; i < shape.cells; i++) {
            unsigned j = draw(i + 1);
            tiles[i] = tiles[j];
            tiles[j] = (uint8_t)i;
        }
        CHECK(p15_board_pack(tiles, shape, &board) == P15_OK);
    } while (!p15_board_solvable(board, goal, shape));
    return board;
}

/* Labels 0 .. k-1 in an order drawn at random. */
static inline uint32_t draw_perm(unsigned k) {
    uint8_t labels[8] = {0};
    uint32_t perm = 0;
    for (unsigned i = 0; i < k; i++) {
        unsigned j = draw(i + 1);
        labels[i] = labels[j];
        labels[j] = (uint8_t)i;
    }
    for (unsigned i = 0; i < k; i++) perm |= (uint32_t)labels[i] << (3 * i);
    return perm;
}

#endif
