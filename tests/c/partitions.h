/* Tables of partitions, problems of them, and searches that check what they find. */
#ifndef PARTITIONS_H
#define PARTITIONS_H

#include "optimal/worker.h"
#include "tables.h"

enum { MOST_PARTS = 15 };

/* The tables of a partition, given by the tiles' goal cells. */
typedef struct {
    p15_shape shape;
    unsigned home, count;
    built parts[MOST_PARTS];
    p15_table tables[MOST_PARTS];
} partition;

static inline void make_partition(p15_shape shape, unsigned home, bool classic, unsigned count,
                                  const unsigned *goal_maps, partition *p) {
    p->shape = shape;
    p->home = home;
    p->count = count;
    for (unsigned i = 0; i < count; i++) {
        built *b = &p->parts[i];
        build_table(shape, goal_maps[i], home, classic, p15_cpu_highest(), false, b);
        CHECK(p15_table_init(&b->space, b->payload, b->payload_bytes, classic, b->max_value, goal_maps[i], home,
                             &p->tables[i]) == P15_OK);
    }
}

static inline void free_partition(partition *p) {
    for (unsigned i = 0; i < p->count; i++) build_free(&p->parts[i]);
}

static inline p15_fsm fsm_of(unsigned rows, unsigned cols, unsigned length) {
    p15_fsm fsm;
    CHECK(p15_fsm_init(shape_of(rows, cols), length, &fsm) == P15_OK);
    return fsm;
}

/* Of all zeros, or another one before. A problem may not be copied: it points into itself. */
static inline void start_problem(const partition *p, const p15_fsm *fsm, p15_problem *problem) {
    p15_problem_free(problem);
    CHECK(p15_problem_init(p->shape, p->home, fsm, problem) == P15_OK);
    problem->shared = 200; /* such small searches as these are, too */
}

static inline void add_lookup(const partition *p, unsigned symmetry, p15_problem *problem) {
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    CHECK(symmetry < p15_symmetries(p->shape, maps));
    CHECK(p15_problem_add_lookup(problem, p->tables, p->count, maps[symmetry]) == P15_OK);
}

static inline p15_board draw_walk(p15_shape shape, p15_board goal, unsigned moves) {
    p15_board board = goal;
    for (unsigned i = 0; i < moves;) {
        unsigned blank = p15_board_blank(board);
        int next = p15_cell_neighbour(shape, blank, draw(P15_DIRECTIONS));
        if (next < 0) continue;
        board = p15_board_slide(board, blank, (unsigned)next);
        i++;
    }
    return board;
}

static inline void check_path(const p15_problem *problem, p15_board board, const p15_result *result) {
    uint8_t dirs[P15_MAX_LENGTH];
    p15_board end;
    CHECK(result->status == P15_OK && result->solved && result->length <= P15_MAX_LENGTH);
    CHECK(result->lower_bound == result->length);
    for (unsigned i = 0; i < result->length; i++) dirs[i] = result->path[i / 4] >> (2 * (i % 4)) & 3u;
    CHECK(p15_board_apply(board, problem->shape, dirs, result->length, &end) == result->length);
    CHECK(end == problem->goal);
}

static inline bool same_result(const p15_result *a, const p15_result *b) {
    return a->status == b->status && a->solved == b->solved && a->length == b->length &&
           memcmp(a->path, b->path, sizeof a->path) == 0 && a->expanded == b->expanded &&
           a->generated == b->generated && a->iteration_count == b->iteration_count;
}

/* What a search that waits for longer sequences is given. */
static const p15_fsm *longer_fsm;

/* Runs a worker over a batch, `visits` a call; every board ends. Results whose status is not P15_OK stay as they are.
 * */
static inline void run_batch(const p15_problem *problem, const p15_board *boards, const uint8_t *limits,
                             const uint64_t *max_nodes, size_t count, uint64_t visits, p15_result *results) {
    p15_batch batch;
    p15_worker *worker;
    CHECK(p15_worker_new(problem, &worker) == P15_OK);
    p15_batch_start(boards, limits, max_nodes, results, count, &batch);
    while (p15_worker_run_batch(worker, &batch, visits)) {
        CHECK(p15_batch_done(&batch) < count);
        if (p15_batch_wants_longer(&batch)) p15_problem_lengthen((p15_problem *)problem, longer_fsm);
    }
    CHECK(p15_batch_done(&batch) == count);
    p15_worker_delete(worker);
}

/* Solves boards with `slots` slots and `visits` a call; every solved path is replayed. */
static inline p15_result *solve(p15_problem *problem, const p15_board *boards, size_t count, unsigned slots,
                                uint64_t visits) {
    p15_result *results = allocate(count, sizeof *results);
    problem->slot_count = slots;
    run_batch(problem, boards, NULL, NULL, count, visits, results);
    for (size_t i = 0; i < count; i++)
        if (results[i].status == P15_OK) check_path(problem, boards[i], &results[i]);
    return results;
}

/* ------------------------------------------------------------------- one board at a time --- */

static inline p15_idastar *begin_search(const p15_problem *problem, p15_board board, unsigned limit) {
    p15_idastar *search = p15_idastar_new(problem);
    CHECK(search && p15_idastar_begin(search, board, P15_DIRECTIONS, limit) == P15_OK);
    return search;
}

/* The search of one board by `count` workers in turns of `visits`. */
static inline p15_result solve_one(p15_problem *problem, p15_board board, unsigned count, unsigned slots,
                                   uint64_t visits, p15_iteration *iterations) {
    p15_worker *workers[3];
    p15_result result;
    problem->slot_count = slots;
    for (unsigned w = 0; w < count; w++) CHECK(p15_worker_new(problem, &workers[w]) == P15_OK);
    p15_idastar *search = begin_search(problem, board, P15_NO_LIMIT);
    do {
        if (p15_idastar_wants_longer(search)) {
            p15_problem_lengthen(problem, longer_fsm);
            p15_idastar_lengthen(search);
            CHECK(!p15_idastar_wants_longer(search));
        }
        bool more = true;
        while (more) {
            more = false;
            for (unsigned w = 0; w < count; w++) more |= p15_worker_run(workers[w], search, visits + w);
        }
    } while (p15_idastar_advance(search, workers, count));
    p15_idastar_result(search, &result, iterations);
    check_path(problem, board, &result);

    uint64_t expanded = 0, generated = 0;
    p15_counts made = {0, 0};
    unsigned h;
    CHECK(p15_heuristic(problem, board, &h, NULL) == P15_OK);
    for (unsigned i = 0; i < result.iteration_count; i++) {
        CHECK(iterations[i].bound == h + 2 * i);
        expanded += iterations[i].expanded;
        generated += iterations[i].generated;
    }
    CHECK(result.iteration_count == (board == problem->goal ? 0 : (result.length - h) / 2 + 1));
    CHECK(expanded == result.expanded && generated == result.generated);
    for (unsigned w = 0; w < count; w++) {
        p15_counts_add(&made, p15_worker_counts(workers[w]));
        p15_worker_delete(workers[w]);
    }
    if (slots * count == 1) /* more slots work ahead */
        CHECK(made.generated == result.generated && made.expanded == result.expanded);
    p15_idastar_delete(search);
    return result;
}

#endif
