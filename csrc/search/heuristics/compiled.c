#include "search/heuristics/compiled.h"

void p15_compiled_init(p15_compiled *c, p15_compiled_board *of_board, p15_compiled_child *of_child, void *data,
                       p15_board goal, unsigned cells, const uint8_t *cell_to, const uint8_t *tile_to) {
    *c =
        (p15_compiled){.of_board = of_board, .of_child = of_child, .data = data, .goal = goal, .cells = (uint8_t)cells};
    for (unsigned i = 0; i < cells; i++) {
        c->turned |= cell_to[i] != i || tile_to[i] != i;
        c->cell_of[cell_to[i]] = (uint8_t)i;
        c->tile_of[tile_to[i]] = (uint8_t)i;
    }
}

uint64_t p15_compiled_refused(const p15_compiled *c) { return atomic_load(&((p15_compiled *)c)->refused); }
p15_board p15_compiled_refused_board(p15_compiled *c) { return atomic_load(&c->refused_board); }
int32_t p15_compiled_refused_number(p15_compiled *c) { return atomic_load(&c->refused_number); }

static inline p15_board turn(const p15_compiled *c, p15_board board) {
    if (!c->turned) return board;
    p15_board found = 0;
    for (unsigned cell = 0; cell < c->cells; cell++)
        found |= (p15_board)c->tile_of[p15_board_tile(board, cell)] << (4 * c->cell_of[cell]);
    return found;
}

/* The number as a value, of a board as the functions see it. */
static inline unsigned checked(p15_compiled *c, p15_board board, int32_t number) {
    if (number >= 0 && number <= 255) return (unsigned)number;
    atomic_store(&c->refused_board, board);
    atomic_store(&c->refused_number, number);
    atomic_fetch_add(&c->refused, 1);
    return 0;
}

unsigned p15_compiled_value(p15_compiled *c, p15_board board) {
    board = turn(c, board);
    return checked(c, board, c->of_board(board, c->goal, c->data));
}

unsigned p15_compiled_value_of_child(p15_compiled *c, p15_board parent, unsigned value, unsigned tile, unsigned from,
                                     unsigned to) {
    if (!c->of_child) return p15_compiled_value(c, p15_board_slide(parent, to, from));
    parent = turn(c, parent);
    if (c->turned) {
        tile = c->tile_of[tile];
        from = c->cell_of[from];
        to = c->cell_of[to];
    }
    int32_t number = c->of_child(parent, c->goal, c->data, (int32_t)value, (int32_t)tile, (int32_t)from, (int32_t)to);
    return checked(c, p15_board_slide(parent, to, from), number);
}
