#include "learning/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if P15_HAVE_V4
#include <immintrin.h>
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF /* gcc does so in C11 anyway */
#endif

#define LANES 16u      /* outputs whose sums stay together */
#define MOST_LANES 4u  /* times 16 outputs are a panel */
#define MOST_BOARDS 6u /* that go through a panel together */
#define BLOCK 64u      /* what the width of layer 0 is a multiple of, and what memory is aligned to */
#define GROUP 32u      /* outputs of a panel of layer 1 of quantized networks */
#define NEAR 6u        /* cells that differ: 12 rows are cheaper than 15, but not much */
#define MOST_WEIGHT 1e6f

typedef struct {
    unsigned inputs, outputs, lanes; /* lanes: 16ths of a panel's outputs; 0 for the one row of a layer of one output */
    p15_activation activation;
    float *biases, *weights; /* padded */
    uint16_t *halves;        /* in place of weights, or NULL */
} layer;

struct p15_dense {
    p15_cpu cpu;
    bool quantized;
    unsigned width;            /* of layer 0, padded */
    void *rows, *biases;       /* [256][width] and [width] of int16 or int32: of quantized and of float networks */
    p15_activation activation; /* of layer 0 of a float network */
    float unit;                /* 2^-k */
    unsigned shift;
    unsigned outputs; /* of layer 1 of a quantized network, padded */
    int8_t *products; /* its weights in panels */
    int32_t *product_biases;
    p15_activation product_activation;
    float scale;
    layer layers[P15_DENSE_MAX_LAYERS]; /* the others */
    unsigned layer_count;
    unsigned widest; /* floats of a board between two layers */
    size_t bytes;
};

struct p15_dense_batch {
    const p15_dense *network;
    size_t room, count;
    p15_board board;       /* whose sums are held; 0: none */
    void *sums;            /* of int16 or int32 */
    uint8_t *bytes;        /* [room][width], of quantized networks */
    float *floats, *other; /* [room][widest] */
    void *memory;
};

/* ------------------------------------------------------------------------------------------------ layer 0
 *
 * Unsigned, so that what leaves the range on the way comes back. */

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

/* exp(x) - 1 of x <= 0. */
P15_INLINE float less_than_one(float x) {
    x = x > -80.0f ? x : -80.0f;
    const float magic = 12582912.0f; /* 1.5 2^23: what is added to it is rounded to a whole number */
    float n = (x * 1.44269504f + magic) - magic;
    float r = (x - n * 0.693145751953125f) - n * 1.42860677e-6f; /* ln(2) in two parts, the first one of 16 bits */
    float sum = 1.0f / 5040;
    sum = sum * r + 1.0f / 720;
    sum = sum * r + 1.0f / 120;
    sum = sum * r + 1.0f / 24;
    sum = sum * r + 1.0f / 6;
    sum = sum * r + 0.5f;
    sum = sum * r + 1.0f;
    sum = sum * r + 1.0f;
    int32_t bits = ((int32_t)n + 127) * (1 << 23);
    float power;
    memcpy(&power, &bits, sizeof power);
    return sum * power - 1.0f;
}

P15_INLINE float activated(float x, p15_activation activation) {
    if (activation == P15_RELU) return x > 0 ? x : 0;
    if (activation == P15_ELU) return x > 0 ? x : less_than_one(x > 0 ? 0 : x);
    return x;
}

P15_INLINE void activate(float *x, unsigned count, p15_activation activation) {
    if (activation == P15_RELU)
        for (unsigned i = 0; i < count; i++) x[i] = activated(x[i], P15_RELU);
    else if (activation == P15_ELU)
        for (unsigned i = 0; i < count; i++) x[i] = activated(x[i], P15_ELU);
}

P15_INLINE void inputs_of_words(const p15_dense *network, const void *sums, const void *less, const void *more,
                                float *x) {
    unsigned width = network->width;
    float unit = network->unit;
    for (unsigned i = 0; i < width; i += BLOCK, x += BLOCK) {
        union {
            words vectors[BLOCK * 4 / sizeof(words)];
            int32_t of[BLOCK];
        } part;
        for (unsigned j = 0; j < BLOCK * 4 / sizeof(words); j++) {
            size_t at = i * 4 / sizeof(words) + j;
            part.vectors[j] = ((const words *)sums)[at] - ((const words *)less)[at] + ((const words *)more)[at];
        }
        for (unsigned j = 0; j < BLOCK; j++) x[j] = (float)part.of[j] * unit;
        activate(x, BLOCK, network->activation);
    }
}

/* A vector's elements are shifted as they are; in a plain loop they would grow to 32 bits before. */
P15_INLINE void inputs_of_shorts(const p15_dense *network, const void *sums, const void *less, const void *more,
                                 uint8_t *x) {
    unsigned width = network->width, shift = network->shift;
    for (unsigned i = 0; i < width; i += BLOCK, x += BLOCK) {
        union {
            shorts vectors[BLOCK * 2 / sizeof(shorts)];
            int16_t of[BLOCK];
        } part;
        for (unsigned j = 0; j < BLOCK * 2 / sizeof(shorts); j++) {
            size_t at = i * 2 / sizeof(shorts) + j;
            shorts sum = ((const shorts *)sums)[at] - ((const shorts *)less)[at] + ((const shorts *)more)[at];
            part.vectors[j] = (shorts)((signed_shorts)sum >> shift);
        }
        for (unsigned j = 0; j < BLOCK; j++) {
            int16_t value = part.of[j] > 0 ? part.of[j] : 0;
            x[j] = (uint8_t)(value < 127 ? value : 127);
        }
    }
}

