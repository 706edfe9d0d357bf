#include "search/best_first/anytime.h"

#include "search/best_first/children.h"
#include "search/best_first/compilations.h"

#include <stdlib.h>
#include <string.h>

#define NO_SOLUTION UINT32_MAX
#define NO_ROW UINT32_MAX

/* A node at its turn. */
typedef struct {
    p15_board board; /* 0: none */
    p15_values values;
    p15_slot slot;
    unsigned count;
    uint8_t wanted; /* children that were given to be evaluated, as bits */
    p15_child children[P15_DIRECTIONS];
} parent;

struct p15_anytime {
    const p15_evaluator *evaluator;
    const p15_h_changes *changes;
    p15_board start, goal;
    unsigned components;
    p15_anytime_options options;
    p15_moves moves;
    p15_closed closed;
    p15_open open;
    p15_open later; /* ARA*: nodes that wait for the next round, filed in the same way */
    p15_search_state state;
    unsigned h_weight, finished_h_weight; /* of the present round, and of the last one that has ended */
    unsigned serving;                     /* the row of the open list whose first node is the next; NO_ROW: none */
    uint64_t serving_priority;
    unsigned lower_bound; /* the largest least f so far */
    uint32_t best;        /* moves of the best solution so far, NO_SOLUTION before there is one */
    uint8_t *path;        /* its directions */
    uint32_t told_best;   /* when there was something new last */
    unsigned told;
    bool met;      /* a shorter way to the goal, by the node that is being expanded */
    bool rounding; /* a round is about to begin: see begin_round */
    size_t opened; /* buckets of the closed table whose nodes are open again */
    uint64_t expanded, generated, reopened, largest_open, closed_count, largest_closed;
    parent ahead;    /* the children of the node that is probably the next: their places are on the way */
    parent *parents; /* a batch; NULL: nodes are expanded one by one, children evaluated one by one */
    unsigned parent_count, parent_at; /* in the batch; the one whose children are made next */
    const p15_values *child_values;   /* that are next */
    p15_children *evaluated;
    p15_trace *trace; /* NULL: none */
};

/* ------------------------------------------------------------------------------------------------ memory */

static bool has_rounds(const p15_anytime *search) { return search->options.h_step > 0; }

static size_t waiting_bytes(const p15_anytime *search) {
    return p15_open_bytes(&search->open) + (has_rounds(search) ? p15_open_bytes(&search->later) : 0);
}

/* What is left to both lists of nodes that wait. */
static void share_room(p15_anytime *search) {
    size_t room = search->options.max_bytes - p15_closed_bytes(&search->closed);
    size_t open = p15_open_bytes(&search->open), later = waiting_bytes(search) - open;
    search->open.max_bytes = room > later ? room - later : 0;
    if (has_rounds(search)) search->later.max_bytes = room > open ? room - open : 0;
}

/* The closed table has become larger. */
static void note_growth(p15_anytime *search) {
    search->ahead.board = 0;
    share_room(search);
}

/* A larger closed table, at once. False: no room. */
static bool enlarge(p15_anytime *search) {
    if (p15_closed_enlarge(&search->closed, waiting_bytes(search), search->options.max_bytes) != P15_OK) return false;
    note_growth(search);
    return true;
}

P15_INLINE bool has_room(const p15_anytime *search) {
    return search->closed.node_count + P15_DIRECTIONS <= search->closed.room;
}

/* A piece of making the closed table larger. False: come again. */
static bool grow_on(p15_anytime *search) {
    if (search->closed.refused) return true;
    if (!p15_closed_grow_on(&search->closed, waiting_bytes(search), search->options.max_bytes)) return false;
    if (!search->closed.refused) note_growth(search);
    return true;
}

/* ------------------------------------------------------------------------------------------------ the open list */

P15_INLINE uint64_t priority_of(const p15_anytime *search, unsigned f, unsigned h) {
    return (uint64_t)search->options.g_weight * f + (uint64_t)(search->h_weight - search->options.g_weight) * h;
}

/* Finds the row that is served next: of those that may hold a better solution. */
static void choose_row(p15_anytime *search) {
    p15_open *open = &search->open;
    unsigned rows = open->row_count < search->best ? open->row_count : search->best, h = 0;
    search->serving = NO_ROW;
    search->serving_priority = UINT64_MAX;
    for (size_t left = open->count, f = open->row; f < rows && left > 0; f++) {
        p15_open_row *row = &open->rows[f];
        if (row->count == 0) continue;
        left -= row->count;
        p15_open_first_of(row);
        uint64_t priority = priority_of(search, (unsigned)f, row->first);
        if (priority > search->serving_priority || (priority == search->serving_priority && row->first > h)) continue;
        search->serving = (unsigned)f;
        search->serving_priority = priority;
        h = row->first;
    }
}

