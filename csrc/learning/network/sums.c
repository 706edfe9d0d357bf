#include "learning/network/sums.h"

#include "base/bits.h"

#include "learning/network/kernels.h"

#define NEAR 6u /* cells that differ: 12 rows are cheaper than 15, but not much */

/* Unsigned, so that what leaves the range on the way comes back. */

#if defined(__GNUC__)
typedef uint16_t shorts __attribute__((vector_size(32), may_alias));
typedef int16_t signed_shorts __attribute__((vector_size(32), may_alias));
typedef uint32_t words __attribute__((vector_size(32), may_alias));
#else
typedef uint16_t shorts;
typedef int16_t signed_shorts;
typedef uint32_t words;
#endif
#define PARTS 4u /* vectors whose sums are in registers together: their bytes divide a row's */

#define DEFINE_SUMS(vector, word)                                                                     \
    P15_INLINE void start_##vector(void *sums, const void *rows, const void *biases, unsigned width,  \
                                   p15_board board) {                                                 \
        const vector *row[16];                                                                        \
        size_t count = width * sizeof(word) / sizeof(vector);                                         \
        for (unsigned cell = 0; cell < 16; cell++)                                                    \
            row[cell] = (const vector *)rows + (16 * p15_board_tile(board, cell) + cell) * count;     \
        for (size_t i = 0; i < count; i += PARTS) {                                                   \
            const vector *bias = (const vector *)biases + i;                                          \
            vector a = bias[0], b = bias[1], c = bias[2], d = bias[3];                                \
            for (unsigned cell = 0; cell < 16; cell++) {                                              \
                const vector *from = row[cell] + i;                                                   \
                a += from[0];                                                                         \
                b += from[1];                                                                         \
                c += from[2];                                                                         \
                d += from[3];                                                                         \
            }                                                                                         \
            vector *to = (vector *)sums + i;                                                          \
            to[0] = a;                                                                                \
            to[1] = b;                                                                                \
            to[2] = c;                                                                                \
            to[3] = d;                                                                                \
        }                                                                                             \
    }                                                                                                 \
    P15_INLINE void change_##vector(void *sums, const void *less, const void *more, unsigned width) { \
        size_t count = width * sizeof(word) / sizeof(vector);                                         \
        for (size_t i = 0; i < count; i++)                                                            \
            ((vector *)sums)[i] += ((const vector *)more)[i] - ((const vector *)less)[i];             \
    }
DEFINE_SUMS(shorts, uint16_t)
DEFINE_SUMS(words, uint32_t)

P15_INLINE void inputs_of_words(const p15_dense *network, const void *sums, const void *less, const void *more,
                                float *x) {
    unsigned width = network->width;
    float unit = network->unit;
    for (unsigned i = 0; i < width; i += P15_DENSE_BLOCK, x += P15_DENSE_BLOCK) {
        union {
            words vectors[P15_DENSE_BLOCK * 4 / sizeof(words)];
            int32_t of[P15_DENSE_BLOCK];
        } part;
        for (unsigned j = 0; j < P15_DENSE_BLOCK * 4 / sizeof(words); j++) {
            size_t at = i * 4 / sizeof(words) + j;
            part.vectors[j] = ((const words *)sums)[at] - ((const words *)less)[at] + ((const words *)more)[at];
        }
        for (unsigned j = 0; j < P15_DENSE_BLOCK; j++) x[j] = (float)part.of[j] * unit;
        p15_activate(x, P15_DENSE_BLOCK, network->activation);
    }
}

