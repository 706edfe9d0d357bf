#include "search/best_first/local.h"

#include "search/best_first/expand.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ beam search */

#define WAITING 128u /* children that networks evaluate together */

typedef struct {
    p15_search base;
    p15_open *now, *next; /* the level that is expanded, and its children; rows are h */
    size_t left;          /* nodes of `now` that are expanded yet */
    p15_family ahead;     /* of the node that is probably the next */
    unsigned g;           /* of `now` */
    size_t waiting, most_waiting;
    p15_board *boards; /* of children that wait for their values */
} beam;

static bool put(p15_open *open, p15_board board, p15_values values) {
    return p15_open_put(open, p15_values_h(values), 0, board, values) == P15_OK;
}

/* Evaluates the children that wait, and files them. False: no room. */
static bool evaluate(beam *search) {
    const p15_values *values = p15_evaluations_run(search->base.batches[0]);
    for (size_t i = 0; i < search->waiting; i++)
        if (!put(search->next, search->boards[i], values[i])) return false;
    search->waiting = 0;
    return true;
}

/* Makes the children of a node. False: no room. */
P15_INLINE bool expand(beam *search, p15_board board, p15_values values) {
    p15_search *base = &search->base;
    p15_closed *closed = &base->closed[0];
    unsigned blank = p15_board_blank(board);
    if (!p15_closed_has_room(closed)) return false;
    p15_slot *own = p15_closed_known(closed, board);
    *own = p15_slot_close(*own);
    base->report.largest_closed = ++base->report.expanded;
    if (base->trace) p15_trace_pending(base->trace, board, values, p15_slot_g(*own), false);
    unsigned g = p15_slot_child_g(*own), undo = p15_slot_undo(*own);
    p15_family_make(closed, &base->moves, board, &search->ahead);
    p15_family family = search->ahead;
    p15_board coming = p15_open_next(search->now);
    if (coming) {
        p15_closed_prefetch(closed, p15_closed_where(closed, coming));
        p15_family_make(closed, &base->moves, coming, &search->ahead);
    }
    for (unsigned i = 0; i < family.count; i++) {
        unsigned direction = family.list[i].direction;
        if (direction == undo) continue;
        base->report.generated++;
        p15_made made = {.slot = p15_family_find(closed, &family, i), .g = g};
        if (!made.slot) return false;
        bool known = *made.slot && (p15_slot_closed(*made.slot) || p15_slot_g(*made.slot) >= g);
        if (base->trace) p15_trace_child(base->trace, direction, known ? P15_FATE_KNOWN : P15_FATE_OPEN);
        if (known) continue; /* else it may have been forgotten in an earlier level */
        made.where = family.where[i];
        made.direction = direction;
        p15_made_note(closed, &made);
        if (base->batches[0]) {
            p15_evaluations_add(base->batches[0], board, values, blank, direction);
            search->boards[search->waiting++] = family.list[i].board;
        } else {
            p15_evaluator_child(base->evaluator, board, values, blank, direction, &made.values);
            if (!put(search->next, family.list[i].board, made.values)) return false;
        }
    }
    return search->waiting + P15_DIRECTIONS <= search->most_waiting || evaluate(search);
}

/* Notes in the trace which children of the level are not among the first `width`. */
static void trace_dropped(p15_trace *trace, const p15_open *next, size_t width) {
    size_t numbers[256] = {0}; /* the next of each h */
    for (unsigned h = 1; h < 256; h++)
        numbers[h] = numbers[h - 1] + (h <= next->row_count ? next->rows[h - 1].count : 0);
    for (size_t i = trace->count - trace->pending; i < trace->count; i++)
        for (unsigned j = 0; j < trace->expansions[i].child_count; j++) {
            p15_traced_child *child = &trace->expansions[i].children[j];
            if (child->fate == P15_FATE_OPEN && numbers[child->h]++ >= width) child->fate = P15_FATE_DROPPED;
        }
    trace->pending = 0;
}

