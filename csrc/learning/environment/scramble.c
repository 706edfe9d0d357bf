#include "learning/environment/scramble.h"

#include "learning/environment/random.h"

#define MOST_TRIES 8

void p15_scramble_init_uniform(p15_shape shape, p15_board goal, p15_scramble *scramble) {
    *scramble = (p15_scramble){.shape = shape, .goal = goal, .kind = P15_SCRAMBLE_UNIFORM};
}

p15_status p15_scramble_init_walk(p15_shape shape, p15_board goal, uint32_t least, uint32_t most,
                                  p15_scramble *scramble) {
    if (least > most || most == UINT32_MAX) return P15_ERR_ARGUMENT;
    *scramble = (p15_scramble){.shape = shape, .goal = goal, .kind = P15_SCRAMBLE_WALK, .least = least, .most = most};
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned last = 0; last <= P15_DIRECTIONS; last++)
            for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++)
                if (p15_cell_neighbour(shape, cell, direction) >= 0 &&
                    (last == P15_DIRECTIONS || direction != 3 - last))
                    scramble->choices[cell][last][scramble->choice_counts[cell][last]++] = (uint8_t)direction;
    return P15_OK;
}

p15_status p15_scramble_init_listed(p15_shape shape, p15_board goal, const p15_board *boards, const uint64_t *ends,
                                    const uint64_t *chances, size_t level_count, p15_scramble *scramble) {
    if (level_count == 0 || chances[level_count - 1] != UINT64_MAX) return P15_ERR_ARGUMENT;
    for (size_t level = 0; level < level_count; level++) {
        uint64_t begin = level == 0 ? 0 : ends[level - 1];
        if (ends[level] <= begin || ends[level] - begin >= UINT32_MAX) return P15_ERR_ARGUMENT;
        if (level > 0 && chances[level] < chances[level - 1]) return P15_ERR_ARGUMENT;
    }
    *scramble = (p15_scramble){.shape = shape, .goal = goal, .kind = P15_SCRAMBLE_LISTED, .boards = boards};
    scramble->ends = ends;
    scramble->chances = chances;
    return P15_OK;
}

/* Shuffles the goal's cells (Fisher & Yates). The parity is that of the number of exchanges. In a board of the wrong one,
 * tiles 1 and 2 are exchanged, which maps the unsolvable boards one to one onto the others. */
static p15_board draw_uniform(const p15_scramble *scramble, uint64_t *random) {
    p15_board board = scramble->goal;
    unsigned odd = 0;
    for (unsigned cell = scramble->shape.cells - 1; cell > 0; cell--) {
        unsigned other = p15_random_below(random, cell + 1);
        uint64_t both = p15_board_tile(board, cell) ^ p15_board_tile(board, other);
        board ^= both << (4 * cell) ^ both << (4 * other); /* 0 where they are one cell */
        odd ^= other != cell;
    }
    unsigned blank = p15_board_blank(board), home = p15_board_blank(scramble->goal);
    if (odd == (p15_cell_distance(scramble->shape, blank, home) & 1)) return board;
    p15_board exchanged = board;
    for (unsigned cell = 0; cell < scramble->shape.cells; cell++) {
        unsigned tile = p15_board_tile(board, cell);
        if (tile == 1 || tile == 2) exchanged ^= UINT64_C(3) << (4 * cell);
    }
    return exchanged;
}

static p15_board draw_walk(const p15_scramble *scramble, uint64_t *random) {
    p15_board board = scramble->goal;
    unsigned blank = p15_board_blank(board), last = P15_DIRECTIONS;
    uint32_t length = scramble->least + p15_random_below(random, scramble->most - scramble->least + 1);
    for (; length > 0; length--) {
        last = scramble->choices[blank][last][p15_random_below(random, scramble->choice_counts[blank][last])];
        unsigned cell = p15_cell_step(scramble->shape, blank, last);
        board = p15_board_slide(board, blank, cell);
        blank = cell;
    }
    return board;
}

static p15_board draw_listed(const p15_scramble *scramble, uint64_t *random) {
    uint64_t number = p15_random_next(random);
    size_t level = 0;
    while (number > scramble->chances[level]) level++;
    uint64_t begin = level == 0 ? 0 : scramble->ends[level - 1];
    return scramble->boards[begin + p15_random_below(random, (uint32_t)(scramble->ends[level] - begin))];
}

p15_board p15_scramble_draw(const p15_scramble *scramble, uint64_t *random) {
    if (scramble->kind == P15_SCRAMBLE_LISTED) return draw_listed(scramble, random);
    p15_board board = scramble->goal;
    for (unsigned tries = 0; tries < MOST_TRIES && board == scramble->goal; tries++)
        board = scramble->kind == P15_SCRAMBLE_UNIFORM ? draw_uniform(scramble, random) : draw_walk(scramble, random);
    return board;
}
