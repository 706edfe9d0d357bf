/* p15_group: nodes that are expanded together, and their children. optimal/steps.h says what is done with them. */
#ifndef P15_OPTIMAL_GROUP_H
#define P15_OPTIMAL_GROUP_H

#include "optimal/nodes.h"

#define P15_GROUP 16u /* parents at most */
#define P15_LINE 64u  /* bytes of a cache line, and of a vector */
#define P15_MOST_CHILDREN (P15_GROUP * P15_DIRECTIONS)
#define P15_CHILD_ROOM (P15_MOST_CHILDREN + P15_GROUP) /* vectors write beyond the last one */

/* A child: parent 0..3, direction 4..5, blank's cell before the move 6..9, tile 10..13, state 16..31. */
typedef uint32_t p15_child;

/* Every array that vectors read begins with a cache line, when the group does. */
typedef struct {
    uint32_t parents[P15_MAX_WORDS * P15_GROUP]; /* as in the list of nodes: [word][P15_GROUP], or [parent][word] */
    uint32_t room[P15_GROUP];                    /* the largest h of a child within the bound */
    uint32_t view_h[P15_MAX_VIEWS][P15_GROUP];
    p15_child children[P15_CHILD_ROOM];
    uint32_t h[P15_CHILD_ROOM]; /* the largest of the views asked */
    uint32_t low[P15_MAX_VIEWS][P15_CHILD_ROOM], high[P15_MAX_VIEWS][P15_CHILD_ROOM]; /* the place that changes */
    uint64_t bytes[P15_MAX_VIEWS][P15_CHILD_ROOM]; /* where the entries asked for lie */
    uint32_t shifts[P15_MAX_VIEWS][P15_CHILD_ROOM];
    uint8_t entries[P15_CHILD_ROOM]; /* what they hold, of the view asked last */
    unsigned parent_count;           /* 0: nothing has been asked */
    unsigned child_count;
    bool keeping;          /* children beyond the bound are wanted, too */
    unsigned first, asked; /* the view that was asked first, and how many have been asked */
    unsigned goal;         /* when it is done: the first child with h = 0, or child_count */
} p15_group;

/* How many nodes a problem's groups have. 14: their children, 2.1 each, mostly fill two vectors of 16, and those left
 * fill one. 1: in the textbook search, and where a view has one pattern of all tiles, whose h leads to the goal. */
static inline unsigned p15_group_size(const p15_problem *problem) {
    bool exact = false;
    for (unsigned v = 0; v < problem->view_count; v++)
        exact |= problem->views[v].place_end - problem->views[v].place_begin == 1;
    return problem->plain || exact ? 1 : 14;
}

/* The directions in the order of a group's children: those that move a tile up or down, and the others. */
static const uint8_t p15_group_order[P15_DIRECTIONS] = {P15_DOWN, P15_UP, P15_RIGHT, P15_LEFT};

P15_INLINE unsigned p15_child_parent(p15_child c) { return c & 15u; }
P15_INLINE unsigned p15_child_move(p15_child c) { return c >> 4 & 3u; }
P15_INLINE unsigned p15_child_blank(p15_child c) { return c >> 6 & 15u; }
P15_INLINE unsigned p15_child_tile(p15_child c) { return c >> 10 & 15u; }
P15_INLINE unsigned p15_child_state(p15_child c) { return c >> 16; }

/* A word of parent i. */
static inline uint32_t p15_group_word(const p15_group *g, const p15_nodes *nodes, unsigned i, unsigned word) {
    return g->parents[nodes->columns ? word * P15_GROUP + i : i * nodes->word_count + word];
}

#endif
