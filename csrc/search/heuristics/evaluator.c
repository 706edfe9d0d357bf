#include "search/heuristics/evaluator.h"

#include "search/heuristics/walking_distance.h"

#include <assert.h>
#include <stdlib.h>

/* Components' kinds, beside those of p15_heuristic_kind. */
enum { LOOKUP = P15_HEURISTIC_COUNT, NETWORK, FUNCTION, PATTERNS, COMPILED };

#define BATCH 128u /* boards that networks evaluate together */

typedef struct {
    const p15_problem *problem;
    unsigned number;                 /* of the problem's lookup */
    uint8_t shift_of[P15_MAX_CELLS]; /* of the lookup's cells, in bits of the board */
    uint16_t mates[P15_MAX_CELLS];   /* the tiles of each tile's pattern */
} lookup;

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
        lookup lookup;
        network network;
        function function;
        p15_patterns patterns;
        p15_compiled *compiled;
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
    size_t predicted; /* children that networks have evaluated, P15_DENSE_MAX_BATCH at a time */
    /* Of the children, `room` of each, in one block that begins at `values`: */
    p15_values *values;
    p15_board *boards;                  /* themselves, for functions */
    uint8_t *manhattans;                /* for networks */
    uint8_t *returned;                  /* by a function */
    float outputs[P15_DENSE_MAX_BATCH]; /* of a network */
};

/* ------------------------------------------------------------------------------------------------ boards */

/* h by a network's number. Clamped before it becomes a whole number, since a network may predict anything. */
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

/* The values of a board; those of networks and functions only with `all`. */
static p15_status values_of(const p15_evaluator *e, p15_board board, bool all, unsigned *manhattan_found,
                            p15_values *values) {
    if (p15_board_check(board, e->distances.shape) != P15_OK) return P15_ERR_BOARD;
    if (!p15_board_solvable(board, e->distances.goal, e->distances.shape)) return P15_ERR_UNSOLVABLE;
    unsigned manhattan = p15_distances_manhattan(&e->distances, board);
    uint8_t lookup_h[P15_MAX_LOOKUPS];
    p15_values found = 0;
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
        case COMPILED:
            value = p15_compiled_value(c->compiled, board);
            break;
        default:
            if (c->lookup.number == 0) { /* the lookups of a problem stand together */
                p15_status status = p15_heuristic(c->lookup.problem, board, &value, lookup_h);
                if (status != P15_OK) return status;
            }
            value = lookup_h[c->lookup.number];
        }
        assert(value < 256);
        found |= (p15_values)value << (8 * i);
    }
    *manhattan_found = manhattan;
    *values = found;
    return P15_OK;
}

p15_status p15_evaluator_board(const p15_evaluator *e, p15_board board, unsigned *h, p15_values *values) {
    unsigned manhattan;
    p15_values found;
    p15_status status = values_of(e, board, true, &manhattan, &found);
    if (status != P15_OK) return status;
    *h = p15_values_h(found);
    *values = found;
    return P15_OK;
}

/* Sets the values of networks for the boards in `c` that have none yet. */
static void predict(p15_evaluations *c) {
    const p15_evaluator *e = c->evaluator;
    size_t first = c->predicted;
    for (unsigned i = 0; i < e->count && first < c->count; i++) {
        if (!c->batches[i]) continue;
        p15_dense_run(c->batches[i], c->outputs);
        for (size_t j = first; j < c->count; j++) {
            unsigned value = network_value(&e->components[i]->network, c->manhattans[j], c->outputs[j - first]);
            c->values[j] |= (p15_values)value << (8 * i);
        }
    }
    c->predicted = c->count;
}

/* Evaluates the boards that wait in `c`, whose other values are there: sets the values of networks and functions. */
static void run_together(p15_evaluations *c) {
    const p15_evaluator *e = c->evaluator;
    if (c->count == 0) return;
    predict(c);
    c->predicted = 0;
    for (unsigned i = 0; i < e->count; i++) {
        const component *of = e->components[i];
        if (of->kind != FUNCTION) continue;
        of->function.call(of->function.context, c->boards, c->count, c->returned);
        for (size_t j = 0; j < c->count; j++) c->values[j] |= (p15_values)c->returned[j] << (8 * i);
    }
}

p15_status p15_evaluator_boards(const p15_evaluator *e, const p15_board *boards, size_t count, bool each, uint8_t *h,
                                uint8_t *status) {
    p15_evaluations *c;
    size_t waiting[P15_DENSE_MAX_BATCH];
    p15_status made = p15_evaluations_new(e, e->has_function ? P15_DENSE_MAX_BATCH : BATCH, &c);
    if (made != P15_OK) return made;
    for (size_t i = 0; i < count; i++) {
        unsigned manhattan;
        p15_board board = boards[i]; /* once: what is checked is what is evaluated */
        status[i] = (uint8_t)values_of(e, board, false, &manhattan, &c->values[c->count]);
        if (each)
            p15_values_spread(0, e->count, h + i * e->count);
        else
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
        for (size_t j = 0; j < c->count; j++)
            if (each)
                p15_values_spread(c->values[j], e->count, h + waiting[j] * e->count);
            else
                h[waiting[j]] = (uint8_t)p15_values_h(c->values[j]);
        c->count = 0;
    }
    p15_evaluations_delete(c);
    return P15_OK;
}

/* ------------------------------------------------------------------------------------------------ children */

/* By how much a lookup's value changes when `tile` moves from `cell` to the blank's cell. */
static inline int lookup_change(const lookup *l, p15_board parent, unsigned blank, unsigned tile, unsigned cell) {
    const p15_problem *problem = l->problem;
    const p15_lookup *of = &problem->lookups[l->number];
    unsigned pattern = of->pattern_of[tile], map;
    uint32_t perm;
    p15_pattern_state(parent, problem->shape.cells, l->shift_of, l->mates[tile], problem->label_of[pattern], &map,
                      &perm);
    return p15_table_change(&problem->tables[pattern], map, perm, of->cell_to[cell], of->cell_to[blank]);
}

