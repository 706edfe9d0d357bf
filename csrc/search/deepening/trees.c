#include "search/deepening/trees.h"

#include <stdlib.h>

#if P15_HAVE_V4
#include <immintrin.h>
#endif

#define ARRIVALS (P15_MAX_CELLS * P15_DIRECTIONS)
#define FULL 128u             /* nodes of a list that are worth a visit */
#define ROOM 2000u            /* nodes of a list */
#define STORED 8u             /* nodes that a visit may write beyond the last one that it counts */
#define MOST_NODES (1u << 24) /* of a tree: some ten milliseconds */

/* The children of the nodes with the same last move: expanded nodes in the high half, generated ones in the low half. */
#define EXPANDED (UINT64_C(1) << 32)

/* Nodes of one arrival and one slack, each as its parent: the move is made when they are visited. */
typedef struct {
    uint64_t *boards, *nearer;
    size_t count;
} list;

typedef struct {
    uint64_t good;  /* the bit of `nearer` that says whether the move keeps the slack */
    uint64_t alive; /* without slack, the child is the goal or has a child of its own if one of these bits is set */
    uint64_t counts;
    unsigned arrival;
} child;

/* How nodes come to be: the blank has moved in a direction, onto a cell. */
typedef struct {
    p15_board nibble;               /* of the cell: all ones */
    uint64_t nearer[P15_MAX_CELLS]; /* of each tile on the cell that the blank left */
    uint8_t left, rotate;           /* the first bit of the cell left; what brings the cell's nibble there */
    uint8_t child_count;
    child children[P15_DIRECTIONS - 1];
} arrival;

/* Visits some nodes without their moves: makes these where the nodes are. Returns whether one becomes the goal. */
typedef bool move_function(const arrival *a, p15_board goal, uint64_t *boards, uint64_t *nearer, size_t count);

/* Appends nodes to the lists of a child: to `keep` those whose move keeps the slack, to `lose` the others, which have 1
 * less. Of nodes that are without slack then, only those that are alive are appended. `slack` is what they had: 0, 1 or
 * more; without any, `lose` is NULL. Returns how many children keep the slack. */
typedef uint64_t append_function(const child *c, const uint64_t *boards, const uint64_t *nearer, size_t count,
                                 unsigned slack, list *keep, list *lose);

struct p15_trees {
    p15_board goal;
    p15_cpu cpu;
    arrival arrivals[ARRIVALS];
    uint8_t nearer[P15_MAX_CELLS][P15_MAX_CELLS]; /* [cell][tile] */
    list lists[P15_TREE_LEVELS][ARRIVALS];        /* [slack][arrival] */
    uint64_t nodes[P15_TREE_LEVELS][ARRIVALS][2][ROOM + STORED];
};

/* ------------------------------------------------------------------------------------------------ tables */

