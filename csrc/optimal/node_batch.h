/* The kernels of optimal/expander.h for vectors: a parent or a child in each of their parts. For zero-aware tables only.
 *
 * expander.c includes this file once for each kind of vectors, of 256 BITS (AVX2) and 512 (AVX-512): V(x) is x_256 or
 * x_512. First comes what differs between the two. */
#ifndef P15_OPTIMAL_NODE_BATCH_H
#define P15_OPTIMAL_NODE_BATCH_H

#include "optimal/nodes.h"

#if P15_HAVE_V4
#include <immintrin.h>

#ifndef BITS
#define BITS 256
#endif

#define JOIN_(a, b, c, d) a##b##c##d
#define JOIN(a, b, c, d) JOIN_(a, b, c, d)
#define V(x) JOIN(x, _, BITS, )
#define MM(operation) JOIN(_mm, BITS, operation, )
#define MM_SI(operation) JOIN(_mm, BITS, operation, BITS)
#define WORDS JOIN(__m, BITS, i, )
#define PARTS (BITS / 32u)
#define INLINE V(INLINE)
#define ALL(x) MM(_set1_epi32)((int)(x))
#define AND MM_SI(_and_si)
#define AND_NOT MM_SI(_andnot_si) /* the second one, and not the first */
#define OR MM_SI(_or_si)
#define ADD MM(_add_epi32)
#define SUB MM(_sub_epi32)
#define RIGHT MM(_srli_epi32)
#define LEFT MM(_slli_epi32)
#define RIGHT_BY MM(_srlv_epi32)
#define LEFT_BY MM(_sllv_epi32)
#define LOAD(from) MM_SI(_loadu_si)((const void *)(from))
#define STORE(to, x) MM_SI(_storeu_si)((void *)(to), x)
#define COLUMN(word) (b->parents + (word) * P15_MAX_PARENTS)
#define THERE(count, i) V(first)((int)((count) - (i))) /* the parts from i on that are in use */

/* A mask is a set of parts. pack writes those of a set one after the other, and anything up to the end of a vector. */
#if BITS == 256

#define INLINE_256 P15_TARGET_V3 static inline __attribute__((always_inline))
typedef __m256i mask_256; /* all bits of a part, or none */

#define or_256(x, y, z) _mm256_or_si256(x, _mm256_or_si256(y, z))
#define xor_256(x, y, z) _mm256_xor_si256(x, _mm256_xor_si256(y, z))
#define choose_256(bits, yes, no) _mm256_or_si256(_mm256_and_si256(bits, yes), _mm256_andnot_si256(bits, no))
#define repeat_256 _mm256_broadcastsi128_si256
#define bytes_256(from) _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(from)))
#define first_256(count) _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define equal_256 _mm256_cmpeq_epi32
#define at_most_256(x, y) _mm256_cmpeq_epi32(_mm256_max_epu32(x, y), y)
#define both_256 _mm256_and_si256
#define without_256(x, y) _mm256_andnot_si256(y, x)
#define bits_256(mask) ((unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(mask)))
#define select_256(mask, yes, no) _mm256_blendv_epi8(no, yes, mask)
#define step_256(steps, direction) _mm256_permutevar8x32_epi32(steps, direction)
#define pack_256(mask, x, to) \
    _mm256_storeu_si256((__m256i *)(void *)(to), _mm256_permutevar8x32_epi32(x, PACKING(bits_256(mask))))
#define PACKING(set) \
    _mm256_srlv_epi32(_mm256_set1_epi32((int)PACKINGS[set]), _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28))

/* By set of 8 parts: each part's number, in 4 bits, at the place where it goes. */
#define PLACE(set, part) ((set) >> part & 1 ? part##u << (4 * __builtin_popcount((set) & ((1 << part) - 1))) : 0)
#define SET(set) \
    PLACE(set, 1) | PLACE(set, 2) | PLACE(set, 3) | PLACE(set, 4) | PLACE(set, 5) | PLACE(set, 6) | PLACE(set, 7)
