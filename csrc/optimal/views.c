#include "optimal/views.h"

#include <stdlib.h>
#include <string.h>

p15_status p15_problem_init(p15_shape shape, unsigned home, const p15_automaton *automaton, p15_problem *problem) {
    if (home >= shape.cells) return P15_ERR_ARGUMENT;
    memset(problem, 0, sizeof *problem);
    problem->shape = shape;
    problem->home = home;
    problem->goal = p15_board_goal(shape, home);
    problem->cpu = p15_cpu_pick();
    problem->lane_count = 8;
    bool narrow = shape.cells >= 14 && (shape.rows == 2 || shape.cols == 2);
    problem->move_words = narrow ? P15_MAX_MOVE_WORDS : P15_FEW_MOVE_WORDS;
    problem->most_moves = 16 * problem->move_words;
    problem->automaton = automaton;
    problem->shared = 50000; /* about a millisecond of one lane's work */
    problem->most_fringe = 1u << 16;
    problem->large = UINT64_MAX;
    return P15_OK;
}

void p15_problem_free(p15_problem *problem) {
    free(problem->maps);
    problem->maps = NULL;
}

/* Lists what vectors look up in a view of tables of bits. */
static void add_vectors(p15_problem *problem, unsigned v) {
    const p15_view *view = &problem->views[v];
    p15_view_vectors *vectors = &problem->vectors[v];
    for (unsigned cell = 0; cell < problem->shape.cells; cell++) vectors->cells[cell] = view->cell_to[cell];
    for (unsigned tile = 0; tile < problem->shape.cells; tile++)
        if (tile != 0) vectors->patterns[tile] = (uint32_t)view->place_of[tile] - view->place_begin;
    for (unsigned place = view->place_begin; place < view->place_end; place++) {
        const p15_table *table = &problem->tables[place];
        const p15_space *space = table->space;
        unsigned k = space->k, pattern = place - view->place_begin;
        for (unsigned field = k; field < P15_MAX_PATTERN; field++) vectors->fill[pattern] |= 7u << (3 * field);
        for (unsigned digit = k, weight = k * (k - 1); digit-- > 0;) { /* as tables/space.h numbers rows */
            uint32_t w = digit == 0 ? 1 : digit == 1 ? k : weight;
            vectors->weights[digit % 4][pattern] |= w << (16 * (digit / 4));
            weight *= k - digit;
        }
        vectors->row_bytes[pattern] = (uint32_t)table->row_bytes;
        vectors->payloads[pattern] = (uint64_t)(uintptr_t)table->payload;
        bool listed = false;
        for (unsigned other = 0; other < place; other++) listed |= problem->tables[other].space->k == k;
        for (uint32_t b = 0; b < space->block_count && !listed; b++)
            problem->maps[space->block_map[b]] = space->maps[p15_space_map_index(space, space->block_map[b])];
    }
}

p15_status p15_problem_add_view(p15_problem *problem, const p15_table *tables, unsigned table_count,
                                const uint8_t *cell_to) {
    unsigned cells = problem->shape.cells, covered = 0;
    if (problem->view_count == P15_MAX_VIEWS || problem->place_count + table_count > P15_MAX_PLACES ||
        !p15_is_symmetry(problem->shape, cell_to) || cell_to[problem->home] != problem->home)
        return P15_ERR_PATTERN;
    for (unsigned i = 0; i < table_count; i++) {
        bool other = problem->place_count + i > 0 && tables[i].classic != problem->classic;
        if (tables[i].goal_map & covered || tables[i].goal_map >> problem->home & 1u || other ||
            tables[i].space->shape.cells != cells || tables[i].space->shape.cols != problem->shape.cols ||
            p15_space_block(tables[i].space, tables[i].goal_map, problem->home) != tables[i].goal_block)
            return P15_ERR_PATTERN;
        covered |= tables[i].goal_map;
        if (problem->place_count == 0) problem->classic = tables[i].classic;
    }
    if (covered != (((1u << cells) - 1u) & ~(1u << problem->home))) return P15_ERR_PATTERN;
    if (!problem->classic && problem->cpu >= P15_CPU_V4 && !problem->maps) {
        problem->maps = calloc(P15_MAPS, sizeof *problem->maps);
        if (!problem->maps) return P15_ERR_MEMORY;
    }
    p15_view *view = &problem->views[problem->view_count++];
    view->place_begin = (uint8_t)problem->place_count;
    memcpy(view->cell_to, cell_to, cells);
    for (unsigned i = 0; i < table_count; i++) {
        unsigned place = problem->place_count++;
        const p15_space *space = tables[i].space;
        problem->tables[place] = tables[i];
        problem->lookups[place] =
            (p15_lookup){tables[i].payload, space->maps, space->high,         space->first_rows,
                         space->last_rows,  space->low,  tables[i].row_bytes, &problem->tables[place]};
        for (unsigned cell = 0; cell < cells; cell++) {
            unsigned goal_cell = cell_to[cell], tile = p15_board_tile(problem->goal, cell);
            if (!(tables[i].goal_map >> goal_cell & 1u)) continue;
            view->place_of[tile] = (uint8_t)place;
            problem->label_of[place][tile] = (uint8_t)p15_count_bits(tables[i].goal_map & ((1u << goal_cell) - 1u));
        }
    }
    view->place_end = (uint8_t)problem->place_count;
    if (problem->maps) add_vectors(problem, problem->view_count - 1);
    view->transposed = (cell_to[0] / problem->shape.cols == cell_to[1] / problem->shape.cols) == false;
    for (unsigned blank = 0; blank < cells; blank++)
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            int cell = p15_cell_neighbour(problem->shape, blank, dir);
            if (cell < 0) continue;
            unsigned from = cell_to[cell], to = cell_to[blank];
            view->moves[blank][dir] = (p15_view_move){
                .flip = (uint16_t)(1u << from | 1u << to),
                .below_from = (uint16_t)((1u << from) - 1u),
                .below_to = (uint16_t)(((1u << to) - 1u) & ~(1u << from)),
                .region_shift = (uint8_t)(3 * from),
                .from_cell = (uint8_t)from,
                .to_cell = (uint8_t)to,
            };
        }
    return P15_OK;
}

