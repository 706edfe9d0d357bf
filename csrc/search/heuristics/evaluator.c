#include "search/heuristics/evaluator.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define VIEW P15_HEURISTIC_COUNT /* components' kinds, beside those of p15_heuristic_kind */
#define NETWORK (P15_HEURISTIC_COUNT + 1)
#define BATCH 128u /* boards that are evaluated together */
#define NO_TILE 16
#define NO_LINE 255
#define MOST_LINES 10 /* rows and columns: 2x8 */
#define TABLE_BITS 3  /* of a place in lines of up to four cells: 12 bits for a line */
#define MOST_GROUPS 3

/* What a move does to the reversals of the moved tile: the tile that stands on its goal cell tells. */
typedef struct {
    int8_t change;     /* of the Manhattan distance */
    uint8_t shift;     /* of the goal cell in the board */
    uint8_t lost, won; /* the tile there that makes it a reversal before, and after; NO_TILE for none */
} reversal_move;

typedef reversal_move reversal_moves[P15_MAX_CELLS][P15_DIRECTIONS][P15_MAX_CELLS];

/* What a move does to the one line that the moved tile enters or leaves and that is its goal line. */
typedef struct {
    int8_t change; /* of the Manhattan distance */
    uint8_t line;  /* NO_LINE when there is none */
    uint8_t shift; /* of the tile in the line's code */
    uint8_t unused;
} line_move;

/* A line's code: for each of its cells, the place on the line of the goal cell of the tile that stands there, counted
 * from 1; 0 for the blank and for tiles of other lines. Lines are numbered rows first. */
typedef struct {
    uint8_t shift, stride, cells; /* first cell and distance of cells, in bits of the board */
    uint8_t bits;                 /* of a place in the code */
    uint8_t place[P15_MAX_CELLS]; /* of each tile */
} line;

typedef struct {
    line lines[MOST_LINES];
    line_move moves[P15_MAX_CELLS][P15_DIRECTIONS][P15_MAX_CELLS];
    uint8_t leavers[1 << 4 * TABLE_BITS]; /* of the code of a line of up to four cells */
} lines;

typedef struct {
    const p15_walking *walking;
    uint64_t keys[P15_MAX_CELLS][P15_MAX_CELLS]; /* [cell][tile] what each adds to the key; 0 for the blank */
} group;

/* Direction 0 is vertical, of rows, and 1 horizontal. */
typedef struct {
    p15_walking tables[2][MOST_GROUPS];
    group groups[2][MOST_GROUPS];
    uint8_t group_count[2];
    uint8_t group_of[2][P15_MAX_CELLS]; /* of each tile */
} walks;

typedef struct {
    const p15_problem *problem;
    unsigned number;                 /* of the view */
    uint8_t shift_of[P15_MAX_CELLS]; /* of the view's cells, in bits of the board */
    uint16_t mates[P15_MAX_CELLS];   /* the tiles of each tile's pattern */
} view;

typedef struct {
    const p15_dense *dense;
    bool residual;
    float lowered;
} network;

typedef struct {
    unsigned kind;
    union {
        p15_h_changes changes;
        reversal_moves reversals;
        lines lines;
        walks walks;
        view view;
        network network;
    };
} component;

struct p15_evaluator {
    p15_shape shape;
    p15_board goal;
    uint8_t goal_of[P15_MAX_CELLS];  /* the goal cell of each tile */
    uint8_t offsets[P15_DIRECTIONS]; /* from the blank to the moved tile's cell, modulo 256 */
    unsigned count;
    component *components[P15_MAX_COMPONENTS];
    bool has_network;
    p15_h_changes none;
    uint8_t taxicabs[P15_MAX_CELLS][P15_MAX_CELLS]; /* [cell][tile], 0 for the blank */
};

struct p15_children {
    const p15_evaluator *evaluator;
    size_t count, room;
    p15_board parent;                             /* the last one; 0: none */
    unsigned manhattan;                           /* of it */
    p15_dense_batch *batches[P15_MAX_COMPONENTS]; /* of components that are networks */
    uint8_t *manhattans;                          /* of the children */
    p15_values *values;
    float *outputs;
};

/* ------------------------------------------------------------------------------------------------ preparations */

