/* p15_bits: counting and finding bits of a word, numbering arrangements, and transposing matrices of bits. */
#ifndef P15_BASE_BITS_H
#define P15_BASE_BITS_H

#include "base/cpu.h"

#include <stdint.h>

/* How many bits are set. */
P15_INLINE unsigned p15_count_bits(uint64_t bits) { return (unsigned)__builtin_popcountll(bits); }

/* The number of the lowest bit that is set; bits is not 0. */
P15_INLINE unsigned p15_lowest_bit(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }

/* The number of the bit that has `below` set bits below it; there is one. */
P15_INLINE unsigned p15_nth_bit(uint64_t bits, unsigned below) {
    while (below--) bits &= bits - 1;
    return p15_lowest_bit(bits);
}

/* n (n-1) .. (n-k+1): the arrangements of k of n things, which are numbered in lexicographic order. */
static inline uint64_t p15_arrangements(unsigned n, unsigned k) {
    uint64_t product = 1;
    for (unsigned i = 0; i < k; i++) product *= n - i;
    return product;
}

/* One more step of such a number, from 0 on: `rank` is that of the things so far, which are the set `taken`; `left` are
 * not taken, and `thing` is the next one. */
P15_INLINE uint64_t p15_rank_next(uint64_t rank, unsigned left, unsigned taken, unsigned thing) {
    return rank * left + p15_count_bits(~taken & ((1u << thing) - 1u));
}

/* Transposes a word as an 8x8 matrix: bit j of byte i becomes bit i of byte j. */
P15_INLINE uint64_t p15_transpose_bytes(uint64_t matrix) {
    uint64_t t = (matrix ^ (matrix >> 7)) & UINT64_C(0x00aa00aa00aa00aa);
    matrix ^= t ^ (t << 7);
    t = (matrix ^ (matrix >> 14)) & UINT64_C(0x0000cccc0000cccc);
    matrix ^= t ^ (t << 14);
    t = (matrix ^ (matrix >> 28)) & UINT64_C(0x00000000f0f0f0f0);
    return matrix ^ t ^ (t << 28);
}

/* Transposes 64 words as a 64x64 matrix: bit j of word i becomes bit i of word j. */
P15_INLINE void p15_transpose_words(uint64_t *matrix) {
    uint64_t mask = UINT64_C(0x00000000ffffffff);
    for (unsigned width = 32; width; width >>= 1, mask ^= mask << width)
        for (unsigned i = 0; i < 64; i += 2 * width)
            for (unsigned j = i; j < i + width; j++) {
                uint64_t t = ((matrix[j] >> width) ^ matrix[j + width]) & mask;
                matrix[j] ^= t << width;
                matrix[j + width] ^= t;
            }
}

#endif
