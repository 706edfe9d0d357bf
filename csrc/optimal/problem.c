#include "optimal/problem.h"

#include <stdlib.h>
#include <string.h>

p15_status p15_problem_init(p15_shape shape, unsigned home, const p15_fsm *fsm, p15_problem *problem) {
    if (home >= shape.cells) return P15_ERR_ARGUMENT;
    memset(problem, 0, sizeof *problem);
    problem->shape = shape;
    problem->home = home;
    problem->goal = p15_board_goal(shape, home);
    problem->cpu = p15_cpu_highest();
    problem->slot_count = 8;
    bool narrow = shape.cells >= 14 && (shape.rows == 2 || shape.cols == 2);
    problem->move_words = narrow ? P15_MAX_MOVE_WORDS : P15_FEW_MOVE_WORDS;
    problem->most_moves = 16 * problem->move_words;
    problem->fsm = fsm;
    problem->shared = 50000; /* about a millisecond of one slot's work */
    problem->max_frontier = 1u << 16;
    problem->large = UINT64_MAX;
    return P15_OK;
}

void p15_problem_free(p15_problem *problem) {
    free(problem->maps);
    problem->maps = NULL;
}

/* Lists what vectors read in a lookup of zero-aware tables. */
static void add_vectors(p15_problem *problem, unsigned v) {
    const p15_lookup *lookup = &problem->lookups[v];
    p15_lookup_vectors *vectors = &problem->vectors[v];
    for (unsigned cell = 0; cell < problem->shape.cells; cell++) vectors->cells[cell] = lookup->cell_to[cell];
    for (unsigned tile = 0; tile < problem->shape.cells; tile++)
        if (tile != 0) vectors->patterns[tile] = (uint32_t)lookup->pattern_of[tile] - lookup->pattern_begin;
    for (unsigned pattern = lookup->pattern_begin; pattern < lookup->pattern_end; pattern++) {
        const p15_table *table = &problem->tables[pattern];
        const p15_space *space = table->space;
        unsigned k = space->k, number = pattern - lookup->pattern_begin;
        for (unsigned field = k; field < P15_MAX_PATTERN; field++) vectors->fill[number] |= 7u << (3 * field);
        for (unsigned digit = k, weight = k * (k - 1); digit-- > 0;) { /* as tables/space.h numbers rows */
            uint32_t w = digit == 0 ? 1 : digit == 1 ? k : weight;
            vectors->weights[digit % 4][number] |= w << (16 * (digit / 4));
            weight *= k - digit;
        }
        vectors->row_bytes[number] = (uint32_t)table->row_bytes;
        vectors->payloads[number] = (uint64_t)(uintptr_t)table->payload;
        bool listed = false;
        for (unsigned other = 0; other < pattern; other++) listed |= problem->tables[other].space->k == k;
        for (uint32_t b = 0; b < space->block_count && !listed; b++)
            problem->maps[space->block_map[b]] = space->maps[p15_space_map_index(space, space->block_map[b])];
    }
}

