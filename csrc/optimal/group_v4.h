/* The steps of a group (optimal/steps.h) for AVX-512: a parent or a child in each of the 16 parts of a vector. Only
 * for tables of bits. */
#ifndef P15_OPTIMAL_GROUP_V4_H
#define P15_OPTIMAL_GROUP_V4_H

#include "optimal/group.h"

#if P15_HAVE_V4
#include <immintrin.h>

#define EVEN _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define ALL(x) _mm512_set1_epi32((int)(x))
#define AND _mm512_and_si512
#define OR _mm512_or_si512
#define ADD _mm512_add_epi32
#define RIGHT _mm512_srli_epi32
#define LEFT _mm512_slli_epi32
#define PICK(index, table) _mm512_permutexvar_epi32(index, table)
#define LOAD(from) _mm512_loadu_si512(from)
#define COLUMN(word) _mm512_loadu_si512(g->parents + (word) * P15_GROUP)

P15_INLINE_V4 __mmask16 first_v4(unsigned count) { return (__mmask16)(count >= 16 ? 0xffffu : (1u << count) - 1u); }

/* For each direction, by how much it changes a cell. */
P15_INLINE_V4 __m512i steps_v4(p15_shape shape) {
    const int c = shape.cols;
    return _mm512_setr_epi32(-c, -1, 1, c, -c, -1, 1, c, -c, -1, 1, c, -c, -1, 1, c);
}

P15_INLINE_V4 void begin_v4(const p15_problem *problem, const uint16_t *words, p15_group *g, p15_nodes *nodes,
                            unsigned count, unsigned bound, unsigned views, unsigned places, unsigned move_words) {
    const __m512i low16 = ALL(0xffff), fifteens = ALL(15), bytes = ALL(255);
    __mmask16 there = first_v4(count);
    unsigned n = 0;
    nodes->count -= count;
    for (unsigned w = 0; w < p15_word_count(places, move_words); w++)
        _mm512_storeu_si512(g->parents + w * P15_GROUP, LOAD(nodes->words + w * (size_t)nodes->room + nodes->count));
    __m512i head = COLUMN(P15_WORD_HEAD), depth = COLUMN(P15_WORD_DEPTH);
    __m512i h = AND(RIGHT(head, P15_HEAD_H), bytes), blank = AND(RIGHT(head, P15_HEAD_BLANK), fifteens);
    _mm512_storeu_si512(g->room, _mm512_sub_epi32(ALL(bound - 1u), AND(depth, bytes)));
    unsigned first = 0, most = 0;
    for (unsigned v = 0; v < views; v++) {
        __m512i sum = _mm512_setzero_si512();
        for (unsigned p = problem->views[v].place_begin; p < problem->views[v].place_end; p++)
            sum = ADD(sum, RIGHT(COLUMN(P15_WORD_PLACES + 2 * p), P15_PLACE_VALUE_BIT));
        _mm512_storeu_si512(g->view_h[v], sum);
        unsigned largest = p15_count_bits(_mm512_mask_cmpeq_epi32_mask(there, sum, h));
        if (largest > most) most = largest, first = v;
    }
    __m512i state = _mm512_maskz_and_epi32(there, head, low16);
    __m512i rows0 = _mm512_i32gather_epi64(_mm512_castsi512_si256(state), words, 8),
            rows1 = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(state, 1), words, 8);
    /* the states after up and left, those after right and down */
    __m512i rows_low = _mm512_permutex2var_epi32(rows0, EVEN, rows1),
            rows_high = _mm512_permutex2var_epi32(rows0, ODD, rows1);
    __m512i board0 = COLUMN(P15_WORD_BOARD), board1 = COLUMN(P15_WORD_BOARD + 1);
    __m512i word = OR(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), LEFT(blank, 6));
    const int c = problem->shape.cols, steps[P15_DIRECTIONS] = {-c, -1, 1, c};
    for (unsigned d = 0; d < P15_DIRECTIONS; d++) {
        const unsigned dir = p15_group_order[d];
        __m512i rows = dir < 2 ? rows_low : rows_high;
        __m512i next = dir % 2 ? RIGHT(rows, 16) : AND(rows, low16);
        __mmask16 legal = _mm512_mask_cmpneq_epi32_mask(there, next, low16);
        __m512i cell = ADD(blank, ALL(steps[dir])), by = AND(LEFT(cell, 2), ALL(28));
        __m512i half = _mm512_mask_mov_epi32(board0, _mm512_test_epi32_mask(cell, ALL(8)), board1);
        __m512i tile = AND(_mm512_srlv_epi32(half, by), fifteens);
        __m512i child = OR(_mm512_ternarylogic_epi32(word, LEFT(tile, 10), LEFT(next, 16), 0xfe), ALL(dir << 4));
        _mm512_storeu_si512(g->children + n, _mm512_maskz_compress_epi32(legal, child));
        n += p15_count_bits(legal);
    }
    g->parent_count = count;
    g->child_count = n;
    g->first = first;
    g->asked = 0;
}

