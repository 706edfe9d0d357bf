#include "search/layers/beam_stack.h"

#include "search/layers/frontier.h"

#include <stdlib.h>
#include <string.h>

/* What orders the nodes of a layer. */
typedef struct {
    unsigned h;
    uint64_t hash;
} key;

#define NO_KEY ((key){UINT32_MAX, 0}) /* behind all nodes */

/* A layer, and which of its children are kept. */
typedef struct {
    p15_frontier layer;
    key low, high;
} level;

/* Nodes of a layer that are yet to be put in order: those of a span are behind those of the spans below it. */
typedef struct {
    size_t begin, end;
} span;

#define MOST_SPANS 65 /* the smaller half of a span goes first, so each is at most half of the one below */
#define SHORT 16u     /* is put in order at once */

/* How the children of the present layer are put in order, and those beyond the width dropped. */
typedef struct {
    bool pruning;
    bool all; /* else it is enough to know which ones are kept */
    span spans[MOST_SPANS];
    unsigned span_count;
    /* The last span is being parted: nodes before `low` are before the pivot, those from `high` on are not. */
    bool parting;
    size_t low, high;
    key pivot;
} ordering;

typedef struct {
    p15_search base;
    p15_layer_batch batch;
    unsigned below; /* moves that a solution must not have */
    level *levels;  /* [P15_MOST_STACK_MOVES + 1] */
    unsigned g;     /* the layer that is being expanded */
    size_t at;      /* in it */
    ordering ordering;
    bool leaving; /* the layer has no more nodes to expand */
} beam_stack;

static bool is_before(key a, key b) { return a.h != b.h ? a.h < b.h : a.hash < b.hash; }

static key key_of(const p15_frontier_node *node) { return (key){node->h, p15_frontier_hash(node->board)}; }

static bool has_solution(const beam_stack *search) { return search->base.report.path != NULL; }

/* ------------------------------------------------------------------------------------------------ the beam stack */

static void swap(p15_frontier_node *a, p15_frontier_node *b) {
    p15_frontier_node held = *a;
    *a = *b;
    *b = held;
}

/* Puts a short span in order. */
static void insert(p15_frontier_node *nodes, span s) {
    for (size_t i = s.begin + 1; i < s.end; i++) {
        p15_frontier_node node = nodes[i];
        key own = key_of(&node);
        size_t at = i;
        for (; at > s.begin && is_before(own, key_of(&nodes[at - 1])); at--) nodes[at] = nodes[at - 1];
        nodes[at] = node;
    }
}

/* The middle one of three nodes of a span: others are before it, and others are not. */
static key pivot_of(const p15_frontier_node *nodes, span s) {
    key a = key_of(&nodes[s.begin]), b = key_of(&nodes[s.begin + (s.end - s.begin) / 2]), c = key_of(&nodes[s.end - 1]);
    if (is_before(b, a)) {
        key held = a;
        a = b;
        b = held;
    }
    return is_before(c, a) ? a : is_before(c, b) ? c : b;
}

/* Puts a span on the list, unless all its nodes are beyond `count` or need no order among themselves. */
static void push(ordering *o, size_t begin, size_t end, size_t count) {
    bool needed = begin <= count && (o->all || end > count);
    if (needed && end - begin > 1) o->spans[o->span_count++] = (span){begin, end};
}

/* A piece of putting nodes in order, as far as the first `count` and the one behind them. False: call it again. */
static bool order_on(ordering *o, p15_frontier_node *nodes, size_t count) {
    for (size_t left = P15_PIECE; o->span_count > 0;) {
        span s = o->spans[o->span_count - 1];
        if (s.end - s.begin <= SHORT) {
            insert(nodes, s);
            o->span_count--;
            left = left > SHORT ? left - SHORT : 0;
        } else if (!o->parting) {
            o->parting = true;
            o->low = s.begin;
            o->high = s.end;
            o->pivot = pivot_of(nodes, s);
        }
        for (; o->parting && o->low < o->high && left > 0; left--)
            if (is_before(key_of(&nodes[o->low]), o->pivot))
                o->low++;
            else
                swap(&nodes[o->low], &nodes[--o->high]);
        if (left == 0) return false;
        if (!o->parting) continue;
        o->parting = false;
        o->span_count--;
        bool first_smaller = o->low - s.begin < s.end - o->low;
        if (first_smaller) push(o, o->low, s.end, count);
        push(o, s.begin, o->low, count);
        if (!first_smaller) push(o, o->low, s.end, count);
    }
    return true;
}

/* The children of the present layer are to be pruned: put in order, if `all` are, and dropped beyond the width. */
static void begin_pruning(beam_stack *search, bool all) {
    const p15_frontier *next = &search->levels[search->g + 1].layer;
    search->ordering = (ordering){.pruning = true, .all = all};
    push(&search->ordering, 0, next->count,
         next->count < search->base.options.width ? next->count : search->base.options.width);
}

