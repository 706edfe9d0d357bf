/* p15_nodes: lists of nodes of the search.
 *
 * A node is a sequence of words of 32 bits:
 *
 *     word   0, 1    board, low half and high half
 *            2       bits 0..15 state of the fsm, 16..19 blank's cell, 20..27 h
 *            3       bits 0..7 depth, 8..31 origin: the number of the fixed root above this node
 *            4..     the pattern states, low half and high half of each
 *            last    the moves that lead to the node, 2 bits each, the first one lowest
 *
 * There is capacity for as many moves as a solution of the problem can have (problem->move_words). So a node of two
 * lookups of two patterns takes 72 bytes on 4x4.
 *
 * The kernels for AVX-512 handle 16 nodes side by side. For them, a list is one array per word: a list of columns. For
 * the others it is an array of nodes. */
#ifndef P15_OPTIMAL_NODES_H
#define P15_OPTIMAL_NODES_H

#include "base/cpu.h"
#include "optimal/problem.h"

#include <string.h>

enum { P15_WORD_BOARD = 0, P15_WORD_HEAD = 2, P15_WORD_DEPTH = 3, P15_WORD_STATES = 4 };

#define P15_MOVES_PER_WORD 16u
#define P15_MAX_WORDS (P15_WORD_STATES + 2 * P15_MAX_LOOKUP_PATTERNS + P15_MAX_MOVE_WORDS)

#define P15_HEAD_BLANK 16
#define P15_HEAD_H 20
#define P15_DEPTH_ORIGIN 8
#define P15_MAX_ORIGINS (1u << 24)

_Static_assert(P15_MAX_LENGTH <= 255, "a depth has 8 bits");
_Static_assert(P15_MAX_LENGTH == 16 * P15_MAX_MOVE_WORDS, "a node holds any path");

typedef struct {
    uint32_t *words;
    uint32_t count, capacity;
    unsigned word_count; /* of a node */
    bool columns;        /* word w of node i is words[w * capacity + i]; otherwise words[i * word_count + w] */
} p15_nodes;

static inline unsigned p15_word_count(unsigned patterns, unsigned move_words) {
    return P15_WORD_STATES + 2 * patterns + move_words;
}

P15_INLINE uint32_t *p15_nodes_word(const p15_nodes *nodes, uint32_t i, unsigned word) {
    return nodes->words + (nodes->columns ? word * (size_t)nodes->capacity + i : i * (size_t)nodes->word_count + word);
}

P15_INLINE unsigned p15_head_state(uint32_t head) { return head & 0xffffu; }
P15_INLINE unsigned p15_head_blank(uint32_t head) { return head >> P15_HEAD_BLANK & 15u; }
P15_INLINE unsigned p15_head_h(uint32_t head) { return head >> P15_HEAD_H & 255u; }
P15_INLINE unsigned p15_word_depth(uint32_t word) { return word & 255u; }
P15_INLINE uint32_t p15_word_origin(uint32_t word) { return word >> P15_DEPTH_ORIGIN; }

static inline unsigned p15_node_h(const p15_nodes *nodes, uint32_t i) {
    return p15_head_h(*p15_nodes_word(nodes, i, P15_WORD_HEAD));
}
static inline unsigned p15_node_depth(const p15_nodes *nodes, uint32_t i) {
    return p15_word_depth(*p15_nodes_word(nodes, i, P15_WORD_DEPTH));
}

/* An empty list without memory. */
static inline p15_nodes p15_nodes_none(const p15_problem *problem, bool columns) {
    return (p15_nodes){.word_count = p15_word_count(problem->pattern_count, problem->move_words), .columns = columns};
}

/* Makes room for `more` nodes behind the last one, and behind those for a vector; false for want of memory. */
bool p15_nodes_grow(p15_nodes *nodes, uint32_t more);
void p15_nodes_free(p15_nodes *nodes);

#define P15_NODES_BEHIND 16u

P15_INLINE bool p15_nodes_reserve(p15_nodes *nodes, uint32_t more) {
    return nodes->capacity >= nodes->count + more + P15_NODES_BEHIND || p15_nodes_grow(nodes, more);
}

/* Copies nodes to the end of another list of the same kind, which has the capacity. */
P15_INLINE void p15_nodes_push(p15_nodes *to, const p15_nodes *from, const uint32_t *which, unsigned count) {
    if (to->columns)
        for (unsigned w = 0; w < to->word_count; w++) {
            uint32_t *target = to->words + w * (size_t)to->capacity + to->count;
            const uint32_t *column = from->words + w * (size_t)from->capacity;
            for (unsigned i = 0; i < count; i++) target[i] = column[which[i]];
        }
    else
        for (unsigned i = 0; i < count; i++)
            memcpy(p15_nodes_word(to, to->count + i, 0), p15_nodes_word(from, which[i], 0),
                   to->word_count * sizeof *to->words);
    to->count += count;
}

#endif
