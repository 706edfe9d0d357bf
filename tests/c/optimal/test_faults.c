/* Searches and batches of both metrics, and tables of multi-tile moves, when the system refuses memory. */

#include "problems.h"

static unsigned allocations, refused = ~0u; /* how many there were; the first one to be refused, and all after it */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size) { return allocations++ < refused ? __real_malloc(size) : NULL; }
void *__wrap_calloc(size_t count, size_t size) { return allocations++ < refused ? __real_calloc(count, size) : NULL; }

enum { BOARDS = 12 };

static void solve_batch(subject s, const p15_board *boards, p15_result *results) {
    p15_batch batch;
    p15_worker *worker;
    memset(results, 0, BOARDS * sizeof *results);
    p15_status status = worker_of(s, &worker);
    CHECK(status == P15_OK || status == P15_ERR_MEMORY);
    if (status != P15_OK) return;
    p15_batch_start(boards, NULL, NULL, results, BOARDS, &batch);
    while (p15_worker_run_batch(worker, &batch, 1000)) {
    }
    CHECK(p15_batch_done(&batch) == BOARDS);
    p15_worker_delete(worker);
}

static p15_status try_one(subject s, p15_board board, p15_result *result) {
    p15_worker *worker = NULL;
    p15_idastar *search = search_of(s);
    p15_status status = search ? worker_of(s, &worker) : P15_ERR_MEMORY;
    if (status == P15_OK) status = p15_idastar_begin(search, board, P15_DIRECTIONS, P15_NO_LIMIT);
    if (status == P15_OK) {
        do {
            while (p15_worker_run(worker, search, 1000)) {
            }
        } while (p15_idastar_advance(search, &worker, 1));
        p15_idastar_result(search, result, NULL);
        status = result->status;
        CHECK(!p15_idastar_advance(search, &worker, 1) && !p15_worker_run(worker, search, 1000)); /* it has ended */
    }
    p15_idastar_delete(search);
    p15_worker_delete(worker);
    return status;
}

/* After memory was refused, the reported bound is one that was proved before. Returns how often it was refused in the
 * middle of a search. */
static unsigned check_refusals(subject s, const p15_board *boards, const p15_result *sound) {
    unsigned total = 0, cut_short = 0;
    p15_result result, results[BOARDS];
    for (unsigned i = 0; i < BOARDS; i++) {
        unsigned h, step = s.single ? 2 : 1;
        CHECK(h_of(s, boards[i], &h) == P15_OK);
        for (refused = 0;; refused++) {
            allocations = 0;
            result.iteration_count = 0;
            result.lower_bound = 0;
            p15_status status = try_one(s, boards[i], &result);
            if (status == P15_OK) break;
            CHECK(status == P15_ERR_MEMORY);
            CHECK(result.lower_bound == 0 || result.lower_bound == h + step * result.iteration_count);
            CHECK(result.lower_bound <= sound[i].length);
            cut_short += result.lower_bound > 0;
        }
        CHECK(allocations <= refused && same_result(&result, &sound[i]));
    }
    refused = ~0u;
    allocations = 0;
    solve_batch(s, boards, results);
    total = allocations;
    for (refused = 0; refused < total; refused++) {
        allocations = 0;
        solve_batch(s, boards, results);
        for (unsigned i = 0; i < BOARDS; i++) {
            CHECK(results[i].status == P15_OK || results[i].status == P15_ERR_MEMORY);
            CHECK(results[i].lower_bound <= sound[i].length && !(results[i].status && results[i].solved));
        }
    }
    refused = ~0u;
    return cut_short;
}

