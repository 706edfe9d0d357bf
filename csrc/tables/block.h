/* p15_block: the states of a block while a table is built (tables/build.h), permuted by a move of a tile.
 *
 * A block is (k-2)! words of 64 bits, whose numbers are the digits d_2, d_3, .. in mixed radix; d_1 picks the byte and
 * d_0 the bit (tables/space.h). So a tile that comes to another position is one of
 *
 *     - a permutation of words     positions from 2 on
 *     - the same, and a transposition of bytes between k-2 words (position 1), or of the 8x8 bits of each word (0)
 *
 * The functions are inlined, so with a constant k their loops have constant lengths. */
#ifndef P15_TABLES_BLOCK_H
#define P15_TABLES_BLOCK_H

#include "base/cpu.h"
#include "tables/space.h"

#define P15_MAX_BLOCK_WORDS 720

/* What permuting the blocks of a space needs. */
typedef struct {
    unsigned k, word_count; /* of the space */
    uint16_t *gathers;      /* [from - 2][to - 2][word], from, to >= 2: the word that comes to `word` */
} p15_block_moves;

/* Bits a > b and a <= b of an 8x8 matrix with row b in byte b and column a in bit a. */
#define P15_ABOVE UINT64_C(0x0080c0e0f0f8fcfe)
#define P15_UP_TO UINT64_C(0xff7f3f1f0f070301)

/* Each of the next three writes the permuted words of a block to `target`, or with `into` adds them to its words. */

/* Exchanges positions 0 and 1. (d_0, d_1) stands for two labels (a, b), a = d_0, b = d_1 + (d_1 >= a). Written as an
 * 8x8 matrix over (a, b), the exchange is the transposition. Nobody reads the diagonal. */
P15_INLINE void p15_block_swap01(const uint64_t *source, uint64_t *target, unsigned words, bool into) {
    for (unsigned i = 0; i < words; i++) {
        uint64_t x = p15_transpose_bytes((source[i] & P15_ABOVE) | ((source[i] << 8) & P15_UP_TO));
        x = (x & P15_ABOVE) | ((x >> 8) & P15_UP_TO);
        target[i] = into ? target[i] | x : x;
    }
}

/* Exchanges positions 1 and 2: the same on digits (d_1, d_2), between byte d_1 and the words of digit d_2. */
P15_INLINE void p15_block_swap12(const uint64_t *restrict source, uint64_t *restrict target, unsigned k, unsigned words,
                                 bool into) {
    unsigned digits = k - 2, stride = words / digits;
    for (unsigned y = 0; y < digits; y++)
        for (unsigned i = 0; i < stride; i++) {
            uint64_t word = into ? target[y * stride + i] : 0;
            for (unsigned x = 0; x < 7; x++) { /* a constant count lets the compiler unroll; bytes beyond k-2 are 0 */
                unsigned from = x <= y ? x : x - 1, byte = x <= y ? y + 1 : y;
                if (x <= digits) word |= (source[from * stride + i] >> (8 * byte) & 255u) << (8 * x);
            }
            target[y * stride + i] = word;
        }
}

P15_INLINE void p15_block_pick_words(const uint64_t *restrict source, const uint16_t *gather, uint64_t *restrict target,
                                     unsigned words, bool into) {
    for (unsigned i = 0; i < words; i++) target[i] = (into ? target[i] : 0) | source[gather[i]];
}

P15_INLINE uint16_t *p15_block_gather(const p15_block_moves *moves, unsigned from, unsigned to) {
    return moves->gathers + ((size_t)(from - 2) * (moves->k - 2) + (to - 2)) * moves->word_count;
}

/* sum |= the block `source` after the tile on position `from` of each of its perms went to position `to`. */
P15_INLINE void p15_block_collect(const p15_block_moves *moves, const uint64_t *source, unsigned from, unsigned to,
                                  uint64_t *restrict sum, unsigned k, unsigned words) {
    uint64_t first[P15_MAX_BLOCK_WORDS], second[P15_MAX_BLOCK_WORDS], third[P15_MAX_BLOCK_WORDS];
    unsigned there = to < 2 ? 2 : to;
    if (from == to) {
        for (unsigned i = 0; i < words; i++) sum[i] |= source[i];
        return;
    }
    if (from + to == 1) {
        p15_block_swap01(source, sum, words, true);
        return;
    }
    if (from == 0) {
        p15_block_swap01(source, first, words, false);
        source = first;
        from = 1;
    }
    if (from == 1) {
        p15_block_swap12(source, to == 2 ? sum : second, k, words, to == 2);
        if (to == 2) return;
        source = second;
        from = 2;
    }
    if (from != there) {
        p15_block_pick_words(source, p15_block_gather(moves, from, there), to >= 2 ? sum : third, words, to >= 2);
        source = third;
    }
    if (to >= 2) return;
    p15_block_swap12(source, to == 1 ? sum : second, k, words, to == 1);
    if (to == 0) p15_block_swap01(second, sum, words, true);
}

/* Adds to `mine` what `sum` has and neither of the two others, and returns how many states these are. */
P15_INLINE uint64_t p15_block_keep(const uint64_t *sum, uint64_t *mine, const uint64_t *other, unsigned words) {
    uint64_t found = 0;
    for (unsigned i = 0; i < words; i++) {
        uint64_t fresh = sum[i] & ~(mine[i] | other[i]);
        mine[i] |= fresh;
        found += p15_count_bits(fresh);
    }
    return found;
}

#endif
