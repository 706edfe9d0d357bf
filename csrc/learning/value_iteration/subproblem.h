/* p15_subproblem: the problem of bringing some tiles home without moving others: its states, and what values and a
 * policy say of them.
 *
 * A subproblem is a set G of tiles to bring home and a set R of cells whose tiles stay. A state is where the tiles of G
 * and the blank are, on the m cells outside R; the other tiles are alike. In 64 bits, nibble i holds the cell of the
 * i-th tile of G and nibble k = |G| that of the blank:
 *
 *    R = {0..8}, G = the tiles of cells 9 and 10        bits 63        12  8  4  0
 *      x  x  x  x                                            +---------+--+--+--+
 *      x  x  x  x        first tile of G at cell 14,         |    0    |11|10|14|
 *      x  .  2 [ ]       second at 10, blank at 11           +---------+--+--+--+
 *      .  .  1  .                                       digits 5, 1, 1: state (5*6 + 1)*5 + 1 of 7*6*5
 *
 * States are numbered without gaps, 0 .. m (m-1) .. (m-k) - 1: every digit counts the free cells before its nibble's
 * that no earlier nibble holds. The blank is the digit that changes fastest, so most moves lead to a state nearby. While two
 * or more tiles are alike, every state occurs on a board that can be solved; with one or none, half of them do.
 *
 * The reward is 1 in a goal state (all of G at home, the blank anywhere) and 0 elsewhere; goal states absorb. The value
 * of a state that is k moves from the goal is then the sum of gamma^t from t = k on, gamma^k / (1 - gamma). Where no
 * moves lead to the goal, it is 0. That is the fixed point of
 *
 *    V(s) = reward(s) + gamma * max over moves of V(s')
 *
 * The policy is the move to the neighbour of the highest value; of several, the first one in an order of directions.
 *
 * All functions are pure, and safe from any thread.
 *
 * Source: B. Bischoff, D. Nguyen-Tuong, H. Markert, A. Knoll, "Solving the 15-puzzle game using local
 * value-iteration", SCAI 2013. */
#ifndef P15_LEARNING_SUBPROBLEM_H
#define P15_LEARNING_SUBPROBLEM_H

#include "base/board.h"

#define P15_MAX_STATES UINT64_C(0x100000000)

/* What a policy holds besides directions of the blank: the state is a goal, or no moves lead to one. */
enum { P15_POLICY_DONE = 4, P15_POLICY_NONE = 5 };

typedef struct {
    p15_shape shape;
    unsigned tile_count, free_count;             /* k and m */
    uint16_t free;                               /* the cells outside R: bit i for cell i */
    uint8_t goal[P15_MAX_CELLS];                 /* the goal cells of G */
    int8_t cells[P15_MAX_CELLS][P15_DIRECTIONS]; /* the blank's cell after a move, -1 beyond the edge or in R */
    uint64_t numbers;                            /* nibble i: the free cells before cell i */
    uint64_t state_count;
} p15_subproblem;

/* G is given as `count` goal cells in any order, R as a set of cells. P15_ERR_PATTERN unless G is not empty, all
 * cells differ, are of the shape, and a cell is left for the blank; P15_ERR_MEMORY beyond P15_MAX_STATES states. */
p15_status p15_subproblem_init(p15_shape shape, const uint8_t *goal, unsigned count, unsigned fixed,
                               p15_subproblem *subproblem);

/* `numbers` after a cell, whose nibble begins at bit `shift`, is no longer free: the nibbles above it fall by one.
 * None of these is 0, since that cell was before theirs, so nothing is borrowed. */
static inline uint64_t p15_numbers_without(uint64_t numbers, unsigned shift) {
    return numbers - (UINT64_C(0x1111111111111111) << shift << 4);
}

/* The number of a state: its cells differ, and none is in R. */
static inline uint64_t p15_subproblem_rank(const p15_subproblem *subproblem, uint64_t state) {
    uint64_t numbers = subproblem->numbers, rank = 0;
    unsigned base = subproblem->free_count;
    for (unsigned i = 0; i <= subproblem->tile_count; i++, state >>= 4) {
        unsigned shift = 4 * (state & 15);
        rank = rank * base-- + (numbers >> shift & 15);
        numbers = p15_numbers_without(numbers, shift);
    }
    return rank;
}

/* The state of a number below state_count. */
uint64_t p15_subproblem_unrank(const p15_subproblem *subproblem, uint64_t rank);

/* Writes into ends[i], for each state i of `begin` .. `end`, the blank's cell in the goal state to which the policy
 * leads from there, or P15_MAX_CELLS where the policy is P15_POLICY_NONE. ends[] has state_count entries and holds
 * 0xff where nothing is known yet; the states on the paths become known, too. P15_ERR_CORRUPT when the policy leads
 * off the board, in a circle or to a state of P15_POLICY_NONE: then it was not learned, and some states are left
 * unknown. */
p15_status p15_subproblem_ends(const p15_subproblem *subproblem, const uint8_t *policy, uint64_t begin, uint64_t end,
                               uint8_t *ends);

#endif
