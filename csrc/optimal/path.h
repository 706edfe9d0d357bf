/* p15_path: a solution as the blank's packed moves, and the boards on it and beside it.
 *
 * Move i of a path is a direction of base/board.h, in bits 2 (i % 4) of byte i / 4:
 *
 *      byte    0                1
 *      bits    76 54 32 10      76 54 32 10
 *      move     3  2  1  0       7  6  5  4
 *
 * Every path takes P15_PATH_BYTES bytes. Its length is kept beside it, and the bits after its last move are 0. So many
 * paths are one array, and equal paths have equal bytes.
 *
 * The functions below take `count` boards, lengths and paths; the path of a board is a shortest one to the goal.
 * Lengths must not exceed P15_MAX_LENGTH. All are pure: no allocation, no state, safe from any thread; outputs must
 * not overlap inputs. */
#ifndef P15_OPTIMAL_PATH_H
#define P15_OPTIMAL_PATH_H

#include "base/board.h"

#define P15_MAX_LENGTH 160 /* moves */
#define P15_PATH_BYTES (P15_MAX_LENGTH / 4)

_Static_assert(P15_MAX_LENGTH >= P15_FARTHEST && P15_MAX_LENGTH < 255, "a path holds any solution, a byte its length");

static inline unsigned p15_path_move(const uint8_t *path, unsigned index) {
    return path[index / 4] >> (2 * (index % 4)) & 3u;
}

static inline void p15_path_set(uint8_t *path, unsigned index, unsigned move) {
    unsigned shift = 2 * (index % 4);
    path[index / 4] = (uint8_t)((path[index / 4] & ~(3u << shift)) | move << shift);
}

/* p15_board_replay for a packed path. */
p15_status p15_path_replay(p15_board board, p15_board goal, p15_shape shape, const uint8_t *path, unsigned length);

/* Replaces every move m by to[m], as when the board is turned. */
void p15_path_transform(const uint8_t *lengths, size_t count, const uint8_t to[P15_DIRECTIONS], uint8_t *paths);

/* How many boards p15_path_follow writes: `length` boards per path, without the goal, and one for a path of no
 * moves. */
size_t p15_path_count(const uint8_t *lengths, size_t count);

/* Writes the boards along every path, one path after another, from its first board to the last one before the goal.
 * Each board comes with the number of moves that are left, these moves, and the index of its path. P15_ERR_BOARD;
 * P15_ERR_ARGUMENT when a move leads off the board. */
p15_status p15_path_follow(const p15_board *boards, const uint8_t *lengths, const uint8_t *paths, size_t count,
                           p15_shape shape, p15_board *out_boards, uint8_t *out_lengths, uint8_t *out_paths,
                           uint32_t *out_starts);

/* Writes the children of every board, as queries to a search: is this child on a shortest solution? children[4 i +
 * d] is the child of board i in direction d, and limits[4 i + d] is length - 1, the moves that the child may take.
 * Where no query is needed, skip[4 i + d] is 1 and the child is 0: when the move leads off the board, the board
 * is the goal or no board at all, or bit d of known[i] is set. */
void p15_path_beside(const p15_board *boards, const uint8_t *lengths, const uint8_t *known, size_t count,
                     p15_shape shape, p15_board *children, uint8_t *limits, uint8_t *skip);

#endif
