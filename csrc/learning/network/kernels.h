/* The kernels of a network's layers, and what they share: activations, and how many boards go together.
 *
 * Whoever includes this rounds every product before it is added, unless it says otherwise: see dense.h. */
#ifndef P15_LEARNING_KERNELS_H
#define P15_LEARNING_KERNELS_H

#include "learning/network/network.h"

#include <string.h>

/* Layer 0: the sums of a board's rows, and those of its children.
 *
 * The sums of one board are held. Those of a relative follow from them: a row less and a row more for each cell that
 * differs. */
typedef struct {
    p15_board board; /* whose sums are held; 0: none */
    void *sums;      /* [width] of int16 or int32, aligned to P15_DENSE_BLOCK */
} p15_sums;

/* Writes the inputs of layer 1 after the tile at `cell` of the board slid to `blank`: `width` bytes of a quantized
 * network, else floats. With tile 0 and the same cell twice, those of the board itself. */
void p15_sums_inputs(const p15_dense *network, p15_sums *sums, p15_board board, unsigned tile, unsigned cell,
                     unsigned blank, void *inputs);

/* Layer 1 of a quantized network, from the bytes x, `width` of them for each board, to y, for `boards` boards of
 * `stride` floats each. */
void p15_products_run(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards);

/* A layer of floats, from x to y. Outputs beyond the layer's are padding. */
void p15_layer_run(const p15_layer *layer, p15_cpu cpu, const float *x, float *y, size_t stride, size_t boards);

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF /* gcc does so in C11 anyway */
#endif

#define P15_UNROLL _Pragma("GCC unroll 8")

#define P15_MOST_BOARDS 6u /* that go through a panel together */

/* How many boards the next tile takes. */
P15_INLINE size_t p15_together(size_t boards, unsigned most) {
    if (most == 6) return boards >= 6 ? 6 : boards == 5 ? 3 : boards;
    return boards < most ? boards : most;
}

/* exp(x) - 1 of x <= 0. */
P15_INLINE float p15_less_than_one(float x) {
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

P15_INLINE float p15_activated(float x, p15_activation activation) {
    if (activation == P15_RELU) return x > 0 ? x : 0;
    if (activation == P15_ELU) return x > 0 ? x : p15_less_than_one(x > 0 ? 0 : x);
    return x;
}

P15_INLINE void p15_activate(float *x, unsigned count, p15_activation activation) {
    if (activation == P15_RELU)
        for (unsigned i = 0; i < count; i++) x[i] = p15_activated(x[i], P15_RELU);
    else if (activation == P15_ELU)
        for (unsigned i = 0; i < count; i++) x[i] = p15_activated(x[i], P15_ELU);
}

#endif
