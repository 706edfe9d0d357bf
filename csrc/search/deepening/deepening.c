#include "search/deepening/deepening.h"

#include "search/deepening/tasks.h"

#include <stdlib.h>

#define PLAIN_NODES (1u << 14) /* an iteration of no more is walked through, which takes a tenth of a millisecond */

typedef struct {
    p15_search base;
    p15_walk walk;
    bool fits;            /* the evaluator has changes for buckets */
    p15_buckets *buckets; /* NULL: none yet */
    p15_tasks tasks;
    p15_root start;
    unsigned bound, last_bound;
    p15_cpu cpu;
    bool cut;        /* the present iteration is cut into tasks; else it is a walk */
    p15_counts done; /* in finished iterations */
    uint64_t limit;  /* of generated */
} deepening;

/* Counts of the present iteration. */
static p15_counts count_iteration(const deepening *s) {
    if (s->base.report.state != P15_SEARCH_RUNNING) return (p15_counts){0, 0};
    return s->cut ? p15_tasks_count(&s->tasks) : s->walk.counts;
}

/* How many nodes may still be generated, after so many of the present iteration. */
static uint64_t left_after(const deepening *s, uint64_t generated) {
    generated += s->done.generated;
    return generated < s->limit ? s->limit - generated : 0;
}

static uint64_t generated_before(const deepening *s) {
    const p15_report *report = &s->base.report;
    return report->iteration_count ? report->iterations[report->iteration_count - 1].generated : 0;
}

static void begin_iteration(deepening *s);

static void end_solved(deepening *s) {
    uint8_t *path = p15_search_path(&s->base, p15_walk_length(&s->walk));
    if (path) p15_walk_path(&s->walk, path);
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
    if (s->bound <= s->last_bound)
        begin_iteration(s);
    else
        p15_search_end(&s->base, P15_SEARCH_FAILED);
}

/* Does what a part of the iteration calls for. */
static void follow(deepening *s, p15_progress progress) {
    if (progress == P15_PART_FAILED)
        p15_search_end(&s->base, P15_SEARCH_NO_ROOM);
    else if (progress == P15_PART_SOLVED || progress == P15_PART_ENDED)
        end_iteration(s, progress == P15_PART_SOLVED, s->cut ? s->bound + 2 : s->walk.cut);
}

static bool can_cut(const deepening *s) {
    return s->fits && !s->base.trace && !s->walk.table && (s->bound - s->start.h) / 2 <= P15_MOST_SLACK;
}

static void cut(deepening *s) {
    uint64_t before = generated_before(s);
    const p15_search *base = &s->base;
    if (!s->buckets && p15_buckets_new(base->changes, p15_evaluator_shape(base->evaluator), base->goal, s->cpu,
                                       &s->buckets) != P15_OK) {
        p15_search_end(&s->base, P15_SEARCH_NO_ROOM);
        return;
    }
    s->cut = true;
    s->tasks.buckets = s->buckets;
    follow(s, p15_tasks_cut(&s->tasks, &s->start, s->bound, before ? before : PLAIN_NODES, left_after(s, 0)));
}

static void begin_iteration(deepening *s) {
    if (s->base.trace) {
        s->base.trace->iteration = (uint32_t)s->base.report.iteration_count + 1;
        s->base.trace->bound = s->bound;
    }
    s->cut = false;
    s->walk.counts = (p15_counts){0, 0};
    if (s->start.h > s->bound)
        end_iteration(s, false, s->start.h);
    else if (can_cut(s) && generated_before(s) > PLAIN_NODES)
        cut(s);
    else
        p15_walk_start(&s->walk, &s->start, s->bound, P15_NO_HORIZON);
}

/* Walks on. A walk that turns out to be long is given up, and the iteration is cut. */
static void walk(deepening *s, uint64_t *visits) {
    bool cuts = can_cut(s);
    uint64_t left = PLAIN_NODES > s->walk.counts.generated ? PLAIN_NODES - s->walk.counts.generated : 0;
    uint64_t allowed = cuts && left < *visits ? left : *visits, given = allowed;
    p15_progress progress = p15_walk_run(&s->walk, &allowed);
    *visits -= given - allowed;
    if (progress == P15_PART_RUNNING && cuts && s->walk.counts.generated >= PLAIN_NODES)
        cut(s);
    else
        follow(s, progress);
}

