#include "search/meeting/meeting.h"

#include "search/best_first/compilations.h"
#include "search/best_first/expand.h"
#include "search/best_first/open.h"

#include <string.h>

#define MOST_F (P15_CLOSED_MAX_G + 256)

/* How often each number occurs among the open nodes, and the least that does. */
typedef struct {
    uint64_t counts[MOST_F];
    unsigned least;
} tally;

typedef struct {
    p15_board board;
    unsigned g, h;
    p15_values values;
} node;

/* A node of a batch. */
typedef struct {
    unsigned side;
    p15_parent parent;
} member;

/* How an evaluator sees the boards. */
typedef struct {
    p15_shape shape;
    bool straight; /* boards are seen as they are */
    uint8_t cell_to[P15_MAX_CELLS], tile_to[P15_MAX_CELLS], direction_to[P15_DIRECTIONS];
} turned;

typedef struct {
    p15_end end;
    const p15_h_changes *changes; /* NULL: children are evaluated by the evaluator */
    turned turned;
    p15_closed closed;
    p15_open queue; /* rows are priorities; of NBS: nodes that wait, rows are f */
    p15_open ready; /* of NBS; rows are g */
    bool settled;   /* the first node of `queue` (of NBS: of `ready`) is not void */
    tally f, g;     /* of open nodes; not kept by NBS */
    uint64_t open_count, closed_count;
    p15_family prepared; /* of the node that is probably the next */
    p15_evaluations *batch;
    const p15_values *values; /* of the children of a batch, those that are next */
} side;

typedef struct {
    p15_search base;
    side sides[2]; /* from the start, from the goal */
    p15_meeting_rule rule;
    p15_cpu cpu;
    uint32_t best;      /* moves of the best solution so far, P15_NO_SOLUTION before there is one */
    p15_board meeting;  /* on it */
    unsigned met_by;    /* the side that made it last */
    unsigned bound;     /* no solution is shorter; of NBS: the lb of pairs that may be expanded */
    bool second;        /* of NBS: the goal's side of a pair is yet to be expanded */
    size_t patience;    /* of NBS: nodes that may still be made ready in this call */
    unsigned batch;     /* nodes that go together */
    member *members;    /* room for a batch */
    unsigned count, at; /* in the batch; the one whose children are made next */
    bool taken;         /* the batch is whole, and its children evaluated */
} meeting;

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
P15_INLINE unsigned column_of(const meeting *search, unsigned h) { return search->rule == P15_NBS ? 255u - h : h; }

/* The row of a node in `queue`. */
P15_INLINE unsigned row_of(const meeting *search, unsigned g, unsigned h) {
    unsigned twice = 2 * g + (search->rule == P15_MME);
    return search->rule == P15_NBS || g + h > twice ? g + h : twice;
}

/* The g of a node in `queue`. Where the row is 2 g + e, it is g + h at least, so h is at most half of row + e. */
P15_INLINE unsigned g_of(const meeting *search, unsigned row, unsigned h) {
    unsigned e = search->rule == P15_MME;
    return search->rule == P15_NBS || 2 * h > row + e ? row - h : (row - e) / 2;
}

/* Files a node, which is in the closed table, as open. False: no room. */
P15_INLINE bool open_node(meeting *search, side *s, const node *n) {
    if (search->rule != P15_NBS) {
        count_in(&s->f, n->g + n->h);
        count_in(&s->g, n->g);
    }
    s->settled = false;
    s->open_count++;
    return p15_open_put(&s->queue, row_of(search, n->g, n->h), column_of(search, n->h), n->board, n->values) == P15_OK;
}

/* A node is open no more. */
P15_INLINE void count_out(const meeting *search, side *s, unsigned g, unsigned h) {
    s->open_count--;
    if (search->rule == P15_NBS) return;
    s->f.counts[g + h]--;
    s->g.counts[g]--;
}

/* Takes the first node of an open list of a side, which has one. */
P15_INLINE node take(const meeting *search, side *s, p15_open *open) {
    unsigned row = 0, column = 0;
    node n = {.values = 0};
    s->settled = false;
    p15_open_take(open, &row, &column, &n.board, &n.values);
    n.h = open == &s->ready ? column : column_of(search, column);
    n.g = open == &s->ready ? row : g_of(search, row, n.h);
    if (!open->wide) n.values = n.h;
    return n;
}

/* The list from which a side expands. */
P15_INLINE p15_open *list_of(const meeting *search, side *s) { return search->rule == P15_NBS ? &s->ready : &s->queue; }

