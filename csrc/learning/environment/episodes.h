/* p15_episodes: many boards that are played at once, each in an episode of its own.
 *
 * An episode begins with a scramble. An action is a direction of the blank (base/board.h). The episode terminates with
 * the move that makes the goal, and is truncated with the step that makes them `most_steps`.
 *
 * The reward of a legal action is
 *
 *    move_reward + goal_reward if the goal is made + (distance before - distance after) if `progress`
 *
 * and that of an illegal one, which leaves the board as it is, illegal_reward.
 *
 * All arrays are the caller's and have one entry per board. Calls for disjoint ranges of boards may run at the same
 * time: a board's next state depends on its own entries alone. */
#ifndef P15_LEARNING_EPISODES_H
#define P15_LEARNING_EPISODES_H

#include "learning/environment/scramble.h"

typedef struct {
    p15_shape shape;
    p15_board goal;
    float move_reward, goal_reward, illegal_reward;
    bool progress, one_hot;
    uint32_t most_steps;                          /* 0: no limit */
    const uint8_t *distances;                     /* by p15_rank, of cells!/2 boards; NULL: not known */
    uint8_t cells[P15_MAX_CELLS][P15_DIRECTIONS]; /* the blank's cell after an action; the same one beyond the edge */
    int8_t legal[P15_MAX_CELLS][P15_DIRECTIONS];  /* 0 beyond the edge, otherwise 1 */
    p15_board *boards;
    uint64_t *randoms; /* generators, see learning/environment/random.h */
    uint32_t *steps;   /* actions so far */
    uint8_t *ended;    /* whether the next step begins a new episode */
    uint8_t *left;     /* with `distances`: the moves to the goal */
} p15_episodes;

/* Fills cells and legal actions, and clears the rest. */
void p15_episodes_init(p15_shape shape, p15_episodes *episodes);

/* Begin a new episode for the boards of indices[0 .. count-1]. */
void p15_episodes_begin(const p15_episodes *episodes, const p15_scramble *scramble, const uint64_t *indices,
                        size_t count);

/* Begin a new episode for the board of an index, with a board that reaches the goal. */
void p15_episodes_place(const p15_episodes *episodes, size_t index, p15_board board);

/* Take an action (< P15_DIRECTIONS) for each board of begin .. end-1. All arrays are those of all boards.
 *
 * An ended board begins a new episode instead, with reward 0. With `progress` but without `distances`, the difference
 * of the distances is left for the caller to add. */
void p15_episodes_step(const p15_episodes *episodes, const p15_scramble *scramble, const uint8_t *actions, size_t begin,
                       size_t end, float *rewards, uint8_t *terminated, uint8_t *truncated);

/* Writes the observations of the boards of begin .. end-1. A row is the tiles, one byte per cell; with `one_hot`, for
 * each cell one byte per tile, 1 for the tile that lies there. A row of `masks` has 1 for each legal action. */
void p15_episodes_observe(const p15_episodes *episodes, size_t begin, size_t end, uint8_t *observations,
                          int8_t (*masks)[P15_DIRECTIONS]);

/* The distances of the boards of begin .. end-1, and 1 for each action that begins a shortest solution. Needs
 * `distances`. */
void p15_episodes_advise(const p15_episodes *episodes, size_t begin, size_t end, uint8_t *distances,
                         int8_t (*optimal)[P15_DIRECTIONS]);

#endif