/* All values of a child but those of networks and functions. */
static inline p15_values child_values_of(const p15_evaluator *e, p15_board parent, p15_values values, unsigned blank,
                                         unsigned direction, unsigned tile, unsigned cell) {
    p15_values found = 0;
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
        case COMPILED: {
            unsigned value = (unsigned)(values >> (8 * i)) & 255u;
            found |= (p15_values)p15_compiled_value_of_child(c->compiled, parent, value, tile, cell, blank) << (8 * i);
            continue;
        }
        default:
            change = lookup_change(&c->lookup, parent, blank, tile, cell);
        }
        found |= (p15_values)(((unsigned)(values >> (8 * i)) + (unsigned)change) & 255u) << (8 * i);
    }
    return found;
}

unsigned p15_evaluator_child(const p15_evaluator *e, p15_board parent, p15_values values, unsigned blank,
                             unsigned direction, p15_values *child_values) {
    unsigned cell = (uint8_t)(blank + e->offsets[direction]), tile = p15_board_tile(parent, cell);
    p15_values found = child_values_of(e, parent, values, blank, direction, tile, cell);
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
            found |= (p15_values)value << (8 * i);
        }
    }
    *child_values = found;
    return p15_values_h(found);
}

p15_status p15_evaluations_new(const p15_evaluator *e, size_t room, p15_evaluations **made) {
    *made = NULL;
    if (room < 1 || room > P15_MAX_EVALUATIONS) return P15_ERR_ARGUMENT;
    p15_evaluations *c = calloc(1, sizeof *c);
    if (!c) return P15_ERR_MEMORY;
    c->evaluator = e;
    c->room = room;
    c->values = malloc(room * (sizeof *c->values + sizeof *c->boards + sizeof *c->manhattans + sizeof *c->returned));
    p15_status status = c->values ? P15_OK : P15_ERR_MEMORY;
    if (c->values) {
        c->boards = (p15_board *)(c->values + room);
        c->manhattans = (uint8_t *)(c->boards + room);
        c->returned = c->manhattans + room;
    }
    size_t most = room < P15_DENSE_MAX_BATCH ? room : P15_DENSE_MAX_BATCH;
    for (unsigned i = 0; i < e->count && status == P15_OK; i++)
        if (e->components[i]->kind == NETWORK)
            status = p15_dense_batch_new(e->components[i]->network.dense, most, &c->batches[i]);
    if (status == P15_OK)
        *made = c;
    else
        p15_evaluations_delete(c);
    return status;
}

void p15_evaluations_delete(p15_evaluations *c) {
    if (!c) return;
    for (unsigned i = 0; i < P15_MAX_COMPONENTS; i++) p15_dense_batch_delete(c->batches[i]);
    free(c->values);
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
    if (e->has_network && c->count - c->predicted == P15_DENSE_MAX_BATCH) predict(c);
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

static void prepare_lookup(const p15_problem *problem, unsigned number, lookup *l) {
    const p15_lookup *of = &problem->lookups[number];
    l->problem = problem;
    l->number = number;
    for (unsigned cell = 0; cell < problem->shape.cells; cell++) l->shift_of[of->cell_to[cell]] = (uint8_t)(4 * cell);
    for (unsigned tile = 1; tile < problem->shape.cells; tile++)
        for (unsigned mate = 1; mate < problem->shape.cells; mate++)
            if (of->pattern_of[mate] == of->pattern_of[tile]) l->mates[tile] |= (uint16_t)(1u << mate);
}

/* Whether there is room for more components, which are for this goal of this shape. */
static bool can_add(const p15_evaluator *e, unsigned count, p15_shape shape, p15_board goal) {
    return count <= P15_MAX_COMPONENTS - e->count && shape.cells == e->distances.shape.cells &&
           shape.cols == e->distances.shape.cols && goal == e->distances.goal;
}

p15_status p15_evaluator_add_lookups(p15_evaluator *e, const p15_problem *problem) {
    if (!can_add(e, problem->lookup_count, problem->shape, problem->goal)) return P15_ERR_ARGUMENT;
    unsigned before = e->count;
    for (unsigned i = 0; i < problem->lookup_count; i++) {
        component *c = append(e, LOOKUP);
        if (!c) {
            while (e->count > before) free(e->components[--e->count]);
            return P15_ERR_MEMORY;
        }
        prepare_lookup(problem, i, &c->lookup);
    }
    return P15_OK;
}

p15_status p15_evaluator_add_network(p15_evaluator *e, const p15_dense *dense, bool residual, float lowered) {
    const p15_shape shape = {.rows = 4, .cols = 4, .cells = 16};
    bool right = lowered >= 0 && lowered <= (float)P15_FARTHEST_4X4;
    if (!right || !can_add(e, 1, shape, p15_board_goal(shape, 15))) return P15_ERR_ARGUMENT;
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
    if (!can_add(e, 1, sum->shape, sum->goal)) return P15_ERR_ARGUMENT;
    component *c = append(e, PATTERNS);
    if (!c) return P15_ERR_MEMORY;
    c->patterns = *sum;
    return P15_OK;
}

p15_status p15_evaluator_add_compiled(p15_evaluator *e, p15_compiled *compiled) {
    if (e->count == P15_MAX_COMPONENTS) return P15_ERR_ARGUMENT;
    component *c = append(e, COMPILED);
    if (!c) return P15_ERR_MEMORY;
    c->compiled = compiled;
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
