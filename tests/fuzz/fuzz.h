/* What the fuzzers share: numbers and boards from the bytes of an input.
 *
 * A fuzzer is a function that libFuzzer (clang) calls with one input after the other; a sanitizer or a failed CHECK ends
 * it. All of its memory that is read out of bounds must be noticed, so arrays that the core reads have exactly their size.
 *
 * An input that is used up goes on with zeros. */
#ifndef FUZZ_H
#define FUZZ_H

#include "base/path.h"
#include "twins.h"

typedef struct {
    const uint8_t *at, *end;
} input;

static inline unsigned take(input *in) { return in->at < in->end ? *in->at++ : 0; }
static inline unsigned below(input *in, unsigned bound) { return take(in) % bound; }
static inline uint32_t take2(input *in) { return take(in) | take(in) << 8; }
static inline uint32_t take4(input *in) { return take2(in) | take2(in) << 16; }

/* A level of instructions that this processor has. */
static inline p15_cpu take_level(input *in) { return (p15_cpu)below(in, p15_cpu_highest() + 1u); }

/* One of the shapes that there are, tall ones and wide ones. */
static inline p15_shape take_shape(input *in) {
    p15_shape shape;
    unsigned sides = take(in);
    if (p15_shape_init(2 + sides % 7, 2 + sides / 7 % 7, &shape) != P15_OK) shape = shape_of(3, 3);
    return shape;
}

/* A board that reaches the goal, by a walk. */
static inline p15_board take_walk(input *in, p15_shape shape, p15_board goal) {
    unsigned moves = take(in);
    uint32_t random = take2(in);
    for (unsigned blank = p15_board_blank(goal), last = P15_DIRECTIONS; moves > 0; moves--) {
        random = random * 1664525u + 1013904223u;
        unsigned direction = random >> 30;
        int cell = p15_cell_neighbour(shape, blank, direction);
        if (cell < 0 || direction + last == 3) continue;
        goal = p15_board_slide(goal, blank, (unsigned)cell);
        blank = (unsigned)cell;
        last = direction;
    }
    return goal;
}

/* The same, one time in eight any word, which is rarely a board. */
static inline p15_board take_board(input *in, p15_shape shape, p15_board goal) {
    if (below(in, 8) < 7) return take_walk(in, shape, goal);
    uint64_t low = take4(in), high = take4(in);
    return high << 32 | low;
}

/* The cells of a word as a board: a permutation, solvable or not. */
static inline p15_board take_permutation(input *in, p15_shape shape) {
    uint8_t tiles[P15_MAX_CELLS];
    p15_board board = 0;
    for (unsigned i = 0; i < shape.cells; i++) {
        unsigned j = below(in, i + 1);
        tiles[i] = tiles[j];
        tiles[j] = (uint8_t)i;
    }
    CHECK(p15_board_pack(tiles, shape, &board) == P15_OK);
    return board;
}

/* Memory of exactly so many bytes, filled from the input. */
static inline uint8_t *take_bytes(input *in, size_t count) {
    uint8_t *bytes = malloc(count ? count : 1);
    CHECK(bytes != NULL);
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)take(in);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