p15_status p15_problem_move_table(p15_problem *problem, unsigned place, const p15_table *table) {
    if (place >= problem->place_count) return P15_ERR_ARGUMENT;
    const p15_table *old = &problem->tables[place];
    if (table->space != old->space || table->classic != old->classic || table->goal_map != old->goal_map)
        return P15_ERR_ARGUMENT;
    problem->tables[place].payload = table->payload;
    problem->lookups[place].payload = table->payload;
    unsigned v = 0;
    while (place >= problem->views[v].place_end) v++;
    problem->vectors[v].payloads[place - problem->views[v].place_begin] = (uint64_t)(uintptr_t)table->payload;
    return P15_OK;
}

void p15_problem_lengthen(p15_problem *problem, const p15_automaton *longer) {
    const p15_automaton *none = NULL;
    atomic_compare_exchange_strong(&problem->longer, &none, longer);
}

p15_status p15_problem_places(const p15_problem *problem, p15_board board, p15_place *places, uint8_t *views,
                              unsigned *h) {
    if (p15_board_check(board, problem->shape) != P15_OK) return P15_ERR_BOARD;
    if (!p15_board_solvable(board, problem->goal, problem->shape)) return P15_ERR_UNSOLVABLE;
    unsigned blank = p15_board_blank(board), largest = 0;
    uint32_t maps[P15_MAX_PLACES] = {0}, perms[P15_MAX_PLACES] = {0};
    uint8_t blanks[P15_MAX_PLACES];
    unsigned values[P15_MAX_PLACES];
    for (unsigned v = 0; v < problem->view_count; v++) {
        const p15_view *view = &problem->views[v];
        uint8_t tile_at[P15_MAX_CELLS]; /* by the view's cells */
        for (unsigned cell = 0; cell < problem->shape.cells; cell++)
            tile_at[view->cell_to[cell]] = (uint8_t)p15_board_tile(board, cell);
        for (unsigned cell = problem->shape.cells; cell-- > 0;) {
            if (tile_at[cell] == 0) continue;
            unsigned place = view->place_of[tile_at[cell]];
            maps[place] |= 1u << cell;
            perms[place] = perms[place] << 3 | problem->label_of[place][tile_at[cell]];
        }
        for (unsigned place = view->place_begin; place < view->place_end; place++) blanks[place] = view->cell_to[blank];
    }
    p15_status status = p15_table_values(problem->tables, maps, perms, blanks, problem->place_count, values);
    if (status != P15_OK) return status;
    for (unsigned v = 0; v < problem->view_count; v++) {
        unsigned sum = 0;
        for (unsigned place = problem->views[v].place_begin; place < problem->views[v].place_end; place++) {
            const p15_table *table = &problem->tables[place];
            unsigned row = problem->classic ? p15_table_manhattan(table, maps[place], perms[place])
                                            : p15_space_row(table->space, perms[place]);
            places[place] = perms[place] | (uint64_t)maps[place] << P15_PLACE_MAP_BIT |
                            (uint64_t)row << P15_PLACE_ROW_BIT | (uint64_t)values[place] << P15_PLACE_VALUE_BIT;
            sum += values[place];
        }
        if (sum > problem->most_moves) return P15_ERR_CORRUPT;
        views[v] = (uint8_t)sum;
        if (sum > largest) largest = sum;
    }
    *h = largest;
    return P15_OK;
}

p15_status p15_heuristic(const p15_problem *problem, p15_board board, unsigned *h, uint8_t *views) {
    p15_place places[P15_MAX_PLACES];
    uint8_t own[P15_MAX_VIEWS];
    return p15_problem_places(problem, board, places, views ? views : own, h);
}