/* From a cell to a tile's goal cell. */
static unsigned taxicab(const p15_evaluator *e, unsigned tile, unsigned cell) {
    return p15_cell_distance(e->shape, cell, e->goal_of[tile]);
}

static void prepare_changes(const p15_evaluator *e, bool misplaced, p15_h_changes changes) {
    for (unsigned blank = 0; blank < e->shape.cells; blank++)
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            int cell = p15_cell_neighbour(e->shape, blank, dir);
            for (unsigned tile = 1; cell >= 0 && tile < e->shape.cells; tile++) {
                unsigned before = taxicab(e, tile, (unsigned)cell), after = taxicab(e, tile, blank);
                changes[blank][dir][tile] =
                    (int8_t)(misplaced ? (after != 0) - (before != 0) : (int)after - (int)before);
            }
        }
}

/* The tile of the goal at `cell` if the goal cell of `tile` is next to it: the two are a reversal when they stand
 * so. */
static unsigned partner(const p15_evaluator *e, unsigned tile, unsigned cell) {
    unsigned other = p15_board_tile(e->goal, cell);
    return other != 0 && taxicab(e, tile, cell) == 1 ? other : NO_TILE;
}

static void prepare_reversals(const p15_evaluator *e, reversal_moves reversals) {
    p15_h_changes changes = {{{0}}};
    prepare_changes(e, false, changes);
    for (unsigned blank = 0; blank < e->shape.cells; blank++)
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            int cell = p15_cell_neighbour(e->shape, blank, dir);
            for (unsigned tile = 1; cell >= 0 && tile < e->shape.cells; tile++)
                reversals[blank][dir][tile] = (reversal_move){
                    .change = changes[blank][dir][tile],
                    .shift = (uint8_t)(4 * e->goal_of[tile]),
                    .lost = (uint8_t)partner(e, tile, (unsigned)cell),
                    .won = (uint8_t)partner(e, tile, blank),
                };
        }
}

/* How many home tiles must leave a line: all but the longest sequence in order. `ends` has a bit for the smallest place
 * that a sequence of each length can end in. */
static unsigned count_leavers(uint32_t code, unsigned bits) {
    unsigned tiles = 0, ends = 0;
    for (; code; code >>= bits) {
        unsigned place = code & ((1u << bits) - 1u);
        if (place == 0) continue;
        unsigned above = ends & ~((2u << place) - 1u);
        ends ^= above & (0u - above);
        ends |= 1u << place;
        tiles++;
    }
    return tiles - p15_count_bits(ends);
}

static void prepare_lines(const p15_evaluator *e, lines *l) {
    unsigned rows = e->shape.rows, cols = e->shape.cols;
    p15_h_changes changes = {{{0}}};
    prepare_changes(e, false, changes);
    for (unsigned i = 0; i < rows + cols; i++) {
        bool is_row = i < rows;
        line *made = &l->lines[i];
        made->shift = (uint8_t)(4 * (is_row ? i * cols : i - rows));
        made->stride = (uint8_t)(4 * (is_row ? 1 : cols));
        made->cells = (uint8_t)(is_row ? cols : rows);
        made->bits = made->cells <= 4 ? TABLE_BITS : 4;
        for (unsigned tile = 1; tile < e->shape.cells; tile++) {
            unsigned row = e->goal_of[tile] / cols, col = e->goal_of[tile] % cols;
            if (is_row ? row == i : col == i - rows) made->place[tile] = (uint8_t)(1 + (is_row ? col : row));
        }
    }
    for (unsigned blank = 0; blank < e->shape.cells; blank++)
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            int cell = p15_cell_neighbour(e->shape, blank, dir);
            for (unsigned tile = 1; cell >= 0 && tile < e->shape.cells; tile++) {
                bool vertical = dir == P15_UP || dir == P15_DOWN;
                unsigned position = vertical ? blank % cols : blank / cols;
                unsigned into = vertical ? blank / cols : rows + blank % cols;
                unsigned out_of = vertical ? (unsigned)cell / cols : rows + (unsigned)cell % cols;
                unsigned home = l->lines[into].place[tile] ? into : l->lines[out_of].place[tile] ? out_of : NO_LINE;
                l->moves[blank][dir][tile] =
                    (line_move){.change = changes[blank][dir][tile],
                                .line = (uint8_t)home,
                                .shift = (uint8_t)(home == NO_LINE ? 0 : position * l->lines[home].bits)};
            }
        }
    for (unsigned code = 0; code < sizeof l->leavers; code++)
        l->leavers[code] = (uint8_t)count_leavers(code, TABLE_BITS);
}

