#include "search/layers/breadth_first.h"

#include "search/layers/families.h"

#include <stdlib.h>

#define NO_BOUND UINT32_MAX

/* What stays of a relay layer. */
typedef struct {
    uint64_t *moves;   /* [count]: from the relay layer before, or from the start */
    uint32_t *origins; /* [count]: in that layer */
    size_t count;
} relay;

struct p15_breadth {
    p15_families families;
    p15_frontier_node start;
    p15_board goal;
    size_t max_bytes;
    p15_frontier now, next; /* the layer that is being expanded, and its children */
    size_t at;              /* in `now` */
    unsigned g;             /* of `now` */
    unsigned bound, next_bound;
    relay relays[P15_MOST_RELAYS];
    unsigned relay_count;
    size_t unrelayed; /* nodes of `now`, the first ones, which the last relay layer is yet to get */
    bool starting;    /* the iteration has no node yet */
    p15_search_state state;
    uint8_t *path; /* of the solution */
    size_t length;
    uint64_t expanded, generated, largest_open, largest_closed;
    uint64_t expanded_before, generated_before; /* the present iteration */
    p15_iteration *iterations;
    size_t iteration_count, iteration_room;
    p15_trace *trace; /* NULL: none */
};

static size_t relay_bytes(const p15_breadth *search) {
    size_t bytes = 0;
    for (unsigned i = 0; i < search->relay_count; i++)
        bytes += search->relays[i].count * (sizeof(uint64_t) + sizeof(uint32_t));
    return bytes;
}

static size_t bytes_of(const p15_breadth *search) {
    return p15_frontier_bytes(&search->now) + p15_frontier_bytes(&search->next) + relay_bytes(search);
}

static size_t available(const p15_breadth *search) {
    size_t used = bytes_of(search);
    return used < search->max_bytes ? search->max_bytes - used : 0;
}

static void free_relays(p15_breadth *search) {
    for (unsigned i = 0; i < search->relay_count; i++) {
        free(search->relays[i].moves);
        free(search->relays[i].origins);
    }
    search->relay_count = 0;
}

/* The layer that begins now is a relay layer. False: no room. */
static bool begin_relay(p15_breadth *search) {
    p15_frontier *now = &search->now;
    if (search->relay_count == P15_MOST_RELAYS ||
        available(search) / (sizeof(uint64_t) + sizeof(uint32_t)) < now->count)
        return false;
    relay *r = &search->relays[search->relay_count];
    r->count = now->count;
    r->moves = malloc(now->count * sizeof *r->moves);
    r->origins = malloc(now->count * sizeof *r->origins);
    search->relay_count++;
    search->unrelayed = r->count;
    return r->moves && r->origins;
}

/* A piece of filling the relay layer. False: come again. */
static bool relay_on(p15_breadth *search) {
    for (size_t left = P15_PIECE; search->unrelayed > 0 && left > 0; left--) {
        const relay *r = &search->relays[search->relay_count - 1];
        size_t i = --search->unrelayed;
        p15_frontier_node *node = &search->now.nodes[i];
        r->moves[i] = node->moves;
        r->origins[i] = node->origin;
        node->moves = 0;
        node->origin = (uint32_t)i;
    }
    return search->unrelayed == 0;
}

/* ------------------------------------------------------------------------------------------------ iterations */

/* Notes an iteration that has ended. False: no memory. */
static bool note_iteration(p15_breadth *search) {
    if (search->iteration_count == search->iteration_room) {
        size_t room = search->iteration_room ? 2 * search->iteration_room : 16;
        p15_iteration *iterations = realloc(search->iterations, room * sizeof *iterations);
        if (!iterations) return false;
        search->iterations = iterations;
        search->iteration_room = room;
    }
    search->iterations[search->iteration_count++] = (p15_iteration){
        search->bound, search->expanded - search->expanded_before, search->generated - search->generated_before};
    return true;
}

static void tell_trace(p15_breadth *search) {
    if (!search->trace) return;
    search->trace->iteration = (uint32_t)search->iteration_count + 1;
    search->trace->bound = search->bound;
}

/* Begins an iteration, which gets its start later. Both layers are empty. */
static void begin_iteration(p15_breadth *search, unsigned bound) {
    free_relays(search);
    search->bound = bound;
    search->next_bound = NO_BOUND;
    search->g = 0;
    search->at = 0;
    search->expanded_before = search->expanded;
    search->generated_before = search->generated;
    search->starting = true;
    tell_trace(search);
}

