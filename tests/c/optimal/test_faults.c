/* p15_worker and p15_idastar when the system refuses memory. */

#include "problems.h"

static unsigned allocations, refused = ~0u; /* how many there were; the first one to be refused, and all after it */

static void *refusing_calloc(size_t count, size_t size) { return allocations++ < refused ? calloc(count, size) : NULL; }
static void *refusing_malloc(size_t size) { return allocations++ < refused ? malloc(size) : NULL; }

#define calloc refusing_calloc
#define malloc refusing_malloc
#include "optimal/idastar.c"
#include "optimal/nodes.c"
#include "optimal/worker.c"
#undef calloc
#undef malloc

enum { BOARDS = 12 };

static void solve_batch(p15_problem *problem, const p15_board *boards, p15_result *results) {
    p15_batch batch;
    p15_worker *worker;
    memset(results, 0, BOARDS * sizeof *results);
    p15_status status = p15_worker_new(problem, &worker);
    CHECK(status == P15_OK || status == P15_ERR_MEMORY);
    if (status != P15_OK) return;
    p15_batch_start(boards, NULL, NULL, results, BOARDS, &batch);
    while (p15_worker_run_batch(worker, &batch, 1000)) {
    }
    p15_worker_delete(worker);
}

static p15_status try_one(p15_problem *problem, p15_board board, p15_result *result) {
    p15_worker *worker = NULL;
    p15_idastar *search = p15_idastar_new(problem);
    p15_status status = search ? p15_worker_new(problem, &worker) : P15_ERR_MEMORY;
    if (status == P15_OK) status = p15_idastar_begin(search, board, P15_DIRECTIONS, P15_NO_LIMIT);
    if (status == P15_OK) {
        do {
            while (p15_worker_run(worker, search, 1000)) {
            }
        } while (p15_idastar_advance(search, &worker, 1));
        p15_idastar_result(search, result, NULL);
        status = result->status;
    }
    p15_idastar_delete(search);
    p15_worker_delete(worker);
    return status;
}

/* After memory was refused, the reported bound is one that was proved before. Returns how often it was refused in the
 * middle of a search. */
static unsigned check_refusals(p15_problem *problem, const p15_board *boards, const p15_result *sound) {
    unsigned total = 0, cut_short = 0;
    p15_result result, results[BOARDS];
    for (unsigned i = 0; i < BOARDS; i++) {
        unsigned h;
        CHECK(p15_heuristic(problem, boards[i], &h, NULL) == P15_OK);
        for (refused = 0;; refused++) {
            allocations = 0;
            result.iteration_count = 0;
            result.lower_bound = 0;
            p15_status status = try_one(problem, boards[i], &result);
            if (status == P15_OK) break;
            CHECK(status == P15_ERR_MEMORY);
            CHECK(result.lower_bound == 0 || result.lower_bound == h + 2 * result.iteration_count);
            CHECK(result.lower_bound <= sound[i].length);
            cut_short += result.lower_bound > 0;
        }
        CHECK(allocations <= refused && result.solved && result.length == sound[i].length);
        CHECK(result.lower_bound == result.length && result.iteration_count == sound[i].iteration_count);
    }
    refused = ~0u;
    allocations = 0;
    solve_batch(problem, boards, results);
    total = allocations;
    for (refused = 0; refused < total; refused++) {
        allocations = 0;
        solve_batch(problem, boards, results);
        for (unsigned i = 0; i < BOARDS; i++) {
            CHECK(results[i].status == P15_OK || results[i].status == P15_ERR_MEMORY);
            CHECK(results[i].lower_bound <= sound[i].length && !(results[i].status && results[i].solved));
        }
    }
    refused = ~0u;
    return cut_short;
}

/* An answer is replayed before it is given. */
static void check_wrong_answers(p15_problem *problem, p15_board board) {
    for (unsigned fault = 0; fault < 5; fault++) {
        p15_worker *worker;
        p15_idastar *search = p15_idastar_new(problem);
        p15_result result;
        CHECK(p15_worker_new(problem, &worker) == P15_OK);
        CHECK(search && p15_idastar_begin(search, board, P15_DIRECTIONS, P15_NO_LIMIT) == P15_OK);
        for (;; p15_idastar_advance(search, &worker, 1)) {
            while (p15_worker_run(worker, search, 1000)) {
            }
            if (atomic_load(&search->best) != P15_NO_SUBTREE) break;
        }
        p15_found *answer = &worker->slots[0].found;
        unsigned first = p15_path_move(answer->path, 0), last = p15_path_move(answer->path, answer->length - 1u);
        CHECK(answer->solved && answer->length > 3);
        if (fault == 1) p15_path_set(answer->path, 0, 3 - first);
        if (fault == 2) p15_path_set(answer->path, answer->length - 1u, 3 - last);
        if (fault == 3) answer->length--;
        if (fault == 4) answer->solved = false;
        const p15_status expected[] = {P15_OK, P15_ERR_ANSWER, P15_ERR_ANSWER, P15_ERR_CORRUPT, P15_ERR_CORRUPT};
        CHECK(!p15_idastar_advance(search, &worker, 1));
        p15_idastar_result(search, &result, NULL);
        CHECK(result.status == expected[fault] && result.solved == (fault == 0));
        p15_idastar_delete(search);
        p15_worker_delete(worker);
    }
}

int main(void) {
    weak_problem weak;
    p15_problem *problem = &weak.problem;
    p15_board boards[BOARDS];
    p15_result sound[BOARDS];
    make_weak(&weak);
    draw_boards(&weak, BOARDS, boards);
    solve_batch(problem, boards, sound);
    for (unsigned i = 0; i < BOARDS; i++) CHECK(sound[i].solved && sound[i].seconds >= 0 && sound[i].seconds < 100);
    CHECK(check_refusals(problem, boards, sound) > BOARDS);
    problem->slot_count = 1;
    check_wrong_answers(problem, boards[0]);
    free_weak(&weak);
    return 0;
}
