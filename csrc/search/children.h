/* p15_child, p15_children: the children of a node, made in the order of a search's moves. */
#ifndef P15_SEARCH_CHILDREN_H
#define P15_SEARCH_CHILDREN_H

#include "search/search.h"

typedef struct {
    p15_board board;
    uint8_t direction, blank; /* of the move, which is the blank's; the blank's cell after it */
} p15_child;

/* Makes the children of a board whose blank is at `blank`, but for the undo of a last move in the direction `last`;
 * P15_DIRECTIONS: all. Returns how many there are. */
P15_INLINE unsigned p15_child_make(const p15_moves *moves, p15_board board, unsigned blank, unsigned last,
                                   p15_child children[P15_DIRECTIONS]) {
    unsigned count = 0;
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
        unsigned direction = moves->order[i];
        int cell = moves->cells[blank][direction];
        if (cell < 0 || direction + last == 3u) continue;
        p15_child *child = &children[count++];
        child->board = p15_board_slide(board, blank, (unsigned)cell);
        child->direction = (uint8_t)direction;
        child->blank = (uint8_t)cell;
    }
    return count;
}

/* All children of a node but the undo of the last move, evaluated. */
typedef struct {
    unsigned count;
    p15_child list[P15_DIRECTIONS];
    uint8_t h[P15_DIRECTIONS];
    p15_values values[P15_DIRECTIONS];
} p15_children;

/* Makes and evaluates the children of a board, as p15_child_make; in batches[0] of the search, if it has one. */
P15_INLINE void p15_children_make(const p15_search *search, p15_board board, p15_values values, unsigned blank,
                                  unsigned last, p15_children *made) {
    p15_evaluations *batch = search->batches[0];
    made->count = p15_child_make(&search->moves, board, blank, last, made->list);
    for (unsigned i = 0; i < made->count; i++) {
        unsigned direction = made->list[i].direction;
        if (batch)
            p15_evaluations_add(batch, board, values, blank, direction);
        else
            made->h[i] =
                (uint8_t)p15_evaluator_child(search->evaluator, board, values, blank, direction, &made->values[i]);
    }
    if (!batch) return;
    const p15_values *found = p15_evaluations_run(batch);
    for (unsigned i = 0; i < made->count; i++) {
        made->values[i] = found[i];
        made->h[i] = (uint8_t)p15_values_h(found[i]);
    }
}

#endif