/* ------------------------------------------------------------------------------------------------ floats
 *
 * `boards` boards go through one panel of `vectors` vectors at once: so many sums stay in registers. */

#if defined(__GNUC__)
typedef float four __attribute__((vector_size(16), may_alias));
typedef float eight __attribute__((vector_size(32), may_alias));
typedef float sixteen __attribute__((vector_size(64), may_alias));
#define ADD_PRODUCT(sum, weights, x) ((sum) += (weights) * (x)) /* rounded twice */
#define UNROLL _Pragma("GCC unroll 8")
#else
typedef float four, eight, sixteen;
#define ADD_PRODUCT(sum, weights, x) ((sum) += (weights) * (x))
#define UNROLL
#endif

/* The sums of `boards` boards and `lanes` times 16 outputs; `load` makes the vector number `at` of a panel's weights,
 * `add` adds products. */
#define TILE(vector, load, add)                                                                                   \
    enum { SPLIT = LANES * sizeof(float) / sizeof(vector) }; /* vectors of 16 outputs */                          \
    vector sums[MOST_BOARDS][MOST_LANES * SPLIT];                                                                 \
    UNROLL for (unsigned b = 0; b < boards; b++) UNROLL for (unsigned v = 0; v < lanes * SPLIT; v++) sums[b][v] = \
        ((const vector *)biases)[v];                                                                              \
    for (unsigned i = 0; i < inputs; i++) {                                                                       \
        vector row[MOST_LANES * SPLIT];                                                                           \
        UNROLL for (unsigned v = 0; v < lanes * SPLIT; v++) row[v] = load(vector, (size_t)i * step * SPLIT + v);  \
        UNROLL for (unsigned b = 0; b < boards; b++) {                                                            \
            float input = x[b * stride + i];                                                                      \
            UNROLL for (unsigned v = 0; v < lanes * SPLIT; v++) add(sums[b][v], row[v], input);                   \
        }                                                                                                         \
    }                                                                                                             \
    UNROLL for (unsigned b = 0; b < boards; b++)                                                                  \
        UNROLL for (unsigned v = 0; v < lanes * SPLIT; v++)((vector *)(y + b * stride))[v] = sums[b][v]

/* How many boards the next tile takes. */
P15_INLINE size_t together(size_t boards, unsigned most) {
    if (most == 6) return boards >= 6 ? 6 : boards == 5 ? 3 : boards;
    if (most == 4) return boards >= 4 ? 4 : boards;
    return boards < most ? boards : most;
}

/* All tiles of `lanes` times 16 outputs of a panel, from number `first` on. */
#define LOAD_FLOATS(vector, at) (((const vector *)weights)[at])
#define DEFINE_PANEL(name, target, vector, add)                                                                 \
    target P15_INLINE void tile_##name(const float *x, float *y, size_t stride, const float *weights,           \
                                       const float *biases, unsigned inputs, size_t step, unsigned boards,      \
                                       unsigned lanes) {                                                        \
        TILE(vector, LOAD_FLOATS, add);                                                                         \
    }                                                                                                           \
    target P15_INLINE void panel_##name(const layer *l, const float *x, float *y, size_t stride, size_t number, \
                                        size_t boards, unsigned first, unsigned lanes, unsigned most) {         \
        unsigned inputs = l->inputs, step = l->lanes;                                                           \
        const float *weights = l->weights + (number * inputs * step + first) * LANES;                           \
        const float *biases = l->biases + (number * step + first) * LANES;                                      \
        y += (number * step + first) * LANES;                                                                   \
        for (size_t b = 0, n; b < boards; b += n) {                                                             \
            const float *from = x + b * stride;                                                                 \
            float *to = y + b * stride;                                                                         \
            n = together(boards - b, most);                                                                     \
            if (n == 6 && most == 6)                                                                            \
                tile_##name(from, to, stride, weights, biases, inputs, step, 6, lanes);                         \
            else if (n == 4 && most >= 4)                                                                       \
                tile_##name(from, to, stride, weights, biases, inputs, step, 4, lanes);                         \
            else if (n == 3 && most >= 4)                                                                       \
                tile_##name(from, to, stride, weights, biases, inputs, step, 3, lanes);                         \
            else if (n == 2)                                                                                    \
                tile_##name(from, to, stride, weights, biases, inputs, step, 2, lanes);                         \
            else                                                                                                \
                tile_##name(from, to, stride, weights, biases, inputs, step, 1, lanes);                         \
        }                                                                                                       \
    }
#define NO_TARGET
DEFINE_PANEL(four, NO_TARGET, four, ADD_PRODUCT)
#if P15_HAVE_V4
#define FUSE_EIGHT(sum, weights, x) \
    ((sum) = (eight)_mm256_fmadd_ps((__m256)(weights), _mm256_set1_ps(x), (__m256)(sum)))