/* The rows of perms: their Lehmer codes, digit by digit. Digit i counts the later labels that are smaller. */
P15_INLINE_V4 __m512i rows_v4(const p15_view_vectors *vectors, __m512i pattern, __m512i perm) {
    __m512i x = OR(perm, PICK(pattern, LOAD(vectors->fill)));
    /* 3 bits a label to 4 */
    x = OR(AND(x, ALL(0xfff)), LEFT(AND(x, ALL(0xfff000)), 4));
    x = OR(AND(x, ALL(0x003f003f)), LEFT(AND(x, ALL(0x0fc00fc0)), 2));
    x = OR(AND(x, ALL(0x07070707)), LEFT(AND(x, ALL(0x38383838)), 1));
    __m512i g = OR(x, ALL(0x88888888u)), digits = _mm512_setzero_si512();
#define P15_DIGIT(k) \
    digits = ADD(digits, AND(RIGHT(_mm512_sub_epi32(g, RIGHT(x, 4 * (k))), 3), ALL(0x11111111u >> (4 * (k)))))
    P15_DIGIT(1);
    P15_DIGIT(2);
    P15_DIGIT(3);
    P15_DIGIT(4);
    P15_DIGIT(5);
    P15_DIGIT(6);
    P15_DIGIT(7);
#undef P15_DIGIT
    const __m512i nibbles = ALL(0x000f000f);
    __m512i row = _mm512_madd_epi16(AND(digits, nibbles), PICK(pattern, LOAD(vectors->weights[0])));
    for (unsigned i = 1; i < 4; i++)
        row = ADD(row, _mm512_madd_epi16(AND(RIGHT(digits, 4 * i), nibbles), PICK(pattern, LOAD(vectors->weights[i]))));
    return row;
}

