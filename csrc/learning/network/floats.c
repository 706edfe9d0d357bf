#include "learning/network/floats.h"

#include "learning/network/kernels.h"

#if P15_HAVE_V4
#include <immintrin.h>
#endif

#if defined(__GNUC__)
typedef float four __attribute__((vector_size(16), may_alias));
typedef float eight __attribute__((vector_size(32), may_alias));
typedef float sixteen __attribute__((vector_size(64), may_alias));
#define ADD_PRODUCT(sum, weights, x) ((sum) += (weights) * (x)) /* rounded twice */
#else
typedef float four, eight, sixteen;
#define ADD_PRODUCT(sum, weights, x) ((sum) += (weights) * (x))
#endif

/* The sums of `boards` boards and `lanes` times 16 outputs; `load` makes the vector number `at` of a panel's weights,
 * `add` adds products. */
#define TILE(vector, load, add)                                                                                      \
    enum { SPLIT = P15_DENSE_LANES * sizeof(float) / sizeof(vector) }; /* vectors of 16 outputs */                   \
    vector sums[P15_MOST_BOARDS][P15_DENSE_MOST_LANES * SPLIT];                                                      \
    P15_UNROLL for (unsigned b = 0; b < boards; b++) P15_UNROLL for (unsigned v = 0; v < lanes * SPLIT; v++)         \
        sums[b][v] = ((const vector *)biases)[v];                                                                    \
    for (unsigned i = 0; i < inputs; i++) {                                                                          \
        vector row[P15_DENSE_MOST_LANES * SPLIT];                                                                    \
        P15_UNROLL for (unsigned v = 0; v < lanes * SPLIT; v++) row[v] = load(vector, (size_t)i * step * SPLIT + v); \
        P15_UNROLL for (unsigned b = 0; b < boards; b++) {                                                           \
            float input = x[b * stride + i];                                                                         \
            P15_UNROLL for (unsigned v = 0; v < lanes * SPLIT; v++) add(sums[b][v], row[v], input);                  \
        }                                                                                                            \
    }                                                                                                                \
    P15_UNROLL for (unsigned b = 0; b < boards; b++)                                                                 \
        P15_UNROLL for (unsigned v = 0; v < lanes * SPLIT; v++)((vector *)(y + b * stride))[v] = sums[b][v]

