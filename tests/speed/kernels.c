/* Times each compilation of a kernel, for test_ratios.py.
 *
 *     kernels                  prints the names of all kernels
 *     kernels NAME SECONDS     prints for each level of one of them the level's number and the least processor time
 *
 * The levels run in turn, for about so many seconds, and the least time counts: what else runs on the machine can only
 * add to a time. */

#include "boards.h"
#include "evaluators.h"
#include "learning/network/dense.h"
#include "search/best_first/best_first.h"
#include "search/deepening/deepening.h"
#include "subjects.h"

#include <time.h>

/* Number 28 of Korf's 100 boards, whose goal has the blank first: 17,984,051 nodes with Manhattan distance. */
static const uint8_t KORF_28[16] = {1, 3, 2, 5, 10, 9, 15, 6, 8, 14, 13, 11, 12, 4, 7, 0};

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* What to time, and what was found. */
typedef struct {
    double seconds, first, least[P15_CPU_COUNT];
    unsigned rounds;
} times;

/* Whether to run all levels once more: at least once, and until the time is over. */
static bool again(times *t) {
    if (t->rounds++ > 0) return now() - t->first < t->seconds;
    t->first = now();
    return true;
}

static void keep_least(times *t, p15_cpu level, double seconds) {
    if (t->least[level] == 0 || seconds < t->least[level]) t->least[level] = seconds;
}

/* ------------------------------------------------------------------------------- tables --- */

enum { PARTS = 3 };

/* tiles {3,4,7,8,12} {1,2,5,9,13} {6,10,11,14,15} */
static const unsigned FIVES[PARTS] = {0x08cc, 0x1113, 0x6620};

/* All levels of a table of tiles 1 .. k. */
static void time_levels(unsigned k, p15_cpu best, times *t) {
    while (again(t))
        for (p15_cpu level = 0; level <= best; level++) {
            built b;
            p15_build build;
            build_open(shape_of(4, 4), (1u << k) - 1u, 15, false, level, &build, &b);
            double began = now();
            build_levels(&build, false, &b);
            keep_least(t, level, now() - began);
            build_close(&build);
            build_free(&b);
        }
}

/* The rows of such a table. */
static void time_rows(unsigned k, p15_cpu best, times *t) {
    built b;
    p15_build build;
    build_open(shape_of(4, 4), (1u << k) - 1u, 15, false, best, &build, &b);
    build_levels(&build, false, &b);
    while (again(t))
        for (p15_cpu level = 0; level <= best; level++) {
            build.cpu = level;
            double began = now();
            build_rows(&build, &b);
            keep_least(t, level, now() - began);
        }
    build_close(&build);
    build_free(&b);
}

static void time_walk(unsigned unused, p15_cpu best, times *t) {
    enum { COUNT = 1 << 14 };
    partition p;
    make_partition(shape_of(4, 4), 15, false, 1, FIVES, &p);
    p15_table table = p.tables[0];
    uint32_t *perms = allocate(COUNT, sizeof *perms);
    unsigned *maps = allocate(COUNT, sizeof *maps), *blanks = allocate(COUNT, sizeof *blanks);
    for (unsigned i = 0; i < COUNT; i++) {
        maps[i] = draw_map(table.space->shape, table.space->k, 15);
        perms[i] = draw_perm(table.space->k);
        do blanks[i] = draw(16);
        while (maps[i] >> blanks[i] & 1u);
    }
    while (again(t))
        for (p15_cpu level = 0; level <= best; level++) {
            table.cpu = level;
            double began = now();
            for (unsigned i = 0; i < COUNT; i++) {
                unsigned value;
                CHECK(p15_table_value(&table, maps[i], perms[i], blanks[i], &value) == P15_OK);
            }
            keep_least(t, level, now() - began);
        }
    free(perms);
    free(maps);
    free(blanks);
    free_partition(&p);
    (void)unused;
}

/* ------------------------------------------------------------------------------ searches --- */