/* Whether each move changes h by 1 or -1. */
static bool are_steps(const p15_h_changes *changes, p15_shape shape) {
    for (unsigned blank = 0; blank < shape.cells; blank++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
            for (unsigned tile = 1; tile < shape.cells && p15_cell_neighbour(shape, blank, direction) >= 0; tile++)
                if (abs((*changes)[blank][direction][tile]) != 1) return false;
    return true;
}

static unsigned arrival_of(unsigned cell, unsigned direction) { return P15_DIRECTIONS * cell + direction; }

static void make_arrival(p15_trees *t, p15_shape shape, unsigned cell, unsigned direction, unsigned left) {
    arrival *a = &t->arrivals[arrival_of(cell, direction)];
    a->nibble = UINT64_C(15) << (4 * cell);
    a->left = (uint8_t)(4 * left);
    a->rotate = (uint8_t)(4 * (left - cell) & 63u);
    for (unsigned tile = 1; tile < shape.cells; tile++) a->nearer[tile] = (uint64_t)t->nearer[left][tile] << (4 * left);
    for (unsigned d = 0; d < P15_DIRECTIONS; d++) {
        int next = p15_cell_neighbour(shape, cell, d);
        if (next < 0 || d == 3 - direction) continue;
        child *c = &a->children[a->child_count++];
        c->arrival = arrival_of((unsigned)next, d); /* and the number of its bit */
        c->good = UINT64_C(1) << c->arrival;
        c->counts = EXPANDED;
        if ((unsigned)next == p15_board_blank(t->goal)) c->alive = c->good;
        /* The child's own move changes none of these cells: the tile it moves ends where the undo would lead. */
        for (unsigned e = 0; e < P15_DIRECTIONS; e++) {
            int after = p15_cell_neighbour(shape, (unsigned)next, e);
            if (after < 0 || e == 3 - d) continue;
            c->alive |= UINT64_C(1) << arrival_of((unsigned)after, e);
            c->counts++;
        }
    }
}

p15_trees *p15_trees_new(const p15_h_changes *changes, p15_shape shape, p15_board goal, p15_cpu cpu) {
    p15_trees *t = are_steps(changes, shape) ? calloc(1, sizeof *t) : NULL; /* the system gives what is used */
    if (!t) return NULL;
    for (unsigned i = 0; i < P15_TREE_LEVELS; i++)
        for (unsigned j = 0; j < ARRIVALS; j++) t->lists[i][j] = (list){t->nodes[i][j][0], t->nodes[i][j][1], 0};
    t->goal = goal;
    t->cpu = cpu;
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

P15_INLINE bool move_each(const arrival *a, p15_board goal, uint64_t *restrict boards, uint64_t *restrict nearer,
                          size_t count) {
    unsigned left = a->rotate, right = -left & 63u;
    bool met = false;
    for (size_t i = 0; i < count; i++) {
        p15_board tile = boards[i] & a->nibble, board = boards[i] ^ tile ^ (tile << left | tile >> right);
        boards[i] = board;
        nearer[i] = (nearer[i] & ~a->nibble) | a->nearer[board >> a->left & 15u];
        met |= board == goal;
    }
    return met;
}

/* Whether a node is stored decides only whether the next one is written over it. */
P15_INLINE uint64_t append_each(const child *c, const uint64_t *restrict boards, const uint64_t *restrict nearer,
                                size_t count, unsigned slack, list *restrict keep, list *restrict lose) {
    list kept = *keep, lost = slack ? *lose : *keep;
    uint64_t good = c->good, alive = c->alive, found = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t keeps = (nearer[i] & good) != 0, lives = (nearer[i] & alive) != 0;
        kept.boards[kept.count] = boards[i];
        kept.nearer[kept.count] = nearer[i];
        kept.count += slack ? keeps : keeps & lives;
        found += keeps;
        if (!slack) continue;
        lost.boards[lost.count] = boards[i];
        lost.nearer[lost.count] = nearer[i];
        lost.count += (keeps ^ 1u) & (slack > 1 || lives);
    }
    keep->count = kept.count;
    if (slack) lose->count = lost.count;
    return found;
}

#if P15_HAVE_V4
/* The same with 8 nodes at a time; the last ones may be fewer. */
P15_INLINE __mmask8 some_of_eight(size_t left) { return (__mmask8)(left < 8 ? (1u << left) - 1u : 0xffu); }

P15_INLINE_V4 bool move_eight(const arrival *a, p15_board goal, uint64_t *boards, uint64_t *nearer, size_t count) {
    __m512i nibble = _mm512_set1_epi64((long long)a->nibble), home = _mm512_set1_epi64((long long)goal);
    __m512i low = _mm512_loadu_si512(a->nearer), high = _mm512_loadu_si512(a->nearer + 8);
    __m512i rotate = _mm512_set1_epi64(a->rotate), left = _mm512_set1_epi64(a->left);
    __mmask8 met = 0;
    for (size_t i = 0; i < count; i += 8) {
        __mmask8 nodes = some_of_eight(count - i);
        __m512i board = _mm512_maskz_loadu_epi64(nodes, boards + i), near = _mm512_maskz_loadu_epi64(nodes, nearer + i);
        __m512i tile = _mm512_and_si512(board, nibble);
        board = _mm512_xor_si512(_mm512_xor_si512(board, tile), _mm512_rolv_epi64(tile, rotate));
        tile = _mm512_srlv_epi64(board, left); /* of these, the low 4 bits choose a number */
        near = _mm512_or_si512(_mm512_andnot_si512(nibble, near), _mm512_permutex2var_epi64(low, tile, high));
        _mm512_mask_storeu_epi64(boards + i, nodes, board);
        _mm512_mask_storeu_epi64(nearer + i, nodes, near);
        met |= _mm512_mask_cmpeq_epi64_mask(nodes, board, home);
    }
    return met != 0;
}

P15_INLINE_V4 void append_some(list *to, __mmask8 nodes, __m512i board, __m512i near) {
    _mm512_storeu_si512(to->boards + to->count, _mm512_maskz_compress_epi64(nodes, board));
    _mm512_storeu_si512(to->nearer + to->count, _mm512_maskz_compress_epi64(nodes, near));
    to->count += p15_count_bits(nodes);
}

P15_INLINE_V4 uint64_t append_eight(const child *c, const uint64_t *boards, const uint64_t *nearer, size_t count,
                                    unsigned slack, list *keep, list *lose) {
    __m512i good = _mm512_set1_epi64((long long)c->good), alive = _mm512_set1_epi64((long long)c->alive);
    uint64_t found = 0;
    for (size_t i = 0; i < count; i += 8) {
        __mmask8 nodes = some_of_eight(count - i);
        __m512i board = _mm512_maskz_loadu_epi64(nodes, boards + i), near = _mm512_maskz_loadu_epi64(nodes, nearer + i);
        __mmask8 keeps = _mm512_mask_test_epi64_mask(nodes, near, good), loses = (__mmask8)(nodes & ~keeps);
        __mmask8 lives = _mm512_test_epi64_mask(near, alive);
        found += p15_count_bits(keeps);
        append_some(keep, slack ? keeps : keeps & lives, board, near);
        if (slack) append_some(lose, slack > 1 ? loses : loses & lives, board, near);
    }
    return found;
}
#endif

/* What is known of a tree. */
typedef struct {
    uint64_t counts, of_slack[P15_TREE_LEVELS]; /* of_slack: of the nodes with so much slack alone */
    bool given_up;
} progress;

/* Takes the last `count` nodes out of a list, makes their moves, and appends their children to lists. */
P15_INLINE void visit(p15_trees *t, unsigned slack, unsigned number, size_t count, progress *p, move_function *move,
                      append_function *append) {
    const arrival *a = &t->arrivals[number];
    list *from = &t->lists[slack][number];
    from->count -= count;
    uint64_t *boards = from->boards + from->count, *nearer = from->nearer + from->count;
    p->given_up |= move(a, t->goal, boards, nearer, count);
    for (unsigned i = 0; i < a->child_count; i++) {
        const child *c = &a->children[i];
        list *keep = &t->lists[slack][c->arrival], *lose = slack ? keep - ARRIVALS : NULL;
        if (keep->count + count > ROOM || (lose && lose->count + count > ROOM)) {
            p->given_up = true;
            continue;
        }
        uint64_t kept = append(c, boards, nearer, count, slack < 2 ? slack : 2, keep, lose);
        p->counts += c->counts * (slack ? count : kept);
        p->of_slack[slack] += c->counts * kept;
        if (slack) p->of_slack[slack - 1] += c->counts * (count - kept);
    }
}

typedef void visit_function(p15_trees *t, unsigned slack, unsigned number, size_t count, progress *p);

static void visit_plain(p15_trees *t, unsigned slack, unsigned number, size_t count, progress *p) {
    visit(t, slack, number, count, p, move_each, append_each);
}

#if P15_HAVE_V4
P15_TARGET_V4 static void visit_v4(p15_trees *t, unsigned slack, unsigned number, size_t count, progress *p) {
    visit(t, slack, number, count, p, move_eight, append_eight);
}
#endif

static visit_function *const VISITS[] = P15_BY_LEVEL(visit_plain, visit_plain, visit_v4, visit_v4);

/* Visits the lists of a slack that have at least so many nodes, once each. False: there were none. */
static bool sweep(p15_trees *t, unsigned slack, size_t least, progress *p) {
    bool any = false;
    for (unsigned i = 0; i < ARRIVALS; i++) {
        size_t count = t->lists[slack][i].count;
        if (count < least) continue;
        if (count > FULL && slack > 0) count = FULL; /* so that lists of less slack stay short */
        any = true;
        VISITS[t->cpu](t, slack, i, count, p);
    }
    return any;
}

/* Lists of little slack come first, so that they stay short. Where no list is full, those of the most slack are emptied. */
bool p15_trees_count(p15_trees *t, p15_board board, unsigned blank, unsigned last, unsigned slack, uint64_t most,
                     p15_counts counts[P15_TREE_LEVELS]) {
    unsigned number = arrival_of(blank, last), level = slack;
    const arrival *a = &t->arrivals[number];
    progress p = {.counts = EXPANDED + a->child_count};
    if (slack >= P15_TREE_LEVELS) return false;
    p.of_slack[slack] = p.counts;
    if (most > MOST_NODES) most = MOST_NODES;
    for (unsigned i = 0; i < P15_TREE_LEVELS * ARRIVALS; i++) t->lists[i / ARRIVALS][i % ARRIVALS].count = 0;
    list *first = &t->lists[slack][number];
    p15_board parent = p15_board_slide(board, blank, a->left / 4u);
    uint64_t nearer = 0;
    for (unsigned cell = 0; cell < P15_MAX_CELLS; cell++)
        nearer |= (uint64_t)t->nearer[cell][p15_board_tile(parent, cell)] << (4 * cell);
    first->boards[0] = parent;
    first->nearer[0] = nearer;
    first->count = 1;
    for (;;) {
        while (level <= slack && !sweep(t, level, FULL, &p)) level++;
        if (level > slack) {
            while (level > 0 && !sweep(t, level - 1, 1, &p)) level--;
            if (level == 0) break;
            level--;
        }
        if (p.given_up || (uint32_t)p.counts > most) return false;
        if (level > 0) level--;
    }
    for (unsigned i = 0; i <= slack; i++) counts[i] = (p15_counts){p.of_slack[i] / EXPANDED, (uint32_t)p.of_slack[i]};
    return true;
}
