#include "base/board.h"

#include <string.h>

#include <assert.h>

/* inline: only asserts use it, so release builds do not. */
static inline bool is_shape(p15_shape shape) {
    return shape.rows >= 2 && shape.cols >= 2 && shape.rows <= 8 && shape.cols <= 8 &&
           shape.cells == shape.rows * shape.cols && shape.cells <= P15_MAX_CELLS;
}

static unsigned distance(unsigned a, unsigned b) { return a > b ? a - b : b - a; }

/* ------------------------------------------------------------------------------------------------ shapes */

p15_status p15_shape_init(unsigned rows, unsigned cols, p15_shape *out) {
    if (rows < 2 || rows > 8 || cols < 2 || cols > 8 || rows * cols > P15_MAX_CELLS) return P15_ERR_SHAPE;
    *out = (p15_shape){(uint8_t)rows, (uint8_t)cols, (uint8_t)(rows * cols)};
    return P15_OK;
}

int p15_cell_neighbour(p15_shape shape, unsigned cell, unsigned dir) {
    assert(is_shape(shape) && cell < shape.cells && dir < P15_DIRECTIONS);
    unsigned row = cell / shape.cols, col = cell % shape.cols;
    const bool inside[P15_DIRECTIONS] = {row > 0, col > 0, col + 1 < shape.cols, row + 1 < shape.rows};
    return inside[dir] ? (int)p15_cell_step(shape, cell, dir) : -1;
}

unsigned p15_cell_distance(p15_shape shape, unsigned a, unsigned b) {
    return distance(a / shape.cols, b / shape.cols) + distance(a % shape.cols, b % shape.cols);
}

bool p15_is_goal(p15_shape shape, unsigned k, unsigned goal_map, unsigned home) {
    bool inside = home < shape.cells && !(goal_map >> shape.cells);
    return inside && p15_count_bits(goal_map) == k && !(goal_map >> home & 1u);
}

unsigned p15_symmetries(p15_shape shape, uint8_t out[P15_MAX_SYMMETRIES][P15_MAX_CELLS]) {
    assert(is_shape(shape));
    /* A rectangle that is no square skips the transposes: its numbering is the
     * square's without the lowest bit. */
    bool square = shape.rows == shape.cols;
    unsigned count = square ? 8 : 4;
    for (unsigned s = 0; s < count; s++) {
        unsigned bits = square ? s : s << 1;
        for (unsigned cell = 0; cell < shape.cells; cell++) {
            unsigned row = cell / shape.cols, col = cell % shape.cols;
            if (bits & 1) {
                unsigned swap = row;
                row = col;
                col = swap;
            }
            if (bits & 2) col = shape.cols - 1 - col;
            if (bits & 4) row = shape.rows - 1 - row;
            out[s][cell] = (uint8_t)(row * shape.cols + col);
        }
    }
    return count;
}

bool p15_is_symmetry(p15_shape shape, const uint8_t *cell_to) {
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    for (unsigned s = p15_symmetries(shape, maps); s-- > 0;)
        if (memcmp(maps[s], cell_to, shape.cells) == 0) return true;
    return false;
}

/* ------------------------------------------------------------------------------------------------ one board */

p15_status p15_board_check(p15_board board, p15_shape shape) {
    assert(is_shape(shape));
    unsigned seen = 0;
    for (unsigned cell = 0; cell < shape.cells; cell++) seen |= 1u << p15_board_tile(board, cell);
    /* `cells` nibbles cover all of 0 .. cells-1 only if each occurs once.  A
     * shift by 64 is undefined, so full boards skip the test of what is above. */
    bool clean = shape.cells == 16 || board >> (4 * shape.cells) == 0;
    return clean && seen == (1u << shape.cells) - 1 ? P15_OK : P15_ERR_BOARD;
}