#define FUSE_SIXTEEN(sum, weights, x) \
    ((sum) = (sixteen)_mm512_fmadd_ps((__m512)(weights), _mm512_set1_ps(x), (__m512)(sum)))
DEFINE_PANEL(eight, P15_TARGET_V3, eight, ADD_PRODUCT)
DEFINE_PANEL(fused_eight, P15_TARGET_V3, eight, FUSE_EIGHT)
DEFINE_PANEL(sixteen, P15_TARGET_V4, sixteen, ADD_PRODUCT)
DEFINE_PANEL(fused_sixteen, P15_TARGET_V4, sixteen, FUSE_SIXTEEN)
#endif
#undef LOAD_FLOATS

/* Layers of one output: see the header. */
P15_INLINE void dot(const layer *l, const float *restrict x, float *y) {
    float sums[LANES] = {0};
    for (unsigned i = 0; i < l->inputs; i += LANES)
        for (unsigned k = 0; k < LANES; k++) sums[k] += x[i + k] * l->weights[i + k];
    for (unsigned half = LANES / 2; half > 0; half /= 2)
        for (unsigned k = 0; k < half; k++) sums[k] += sums[k + half];
    float sum = l->biases[0] + sums[0];
    memset(y, 0, LANES * sizeof *y);
    y[0] = activated(sum, l->activation);
}

/* A layer of few registers: its panels 16 outputs at a time, or, for one board, 32: sums wait for the one before. */
#define PANELS(panel, most)                                                     \
    for (unsigned number = 0; number * l->lanes * LANES < l->outputs; number++) \
        for (unsigned v = 0, n; v < l->lanes; v += n) {                         \
            n = boards == 1 && l->lanes > 1 ? 2 : 1;                            \
            if (n == 2)                                                         \
                panel(l, x, y, stride, number, boards, v, 2, 1);                \
            else                                                                \
                panel(l, x, y, stride, number, boards, v, 1, most);             \
        }

P15_INLINE void layer_plain(const layer *l, const float *x, float *y, size_t stride,
                            size_t boards){PANELS(panel_four, 2)}

#if P15_HAVE_V4
P15_INLINE P15_TARGET_V3 void layer_v3(const layer *l, const float *x, float *y, size_t stride, size_t boards) {
    if (l->lanes == MOST_LANES)
        PANELS(panel_fused_eight, 4)
    else
        PANELS(panel_eight, 4)
}
#endif

#if P15_HAVE_V4
P15_INLINE P15_TARGET_V4 void tile_halves(const float *x, float *y, size_t stride, const uint16_t *halves,
                                          const float *biases, unsigned inputs, unsigned boards) {
    const unsigned lanes = MOST_LANES, step = MOST_LANES;
#define LOAD_HALVES(vector, at) ((vector)_mm512_cvtph_ps(_mm256_load_si256((const __m256i *)halves + (at))))
    TILE(sixteen, LOAD_HALVES, FUSE_SIXTEEN);
}

P15_INLINE P15_TARGET_V4 void panel_halves(const layer *l, const float *x, float *y, size_t stride, size_t number,
                                           size_t boards) {
    unsigned inputs = l->inputs;
    const uint16_t *halves = l->halves + number * inputs * BLOCK;
    const float *biases = l->biases + number * BLOCK;
    y += number * BLOCK;
    for (size_t b = 0, n; b < boards; b += n) {
        const float *from = x + b * stride;
        float *to = y + b * stride;
        n = together(boards - b, MOST_BOARDS);
        switch (n) {
        case 6:
            tile_halves(from, to, stride, halves, biases, inputs, 6);
            break;
        case 4:
            tile_halves(from, to, stride, halves, biases, inputs, 4);
            break;
        case 3:
            tile_halves(from, to, stride, halves, biases, inputs, 3);
            break;
        case 2:
            tile_halves(from, to, stride, halves, biases, inputs, 2);
            break;
        default:
            tile_halves(from, to, stride, halves, biases, inputs, 1);
        }
    }
}

P15_INLINE P15_TARGET_V4 void layer_v4(const layer *l, const float *x, float *y, size_t stride, size_t boards) {
    for (unsigned number = 0; number * l->lanes * LANES < l->outputs; number++) {
        if (l->halves)
            panel_halves(l, x, y, stride, number, boards);
        else if (l->lanes == MOST_LANES)
            panel_fused_sixteen(l, x, y, stride, number, boards, 0, 4, MOST_BOARDS);
        else if (l->lanes == 2)
            panel_sixteen(l, x, y, stride, number, boards, 0, 2, MOST_BOARDS);
        else
            panel_sixteen(l, x, y, stride, number, boards, 0, 1, MOST_BOARDS);
    }
}
#endif

/* ------------------------------------------------------------------------------------------------ products of bytes
 *
 * x is 0 .. 127 and weights are -127 .. 127, so that two products fit 16 bits. */

