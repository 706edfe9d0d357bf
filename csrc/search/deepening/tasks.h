/* p15_tasks: one large iteration, cut into tasks that are searched in groups.
 *
 *     start --------- walk to a horizon ---------> nodes above, and in depth-first order: task 0, task 1, task 2, ..
 *                                                                                         \__ group __/  \__ group ..
 *
 * A task is the tree of a node at the horizon. A group of tasks is searched with buckets, in no order. When it meets
 * the goal, or when the search comes to its limit, the group is searched again as smaller groups, and at last task by
 * task in order, by a walk. So counts and solution are those of a walk through the whole iteration.
 *
 * Threads: the tasks belong to one thread at a time, with their walk and buckets, which must outlive them. */
#ifndef P15_DEEPENING_TASKS_H
#define P15_DEEPENING_TASKS_H

#include "search/deepening/buckets.h"
#include "search/deepening/walks.h"

/* A tree, and the nodes above the horizon that come before it in depth-first order. */
typedef struct {
    p15_root root;
    p15_counts before;
} p15_task;

/* In the beginning, all but walk and buckets is 0. The owner frees `tasks`. */
typedef struct {
    p15_walk *walk;
    p15_buckets *buckets;
    unsigned bound;
    uint64_t limit; /* of generated nodes, of the iteration */
    p15_task *tasks;
    uint32_t count, room;
    p15_counts above;                /* nodes above the horizon */
    bool above_solved;               /* the goal is one of them, after all tasks */
    uint32_t next, group_end, group; /* searched now: tasks next .. group_end - 1; group: how many come next */
    bool near;                       /* a goal or the limit is known to be ahead */
    bool in_order;                   /* the group is one task, and is walked */
    p15_counts done;                 /* in the tasks before `next` */
} p15_tasks;

/* Cuts the iteration of a bound: start's slack is at most P15_MOST_SLACK. `before` is how many nodes the iteration
 * before has generated, or a guess; the iteration may generate `limit` nodes. Returns P15_PART_RUNNING;
 * P15_PART_ENDED or P15_PART_SOLVED, if there is no task; P15_PART_FAILED. */
p15_progress p15_tasks_cut(p15_tasks *tasks, const p15_root *start, unsigned bound, uint64_t before, uint64_t limit);

/* Goes on for about *visits nodes, which it counts down. After P15_PART_SOLVED, the walk has the path. */
p15_progress p15_tasks_run(p15_tasks *tasks, uint64_t *visits);

/* Nodes of the iteration so far. */
p15_counts p15_tasks_count(const p15_tasks *tasks);

#endif
