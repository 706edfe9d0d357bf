#include "search/memory_bounded/sma.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

#define NIL UINT32_MAX      /* no node */
#define INFINITE UINT16_MAX /* F of what leads nowhere */
#define MOST_F 1023u        /* P15_SMA_MAX_DEPTH, and what rows have bits for */
#define WORDS (MOST_F / 64 + 1)

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
    list *lists[2];          /* of a kind, by depth 0 .. F; NULL until the row is first used */
    uint64_t used[2][WORDS]; /* which of them have nodes, as bits */
    size_t counts[2];        /* of nodes */
} row;

struct p15_sma {
    const p15_evaluator *evaluator;
    p15_children *together;
    p15_moves moves;
    p15_board start, goal;
    p15_search_state state;
    node *nodes;
    p15_pages pages;
    uint32_t room, made, unused; /* nodes that fit; numbers in use so far; those that are free again, linked by newer */
    uint32_t node_count, leaf_count;
    unsigned deepest; /* moves of the longest path that fits */
    unsigned lowest;  /* no smaller F has nodes in lists */
    unsigned highest; /* no larger F has leaves */
    unsigned proved;
    uint32_t goal_node;
    uint64_t expanded, generated, again, largest_open, largest_closed, largest_count;
    uint32_t newest[P15_DIRECTIONS]; /* the children that were put into memory last, by rank */
    p15_trace *trace;                /* NULL: none */
    row rows[MOST_F + 1];
};

/* ------------------------------------------------------------------------------------------------ lists */

static unsigned highest_bit(uint64_t word) {
    unsigned bit = 0;
    while (word >>= 1) bit++;
    return bit;
}

/* The depth of the deepest node of a row, and its kind. */
static unsigned deepest_of(const row *r, kind *of) {
    for (unsigned i = WORDS; i-- > 0;) {
        uint64_t leaves = r->used[LEAVES][i], all = leaves | r->used[PARTIAL][i];
        if (!all) continue;
        unsigned bit = highest_bit(all);
        *of = leaves >> bit & 1u ? LEAVES : PARTIAL;
        return 64 * i + bit;
    }
    return 0;
}

static unsigned shallowest_leaf_of(const row *r) {
    unsigned i = 0;
    while (!r->used[LEAVES][i]) i++;
    return 64 * i + p15_lowest_bit(r->used[LEAVES][i]);
}

/* Files a node as the newest of its list. False: out of memory. */
static bool file(p15_sma *search, uint32_t number, kind as) {
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
    r->used[as][n->g / 64] |= UINT64_C(1) << n->g % 64;
    r->counts[as]++;
    if (n->f < search->lowest) search->lowest = n->f;
    if (as == LEAVES && n->f > search->highest) search->highest = n->f;
    return true;
}

/* Takes a node out of its list. */
static void take_out(p15_sma *search, uint32_t number) {
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
    if (l->newest == NIL) r->used[n->kind][n->g / 64] &= ~(UINT64_C(1) << n->g % 64);
    r->counts[n->kind]--;
    n->kind = UNLISTED;
}

/* Files a node where it belongs by the children that it has in memory. */
static bool file_again(p15_sma *search, uint32_t number) {
    const node *n = &search->nodes[number];
    if (n->kept == 0) return file(search, number, LEAVES);
    return file(search, number, p15_count_bits(n->kept) < n->count ? PARTIAL : UNLISTED);
}

/* The worst leaf in the lists: the shallowest of the largest F, the oldest of them. There is one. */
static uint32_t worst_leaf(p15_sma *search) {
    while (search->rows[search->highest].counts[LEAVES] == 0) search->highest--;
    const row *r = &search->rows[search->highest];
    return r->lists[LEAVES][shallowest_leaf_of(r)].oldest;
}

/* ------------------------------------------------------------------------------------------------ nodes */

static void note_counts(p15_sma *search) {
    uint32_t inner = search->node_count - search->leaf_count;
    if (search->leaf_count > search->largest_open) search->largest_open = search->leaf_count;
    if (inner > search->largest_closed) search->largest_closed = inner;
    if (search->node_count > search->largest_count) search->largest_count = search->node_count;
}

/* Takes a leaf, which is in no list, out of memory. Its parent keeps its F. */
static void release(p15_sma *search, uint32_t number) {
    node *n = &search->nodes[number];
    node *parent = &search->nodes[n->parent];
    parent->kept &= (uint8_t)~(1u << n->rank) & 15u;
    if (parent->kept) search->leaf_count--; /* otherwise the parent is a leaf instead */
    search->node_count--;
    n->newer = search->unused;
    search->unused = number;
}