/* A piece of pruning, or of what else there is to be done before children can be made. False: call it again. */
static bool prepare(beam_stack *search) {
    p15_frontier *next = &search->levels[search->g + 1].layer;
    if (search->ordering.pruning) {
        size_t count = next->count < search->base.options.width ? next->count : search->base.options.width;
        if (!order_on(&search->ordering, next->nodes, count)) return false;
        search->ordering.pruning = false;
        if (count < next->count) search->levels[search->g].high = key_of(&next->nodes[count]);
        p15_frontier_keep(next, count);
    }
    return p15_frontier_settled(next) || p15_frontier_settle(next);
}

/* Begins to expand the layer at depth g, whose children are not below `low`. */
static void begin_layer(beam_stack *search, unsigned g, key low) {
    search->g = g;
    search->at = 0;
    search->levels[g].low = low;
    search->levels[g].high = NO_KEY;
    p15_frontier_keep(&search->levels[g + 1].layer, 0);
}

static bool may_better(const beam_stack *search, unsigned g, unsigned h) {
    return h != NO_KEY.h && g + h < search->below;
}

/* What is proved when the search has come back to the present layer: better solutions lead through what waits here or
 * at a layer before. Says whether that is news. */
static bool prove(beam_stack *search) {
    unsigned least = search->g + 1 + search->levels[search->g].low.h;
    for (unsigned g = 0; g < search->g; g++) {
        unsigned h = search->levels[g].high.h;
        if (may_better(search, g + 1, h) && g + 1 + h < least) least = g + 1 + h;
    }
    if (least <= search->base.report.lower_bound) return false;
    search->base.report.lower_bound = least;
    return has_solution(search);
}

/* Notes in the trace which children of the layer are not kept, and which are those of another node, too. */
static void trace_dropped(beam_stack *search) {
    p15_trace *trace = search->base.trace;
    const p15_frontier *now = &search->levels[search->g].layer, *next = &search->levels[search->g + 1].layer;
    for (size_t i = trace->failed ? trace->count : trace->count - trace->pending; i < trace->count; i++) {
        p15_expansion *expansion = &trace->expansions[i];
        for (unsigned j = 0; j < expansion->child_count; j++) {
            p15_traced_child *child = &expansion->children[j];
            if (child->fate != P15_FATE_OPEN || child->board == search->base.goal) continue;
            const p15_frontier_node *kept = p15_frontier_find(next, child->board, p15_frontier_hash(child->board));
            if (!kept)
                child->fate = P15_FATE_DROPPED;
            else if (now->nodes[kept->origin].board != expansion->board)
                child->fate = P15_FATE_KNOWN;
        }
    }
    trace->pending = 0;
}

/* Goes on to the children of the present layer, which are pruned, else back to the last layer where some wait. False: the
 * search has ended. */
static bool next_layer(beam_stack *search) {
    p15_report *report = &search->base.report;
    search->leaving = false;
    if (search->base.trace) trace_dropped(search);
    const p15_frontier *next = &search->levels[search->g + 1].layer;
    if (next->count > report->largest_open) report->largest_open = next->count;
    size_t closed = 0;
    for (unsigned g = 0; g <= search->g; g++) closed += search->levels[g].layer.count;
    if (closed > report->largest_closed) report->largest_closed = closed;
    if (next->count > 0 && may_better(search, search->g + 1, next->nodes[0].h)) {
        begin_layer(search, search->g + 1, (key){0, 0});
        return true;
    }
    for (unsigned g = search->g + 1; g-- > 0;) {
        if (!may_better(search, g + 1, search->levels[g].high.h)) continue;
        begin_layer(search, g, search->levels[g].high);
        report->improvements += prove(search);
        return true;
    }
    if (!has_solution(search)) return p15_search_end(&search->base, P15_SEARCH_FAILED);
    report->improvements++;
    report->lower_bound = search->below;
    return p15_search_end(&search->base, P15_SEARCH_SOLVED);
}

/* ------------------------------------------------------------------------------------------------ nodes */

/* Keeps the moves to the goal, by one more move of a node of the present layer. False: no memory. */
static bool take_goal(beam_stack *search, const p15_frontier_node *node, unsigned direction) {
    uint8_t *path = p15_search_path(&search->base, search->g + 1);
    if (!path) return false;
    search->below = search->g + 1;
    search->base.report.improvements++;
    for (unsigned g = search->g;; g--) {
        path[g] = (uint8_t)direction;
        if (g == 0) return true;
        direction = node->direction;
        node = &search->levels[g - 1].layer.nodes[node->origin];
    }
}

/* Files a child of a node of the present layer. False: no room. */
P15_INLINE bool keep(beam_stack *search, const p15_layer_child *child, uint32_t parent, p15_fate *fate) {
    const level *now = &search->levels[search->g];
    key own = {child->node.h, child->hash};
    *fate = P15_FATE_KNOWN;
    if (child->known || is_before(own, now->low)) return true;
    *fate = P15_FATE_CUT;
    if (search->g + 1 + child->node.h >= search->below) return true;
    *fate = P15_FATE_DROPPED;
    if (!is_before(own, now->high)) return true;
    *fate = P15_FATE_OPEN;
    p15_frontier_node node = child->node;
    node.origin = parent;
    bool added;
    return p15_frontier_keep_child(&search->levels[search->g + 1].layer, &search->base.memory, &node, child->hash,
                                   &added);
}

