#include "search/deepening/deepening.h"

#include "search/deepening/remembering.h"
#include "search/deepening/tasks.h"

#include <stdlib.h>

#define PLAIN_NODES (1u << 14) /* an iteration of no more is walked through, which takes a tenth of a millisecond */

/* The present iteration is a walk, or is cut into tasks. */
typedef enum { WALK, TASKS, ENDED } phase;

struct p15_deepening {
    p15_walk walk;
    p15_bundles *bundles; /* NULL: the evaluator has no changes that fit */
    p15_tasks tasks;
    p15_remembering *remembering; /* NULL: nothing is remembered */
    p15_root start;
    unsigned bound, last_bound, lower_bound;
    p15_status status;
    phase phase;
    bool solved;
    uint64_t expanded, generated; /* in finished iterations */
    uint64_t limit;               /* of generated */
    p15_iteration *iterations;
    unsigned iteration_count, iteration_room;
};

/* Counts of the present iteration. */
static void count_iteration(const p15_deepening *s, uint64_t *expanded, uint64_t *generated) {
    *expanded = s->phase == WALK ? s->walk.expanded : 0;
    *generated = s->phase == WALK ? s->walk.generated : 0;
    if (s->phase == TASKS) p15_tasks_count(&s->tasks, expanded, generated);
}

/* How many nodes may still be generated, after so many of the present iteration. */
static uint64_t left_after(const p15_deepening *s, uint64_t generated) {
    generated += s->generated;
    return generated < s->limit ? s->limit - generated : 0;
}

static void fail(p15_deepening *s) {
    s->status = P15_ERR_MEMORY;
    s->phase = ENDED;
}

static void begin_iteration(p15_deepening *s);

/* Notes the present iteration, and begins the next one unless this was the last one or has met the goal. */
static void end_iteration(p15_deepening *s, bool solved, unsigned next_bound) {
    if (s->iteration_count == s->iteration_room) {
        unsigned room = s->iteration_room ? 2 * s->iteration_room : 16;
        p15_iteration *iterations = realloc(s->iterations, room * sizeof *iterations);
        if (!iterations) {
            fail(s);
            return;
        }
        s->iterations = iterations;
        s->iteration_room = room;
    }
    uint64_t expanded, generated;
    count_iteration(s, &expanded, &generated);
    s->iterations[s->iteration_count++] = (p15_iteration){s->bound, expanded, generated};
    s->expanded += expanded;
    s->generated += generated;
    s->phase = ENDED;
    s->solved = solved;
    if (solved) return;
    s->bound = s->lower_bound = next_bound;
    if (s->bound <= s->last_bound) begin_iteration(s);
}

/* Does what a part of the iteration calls for. */
static void follow(p15_deepening *s, p15_progress progress) {
    if (progress == P15_PART_FAILED)
        fail(s);
    else if (progress == P15_PART_SOLVED || progress == P15_PART_ENDED)
        end_iteration(s, progress == P15_PART_SOLVED, s->phase == WALK ? s->walk.cut : s->bound + 2);
}

static bool can_cut(const p15_deepening *s) {
    return s->bundles && !s->walk.trace && !s->remembering && (s->bound - s->start.h) / 2 <= P15_MOST_SLACK;
}

static void cut(p15_deepening *s) {
    uint64_t before = s->iteration_count ? s->iterations[s->iteration_count - 1].generated : PLAIN_NODES;
    s->phase = TASKS;
    follow(s, p15_tasks_cut(&s->tasks, &s->start, s->bound, before, left_after(s, 0)));
}

static void begin_iteration(p15_deepening *s) {
    if (s->walk.trace) {
        s->walk.trace->iteration = s->iteration_count + 1;
        s->walk.trace->bound = s->bound;
    }
    if (s->start.h > s->bound) {
        end_iteration(s, false, s->start.h);
    } else if (can_cut(s) && s->iteration_count && s->iterations[s->iteration_count - 1].generated > PLAIN_NODES) {
        cut(s);
    } else {
        s->phase = WALK;
        if (s->remembering)
            p15_remembering_start(s->remembering, &s->start, s->bound);
        else
            p15_walk_start(&s->walk, &s->start, s->bound, P15_NO_HORIZON);
    }
}

/* Walks on. A walk that turns out to be long is given up, and the iteration is cut. */
static void walk(p15_deepening *s, uint64_t *visits) {
    bool cuts = can_cut(s);
    uint64_t left = PLAIN_NODES > s->walk.generated ? PLAIN_NODES - s->walk.generated : 0;
    uint64_t allowed = cuts && left < *visits ? left : *visits, given = allowed;
    p15_progress progress =
        s->remembering ? p15_remembering_run(s->remembering, &allowed) : p15_walk_run(&s->walk, &allowed);
    *visits -= given - allowed;
    if (progress == P15_PART_RUNNING && cuts && s->walk.generated >= PLAIN_NODES)
        cut(s);
    else
        follow(s, progress);
}