/* All tiles of `lanes` times 16 outputs of a panel, from number `first` on. */
#define LOAD_FLOATS(vector, at) (((const vector *)weights)[at])
#define DEFINE_PANEL(name, target, vector, add)                                                                     \
    target P15_INLINE void tile_##name(const float *x, float *y, size_t stride, const float *weights,               \
                                       const float *biases, unsigned inputs, size_t step, unsigned boards,          \
                                       unsigned lanes) {                                                            \
        TILE(vector, LOAD_FLOATS, add);                                                                             \
    }                                                                                                               \
    target P15_INLINE void panel_##name(const p15_layer *l, const float *x, float *y, size_t stride, size_t number, \
                                        size_t boards, unsigned first, unsigned lanes, unsigned most) {             \
        unsigned inputs = l->inputs, step = l->lanes;                                                               \
        const float *weights = l->weights + (number * inputs * step + first) * P15_DENSE_LANES;                     \
        const float *biases = l->biases + (number * step + first) * P15_DENSE_LANES;                                \
        y += (number * step + first) * P15_DENSE_LANES;                                                             \
        for (size_t b = 0, n; b < boards; b += n) {                                                                 \
            const float *from = x + b * stride;                                                                     \
            float *to = y + b * stride;                                                                             \
            n = p15_together(boards - b, most);                                                                     \
            if (n == 6 && most == 6)                                                                                \
                tile_##name(from, to, stride, weights, biases, inputs, step, 6, lanes);                             \
            else if (n == 4 && most >= 4)                                                                           \
                tile_##name(from, to, stride, weights, biases, inputs, step, 4, lanes);                             \
            else if (n == 3 && most >= 4)                                                                           \
                tile_##name(from, to, stride, weights, biases, inputs, step, 3, lanes);                             \
            else if (n == 2)                                                                                        \
                tile_##name(from, to, stride, weights, biases, inputs, step, 2, lanes);                             \
            else                                                                                                    \
                tile_##name(from, to, stride, weights, biases, inputs, step, 1, lanes);                             \
        }                                                                                                           \
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

/* A layer of few registers: its panels 16 outputs at a time, or, for one board, 32: sums wait for the one before. */
#define PANELS(panel, most)                                                               \
    for (unsigned number = 0; number * l->lanes * P15_DENSE_LANES < l->outputs; number++) \
        for (unsigned v = 0, n; v < l->lanes; v += n) {                                   \
            n = boards == 1 && l->lanes > 1 ? 2 : 1;                                      \
            if (n == 2)                                                                   \
                panel(l, x, y, stride, number, boards, v, 2, 1);                          \
            else                                                                          \
                panel(l, x, y, stride, number, boards, v, 1, most);                       \
        }

P15_INLINE void layer_plain(const p15_layer *l, const float *x, float *y, size_t stride,
                            size_t boards){PANELS(panel_four, 2)}

#if P15_HAVE_V4
P15_INLINE P15_TARGET_V3 void layer_v3(const p15_layer *l, const float *x, float *y, size_t stride, size_t boards) {
    if (l->lanes == P15_DENSE_MOST_LANES)
        PANELS(panel_fused_eight, 4)
    else
        PANELS(panel_eight, 4)
}
#endif

#if P15_HAVE_V4
P15_INLINE P15_TARGET_V4 void tile_halves(const float *x, float *y, size_t stride, const uint16_t *halves,
                                          const float *biases, unsigned inputs, unsigned boards) {
    const unsigned lanes = P15_DENSE_MOST_LANES, step = P15_DENSE_MOST_LANES;
#define LOAD_HALVES(vector, at) ((vector)_mm512_cvtph_ps(_mm256_load_si256((const __m256i *)halves + (at))))
    TILE(sixteen, LOAD_HALVES, FUSE_SIXTEEN);
}

P15_INLINE P15_TARGET_V4 void panel_halves(const p15_layer *l, const float *x, float *y, size_t stride, size_t number,
                                           size_t boards) {
    unsigned inputs = l->inputs;
    const uint16_t *halves = l->halves + number * inputs * P15_DENSE_BLOCK;
    const float *biases = l->biases + number * P15_DENSE_BLOCK;
    y += number * P15_DENSE_BLOCK;
    for (size_t b = 0, n; b < boards; b += n) {
        const float *from = x + b * stride;
        float *to = y + b * stride;
        n = p15_together(boards - b, P15_MOST_BOARDS);
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

P15_INLINE P15_TARGET_V4 void layer_v4(const p15_layer *l, const float *x, float *y, size_t stride, size_t boards) {
    for (unsigned number = 0; number * l->lanes * P15_DENSE_LANES < l->outputs; number++) {
        if (l->halves)
            panel_halves(l, x, y, stride, number, boards);
        else if (l->lanes == P15_DENSE_MOST_LANES)
            panel_fused_sixteen(l, x, y, stride, number, boards, 0, 4, P15_MOST_BOARDS);
        else if (l->lanes == 2)
            panel_sixteen(l, x, y, stride, number, boards, 0, 2, P15_MOST_BOARDS);
        else
            panel_sixteen(l, x, y, stride, number, boards, 0, 1, P15_MOST_BOARDS);
    }
}
#endif

/* One layer; `whole_layer` knows those of several outputs. */
P15_INLINE void run(const p15_layer *l, const float *x, float *y, size_t stride, size_t boards,
                    void (*whole_layer)(const p15_layer *, const float *, float *, size_t, size_t)) {
    if (l->lanes == 0) {
        for (size_t b = 0; b < boards; b++) dot(l, x + b * stride, y + b * stride);
        return;
    }
    unsigned panel = l->lanes * P15_DENSE_LANES, width = (l->outputs + panel - 1) / panel * panel;
    whole_layer(l, x, y, stride, boards);
    for (size_t b = 0; b < boards; b++) p15_activate(y + b * stride, width, l->activation);
}

typedef void run_function(const p15_layer *, const float *, float *, size_t, size_t);

static void run_plain(const p15_layer *l, const float *x, float *y, size_t stride, size_t boards) {
    run(l, x, y, stride, boards, layer_plain);
}

#if !P15_HAVE_V4
#define layer_v3 layer_plain
#endif
P15_TARGET_V3 static void run_v3(const p15_layer *l, const float *x, float *y, size_t stride, size_t boards) {
    run(l, x, y, stride, boards, layer_v3);
}

#if P15_HAVE_V4
P15_TARGET_V4 static void run_v4(const p15_layer *l, const float *x, float *y, size_t stride, size_t boards) {
    run(l, x, y, stride, boards, layer_v4);
}
#endif

static run_function *const RUNS[] = P15_BY_LEVEL(run_plain, run_v3, run_v4, run_v4);

void p15_layer_run(const p15_layer *layer, p15_cpu cpu, const float *x, float *y, size_t stride, size_t boards) {
    RUNS[cpu](layer, x, y, stride, boards);
}
