#include "search/layers/breadth_first.h"

#include "search/layers/frontier.h"

#include <stdlib.h>

#define NO_BOUND UINT32_MAX

/* What stays of a relay layer. */
typedef struct {
    uint64_t *moves;   /* [count]: from the relay layer before, or from the start */
    uint32_t *origins; /* [count]: in that layer */
    size_t count;
} relay;

typedef struct {
    p15_search base;
    p15_layer_batch batch;
    p15_frontier now, next; /* the layer that is being expanded, and its children */
    size_t at;              /* in `now` */
    unsigned g;             /* of `now` */
    unsigned bound, next_bound;
    relay relays[P15_MOST_RELAYS];
    unsigned relay_count;
    size_t unrelayed; /* nodes of `now`, the first ones, which the last relay layer is yet to get */
    bool starting;    /* the iteration has no node yet */
    uint64_t expanded_before, generated_before; /* the present iteration */
} breadth;

#define RELAY_BYTES (sizeof(uint64_t) + sizeof(uint32_t)) /* of a node */

static void free_relays(breadth *search) {
    for (unsigned i = 0; i < search->relay_count; i++) {
        free(search->relays[i].moves);
        free(search->relays[i].origins);
        search->base.memory.used -= search->relays[i].count * RELAY_BYTES;
    }
    search->relay_count = 0;
}

/* The layer that begins now is a relay layer. False: no room. */
static bool begin_relay(breadth *search) {
    size_t count = search->now.count;
    if (search->relay_count == P15_MOST_RELAYS || !p15_memory_take(&search->base.memory, count * RELAY_BYTES))
        return false;
    relay *r = &search->relays[search->relay_count++];
    *r = (relay){malloc(count * sizeof *r->moves), malloc(count * sizeof *r->origins), count};
    search->unrelayed = count;
    return r->moves && r->origins;
}

