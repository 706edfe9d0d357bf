/* p15_progress: how far a part of a depth-first search has come. */
#ifndef P15_DEEPENING_PROGRESS_H
#define P15_DEEPENING_PROGRESS_H

typedef enum {
    P15_PART_RUNNING, /* there is more to do */
    P15_PART_HORIZON, /* a walk has reached a node at its horizon, and goes on behind it */
    P15_PART_ENDED,   /* every node was visited, and none of them is the goal */
    P15_PART_SOLVED,  /* the goal was met */
    P15_PART_FAILED   /* out of memory */
} p15_progress;

#endif