/* Two inputs' products are added as 16 bits: more of them fit a vector. */
P15_INLINE void products_plain(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards) {
    unsigned width = network->width;
    for (size_t b = 0; b < boards; b++, x += width, y += stride) {
        const int8_t *weights = network->products;
        for (unsigned group = 0; group < network->outputs; group += GROUP) {
            int32_t sums[GROUP];
            memcpy(sums, network->product_biases + group, sizeof sums);
            for (unsigned i = 0; i < width; i += 2, weights += 2 * GROUP) {
                int16_t one = x[i], two = x[i + 1], pairs[GROUP];
                for (unsigned o = 0; o < GROUP; o++) pairs[o] = (int16_t)(one * weights[o] + two * weights[GROUP + o]);
                for (unsigned o = 0; o < GROUP; o++) sums[o] += pairs[o];
            }
            for (unsigned o = 0; o < GROUP; o++) y[group + o] = (float)sums[o] * network->scale;
        }
    }
}

#if P15_HAVE_V4
/* For `boards` boards at once; `vectors` hold a group's outputs. A board alone has its sums in two parts, since each waits
 * for the one before. */
#define PRODUCTS(vector, vectors, load, store, broadcast, zero, add, join)                             \
    unsigned width = network->width;                                                                   \
    const unsigned parts = boards == 1 ? 2 : 1;                                                        \
    const vector *weights = (const vector *)network->products;                                         \
    for (unsigned group = 0; group < network->outputs; group += GROUP) {                               \
        vector sums[2][MOST_BOARDS][vectors];                                                          \
        UNROLL for (unsigned b = 0; b < boards; b++) UNROLL for (unsigned v = 0; v < vectors; v++) {   \
            sums[0][b][v] = load((const vector *)(network->product_biases + group) + v);               \
            if (parts == 2) sums[1][b][v] = zero();                                                    \
        }                                                                                              \
        for (unsigned i = 0; i < width; i += 4 * parts, weights += vectors * parts)                    \
            UNROLL for (unsigned p = 0; p < parts; p++) UNROLL for (unsigned b = 0; b < boards; b++) { \
                int32_t four;                                                                          \
                memcpy(&four, x + b * width + i + 4 * p, sizeof four);                                 \
                vector inputs = broadcast(four);                                                       \
                UNROLL for (unsigned v = 0; v < vectors; v++) sums[p][b][v] =                          \
                    add(sums[p][b][v], inputs, load(weights + vectors * p + v));                       \
            }                                                                                          \
        UNROLL for (unsigned b = 0; b < boards; b++) UNROLL for (unsigned v = 0; v < vectors; v++)     \
            store(y + b * stride + group + v * (GROUP / vectors), network->scale,                      \
                  parts == 2 ? join(sums[0][b][v], sums[1][b][v]) : sums[0][b][v]);                    \
    }

