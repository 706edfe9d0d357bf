/* p15_automaton: which moves a search has to try, given the moves that led here.
 *
 * A word is a sequence of moves. Words are ordered by length, then by direction. A search does not need a word that
 * leads to the same board as a smaller word: a move that undoes the last one, say, or six moves clockwise around a 2x2
 * square, which equal six moves the other way round. A word that contains such a part is reducible. Every board is
 * reached by an optimal word that is not reducible: replace such parts one by one; each replacement makes the word
 * smaller. So IDA* leaves out reducible words. It expands fewer duplicates, at the price of one look-up per move.
 * (Taylor & Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993. Here the state knows the blank's cell, so
 * words are judged only where they can be made.)
 *
 * The automaton reads moves of the blank. In states 0 .. cells-1 only the blank's cell is known. next[4 * state + dir]
 * is the state after a move, or P15_NO_MOVE when the move leaves the board or completes a reducible word of at most
 * `length` moves. Length 2 forbids only the undoing of the last move: the textbook IDA*. Words of up to `length` moves
 * from a state 0 .. cells-1 reach every board at that distance exactly once.
 *
 * States on 4x4, where there are most: length 2: 64; 6: 208; 10: 4,147; 14: 53,205. Words of 10 moves take 33 kB and
 * some milliseconds to make; those of 14 take 425 kB and 0.15 s, and leave out a third of a hard board's nodes. */
#ifndef P15_OPTIMAL_AUTOMATON_H
#define P15_OPTIMAL_AUTOMATON_H

#include "base/board.h"
#include "base/pieces.h"

#define P15_NO_MOVE 0xffffu
#define P15_MAX_WORD 14

typedef struct {
    uint32_t state_count;
    uint16_t *next; /* [state_count + 4 * cells][4] */
} p15_automaton;

/* Builds the automaton for words of 2 .. P15_MAX_WORD moves, piece by piece (base/pieces.h). P15_ERR_ARGUMENT for other
 * lengths, P15_ERR_MEMORY. On success the caller deletes the maker, at any time. */
typedef struct p15_automaton_maker p15_automaton_maker;
p15_status p15_automaton_begin(p15_shape shape, unsigned length, p15_automaton_maker **maker);
void p15_automaton_maker_delete(p15_automaton_maker *maker); /* NULL is fine */

/* Works on a piece. False: come again. True: that was the last one, and *status says whether *automaton is made:
 * P15_ERR_ARGUMENT for more than 65,535 states, P15_ERR_MEMORY. On success the caller ends it with p15_automaton_free. */
bool p15_automaton_go_on(p15_automaton_maker *maker, p15_automaton *automaton, p15_status *status);
void p15_automaton_free(p15_automaton *automaton);

/* The state of a search that begins with a board and knows only which move has led to it: it tries all moves but the
 * one that undoes this move. These states stand behind the others. They are not counted, and no move leads to them. */
static inline unsigned p15_automaton_after(const p15_automaton *automaton, unsigned cell, unsigned move) {
    return automaton->state_count + P15_DIRECTIONS * cell + move;
}

#endif