/* Gives an iteration its start. False: no room. */
static bool add_start(p15_breadth *search) {
    search->starting = false;
    if (search->now.room == 0 && !p15_frontier_grow(&search->now, available(search))) return false;
    p15_frontier_add(&search->now, &search->start, p15_frontier_hash(search->start.board));
    return true;
}

static bool end(p15_breadth *search, p15_search_state state) {
    search->state = state;
    return false;
}

/* Goes on to the next layer, or to the next iteration. False: the search has ended. */
static bool next_layer(p15_breadth *search) {
    p15_frontier done = search->now;
    search->now = search->next;
    search->next = done;
    p15_frontier_keep(&search->next, 0);
    search->at = 0;
    search->g++;
    if (search->now.count > search->largest_open) search->largest_open = search->now.count;
    if (search->now.count > 0)
        return search->g % P15_RELAY_MOVES || begin_relay(search) || end(search, P15_SEARCH_NO_ROOM);
    if (!note_iteration(search)) return end(search, P15_SEARCH_NO_ROOM);
    if (search->next_bound == NO_BOUND) return end(search, P15_SEARCH_FAILED);
    begin_iteration(search, search->next_bound);
    return true;
}

/* A piece of what is to be done before nodes can be expanded. False: come again, or the search has ended. */
static bool prepare(p15_breadth *search) {
    if (!p15_frontier_settled(&search->next) && !p15_frontier_settle(&search->next)) return false;
    if (search->unrelayed > 0 && !relay_on(search)) return false;
    return !search->starting || add_start(search) || end(search, P15_SEARCH_NO_ROOM);
}

/* ------------------------------------------------------------------------------------------------ nodes */

/* Notes the moves to the goal, by one more move of a node of the present layer. False: no memory. */
static bool take_goal(p15_breadth *search, const p15_frontier_node *node, unsigned direction) {
    search->length = search->g + 1;
    search->path = malloc(search->length);
    if (!search->path) return false;
    uint64_t moves = node->moves;
    uint32_t origin = node->origin;
    size_t place = search->length;
    search->path[--place] = (uint8_t)direction;
    for (unsigned relay_count = search->relay_count;;) {
        for (size_t first = (size_t)relay_count * P15_RELAY_MOVES; place > first; moves >>= 2)
            search->path[--place] = moves & 3u;
        if (relay_count-- == 0) return true;
        moves = search->relays[relay_count].moves[origin];
        origin = search->relays[relay_count].origins[origin];
    }
}

/* Files a child of a node of the present layer. False: no room. */
P15_INLINE bool keep(p15_breadth *search, const p15_frontier_node *parent, const p15_family_child *child,
                     p15_fate *fate) {
    p15_frontier *next = &search->next;
    *fate = P15_FATE_KNOWN;
    if (child->known) return true;
    unsigned f = search->g + 1 + child->node.h;
    if (f > search->bound) {
        if (f < search->next_bound) search->next_bound = f;
        *fate = P15_FATE_CUT;
        return true;
    }
    p15_frontier_node *there = p15_frontier_find(next, child->node.board, child->hash);
    if (there) {
        there->back |= child->node.back;
        return true;
    }
    *fate = P15_FATE_OPEN;
    if (next->count == next->room) {
        if (!p15_frontier_grow(next, available(search))) return false;
        while (!p15_frontier_settle(next)) continue; /* it is small, or this is seldom: see p15_breadth_run */
    }
    p15_frontier_node node = child->node;
    node.moves = parent->moves << 2 | node.direction;
    node.origin = parent->origin;
    p15_frontier_add(next, &node, child->hash);
    return true;
}

/* Expands the next node, whose family was made. False: the search has ended. */
P15_INLINE bool expand(p15_breadth *search, const p15_family *family, bool traced) {
    const p15_frontier_node *node = &search->now.nodes[search->at++];
    const p15_family_child *goal = NULL;
    search->expanded++;
    search->generated += family->count;
    if (traced) p15_trace_node(search->trace, node->board, node->values, search->g, false);
    for (unsigned i = 0; i < family->count; i++) {
        const p15_family_child *child = &family->children[i];
        p15_fate fate;
        if (!keep(search, node, child, &fate)) return end(search, P15_SEARCH_NO_ROOM);
        if (traced) p15_trace_child(search->trace, child->node.direction, fate);
        if (child->node.board == search->goal && fate == P15_FATE_OPEN) goal = child;
    }
    if (search->at > search->largest_closed) search->largest_closed = search->at;
    if (!goal) return true;
    if (traced) p15_trace_node(search->trace, search->goal, 0, search->g + 1, true);
    if (!take_goal(search, node, goal->node.direction) || !note_iteration(search))
        return end(search, P15_SEARCH_NO_ROOM);
    return end(search, P15_SEARCH_SOLVED);
}

