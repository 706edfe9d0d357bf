/* p15_end, p15_turned: where a side of a search begins, and how its evaluator sees the boards.
 *
 * Tables know one goal only. So an evaluator may see boards after a symmetry, with the tiles renamed. */
#ifndef P15_MEETING_TURNED_H
#define P15_MEETING_TURNED_H

#include "search/heuristics/evaluator.h"

/* Where a side begins, and its heuristic. */
typedef struct {
    p15_board root;
    const p15_evaluator *evaluator; /* its goal is the other side's root, turned */
    uint8_t back[P15_DIRECTIONS];   /* the direction here of each direction on the evaluator's boards; 0, 1, 2, 3 where
                                       they are not turned */
} p15_end;

typedef struct {
    p15_shape shape;
    bool straight; /* boards are seen as they are */
    uint8_t cell_to[P15_MAX_CELLS], tile_to[P15_MAX_CELLS], direction_to[P15_DIRECTIONS];
} p15_turned;

/* Finds the symmetry that carries boards to where the evaluator of an end sees them; `target` becomes its goal.
 * P15_ERR_ARGUMENT: there is none. */
p15_status p15_turned_init(const p15_end *end, p15_board target, p15_turned *turned);

/* A board as the evaluator sees it. */
P15_INLINE p15_board p15_turned_board(const p15_turned *turned, p15_board board) {
    return turned->straight ? board : p15_board_transform(board, turned->shape, turned->cell_to, turned->tile_to);
}

#endif