P15_INLINE P15_TARGET_V3 __m256i add_v3(__m256i sum, __m256i x, __m256i weights) {
    __m256i pairs = _mm256_maddubs_epi16(x, weights);
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

P15_INLINE P15_TARGET_V3 void store_v3(float *y, float scale, __m256i sum) {
    _mm256_store_ps(y, _mm256_mul_ps(_mm256_cvtepi32_ps(sum), _mm256_set1_ps(scale)));
}

P15_INLINE P15_TARGET_V4 __m512i add_v4(__m512i sum, __m512i x, __m512i weights) {
    __m512i pairs = _mm512_maddubs_epi16(x, weights);
    return _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
}

P15_INLINE P15_TARGET_V4 void store_v4(float *y, float scale, __m512i sum) {
    _mm512_store_ps(y, _mm512_mul_ps(_mm512_cvtepi32_ps(sum), _mm512_set1_ps(scale)));
}

P15_INLINE P15_TARGET_V3 void tile_products_v3(const p15_dense *network, const uint8_t *x, float *y, size_t stride,
                                               unsigned boards){PRODUCTS(__m256i, 4, _mm256_load_si256, store_v3,
                                                                         _mm256_set1_epi32, _mm256_setzero_si256,
                                                                         add_v3, _mm256_add_epi32)}

P15_INLINE P15_TARGET_V4
    void tile_products_v4(const p15_dense *network, const uint8_t *x, float *y, size_t stride,
                          unsigned boards){PRODUCTS(__m512i, 2, _mm512_load_si512, store_v4, _mm512_set1_epi32,
                                                    _mm512_setzero_si512, add_v4, _mm512_add_epi32)}

P15_INLINE P15_TARGET_VNNI
    void tile_products_vnni(const p15_dense *network, const uint8_t *x, float *y, size_t stride,
                            unsigned boards){PRODUCTS(__m512i, 2, _mm512_load_si512, store_v4, _mm512_set1_epi32,
                                                      _mm512_setzero_si512, _mm512_dpbusd_epi32, _mm512_add_epi32)}

P15_INLINE P15_TARGET_V3
    void products_v3(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards) {
    for (size_t b = 0, n; b < boards; b += n) {
        n = together(boards - b, 2);
        if (n == 2)
            tile_products_v3(network, x + b * network->width, y + b * stride, stride, 2);
        else
            tile_products_v3(network, x + b * network->width, y + b * stride, stride, 1);
    }
}

#define PRODUCTS_OF_MANY(tile_products)                  \
    for (size_t b = 0, n; b < boards; b += n) {          \
        n = together(boards - b, 4);                     \
        const uint8_t *from = x + b * network->width;    \
        float *to = y + b * stride;                      \
        if (n == 4)                                      \
            tile_products(network, from, to, stride, 4); \
        else if (n == 3)                                 \
            tile_products(network, from, to, stride, 3); \
        else if (n == 2)                                 \
            tile_products(network, from, to, stride, 2); \
        else                                             \
            tile_products(network, from, to, stride, 1); \
    }

P15_INLINE P15_TARGET_V4 void products_v4(const p15_dense *network, const uint8_t *x, float *y, size_t stride,
                                          size_t boards){PRODUCTS_OF_MANY(tile_products_v4)}

P15_INLINE P15_TARGET_VNNI void products_vnni(const p15_dense *network, const uint8_t *x, float *y, size_t stride,
                                              size_t boards){PRODUCTS_OF_MANY(tile_products_vnni)}
#endif

/* ------------------------------------------------------------------------------------------------ whole networks */

/* The row of a tile on a cell. */
P15_INLINE const void *row_of(const p15_dense *network, unsigned tile, unsigned cell) {
    size_t at = (size_t)(16 * tile + cell) * network->width;
    return network->quantized ? (const void *)((const uint16_t *)network->rows + at)
                              : (const void *)((const uint32_t *)network->rows + at);
}

/* Makes the sums those of a board, if they are those of a relative by what differs. */
P15_INLINE void sums_body(p15_dense_batch *batch, p15_board board) {
    const p15_dense *network = batch->network;
    unsigned width = network->width, count = 0;
    uint64_t differ = board ^ batch->board;
    if (differ == 0) return;
    differ = (differ | differ >> 1 | differ >> 2 | differ >> 3) & UINT64_C(0x1111111111111111);
    for (uint64_t left = differ; left; left &= left - 1) count++;
    if (count > NEAR) {
        if (network->quantized)
            start_shorts(batch->sums, network->rows, network->biases, width, board);
        else
            start_words(batch->sums, network->rows, network->biases, width, board);
    } else {
        for (uint64_t left = differ; left; left &= left - 1) {
            unsigned cell = p15_lowest_bit(left) / 4;
            const void *less = row_of(network, p15_board_tile(batch->board, cell), cell);
            const void *more = row_of(network, p15_board_tile(board, cell), cell);
            if (network->quantized)
                change_shorts(batch->sums, less, more, width);
            else
                change_words(batch->sums, less, more, width);
        }
    }
    batch->board = board;
}

/* Adds the board whose sums are those of `board`, less a row, plus a row. */
P15_INLINE void add_body(p15_dense_batch *batch, p15_board board, unsigned tile, unsigned cell, unsigned blank) {
    const p15_dense *network = batch->network;
    sums_body(batch, board);
    const void *less = row_of(network, tile, cell), *more = row_of(network, tile, blank);
    if (network->quantized)
        inputs_of_shorts(network, batch->sums, less, more, batch->bytes + batch->count * network->width);
    else
        inputs_of_words(network, batch->sums, less, more, batch->floats + batch->count * network->widest);
    batch->count++;
}

/* The layers after the first. */
P15_INLINE void run_body(p15_dense_batch *batch, float *outputs,
                         void (*products)(const p15_dense *, const uint8_t *, float *, size_t, size_t),
                         void (*whole_layer)(const layer *, const float *, float *, size_t, size_t)) {
    const p15_dense *network = batch->network;
    size_t stride = network->widest, count = batch->count;
    float *x = batch->floats, *y = batch->other;
    if (network->quantized) {
        products(network, batch->bytes, x, stride, count);
        for (size_t b = 0; b < count; b++) activate(x + b * stride, network->outputs, network->product_activation);
    }
    for (unsigned i = 0; i < network->layer_count; i++) {
        const layer *l = &network->layers[i];
        if (l->lanes == 0) {
            for (size_t b = 0; b < count; b++) dot(l, x + b * stride, y + b * stride);
        } else {
            whole_layer(l, x, y, stride, count);
            unsigned width = (l->outputs + l->lanes * LANES - 1) / (l->lanes * LANES) * (l->lanes * LANES);
            for (size_t b = 0; b < count; b++) activate(y + b * stride, width, l->activation);
        }
        float *swap = x;
        x = y;
        y = swap;
    }
    for (size_t b = 0; b < count; b++) outputs[b] = x[b * stride];
    batch->count = 0;
}

#define DEFINE_KERNEL(level, target, products, whole_layer)                                                     \
    target static void add_board_##level(p15_dense_batch *batch, p15_board board, unsigned tile, unsigned cell, \
                                         unsigned blank) {                                                      \
        add_body(batch, board, tile, cell, blank);                                                              \
    }                                                                                                           \
    target static void run_batch_##level(p15_dense_batch *batch, float *outputs) {                              \
        run_body(batch, outputs, products, whole_layer);                                                        \
    }