#define SETS_4(set) SET(set), SET(set + 1), SET(set + 2), SET(set + 3)
#define SETS_16(set) SETS_4(set), SETS_4(set + 4), SETS_4(set + 8), SETS_4(set + 12)
#define SETS_64(set) SETS_16(set), SETS_16(set + 16), SETS_16(set + 32), SETS_16(set + 48)
static const uint32_t PACKINGS[256] = {SETS_64(0), SETS_64(64), SETS_64(128), SETS_64(192)};

/* Elements of a table of 16. */
INLINE __m256i pick_256(__m256i index, const uint32_t *table) {
    __m256 low = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(LOAD(table), index)),
           high = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(LOAD(table + 8), index));
    return _mm256_castps_si256(_mm256_blendv_ps(low, high, _mm256_castsi256_ps(LEFT(index, 28))));
}

/* Prefetches the entries at offsets in patterns' tables, in the blocks of maps with the blank on cells outside them. One
 * by one: gathers take longer. */
INLINE void prefetch_256(const p15_problem *problem, const p15_lookup_vectors *vectors, __m256i pattern, __m256i map,
                         __m256i blank, __m256i offset, unsigned count, uint64_t *bytes, uint32_t *shifts) {
    uint32_t patterns[8], maps[8], regions[8], offsets[8];
    STORE(patterns, pattern);
    STORE(maps, map);
    STORE(regions, ADD(blank, ADD(blank, blank)));
    STORE(offsets, offset);
    for (unsigned i = 0; i < 8 && i < count; i++) {
        uint64_t record = problem->maps[maps[i]];
        uint32_t block = (uint32_t)(record >> 48) + ((uint32_t)(record >> regions[i]) & 7u);
        bytes[i] = vectors->payloads[patterns[i]] + offsets[i] + (block >> 3);
        shifts[i] = block & 7u;
        P15_PREFETCH_FAR((const void *)(uintptr_t)bytes[i]);
    }
}

#else

#define INLINE_512 P15_INLINE_V4
typedef __mmask16 mask_512;

#define or_512(x, y, z) _mm512_ternarylogic_epi32(x, y, z, 0xfe)
#define xor_512(x, y, z) _mm512_ternarylogic_epi32(x, y, z, 0x96)
#define choose_512(bits, yes, no) _mm512_ternarylogic_epi32(bits, yes, no, 0xca)
#define repeat_512 _mm512_broadcast_i32x4
#define bytes_512(from) _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(from)))
#define first_512(count) ((mask_512)((count) >= 16 ? 0xffffu : (1u << (count)) - 1u))
#define equal_512 _mm512_cmpeq_epi32_mask
#define at_most_512 _mm512_cmple_epu32_mask
#define both_512(x, y) ((mask_512)((x) & (y)))
#define without_512(x, y) ((mask_512)((x) & ~(y)))
#define bits_512(mask) ((unsigned)(mask))
#define select_512(mask, yes, no) _mm512_mask_mov_epi32(no, mask, yes)
#define step_512(steps, direction) _mm512_permutexvar_epi32(direction, steps)
#define pack_512(mask, x, to) _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(mask, x))
#define pick_512(index, table) _mm512_permutexvar_epi32(index, _mm512_loadu_si512(table))
#define EVEN _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)

/* The addresses of the bytes at offsets in the patterns' tables: those of 8 children. */
INLINE __m512i addresses_512(const p15_lookup_vectors *vectors, __m256i pattern, __m256i offset) {
    __m512i payloads =
        _mm512_permutex2var_epi64(LOAD(vectors->payloads), _mm512_cvtepu32_epi64(pattern), LOAD(vectors->payloads + 8));
    return _mm512_add_epi64(payloads, _mm512_cvtepu32_epi64(offset));
}

