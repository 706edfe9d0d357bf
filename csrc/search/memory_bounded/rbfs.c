#include "search/memory_bounded/rbfs.h"

#include "search/children.h"

#include <assert.h>

#define NONE UINT16_MAX /* F where there is no leaf, or no bound */

/* A node on the path, which is visited. */
typedef struct {
    p15_children children;
    uint16_t least[P15_DIRECTIONS]; /* F of each child */
    uint16_t bound;
    uint8_t next; /* the child that is visited */
} frame;

typedef struct {
    p15_search base;
    unsigned depth; /* frames in use */
    frame frames[P15_RBFS_MAX_DEPTH];
} rbfs;

static uint32_t id_of(unsigned depth, unsigned child) { return 1 + P15_DIRECTIONS * depth + child; }

/* A node that is to be visited. */
typedef struct {
    p15_board board;
    p15_values values;
    unsigned h, blank, last; /* the blank's cell, and the direction of the last move */
    unsigned id;             /* for the trace */
    uint16_t least, bound;   /* F, and beyond what to return */
} node;

static void trace_visit(p15_trace *trace, const node *n, const p15_children *children, unsigned g) {
    trace->bound = n->bound == NONE ? P15_NO_BOUND : n->bound;
    p15_trace_node(trace, n->board, n->values, g, children == NULL)->id = n->id;
    for (unsigned i = 0; children && i < children->count; i++) {
        bool beyond = g + 1 + children->h[i] > n->bound;
        p15_fate fate = beyond ? P15_FATE_CUT : P15_FATE_OPEN;
        p15_trace_child(trace, children->list[i].direction, fate)->id = id_of(g + 1, i);
    }
}

static void end_solved(rbfs *search) {
    uint8_t *path = p15_search_path(&search->base, search->depth);
    for (unsigned i = 0; path && i < search->depth; i++) {
        const frame *f = &search->frames[i];
        path[i] = f->children.list[f->next].direction;
    }
    p15_search_end(&search->base, path ? P15_SEARCH_SOLVED : P15_SEARCH_NO_ROOM);
}

/* Begins the visit of a node: makes its children. */
static void visit(rbfs *search, const node *n) {
    p15_search *base = &search->base;
    unsigned g = search->depth;
    if (n->least > base->report.lower_bound) base->report.lower_bound = n->least;
    if (n->board == base->goal) {
        if (base->trace) trace_visit(base->trace, n, NULL, g);
        end_solved(search);
        return;
    }
    assert(g < P15_RBFS_MAX_DEPTH);
    frame *f = &search->frames[search->depth++];
    p15_children_make(base, n->board, n->values, n->blank, n->last, &f->children);
    bool again = g + n->h < n->least;
    base->report.expanded++;
    base->report.reopened += again;
    base->report.generated += f->children.count;
    p15_search_count(base, 0, g, n->h, f->children.count);
    if (base->trace) trace_visit(base->trace, n, &f->children, g);
    f->bound = n->bound;
    for (unsigned i = 0; i < f->children.count; i++) {
        unsigned least = g + 1 + f->children.h[i];
        f->least[i] = (uint16_t)(again && least < n->least ? n->least : least);
    }
}

/* Chooses the child of least F of the last frame, or ends its visit. False: there is no other. */
static bool next_child(rbfs *search, node *child) {
    frame *f = &search->frames[search->depth - 1];
    const p15_children *c = &f->children;
    unsigned best = 0;
    uint16_t least = NONE, second = NONE;
    for (unsigned i = 0; i < c->count; i++) {
        if (f->least[i] < least) {
            second = least;
            least = f->least[i];
            best = i;
        } else if (f->least[i] < second) {
            second = f->least[i];
        }
    }
    if (least > f->bound || least == NONE) {
        if (--search->depth > 0)
            f[-1].least[f[-1].next] = least;
        else
            p15_search_end(&search->base, P15_SEARCH_FAILED);
        return false;
    }
    f->next = (uint8_t)best;
    *child = (node){.board = c->list[best].board,
                    .values = c->values[best],
                    .h = c->h[best],
                    .blank = c->list[best].blank,
                    .last = c->list[best].direction,
                    .id = id_of(search->depth, best),
                    .least = least,
                    .bound = second < f->bound ? second : f->bound};
    return true;
}

static bool run(p15_search *base, uint64_t visits) {
    rbfs *search = (rbfs *)base;
    node n = {.board = base->start,
              .values = base->values,
              .h = base->h,
              .blank = p15_board_blank(base->start),
              .last = P15_DIRECTIONS,
              .id = 1,
              .least = (uint16_t)base->h,
              .bound = NONE};
    while (visits > 0 && base->report.state == P15_SEARCH_RUNNING) {
        if (search->depth > 0 && !next_child(search, &n)) continue;
        visit(search, &n);
        visits--;
    }
    return base->report.state == P15_SEARCH_RUNNING;
}

static p15_status make(p15_search *base) {
    base->memory.used = sizeof(rbfs);
    return p15_search_batch(base, P15_DIRECTIONS);
}

const p15_search_type P15_RBFS = {.bytes = sizeof(rbfs), .make = make, .run = run};
