/* The kernels of optimal/expander.h for AVX-512: a parent or a child in each of the 16 parts of a vector. For
 * zero-aware tables only. */
#ifndef P15_OPTIMAL_NODE_BATCH_V4_H
#define P15_OPTIMAL_NODE_BATCH_V4_H

#include "optimal/nodes.h"

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
#define COLUMN(word) _mm512_loadu_si512(b->parents + (word) * P15_MAX_PARENTS)

P15_INLINE_V4 __mmask16 first_v4(unsigned count) { return (__mmask16)(count >= 16 ? 0xffffu : (1u << count) - 1u); }

/* For each direction, by how much it changes a cell. */
P15_INLINE_V4 __m512i steps_v4(p15_shape shape) {
    const int c = shape.cols;
    return _mm512_setr_epi32(-c, -1, 1, c, -c, -1, 1, c, -c, -1, 1, c, -c, -1, 1, c);
}

/* The blank's cell, and the tile that comes to it, of a child in each part. */
typedef struct {
    __m512i blank, cell, tile;
} moves_v4;

P15_INLINE_V4 moves_v4 moves_of(p15_shape shape, __m512i child) {
    __m512i blank = AND(RIGHT(child, 6), ALL(15)), tile = AND(RIGHT(child, 10), ALL(15));
    return (moves_v4){blank, ADD(blank, PICK(RIGHT(child, 4), steps_v4(shape))), tile};
}

/* Sums the values of each lookup for all parents. Returns the lookup that most often has the largest sum: it is likely
 * to prune most children. */
P15_INLINE_V4 unsigned sum_lookups(const p15_problem *problem, p15_node_batch *b, __mmask16 there, __m512i h) {
    unsigned first = 0, most = 0;
    for (unsigned v = 0; v < problem->lookup_count; v++) {
        __m512i sum = _mm512_setzero_si512();
        for (unsigned p = problem->lookups[v].pattern_begin; p < problem->lookups[v].pattern_end; p++)
            sum = ADD(sum, RIGHT(COLUMN(P15_WORD_STATES + 2 * p), P15_STATE_VALUE_BIT));
        _mm512_storeu_si512(b->lookup_h[v], sum);
        unsigned largest = p15_count_bits(_mm512_mask_cmpeq_epi32_mask(there, sum, h));
        if (largest > most) {
            most = largest;
            first = v;
        }
    }
    return first;
}

/* Lists the children of all parents, those of one direction after the other. */
P15_INLINE_V4 void list_children(p15_shape shape, const uint16_t *rows, p15_node_batch *b, __mmask16 there,
                                 __m512i head, __m512i blank) {
    const __m512i low16 = ALL(0xffff);
    const int c = shape.cols, steps[P15_DIRECTIONS] = {-c, -1, 1, c};
    __m512i state = _mm512_maskz_and_epi32(there, head, low16);
    __m512i rows0 = _mm512_i32gather_epi64(_mm512_castsi512_si256(state), rows, 8),
            rows1 = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(state, 1), rows, 8);
    /* the states after up and left, those after right and down */
    __m512i rows_low = _mm512_permutex2var_epi32(rows0, EVEN, rows1),
            rows_high = _mm512_permutex2var_epi32(rows0, ODD, rows1);
    __m512i board0 = COLUMN(P15_WORD_BOARD), board1 = COLUMN(P15_WORD_BOARD + 1);
    __m512i parent = OR(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), LEFT(blank, 6));
    unsigned n = 0;
    for (unsigned d = 0; d < P15_DIRECTIONS; d++) {
        const unsigned dir = p15_child_order[d];
        __m512i row = dir < 2 ? rows_low : rows_high;
        __m512i next = dir % 2 ? RIGHT(row, 16) : AND(row, low16);
        __mmask16 legal = _mm512_mask_cmpneq_epi32_mask(there, next, low16);
        __m512i cell = ADD(blank, ALL(steps[dir])), by = AND(LEFT(cell, 2), ALL(28));
        __m512i half = _mm512_mask_mov_epi32(board0, _mm512_test_epi32_mask(cell, ALL(8)), board1);
        __m512i tile = AND(_mm512_srlv_epi32(half, by), ALL(15));
        __m512i child = OR(_mm512_ternarylogic_epi32(parent, LEFT(tile, 10), LEFT(next, 16), 0xfe), ALL(dir << 4));
        _mm512_storeu_si512(b->children + n, _mm512_maskz_compress_epi32(legal, child));
        n += p15_count_bits(legal);
    }
    b->child_count = n;
}