INLINE void prefetch_512(const p15_problem *problem, const p15_lookup_vectors *vectors, __m512i pattern, __m512i map,
                         __m512i blank, __m512i offset, unsigned count, uint64_t *bytes, uint32_t *shifts) {
    __m512i record0 = _mm512_i32gather_epi64(_mm512_castsi512_si256(map), problem->maps, 8),
            record1 = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(map, 1), problem->maps, 8);
    __m512i shift = ADD(blank, ADD(blank, blank));
    __m512i region0 = _mm512_srlv_epi64(record0, _mm512_cvtepu32_epi64(_mm512_castsi512_si256(shift))),
            region1 = _mm512_srlv_epi64(record1, _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(shift, 1)));
    __m512i block = ADD(RIGHT(_mm512_permutex2var_epi32(record0, ODD, record1), 16),
                        AND(_mm512_permutex2var_epi32(region0, EVEN, region1), ALL(7)));
    offset = ADD(offset, RIGHT(block, 3));
    STORE(bytes, addresses_512(vectors, _mm512_castsi512_si256(pattern), _mm512_castsi512_si256(offset)));
    STORE(bytes + 8,
          addresses_512(vectors, _mm512_extracti64x4_epi64(pattern, 1), _mm512_extracti64x4_epi64(offset, 1)));
    STORE(shifts, AND(block, ALL(7)));
    for (unsigned i = 0; i < 16 && i < count; i++) P15_PREFETCH_FAR((const void *)(uintptr_t)bytes[i]);
}
#endif

/* ------------------------------------------------------------------------------------------------ children */

/* The blank's cell, and the tile that comes to it, of a child in each part. */
typedef struct {
    WORDS blank, cell, tile;
} V(moves);

INLINE V(moves) V(moves_of)(p15_shape shape, WORDS child) {
    const int c = shape.cols; /* by how much each direction changes a cell */
    WORDS steps = V(repeat)(_mm_setr_epi32(-c, -1, 1, c)), blank = AND(RIGHT(child, 6), ALL(15));
    return (V(moves)){blank, ADD(blank, V(step)(steps, RIGHT(child, 4))), AND(RIGHT(child, 10), ALL(15))};
}

/* Sums the values of each lookup for all parents. Returns the lookup that most often has the largest sum: it is likely
 * to prune most children. */
INLINE unsigned V(sum_lookups)(const p15_problem *problem, p15_node_batch *b) {
    unsigned first = 0, most = 0;
    for (unsigned v = 0; v < problem->lookup_count; v++) {
        unsigned largest = 0;
        for (unsigned i = 0; i < P15_MAX_PARENTS; i += PARTS) {
            WORDS sum = ALL(0), h = AND(RIGHT(LOAD(COLUMN(P15_WORD_HEAD) + i), P15_HEAD_H), ALL(255));
            for (unsigned p = problem->lookups[v].pattern_begin; p < problem->lookups[v].pattern_end; p++)
                sum = ADD(sum, RIGHT(LOAD(COLUMN(P15_WORD_STATES + 2 * p) + i), P15_STATE_VALUE_BIT));
            STORE(b->lookup_h[v] + i, sum);
            largest += p15_count_bits(V(bits)(V(both)(THERE(b->parent_count, i), V(equal)(sum, h))));
        }
        if (largest > most) {
            most = largest;
            first = v;
        }
    }
    return first;
}

