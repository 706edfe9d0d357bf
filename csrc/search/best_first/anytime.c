#include "search/best_first/anytime.h"

#include "search/best_first/expand.h"

#define NO_ROW UINT32_MAX

typedef struct {
    p15_search base;
    p15_open *open, *incons; /* incons, of ARA*: nodes that wait for the next round, filed in the same way */
    unsigned h_weight;       /* of the present round */
    unsigned serving;        /* the row of the open list whose first node is the next; NO_ROW: none */
    uint64_t serving_priority;
    uint32_t best, reported_best; /* moves of the best solution so far, P15_NO_SOLUTION before there is one */
    bool met;                     /* the node that is being expanded has a shorter path to the goal */
    bool rounding;                /* a round is about to begin: see begin_round */
    size_t opened;                /* buckets of the closed table whose nodes are open again */
    uint64_t closed_count;
    p15_family ahead; /* of the node that is probably the next */
} anytime;

static bool has_rounds(const anytime *search) { return search->base.options.h_step > 0; }

/* ------------------------------------------------------------------------------------------------ the open list */

P15_INLINE uint64_t priority_of(const anytime *search, unsigned f, unsigned h) {
    return (uint64_t)search->base.options.g_weight * f +
           (uint64_t)(search->h_weight - search->base.options.g_weight) * h;
}

/* Finds the row that is served next: of those that may hold a better solution. */
static void choose_row(anytime *search) {
    p15_open *open = search->open;
    unsigned rows = open->row_count < search->best ? open->row_count : search->best, h = 0;
    search->serving = NO_ROW;
    search->serving_priority = UINT64_MAX;
    for (size_t left = open->count, f = open->row; f < rows && left > 0; f++) {
        p15_open_row *row = &open->rows[f];
        if (row->count == 0) continue;
        left -= row->count;
        p15_open_first_of(row);
        uint64_t priority = priority_of(search, (unsigned)f, row->first);
        if (priority > search->serving_priority || (priority == search->serving_priority && row->first > h)) continue;
        search->serving = (unsigned)f;
        search->serving_priority = priority;
        h = row->first;
    }
}

/* Files a node by f and h. False: no room. */
P15_INLINE bool put(anytime *search, p15_open *list, p15_board board, unsigned g, unsigned h, p15_values values) {
    p15_report *report = &search->base.report;
    if (p15_open_put(list, g + h, h, board, values) != P15_OK) return false;
    if (list == search->open) {
        uint64_t priority = priority_of(search, g + h, h);
        if (search->serving == NO_ROW || priority < search->serving_priority ||
            (priority == search->serving_priority && h < search->open->rows[search->serving].first)) {
            search->serving = g + h;
            search->serving_priority = priority;
        }
    }
    size_t waiting = search->open->count + search->incons->count;
    if (waiting > report->largest_open) report->largest_open = waiting;
    return true;
}

/* The least f of the nodes of a list, NO_ROW if there is none. */
static unsigned least_row(p15_open *open) { return p15_open_first(open) ? open->row : NO_ROW; }

/* ------------------------------------------------------------------------------------------------ nodes */

/* Files a child, unless it cannot better the best solution. The goal is not open: it only gets its slot. */
P15_STEP bool keep(p15_search *base, const p15_parent *p, const p15_made *made, p15_fate *fate) {
    anytime *search = (anytime *)base;
    bool goal = made->board == base->goal, closed = p15_slot_closed(*made->slot);
    (void)p;
    *fate = P15_FATE_CUT;
    if (made->g + (goal ? 0 : made->h) >= search->best) return true;
    *fate = p15_made_fate(made);
    p15_made_note(&base->closed[0], made);
    base->report.reopened += closed;
    search->met |= goal;
    if (goal) return true;
    if (closed && has_rounds(search)) {
        *made->slot = p15_slot_close(*made->slot);
        return put(search, search->incons, made->board, made->g, made->h, made->values);
    }
    search->closed_count -= closed;
    return put(search, search->open, made->board, made->g, made->h, made->values);
}

