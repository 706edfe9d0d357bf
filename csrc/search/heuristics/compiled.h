/* p15_compiled: a heuristic of the caller's that is compiled: pointers to C functions, and the data that they are given.
 *
 *     of_board(board, goal, data)                               h of a board
 *     of_child(parent, goal, data, value, tile, from, to)       h of a child: `value` is the parent's, and `tile` moves
 *                                                               from the cell `from` to the blank's cell `to`
 *
 * Boards are packed (base/board.h). Values are 0 .. 255. Where a function returns another number, the value is 0, and the
 * number and the board are noted for the caller to ask for: see p15_compiled_refused.
 *
 * The functions see boards of the caller's goal. Where the evaluator's goal is another arrangement of it, because tables
 * are beside them, each board is turned back first, cell by cell.
 *
 * Cost: an indirect call and two comparisons; about 20 ns more where boards are turned.
 * Threads: the functions are called in any number of threads at once. The notes are atomic; after wrong values in two
 * threads at once, board and number may be of different ones. */
#ifndef P15_HEURISTICS_COMPILED_H
#define P15_HEURISTICS_COMPILED_H

#include "base/board.h"

#include <stdatomic.h>

typedef int32_t p15_compiled_board(p15_board board, p15_board goal, void *data);
typedef int32_t p15_compiled_child(p15_board parent, p15_board goal, void *data, int32_t value, int32_t tile,
                                   int32_t from, int32_t to);

typedef struct {
    p15_compiled_board *of_board;
    p15_compiled_child *of_child; /* NULL: children are evaluated as boards */
    void *data;
    p15_board goal; /* of the functions */
    bool turned;
    uint8_t cells, cell_of[P15_MAX_CELLS],
        tile_of[P15_MAX_CELLS]; /* the functions' cells and tiles, by the evaluator's */
    atomic_ullong refused;      /* how many numbers were no values */
    _Atomic(p15_board) refused_board;
    _Atomic(int32_t) refused_number;
} p15_compiled;

/* Functions for a goal. The evaluator's boards have carried cell c to cell_to[c] and renamed tile t to tile_to[t]. */
void p15_compiled_init(p15_compiled *c, p15_compiled_board *of_board, p15_compiled_child *of_child, void *data,
                       p15_board goal, unsigned cells, const uint8_t *cell_to, const uint8_t *tile_to);

/* The value of a board. */
unsigned p15_compiled_value(p15_compiled *c, p15_board board);

/* The value of the child that a tile's move from the cell `from` to the blank's cell `to` makes; `value` is the parent's. */
unsigned p15_compiled_value_of_child(p15_compiled *c, p15_board parent, unsigned value, unsigned tile, unsigned from,
                                     unsigned to);

/* How often a number was refused so far; the last one, and its board, as the functions see it. */
uint64_t p15_compiled_refused(const p15_compiled *c);
p15_board p15_compiled_refused_board(p15_compiled *c);
int32_t p15_compiled_refused_number(p15_compiled *c);

#endif