DEFINE_KERNEL(plain, NO_TARGET, products_plain, layer_plain)
#if P15_HAVE_V4
DEFINE_KERNEL(v3, P15_TARGET_V3, products_v3, layer_v3)
DEFINE_KERNEL(v4, P15_TARGET_V4, products_v4, layer_v4)
DEFINE_KERNEL(vnni, P15_TARGET_VNNI, products_vnni, layer_v4)
#else
DEFINE_KERNEL(v3, NO_TARGET, products_plain, layer_plain)
#endif

typedef void add_function(p15_dense_batch *, p15_board, unsigned, unsigned, unsigned);
typedef void run_function(p15_dense_batch *, float *);

static add_function *const ADDS[] = P15_BY_LEVEL(add_board_plain, add_board_v3, add_board_v4, add_board_vnni);
static run_function *const RUNS[] = P15_BY_LEVEL(run_batch_plain, run_batch_v3, run_batch_v4, run_batch_vnni);

/* ------------------------------------------------------------------------------------------------ batches */

void p15_dense_add(p15_dense_batch *batch, p15_board board) { ADDS[batch->network->cpu](batch, board, 0, 0, 0); }

void p15_dense_add_child(p15_dense_batch *batch, p15_board board, unsigned blank, unsigned cell) {
    ADDS[batch->network->cpu](batch, board, p15_board_tile(board, cell), cell, blank);
}

size_t p15_dense_count(const p15_dense_batch *batch) { return batch->count; }

void p15_dense_run(p15_dense_batch *batch, float *outputs) {
    if (batch->count > 0) RUNS[batch->network->cpu](batch, outputs);
}

float p15_dense_board(const p15_dense *network, p15_board board) {
    _Alignas(64) float floats[P15_DENSE_MAX_WIDTH], other[P15_DENSE_MAX_WIDTH];
    _Alignas(64) union {
        uint16_t of_quantized[P15_DENSE_MAX_WIDTH];
        uint32_t of_float[P15_DENSE_MAX_WIDTH];
    } sums;
    _Alignas(64) uint8_t bytes[P15_DENSE_MAX_WIDTH];
    p15_dense_batch batch = {
        .network = network, .room = 1, .sums = &sums, .bytes = bytes, .floats = floats, .other = other};
    float output;
    p15_dense_add(&batch, board);
    p15_dense_run(&batch, &output);
    return output;
}

/* bytes, aligned, all 0. */
static void *allocate(size_t bytes) {
    char *memory = calloc(1, bytes + 2 * BLOCK);
    if (!memory) return NULL;
    char *aligned = memory + BLOCK + (BLOCK - (uintptr_t)memory % BLOCK);
    ((void **)aligned)[-1] = memory;
    return aligned;
}

static void release(void *aligned) {
    if (aligned) free(((void **)aligned)[-1]);
}

p15_status p15_dense_batch_new(const p15_dense *network, size_t room, p15_dense_batch **made) {
    *made = NULL;
    if (room < 1 || room > P15_DENSE_MAX_BATCH) return P15_ERR_ARGUMENT;
    size_t sums = network->width * sizeof(uint32_t), bytes = network->quantized ? room * network->width : 0;
    size_t floats = room * network->widest * sizeof(float);
    p15_dense_batch *batch = calloc(1, sizeof *batch);
    char *memory = batch ? allocate(sums + bytes + 2 * floats) : NULL;
    if (!memory) {
        free(batch);
        return P15_ERR_MEMORY;
    }
    *batch = (p15_dense_batch){.network = network, .room = room, .memory = memory};
    batch->sums = memory;
    batch->bytes = (uint8_t *)memory + sums;
    batch->floats = (float *)(memory + sums + bytes);
    batch->other = (float *)(memory + sums + bytes + floats);
    *made = batch;
    return P15_OK;
}

void p15_dense_batch_delete(p15_dense_batch *batch) {
    if (!batch) return;
    release(batch->memory);
    free(batch);
}

/* ------------------------------------------------------------------------------------------------ networks */

static unsigned padded(unsigned width, unsigned to) { return (width + to - 1) / to * to; }

static bool are_fit(const float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(values[i]) <= MOST_WEIGHT)) return false;
    return true;
}

/* Whether layers follow on one of `inputs` outputs, and end in one. */
static bool are_layers(const p15_dense_layer *layers, unsigned count, unsigned inputs) {
    for (unsigned i = 0; i < count; i++) {
        const p15_dense_layer *l = &layers[i];
        if (l->inputs != inputs || l->outputs < 1 || l->outputs > P15_DENSE_MAX_WIDTH ||
            (unsigned)l->activation >= P15_ACTIVATION_COUNT || !are_fit(l->biases, l->outputs) ||
            !are_fit(l->weights, (size_t)l->inputs * l->outputs))
            return false;
        inputs = l->outputs;
    }
    return inputs == 1;
}

/* The half of this value in *half; false: there is none. */
static bool half_of(float value, uint16_t *half) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    int exponent = (int)(magnitude >> 23) - 127 + 15;
    if (magnitude == 0) {
        *half = (uint16_t)sign;
        return true;
    }
    if (exponent >= 31 || exponent < -10) return false;
    uint32_t fraction = (magnitude & 0x7fffffu) | 0x800000u;
    unsigned lost = exponent > 0 ? 13 : 14u + (unsigned)-exponent; /* bits of the fraction; small halves have fewer */
    if (fraction & ((1u << lost) - 1u)) return false;
    fraction >>= lost;
    *half = (uint16_t)(sign | (exponent > 0 ? ((uint32_t)exponent << 10) + (fraction & 0x3ffu) : fraction));
    return true;
}

