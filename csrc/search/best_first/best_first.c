#include "search/best_first/best_first.h"

#include "search/best_first/children.h"
#include "search/best_first/compilations.h"

#include <stdlib.h>
#include <string.h>

#define NO_SOLUTION UINT32_MAX
#define PREPARED_BITS 6

/* A node's children, the undo of the last move among them. */
typedef struct {
    p15_board board; /* 0: none */
    unsigned count;
    p15_child children[P15_DIRECTIONS];
} children;

/* A node that waits for its children's values. */
typedef struct {
    children children;
    p15_values values;
    p15_slot slot;
    uint8_t wanted; /* children that were given to be evaluated, as bits */
} parent;

struct p15_bestfirst {
    const p15_evaluator *evaluator;
    const p15_h_changes *changes;
    p15_shape shape;
    p15_board start, goal;
    unsigned components;
    p15_bestfirst_options options;
    p15_closed closed;
    p15_open open;
    p15_search_state state;
    bool by_h;            /* the column of an open entry is its h */
    uint32_t best;        /* moves of the best solution so far, NO_SOLUTION before there is one */
    unsigned largest_row; /* that was ever taken from */
    uint64_t expanded, generated, reopened, open_count, largest_open, closed_count, largest_closed;
    children prepared[1u << PREPARED_BITS]; /* a cache, filled by board */
    p15_moves moves;
    parent *parents;                  /* a batch; NULL: nodes are expanded one by one, children evaluated one by one */
    unsigned parent_count, parent_at; /* in the batch; the one whose children are made next */
    const p15_values *child_values;   /* that are next */
    p15_children *evaluated;
    p15_trace *trace; /* NULL: none */
};

/* ------------------------------------------------------------------------------------------------ memory */

static size_t bytes_of(const p15_bestfirst *search) {
    return p15_closed_bytes(&search->closed) + p15_open_bytes(&search->open);
}

/* The closed table has become larger. */
static void note_growth(p15_bestfirst *search) {
    search->open.max_bytes = search->options.max_bytes - p15_closed_bytes(&search->closed);
    memset(search->prepared, 0, sizeof search->prepared);
}

/* A larger closed table, at once. False: no room. */
static bool enlarge(p15_bestfirst *search) {
    size_t max_bytes = search->options.max_bytes;
    if (p15_closed_enlarge(&search->closed, p15_open_bytes(&search->open), max_bytes) != P15_OK) return false;
    note_growth(search);
    return true;
}

P15_INLINE bool has_room(const p15_bestfirst *search) {
    return search->closed.node_count + P15_DIRECTIONS <= search->closed.room;
}

/* A piece of making the closed table larger. False: come again. */
static bool grow_on(p15_bestfirst *search) {
    if (search->closed.refused) return true;
    if (!p15_closed_grow_on(&search->closed, p15_open_bytes(&search->open), search->options.max_bytes)) return false;
    if (!search->closed.refused) note_growth(search);
    return true;
}

/* ------------------------------------------------------------------------------------------------ nodes */

P15_INLINE p15_status put(p15_bestfirst *search, p15_board board, unsigned g, unsigned h, p15_values values) {
    unsigned row = search->options.g_weight * g + search->options.h_weight * h;
    p15_status status = p15_open_put(&search->open, row, search->by_h ? h : 0, board, values);
    if (status) return status;
    if (++search->open_count > search->largest_open) search->largest_open = search->open_count;
    return P15_OK;
}

/* The slot of a board that is in the table. */
P15_INLINE p15_slot *known(const p15_bestfirst *search, p15_board board) {
    return p15_closed_find(&search->closed, p15_closed_where(&search->closed, board));
}

P15_INLINE void close_slot(p15_bestfirst *search, p15_slot *slot) {
    *slot = p15_slot_close(*slot);
    search->open_count--;
    if (++search->closed_count > search->largest_closed) search->largest_closed = search->closed_count;
}

/* The children of a board, and where they belong. Whoever asks before the board's turn has come also asks the memory
 * for these places, and by then it has answered. */