static void free_walks(walks *w) {
    for (unsigned i = 0; i < 2 * MOST_GROUPS; i++) p15_walking_free(&w->tables[i / MOST_GROUPS][i % MOST_GROUPS]);
}

static p15_status prepare_walks(const p15_evaluator *e, walks *w) {
    for (unsigned d = 0; d < 2; d++) {
        unsigned cols = e->shape.cols, home = e->goal_of[0];
        unsigned lines = d ? cols : e->shape.rows, width = e->shape.cells / lines,
                 home_line = d ? home % cols : home / cols;
        unsigned count = w->group_count[d] =
            lines <= 6 ? 1 : (uint8_t)(lines - 5); /* as many as tables of some MB take */
        for (unsigned g = 0, end = 0; g < count; g++) {
            unsigned begin = end;
            end += (lines - begin + count - g - 1) / (count - g);
            unsigned set = (1u << end) - (1u << begin);
            group *made = &w->groups[d][g];
            const p15_walking *other = &w->tables[0][g];
            if (d && other->lines == lines && other->home_line == home_line) {
                made->walking = other; /* half the memory for the caches to hold */
            } else {
                p15_status status = p15_walking_init(lines, width, home_line, set, &w->tables[d][g]);
                if (status != P15_OK) {
                    free_walks(w);
                    return status;
                }
                made->walking = &w->tables[d][g];
            }
            for (unsigned tile = 1; tile < e->shape.cells; tile++) {
                unsigned goal = e->goal_of[tile], goal_line = d ? goal % cols : goal / cols;
                if (set >> goal_line & 1u) w->group_of[d][tile] = (uint8_t)g;
                for (unsigned cell = 0; cell < e->shape.cells; cell++)
                    made->keys[cell][tile] = p15_walking_unit(made->walking, goal_line)
                                             << ((d ? cell % cols : cell / cols) * made->walking->bits);
            }
        }
    }
    return P15_OK;
}

static void prepare_view(const p15_problem *problem, unsigned number, view *v) {
    const p15_view *seen = &problem->views[number];
    v->problem = problem;
    v->number = number;
    for (unsigned cell = 0; cell < problem->shape.cells; cell++) v->shift_of[seen->cell_to[cell]] = (uint8_t)(4 * cell);
    for (unsigned tile = 1; tile < problem->shape.cells; tile++)
        for (unsigned mate = 1; mate < problem->shape.cells; mate++)
            if (seen->place_of[mate] == seen->place_of[tile]) v->mates[tile] |= (uint16_t)(1u << mate);
}

/* ------------------------------------------------------------------------------------------------ boards */

static unsigned count_misplaced(const p15_evaluator *e, p15_board board) {
    unsigned count = 0;
    for (unsigned cell = 0; cell < e->shape.cells; cell++) {
        unsigned tile = p15_board_tile(board, cell);
        count += tile != 0 && e->goal_of[tile] != cell;
    }
    return count;
}

static unsigned count_reversals(const p15_evaluator *e, p15_board board) {
    unsigned count = 0;
    for (unsigned cell = 0; cell < e->shape.cells; cell++)
        for (unsigned dir = P15_RIGHT; dir <= P15_DOWN; dir++) {
            int next = p15_cell_neighbour(e->shape, cell, dir);
            unsigned tile = p15_board_tile(board, cell), other = next < 0 ? 0 : p15_board_tile(board, (unsigned)next);
            count += tile && other && e->goal_of[tile] == next && e->goal_of[other] == cell;
        }
    return count;
}

static inline uint32_t line_code(const line *l, p15_board board) {
    uint32_t code = 0;
    board >>= l->shift;
    for (unsigned i = 0; i < l->cells; i++) code |= (uint32_t)l->place[board >> (i * l->stride) & 15u] << (i * l->bits);
    return code;
}

static inline unsigned leavers(const lines *l, const line *of, uint32_t code) {
    return of->bits == TABLE_BITS ? l->leavers[code] : count_leavers(code, of->bits);
}

