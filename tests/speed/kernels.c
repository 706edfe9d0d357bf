/* Times each compilation of each kernel, and the optimal search beside a plain loop, for test_ratios.py.
 *
 *     kernels ROUNDS    prints a line for each kernel and level: its name, the level's number, the least seconds;
 *                       and a line for each search beside the plain loop: its name, 0, how many times as fast it is
 *
 * All that is compared runs in turn, ROUNDS times, and the least of its processor times counts: what else runs on the
 * machine can only add to a time. Beside the plain loop the median of the rounds' ratios counts: a processor that
 * changes its speed between two halves of a round spoils this round alone. */

#include "boards.h"
#include "search/best_first/best_first.h"
#include "search/deepening/deepening.h"
#include "learning/network/dense.h"
#include "optimal/worker.h"
#include "tables.h"

#include <time.h>

/* Number 28 of Korf's 100 boards, whose goal has the blank first: 17,984,051 nodes with Manhattan distance. */
static const uint8_t KORF_28[16] = {1, 3, 2, 5, 10, 9, 15, 6, 8, 14, 13, 11, 12, 4, 7, 0};

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

typedef struct {
    double least[P15_CPU_COUNT];
} times;

static void keep_least(times *t, unsigned level, double seconds) {
    if (t->least[level] == 0 || seconds < t->least[level]) t->least[level] = seconds;
}

static void print_times(const char *name, const times *t) {
    for (unsigned level = 0; level < P15_CPU_COUNT; level++)
        if (t->least[level] > 0) printf("%s %u %.6f\n", name, level, t->least[level]);
}

/* ------------------------------------------------------------------------------- tables --- */

enum { PARTS = 3 };

/* tiles {3,4,7,8,12} {1,2,5,9,13} {6,10,11,14,15} */
static const unsigned FIVES[PARTS] = {0x08cc, 0x1113, 0x6620};

/* A table of tiles 1 .. k: all levels, and its rows. */
static void time_build(unsigned k, const char *levels, const char *rows_name, unsigned rounds, p15_cpu best) {
    times visits = {{0}}, rows = {{0}};
    p15_shape shape = shape_of(4, 4);
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned level = 0; level <= best; level++) {
            built b;
            p15_build build;
            build_open(shape, (1u << k) - 1u, 15, false, (p15_cpu)level, &build, &b);
            double began = now();
            build_levels(&build, false, &b);
            keep_least(&visits, level, now() - began);
            began = now();
            build_rows(&build, &b);
            keep_least(&rows, level, now() - began);
            build_close(&build);
            build_free(&b);
        }
    print_times(levels, &visits);
    print_times(rows_name, &rows);
}

static void time_walk(const p15_table *tables, unsigned rounds, p15_cpu best) {
    enum { COUNT = 1 << 14 };
    times walks = {{0}};
    p15_table table = tables[0];
    uint32_t *perms = allocate(COUNT, sizeof *perms);
    unsigned *maps = allocate(COUNT, sizeof *maps), *blanks = allocate(COUNT, sizeof *blanks);
    for (unsigned i = 0; i < COUNT; i++) {
        maps[i] = draw_map(table.space->shape, table.space->k, 15);
        perms[i] = draw_perm(table.space->k);
        do blanks[i] = draw(16);
        while (maps[i] >> blanks[i] & 1u);
    }
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned level = 0; level <= best; level++) {
            table.cpu = (p15_cpu)level;
            double began = now();
            for (unsigned i = 0; i < COUNT; i++) {
                unsigned value;
                CHECK(p15_table_value(&table, maps[i], perms[i], blanks[i], &value) == P15_OK);
            }
            keep_least(&walks, level, now() - began);
        }
    print_times("tables/walk", &walks);
    free(perms);
    free(maps);
    free(blanks);
}

/* ------------------------------------------------------------------------------ searches --- */