/* Files a node by f and h. False: no room. */
P15_INLINE bool put(p15_anytime *search, p15_open *list, p15_board board, unsigned g, unsigned h, p15_values values) {
    if (has_rounds(search)) share_room(search); /* one list may have grown beside the other */
    if (p15_open_put(list, g + h, h, board, values) != P15_OK) return false;
    if (list == &search->open) {
        uint64_t priority = priority_of(search, g + h, h);
        if (search->serving == NO_ROW || priority < search->serving_priority ||
            (priority == search->serving_priority && h < search->open.rows[search->serving].first)) {
            search->serving = g + h;
            search->serving_priority = priority;
        }
    }
    size_t waiting = search->open.count + search->later.count;
    if (waiting > search->largest_open) search->largest_open = waiting;
    return true;
}

/* The least f of all nodes that wait, NO_ROW if there is none. */
static unsigned least_row(p15_open *open) { return p15_open_first(open) ? open->row : NO_ROW; }

/* ------------------------------------------------------------------------------------------------ nodes */

P15_INLINE void make_children(const p15_anytime *search, p15_board board, parent *made) {
    made->board = board;
    made->count = p15_child_make(&search->closed, &search->moves, board, made->children);
}

/* The node that a child's place holds (0: none yet), after making the table larger if it must be. NULL: no room. */
P15_INLINE p15_slot *place_of(p15_anytime *search, parent *p, const p15_child *made) {
    p15_slot *place = p15_closed_find(&search->closed, made->where);
    if (place) return place;
    if (!enlarge(search)) return NULL; /* very rare: too many nodes in one neighbourhood */
    p15_child_place(&search->closed, p->children, p->count);
    return p15_closed_find(&search->closed, made->where);
}

/* Files a child at its place, where there is no way as short, unless it cannot better the best solution. The goal does
 * not wait: it only gets its place. False: no room. */
P15_INLINE bool keep(p15_anytime *search, const p15_child *made, p15_slot *place, unsigned g, unsigned h,
                     p15_values values, bool traced) {
    bool goal = made->board == search->goal, known = *place != 0, closed = p15_slot_closed(*place);
    bool cut = g + (goal ? 0 : h) >= search->best;
    if (traced)
        p15_trace_child(search->trace, made->direction, cut ? P15_FATE_CUT : known ? P15_FATE_REOPENED : P15_FATE_OPEN);
    if (cut) return true;
    if (!known) p15_closed_add(&search->closed, made->where, place, g, made->direction);
    *place = p15_slot_moved(*place, g, made->direction);
    search->reopened += closed;
    if (goal) {
        search->met = true;
        return true;
    }
    if (closed && has_rounds(search)) {
        *place = p15_slot_close(*place);
        return put(search, &search->later, made->board, g, h, values);
    }
    search->closed_count -= closed;
    return put(search, &search->open, made->board, g, h, values);
}

/* Gives those children of a node to be evaluated that may be kept. */
static void want_children(p15_anytime *search, parent *p) {
    unsigned blank = p15_board_blank(p->board), g = p15_slot_g(p->slot);
    unsigned undo = g == 0 ? P15_DIRECTIONS : 3u - p15_slot_direction(p->slot);
    if (g < P15_CLOSED_MAX_G) g++;
    p->wanted = 0;
    for (unsigned i = 0; i < p->count; i++) {
        const p15_child *made = &p->children[i];
        if (made->direction == undo) continue;
        const p15_slot *place = p15_closed_find(&search->closed, made->where);
        if (place && *place && g >= p15_slot_g(*place)) continue;
        p->wanted |= (uint8_t)(1u << i);
        p15_children_add(search->evaluated, p->board, p->values, blank, made->direction);
    }
}

