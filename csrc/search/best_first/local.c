#include "search/best_first/local.h"

#include "search/best_first/children.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ beam search */

typedef struct {
    p15_board board;
    p15_values values;
    uint8_t h, direction;
} entry;

typedef struct {
    entry *entries;
    size_t count, room;
} level;

#define WAITING 128u /* children that networks evaluate together */

struct p15_beam {
    const p15_evaluator *evaluator;
    p15_moves moves;
    p15_board start, goal;
    size_t width, max_bytes;
    p15_closed closed;
    level now, next; /* the level being expanded, best first; its children, as they were made */
    size_t at;       /* in `now` */
    unsigned g;      /* of `now` */
    p15_search_state state;
    uint64_t expanded, generated, largest_open;
    p15_children *evaluated;      /* NULL: each child is evaluated when it is made */
    size_t waiting, most_waiting; /* the last entries of `next`, without values yet */
    p15_trace *trace;             /* NULL: none */
};

static size_t bytes_of(const p15_beam *search) {
    return p15_closed_bytes(&search->closed) + (search->now.room + search->next.room) * sizeof(entry);
}

static bool add(p15_beam *search, level *to, entry e) {
    if (to->count == to->room) {
        size_t room = to->room ? 2 * to->room : 256;
        if (bytes_of(search) + (room - to->room) * sizeof(entry) > search->max_bytes) return false;
        entry *entries = realloc(to->entries, room * sizeof *entries);
        if (!entries) return false;
        to->entries = entries;
        to->room = room;
    }
    to->entries[to->count++] = e;
    return true;
}

p15_status p15_beam_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                        size_t width, size_t max_bytes, p15_beam **made) {
    *made = NULL;
    p15_moves moves;
    p15_shape shape = p15_evaluator_shape(evaluator);
    if (p15_moves_init(shape, order, &moves) || width < 1 || width > P15_MAX_WIDTH) return P15_ERR_ARGUMENT;
    unsigned h;
    p15_values values;
    p15_status status = p15_evaluator_board(evaluator, start, &h, &values);
    if (status) return status;
    p15_beam *search = calloc(1, sizeof *search);
    if (!search) return P15_ERR_MEMORY;
    search->evaluator = evaluator;
    search->moves = moves;
    search->start = start;
    search->goal = p15_evaluator_goal(evaluator);
    search->width = width;
    search->max_bytes = max_bytes;
    search->largest_open = 1;
    search->most_waiting = p15_evaluator_has_function(evaluator) ? P15_DENSE_MAX_BATCH : WAITING;
    status = p15_closed_init(shape, max_bytes, &search->closed);
    if (!status && p15_evaluator_prefers_batches(evaluator))
        status = p15_children_new(evaluator, search->most_waiting, &search->evaluated);
    if (!status && !add(search, &search->now, (entry){start, values, (uint8_t)h, P15_DIRECTIONS}))
        status = P15_ERR_MEMORY;
    if (status) {
        p15_beam_delete(search);
        return status;
    }
    p15_where where = p15_closed_where(&search->closed, start);
    p15_closed_add(&search->closed, where, p15_closed_find(&search->closed, where), 0, 0);
    *made = search;
    return P15_OK;
}

void p15_beam_delete(p15_beam *search) {
    if (!search) return;
    p15_closed_free(&search->closed);
    p15_children_delete(search->evaluated);
    free(search->now.entries);
    free(search->next.entries);
    free(search);
}

static bool enlarge(p15_beam *search) {
    size_t levels = bytes_of(search) - p15_closed_bytes(&search->closed);
    return levels < search->max_bytes && p15_closed_enlarge(&search->closed, 0, search->max_bytes - levels) == P15_OK;
}

/* Evaluates the children that wait. */
static void evaluate(p15_beam *search) {
    const p15_values *values = p15_children_run(search->evaluated);
    entry *entries = search->next.entries + search->next.count - search->waiting;
    for (size_t i = 0; i < search->waiting; i++) {
        entries[i].values = values[i];
        entries[i].h = (uint8_t)p15_values_h(values[i]);
    }
    search->waiting = 0;
}

void p15_beam_trace(p15_beam *search, p15_trace *trace) { search->trace = trace; }

