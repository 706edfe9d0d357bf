#include "browser/watched.h"

#include <stddef.h>
#include <stdlib.h>

/* As JavaScript reads them. */
_Static_assert(sizeof(p15_expansion) == 96 && sizeof(p15_traced_child) == 16, "sizes");
_Static_assert(offsetof(p15_expansion, g) == 8 && offsetof(p15_expansion, h) == 12, "g and h");
_Static_assert(offsetof(p15_expansion, iteration) == 16 && offsetof(p15_expansion, bound) == 20, "iterations");
_Static_assert(offsetof(p15_expansion, side) == 24 && offsetof(p15_expansion, child_count) == 25, "side and children");
_Static_assert(offsetof(p15_expansion, goal) == 26 && offsetof(p15_expansion, id) == 28, "goal and id");
_Static_assert(offsetof(p15_expansion, children) == 32 && offsetof(p15_traced_child, direction) == 8, "children");
_Static_assert(offsetof(p15_traced_child, h) == 9 && offsetof(p15_traced_child, fate) == 10, "h and fate");
_Static_assert(offsetof(p15_traced_child, id) == 12, "id");

struct p15_watched {
    p15_shape shape;
    p15_board start, goal;
    p15_evaluator *evaluators[2]; /* of the start's side and, if it has an own one, of the goal's */
    p15_search *search;
    p15_trace trace;
    p15_watched_counts counts;
    double iteration[3];
    unsigned floor; /* h of the start */
    bool traced, ended, promises;
    bool to_depth; /* whether the bound of a search that goes on is the depth limit */
};

static p15_status make_evaluator(p15_watched *watched, unsigned side, p15_board goal, uint32_t heuristics,
                                 const p15_session *session) {
    p15_evaluator **evaluator = &watched->evaluators[side];
    p15_status status = p15_evaluator_new(watched->shape, goal, evaluator);
    for (unsigned kind = 0; kind < P15_HEURISTIC_COUNT && status == P15_OK; kind++)
        if (heuristics >> kind & 1u) status = p15_evaluator_add(*evaluator, (p15_heuristic_kind)kind);
    if (status == P15_OK && heuristics >> P15_HEURISTIC_COUNT) {
        if (!session) return P15_ERR_ARGUMENT;
        status = p15_evaluator_add_lookups(*evaluator, p15_session_problem(session));
    }
    return status;
}

static p15_status make_search(p15_watched *w, const p15_watched_options *o) {
    p15_search_options options = {.start = w->start,
                                  .evaluator = w->evaluators[0],
                                  .max_bytes = o->max_bytes,
                                  .batch = 1,
                                  .g_weight = o->g_weight,
                                  .h_weight = o->h_weight,
                                  .h_step = o->h_step,
                                  .ties = (p15_ties)o->ties,
                                  .prove = o->prove,
                                  .width = o->width,
                                  .below = o->below,
                                  .first_bound = o->first_bound,
                                  .last_bound = o->last_bound,
                                  .limit = UINT64_MAX,
                                  .table_bytes = o->table_bytes,
                                  .rule = (p15_meeting_rule)o->rule,
                                  .goal = w->goal,
                                  .backward = w->evaluators[1],
                                  .back = {{0, 1, 2, 3}, {0, 1, 2, 3}}};
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) options.order[i] = (uint8_t)o->order[i];
    return p15_kernel_new((p15_kernel)o->kernel, &options, &w->search);
}

p15_watched *p15_watched_new(unsigned rows, unsigned cols, p15_board start, p15_board goal,
                             const p15_watched_options *options, const p15_session *session, p15_status *status) {
    p15_watched *watched = calloc(1, sizeof *watched);
    bool two = options->kernel == P15_KERNEL_MEETING;
    *status = watched ? p15_shape_init(rows, cols, &watched->shape) : P15_ERR_MEMORY;
    if (*status == P15_OK) {
        watched->start = start;
        watched->goal = goal;
        watched->promises = options->promises;
        watched->to_depth = options->kernel == P15_KERNEL_DEEPENING && options->first_bound != P15_FROM_H;
        *status = make_evaluator(watched, 0, goal, options->heuristics, session);
    }
    if (*status == P15_OK && two) *status = make_evaluator(watched, 1, start, options->heuristics, NULL);
    if (*status == P15_OK) {
        p15_values values;
        *status = p15_evaluator_board(watched->evaluators[0], start, &watched->floor, &values);
    }
    if (*status == P15_OK) *status = make_search(watched, options);
    if (*status != P15_OK) {
        p15_watched_delete(watched);
        return NULL;
    }
    if (options->traced) {
        p15_trace_init(&watched->trace);
        p15_search_trace(watched->search, &watched->trace);
        watched->traced = true;
    }
    return watched;
}