/* Cells beyond the shape's hold 0, as the blank's does. */
static inline uint64_t walking_key(const group *g, p15_board board) {
    uint64_t key = 0;
    for (unsigned cell = 0; cell < P15_MAX_CELLS; cell++) key += g->keys[cell][p15_board_tile(board, cell)];
    return key;
}

static unsigned walking_distance(const p15_evaluator *e, const walks *w, p15_board board) {
    unsigned blank = p15_board_blank(board), sum = 0;
    for (unsigned d = 0; d < 2; d++)
        for (unsigned g = 0; g < w->group_count[d]; g++)
            sum += p15_walking_value(w->groups[d][g].walking, walking_key(&w->groups[d][g], board),
                                     d ? blank % e->shape.cols : blank / e->shape.cols);
    return sum;
}

/* The Manhattan distance of a board; of a child, p15_board_manhattan would take as long as its other values. */
static inline unsigned manhattan_of(const p15_evaluator *e, p15_board board) {
    unsigned sum = 0;
    for (unsigned cell = 0; cell < P15_MAX_CELLS; cell++) sum += e->taxicabs[cell][p15_board_tile(board, cell)];
    return sum;
}

/* h by a network's number. Clamped before it becomes a whole number, since a network may tell anything. */
static inline unsigned network_value(const network *n, unsigned manhattan, float output) {
    if (manhattan == 0) return 0;
    float predicted = n->residual ? (float)manhattan + 2.0f * output : output;
    float steps = (predicted - n->lowered - (float)manhattan) * 0.5f + 0.5f;
    float most = (float)((P15_FARTHEST - manhattan) / 2);
    steps = steps > 0 ? steps : 0;
    return manhattan + 2 * (unsigned)(steps < most ? steps : most);
}

/* All values of a board; those of networks only if they are asked for. */
static p15_status values_of(const p15_evaluator *e, p15_board board, bool networks, unsigned *manhattan_found,
                            p15_values *values) {
    if (p15_board_check(board, e->shape) != P15_OK) return P15_ERR_BOARD;
    if (!p15_board_solvable(board, e->goal, e->shape)) return P15_ERR_UNSOLVABLE;
    unsigned manhattan = manhattan_of(e, board);
    uint8_t views[P15_MAX_VIEWS];
    p15_values word = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const component *c = e->components[i];
        unsigned value = 0;
        switch (c->kind) {
        case P15_MISPLACED:
            value = count_misplaced(e, board);
            break;
        case P15_MANHATTAN:
            value = manhattan;
            break;
        case P15_REVERSAL:
            value = manhattan + 2 * count_reversals(e, board);
            break;
        case P15_LINEAR_CONFLICT:
            value = manhattan;
            for (unsigned l = 0; l < e->shape.rows + (unsigned)e->shape.cols; l++)
                value += 2 * leavers(&c->lines, &c->lines.lines[l], line_code(&c->lines.lines[l], board));
            break;
        case P15_WALKING_DISTANCE:
            value = walking_distance(e, &c->walks, board);
            break;
        case NETWORK:
            if (networks) value = network_value(&c->network, manhattan, p15_dense_board(c->network.dense, board));
            break;
        default:
            if (c->view.number == 0) { /* the views of a problem stand together */
                p15_status status = p15_heuristic(c->view.problem, board, &value, views);
                if (status != P15_OK) return status;
            }
            value = views[c->view.number];
        }
        assert(value < 256);
        word |= (p15_values)value << (8 * i);
    }
    *manhattan_found = manhattan;
    *values = word;
    return P15_OK;
}

p15_status p15_evaluator_board(const p15_evaluator *e, p15_board board, unsigned *h, p15_values *values) {
    unsigned manhattan;
    p15_values word;
    p15_status status = values_of(e, board, true, &manhattan, &word);
    if (status != P15_OK) return status;
    *h = p15_values_h(word);
    *values = word;
    return P15_OK;
}

/* Evaluates the boards that wait in `c`, whose other values are there, and sets the networks' values. */
static void run_networks(p15_children *c) {
    const p15_evaluator *e = c->evaluator;
    for (unsigned i = 0; i < e->count; i++) {
        if (e->components[i]->kind != NETWORK) continue;
        p15_dense_run(c->batches[i], c->outputs);
        for (size_t j = 0; j < c->count; j++)
            c->values[j] |= (p15_values)network_value(&e->components[i]->network, c->manhattans[j], c->outputs[j])
                            << (8 * i);
    }
}

