/* p15_neighbours: the children of many boards, as columns.
 *
 *     boards   [ a     | b  | .. ]
 *     children [ a0 a1 | b0 | .. ]     in the order of their parents; of one parent, by direction
 *     parents  [ 0  0  | 1  | .. ]     numbers of boards
 *     directions of the blank
 *
 * A board is read once in each pass, so boards that another thread changes meanwhile give wrong children, and no wrong
 * access of memory. Cost: 17 bytes a child; some 4 ns, half of them for checking the boards. */
#ifndef P15_NODES_NEIGHBOURS_H
#define P15_NODES_NEIGHBOURS_H

#include "base/moves.h"

#define P15_NO_DIRECTION 255u /* no move has led to a board, so no child of it is left out */

typedef struct {
    p15_shape shape;
    uint8_t legal[P15_MAX_CELLS];    /* the directions in which the blank can go from a cell, as bits */
    uint8_t offsets[P15_DIRECTIONS]; /* from the blank to its next cell, modulo 256 */
} p15_neighbours;

void p15_neighbours_init(p15_shape shape, p15_neighbours *neighbours);

/* How many children `count` boards have, without the undo of the direction last[i] that led to board i (P15_NO_DIRECTION:
 * none; last NULL: none at all), added to *children. Returns the first i whose board or last direction is none, or
 * count. */
size_t p15_neighbours_count(const p15_neighbours *neighbours, const p15_board *boards, const uint8_t *last,
                            size_t count, size_t *children);

/* Makes these children, from number *made on, of boards begin .. end - 1 that were counted. There is room for `room`
 * children, and for P15_DIRECTIONS that are not kept. */
void p15_neighbours_make(const p15_neighbours *neighbours, const p15_board *boards, const uint8_t *last, size_t begin,
                         size_t end, size_t room, size_t *made, p15_board *children, int64_t *parents,
                         uint8_t *directions);

#endif
