#include "search/best_first/local.h"

#include "search/best_first/expand.h"

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

typedef struct {
    p15_search base;
    size_t width;
    p15_closed closed;
    level now, next; /* the level being expanded, best first; its children, as they were made */
    size_t at;       /* in `now`; in other phases than MAKING, in `next` */
    phase phase;
    size_t starts[257];           /* where the entries of each h begin */
    unsigned g;                   /* of `now` */
    p15_evaluations *batch;       /* NULL: each child is evaluated when it is made */
    size_t waiting, most_waiting; /* the last entries of `next`, without values yet */
} beam;

/* Makes room for so many entries in a level. False: no memory. */
static bool reserve(beam *search, level *to, size_t count) {
    size_t room = to->room ? to->room : 256;
    while (room < count) room *= 2;
    size_t more = (room - to->room) * sizeof(entry);
    if (more == 0) return true;
    if (p15_memory_left(&search->base.memory) < more) return false;
    entry *entries = realloc(to->entries, room * sizeof *entries);
    if (!entries) return false;
    search->base.memory.used += more;
    to->entries = entries;
    to->room = room;
    return true;
}

static bool add(beam *search, level *to, entry e) {
    if (to->count == to->room && !reserve(search, to, to->count + 1)) return false;
    to->entries[to->count++] = e;
    return true;
}

/* Evaluates the children that wait. */
static void evaluate(beam *search) {
    const p15_values *values = p15_evaluations_run(search->batch);
    entry *entries = search->next.entries + search->next.count - search->waiting;
    for (size_t i = 0; i < search->waiting; i++) {
        entries[i].values = values[i];
        entries[i].h = (uint8_t)p15_values_h(values[i]);
    }
    search->waiting = 0;
}

static void trace_node(beam *search, const entry *node, bool goal) {
    p15_trace *trace = search->base.trace;
    p15_trace_node(trace, node->board, node->values, search->g < P15_CLOSED_MAX_G ? search->g : P15_CLOSED_MAX_G, goal);
    if (!trace->failed) trace->pending++;
}

/* Makes the children of a node. False: no room. */
P15_INLINE bool expand(beam *search, const entry *node) {
    p15_search *base = &search->base;
    p15_closed *closed = &search->closed;
    unsigned blank = p15_board_blank(node->board), g = search->g < P15_CLOSED_MAX_G ? search->g + 1 : P15_CLOSED_MAX_G;
    p15_slot *own = p15_closed_known(closed, node->board);
    *own = p15_slot_close(*own);
    base->report.largest_closed = ++base->report.expanded;
    if (base->trace) trace_node(search, node, false);
    if (!p15_closed_has_room(closed)) return false;
    p15_family family;
    family.board = 0;
    p15_family_make(closed, &base->moves, node->board, &family);
    for (unsigned i = 0; i < family.count; i++) {
        unsigned direction = family.list[i].direction;
        if (direction + node->direction == 3u) continue;
        base->report.generated++;
        p15_made made = {.slot = p15_family_find(closed, &family, i), .g = g, .direction = direction};
        if (!made.slot) return false;
        bool known = *made.slot && (p15_slot_closed(*made.slot) || p15_slot_g(*made.slot) >= g);
        if (base->trace) p15_trace_child(base->trace, direction, known ? P15_FATE_KNOWN : P15_FATE_OPEN);
        if (known) continue; /* else it may have been forgotten in an earlier level */
        made.where = family.places[i];
        p15_made_note(closed, &made);
        entry e = {.board = family.list[i].board, .direction = (uint8_t)direction};
        if (search->batch)
            p15_evaluations_add(search->batch, node->board, node->values, blank, direction);
        else
            e.h = (uint8_t)p15_evaluator_child(base->evaluator, node->board, node->values, blank, direction, &e.values);
        if (!add(search, &search->next, e)) return false;
        search->waiting += search->batch != NULL;
    }
    if (search->waiting + P15_DIRECTIONS > search->most_waiting) evaluate(search);
    return true;
}

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

/* A piece of keeping the best of the children, in the order of h, as the next level. False: come again, or there is no
 * room. */