static void trace_node(p15_beam *search, const entry *node, bool goal) {
    unsigned g = search->g < P15_CLOSED_MAX_G ? search->g : P15_CLOSED_MAX_G;
    p15_trace_node(search->trace, node->board, node->values, g, goal);
    if (!search->trace->failed) search->trace->pending++;
}

/* Makes the children of a node. False: no room. */
P15_INLINE bool expand(p15_beam *search, const entry *node, bool traced) {
    p15_closed *closed = &search->closed;
    unsigned blank = p15_board_blank(node->board), g = search->g < P15_CLOSED_MAX_G ? search->g + 1 : P15_CLOSED_MAX_G;
    p15_slot *own = p15_closed_find(closed, p15_closed_where(closed, node->board));
    *own = p15_slot_close(*own);
    search->expanded++;
    if (traced) trace_node(search, node, false);
    if (closed->node_count + P15_DIRECTIONS > closed->room && !enlarge(search)) return false;
    p15_child children[P15_DIRECTIONS];
    unsigned count = p15_child_make(closed, &search->moves, node->board, children);
    for (unsigned i = 0; i < count; i++) {
        const p15_child *made = &children[i];
        unsigned direction = made->direction;
        if (direction + node->direction == 3u) continue;
        search->generated++;
        p15_slot *place = p15_closed_find(closed, made->where);
        if (!place) {
            if (!enlarge(search)) return false;
            p15_child_place(closed, children, count);
            place = p15_closed_find(closed, made->where);
            if (!place) return false;
        }
        bool known = *place && (p15_slot_closed(*place) || p15_slot_g(*place) >= g);
        if (traced) p15_trace_child(search->trace, direction, known ? P15_FATE_KNOWN : P15_FATE_OPEN);
        if (known) continue;
        if (*place)
            *place = p15_slot_moved(*place, g, direction); /* forgotten in an earlier level */
        else
            p15_closed_add(closed, made->where, place, g, direction);
        entry e = {.board = made->board, .direction = (uint8_t)direction};
        if (search->evaluated)
            p15_children_add(search->evaluated, node->board, node->values, blank, direction);
        else
            e.h =
                (uint8_t)p15_evaluator_child(search->evaluator, node->board, node->values, blank, direction, &e.values);
        if (!add(search, &search->next, e)) return false;
        search->waiting += search->evaluated != NULL;
    }
    if (search->waiting + P15_DIRECTIONS > search->most_waiting) evaluate(search);
    return true;
}

static bool expand_silently(p15_beam *search, const entry *node) { return expand(search, node, false); }
static bool expand_traced(p15_beam *search, const entry *node) { return expand(search, node, true); }

/* The trace's pending children that are open: as many as entries of the next level, and in their order. */
typedef struct {
    p15_expansion *expansion;
    unsigned next; /* child */
} traced_children;

static p15_traced_child *next_open(traced_children *of) {
    for (;; of->expansion++, of->next = 0)
        while (of->next < of->expansion->child_count) {
            p15_traced_child *child = &of->expansion->children[of->next++];
            if (child->fate == P15_FATE_OPEN) return child;
        }
}

/* Tells the trace which entries of the next level are not kept. `starts`: where those of each h begin. */
static void trace_dropped(p15_trace *trace, const level *next, const size_t *starts, size_t count) {
    size_t places[256];
    if (trace->failed) return;
    memcpy(places, starts, sizeof places);
    traced_children open = {trace->expansions + trace->count - trace->pending, 0};
    for (size_t i = 0; i < next->count; i++) {
        p15_traced_child *child = next_open(&open);
        if (places[next->entries[i].h]++ >= count) child->fate = P15_FATE_DROPPED;
    }
    trace->pending = 0;
}

