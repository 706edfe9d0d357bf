/* p15_walking: the walking distance of one direction (K. Takahashi's, of his 15-puzzle program), as a table of all
 * states.
 *
 * Look at rows alone (the other direction is the same with columns; a line is a row or a column). Of a tile only its
 * line and its goal line matter, so a state says how many tiles of each goal line stand in each line, and in which line
 * the blank is. A vertical move exchanges the blank with any tile of the line above or below:
 *
 *      1  2  3  4      goal line  0 1 2 3             0 1 2 3
 *      5  6  7  8      line 0     4 . . .    8 down   4 . . .
 *      9 10 11 12      line 1     . 4 . .    ----->   . 4 . .
 *     13 14 15  0      line 2     . . 4 .    12 down  . . 3 .  blank here
 *                      line 3     . . . 3             . . 1 3
 *
 * The value of a state is the least number of such moves to the goal's state: no more than the vertical moves of any
 * solution, and no less than the vertical part of the Manhattan distance, since a move changes that by one. The sum
 * over rows and columns is a lower bound on all moves, and a move changes it by one.
 *
 * Groups. Many short lines have too many states (7 or 8 lines of 2 tiles: millions to billions). There the goal lines
 * are split into groups, with a table each that counts the moves of its own group's tiles only: all other tiles look
 * alike, and exchanging the blank with one costs nothing. Every move counts in one group, so the values of the groups
 * add up, and the sum is still a lower bound, at least the Manhattan distance, and changed by one by a move.
 *
 * Representation. A key holds the counts of the lines for each counted goal line; where a group is all goal lines, all
 * but one, because what is left of a line's tiles belongs to that one:
 *
 *     bits   (j * lines + i) * bits ..      how many tiles of counted goal line j stand in line i, `bits` bits each
 *
 * So a key is a sum over tiles. The counts of goal line j in all lines
 * but the last are a number below 2^((lines - 1) * bits); `ranks` numbers those that occur, by their sum, so that a
 * line of fewer tiles (the blank's) uses the first of the same numbers. The mixed-radix number of these ranks and the
 * blank's line is the address of the value: no hashing. A value that no state has is P15_NO_WALKING_VALUE.
 *
 * Cost on 4x4: 24,964 states a direction, values up to 35, in 98,000 bytes; built in 2 ms. The most on any shape are
 * 7.0 MB for 6 lines of 2 tiles. A look-up takes a load from `ranks` for each counted line and one from `values`.
 *
 * A table is read-only once made: any number of threads may use it. */
#ifndef P15_HEURISTICS_WALKING_DISTANCE_H
#define P15_HEURISTICS_WALKING_DISTANCE_H

#include "base/board.h"

#define P15_MAX_LINES 8
#define P15_NO_WALKING_VALUE 255

typedef struct {
    unsigned lines, width;           /* width: cells of a line */
    unsigned home_line;              /* the goal's blank */
    unsigned bits;                   /* of a count */
    unsigned counted;                /* goal lines in the key */
    unsigned rest_cost;              /* of moving a tile that is in no counted line */
    int8_t number[P15_MAX_LINES];    /* of a goal line among the counted ones, -1 for none */
    uint32_t strides[P15_MAX_LINES]; /* of the counted lines' ranks; the blank's line has stride 1 */
    uint16_t *ranks;                 /* [1 << (lines - 1) * bits] */
    uint8_t *values;
} p15_walking;

/* The address of a state's value. */
static inline uint32_t p15_walking_index(const p15_walking *walking, uint64_t key, unsigned blank_line) {
    unsigned field = walking->lines * walking->bits;
    uint64_t mask = (UINT64_C(1) << (field - walking->bits)) - 1;
    uint32_t index = blank_line;
    for (unsigned j = 0; j < walking->counted; j++, key >>= field)
        index += walking->ranks[key & mask] * walking->strides[j];
    return index;
}

/* The value of a state that moves lead to. */
static inline unsigned p15_walking_value(const p15_walking *walking, uint64_t key, unsigned blank_line) {
    return walking->values[p15_walking_index(walking, key, blank_line)];
}

/* ------------------------------------------------------------------------------------------------ whole boards */

/* The walking distance of whole boards is a sum over both directions and their groups of lines. A direction of at most 6
 * lines is one group; 7 lines are two groups (of 4 and 3), 8 lines three (of 3, 3 and 2), since one table would be too
 * large. A move counts in the one group that the moved tile belongs to. So the value of a child costs two look-ups in
 * that group's table. Directions with equal tables share them. The groups point into themselves, so they stay where they
 * were made. */
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

/* Builds the tables for a goal of the shape into *groups, which holds zeros. P15_ERR_MEMORY: there is nothing to free. */
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