static bool choose(beam *search) {
    size_t *starts = search->starts;
    level *next = &search->next, *now = &search->now;
    size_t count = next->count < search->width ? next->count : search->width;
    size_t end_at = next->count - search->at < P15_PIECE ? next->count : search->at + P15_PIECE;
    if (search->phase == COUNTING) {
        for (; search->at < end_at; search->at++) starts[next->entries[search->at].h + 1]++;
        if (end_at < next->count) return false;
        for (unsigned h = 0; h < 256; h++) starts[h + 1] += starts[h];
        if (search->base.trace) trace_dropped(search->base.trace, next, starts, count);
        if (!reserve(search, now, count)) return p15_search_end(&search->base, P15_SEARCH_NO_ROOM);
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
    if (next->count > search->base.report.largest_open) search->base.report.largest_open = next->count;
    next->count = 0;
    search->phase = MAKING;
    search->at = 0;
    search->g++;
    return true;
}

/* The level has no more nodes to expand. False: come again, or the search has ended. */
static bool next_level(beam *search) {
    if (search->next.count == 0) return p15_search_end(&search->base, P15_SEARCH_FAILED);
    if (search->waiting > 0) evaluate(search);
    memset(search->starts, 0, sizeof search->starts);
    search->phase = COUNTING;
    search->at = 0;
    return choose(search);
}

static bool run(p15_search *base, uint64_t expansions) {
    beam *search = (beam *)base;
    if (search->phase != MAKING && !choose(search)) return base->report.state == P15_SEARCH_RUNNING;
    for (; expansions > 0; expansions--) {
        if (search->at == search->now.count) {
            if (!next_level(search)) return base->report.state == P15_SEARCH_RUNNING;
            continue;
        }
        const entry *node = &search->now.entries[search->at];
        if (node->board == base->goal) {
            if (base->trace) trace_node(search, node, true);
            bool kept = p15_keep_path(base, &search->closed, NULL, base->goal);
            return p15_search_end(base, kept ? P15_SEARCH_SOLVED : P15_SEARCH_NO_ROOM);
        }
        if (!p15_closed_prepare(&search->closed)) return true;
        search->at++;
        if (!expand(search, node)) return p15_search_end(base, P15_SEARCH_NO_ROOM);
    }
    return true;
}

static void complete(p15_search *base) {
    const beam *search = (const beam *)base;
    base->report.nodes = search->closed.node_count;
    base->report.upkeep = search->closed.growth || search->phase != MAKING;
}

static void end(p15_search *base) {
    beam *search = (beam *)base;
    p15_closed_free(&search->closed);
    p15_evaluations_delete(search->batch);
    free(search->now.entries);
    free(search->next.entries);
}

static const p15_search_type BEAM = {.run = run, .complete = complete, .end = end};

p15_status p15_beam_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                        size_t width, size_t max_bytes, p15_search **made) {
    *made = NULL;
    if (width < 1 || width > P15_MAX_WIDTH) return P15_ERR_ARGUMENT;
    p15_search *base;
    p15_status status = p15_search_begin(&BEAM, sizeof(beam), evaluator, start, order, max_bytes, &base);
    if (status) return status;
    beam *search = (beam *)base;
    search->width = width;
    base->report.largest_open = 1;
    search->most_waiting = p15_evaluator_has_function(evaluator) ? P15_DENSE_MAX_BATCH : WAITING;
    status = p15_closed_init(p15_evaluator_shape(evaluator), &base->memory, &search->closed);
    if (!status && p15_evaluator_prefers_batches(evaluator))
        status = p15_evaluations_new(evaluator, search->most_waiting, &search->batch);
    if (!status && !add(search, &search->now, (entry){start, base->values, (uint8_t)base->h, P15_DIRECTIONS}))
        status = P15_ERR_MEMORY;
    if (!status) p15_closed_add_root(&search->closed, start);
    return p15_search_made(base, status, made);
}

/* ------------------------------------------------------------------------------------------------ hill climbing */

#define MOST_MOVES 256 /* each lowers h, which is a byte */

typedef struct {
    p15_search base;
    p15_board board;
    p15_values values;
    unsigned h, last;
    p15_evaluations *batch;
    uint8_t moves[MOST_MOVES];
} climb;

/* Ends at the goal, or where no child has a smaller h. */
static bool end_climb(climb *search) {
    p15_search *base = &search->base;
    unsigned length = (unsigned)base->report.expanded;
    bool solved = search->board == base->goal;
    if (!solved) length--; /* the last expansion led nowhere */
    uint8_t *path = p15_search_path(base, length);
    if (!path) return p15_search_end(base, P15_SEARCH_NO_ROOM);
    memcpy(path, search->moves, length);
    if (solved && base->trace) p15_trace_node(base->trace, search->board, search->values, length, true);
    return p15_search_end(base, solved ? P15_SEARCH_SOLVED : P15_SEARCH_FAILED);
}

static bool run_climb(p15_search *base, uint64_t expansions) {
    climb *search = (climb *)base;
    p15_report *report = &base->report;
    for (; expansions > 0; expansions--) {
        if (search->board == base->goal) return end_climb(search);
        p15_children made;
        unsigned best = P15_DIRECTIONS, h = search->h, g = (unsigned)report->expanded;
        p15_children_make(base->evaluator, search->batch, &base->moves, search->board, search->values,
                          p15_board_blank(search->board), search->last, &made);
        report->largest_closed = ++report->expanded;
        report->generated += made.count;
        for (unsigned i = 0; i < made.count; i++) {
            if (made.h[i] >= h) continue;
            h = made.h[i];
            best = i;
        }
        if (base->trace) p15_trace_node(base->trace, search->board, search->values, g, false);
        for (unsigned i = 0; i < made.count && base->trace; i++)
            p15_trace_child(base->trace, made.list[i].direction, i == best ? P15_FATE_OPEN : P15_FATE_DROPPED);
        if (best == P15_DIRECTIONS) return end_climb(search);
        search->board = made.list[best].board;
        search->values = made.values[best];
        search->h = h;
        search->last = search->moves[g] = made.list[best].direction;
    }
    return true;
}

static void delete_batch(p15_search *base) { p15_evaluations_delete(((climb *)base)->batch); }

static const p15_search_type CLIMB = {.run = run_climb, .end = delete_batch};

p15_status p15_climb_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                         p15_search **made) {
    p15_search *base;
    p15_status status = p15_search_begin(&CLIMB, sizeof(climb), evaluator, start, order, 0, &base);
    *made = NULL;
    if (status) return status;
    climb *search = (climb *)base;
    search->board = start;
    search->values = base->values;
    search->h = base->h;
    search->last = P15_DIRECTIONS;
    base->report.largest_open = 1;
    return p15_search_made(base, p15_children_batch(evaluator, &search->batch), made);
}
