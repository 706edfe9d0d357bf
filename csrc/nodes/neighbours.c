#include "nodes/neighbours.h"

void p15_neighbours_init(p15_shape shape, p15_neighbours *n) {
    *n = (p15_neighbours){.shape = shape};
    for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
        n->offsets[direction] = (uint8_t)p15_cell_step(shape, 0, direction);
        for (unsigned cell = 0; cell < shape.cells; cell++)
            if (p15_cell_neighbour(shape, cell, direction) >= 0) n->legal[cell] |= (uint8_t)(1u << direction);
    }
}

/* The directions of the children that are made. */
P15_INLINE unsigned kept(const p15_neighbours *n, unsigned blank, const uint8_t *last, size_t i) {
    unsigned legal = n->legal[blank], undo = last ? 3u - last[i] : P15_DIRECTIONS;
    return undo < P15_DIRECTIONS ? legal & ~(1u << undo) : legal;
}

size_t p15_neighbours_count(const p15_neighbours *n, const p15_board *boards, const uint8_t *last, size_t count,
                            size_t *children) {
    size_t good = p15_boards_check(boards, count, n->shape);
    for (size_t i = 0; i < good; i++) {
        if (last && last[i] >= P15_DIRECTIONS && last[i] != P15_NO_DIRECTION) return i;
        *children += p15_count_bits(kept(n, p15_board_blank(boards[i]) & 15u, last, i));
    }
    return good;
}

void p15_neighbours_make(const p15_neighbours *n, const p15_board *boards, const uint8_t *last, size_t begin,
                         size_t end, size_t room, size_t *made, p15_board *children, int64_t *parents,
                         uint8_t *directions) {
    size_t at = *made;
    for (size_t i = begin; i < end && at <= room; i++) {
        p15_board board = boards[i];
        unsigned blank = p15_board_blank(board) & 15u, wanted = kept(n, blank, last, i);
        /* All four are written, and those that are not kept are written over: no branch depends on the board. */
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            children[at] = p15_board_slide(board, blank, (blank + n->offsets[direction]) & 15u);
            parents[at] = (int64_t)i;
            directions[at] = (uint8_t)direction;
            at += wanted >> direction & 1u;
        }
    }
    *made = at < room ? at : room;
}