/* A vector's elements are shifted as they are; in a plain loop they would grow to 32 bits before. */
P15_INLINE void inputs_of_shorts(const p15_dense *network, const void *sums, const void *less, const void *more,
                                 uint8_t *x) {
    unsigned width = network->width, shift = network->shift;
    for (unsigned i = 0; i < width; i += P15_DENSE_BLOCK, x += P15_DENSE_BLOCK) {
        union {
            shorts vectors[P15_DENSE_BLOCK * 2 / sizeof(shorts)];
            int16_t of[P15_DENSE_BLOCK];
        } part;
        for (unsigned j = 0; j < P15_DENSE_BLOCK * 2 / sizeof(shorts); j++) {
            size_t at = i * 2 / sizeof(shorts) + j;
            shorts sum = ((const shorts *)sums)[at] - ((const shorts *)less)[at] + ((const shorts *)more)[at];
            part.vectors[j] = (shorts)((signed_shorts)sum >> shift);
        }
        for (unsigned j = 0; j < P15_DENSE_BLOCK; j++) {
            int16_t value = part.of[j] > 0 ? part.of[j] : 0;
            x[j] = (uint8_t)(value < 127 ? value : 127);
        }
    }
}

/* The row of a tile on a cell. */
P15_INLINE const void *row_of(const p15_dense *network, unsigned tile, unsigned cell) {
    size_t at = (size_t)(16 * tile + cell) * network->width;
    return network->quantized ? (const void *)((const uint16_t *)network->rows + at)
                              : (const void *)((const uint32_t *)network->rows + at);
}

/* Makes the sums those of a board, if they are those of a relative by what differs. */
P15_INLINE void follow(const p15_dense *network, p15_sums *sums, p15_board board) {
    unsigned width = network->width, count = 0;
    uint64_t differ = board ^ sums->board;
    if (differ == 0) return;
    differ = (differ | differ >> 1 | differ >> 2 | differ >> 3) & UINT64_C(0x1111111111111111);
    for (uint64_t left = differ; left; left &= left - 1) count++;
    if (count > NEAR) {
        if (network->quantized)
            start_shorts(sums->sums, network->rows, network->biases, width, board);
        else
            start_words(sums->sums, network->rows, network->biases, width, board);
    } else {
        for (uint64_t left = differ; left; left &= left - 1) {
            unsigned cell = p15_lowest_bit(left) / 4;
            const void *less = row_of(network, p15_board_tile(sums->board, cell), cell);
            const void *more = row_of(network, p15_board_tile(board, cell), cell);
            if (network->quantized)
                change_shorts(sums->sums, less, more, width);
            else
                change_words(sums->sums, less, more, width);
        }
    }
    sums->board = board;
}

/* The inputs of the board whose sums are those of `board`, less a row, plus a row. */
P15_INLINE void make_inputs(const p15_dense *network, p15_sums *sums, p15_board board, unsigned tile, unsigned cell,
                            unsigned blank, void *inputs) {
    follow(network, sums, board);
    const void *less = row_of(network, tile, cell), *more = row_of(network, tile, blank);
    if (network->quantized)
        inputs_of_shorts(network, sums->sums, less, more, inputs);
    else
        inputs_of_words(network, sums->sums, less, more, inputs);
}

typedef void inputs_function(const p15_dense *, p15_sums *, p15_board, unsigned, unsigned, unsigned, void *);

static void inputs_plain(const p15_dense *network, p15_sums *sums, p15_board board, unsigned tile, unsigned cell,
                         unsigned blank, void *inputs) {
    make_inputs(network, sums, board, tile, cell, blank, inputs);
}

P15_TARGET_V3 static void inputs_v3(const p15_dense *network, p15_sums *sums, p15_board board, unsigned tile,
                                    unsigned cell, unsigned blank, void *inputs) {
    make_inputs(network, sums, board, tile, cell, blank, inputs);
}

#if P15_HAVE_V4
P15_TARGET_V4 static void inputs_v4(const p15_dense *network, p15_sums *sums, p15_board board, unsigned tile,
                                    unsigned cell, unsigned blank, void *inputs) {
    make_inputs(network, sums, board, tile, cell, blank, inputs);
}
#endif

static inputs_function *const INPUTS[] = P15_BY_LEVEL(inputs_plain, inputs_v3, inputs_v4, inputs_v4);

void p15_sums_inputs(const p15_dense *network, p15_sums *sums, p15_board board, unsigned tile, unsigned cell,
                     unsigned blank, void *inputs) {
    INPUTS[network->cpu](network, sums, board, tile, cell, blank, inputs);
}