/* Drops the void entries before the first node of a side that may be expanded: a shorter way to their boards is known.
 * False: there is no such node. */
P15_INLINE bool settle(const meeting *search, side *s) {
    p15_open *open = list_of(search, s);
    while (!s->settled) {
        p15_board board = p15_open_next(open);
        if (!board) return false;
        unsigned row = open->row, g = row;
        if (search->rule != P15_NBS) g = g_of(search, row, column_of(search, open->rows[row].first));
        p15_slot slot = *p15_closed_known(&s->closed, board);
        s->settled = !p15_slot_closed(slot) && p15_slot_g(slot) == g;
        if (!s->settled) take(search, s, open);
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ children */

/* A board as the evaluator sees it. */
P15_INLINE p15_board turned_board(const turned *t, p15_board board) {
    return t->straight ? board : p15_board_transform(board, t->shape, t->cell_to, t->tile_to);
}

/* The family of a board of a side; the places of its children on both sides are prefetched. */
P15_INLINE p15_family *family_of(meeting *search, unsigned number, p15_board board) {
    side *s = &search->sides[number];
    const p15_closed *other = &search->sides[1 - number].closed;
    bool there = s->prepared.board == board;
    p15_family_make(&s->closed, &search->base.moves, board, &s->prepared);
    for (unsigned i = 0; i < s->prepared.count && !there; i++)
        p15_closed_prefetch(other, p15_closed_where(other, s->prepared.list[i].board));
    return &s->prepared;
}

/* Prepares the node that is probably next on a side. */
P15_INLINE void look_ahead(meeting *search, unsigned number) {
    side *s = &search->sides[number];
    p15_board coming = p15_open_next(list_of(search, s));
    if (!coming) return;
    p15_closed_prefetch(&s->closed, p15_closed_where(&s->closed, coming));
    family_of(search, number, coming);
}

/* Closes a side's open node, whose family is there. Its children are wanted: all, or those that may be kept. With
 * `evaluated`, they are given to those that the side evaluates together. */
P15_INLINE void close_node(meeting *search, unsigned number, const node *n, bool all, bool evaluated, p15_parent *p) {
    side *s = &search->sides[number];
    p15_slot *slot = p15_closed_known(&s->closed, n->board);
    p->values = n->values;
    p->slot = *slot = p15_slot_close(*slot);
    p->wanted = 0;
    s->closed_count++;
    count_out(search, s, n->g, n->h);
    p15_parent_count(&search->base, p);
    unsigned undo = p15_slot_undo(*slot), g = p15_slot_child_g(*slot);
    p15_board board = evaluated ? turned_board(&s->turned, n->board) : n->board;
    for (unsigned i = 0; i < p->family.count; i++) {
        unsigned direction = p->family.list[i].direction;
        const p15_slot *known = all ? NULL : p15_closed_find(&s->closed, p->family.places[i]);
        if (direction == undo || (known && *known && g >= p15_slot_g(*known))) continue;
        p->wanted |= 1u << i;
        if (evaluated)
            p15_evaluations_add(s->batch, board, n->values, p15_board_blank(board), s->turned.direction_to[direction]);
    }
}

/* Keeps the solution that a child closes, if it is shorter than the best one so far. False: no memory. */
P15_INLINE bool meet(meeting *search, unsigned number, const p15_made *made) {
    const p15_closed *other = &search->sides[1 - number].closed;
    const p15_slot *met = p15_closed_find(other, p15_closed_where(other, made->board));
    if (!met || !*met || made->g + p15_slot_g(*met) >= search->best) return true;
    search->best = made->g + p15_slot_g(*met);
    search->meeting = made->board;
    search->met_by = number;
    return p15_keep_path(&search->base, &search->sides[0].closed, &search->sides[1].closed, made->board);
}

/* Files a child of a node of a side. False: no memory. */
P15_INLINE bool keep(meeting *search, unsigned number, const p15_made *made) {
    side *s = &search->sides[number];
    if (*made->slot && p15_slot_closed(*made->slot))
        search->base.report.reopened++, s->closed_count--;
    else if (*made->slot)
        count_out(search, s, p15_slot_g(*made->slot), made->h); /* the entry that it has is void */
    p15_made_note(&s->closed, made);
    node child = {made->board, made->g, made->h, made->values};
    return meet(search, number, made) && open_node(search, s, &child);
}

/* Makes the children of a closed node; *values has those that are wanted, if any. False: no memory. */
P15_INLINE bool expand(meeting *search, unsigned number, p15_parent *p, const p15_values **values,
                       const p15_h_changes *changes) {
    p15_search *base = &search->base;
    p15_closed *closed = &search->sides[number].closed;
    if (base->trace) base->trace->side = (uint8_t)number;
    p15_made made = p15_parent_begin(base, p);
    while (p15_parent_next(base, closed, p, values, changes, false, &made)) {
        if (base->trace) p15_parent_trace(base, p, &made, p15_made_fate(&made), values != NULL);
        if (!keep(search, number, &made)) return false;
    }
    return !made.refused;
}

/* ------------------------------------------------------------------------------------------------ the rules */

/* MM, MMe: which side expands the first node of its queue. False: the search has ended. */
P15_INLINE bool choose_least(meeting *search, unsigned *number) {
    side *s = search->sides;
    if (!settle(search, &s[0]) || !settle(search, &s[1]))
        return p15_search_exhausted(&search->base); /* a side without open nodes knows every board */
    unsigned rows[2] = {s[0].queue.row, s[1].queue.row}, bound = rows[1] < rows[0] ? rows[1] : rows[0];
    unsigned proved[] = {bound, least_of(&s[0].f), least_of(&s[1].f), least_of(&s[0].g) + least_of(&s[1].g) + 1};
    *number = rows[1] < rows[0];
    for (unsigned i = 0; i < 4; i++)
        if (proved[i] > search->bound) search->bound = proved[i];
    return search->best > search->bound || p15_search_end(&search->base, P15_SEARCH_SOLVED);
}

/* NBS: makes the first node of a side's queue ready. False: no room. */
P15_INLINE bool make_ready(meeting *search, side *s) {
    node n = take(search, s, &s->queue);
    search->patience--;
    return p15_open_put(&s->ready, n.g, n.h, n.board, n.values) == P15_OK ||
           p15_search_end(&search->base, P15_SEARCH_NO_ROOM);
}

/* NBS: the f of the first node that waits on a side, P15_NO_SOLUTION where there is none. */
P15_INLINE unsigned waiting_f(side *s) { return p15_open_first(&s->queue) ? s->queue.row : P15_NO_SOLUTION; }

/* NBS: sees to it that the first ready nodes of both sides are the best pair of the present bound. False: there is none,
 * but *least is the bound of a pair, P15_NO_SOLUTION if there is no pair at all; or the search has ended; or there is no
 * patience left. */
P15_INLINE bool find_pair(meeting *search, unsigned *least) {
    side *s = search->sides;
    while (search->patience > 0) {
        unsigned early = waiting_f(&s[0]) < search->bound ? 0 : waiting_f(&s[1]) < search->bound ? 1 : 2;
        if (early < 2) {
            if (!make_ready(search, &s[early])) return false;
            continue;
        }
        bool first = settle(search, &s[0]), ready = settle(search, &s[1]) && first;
        unsigned together = ready ? s[0].ready.row + s[1].ready.row + 1 : P15_NO_SOLUTION;
        if (together <= search->bound) return true;
        unsigned f[2] = {waiting_f(&s[0]), waiting_f(&s[1])}, number = f[0] <= search->bound ? 0 : 1;
        if (f[number] > search->bound) {
            *least = f[0] < f[1] ? f[0] : f[1];
            if (together < *least) *least = together;
            return false;
        }
        if (!make_ready(search, &s[number])) return false;
    }
    return false;
}

/* NBS: sees to it that the first ready nodes of both sides are the best pair. False: the search has ended, or there is
 * no patience left. */
P15_INLINE bool choose_pair(meeting *search) {
    unsigned least = 0;
    while (search->best > search->bound) {
        if (find_pair(search, &least)) return true;
        if (search->base.report.state != P15_SEARCH_RUNNING || search->patience == 0) return false;
        if (least == P15_NO_SOLUTION) return p15_search_exhausted(&search->base);
        search->bound = least;
    }
    return p15_search_end(&search->base, P15_SEARCH_SOLVED);
}

/* ------------------------------------------------------------------------------------------------ the search */

P15_INLINE void note_largest(meeting *search) {
    p15_report *report = &search->base.report;
    const side *s = search->sides;
    uint64_t open = s[0].open_count + s[1].open_count, closed = s[0].closed_count + s[1].closed_count;
    if (open > report->largest_open) report->largest_open = open;
    if (closed > report->largest_closed) report->largest_closed = closed;
}

/* Takes a node into the batch, and closes it. */
P15_INLINE void add_member(meeting *search, unsigned number) {
    member *m = &search->members[search->count++];
    side *s = &search->sides[number];
    node n = take(search, s, list_of(search, s));
    m->side = number;
    m->parent.family = *family_of(search, number, n.board);
    look_ahead(search, number);
    /* Where changes give a value, it takes less time than the question which children need one. */
    close_node(search, number, &n, s->changes || search->base.trace, !s->changes || search->base.trace, &m->parent);
}

/* Takes nodes that are expanded together: of MM and MMe, nodes of one side with the least priority; of NBS, pairs of the
 * present bound. False: the search has ended, or there is no patience left. */
P15_INLINE bool take_batch(meeting *search) {
    side *s = search->sides;
    unsigned number = 0, least = 0;
    if (search->rule == P15_NBS) {
        if (search->count == 0 && !search->second && !choose_pair(search)) return false;
        if (search->batch == 1) {
            add_member(search, search->second);
            search->second = !search->second;
            return true;
        }
        while (search->count == 0 || (search->count + 2 <= search->batch && find_pair(search, &least))) {
            add_member(search, 0);
            add_member(search, 1);
        }
        return search->base.report.state == P15_SEARCH_RUNNING &&
               (search->patience > 0 || search->count + 2 > search->batch);
    }
    if (!choose_least(search, &number)) return false;
    unsigned row = s[number].queue.row;
    while (search->count < search->batch && settle(search, &s[number]) && s[number].queue.row == row)
        add_member(search, number);
    return true;
}

/* A batch may be left while it is taken, and between two of its nodes. */
P15_INLINE bool run_all(p15_search *base, uint64_t expansions) {
    meeting *search = (meeting *)base;
    unsigned rest = search->taken ? search->count - search->at : 0;
    expansions -= rest < expansions ? rest : expansions;
    for (;;) {
        for (; search->taken && search->at < search->count; search->at++) {
            member *m = &search->members[search->at];
            side *s = &search->sides[m->side];
            const p15_h_changes *changes = base->trace ? NULL : s->changes;
            if (!p15_closed_prepare(&s->closed)) return true;
            p15_family_locate(&s->closed, &m->parent.family);
            if (!p15_closed_has_room(&s->closed) ||
                !expand(search, m->side, &m->parent, changes ? NULL : &s->values, changes))
                return p15_search_end(base, P15_SEARCH_NO_ROOM);
        }
        if (search->taken) {
            note_largest(search);
            search->count = search->at = 0;
            search->taken = false;
        }
        if (expansions == 0) return true;
        if (!take_batch(search)) return base->report.state == P15_SEARCH_RUNNING;
        for (unsigned i = 0; i < 2; i++) {
            side *s = &search->sides[i];
            if (!s->changes || base->trace) s->values = p15_evaluations_run(s->batch);
        }
        search->taken = true;
        expansions -= search->count < expansions ? search->count : expansions;
    }
}

P15_DEFINE_RUN_SOME(run_all, ((meeting *)search)->cpu)

/* Traces the board at which both sides of a solved search meet. */
static void trace_meeting(p15_search *base) {
    meeting *search = (meeting *)base;
    if (!base->trace || base->report.state != P15_SEARCH_SOLVED) return;
    const side *s = &search->sides[search->met_by];
    unsigned h = 0, g = p15_slot_g(*p15_closed_known(&s->closed, search->meeting));
    p15_values values = 0;
    p15_evaluator_board(s->end.evaluator, turned_board(&s->turned, search->meeting), &h, &values);
    base->trace->side = (uint8_t)search->met_by;
    p15_trace_node(base->trace, search->meeting, values, g, true);
}

static bool run_meeting(p15_search *base, uint64_t expansions) {
    meeting *search = (meeting *)base;
    for (unsigned i = 0; i < 2; i++)
        if (search->sides[i].closed.growth && !p15_closed_grow_on(&search->sides[i].closed)) return true;
    search->patience = P15_PIECE;
    bool more = run_some(base, expansions);
    trace_meeting(base);
    return more;
}

static void complete(p15_search *base) {
    const meeting *search = (const meeting *)base;
    const side *s = search->sides;
    base->report.lower_bound = base->report.state == P15_SEARCH_SOLVED ? search->best : search->bound;
    base->report.nodes = s[0].closed.node_count + s[1].closed.node_count;
    base->report.upkeep = s[0].closed.growth || s[1].closed.growth || search->patience == 0;
}

static void end(p15_search *base) {
    meeting *search = (meeting *)base;
    for (unsigned i = 0; i < 2; i++) {
        p15_closed_free(&search->sides[i].closed);
        p15_open_free(&search->sides[i].queue);
        p15_open_free(&search->sides[i].ready);
        p15_evaluations_delete(search->sides[i].batch);
    }
    free(search->members);
}

static const p15_search_type MEETING = {.run = run_meeting, .complete = complete, .traced = trace_meeting, .end = end};

/* ------------------------------------------------------------------------------------------------ beginning */

/* Whether a symmetry carries directions as the evaluator sees them. */
static bool carries(p15_shape shape, const uint8_t *cell_to, const uint8_t *back) {
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            if (back[direction] >= P15_DIRECTIONS) return false;
            int here = p15_cell_neighbour(shape, cell, back[direction]);
            int there = p15_cell_neighbour(shape, cell_to[cell], direction);
            if ((here < 0 ? -1 : cell_to[here]) != there) return false;
        }
    return true;
}

/* Finds the symmetry after which an evaluator sees boards; `target` becomes its goal. P15_ERR_ARGUMENT: none. */
static p15_status find_symmetry(const p15_end *end, p15_board target, turned *turned) {
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    p15_shape shape = p15_evaluator_shape(end->evaluator);
    p15_board goal = p15_evaluator_goal(end->evaluator);
    unsigned number = p15_symmetries(shape, maps);
    while (number > 0 && !carries(shape, maps[number - 1], end->back)) number--;
    if (number == 0) return P15_ERR_ARGUMENT;
    turned->shape = shape;
    memcpy(turned->cell_to, maps[number - 1], sizeof turned->cell_to);
    for (unsigned cell = 0; cell < shape.cells; cell++)
        turned->tile_to[p15_board_tile(target, cell)] = (uint8_t)p15_board_tile(goal, turned->cell_to[cell]);
    for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
        turned->direction_to[end->back[direction]] = (uint8_t)direction;
    turned->straight = number == 1 && goal == target;
    return turned->tile_to[0] == 0 ? P15_OK : P15_ERR_ARGUMENT;
}

static p15_status start_side(meeting *search, unsigned number, const p15_end ends[2]) {
    side *s = &search->sides[number];
    p15_memory *memory = &search->base.memory;
    s->end = ends[number];
    p15_status status = find_symmetry(&s->end, ends[1 - number].root, &s->turned);
    if (status) return status;
    const p15_evaluator *evaluator = s->end.evaluator;
    node root = {.board = s->end.root};
    status = p15_evaluator_board(evaluator, turned_board(&s->turned, root.board), &root.h, &root.values);
    if (status) return status;
    s->changes = s->turned.straight ? p15_evaluator_changes(evaluator) : NULL;
    s->f.least = s->g.least = MOST_F;
    bool wide = p15_evaluator_count(evaluator) > 1;
    status = p15_closed_init(p15_evaluator_shape(evaluator), memory, &s->closed);
    if (!status) status = p15_open_init(true, wide, P15_OPEN_COLUMNS, memory, &s->queue);
    if (!status) status = p15_open_init(true, wide, P15_OPEN_COLUMNS, memory, &s->ready);
    if (!status) status = p15_evaluations_new(evaluator, (size_t)search->batch * P15_DIRECTIONS, &s->batch);
    if (status) return status;
    p15_closed_add_root(&s->closed, root.board);
    return open_node(search, s, &root) ? P15_OK : P15_ERR_MEMORY;
}

p15_status p15_meeting_new(const p15_end ends[2], const p15_meeting_options *options, p15_search **made) {
    p15_shape shape = p15_evaluator_shape(ends[0].evaluator), other = p15_evaluator_shape(ends[1].evaluator);
    *made = NULL;
    if (shape.rows != other.rows || shape.cols != other.cols || (unsigned)options->rule >= P15_MEETING_COUNT ||
        options->batch < 1 || options->batch > P15_MAX_EXPANDED)
        return P15_ERR_ARGUMENT;
    p15_search *base;
    p15_status status = p15_search_make(&MEETING, sizeof(meeting), shape, ends[0].root, ends[1].root, options->order,
                                        options->max_bytes, &base);
    if (status) return status;
    meeting *search = (meeting *)base;
    search->rule = options->rule;
    search->cpu = options->cpu;
    search->batch = options->batch;
    search->patience = P15_PIECE;
    search->best = base->start == base->goal ? 0 : P15_NO_SOLUTION;
    search->meeting = base->start;
    base->report.largest_open = 2;
    if (search->best == 0) p15_search_at_goal(base);
    search->members = malloc(search->batch * sizeof *search->members);
    if (!search->members) status = P15_ERR_MEMORY;
    for (unsigned i = 0; i < 2 && !status; i++) status = start_side(search, i, ends);
    return p15_search_made(base, status, made);
}
