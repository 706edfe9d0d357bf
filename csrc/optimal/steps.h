/* p15_steps: what is done with a group of nodes until its children are known.
 *
 * Table entries come from main memory, some hundred nanoseconds away. So a group does not wait for them: it asks for
 * those of all its children, and goes on when it is visited the next time:
 *
 *     begin      takes nodes from the end of a list, makes their children, and asks about them
 *     go_on      takes in the answers, drops children beyond the bound, asks about the others; until all is known.
 *                Then it writes them to the end of the list
 *
 * There are two kinds of kernels. The plain ones ask all views at once. Those for AVX-512 (optimal/group_v4.h) have a
 * parent or a child in each of the 16 parts of a vector; they ask one view after the other, and first the one that is
 * likely to cut off most. Both write the same nodes in the same order. */
#ifndef P15_OPTIMAL_STEPS_H
#define P15_OPTIMAL_STEPS_H

#include "optimal/group.h"

/* What a group does, compiled for the views of a problem and a processor's level. */
typedef struct {
    bool columns;   /* the kind of its lists of nodes */
    unsigned width; /* how many nodes a group takes, if there are as many */
    /* Takes the last `count` nodes of a list, 1 .. P15_GROUP. `words` are the automaton's rows. */
    void (*begin)(const p15_problem *problem, const uint16_t *words, p15_group *g, p15_nodes *nodes, unsigned count,
                  unsigned bound);
    /* Returns whether the group is done: then its children are written, those within the bound to the end of `nodes`,
     * and if it keeps them those beyond it to the end of `next`. Both have room for P15_MOST_CHILDREN more. */
    bool (*go_on)(const p15_problem *problem, p15_group *g, p15_nodes *nodes, p15_nodes *next);
} p15_steps;

p15_steps p15_steps_pick(const p15_problem *problem);

#endif
