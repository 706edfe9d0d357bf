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

/* What is done with a level's children: they are made, counted by h, or put into the next level in the order of h. */
typedef enum { MAKING, COUNTING, PLACING } phase;

struct p15_beam {
    const p15_evaluator *evaluator;
    p15_moves moves;
    p15_board start, goal;
    size_t width, max_bytes;
    p15_closed closed;
    level now, next; /* the level being expanded, best first; its children, as they were made */
    size_t at;       /* in `now`; in other phases than MAKING, in `next` */
    phase phase;
    size_t starts[257]; /* where the entries of each h begin */
    unsigned g;         /* of `now` */
    p15_search_state state;
    uint64_t expanded, generated, largest_open;
    p15_children *evaluated;      /* NULL: each child is evaluated when it is made */
    size_t waiting, most_waiting; /* the last entries of `next`, without values yet */
    p15_trace *trace;             /* NULL: none */
};

static size_t bytes_of(const p15_beam *search) {
    return p15_closed_bytes(&search->closed) + (search->now.room + search->next.room) * sizeof(entry);
}

/* Sees to it that a level has room for so many entries. False: no room. */
static bool reserve(p15_beam *search, level *to, size_t count) {
    size_t room = to->room ? to->room : 256;
    while (room < count) room *= 2;
    if (room == to->room) return true;
    if (bytes_of(search) + (room - to->room) * sizeof(entry) > search->max_bytes) return false;
    entry *entries = realloc(to->entries, room * sizeof *entries);
    if (!entries) return false;
    to->entries = entries;
    to->room = room;
    return true;
}

static bool add(p15_beam *search, level *to, entry e) {
    if (to->count == to->room && !reserve(search, to, to->count + 1)) return false;
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

/* What the closed table may use. */
static size_t most_bytes(const p15_beam *search) {
    size_t levels = bytes_of(search) - p15_closed_bytes(&search->closed);
    return levels < search->max_bytes ? search->max_bytes - levels : 0;
}

static bool has_room(const p15_beam *search) {
    return search->closed.node_count + P15_DIRECTIONS <= search->closed.room;
}

/* A piece of making the closed table larger. False: come again. */
static bool grow_on(p15_beam *search) {
    return search->closed.refused || p15_closed_grow_on(&search->closed, 0, most_bytes(search));
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
    if (!has_room(search)) return false;
    p15_child children[P15_DIRECTIONS];
    unsigned count = p15_child_make(closed, &search->moves, node->board, children);
    for (unsigned i = 0; i < count; i++) {
        const p15_child *made = &children[i];
        unsigned direction = made->direction;
        if (direction + node->direction == 3u) continue;
        search->generated++;
        p15_slot *place = p15_closed_find(closed, made->where);
        if (!place) {
            if (p15_closed_enlarge(closed, 0, most_bytes(search)) != P15_OK) return false;
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

static bool end(p15_beam *search, p15_search_state state) {
    search->state = state;
    return false;
}

/* A piece of keeping the best of the children, in the order of h, as the next level. False: come again, or there is no
 * room. */
static bool choose(p15_beam *search) {
    size_t *starts = search->starts;
    level *next = &search->next, *now = &search->now;
    size_t count = next->count < search->width ? next->count : search->width;
    size_t end_at = next->count - search->at < P15_PIECE ? next->count : search->at + P15_PIECE;
    if (search->phase == COUNTING) {
        for (; search->at < end_at; search->at++) starts[next->entries[search->at].h + 1]++;
        if (end_at < next->count) return false;
        for (unsigned h = 0; h < 256; h++) starts[h + 1] += starts[h];
        if (search->trace) trace_dropped(search->trace, next, starts, count);
        if (!reserve(search, now, count)) return end(search, P15_SEARCH_NO_ROOM);
        now->count = count;
        search->phase = PLACING;
        search->at = 0;
        return next->count <= P15_PIECE && choose(search);
    }
    for (; search->at < end_at; search->at++) {
        const entry *child = &next->entries[search->at];
        size_t place = starts[child->h]++;
        if (place < count) now->entries[place] = *child;
    }
    if (end_at < next->count) return false;
    if (next->count > search->largest_open) search->largest_open = next->count;
    next->count = 0;
    search->phase = MAKING;
    search->at = 0;
    search->g++;
    return true;
}

/* The level has no more nodes to expand. False: come again, or the search has ended. */
static bool next_level(p15_beam *search) {
    if (search->next.count == 0) return end(search, P15_SEARCH_FAILED);
    if (search->waiting > 0) evaluate(search);
    memset(search->starts, 0, sizeof search->starts);
    search->phase = COUNTING;
    search->at = 0;
    return choose(search);
}

bool p15_beam_run(p15_beam *search, uint64_t expansions) {
    if (search->state != P15_SEARCH_RUNNING) return false;
    if ((search->closed.growth && !grow_on(search)) || (search->phase != MAKING && !choose(search)))
        return search->state == P15_SEARCH_RUNNING;
    for (; expansions > 0; expansions--) {
        if (search->at == search->now.count) {
            if (!next_level(search)) return search->state == P15_SEARCH_RUNNING;
            continue;
        }
        const entry *node = &search->now.entries[search->at];
        if (node->board == search->goal) {
            if (search->trace) trace_node(search, node, true);
            return end(search, P15_SEARCH_SOLVED);
        }
        if (!has_room(search) && !grow_on(search)) return true;
        search->at++;
        if (!(search->trace ? expand_traced(search, node) : expand_silently(search, node)))
            return end(search, P15_SEARCH_NO_ROOM);
    }
    return true;
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
        .upkeep = search->closed.growth || search->phase != MAKING,
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
