/* p15_fsm: Taylor & Korf's finite-state machine, which prunes duplicate operator sequences.
 *
 * Operator sequences are ordered by length, then by direction. One is a duplicate if a smaller one leads to the same
 * board: a move that undoes the last one, say, or six moves clockwise around a 2x2 square, which equal six moves the
 * other way round. A sequence with a duplicate in it is reducible. Every board is reached by an optimal sequence that
 * is not reducible: replacing a duplicate makes the sequence smaller. So IDA* leaves out reducible sequences, with one
 * lookup per move. (Taylor & Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993. Here the state includes
 * the blank's cell, so a sequence is pruned only where it can be made.)
 *
 * The machine reads moves of the blank. In states 0 .. cells-1 only the blank's cell is known. next[4 * state + dir] is
 * the state after a move, or P15_NO_MOVE when the move leaves the board or completes a reducible sequence of at most
 * `length` moves. Length 2 forbids only the undoing of the last move: the textbook IDA*. Sequences of up to `length`
 * moves from a state 0 .. cells-1 reach every board at that distance exactly once.
 *
 * States on 4x4, where there are most: length 2: 64; 6: 208; 10: 4,147; 14: 53,205. Length 10 takes 33 kB and some
 * milliseconds to make; length 14 takes 425 kB and 0.15 s, and prunes a third of a hard board's nodes. */
#ifndef P15_OPTIMAL_FSM_H
#define P15_OPTIMAL_FSM_H

#include "base/board.h"

#define P15_NO_MOVE 0xffffu
#define P15_MAX_SEQUENCE 14

typedef struct {
    uint32_t state_count;
    uint16_t *next; /* [state_count + 4 * cells][4] */
} p15_fsm;

/* Makes the machine for sequences of 2 .. P15_MAX_SEQUENCE moves. P15_ERR_ARGUMENT for other lengths, or for more than
 * 65,535 states; P15_ERR_MEMORY. On success the caller ends it with p15_fsm_free. */
p15_status p15_fsm_init(p15_shape shape, unsigned length, p15_fsm *fsm);
void p15_fsm_free(p15_fsm *fsm);

/* The state of a search that begins with a board, given only the move that has led to it: it tries all moves but the
 * one that undoes this move. These states stand behind the others. They are not counted, and no move leads to them. */
static inline unsigned p15_fsm_after(const p15_fsm *fsm, unsigned cell, unsigned move) {
    return fsm->state_count + P15_DIRECTIONS * cell + move;
}

#endif
