#include "search/best_first/best_first.h"

#include "search/best_first/expand.h"

#define PREPARED_BITS 6

typedef struct {
    p15_search base;
    bool by_h, greedy;    /* the column of an open entry is its h; a known board is never reached anew */
    uint32_t best;        /* moves of the best solution so far, P15_NO_SOLUTION before there is one */
    unsigned largest_row; /* that was ever taken from */
    uint64_t open_count, closed_count;
    p15_family prepared[1u << PREPARED_BITS]; /* a cache, filled by board */
} bestfirst;

/* ------------------------------------------------------------------------------------------------ nodes */

P15_INLINE bool put(bestfirst *search, p15_board board, unsigned g, unsigned h, p15_values values) {
    const p15_search_options *options = &search->base.options;
    unsigned row = options->rows ? options->rows[g << 8 | h] : options->g_weight * g + options->h_weight * h;
    if (p15_open_put(&search->base.open[0], row, search->by_h ? h : 0, board, values) != P15_OK) return false;
    if (++search->open_count > search->base.report.largest_open) search->base.report.largest_open = search->open_count;
    return true;
}

/* The family of a board. If it is made early, the memory has answered when the board is taken. */
P15_INLINE p15_family *family_of(bestfirst *search, p15_board board) {
    p15_family *family = &search->prepared[board * UINT64_C(0x9e3779b97f4a7c15) >> (64 - PREPARED_BITS)];
    p15_family_make(&search->base.closed[0], &search->base.moves, board, family);
    return family;
}

/* Prepares what will be taken soon: the entry that is next, and, where smaller h goes first, those children of the
 * present node that have one. */
P15_INLINE void look_ahead(bestfirst *search, const p15_family *family, const p15_h_changes *changes) {
    const p15_closed *closed = &search->base.closed[0];
    p15_board coming = p15_open_next(&search->base.open[0]);
    if (coming) {
        p15_closed_prefetch(closed, p15_closed_where(closed, coming));
        family_of(search, coming);
    }
    if (!changes || !search->by_h) return;
    unsigned blank = p15_board_blank(family->board);
    for (unsigned i = 0; i < family->count; i++) {
        const p15_child *child = &family->list[i];
        unsigned tile = p15_board_tile(child->board, blank);
        if ((*changes)[blank][child->direction][tile] < 0) family_of(search, child->board);
    }
}

/* Files a child, unless it cannot better the best solution. */
P15_STEP bool keep(p15_search *base, const p15_parent *p, const p15_made *made, p15_fate *fate) {
    bestfirst *search = (bestfirst *)base;
    (void)p;
    *fate = P15_FATE_CUT;
    if (search->best != P15_NO_SOLUTION && made->g + made->h >= search->best) return true;
    *fate = p15_made_fate(made);
    if (*made->slot && p15_slot_closed(*made->slot))
        base->report.reopened++, search->closed_count--;
    else if (*made->slot)
        search->open_count--; /* the entry that it has is void */
    p15_made_note(&base->closed[0], made);
    return put(search, made->board, made->g, made->h, made->values);
}

P15_STEP bool expand(p15_search *base, p15_parent *p, bool together, const p15_h_changes *changes) {
    const p15_values **values = together ? &base->batch_values[0] : NULL;
    return p15_parent_expand(base, &base->closed[0], p, values, changes, ((bestfirst *)base)->greedy, keep);
}

/* ------------------------------------------------------------------------------------------------ the search */

/* Keeps the path to the goal, which was taken. False: that ends the search. */
P15_INLINE bool take_goal(bestfirst *search, const p15_parent *p) {
    p15_search *base = &search->base;
    if (!p15_keep_path(base, base->goal, false)) return p15_search_end(base, P15_SEARCH_NO_ROOM);
    search->best = (uint32_t)base->report.length;
    if (base->trace) {
        p15_trace_node(base->trace, base->goal, p->values, p15_slot_g(p->slot), true);
        base->trace->bound = search->best - 1; /* P15_NO_BOUND where the start is the goal */
    }
    return base->options.prove || p15_search_end(base, P15_SEARCH_SOLVED);
}

/* What is done with a node that was taken. */
typedef enum { SKIP, AT_GOAL, EXPAND } step;