static void time_bundles(unsigned rounds, p15_cpu best) {
    times t = {{0}};
    p15_shape shape = shape_of(4, 4);
    p15_board board;
    CHECK(p15_board_pack(KORF_28, shape, &board) == P15_OK);
    p15_evaluator *evaluator = evaluator_of(shape, p15_board_goal(shape, 0), 1u << P15_MANHATTAN);
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned level = 0; level <= best; level++) {
            p15_deepening *search;
            double began = now();
            CHECK(p15_deepening_new(evaluator, board, ORDERS[0], P15_FROM_H, P15_MAX_BOUND, UINT64_MAX, (p15_cpu)level,
                                    &search) == P15_OK);
            while (p15_deepening_run(search, UINT64_MAX)) {
            }
            keep_least(&t, level, now() - began);
            p15_deepening_delete(search);
        }
    print_times("search/bundles", &t);
    p15_evaluator_delete(evaluator);
}

static void time_best_first(unsigned rounds, p15_cpu best) {
    times t = {{0}};
    p15_shape shape = shape_of(4, 4);
    p15_board board;
    CHECK(p15_board_pack(KORF_28, shape, &board) == P15_OK);
    p15_evaluator *evaluator = evaluator_of(shape, p15_board_goal(shape, 0), 1u << P15_MANHATTAN);
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned level = 0; level <= best; level++) {
            p15_bestfirst_options options = {.g_weight = 1, .h_weight = 1, .ties = P15_TIES_LARGER_G, .batch = 1};
            p15_bestfirst *search;
            memcpy(options.order, ORDERS[0], sizeof options.order);
            options.max_bytes = (size_t)1 << 30;
            options.cpu = (p15_cpu)level;
            double began = now();
            CHECK(p15_bestfirst_new(evaluator, board, &options, &search) == P15_OK);
            p15_bestfirst_run(search, 200000);
            keep_least(&t, level, now() - began);
            p15_bestfirst_delete(search);
        }
    print_times("search/best-first", &t);
    p15_evaluator_delete(evaluator);
}

/* Solves boards one after the other, and gives the nodes that were generated. */
static uint64_t solve_all(const p15_problem *problem, const p15_board *boards, size_t count) {
    p15_result *results = allocate(count, sizeof *results);
    p15_batch batch;
    p15_worker *worker;
    uint64_t generated = 0;
    CHECK(p15_worker_new(problem, &worker) == P15_OK);
    p15_batch_start(boards, NULL, NULL, results, count, &batch);
    while (p15_worker_run_batch(worker, &batch, UINT64_MAX)) {
    }
    for (size_t i = 0; i < count; i++) {
        CHECK(results[i].status == P15_OK && results[i].solved);
        generated += results[i].generated;
    }
    p15_worker_delete(worker);
    free(results);
    return generated;
}

static void time_idastar(p15_problem *problem, const char *name, const p15_board *boards, size_t count, unsigned rounds,
                         p15_cpu best) {
    times t = {{0}};
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned level = 0; level <= best; level++) {
            problem->cpu = (p15_cpu)level;
            double began = now();
            solve_all(problem, boards, count);
            keep_least(&t, level, now() - began);
        }
    problem->cpu = best;
    print_times(name, &t);
}

/* ------------------------------------------------------------------- the plain IDA* loop --- */

/* What a good textbook program does: a recursion on the board's tiles, and for each pattern an array of bytes, indexed
 * by the cells of its tiles and of the blank, four bits each. */
typedef struct {
    uint8_t *values[PARTS];
    unsigned part_of[16], shift_of[16]; /* of a tile: its pattern, and where its cell is in the index */
    uint64_t index[PARTS];
    unsigned tiles[16], bound;
    uint64_t generated;
} plain_search;

static void make_plain(p15_shape shape, plain_search *plain) {
    for (unsigned part = 0; part < PARTS; part++) {
        twin_table t;
        twin_build(shape, FIVES[part], 15, &t);
        plain->values[part] = allocate((size_t)1 << 24, 1);
        unsigned label = 0;
        for (unsigned cell = 0; cell < 15; cell++)
            if (FIVES[part] >> cell & 1u) {
                plain->part_of[cell + 1] = part;
                plain->shift_of[cell + 1] = 4 * label++;
            }
        for (uint64_t state = 0; state < (uint64_t)1 << 24; state++) {
            unsigned seen = 0;
            for (unsigned i = 0; i <= t.k; i++) seen |= 1u << (state >> (4 * i) & 15u);
            if (twin_count(seen) == t.k + 1) plain->values[part][state] = t.values[twin_index(&t, state)];
        }
        free(t.values);
    }
}