static bool grows(const deepening *s) { return s->walk.table && s->walk.table->closed.growth; }

static bool run(p15_search *base, uint64_t visits) {
    deepening *s = (deepening *)base;
    const p15_report *report = &base->report;
    size_t iterations = report->iteration_count;
    while (visits > 0 && report->state == P15_SEARCH_RUNNING && report->iteration_count == iterations) {
        uint64_t limit = left_after(s, count_iteration(s).generated), given = visits < limit ? visits : limit;
        uint64_t left = given;
        if (limit == 0) break;
        if (s->cut)
            follow(s, p15_tasks_run(&s->tasks, &left));
        else
            walk(s, &left);
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
    base->report.bytes = sizeof *s + p15_walk_bytes(&s->walk) + base->iteration_room * sizeof *base->iterations +
                         s->tasks.room * sizeof *s->tasks.tasks + (s->buckets ? p15_buckets_bytes(s->buckets) : 0);
    base->report.upkeep = grows(s);
}

static void traced(p15_search *base) {
    deepening *s = (deepening *)base;
    if (!base->trace) return;
    if (base->report.state == P15_SEARCH_SOLVED) p15_trace_node(base->trace, base->start, base->values, 0, true);
    if (base->report.state != P15_SEARCH_RUNNING) return;
    if (p15_walk_visit(&s->walk) == P15_OK)
        begin_iteration(s);
    else
        p15_search_end(base, P15_SEARCH_NO_ROOM);
}

static void end(p15_search *base) {
    deepening *s = (deepening *)base;
    p15_buckets_delete(s->buckets);
    free(s->tasks.tasks);
    p15_walk_free(&s->walk);
}

static const p15_search_type DEEPENING = {.run = run, .complete = complete, .traced = traced, .end = end};

p15_status p15_deepening_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                             uint32_t first_bound, uint32_t last_bound, uint64_t limit, p15_cpu cpu,
                             p15_search **made) {
    p15_search *base;
    p15_status status = p15_search_begin(&DEEPENING, sizeof(deepening), evaluator, start, order, 0, &base);
    *made = NULL;
    if (status) return status;
    deepening *s = (deepening *)base;
    if (first_bound == P15_FROM_H) first_bound = base->h;
    if (last_bound > P15_MAX_BOUND || first_bound > P15_MAX_BOUND) status = P15_ERR_ARGUMENT;
    if (!status) status = p15_walk_init(base, &s->walk);
    if (status) return p15_search_made(base, status, made);
    s->fits = base->changes && p15_buckets_fit(base->changes, p15_evaluator_shape(evaluator));
    s->cpu = cpu;
    s->tasks.walk = &s->walk;
    s->start = (p15_root){.board = start,
                          .values = base->values,
                          .h = (uint8_t)base->h,
                          .blank = (uint8_t)p15_board_blank(start),
                          .last = P15_DIRECTIONS};
    s->bound = first_bound;
    s->last_bound = last_bound;
    s->limit = limit;
    base->report.lower_bound = base->h;
    if (start == base->goal)
        p15_search_at_goal(base);
    else if (first_bound <= last_bound)
        begin_iteration(s);
    else
        p15_search_end(base, P15_SEARCH_FAILED);
    return p15_search_made(base, P15_OK, made);
}

p15_status p15_deepening_remember(p15_search *search, size_t max_bytes) {
    deepening *s = (deepening *)search;
    p15_status status = p15_walk_visit(&s->walk);
    if (!status) status = p15_transpositions_new(p15_evaluator_shape(search->evaluator), max_bytes, &s->walk.table);
    if (!status && search->report.state == P15_SEARCH_RUNNING) begin_iteration(s);
    return status;
}
