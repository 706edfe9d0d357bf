#include "search/deepening/deepening.h"

#include <stdlib.h>

#define FEW_NODES (1u << 14)  /* an iteration after one of no more is walked through */
#define TREE_NODES (1u << 18) /* generated in a part of it that becomes a tree of the next one */

typedef struct {
    p15_search base;
    p15_walk walk;
    p15_batches *batches; /* they visit the nodes in place of the walk; NULL: none */
    unsigned bound;
    p15_counts done; /* in finished iterations */
} deepening;

/* Counts of the present iteration. */
static p15_counts count_iteration(const deepening *s) {
    return s->base.report.state == P15_SEARCH_RUNNING ? s->walk.counts : (p15_counts){0, 0};
}

static void begin_iteration(deepening *s);

/* Begins the first iteration anew, because what it does besides has changed. */
static void begin_again(deepening *s) {
    if (s->base.layers) *s->base.layers = (p15_layers){.without_g = false};
    if (s->base.report.state == P15_SEARCH_RUNNING) begin_iteration(s);
}

static void counted(p15_search *base) { begin_again((deepening *)base); }

static void end_solved(deepening *s) {
    size_t length = s->batches ? p15_batches_path(s->batches, NULL) : p15_walk_length(&s->walk);
    uint8_t *path = p15_search_path(&s->base, length);
    if (path && s->batches) p15_batches_path(s->batches, path);
    if (path && !s->batches) p15_walk_path(&s->walk, path);
    p15_search_end(&s->base, path ? P15_SEARCH_SOLVED : P15_SEARCH_NO_ROOM);
}

/* Notes the present iteration, and begins the next one unless this was the last one or has met the goal. */
static void end_iteration(deepening *s, bool solved, unsigned next_bound) {
    p15_counts counts = count_iteration(s);
    if (!p15_search_iterated(&s->base, s->bound, counts.expanded, counts.generated)) {
        p15_search_end(&s->base, P15_SEARCH_NO_ROOM);
        return;
    }
    p15_counts_add(&s->done, counts);
    if (solved) {
        end_solved(s);
        return;
    }
    s->bound = s->base.report.lower_bound = next_bound;
    if (s->bound <= s->base.options.last_bound)
        begin_iteration(s);
    else
        p15_search_end(&s->base, P15_SEARCH_FAILED);
}

/* Lets trees begin at a depth where an iteration has about as many nodes as trees are wanted: each has two or three
 * children at first. Without memory for them, all nodes are walked through. */
static void prepare_trees(deepening *s) {
    const p15_search *base = &s->base;
    const p15_report *report = &base->report;
    p15_shape shape = p15_evaluator_shape(base->evaluator);
    uint64_t before = report->iteration_count ? report->iterations[report->iteration_count - 1].generated : 0;
    s->walk.limit = s->base.options.limit - s->done.generated;
    bool wanted = before > FEW_NODES && !s->walk.trees && !s->walk.table && !base->trace && !s->batches;
    if (wanted && base->changes) s->walk.trees = p15_trees_new(base->changes, shape, base->goal, base->options.cpu);
    s->walk.horizon = 1;
    for (uint64_t count = before / TREE_NODES; count > 0; count /= 2) s->walk.horizon++;
}

static void begin_iteration(deepening *s) {
    if (s->base.trace) {
        s->base.trace->iteration = (uint32_t)s->base.report.iteration_count + 1;
        s->base.trace->bound = s->bound;
    }
    s->walk.counts = (p15_counts){0, 0};
    if (s->base.h > s->bound) {
        end_iteration(s, false, s->base.h);
        return;
    }
    prepare_trees(s);
    if (s->batches)
        p15_batches_start(s->batches, &s->walk, s->bound);
    else
        p15_walk_start(&s->walk, s->bound);
}

static bool grows(const deepening *s) { return s->walk.table && s->walk.table->closed.growth; }

