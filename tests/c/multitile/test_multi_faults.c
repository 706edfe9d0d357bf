/* Lines, tables, builds, searches and batches of the multi-tile metric when the system refuses memory. */

#include "check.h"

static unsigned allocations, refused = ~0u; /* how many there were; the first one to be refused, and all after it */

static void *refusing_calloc(size_t count, size_t size) { return allocations++ < refused ? calloc(count, size) : NULL; }
static void *refusing_malloc(size_t size) { return allocations++ < refused ? malloc(size) : NULL; }

#define calloc refusing_calloc
#define malloc refusing_malloc
#include "multitile/build.c"
#include "multitile/lines.c"
#include "multitile/search.c"
#include "multitile/table.c"
#undef calloc
#undef malloc

#include "multi.h"

enum { BOARDS = 6 };

typedef struct {
    p15_line_space lines;
    p15_multi_table table;
    p15_multi_problem problem;
    uint8_t *payload;
    size_t payload_bytes;
} parts;

/* A table from its lines to its first look-up; what was made before memory was refused is given back. */
static p15_status make_table(p15_shape shape, parts *p) {
    p15_multi_build build;
    p15_status status = p15_line_space_init(shape, 2, &p->lines);
    if (status != P15_OK) return status;
    status = p15_multi_build_init(&p->lines, 0x003, shape.cells - 1u, P15_CPU_PLAIN, &build);
    if (status == P15_OK) {
        for (uint64_t level = 0, found = 1; found; level++) {
            found = 0;
            for (unsigned axis = 0; axis < P15_AXES; axis++)
                found += p15_multi_build_level(&build, (unsigned)level, axis, 0, p->lines.block_count[axis]);
        }
        for (unsigned axis = 0; axis < P15_AXES && status == P15_OK; axis++)
            status = p15_multi_build_write(&build, axis, p->payload);
        p15_multi_build_free(&build);
    }
    if (status == P15_OK)
        status = p15_multi_table_init(&p->lines, p->payload, p->payload_bytes, 0x003, shape.cells - 1u, &p->table);
    if (status != P15_OK) p15_line_space_free(&p->lines);
    return status;
}

static void free_table(parts *p) {
    p15_multi_table_free(&p->table);
    p15_line_space_free(&p->lines);
}

static p15_status solve_one(const parts *p, p15_board board, p15_result *result) {
    p15_multi_worker *worker = NULL;
    p15_multi_search *search = NULL;
    p15_status status = p15_multi_worker_new(&p->problem, &worker);
    if (status == P15_OK) status = p15_multi_search_new(&p->problem, &search);
    if (status == P15_OK) status = p15_multi_search_begin(search, board, P15_NO_LIMIT);
    if (status == P15_OK) {
        do {
            while (p15_multi_worker_run(worker, search, 1000)) {
            }
        } while (p15_multi_search_advance(search));
        p15_multi_search_result(search, result, NULL);
        status = result->status;
        CHECK(!p15_multi_search_advance(search) && !p15_multi_worker_run(worker, search, 1000)); /* it has ended */
    }
    p15_multi_search_delete(search);
    p15_multi_worker_delete(worker);
    return status;
}

/* A solution is replayed before it is given: moves that go nowhere or across, and too few of them, are none. */
static void check_wrong_answers(const parts *p, p15_board board) {
    p15_shape shape = p->problem.shape;
    for (unsigned fault = 0; fault < 5; fault++) {
        p15_multi_worker *worker;
        p15_multi_search *search;
        p15_result result;
        CHECK(p15_multi_worker_new(&p->problem, &worker) == P15_OK);
        CHECK(p15_multi_search_new(&p->problem, &search) == P15_OK);
        CHECK(p15_multi_search_begin(search, board, P15_NO_LIMIT) == P15_OK);
        for (;; p15_multi_search_advance(search)) {
            while (p15_multi_worker_run(worker, search, 1000)) {
            }
            if (atomic_load(&search->best) != P15_MULTI_NO_TASK) break;
        }
        uint8_t *path = search->tasks[atomic_load(&search->best)].path;
        unsigned blank = p15_board_blank(board);
        CHECK(search->bound > 2);
        if (fault == 1) path[0] = (uint8_t)blank;
        unsigned row = (blank / shape.cols + 1u) % shape.rows, col = (blank % shape.cols + 1u) % shape.cols;
        if (fault == 2) path[0] = (uint8_t)(row * shape.cols + col);
        if (fault == 3) search->bound--; /* a move is missing */
        if (fault == 4) path[1] = shape.cells;
        p15_multi_search_advance(search);
        p15_multi_search_result(search, &result, NULL);
        CHECK(result.status == (fault ? P15_ERR_ANSWER : P15_OK) && result.solved == (fault == 0));
        CHECK(result.length == (fault ? 0 : search->bound));
        p15_multi_search_delete(search);
        p15_multi_worker_delete(worker);
    }
}