/* A piece of filling the relay layer. False: call it again. */
static bool relay_on(breadth *search) {
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

/* Notes the present iteration, which has ended. False: no memory. */
static bool note_iteration(breadth *search) {
    const p15_report *report = &search->base.report;
    return p15_search_iterated(&search->base, search->bound, report->expanded - search->expanded_before,
                               report->generated - search->generated_before);
}

static void traced(p15_search *base) {
    if (!base->trace) return;
    base->trace->iteration = (uint32_t)base->report.iteration_count + 1;
    base->trace->bound = ((const breadth *)base)->bound;
}

/* Begins an iteration, which gets its start later. Both layers are empty. */
static void begin_iteration(breadth *search, unsigned bound) {
    free_relays(search);
    search->bound = bound;
    search->next_bound = NO_BOUND;
    search->g = 0;
    search->at = 0;
    search->expanded_before = search->base.report.expanded;
    search->generated_before = search->base.report.generated;
    search->base.report.lower_bound = bound;
    search->starting = true;
    traced(&search->base);
}

/* Gives an iteration its start. False: no room. */
static bool add_start(breadth *search) {
    search->starting = false;
    return p15_frontier_begin(&search->now, &search->base);
}

/* Goes on to the next layer, or to the next iteration. False: the search has ended. */
static bool next_layer(breadth *search) {
    p15_frontier done = search->now;
    search->now = search->next;
    search->next = done;
    p15_frontier_keep(&search->next, 0);
    search->at = 0;
    search->g++;
    p15_search *base = &search->base;
    if (search->now.count > base->report.largest_open) base->report.largest_open = search->now.count;
    if (search->now.count > 0)
        return search->g % P15_RELAY_MOVES || begin_relay(search) || p15_search_end(base, P15_SEARCH_NO_ROOM);
    if (!note_iteration(search)) return p15_search_end(base, P15_SEARCH_NO_ROOM);
    if (search->next_bound == NO_BOUND) return p15_search_end(base, P15_SEARCH_FAILED);
    begin_iteration(search, search->next_bound);
    return true;
}

/* A piece of what is to be done before nodes can be expanded. False: call it again, or the search has ended. */
static bool prepare(breadth *search) {
    if (!p15_frontier_settled(&search->next) && !p15_frontier_settle(&search->next)) return false;
    if (search->unrelayed > 0 && !relay_on(search)) return false;
    return !search->starting || add_start(search) || p15_search_end(&search->base, P15_SEARCH_NO_ROOM);
}

/* ------------------------------------------------------------------------------------------------ nodes */

/* Notes the moves to the goal, by one more move of a node of the present layer. False: no memory. */
static bool take_goal(breadth *search, const p15_frontier_node *node, unsigned direction) {
    size_t at = search->g + 1;
    uint8_t *path = p15_search_path(&search->base, at);
    if (!path) return false;
    uint64_t moves = node->moves;
    uint32_t origin = node->origin;
    path[--at] = (uint8_t)direction;
    for (unsigned relay_count = search->relay_count;;) {
        for (size_t first = (size_t)relay_count * P15_RELAY_MOVES; at > first; moves >>= 2) path[--at] = moves & 3u;
        if (relay_count-- == 0) return true;
        moves = search->relays[relay_count].moves[origin];
        origin = search->relays[relay_count].origins[origin];
    }
}

/* Files a child of a node of the present layer. False: no room. */
P15_INLINE bool keep(breadth *search, const p15_frontier_node *parent, const p15_layer_child *child, p15_fate *fate) {
    *fate = P15_FATE_KNOWN;
    if (child->known) return true;
    unsigned f = search->g + 1 + child->node.h;
    if (f > search->bound) {
        if (f < search->next_bound) search->next_bound = f;
        *fate = P15_FATE_CUT;
        return true;
    }
    p15_frontier_node node = child->node;
    node.moves = parent->moves << 2 | node.direction;
    node.origin = parent->origin;
    bool added, kept = p15_frontier_keep_child(&search->next, &search->base.memory, &node, child->hash, &added);
    if (added) *fate = P15_FATE_OPEN;
    return kept;
}

/* Expands the next node, whose children were made. False: the search has ended. */
P15_INLINE bool expand(breadth *search, const p15_layer_children *children) {
    p15_search *base = &search->base;
    p15_report *report = &base->report;
    const p15_frontier_node *node = &search->now.nodes[search->at++];
    const p15_layer_child *goal = NULL;
    report->expanded++;
    report->generated += children->count;
    p15_search_count(base, 0, search->g, node->h, children->count);
    if (base->trace) p15_trace_node(base->trace, node->board, node->values, search->g, false);
    for (unsigned i = 0; i < children->count; i++) {
        const p15_layer_child *child = &children->list[i];
        p15_fate fate;
        if (!keep(search, node, child, &fate)) return p15_search_end(base, P15_SEARCH_NO_ROOM);
        if (base->trace) p15_trace_child(base->trace, child->node.direction, fate);
        if (child->node.board == base->goal && fate == P15_FATE_OPEN) goal = child;
    }
    if (search->at > report->largest_closed) report->largest_closed = search->at;
    if (!goal) return true;
    if (base->trace) p15_trace_node(base->trace, base->goal, 0, search->g + 1, true);
    if (!take_goal(search, node, goal->node.direction) || !note_iteration(search))
        return p15_search_end(base, P15_SEARCH_NO_ROOM);
    report->lower_bound = search->g + 1;
    return p15_search_end(base, P15_SEARCH_SOLVED);
}

/* ------------------------------------------------------------------------------------------------ the search */

/* The start is the goal. */
static bool end_at_once(p15_search *base) {
    if (base->trace) {
        base->trace->iteration = 0;
        base->trace->bound = P15_NO_BOUND;
    }
    base->report.lower_bound = 0;
    return p15_search_at_goal(base);
}

static bool run(p15_search *base, uint64_t expansions) {
    breadth *search = (breadth *)base;
    if (base->start == base->goal) return end_at_once(base);
    while (expansions > 0) {
        if (!prepare(search)) return base->report.state == P15_SEARCH_RUNNING;
        if (search->at == search->now.count) {
            if (!next_layer(search)) return false;
            continue;
        }
        size_t count = p15_layer_batch_next(base, &search->batch, &search->now, search->at, expansions, &search->next);
        if (base->report.state != P15_SEARCH_RUNNING) return false;
        for (size_t i = 0; i < count; i++)
            if (!expand(search, &search->batch.nodes[i])) return false;
        expansions -= count;
    }
    return true;
}

static void complete(p15_search *base) {
    const breadth *search = (const breadth *)base;
    base->report.nodes = search->now.count + search->next.count;
    base->report.upkeep = !p15_frontier_settled(&search->next) || search->unrelayed > 0;
}

static void end(p15_search *base) {
    breadth *search = (breadth *)base;
    p15_frontier_free(&search->now);
    p15_frontier_free(&search->next);
    free_relays(search);
}

static p15_status make(p15_search *base) {
    breadth *search = (breadth *)base;
    base->report.largest_open = 1;
    p15_status status = p15_layer_batch_init(base, &search->batch);
    begin_iteration(search, base->h);
    return !status && !add_start(search) ? P15_ERR_MEMORY : status;
}

const p15_search_type P15_BREADTH_FIRST_HEURISTIC = {
    .bytes = sizeof(breadth), .make = make, .run = run, .complete = complete, .traced = traced, .end = end};
