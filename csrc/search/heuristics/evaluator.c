#include "search/heuristics/evaluator.h"

#include "search/heuristics/walking_distance.h"

#include <assert.h>
#include <stdlib.h>

#define VIEW P15_HEURISTIC_COUNT /* components' kinds, beside those of p15_heuristic_kind */
#define NETWORK (P15_HEURISTIC_COUNT + 1)
#define FUNCTION (P15_HEURISTIC_COUNT + 2)
#define PATTERNS (P15_HEURISTIC_COUNT + 3)
#define BATCH 128u /* boards that networks evaluate together */

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
    p15_function *call;
    void *context;
} function;

typedef struct {
    unsigned kind;
    union {
        p15_h_changes changes;
        p15_conflict_lines lines;
        p15_walking_groups walking;
        view view;
        network network;
        function function;
        p15_patterns patterns;
    };
} component;

struct p15_evaluator {
    p15_distances distances;         /* of shape and goal */
    uint8_t offsets[P15_DIRECTIONS]; /* from the blank to the moved tile's cell, modulo 256 */
    unsigned count;
    component *components[P15_MAX_COMPONENTS];
    bool has_network, has_function;
    p15_h_changes none;
};

struct p15_evaluations {
    const p15_evaluator *evaluator;
    size_t count, room;
    p15_board parent;                             /* the last one; 0: none */
    unsigned manhattan;                           /* of it */
    p15_dense_batch *batches[P15_MAX_COMPONENTS]; /* of components that are networks */
    uint8_t *manhattans;                          /* of the children, for networks */
    p15_board *boards;                            /* the children, for functions */
    p15_values *values;
    float *outputs;
    uint8_t *told; /* by a function */
};

/* ------------------------------------------------------------------------------------------------ boards */

/* h by a network's number. Clamped before it becomes a whole number, since a network may tell anything. */
static inline unsigned network_value(const network *n, unsigned manhattan, float output) {
    if (manhattan == 0) return 0;
    float predicted = n->residual ? (float)manhattan + 2.0f * output : output;
    float steps = (predicted - n->lowered - (float)manhattan) * 0.5f + 0.5f;
    float most = (float)((P15_FARTHEST_4X4 - manhattan) / 2);
    steps = steps > 0 ? steps : 0;
    return manhattan + 2 * (unsigned)(steps < most ? steps : most);
}

static inline unsigned function_value(const function *f, p15_board board) {
    uint8_t value;
    f->call(f->context, &board, 1, &value);
    return value;
}

