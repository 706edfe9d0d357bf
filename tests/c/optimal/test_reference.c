/* p15_reference: shortest solutions against breadth-first search, and the fast search against it: equal lengths, and
 * without its shortcuts equal nodes. */

#include "boards.h"
#include "optimal/reference.h"
#include "optimal/worker.h"
#include "fsms.h"
#include "tables.h"

typedef struct {
    unsigned rows, cols, home, count, goal_maps[4];
    unsigned moves, boards; /* random boards this many moves from the goal */
} partition;

/* With the reflection: squares whose home is on the diagonal. */
static const partition PARTITIONS[] = {
    {3, 3, 8, 2, {0x00f, 0x0f0}, 200, 60},           /* 4-4 */
    {3, 3, 4, 2, {0x00f, 0x1e0}, 200, 60},           /* the same, home in the center */
    {3, 3, 1, 2, {0x01d, 0x1e0}, 200, 30},           /* without the reflection */
    {3, 4, 11, 3, {0x00f, 0x0f0, 0x700}, 60, 20},    /* 4-4-3 */
    {4, 4, 15, 3, {0x08cc, 0x1113, 0x6620}, 50, 15}, /* 5-5-5 */
};

static void solve_fast(p15_problem *problem, const p15_board *boards, unsigned count, p15_result *results) {
    p15_batch batch;
    p15_worker *worker;
    memset(results, 0, count * sizeof *results);
    CHECK(p15_worker_new(problem, &worker) == P15_OK);
    p15_batch_start(boards, NULL, NULL, results, count, &batch);
    while (p15_worker_run_batch(worker, &batch, 1000)) continue;
    p15_worker_delete(worker);
}

static void check_partition(const partition *p, bool classic) {
    enum { MOST = 60 };
    p15_shape shape = shape_of(p->rows, p->cols);
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    built parts[4];
    p15_table tables[4];
    p15_fsm fsms[2];
    p15_board boards[MOST], goal = p15_board_goal(shape, p->home);
    p15_result results[MOST];
    p15_reference_solution solutions[MOST];
    uint8_t *lengths = shape.cells == 9 ? distances(shape, goal) : NULL;
    for (unsigned i = 0; i < p->count; i++) {
        build_table(shape, p->goal_maps[i], p->home, classic, p15_cpu_pick(), false, &parts[i]);
        CHECK(p15_table_init(&parts[i].space, parts[i].payload, parts[i].payload_bytes, classic, parts[i].max_value,
                             p->goal_maps[i], p->home, &tables[i]) == P15_OK);
    }
    boards[0] = goal;
    for (unsigned i = 1; i < p->boards; i++) boards[i] = draw_near(shape, goal, p->moves + i % 2);
    for (unsigned i = 0; i < p->boards; i++) {
        CHECK(p15_reference_solve(tables, p->count, boards[i], &solutions[i]) == P15_OK);
        CHECK(leads(shape, boards[i], goal, solutions[i].moves, solutions[i].length));
        CHECK(!lengths || solutions[i].length == lengths[twin_rank(shape, boards[i])]);
    }
    p15_symmetries(shape, maps);
    for (unsigned plain = 0; plain < 2; plain++) {
        p15_problem problem;
        CHECK(make_fsm(shape, plain ? 2 : 10, &fsms[plain]) == P15_OK);
        CHECK(p15_problem_init(shape, p->home, &fsms[plain], &problem) == P15_OK);
        CHECK(p15_problem_add_lookup(&problem, tables, p->count, maps[0]) == P15_OK);
        if (shape.rows == shape.cols && maps[1][p->home] == p->home)
            CHECK(p15_problem_add_lookup(&problem, tables, p->count, maps[1]) == P15_OK);
        problem.plain = plain;
        solve_fast(&problem, boards, p->boards, results);
        for (unsigned i = 0; i < p->boards; i++) {
            CHECK(results[i].solved && results[i].length == solutions[i].length);
            CHECK(!plain || results[i].expanded == solutions[i].expanded);
        }
        p15_problem_free(&problem);
        p15_fsm_free(&fsms[plain]);
    }
    p15_reference_solution solution;
    CHECK(p15_reference_solve(tables, p->count, 0, &solution) == P15_ERR_BOARD);
    p15_board other = goal ^ (p15_board_tile(goal, 2) ^ p15_board_tile(goal, 3)) * UINT64_C(0x1100);
    CHECK(p15_reference_solve(tables, p->count, other, &solution) == P15_ERR_UNSOLVABLE);
    for (unsigned i = 0; i < p->count; i++) build_free(&parts[i]);
    free(lengths);
}

int main(void) {
    for (unsigned i = 0; i < sizeof PARTITIONS / sizeof *PARTITIONS; i++)
        for (unsigned classic = 0; classic < 2; classic++) check_partition(&PARTITIONS[i], classic);
    return 0;
}