/* Where a weight lies in a layer's panels. */
static size_t place_in(const layer *l, unsigned input, unsigned output) {
    if (l->lanes == 0) return input;
    size_t wide = l->lanes * LANES;
    return (output / wide * l->inputs + input) * wide + output % wide;
}

static bool make_layer(p15_dense *network, const p15_dense_layer *given, layer *made) {
    unsigned outputs = given->outputs, inputs = outputs == 1 ? padded(given->inputs, LANES) : given->inputs;
    *made = (layer){.inputs = inputs, .outputs = outputs, .activation = given->activation};
    made->lanes = outputs == 1 ? 0 : outputs <= LANES ? 1 : outputs <= 2 * LANES || network->quantized ? 2 : MOST_LANES;
    unsigned width = outputs == 1 ? LANES : padded(outputs, made->lanes * LANES);
    size_t count = outputs == 1 ? inputs : (size_t)inputs * width;
    bool halves = network->cpu >= P15_CPU_V4 && made->lanes == MOST_LANES;
    uint16_t half;
    for (size_t i = 0; i < (size_t)given->inputs * outputs && halves; i++) halves = half_of(given->weights[i], &half);
    made->biases = allocate(width * sizeof(float));
    if (halves)
        made->halves = allocate(count * sizeof(uint16_t));
    else
        made->weights = allocate(count * sizeof(float));
    if (!made->biases || (!made->weights && !made->halves)) return false;
    memcpy(made->biases, given->biases, outputs * sizeof(float));
    for (unsigned i = 0; i < given->inputs; i++)
        for (unsigned o = 0; o < outputs; o++) {
            float weight = given->weights[(size_t)i * outputs + o];
            if (halves)
                half_of(weight, &made->halves[place_in(made, i, o)]);
            else
                made->weights[place_in(made, i, o)] = weight;
        }
    network->bytes += width * sizeof(float) + count * (halves ? sizeof(uint16_t) : sizeof(float));
    if (width > network->widest) network->widest = width;
    return true;
}

static bool make_layers(p15_dense *network, const p15_dense_layer *layers, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (!make_layer(network, &layers[i], &network->layers[network->layer_count++])) return false;
    return true;
}

static int32_t nearest(double x) { return (int32_t)(x < 0 ? x - 0.5 : x + 0.5); }

/* The first layer's rows and biases, without the blank's, as whole numbers: their largest sum has at most 30 bits. */
static bool make_sums(p15_dense *network, const p15_dense_layer *first) {
    unsigned outputs = first->outputs, width = network->width;
    int32_t *rows = allocate((size_t)P15_DENSE_INPUTS * width * sizeof *rows),
            *biases = allocate(width * sizeof *biases);
    network->rows = rows;
    network->biases = biases;
    if (!rows || !biases) return false;
    double most = 1;
    for (unsigned o = 0; o < outputs; o++) {
        double bias = first->biases[o], sum = 0;
        for (unsigned cell = 0; cell < 16; cell++) {
            double blank = first->weights[(size_t)cell * outputs + o], largest = 0;
            bias += blank;
            for (unsigned tile = 1; tile < 16; tile++) {
                double weight = fabs(first->weights[(size_t)(16 * tile + cell) * outputs + o] - blank);
                if (weight > largest) largest = weight;
            }
            sum += largest;
        }
        sum += fabs(bias);
        if (sum > most) most = sum;
    }
    double unit = 1 << 29;
    while (most * unit > 1 << 30) unit /= 2;
    network->unit = (float)(1 / unit);
    for (unsigned o = 0; o < outputs; o++) {
        double bias = first->biases[o];
        for (unsigned cell = 0; cell < 16; cell++) {
            double blank = first->weights[(size_t)cell * outputs + o];
            bias += blank;
            for (unsigned tile = 1; tile < 16; tile++)
                rows[(size_t)(16 * tile + cell) * width + o] =
                    nearest((first->weights[(size_t)(16 * tile + cell) * outputs + o] - blank) * unit);
        }
        biases[o] = nearest(bias * unit);
    }
    network->bytes += ((size_t)P15_DENSE_INPUTS + 1) * width * sizeof *rows;
    return true;
}

static bool make_short_sums(p15_dense *network, const p15_quantized_layers *first) {
    unsigned hidden = first->hidden, width = network->width;
    int16_t *rows = allocate((size_t)P15_DENSE_INPUTS * width * sizeof *rows),
            *biases = allocate(width * sizeof *biases);
    network->rows = rows;
    network->biases = biases;
    if (!rows || !biases) return false;
    for (unsigned o = 0; o < hidden; o++) {
        int bias = first->biases0[o];
        for (unsigned cell = 0; cell < 16; cell++) {
            int blank = first->weights0[(size_t)cell * hidden + o];
            bias += blank;
            for (unsigned tile = 1; tile < 16; tile++)
                rows[(size_t)(16 * tile + cell) * width + o] =
                    (int16_t)(first->weights0[(size_t)(16 * tile + cell) * hidden + o] - blank);
        }
        biases[o] = (int16_t)bias; /* within 16 bits: it is a possible sum of blanks' weights and a bias */
    }
    network->bytes += ((size_t)P15_DENSE_INPUTS + 1) * width * sizeof *rows;
    return true;
}