p15_status p15_problem_add_lookup(p15_problem *problem, const p15_table *tables, unsigned table_count,
                                  const uint8_t *cell_to) {
    unsigned cells = problem->shape.cells, covered = 0;
    if (problem->lookup_count == P15_MAX_LOOKUPS || problem->pattern_count + table_count > P15_MAX_LOOKUP_PATTERNS ||
        !p15_is_symmetry(problem->shape, cell_to) || cell_to[problem->home] != problem->home)
        return P15_ERR_PATTERN;
    for (unsigned i = 0; i < table_count; i++) {
        bool other = problem->pattern_count + i > 0 && tables[i].classic != problem->classic;
        if (tables[i].goal_map & covered || tables[i].goal_map >> problem->home & 1u || other ||
            tables[i].space->shape.cells != cells || tables[i].space->shape.cols != problem->shape.cols ||
            p15_space_block(tables[i].space, tables[i].goal_map, problem->home) != tables[i].goal_block)
            return P15_ERR_PATTERN;
        covered |= tables[i].goal_map;
        if (problem->pattern_count == 0) problem->classic = tables[i].classic;
    }
    if (covered != (((1u << cells) - 1u) & ~(1u << problem->home))) return P15_ERR_PATTERN;
    if (!problem->classic && problem->cpu >= P15_CPU_V3 && !problem->maps) {
        problem->maps = calloc(P15_MAPS, sizeof *problem->maps);
        if (!problem->maps) return P15_ERR_MEMORY;
    }
    p15_lookup *lookup = &problem->lookups[problem->lookup_count++];
    lookup->pattern_begin = (uint8_t)problem->pattern_count;
    memcpy(lookup->cell_to, cell_to, cells);
    for (unsigned i = 0; i < table_count; i++) {
        unsigned pattern = problem->pattern_count++;
        const p15_space *space = tables[i].space;
        problem->tables[pattern] = tables[i];
        problem->accesses[pattern] =
            (p15_pattern_access){tables[i].payload, space->maps, space->high,         space->first_rows,
                                 space->last_rows,  space->low,  tables[i].row_bytes, &problem->tables[pattern]};
        for (unsigned cell = 0; cell < cells; cell++) {
            unsigned goal_cell = cell_to[cell], tile = p15_board_tile(problem->goal, cell);
            if (!(tables[i].goal_map >> goal_cell & 1u)) continue;
            lookup->pattern_of[tile] = (uint8_t)pattern;
            problem->label_of[pattern][tile] = (uint8_t)p15_count_bits(tables[i].goal_map & ((1u << goal_cell) - 1u));
        }
    }
    lookup->pattern_end = (uint8_t)problem->pattern_count;
    if (problem->maps) add_vectors(problem, problem->lookup_count - 1);
    lookup->transposed = (cell_to[0] / problem->shape.cols == cell_to[1] / problem->shape.cols) == false;
    for (unsigned blank = 0; blank < cells; blank++)
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            int cell = p15_cell_neighbour(problem->shape, blank, dir);
            if (cell < 0) continue;
            unsigned from = cell_to[cell], to = cell_to[blank];
            lookup->moves[blank][dir] = (p15_lookup_move){
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

p15_status p15_problem_move_table(p15_problem *problem, unsigned pattern, const p15_table *table) {
    if (pattern >= problem->pattern_count) return P15_ERR_ARGUMENT;
    const p15_table *old = &problem->tables[pattern];
    if (table->space != old->space || table->classic != old->classic || table->goal_map != old->goal_map)
        return P15_ERR_ARGUMENT;
    problem->tables[pattern].payload = table->payload;
    problem->accesses[pattern].payload = table->payload;
    unsigned v = 0;
    while (pattern >= problem->lookups[v].pattern_end) v++;
    problem->vectors[v].payloads[pattern - problem->lookups[v].pattern_begin] = (uint64_t)(uintptr_t)table->payload;
    return P15_OK;
}

void p15_problem_lengthen(p15_problem *problem, const p15_fsm *longer) {
    const p15_fsm *none = NULL;
    atomic_compare_exchange_strong(&problem->longer, &none, longer);
}

/* The state of a pattern. */
static p15_state state_of(const p15_problem *problem, unsigned pattern, unsigned map, uint32_t perm, unsigned value) {
    const p15_table *table = &problem->tables[pattern];
    unsigned row = problem->classic ? p15_table_manhattan(table, map, perm) : p15_space_row(table->space, perm);
    return perm | (uint64_t)value << P15_STATE_VALUE_BIT | (uint64_t)map << P15_STATE_MAP_BIT |
           (uint64_t)row << P15_STATE_ROW_BIT;
}

p15_status p15_problem_states(const p15_problem *problem, p15_board board, p15_state *states) {
    if (p15_board_check(board, problem->shape) != P15_OK) return P15_ERR_BOARD;
    if (!p15_board_solvable(board, problem->goal, problem->shape)) return P15_ERR_UNSOLVABLE;
    unsigned blank = p15_board_blank(board);
    uint32_t maps[P15_MAX_LOOKUP_PATTERNS] = {0}, perms[P15_MAX_LOOKUP_PATTERNS] = {0};
    uint8_t blanks[P15_MAX_LOOKUP_PATTERNS];
    unsigned values[P15_MAX_LOOKUP_PATTERNS];
    for (unsigned v = 0; v < problem->lookup_count; v++) {
        const p15_lookup *lookup = &problem->lookups[v];
        uint8_t tile_at[P15_MAX_CELLS]; /* by the cells of the image */
        for (unsigned cell = 0; cell < problem->shape.cells; cell++)
            tile_at[lookup->cell_to[cell]] = (uint8_t)p15_board_tile(board, cell);
        for (unsigned cell = problem->shape.cells; cell-- > 0;) {
            if (tile_at[cell] == 0) continue;
            unsigned pattern = lookup->pattern_of[tile_at[cell]];
            maps[pattern] |= 1u << cell;
            perms[pattern] = perms[pattern] << 3 | problem->label_of[pattern][tile_at[cell]];
        }
        for (unsigned pattern = lookup->pattern_begin; pattern < lookup->pattern_end; pattern++)
            blanks[pattern] = lookup->cell_to[blank];
    }
    p15_status status = p15_table_values(problem->tables, maps, perms, blanks, problem->pattern_count, values);
    for (unsigned p = 0; p < problem->pattern_count && status == P15_OK; p++)
        states[p] = state_of(problem, p, maps[p], perms[p], values[p]);
    return status;
}

p15_status p15_problem_step(const p15_problem *problem, p15_board board, unsigned direction, p15_state *states) {
    unsigned blank = p15_board_blank(board),
             tile = p15_board_tile(board, p15_cell_step(problem->shape, blank, direction));
    for (unsigned v = 0; v < problem->lookup_count; v++) {
        const p15_lookup *lookup = &problem->lookups[v];
        const p15_lookup_move *move = &lookup->moves[blank][direction];
        unsigned p = lookup->pattern_of[tile], map = (unsigned)(states[p] >> P15_STATE_MAP_BIT) & 0xffffu,
                 from = p15_count_bits(map & move->below_from), to = p15_count_bits(map & move->below_to);
        uint32_t perm = (uint32_t)states[p] & P15_STATE_PERM;
        int value = (int)(states[p] >> P15_STATE_VALUE_BIT & 255u) +
                    p15_table_change(&problem->tables[p], map, perm, move->from_cell, move->to_cell);
        if (value < 0 || value > (int)problem->tables[p].max_value) return P15_ERR_CORRUPT;
        states[p] = state_of(problem, p, map ^ move->flip, p15_perm_move(perm, from, to), (unsigned)value);
    }
    return P15_OK;
}

p15_status p15_problem_h(const p15_problem *problem, const p15_state *states, uint8_t *lookup_h, unsigned *h) {
    *h = 0;
    for (unsigned v = 0; v < problem->lookup_count; v++) {
        unsigned sum = 0;
        for (unsigned p = problem->lookups[v].pattern_begin; p < problem->lookups[v].pattern_end; p++)
            sum += states[p] >> P15_STATE_VALUE_BIT & 255u;
        if (sum > problem->most_moves) return P15_ERR_CORRUPT;
        if (lookup_h) lookup_h[v] = (uint8_t)sum;
        if (sum > *h) *h = sum;
    }
    return P15_OK;
}

p15_status p15_heuristic(const p15_problem *problem, p15_board board, unsigned *h, uint8_t *lookup_h) {
    p15_state states[P15_MAX_LOOKUP_PATTERNS];
    p15_status status = p15_problem_states(problem, board, states);
    return status == P15_OK ? p15_problem_h(problem, states, lookup_h, h) : status;
}
