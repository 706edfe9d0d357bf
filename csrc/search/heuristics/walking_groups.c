#include "search/heuristics/walking_groups.h"

p15_status p15_walking_groups_init(p15_shape shape, p15_board goal, p15_walking_groups *groups) {
    uint8_t goal_of[P15_MAX_CELLS];
    p15_board_locate(goal, shape, goal_of);
    for (unsigned d = 0; d < 2; d++) {
        unsigned lines = d ? shape.cols : shape.rows, width = shape.cells / lines;
        uint8_t *line_of = groups->line_of[d];
        for (unsigned cell = 0; cell < shape.cells; cell++)
            line_of[cell] = (uint8_t)(d ? cell % shape.cols : cell / shape.cols);
        unsigned home_line = line_of[goal_of[0]];
        unsigned count = lines <= 6 ? 1 : lines - 5; /* as many as tables of some MB take */
        groups->group_count[d] = (uint8_t)count;
        for (unsigned g = 0, end = 0; g < count; g++) {
            unsigned begin = end;
            end += (lines - begin + count - g - 1) / (count - g);
            unsigned set = (1u << end) - (1u << begin);
            p15_walking_group *made = &groups->groups[d][g];
            const p15_walking *other = &groups->tables[0][g];
            if (d && other->lines == lines && other->home_line == home_line) {
                made->walking = other; /* half the memory for the caches to hold */
            } else {
                p15_status status = p15_walking_init(lines, width, home_line, set, &groups->tables[d][g]);
                if (status != P15_OK) {
                    p15_walking_groups_free(groups);
                    return status;
                }
                made->walking = &groups->tables[d][g];
            }
            for (unsigned tile = 1; tile < shape.cells; tile++) {
                unsigned goal_line = line_of[goal_of[tile]];
                if (set >> goal_line & 1u) groups->group_of[d][tile] = (uint8_t)g;
                for (unsigned cell = 0; cell < shape.cells; cell++)
                    made->keys[cell][tile] = p15_walking_unit(made->walking, goal_line)
                                             << (line_of[cell] * made->walking->bits);
            }
        }
    }
    return P15_OK;
}

void p15_walking_groups_free(p15_walking_groups *groups) {
    for (unsigned d = 0; d < 2; d++)
        for (unsigned g = 0; g < P15_MAX_GROUPS; g++) p15_walking_free(&groups->tables[d][g]);
}

unsigned p15_walking_groups_value(const p15_walking_groups *groups, p15_board board) {
    unsigned blank = p15_board_blank(board), sum = 0;
    for (unsigned d = 0; d < 2; d++)
        for (unsigned i = 0; i < groups->group_count[d]; i++) {
            const p15_walking_group *g = &groups->groups[d][i];
            sum += p15_walking_value(g->walking, p15_walking_group_key(g, board), groups->line_of[d][blank]);
        }
    return sum;
}
