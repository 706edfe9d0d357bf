/* p15_random: random numbers from 64 bits of state, so that each of many boards can have a generator of its own.
 *
 * The state grows by an odd constant; a number is the state with its bits mixed. So a board's numbers depend on its
 * seed alone, whatever thread works on it, and whatever the other boards do.
 *
 * Source: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; the
 * constants are those of SplitMix64. */
#ifndef P15_LEARNING_RANDOM_H
#define P15_LEARNING_RANDOM_H

#include "base/cpu.h"

#include <stdint.h>

P15_INLINE uint64_t p15_random_mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* The state that a seed begins with. Neighbouring seeds begin far from each other. */
P15_INLINE uint64_t p15_random_seed(uint64_t seed) { return p15_random_mix(seed + UINT64_C(0x9e3779b97f4a7c15)); }

/* The next number. */
P15_INLINE uint64_t p15_random_next(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return p15_random_mix(*state);
}

/* The next number below `bound` (1 .. 2^32 - 1). Probabilities differ from 1 / bound by less than 2^-32. */
P15_INLINE uint32_t p15_random_below(uint64_t *state, uint32_t bound) {
    return (uint32_t)((p15_random_next(state) >> 32) * bound >> 32);
}

#endif