/* Asks the next view about all children. */
P15_INLINE_V4 void ask_v4(const p15_problem *problem, p15_group *g, unsigned views) {
    unsigned v = g->first + g->asked;
    if (v >= views) v -= views;
    const p15_view_vectors *vectors = &problem->vectors[v];
    const p15_view *view = &problem->views[v];
    const __m512i cells = LOAD(vectors->cells), patterns = LOAD(vectors->patterns), steps = steps_v4(problem->shape);
    const __m512i ones = ALL(1), all = ALL(-1), fifteens = ALL(15), sevens = ALL(7), low16 = ALL(0xffff);
    const __m512i nibbles = ALL(0x0f0f0f0f), byte_ones = _mm512_set1_epi8(1);
    const __m512i threes = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 3, 3, 6, 3, 6, 6, 9, 3, 6, 6, 9, 6, 9, 9, 12));
    for (unsigned i = 0; i < g->child_count; i += 16) {
        __m512i c = LOAD(g->children + i);
        __m512i blank = AND(RIGHT(c, 6), fifteens), tile = AND(RIGHT(c, 10), fifteens);
        __m512i cell = ADD(blank, PICK(RIGHT(c, 4), steps));
        __m512i from = PICK(cell, cells), to = PICK(blank, cells), pattern = PICK(tile, patterns);
        const unsigned w = P15_WORD_PLACES + 2u * view->place_begin;
        __m512i low = PICK(c, COLUMN(w)), high = PICK(c, COLUMN(w + 1));
        unsigned count = (unsigned)view->place_end - view->place_begin;
        for (unsigned p = 1; p < count; p++) {
            __mmask16 own = _mm512_cmpeq_epi32_mask(pattern, ALL(p));
            low = _mm512_mask_permutexvar_epi32(low, own, c, COLUMN(w + 2 * p));
            high = _mm512_mask_permutexvar_epi32(high, own, c, COLUMN(w + 2 * p + 1));
        }
        __m512i before = AND(high, low16);
        __m512i bit_from = _mm512_sllv_epi32(ones, from), bit_to = _mm512_sllv_epi32(ones, to);
        __m512i map = _mm512_ternarylogic_epi32(before, bit_from, bit_to, 0x96);
        map = AND(map, low16);
        __m512i record0 = _mm512_i32gather_epi64(_mm512_castsi512_si256(map), problem->maps, 8),
                record1 = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(map, 1), problem->maps, 8);
        /* three times the tiles of the pattern below each of the two cells: where the label is taken out and put in */
        __m512i below_from = AND(before, ADD(bit_from, all));
        __m512i below_to = AND(_mm512_andnot_si512(bit_from, before), ADD(bit_to, all));
        __m512i both = OR(below_from, LEFT(below_to, 16));
        __m512i counts = _mm512_add_epi8(_mm512_shuffle_epi8(threes, AND(both, nibbles)),
                                         _mm512_shuffle_epi8(threes, AND(RIGHT(both, 4), nibbles)));
        counts = _mm512_maddubs_epi16(counts, byte_ones);
        __m512i out = AND(counts, low16), in = RIGHT(counts, 16);
        __m512i perm = AND(low, ALL(P15_PLACE_PERM)), label = AND(_mm512_srlv_epi32(perm, out), sevens);
        __m512i above_out = _mm512_sllv_epi32(all, out), above_in = _mm512_sllv_epi32(all, in);
        __m512i rest = _mm512_ternarylogic_epi32(above_out, RIGHT(perm, 3), perm, 0xca); /* above_out ? up : perm */
        __m512i next = _mm512_ternarylogic_epi32(_mm512_andnot_si512(above_in, rest), LEFT(AND(above_in, rest), 3),
                                                 _mm512_sllv_epi32(label, in), 0xfe);
        __m512i row = rows_v4(vectors, pattern, next);
        __m512i shift = ADD(from, ADD(from, from));
        __m512i region0 = _mm512_srlv_epi64(record0, _mm512_cvtepu32_epi64(_mm512_castsi512_si256(shift))),
                region1 = _mm512_srlv_epi64(record1, _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(shift, 1)));
        __m512i block = ADD(RIGHT(_mm512_permutex2var_epi32(record0, ODD, record1), 16),
                            AND(_mm512_permutex2var_epi32(region0, EVEN, region1), sevens));
        __m512i offset = ADD(_mm512_mullo_epi32(row, PICK(pattern, LOAD(vectors->row_bytes))), RIGHT(block, 3));
        __m512i payload0 = LOAD(vectors->payloads), payload1 = LOAD(vectors->payloads + 8);
        __m512i bytes0 = _mm512_add_epi64(
            _mm512_permutex2var_epi64(payload0, _mm512_cvtepu32_epi64(_mm512_castsi512_si256(pattern)), payload1),
            _mm512_cvtepu32_epi64(_mm512_castsi512_si256(offset)));
        __m512i bytes1 = _mm512_add_epi64(
            _mm512_permutex2var_epi64(payload0, _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(pattern, 1)), payload1),
            _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(offset, 1)));
        _mm512_storeu_si512(g->bytes[0] + i, bytes0);
        _mm512_storeu_si512(g->bytes[0] + i + 8, bytes1);
        _mm512_storeu_si512(g->shifts[0] + i, AND(block, ALL(7)));
        _mm512_storeu_si512(g->low[v] + i, OR(next, AND(low, ALL(0xff000000u))));
        _mm512_storeu_si512(g->high[v] + i, OR(map, LEFT(row, 16)));
        unsigned end = g->child_count - i < 16 ? g->child_count : i + 16;
        for (unsigned j = i; j < end; j++) P15_PREFETCH_FAR((const void *)(uintptr_t)g->bytes[0][j]);
    }
    g->asked++;
}