/* Keeps the best of the children, in the order of h, as the next level. False: no room. */
static bool choose(p15_beam *search) {
    size_t starts[257] = {0};
    level *next = &search->next, *now = &search->now;
    if (search->waiting > 0) evaluate(search);
    for (size_t i = 0; i < next->count; i++) starts[next->entries[i].h + 1]++;
    for (unsigned h = 0; h < 256; h++) starts[h + 1] += starts[h];
    size_t count = next->count < search->width ? next->count : search->width;
    if (search->trace) trace_dropped(search->trace, next, starts, count);
    now->count = 0;
    while (now->count < count)
        if (!add(search, now, (entry){0, 0, 0, 0})) return false;
    for (size_t i = 0; i < next->count; i++) {
        size_t place = starts[next->entries[i].h]++;
        if (place < count) now->entries[place] = next->entries[i];
    }
    if (next->count > search->largest_open) search->largest_open = next->count;
    next->count = 0;
    search->at = 0;
    search->g++;
    return true;
}

bool p15_beam_run(p15_beam *search, uint64_t expansions) {
    for (; search->state == P15_SEARCH_RUNNING && expansions > 0; expansions--) {
        if (search->at == search->now.count) {
            if (search->next.count == 0)
                search->state = P15_SEARCH_FAILED;
            else if (!choose(search))
                search->state = P15_SEARCH_NO_ROOM;
            continue;
        }
        const entry *node = &search->now.entries[search->at++];
        if (node->board == search->goal) {
            search->state = P15_SEARCH_SOLVED;
            if (search->trace) trace_node(search, node, true);
        } else if (!(search->trace ? expand_traced(search, node) : expand_silently(search, node))) {
            search->state = P15_SEARCH_NO_ROOM;
        }
    }
    return search->state == P15_SEARCH_RUNNING;
}

void p15_beam_report(const p15_beam *search, p15_report *report) {
    *report = (p15_report){
        .state = search->state,
        .expanded = search->expanded,
        .generated = search->generated,
        .largest_open = search->largest_open,
        .largest_closed = search->expanded,
        .nodes = search->closed.node_count,
        .bytes = bytes_of(search),
    };
}

size_t p15_beam_path(const p15_beam *search, uint8_t *directions, size_t room) {
    if (search->state != P15_SEARCH_SOLVED) return SIZE_MAX;
    return p15_closed_walk(&search->closed, &search->moves, search->start, search->goal, directions, room);
}

/* ------------------------------------------------------------------------------------------------ hill climbing */

p15_status p15_climb(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                     p15_trace *trace, p15_report *report, uint8_t directions[P15_CLIMB_ROOM], size_t *length) {
    p15_moves moves;
    if (p15_moves_init(p15_evaluator_shape(evaluator), order, &moves)) return P15_ERR_ARGUMENT;
    unsigned h, last = P15_DIRECTIONS;
    p15_values values;
    p15_status status = p15_evaluator_board(evaluator, start, &h, &values);
    if (status) return status;
    p15_board board = start, goal = p15_evaluator_goal(evaluator);
    *report = (p15_report){.state = P15_SEARCH_RUNNING, .largest_open = 1};
    *length = 0;
    while (board != goal) {
        unsigned blank = p15_board_blank(board), best_h = h, best = P15_DIRECTIONS;
        p15_values best_values = 0;
        report->expanded++;
        for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
            unsigned direction = moves.order[i];
            if (moves.cells[blank][direction] < 0 || direction + last == 3u) continue;
            p15_values child_values;
            unsigned child_h = p15_evaluator_child(evaluator, board, values, blank, direction, &child_values);
            report->generated++;
            if (child_h >= best_h) continue;
            best_h = child_h;
            best_values = child_values;
            best = direction;
        }
        if (trace) p15_trace_node(trace, board, values, (unsigned)*length, false);
        for (unsigned i = 0; i < P15_DIRECTIONS && trace; i++) {
            unsigned direction = moves.order[i];
            if (moves.cells[blank][direction] >= 0 && direction + last != 3u)
                p15_trace_child(trace, direction, direction == best ? P15_FATE_OPEN : P15_FATE_DROPPED);
        }
        if (best == P15_DIRECTIONS) break;
        board = p15_moves_apply(&moves, board, best);
        values = best_values;
        h = best_h;
        last = best;
        directions[(*length)++] = (uint8_t)best;
    }
    if (trace && board == goal) p15_trace_node(trace, board, values, (unsigned)*length, true);
    report->state = board == goal ? P15_SEARCH_SOLVED : P15_SEARCH_FAILED;
    report->largest_closed = report->expanded;
    return P15_OK;
}
