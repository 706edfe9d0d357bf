/* p15_path: moves one by one, and random walks of every shape transformed, followed and with the boards beside, against
 * boards that are moved one by one; exact-size buffers. */

#include "check.h"
#include "optimal/path.h"

#include <string.h>

#define COUNT 20u

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    CHECK(memory != NULL);
    return memory;
}

static void check_moves(void) {
    uint8_t path[P15_PATH_BYTES] = {0}, moves[P15_MAX_LENGTH];
    for (unsigned round = 0; round < 3; round++) /* later rounds write over moves */
        for (unsigned i = 0; i < P15_MAX_LENGTH; i++) p15_path_set(path, i, moves[i] = (uint8_t)draw(4));
    for (unsigned i = 0; i < P15_MAX_LENGTH; i++) CHECK(p15_path_move(path, i) == moves[i]);
    const uint8_t expected[] = {1 | 2 << 2 | 3 << 4, 2};
    uint8_t few[2] = {0};
    p15_path_set(few, 0, 1);
    p15_path_set(few, 1, 2);
    p15_path_set(few, 2, 3);
    p15_path_set(few, 4, 2);
    CHECK(memcmp(few, expected, 2) == 0);
}

static void check_shape_of(p15_shape shape) {
    p15_board boards[COUNT], *walked = allocate(COUNT * P15_MAX_LENGTH, sizeof *walked);
    uint8_t lengths[COUNT], *paths = allocate(COUNT, P15_PATH_BYTES);
    size_t rows = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        p15_board board = boards[i] = p15_board_goal(shape, draw(shape.cells));
        lengths[i] = (uint8_t)(i == 3 ? 0 : i == 5 ? P15_MAX_LENGTH : draw(P15_MAX_LENGTH + 1));
        walked[rows++] = board;
        for (unsigned m = 0; m < lengths[i];) {
            unsigned blank = p15_board_blank(board), dir = draw(P15_DIRECTIONS);
            int cell = p15_cell_neighbour(shape, blank, dir);
            if (cell < 0) continue;
            board = p15_board_slide(board, blank, (unsigned)cell);
            p15_path_set(paths + i * P15_PATH_BYTES, m++, dir);
            if (m < lengths[i]) walked[rows++] = board;
        }
    }
    CHECK(p15_path_count(lengths, COUNT) == rows && p15_path_count(lengths, 0) == 0);

    p15_board *out_boards = allocate(rows, sizeof *out_boards);
    uint8_t *out_lengths = allocate(rows, 1), *out_paths = allocate(rows, P15_PATH_BYTES);
    uint32_t *out_starts = allocate(rows, sizeof *out_starts);
    CHECK(p15_path_follow(boards, lengths, paths, COUNT, shape, out_boards, out_lengths, out_paths, out_starts) ==
          P15_OK);
    size_t row = 0;
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned m = 0; m == 0 || m < lengths[i]; m++, row++) {
            const uint8_t *path = out_paths + row * P15_PATH_BYTES;
            CHECK(out_boards[row] == walked[row] && out_starts[row] == i);
            CHECK(out_lengths[row] == lengths[i] - m);
            for (unsigned n = 0; n < P15_MAX_LENGTH; n++) {
                unsigned move = m + n < lengths[i] ? p15_path_move(paths + i * P15_PATH_BYTES, m + n) : 0;
                CHECK(p15_path_move(path, n) == move);
            }
        }
    CHECK(row == rows);

    const uint8_t to[P15_DIRECTIONS] = {2, 0, 3, 1};
    uint8_t *turned = allocate(COUNT, P15_PATH_BYTES);
    memcpy(turned, paths, COUNT * P15_PATH_BYTES);
    p15_path_transform(lengths, COUNT, to, turned);
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned m = 0; m < P15_MAX_LENGTH; m++) {
            unsigned move = p15_path_move(paths + i * P15_PATH_BYTES, m);
            CHECK(p15_path_move(turned + i * P15_PATH_BYTES, m) == (m < lengths[i] ? to[move] : 0u));
        }

    uint8_t *known = allocate(rows, 1), *limits = allocate(4 * rows, 1), *skip = allocate(4 * rows, 1);
    p15_board *children = allocate(4 * rows, sizeof *children);
    for (size_t i = 0; i < rows; i++) known[i] = (uint8_t)draw(16);
    p15_path_beside(out_boards, out_lengths, known, rows, shape, children, limits, skip);
    for (size_t i = 0; i < rows; i++)
        for (uint8_t dir = 0; dir < P15_DIRECTIONS; dir++) {
            p15_board child;
            bool legal = p15_board_apply(out_boards[i], shape, &dir, 1, &child) == 1;
            bool wanted = legal && out_lengths[i] > 0 && !(known[i] >> dir & 1);
            CHECK(skip[4 * i + dir] == !wanted && children[4 * i + dir] == (wanted ? child : 0));
            CHECK(!wanted || limits[4 * i + dir] == out_lengths[i] - 1);
        }

    /* a move off the board, at the end of the last path */
    p15_board corner = p15_board_goal(shape, shape.cells - 1u);
    uint8_t length = 1, off[P15_PATH_BYTES] = {P15_DOWN};
    CHECK(p15_path_follow(&corner, &length, off, 1, shape, out_boards, out_lengths, out_paths, out_starts) ==
          P15_ERR_ARGUMENT);
    const p15_board none[] = {0, UINT64_MAX, corner | UINT64_C(15) << 60, corner & ~UINT64_C(15)};
    for (unsigned i = 0; i < 4; i++) {
        CHECK(p15_path_follow(&none[i], &length, off, 1, shape, out_boards, out_lengths, out_paths, out_starts) ==
              P15_ERR_BOARD);
        known[0] = 0;
        p15_path_beside(&none[i], &length, known, 1, shape, children, limits, skip);
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) CHECK(skip[dir] && children[dir] == 0);
    }
    free(walked);
    free(paths);
    free(out_boards);
    free(out_lengths);
    free(out_paths);
    free(out_starts);
    free(turned);
    free(known);
    free(limits);
    free(skip);
    free(children);
}

int main(void) {
    check_moves();
    for (unsigned rows = 2; rows <= 8; rows++)
        for (unsigned cols = 2; rows * cols <= P15_MAX_CELLS; cols++) {
            p15_shape shape;
            CHECK(p15_shape_init(rows, cols, &shape) == P15_OK);
            check_shape_of(shape);
        }
    return 0;
}