/* Takes in the answers of the view asked last, and drops the children that it cuts off. */
P15_INLINE_V4 void sift_v4(p15_group *g, unsigned views) {
    unsigned v = g->first + g->asked - 1, left = 0;
    if (v >= views) v -= views;
    const __m512i view_h = _mm512_loadu_si512(g->view_h[v]), rooms = _mm512_loadu_si512(g->room);
    uint8_t *entries = g->entries;
    /* read one by one: a gather of 16 takes longer */
    for (unsigned i = 0; i < g->child_count; i++) entries[i] = *(const uint8_t *)(uintptr_t)g->bytes[0][i];
    for (unsigned i = 0; i < g->child_count; i += 16) {
        __mmask16 there = first_v4(g->child_count - i);
        __m512i c = LOAD(g->children + i), low = LOAD(g->low[v] + i), high = LOAD(g->high[v] + i);
        __m512i bits = _mm512_srlv_epi32(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(entries + i))),
                                         LOAD(g->shifts[0] + i));
        /* 1 where ((old value + 1) >> 1) and the bit differ: the value falls */
        __m512i old = RIGHT(low, P15_PLACE_VALUE_BIT);
        __m512i falls = AND(_mm512_xor_si512(RIGHT(ADD(old, ALL(1)), 1), bits), ALL(1));
        __m512i change = _mm512_sub_epi32(ALL(1), ADD(falls, falls));
        low = ADD(low, LEFT(change, P15_PLACE_VALUE_BIT));
        __m512i h = AND(ADD(PICK(c, view_h), change), ALL(255));
        __mmask16 stays = there;
        if (!g->keeping) stays = _mm512_mask_cmple_epu32_mask(there, h, PICK(c, rooms));
        if (g->asked > 1) h = _mm512_max_epu32(h, LOAD(g->h + i));
        _mm512_storeu_si512(g->children + left, _mm512_maskz_compress_epi32(stays, c));
        _mm512_storeu_si512(g->h + left, _mm512_maskz_compress_epi32(stays, h));
        _mm512_storeu_si512(g->low[v] + left, _mm512_maskz_compress_epi32(stays, low));
        _mm512_storeu_si512(g->high[v] + left, _mm512_maskz_compress_epi32(stays, high));
        for (unsigned other = 0; other + 1 < g->asked; other++) {
            unsigned u = g->first + other;
            if (u >= views) u -= views;
            _mm512_storeu_si512(g->low[u] + left, _mm512_maskz_compress_epi32(stays, LOAD(g->low[u] + i)));
            _mm512_storeu_si512(g->high[u] + left, _mm512_maskz_compress_epi32(stays, LOAD(g->high[u] + i)));
        }
        left += p15_count_bits(stays);
    }
    g->child_count = left;
}

P15_INLINE_V4 void write_v4(p15_nodes *to, unsigned word, __mmask16 which, __m512i x) {
    _mm512_storeu_si512(to->words + word * (size_t)to->room + to->count, _mm512_maskz_compress_epi32(which, x));
}