static unsigned plain_h(const plain_search *plain, unsigned blank) {
    unsigned h = 0;
    for (unsigned part = 0; part < PARTS; part++) h += plain->values[part][plain->index[part] | (uint64_t)blank << 20];
    return h;
}

/* Counts all children before it goes down to any, and sees the goal among them, as the textbook search does. */
static bool plain_visit(plain_search *plain, unsigned blank, unsigned g, unsigned h, unsigned last) {
    static const int steps[P15_DIRECTIONS] = {-4, -1, 1, 4};
    unsigned children[P15_DIRECTIONS];
    bool solved = false;
    bool can[P15_DIRECTIONS] = {blank >= 4, blank % 4 > 0, blank % 4 < 3, blank < 12};
    if (last < P15_DIRECTIONS) can[3 - last] = false;
    for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
        if (!can[direction]) continue;
        /* The blank passes other patterns' tiles without a change of their values, so one pattern is looked up. */
        unsigned cell = (unsigned)((int)blank + steps[direction]), tile = plain->tiles[cell];
        const uint8_t *values = plain->values[plain->part_of[tile]];
        uint64_t index = plain->index[plain->part_of[tile]];
        uint64_t after = index ^ (uint64_t)(cell ^ blank) << plain->shift_of[tile];
        children[direction] = h - values[index | (uint64_t)blank << 20] + values[after | (uint64_t)cell << 20];
        plain->generated++;
        solved |= children[direction] == 0;
    }
    if (solved) return true;
    for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
        if (!can[direction] || g + 1 + children[direction] > plain->bound) continue;
        unsigned cell = (unsigned)((int)blank + steps[direction]), tile = plain->tiles[cell];
        uint64_t *index = &plain->index[plain->part_of[tile]], flip = (uint64_t)(cell ^ blank) << plain->shift_of[tile];
        *index ^= flip;
        plain->tiles[blank] = tile;
        bool found = plain_visit(plain, cell, g + 1, children[direction], direction);
        plain->tiles[cell] = tile;
        *index ^= flip;
        if (found) return true;
    }
    return false;
}

