#include "learning/network/kernels.h"

#include "base/bits.h"

#if P15_HAVE_V4
#include <immintrin.h>
#endif

/* ------------------------------------------------------------------------------------------- layer 0: sums of rows */

#define NEAR 6u /* cells that differ: 12 rows are cheaper than 15, but not much */

/* Sums are unsigned, so that they may leave the range meanwhile. */

/* The row of a tile on a cell. */
P15_INLINE const void *row_of(const p15_dense *network, unsigned tile, unsigned cell) {
    size_t at = (size_t)(16 * tile + cell) * network->width;
    return network->quantized ? (const void *)((const uint16_t *)network->rows + at)
                              : (const void *)((const uint32_t *)network->rows + at);
}

typedef float four __attribute__((vector_size(16), may_alias));
typedef float eight __attribute__((vector_size(32), may_alias));
typedef float sixteen __attribute__((vector_size(64), may_alias));
typedef uint16_t shorts __attribute__((vector_size(32), may_alias));
typedef int16_t signed_shorts __attribute__((vector_size(32), may_alias));
typedef uint32_t words __attribute__((vector_size(32), may_alias));
typedef int32_t signed_words __attribute__((vector_size(32), may_alias));
#define PARTS 4u /* vectors whose sums are in registers together: their bytes divide a row's */

/* Fill the sums of a board's rows; and take away a row and add another one. */
#define DEFINE_SUMS(vector)                                                                                     \
    P15_INLINE void start_##vector(vector *sums, const void *const *rows, const vector *biases, size_t count) { \
        for (size_t i = 0; i < count; i += PARTS) {                                                             \
            vector part[PARTS];                                                                                 \
            P15_UNROLL for (unsigned p = 0; p < PARTS; p++) part[p] = biases[i + p];                            \
            for (unsigned cell = 0; cell < 16; cell++)                                                          \
                P15_UNROLL for (unsigned p = 0; p < PARTS; p++) part[p] += ((const vector *)rows[cell])[i + p]; \
            P15_UNROLL for (unsigned p = 0; p < PARTS; p++) sums[i + p] = part[p];                              \
        }                                                                                                       \
    }                                                                                                           \
    P15_INLINE void change_##vector(vector *sums, const vector *less, const vector *more, size_t count) {       \
        for (size_t i = 0; i < count; i++) sums[i] += more[i] - less[i];                                        \
    }
DEFINE_SUMS(shorts)
DEFINE_SUMS(words)

/* Makes the sums those of a board: from its rows, or for a relative by what differs. */
P15_INLINE void follow(const p15_dense *network, p15_sums *sums, p15_board board) {
    size_t row_bytes = network->width * (network->quantized ? sizeof(uint16_t) : sizeof(uint32_t));
    size_t vectors = row_bytes / sizeof(words);
    unsigned count = 0;
    uint64_t differ = board ^ sums->board;
    if (differ == 0) return;
    differ = (differ | differ >> 1 | differ >> 2 | differ >> 3) & UINT64_C(0x1111111111111111);
    for (uint64_t left = differ; left; left &= left - 1) count++;
    if (count > NEAR) {
        const void *rows[16];
        for (unsigned cell = 0; cell < 16; cell++) rows[cell] = row_of(network, p15_board_tile(board, cell), cell);
        if (network->quantized)
            start_shorts(sums->sums, rows, network->biases, vectors);
        else
            start_words(sums->sums, rows, network->biases, vectors);
    } else {
        for (uint64_t left = differ; left; left &= left - 1) {
            unsigned cell = p15_lowest_bit(left) / 4;
            const void *less = row_of(network, p15_board_tile(sums->board, cell), cell);
            const void *more = row_of(network, p15_board_tile(board, cell), cell);
            if (network->quantized)
                change_shorts(sums->sums, less, more, vectors);
            else
                change_words(sums->sums, less, more, vectors);
        }
    }
    sums->board = board;
}