p15_status p15_evaluator_boards(const p15_evaluator *e, const p15_board *boards, size_t count, uint8_t *h,
                                uint8_t *status) {
    p15_children *c;
    size_t waiting[BATCH];
    p15_status made = p15_children_new(e, BATCH, &c);
    if (made != P15_OK) return made;
    for (size_t i = 0; i < count; i++) {
        unsigned manhattan;
        p15_board board = boards[i]; /* once: what is checked is what is evaluated */
        status[i] = (uint8_t)values_of(e, board, false, &manhattan, &c->values[c->count]);
        h[i] = 0;
        if (status[i] == P15_OK) {
            for (unsigned k = 0; k < e->count; k++)
                if (c->batches[k]) p15_dense_add(c->batches[k], board);
            waiting[c->count] = i;
            c->manhattans[c->count++] = (uint8_t)manhattan;
        }
        if (c->count < BATCH && i + 1 < count) continue;
        run_networks(c);
        for (size_t j = 0; j < c->count; j++) h[waiting[j]] = (uint8_t)p15_values_h(c->values[j]);
        c->count = 0;
    }
    p15_children_delete(c);
    return P15_OK;
}

/* ------------------------------------------------------------------------------------------------ children
 *
 * By how much a component's value changes when `tile` moves from `cell` to the blank's place. */

static inline int line_change(const lines *l, p15_board parent, unsigned blank, unsigned dir, unsigned tile) {
    const line_move *step = &l->moves[blank][dir][tile];
    if (step->line == NO_LINE) return step->change;
    const line *home = &l->lines[step->line];
    uint32_t before = line_code(home, parent), after = before ^ (uint32_t)home->place[tile] << step->shift;
    return step->change + 2 * ((int)leavers(l, home, after) - (int)leavers(l, home, before));
}

static inline int walking_change(const p15_evaluator *e, const walks *w, p15_board parent, unsigned blank, unsigned dir,
                                 unsigned tile, unsigned cell) {
    unsigned d = dir == P15_LEFT || dir == P15_RIGHT, cols = e->shape.cols;
    unsigned from = d ? cell % cols : cell / cols, to = d ? blank % cols : blank / cols;
    const group *g = &w->groups[d][w->group_of[d][tile]];
    uint64_t before = walking_key(g, parent), after = before + g->keys[blank][tile] - g->keys[cell][tile];
    return (int)p15_walking_value(g->walking, after, from) - (int)p15_walking_value(g->walking, before, to);
}

static inline int view_change(const view *v, p15_board parent, unsigned blank, unsigned tile, unsigned cell) {
    const p15_problem *problem = v->problem;
    const p15_view *seen = &problem->views[v->number];
    const uint8_t *labels = problem->label_of[seen->place_of[tile]];
    unsigned map = 0, position = 0, mates = v->mates[tile];
    uint32_t perm = 0;
    for (unsigned i = 0; i < problem->shape.cells; i++) {
        unsigned other = (unsigned)(parent >> v->shift_of[i]) & 15u, in = mates >> other & 1u;
        map |= in << i;
        perm |= (uint32_t)(in * labels[other]) << position;
        position += 3 * in;
    }
    return p15_table_change(&problem->tables[seen->place_of[tile]], map, perm, seen->cell_to[cell],
                            seen->cell_to[blank]);
}

/* All values of a child but networks'. */
static inline p15_values child_values_of(const p15_evaluator *e, p15_board parent, p15_values values, unsigned blank,
                                         unsigned direction, unsigned tile, unsigned cell) {
    p15_values word = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const component *c = e->components[i];
        int change;
        switch (c->kind) {
        case P15_MISPLACED:
        case P15_MANHATTAN:
            change = c->changes[blank][direction][tile];
            break;
        case P15_REVERSAL: {
            reversal_move step = c->reversals[blank][direction][tile];
            unsigned other = (unsigned)(parent >> step.shift) & 15u;
            change = step.change + 2 * ((other == step.won) - (other == step.lost));
            break;
        }
        case P15_LINEAR_CONFLICT:
            change = line_change(&c->lines, parent, blank, direction, tile);
            break;
        case P15_WALKING_DISTANCE:
            change = walking_change(e, &c->walks, parent, blank, direction, tile, cell);
            break;
        case NETWORK:
            continue;
        default:
            change = view_change(&c->view, parent, blank, tile, cell);
        }
        word |= (p15_values)(((unsigned)(values >> (8 * i)) + (unsigned)change) & 255u) << (8 * i);
    }
    return word;
}

