/* p15_reference: shortest solutions against breadth-first search, and the fast search against it: equal lengths, and
 * without its shortcuts equal nodes. */

#include "boards.h"
#include "optimal/reference.h"
#include "subjects.h"

/* With the reflection: squares whose home is on the diagonal. */
static const struct {
    unsigned rows, cols, home, count, goal_maps[3];
    unsigned moves, boards; /* random boards this many moves from the goal */
} CASES[] = {
    {3, 3, 8, 2, {0x00f, 0x0f0}, 200, 60},           /* 4-4 */
    {3, 3, 4, 2, {0x00f, 0x1e0}, 200, 60},           /* the same, home in the center */
    {3, 3, 1, 2, {0x01d, 0x1e0}, 200, 30},           /* without the reflection */
    {3, 4, 11, 3, {0x00f, 0x0f0, 0x700}, 60, 20},    /* 4-4-3 */
    {4, 4, 15, 3, {0x08cc, 0x1113, 0x6620}, 50, 15}, /* 5-5-5 */
};

static void check_partition(const partition *p, unsigned moves, unsigned count) {
    enum { MOST = 60 };
    p15_board boards[MOST], goal = p15_board_goal(p->shape, p->home);
    p15_reference_solution solutions[MOST];
    uint8_t *lengths = p->shape.cells == 9 ? distances(p->shape, goal) : NULL;
    boards[0] = goal;
    for (unsigned i = 1; i < count; i++) boards[i] = draw_near(p->shape, goal, moves + i % 2);
    for (unsigned i = 0; i < count; i++) {
        CHECK(p15_reference_solve(p->tables, p->count, boards[i], &solutions[i]) == P15_OK);
        CHECK(leads(p->shape, boards[i], goal, solutions[i].moves, solutions[i].length));
        CHECK(!lengths || solutions[i].length == lengths[twin_rank(p->shape, boards[i])]);
    }
    for (unsigned plain = 0; plain < 2; plain++) {
        p15_fsm fsm = fsm_of(p->shape.rows, p->shape.cols, plain ? 2 : 10);
        p15_problem problem = {0};
        start_problem(p, &fsm, &problem);
        add_lookup(p, 0, &problem);
        if (p->shape.rows == p->shape.cols && p->home % (p->shape.cols + 1u) == 0) add_lookup(p, 1, &problem);
        problem.plain = plain;
        p15_result *results = solve(single_tile(&problem), boards, count, 8, 1000);
        for (unsigned i = 0; i < count; i++) {
            CHECK(results[i].length == solutions[i].length);
            CHECK(!plain || results[i].expanded == solutions[i].expanded);
        }
        free(results);
        p15_problem_free(&problem);
        p15_fsm_free(&fsm);
    }
    p15_board other = goal ^ (p15_board_tile(goal, 2) ^ p15_board_tile(goal, 3)) * UINT64_C(0x1100);
    CHECK(p15_reference_solve(p->tables, p->count, 0, &solutions[0]) == P15_ERR_BOARD);
    CHECK(p15_reference_solve(p->tables, p->count, other, &solutions[0]) == P15_ERR_UNSOLVABLE);
    free(lengths);
}

int main(void) {
    for (unsigned i = 0; i < sizeof CASES / sizeof *CASES; i++)
        for (unsigned classic = 0; classic < 2; classic++) {
            partition p;
            make_partition(shape_of(CASES[i].rows, CASES[i].cols), CASES[i].home, classic, CASES[i].count,
                           CASES[i].goal_maps, &p);
            check_partition(&p, CASES[i].moves, CASES[i].boards);
            free_partition(&p);
        }
    return 0;
}
