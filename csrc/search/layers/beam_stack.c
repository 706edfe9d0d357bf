#include "search/layers/beam_stack.h"

#include "search/layers/families.h"

#include <stdlib.h>
#include <string.h>

/* The place of a node in the order of its layer. */
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

struct p15_beam_stack {
    p15_families families;
    p15_frontier_node start;
    p15_board goal;
    size_t width, max_bytes;
    unsigned below; /* moves that a solution must not have */
    bool has_solution;
    uint8_t path[P15_MOST_STACK_MOVES];
    level *levels; /* [P15_MOST_STACK_MOVES + 1] */
    unsigned g;    /* the layer that is being expanded */
    size_t at;     /* in it */
    ordering ordering;
    bool leaving; /* the layer has no more nodes to expand */
    p15_search_state state;
    unsigned lower_bound, told;
    uint64_t expanded, generated, largest_open, largest_closed;
    p15_trace *trace; /* NULL: none */
};

static bool is_before(key a, key b) { return a.h != b.h ? a.h < b.h : a.hash < b.hash; }

static key key_of(const p15_frontier_node *node) { return (key){node->h, p15_frontier_hash(node->board)}; }

static size_t bytes_of(const p15_beam_stack *search) {
    size_t bytes = 0;
    for (unsigned g = 0; g <= P15_MOST_STACK_MOVES; g++) bytes += p15_frontier_bytes(&search->levels[g].layer);
    return bytes;
}

static bool grow(p15_beam_stack *search, p15_frontier *layer) {
    size_t used = bytes_of(search);
    return used < search->max_bytes && p15_frontier_grow(layer, search->max_bytes - used);
}

static bool end(p15_beam_stack *search, p15_search_state state) {
    search->state = state;
    return false;
}

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

/* A piece of putting nodes in order, as far as the first `count` and the one behind them. False: come again. */
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
static void begin_pruning(p15_beam_stack *search, bool all) {
    const p15_frontier *next = &search->levels[search->g + 1].layer;
    search->ordering = (ordering){.pruning = true, .all = all};
    push(&search->ordering, 0, next->count, next->count < search->width ? next->count : search->width);
}

/* A piece of pruning, or of what else there is to be done before children can be made. False: come again. */
static bool prepare(p15_beam_stack *search) {
    p15_frontier *next = &search->levels[search->g + 1].layer;
    if (search->ordering.pruning) {
        size_t count = next->count < search->width ? next->count : search->width;
        if (!order_on(&search->ordering, next->nodes, count)) return false;
        search->ordering.pruning = false;
        if (count < next->count) search->levels[search->g].high = key_of(&next->nodes[count]);
        p15_frontier_keep(next, count);
    }
    return p15_frontier_settled(next) || p15_frontier_settle(next);
}

/* Begins to expand the layer at depth g, whose children are not below `low`. */
static void begin_layer(p15_beam_stack *search, unsigned g, key low) {
    search->g = g;
    search->at = 0;
    search->levels[g].low = low;
    search->levels[g].high = NO_KEY;
    p15_frontier_keep(&search->levels[g + 1].layer, 0);
}

static bool may_better(const p15_beam_stack *search, unsigned g, unsigned h) {
    return h != NO_KEY.h && g + h < search->below;
}

/* What is proved when the search has come back to the present layer: better solutions lead through what waits here or
 * at a layer before. Says whether that is news. */
static bool prove(p15_beam_stack *search) {
    unsigned least = search->g + 1 + search->levels[search->g].low.h;
    for (unsigned g = 0; g < search->g; g++) {
        unsigned h = search->levels[g].high.h;
        if (may_better(search, g + 1, h) && g + 1 + h < least) least = g + 1 + h;
    }
    if (least <= search->lower_bound) return false;
    search->lower_bound = least;
    return search->has_solution;
}