/* Takes the last nodes of a list, and lists their children. */
P15_INLINE_V4 void take_columns(const p15_problem *problem, const uint16_t *rows, p15_node_batch *b, p15_nodes *nodes,
                                unsigned count, unsigned bound) {
    __mmask16 there = first_v4(count);
    nodes->count -= count;
    for (unsigned w = 0; w < nodes->word_count; w++)
        _mm512_storeu_si512(b->parents + w * P15_MAX_PARENTS,
                            LOAD(nodes->words + w * (size_t)nodes->capacity + nodes->count));
    __m512i head = COLUMN(P15_WORD_HEAD), depth = AND(COLUMN(P15_WORD_DEPTH), ALL(255));
    _mm512_storeu_si512(b->slack, _mm512_sub_epi32(ALL(bound - 1u), depth));
    b->parent_count = count;
    b->first = sum_lookups(problem, b, there, AND(RIGHT(head, P15_HEAD_H), ALL(255)));
    b->looked_up = 0;
    list_children(problem->shape, rows, b, there, head, AND(RIGHT(head, P15_HEAD_BLANK), ALL(15)));
}

/* The rows of perms: their Lehmer codes, digit by digit. Digit i counts the later labels that are smaller. */
P15_INLINE_V4 __m512i rows_v4(const p15_lookup_vectors *vectors, __m512i pattern, __m512i perm) {
    __m512i x = OR(perm, PICK(pattern, LOAD(vectors->fill)));
    /* 3 bits a label to 4 */
    x = OR(AND(x, ALL(0xfff)), LEFT(AND(x, ALL(0xfff000)), 4));
    x = OR(AND(x, ALL(0x003f003f)), LEFT(AND(x, ALL(0x0fc00fc0)), 2));
    x = OR(AND(x, ALL(0x07070707)), LEFT(AND(x, ALL(0x38383838)), 1));
    __m512i guarded = OR(x, ALL(0x88888888u)), digits = _mm512_setzero_si512();
    for (unsigned k = 1; k < 8; k++) {
        __m512i not_smaller = RIGHT(_mm512_sub_epi32(guarded, RIGHT(x, 4 * k)), 3);
        digits = ADD(digits, AND(not_smaller, ALL(0x11111111u >> (4 * k))));
    }
    const __m512i nibbles = ALL(0x000f000f);
    __m512i row = _mm512_madd_epi16(AND(digits, nibbles), PICK(pattern, LOAD(vectors->weights[0])));
    for (unsigned i = 1; i < 4; i++)
        row = ADD(row, _mm512_madd_epi16(AND(RIGHT(digits, 4 * i), nibbles), PICK(pattern, LOAD(vectors->weights[i]))));
    return row;
}

/* The pattern state that each child changes: its two words. */
typedef struct {
    __m512i low, high;
} states_v4;

P15_INLINE_V4 states_v4 states_of(const p15_lookup *lookup, const p15_node_batch *b, __m512i child, __m512i pattern) {
    const unsigned w = P15_WORD_STATES + 2u * lookup->pattern_begin,
                   count = (unsigned)lookup->pattern_end - lookup->pattern_begin;
    states_v4 s = {PICK(child, COLUMN(w)), PICK(child, COLUMN(w + 1))};
    for (unsigned p = 1; p < count; p++) {
        __mmask16 own = _mm512_cmpeq_epi32_mask(pattern, ALL(p));
        s.low = _mm512_mask_permutexvar_epi32(s.low, own, child, COLUMN(w + 2 * p));
        s.high = _mm512_mask_permutexvar_epi32(s.high, own, child, COLUMN(w + 2 * p + 1));
    }
    return s;
}

