#include "search/meeting/turned.h"

#include <string.h>

/* Whether a symmetry carries directions as the evaluator sees them. */
static bool carries(p15_shape shape, const uint8_t *cell_to, const uint8_t *back) {
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            if (back[direction] >= P15_DIRECTIONS) return false;
            int here = p15_cell_neighbour(shape, cell, back[direction]);
            int there = p15_cell_neighbour(shape, cell_to[cell], direction);
            if ((here < 0 ? -1 : cell_to[here]) != there) return false;
        }
    return true;
}

p15_status p15_turned_init(const p15_end *end, p15_board target, p15_turned *turned) {
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    p15_shape shape = p15_evaluator_shape(end->evaluator);
    p15_board goal = p15_evaluator_goal(end->evaluator);
    unsigned number = p15_symmetries(shape, maps);
    while (number > 0 && !carries(shape, maps[number - 1], end->back)) number--;
    if (number == 0) return P15_ERR_ARGUMENT;
    turned->shape = shape;
    memcpy(turned->cell_to, maps[number - 1], sizeof turned->cell_to);
    for (unsigned cell = 0; cell < shape.cells; cell++)
        turned->tile_to[p15_board_tile(target, cell)] = (uint8_t)p15_board_tile(goal, turned->cell_to[cell]);
    for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
        turned->direction_to[end->back[direction]] = (uint8_t)direction;
    turned->straight = number == 1 && goal == target;
    return turned->tile_to[0] == 0 ? P15_OK : P15_ERR_ARGUMENT;
}
