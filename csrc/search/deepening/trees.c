#include "search/deepening/trees.h"

#include <stdlib.h>
#include <string.h>

#define GROUP 64u             /* nodes that are visited together */
#define ROOM (1u << 14)       /* nodes that wait; more than come up on 4x4 */
#define MOST_NODES (1u << 22) /* of a tree: some ten milliseconds */

/* The children of the nodes with the same last move: expanded nodes in the high half, generated ones in the low half. */
#define EXPANDED (UINT64_C(1) << 32)

typedef struct arrival arrival;

typedef struct {
    uint64_t good;  /* the bit of `nearer` that says whether the move keeps the slack; 0: no child */
    uint64_t alive; /* without slack, the child is the goal or has a child of its own if one of these bits is set */
    uint64_t counts;
    const arrival *arrival;
} child;

/* How nodes come to be: the blank has moved in a direction, onto a cell. */
struct arrival {
    p15_board nibble;               /* of the cell: all ones */
    uint64_t nearer[P15_MAX_CELLS]; /* of each tile on the cell that the blank left */
    uint8_t left, rotate;           /* the first bit of the cell left; what brings the cell's nibble there */
    uint8_t child_count;
    uint64_t counts; /* of all children */
    child children[P15_DIRECTIONS - 1];
};

/* A node as its parent: the move is made when the node is visited. */
typedef struct {
    p15_board board;
    uint64_t nearer;
    const arrival *arrival;
    uint64_t slack;
} node;

struct p15_trees {
    p15_board goal;
    arrival arrivals[P15_MAX_CELLS * P15_DIRECTIONS];
    uint8_t nearer[P15_MAX_CELLS][P15_MAX_CELLS]; /* [cell][tile] */
    node group[GROUP];
    node tight[ROOM + 3 * GROUP], loose[ROOM + 3 * GROUP]; /* nodes without slack, and those with some */
};

/* ------------------------------------------------------------------------------------------------ tables */

bool p15_trees_fit(const p15_h_changes *changes, p15_shape shape) {
    for (unsigned blank = 0; blank < shape.cells; blank++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
            for (unsigned tile = 1; tile < shape.cells && p15_cell_neighbour(shape, blank, direction) >= 0; tile++)
                if (abs((*changes)[blank][direction][tile]) != 1) return false;
    return true;
}

static arrival *arrival_at(p15_trees *t, unsigned cell, unsigned direction) {
    return &t->arrivals[P15_DIRECTIONS * cell + direction];
}

static void make_arrival(p15_trees *t, p15_shape shape, unsigned cell, unsigned direction, unsigned left) {
    arrival *a = arrival_at(t, cell, direction);
    a->nibble = UINT64_C(15) << (4 * cell);
    a->left = (uint8_t)(4 * left);
    a->rotate = (uint8_t)(4 * (left - cell) & 63u);
    for (unsigned tile = 1; tile < shape.cells; tile++) a->nearer[tile] = (uint64_t)t->nearer[left][tile] << (4 * left);
    for (unsigned d = 0; d < P15_DIRECTIONS; d++) {
        int next = p15_cell_neighbour(shape, cell, d);
        if (next < 0 || d == 3 - direction) continue;
        child *c = &a->children[a->child_count++];
        c->arrival = arrival_at(t, (unsigned)next, d);
        c->good = UINT64_C(1) << (c->arrival - t->arrivals);
        c->counts = EXPANDED;
        if ((unsigned)next == p15_board_blank(t->goal)) c->alive = c->good;
        /* The child's own move changes none of these cells: the tile it moves ends where the undo would lead. */
        for (unsigned e = 0; e < P15_DIRECTIONS; e++) {
            int after = p15_cell_neighbour(shape, (unsigned)next, e);
            if (after < 0 || e == 3 - d) continue;
            c->alive |= UINT64_C(1) << (P15_DIRECTIONS * (unsigned)after + e);
            c->counts++;
        }
        a->counts += c->counts;
    }
}

p15_trees *p15_trees_new(const p15_h_changes *changes, p15_shape shape, p15_board goal) {
    p15_trees *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->goal = goal;
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            int left = p15_cell_neighbour(shape, cell, 3 - direction);
            for (unsigned tile = 1; tile < shape.cells && left >= 0; tile++)
                if ((*changes)[left][direction][tile] < 0) t->nearer[cell][tile] |= (uint8_t)(1u << direction);
        }
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            int left = p15_cell_neighbour(shape, cell, 3 - direction);
            if (left >= 0) make_arrival(t, shape, cell, direction, (unsigned)left);
        }
    return t;
}

