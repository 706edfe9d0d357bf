#include "search/memory_bounded/sma.h"

#include "base/pages.h"
#include "search/children.h"

#include <stdlib.h>

#define NIL UINT32_MAX      /* no node */
#define INFINITE UINT16_MAX /* F of what leads nowhere */
#define MOST_F 1023u        /* P15_SMA_MAX_DEPTH, and what rows have bits for */

/* Which list a node is in: that of leaves, that of nodes with some of their children in memory, or, with all of them,
 * none. */
typedef enum { LEAVES, PARTIAL, UNLISTED } kind;

typedef struct {
    p15_board board;
    p15_values values;
    uint32_t parent, older, newer;  /* numbers of nodes; older and newer: in its list */
    uint16_t least[P15_DIRECTIONS]; /* F of each child, once it was expanded */
    uint16_t f, g;                  /* f: F */
    uint8_t last;                   /* direction of the last move; P15_DIRECTIONS: none */
    uint8_t rank;                   /* which child of its parent it is */
    uint8_t count;                  /* of its children; 0: it was not expanded yet */
    uint8_t kept : 4, kind : 4;     /* the children in memory, as bits */
} node;

_Static_assert(sizeof(node) == P15_SMA_NODE_BYTES, "the header and users count with it");

typedef struct {
    uint32_t oldest, newest;
} list;

/* The nodes of one F. */
typedef struct {
    list *lists[2];      /* of a kind, by depth 0 .. F; NULL until the row is first used */
    size_t counts[2];    /* of nodes */
    unsigned deepest;    /* no deeper list has nodes */
    unsigned shallowest; /* no shallower list of leaves has nodes */
} row;

typedef struct {
    p15_search base;
    node *nodes;
    p15_pages pages;
    uint32_t room, made, unused; /* nodes that fit; numbers in use so far; those that are free again, linked by newer */
    uint32_t node_count, leaf_count;
    unsigned deepest;                /* moves of the longest path that fits */
    unsigned lowest;                 /* no smaller F has nodes in lists */
    unsigned highest;                /* no larger F has leaves */
    uint32_t newest[P15_DIRECTIONS]; /* the children that were put into memory last, by rank */
    row rows[MOST_F + 1];
} sma;

/* ------------------------------------------------------------------------------------------------ lists */

/* Files a node as the newest of its list. False: out of memory. */
static bool file(sma *search, uint32_t number, kind as) {
    node *n = &search->nodes[number];
    n->kind = as;
    if (as == UNLISTED) return true;
    row *r = &search->rows[n->f];
    if (!r->lists[0]) {
        size_t depths = n->f + 1u;
        list *lists = malloc(2 * depths * sizeof *lists);
        if (!lists) return false;
        for (size_t i = 0; i < 2 * depths; i++) lists[i] = (list){NIL, NIL};
        r->lists[LEAVES] = lists;
        r->lists[PARTIAL] = lists + depths;
    }
    list *l = &r->lists[as][n->g];
    n->older = l->newest;
    n->newer = NIL;
    if (l->newest == NIL)
        l->oldest = number;
    else
        search->nodes[l->newest].newer = number;
    l->newest = number;
    r->counts[as]++;
    if (n->g > r->deepest) r->deepest = n->g;
    if (as == LEAVES && n->g < r->shallowest) r->shallowest = n->g;
    if (n->f < search->lowest) search->lowest = n->f;
    if (as == LEAVES && n->f > search->highest) search->highest = n->f;
    return true;
}

/* Takes a node out of its list. */
static void take_out(sma *search, uint32_t number) {
    node *n = &search->nodes[number];
    if (n->kind == UNLISTED) return;
    row *r = &search->rows[n->f];
    list *l = &r->lists[n->kind][n->g];
    if (n->older == NIL)
        l->oldest = n->newer;
    else
        search->nodes[n->older].newer = n->newer;
    if (n->newer == NIL)
        l->newest = n->older;
    else
        search->nodes[n->newer].older = n->older;
    r->counts[n->kind]--;
    n->kind = UNLISTED;
}