/* All values of a board; those of networks and functions only if they are asked for. */
static p15_status values_of(const p15_evaluator *e, p15_board board, bool all, unsigned *manhattan_found,
                            p15_values *values) {
    if (p15_board_check(board, e->distances.shape) != P15_OK) return P15_ERR_BOARD;
    if (!p15_board_solvable(board, e->distances.goal, e->distances.shape)) return P15_ERR_UNSOLVABLE;
    unsigned manhattan = p15_distances_manhattan(&e->distances, board);
    uint8_t views[P15_MAX_LOOKUPS];
    p15_values word = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const component *c = e->components[i];
        unsigned value = 0;
        switch (c->kind) {
        case P15_MISPLACED:
            value = p15_distances_misplaced(&e->distances, board);
            break;
        case P15_MANHATTAN:
            value = manhattan;
            break;
        case P15_REVERSAL:
            value = manhattan + 2 * p15_reversals_count(&e->distances, board);
            break;
        case P15_LINEAR_CONFLICT:
            value = manhattan + 2 * p15_conflict_lines_leavers(&c->lines, board);
            break;
        case P15_WALKING_DISTANCE:
            value = p15_walking_groups_value(&c->walking, board);
            break;
        case NETWORK:
            if (all) value = network_value(&c->network, manhattan, p15_dense_board(c->network.dense, board));
            break;
        case FUNCTION:
            if (all) value = function_value(&c->function, board);
            break;
        case PATTERNS: {
            p15_status status = p15_patterns_value(&c->patterns, board, &value);
            if (status != P15_OK) return status;
            break;
        }
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

/* Evaluates the boards that wait in `c`, whose other values are there: sets the values of networks and functions. */
static void run_together(p15_evaluations *c) {
    const p15_evaluator *e = c->evaluator;
    if (c->count == 0) return;
    for (unsigned i = 0; i < e->count; i++) {
        const component *of = e->components[i];
        if (of->kind == NETWORK) {
            p15_dense_run(c->batches[i], c->outputs);
            for (size_t j = 0; j < c->count; j++)
                c->values[j] |= (p15_values)network_value(&of->network, c->manhattans[j], c->outputs[j]) << (8 * i);
        } else if (of->kind == FUNCTION) {
            of->function.call(of->function.context, c->boards, c->count, c->told);
            for (size_t j = 0; j < c->count; j++) c->values[j] |= (p15_values)c->told[j] << (8 * i);
        }
    }
}

p15_status p15_evaluator_boards(const p15_evaluator *e, const p15_board *boards, size_t count, uint8_t *h,
                                uint8_t *status) {
    p15_evaluations *c;
    size_t waiting[P15_DENSE_MAX_BATCH];
    p15_status made = p15_evaluations_new(e, e->has_function ? P15_DENSE_MAX_BATCH : BATCH, &c);
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
            c->boards[c->count] = board;
            c->manhattans[c->count++] = (uint8_t)manhattan;
        }
        if (c->count < c->room && i + 1 < count) continue;
        run_together(c);
        for (size_t j = 0; j < c->count; j++) h[waiting[j]] = (uint8_t)p15_values_h(c->values[j]);
        c->count = 0;
    }
    p15_evaluations_delete(c);
    return P15_OK;
}

/* ------------------------------------------------------------------------------------------------ children */

/* By how much a view's value changes when `tile` moves from `cell` to the blank's place. */
static inline int view_change(const view *v, p15_board parent, unsigned blank, unsigned tile, unsigned cell) {
    const p15_problem *problem = v->problem;
    const p15_lookup *seen = &problem->lookups[v->number];
    unsigned place = seen->pattern_of[tile], map;
    uint32_t perm;
    p15_pattern_state(parent, problem->shape.cells, v->shift_of, v->mates[tile], problem->label_of[place], &map, &perm);
    return p15_table_change(&problem->tables[place], map, perm, seen->cell_to[cell], seen->cell_to[blank]);
}

/* All values of a child but those of networks and functions. */
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
        case P15_REVERSAL:
            change = p15_reversals_change(&e->distances, parent, blank, tile, cell);
            break;
        case P15_LINEAR_CONFLICT:
            change = p15_conflict_lines_change(&c->lines, parent, blank, direction, tile);
            break;
        case P15_WALKING_DISTANCE:
            change = p15_walking_groups_change(&c->walking, parent, blank, direction, tile, cell);
            break;
        case NETWORK:
        case FUNCTION:
            continue;
        case PATTERNS:
            change = p15_patterns_change(&c->patterns, parent, blank, tile, cell);
            break;
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
    if (e->has_network || e->has_function) {
        p15_board child = p15_board_slide(parent, blank, cell);
        unsigned manhattan = e->has_network ? p15_distances_manhattan(&e->distances, child) : 0;
        for (unsigned i = 0; i < e->count; i++) {
            const component *c = e->components[i];
            unsigned value = 0;
            if (c->kind == NETWORK)
                value = network_value(&c->network, manhattan, p15_dense_board(c->network.dense, child));
            else if (c->kind == FUNCTION)
                value = function_value(&c->function, child);
            word |= (p15_values)value << (8 * i);
        }
    }
    *child_values = word;
    return p15_values_h(word);
}

