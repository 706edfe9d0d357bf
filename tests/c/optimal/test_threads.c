/* p15_worker under ThreadSanitizer: workers of one search and of one batch in threads of their own, while another
 * thread looks at what is known or stops the batch, and memory is refused at some time. */

#include "problems.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_uint allocations, refused = ~0u; /* how many there were; the first one to be refused, and all after it */

static void *refusing_malloc(size_t size) { return atomic_fetch_add(&allocations, 1) < refused ? malloc(size) : NULL; }

#define malloc refusing_malloc
#include "optimal/idastar.c"
#include "optimal/nodes.c"
#include "optimal/worker.c"
#undef malloc

enum { BOARDS = 8, THREADS = 3 };

typedef struct {
    p15_worker *worker;
    p15_idastar *search; /* NULL: the batch */
    p15_batch *batch;
    atomic_bool done;
} work;

static void *run_work(void *of) {
    work *w = of;
    if (w->search)
        while (p15_worker_run(w->worker, w->search, 50)) {
        }
    else
        while (p15_worker_run_batch(w->worker, w->batch, 50)) {
        }
    atomic_store(&w->done, true);
    return NULL;
}

/* Lets all workers run, and looks on; a batch is stopped when `stop_at` of its boards are done. */
static void run_all(work *works, size_t stop_at) {
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        atomic_store(&works[i].done, false);
        CHECK(pthread_create(&threads[i], NULL, run_work, &works[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS;) {
        p15_result result;
        if (works[i].search)
            p15_idastar_result(works[i].search, &result, NULL);
        else if (p15_batch_done(works[i].batch) >= stop_at)
            p15_batch_stop(works[i].batch);
        i += atomic_load(&works[i].done);
    }
    for (unsigned i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

/* Once the workers and the search are made, memory is refused after so many allocations. */
static p15_result solve_together(const p15_problem *problem, p15_board board, unsigned allowed) {
    work works[THREADS];
    p15_worker *workers[THREADS];
    p15_idastar *search = p15_idastar_new(problem);
    p15_result result;
    CHECK(search && p15_idastar_begin(search, board, P15_DIRECTIONS, P15_NO_LIMIT) == P15_OK);
    for (unsigned i = 0; i < THREADS; i++) {
        CHECK(p15_worker_new(problem, &workers[i]) == P15_OK);
        works[i] = (work){.worker = workers[i], .search = search};
    }
    allocations = 0;
    refused = allowed;
    do run_all(works, 0);
    while (p15_idastar_advance(search, workers, THREADS));
    refused = ~0u;
    p15_idastar_result(search, &result, NULL);
    for (unsigned i = 0; i < THREADS; i++) p15_worker_delete(workers[i]);
    p15_idastar_delete(search);
    return result;
}

static void run_shared_batch(const p15_problem *problem, const p15_board *boards, const uint64_t *max_nodes,
                             size_t stop_at, p15_result *results) {
    p15_batch batch;
    work works[THREADS];
    p15_batch_start(boards, NULL, max_nodes, results, BOARDS, &batch);
    for (unsigned i = 0; i < THREADS; i++) {
        works[i] = (work){.batch = &batch};
        CHECK(p15_worker_new(problem, &works[i].worker) == P15_OK);
    }
    run_all(works, stop_at);
    CHECK(p15_batch_done(&batch) == BOARDS);
    for (unsigned i = 0; i < THREADS; i++) p15_worker_delete(works[i].worker);
}

int main(void) {
    weak_problem weak;
    p15_problem *problem = &weak.problem;
    p15_board boards[BOARDS];
    p15_result results[BOARDS] = {{.status = P15_OK}};
    make_weak(&weak);
    problem->shared = 50;
    draw_boards(&weak, BOARDS, boards);
    run_shared_batch(problem, boards, NULL, BOARDS + 1, results);

    unsigned cut_short = 0;
    for (unsigned i = 0; i < BOARDS; i++) {
        p15_result result = solve_together(problem, boards[i], ~0u);
        CHECK(results[i].solved && result.solved && result.length == results[i].length);
        CHECK(result.generated == results[i].generated && result.expanded == results[i].expanded);
        for (unsigned allowed = 0; allowed < 9; allowed++) {
            result = solve_together(problem, boards[i], allowed);
            CHECK(result.status == P15_OK || result.status == P15_ERR_MEMORY);
            cut_short += result.status == P15_ERR_MEMORY;
        }
    }
    CHECK(cut_short > 0);

    p15_result limited[BOARDS];
    uint64_t max_nodes[BOARDS];
    for (unsigned i = 0; i < BOARDS; i++) max_nodes[i] = results[i].generated - i % 2;
    for (size_t stop_at = 0; stop_at <= BOARDS + 1; stop_at++) {
        memset(limited, 0, sizeof limited);
        run_shared_batch(problem, boards, max_nodes, stop_at, limited);
        for (unsigned i = 0; i < BOARDS; i++) {
            CHECK(limited[i].status == P15_OK && limited[i].lower_bound <= results[i].length);
            if (stop_at > BOARDS) CHECK(limited[i].solved == (i % 2 == 0));
        }
    }
    free_weak(&weak);
    return 0;
}
