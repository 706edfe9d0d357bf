#include "search/best_first/bidirectional.h"

#include "search/best_first/compilations.h"
#include "search/best_first/expand.h"
#include "search/best_first/open.h"

typedef struct {
    p15_closed closed;
    p15_open open;  /* rows are depths */
    unsigned depth; /* every board within it is known */
} side;

typedef struct {
    p15_search base;
    side sides[2];   /* from the start, from the goal */
    unsigned number; /* of the side whose level is being expanded */
    p15_cpu cpu;
} bidirectional;

/* Ends a search whose sides meet at a board; g is that of its side. */
static void meet(bidirectional *search, p15_board board, unsigned g) {
    p15_search *base = &search->base;
    bool kept = p15_keep_path(base, &search->sides[0].closed, &search->sides[1].closed, board);
    p15_search_end(base, kept ? P15_SEARCH_SOLVED : P15_SEARCH_NO_ROOM);
    if (kept && base->trace) p15_trace_node(base->trace, board, 0, g, true);
}

static void traced(p15_search *base) {
    if (base->trace && base->report.state == P15_SEARCH_SOLVED) p15_trace_node(base->trace, base->start, 0, 0, true);
}

/* Makes the family of a board, and prefetches the places of its children on both sides. */
P15_INLINE void make(const bidirectional *search, p15_board board, p15_family *family, p15_where *others) {
    const p15_closed *own = &search->sides[search->number].closed, *other = &search->sides[1 - search->number].closed;
    family->board = 0;
    p15_family_make(own, &search->base.moves, board, family);
    for (unsigned i = 0; i < family->count; i++) {
        others[i] = p15_closed_where(other, family->list[i].board);
        p15_closed_prefetch(other, others[i]);
    }
}

/* Expands a node, and ends the search when the other side knows one of its children. */
P15_INLINE void expand(bidirectional *search, p15_board board) {
    p15_search *base = &search->base;
    side *s = &search->sides[search->number];
    const side *other = &search->sides[1 - search->number];
    p15_family family, soon;
    p15_where others[P15_DIRECTIONS], soon_others[P15_DIRECTIONS];
    unsigned g = s->depth + 1;
    make(search, board, &family, others);
    p15_board coming = p15_open_next(&s->open);
    if (coming) { /* so that by its turn the memory has answered */
        p15_closed_prefetch(&s->closed, p15_closed_where(&s->closed, coming));
        make(search, coming, &soon, soon_others);
    }
    unsigned undo = p15_slot_undo(*p15_closed_known(&s->closed, board));
    base->report.expanded++;
    if (base->trace) {
        base->trace->side = (uint8_t)search->number;
        p15_trace_node(base->trace, board, 0, s->depth, false);
    }
    for (unsigned i = 0; i < family.count; i++) {
        const p15_child *child = &family.list[i];
        if (child->direction == undo) continue;
        base->report.generated++;
        p15_slot *slot = p15_family_find(&s->closed, &family, i);
        if (slot && base->trace) p15_trace_child(base->trace, child->direction, *slot ? P15_FATE_KNOWN : P15_FATE_OPEN);
        if (slot && *slot) continue;
        if (slot) p15_closed_add(&s->closed, family.places[i], slot, g, child->direction);
        const p15_slot *met = slot ? p15_closed_find(&other->closed, others[i]) : NULL;
        if (met && *met) {
            meet(search, child->board, g);
            return;
        }
        if (!slot || p15_open_put(&s->open, g, 0, child->board, 0) != P15_OK) {
            p15_search_end(base, P15_SEARCH_NO_ROOM);
            return;
        }
    }
}

P15_INLINE bool run_all(p15_search *base, uint64_t expansions) {
    bidirectional *search = (bidirectional *)base;
    p15_report *report = &base->report;
    for (; report->state == P15_SEARCH_RUNNING && expansions > 0; expansions--) {
        side *s = &search->sides[search->number];
        if (p15_open_first(&s->open) && s->open.row > s->depth) { /* its level is complete */
            s->depth++;
            search->number = search->sides[0].open.count <= search->sides[1].open.count ? 0 : 1;
            continue;
        }
        unsigned row, column;
        p15_board board;
        if (!p15_closed_prepare(&s->closed)) return true;
        if (!p15_closed_has_room(&s->closed)) return p15_search_end(base, P15_SEARCH_NO_ROOM);
        if (!p15_open_take(&s->open, &row, &column, &board, NULL)) return p15_search_end(base, P15_SEARCH_FAILED);
        expand(search, board);
        uint64_t open = search->sides[0].open.count + search->sides[1].open.count;
        if (open > report->largest_open) report->largest_open = open;
        report->largest_closed = report->expanded;
    }
    return report->state == P15_SEARCH_RUNNING;
}

P15_DEFINE_RUN_SOME(run_all, ((bidirectional *)search)->cpu)

static void complete(p15_search *base) {
    const side *sides = ((const bidirectional *)base)->sides;
    p15_report *report = &base->report;
    report->lower_bound =
        report->state == P15_SEARCH_SOLVED ? (unsigned)report->length : sides[0].depth + sides[1].depth + 1;
    report->nodes = sides[0].closed.node_count + sides[1].closed.node_count;
    report->upkeep = sides[0].closed.growth || sides[1].closed.growth;
}

static void end(p15_search *base) {
    for (unsigned i = 0; i < 2; i++) {
        side *s = &((bidirectional *)base)->sides[i];
        p15_closed_free(&s->closed);
        p15_open_free(&s->open);
    }
}

static const p15_search_type BIDIRECTIONAL = {.run = run_some, .complete = complete, .traced = traced, .end = end};

p15_status p15_bidirectional_new(p15_shape shape, p15_board start, p15_board goal, const uint8_t order[P15_DIRECTIONS],
                                 size_t max_bytes, p15_cpu cpu, p15_search **made) {
    p15_search *base;
    p15_status status =
        p15_search_make(&BIDIRECTIONAL, sizeof(bidirectional), shape, start, goal, order, max_bytes, &base);
    *made = NULL;
    if (status) return status;
    bidirectional *search = (bidirectional *)base;
    base->report.largest_open = 2;
    search->cpu = cpu;
    for (unsigned i = 0; i < 2 && !status; i++) {
        side *s = &search->sides[i];
        p15_board root = i ? goal : start;
        status = p15_closed_init(shape, &base->memory, &s->closed);
        if (!status) status = p15_open_init(false, false, 1, &base->memory, &s->open);
        if (!status) status = p15_open_put(&s->open, 0, 0, root, 0);
        if (!status) p15_closed_add_root(&s->closed, root);
    }
    if (!status && start == goal) meet(search, start, 0);
    return p15_search_made(base, status, made);
}