static void solve_batch(const parts *p, const p15_board *boards, p15_result *results) {
    p15_batch batch;
    p15_multi_worker *worker;
    memset(results, 0, BOARDS * sizeof *results);
    p15_status status = p15_multi_worker_new(&p->problem, &worker);
    CHECK(status == P15_OK || status == P15_ERR_MEMORY);
    if (status != P15_OK) return;
    p15_batch_start(boards, NULL, NULL, results, BOARDS, &batch);
    while (p15_multi_worker_run_batch(worker, &batch, 1000)) {
    }
    CHECK(p15_batch_done(&batch) == BOARDS);
    p15_multi_worker_delete(worker);
}

static void check_searches(const parts *p) {
    p15_board boards[BOARDS];
    p15_result sound[BOARDS], results[BOARDS];
    for (unsigned i = 0; i < BOARDS; i++) {
        boards[i] = p->problem.goal;
        for (unsigned move = 0, axis = draw(2); move < 24; move++, axis = 1 - axis) {
            unsigned cells[P15_MAX_CELLS];
            unsigned count = twin_moves(p->problem.shape, axis, p15_board_blank(boards[i]), cells);
            boards[i] = twin_slide_board(p->problem.shape, boards[i], cells[draw(count)]);
        }
    }
    refused = ~0u;
    solve_batch(p, boards, sound);
    for (unsigned i = 0; i < BOARDS; i++) check_wrong_answers(p, boards[i]);
    unsigned cut_short = 0;
    for (unsigned i = 0; i < BOARDS; i++) {
        CHECK(sound[i].solved);
        for (refused = 0;; refused++) {
            p15_result result = {.lower_bound = 0};
            allocations = 0;
            p15_status status = solve_one(p, boards[i], &result);
            if (status == P15_OK) {
                CHECK(result.solved && result.length == sound[i].length && result.generated == sound[i].generated);
                break;
            }
            CHECK(status == P15_ERR_MEMORY && !result.solved && result.lower_bound <= sound[i].length);
            cut_short += result.lower_bound > 0;
        }
    }
    CHECK(cut_short > 0);
    allocations = 0;
    refused = ~0u;
    solve_batch(p, boards, results);
    unsigned total = allocations;
    for (refused = 0; refused < total; refused++) {
        allocations = 0;
        solve_batch(p, boards, results);
        for (unsigned i = 0; i < BOARDS; i++) {
            CHECK(results[i].status == P15_OK || results[i].status == P15_ERR_MEMORY);
            CHECK(results[i].lower_bound <= sound[i].length && !(results[i].status && results[i].solved));
        }
    }
    refused = ~0u;
}

int main(void) {
    static const unsigned shapes[][2] = {{3, 3}, {4, 2}, {4, 4}};
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    for (unsigned i = 0; i < 3; i++) {
        p15_shape shape = shape_of(shapes[i][0], shapes[i][1]);
        parts p;
        p15_status status;
        CHECK(p15_line_space_init(shape, 2, &p.lines) == P15_OK);
        p.payload_bytes = p15_multi_payload_bytes(&p.lines);
        p15_line_space_free(&p.lines);
        p.payload = allocate(p.payload_bytes, 1);
        for (refused = 0;; refused++) {
            allocations = 0;
            status = make_table(shape, &p);
            if (status == P15_OK) break;
            CHECK(status == P15_ERR_MEMORY);
        }
        CHECK(refused > 8);
        CHECK(p15_multi_problem_init(shape, shape.cells - 1u, &p.problem) == P15_OK);
        p15_symmetries(shape, maps);
        CHECK(p15_multi_problem_add_lookup(&p.problem, &p.table, maps[0]) == P15_OK);
        if (i == 0) check_searches(&p);
        refused = ~0u;
        free_table(&p);
        free(p.payload);
    }
    return 0;
}