/* Keeps the way to the goal, which has become shorter. False: no memory. */
static bool take_goal(p15_anytime *search, bool traced) {
    size_t length = p15_closed_walk(&search->closed, &search->moves, search->start, search->goal, NULL, 0);
    uint8_t *path = realloc(search->path, length + 1);
    if (!path) return false;
    search->path = path;
    p15_closed_walk(&search->closed, &search->moves, search->start, search->goal, path, length);
    search->best = (uint32_t)length;
    search->met = false;
    choose_row(search);
    if (traced) {
        unsigned g = p15_slot_g(*p15_closed_find(&search->closed, p15_closed_where(&search->closed, search->goal)));
        p15_trace_node(search->trace, search->goal, 0, g, true);
        search->trace->bound = search->best - 1; /* P15_NO_BOUND where the start is the goal */
    }
    return true;
}

/* Makes the children of a node; *values, if any, are those of the children that are wanted. False: no room. */
P15_INLINE bool expand(p15_anytime *search, parent *p, const p15_values **values, bool summed, bool traced) {
    unsigned blank = p15_board_blank(p->board), g = p15_slot_g(p->slot);
    unsigned undo = g == 0 ? P15_DIRECTIONS : 3u - p15_slot_direction(p->slot);
    search->expanded++;
    search->generated += p->count - (g > 0);
    if (traced) p15_trace_node(search->trace, p->board, p->values, g, false);
    if (g < P15_CLOSED_MAX_G) g++;
    for (unsigned i = 0; i < p->count; i++) {
        const p15_child *made = &p->children[i];
        if (made->direction == undo) continue;
        bool wanted = !values || (p->wanted >> i & 1u);
        p15_values child_values = values && wanted ? *(*values)++ : 0;
        p15_slot *place = wanted ? place_of(search, p, made) : NULL;
        if (wanted && !place) return false;
        if (!wanted || (*place && g >= p15_slot_g(*place))) {
            if (traced) p15_trace_child(search->trace, made->direction, P15_FATE_KNOWN);
            continue;
        }
        unsigned h;
        if (values) {
            h = p15_values_h(child_values);
        } else if (summed) {
            unsigned tile = p15_board_tile(made->board, blank);
            child_values = h = (unsigned)((int)p->values + (*search->changes)[blank][made->direction][tile]);
        } else {
            h = p15_evaluator_child(search->evaluator, p->board, p->values, blank, made->direction, &child_values);
        }
        if (!keep(search, made, place, g, h, child_values, traced)) return false;
    }
    return !search->met || take_goal(search, traced);
}

/* ------------------------------------------------------------------------------------------------ the search */

p15_status p15_anytime_new(const p15_evaluator *evaluator, p15_board start, const p15_anytime_options *options,
                           p15_anytime **made) {
    *made = NULL;
    p15_moves moves;
    p15_shape shape = p15_evaluator_shape(evaluator);
    if (p15_moves_init(shape, options->order, &moves) != P15_OK || options->g_weight < 1 ||
        options->h_weight < options->g_weight || options->h_weight > P15_MOST_PARTS || options->batch < 1 ||
        options->batch > (options->h_step ? 1 : P15_MOST_AT_ONCE))
        return P15_ERR_ARGUMENT;
    unsigned h;
    p15_values values;
    p15_status status = p15_evaluator_board(evaluator, start, &h, &values);
    if (status) return status;
    p15_anytime *search = calloc(1, sizeof *search);
    if (!search) return P15_ERR_MEMORY;
    search->evaluator = evaluator;
    search->changes = p15_evaluator_changes(evaluator);
    search->start = start;
    search->goal = p15_evaluator_goal(evaluator);
    search->components = p15_evaluator_count(evaluator);
    search->options = *options;
    search->moves = moves;
    search->h_weight = options->h_weight;
    search->finished_h_weight = has_rounds(search) ? 0 : options->h_weight;
    search->best = search->told_best = NO_SOLUTION;
    search->serving = NO_ROW;
    search->lower_bound = h;
    bool wide = search->components > 1;
    size_t room = options->max_bytes;
    status = p15_closed_init(shape, room, &search->closed);
    if (!status) room -= p15_closed_bytes(&search->closed);
    if (!status) status = p15_open_init(true, wide, P15_OPEN_COLUMNS, room, &search->open);
    if (!status && has_rounds(search)) {
        room -= p15_open_bytes(&search->open) < room ? p15_open_bytes(&search->open) : room;
        status = p15_open_init(true, wide, P15_OPEN_COLUMNS, room, &search->later);
    }
    if (!status) {
        p15_where where = p15_closed_where(&search->closed, start);
        p15_closed_add(&search->closed, where, p15_closed_find(&search->closed, where), 0, 0);
        share_room(search);
        if (!put(search, &search->open, start, 0, h, values)) status = P15_ERR_MEMORY;
    }
    if (!status && (options->batch > 1 || p15_evaluator_prefers_batches(evaluator))) {
        search->parents = malloc(options->batch * sizeof *search->parents);
        status = search->parents
                     ? p15_children_new(evaluator, (size_t)options->batch * P15_DIRECTIONS, &search->evaluated)
                     : P15_ERR_MEMORY;
    }
    if (status) {
        p15_anytime_delete(search);
        return status;
    }
    *made = search;
    return P15_OK;
}

