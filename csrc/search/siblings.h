/* p15_siblings: all children of a node but the undo of the last move, made and evaluated at once.
 *
 * For searches that look at all children of a node before they go on with one of them. Where an evaluation is dear (a
 * network), siblings are evaluated together, which needs p15_children of the search's own. */
#ifndef P15_SEARCH_SIBLINGS_H
#define P15_SEARCH_SIBLINGS_H

#include "base/moves.h"
#include "search/heuristics/evaluator.h"

typedef struct {
    uint8_t count;
    uint8_t directions[P15_DIRECTIONS]; /* of the blank, in the order of the moves */
    uint8_t blanks[P15_DIRECTIONS];     /* the blank's cell in each */
    uint8_t h[P15_DIRECTIONS];
    p15_board boards[P15_DIRECTIONS];
    p15_values values[P15_DIRECTIONS];
} p15_siblings;

/* What p15_siblings_make takes as `together`: NULL where single evaluations are as good. P15_ERR_MEMORY. */
static inline p15_status p15_siblings_together(const p15_evaluator *evaluator, p15_children **together) {
    *together = NULL;
    return p15_evaluator_prefers_batches(evaluator) ? p15_children_new(evaluator, P15_DIRECTIONS, together) : P15_OK;
}

/* The children of a board whose blank is at `blank`; `last` is the direction of the last move, P15_DIRECTIONS: none. */
P15_INLINE void p15_siblings_make(const p15_evaluator *evaluator, p15_children *together, const p15_moves *moves,
                                  p15_board board, p15_values values, unsigned blank, unsigned last,
                                  p15_siblings *made) {
    made->count = 0;
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
        unsigned direction = moves->order[i];
        int cell = moves->cells[blank][direction];
        if (cell < 0 || direction + last == 3u) continue;
        unsigned at = made->count++;
        made->directions[at] = (uint8_t)direction;
        made->blanks[at] = (uint8_t)cell;
        made->boards[at] = p15_board_slide(board, blank, (unsigned)cell);
        if (together)
            p15_children_add(together, board, values, blank, direction);
        else
            made->h[at] = (uint8_t)p15_evaluator_child(evaluator, board, values, blank, direction, &made->values[at]);
    }
    if (!together) return;
    const p15_values *found = p15_children_run(together);
    for (unsigned i = 0; i < made->count; i++) {
        made->values[i] = found[i];
        made->h[i] = (uint8_t)p15_values_h(found[i]);
    }
}

#endif