/* 200,000 expansions of A* at all levels, or IDA*, which picks the level itself. */
static void time_search(unsigned best_first, p15_cpu best, times *t) {
    p15_shape shape = shape_of(4, 4);
    p15_board board;
    CHECK(p15_board_pack(KORF_28, shape, &board) == P15_OK);
    p15_evaluator *evaluator = evaluator_of(shape, p15_board_goal(shape, 0), 1u << P15_MANHATTAN);
    while (again(t))
        for (p15_cpu level = 0; level <= (best_first ? best : P15_CPU_PLAIN); level++) {
            p15_search *search;
            p15_search_options options = {.start = board,
                                          .goal = p15_board_goal(shape, 0),
                                          .evaluator = evaluator,
                                          .max_bytes = (size_t)1 << 30,
                                          .cpu = best_first ? level : best,
                                          .batch = 1,
                                          .g_weight = 1,
                                          .h_weight = 1,
                                          .ties = P15_TIES_LARGER_G,
                                          .first_bound = P15_FROM_H,
                                          .last_bound = P15_MAX_BOUND,
                                          .limit = UINT64_MAX};
            memcpy(options.order, ORDERS[0], sizeof options.order);
            double began = now();
            const p15_search_type *type = best_first ? &P15_BESTFIRST : &P15_DEEPENING;
            CHECK(p15_search_new(type, &options, &search) == P15_OK);
            while (p15_search_run(search, best_first ? 200000 : UINT64_MAX) && !best_first) {
            }
            keep_least(t, level, now() - began);
            p15_search_delete(search);
        }
    p15_evaluator_delete(evaluator);
}

/* A batch of boards at each level. */
static void time_batch(subject s, p15_cpu *cpu, const p15_board *boards, unsigned count, p15_cpu best, times *t) {
    p15_result *results = allocate(count, sizeof *results);
    while (again(t))
        for (p15_cpu level = 0; level <= best; level++) {
            memset(results, 0, count * sizeof *results);
            *cpu = level;
            double began = now();
            run_batch(s, boards, NULL, NULL, count, UINT64_MAX, results);
            keep_least(t, level, now() - began);
            for (unsigned i = 0; i < count; i++) CHECK(results[i].status == P15_OK && results[i].solved);
        }
    free(results);
}

/* Boards one after the other, with one or two lookups of zero-aware tables, or with one of classic tables (0). */
static void time_idastar(unsigned lookups, p15_cpu best, times *t) {
    enum { COUNT = 20 };
    p15_shape shape = shape_of(4, 4);
    p15_fsm fsm = fsm_of(4, 4, 10);
    p15_board boards[COUNT];
    partition p;
    p15_problem problem;
    make_partition(shape, 15, lookups == 0, PARTS, FIVES, &p);
    CHECK(p15_problem_init(shape, 15, &fsm, &problem) == P15_OK);
    problem.slot_count = 3;
    for (unsigned i = 0; i < (lookups ? lookups : 1); i++) add_lookup(&p, i, &problem);
    for (unsigned i = 0; i < COUNT; i++) boards[i] = draw_near(shape, problem.goal, 90);
    time_batch(single_tile(&problem), &problem.cpu, boards, COUNT, best, t);
    p15_problem_free(&problem);
    free_partition(&p);
    p15_fsm_free(&fsm);
}

/* Boards one after the other, with two tables for the board and its reflection. */
static void time_multi_tile(unsigned unused, p15_cpu best, times *t) {
    enum { COUNT = 4, TABLES = 2 };
    p15_shape shape = shape_of(4, 4);
    p15_board boards[COUNT];
    multi_built parts[TABLES];
    p15_multi_problem problem;
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    unsigned symmetries = p15_symmetries(shape, maps);
    CHECK(p15_multi_problem_init(shape, 15, &problem) == P15_OK);
    for (unsigned i = 0; i < TABLES; i++) {
        build_multi(shape, FIVES[i], 15, best, UINT32_MAX, &parts[i]);
        for (unsigned s = 0; s < symmetries; s++)
            if (maps[s][15] == 15) CHECK(p15_multi_problem_add_lookup(&problem, &parts[i].table, maps[s]) == P15_OK);
    }
    for (unsigned i = 0; i < COUNT; i++) boards[i] = draw_near(shape, problem.goal, 60);
    time_batch(multi_tile(&problem), &problem.cpu, boards, COUNT, best, t);
    for (unsigned i = 0; i < TABLES; i++) free_multi(&parts[i]);
    (void)unused;
}

/* ------------------------------------------------------------------------------ networks --- */

typedef enum { FLOATS, BYTES } kind;

