/* p15_nodes, p15_node_batch: lists of nodes of the search, and nodes that are expanded together.
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
 * The kernels for vectors handle 8 or 16 nodes side by side. For them, a list is one array per word: a list of columns.
 * For the others it is an array of nodes. */
#ifndef P15_OPTIMAL_NODES_H
#define P15_OPTIMAL_NODES_H

#include "base/cpu.h"
#include "optimal/problem.h"

#include <stdlib.h>
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

#define P15_NODES_BEHIND 16u
#define P15_FIRST_NODES 272u /* not a power of two: then the columns of a node would be in the same set of a cache */

/* Makes room for `more` nodes behind the last one, and behind those for a vector; false for want of memory. */
static inline bool p15_nodes_grow(p15_nodes *nodes, uint32_t more) {
    size_t least = (size_t)nodes->count + more + P15_NODES_BEHIND,
           capacity = nodes->capacity ? nodes->capacity : P15_FIRST_NODES;
    while (capacity < least) capacity *= 2;
    if (capacity > UINT32_MAX / 2) return false;
    uint32_t *words = malloc(capacity * nodes->word_count * sizeof *words);
    if (!words) return false;
    if (nodes->columns)
        for (unsigned w = 0; w < nodes->word_count && nodes->count > 0; w++)
            memcpy(words + w * capacity, nodes->words + w * (size_t)nodes->capacity, nodes->count * sizeof *words);
    else if (nodes->count > 0)
        memcpy(words, nodes->words, nodes->count * (size_t)nodes->word_count * sizeof *words);
    free(nodes->words);
    nodes->words = words;
    nodes->capacity = (uint32_t)capacity;
    return true;
}

static inline void p15_nodes_free(p15_nodes *nodes) {
    free(nodes->words);
    nodes->words = NULL;
    nodes->count = nodes->capacity = 0;
}

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

/* ------------------------------------------------------------------------------------------------ batches
 *
 * Nodes that are expanded together, and their children. */

#define P15_MAX_PARENTS 16u
#define P15_LINE 64u /* bytes of a cache line, and of a vector */
#define P15_MOST_CHILDREN (P15_MAX_PARENTS * P15_DIRECTIONS)
#define P15_CHILD_CAPACITY (P15_MOST_CHILDREN + P15_MAX_PARENTS) /* vectors write beyond the last one */

/* A child: parent 0..3, direction 4..5, blank's cell before the move 6..9, tile 10..13, state 16..31. */
typedef uint32_t p15_batch_child;

/* Every array that vectors read begins with a cache line. */
typedef struct {
    _Alignas(P15_LINE) uint32_t
        parents[P15_MAX_WORDS * P15_MAX_PARENTS]; /* as in the list: [word][P15_MAX_PARENTS], or [parent][word] */
    uint32_t slack[P15_MAX_PARENTS];              /* the largest h of a child within the bound */
    uint32_t lookup_h[P15_MAX_LOOKUPS][P15_MAX_PARENTS];
    p15_batch_child children[P15_CHILD_CAPACITY];
    uint32_t h[P15_CHILD_CAPACITY];                     /* the largest of the lookups made */
    uint32_t low[P15_MAX_LOOKUPS][P15_CHILD_CAPACITY];  /* the pattern state that changes: its low half */
    uint32_t high[P15_MAX_LOOKUPS][P15_CHILD_CAPACITY]; /* its high half */
    uint64_t bytes[P15_CHILD_CAPACITY];                 /* addresses of the last lookup's entries */
    uint32_t shifts[P15_CHILD_CAPACITY];                /* of the entries in their bytes */
    uint8_t entries[P15_CHILD_CAPACITY];                /* the bytes */
    unsigned parent_count, child_count;                 /* no parents: the batch is idle */
    bool keeping;                                       /* children beyond the bound are wanted, too */
    unsigned first, looked_up;                          /* the first lookup, and how many were made */
    unsigned goal; /* when it is done: the first child with h = 0, or child_count */
} p15_node_batch;

/* The lookup that a batch makes after `made` others. */
P15_INLINE unsigned p15_batch_lookup(const p15_problem *problem, const p15_node_batch *b, unsigned made) {
    unsigned v = b->first + made;
    return v < problem->lookup_count ? v : v - problem->lookup_count;
}

/* How many nodes a problem's batches have. 14: their children, 2.1 each, mostly fill two vectors of 16, and those left
 * fill one. 1: in the textbook search, and where one pattern has all tiles, so that h leads to the goal. */
static inline unsigned p15_node_batch_size(const p15_problem *problem) {
    bool exact = false;
    for (unsigned v = 0; v < problem->lookup_count; v++)
        exact |= problem->lookups[v].pattern_end - problem->lookups[v].pattern_begin == 1;
    return problem->plain || exact ? 1 : 14;
}

/* The directions in the order of a batch's children: those that move a tile up or down, and the others. */
static const uint8_t p15_child_order[P15_DIRECTIONS] = {P15_DOWN, P15_UP, P15_RIGHT, P15_LEFT};

P15_INLINE unsigned p15_child_parent(p15_batch_child c) { return c & 15u; }
P15_INLINE unsigned p15_child_move(p15_batch_child c) { return c >> 4 & 3u; }
P15_INLINE unsigned p15_child_blank(p15_batch_child c) { return c >> 6 & 15u; }
P15_INLINE unsigned p15_child_tile(p15_batch_child c) { return c >> 10 & 15u; }
P15_INLINE unsigned p15_child_state(p15_batch_child c) { return c >> 16; }

/* A word of parent i. */
static inline uint32_t p15_parent_word(const p15_node_batch *b, const p15_nodes *nodes, unsigned i, unsigned word) {
    return b->parents[nodes->columns ? word * P15_MAX_PARENTS + i : i * nodes->word_count + word];
}

#endif