p15_status p15_evaluations_new(const p15_evaluator *e, size_t room, p15_evaluations **made) {
    *made = NULL;
    if (room < 1 || room > P15_DENSE_MAX_BATCH) return P15_ERR_ARGUMENT;
    p15_evaluations *c = calloc(1, sizeof *c);
    if (!c) return P15_ERR_MEMORY;
    c->evaluator = e;
    c->room = room;
    c->manhattans = malloc(room * sizeof *c->manhattans);
    c->boards = malloc(room * sizeof *c->boards);
    c->values = malloc(room * sizeof *c->values);
    c->outputs = malloc(room * sizeof *c->outputs);
    c->told = malloc(room * sizeof *c->told);
    p15_status status = c->manhattans && c->boards && c->values && c->outputs && c->told ? P15_OK : P15_ERR_MEMORY;
    for (unsigned i = 0; i < e->count && status == P15_OK; i++)
        if (e->components[i]->kind == NETWORK)
            status = p15_dense_batch_new(e->components[i]->network.dense, room, &c->batches[i]);
    if (status == P15_OK)
        *made = c;
    else
        p15_evaluations_delete(c);
    return status;
}

void p15_evaluations_delete(p15_evaluations *c) {
    if (!c) return;
    for (unsigned i = 0; i < P15_MAX_COMPONENTS; i++) p15_dense_batch_delete(c->batches[i]);
    free(c->manhattans);
    free(c->boards);
    free(c->values);
    free(c->outputs);
    free(c->told);
    free(c);
}

void p15_evaluations_add(p15_evaluations *c, p15_board parent, p15_values values, unsigned blank, unsigned direction) {
    const p15_evaluator *e = c->evaluator;
    unsigned cell = (uint8_t)(blank + e->offsets[direction]), tile = p15_board_tile(parent, cell);
    assert(c->count < c->room);
    c->values[c->count] = child_values_of(e, parent, values, blank, direction, tile, cell);
    if (e->has_network) {
        if (parent != c->parent) c->manhattan = p15_distances_manhattan(&e->distances, parent);
        c->parent = parent;
        c->manhattans[c->count] = (uint8_t)((int)c->manhattan + p15_distances_change(&e->distances, tile, cell, blank));
        for (unsigned i = 0; i < e->count; i++)
            if (c->batches[i]) p15_dense_add_child(c->batches[i], parent, blank, cell);
    }
    if (e->has_function) c->boards[c->count] = p15_board_slide(parent, blank, cell);
    c->count++;
}

const p15_values *p15_evaluations_run(p15_evaluations *c) {
    run_together(c);
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
    p15_distances_init(shape, goal, &e->distances);
    for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) e->offsets[dir] = (uint8_t)p15_cell_step(shape, 0, dir);
    *evaluator = e;
    return P15_OK;
}

void p15_evaluator_delete(p15_evaluator *evaluator) {
    if (!evaluator) return;
    for (unsigned i = 0; i < evaluator->count; i++) {
        component *c = evaluator->components[i];
        if (c->kind == P15_WALKING_DISTANCE) p15_walking_groups_free(&c->walking);
        free(c);
    }
    free(evaluator);
}

/* Adds an empty component; NULL: no memory. */
static component *append(p15_evaluator *e, unsigned kind) {
    component *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->kind = kind;
    e->components[e->count++] = c;
    return c;
}

p15_status p15_evaluator_add(p15_evaluator *e, p15_heuristic_kind kind) {
    if (e->count == P15_MAX_COMPONENTS || (unsigned)kind >= P15_HEURISTIC_COUNT) return P15_ERR_ARGUMENT;
    component *c = append(e, kind);
    if (!c) return P15_ERR_MEMORY;
    p15_status status = P15_OK;
    switch (kind) {
    case P15_REVERSAL:
        break;
    case P15_LINEAR_CONFLICT:
        p15_conflict_lines_init(&e->distances, &c->lines);
        break;
    case P15_WALKING_DISTANCE:
        status = p15_walking_groups_init(e->distances.shape, e->distances.goal, &c->walking);
        break;
    default:
        p15_distances_changes(&e->distances, kind == P15_MISPLACED, c->changes);
    }
    if (status != P15_OK) free(e->components[--e->count]);
    return status;
}

