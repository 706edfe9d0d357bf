#include "search/meeting/meeting.h"

#include "search/best_first/expand.h"

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

/* The symmetry after which an evaluator sees the boards. */
typedef struct {
    bool none; /* it sees them as they are */
    uint8_t cell_to[P15_MAX_CELLS], tile_to[P15_MAX_CELLS], direction_to[P15_DIRECTIONS];
} symmetry;

typedef struct {
    const p15_evaluator *evaluator; /* breadth-first: NULL */
    const p15_h_changes *changes;   /* NULL: children are evaluated by the evaluator */
    symmetry symmetry;
    p15_open *queue; /* rows are priorities; of NBS: nodes that wait, rows are f */
    p15_open *ready; /* the nodes that may be expanded: of NBS a list whose rows are g, else the queue */
    bool settled;    /* the first node of `ready` is not void */
    tally f, g;      /* of open nodes of MM and MMe */
    uint64_t open_count, closed_count;
    unsigned depth;      /* of breadth-first search: every board within it is known */
    p15_family prepared; /* of the node that is probably the next */
} side;

typedef struct {
    p15_search base;
    side sides[2]; /* from the start, from the goal */
    p15_shape shape;
    uint32_t best;     /* moves of the best solution so far, P15_NO_SOLUTION before there is one */
    p15_board meeting; /* on it */
    unsigned met_by;   /* the side that made it last */
    unsigned bound;    /* no solution is shorter; of NBS: the lb of pairs that may be expanded */
    unsigned number; /* of breadth-first search: the side whose level is expanded; of NBS: that of the next of a pair */
    size_t patience; /* of NBS: nodes that may still be made ready in this call */
    unsigned taken;  /* nodes of a batch that is not whole yet */
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

/* MM and MMe: the priority is f or twice g, whatever is larger. */
P15_INLINE bool has_tallies(const meeting *search) { return search->base.options.rule <= P15_MME; }

/* The column of an h in `queue`, and the h of a column: of equal priority, the largest h goes first in NBS, else the
 * least. In the list of ready nodes, columns are h. */
P15_INLINE unsigned column_of(const meeting *search, unsigned h) {
    return search->base.options.rule == P15_NBS ? 255u - h : h;
}

/* The row of a node in `queue`. */
P15_INLINE unsigned row_of(const meeting *search, unsigned g, unsigned h) {
    unsigned twice = 2 * g + (search->base.options.rule == P15_MME);
    return !has_tallies(search) || g + h > twice ? g + h : twice;
}

/* The g of a node in `queue`. Where the row is 2 g + e, it is g + h at least, so h is at most half of row + e. */
P15_INLINE unsigned g_of(const meeting *search, unsigned row, unsigned h) {
    unsigned e = search->base.options.rule == P15_MME;
    return !has_tallies(search) || 2 * h > row + e ? row - h : (row - e) / 2;
}

/* Files a node, which is in the closed table, as open. False: no room. */
P15_INLINE bool open_node(const meeting *search, side *s, const node *n) {
    if (has_tallies(search)) {
        count_in(&s->f, n->g + n->h);
        count_in(&s->g, n->g);
    }
    s->settled = false;
    s->open_count++;
    return p15_open_put(s->queue, row_of(search, n->g, n->h), column_of(search, n->h), n->board, n->values) == P15_OK;
}

/* A node is open no more. */
P15_INLINE void count_out(const meeting *search, side *s, unsigned g, unsigned h) {
    s->open_count--;
    if (!has_tallies(search)) return;
    s->f.counts[g + h]--;
    s->g.counts[g]--;
}

/* Takes the first node of an open list of a side, which has one. */
P15_INLINE node take_node(const meeting *search, side *s, p15_open *open) {
    unsigned row = 0, column = 0;
    bool queued = open == s->queue;
    node n = {.values = 0};
    s->settled = false;
    p15_open_take(open, &row, &column, &n.board, &n.values);
    n.h = queued ? column_of(search, column) : column;
    n.g = queued ? g_of(search, row, n.h) : row;
    if (!open->wide) n.values = n.h;
    return n;
}

/* Drops the void entries before the first ready node of a side: a shorter path to their boards is known. False: there is
 * no such node. */
P15_INLINE bool settle(meeting *search, unsigned number) {
    side *s = &search->sides[number];
    while (!s->settled) {
        p15_board board = p15_open_next(s->ready);
        if (!board) return false;
        unsigned row = s->ready->row, g = row;
        if (s->ready == s->queue) g = g_of(search, row, column_of(search, s->ready->rows[row].first));
        p15_slot slot = *p15_closed_known(&search->base.closed[number], board);
        s->settled = !p15_slot_closed(slot) && p15_slot_g(slot) == g;
        if (!s->settled) take_node(search, s, s->ready);
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ children */

/* A board as the evaluator of a side sees it. */
P15_INLINE p15_board seen_board(const meeting *search, const side *s, p15_board board) {
    const symmetry *y = &s->symmetry;
    return y->none ? board : p15_board_transform(board, search->shape, y->cell_to, y->tile_to);
}

/* Whether the children of a side are evaluated together. */
P15_INLINE bool evaluates(const meeting *search, unsigned number) {
    return search->base.batches[number] && (!search->sides[number].changes || search->base.trace);
}

/* The family of a board of a side; the slots of its children on both sides are prefetched. */
P15_INLINE p15_family *family_of(meeting *search, unsigned number, p15_board board) {
    p15_family *family = &search->sides[number].prepared;
    const p15_closed *other = &search->base.closed[1 - number];
    bool made = family->board == board;
    p15_family_make(&search->base.closed[number], &search->base.moves, board, family);
    for (unsigned i = 0; i < family->count && !made; i++)
        p15_closed_prefetch(other, p15_closed_where(other, family->list[i].board));
    return family;
}

/* Prepares the node that is probably next on a side. */
P15_INLINE void look_ahead(meeting *search, unsigned number) {
    const p15_closed *closed = &search->base.closed[number];
    p15_board coming = p15_open_next(search->sides[number].ready);
    if (!coming) return;
    p15_closed_prefetch(closed, p15_closed_where(closed, coming));
    family_of(search, number, coming);
}

/* Closes an open node, whose family is there. If children are evaluated together, those that may be kept are given to
 * their batch: all, if there is a trace. */
P15_INLINE void close_node(meeting *search, const node *n, p15_parent *p) {
    side *s = &search->sides[p->side];
    const p15_closed *closed = &search->base.closed[p->side];
    p15_slot *slot = p15_closed_known(closed, n->board);
    p->values = n->values;
    p->slot = *slot = p15_slot_close(*slot);
    p->wanted = 0;
    s->closed_count++;
    count_out(search, s, n->g, n->h);
    if (!evaluates(search, p->side)) return;
    unsigned undo = p15_slot_undo(*slot), g = p15_slot_child_g(*slot);
    p15_board board = seen_board(search, s, n->board);
    for (unsigned i = 0; i < p->family.count; i++) {
        unsigned direction = p->family.list[i].direction;
        const p15_slot *known = search->base.trace ? NULL : p15_closed_find(closed, p->family.where[i]);
        if (direction == undo || (known && *known && g >= p15_slot_g(*known))) continue;
        p->wanted |= 1u << i;
        p15_evaluations_add(search->base.batches[p->side], board, n->values, p15_board_blank(board),
                            s->symmetry.direction_to[direction]);
    }
}

/* Keeps the solution that a child closes, if it is shorter than the best one so far. False: no memory. */
P15_INLINE bool meet(meeting *search, unsigned number, const p15_made *made) {
    const p15_slot *met = p15_closed_known(&search->base.closed[1 - number], made->board);
    if (!met || !*met || made->g + p15_slot_g(*met) >= search->best) return true;
    search->best = made->g + p15_slot_g(*met);
    search->meeting = made->board;
    search->met_by = number;
    return p15_keep_path(&search->base, made->board, true);
}

P15_STEP bool keep(p15_search *base, const p15_parent *p, const p15_made *made, p15_fate *fate) {
    meeting *search = (meeting *)base;
    side *s = &search->sides[p->side];
    *fate = p15_made_fate(made);
    if (*made->slot && p15_slot_closed(*made->slot))
        base->report.reopened++, s->closed_count--;
    else if (*made->slot)
        count_out(search, s, p15_slot_g(*made->slot), made->h); /* the entry that it has is void */
    p15_made_note(&base->closed[p->side], made);
    node child = {made->board, made->g, made->h, made->values};
    if (!meet(search, p->side, made)) return false;
    if (search->base.options.rule == P15_BREADTH && search->best != P15_NO_SOLUTION)
        return p15_search_end(base, P15_SEARCH_SOLVED);
    return open_node(search, s, &child);
}

P15_STEP bool expand(p15_search *base, p15_parent *p, bool together, const p15_h_changes *changes) {
    meeting *search = (meeting *)base;
    (void)together, (void)changes;
    if (base->trace) base->trace->side = (uint8_t)p->side;
    p15_closed *closed = &base->closed[p->side];
    if (evaluates(search, p->side))
        return p15_parent_expand(base, closed, p, &base->batch_values[p->side], NULL, false, keep);
    return p15_parent_expand(base, closed, p, NULL, search->sides[p->side].changes, false, keep);
}

/* ------------------------------------------------------------------------------------------------ the rules */

/* Breadth-first: which side expands the first node of its queue. False: the search has ended. */
P15_INLINE bool choose_level(meeting *search, unsigned *number) {
    side *s = search->sides, *own = &s[search->number];
    if (p15_open_first(own->queue) && own->queue->row > own->depth) { /* its level is complete */
        own->depth++;
        search->number = s[0].queue->count <= s[1].queue->count ? 0 : 1;
    }
    search->bound = s[0].depth + s[1].depth + 1;
    *number = search->number;
    return s[*number].queue->count > 0 || p15_search_end(&search->base, P15_SEARCH_FAILED);
}

/* MM, MMe: which side expands the first node of its queue. False: the search has ended. */
P15_INLINE bool choose_least(meeting *search, unsigned *number) {
    side *s = search->sides;
    if (!settle(search, 0) || !settle(search, 1))
        return p15_search_exhausted(&search->base); /* a side without open nodes knows every board */
    unsigned rows[2] = {s[0].queue->row, s[1].queue->row}, bound = rows[1] < rows[0] ? rows[1] : rows[0];
    unsigned proved[] = {bound, least_of(&s[0].f), least_of(&s[1].f), least_of(&s[0].g) + least_of(&s[1].g) + 1};
    *number = rows[1] < rows[0];
    for (unsigned i = 0; i < 4; i++)
        if (proved[i] > search->bound) search->bound = proved[i];
    return search->best > search->bound || p15_search_end(&search->base, P15_SEARCH_SOLVED);
}

/* NBS: makes the first node of a side's queue ready. False: no room. */
P15_INLINE bool make_ready(meeting *search, side *s) {
    node n = take_node(search, s, s->queue);
    search->patience--;
    return p15_open_put(s->ready, n.g, n.h, n.board, n.values) == P15_OK ||
           p15_search_end(&search->base, P15_SEARCH_NO_ROOM);
}

/* NBS: the f of the first node that waits on a side, P15_NO_SOLUTION where there is none. */
P15_INLINE unsigned waiting_f(side *s) { return p15_open_first(s->queue) ? s->queue->row : P15_NO_SOLUTION; }

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
        bool first = settle(search, 0), ready = settle(search, 1) && first;
        unsigned together = ready ? s[0].ready->row + s[1].ready->row + 1 : P15_NO_SOLUTION;
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

/* Between two batches. */
static void note_largest(meeting *search) {
    p15_report *report = &search->base.report;
    const side *s = search->sides;
    uint64_t open = s[0].open_count + s[1].open_count, closed = s[0].closed_count + s[1].closed_count;
    if (search->taken > 0 || search->base.parent_at < search->base.parent_count) return;
    if (open > report->largest_open) report->largest_open = open;
    if (closed > report->largest_closed) report->largest_closed = closed;
}

/* Takes a node into the batch, and closes it. */
P15_INLINE void add_parent(meeting *search, unsigned number) {
    p15_parent *p = &search->base.parents[search->taken++];
    side *s = &search->sides[number];
    node n = take_node(search, s, s->ready);
    p->side = number;
    p->family = *family_of(search, number, n.board);
    look_ahead(search, number);
    close_node(search, &n, p);
}

/* Takes pairs of the present bound. False: the search has ended, or there is no patience left. */
P15_INLINE bool take_pairs(meeting *search) {
    unsigned least = 0, batch = search->base.options.batch;
    if (search->taken == 0 && search->number == 0 && !choose_pair(search)) return false;
    if (batch == 1) {
        add_parent(search, search->number);
        search->number = !search->number;
        return true;
    }
    while (search->taken == 0 || (search->taken + 2 <= batch && find_pair(search, &least))) {
        add_parent(search, 0);
        add_parent(search, 1);
    }
    return search->base.report.state == P15_SEARCH_RUNNING && (search->patience > 0 || search->taken + 2 > batch);
}

/* Takes nodes of one side with the least priority. False: the search has ended. */
P15_INLINE bool take_side(meeting *search) {
    unsigned number = 0;
    if (has_tallies(search) ? !choose_least(search, &number) : !choose_level(search, &number)) return false;
    const p15_open *queue = search->sides[number].queue;
    unsigned row = queue->row;
    do add_parent(search, number);
    while (search->taken < search->base.options.batch && settle(search, number) && queue->row == row);
    return true;
}

P15_STEP unsigned take(p15_search *base, const p15_h_changes *changes, p15_parent *parents) {
    meeting *search = (meeting *)base;
    (void)changes, (void)parents;
    note_largest(search);
    base->parent_count = base->parent_at = 0;
    if (search->base.options.rule == P15_NBS ? !take_pairs(search) : !take_side(search)) return 0;
    for (unsigned i = 0; i < 2; i++)
        if (evaluates(search, i)) base->batch_values[i] = p15_evaluations_run(base->batches[i]);
    base->parent_count = search->taken;
    search->taken = 0;
    return base->parent_count;
}

P15_INLINE bool run_all(p15_search *base, uint64_t expansions) {
    return p15_parents_run(base, expansions, take, expand);
}

P15_DEFINE_RUN_SOME(run_all)

/* Traces the board at which both sides of a solved search meet. */
static void trace_meeting(p15_search *base) {
    meeting *search = (meeting *)base;
    if (!base->trace || base->report.state != P15_SEARCH_SOLVED) return;
    const side *s = &search->sides[search->met_by];
    unsigned h = 0, g = p15_slot_g(*p15_closed_known(&base->closed[search->met_by], search->meeting));
    p15_values values = 0;
    if (search->base.options.rule != P15_BREADTH)
        p15_evaluator_board(s->evaluator, seen_board(search, s, search->meeting), &h, &values);
    base->trace->side = (uint8_t)search->met_by;
    p15_trace_node(base->trace, search->meeting, values, g, true);
}

static bool run_meeting(p15_search *base, uint64_t expansions) {
    ((meeting *)base)->patience = P15_PIECE;
    bool more = run_some(base, expansions);
    trace_meeting(base);
    return more;
}

static void complete(p15_search *base) {
    meeting *search = (meeting *)base;
    note_largest(search);
    base->report.lower_bound = base->report.state == P15_SEARCH_SOLVED ? search->best : search->bound;
    base->report.upkeep |= search->patience == 0;
}

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
static p15_status find_symmetry(const p15_evaluator *evaluator, const uint8_t *back, p15_board target,
                                symmetry *found) {
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    p15_shape shape = p15_evaluator_shape(evaluator);
    p15_board goal = p15_evaluator_goal(evaluator);
    unsigned number = p15_symmetries(shape, maps);
    while (number > 0 && !carries(shape, maps[number - 1], back)) number--;
    if (number == 0) return P15_ERR_ARGUMENT;
    memcpy(found->cell_to, maps[number - 1], sizeof found->cell_to);
    for (unsigned cell = 0; cell < shape.cells; cell++)
        found->tile_to[p15_board_tile(target, cell)] = (uint8_t)p15_board_tile(goal, found->cell_to[cell]);
    for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
        found->direction_to[back[direction]] = (uint8_t)direction;
    found->none = number == 1 && goal == target;
    return found->tile_to[0] == 0 ? P15_OK : P15_ERR_ARGUMENT;
}

/* The heuristic of a side, and that of its root. */
static p15_status evaluate_root(meeting *search, unsigned number, p15_board target, node *root) {
    side *s = &search->sides[number];
    const p15_evaluator *evaluator = s->evaluator;
    p15_status status = find_symmetry(evaluator, search->base.options.back[number], target, &s->symmetry);
    if (!status) status = p15_evaluator_board(evaluator, seen_board(search, s, root->board), &root->h, &root->values);
    if (status) return status;
    s->changes = s->symmetry.none ? p15_evaluator_changes(evaluator) : NULL;
    size_t room = (size_t)search->base.options.batch * P15_DIRECTIONS;
    return p15_evaluations_new(evaluator, room, &search->base.batches[number]);
}

static p15_status start_side(meeting *search, unsigned number) {
    static const p15_h_changes NONE; /* breadth-first search has no heuristic */
    side *s = &search->sides[number];
    p15_search *base = &search->base;
    bool breadth = base->options.rule == P15_BREADTH;
    s->evaluator = breadth ? NULL : number ? base->options.backward : base->options.evaluator;
    bool wide = !breadth && p15_evaluator_count(s->evaluator) > 1;
    node root = {.board = number ? base->goal : base->start};
    s->changes = &NONE;
    s->f.least = s->g.least = MOST_F;
    s->queue = s->ready = &base->open[number];
    p15_status status = breadth ? P15_OK : evaluate_root(search, number, number ? base->start : base->goal, &root);
    if (!status) status = p15_search_root(base, number);
    if (!status) status = p15_open_init(!breadth, wide, breadth ? 1 : P15_OPEN_COLUMNS, &base->memory, s->queue);
    if (!status && search->base.options.rule == P15_NBS) {
        s->ready = &base->open[2 + number];
        status = p15_open_init(true, wide, P15_OPEN_COLUMNS, &base->memory, s->ready);
    }
    if (status) return status;
    return open_node(search, s, &root) ? P15_OK : P15_ERR_MEMORY;
}

static p15_status make(p15_search *base) {
    meeting *search = (meeting *)base;
    p15_search_options *options = &base->options;
    p15_shape shape = p15_evaluator_shape(options->evaluator);
    if (options->backward) {
        p15_shape other = p15_evaluator_shape(options->backward);
        if (shape.rows != other.rows || shape.cols != other.cols || (unsigned)options->rule >= P15_BREADTH)
            return P15_ERR_ARGUMENT;
    } else {
        options->rule = P15_BREADTH;
    }
    search->shape = shape;
    search->patience = P15_PIECE;
    search->best = base->start == base->goal ? 0 : P15_NO_SOLUTION;
    search->meeting = base->start;
    base->report.largest_open = 2;
    if (search->best == 0) p15_search_at_goal(base);
    p15_status status = p15_parents_init(base, options->batch);
    for (unsigned i = 0; i < 2 && !status; i++) status = start_side(search, i);
    return status;
}

const p15_search_type P15_MEETING = {.bytes = sizeof(meeting),
                                     .by_sides = true,
                                     .make = make,
                                     .run = run_meeting,
                                     .complete = complete,
                                     .traced = trace_meeting};