/* The perm after a tile of the pattern has slid from one cell to another, which are given as sets of one cell. */
P15_INLINE_V4 __m512i perms_v4(__m512i map, __m512i perm, __m512i bit_from, __m512i bit_to) {
    const __m512i all = ALL(-1), low16 = ALL(0xffff), nibbles = ALL(0x0f0f0f0f);
    const __m512i threes = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 3, 3, 6, 3, 6, 6, 9, 3, 6, 6, 9, 6, 9, 9, 12));
    /* three times the tiles of the pattern below each of the two cells: where the label is taken out and put in */
    __m512i below_from = AND(map, ADD(bit_from, all));
    __m512i below_to = AND(_mm512_andnot_si512(bit_from, map), ADD(bit_to, all));
    __m512i both = OR(below_from, LEFT(below_to, 16));
    __m512i counts = _mm512_add_epi8(_mm512_shuffle_epi8(threes, AND(both, nibbles)),
                                     _mm512_shuffle_epi8(threes, AND(RIGHT(both, 4), nibbles)));
    counts = _mm512_maddubs_epi16(counts, _mm512_set1_epi8(1));
    __m512i out = AND(counts, low16), in = RIGHT(counts, 16);
    __m512i label = AND(_mm512_srlv_epi32(perm, out), ALL(7));
    __m512i above_out = _mm512_sllv_epi32(all, out), above_in = _mm512_sllv_epi32(all, in);
    __m512i rest = _mm512_ternarylogic_epi32(above_out, RIGHT(perm, 3), perm, 0xca); /* above_out ? up : perm */
    return _mm512_ternarylogic_epi32(_mm512_andnot_si512(above_in, rest), LEFT(AND(above_in, rest), 3),
                                     _mm512_sllv_epi32(label, in), 0xfe);
}

/* The blocks of maps, with the blank on cells outside them. */
P15_INLINE_V4 __m512i blocks_v4(const uint64_t *maps, __m512i map, __m512i blank) {
    __m512i record0 = _mm512_i32gather_epi64(_mm512_castsi512_si256(map), maps, 8),
            record1 = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(map, 1), maps, 8);
    __m512i shift = ADD(blank, ADD(blank, blank));
    __m512i region0 = _mm512_srlv_epi64(record0, _mm512_cvtepu32_epi64(_mm512_castsi512_si256(shift))),
            region1 = _mm512_srlv_epi64(record1, _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(shift, 1)));
    return ADD(RIGHT(_mm512_permutex2var_epi32(record0, ODD, record1), 16),
               AND(_mm512_permutex2var_epi32(region0, EVEN, region1), ALL(7)));
}

/* The addresses of the bytes at offsets in the patterns' tables: those of 8 children. */
P15_INLINE_V4 __m512i addresses_v4(const p15_lookup_vectors *vectors, __m256i pattern, __m256i offset) {
    __m512i payloads =
        _mm512_permutex2var_epi64(LOAD(vectors->payloads), _mm512_cvtepu32_epi64(pattern), LOAD(vectors->payloads + 8));
    return _mm512_add_epi64(payloads, _mm512_cvtepu32_epi64(offset));
}

/* Prefetches the entries of all children in the next lookup. */
P15_INLINE_V4 void look_up_columns(const p15_problem *problem, p15_node_batch *b) {
    unsigned v = b->first + b->looked_up;
    if (v >= problem->lookup_count) v -= problem->lookup_count;
    const p15_lookup_vectors *vectors = &problem->vectors[v];
    const __m512i cells = LOAD(vectors->cells), ones = ALL(1), low16 = ALL(0xffff);
    for (unsigned i = 0; i < b->child_count; i += 16) {
        __m512i c = LOAD(b->children + i);
        moves_v4 m = moves_of(problem->shape, c);
        __m512i from = PICK(m.cell, cells), to = PICK(m.blank, cells), pattern = PICK(m.tile, LOAD(vectors->patterns));
        states_v4 s = states_of(&problem->lookups[v], b, c, pattern);
        __m512i bit_from = _mm512_sllv_epi32(ones, from), bit_to = _mm512_sllv_epi32(ones, to);
        __m512i map = AND(_mm512_ternarylogic_epi32(s.high, bit_from, bit_to, 0x96), low16);
        __m512i perm = perms_v4(AND(s.high, low16), AND(s.low, ALL(P15_STATE_PERM)), bit_from, bit_to);
        __m512i row = rows_v4(vectors, pattern, perm), block = blocks_v4(problem->maps, map, from);
        __m512i offset = ADD(_mm512_mullo_epi32(row, PICK(pattern, LOAD(vectors->row_bytes))), RIGHT(block, 3));
        _mm512_storeu_si512(b->bytes[0] + i,
                            addresses_v4(vectors, _mm512_castsi512_si256(pattern), _mm512_castsi512_si256(offset)));
        _mm512_storeu_si512(b->bytes[0] + i + 8, addresses_v4(vectors, _mm512_extracti64x4_epi64(pattern, 1),
                                                              _mm512_extracti64x4_epi64(offset, 1)));
        _mm512_storeu_si512(b->shifts[0] + i, AND(block, ALL(7)));
        _mm512_storeu_si512(b->low[v] + i, OR(perm, AND(s.low, ALL(0xff000000u))));
        _mm512_storeu_si512(b->high[v] + i, OR(map, LEFT(row, 16)));
        unsigned end = b->child_count - i < 16 ? b->child_count : i + 16;
        for (unsigned j = i; j < end; j++) P15_PREFETCH_FAR((const void *)(uintptr_t)b->bytes[0][j]);
    }
    b->looked_up++;
}