/* Looks at all 16 nibbles of eight boards side by side. Those above the cells become 15, which is no tile then. */
size_t p15_boards_check(const p15_board *boards, size_t count, p15_shape shape) {
    uint64_t tiles = (UINT64_C(1) << shape.cells) - 1,
             above = shape.cells == 16 ? 0 : ~UINT64_C(0) << (4 * shape.cells);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint64_t seen[8] = {0}, wrong = 0;
        for (unsigned cell = 0; cell < 16; cell++)
            for (unsigned j = 0; j < 8; j++) seen[j] |= UINT64_C(1) << ((boards[i + j] | above) >> (4 * cell) & 15);
        for (unsigned j = 0; j < 8; j++) wrong |= (~seen[j] & tiles) | (boards[i + j] & above);
        if (wrong) break;
    }
    while (i < count && p15_board_check(boards[i], shape) == P15_OK) i++;
    return i;
}

void p15_board_unpack(p15_board board, p15_shape shape, uint8_t *tiles) {
    for (unsigned cell = 0; cell < shape.cells; cell++) tiles[cell] = (uint8_t)p15_board_tile(board, cell);
}

void p15_board_locate(p15_board board, p15_shape shape, uint8_t cell_of[P15_MAX_CELLS]) {
    for (unsigned cell = 0; cell < shape.cells; cell++) cell_of[p15_board_tile(board, cell)] = (uint8_t)cell;
}

p15_board p15_board_goal(p15_shape shape, unsigned home) {
    assert(is_shape(shape) && home < shape.cells);
    p15_board goal = 0;
    uint64_t tile = 1;
    for (unsigned cell = 0; cell < shape.cells; cell++)
        if (cell != home) goal |= tile++ << (4 * cell);
    return goal;
}

/* Whether a board, blank included, has an odd number of inversions. Bit t of `smaller` says whether an odd number of
 * tiles below t are yet to come. Cells beyond the board's, which are 0, count alike for all boards of a shape. */
static inline unsigned inversions(p15_board board) {
    unsigned smaller = 0xaaaa, odd = 0;
    for (unsigned cell = 0; cell < 16; cell++) {
        unsigned tile = p15_board_tile(board, cell);
        odd ^= smaller >> tile;
        smaller ^= 0xfffeu << tile;
    }
    return odd & 1;
}

bool p15_board_solvable(p15_board board, p15_board goal, p15_shape shape) {
    assert(p15_board_check(board, shape) == P15_OK);
    assert(p15_board_check(goal, shape) == P15_OK);
    unsigned odd = inversions(board) ^ inversions(goal);
    return odd == (p15_cell_distance(shape, p15_board_blank(board), p15_board_blank(goal)) & 1);
}

p15_board p15_board_transform(p15_board board, p15_shape shape, const uint8_t *cell_to, const uint8_t *tile_to) {
    p15_board result = 0;
    for (unsigned cell = 0; cell < shape.cells; cell++) {
        assert(cell_to[cell] < shape.cells && tile_to[cell] < shape.cells);
        result |= (uint64_t)tile_to[p15_board_tile(board, cell)] << (4 * cell_to[cell]);
    }
    assert(p15_board_check(result, shape) == P15_OK);
    return result;
}

unsigned p15_board_manhattan(p15_board board, p15_board goal, p15_shape shape) {
    assert(p15_board_check(board, shape) == P15_OK);
    assert(p15_board_check(goal, shape) == P15_OK);
    uint8_t target[P15_MAX_CELLS];
    p15_board_locate(goal, shape, target);

    unsigned sum = 0;
    for (unsigned cell = 0; cell < shape.cells; cell++) {
        unsigned tile = p15_board_tile(board, cell);
        if (tile != 0) sum += p15_cell_distance(shape, cell, target[tile]);
    }
    return sum;
}

size_t p15_board_apply(p15_board board, p15_shape shape, const uint8_t *dirs, size_t count, p15_board *out) {
    unsigned blank = p15_board_blank(board);
    size_t made = 0;
    for (; made < count; made++) {
        int next = dirs[made] < P15_DIRECTIONS ? p15_cell_neighbour(shape, blank, dirs[made]) : -1;
        if (next < 0) break;
        board = p15_board_slide(board, blank, (unsigned)next);
        blank = (unsigned)next;
    }
    *out = board;
    return made;
}

p15_status p15_board_replay(p15_board board, p15_board goal, p15_shape shape, const uint8_t *dirs, size_t count) {
    return p15_board_apply(board, shape, dirs, count, &board) == count && board == goal ? P15_OK : P15_ERR_ANSWER;
}