P15_INLINE void inputs_of_words(const p15_dense *network, const words *sums, const words *less, const words *more,
                                float *x) {
    size_t vectors = network->width * sizeof(float) / sizeof(eight);
    for (size_t i = 0; i < vectors; i++) {
        signed_words sum = (signed_words)(sums[i] - less[i] + more[i]);
        ((eight *)x)[i] = __builtin_convertvector(sum, eight) * network->unit;
    }
    p15_activate(x, network->width, network->activation);
}

/* Elements of vectors are shifted as 16 bits; in a plain loop they would be extended to 32 bits. */
P15_INLINE void inputs_of_shorts(const p15_dense *network, const shorts *sums, const shorts *less, const shorts *more,
                                 uint8_t *x) {
    enum { VECTORS = P15_DENSE_BLOCK * sizeof(uint16_t) / sizeof(shorts) };
    for (unsigned i = 0; i < network->width; i += P15_DENSE_BLOCK, x += P15_DENSE_BLOCK) {
        union {
            shorts vectors[VECTORS];
            int16_t of[P15_DENSE_BLOCK];
        } part;
        for (unsigned j = 0; j < VECTORS; j++)
            part.vectors[j] = (shorts)((signed_shorts)(*sums++ - *less++ + *more++) >> network->shift);
        for (unsigned j = 0; j < P15_DENSE_BLOCK; j++) {
            int16_t value = part.of[j] > 0 ? part.of[j] : 0;
            x[j] = (uint8_t)(value < 127 ? value : 127);
        }
    }
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

/* -------------------------------------------------------------------------------------- layer 1: products of bytes */

/* x is 0 .. 127 and weights are -127 .. 127, so that two products fit 16 bits. */

/* Two inputs' products are added as 16 bits: more of them fit a vector. */
P15_INLINE void multiply_bytes(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards) {
    unsigned width = network->width;
    for (size_t b = 0; b < boards; b++, x += width, y += stride) {
        const int8_t *weights = network->products;
        for (unsigned group = 0; group < network->outputs; group += P15_DENSE_GROUP) {
            int32_t sums[P15_DENSE_GROUP];
            memcpy(sums, network->product_biases + group, sizeof sums);
            for (unsigned i = 0; i < width; i += 2, weights += 2 * P15_DENSE_GROUP) {
                int16_t one = x[i], two = x[i + 1], pairs[P15_DENSE_GROUP];
                for (unsigned o = 0; o < P15_DENSE_GROUP; o++)
                    pairs[o] = (int16_t)(one * weights[o] + two * weights[P15_DENSE_GROUP + o]);
                for (unsigned o = 0; o < P15_DENSE_GROUP; o++) sums[o] += pairs[o];
            }
            for (unsigned o = 0; o < P15_DENSE_GROUP; o++) y[group + o] = (float)sums[o] * network->scale;
        }
    }
}

#if P15_HAVE_V4
P15_INLINE P15_TARGET_V3 __m256i add_v3(__m256i sum, __m256i x, __m256i weights) {
    __m256i pairs = _mm256_maddubs_epi16(x, weights);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

P15_INLINE P15_TARGET_V3 void store_v3(float *y, float scale, __m256i sum) {
    _mm256_store_ps(y, _mm256_mul_ps(_mm256_cvtepi32_ps(sum), _mm256_set1_ps(scale)));
}

P15_INLINE P15_TARGET_VNNI void store_vnni(float *y, float scale, __m512i sum) {
    _mm512_store_ps(y, _mm512_mul_ps(_mm512_cvtepi32_ps(sum), _mm512_set1_ps(scale)));
}

/* For `boards` boards at once; `vectors` hold a group's outputs. A board alone has its sums in two parts, since each
 * waits for the one before. */
#define DEFINE_BYTE_TILE(name, target, vector, vectors, broadcast, add, join, store)                               \
    target P15_INLINE void name(const p15_dense *network, const uint8_t *x, float *y, size_t stride,               \
                                unsigned boards) {                                                                 \
        unsigned width = network->width;                                                                           \
        const unsigned parts = boards == 1 ? 2 : 1;                                                                \
        const vector *weights = (const vector *)network->products;                                                 \
        for (unsigned group = 0; group < network->outputs; group += P15_DENSE_GROUP) {                             \
            vector sums[2][P15_MOST_BOARDS][vectors];                                                              \
            P15_UNROLL for (unsigned b = 0; b < boards; b++) P15_UNROLL for (unsigned v = 0; v < vectors; v++) {   \
                sums[0][b][v] = ((const vector *)(network->product_biases + group))[v];                            \
                if (parts == 2) sums[1][b][v] = (vector){0};                                                       \
            }                                                                                                      \
            for (unsigned i = 0; i < width; i += 4 * parts, weights += vectors * parts)                            \
                P15_UNROLL for (unsigned p = 0; p < parts; p++) P15_UNROLL for (unsigned b = 0; b < boards; b++) { \
                    int32_t four;                                                                                  \
                    memcpy(&four, x + b * width + i + 4 * p, sizeof four);                                         \
                    vector inputs = broadcast(four);                                                               \
                    P15_UNROLL for (unsigned v = 0; v < vectors; v++) sums[p][b][v] =                              \
                        add(sums[p][b][v], inputs, weights[vectors * p + v]);                                      \
                }                                                                                                  \
            P15_UNROLL for (unsigned b = 0; b < boards; b++) P15_UNROLL for (unsigned v = 0; v < vectors; v++)     \
                store(y + b * stride + group + v * (P15_DENSE_GROUP / vectors), network->scale,                    \
                      parts == 2 ? join(sums[0][b][v], sums[1][b][v]) : sums[0][b][v]);                            \
        }                                                                                                          \
    }
DEFINE_BYTE_TILE(tile_v3, P15_TARGET_V3, __m256i, 4, _mm256_set1_epi32, add_v3, _mm256_add_epi32, store_v3)
DEFINE_BYTE_TILE(tile_vnni, P15_TARGET_VNNI, __m512i, 2, _mm512_set1_epi32, _mm512_dpbusd_epi32, _mm512_add_epi32,
                 store_vnni)

typedef void byte_tile(const p15_dense *, const uint8_t *, float *, size_t, unsigned);

/* At most `most` boards together. */
P15_INLINE void run_tiles(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards,
                          unsigned most, byte_tile *tile) {
    for (size_t n; boards > 0; boards -= n, x += n * network->width, y += n * stride) {
        n = p15_together(boards, most);
        if (n == 4 && most >= 4)
            tile(network, x, y, stride, 4);
        else if (n == 3 && most >= 4)
            tile(network, x, y, stride, 3);
        else if (n == 2)
            tile(network, x, y, stride, 2);
        else
            tile(network, x, y, stride, 1);
    }
}
#endif

P15_INLINE void activate(const p15_dense *network, float *y, size_t stride, size_t boards) {
    for (size_t b = 0; b < boards; b++) p15_activate(y + b * stride, network->outputs, network->product_activation);
}

typedef void products_function(const p15_dense *, const uint8_t *, float *, size_t, size_t);

static void products_plain(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards) {
    multiply_bytes(network, x, y, stride, boards);
    activate(network, y, stride, boards);
}

#if P15_HAVE_V4
P15_TARGET_V3 static void products_v3(const p15_dense *network, const uint8_t *x, float *y, size_t stride,
                                      size_t boards) {
    run_tiles(network, x, y, stride, boards, 2, tile_v3);
    activate(network, y, stride, boards);
}

P15_TARGET_VNNI static void products_vnni(const p15_dense *network, const uint8_t *x, float *y, size_t stride,
                                          size_t boards) {
    run_tiles(network, x, y, stride, boards, 4, tile_vnni);
    activate(network, y, stride, boards);
}
#else
#define products_v3 products_plain
#endif

static products_function *const PRODUCTS[] = P15_BY_LEVEL(products_plain, products_v3, products_v3, products_vnni);

void p15_products_run(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards) {
    PRODUCTS[network->cpu](network, x, y, stride, boards);
}

/* ------------------------------------------------------------------------------------------------ layers of floats */

/* The sums of `boards` boards and `lanes` times 16 outputs; panels have `step` times 16. */
typedef void float_tile(const float *x, float *y, size_t stride, const float *weights, const float *biases,
                        unsigned inputs, size_t step, unsigned boards, unsigned lanes);

/* For a kind of vector; `add` rounds products before they are added, or not. */
#define DEFINE_FLOAT_TILE(name, target, vector, add)                                                                 \
    target P15_INLINE void name(const float *x, float *y, size_t stride, const float *weights, const float *biases,  \
                                unsigned inputs, size_t step, unsigned boards, unsigned lanes) {                     \
        enum { SPLIT = P15_DENSE_LANES * sizeof(float) / sizeof(vector) }; /* vectors of 16 outputs */               \
        const vector *rows = (const vector *)weights;                                                                \
        vector sums[P15_MOST_BOARDS][P15_DENSE_MOST_LANES * SPLIT];                                                  \
        P15_UNROLL for (unsigned b = 0; b < boards; b++) P15_UNROLL for (unsigned v = 0; v < lanes * SPLIT; v++)     \
            sums[b][v] = ((const vector *)biases)[v];                                                                \
        for (unsigned i = 0; i < inputs; i++, rows += step * SPLIT)                                                  \
            P15_UNROLL for (unsigned b = 0; b < boards; b++) P15_UNROLL for (unsigned v = 0; v < lanes * SPLIT; v++) \
                sums[b][v] = add(sums[b][v], rows[v], x[b * stride + i]);                                            \
        P15_UNROLL for (unsigned b = 0; b < boards; b++)                                                             \
            P15_UNROLL for (unsigned v = 0; v < lanes * SPLIT; v++)((vector *)(y + b * stride))[v] = sums[b][v];     \
    }
#define ADD_PRODUCT(sum, weights, x) ((sum) + (weights) * (x)) /* rounded twice */
#define NO_TARGET
DEFINE_FLOAT_TILE(tile_four, NO_TARGET, four, ADD_PRODUCT)
#if P15_HAVE_V4
#define FUSE_EIGHT(sum, weights, x) (eight) _mm256_fmadd_ps((__m256)(weights), _mm256_set1_ps(x), (__m256)(sum))
#define FUSE_SIXTEEN(sum, weights, x) (sixteen) _mm512_fmadd_ps((__m512)(weights), _mm512_set1_ps(x), (__m512)(sum))
DEFINE_FLOAT_TILE(tile_eight, P15_TARGET_V3, eight, ADD_PRODUCT)
DEFINE_FLOAT_TILE(tile_fused_eight, P15_TARGET_V3, eight, FUSE_EIGHT)
DEFINE_FLOAT_TILE(tile_sixteen, P15_TARGET_V4, sixteen, ADD_PRODUCT)
DEFINE_FLOAT_TILE(tile_fused_sixteen, P15_TARGET_V4, sixteen, FUSE_SIXTEEN)
#endif

/* All boards, at most `most` together, and `lanes` times 16 outputs of a panel, from number `first` on. */
P15_INLINE void run_panel(const p15_layer *l, const float *x, float *y, size_t stride, size_t boards, unsigned number,
                          unsigned first, unsigned lanes, unsigned most, float_tile *tile) {
    unsigned inputs = l->inputs, step = l->lanes;
    const float *weights = l->weights + ((size_t)number * inputs * step + first) * P15_DENSE_LANES;
    const float *biases = l->biases + (number * step + first) * P15_DENSE_LANES;
    y += (number * step + first) * P15_DENSE_LANES;
    for (size_t n; boards > 0; boards -= n, x += n * stride, y += n * stride) {
        n = p15_together(boards, most);
        if (n == 6 && most >= 6)
            tile(x, y, stride, weights, biases, inputs, step, 6, lanes);
        else if (n == 4 && most >= 4)
            tile(x, y, stride, weights, biases, inputs, step, 4, lanes);
        else if (n == 3 && most >= 4)
            tile(x, y, stride, weights, biases, inputs, step, 3, lanes);
        else if (n == 2)
            tile(x, y, stride, weights, biases, inputs, step, 2, lanes);
        else
            tile(x, y, stride, weights, biases, inputs, step, 1, lanes);
    }
}

/* Layers of one output: see dense.h. */
P15_INLINE void dot(const p15_layer *l, const float *restrict x, float *y) {
    float sums[P15_DENSE_LANES] = {0};
    for (unsigned i = 0; i < l->inputs; i += P15_DENSE_LANES)
        for (unsigned k = 0; k < P15_DENSE_LANES; k++) sums[k] += x[i + k] * l->weights[i + k];
    for (unsigned half = P15_DENSE_LANES / 2; half > 0; half /= 2)
        for (unsigned k = 0; k < half; k++) sums[k] += sums[k + half];
    float sum = l->biases[0] + sums[0];
    memset(y, 0, P15_DENSE_LANES * sizeof *y);
    y[0] = p15_activated(sum, l->activation);
}

/* One layer. With few registers, its panels are done 16 outputs at a time, or, for one board, 32, since sums wait for
 * the one before. */
P15_INLINE void run_floats(const p15_layer *l, const float *x, float *y, size_t stride, size_t boards, unsigned most,
                           float_tile *tile, float_tile *fused) {
    if (l->lanes == 0) {
        for (size_t b = 0; b < boards; b++) dot(l, x + b * stride, y + b * stride);
        return;
    }
    unsigned width = l->lanes * P15_DENSE_LANES, panels = (l->outputs + width - 1) / width;
    for (unsigned number = 0; number < panels; number++) {
        if (most == P15_MOST_BOARDS) {
            if (l->lanes == P15_DENSE_MOST_LANES)
                run_panel(l, x, y, stride, boards, number, 0, P15_DENSE_MOST_LANES, most, fused);
            else if (l->lanes == 2)
                run_panel(l, x, y, stride, boards, number, 0, 2, most, tile);
            else
                run_panel(l, x, y, stride, boards, number, 0, 1, most, tile);
        } else if (boards == 1 && l->lanes > 1) {
            for (unsigned first = 0; first < l->lanes; first += 2)
                if (l->lanes == P15_DENSE_MOST_LANES)
                    run_panel(l, x, y, stride, 1, number, first, 2, 1, fused);
                else
                    run_panel(l, x, y, stride, 1, number, first, 2, 1, tile);
        } else {
            for (unsigned first = 0; first < l->lanes; first++)
                if (l->lanes == P15_DENSE_MOST_LANES)
                    run_panel(l, x, y, stride, boards, number, first, 1, most, fused);
                else
                    run_panel(l, x, y, stride, boards, number, first, 1, most, tile);
        }
    }
    for (size_t b = 0; b < boards; b++) p15_activate(y + b * stride, panels * width, l->activation);
}

typedef void floats_function(const p15_layer *, const float *, float *, size_t, size_t);

static void floats_plain(const p15_layer *l, const float *x, float *y, size_t stride, size_t boards) {
    run_floats(l, x, y, stride, boards, 2, tile_four, tile_four);
}

#if P15_HAVE_V4
P15_TARGET_V3 static void floats_v3(const p15_layer *l, const float *x, float *y, size_t stride, size_t boards) {
    run_floats(l, x, y, stride, boards, 4, tile_eight, tile_fused_eight);
}

P15_TARGET_V4 static void floats_v4(const p15_layer *l, const float *x, float *y, size_t stride, size_t boards) {
    run_floats(l, x, y, stride, boards, P15_MOST_BOARDS, tile_sixteen, tile_fused_sixteen);
}
#else
#define floats_v3 floats_plain
#endif

static floats_function *const FLOATS[] = P15_BY_LEVEL(floats_plain, floats_v3, floats_v4, floats_v4);

void p15_layer_run(const p15_layer *layer, p15_cpu cpu, const float *x, float *y, size_t stride, size_t boards) {
    FLOATS[cpu](layer, x, y, stride, boards);
}