P15_INLINE children *children_of(p15_bestfirst *search, p15_board board) {
    children *c = &search->prepared[board * UINT64_C(0x9e3779b97f4a7c15) >> (64 - PREPARED_BITS)];
    if (c->board == board) return c;
    c->board = board;
    c->count = p15_child_make(&search->closed, &search->moves, board, c->children);
    return c;
}

/* Prepares what will be taken soon: the entry that is next, and, where smaller h goes first, those children of the
 * present node that have one. */
P15_INLINE void look_ahead(p15_bestfirst *search, const children *c, bool summed) {
    p15_board coming = p15_open_next(&search->open);
    if (coming) {
        p15_closed_prefetch(&search->closed, p15_closed_where(&search->closed, coming));
        children_of(search, coming);
    }
    if (!summed || !search->by_h) return;
    unsigned blank = p15_board_blank(c->board);
    for (unsigned i = 0; i < c->count; i++) {
        unsigned direction = c->children[i].direction, tile = p15_board_tile(c->children[i].board, blank);
        if ((*search->changes)[blank][direction][tile] < 0) children_of(search, c->children[i].board);
    }
}

/* The node that a child's place holds (0: none yet), after making the table larger if it must be. NULL: no room. */
P15_INLINE p15_slot *place_of(p15_bestfirst *search, children *c, const p15_child *made) {
    p15_slot *place = p15_closed_find(&search->closed, made->where);
    if (place) return place;
    if (!enlarge(search)) return NULL; /* very rare: too many nodes in one neighbourhood */
    p15_child_place(&search->closed, c->children, c->count);
    return p15_closed_find(&search->closed, made->where);
}

P15_INLINE bool is_greedy(const p15_bestfirst *search) {
    return search->options.g_weight == 0 && !search->options.prove;
}

/* Files a child at its place, where there is no way as short, unless it cannot better the best solution. False: no
 * room. */
P15_INLINE bool keep(p15_bestfirst *search, const p15_child *made, p15_slot *place, unsigned g, unsigned h,
                     p15_values values, bool traced) {
    bool cut = search->best != NO_SOLUTION && g + h >= search->best;
    if (traced) {
        p15_fate fate = cut ? P15_FATE_CUT : *place ? P15_FATE_REOPENED : P15_FATE_OPEN;
        p15_trace_child(search->trace, made->direction, fate);
    }
    if (cut) return true;
    if (*place == 0) {
        p15_closed_add(&search->closed, made->where, place, g, made->direction);
    } else {
        if (p15_slot_closed(*place))
            search->reopened++, search->closed_count--;
        else
            search->open_count--; /* the entry that it has is void */
        *place = p15_slot_moved(*place, g, made->direction);
    }
    return put(search, made->board, g, h, values) == P15_OK;
}

/* Makes the children of a node. False: no room. */
P15_INLINE bool expand(p15_bestfirst *search, children *c, p15_slot slot, p15_values values, bool summed, bool traced) {
    unsigned blank = p15_board_blank(c->board), g = p15_slot_g(slot);
    unsigned undo = g == 0 ? P15_DIRECTIONS : 3u - p15_slot_direction(slot);
    search->expanded++;
    search->generated += c->count - (g > 0);
    if (traced) p15_trace_node(search->trace, c->board, values, g, false);
    if (g < P15_CLOSED_MAX_G) g++;
    bool greedy = is_greedy(search);
    for (unsigned i = 0; i < c->count; i++) {
        const p15_child *made = &c->children[i];
        if (made->direction == undo) continue;
        p15_slot *place = place_of(search, c, made);
        if (!place) return false;
        if (*place && (greedy || g >= p15_slot_g(*place))) {
            if (traced) p15_trace_child(search->trace, made->direction, P15_FATE_KNOWN);
            continue;
        }
        p15_values child_values;
        unsigned h;
        if (summed) {
            unsigned tile = p15_board_tile(made->board, blank);
            child_values = h = (unsigned)((int)values + (*search->changes)[blank][made->direction][tile]);
        } else {
            h = p15_evaluator_child(search->evaluator, c->board, values, blank, made->direction, &child_values);
        }
        if (!keep(search, made, place, g, h, child_values, traced)) return false;
    }
    return true;
}