/* Forgets the worst leaf. `expanding` is in no list, and stays so. False: out of memory for lists. */
static bool forget(p15_sma *search, uint32_t worst, uint32_t expanding) {
    uint32_t parent = search->nodes[worst].parent;
    take_out(search, worst);
    release(search, worst);
    if (parent == expanding) return true;
    take_out(search, parent);
    return file_again(search, parent);
}

/* Whether there is memory for another node now. */
static bool has_place(p15_sma *search) {
    if (search->unused != NIL) return true;
    if (search->made == search->room) return false;
    if (p15_pages_use(&search->pages, (search->made + (size_t)1) * sizeof(node)) == P15_OK) return true;
    search->room = search->made; /* the system has no more */
    if (search->deepest > search->room - 1) search->deepest = search->room - 1;
    return false;
}

/* Puts a child of a node into memory, or drops it if it is worse than all leaves. False: out of memory for lists. */
static bool keep(p15_sma *search, uint32_t parent_number, unsigned rank, p15_board board, p15_values values,
                 unsigned direction) {
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
    search->nodes[number] = (node){.board = board,
                                   .values = values,
                                   .parent = parent_number,
                                   .f = (uint16_t)f,
                                   .g = (uint16_t)g,
                                   .last = (uint8_t)direction,
                                   .rank = (uint8_t)rank,
                                   .kind = UNLISTED};
    note_counts(search);
    search->newest[rank] = number;
    return file(search, number, LEAVES);
}

/* Gives a node and those above it the least F of their children, and forgets what leads nowhere. `number` is in no list,
 * and is filed. False: out of memory for lists. */
static bool back_up(p15_sma *search, uint32_t number) {
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
            search->state = P15_SEARCH_NO_ROOM;
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

p15_status p15_sma_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                       size_t max_bytes, p15_sma **made) {
    *made = NULL;
    p15_moves moves;
    if (p15_moves_init(p15_evaluator_shape(evaluator), order, &moves) != P15_OK) return P15_ERR_ARGUMENT;
    unsigned h;
    p15_values values;
    p15_status status = p15_evaluator_board(evaluator, start, &h, &values);
    if (status) return status;
    size_t most = (size_t)(NIL - 1) * sizeof(node), least = P15_SMA_LEAST_NODES * sizeof(node);
    if (max_bytes < least) return P15_ERR_MEMORY;
    p15_sma *search = calloc(1, sizeof *search);
    if (!search) return P15_ERR_MEMORY;
    status = p15_pages_reserve(least, max_bytes < most ? max_bytes : most, &search->pages);
    if (!status) status = p15_siblings_together(evaluator, &search->together);
    if (status) {
        p15_sma_delete(search);
        return status;
    }
    size_t bytes = search->pages.bytes < max_bytes ? search->pages.bytes : max_bytes;
    search->evaluator = evaluator;
    search->moves = moves;
    search->start = start;
    search->goal = p15_evaluator_goal(evaluator);
    search->nodes = search->pages.memory;
    search->room = (uint32_t)((bytes < most ? bytes : most) / sizeof(node));
    search->deepest = search->room - 1 < P15_SMA_MAX_DEPTH ? search->room - 1 : P15_SMA_MAX_DEPTH;
    search->made = search->node_count = search->leaf_count = 1;
    search->unused = search->goal_node = NIL;
    search->lowest = MOST_F;
    search->nodes[0] = (node){
        .board = start, .values = values, .parent = NIL, .f = (uint16_t)h, .last = P15_DIRECTIONS, .kind = UNLISTED};
    note_counts(search);
    if (!file(search, 0, LEAVES)) {
        p15_sma_delete(search);
        return P15_ERR_MEMORY;
    }
    *made = search;
    return P15_OK;
}

void p15_sma_delete(p15_sma *search) {
    if (!search) return;
    for (unsigned f = 0; f <= MOST_F; f++) free(search->rows[f].lists[0]);
    p15_pages_release(&search->pages);
    p15_children_delete(search->together);
    free(search);
}

void p15_sma_trace(p15_sma *search, p15_trace *trace) { search->trace = trace; }

/* Writes `count` children of a node that is expanded, from a rank on, of which those in memory are open. */
static void trace_children(const p15_sma *search, const node *n, const uint8_t *directions, unsigned rank,
                           unsigned count) {
    for (unsigned end = rank + count; rank < end; rank++) {
        bool kept = n->kept >> rank & 1u;
        p15_fate fate = kept ? P15_FATE_OPEN : n->least[rank] == INFINITE ? P15_FATE_CUT : P15_FATE_DROPPED;
        p15_traced_child *child = p15_trace_child(search->trace, *directions++, fate);
        if (kept) child->place = search->newest[rank] + 1;
    }
}