void p15_anytime_delete(p15_anytime *search) {
    if (!search) return;
    p15_closed_free(&search->closed);
    p15_open_free(&search->open);
    p15_open_free(&search->later);
    p15_children_delete(search->evaluated);
    free(search->parents);
    free(search->path);
    free(search);
}

void p15_anytime_trace(p15_anytime *search, p15_trace *trace) { search->trace = trace; }

static bool end(p15_anytime *search, p15_search_state state) {
    search->state = state;
    return false;
}

/* The next round is about to begin, with a smaller weight. */
static void next_round(p15_anytime *search) {
    unsigned step = search->options.h_step, most = search->h_weight - search->options.g_weight;
    search->h_weight -= step < most ? step : most;
    search->closed_count = 0;
    choose_row(search); /* by the new weight */
    search->opened = 0;
    search->rounding = true;
}

/* A piece of beginning a round: no node counts as expanded, and those that wait for the round are open. False: come
 * again, or there is no room. */
static bool begin_round(p15_anytime *search) {
    unsigned row, column;
    p15_board board;
    p15_values values = 0;
    size_t left = P15_PIECE;
    if (!p15_closed_open_all(&search->closed, &search->opened)) return false;
    for (; left > 0 && p15_open_take(&search->later, &row, &column, &board, &values); left--) {
        if (row >= search->best) continue;
        if (search->components == 1) values = column;
        if (!put(search, &search->open, board, row - column, column, values)) return end(search, P15_SEARCH_NO_ROOM);
    }
    search->rounding = left == 0;
    return !search->rounding;
}

/* Sees what is proved by now, ends the round if its time has come, and says whether there is something to tell. False:
 * the search has ended. */
static bool look(p15_anytime *search, bool *news) {
    unsigned open = least_row(&search->open), later = has_rounds(search) ? least_row(&search->later) : NO_ROW;
    unsigned least = open < later ? open : later;
    bool has_solution = search->best != NO_SOLUTION, rose = least > search->lower_bound;
    if (least >= search->best) { /* also where there is neither */
        search->told += has_solution;
        if (has_rounds(search)) search->finished_h_weight = search->options.g_weight;
        return end(search, has_solution ? P15_SEARCH_SOLVED : P15_SEARCH_FAILED);
    }
    if (rose) search->lower_bound = least;
    *news = has_solution && (rose || search->best != search->told_best);
    if (has_rounds(search) &&
        (search->serving == NO_ROW ||
         (has_solution && search->serving_priority >= (uint64_t)search->options.g_weight * search->best))) {
        if (has_solution) search->finished_h_weight = search->h_weight;
        *news = has_solution;
        next_round(search);
    }
    search->told += *news;
    search->told_best = search->best;
    return true;
}

/* Takes the node that is next, of at most *entries, which it counts down; those that it skips are void. False: there is
 * none in this round, or among so many. */
P15_INLINE bool take(p15_anytime *search, uint64_t *entries, parent *p) {
    for (; search->serving != NO_ROW && *entries > 0; --*entries) {
        p15_open *open = &search->open;
        p15_open_row *row = &open->rows[search->serving];
        p15_open_list *list = p15_open_first_of(row);
        unsigned f = search->serving, h = row->first;
        p15_values values = 0;
        p15_board board;
        p15_open_take_from(open, row, list, &board, &values);
        if (search->components == 1) values = h;
        if (!list->tail) choose_row(search);
        p15_slot *slot = p15_closed_find(&search->closed, p15_closed_where(&search->closed, board));
        if (p15_slot_g(*slot) != f - h) continue; /* it was put again with a smaller g */
        if (search->ahead.board == board)
            *p = search->ahead;
        else
            make_children(search, board, p);
        *slot = p15_slot_close(*slot);
        if (++search->closed_count > search->largest_closed) search->largest_closed = search->closed_count;
        p->values = values;
        p->slot = *slot;
        --*entries;
        return true;
    }
    return false;
}

