/* p15_board: walks on every shape, undone, applied and replayed. */

#include "check.h"
#include "base/board.h"

#include <string.h>

static void check_walk(p15_shape shape) {
    enum { STEPS = 10000 };
    p15_board goal = p15_board_goal(shape, shape.cells - 1u), board = goal;
    unsigned blank = shape.cells - 1u, steps = 0;
    uint64_t state = 12345;
    uint8_t *dirs = malloc(STEPS + 1);
    CHECK(dirs != NULL);
    while (steps < STEPS) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        unsigned dir = state >> 62;
        int next = p15_cell_neighbour(shape, blank, dir);
        if (next < 0) continue;
        p15_board after = p15_board_slide(board, blank, (unsigned)next);
        CHECK(p15_board_slide(after, (unsigned)next, blank) == board);
        dirs[steps++] = (uint8_t)dir;
        board = after;
        blank = (unsigned)next;
        CHECK(p15_board_check(board, shape) == P15_OK);
        CHECK(p15_board_blank(board) == blank);
        CHECK(p15_board_solvable(board, goal, shape));
        CHECK(p15_board_manhattan(board, goal, shape) % 2 == steps % 2);
    }
    p15_board end;
    CHECK(p15_board_apply(goal, shape, dirs, steps, &end) == steps && end == board);
    CHECK(p15_board_apply(goal, shape, dirs, 0, &end) == 0 && end == goal);
    CHECK(p15_board_replay(goal, board, shape, dirs, steps) == P15_OK);
    CHECK(p15_board_replay(goal, goal, shape, dirs, 0) == P15_OK);
    CHECK(p15_board_replay(goal, board, shape, dirs, steps - 1) == P15_ERR_ANSWER);

    unsigned illegal = 0;
    while (p15_cell_neighbour(shape, blank, illegal) >= 0) illegal++;
    CHECK(illegal < P15_DIRECTIONS);
    dirs[steps] = (uint8_t)illegal;
    CHECK(p15_board_apply(goal, shape, dirs, steps + 1, &end) == steps && end == board);
    CHECK(p15_board_replay(goal, board, shape, dirs, steps + 1) == P15_ERR_ANSWER);
    dirs[0] = P15_DIRECTIONS;
    CHECK(p15_board_apply(goal, shape, dirs, steps, &end) == 0 && end == goal);
    free(dirs);
}

/* Any word has a blank's cell: the lowest nibble that is 0, or the last one. */
static void test_blank_of_any_word(void) {
    for (unsigned i = 0; i < 10000; i++) {
        p15_board word = (uint64_t)draw(UINT32_MAX) << 32 | draw(UINT32_MAX);
        unsigned cell = 0;
        while (cell < 15 && p15_board_tile(word, cell)) cell++;
        CHECK(p15_board_blank(word) == cell);
    }
    CHECK(p15_board_blank(UINT64_MAX) == 15 && p15_board_blank(UINT64_C(0x1111111111111111)) == 15);
}

int main(void) {
    test_blank_of_any_word();
    for (unsigned rows = 2; rows <= 8; rows++) {
        for (unsigned cols = 2; cols <= 8; cols++) {
            p15_shape shape;
            if (p15_shape_init(rows, cols, &shape) != P15_OK) continue;
            check_walk(shape);
        }
    }
    return 0;
}