/* After the last view's sift: writes the children that are left to the ends of the lists. */
P15_INLINE_V4 void finish_v4(const p15_problem *problem, p15_group *g, p15_nodes *nodes, p15_nodes *next,
                             unsigned views, unsigned places, unsigned move_words) {
    const __m512i fifteens = ALL(15), steps = steps_v4(problem->shape);
    g->goal = g->child_count;
    for (unsigned i = 0; i < g->child_count; i += 16) {
        __mmask16 within = first_v4(g->child_count - i), beyond = 0;
        __m512i c = LOAD(g->children + i), h = LOAD(g->h + i);
        if (g->keeping) {
            __mmask16 there = within;
            within = _mm512_mask_cmple_epu32_mask(there, h, PICK(c, _mm512_loadu_si512(g->room)));
            beyond = there & (__mmask16)~within;
        }
        unsigned goals = _mm512_mask_testn_epi32_mask(within, h, h);
        if (goals && g->goal == g->child_count) g->goal = i + p15_lowest_bit(goals);
        __m512i dir = RIGHT(c, 4), blank = AND(RIGHT(c, 6), fifteens), tile = AND(RIGHT(c, 10), fifteens);
        __m512i cell = ADD(blank, PICK(dir, steps)), four = LEFT(cell, 2), four_blank = LEFT(blank, 2);
        const __m512i half = ALL(32);
#define P15_EMIT(word, x)                                 \
    do {                                                  \
        __m512i x_ = (x);                                 \
        write_v4(nodes, word, within, x_);                \
        if (g->keeping) write_v4(next, word, beyond, x_); \
    } while (0)
        P15_EMIT(P15_WORD_BOARD,
                 _mm512_ternarylogic_epi32(PICK(c, COLUMN(P15_WORD_BOARD)), _mm512_sllv_epi32(tile, four),
                                           _mm512_sllv_epi32(tile, four_blank), 0x96));
        P15_EMIT(P15_WORD_BOARD + 1,
                 _mm512_ternarylogic_epi32(PICK(c, COLUMN(P15_WORD_BOARD + 1)),
                                           _mm512_sllv_epi32(tile, _mm512_sub_epi32(four, half)),
                                           _mm512_sllv_epi32(tile, _mm512_sub_epi32(four_blank, half)), 0x96));
        __m512i depth = PICK(c, COLUMN(P15_WORD_DEPTH));
        __m512i two = AND(ADD(depth, depth), ALL(510));
        dir = AND(dir, ALL(3));
        for (unsigned w = 0, word = P15_WORD_PLACES + 2 * places; w < move_words; w++, word++)
            P15_EMIT(word, OR(PICK(c, COLUMN(word)),
                              _mm512_sllv_epi32(dir, _mm512_sub_epi32(two, ALL(2 * P15_MOVES_PER_WORD * w)))));
        P15_EMIT(P15_WORD_HEAD,
                 _mm512_ternarylogic_epi32(RIGHT(c, 16), LEFT(cell, P15_HEAD_BLANK), LEFT(h, P15_HEAD_H), 0xfe));
        P15_EMIT(P15_WORD_DEPTH, ADD(depth, ALL(1)));
        for (unsigned v = 0; v < views; v++) {
            const p15_view *view = &problem->views[v];
            __m512i low = LOAD(g->low[v] + i), high = LOAD(g->high[v] + i);
            __m512i pattern = PICK(tile, LOAD(problem->vectors[v].patterns));
            for (unsigned p = view->place_begin; p < view->place_end; p++) {
                unsigned w = P15_WORD_PLACES + 2 * p;
                __mmask16 own = _mm512_cmpeq_epi32_mask(pattern, ALL(p - view->place_begin));
                P15_EMIT(w, _mm512_mask_mov_epi32(PICK(c, COLUMN(w)), own, low));
                P15_EMIT(w + 1, _mm512_mask_mov_epi32(PICK(c, COLUMN(w + 1)), own, high));
            }
        }
#undef P15_EMIT
        nodes->count += p15_count_bits(within);
        if (g->keeping) next->count += p15_count_bits(beyond); /* otherwise several lanes share it */
    }
}

#endif
#endif
