#include "learning/environment/episodes.h"

#include "learning/environment/random.h"
#include "nodes/rank.h"

#include <string.h>

void p15_episodes_init(p15_shape shape, p15_episodes *episodes) {
    *episodes = (p15_episodes){.shape = shape};
    for (unsigned cell = 0; cell < P15_MAX_CELLS; cell++)
        for (unsigned action = 0; action < P15_DIRECTIONS; action++) {
            int next = cell < shape.cells ? p15_cell_neighbour(shape, cell, action) : -1;
            episodes->cells[cell][action] = (uint8_t)(next >= 0 ? (unsigned)next : cell);
            episodes->legal[cell][action] = next >= 0;
        }
}

static inline uint8_t distance_of(const p15_episodes *episodes, p15_board board) {
    return episodes->distances[p15_rank(board, episodes->shape)];
}

void p15_episodes_place(const p15_episodes *episodes, size_t index, p15_board board) {
    episodes->boards[index] = board;
    episodes->steps[index] = 0;
    episodes->ended[index] = 0;
    if (episodes->distances != NULL) episodes->left[index] = distance_of(episodes, board);
}

static void begin_one(const p15_episodes *episodes, const p15_scramble *scramble, size_t index) {
    p15_episodes_place(episodes, index, p15_scramble_draw(scramble, &episodes->randoms[index]));
}

void p15_episodes_begin(const p15_episodes *episodes, const p15_scramble *scramble, const uint64_t *indices,
                        size_t count) {
    for (size_t i = 0; i < count; i++) begin_one(episodes, scramble, indices[i]);
}

void p15_episodes_step(const p15_episodes *episodes, const p15_scramble *scramble, const uint8_t *actions, size_t begin,
                       size_t end, float *rewards, uint8_t *terminated, uint8_t *truncated) {
    const bool known = episodes->distances != NULL;
    const float progress = episodes->progress;
    const uint32_t most = episodes->most_steps == 0 ? UINT32_MAX : episodes->most_steps;
    const float reward_of[3] = {episodes->illegal_reward, episodes->move_reward,
                                episodes->move_reward + episodes->goal_reward};
    for (size_t i = begin; i < end; i++) {
        if (episodes->ended[i]) {
            begin_one(episodes, scramble, i);
            rewards[i] = 0;
            terminated[i] = truncated[i] = 0;
            continue;
        }
        /* An agent that explores takes many illegal actions, which no processor predicts: so nothing branches here. An
         * illegal one slides the blank into its own cell, which changes nothing. */
        p15_board board = episodes->boards[i];
        unsigned blank = p15_board_blank(board), legal = (unsigned)episodes->legal[blank][actions[i]];
        board = p15_board_slide(board, blank, episodes->cells[blank][actions[i]]);
        unsigned is_goal = legal & (board == episodes->goal), is_last = ++episodes->steps[i] >= most;
        episodes->boards[i] = board;
        rewards[i] = reward_of[legal + is_goal];
        terminated[i] = (uint8_t)is_goal;
        truncated[i] = (uint8_t)is_last;
        episodes->ended[i] = (uint8_t)(is_goal | is_last);
        if (known) {
            int before = episodes->left[i];
            episodes->left[i] = distance_of(episodes, board);
            rewards[i] += progress * (float)(before - episodes->left[i]);
        }
    }
}

/* The 8 low nibbles as bytes: halves are moved apart, from 16 bits down to 4. */
static inline void write_8(uint64_t board, uint8_t *tiles) {
    uint64_t bytes = board & UINT64_C(0xffffffff);
    bytes = (bytes | bytes << 16) & UINT64_C(0x0000ffff0000ffff);
    bytes = (bytes | bytes << 8) & UINT64_C(0x00ff00ff00ff00ff);
    bytes = (bytes | bytes << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(tiles, &bytes, sizeof bytes);
}

static inline void write_one_hot(p15_board board, size_t cells, uint8_t *row) {
    memset(row, 0, cells * cells);
    for (unsigned cell = 0; cell < cells; cell++) row[cell * cells + p15_board_tile(board, cell)] = 1;
}

void p15_episodes_observe(const p15_episodes *episodes, size_t begin, size_t end, uint8_t *observations,
                          int8_t (*masks)[P15_DIRECTIONS]) {
    const size_t cells = episodes->shape.cells;
    for (size_t i = begin; i < end; i++) {
        p15_board board = episodes->boards[i];
        memcpy(masks[i], episodes->legal[p15_board_blank(board)], sizeof masks[i]);
        if (episodes->one_hot) {
            write_one_hot(board, cells, observations + i * cells * cells);
        } else if (i * cells + P15_MAX_CELLS <= end * cells) {
            /* Of a small shape these are more than its tiles; the next rows, which are written later, hide that. */
            write_8(board, observations + i * cells);
            write_8(board >> 32, observations + i * cells + 8);
        } else {
            p15_board_unpack(board, episodes->shape, observations + i * cells);
        }
    }
}

void p15_episodes_advise(const p15_episodes *episodes, size_t begin, size_t end, uint8_t *distances,
                         int8_t (*optimal)[P15_DIRECTIONS]) {
    for (size_t i = begin; i < end; i++) {
        p15_board board = episodes->boards[i];
        unsigned blank = p15_board_blank(board);
        uint8_t distance = distances[i] = episodes->left[i];
        for (unsigned action = 0; action < P15_DIRECTIONS; action++) {
            p15_board next = p15_board_slide(board, blank, episodes->cells[blank][action]);
            optimal[i][action] = distance_of(episodes, next) < distance;
        }
    }
}