/* Files a node where it belongs by the children that it has in memory. */
static bool file_again(sma *search, uint32_t number) {
    const node *n = &search->nodes[number];
    if (n->kept == 0) return file(search, number, LEAVES);
    return file(search, number, p15_count_bits(n->kept) < n->count ? PARTIAL : UNLISTED);
}

/* The worst leaf in the lists: the shallowest of the largest F, the oldest of them. There is one. */
static uint32_t worst_leaf(sma *search) {
    while (search->rows[search->highest].counts[LEAVES] == 0) search->highest--;
    row *r = &search->rows[search->highest];
    while (r->lists[LEAVES][r->shallowest].oldest == NIL) r->shallowest++;
    return r->lists[LEAVES][r->shallowest].oldest;
}

/* ------------------------------------------------------------------------------------------------ nodes */

static void note_counts(sma *search) {
    p15_report *report = &search->base.report;
    uint32_t inner = search->node_count - search->leaf_count;
    size_t bytes = search->node_count * sizeof(node);
    if (search->leaf_count > report->largest_open) report->largest_open = search->leaf_count;
    if (inner > report->largest_closed) report->largest_closed = inner;
    if (bytes > search->base.memory.used) search->base.memory.used = bytes;
}

/* Takes a leaf, which is in no list, out of memory. Its parent keeps its F. */
static void release(sma *search, uint32_t number) {
    node *n = &search->nodes[number];
    node *parent = &search->nodes[n->parent];
    parent->kept &= (uint8_t)~(1u << n->rank) & 15u;
    if (parent->kept) search->leaf_count--; /* otherwise the parent is a leaf instead */
    search->node_count--;
    n->newer = search->unused;
    search->unused = number;
}

/* Forgets the worst leaf. `expanding` is in no list, and stays so. False: out of memory for lists. */
static bool forget(sma *search, uint32_t worst, uint32_t expanding) {
    uint32_t parent = search->nodes[worst].parent;
    take_out(search, worst);
    release(search, worst);
    if (parent == expanding) return true;
    take_out(search, parent);
    return file_again(search, parent);
}

/* Whether there is memory for another node now. */
static bool has_place(sma *search) {
    if (search->unused != NIL) return true;
    if (search->made == search->room) return false;
    if (p15_pages_use(&search->pages, (search->made + (size_t)1) * sizeof(node)) == P15_OK) return true;
    search->room = search->made; /* the system has no more */
    if (search->deepest > search->room - 1) search->deepest = search->room - 1;
    return false;
}

/* Puts a child of a node into memory, or drops it if it is worse than all leaves. False: out of memory for lists. */
static bool keep(sma *search, uint32_t parent_number, unsigned rank, const p15_child *child, p15_values values) {
    node *parent = &search->nodes[parent_number];
    unsigned f = parent->least[rank], g = parent->g + 1u;
    if (!has_place(search)) {
        if (g > search->deepest) { /* which has just become less */
            parent->least[rank] = INFINITE;
            return true;
        }
        uint32_t worst = worst_leaf(search);
        const node *w = &search->nodes[worst];
        if (f > w->f || (f == w->f && g < w->g)) return true;
        if (!forget(search, worst, parent_number)) return false;
    }
    uint32_t number = search->unused;
    if (number != NIL)
        search->unused = search->nodes[number].newer;
    else
        number = search->made++;
    if (parent->kept) search->leaf_count++; /* otherwise it is a leaf instead of the parent */
    search->node_count++;
    parent->kept |= (uint8_t)(1u << rank) & 15u;
    search->nodes[number] = (node){.board = child->board,
                                   .values = values,
                                   .parent = parent_number,
                                   .f = (uint16_t)f,
                                   .g = (uint16_t)g,
                                   .last = child->direction,
                                   .rank = (uint8_t)rank,
                                   .kind = UNLISTED};
    note_counts(search);
    search->newest[rank] = number;
    return file(search, number, LEAVES);
}