static bool run(p15_search *base, uint64_t visits) {
    deepening *s = (deepening *)base;
    const p15_report *report = &base->report;
    size_t iterations = report->iteration_count;
    while (visits > 0 && report->state == P15_SEARCH_RUNNING && report->iteration_count == iterations) {
        uint64_t generated = s->done.generated + s->walk.counts.generated;
        if (generated >= s->base.options.limit) break;
        uint64_t limit = s->base.options.limit - generated, given = visits < limit ? visits : limit, left = given;
        p15_progress progress =
            s->batches ? p15_batches_run(s->batches, &s->walk, &left) : p15_walk_run(&s->walk, &left);
        if (progress == P15_WALK_NO_ROOM) return p15_search_end(base, P15_SEARCH_NO_ROOM);
        if (progress != P15_WALK_RUNNING) end_iteration(s, progress == P15_WALK_SOLVED, s->walk.cut);
        visits -= given - left;
        if (grows(s)) break;
    }
    return report->state == P15_SEARCH_RUNNING;
}

static void complete(p15_search *base) {
    const deepening *s = (const deepening *)base;
    p15_counts counts = count_iteration(s);
    p15_counts_add(&counts, s->done);
    base->report.expanded = counts.expanded;
    base->report.generated = counts.generated;
    if (base->report.path) base->report.to_first = base->report.to_best = counts.expanded;
    if (base->layers) base->layers->without_g = s->walk.trees != NULL;
    base->report.bytes = sizeof *s + p15_walk_bytes(&s->walk) + base->iteration_room * sizeof *base->iterations;
    if (s->batches) base->report.bytes += p15_batches_bytes(s->batches);
    base->report.upkeep = grows(s);
}

static void traced(p15_search *base) {
    deepening *s = (deepening *)base;
    if (!base->trace) return;
    if (base->report.state == P15_SEARCH_SOLVED) p15_trace_node(base->trace, base->start, base->values, 0, true);
    if (base->report.state != P15_SEARCH_RUNNING) return;
    if (p15_walk_visit(&s->walk) == P15_OK)
        begin_again(s);
    else
        p15_search_end(base, P15_SEARCH_NO_ROOM);
}

static void end(p15_search *base) {
    p15_walk_free(&((deepening *)base)->walk);
    p15_batches_delete(((deepening *)base)->batches);
}

/* Lets a walk remember boards. */
static p15_status remember(p15_walk *walk, const p15_search_options *options) {
    p15_status status = p15_walk_visit(walk);
    if (status) return status;
    return p15_transpositions_new(p15_evaluator_shape(options->evaluator), options->table_bytes, &walk->table);
}

static p15_status make(p15_search *base) {
    deepening *s = (deepening *)base;
    const p15_search_options *options = &base->options;
    p15_status status = P15_OK;
    unsigned batch = options->batch, last_bound = options->last_bound;
    s->bound = options->first_bound == P15_FROM_H ? base->h : options->first_bound;
    if (last_bound > P15_MAX_BOUND || s->bound > P15_MAX_BOUND) status = P15_ERR_ARGUMENT;
    if (!status && batch != 1) status = p15_batches_new(base, batch, &s->batches);
    if (!status && batch == 1) status = p15_search_batch(base, P15_DIRECTIONS);
    if (!status) status = p15_walk_init(base, &s->walk);
    if (!status && options->table_bytes) status = remember(&s->walk, options);
    if (status) return status;
    base->report.lower_bound = base->h;
    if (base->start == base->goal)
        p15_search_at_goal(base);
    else if (s->bound <= last_bound)
        begin_iteration(s);
    else
        p15_search_end(base, P15_SEARCH_FAILED);
    return P15_OK;
}

const p15_search_type P15_DEEPENING = {.bytes = sizeof(deepening),
                                       .make = make,
                                       .run = run,
                                       .complete = complete,
                                       .traced = traced,
                                       .counted = counted,
                                       .end = end};