static uint64_t plain_solve(plain_search *plain, p15_board board) {
    unsigned blank = 0;
    memset(plain->index, 0, sizeof plain->index);
    for (unsigned cell = 0; cell < 16; cell++) {
        unsigned tile = plain->tiles[cell] = p15_board_tile(board, cell);
        if (tile == 0)
            blank = cell;
        else
            plain->index[plain->part_of[tile]] |= (uint64_t)cell << plain->shift_of[tile];
    }
    unsigned h = plain->bound = plain_h(plain, blank);
    plain->generated = 0;
    while (!plain_visit(plain, blank, 0, h, P15_DIRECTIONS)) plain->bound += 2;
    return plain->generated;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The search beside the plain loop. */
static void time_plain(const char *name, const p15_problem *problem, plain_search *plain, const p15_board *boards,
                       size_t count, unsigned rounds) {
    double *ratios = allocate(rounds, sizeof *ratios);
    for (unsigned round = 0; round < rounds; round++) {
        double began = now();
        solve_all(problem, boards, count);
        double between = now();
        for (size_t i = 0; i < count; i++) plain_solve(plain, boards[i]);
        ratios[round] = (now() - between) / (between - began);
    }
    qsort(ratios, rounds, sizeof *ratios, compare_doubles);
    printf("%s 0 %.3f\n", name, ratios[rounds / 2]);
    free(ratios);
}

static void time_tables(unsigned rounds, p15_cpu best) {
    enum { COUNT = 20 };
    p15_shape shape = shape_of(4, 4);
    p15_automaton words, undos;
    p15_board boards[COUNT];
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    CHECK(p15_automaton_init(shape, 10, &words) == P15_OK && p15_automaton_init(shape, 2, &undos) == P15_OK);
    p15_symmetries(shape, maps);
    for (unsigned classic = 0; classic < 2; classic++) {
        built parts[PARTS];
        p15_table tables[PARTS];
        p15_problem problem;
        CHECK(p15_problem_init(shape, 15, &words, &problem) == P15_OK);
        problem.lane_count = 3;
        for (unsigned i = 0; i < PARTS; i++) {
            built *b = &parts[i];
            build_table(shape, FIVES[i], 15, classic, best, false, b);
            CHECK(p15_table_init(&b->space, b->payload, b->payload_bytes, classic, b->max_value, FIVES[i], 15,
                                 &tables[i]) == P15_OK);
        }
        for (unsigned i = 0; i < COUNT; i++) boards[i] = draw_near(shape, problem.goal, 90);
        CHECK(p15_problem_add_view(&problem, tables, PARTS, maps[0]) == P15_OK);
        if (classic) {
            time_idastar(&problem, "optimal/classic", boards, COUNT, rounds, best);
        } else {
            time_walk(tables, rounds, best);
            p15_problem textbook;
            CHECK(p15_problem_init(shape, 15, &undos, &textbook) == P15_OK);
            CHECK(p15_problem_add_view(&textbook, tables, PARTS, maps[0]) == P15_OK);
            textbook.plain = true;
            textbook.lane_count = 1;
            plain_search plain;
            make_plain(shape, &plain);
            uint64_t generated = 0;
            for (size_t i = 0; i < COUNT; i++) generated += plain_solve(&plain, boards[i]);
            CHECK(solve_all(&textbook, boards, COUNT) == generated);
            time_idastar(&problem, "optimal/one-view", boards, COUNT, rounds, best);
            time_plain("beside-plain/one-view", &problem, &plain, boards, COUNT, 3 * rounds);
            CHECK(p15_problem_add_view(&problem, tables, PARTS, maps[1]) == P15_OK);
            time_idastar(&problem, "optimal/two-views", boards, COUNT, rounds, best);
            time_plain("beside-plain/two-views", &problem, &plain, boards, COUNT, 3 * rounds);
            for (unsigned part = 0; part < PARTS; part++) free(plain.values[part]);
            p15_problem_free(&textbook);
        }
        p15_problem_free(&problem);
        for (unsigned i = 0; i < PARTS; i++) build_free(&parts[i]);
    }
    p15_automaton_free(&words);
    p15_automaton_free(&undos);
}

/* ------------------------------------------------------------------------------ networks --- */

typedef enum { FLOATS, HALVES, BYTES, KINDS } kind;

/* 256-512-32-1, of small random weights; floats that are no halves, halves, or bytes in the first two layers. */
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
    for (unsigned i = 0; i < HIDDEN * WIDE; i++)
        floats1[i] = (float)((int)draw(101) - 50) / (of == HALVES ? 1024 : 999);
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

static void time_dense(unsigned rounds, p15_cpu best) {
    enum { COUNT = 1024, BATCH = 128 };
    static const char *const NAMES[KINDS][2] = {{"dense/add-floats", "dense/run-floats"},
                                                {"dense/add-halves", "dense/run-halves"},
                                                {"dense/add-bytes", "dense/run-bytes"}};
    p15_shape shape = shape_of(4, 4);
    p15_board boards[COUNT];
    float outputs[BATCH];
    for (unsigned i = 0; i < COUNT; i++) boards[i] = draw_board(shape, p15_board_goal(shape, 15));
    for (unsigned of = 0; of < KINDS; of++) {
        times adds = {{0}}, runs = {{0}};
        p15_dense *networks[P15_CPU_COUNT];
        for (unsigned level = 0; level <= best; level++) networks[level] = new_network((kind)of, (p15_cpu)level);
        for (unsigned round = 0; round < 3 * rounds; round++)
            for (unsigned level = 0; level <= best; level++) {
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
                keep_least(&adds, level, added);
                keep_least(&runs, level, ran);
                p15_dense_batch_delete(batch);
            }
        print_times(NAMES[of][0], &adds);
        print_times(NAMES[of][1], &runs);
        for (unsigned level = 0; level <= best; level++) p15_dense_delete(networks[level]);
    }
}

int main(int count, char **arguments) {
    CHECK(count == 2);
    unsigned rounds = (unsigned)atoi(arguments[1]);
    p15_cpu best = p15_cpu_pick();
    time_build(6, "tables/build-level-6", "tables/build-transpose-6", rounds, best);
    time_build(7, "tables/build-level-7", "tables/build-transpose-7", (rounds + 1) / 2, best);
    time_tables(rounds, best);
    time_bundles(rounds, best);
    time_best_first(rounds, best);
    time_dense(rounds, best);
    return 0;
}