/* Asks the memory for what will probably be taken next, and for its children's places. */
P15_INLINE void look_ahead(p15_anytime *search) {
    if (search->serving == NO_ROW) return;
    p15_open_row *row = &search->open.rows[search->serving];
    p15_board coming = p15_open_peek(&search->open, p15_open_first_of(row));
    p15_closed_prefetch(&search->closed, p15_closed_where(&search->closed, coming));
    make_children(search, coming, &search->ahead);
}

P15_INLINE bool run(p15_anytime *search, uint64_t expansions, bool summed, bool traced) {
    while (expansions > 0) {
        bool news;
        if (!has_room(search) && !grow_on(search)) return true;
        if (!look(search, &news)) return false;
        if (news) return true;
        if (search->rounding && !begin_round(search)) return search->state == P15_SEARCH_RUNNING;
        parent p;
        if (!take(search, &expansions, &p)) continue;
        look_ahead(search);
        if (!has_room(search) || !expand(search, &p, NULL, summed, traced)) return end(search, P15_SEARCH_NO_ROOM);
    }
    return true;
}

/* The same in batches. A batch may be left between two of its nodes. */
P15_INLINE bool run_batches(p15_anytime *search, uint64_t expansions, bool traced) {
    unsigned rest = search->parent_count - search->parent_at;
    expansions -= rest < expansions ? rest : expansions;
    for (;;) {
        for (; search->parent_at < search->parent_count; search->parent_at++) {
            parent *p = &search->parents[search->parent_at];
            if (!has_room(search) && !grow_on(search)) return true;
            p15_child_place(&search->closed, p->children, p->count);
            if (!has_room(search) || !expand(search, p, &search->child_values, false, traced))
                return end(search, P15_SEARCH_NO_ROOM);
        }
        if (expansions == 0) return true;
        bool news;
        unsigned count = 0;
        uint64_t entries = UINT64_MAX;
        if (!look(search, &news)) return false;
        if (news) return true;
        if (search->rounding && !begin_round(search)) return search->state == P15_SEARCH_RUNNING;
        while (count < search->options.batch && take(search, &entries, &search->parents[count])) count++;
        for (unsigned i = 0; i < count; i++) want_children(search, &search->parents[i]);
        search->child_values = p15_children_run(search->evaluated);
        search->parent_count = count;
        search->parent_at = 0;
        expansions -= count < expansions ? count : expansions;
    }
}

P15_INLINE bool run_all(p15_anytime *search, uint64_t expansions, bool traced) {
    if (search->parents) return run_batches(search, expansions, traced);
    return search->changes && !traced ? run(search, expansions, true, false) : run(search, expansions, false, traced);
}

P15_DEFINE_RUN_SOME(p15_anytime, run_all, search->options.cpu)

bool p15_anytime_run(p15_anytime *search, uint64_t expansions) {
    if (search->state != P15_SEARCH_RUNNING) return false;
    if (search->start == search->goal && search->best == NO_SOLUTION && !take_goal(search, search->trace != NULL))
        return end(search, P15_SEARCH_NO_ROOM);
    if ((search->closed.growth && !grow_on(search)) || (search->rounding && !begin_round(search)))
        return search->state == P15_SEARCH_RUNNING;
    return run_some(search, expansions);
}

void p15_anytime_report(const p15_anytime *search, p15_report *report) {
    *report = (p15_report){
        .state = search->state,
        .lower_bound = search->state == P15_SEARCH_SOLVED ? search->best : search->lower_bound,
        .expanded = search->expanded,
        .generated = search->generated,
        .reopened = search->reopened,
        .largest_open = search->largest_open,
        .largest_closed = search->largest_closed,
        .nodes = search->closed.node_count,
        .bytes = p15_closed_bytes(&search->closed) + waiting_bytes(search),
        .upkeep = search->closed.growth || search->rounding,
    };
}

unsigned p15_anytime_told(const p15_anytime *search, unsigned *h_weight) {
    *h_weight = search->finished_h_weight;
    return search->told;
}

size_t p15_anytime_path(const p15_anytime *search, uint8_t *directions, size_t room) {
    if (search->best == NO_SOLUTION) return SIZE_MAX;
    if (room > search->best) room = search->best;
    if (room > 0) memcpy(directions, search->path, room);
    return search->best;
}
