/* p15_worker under ThreadSanitizer, in both metrics: workers of one search and of one batch in threads of their own, while
 * another thread looks at what is known, makes longer sequences or stops the batch, and memory is refused at some time.
 * And threads with graphs of their own, whose queries search in one problem. */

#include "optimal/graph.h"
#include "problems.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_uint allocations, refused = ~0u; /* how many there were; the first one to be refused, and all after it */

void *__real_malloc(size_t size);

void *__wrap_malloc(size_t size) { return atomic_fetch_add(&allocations, 1) < refused ? __real_malloc(size) : NULL; }

enum { BOARDS = 8, THREADS = 3 };

typedef struct {
    p15_worker *worker;
    p15_idastar *search; /* NULL: the batch */
    p15_batch *batch;
    p15_problem *problem; /* single-tile: one that can have longer sequences */
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

/* Lets all workers run, and looks on; a batch is stopped when `stop_at` of its boards are done. From `allowed` allocations
 * on, memory is refused. */
static void run_all(work *works, size_t stop_at, unsigned allowed) {
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        atomic_store(&works[i].done, false);
        CHECK(pthread_create(&threads[i], NULL, run_work, &works[i]) == 0);
    }
    refused = allowed;
    for (unsigned i = 0; i < THREADS;) {
        p15_result result;
        if (works[i].search)
            p15_idastar_result(works[i].search, &result, NULL);
        else {
            if (p15_batch_done(works[i].batch) >= stop_at) p15_batch_stop(works[i].batch);
            if (p15_batch_wants_longer(works[i].batch)) p15_problem_lengthen(works[i].problem, longer_fsm);
        }
        i += atomic_load(&works[i].done);
    }
    for (unsigned i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

/* Once the workers and the search are made, memory is refused after so many allocations. */
static p15_result solve_together(subject s, p15_board board, unsigned allowed) {
    work works[THREADS];
    p15_worker *workers[THREADS];
    p15_idastar *search = begin_search(s, board, P15_NO_LIMIT);
    p15_result result;
    make_workers(s, workers, THREADS);
    for (unsigned i = 0; i < THREADS; i++) works[i] = (work){.worker = workers[i], .search = search};
    bool more = true;
    allocations = 0;
    while (more) {
        run_all(works, 0, allowed);
        more = p15_idastar_advance(search, workers, THREADS);
        refused = ~0u;
        if (more && !p15_idastar_lengthen(search)) {
            p15_problem_lengthen(s.single, longer_fsm);
            CHECK(p15_idastar_lengthen(search));
        }
    }
    p15_idastar_result(search, &result, NULL);
    delete_workers(workers, THREADS);
    p15_idastar_delete(search);
    return result;
}

static void run_shared_batch(subject s, const p15_board *boards, const uint64_t *max_nodes, size_t stop_at,
                             p15_result *results) {
    p15_batch batch;
    work works[THREADS];
    memset(results, 0, BOARDS * sizeof *results);
    p15_batch_start(boards, NULL, max_nodes, results, BOARDS, &batch);
    for (unsigned i = 0; i < THREADS; i++) {
        works[i] = (work){.batch = &batch, .problem = s.single};
        make_workers(s, &works[i].worker, 1);
    }
    run_all(works, stop_at, ~0u);
    CHECK(p15_batch_done(&batch) == BOARDS);
    for (unsigned i = 0; i < THREADS; i++) p15_worker_delete(works[i].worker);
}

static void check_threads(subject s) {
    p15_board boards[BOARDS];
    p15_result results[BOARDS], limited[BOARDS];
    uint64_t max_nodes[BOARDS];
    unsigned cut_short = 0;
    draw_boards(s, BOARDS, boards);
    run_shared_batch(s, boards, NULL, BOARDS + 1, results);
    for (unsigned i = 0; i < BOARDS; i++) {
        p15_result result = solve_together(s, boards[i], ~0u);
        CHECK(results[i].solved && same_result(&result, &results[i]));
        for (unsigned allowed = 0; allowed < 9; allowed++) {
            result = solve_together(s, boards[i], allowed);
            CHECK(result.status == P15_OK || result.status == P15_ERR_MEMORY);
            cut_short += result.status == P15_ERR_MEMORY;
        }
        max_nodes[i] = results[i].generated - i % 2;
    }
    CHECK(cut_short > 0);
    for (size_t stop_at = 0; stop_at <= BOARDS + 1; stop_at++) {
        run_shared_batch(s, boards, max_nodes, stop_at, limited);
        for (unsigned i = 0; i < BOARDS; i++) {
            CHECK(limited[i].status == P15_OK && limited[i].lower_bound <= results[i].length);
            if (stop_at > BOARDS) CHECK(limited[i].solved == (i % 2 == 0));
        }
    }
}

/* ------------------------------------------------------------------------------------------------ graphs */

typedef struct {
    subject s;
    p15_board board;
    uint64_t solutions;
} analysis;

/* The result of a search by one worker. */
static p15_result search_alone(subject s, p15_board board, unsigned move, unsigned limit) {
    p15_worker *worker;
    p15_result result;
    p15_idastar *search = search_of(s);
    CHECK(search && p15_idastar_begin(search, board, move, limit) == P15_OK);
    make_workers(s, &worker, 1);
    while (p15_worker_run_alone(worker, search, 50, UINT64_MAX) != P15_RUN_ENDED) continue;
    p15_idastar_result(search, &result, NULL);
    delete_workers(&worker, 1);
    p15_idastar_delete(search);
    return result;
}

/* How many shortest solutions a board has. */
static void *analyse(void *of) {
    analysis *a = of;
    p15_graph graph;
    CHECK(p15_graph_init(a->s.shape, a->s.goal, a->s.multi != NULL, &graph) == P15_OK);
    p15_result result = search_alone(a->s, a->board, P15_DIRECTIONS, P15_NO_LIMIT);
    CHECK(p15_graph_add_path(&graph, a->board, result.length, result.path) == P15_OK);
    uint32_t root = p15_graph_find_known(&graph, a->board);
    CHECK(p15_graph_reach(&graph, root) == P15_OK);
    for (const p15_query *query; (query = p15_graph_next_query(&graph));) {
        result = search_alone(a->s, graph.known[query->index].board, query->move, query->limit);
        CHECK(p15_graph_add_result(&graph, &result) == P15_OK);
        if (!p15_graph_next_query(&graph)) CHECK(p15_graph_reach(&graph, root) == P15_OK);
    }
    CHECK(p15_solutions_count(&graph, &a->solutions) == P15_OK);
    p15_graph_free(&graph);
    return NULL;
}

static void check_graphs(subject s) {
    pthread_t threads[THREADS];
    analysis analyses[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        analyses[i] = (analysis){.s = s};
        draw_boards(s, 1, &analyses[i].board);
        CHECK(pthread_create(&threads[i], NULL, analyse, &analyses[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        analysis alone = analyses[i];
        analyse(&alone);
        CHECK(alone.solutions == analyses[i].solutions && alone.solutions > 0);
    }
}

int main(void) {
    weak_problems weak;
    make_weak(&weak);
    p15_fsm longer = fsm_of(3, 3, 8);
    longer_fsm = &longer;
    check_graphs(single_tile(&weak.single));
    check_graphs(multi_tile(&weak.multi));
    weak.single.large = 500; /* the next ones make longer sequences */
    check_threads(single_tile(&weak.single));
    check_threads(multi_tile(&weak.multi));
    CHECK(atomic_load(&weak.single.longer) == &longer);
    free_weak(&weak);
    p15_fsm_free(&longer);
    return 0;
}