/* Reads the entries of the last lookup, and prunes the children beyond the bound. */
P15_INLINE_V4 void prune_columns(const p15_problem *problem, p15_node_batch *b) {
    const unsigned lookups = problem->lookup_count;
    unsigned v = b->first + b->looked_up - 1, left = 0;
    if (v >= lookups) v -= lookups;
    const __m512i lookup_h = _mm512_loadu_si512(b->lookup_h[v]), rooms = _mm512_loadu_si512(b->slack);
    uint8_t *entries = b->entries;
    /* read one by one: a gather of 16 takes longer */
    for (unsigned i = 0; i < b->child_count; i++) entries[i] = *(const uint8_t *)(uintptr_t)b->bytes[0][i];
    for (unsigned i = 0; i < b->child_count; i += 16) {
        __mmask16 there = first_v4(b->child_count - i);
        __m512i c = LOAD(b->children + i), low = LOAD(b->low[v] + i), high = LOAD(b->high[v] + i);
        __m512i bits = _mm512_srlv_epi32(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(entries + i))),
                                         LOAD(b->shifts[0] + i));
        /* 1 where ((old value + 1) >> 1) and the bit differ: the value falls */
        __m512i old = RIGHT(low, P15_STATE_VALUE_BIT);
        __m512i falls = AND(_mm512_xor_si512(RIGHT(ADD(old, ALL(1)), 1), bits), ALL(1));
        __m512i change = _mm512_sub_epi32(ALL(1), ADD(falls, falls));
        low = ADD(low, LEFT(change, P15_STATE_VALUE_BIT));
        __m512i h = AND(ADD(PICK(c, lookup_h), change), ALL(255));
        __mmask16 stays = there;
        if (!b->keeping) stays = _mm512_mask_cmple_epu32_mask(there, h, PICK(c, rooms));
        if (b->looked_up > 1) h = _mm512_max_epu32(h, LOAD(b->h + i));
        _mm512_storeu_si512(b->children + left, _mm512_maskz_compress_epi32(stays, c));
        _mm512_storeu_si512(b->h + left, _mm512_maskz_compress_epi32(stays, h));
        _mm512_storeu_si512(b->low[v] + left, _mm512_maskz_compress_epi32(stays, low));
        _mm512_storeu_si512(b->high[v] + left, _mm512_maskz_compress_epi32(stays, high));
        for (unsigned other = 0; other + 1 < b->looked_up; other++) {
            unsigned u = b->first + other;
            if (u >= lookups) u -= lookups;
            _mm512_storeu_si512(b->low[u] + left, _mm512_maskz_compress_epi32(stays, LOAD(b->low[u] + i)));
            _mm512_storeu_si512(b->high[u] + left, _mm512_maskz_compress_epi32(stays, LOAD(b->high[u] + i)));
        }
        left += p15_count_bits(stays);
    }
    b->child_count = left;
}

/* The end of a list, and the children that go there. */
typedef struct {
    uint32_t *end;
    size_t capacity;
    __mmask16 which;
} target_v4;

P15_INLINE_V4 target_v4 target_of(const p15_nodes *list, __mmask16 which) {
    return (target_v4){list->words + list->count, list->capacity, which};
}

P15_INLINE_V4 void write_v4(const target_v4 *targets, unsigned count, unsigned word, __m512i x) {
    for (unsigned i = 0; i < count; i++)
        _mm512_storeu_si512(targets[i].end + word * targets[i].capacity,
                            _mm512_maskz_compress_epi32(targets[i].which, x));
}

