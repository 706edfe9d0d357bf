#include "search/meeting/meeting.h"

#include "search/best_first/children.h"
#include "search/best_first/compilations.h"
#include "search/best_first/open.h"

#include <stdlib.h>
#include <string.h>

#define NO_SOLUTION UINT32_MAX
#define HEADROOM (32 * P15_OPEN_CHUNK_BYTES) /* of the open lists: chunks and rows for a node's children */
#define MOST_F (P15_CLOSED_MAX_G + 256)

/* A board's children, the undo of the last move among them, and where the other side would have them. */
typedef struct {
    p15_board board; /* 0: none */
    unsigned count;
    p15_child children[P15_DIRECTIONS];
    p15_where others[P15_DIRECTIONS];
} family;

/* How often each number occurs among the open nodes, and the least that does. */
typedef struct {
    uint64_t counts[MOST_F];
    unsigned least;
} tally;

/* An open node. */
typedef struct {
    p15_board board;
    unsigned g, h;
    p15_values values;
} node;

/* A node at its turn. */
typedef struct {
    unsigned side;
    node node;
    family family;
    unsigned wanted; /* the children to evaluate, as bits */
} parent;

typedef struct {
    p15_end end;
    const p15_h_changes *changes; /* NULL: children are evaluated by the evaluator */
    bool straight;                /* its evaluator looks at boards as they are */
    uint8_t cell_to[P15_MAX_CELLS], tile_to[P15_MAX_CELLS], direction_to[P15_DIRECTIONS];
    unsigned components;
    p15_closed closed;
    p15_open queue; /* rows are priorities; of NBS: nodes that wait, rows are f */
    p15_open ready; /* of NBS; rows are g */
    bool settled;   /* the first node of `queue` (of NBS: of `ready`) is not void */
    tally f, g;     /* of open nodes; not kept by NBS */
    uint64_t open_count, closed_count;
    p15_children *evaluated; /* of batches */
    family prepared;
} side;

struct p15_meeting {
    side sides[2]; /* from the start, from the goal */
    p15_meeting_rule rule;
    p15_moves moves;
    p15_shape shape;
    size_t max_bytes;
    p15_cpu cpu;
    p15_search_state state;
    uint32_t best;     /* moves of the best solution so far, NO_SOLUTION before there is one */
    p15_board meeting; /* on it */
    unsigned met_by;   /* the side that made it last */
    unsigned bound;    /* no solution is shorter; of NBS: the lb of pairs that may be expanded */
    bool second;       /* of NBS: the goal's side of a pair is yet to be expanded */
    uint64_t expanded, generated, reopened, largest_open, largest_closed;
    p15_trace *trace; /* NULL: none */
    size_t patience;  /* of NBS: nodes that may still be made ready in this call */
    unsigned batch;
    parent *parents;                   /* room for a batch; NULL: children are evaluated one by one */
    unsigned parent_count, parent_at;  /* in the batch; the one whose children are made next */
    bool taken;                        /* the batch is whole, and its children evaluated */
    const p15_values *child_values[2]; /* of a side, that are next */
};

/* ------------------------------------------------------------------------------------------------ memory */

static size_t open_bytes(const side *s) { return p15_open_bytes(&s->queue) + p15_open_bytes(&s->ready); }

static size_t bytes_of_side(const side *s) { return p15_closed_bytes(&s->closed) + open_bytes(s); }

static size_t bytes_of(const p15_meeting *search) {
    return bytes_of_side(&search->sides[0]) + bytes_of_side(&search->sides[1]);
}

/* What a side may use, so that the open lists have their headroom. */
static size_t most_bytes(const p15_meeting *search, const side *s) {
    size_t other = bytes_of(search) - bytes_of_side(s) + HEADROOM;
    return other < search->max_bytes ? search->max_bytes - other : 0;
}

/* A table has become larger. */
static void note_growth(p15_meeting *search) { search->sides[0].prepared.board = search->sides[1].prepared.board = 0; }