static bool expand_silently(p15_breadth *search, const p15_family *family) { return expand(search, family, false); }
static bool expand_traced(p15_breadth *search, const p15_family *family) { return expand(search, family, true); }

/* ------------------------------------------------------------------------------------------------ the search */

p15_status p15_breadth_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                           size_t max_bytes, p15_breadth **made) {
    *made = NULL;
    unsigned h;
    p15_values values;
    p15_status status = p15_evaluator_board(evaluator, start, &h, &values);
    if (status) return status;
    p15_breadth *search = calloc(1, sizeof *search);
    if (!search) return P15_ERR_MEMORY;
    status = p15_families_init(evaluator, order, &search->families);
    if (status) {
        free(search);
        return status;
    }
    search->start = (p15_frontier_node){.board = start,
                                        .values = values,
                                        .h = (uint8_t)h,
                                        .blank = (uint8_t)p15_board_blank(start),
                                        .direction = P15_DIRECTIONS};
    search->goal = p15_evaluator_goal(evaluator);
    search->max_bytes = max_bytes;
    search->largest_open = 1;
    begin_iteration(search, h);
    if (!add_start(search)) {
        p15_breadth_delete(search);
        return P15_ERR_MEMORY;
    }
    *made = search;
    return P15_OK;
}

void p15_breadth_delete(p15_breadth *search) {
    if (!search) return;
    p15_families_free(&search->families);
    p15_frontier_free(&search->now);
    p15_frontier_free(&search->next);
    free_relays(search);
    free(search->path);
    free(search->iterations);
    free(search);
}

void p15_breadth_trace(p15_breadth *search, p15_trace *trace) {
    search->trace = trace;
    tell_trace(search);
}

bool p15_breadth_run(p15_breadth *search, uint64_t expansions) {
    if (search->state != P15_SEARCH_RUNNING) return false;
    if (search->start.board == search->goal) {
        if (search->trace) {
            search->trace->iteration = 0;
            search->trace->bound = P15_NO_BOUND;
            p15_trace_node(search->trace, search->goal, search->start.values, 0, true);
        }
        return end(search, P15_SEARCH_SOLVED);
    }
    while (expansions > 0) {
        if (!prepare(search)) return search->state == P15_SEARCH_RUNNING;
        size_t count = search->now.count - search->at;
        if (count == 0) {
            if (!next_layer(search)) return false;
            continue;
        }
        if (count > search->families.most) count = search->families.most;
        if (count > expansions) count = (size_t)expansions;
        if (p15_frontier_crowded(&search->next, count * P15_DIRECTIONS)) {
            if (p15_frontier_grow(&search->next, available(search))) continue;
            if (search->next.room == 0) return end(search, P15_SEARCH_NO_ROOM); /* its nodes are lost */
        }
        p15_families_make(&search->families, search->now.nodes + search->at, count, &search->next);
        for (size_t i = 0; i < count; i++) {
            const p15_family *family = &search->families.families[i];
            if (!(search->trace ? expand_traced(search, family) : expand_silently(search, family))) return false;
        }
        expansions -= count;
    }
    return true;
}

void p15_breadth_report(const p15_breadth *search, p15_report *report) {
    *report = (p15_report){
        .state = search->state,
        .lower_bound = search->state == P15_SEARCH_SOLVED ? (unsigned)search->length : search->bound,
        .expanded = search->expanded,
        .generated = search->generated,
        .largest_open = search->largest_open,
        .largest_closed = search->largest_closed,
        .nodes = search->now.count + search->next.count,
        .bytes = bytes_of(search),
        .upkeep = !p15_frontier_settled(&search->next) || search->unrelayed > 0,
    };
}

const p15_iteration *p15_breadth_iterations(const p15_breadth *search, size_t *count) {
    *count = search->iteration_count;
    return search->iterations;
}

size_t p15_breadth_path(const p15_breadth *search, uint8_t *directions, size_t room) {
    if (search->state != P15_SEARCH_SOLVED) return SIZE_MAX;
    for (size_t i = 0; i < room && i < search->length; i++) directions[i] = search->path[i];
    return search->length;
}
