/* What the kernels of layers share: activations, and how many boards go through weights together.
 *
 * Whoever includes this rounds every product before it is added, unless it says otherwise: see dense.h. */
#ifndef P15_LEARNING_KERNELS_H
#define P15_LEARNING_KERNELS_H

#include "learning/network/network.h"

#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF /* gcc does so in C11 anyway */
#endif

#if defined(__GNUC__)
#define P15_UNROLL _Pragma("GCC unroll 8")
#else
#define P15_UNROLL
#endif

#define P15_MOST_BOARDS 6u /* that go through a panel together */

/* How many boards the next tile takes. */
P15_INLINE size_t p15_together(size_t boards, unsigned most) {
    if (most == 6) return boards >= 6 ? 6 : boards == 5 ? 3 : boards;
    if (most == 4) return boards >= 4 ? 4 : boards;
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