/* Goes on to the best children of the level. False: the search has ended. */
static bool next_level(beam *search) {
    p15_search *base = &search->base;
    p15_open *next = search->next;
    if (search->waiting > 0 && !evaluate(search)) return p15_search_end(base, P15_SEARCH_NO_ROOM);
    if (next->count == 0) return p15_search_end(base, P15_SEARCH_FAILED);
    if (next->count > base->report.largest_open) base->report.largest_open = next->count;
    if (base->trace) trace_dropped(base->trace, next, search->base.options.width);
    p15_open_clear(search->now);
    search->next = search->now;
    search->now = next;
    search->left = search->base.options.width;
    search->g++;
    return true;
}

static bool run(p15_search *base, uint64_t expansions) {
    beam *search = (beam *)base;
    for (; expansions > 0; expansions--) {
        if (search->left == 0 || search->now->count == 0) {
            if (!next_level(search)) return false;
            continue;
        }
        if (!p15_closed_prepare(&base->closed[0])) return true;
        unsigned h, column;
        p15_board board;
        p15_values values = 0;
        p15_open_take(search->now, &h, &column, &board, &values);
        if (!search->now->wide) values = h;
        search->left--;
        if (board == base->goal) {
            unsigned g = search->g < P15_CLOSED_MAX_G ? search->g : P15_CLOSED_MAX_G;
            if (base->trace) p15_trace_pending(base->trace, board, values, g, true);
            bool kept = p15_keep_path(base, base->goal, false);
            return p15_search_end(base, kept ? P15_SEARCH_SOLVED : P15_SEARCH_NO_ROOM);
        }
        uint64_t before = base->report.generated;
        bool expanded = expand(search, board, values);
        unsigned g = search->g < P15_CLOSED_MAX_G ? search->g : P15_CLOSED_MAX_G;
        p15_search_count(base, 0, g, h, (unsigned)(base->report.generated - before));
        if (!expanded) return p15_search_end(base, P15_SEARCH_NO_ROOM);
    }
    return true;
}

static void end(p15_search *base) { free(((beam *)base)->boards); }

static p15_status make(p15_search *base) {
    beam *search = (beam *)base;
    if (base->options.width < 1 || base->options.width > P15_MAX_WIDTH) return P15_ERR_ARGUMENT;
    search->now = &base->open[0];
    search->next = &base->open[1];
    search->left = base->options.width;
    base->report.largest_open = 1;
    search->most_waiting = p15_evaluator_has_function(base->evaluator) ? P15_DENSE_MAX_BATCH : WAITING;
    search->boards = malloc(search->most_waiting * sizeof *search->boards);
    p15_status status = search->boards ? p15_search_batch(base, search->most_waiting) : P15_ERR_MEMORY;
    if (!status) status = p15_search_root(base, 0);
    for (unsigned i = 0; i < 2 && !status; i++)
        status = p15_open_init(false, p15_evaluator_count(base->evaluator) > 1, 1, &base->memory, &base->open[i]);
    return !status && !put(search->now, base->start, base->values) ? P15_ERR_MEMORY : status;
}

const p15_search_type P15_BEAM = {.bytes = sizeof(beam), .make = make, .run = run, .end = end};

/* ------------------------------------------------------------------------------------------------ hill climbing */

#define MOST_MOVES 256 /* each lowers h, which is a byte */

typedef struct {
    p15_search base;
    p15_board board;
    p15_values values;
    unsigned h, last;
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
        p15_children_make(base, search->board, search->values, p15_board_blank(search->board), search->last, &made);
        report->largest_closed = ++report->expanded;
        report->generated += made.count;
        p15_search_count(base, 0, g, search->h, made.count);
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

static p15_status make_climb(p15_search *base) {
    climb *search = (climb *)base;
    search->board = base->start;
    search->values = base->values;
    search->h = base->h;
    search->last = P15_DIRECTIONS;
    base->report.largest_open = 1;
    return p15_search_batch(base, P15_DIRECTIONS);
}

const p15_search_type P15_CLIMB = {.bytes = sizeof(climb), .make = make_climb, .run = run_climb};
