/* p15_walking_groups: the walking distance of whole boards, as a sum over both directions and their groups of lines.
 *
 * A direction of at most 6 lines is one group, with one table (search/heuristics/walking_distance.h). 7 lines are two
 * groups (of 4 and 3), 8 lines three (of 3, 3 and 2), since one table would be too large. A move is vertical or
 * horizontal, and counts in the one group that the moved tile belongs to. So the value of a child costs two look-ups in
 * that group's table, of up to 98 kB on 4x4. Directions with equal tables share them.
 *
 *     Manhattan <= walking distance
 *
 * Groups are read-only once made: any number of threads may use them. They point into themselves, so they stay where
 * they were made. */
#ifndef P15_HEURISTICS_WALKING_GROUPS_H
#define P15_HEURISTICS_WALKING_GROUPS_H

#include "search/heuristics/walking_distance.h"

#define P15_MAX_GROUPS 3

typedef struct {
    const p15_walking *walking;
    uint64_t keys[P15_MAX_CELLS][P15_MAX_CELLS]; /* [cell][tile] what each adds to the key; 0 for the blank */
} p15_walking_group;

/* Direction 0 is vertical, of rows, and 1 horizontal. */
typedef struct {
    p15_walking tables[2][P15_MAX_GROUPS];
    p15_walking_group groups[2][P15_MAX_GROUPS];
    uint8_t group_count[2];
    uint8_t group_of[2][P15_MAX_CELLS]; /* of each tile */
    uint8_t line_of[2][P15_MAX_CELLS];  /* of each cell: its row, and its column */
} p15_walking_groups;

/* Builds the tables for a goal of the shape into *groups, which holds zeros. P15_ERR_MEMORY, with nothing to free. */
p15_status p15_walking_groups_init(p15_shape shape, p15_board goal, p15_walking_groups *groups);
void p15_walking_groups_free(p15_walking_groups *groups);

/* The walking distance of a board that can reach the goal. */
unsigned p15_walking_groups_value(const p15_walking_groups *groups, p15_board board);

/* The key of a board. Cells beyond the shape's hold 0, as the blank's does. */
static inline uint64_t p15_walking_group_key(const p15_walking_group *group, p15_board board) {
    uint64_t key = 0;
    for (unsigned cell = 0; cell < P15_MAX_CELLS; cell++) key += group->keys[cell][p15_board_tile(board, cell)];
    return key;
}

/* The change of the walking distance when `tile` moves from `cell` to `blank`, as the blank moves in `direction`. */
static inline int p15_walking_groups_change(const p15_walking_groups *groups, p15_board parent, unsigned blank,
                                            unsigned direction, unsigned tile, unsigned cell) {
    unsigned d = direction == P15_LEFT || direction == P15_RIGHT;
    unsigned from = groups->line_of[d][cell], to = groups->line_of[d][blank];
    const p15_walking_group *g = &groups->groups[d][groups->group_of[d][tile]];
    uint64_t before = p15_walking_group_key(g, parent), after = before + g->keys[blank][tile] - g->keys[cell][tile];
    return (int)p15_walking_value(g->walking, after, from) - (int)p15_walking_value(g->walking, before, to);
}

#endif