/* Lists the children of all parents, those of one direction after the other. */
INLINE void V(list_children)(p15_shape shape, const uint16_t *rows, p15_node_batch *b) {
    static const uint32_t numbers[P15_MAX_PARENTS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const int c = shape.cols, steps[P15_DIRECTIONS] = {-c, -1, 1, c};
    uint32_t pairs[2][P15_MAX_PARENTS]; /* the states after two directions each */
    memset(pairs, 0xff, sizeof pairs);  /* P15_NO_MOVE where there is no parent */
    for (unsigned i = 0; i < b->parent_count; i++) {
        const uint16_t *row = rows + (size_t)p15_head_state(COLUMN(P15_WORD_HEAD)[i]) * P15_DIRECTIONS;
        memcpy(&pairs[0][i], row, sizeof **pairs);
        memcpy(&pairs[1][i], row + 2, sizeof **pairs);
    }
    unsigned n = 0;
    for (unsigned d = 0; d < P15_DIRECTIONS; d++)
        for (unsigned i = 0; i < P15_MAX_PARENTS; i += PARTS) {
            const unsigned dir = p15_child_order[d];
            WORDS pair = LOAD(pairs[dir / 2] + i), next = dir % 2 ? RIGHT(pair, 16) : AND(pair, ALL(0xffff));
            WORDS blank = AND(RIGHT(LOAD(COLUMN(P15_WORD_HEAD) + i), P15_HEAD_BLANK), ALL(15));
            WORDS cell = ADD(blank, ALL(steps[dir])), by = AND(LEFT(cell, 2), ALL(28));
            WORDS half = V(select)(V(equal)(AND(cell, ALL(8)), ALL(0)), LOAD(COLUMN(P15_WORD_BOARD) + i),
                                   LOAD(COLUMN(P15_WORD_BOARD + 1) + i));
            WORDS tile = AND(RIGHT_BY(half, by), ALL(15)), parent = OR(LOAD(numbers + i), LEFT(blank, 6));
            V(mask) legal = V(at_most)(next, ALL(P15_NO_MOVE - 1));
            V(pack)(legal, OR(V(or)(parent, LEFT(tile, 10), LEFT(next, 16)), ALL(dir << 4)), b->children + n);
            n += p15_count_bits(V(bits)(legal));
        }
    b->child_count = n;
}

/* Takes the last nodes of a list, and lists their children. */
INLINE void V(take)(const p15_problem *problem, const uint16_t *rows, p15_node_batch *b, p15_nodes *nodes,
                    unsigned count, unsigned bound) {
    nodes->count -= count;
    const uint32_t *column = nodes->words + nodes->count;
    for (unsigned w = 0, words = nodes->word_count, capacity = nodes->capacity; w < words; w++, column += capacity)
        for (unsigned i = 0; i < P15_MAX_PARENTS; i += PARTS) STORE(COLUMN(w) + i, LOAD(column + i));
    for (unsigned i = 0; i < P15_MAX_PARENTS; i += PARTS)
        STORE(b->slack + i, SUB(ALL(bound - 1u), AND(LOAD(COLUMN(P15_WORD_DEPTH) + i), ALL(255))));
    b->parent_count = count;
    b->first = V(sum_lookups)(problem, b);
    b->looked_up = 0;
    V(list_children)(problem->shape, rows, b);
}

/* ------------------------------------------------------------------------------------------------ lookups */

/* The rows of perms: their Lehmer codes, digit by digit. Digit i counts the later labels that are smaller. */
INLINE WORDS V(rows)(const p15_lookup_vectors *vectors, WORDS pattern, WORDS perm) {
    WORDS x = OR(perm, V(pick)(pattern, vectors->fill));
    /* 3 bits a label to 4 */
    x = OR(AND(x, ALL(0xfff)), LEFT(AND(x, ALL(0xfff000)), 4));
    x = OR(AND(x, ALL(0x003f003f)), LEFT(AND(x, ALL(0x0fc00fc0)), 2));
    x = OR(AND(x, ALL(0x07070707)), LEFT(AND(x, ALL(0x38383838)), 1));
    WORDS guarded = OR(x, ALL(0x88888888u)), digits = ALL(0);
    for (unsigned k = 1; k < 8; k++) {
        WORDS not_smaller = RIGHT(SUB(guarded, RIGHT(x, 4 * k)), 3);
        digits = ADD(digits, AND(not_smaller, ALL(0x11111111u >> (4 * k))));
    }
    const WORDS nibbles = ALL(0x000f000f);
    WORDS row = MM(_madd_epi16)(AND(digits, nibbles), V(pick)(pattern, vectors->weights[0]));
    for (unsigned i = 1; i < 4; i++)
        row = ADD(row, MM(_madd_epi16)(AND(RIGHT(digits, 4 * i), nibbles), V(pick)(pattern, vectors->weights[i])));
    return row;
}

/* The pattern state that each child changes: its two words. */
typedef struct {
    WORDS low, high;
} V(states);

INLINE V(states) V(states_of)(const p15_node_batch *b, unsigned begin, unsigned count, WORDS child, WORDS pattern) {
    const unsigned w = P15_WORD_STATES + 2 * begin;
    V(states) s = {V(pick)(child, COLUMN(w)), V(pick)(child, COLUMN(w + 1))};
    for (unsigned p = 1; p < count; p++) {
        V(mask) own = V(equal)(pattern, ALL(p));
        s.low = V(select)(own, V(pick)(child, COLUMN(w + 2 * p)), s.low);
        s.high = V(select)(own, V(pick)(child, COLUMN(w + 2 * p + 1)), s.high);
    }
    return s;
}

/* The perm after a tile of the pattern has slid from one cell to another, which are given as sets of one cell. */
INLINE WORDS V(perms)(WORDS map, WORDS perm, WORDS bit_from, WORDS bit_to) {
    const WORDS all = ALL(-1), low16 = ALL(0xffff), nibbles = ALL(0x0f0f0f0f);
    const WORDS threes = V(repeat)(_mm_setr_epi8(0, 3, 3, 6, 3, 6, 6, 9, 3, 6, 6, 9, 6, 9, 9, 12));
    /* three times the tiles of the pattern below each of the two cells: where the label is taken out and put in */
    WORDS below_from = AND(map, ADD(bit_from, all));
    WORDS below_to = AND(AND_NOT(bit_from, map), ADD(bit_to, all));
    WORDS both = OR(below_from, LEFT(below_to, 16));
    WORDS counts = MM(_add_epi8)(MM(_shuffle_epi8)(threes, AND(both, nibbles)),
                                 MM(_shuffle_epi8)(threes, AND(RIGHT(both, 4), nibbles)));
    counts = MM(_maddubs_epi16)(counts, ALL(0x01010101));
    WORDS out = AND(counts, low16), in = RIGHT(counts, 16);
    WORDS label = AND(RIGHT_BY(perm, out), ALL(7));
    WORDS above_out = LEFT_BY(all, out), above_in = LEFT_BY(all, in);
    WORDS rest = V(choose)(above_out, RIGHT(perm, 3), perm);
    return V(or)(AND_NOT(above_in, rest), LEFT(AND(above_in, rest), 3), LEFT_BY(label, in));
}

/* Prefetches the entries of all children in the next lookup. */
INLINE void V(look_up)(const p15_problem *problem, p15_node_batch *b) {
    const unsigned v = p15_batch_lookup(problem, b, b->looked_up++);
    const unsigned begin = problem->lookups[v].pattern_begin, patterns = problem->lookups[v].pattern_end - begin;
    const p15_lookup_vectors *vectors = &problem->vectors[v];
    const WORDS ones = ALL(1);
    for (unsigned i = 0; i < b->child_count; i += PARTS) {
        WORDS c = LOAD(b->children + i);
        V(moves) m = V(moves_of)(problem->shape, c);
        WORDS from = V(pick)(m.cell, vectors->cells), to = V(pick)(m.blank, vectors->cells),
              pattern = V(pick)(m.tile, vectors->patterns);
        V(states) s = V(states_of)(b, begin, patterns, c, pattern);
        WORDS bit_from = LEFT_BY(ones, from), bit_to = LEFT_BY(ones, to);
        WORDS map = AND(V(xor)(s.high, bit_from, bit_to), ALL(0xffff));
        WORDS perm = V(perms)(AND(s.high, ALL(0xffff)), AND(s.low, ALL(P15_STATE_PERM)), bit_from, bit_to);
        WORDS row = V(rows)(vectors, pattern, perm);
        V(prefetch)(problem, vectors, pattern, map, from, MM(_mullo_epi32)(row, V(pick)(pattern, vectors->row_bytes)),
                    b->child_count - i, b->bytes + i, b->shifts + i);
        STORE(b->low[v] + i, OR(perm, AND(s.low, ALL(0xff000000u))));
        STORE(b->high[v] + i, OR(map, LEFT(row, 16)));
    }
}

/* Reads the entries of the last lookup, and prunes the children beyond the bound. */
INLINE void V(prune)(const p15_problem *problem, p15_node_batch *b) {
    const unsigned v = p15_batch_lookup(problem, b, b->looked_up - 1);
    unsigned left = 0;
    const unsigned count = b->child_count, made = b->looked_up;
    uint8_t *entries = b->entries;
    /* read one by one: a gather takes longer */
    for (unsigned i = 0; i < count; i++) entries[i] = *(const uint8_t *)(uintptr_t)b->bytes[i];
    for (unsigned i = 0; i < count; i += PARTS) {
        V(mask) stays = THERE(count, i);
        WORDS c = LOAD(b->children + i), low = LOAD(b->low[v] + i), high = LOAD(b->high[v] + i);
        WORDS bits = RIGHT_BY(V(bytes)(entries + i), LOAD(b->shifts + i));
        /* 1 where ((old value + 1) >> 1) and the bit differ: the value falls */
        WORDS old = RIGHT(low, P15_STATE_VALUE_BIT);
        WORDS falls = AND(V(xor)(RIGHT(ADD(old, ALL(1)), 1), bits, ALL(0)), ALL(1));
        WORDS change = SUB(ALL(1), ADD(falls, falls));
        WORDS h = AND(ADD(V(pick)(c, b->lookup_h[v]), change), ALL(255));
        if (!b->keeping) stays = V(both)(stays, V(at_most)(h, V(pick)(c, b->slack)));
        if (made > 1) h = MM(_max_epu32)(h, LOAD(b->h + i));
        V(pack)(stays, c, b->children + left);
        V(pack)(stays, h, b->h + left);
        V(pack)(stays, ADD(low, LEFT(change, P15_STATE_VALUE_BIT)), b->low[v] + left);
        V(pack)(stays, high, b->high[v] + left);
        for (unsigned other = 0; other + 1 < made; other++) {
            unsigned u = p15_batch_lookup(problem, b, other);
            V(pack)(stays, LOAD(b->low[u] + i), b->low[u] + left);
            V(pack)(stays, LOAD(b->high[u] + i), b->high[u] + left);
        }
        left += p15_count_bits(V(bits)(stays));
    }
    b->child_count = left;
}

/* ------------------------------------------------------------------------------------------------ results */

/* The end of a list, and the children that go there. */
typedef struct {
    uint32_t *end;
    size_t capacity;
    V(mask) which;
} V(target);

INLINE V(target) V(target_of)(const p15_nodes *list, V(mask) which) {
    return (V(target)){list->words + list->count, list->capacity, which};
}

INLINE void V(write)(const V(target) * targets, unsigned count, unsigned word, WORDS x) {
    for (unsigned i = 0; i < count; i++) V(pack)(targets[i].which, x, targets[i].end + word * targets[i].capacity);
}

/* A half of the parents' boards after the moves. Shifts beyond the half, taken as unsigned, leave nothing. */
INLINE WORDS V(boards)(WORDS half, const V(moves) * m, WORDS begin) {
    WORDS cell = SUB(LEFT(m->cell, 2), begin), blank = SUB(LEFT(m->blank, 2), begin);
    return V(xor)(half, LEFT_BY(m->tile, cell), LEFT_BY(m->tile, blank));
}

/* Writes the children in the parts of a vector to the ends of lists. */
INLINE void V(write_children)(const p15_problem *problem, const p15_node_batch *b, unsigned i, WORDS h,
                              const V(target) * targets, unsigned count) {
    const unsigned patterns = problem->pattern_count;
    WORDS c = LOAD(b->children + i);
    V(moves) m = V(moves_of)(problem->shape, c);
    V(write)(targets, count, P15_WORD_BOARD, V(boards)(V(pick)(c, COLUMN(P15_WORD_BOARD)), &m, ALL(0)));
    V(write)(targets, count, P15_WORD_BOARD + 1, V(boards)(V(pick)(c, COLUMN(P15_WORD_BOARD + 1)), &m, ALL(32)));
    WORDS depth = V(pick)(c, COLUMN(P15_WORD_DEPTH));
    WORDS two = AND(ADD(depth, depth), ALL(510)), dir = AND(RIGHT(c, 4), ALL(3));
    for (unsigned w = 0, word = P15_WORD_STATES + 2 * patterns; w < problem->move_words; w++, word++) {
        WORDS shift = SUB(two, ALL(2 * P15_MOVES_PER_WORD * w));
        V(write)(targets, count, word, OR(V(pick)(c, COLUMN(word)), LEFT_BY(dir, shift)));
    }
    V(write)(targets, count, P15_WORD_HEAD, V(or)(RIGHT(c, 16), LEFT(m.cell, P15_HEAD_BLANK), LEFT(h, P15_HEAD_H)));
    V(write)(targets, count, P15_WORD_DEPTH, ADD(depth, ALL(1)));
    for (unsigned v = 0; v < problem->lookup_count; v++) {
        const p15_lookup *lookup = &problem->lookups[v];
        WORDS low = LOAD(b->low[v] + i), high = LOAD(b->high[v] + i);
        WORDS pattern = V(pick)(m.tile, problem->vectors[v].patterns);
        for (unsigned p = lookup->pattern_begin; p < lookup->pattern_end; p++) {
            unsigned w = P15_WORD_STATES + 2 * p;
            V(mask) own = V(equal)(pattern, ALL(p - lookup->pattern_begin));
            V(write)(targets, count, w, V(select)(own, low, V(pick)(c, COLUMN(w))));
            V(write)(targets, count, w + 1, V(select)(own, high, V(pick)(c, COLUMN(w + 1))));
        }
    }
}

/* After the last lookup: writes the children that are left to the ends of the lists. */
INLINE void V(finish)(const p15_problem *problem, p15_node_batch *b, p15_nodes *nodes, p15_nodes *next) {
    b->goal = b->child_count;
    for (unsigned i = 0; i < b->child_count; i += PARTS) {
        V(mask) there = THERE(b->child_count, i), within = there;
        WORDS h = LOAD(b->h + i);
        if (b->keeping) within = V(both)(there, V(at_most)(h, V(pick)(LOAD(b->children + i), b->slack)));
        unsigned goals = V(bits)(V(both)(within, V(equal)(h, ALL(0))));
        if (goals && b->goal == b->child_count) b->goal = i + p15_lowest_bit(goals);
        /* `next` is left alone where it is not wanted: it may have no memory, and several slots may share it */
        const V(target) targets[] = {V(target_of)(nodes, within),
                                     V(target_of)(b->keeping ? next : nodes, V(without)(there, within))};
        if (b->keeping)
            V(write_children)(problem, b, i, h, targets, 2);
        else
            V(write_children)(problem, b, i, h, targets, 1);
        nodes->count += p15_count_bits(V(bits)(within));
        if (b->keeping) next->count += p15_count_bits(V(bits)(targets[1].which));
    }
}

/* ------------------------------------------------------------------------------------------------ steps */

INLINE void V(issue)(const p15_problem *problem, const uint16_t *rows, p15_node_batch *b, p15_nodes *nodes,
                     unsigned count, unsigned bound) {
    V(take)(problem, rows, b, nodes, count, bound);
    V(look_up)(problem, b);
}

INLINE bool V(resume)(const p15_problem *problem, p15_node_batch *b, p15_nodes *nodes, p15_nodes *next) {
    V(prune)(problem, b);
    bool done = b->looked_up == problem->lookup_count;
    if (done)
        V(finish)(problem, b, nodes, next);
    else
        V(look_up)(problem, b);
    return done;
}

#endif

#undef BITS

#endif
