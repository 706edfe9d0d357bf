#include "search/deepening/tasks.h"

#include <stdlib.h>

#define TASK_NODES (1u << 12)  /* tasks are made deeper until there is one for so many nodes of the iteration before, */
#define FEW_TASKS 2048u        /* though no less than so many, */
#define MANY_TASKS (1u << 14)  /* and no more than so many are needed */
#define GROUP_NODES (1u << 21) /* a smaller group would not fill the buckets */

/* The node that the walk has reached becomes a task. False: out of memory. */
static bool add_task(p15_tasks *t) {
    if (t->count == t->room) {
        uint32_t room = t->room ? 2 * t->room : FEW_TASKS;
        p15_task *tasks = realloc(t->tasks, room * sizeof *tasks);
        if (!tasks) return false;
        t->tasks = tasks;
        t->room = room;
    }
    t->tasks[t->count++] = (p15_task){p15_walk_reached(t->walk), t->walk->counts};
    return true;
}

/* Gives the buckets the tasks of a group. False: out of memory. */
static bool start_group(p15_tasks *t) {
    p15_buckets_clear(t->buckets);
    for (uint32_t i = t->next; i < t->group_end; i++) {
        const p15_root *root = &t->tasks[i].root;
        if (!p15_buckets_add(t->buckets, root, (t->bound - root->depth - root->h) / 2)) return false;
    }
    return true;
}

/* Begins with the tasks from `next` on: with a group, or, once the end is near and groups are single tasks, with one
 * task in order. */
static p15_progress next_group(p15_tasks *t) {
    if (t->next == t->count) return t->above_solved ? P15_PART_SOLVED : P15_PART_ENDED;
    t->in_order = t->near && t->group == 1;
    if (t->in_order) {
        p15_walk_start(t->walk, &t->tasks[t->next].root, t->bound, P15_NO_HORIZON);
        return P15_PART_RUNNING;
    }
    t->group_end = t->group < t->count - t->next ? t->next + t->group : t->count;
    return start_group(t) ? P15_PART_RUNNING : P15_PART_FAILED;
}

/* Nodes of the present group or task so far. */
static p15_counts count_group(const p15_tasks *t) {
    return t->in_order ? t->walk->counts : p15_buckets_count(t->buckets);
}

/* Leaves a group or task that has not met the goal. */
static p15_progress leave_group(p15_tasks *t) {
    p15_counts_add(&t->done, count_group(t));
    t->next = t->in_order ? t->next + 1 : t->group_end;
    return next_group(t);
}

/* Makes the nodes at a horizon the tasks. */
static p15_progress walk_above(p15_tasks *t, const p15_root *start, unsigned horizon) {
    uint64_t visits = UINT64_MAX;
    p15_progress progress;
    t->count = 0;
    p15_walk_start(t->walk, start, t->bound, horizon);
    while ((progress = p15_walk_run(t->walk, &visits)) == P15_PART_HORIZON)
        if (!add_task(t)) return P15_PART_FAILED;
    return progress;
}

p15_progress p15_tasks_cut(p15_tasks *t, const p15_root *start, unsigned bound, uint64_t before, uint64_t limit) {
    p15_progress above;
    uint64_t wanted = before / TASK_NODES;
    wanted = wanted < FEW_TASKS ? FEW_TASKS : wanted > MANY_TASKS ? MANY_TASKS : wanted;
    t->bound = bound;
    t->limit = limit;
    unsigned horizon = 0;
    do {
        above = walk_above(t, start, ++horizon);
        if (above == P15_PART_FAILED) return above;
        /* Where the tree is narrow, tasks would be too deep to be worth the way there. */
    } while (t->count > 0 && t->count < wanted && 16 * t->walk->counts.generated < before &&
             horizon < P15_MOST_HORIZON);
    t->above = t->walk->counts;
    t->above_solved = above == P15_PART_SOLVED;
    t->next = 0;
    t->near = false;
    t->done = (p15_counts){0, 0};
    /* An iteration is some 6 times as large as the one before. A goal makes the last group to be searched again: let it
     * be a small part of the whole, but large enough to fill the buckets. */
    uint64_t expected = 6 * before + 1, nodes = expected / 64 < GROUP_NODES ? GROUP_NODES : expected / 64;
    uint64_t group = nodes < expected ? t->count * nodes / expected : t->count;
    t->group = group < 1 ? 1 : (uint32_t)group;
    return next_group(t);
}

static p15_progress run_group(p15_tasks *t, uint64_t *visits) {
    p15_progress progress = p15_buckets_run(t->buckets, visits);
    if (progress == P15_PART_FAILED) return progress;
    if (progress == P15_PART_SOLVED || p15_tasks_count(t).generated >= t->limit) {
        t->near = true;
        t->group = (t->group_end - t->next) / 8 ? (t->group_end - t->next) / 8 : 1;
        return next_group(t);
    }
    return progress == P15_PART_ENDED ? leave_group(t) : progress;
}

p15_progress p15_tasks_run(p15_tasks *t, uint64_t *visits) {
    if (!t->in_order) return run_group(t, visits);
    p15_progress progress = p15_walk_run(t->walk, visits);
    return progress == P15_PART_ENDED ? leave_group(t) : progress;
}

p15_counts p15_tasks_count(const p15_tasks *t) {
    p15_counts counts = t->done;
    p15_counts_add(&counts, t->next == t->count ? t->above : t->tasks[t->next].before);
    if (t->next < t->count) p15_counts_add(&counts, count_group(t));
    return counts;
}