/* Keeps the path to the goal, which has become shorter. False: no memory. */
static bool take_goal(anytime *search) {
    p15_search *base = &search->base;
    if (!p15_keep_path(base, base->goal, false)) return false;
    search->best = (uint32_t)base->report.length;
    search->met = false;
    choose_row(search);
    if (base->trace) {
        p15_trace_node(base->trace, base->goal, 0, p15_slot_g(*p15_closed_known(&search->base.closed[0], base->goal)),
                       true);
        base->trace->bound = search->best - 1; /* P15_NO_BOUND where the start is the goal */
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ the search */

/* The next round is about to begin, with a smaller weight. */
static void next_round(anytime *search) {
    unsigned step = search->base.options.h_step, most = search->h_weight - search->base.options.g_weight;
    search->h_weight -= step < most ? step : most;
    search->closed_count = 0;
    choose_row(search); /* by the new weight */
    search->opened = 0;
    search->rounding = true;
}

/* A piece of beginning a round: no node counts as expanded, and those that wait for the round are open. False: call it
 * again, or there is no room. */
static bool begin_round(anytime *search) {
    unsigned row, column;
    p15_board board;
    p15_values values = 0;
    size_t left = P15_PIECE;
    if (!p15_closed_open_all(&search->base.closed[0], &search->opened)) return false;
    for (; left > 0 && p15_open_take(search->incons, &row, &column, &board, &values); left--) {
        if (row >= search->best) continue;
        if (!search->incons->wide) values = column;
        if (!put(search, search->open, board, row - column, column, values))
            return p15_search_end(&search->base, P15_SEARCH_NO_ROOM);
    }
    search->rounding = left == 0;
    return !search->rounding;
}

/* Notes what is proved, ends the round if its time has come, and says whether there is something new to report. False:
 * the search has ended. */
static bool prove(anytime *search, bool *news) {
    p15_report *report = &search->base.report;
    unsigned open = least_row(search->open), incons = has_rounds(search) ? least_row(search->incons) : NO_ROW;
    unsigned least = open < incons ? open : incons;
    bool has_solution = search->best != P15_NO_SOLUTION, rose = least > report->lower_bound;
    if (least >= search->best) { /* also where there is neither */
        report->improvements += has_solution;
        if (has_solution) report->lower_bound = search->best;
        if (has_rounds(search)) report->h_weight = search->base.options.g_weight;
        return p15_search_end(&search->base, has_solution ? P15_SEARCH_SOLVED : P15_SEARCH_FAILED);
    }
    if (rose) report->lower_bound = least;
    *news = has_solution && (rose || search->best != search->reported_best);
    if (has_rounds(search) &&
        (search->serving == NO_ROW ||
         (has_solution && search->serving_priority >= (uint64_t)search->base.options.g_weight * search->best))) {
        if (has_solution) report->h_weight = search->h_weight;
        *news = has_solution;
        next_round(search);
    }
    report->improvements += *news;
    search->reported_best = search->best;
    return true;
}

/* What comes before the next node: what is proved, and the round that is about to begin. False: the run pauses, or the
 * search has ended. */
P15_INLINE bool prepare(anytime *search) {
    bool news;
    return prove(search, &news) && !news && (!search->rounding || begin_round(search));
}

/* Prefetches what will probably be taken next, and the slots of its children. */
P15_INLINE void look_ahead(anytime *search) {
    if (search->serving == NO_ROW) return;
    p15_board coming = p15_open_peek(search->open, p15_open_first_of(&search->open->rows[search->serving]));
    p15_closed_prefetch(&search->base.closed[0], p15_closed_where(&search->base.closed[0], coming));
    p15_family_make(&search->base.closed[0], &search->base.moves, coming, &search->ahead);
}

/* Takes a batch. Entries are void if their boards were put again with a smaller g. */
P15_STEP unsigned take(p15_search *base, const p15_h_changes *changes, p15_parent *parents) {
    anytime *search = (anytime *)base;
    unsigned count = 0, entries = 0;
    (void)changes;
    if (!prepare(search)) return 0;
    while (count < search->base.options.batch && search->serving != NO_ROW && entries < P15_PIECE) {
        p15_open_row *row = &search->open->rows[search->serving];
        p15_open_list *list = p15_open_first_of(row);
        unsigned f = search->serving, h = row->first;
        p15_parent *p = &parents[count];
        p15_board board;
        p->values = p->side = 0;
        p15_open_take_from(search->open, row, list, &board, &p->values);
        if (!search->open->wide) p->values = h;
        entries++;
        if (!list->tail) choose_row(search);
        p15_slot *slot = p15_closed_known(&base->closed[0], board);
        if (p15_slot_g(*slot) != f - h) continue;
        p15_family_make(&base->closed[0], &base->moves, board, &search->ahead);
        p->family = search->ahead;
        p->slot = *slot = p15_slot_close(*slot);
        if (++search->closed_count > base->report.largest_closed) base->report.largest_closed = search->closed_count;
        if (search->base.options.batch == 1) look_ahead(search);
        count++;
    }
    p15_parents_evaluate(base, count, false);
    return entries;
}

P15_STEP bool expand(p15_search *base, p15_parent *p, bool together, const p15_h_changes *changes) {
    anytime *search = (anytime *)base;
    const p15_values **values = together ? &base->batch_values[0] : NULL;
    return p15_parent_expand(base, &base->closed[0], p, values, changes, false, keep) &&
           (!search->met || take_goal(search));
}

P15_INLINE bool run_all(p15_search *base, uint64_t expansions) {
    anytime *search = (anytime *)base;
    if (base->start == base->goal && search->best == P15_NO_SOLUTION && !take_goal(search))
        return p15_search_end(base, P15_SEARCH_NO_ROOM);
    if (search->rounding && !begin_round(search)) return base->report.state == P15_SEARCH_RUNNING;
    return p15_parents_run_best(base, expansions, take, expand);
}

P15_DEFINE_RUN_SOME(run_all)

static void complete(p15_search *base) { base->report.upkeep |= ((const anytime *)base)->rounding; }

static p15_status make(p15_search *base) {
    anytime *search = (anytime *)base;
    const p15_search_options *options = &base->options;
    if (options->g_weight < 1 || options->h_weight < options->g_weight || options->h_weight > P15_MOST_PARTS ||
        (options->h_step && options->batch != 1))
        return P15_ERR_ARGUMENT;
    search->open = &base->open[0];
    search->incons = &base->open[1];
    search->h_weight = options->h_weight;
    search->best = search->reported_best = P15_NO_SOLUTION;
    search->serving = NO_ROW;
    base->report.h_weight = has_rounds(search) ? 0 : options->h_weight;
    base->report.lower_bound = base->h;
    bool wide = p15_evaluator_count(base->evaluator) > 1;
    p15_status status = p15_parents_init(base, options->batch);
    if (!status) status = p15_parents_batch(base, options->batch);
    if (!status) status = p15_search_root(base, 0);
    for (unsigned i = 0; i < 1u + has_rounds(search) && !status; i++)
        status = p15_open_init(true, wide, P15_OPEN_COLUMNS, &base->memory, &base->open[i]);
    return !status && !put(search, search->open, base->start, 0, base->h, base->values) ? P15_ERR_MEMORY : status;
}

const p15_search_type P15_ANYTIME = {.bytes = sizeof(anytime), .make = make, .run = run_some, .complete = complete};
