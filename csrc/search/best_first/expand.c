#include "search/best_first/expand.h"

/* Follows a table's directions from a board back to its root. Returns the number of moves. Writes them in front of
 * `moves`, or, if `undone`, their undos from there on; NULL: nothing. */
static size_t walk(const p15_search *search, const p15_closed *closed, p15_board board, p15_board root, bool undone,
                   uint8_t *moves) {
    size_t count = 0;
    while (board != root) {
        unsigned undo = 3u - p15_slot_direction(*p15_closed_known(closed, board));
        board = p15_moves_apply(&search->moves, board, undo);
        if (moves) *(undone ? moves++ : --moves) = (uint8_t)(undone ? undo : 3u - undo);
        count++;
    }
    return count;
}

bool p15_keep_path(p15_search *search, p15_board meeting, bool both) {
    const p15_closed *closed = search->closed;
    size_t first = walk(search, &closed[0], meeting, search->start, false, NULL);
    size_t second = both ? walk(search, &closed[1], meeting, search->goal, true, NULL) : 0;
    uint8_t *path = p15_search_path(search, first + second);
    if (!path) return false;
    walk(search, &closed[0], meeting, search->start, false, path + first);
    if (both) walk(search, &closed[1], meeting, search->goal, true, path + first);
    return true;
}