unsigned p15_evaluator_child(const p15_evaluator *e, p15_board parent, p15_values values, unsigned blank,
                             unsigned direction, p15_values *child_values) {
    unsigned cell = (uint8_t)(blank + e->offsets[direction]), tile = p15_board_tile(parent, cell);
    p15_values word = child_values_of(e, parent, values, blank, direction, tile, cell);
    if (e->has_network) {
        p15_board child = p15_board_slide(parent, blank, cell);
        unsigned manhattan = manhattan_of(e, child);
        for (unsigned i = 0; i < e->count; i++) {
            const component *c = e->components[i];
            if (c->kind == NETWORK)
                word |= (p15_values)network_value(&c->network, manhattan, p15_dense_board(c->network.dense, child))
                        << (8 * i);
        }
    }
    *child_values = word;
    return p15_values_h(word);
}

p15_status p15_children_new(const p15_evaluator *e, size_t room, p15_children **made) {
    *made = NULL;
    if (room < 1 || room > P15_DENSE_MAX_BATCH) return P15_ERR_ARGUMENT;
    p15_children *c = calloc(1, sizeof *c);
    if (!c) return P15_ERR_MEMORY;
    c->evaluator = e;
    c->room = room;
    c->manhattans = malloc(room * sizeof *c->manhattans);
    c->values = malloc(room * sizeof *c->values);
    c->outputs = malloc(room * sizeof *c->outputs);
    p15_status status = c->manhattans && c->values && c->outputs ? P15_OK : P15_ERR_MEMORY;
    for (unsigned i = 0; i < e->count && status == P15_OK; i++)
        if (e->components[i]->kind == NETWORK)
            status = p15_dense_batch_new(e->components[i]->network.dense, room, &c->batches[i]);
    if (status == P15_OK)
        *made = c;
    else
        p15_children_delete(c);
    return status;
}

void p15_children_delete(p15_children *c) {
    if (!c) return;
    for (unsigned i = 0; i < P15_MAX_COMPONENTS; i++) p15_dense_batch_delete(c->batches[i]);
    free(c->manhattans);
    free(c->values);
    free(c->outputs);
    free(c);
}

void p15_children_add(p15_children *c, p15_board parent, p15_values values, unsigned blank, unsigned direction) {
    const p15_evaluator *e = c->evaluator;
    unsigned cell = (uint8_t)(blank + e->offsets[direction]), tile = p15_board_tile(parent, cell);
    assert(c->count < c->room);
    c->values[c->count] = child_values_of(e, parent, values, blank, direction, tile, cell);
    if (e->has_network) {
        if (parent != c->parent) c->manhattan = manhattan_of(e, parent);
        c->parent = parent;
        c->manhattans[c->count] = (uint8_t)(c->manhattan + e->taxicabs[blank][tile] - e->taxicabs[cell][tile]);
        for (unsigned i = 0; i < e->count; i++)
            if (c->batches[i]) p15_dense_add_child(c->batches[i], parent, blank, cell);
    }
    c->count++;
}

const p15_values *p15_children_run(p15_children *c) {
    if (c->evaluator->has_network) run_networks(c);
    c->count = 0;
    return c->values;
}

/* ------------------------------------------------------------------------------------------------ evaluators */