/* A larger table for a side, at once. False: no room. */
static bool enlarge(p15_meeting *search, side *s) {
    if (p15_closed_enlarge(&s->closed, open_bytes(s), most_bytes(search, s)) != P15_OK) return false;
    note_growth(search);
    return true;
}

/* A piece of making the table of a side larger. False: come again. */
static bool grow_on(p15_meeting *search, side *s) {
    if (s->closed.refused) return true;
    if (!p15_closed_grow_on(&s->closed, open_bytes(s), most_bytes(search, s))) return false;
    note_growth(search);
    return true;
}

/* Sees to it that the children of a node of a side find room. False: the search has ended, or the table grows. */
P15_INLINE bool make_room(p15_meeting *search, side *s) {
    bool has_bytes = bytes_of(search) + HEADROOM <= search->max_bytes;
    size_t wanted = s->closed.node_count + P15_DIRECTIONS;
    if (has_bytes && wanted > s->closed.room && !grow_on(search, s)) return false;
    if (has_bytes && wanted <= s->closed.room) return true;
    search->state = P15_SEARCH_NO_ROOM;
    return false;
}

/* ------------------------------------------------------------------------------------------------ open nodes */

P15_INLINE void count_in(tally *t, unsigned number) {
    t->counts[number]++;
    if (number < t->least) t->least = number;
}

/* The least number of an open node; there is one. */
P15_INLINE unsigned least_of(tally *t) {
    while (t->counts[t->least] == 0) t->least++;
    return t->least;
}

/* The column of an h in `queue`, and the h of a column: of equal priority, the largest h goes first in NBS, else the
 * least. In `ready`, columns are h. */
P15_INLINE unsigned column_of(const p15_meeting *search, unsigned h) { return search->rule == P15_NBS ? 255u - h : h; }

/* The row of a node in `queue`. */
P15_INLINE unsigned row_of(const p15_meeting *search, unsigned g, unsigned h) {
    unsigned twice = 2 * g + (search->rule == P15_MME);
    return search->rule == P15_NBS || g + h > twice ? g + h : twice;
}

/* The g of a node in `queue`. Where the row is 2 g + e, it is g + h at least, so h is at most half of row + e. */
P15_INLINE unsigned g_of(const p15_meeting *search, unsigned row, unsigned h) {
    unsigned e = search->rule == P15_MME;
    return search->rule == P15_NBS || 2 * h > row + e ? row - h : (row - e) / 2;
}

/* Files a node, which is in the closed table, as open. False: no room. */
P15_INLINE bool open_node(p15_meeting *search, side *s, const node *n) {
    if (search->rule != P15_NBS) {
        count_in(&s->f, n->g + n->h);
        count_in(&s->g, n->g);
    }
    s->settled = false;
    s->open_count++;
    return p15_open_put(&s->queue, row_of(search, n->g, n->h), column_of(search, n->h), n->board, n->values) == P15_OK;
}

/* A node is open no more. */
P15_INLINE void count_out(p15_meeting *search, side *s, unsigned g, unsigned h) {
    s->open_count--;
    if (search->rule == P15_NBS) return;
    s->f.counts[g + h]--;
    s->g.counts[g]--;
}

/* Takes the first node of an open list of a side, which has one. */
P15_INLINE node take(const p15_meeting *search, const side *s, p15_open *open) {
    unsigned row = 0, column = 0;
    node n = {0};
    p15_open_take(open, &row, &column, &n.board, &n.values);
    n.h = open == &s->ready ? column : column_of(search, column);
    n.g = open == &s->ready ? row : g_of(search, row, n.h);
    if (!open->wide) n.values = n.h;
    return n;
}

/* The list from which a side expands. */
P15_INLINE p15_open *list_of(const p15_meeting *search, side *s) {
    return search->rule == P15_NBS ? &s->ready : &s->queue;
}

/* Drops the void entries before the first node of a side that may be expanded: a shorter way to their boards is known.
 * False: there is no such node. */