/* Expands a node of the present layer, whose children were made. False: no room. */
P15_INLINE bool expand(beam_stack *search, uint32_t number, const p15_layer_children *children) {
    p15_search *base = &search->base;
    const p15_frontier_node *node = &search->levels[search->g].layer.nodes[number];
    const p15_frontier_node *goal = NULL;
    base->report.expanded++;
    base->report.generated += children->count;
    p15_search_count(base, 0, search->g, node->h, children->count);
    if (base->trace) p15_trace_pending(base->trace, node->board, node->values, search->g, false);
    for (unsigned i = 0; i < children->count; i++) {
        const p15_layer_child *child = &children->list[i];
        p15_fate fate = P15_FATE_OPEN;
        if (child->node.board == base->goal && search->g + 1 < search->below)
            goal = &child->node;
        else if (!keep(search, child, number, &fate))
            return false;
        if (base->trace) p15_trace_child(base->trace, child->node.direction, fate);
    }
    if (!goal) return true;
    if (base->trace) {
        p15_trace_pending(base->trace, goal->board, goal->values, search->g + 1, true);
        base->trace->bound = search->g;
    }
    return take_goal(search, node, goal->direction);
}

/* ------------------------------------------------------------------------------------------------ the search */

/* Expands some of the next nodes of the present layer. False: no memory, or the layer is yet to be pruned. */
static bool expand_some(beam_stack *search, uint64_t *expansions) {
    p15_search *base = &search->base;
    const p15_frontier *now = &search->levels[search->g].layer;
    p15_frontier *next = &search->levels[search->g + 1].layer;
    unsigned improvements = base->report.improvements;
    size_t count = p15_layer_batch_next(base, &search->batch, now, search->at, *expansions, next);
    for (size_t i = 0; i < count && base->report.improvements == improvements; i++) {
        uint32_t number = (uint32_t)search->at;
        const p15_layer_children *children = &search->batch.nodes[i];
        if (search->g + now->nodes[number].h >= search->below) break;
        search->at++;
        if (!expand(search, number, children)) return p15_search_end(base, P15_SEARCH_NO_ROOM);
        --*expansions;
        if (next->count < 2 * search->base.options.width) continue;
        begin_pruning(search, false);
        if (!prepare(search)) return false;
    }
    return base->report.state == P15_SEARCH_RUNNING;
}

static bool run(p15_search *base, uint64_t expansions) {
    beam_stack *search = (beam_stack *)base;
    if (base->start == base->goal) {
        base->report.improvements++;
        base->report.lower_bound = 0;
        return p15_search_at_goal(base);
    }
    for (unsigned improvements = base->report.improvements;
         expansions > 0 && base->report.improvements == improvements;) {
        if (!prepare(search)) return true;
        const p15_frontier *now = &search->levels[search->g].layer;
        if (search->leaving) {
            if (!next_layer(search)) return false;
        } else if (search->at == now->count || search->g + now->nodes[search->at].h >= search->below) {
            search->leaving = true; /* also where all nodes that are left are cut off */
            begin_pruning(search, true);
        } else if (!expand_some(search, &expansions)) {
            return base->report.state == P15_SEARCH_RUNNING;
        }
    }
    return true;
}

static void traced(p15_search *base) {
    if (base->trace) base->trace->bound = ((const beam_stack *)base)->below - 1;
}

static void complete(p15_search *base) {
    const beam_stack *search = (const beam_stack *)base;
    base->report.nodes = 0;
    for (unsigned g = 0; g <= search->g + 1; g++) base->report.nodes += search->levels[g].layer.count;
    base->report.upkeep = search->ordering.pruning || !p15_frontier_settled(&search->levels[search->g + 1].layer);
}

static void end(p15_search *base) {
    beam_stack *search = (beam_stack *)base;
    for (unsigned g = 0; search->levels && g <= P15_MOST_STACK_MOVES; g++) p15_frontier_free(&search->levels[g].layer);
    free(search->levels);
}

static p15_status make(p15_search *base) {
    beam_stack *search = (beam_stack *)base;
    size_t width = base->options.width;
    search->below = base->options.below;
    if (width < 1 || width > P15_MOST_STACK_WIDTH || search->below < 1 || search->below > P15_MOST_STACK_MOVES)
        return P15_ERR_ARGUMENT;
    base->report.lower_bound = base->h;
    base->report.largest_open = 1;
    search->levels = calloc(P15_MOST_STACK_MOVES + 1, sizeof *search->levels);
    p15_status status = search->levels ? p15_layer_batch_init(base, &search->batch) : P15_ERR_MEMORY;
    if (!status && !p15_frontier_begin(&search->levels[0].layer, base)) status = P15_ERR_MEMORY;
    if (!status) begin_layer(search, 0, (key){0, 0});
    return status;
}

const p15_search_type P15_BEAM_STACK = {
    .bytes = sizeof(beam_stack), .make = make, .run = run, .complete = complete, .traced = traced, .end = end};