/* Makes all children of a node for the first time. False: out of memory for lists. */
static bool expand(p15_sma *search, uint32_t number) {
    node *n = &search->nodes[number];
    p15_siblings c;
    p15_siblings_make(search->evaluator, search->together, &search->moves, n->board, n->values,
                      p15_board_blank(n->board), n->last, &c);
    n->count = c.count;
    search->generated += c.count;
    for (unsigned i = 0; i < c.count; i++) {
        unsigned g = n->g + 1u, f = g + c.h[i];
        if (f < n->f) f = n->f;
        bool nowhere = f > search->deepest || (g == search->deepest && c.boards[i] != search->goal);
        n->least[i] = (uint16_t)(nowhere ? INFINITE : f);
    }
    for (unsigned i = 0; i < c.count; i++)
        if (n->least[i] != INFINITE && !keep(search, number, i, c.boards[i], c.values[i], c.directions[i]))
            return false;
    if (search->trace) trace_children(search, n, c.directions, 0, c.count);
    return true;
}

/* Makes the best forgotten child of a node again. False: out of memory for lists. */
static bool make_again(p15_sma *search, uint32_t number) {
    node *n = &search->nodes[number];
    unsigned blank = p15_board_blank(n->board), rank = 0, seen = 0, i = 0;
    while (n->kept >> rank & 1u || n->least[rank] != n->f) rank++;
    uint8_t direction;
    for (;; i++) { /* the direction of that rank */
        direction = search->moves.order[i];
        if (search->moves.cells[blank][direction] >= 0 && direction + n->last != 3u && seen++ == rank) break;
    }
    p15_values values;
    p15_evaluator_child(search->evaluator, n->board, n->values, blank, direction, &values);
    p15_board board = p15_board_slide(n->board, blank, (unsigned)search->moves.cells[blank][direction]);
    search->generated++;
    search->again++;
    if (!keep(search, number, rank, board, values, direction)) return false;
    if (search->trace) trace_children(search, n, &direction, rank, 1);
    return true;
}

/* Takes the deepest node of the least F that misses a child. */
static uint32_t take(p15_sma *search) {
    kind of = LEAVES;
    while (search->rows[search->lowest].counts[LEAVES] + search->rows[search->lowest].counts[PARTIAL] == 0)
        search->lowest++;
    const row *r = &search->rows[search->lowest];
    unsigned depth = deepest_of(r, &of);
    uint32_t number = r->lists[of][depth].newest;
    take_out(search, number);
    return number;
}

bool p15_sma_run(p15_sma *search, uint64_t expansions) {
    for (; expansions > 0 && search->state == P15_SEARCH_RUNNING; expansions--) {
        uint32_t number = take(search);
        const node *n = &search->nodes[number];
        unsigned proved = n->f <= search->deepest ? n->f : search->deepest + 1;
        if (proved > search->proved) search->proved = proved;
        bool solved = n->board == search->goal;
        if (search->trace) p15_trace_node(search->trace, n->board, n->values, n->g, solved)->place = number + 1;
        if (solved) {
            search->goal_node = number;
            search->state = P15_SEARCH_SOLVED;
            break;
        }
        search->expanded++;
        bool made = n->count == 0 ? expand(search, number) : make_again(search, number);
        if (!made || !back_up(search, number)) search->state = P15_SEARCH_NO_ROOM;
        if (search->nodes[0].f == INFINITE) search->proved = search->deepest + 1;
    }
    return search->state == P15_SEARCH_RUNNING;
}

void p15_sma_report(const p15_sma *search, p15_report *report) {
    *report = (p15_report){
        .state = search->state,
        .lower_bound = search->proved,
        .expanded = search->expanded,
        .generated = search->generated,
        .reopened = search->again,
        .largest_open = search->largest_open,
        .largest_closed = search->largest_closed,
        .nodes = search->node_count,
        .bytes = search->largest_count * sizeof(node),
    };
}

size_t p15_sma_path(const p15_sma *search, uint8_t *directions, size_t room) {
    if (search->state != P15_SEARCH_SOLVED) return SIZE_MAX;
    size_t length = search->nodes[search->goal_node].g;
    const node *n = &search->nodes[search->goal_node];
    for (size_t i = length; i-- > 0; n = &search->nodes[n->parent])
        if (i < room) directions[i] = n->last;
    return length;
}
