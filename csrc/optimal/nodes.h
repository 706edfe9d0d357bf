/* p15_nodes: lists of nodes of the search.
 *
 * A node is a sequence of words of 32 bits:
 *
 *     word   0, 1    board, low half and high half
 *            2..5    the moves since the node's way ended, 2 bits each, the first one lowest; of more than 64 the first
 *                    64
 *            6       bits 0..15 state of the automaton, 16..19 blank's cell, 20..27 h
 *            7       bits 0..7 depth, 8..15 moves since the way ended, 16..31 number of the way
 *            8..     the places, low half and high half of each
 *
 * So a node of two views of two patterns takes 64 bytes. A way is the beginning of the moves that lead to a node; many
 * nodes share it (optimal/fringe.h). Below a fringe that stays, it is the whole way to a node of the fringe, and has
 * that node's number.
 *
 * The kernels for AVX-512 handle 16 nodes side by side. For them, a list is one array per word: a list of columns. For
 * the others it is an array of nodes. */
#ifndef P15_OPTIMAL_NODES_H
#define P15_OPTIMAL_NODES_H

#include "base/cpu.h"
#include "optimal/views.h"

#include <string.h>

enum { P15_WORD_BOARD = 0, P15_WORD_MOVES = 2, P15_WORD_HEAD = 6, P15_WORD_WAY = 7, P15_WORD_PLACES = 8 };

#define P15_MAX_WORDS (P15_WORD_PLACES + 2 * P15_MAX_PLACES)
#define P15_KEPT_MOVES 64u
#define P15_MOVES_PER_WORD 16u
#define P15_MOVE_WORDS (P15_KEPT_MOVES / P15_MOVES_PER_WORD)

#define P15_HEAD_BLANK 16
#define P15_HEAD_H 20
#define P15_WAY_COUNT 8
#define P15_WAY_NUMBER 16

typedef struct {
    uint32_t *words;
    uint32_t count, room;
    unsigned word_count; /* of a node */
    bool columns;        /* word w of node i is words[w * room + i]; otherwise words[i * word_count + w] */
} p15_nodes;

static inline unsigned p15_word_count(unsigned places) { return P15_WORD_PLACES + 2 * places; }

P15_INLINE uint32_t *p15_nodes_word(const p15_nodes *nodes, uint32_t i, unsigned word) {
    return nodes->words + (nodes->columns ? word * (size_t)nodes->room + i : i * (size_t)nodes->word_count + word);
}

P15_INLINE unsigned p15_head_state(uint32_t head) { return head & 0xffffu; }
P15_INLINE unsigned p15_head_blank(uint32_t head) { return head >> P15_HEAD_BLANK & 15u; }
P15_INLINE unsigned p15_head_h(uint32_t head) { return head >> P15_HEAD_H & 255u; }
P15_INLINE unsigned p15_way_depth(uint32_t way) { return way & 255u; }
P15_INLINE unsigned p15_way_count(uint32_t way) { return way >> P15_WAY_COUNT & 255u; }
P15_INLINE unsigned p15_way_number(uint32_t way) { return way >> P15_WAY_NUMBER; }

static inline unsigned p15_node_h(const p15_nodes *nodes, uint32_t i) {
    return p15_head_h(*p15_nodes_word(nodes, i, P15_WORD_HEAD));
}
static inline unsigned p15_node_depth(const p15_nodes *nodes, uint32_t i) {
    return p15_way_depth(*p15_nodes_word(nodes, i, P15_WORD_WAY));
}

/* Moves in packed words, as in a node. */
static inline unsigned p15_moves_get(const uint32_t *moves, unsigned i) {
    return moves[i / P15_MOVES_PER_WORD] >> (2 * (i % P15_MOVES_PER_WORD)) & 3u;
}

/* An empty list without memory. */
static inline p15_nodes p15_nodes_none(unsigned places, bool columns) {
    return (p15_nodes){.word_count = p15_word_count(places), .columns = columns};
}

/* Makes room for `more` nodes behind the last one, and behind those for a vector; false for want of memory. */
bool p15_nodes_grow(p15_nodes *nodes, uint32_t more);
void p15_nodes_free(p15_nodes *nodes);

#define P15_NODES_BEHIND 16u

P15_INLINE bool p15_nodes_reserve(p15_nodes *nodes, uint32_t more) {
    return nodes->room >= nodes->count + more + P15_NODES_BEHIND || p15_nodes_grow(nodes, more);
}

/* Copies nodes to the end of another list of the same kind, which has room. */
P15_INLINE void p15_nodes_push(p15_nodes *to, const p15_nodes *from, const uint32_t *which, unsigned count) {
    if (to->columns)
        for (unsigned w = 0; w < to->word_count; w++) {
            uint32_t *target = to->words + w * (size_t)to->room + to->count;
            const uint32_t *column = from->words + w * (size_t)from->room;
            for (unsigned i = 0; i < count; i++) target[i] = column[which[i]];
        }
    else
        for (unsigned i = 0; i < count; i++)
            memcpy(p15_nodes_word(to, to->count + i, 0), p15_nodes_word(from, which[i], 0),
                   to->word_count * sizeof *to->words);
    to->count += count;
}

#endif