/* A half of the parents' boards after the moves. Shifts beyond the half, taken as unsigned, leave nothing. */
P15_INLINE_V4 __m512i boards_v4(__m512i half, const moves_v4 *m, __m512i begin) {
    __m512i cell = _mm512_sub_epi32(LEFT(m->cell, 2), begin), blank = _mm512_sub_epi32(LEFT(m->blank, 2), begin);
    return _mm512_ternarylogic_epi32(half, _mm512_sllv_epi32(m->tile, cell), _mm512_sllv_epi32(m->tile, blank), 0x96);
}

/* Writes 16 children to the ends of lists. */
P15_INLINE_V4 void write_children(const p15_problem *problem, const p15_node_batch *b, unsigned i, __m512i h,
                                  const target_v4 *targets, unsigned count) {
    const unsigned patterns = problem->pattern_count;
    __m512i c = LOAD(b->children + i);
    moves_v4 m = moves_of(problem->shape, c);
    write_v4(targets, count, P15_WORD_BOARD, boards_v4(PICK(c, COLUMN(P15_WORD_BOARD)), &m, ALL(0)));
    write_v4(targets, count, P15_WORD_BOARD + 1, boards_v4(PICK(c, COLUMN(P15_WORD_BOARD + 1)), &m, ALL(32)));
    __m512i depth = PICK(c, COLUMN(P15_WORD_DEPTH));
    __m512i two = AND(ADD(depth, depth), ALL(510)), dir = AND(RIGHT(c, 4), ALL(3));
    for (unsigned w = 0, word = P15_WORD_STATES + 2 * patterns; w < problem->move_words; w++, word++) {
        __m512i shift = _mm512_sub_epi32(two, ALL(2 * P15_MOVES_PER_WORD * w));
        write_v4(targets, count, word, OR(PICK(c, COLUMN(word)), _mm512_sllv_epi32(dir, shift)));
    }
    write_v4(targets, count, P15_WORD_HEAD,
             _mm512_ternarylogic_epi32(RIGHT(c, 16), LEFT(m.cell, P15_HEAD_BLANK), LEFT(h, P15_HEAD_H), 0xfe));
    write_v4(targets, count, P15_WORD_DEPTH, ADD(depth, ALL(1)));
    for (unsigned v = 0; v < problem->lookup_count; v++) {
        const p15_lookup *lookup = &problem->lookups[v];
        __m512i low = LOAD(b->low[v] + i), high = LOAD(b->high[v] + i);
        __m512i pattern = PICK(m.tile, LOAD(problem->vectors[v].patterns));
        for (unsigned p = lookup->pattern_begin; p < lookup->pattern_end; p++) {
            unsigned w = P15_WORD_STATES + 2 * p;
            __mmask16 own = _mm512_cmpeq_epi32_mask(pattern, ALL(p - lookup->pattern_begin));
            write_v4(targets, count, w, _mm512_mask_mov_epi32(PICK(c, COLUMN(w)), own, low));
            write_v4(targets, count, w + 1, _mm512_mask_mov_epi32(PICK(c, COLUMN(w + 1)), own, high));
        }
    }
}

/* After the last lookup: writes the children that are left to the ends of the lists. */
P15_INLINE_V4 void finish_columns(const p15_problem *problem, p15_node_batch *b, p15_nodes *nodes, p15_nodes *next) {
    b->goal = b->child_count;
    for (unsigned i = 0; i < b->child_count; i += 16) {
        __mmask16 there = first_v4(b->child_count - i), within = there;
        __m512i h = LOAD(b->h + i);
        if (b->keeping) within = _mm512_mask_cmple_epu32_mask(there, h, PICK(LOAD(b->children + i), LOAD(b->slack)));
        unsigned goals = _mm512_mask_testn_epi32_mask(within, h, h);
        if (goals && b->goal == b->child_count) b->goal = i + p15_lowest_bit(goals);
        const target_v4 targets[] = {target_of(nodes, within), target_of(next, there & (__mmask16)~within)};
        /* `next` is left alone where it is not wanted, because several slots may share it */
        if (b->keeping)
            write_children(problem, b, i, h, targets, 2);
        else
            write_children(problem, b, i, h, targets, 1);
        nodes->count += p15_count_bits(within);
        if (b->keeping) next->count += p15_count_bits(targets[1].which);
    }
}

#undef EVEN
#undef ODD
#undef ALL
#undef AND
#undef OR
#undef ADD
#undef RIGHT
#undef LEFT
#undef PICK
#undef LOAD
#undef COLUMN

#endif
#endif
