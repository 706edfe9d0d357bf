#include "learning/network/products.h"

#include "learning/network/kernels.h"

#if P15_HAVE_V4
#include <immintrin.h>
#endif

/* x is 0 .. 127 and weights are -127 .. 127, so that two products fit 16 bits. */

/* Two inputs' products are added as 16 bits: more of them fit a vector. */
P15_INLINE void products_plain(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards) {
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
/* For `boards` boards at once; `vectors` hold a group's outputs. A board alone has its sums in two parts, since each
 * waits for the one before. */
#define PRODUCTS(vector, vectors, load, store, broadcast, zero, add, join)                                     \
    unsigned width = network->width;                                                                           \
    const unsigned parts = boards == 1 ? 2 : 1;                                                                \
    const vector *weights = (const vector *)network->products;                                                 \
    for (unsigned group = 0; group < network->outputs; group += P15_DENSE_GROUP) {                             \
        vector sums[2][P15_MOST_BOARDS][vectors];                                                              \
        P15_UNROLL for (unsigned b = 0; b < boards; b++) P15_UNROLL for (unsigned v = 0; v < vectors; v++) {   \
            sums[0][b][v] = load((const vector *)(network->product_biases + group) + v);                       \
            if (parts == 2) sums[1][b][v] = zero();                                                            \
        }                                                                                                      \
        for (unsigned i = 0; i < width; i += 4 * parts, weights += vectors * parts)                            \
            P15_UNROLL for (unsigned p = 0; p < parts; p++) P15_UNROLL for (unsigned b = 0; b < boards; b++) { \
                int32_t four;                                                                                  \
                memcpy(&four, x + b * width + i + 4 * p, sizeof four);                                         \
                vector inputs = broadcast(four);                                                               \
                P15_UNROLL for (unsigned v = 0; v < vectors; v++) sums[p][b][v] =                              \
                    add(sums[p][b][v], inputs, load(weights + vectors * p + v));                               \
            }                                                                                                  \
        P15_UNROLL for (unsigned b = 0; b < boards; b++) P15_UNROLL for (unsigned v = 0; v < vectors; v++)     \
            store(y + b * stride + group + v * (P15_DENSE_GROUP / vectors), network->scale,                    \
                  parts == 2 ? join(sums[0][b][v], sums[1][b][v]) : sums[0][b][v]);                            \
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
        n = p15_together(boards - b, 2);
        if (n == 2)
            tile_products_v3(network, x + b * network->width, y + b * stride, stride, 2);
        else
            tile_products_v3(network, x + b * network->width, y + b * stride, stride, 1);
    }
}

#define PRODUCTS_OF_MANY(tile_products)                  \
    for (size_t b = 0, n; b < boards; b += n) {          \
        n = p15_together(boards - b, 4);                 \
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

P15_INLINE void run(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards,
                    void (*products)(const p15_dense *, const uint8_t *, float *, size_t, size_t)) {
    products(network, x, y, stride, boards);
    for (size_t b = 0; b < boards; b++) p15_activate(y + b * stride, network->outputs, network->product_activation);
}

typedef void run_function(const p15_dense *, const uint8_t *, float *, size_t, size_t);

static void run_plain(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards) {
    run(network, x, y, stride, boards, products_plain);
}

#if !P15_HAVE_V4
#define products_v3 products_plain
#endif
P15_TARGET_V3 static void run_v3(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards) {
    run(network, x, y, stride, boards, products_v3);
}

#if P15_HAVE_V4
P15_TARGET_V4 static void run_v4(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards) {
    run(network, x, y, stride, boards, products_v4);
}

P15_TARGET_VNNI static void run_vnni(const p15_dense *network, const uint8_t *x, float *y, size_t stride,
                                     size_t boards) {
    run(network, x, y, stride, boards, products_vnni);
}
#endif

static run_function *const RUNS[] = P15_BY_LEVEL(run_plain, run_v3, run_v4, run_vnni);

void p15_products_run(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards) {
    RUNS[network->cpu](network, x, y, stride, boards);
}