p15_status p15_deepening_new(const p15_evaluator *evaluator, p15_board start, const uint8_t order[P15_DIRECTIONS],
                             uint32_t first_bound, uint32_t last_bound, uint64_t limit, p15_cpu cpu,
                             p15_deepening **search) {
    unsigned h;
    p15_values values;
    *search = NULL;
    p15_status status = p15_evaluator_board(evaluator, start, &h, &values);
    if (status != P15_OK) return status;
    if (first_bound == P15_FROM_H) first_bound = h;
    if (last_bound > P15_MAX_BOUND || first_bound > P15_MAX_BOUND) return P15_ERR_ARGUMENT;
    p15_deepening *s = calloc(1, sizeof *s);
    if (!s) return P15_ERR_MEMORY;
    p15_shape shape = p15_evaluator_shape(evaluator);
    p15_board goal = p15_evaluator_goal(evaluator);
    status = p15_walk_init(evaluator, order, &s->walk);
    if (status == P15_OK && s->walk.changes && p15_bundles_fit(s->walk.changes, shape))
        status = p15_bundles_new(s->walk.changes, shape, goal, cpu, &s->bundles);
    if (status != P15_OK) {
        p15_deepening_delete(s);
        return status;
    }
    p15_tasks_init(&s->walk, s->bundles, &s->tasks);
    s->start = (p15_root){.board = start,
                          .values = values,
                          .h = (uint8_t)h,
                          .blank = (uint8_t)p15_board_blank(start),
                          .last = P15_DIRECTIONS};
    s->bound = first_bound;
    s->lower_bound = h;
    s->last_bound = last_bound;
    s->limit = limit;
    s->phase = ENDED;
    if (start == goal)
        s->solved = true;
    else if (first_bound <= last_bound)
        begin_iteration(s);
    *search = s;
    return P15_OK;
}

void p15_deepening_delete(p15_deepening *search) {
    if (!search) return;
    p15_bundles_delete(search->bundles);
    p15_remembering_delete(search->remembering);
    p15_tasks_free(&search->tasks);
    p15_walk_free(&search->walk);
    free(search->iterations);
    free(search);
}

p15_status p15_deepening_remember(p15_deepening *search, const uint8_t order[P15_DIRECTIONS], size_t max_bytes) {
    p15_status status = p15_remembering_new(&search->walk, order, max_bytes, &search->remembering);
    if (status == P15_OK && search->phase == WALK) begin_iteration(search);
    return status;
}

void p15_deepening_trace(p15_deepening *search, p15_trace *trace) {
    search->walk.trace = trace;
    if (trace && search->phase == WALK) begin_iteration(search);
    if (trace && search->solved) p15_trace_node(trace, search->start.board, search->start.values, 0, true);
}

bool p15_deepening_run(p15_deepening *search, uint64_t visits) {
    unsigned iterations = search->iteration_count;
    bool grows = false;
    while (visits > 0 && search->phase != ENDED && search->iteration_count == iterations && !grows) {
        uint64_t expanded, generated;
        count_iteration(search, &expanded, &generated);
        uint64_t limit = left_after(search, generated), given = visits < limit ? visits : limit, left = given;
        if (limit == 0) break;
        if (search->phase == WALK)
            walk(search, &left);
        else
            follow(search, p15_tasks_run(&search->tasks, &left));
        visits -= given - left;
        grows = search->remembering && p15_remembering_grows(search->remembering);
    }
    return search->phase != ENDED;
}

void p15_deepening_look(const p15_deepening *search, p15_deepening_result *result) {
    uint64_t expanded, generated;
    count_iteration(search, &expanded, &generated);
    *result = (p15_deepening_result){
        .status = search->status,
        .solved = search->solved,
        .length = search->walk.length,
        .path = search->walk.path,
        .lower_bound = search->lower_bound,
        .expanded = search->expanded + expanded,
        .generated = search->generated + generated,
        .iteration_count = search->iteration_count,
        .iterations = search->iterations,
        .bytes = sizeof *search + (P15_MAX_BOUND + 2) * sizeof *search->walk.frames +
                 (search->walk.values ? (P15_MAX_BOUND + 2) * sizeof *search->walk.values : 0) +
                 search->iteration_room * sizeof *search->iterations + p15_tasks_bytes(&search->tasks) +
                 (search->bundles ? p15_bundles_bytes(search->bundles) : 0) +
                 (search->remembering ? p15_remembering_bytes(search->remembering) : 0),
        .upkeep = search->remembering && p15_remembering_grows(search->remembering),
    };
}
