/* p15_child: the children of a board, and where they belong in a closed table. */
#ifndef P15_BEST_FIRST_CHILDREN_H
#define P15_BEST_FIRST_CHILDREN_H

#include "search/best_first/closed.h"

typedef struct {
    p15_board board;
    p15_where where;
    uint8_t direction; /* of the blank */
} p15_child;

/* Makes all children of a board, the undo of the last move among them, in the order of `moves`, and asks the memory for
 * their places. Returns how many there are. */
P15_INLINE unsigned p15_child_make(const p15_closed *closed, const p15_moves *moves, p15_board board,
                                   p15_child children[P15_DIRECTIONS]) {
    unsigned blank = p15_board_blank(board), count = 0;
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
        unsigned direction = moves->order[i];
        int cell = moves->cells[blank][direction];
        if (cell < 0) continue;
        p15_child *made = &children[count++];
        made->board = p15_board_slide(board, blank, (unsigned)cell);
        made->where = p15_closed_where(closed, made->board);
        made->direction = (uint8_t)direction;
        p15_closed_prefetch(closed, made->where);
    }
    return count;
}

/* Looks again where children belong: the table has grown. */
P15_INLINE void p15_child_place(const p15_closed *closed, p15_child *children, unsigned count) {
    for (unsigned i = 0; i < count; i++) children[i].where = p15_closed_where(closed, children[i].board);
}

#endif