/* Closes a node. It is skipped if its entry is void, or if it cannot better the best solution. */
P15_INLINE step close_node(bestfirst *search, p15_parent *p) {
    p15_report *report = &search->base.report;
    p15_slot *slot = p15_closed_known(&search->base.closed[0], p->family.board);
    if (p15_slot_closed(*slot)) return SKIP; /* it was put again with a smaller g, and has been taken since */
    *slot = p15_slot_close(*slot);
    p->slot = *slot;
    search->open_count--;
    if (++search->closed_count > report->largest_closed) report->largest_closed = search->closed_count;
    if (search->best != P15_NO_SOLUTION && p15_slot_g(*slot) + p15_values_h(p->values) >= search->best) return SKIP;
    return p->family.board == search->base.goal ? AT_GOAL : EXPAND;
}

/* Takes a batch. The goal is taken only as the first of one. */
P15_STEP unsigned take(p15_search *base, const p15_h_changes *changes, p15_parent *parents) {
    bestfirst *search = (bestfirst *)base;
    p15_open *open = &base->open[0];
    unsigned count = 0, entries = 0, batch = base->options.batch;
    while (count == 0 ? entries < P15_PIECE : count < batch && p15_open_next(open) != base->goal) {
        p15_parent *p = &parents[count];
        unsigned row, column;
        p15_board board;
        p->values = p->side = 0;
        if (!p15_open_take(open, &row, &column, &board, &p->values)) break;
        if (!open->wide) p->values = column;
        p->family = *family_of(search, board);
        entries++;
        if (count == 0 && row > search->largest_row) search->largest_row = row;
        if (batch == 1) look_ahead(search, &p->family, changes);
        step next = close_node(search, p);
        if (next == AT_GOAL && !take_goal(search, p)) return 0;
        count += next == EXPAND;
    }
    if (entries == 0) p15_search_exhausted(base);
    p15_parents_evaluate(base, count, search->greedy);
    return entries;
}

P15_INLINE bool run_all(p15_search *base, uint64_t expansions) {
    return p15_parents_run_best(base, expansions, take, expand);
}

P15_DEFINE_RUN_SOME(run_all)

/* Some node on a shortest path is always open, and its priority is at most the length of the path times the larger weight.
 * So every row that was ever the first proves a bound. */
static void complete(p15_search *base) {
    bestfirst *search = (bestfirst *)base;
    const p15_search_options *options = &search->base.options;
    unsigned larger = options->g_weight > options->h_weight ? options->g_weight : options->h_weight, proved = 0;
    if (options->rows)
        proved = options->bounds[search->largest_row];
    else if (options->prove)
        proved = base->report.state == P15_SEARCH_SOLVED ? search->best : 0;
    else if (options->g_weight)
        proved = (search->largest_row + larger - 1) / larger;
    base->report.lower_bound = proved;
}

static p15_status make(p15_search *base) {
    bestfirst *search = (bestfirst *)base;
    const p15_search_options *options = &base->options;
    bool weighted = options->g_weight <= P15_MAX_WEIGHT && options->h_weight <= P15_MAX_WEIGHT &&
                    options->g_weight + options->h_weight > 0;
    if ((unsigned)options->ties > P15_TIES_LARGER_G || !(options->rows || weighted)) return P15_ERR_ARGUMENT;
    unsigned components = p15_evaluator_count(base->evaluator);
    search->best = P15_NO_SOLUTION;
    search->by_h = options->ties == P15_TIES_LARGER_G && components > 0;
    search->greedy = !options->rows && options->g_weight == 0 && !options->prove;
    bool wide = components > 1 || (components == 1 && !search->by_h);
    p15_status status = p15_parents_init(base, options->batch);
    if (!status) status = p15_parents_batch(base, options->batch);
    if (!status) status = p15_search_root(base, 0);
    if (!status)
        status = p15_open_init(options->ties != P15_TIES_FIFO, wide, search->by_h ? P15_OPEN_COLUMNS : 1, &base->memory,
                               &base->open[0]);
    return !status && !put(search, base->start, 0, base->h, base->values) ? P15_ERR_MEMORY : status;
}

const p15_search_type P15_BESTFIRST = {.bytes = sizeof(bestfirst), .make = make, .run = run_some, .complete = complete};