/* 256-512-32-1, of small random weights; floats, or bytes in the first two layers. */
static p15_dense *new_network(kind of, p15_cpu level) {
    enum { HIDDEN = 512, OUTPUTS = 32, WIDE = 128 };
    static int8_t weights0[P15_DENSE_INPUTS * HIDDEN], weights1[HIDDEN * OUTPUTS];
    static float floats0[P15_DENSE_INPUTS * HIDDEN], floats1[HIDDEN * WIDE], last[WIDE], biases[HIDDEN];
    static int16_t biases0[HIDDEN];
    static int32_t biases1[OUTPUTS];
    for (unsigned i = 0; i < P15_DENSE_INPUTS * HIDDEN; i++) {
        weights0[i] = (int8_t)((int)draw(101) - 50);
        floats0[i] = (float)weights0[i] / 64;
    }
    for (unsigned i = 0; i < HIDDEN * OUTPUTS; i++) weights1[i] = (int8_t)((int)draw(101) - 50);
    for (unsigned i = 0; i < HIDDEN * WIDE; i++) floats1[i] = (float)((int)draw(101) - 50) / 999;
    for (unsigned i = 0; i < WIDE; i++) last[i] = (float)((int)draw(101) - 50) / 128;
    p15_dense *network;
    if (of == BYTES) {
        p15_quantized_layers first = {HIDDEN, OUTPUTS, 2, P15_RELU, 1.0f / 2048, weights0, weights1, biases0, biases1};
        p15_dense_layer layer = {OUTPUTS, 1, P15_LINEAR, last, biases};
        CHECK(p15_dense_new_quantized(&first, &layer, 1, level, &network) == P15_OK);
    } else {
        p15_dense_layer layers[] = {{P15_DENSE_INPUTS, HIDDEN, P15_ELU, floats0, biases},
                                    {HIDDEN, WIDE, P15_ELU, floats1, biases},
                                    {WIDE, 1, P15_LINEAR, last, biases}};
        CHECK(p15_dense_new(layers, 3, level, &network) == P15_OK);
    }
    return network;
}

/* Boards are added, or what was added is computed. */
static void time_dense(kind of, bool adds, p15_cpu best, times *t) {
    enum { COUNT = 1024, BATCH = 128 };
    p15_shape shape = shape_of(4, 4);
    p15_board boards[COUNT];
    float outputs[BATCH];
    p15_dense *networks[P15_CPU_COUNT];
    for (unsigned i = 0; i < COUNT; i++) boards[i] = draw_board(shape, p15_board_goal(shape, 15));
    for (p15_cpu level = 0; level <= best; level++) networks[level] = new_network(of, level);
    while (again(t))
        for (p15_cpu level = 0; level <= best; level++) {
            p15_dense_batch *batch;
            double added = 0, ran = 0;
            CHECK(p15_dense_batch_new(networks[level], BATCH, &batch) == P15_OK);
            for (unsigned first = 0; first < COUNT; first += BATCH) {
                double began = now();
                for (unsigned i = first; i < first + BATCH; i++) p15_dense_add(batch, boards[i]);
                double between = now();
                p15_dense_run(batch, outputs);
                added += between - began;
                ran += now() - between;
            }
            keep_least(t, level, adds ? added : ran);
            p15_dense_batch_delete(batch);
        }
    for (p15_cpu level = 0; level <= best; level++) p15_dense_delete(networks[level]);
}

static void time_adds(unsigned of, p15_cpu best, times *t) { time_dense((kind)of, true, best, t); }

static void time_runs(unsigned of, p15_cpu best, times *t) { time_dense((kind)of, false, best, t); }

static const struct {
    const char *name;
    void (*time)(unsigned what, p15_cpu best, times *t);
    unsigned what;
} KERNELS[] = {
    {"tables/build-level-6", time_levels, 6},
    {"tables/build-level-7", time_levels, 7},
    {"tables/build-transpose-6", time_rows, 6},
    {"tables/build-transpose-7", time_rows, 7},
    {"tables/walk", time_walk, 0},
    {"optimal/one-lookup", time_idastar, 1},
    {"optimal/two-lookups", time_idastar, 2},
    {"optimal/classic", time_idastar, 0},
    {"multitile/four-lookups", time_multi_tile, 0},
    {"search/trees", time_search, false},
    {"search/best-first", time_search, true},
    {"dense/add-floats", time_adds, FLOATS},
    {"dense/add-bytes", time_adds, BYTES},
    {"dense/run-floats", time_runs, FLOATS},
    {"dense/run-bytes", time_runs, BYTES},
};

int main(int count, char **arguments) {
    for (unsigned i = 0; i < sizeof KERNELS / sizeof *KERNELS; i++) {
        if (count == 1) printf("%s\n", KERNELS[i].name);
        if (count != 3 || strcmp(arguments[1], KERNELS[i].name) != 0) continue;
        times t = {.seconds = atof(arguments[2])};
        KERNELS[i].time(KERNELS[i].what, p15_cpu_highest(), &t);
        for (unsigned level = 0; level < P15_CPU_COUNT; level++)
            if (t.least[level] > 0) printf("%u %.7f\n", level, t.least[level]);
    }
    return 0;
}
