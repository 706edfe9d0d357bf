/* p15_scramble: the random boards with which episodes begin.
 *
 *   uniform   each board that reaches the goal, equally likely
 *   walk      the last board of a walk of `least` .. `most` moves from the goal, each number equally likely; no move
 *             undoes the one before
 *   listed    first a level, by its chance, then one of its boards, each equally likely:
 *
 *                boards   | level 0 | level 1     | level 2         |      ends     2  5  9
 *                                                                          chances  2^62  2^63  2^64 - 1
 *
 * A uniform board or the end of a walk that is the goal itself is drawn again, seven times at most: a short walk on a
 * small board may always end there. */
#ifndef P15_LEARNING_SCRAMBLE_H
#define P15_LEARNING_SCRAMBLE_H

#include "base/board.h"

typedef enum { P15_SCRAMBLE_UNIFORM, P15_SCRAMBLE_WALK, P15_SCRAMBLE_LISTED } p15_scramble_kind;

typedef struct {
    p15_shape shape;
    p15_board goal;
    p15_scramble_kind kind;
    /* Of walks: the directions that the blank can take from a cell after a direction (4: none), and their number. */
    uint32_t least, most;
    uint8_t choices[P15_MAX_CELLS][P15_DIRECTIONS + 1][P15_DIRECTIONS],
        choice_counts[P15_MAX_CELLS][P15_DIRECTIONS + 1];
    /* Of listed boards. A level is taken if a number of 64 bits is at most its chance, and above the one before. */
    const p15_board *boards;
    const uint64_t *ends, *chances;
} p15_scramble;

void p15_scramble_init_uniform(p15_shape shape, p15_board goal, p15_scramble *scramble);

/* P15_ERR_ARGUMENT unless least <= most < UINT32_MAX. */
p15_status p15_scramble_init_walk(p15_shape shape, p15_board goal, uint32_t least, uint32_t most,
                                  p15_scramble *scramble);

/* The arrays stay the caller's, and must be there as long as the scramble is used. P15_ERR_ARGUMENT unless there is a
 * level, each has 1 .. UINT32_MAX - 1 boards, chances never fall, and the last one is UINT64_MAX. */
p15_status p15_scramble_init_listed(p15_shape shape, p15_board goal, const p15_board *boards, const uint64_t *ends,
                                    const uint64_t *chances, size_t level_count, p15_scramble *scramble);

/* The next board; `random` is a generator of learning/environment/random.h. A uniform board takes some 50 ns, a walk
 * some 5 ns per move. */
p15_board p15_scramble_draw(const p15_scramble *scramble, uint64_t *random);

#endif
