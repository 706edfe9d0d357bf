#include "optimal/reference.h"

#include <string.h>

/* Where the tiles of a pattern are, as tables/space.h describes it, and the moves that they need by its table. */
typedef struct {
    unsigned map;
    uint32_t perm;
    int value;
} pattern_state;

/* The board of a node, or its reflection. */
typedef struct {
    p15_board board;
    pattern_state patterns[P15_REFERENCE_TABLES];
} lookup;

/* A node: the board and, if there is a second lookup, its reflection. */
typedef struct {
    lookup accesses[2];
} node;

typedef struct {
    const p15_table *tables;
    unsigned table_count, lookup_count;
    p15_shape shape;
    p15_board goal;
    uint8_t goal_cell[P15_MAX_CELLS];  /* of each tile */
    uint8_t pattern_of[P15_MAX_CELLS]; /* of each tile: the number of its table */
    unsigned bound;
    p15_reference_solution *solution;
} search;

/* ------------------------------------------------------------------------------------------------ h */

/* The value of each pattern on a board. The first value has no parent to follow from. */
static p15_status look_up(const search *s, lookup *l) {
    unsigned blank = p15_board_blank(l->board);
    memset(l->patterns, 0, sizeof l->patterns);
    for (unsigned cell = s->shape.cells; cell-- > 0;) {
        unsigned tile = p15_board_tile(l->board, cell);
        if (tile == 0) continue;
        pattern_state *pattern = &l->patterns[s->pattern_of[tile]];
        unsigned goal_map = s->tables[s->pattern_of[tile]].goal_map;
        unsigned label = p15_count_bits(goal_map & ((1u << s->goal_cell[tile]) - 1u));
        pattern->map |= 1u << cell;
        pattern->perm = pattern->perm << 3 | label;
    }
    for (unsigned i = 0; i < s->table_count; i++) {
        pattern_state *pattern = &l->patterns[i];
        unsigned value;
        p15_status status = p15_table_value(&s->tables[i], pattern->map, pattern->perm, blank, &value);
        if (status != P15_OK) return status;
        pattern->value = (int)value;
    }
    return P15_OK;
}

/* The larger one of the sums of the values. */
static unsigned h_of(const search *s, const node *n) {
    int h = 0;
    for (unsigned i = 0; i < s->lookup_count; i++) {
        int sum = 0;
        for (unsigned j = 0; j < s->table_count; j++) sum += n->accesses[i].patterns[j].value;
        if (sum > h) h = sum;
    }
    return (unsigned)h;
}

/* ------------------------------------------------------------------------------------------------ moves */

/* Moves the blank of a board: a tile slides from `cell` to where the blank was. */
static void move_blank(const search *s, lookup *l, unsigned direction) {
    unsigned blank = p15_board_blank(l->board), cell = p15_cell_step(s->shape, blank, direction);
    unsigned i = s->pattern_of[p15_board_tile(l->board, cell)];
    pattern_state *pattern = &l->patterns[i];
    unsigned others = pattern->map & ~(1u << cell);
    unsigned from = p15_count_bits(others & ((1u << cell) - 1u)), to = p15_count_bits(others & ((1u << blank) - 1u));
    pattern->value += p15_table_change(&s->tables[i], pattern->map, pattern->perm, cell, blank);
    pattern->map = others | 1u << blank;
    pattern->perm = p15_perm_move(pattern->perm, from, to);
    l->board = p15_board_slide(l->board, blank, cell);
}

/* The node after a move. The reflection exchanges rows and columns, so up (0) and left (1), right (2) and down (3). */
static node child_of(const search *s, const node *n, unsigned direction) {
    node child = *n;
    move_blank(s, &child.accesses[0], direction);
    if (s->lookup_count == 2) move_blank(s, &child.accesses[1], direction ^ 1u);
    return child;
}

/* ------------------------------------------------------------------------------------------------ IDA* */

/* Searches below a node, to which `last` has led: P15_DIRECTIONS at the root. True if it finds the goal. */
static bool depth_first(search *s, const node *n, unsigned g, unsigned last) {
    unsigned blank = p15_board_blank(n->accesses[0].board);
    if (g + h_of(s, n) > s->bound) return false;
    if (n->accesses[0].board == s->goal) {
        s->solution->length = g;
        return true;
    }
    s->solution->expanded++;
    for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
        bool undoes_last = direction + last == 3;
        if (undoes_last || p15_cell_neighbour(s->shape, blank, direction) < 0) continue;
        node child = child_of(s, n, direction);
        s->solution->moves[g] = (uint8_t)direction;
        if (depth_first(s, &child, g + 1, direction)) return true;
    }
    return false;
}

static void prepare(const p15_table *tables, unsigned count, search *s) {
    s->tables = tables;
    s->table_count = count;
    s->shape = tables[0].space->shape;
    s->goal = p15_board_goal(s->shape, tables[0].home);
    p15_board_locate(s->goal, s->shape, s->goal_cell);
    for (unsigned i = 0; i < count; i++)
        for (unsigned tile = 1; tile < s->shape.cells; tile++)
            if (tables[i].goal_map >> s->goal_cell[tile] & 1u) s->pattern_of[tile] = (uint8_t)i;
    bool on_diagonal = tables[0].home % (s->shape.cols + 1u) == 0;
    s->lookup_count = s->shape.rows == s->shape.cols && on_diagonal ? 2 : 1;
}

/* The board with rows and columns exchanged, and each tile named after the tile at whose goal cell it then belongs. */
static p15_board reflection(const search *s, p15_board board) {
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS], tile_to[P15_MAX_CELLS];
    p15_symmetries(s->shape, maps);
    for (unsigned tile = 0; tile < s->shape.cells; tile++)
        tile_to[tile] = (uint8_t)p15_board_tile(s->goal, maps[1][s->goal_cell[tile]]);
    return p15_board_transform(board, s->shape, maps[1], tile_to);
}

p15_status p15_reference_solve(const p15_table *tables, unsigned count, p15_board board,
                               p15_reference_solution *solution) {
    search s = {.solution = solution};
    node root;
    prepare(tables, count, &s);
    memset(solution, 0, sizeof *solution);
    if (p15_board_check(board, s.shape) != P15_OK) return P15_ERR_BOARD;
    if (!p15_board_solvable(board, s.goal, s.shape)) return P15_ERR_UNSOLVABLE;
    root.accesses[0].board = board;
    if (s.lookup_count == 2) root.accesses[1].board = reflection(&s, board);
    for (unsigned i = 0; i < s.lookup_count; i++) {
        p15_status status = look_up(&s, &root.accesses[i]);
        if (status != P15_OK) return status;
    }
    for (s.bound = h_of(&s, &root); s.bound <= P15_FARTHEST; s.bound += 2)
        if (depth_first(&s, &root, 0, P15_DIRECTIONS))
            return p15_board_replay(board, s.goal, s.shape, solution->moves, solution->length);
    return P15_ERR_CORRUPT;
}