/* Gives a node and those above it the least F of their children, and forgets what leads nowhere. `number` is in no list,
 * and is filed. False: out of memory for lists. */
static bool back_up(sma *search, uint32_t number) {
    for (bool first = true;; first = false) {
        node *n = &search->nodes[number];
        uint16_t f = INFINITE;
        for (unsigned i = 0; i < n->count; i++)
            if (n->least[i] < f) f = n->least[i];
        if (f == n->f && !first) return true;
        bool changed = f != n->f;
        if (!first) take_out(search, number);
        n->f = f;
        if (f == INFINITE && n->parent == NIL) {
            p15_search_end(&search->base, P15_SEARCH_NO_ROOM);
            return true;
        }
        uint32_t parent = n->parent;
        unsigned rank = n->rank;
        if (f == INFINITE) {
            take_out(search, parent); /* it has one child less */
            release(search, number);
            search->nodes[parent].least[rank] = INFINITE;
            if (!file_again(search, parent)) return false;
        } else {
            if (!file_again(search, number)) return false;
            if (parent == NIL || !changed) return true;
            search->nodes[parent].least[rank] = f;
        }
        number = parent;
    }
}

/* ------------------------------------------------------------------------------------------------ the search */

/* Writes `count` children of a node that is expanded, from a rank on, of which those in memory are open. */
static void trace_children(const sma *search, const node *n, const p15_child *children, unsigned rank, unsigned count) {
    for (unsigned end = rank + count; rank < end; rank++) {
        bool kept = n->kept >> rank & 1u;
        p15_fate fate = kept ? P15_FATE_OPEN : n->least[rank] == INFINITE ? P15_FATE_CUT : P15_FATE_DROPPED;
        p15_traced_child *child = p15_trace_child(search->base.trace, children++->direction, fate);
        if (kept) child->id = search->newest[rank] + 1;
    }
}

/* Makes all children of a node for the first time. False: out of memory for lists. */
static bool expand(sma *search, uint32_t number) {
    const p15_search *base = &search->base;
    node *n = &search->nodes[number];
    p15_children c;
    p15_children_make(base, n->board, n->values, p15_board_blank(n->board), n->last, &c);
    n->count = (uint8_t)c.count;
    search->base.report.generated += c.count;
    for (unsigned i = 0; i < c.count; i++) {
        unsigned g = n->g + 1u, f = g + c.h[i];
        if (f < n->f) f = n->f;
        bool nowhere = f > search->deepest || (g == search->deepest && c.list[i].board != base->goal);
        n->least[i] = (uint16_t)(nowhere ? INFINITE : f);
    }
    for (unsigned i = 0; i < c.count; i++)
        if (n->least[i] != INFINITE && !keep(search, number, i, &c.list[i], c.values[i])) return false;
    if (base->trace) trace_children(search, n, c.list, 0, c.count);
    return true;
}

/* Makes the best forgotten child of a node again. False: out of memory for lists. */
static bool make_again(sma *search, uint32_t number) {
    const p15_search *base = &search->base;
    node *n = &search->nodes[number];
    unsigned blank = p15_board_blank(n->board), rank = 0;
    p15_child made[P15_DIRECTIONS];
    p15_values values;
    while (n->kept >> rank & 1u || n->least[rank] != n->f) rank++;
    p15_child_make(&base->moves, n->board, blank, n->last, made);
    p15_evaluator_child(base->evaluator, n->board, n->values, blank, made[rank].direction, &values);
    search->base.report.generated++;
    search->base.report.reopened++;
    if (!keep(search, number, rank, &made[rank], values)) return false;
    if (base->trace) trace_children(search, n, &made[rank], rank, 1);
    return true;
}