void p15_trees_delete(p15_trees *trees) { free(trees); }

size_t p15_trees_bytes(void) { return sizeof(p15_trees); }

/* ------------------------------------------------------------------------------------------------ visits */

typedef struct {
    node *tight, *loose; /* behind the last ones */
    uint64_t counts;
    bool met;
} progress;

/* Takes the last nodes of a list out. Returns how many. */
P15_INLINE size_t take_group(p15_trees *t, node *list, node **end) {
    size_t count = (size_t)(*end - list) < GROUP ? (size_t)(*end - list) : GROUP;
    *end -= count;
    memcpy(t->group, *end, count * sizeof *t->group);
    return count;
}

P15_INLINE node node_after_move(const node *n) {
    const arrival *a = n->arrival;
    p15_board tile = n->board & a->nibble;
    p15_board board = n->board ^ tile ^ (tile << a->rotate | tile >> (-a->rotate & 63u));
    return (node){board, (n->nearer & ~a->nibble) | a->nearer[board >> a->left & 15u], a, n->slack};
}

/* Whether a node is stored decides only whether the next one is written over it. */
static void visit_tight(p15_trees *t, progress *p) {
    size_t count = take_group(t, t->tight, &p->tight);
    node *end = p->tight;
    uint64_t counts = p->counts;
    bool met = false;
    for (size_t i = 0; i < count; i++) {
        node n = node_after_move(&t->group[i]);
        met |= n.board == t->goal;
        for (unsigned j = 0; j < P15_DIRECTIONS - 1; j++) {
            const child *c = &n.arrival->children[j];
            uint64_t keeps = (n.nearer & c->good) != 0, alive = (n.nearer & c->alive) != 0;
            *end = (node){n.board, n.nearer, c->arrival, 0};
            end += keeps & alive;
            counts += -keeps & c->counts;
        }
    }
    *p = (progress){end, p->loose, counts, met};
}

static void visit_loose(p15_trees *t, progress *p) {
    size_t count = take_group(t, t->loose, &p->loose);
    node *tight = p->tight, *loose = p->loose;
    uint64_t counts = p->counts;
    bool met = false;
    for (size_t i = 0; i < count; i++) {
        node n = node_after_move(&t->group[i]);
        met |= n.board == t->goal;
        counts += n.arrival->counts;
        for (unsigned j = 0; j < P15_DIRECTIONS - 1; j++) {
            const child *c = &n.arrival->children[j];
            uint64_t keeps = (n.nearer & c->good) != 0, alive = (n.nearer & c->alive) != 0;
            uint64_t slack = n.slack - !keeps, is = c->good != 0;
            *tight = (node){n.board, n.nearer, c->arrival, slack};
            *loose = (node){n.board, n.nearer, c->arrival, slack};
            tight += is & alive & (slack == 0);
            loose += is & (slack > 0);
        }
    }
    *p = (progress){tight, loose, counts, met};
}

bool p15_trees_count(p15_trees *t, p15_board board, unsigned blank, unsigned last, unsigned slack, uint64_t most,
                     p15_counts *counts) {
    const arrival *a = arrival_at(t, blank, last);
    progress p = {t->tight, t->loose, EXPANDED + a->child_count, false};
    node root = {.board = p15_board_slide(board, blank, a->left / 4u), .arrival = a, .slack = slack};
    for (unsigned cell = 0; cell < P15_MAX_CELLS; cell++)
        root.nearer |= (uint64_t)t->nearer[cell][p15_board_tile(root.board, cell)] << (4 * cell);
    *(slack ? p.loose++ : p.tight++) = root;
    if (most > MOST_NODES) most = MOST_NODES;
    while (p.tight > t->tight || p.loose > t->loose) {
        if (p.tight > t->tight)
            visit_tight(t, &p);
        else
            visit_loose(t, &p);
        bool full = p.tight > t->tight + ROOM || p.loose > t->loose + ROOM;
        if (p.met || full || (uint32_t)p.counts > most) return false;
    }
    *counts = (p15_counts){p.counts / EXPANDED, (uint32_t)p.counts};
    return true;
}