/* Gives those children of a node to be evaluated that may be kept. */
P15_INLINE void want_children(p15_bestfirst *search, parent *p) {
    unsigned blank = p15_board_blank(p->children.board), g = p15_slot_g(p->slot);
    unsigned undo = g == 0 ? P15_DIRECTIONS : 3u - p15_slot_direction(p->slot);
    bool greedy = is_greedy(search);
    if (g < P15_CLOSED_MAX_G) g++;
    p->wanted = 0;
    for (unsigned i = 0; i < p->children.count; i++) {
        const p15_child *made = &p->children.children[i];
        if (made->direction == undo) continue;
        const p15_slot *place = p15_closed_find(&search->closed, made->where);
        if (place && *place && (greedy || g >= p15_slot_g(*place))) continue;
        p->wanted |= (uint8_t)(1u << i);
        p15_children_add(search->evaluated, p->children.board, p->values, blank, made->direction);
    }
}

/* Makes the children of a node, whose values are next in *values. False: no room. */
P15_INLINE bool make_children(p15_bestfirst *search, parent *p, const p15_values **values, bool traced) {
    children *c = &p->children;
    unsigned g = p15_slot_g(p->slot);
    unsigned undo = g == 0 ? P15_DIRECTIONS : 3u - p15_slot_direction(p->slot);
    if (!has_room(search)) return false;
    p15_child_place(&search->closed, c->children, c->count);
    search->expanded++;
    search->generated += c->count - (g > 0);
    if (traced) p15_trace_node(search->trace, c->board, p->values, g, false);
    if (g < P15_CLOSED_MAX_G) g++;
    bool greedy = is_greedy(search);
    for (unsigned i = 0; i < c->count; i++) {
        const p15_child *made = &c->children[i];
        if (!(p->wanted >> i & 1u)) {
            if (traced && made->direction != undo) p15_trace_child(search->trace, made->direction, P15_FATE_KNOWN);
            continue;
        }
        p15_values child_values = *(*values)++;
        p15_slot *place = place_of(search, c, made);
        if (!place) return false;
        if (*place && (greedy || g >= p15_slot_g(*place))) { /* another node of the batch came first */
            if (traced) p15_trace_child(search->trace, made->direction, P15_FATE_KNOWN);
            continue;
        }
        if (!keep(search, made, place, g, p15_values_h(child_values), child_values, traced)) return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ the search */

p15_status p15_bestfirst_new(const p15_evaluator *evaluator, p15_board start, const p15_bestfirst_options *options,
                             p15_bestfirst **made) {
    *made = NULL;
    p15_moves moves;
    if (p15_moves_init(p15_evaluator_shape(evaluator), options->order, &moves) != P15_OK ||
        (unsigned)options->ties > P15_TIES_LARGER_G || options->g_weight > P15_MAX_WEIGHT ||
        options->h_weight > P15_MAX_WEIGHT || options->g_weight + options->h_weight == 0 || options->batch < 1 ||
        options->batch > P15_MAX_EXPANDED)
        return P15_ERR_ARGUMENT;
    unsigned h;
    p15_values values;
    p15_status status = p15_evaluator_board(evaluator, start, &h, &values);
    if (status) return status;
    p15_bestfirst *search = calloc(1, sizeof *search);
    if (!search) return P15_ERR_MEMORY;
    search->evaluator = evaluator;
    search->changes = p15_evaluator_changes(evaluator);
    search->shape = p15_evaluator_shape(evaluator);
    search->start = start;
    search->goal = p15_evaluator_goal(evaluator);
    search->components = p15_evaluator_count(evaluator);
    search->options = *options;
    search->best = NO_SOLUTION;
    search->by_h = options->ties == P15_TIES_LARGER_G && search->components > 0;
    search->moves = moves;
    bool wide = search->components > 1 || (search->components == 1 && !search->by_h);
    status = p15_closed_init(search->shape, options->max_bytes, &search->closed);
    if (!status) {
        status = p15_open_init(options->ties != P15_TIES_FIFO, wide, search->by_h ? P15_OPEN_COLUMNS : 1,
                               options->max_bytes - p15_closed_bytes(&search->closed), &search->open);
        if (status) p15_closed_free(&search->closed);
    }
    if (!status) {
        p15_where where = p15_closed_where(&search->closed, start);
        p15_closed_add(&search->closed, where, p15_closed_find(&search->closed, where), 0, 0);
        status = put(search, start, 0, h, values);
        if (status) {
            p15_closed_free(&search->closed);
            p15_open_free(&search->open);
        }
    }
    if (!status && (options->batch > 1 || p15_evaluator_prefers_batches(evaluator))) {
        search->parents = malloc(options->batch * sizeof *search->parents);
        status = search->parents
                     ? p15_children_new(evaluator, (size_t)options->batch * P15_DIRECTIONS, &search->evaluated)
                     : P15_ERR_MEMORY;
        if (status) {
            p15_bestfirst_delete(search);
            return status;
        }
    }
    if (status) {
        free(search);
        return status;
    }
    *made = search;
    return P15_OK;
}

void p15_bestfirst_delete(p15_bestfirst *search) {
    if (!search) return;
    p15_closed_free(&search->closed);
    p15_open_free(&search->open);
    p15_children_delete(search->evaluated);
    free(search->parents);
    free(search);
}

void p15_bestfirst_trace(p15_bestfirst *search, p15_trace *trace) { search->trace = trace; }

static bool end(p15_bestfirst *search, p15_search_state state) {
    search->state = state;
    return false;
}

/* Notes that the goal was taken. False: that ends the search. */
P15_INLINE bool take_goal(p15_bestfirst *search, p15_slot slot, p15_values values, bool traced) {
    search->best = (uint32_t)p15_closed_walk(&search->closed, &search->moves, search->start, search->goal, NULL, 0);
    if (traced) {
        p15_trace_node(search->trace, search->goal, values, p15_slot_g(slot), true);
        search->trace->bound = search->best - 1; /* P15_NO_BOUND where the start is the goal */
    }
    return search->options.prove || end(search, P15_SEARCH_SOLVED);
}

P15_INLINE bool run(p15_bestfirst *search, uint64_t expansions, bool summed, bool traced) {
    for (; expansions > 0; expansions--) {
        unsigned row, column;
        p15_board board;
        p15_values values = 0;
        bool room = has_room(search);
        if (!room) {
            if (!grow_on(search)) return true;
            room = has_room(search);
        }
        if (!p15_open_take(&search->open, &row, &column, &board, &values))
            return end(search, search->best == NO_SOLUTION ? P15_SEARCH_FAILED : P15_SEARCH_SOLVED);
        if (row > search->largest_row) search->largest_row = row;
        if (search->by_h && search->components == 1) values = column;
        children c = *children_of(search, board);
        look_ahead(search, &c, summed);
        p15_slot *slot = known(search, board);
        if (p15_slot_closed(*slot)) continue; /* it was put again with a smaller g, and has been taken since */
        close_slot(search, slot);
        if (search->best != NO_SOLUTION && p15_slot_g(*slot) + p15_values_h(values) >= search->best) continue;
        if (board == search->goal) {
            if (!take_goal(search, *slot, values, traced)) return false;
        } else if (!room || !expand(search, &c, *slot, values, summed, traced)) {
            return end(search, P15_SEARCH_NO_ROOM);
        }
    }
    return true;
}

/* Takes a batch and evaluates its children. Returns how many entries it took; 0: the search has ended. */
P15_INLINE unsigned take_batch(p15_bestfirst *search, bool traced) {
    unsigned count = 0, taken = 0;
    while (count < search->options.batch) {
        unsigned row, column;
        p15_board board;
        p15_values values = 0;
        if (count > 0 && p15_open_next(&search->open) == search->goal) break;
        if (!p15_open_take(&search->open, &row, &column, &board, &values)) break;
        taken++;
        if (count == 0 && row > search->largest_row) search->largest_row = row;
        if (search->by_h && search->components == 1) values = column;
        p15_slot *slot = known(search, board);
        if (p15_slot_closed(*slot)) continue;
        close_slot(search, slot);
        if (search->best != NO_SOLUTION && p15_slot_g(*slot) + p15_values_h(values) >= search->best) continue;
        if (board != search->goal) {
            parent *p = &search->parents[count++];
            *p = (parent){*children_of(search, board), values, *slot, 0};
            continue;
        }
        if (!take_goal(search, *slot, values, traced)) return 0;
    }
    if (taken == 0) {
        end(search, search->best == NO_SOLUTION ? P15_SEARCH_FAILED : P15_SEARCH_SOLVED);
        return 0;
    }
    for (unsigned i = 0; i < count; i++) want_children(search, &search->parents[i]);
    search->child_values = p15_children_run(search->evaluated);
    search->parent_count = count;
    search->parent_at = 0;
    return taken;
}

/* The same in batches. A batch may be left between two of its nodes. */
P15_INLINE bool run_batches(p15_bestfirst *search, uint64_t expansions, bool traced) {
    unsigned rest = search->parent_count - search->parent_at;
    expansions -= rest < expansions ? rest : expansions;
    for (;;) {
        for (; search->parent_at < search->parent_count; search->parent_at++) {
            if (!has_room(search) && !grow_on(search)) return true;
            if (!make_children(search, &search->parents[search->parent_at], &search->child_values, traced))
                return end(search, P15_SEARCH_NO_ROOM);
        }
        if (expansions == 0) return true;
        unsigned taken = take_batch(search, traced);
        if (taken == 0) return false;
        expansions -= taken < expansions ? taken : expansions;
    }
}

P15_INLINE bool run_all(p15_bestfirst *search, uint64_t expansions, bool traced) {
    if (search->parents) return run_batches(search, expansions, traced);
    return search->changes && !traced ? run(search, expansions, true, false) : run(search, expansions, false, traced);
}

P15_DEFINE_RUN_SOME(p15_bestfirst, run_all, search->options.cpu)

bool p15_bestfirst_run(p15_bestfirst *search, uint64_t expansions) {
    if (search->state != P15_SEARCH_RUNNING) return false;
    return (search->closed.growth && !grow_on(search)) || run_some(search, expansions);
}

/* Some node on a shortest way is always open, and its priority at most the length of the way times the larger weight.
 * So every row that was ever the first proves a bound. */
static unsigned proved(const p15_bestfirst *search) {
    const p15_bestfirst_options *options = &search->options;
    unsigned larger = options->g_weight > options->h_weight ? options->g_weight : options->h_weight;
    if (options->prove) return search->state == P15_SEARCH_SOLVED ? search->best : 0;
    return options->g_weight ? (search->largest_row + larger - 1) / larger : 0;
}

void p15_bestfirst_report(const p15_bestfirst *search, p15_report *report) {
    *report = (p15_report){
        .state = search->state,
        .lower_bound = proved(search),
        .expanded = search->expanded,
        .generated = search->generated,
        .reopened = search->reopened,
        .largest_open = search->largest_open,
        .largest_closed = search->largest_closed,
        .nodes = search->closed.node_count,
        .bytes = bytes_of(search),
        .upkeep = search->closed.growth != NULL,
    };
}

size_t p15_bestfirst_path(const p15_bestfirst *search, uint8_t *directions, size_t room) {
    if (search->best == NO_SOLUTION) return SIZE_MAX;
    return p15_closed_walk(&search->closed, &search->moves, search->start, search->goal, directions, room);
}