/* An answer is replayed before it is given: moves that go elsewhere, and too few of them, are none. */
static void check_wrong_answers(subject s, p15_board board) {
    for (unsigned fault = 0; fault < 5; fault++) {
        p15_worker *worker;
        p15_idastar *search = begin_search(s, board, P15_NO_LIMIT);
        p15_result result;
        make_workers(s, &worker, 1);
        for (;; p15_idastar_advance(search, &worker, 1)) {
            while (p15_worker_run(worker, search, 1000)) {
            }
            if (atomic_load(&search->best) != P15_NO_SUBTREE) break;
        }
        p15_search_slot *slot = worker->slots;
        while (slot->found_at != atomic_load(&search->best)) slot++;
        p15_found *answer = &slot->found;
        unsigned last = answer->length - 1u, blank = p15_board_blank(board);
        CHECK(answer->solved && answer->length > 3);
        if (fault == 1 && s.single) p15_path_set(answer->path, 0, 3 - p15_path_move(answer->path, 0));
        if (fault == 2 && s.single) p15_path_set(answer->path, last, 3 - p15_path_move(answer->path, last));
        if (fault == 1 && s.multi) answer->path[0] = (uint8_t)((answer->path[0] & 15u) | blank << 4); /* no move */
        if (fault == 2 && s.multi) answer->path[0] = (uint8_t)((answer->path[0] & 15u) | (blank + 4) % 9 << 4);
        if (fault == 3) answer->length--;
        if (fault == 4) answer->solved = false;
        p15_status expected = fault == 0 ? P15_OK : fault == 4 ? P15_ERR_CORRUPT : P15_ERR_ANSWER;
        if (fault == 3 && s.single) expected = P15_ERR_CORRUPT; /* an iteration before should have found it */
        CHECK(!p15_idastar_advance(search, &worker, 1));
        p15_idastar_result(search, &result, NULL);
        CHECK(result.status == expected && result.solved == (fault == 0) && (fault == 0 || result.length == 0));
        p15_idastar_delete(search);
        p15_worker_delete(worker);
    }
}

static void check_searches(subject s) {
    p15_board boards[BOARDS];
    p15_result sound[BOARDS];
    draw_boards(s, BOARDS, boards);
    solve_batch(s, boards, sound);
    for (unsigned i = 0; i < BOARDS; i++) CHECK(sound[i].solved && sound[i].seconds >= 0 && sound[i].seconds < 100);
    CHECK(check_refusals(s, boards, sound) > (s.single ? BOARDS : 0));
    set_slots(s, 1);
    for (unsigned i = 0; i < BOARDS; i++)
        if (sound[i].length > 3) check_wrong_answers(s, boards[i]);
}

/* ------------------------------------------------------------------------------------------------ tables */

/* A multi-tile table from its lines to its descents; what was made before memory was refused is given back. */
static p15_status make_table(p15_shape shape, uint8_t *payload, size_t bytes) {
    unsigned home = shape.cells - 1u;
    p15_line_space lines;
    p15_multi_build build;
    p15_multi_table table;
    p15_status status = p15_line_space_init(shape, 2, &lines);
    if (status != P15_OK) return status;
    status = p15_multi_build_init(&lines, 0x003, home, P15_CPU_PLAIN, &build);
    if (status == P15_OK) {
        for (uint64_t level = 0, found = 1; found; level++) {
            found = 0;
            for (unsigned axis = 0; axis < P15_AXES; axis++)
                found += p15_multi_build_level(&build, (unsigned)level, axis, 0, lines.block_count[axis]);
        }
        for (unsigned axis = 0; axis < P15_AXES && status == P15_OK; axis++)
            status = p15_multi_build_write(&build, axis, payload);
        p15_multi_build_free(&build);
    }
    if (status == P15_OK) status = p15_multi_table_init(&lines, payload, bytes, 0x003, home, &table);
    if (status == P15_OK) p15_multi_table_free(&table);
    p15_line_space_free(&lines);
    return status;
}

static void check_tables(p15_shape shape) {
    p15_line_space lines;
    CHECK(p15_line_space_init(shape, 2, &lines) == P15_OK);
    size_t bytes = p15_multi_payload_bytes(&lines);
    p15_line_space_free(&lines);
    uint8_t *payload = allocate(bytes, 1);
    p15_status status = P15_ERR_MEMORY;
    for (refused = 0; status != P15_OK; refused++) {
        CHECK(status == P15_ERR_MEMORY);
        allocations = 0;
        status = make_table(shape, payload, bytes);
    }
    CHECK(refused > 8);
    refused = ~0u;
    free(payload);
}

int main(void) {
    weak_problems weak;
    make_weak(&weak);
    check_searches(single_tile(&weak.single));
    check_searches(multi_tile(&weak.multi));
    free_weak(&weak);
    check_tables(shape_of(3, 3));
    check_tables(shape_of(4, 2));
    check_tables(shape_of(4, 4));
    return 0;
}
