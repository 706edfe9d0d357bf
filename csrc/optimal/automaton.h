/* p15_automaton: which moves a search has to try, given the moves that led here.
 *
 * A move that only takes the last one back is never needed; nor is any word of moves that leads where a shorter word
 * leads, or an earlier one of the same length (by length, then by direction): six moves clockwise around a 2x2 square,
 * say, equal six the other way round. A word is reducible when it has such a part. Every board that can be reached at
 * all is reached by an optimal word that is not reducible (replace part by part: each step makes the word smaller), so
 * IDA* may leave out the others, and expands fewer duplicates at the price of one look-up a move.
 * (Taylor & Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993; here with the blank's cell in the state,
 * so that words are judged only where they can be made.)
 *
 * The automaton reads moves of the blank. State 0 .. cells-1: the blank's cell, nothing else known. next[4 * state + dir]
 * is the state after a move, or P15_NO_MOVE when the move leaves the board or completes a reducible word of at most
 * `length` moves. length 2 forbids just the undoing of the last move: the textbook IDA*. Words of up to `length` moves
 * from a state 0 .. cells-1 reach every board at that distance exactly once.
 *
 * States on 4x4, where there are most: length 2: 64; 6: 208; 10: 4,147; 14: 53,205. */
#ifndef P15_OPTIMAL_AUTOMATON_H
#define P15_OPTIMAL_AUTOMATON_H

#include "base/board.h"

#define P15_NO_MOVE 0xffffu
#define P15_MAX_WORD 14

typedef struct {
    uint32_t state_count;
    uint16_t *next; /* [state_count][4] */
} p15_automaton;

/* Builds the automaton for words of 2 .. P15_MAX_WORD moves. P15_ERR_ARGUMENT for other lengths or more than 65,535
 * states, P15_ERR_MEMORY. On success the caller ends it with p15_automaton_free. */
p15_status p15_automaton_init(p15_shape shape, unsigned length, p15_automaton *automaton);
void p15_automaton_free(p15_automaton *automaton);

#endif
