/* The same as tables/block.h with AVX-512: 8 words side by side. For patterns of 7 and 8 tiles only: there the words
 * of each digit d_2 are whole vectors. */
#ifndef P15_TABLES_BLOCK_V4_H
#define P15_TABLES_BLOCK_V4_H

#include "tables/block.h"

#if P15_HAVE_V4
#include <immintrin.h>

/* One of three stages of a transposition of the 8x8 bits of each word. */
#define P15_SWAP_BITS(x, by, mask)                                                                              \
    do {                                                                                                        \
        __m512i t_ =                                                                                            \
            _mm512_ternarylogic_epi64(x, _mm512_srli_epi64(x, by), _mm512_set1_epi64((long long)(mask)), 0x28); \
        x = _mm512_ternarylogic_epi64(x, t_, _mm512_slli_epi64(t_, by), 0x96);                                  \
    } while (0)

P15_INLINE_V4 void store_v4(uint64_t *to, __m512i x, bool into) {
    _mm512_storeu_si512(to, into ? _mm512_or_si512(x, _mm512_loadu_si512(to)) : x);
}

/* Exchanges positions 0 and 1 in each word. What comes to the diagonal is not taken from there. */
P15_INLINE_V4 void swap01_v4(const uint64_t *source, uint64_t *target, unsigned k, unsigned words, bool into) {
    const __m512i above = _mm512_set1_epi64((long long)P15_ABOVE);
    (void)k;
    for (unsigned i = 0; i < words; i += 8) {
        __m512i x = _mm512_loadu_si512(source + i);
        x = _mm512_ternarylogic_epi64(above, x, _mm512_slli_epi64(x, 8), 0xca);
        P15_SWAP_BITS(x, 7, UINT64_C(0x00aa00aa00aa00aa));
        P15_SWAP_BITS(x, 14, UINT64_C(0x0000cccc0000cccc));
        P15_SWAP_BITS(x, 28, UINT64_C(0x00000000f0f0f0f0));
        store_v4(target + i, _mm512_ternarylogic_epi64(above, x, _mm512_srli_epi64(x, 8), 0xca), into);
    }
}

/* The bytes of two vectors, in each word the first `count` of the first one. */
P15_INLINE_V4 __m512i bytes_v4(unsigned count, __m512i first, __m512i others) {
    uint64_t mask = (UINT64_C(1) << count) - 1;
    return _mm512_mask_blend_epi8((__mmask64)(mask * UINT64_C(0x0101010101010101)), others, first);
}

/* Exchanges positions 1 and 2. In word (d_2, rest), byte d_1 becomes, with b = d_2 + (d_2 >= d_1), what is exchanged
 * with its transposition: 8 vectors are an 8x8 matrix of bytes for each rest. */
P15_INLINE_V4 void swap12_v4(const uint64_t *source, uint64_t *target, unsigned k, unsigned words, bool into) {
    const unsigned digits = k - 2, stride = words / digits;
    const __m512i rotate2 = _mm512_broadcast_i32x4(_mm_setr_epi8(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
    const __m512i rotate1 = _mm512_broadcast_i32x4(_mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    for (unsigned i = 0; i < stride; i += 8) {
        __m512i s[6], r[8];
        for (unsigned y = 0; y < digits; y++) s[y] = _mm512_loadu_si512(source + y * stride + i);
        r[0] = s[0];
        for (unsigned y = 1; y < digits; y++) r[y] = bytes_v4(y, s[y - 1], s[y]);
        r[digits] = s[digits - 1];
        for (unsigned y = digits + 1; y < 8; y++) r[y] = _mm512_setzero_si512();
        for (unsigned y = 0; y < 4; y++) {
            __m512i a = r[y], b = r[y + 4];
            r[y] = _mm512_mask_shuffle_epi32(a, 0xaaaa, b, 0xb1);
            r[y + 4] = _mm512_mask_shuffle_epi32(b, 0x5555, a, 0xb1);
        }
        for (unsigned z = 0; z < 4; z++) {
            unsigned y = z < 2 ? z : z + 2;
            __m512i a = r[y], b = r[y + 2];
            r[y] = _mm512_mask_shuffle_epi8(a, 0xcccccccccccccccc, b, rotate2);
            r[y + 2] = _mm512_mask_shuffle_epi8(b, 0x3333333333333333, a, rotate2);
        }
        for (unsigned y = 0; y < 8; y += 2) {
            __m512i a = r[y], b = r[y + 1];
            r[y] = _mm512_mask_shuffle_epi8(a, 0xaaaaaaaaaaaaaaaa, b, rotate1);
            r[y + 1] = _mm512_mask_shuffle_epi8(b, 0x5555555555555555, a, rotate1);
        }
        for (unsigned y = 0; y < digits; y++) {
            __m512i x = bytes_v4(y + 1, r[y + 1], r[y]);
            store_v4(target + y * stride + i, x, into);
        }
    }
}

/* Eight loads at a time, because AMD's instruction for it (_mm512_i32gather_epi64 on Zen 4) takes longer. */
P15_INLINE_V4 void pick_v4(const uint64_t *s, const uint16_t *gather, uint64_t *target, unsigned words, bool into) {
    for (unsigned i = 0; i < words; i += 8) {
        const uint16_t *g = gather + i;
        __m512i x = _mm512_set_epi64((long long)s[g[7]], (long long)s[g[6]], (long long)s[g[5]], (long long)s[g[4]],
                                     (long long)s[g[3]], (long long)s[g[2]], (long long)s[g[1]], (long long)s[g[0]]);
        store_v4(target + i, x, into);
    }
}

/* As p15_block_keep. The bits of each half of a byte are counted by a table. */
P15_INLINE_V4 uint64_t keep_v4(const uint64_t *sum, uint64_t *mine, const uint64_t *other, unsigned words) {
    const __m512i nibbles = _mm512_set1_epi8(15), none = _mm512_setzero_si512();
    const __m512i bits = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    __m512i found = none;
    for (unsigned i = 0; i < words; i += 8) {
        __m512i old = _mm512_loadu_si512(mine + i);
        __m512i fresh =
            _mm512_ternarylogic_epi64(_mm512_loadu_si512(sum + i), old, _mm512_loadu_si512(other + i), 0x10);
        store_v4(mine + i, fresh, true);
        __m512i low = _mm512_shuffle_epi8(bits, _mm512_and_si512(fresh, nibbles));
        __m512i high = _mm512_shuffle_epi8(bits, _mm512_and_si512(_mm512_srli_epi64(fresh, 4), nibbles));
        found = _mm512_add_epi64(found, _mm512_sad_epu8(_mm512_add_epi8(low, high), none));
    }
    return (uint64_t)_mm512_reduce_add_epi64(found);
}

#endif
#endif
