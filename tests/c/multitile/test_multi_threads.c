/* p15_multi_search under ThreadSanitizer: workers of one search and of one batch in threads of their own, while another
 * thread asks for counts or stops the batch. */

#include "multi.h"

#include "multitile/search.h"

#include <pthread.h>

enum { BOARDS = 6, THREADS = 3 };

typedef struct {
    p15_multi_worker *worker;
    p15_multi_search *search; /* NULL: the batch */
    p15_batch *batch;
    atomic_bool done;
} work;

static void *run_work(void *of) {
    work *w = of;
    if (w->search)
        while (p15_multi_worker_run(w->worker, w->search, 50)) {
        }
    else
        while (p15_multi_worker_run_batch(w->worker, w->batch, 50)) {
        }
    atomic_store(&w->done, true);
    return NULL;
}

/* Lets all workers run, and looks on; a batch is stopped when `stop_at` of its boards are done. */
static void run_all(work *works, size_t stop_at) {
    pthread_t threads[THREADS];
    uint64_t generated = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        atomic_store(&works[i].done, false);
        CHECK(pthread_create(&threads[i], NULL, run_work, &works[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS;) {
        if (works[i].search) {
            uint64_t now = p15_multi_search_generated(works[i].search);
            CHECK(now >= generated);
            generated = now;
        } else if (p15_batch_done(works[i].batch) >= stop_at) {
            p15_batch_stop(works[i].batch);
        }
        i += atomic_load(&works[i].done);
    }
    for (unsigned i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

static p15_result solve(const p15_multi_problem *problem, p15_board board) {
    work works[THREADS];
    p15_multi_search *search;
    p15_result result;
    CHECK(p15_multi_search_new(problem, &search) == P15_OK);
    CHECK(p15_multi_search_begin(search, board, P15_NO_LIMIT) == P15_OK);
    for (unsigned i = 0; i < THREADS; i++) {
        works[i] = (work){.search = search};
        CHECK(p15_multi_worker_new(problem, &works[i].worker) == P15_OK);
    }
    do run_all(works, 0);
    while (p15_multi_search_advance(search));
    p15_multi_search_result(search, &result, NULL);
    for (unsigned i = 0; i < THREADS; i++) p15_multi_worker_delete(works[i].worker);
    p15_multi_search_delete(search);
    return result;
}

static void run_batch(const p15_multi_problem *problem, const p15_board *boards, const uint64_t *max_nodes,
                      size_t stop_at, p15_result *results) {
    p15_batch batch;
    work works[THREADS];
    memset(results, 0, BOARDS * sizeof *results);
    p15_batch_start(boards, NULL, max_nodes, results, BOARDS, &batch);
    for (unsigned i = 0; i < THREADS; i++) {
        works[i] = (work){.batch = &batch};
        CHECK(p15_multi_worker_new(problem, &works[i].worker) == P15_OK);
    }
    run_all(works, stop_at);
    CHECK(p15_batch_done(&batch) == BOARDS);
    for (unsigned i = 0; i < THREADS; i++) p15_multi_worker_delete(works[i].worker);
}

int main(void) {
    p15_shape shape = shape_of(3, 3);
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    p15_multi_problem problem;
    p15_board boards[BOARDS];
    p15_result results[BOARDS], limited[BOARDS];
    multi_built b;
    build_multi(shape, 0x011, 8, p15_cpu_highest(), 1000, &b);
    p15_symmetries(shape, maps);
    CHECK(p15_multi_problem_init(shape, 8, &problem) == P15_OK);
    CHECK(p15_multi_problem_add_lookup(&problem, &b.table, maps[0]) == P15_OK);
    for (unsigned i = 0; i < BOARDS; i++) {
        boards[i] = problem.goal;
        for (unsigned move = 0, axis = draw(2); move < 24; move++, axis = 1 - axis) {
            unsigned cells[P15_MAX_CELLS], count = twin_moves(shape, axis, p15_board_blank(boards[i]), cells);
            boards[i] = twin_slide_board(shape, boards[i], cells[draw(count)]);
        }
    }
    run_batch(&problem, boards, NULL, BOARDS + 1, results);
    for (unsigned i = 0; i < BOARDS; i++) {
        p15_result result = solve(&problem, boards[i]);
        CHECK(results[i].solved && result.solved && result.length == results[i].length);
        CHECK(result.generated == results[i].generated && result.expanded == results[i].expanded);
        CHECK(memcmp(result.path, results[i].path, result.length) == 0);
    }
    uint64_t max_nodes[BOARDS];
    for (unsigned i = 0; i < BOARDS; i++) max_nodes[i] = results[i].generated - i % 2;
    for (size_t stop_at = 0; stop_at <= BOARDS + 1; stop_at++) {
        run_batch(&problem, boards, max_nodes, stop_at, limited);
        for (unsigned i = 0; i < BOARDS; i++) {
            CHECK(limited[i].status == P15_OK && limited[i].lower_bound <= results[i].length);
            if (stop_at > BOARDS) CHECK(limited[i].solved == (i % 2 == 0));
        }
    }
    free_multi(&b);
    return 0;
}