/* Takes the deepest node of the least F that misses a child. */
static uint32_t take(sma *search) {
    while (search->rows[search->lowest].counts[LEAVES] + search->rows[search->lowest].counts[PARTIAL] == 0)
        search->lowest++;
    row *r = &search->rows[search->lowest];
    while (r->lists[LEAVES][r->deepest].newest == NIL && r->lists[PARTIAL][r->deepest].newest == NIL) r->deepest--;
    uint32_t number = r->lists[LEAVES][r->deepest].newest;
    if (number == NIL) number = r->lists[PARTIAL][r->deepest].newest;
    take_out(search, number);
    return number;
}

/* Keeps the path to a node, which is the goal. */
static void end_solved(sma *search, const node *n) {
    uint8_t *path = p15_search_path(&search->base, n->g);
    for (size_t i = n->g; path && i-- > 0; n = &search->nodes[n->parent]) path[i] = n->last;
    p15_search_end(&search->base, path ? P15_SEARCH_SOLVED : P15_SEARCH_NO_ROOM);
}

static bool run(p15_search *base, uint64_t expansions) {
    sma *search = (sma *)base;
    p15_report *report = &base->report;
    for (; expansions > 0 && report->state == P15_SEARCH_RUNNING; expansions--) {
        uint32_t number = take(search);
        const node *n = &search->nodes[number];
        unsigned proved = n->f <= search->deepest ? n->f : search->deepest + 1;
        if (proved > report->lower_bound) report->lower_bound = proved;
        bool solved = n->board == base->goal;
        if (base->trace) p15_trace_node(base->trace, n->board, n->values, n->g, solved)->id = number + 1;
        if (solved) {
            end_solved(search, n);
            break;
        }
        report->expanded++;
        uint64_t before = report->generated;
        unsigned g = n->g, h = p15_values_h(n->values);
        bool made = n->count == 0 ? expand(search, number) : make_again(search, number);
        p15_search_count(base, 0, g, h, (unsigned)(report->generated - before));
        if (!made || !back_up(search, number)) p15_search_end(base, P15_SEARCH_NO_ROOM);
        if (search->nodes[0].f == INFINITE) report->lower_bound = search->deepest + 1;
    }
    return report->state == P15_SEARCH_RUNNING;
}

static void complete(p15_search *base) { base->report.nodes = ((const sma *)base)->node_count; }

static void end(p15_search *base) {
    sma *search = (sma *)base;
    for (unsigned f = 0; f <= MOST_F; f++) free(search->rows[f].lists[0]);
    p15_pages_release(&search->pages);
}

static p15_status make(p15_search *base) {
    sma *search = (sma *)base;
    size_t most = (size_t)(NIL - 1) * sizeof(node), least = P15_SMA_LEAST_NODES * sizeof(node);
    size_t max_bytes = base->options.max_bytes < most ? base->options.max_bytes : most;
    p15_status status = max_bytes < least ? P15_ERR_MEMORY : p15_pages_reserve(least, max_bytes, &search->pages);
    if (!status) status = p15_search_batch(base, P15_DIRECTIONS);
    if (status) return status;
    size_t bytes = search->pages.bytes < max_bytes ? search->pages.bytes : max_bytes;
    search->nodes = search->pages.memory;
    search->room = (uint32_t)(bytes / sizeof(node));
    search->deepest = search->room - 1 < P15_SMA_MAX_DEPTH ? search->room - 1 : P15_SMA_MAX_DEPTH;
    search->made = search->node_count = search->leaf_count = 1;
    search->unused = NIL;
    search->lowest = MOST_F;
    search->nodes[0] = (node){.board = base->start,
                              .values = base->values,
                              .parent = NIL,
                              .f = (uint16_t)base->h,
                              .last = P15_DIRECTIONS,
                              .kind = UNLISTED};
    note_counts(search);
    return file(search, 0, LEAVES) ? P15_OK : P15_ERR_MEMORY;
}

const p15_search_type P15_SMA = {.bytes = sizeof(sma), .make = make, .run = run, .complete = complete, .end = end};
