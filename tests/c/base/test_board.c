/* p15_board and p15_status under the sanitizers: every shape, edge values, exact-size buffers. */

#include "check.h"
#include "base/board.h"

#include <string.h>

static void check_status_texts(void) {
    for (int code = 0; code < P15_STATUS_COUNT; code++) {
        const char *text = p15_status_text((p15_status)code);
        CHECK(text != NULL && strlen(text) > 0);
        CHECK(strcmp(text, "unknown status") != 0);
    }
    CHECK(strcmp(p15_status_text(P15_STATUS_COUNT), "unknown status") == 0);
}

static void check_shape_limits(void) {
    unsigned shapes = 0;
    for (unsigned rows = 0; rows < 20; rows++) {
        for (unsigned cols = 0; cols < 20; cols++) {
            p15_shape shape = {9, 9, 9};
            p15_status status = p15_shape_init(rows, cols, &shape);
            bool fits = rows >= 2 && cols >= 2 && rows * cols <= 16;
            CHECK(status == (fits ? P15_OK : P15_ERR_SHAPE));
            CHECK(shape.cells == (fits ? rows * cols : 9));
            shapes += fits;
        }
    }
    CHECK(shapes == 7 + 4 + 3 + 2 + 1 + 1 + 1);

    p15_shape shape;
    CHECK(p15_shape_init(1u << 31, 2, &shape) == P15_ERR_SHAPE);
    CHECK(p15_shape_init(65536, 65536, &shape) == P15_ERR_SHAPE);
}

static void check_goal_and_pack(p15_shape shape) {
    for (unsigned home = 0; home < shape.cells; home++) {
        p15_board goal = p15_board_goal(shape, home), again = 0;
        CHECK(p15_board_check(goal, shape) == P15_OK);
        CHECK(p15_board_blank(goal) == home);
        CHECK(p15_board_solvable(goal, goal, shape));
        CHECK(p15_board_manhattan(goal, goal, shape) == 0);

        /* An allocation of exactly `cells` bytes lets the sanitizer see one byte too many. */
        uint8_t *tiles = malloc(shape.cells);
        CHECK(tiles != NULL);
        p15_board_unpack(goal, shape, tiles);
        CHECK(p15_board_pack(tiles, shape, &again) == P15_OK && again == goal);

        uint8_t kept = tiles[0];
        const uint8_t wrong[] = {tiles[1], shape.cells, 255};
        for (size_t i = 0; i < sizeof wrong; i++) {
            tiles[0] = wrong[i];
            CHECK(p15_board_pack(tiles, shape, &again) == P15_ERR_BOARD && again == goal);
        }
        tiles[0] = kept;

        /* Two tiles swapped: the other half of the boards. */
        unsigned a = home == 0, b = a + 1;
        if (b == home) b++;
        uint8_t tile = tiles[a];
        tiles[a] = tiles[b];
        tiles[b] = tile;
        CHECK(p15_board_pack(tiles, shape, &again) == P15_OK);
        CHECK(!p15_board_solvable(again, goal, shape));
        free(tiles);
    }
    CHECK(p15_board_check(0, shape) == P15_ERR_BOARD);
    CHECK(p15_board_check(UINT64_MAX, shape) == P15_ERR_BOARD);
    if (shape.cells < 16) CHECK(p15_board_check(p15_board_goal(shape, 0) | 1ull << 60, shape) == P15_ERR_BOARD);
}

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

int main(void) {
    check_status_texts();
    check_shape_limits();
    for (unsigned rows = 2; rows <= 8; rows++) {
        for (unsigned cols = 2; cols <= 8; cols++) {
            p15_shape shape;
            if (p15_shape_init(rows, cols, &shape) != P15_OK) continue;
            check_goal_and_pack(shape);
            check_walk(shape);
        }
    }
    return 0;
}