static bool make_products(p15_dense *network, const p15_quantized_layers *first) {
    unsigned hidden = first->hidden, outputs = first->outputs, width = network->width;
    unsigned side = network->cpu >= P15_CPU_V3 ? 4 : 1; /* inputs side by side */
    network->outputs = padded(outputs, GROUP);
    network->products = allocate((size_t)width * network->outputs);
    network->product_biases = allocate(network->outputs * sizeof(int32_t));
    if (!network->products || !network->product_biases) return false;
    memcpy(network->product_biases, first->biases1, outputs * sizeof(int32_t));
    for (unsigned i = 0; i < hidden; i++)
        for (unsigned o = 0; o < outputs; o++)
            network->products[(o / GROUP * (width / side) + i / side) * side * GROUP + side * (o % GROUP) + i % side] =
                first->weights1[(size_t)i * outputs + o];
    network->bytes += ((size_t)width + sizeof(int32_t)) * network->outputs;
    if (network->outputs > network->widest) network->widest = network->outputs;
    return true;
}

static p15_dense *empty(p15_cpu cpu, unsigned width) {
    p15_dense *network = calloc(1, sizeof *network);
    if (!network) return NULL;
    network->cpu = cpu < p15_cpu_pick() ? cpu : p15_cpu_pick();
    network->width = padded(width, BLOCK);
    network->widest = LANES;
    network->bytes = sizeof *network;
    return network;
}

static p15_status finished(p15_dense *network, bool good, p15_dense **made) {
    if (!good) {
        p15_dense_delete(network);
        return P15_ERR_MEMORY;
    }
    network->widest = padded(network->widest, LANES);
    *made = network;
    return P15_OK;
}

p15_status p15_dense_new(const p15_dense_layer *layers, unsigned count, p15_cpu cpu, p15_dense **made) {
    *made = NULL;
    if (count < 1 || count > P15_DENSE_MAX_LAYERS || !are_layers(layers, count, P15_DENSE_INPUTS))
        return P15_ERR_ARGUMENT;
    p15_dense *network = empty(cpu, layers[0].outputs);
    if (!network) return P15_ERR_MEMORY;
    network->activation = layers[0].activation;
    network->widest = network->width;
    return finished(network, make_sums(network, layers) && make_layers(network, layers + 1, count - 1), made);
}

/* Whether the weights of a quantized network keep to their ranges. */
static bool are_quantized(const p15_quantized_layers *first) {
    unsigned hidden = first->hidden, outputs = first->outputs;
    if (hidden < 1 || hidden > P15_DENSE_MAX_WIDTH || outputs < 1 || outputs > P15_DENSE_MAX_WIDTH ||
        first->shift > 15 || (first->activation != P15_LINEAR && first->activation != P15_RELU) ||
        !are_fit(&first->scale, 1))
        return false;
    for (size_t i = 0; i < (size_t)P15_DENSE_INPUTS * hidden; i++)
        if (first->weights0[i] == INT8_MIN) return false;
    for (size_t i = 0; i < (size_t)hidden * outputs; i++)
        if (first->weights1[i] == INT8_MIN) return false;
    for (unsigned o = 0; o < hidden; o++)
        if (first->biases0[o] > INT16_MAX - 16 * 127 || first->biases0[o] < INT16_MIN + 16 * 127) return false;
    for (unsigned o = 0; o < outputs; o++)
        if (first->biases1[o] > 1 << 30 || first->biases1[o] < -(1 << 30)) return false;
    return true;
}

p15_status p15_dense_new_quantized(const p15_quantized_layers *first, const p15_dense_layer *layers, unsigned count,
                                   p15_cpu cpu, p15_dense **made) {
    *made = NULL;
    if (count > P15_DENSE_MAX_LAYERS || !are_quantized(first) || !are_layers(layers, count, first->outputs))
        return P15_ERR_ARGUMENT;
    p15_dense *network = empty(cpu, first->hidden);
    if (!network) return P15_ERR_MEMORY;
    network->quantized = true;
    network->shift = first->shift;
    network->scale = first->scale;
    network->product_activation = first->activation;
    return finished(
        network,
        make_short_sums(network, first) && make_products(network, first) && make_layers(network, layers, count), made);
}

void p15_dense_delete(p15_dense *network) {
    if (!network) return;
    for (unsigned i = 0; i < network->layer_count; i++) {
        release(network->layers[i].biases);
        release(network->layers[i].weights);
        release(network->layers[i].halves);
    }
    release(network->rows);
    release(network->biases);
    release(network->products);
    release(network->product_biases);
    free(network);
}

size_t p15_dense_bytes(const p15_dense *network) { return network->bytes; }
