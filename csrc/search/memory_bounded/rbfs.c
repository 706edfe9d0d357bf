#include "search/memory_bounded/rbfs.h"

#include <stdlib.h>

#define NONE UINT16_MAX /* F where there is no leaf, or no bound */

/* A node on the path, which is visited. */
typedef struct {
    p15_siblings children;
    uint16_t least[P15_DIRECTIONS]; /* F of each child */
    uint16_t bound;
    uint8_t next; /* the child that is visited */
} frame;

struct p15_rbfs {
    const p15_evaluator *evaluator;
    p15_children *together;
    p15_moves moves;
    p15_board start, goal;
    p15_values values; /* of the start */
    p15_search_state state;
    unsigned start_h, depth; /* depth: frames in use */
    unsigned proved;
    uint64_t expanded, generated, again;
    p15_trace *trace; /* NULL: none */
    frame frames[P15_RBFS_MAX_DEPTH];
};

p15_status p15_rbfs_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                        p15_rbfs **made) {
    *made = NULL;
    p15_moves moves;
    if (p15_moves_init(p15_evaluator_shape(evaluator), order, &moves) != P15_OK) return P15_ERR_ARGUMENT;
    unsigned h;
    p15_values values;
    p15_status status = p15_evaluator_board(evaluator, start, &h, &values);
    if (status) return status;
    p15_rbfs *search = calloc(1, sizeof *search);
    if (!search) return P15_ERR_MEMORY;
    search->evaluator = evaluator;
    search->moves = moves;
    search->start = start;
    search->goal = p15_evaluator_goal(evaluator);
    search->values = values;
    search->start_h = h;
    status = p15_siblings_together(evaluator, &search->together);
    if (status) {
        free(search);
        return status;
    }
    *made = search;
    return P15_OK;
}

void p15_rbfs_delete(p15_rbfs *search) {
    if (!search) return;
    p15_children_delete(search->together);
    free(search);
}

void p15_rbfs_trace(p15_rbfs *search, p15_trace *trace) { search->trace = trace; }

static uint32_t place_of(unsigned depth, unsigned child) { return 1 + P15_DIRECTIONS * depth + child; }

/* A node that is to be visited. */
typedef struct {
    p15_board board;
    p15_values values;
    unsigned h, blank, last; /* the blank's cell, and the direction of the last move */
    unsigned place;          /* for the trace */
    uint16_t least, bound;   /* F, and beyond what to return */
} node;

static void trace_visit(const p15_rbfs *search, const node *n, const p15_siblings *children, unsigned g) {
    p15_trace *trace = search->trace;
    trace->bound = n->bound == NONE ? P15_NO_BOUND : n->bound;
    p15_trace_node(trace, n->board, n->values, g, children == NULL)->place = n->place;
    for (unsigned i = 0; children && i < children->count; i++) {
        bool beyond = g + 1 + children->h[i] > n->bound;
        p15_trace_child(trace, children->directions[i], beyond ? P15_FATE_CUT : P15_FATE_OPEN)->place =
            place_of(g + 1, i);
    }
}

/* Begins the visit of a node: makes its children. */
static void visit(p15_rbfs *search, const node *n) {
    unsigned g = search->depth;
    if (n->least > search->proved) search->proved = n->least;
    if (n->board == search->goal) {
        if (search->trace) trace_visit(search, n, NULL, g);
        search->state = P15_SEARCH_SOLVED;
        return;
    }
    if (g == P15_RBFS_MAX_DEPTH) {
        search->state = P15_SEARCH_NO_ROOM;
        return;
    }
    frame *f = &search->frames[search->depth++];
    p15_siblings_make(search->evaluator, search->together, &search->moves, n->board, n->values, n->blank, n->last,
                      &f->children);
    bool again = g + n->h < n->least;
    search->expanded++;
    search->again += again;
    search->generated += f->children.count;
    if (search->trace) trace_visit(search, n, &f->children, g);
    f->bound = n->bound;
    for (unsigned i = 0; i < f->children.count; i++) {
        unsigned least = g + 1 + f->children.h[i];
        f->least[i] = (uint16_t)(again && least < n->least ? n->least : least);
    }
}

bool p15_rbfs_run(p15_rbfs *search, uint64_t visits) {
    if (search->expanded == 0 && search->state == P15_SEARCH_RUNNING && visits > 0) {
        node root = {search->start,
                     search->values,
                     search->start_h,
                     p15_board_blank(search->start),
                     P15_DIRECTIONS,
                     1,
                     (uint16_t)search->start_h,
                     NONE};
        visit(search, &root);
        visits--;
    }
    while (visits > 0 && search->state == P15_SEARCH_RUNNING) {
        frame *f = &search->frames[search->depth - 1];
        const p15_siblings *c = &f->children;
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
        if (least > f->bound || least == NONE) { /* this visit ends */
            if (--search->depth == 0) {
                search->state = P15_SEARCH_FAILED;
                break;
            }
            f[-1].least[f[-1].next] = least;
            continue;
        }
        f->next = (uint8_t)best;
        node child = {c->boards[best],
                      c->values[best],
                      c->h[best],
                      c->blanks[best],
                      c->directions[best],
                      place_of(search->depth, best),
                      least,
                      second < f->bound ? second : f->bound};
        visit(search, &child);
        visits--;
    }
    return search->state == P15_SEARCH_RUNNING;
}

void p15_rbfs_report(const p15_rbfs *search, p15_report *report) {
    *report = (p15_report){
        .state = search->state,
        .lower_bound = search->proved,
        .expanded = search->expanded,
        .generated = search->generated,
        .reopened = search->again,
        .bytes = sizeof *search,
    };
}

size_t p15_rbfs_path(const p15_rbfs *search, uint8_t *directions, size_t room) {
    if (search->state != P15_SEARCH_SOLVED) return SIZE_MAX;
    for (unsigned i = 0; i < search->depth && i < room; i++) {
        const frame *f = &search->frames[i];
        directions[i] = f->children.directions[f->next];
    }
    return search->depth;
}