void p15_watched_delete(p15_watched *watched) {
    if (!watched) return;
    p15_search_delete(watched->search);
    if (watched->traced) p15_trace_free(&watched->trace);
    for (unsigned side = 0; side < 2; side++) p15_evaluator_delete(watched->evaluators[side]);
    free(watched);
}

bool p15_watched_run(p15_watched *watched, double expansions) {
    if (!watched->ended) watched->ended = !p15_search_run(watched->search, (uint64_t)expansions);
    return !watched->ended;
}

const p15_expansion *p15_watched_expansions(const p15_watched *watched) { return watched->trace.expansions; }

int p15_watched_expansion_count(const p15_watched *watched) {
    const p15_trace *trace = &watched->trace;
    if (trace->failed) return -1;
    return (int)(watched->ended ? trace->count : trace->count - trace->pending);
}

void p15_watched_taken(p15_watched *watched) {
    int count = p15_watched_expansion_count(watched);
    if (count > 0) p15_trace_drop(&watched->trace, (size_t)count);
}

/* The twin of _proved_bound, puzzle15/searches/_run.py: all solutions are as even or odd as the blank's way to its goal. */
static unsigned proved(const p15_watched *watched, const p15_report *report) {
    unsigned bound = watched->start != watched->goal, cols = watched->shape.cols;
    unsigned blank = p15_board_blank(watched->start), home = p15_board_blank(watched->goal);
    unsigned steps = blank / cols + blank % cols + home / cols + home % cols;
    if (bound < watched->floor) bound = watched->floor;
    if (bound < report->lower_bound && (!watched->to_depth || report->state == P15_SEARCH_FAILED))
        bound = report->lower_bound;
    if (watched->promises && report->state == P15_SEARCH_SOLVED && bound < report->length)
        bound = (unsigned)report->length;
    return bound + ((bound ^ steps) & 1u);
}

const p15_watched_counts *p15_watched_report(p15_watched *watched) {
    const p15_report *report = p15_search_report(watched->search);
    unsigned bound = proved(watched, report);
    bool solves = report->path && report->state != P15_SEARCH_FAILED; /* a failed climb leads elsewhere */
    watched->counts = (p15_watched_counts){
        .state = solves && report->length == bound ? P15_SEARCH_SOLVED : report->state,
        .lower_bound = bound,
        .expanded = (double)report->expanded,
        .generated = (double)report->generated,
        .reopened = (double)report->reopened,
        .largest_open = (double)report->largest_open,
        .nodes = (double)report->nodes,
        .bytes = (double)report->bytes,
        .length = solves ? (double)report->length : -1,
        .iterations = (double)report->iteration_count,
    };
    return &watched->counts;
}

const uint8_t *p15_watched_path(p15_watched *watched) {
    const p15_report *report = p15_search_report(watched->search);
    if (!report->path) return NULL;
    p15_status status = p15_board_replay(watched->start, watched->goal, watched->shape, report->path, report->length);
    return status == P15_OK ? report->path : NULL;
}

const double *p15_watched_iteration(p15_watched *watched, unsigned index) {
    const p15_report *report = p15_search_report(watched->search);
    if (index >= report->iteration_count) return NULL;
    const p15_iteration *iteration = &report->iterations[index];
    watched->iteration[0] = iteration->bound;
    watched->iteration[1] = (double)iteration->expanded;
    watched->iteration[2] = (double)iteration->generated;
    return watched->iteration;
}