p15_status p15_evaluator_new(p15_shape shape, p15_board goal, p15_evaluator **evaluator) {
    *evaluator = NULL;
    p15_shape known;
    if (p15_shape_init(shape.rows, shape.cols, &known) != P15_OK || known.cells != shape.cells) return P15_ERR_SHAPE;
    if (p15_board_check(goal, shape) != P15_OK) return P15_ERR_BOARD;
    p15_evaluator *e = calloc(1, sizeof *e);
    if (!e) return P15_ERR_MEMORY;
    e->shape = shape;
    e->goal = goal;
    e->offsets[P15_UP] = (uint8_t)(0u - shape.cols);
    e->offsets[P15_LEFT] = (uint8_t)(0u - 1u);
    e->offsets[P15_RIGHT] = 1;
    e->offsets[P15_DOWN] = shape.cols;
    for (unsigned cell = 0; cell < shape.cells; cell++) e->goal_of[p15_board_tile(goal, cell)] = (uint8_t)cell;
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned tile = 1; tile < shape.cells; tile++) e->taxicabs[cell][tile] = (uint8_t)taxicab(e, tile, cell);
    *evaluator = e;
    return P15_OK;
}

void p15_evaluator_delete(p15_evaluator *evaluator) {
    if (!evaluator) return;
    for (unsigned i = 0; i < evaluator->count; i++) {
        if (evaluator->components[i]->kind == P15_WALKING_DISTANCE) free_walks(&evaluator->components[i]->walks);
        free(evaluator->components[i]);
    }
    free(evaluator);
}

p15_status p15_evaluator_add(p15_evaluator *e, p15_heuristic_kind kind) {
    if (e->count == P15_MAX_COMPONENTS || (unsigned)kind >= P15_HEURISTIC_COUNT) return P15_ERR_ARGUMENT;
    component *c = calloc(1, sizeof *c);
    if (!c) return P15_ERR_MEMORY;
    p15_status status = P15_OK;
    c->kind = kind;
    switch (kind) {
    case P15_REVERSAL:
        prepare_reversals(e, c->reversals);
        break;
    case P15_LINEAR_CONFLICT:
        prepare_lines(e, &c->lines);
        break;
    case P15_WALKING_DISTANCE:
        status = prepare_walks(e, &c->walks);
        break;
    default:
        prepare_changes(e, kind == P15_MISPLACED, c->changes);
    }
    if (status == P15_OK)
        e->components[e->count++] = c;
    else
        free(c);
    return status;
}

p15_status p15_evaluator_add_views(p15_evaluator *e, const p15_problem *problem) {
    if (problem->shape.cells != e->shape.cells || problem->shape.cols != e->shape.cols || problem->goal != e->goal ||
        problem->view_count > P15_MAX_COMPONENTS - e->count)
        return P15_ERR_ARGUMENT;
    unsigned before = e->count;
    for (unsigned i = 0; i < problem->view_count; i++) {
        component *c = calloc(1, sizeof *c);
        if (!c) {
            while (e->count > before) free(e->components[--e->count]);
            return P15_ERR_MEMORY;
        }
        c->kind = VIEW;
        prepare_view(problem, i, &c->view);
        e->components[e->count++] = c;
    }
    return P15_OK;
}

p15_status p15_evaluator_add_network(p15_evaluator *e, const p15_dense *dense, bool residual, float lowered) {
    if (e->count == P15_MAX_COMPONENTS || e->shape.rows != 4 || e->shape.cols != 4 ||
        e->goal != p15_board_goal(e->shape, 15) || !(lowered >= 0 && lowered <= (float)P15_FARTHEST))
        return P15_ERR_ARGUMENT;
    component *c = calloc(1, sizeof *c);
    if (!c) return P15_ERR_MEMORY;
    c->kind = NETWORK;
    c->network = (network){dense, residual, lowered};
    e->components[e->count++] = c;
    e->has_network = true;
    return P15_OK;
}

unsigned p15_evaluator_count(const p15_evaluator *evaluator) { return evaluator->count; }

bool p15_evaluator_has_network(const p15_evaluator *evaluator) { return evaluator->has_network; }

p15_shape p15_evaluator_shape(const p15_evaluator *evaluator) { return evaluator->shape; }

p15_board p15_evaluator_goal(const p15_evaluator *evaluator) { return evaluator->goal; }

const p15_h_changes *p15_evaluator_changes(const p15_evaluator *evaluator) {
    const p15_h_changes *none = (const p15_h_changes *)&evaluator->none;
    if (evaluator->count == 0) return none;
    const component *only = evaluator->components[0];
    bool sum = evaluator->count == 1 && (only->kind == P15_MISPLACED || only->kind == P15_MANHATTAN);
    return sum ? (const p15_h_changes *)&only->changes : NULL;
}