P15_INLINE bool settle(const p15_meeting *search, side *s) {
    p15_open *open = list_of(search, s);
    while (!s->settled) {
        p15_board board = p15_open_next(open);
        if (!board) return false;
        unsigned row = open->row, g = row;
        if (search->rule != P15_NBS) g = g_of(search, row, column_of(search, open->rows[row].first));
        p15_slot slot = *p15_closed_find(&s->closed, p15_closed_where(&s->closed, board));
        s->settled = !p15_slot_closed(slot) && p15_slot_g(slot) == g;
        if (!s->settled) take(search, s, open);
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ children */

/* The g of a node's children. */
P15_INLINE unsigned child_g(const node *n) { return n->g < P15_CLOSED_MAX_G ? n->g + 1 : n->g; }

/* The children of a board of a side, and where they belong. Whoever asks before the board's turn also asks the memory
 * for these places, and by then it has answered. */
P15_INLINE family *family_of(p15_meeting *search, unsigned number, p15_board board) {
    side *s = &search->sides[number];
    const side *other = &search->sides[1 - number];
    family *f = &s->prepared;
    if (f->board == board) return f;
    f->board = board;
    f->count = p15_child_make(&s->closed, &search->moves, board, f->children);
    for (unsigned i = 0; i < f->count; i++) {
        f->others[i] = p15_closed_where(&other->closed, f->children[i].board);
        p15_closed_prefetch(&other->closed, f->others[i]);
    }
    return f;
}

/* Prepares the node that is probably next on a side. */
P15_INLINE void look_ahead(p15_meeting *search, unsigned number) {
    side *s = &search->sides[number];
    p15_board coming = p15_open_next(list_of(search, s));
    if (!coming) return;
    p15_closed_prefetch(&s->closed, p15_closed_where(&s->closed, coming));
    family_of(search, number, coming);
}

/* A board as the evaluator of a side sees it. */
P15_INLINE p15_board turned(const p15_meeting *search, const side *s, p15_board board) {
    return s->straight ? board : p15_board_transform(board, search->shape, s->cell_to, s->tile_to);
}

/* Evaluates the children of a node that are wanted, or adds them to those that its side evaluates together. */
P15_INLINE void evaluate(p15_meeting *search, const parent *p, bool together, p15_values found[P15_DIRECTIONS]) {
    const side *s = &search->sides[p->side];
    p15_board board = turned(search, s, p->node.board);
    unsigned blank = p15_board_blank(board);
    for (unsigned i = 0; i < p->family.count; i++) {
        unsigned direction = s->direction_to[p->family.children[i].direction];
        if (!(p->wanted >> i & 1u)) continue;
        if (together)
            p15_children_add(s->evaluated, board, p->node.values, blank, direction);
        else
            p15_evaluator_child(s->end.evaluator, board, p->node.values, blank, direction, found++);
    }
}

/* Looks again where children belong: a table may have grown. */
P15_INLINE void place_family(const p15_meeting *search, unsigned number, family *f) {
    p15_child_place(&search->sides[number].closed, f->children, f->count);
    for (unsigned i = 0; i < f->count; i++)
        f->others[i] = p15_closed_where(&search->sides[1 - number].closed, f->children[i].board);
}

/* The place of a child in its side's table; NULL: no room. */
P15_INLINE p15_slot *place_of(p15_meeting *search, unsigned number, family *f, unsigned i) {
    side *s = &search->sides[number];
    p15_slot *place = p15_closed_find(&s->closed, f->children[i].where);
    if (place) return place;
    if (!enlarge(search, s)) return NULL; /* very rare: too many nodes in one neighbourhood */
    p15_child_place(&s->closed, f->children, f->count);
    return p15_closed_find(&s->closed, f->children[i].where);
}

/* Notes the solution that a child closes, if it is shorter than the best one so far. */
P15_INLINE void meet(p15_meeting *search, unsigned number, const node *n, p15_where where) {
    const p15_slot *met = p15_closed_find(&search->sides[1 - number].closed, where);
    if (!met || !*met || n->g + p15_slot_g(*met) >= search->best) return;
    search->best = n->g + p15_slot_g(*met);
    search->meeting = n->board;
    search->met_by = number;
}

/* Closes a side's open node, and notes which of its children are wanted: all, or those that may be kept. */
P15_INLINE void close_node(p15_meeting *search, parent *p, bool all) {
    side *s = &search->sides[p->side];
    const node *n = &p->node;
    p15_slot *slot = p15_closed_find(&s->closed, p15_closed_where(&s->closed, n->board));
    unsigned undo = n->g == 0 ? P15_DIRECTIONS : 3u - p15_slot_direction(*slot);
    *slot = p15_slot_close(*slot);
    s->closed_count++;
    count_out(search, s, n->g, n->h);
    search->expanded++;
    search->generated += p->family.count - (n->g > 0);
    p->wanted = 0;
    for (unsigned i = 0; i < p->family.count; i++) {
        bool wanted = p->family.children[i].direction != undo;
        if (!all && wanted) {
            const p15_slot *place = p15_closed_find(&s->closed, p->family.children[i].where);
            wanted = !(place && *place && child_g(n) >= p15_slot_g(*place));
        }
        p->wanted |= (unsigned)wanted << i;
    }
}

/* Files the children of a closed node, of which *values has the wanted ones. False: no room. */
P15_INLINE bool file_children(p15_meeting *search, parent *p, const p15_values **values, bool summed, bool traced) {
    side *s = &search->sides[p->side];
    family *f = &p->family;
    const node *n = &p->node;
    unsigned blank = p15_board_blank(n->board);
    node child = {.g = child_g(n)};
    if (traced) {
        search->trace->side = (uint8_t)p->side;
        p15_trace_node(search->trace, n->board, n->values, n->g, false);
    }
    for (unsigned i = 0; i < f->count; i++) {
        const p15_child *made = &f->children[i];
        if (!(p->wanted >> i & 1u)) continue;
        p15_values found = summed ? 0 : *(*values)++;
        p15_slot *place = place_of(search, p->side, f, i);
        if (!place) return false;
        bool known = *place && child.g >= p15_slot_g(*place); /* another node of the batch may have come first */
        if (traced) {
            p15_fate fate = known ? P15_FATE_KNOWN : *place ? P15_FATE_REOPENED : P15_FATE_OPEN;
            p15_trace_child(search->trace, made->direction, fate)->h = (uint8_t)p15_values_h(found);
        }
        if (known) continue;
        child.board = made->board;
        if (summed) {
            unsigned tile = p15_board_tile(made->board, blank);
            child.values = child.h = (unsigned)((int)n->values + (*s->changes)[blank][made->direction][tile]);
        } else {
            child.values = found;
            child.h = p15_values_h(found);
        }
        if (*place == 0) {
            p15_closed_add(&s->closed, made->where, place, child.g, made->direction);
        } else {
            if (p15_slot_closed(*place))
                search->reopened++, s->closed_count--;
            else
                count_out(search, s, p15_slot_g(*place), child.h); /* the entry that it has is void */
            *place = p15_slot_moved(*place, child.g, made->direction);
        }
        meet(search, p->side, &child, f->others[i]);
        if (!open_node(search, s, &child)) return false;
    }
    return true;
}

/* Makes the children of a side's open node. False: no room. */
P15_INLINE bool expand(p15_meeting *search, unsigned number, const node *n, bool traced) {
    const side *s = &search->sides[number];
    parent p = {.side = number, .node = *n, .family = *family_of(search, number, n->board)};
    look_ahead(search, number);
    bool summed = s->changes && !traced; /* then a value takes less time than the question who needs it */
    close_node(search, &p, summed || traced);
    p15_values found[P15_DIRECTIONS];
    const p15_values *values = found;
    if (!summed) evaluate(search, &p, false, found);
    return file_children(search, &p, &values, summed, traced);
}

/* ------------------------------------------------------------------------------------------------ the rules */

static bool end(p15_meeting *search, p15_search_state state) {
    search->state = state;
    return false;
}

/* Ends a search one of whose sides has no open node: that side knows every board. */
static bool exhausted(p15_meeting *search) {
    return end(search, search->best == NO_SOLUTION ? P15_SEARCH_FAILED : P15_SEARCH_SOLVED);
}

/* MM, MMe: which side expands the first node of its queue. False: the search has ended. */
P15_INLINE bool choose_least(p15_meeting *search, unsigned *number) {
    side *s = search->sides;
    if (!settle(search, &s[0]) || !settle(search, &s[1])) return exhausted(search);
    unsigned rows[2] = {s[0].queue.row, s[1].queue.row}, bound = rows[1] < rows[0] ? rows[1] : rows[0];
    unsigned f0 = least_of(&s[0].f), f1 = least_of(&s[1].f), g = least_of(&s[0].g) + least_of(&s[1].g) + 1;
    *number = rows[1] < rows[0];
    if (f0 > bound) bound = f0;
    if (f1 > bound) bound = f1;
    if (g > bound) bound = g;
    if (bound > search->bound) search->bound = bound;
    return search->best > search->bound || end(search, P15_SEARCH_SOLVED);
}

/* NBS: makes the first node of a side's queue ready. False: no room. */
P15_INLINE bool make_ready(p15_meeting *search, side *s) {
    if (bytes_of(search) + HEADROOM > search->max_bytes) return false;
    node n = take(search, s, &s->queue);
    search->patience--;
    s->settled = false;
    return p15_open_put(&s->ready, n.g, n.h, n.board, n.values) == P15_OK;
}

/* NBS: the f of the first node that waits on a side, NO_SOLUTION where there is none. */
P15_INLINE unsigned waiting_f(side *s) { return p15_open_first(&s->queue) ? s->queue.row : NO_SOLUTION; }

/* NBS: sees to it that the first ready nodes of both sides are the best pair of the present bound. False: there is none,
 * but *least is the bound of a pair, NO_SOLUTION if there is no pair at all; or the search has ended; or there is no
 * patience left. */
P15_INLINE bool find_pair(p15_meeting *search, unsigned *least) {
    side *s = search->sides;
    while (search->patience > 0) {
        unsigned early = waiting_f(&s[0]) < search->bound ? 0 : waiting_f(&s[1]) < search->bound ? 1 : 2;
        if (early < 2) {
            if (!make_ready(search, &s[early])) return end(search, P15_SEARCH_NO_ROOM);
            continue;
        }
        bool first = settle(search, &s[0]), ready = settle(search, &s[1]) && first;
        unsigned together = ready ? s[0].ready.row + s[1].ready.row + 1 : NO_SOLUTION;
        if (together <= search->bound) return true;
        unsigned f[2] = {waiting_f(&s[0]), waiting_f(&s[1])}, number = f[0] <= search->bound ? 0 : 1;
        if (f[number] > search->bound) {
            *least = f[0] < f[1] ? f[0] : f[1];
            if (together < *least) *least = together;
            return false;
        }
        if (!make_ready(search, &s[number])) return end(search, P15_SEARCH_NO_ROOM);
    }
    return false;
}

/* NBS: sees to it that the first ready nodes of both sides are the best pair. False: the search has ended, or there is
 * no patience left. */
P15_INLINE bool choose_pair(p15_meeting *search) {
    unsigned least = 0;
    while (search->best > search->bound) {
        if (find_pair(search, &least)) return true;
        if (search->state != P15_SEARCH_RUNNING || search->patience == 0) return false;
        if (least == NO_SOLUTION) return exhausted(search);
        search->bound = least;
    }
    return end(search, P15_SEARCH_SOLVED);
}

/* Takes the first node of a side. */
P15_INLINE node take_first(p15_meeting *search, side *s) {
    node n = take(search, s, list_of(search, s));
    s->settled = false;
    return n;
}

P15_INLINE void note_largest(p15_meeting *search) {
    uint64_t open = search->sides[0].open_count + search->sides[1].open_count;
    uint64_t closed = search->sides[0].closed_count + search->sides[1].closed_count;
    if (open > search->largest_open) search->largest_open = open;
    if (closed > search->largest_closed) search->largest_closed = closed;
}

P15_INLINE bool run(p15_meeting *search, uint64_t expansions, bool traced) {
    for (; expansions > 0; expansions--) {
        unsigned number = search->second;
        bool more = search->rule == P15_NBS ? search->second || choose_pair(search) : choose_least(search, &number);
        side *s = &search->sides[number];
        if (!more || !make_room(search, s)) return search->state == P15_SEARCH_RUNNING;
        node n = take_first(search, s);
        search->second = search->rule == P15_NBS && !search->second;
        if (!expand(search, number, &n, traced)) return end(search, P15_SEARCH_NO_ROOM);
        note_largest(search);
    }
    return true;
}

/* Takes a node into the batch, and closes it. */
P15_INLINE void add_parent(p15_meeting *search, unsigned number, bool traced) {
    parent *p = &search->parents[search->parent_count++];
    p->side = number;
    p->node = take_first(search, &search->sides[number]);
    p->family = *family_of(search, number, p->node.board);
    close_node(search, p, traced);
    evaluate(search, p, true, NULL);
}

/* Takes nodes that are expanded together: of MM and MMe, nodes of one side with the least priority; of NBS, pairs of the
 * present bound. False: the search has ended, or there is no patience left. */
P15_INLINE bool take_batch(p15_meeting *search, bool traced) {
    side *s = search->sides;
    unsigned number = 0, least = 0;
    if (search->rule == P15_NBS) {
        if (search->parent_count == 0 && !search->second && !choose_pair(search)) return false;
        if (search->batch == 1) {
            add_parent(search, search->second, traced);
            search->second = !search->second;
            return true;
        }
        while (search->parent_count == 0 || (search->parent_count + 2 <= search->batch && find_pair(search, &least))) {
            add_parent(search, 0, traced);
            add_parent(search, 1, traced);
        }
        return search->state == P15_SEARCH_RUNNING &&
               (search->patience > 0 || search->parent_count + 2 > search->batch);
    }
    if (!choose_least(search, &number)) return false;
    unsigned row = s[number].queue.row;
    while (search->parent_count < search->batch && settle(search, &s[number]) && s[number].queue.row == row)
        add_parent(search, number, traced);
    return true;
}

/* The same in batches. A batch may be left while it is taken, and between two of its nodes. */
P15_INLINE bool run_batches(p15_meeting *search, uint64_t expansions, bool traced) {
    unsigned rest = search->taken ? search->parent_count - search->parent_at : 0;
    expansions -= rest < expansions ? rest : expansions;
    for (;;) {
        for (; search->taken && search->parent_at < search->parent_count; search->parent_at++) {
            parent *p = &search->parents[search->parent_at];
            if (!make_room(search, &search->sides[p->side])) return search->state == P15_SEARCH_RUNNING;
            place_family(search, p->side, &p->family);
            if (!file_children(search, p, &search->child_values[p->side], false, traced))
                return end(search, P15_SEARCH_NO_ROOM);
        }
        if (search->taken) {
            note_largest(search);
            search->parent_count = search->parent_at = 0;
            search->taken = false;
        }
        if (expansions == 0) return true;
        if (!take_batch(search, traced)) return search->state == P15_SEARCH_RUNNING;
        for (unsigned i = 0; i < 2; i++) search->child_values[i] = p15_children_run(search->sides[i].evaluated);
        search->taken = true;
        expansions -= search->parent_count < expansions ? search->parent_count : expansions;
    }
}

P15_INLINE bool run_all(p15_meeting *search, uint64_t expansions, bool traced) {
    return search->parents ? run_batches(search, expansions, traced) : run(search, expansions, traced);
}

P15_DEFINE_RUN_SOME(p15_meeting, run_all, search->cpu)

/* Traces the board at which both sides of a solved search meet. */
static void trace_meeting(p15_meeting *search) {
    const side *s = &search->sides[search->met_by];
    unsigned h = 0, g = p15_slot_g(*p15_closed_find(&s->closed, p15_closed_where(&s->closed, search->meeting)));
    p15_values values = 0;
    p15_evaluator_board(s->end.evaluator, turned(search, s, search->meeting), &h, &values);
    search->trace->side = (uint8_t)search->met_by;
    p15_trace_node(search->trace, search->meeting, values, g, true);
}

bool p15_meeting_run(p15_meeting *search, uint64_t expansions) {
    if (search->state != P15_SEARCH_RUNNING) return false;
    for (unsigned i = 0; i < 2; i++)
        if (search->sides[i].closed.growth && !grow_on(search, &search->sides[i])) return true;
    search->patience = P15_PIECE;
    bool more = run_some(search, expansions);
    if (search->trace && search->state == P15_SEARCH_SOLVED) trace_meeting(search);
    return more;
}

void p15_meeting_trace(p15_meeting *search, p15_trace *trace) {
    search->trace = trace;
    if (trace && search->state == P15_SEARCH_SOLVED) trace_meeting(search);
}

/* ------------------------------------------------------------------------------------------------ the search */

/* Finds the symmetry that carries boards to where a side's evaluator sees them. P15_ERR_ARGUMENT: there is none. */
static p15_status find_turn(p15_shape shape, p15_board target, side *s) {
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    const uint8_t *back = s->end.back;
    p15_board goal = p15_evaluator_goal(s->end.evaluator);
    for (unsigned number = p15_symmetries(shape, maps); number-- > 0;) {
        bool fits = true;
        for (unsigned cell = 0; cell < shape.cells && fits; cell++)
            for (unsigned direction = 0; direction < P15_DIRECTIONS && fits; direction++) {
                int here = back[direction] < P15_DIRECTIONS ? p15_cell_neighbour(shape, cell, back[direction]) : -1;
                int there = p15_cell_neighbour(shape, maps[number][cell], direction);
                fits = back[direction] < P15_DIRECTIONS && (here < 0 ? -1 : maps[number][here]) == there;
            }
        if (!fits) continue;
        memcpy(s->cell_to, maps[number], sizeof s->cell_to);
        for (unsigned cell = 0; cell < shape.cells; cell++)
            s->tile_to[p15_board_tile(target, cell)] = (uint8_t)p15_board_tile(goal, s->cell_to[cell]);
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
            s->direction_to[back[direction]] = (uint8_t)direction;
        s->straight = number == 0 && goal == target;
        return s->tile_to[0] == 0 ? P15_OK : P15_ERR_ARGUMENT;
    }
    return P15_ERR_ARGUMENT;
}

static p15_status start_side(p15_meeting *search, unsigned number, const p15_end ends[2], size_t max_bytes) {
    side *s = &search->sides[number];
    s->end = ends[number];
    p15_status status = find_turn(search->shape, ends[1 - number].root, s);
    if (status) return status;
    const p15_evaluator *evaluator = s->end.evaluator;
    node root = {.board = s->end.root};
    status = p15_evaluator_board(evaluator, turned(search, s, root.board), &root.h, &root.values);
    if (status) return status;
    s->changes = s->straight ? p15_evaluator_changes(evaluator) : NULL;
    s->f.least = s->g.least = MOST_F;
    bool wide = p15_evaluator_count(evaluator) > 1;
    status = p15_closed_init(search->shape, max_bytes, &s->closed);
    if (!status) status = p15_open_init(true, wide, P15_OPEN_COLUMNS, max_bytes, &s->queue);
    if (!status) status = p15_open_init(true, wide, P15_OPEN_COLUMNS, max_bytes, &s->ready);
    if (status) return status;
    p15_where where = p15_closed_where(&s->closed, root.board);
    p15_closed_add(&s->closed, where, p15_closed_find(&s->closed, where), 0, 0);
    return open_node(search, s, &root) ? P15_OK : P15_ERR_MEMORY;
}

/* Room for a batch. */
static p15_status make_batch(p15_meeting *search) {
    search->parents = malloc(search->batch * sizeof *search->parents);
    if (!search->parents) return P15_ERR_MEMORY;
    for (unsigned i = 0; i < 2; i++) {
        side *s = &search->sides[i];
        size_t room = (size_t)search->batch * P15_DIRECTIONS;
        p15_status status = p15_children_new(s->end.evaluator, room, &s->evaluated);
        if (status) return status;
    }
    return P15_OK;
}

p15_status p15_meeting_new(const p15_end ends[2], const p15_meeting_options *options, p15_meeting **made) {
    *made = NULL;
    p15_shape shape = p15_evaluator_shape(ends[0].evaluator), other = p15_evaluator_shape(ends[1].evaluator);
    if (shape.rows != other.rows || shape.cols != other.cols || (unsigned)options->rule >= P15_MEETING_COUNT ||
        options->batch < 1 || options->batch > P15_MEETING_MOST_AT_ONCE)
        return P15_ERR_ARGUMENT;
    if (p15_board_check(ends[0].root, shape) || p15_board_check(ends[1].root, shape)) return P15_ERR_BOARD;
    if (!p15_board_solvable(ends[0].root, ends[1].root, shape)) return P15_ERR_UNSOLVABLE;
    p15_meeting *search = calloc(1, sizeof *search);
    if (!search) return P15_ERR_MEMORY;
    search->rule = options->rule;
    search->shape = shape;
    search->max_bytes = options->max_bytes;
    search->cpu = options->cpu;
    search->batch = options->batch;
    search->patience = P15_PIECE;
    search->best = ends[0].root == ends[1].root ? 0 : NO_SOLUTION;
    search->state = search->best == 0 ? P15_SEARCH_SOLVED : P15_SEARCH_RUNNING;
    search->meeting = ends[0].root;
    search->largest_open = 2;
    p15_status status = p15_moves_init(shape, options->order, &search->moves);
    for (unsigned i = 0; i < 2 && !status; i++) status = start_side(search, i, ends, options->max_bytes);
    if (!status && bytes_of(search) > options->max_bytes) status = P15_ERR_MEMORY;
    if (!status && (options->batch > 1 || p15_evaluator_prefers_batches(ends[0].evaluator) ||
                    p15_evaluator_prefers_batches(ends[1].evaluator)))
        status = make_batch(search);
    if (status) {
        p15_meeting_delete(search);
        return status;
    }
    *made = search;
    return P15_OK;
}

void p15_meeting_delete(p15_meeting *search) {
    if (!search) return;
    for (unsigned i = 0; i < 2; i++) {
        p15_closed_free(&search->sides[i].closed);
        p15_open_free(&search->sides[i].queue);
        p15_open_free(&search->sides[i].ready);
        p15_children_delete(search->sides[i].evaluated);
    }
    free(search->parents);
    free(search);
}

void p15_meeting_report(const p15_meeting *search, p15_report *report) {
    *report = (p15_report){
        .state = search->state,
        .lower_bound = search->state == P15_SEARCH_SOLVED ? search->best : search->bound,
        .expanded = search->expanded,
        .generated = search->generated,
        .reopened = search->reopened,
        .largest_open = search->largest_open,
        .largest_closed = search->largest_closed,
        .nodes = search->sides[0].closed.node_count + search->sides[1].closed.node_count,
        .bytes = bytes_of(search),
        .upkeep = search->sides[0].closed.growth || search->sides[1].closed.growth || search->patience == 0,
    };
}

size_t p15_meeting_path(const p15_meeting *search, uint8_t *directions, size_t room) {
    if (search->best == NO_SOLUTION) return SIZE_MAX;
    const side *from = &search->sides[0], *to = &search->sides[1];
    const p15_moves *moves = &search->moves;
    size_t first = p15_closed_walk(&from->closed, moves, from->end.root, search->meeting, directions, room);
    size_t second = p15_closed_walk(&to->closed, moves, to->end.root, search->meeting, NULL, 0);
    p15_board board = search->meeting;
    for (size_t i = first; i < first + second; i++) { /* the goal's side was walked away from the goal */
        unsigned back = 3u - p15_closed_direction(&to->closed, board);
        if (i < room) directions[i] = (uint8_t)back;
        board = p15_moves_apply(moves, board, back);
    }
    return first + second;
}