/* Tells the trace which children of the layer are not kept, and which are those of another node, too. */
static void trace_dropped(p15_beam_stack *search) {
    p15_trace *trace = search->trace;
    const p15_frontier *now = &search->levels[search->g].layer, *next = &search->levels[search->g + 1].layer;
    for (size_t i = trace->failed ? trace->count : trace->count - trace->pending; i < trace->count; i++) {
        p15_expansion *expansion = &trace->expansions[i];
        for (unsigned j = 0; j < expansion->child_count; j++) {
            p15_traced_child *child = &expansion->children[j];
            if (child->fate != P15_FATE_OPEN || child->board == search->goal) continue;
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
static bool next_layer(p15_beam_stack *search) {
    search->leaving = false;
    if (search->trace) trace_dropped(search);
    const p15_frontier *next = &search->levels[search->g + 1].layer;
    if (next->count > search->largest_open) search->largest_open = next->count;
    size_t closed = 0;
    for (unsigned g = 0; g <= search->g; g++) closed += search->levels[g].layer.count;
    if (closed > search->largest_closed) search->largest_closed = closed;
    if (next->count > 0 && may_better(search, search->g + 1, next->nodes[0].h)) {
        begin_layer(search, search->g + 1, (key){0, 0});
        return true;
    }
    for (unsigned g = search->g + 1; g-- > 0;) {
        if (!may_better(search, g + 1, search->levels[g].high.h)) continue;
        begin_layer(search, g, search->levels[g].high);
        search->told += prove(search);
        return true;
    }
    search->told += search->has_solution;
    return end(search, search->has_solution ? P15_SEARCH_SOLVED : P15_SEARCH_FAILED);
}

/* ------------------------------------------------------------------------------------------------ nodes */

/* Notes the moves to the goal, by one more move of a node of the present layer. */
static void take_goal(p15_beam_stack *search, const p15_frontier_node *node, unsigned direction) {
    search->below = search->g + 1;
    search->has_solution = true;
    search->told++;
    for (unsigned g = search->g;; g--) {
        search->path[g] = (uint8_t)direction;
        if (g == 0) return;
        direction = node->direction;
        node = &search->levels[g - 1].layer.nodes[node->origin];
    }
}

/* Files a child of a node of the present layer. False: no room. */
P15_INLINE bool keep(p15_beam_stack *search, const p15_family_child *child, uint32_t parent, p15_fate *fate) {
    const level *now = &search->levels[search->g];
    p15_frontier *next = &search->levels[search->g + 1].layer;
    key place = {child->node.h, child->hash};
    *fate = P15_FATE_KNOWN;
    if (child->known || is_before(place, now->low)) return true;
    *fate = P15_FATE_CUT;
    if (search->g + 1 + child->node.h >= search->below) return true;
    *fate = P15_FATE_DROPPED;
    if (!is_before(place, now->high)) return true;
    *fate = P15_FATE_OPEN;
    p15_frontier_node *there = p15_frontier_find(next, child->node.board, child->hash);
    if (there) {
        there->back |= child->node.back;
        return true;
    }
    if (next->count == next->room) {
        if (!grow(search, next)) return false;
        while (!p15_frontier_settle(next)) continue; /* it is small, or this is seldom: see p15_beam_stack_run */
    }
    p15_frontier_node node = child->node;
    node.origin = parent;
    p15_frontier_add(next, &node, child->hash);
    return true;
}

static void trace_node(p15_beam_stack *search, const p15_frontier_node *node, unsigned g, bool goal) {
    p15_trace_node(search->trace, node->board, node->values, g, goal);
    if (!search->trace->failed) search->trace->pending++;
}

/* Expands a node of the present layer, whose family was made. False: no room. */
P15_INLINE bool expand(p15_beam_stack *search, uint32_t place, const p15_family *family, bool traced) {
    const p15_frontier_node *node = &search->levels[search->g].layer.nodes[place];
    const p15_frontier_node *goal = NULL;
    search->expanded++;
    search->generated += family->count;
    if (traced) trace_node(search, node, search->g, false);
    for (unsigned i = 0; i < family->count; i++) {
        const p15_family_child *child = &family->children[i];
        p15_fate fate = P15_FATE_OPEN;
        if (child->node.board == search->goal && search->g + 1 < search->below)
            goal = &child->node;
        else if (!keep(search, child, place, &fate))
            return false;
        if (traced) p15_trace_child(search->trace, child->node.direction, fate);
    }
    if (!goal) return true;
    if (traced) {
        trace_node(search, goal, search->g + 1, true);
        search->trace->bound = search->g;
    }
    take_goal(search, node, goal->direction);
    return true;
}

static bool expand_silently(p15_beam_stack *search, uint32_t place, const p15_family *family) {
    return expand(search, place, family, false);
}

static bool expand_traced(p15_beam_stack *search, uint32_t place, const p15_family *family) {
    return expand(search, place, family, true);
}

/* ------------------------------------------------------------------------------------------------ the search */

p15_status p15_beam_stack_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                              size_t width, unsigned below, size_t max_bytes, p15_beam_stack **made) {
    *made = NULL;
    if (width < 1 || width > P15_MOST_STACK_WIDTH || below < 1 || below > P15_MOST_STACK_MOVES) return P15_ERR_ARGUMENT;
    unsigned h;
    p15_values values;
    p15_status status = p15_evaluator_board(evaluator, start, &h, &values);
    if (status) return status;
    p15_beam_stack *search = calloc(1, sizeof *search);
    if (!search) return P15_ERR_MEMORY;
    status = p15_families_init(evaluator, order, &search->families);
    if (status) {
        free(search);
        return status;
    }
    p15_frontier_node node = {.board = start,
                              .values = values,
                              .h = (uint8_t)h,
                              .blank = (uint8_t)p15_board_blank(start),
                              .direction = P15_DIRECTIONS};
    search->start = node;
    search->goal = p15_evaluator_goal(evaluator);
    search->width = width;
    search->max_bytes = max_bytes;
    search->below = below;
    search->lower_bound = h;
    search->largest_open = 1;
    search->levels = calloc(P15_MOST_STACK_MOVES + 1, sizeof *search->levels);
    if (!search->levels || !grow(search, &search->levels[0].layer)) {
        p15_beam_stack_delete(search);
        return P15_ERR_MEMORY;
    }
    p15_frontier_add(&search->levels[0].layer, &node, p15_frontier_hash(start));
    begin_layer(search, 0, (key){0, 0});
    *made = search;
    return P15_OK;
}

void p15_beam_stack_delete(p15_beam_stack *search) {
    if (!search) return;
    p15_families_free(&search->families);
    for (unsigned g = 0; search->levels && g <= P15_MOST_STACK_MOVES; g++) p15_frontier_free(&search->levels[g].layer);
    free(search->levels);
    free(search);
}

void p15_beam_stack_trace(p15_beam_stack *search, p15_trace *trace) {
    search->trace = trace;
    if (trace) trace->bound = search->below - 1;
}

bool p15_beam_stack_run(p15_beam_stack *search, uint64_t expansions) {
    if (search->state != P15_SEARCH_RUNNING) return false;
    if (search->start.board == search->goal) {
        search->below = 0;
        search->has_solution = true;
        search->told++;
        if (search->trace) p15_trace_node(search->trace, search->goal, search->start.values, 0, true);
        return end(search, P15_SEARCH_SOLVED);
    }
    for (unsigned told = search->told; expansions > 0 && search->told == told;) {
        if (!prepare(search)) return true;
        if (search->leaving) {
            if (!next_layer(search)) return false;
            continue;
        }
        const p15_frontier *now = &search->levels[search->g].layer;
        p15_frontier *next = &search->levels[search->g + 1].layer;
        size_t count = now->count - search->at;
        if (count == 0 || search->g + now->nodes[search->at].h >= search->below) { /* and all behind it */
            search->leaving = true;
            begin_pruning(search, true);
            continue;
        }
        if (count > search->families.most) count = search->families.most;
        if (count > expansions) count = (size_t)expansions;
        if (p15_frontier_crowded(next, count * P15_DIRECTIONS)) {
            if (grow(search, next)) continue;
            if (next->room == 0) return end(search, P15_SEARCH_NO_ROOM); /* its nodes are lost */
        }
        p15_families_make(&search->families, now->nodes + search->at, count, next);
        for (size_t i = 0; i < count && search->told == told; i++) {
            uint32_t place = (uint32_t)search->at;
            const p15_family *family = &search->families.families[i];
            if (search->g + now->nodes[place].h >= search->below) break;
            search->at++;
            if (!(search->trace ? expand_traced(search, place, family) : expand_silently(search, place, family)))
                return end(search, P15_SEARCH_NO_ROOM);
            expansions--;
            if (next->count < 2 * search->width) continue;
            begin_pruning(search, false);
            if (!prepare(search)) return true;
        }
    }
    return true;
}

void p15_beam_stack_report(const p15_beam_stack *search, p15_report *report) {
    size_t nodes = 0;
    for (unsigned g = 0; g <= search->g + 1; g++) nodes += search->levels[g].layer.count;
    *report = (p15_report){
        .state = search->state,
        .lower_bound = search->state == P15_SEARCH_SOLVED ? search->below : search->lower_bound,
        .expanded = search->expanded,
        .generated = search->generated,
        .largest_open = search->largest_open,
        .largest_closed = search->largest_closed,
        .nodes = nodes,
        .bytes = bytes_of(search),
        .upkeep = search->ordering.pruning || !p15_frontier_settled(&search->levels[search->g + 1].layer),
    };
}

unsigned p15_beam_stack_told(const p15_beam_stack *search) { return search->told; }

size_t p15_beam_stack_path(const p15_beam_stack *search, uint8_t *directions, size_t room) {
    if (!search->has_solution) return SIZE_MAX;
    if (room > search->below) room = search->below;
    if (room > 0) memcpy(directions, search->path, room);
    return search->below;
}
