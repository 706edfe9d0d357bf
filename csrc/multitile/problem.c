#include "multitile/problem.h"

#include <string.h>

p15_status p15_multi_problem_init(p15_shape shape, unsigned home, p15_multi_problem *problem) {
    if (home >= shape.cells) return P15_ERR_ARGUMENT;
    memset(problem, 0, sizeof *problem);
    problem->shape = shape;
    problem->home = home;
    problem->goal = p15_board_goal(shape, home);
    problem->cpu = p15_cpu_highest();
    return P15_OK;
}

static void set_table(p15_multi_lookup *lookup, const p15_multi_table *table) {
    lookup->table = table;
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        lookup->entries[axis] = table->entries[axis ^ lookup->transposed];
        lookup->codes[axis] = table->codes[axis ^ lookup->transposed];
    }
}

p15_status p15_multi_problem_add_lookup(p15_multi_problem *problem, const p15_multi_table *table,
                                        const uint8_t *cell_to) {
    p15_shape shape = problem->shape;
    if (problem->lookup_count == P15_MULTI_MAX_LOOKUPS || !p15_is_symmetry(shape, cell_to) ||
        cell_to[problem->home] != problem->home || table->home != problem->home ||
        table->lines->shape.rows != shape.rows || table->lines->shape.cols != shape.cols)
        return P15_ERR_PATTERN;
    p15_multi_lookup *lookup = &problem->lookups[problem->lookup_count++];
    memcpy(lookup->cell_to, cell_to, shape.cells);
    for (unsigned cell = 0; cell < shape.cells; cell++)
        if (table->goal_map >> cell_to[cell] & 1u)
            lookup->tile_of[p15_count_bits(table->goal_map & ((1u << cell_to[cell]) - 1u))] =
                (uint8_t)p15_board_tile(problem->goal, cell);
    lookup->transposed = cell_to[0] / shape.cols != cell_to[1] / shape.cols;
    lookup->mirrored[0] = cell_to[1] < cell_to[0];
    lookup->mirrored[1] = cell_to[shape.cols] < cell_to[0];
    set_table(lookup, table);
    return P15_OK;
}

p15_status p15_multi_problem_move_table(p15_multi_problem *problem, unsigned lookup, const p15_multi_table *table) {
    if (lookup >= problem->lookup_count) return P15_ERR_ARGUMENT;
    const p15_multi_table *old = problem->lookups[lookup].table;
    if (table->lines != old->lines || table->goal_map != old->goal_map || table->home != old->home)
        return P15_ERR_ARGUMENT;
    set_table(&problem->lookups[lookup], table);
    return P15_OK;
}

p15_status p15_multi_roots(const p15_multi_problem *problem, p15_board board, p15_multi_node roots[P15_AXES]) {
    uint8_t cell_of[P15_MAX_CELLS], image_of[P15_MULTI_MAX_PATTERN];
    p15_shape shape = problem->shape;
    if (p15_board_check(board, shape) != P15_OK) return P15_ERR_BOARD;
    if (!p15_board_solvable(board, problem->goal, shape)) return P15_ERR_UNSOLVABLE;
    p15_board_locate(board, shape, cell_of);
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        memset(&roots[axis], 0, sizeof roots[axis]);
        roots[axis].axis = (uint8_t)axis;
        roots[axis].blank = cell_of[0];
    }
    for (unsigned v = 0; v < problem->lookup_count; v++) {
        const p15_multi_lookup *lookup = &problem->lookups[v];
        const p15_line_space *lines = lookup->table->lines;
        unsigned values[P15_AXES];
        for (unsigned label = 0; label < lines->k; label++)
            image_of[label] = lookup->cell_to[cell_of[lookup->tile_of[label]]];
        p15_line_state state = p15_line_space_state(lines, 0, image_of, lookup->cell_to[cell_of[0]]);
        p15_status status = p15_multi_table_value(lookup->table, state, values);
        if (status != P15_OK) return status;
        for (unsigned lookup_axis = 0; lookup_axis < P15_AXES; lookup_axis++) {
            p15_multi_node *root = &roots[lookup_axis ^ lookup->transposed];
            p15_line_state there = lookup_axis == 0 ? state : p15_line_space_cross(lines, 0, state);
            root->block[v] = there.block;
            root->perm[v] = there.perm;
            root->value[v] = (uint8_t)values[lookup_axis];
            if (values[lookup_axis] >= P15_MULTI_MAX_LENGTH) return P15_ERR_CORRUPT;
        }
    }
    return P15_OK;
}

p15_status p15_multi_heuristic(const p15_multi_problem *problem, p15_board board, unsigned *h, uint8_t *lookups) {
    p15_multi_node roots[P15_AXES];
    p15_status status = p15_multi_roots(problem, board, roots);
    if (status != P15_OK) return status;
    /* Along each axis at least the maximum of its values; the board takes the smaller of both. */
    unsigned across = p15_multi_node_h(problem, &roots[0]), down = p15_multi_node_h(problem, &roots[1]);
    *h = across < down ? across : down;
    for (unsigned v = 0; lookups && v < problem->lookup_count; v++)
        lookups[v] = roots[0].value[v] < roots[1].value[v] ? roots[0].value[v] : roots[1].value[v];
    return P15_OK;
}