static void prepare_view(const p15_problem *problem, unsigned number, view *v) {
    const p15_lookup *seen = &problem->lookups[number];
    v->problem = problem;
    v->number = number;
    for (unsigned cell = 0; cell < problem->shape.cells; cell++) v->shift_of[seen->cell_to[cell]] = (uint8_t)(4 * cell);
    for (unsigned tile = 1; tile < problem->shape.cells; tile++)
        for (unsigned mate = 1; mate < problem->shape.cells; mate++)
            if (seen->pattern_of[mate] == seen->pattern_of[tile]) v->mates[tile] |= (uint16_t)(1u << mate);
}

p15_status p15_evaluator_add_views(p15_evaluator *e, const p15_problem *problem) {
    p15_shape shape = e->distances.shape;
    if (problem->shape.cells != shape.cells || problem->shape.cols != shape.cols ||
        problem->goal != e->distances.goal || problem->lookup_count > P15_MAX_COMPONENTS - e->count)
        return P15_ERR_ARGUMENT;
    unsigned before = e->count;
    for (unsigned i = 0; i < problem->lookup_count; i++) {
        component *c = append(e, VIEW);
        if (!c) {
            while (e->count > before) free(e->components[--e->count]);
            return P15_ERR_MEMORY;
        }
        prepare_view(problem, i, &c->view);
    }
    return P15_OK;
}

p15_status p15_evaluator_add_network(p15_evaluator *e, const p15_dense *dense, bool residual, float lowered) {
    p15_shape shape = e->distances.shape;
    if (e->count == P15_MAX_COMPONENTS || shape.rows != 4 || shape.cols != 4 ||
        e->distances.goal != p15_board_goal(shape, 15) || !(lowered >= 0 && lowered <= (float)P15_FARTHEST_4X4))
        return P15_ERR_ARGUMENT;
    component *c = append(e, NETWORK);
    if (!c) return P15_ERR_MEMORY;
    c->network = (network){dense, residual, lowered};
    e->has_network = true;
    return P15_OK;
}

p15_status p15_evaluator_add_function(p15_evaluator *e, p15_function *call, void *context) {
    if (e->count == P15_MAX_COMPONENTS) return P15_ERR_ARGUMENT;
    component *c = append(e, FUNCTION);
    if (!c) return P15_ERR_MEMORY;
    c->function = (function){call, context};
    e->has_function = true;
    return P15_OK;
}

p15_status p15_evaluator_add_patterns(p15_evaluator *e, const p15_patterns *sum) {
    p15_shape shape = e->distances.shape;
    if (e->count == P15_MAX_COMPONENTS || sum->shape.cells != shape.cells || sum->shape.cols != shape.cols ||
        sum->goal != e->distances.goal)
        return P15_ERR_ARGUMENT;
    component *c = append(e, PATTERNS);
    if (!c) return P15_ERR_MEMORY;
    c->patterns = *sum;
    return P15_OK;
}

unsigned p15_evaluator_count(const p15_evaluator *evaluator) { return evaluator->count; }

bool p15_evaluator_prefers_batches(const p15_evaluator *evaluator) {
    return evaluator->has_network || evaluator->has_function;
}

bool p15_evaluator_has_function(const p15_evaluator *evaluator) { return evaluator->has_function; }

p15_shape p15_evaluator_shape(const p15_evaluator *evaluator) { return evaluator->distances.shape; }

p15_board p15_evaluator_goal(const p15_evaluator *evaluator) { return evaluator->distances.goal; }

const p15_h_changes *p15_evaluator_changes(const p15_evaluator *evaluator) {
    const p15_h_changes *none = (const p15_h_changes *)&evaluator->none;
    if (evaluator->count == 0) return none;
    const component *only = evaluator->components[0];
    bool sum = evaluator->count == 1 && (only->kind == P15_MISPLACED || only->kind == P15_MANHATTAN);
    return sum ? (const p15_h_changes *)&only->changes : NULL;
}
