/* Every textbook search with any options, where a heuristic of damaged tables, of sums of them and of arrays misleads it:
 * it is refused, or ends with an answer that leads to the goal. Input: the tables, the evaluator, the options, and a
 * board. */

#include "damage.h"
#include "search/kernels.h"

enum { MOST_BYTES = 1 << 20, CALLS = 12 };

static partition *partition_of(unsigned number, bool classic, p15_problem **problem) {
    static partition *made[CASE_COUNT][2];
    static p15_problem problems[CASE_COUNT][2];
    static p15_fsm machines[CASE_COUNT];
    const damage_case *c = &CASES[number];
    partition **p = &made[number][classic];
    *problem = &problems[number][classic];
    if (*p) return *p;
    *p = allocate(1, sizeof **p);
    make_partition(shape_of(c->rows, c->cols), c->home, classic, c->count, c->goal_maps, *p);
    if (!machines[number].next) machines[number] = fsm_of(c->rows, c->cols, 6);
    start_problem(*p, &machines[number], *problem);
    add_lookup(*p, 0, *problem);
    return *p;
}

/* An array over some tiles, of exactly its size. */
static uint8_t *take_array(input *in, p15_shape shape, p15_patterns *sum) {
    p15_array array = {.divisor = 1, .count = 1 + below(in, 3)};
    unsigned first = take(in);
    for (unsigned i = 0; i < array.count; i++) array.order[i] = (uint8_t)((first + i) % shape.cells);
    for (unsigned i = 0; i < P15_MAX_CELLS; i++) array.cell_to[i] = (uint8_t)i;
    array.size = p15_arrangements(shape.cells, array.count);
    if (take(in) % 4 == 3) array.size = 1 + take2(in) % array.size;
    if (take(in) % 4 == 3) array.divisor = take2(in);
    array.beyond_manhattan = take(in) % 2;
    array.less = (uint8_t)below(in, 9);
    if (take(in) % 16 == 15) array.cell_to[below(in, 16)] = (uint8_t)take(in);
    uint8_t *values = allocate(array.size, 1);
    unsigned most = take(in) % 16;
    for (uint64_t i = 0; i < array.size; i++) values[i] = (uint8_t)(i * 7 % (most + 1));
    array.values = values;
    p15_status status = p15_patterns_add_array(sum, &array);
    CHECK(status == P15_OK || status == P15_ERR_PATTERN || status == P15_ERR_ARGUMENT);
    return values;
}

static p15_search_options take_options(input *in) {
    p15_search_options o = {.max_bytes = (size_t)take2(in) * 16, .cpu = take_level(in), .batch = 1};
    static const uint8_t orders[][P15_DIRECTIONS] = {{0, 1, 2, 3}, {3, 1, 0, 2}, {2, 3, 1, 0}, {0, 0, 1, 2}};
    memcpy(o.order, orders[take(in) % 16 == 15 ? 3 : take(in) % 3], sizeof o.order);
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) o.back[0][i] = o.back[1][i] = (uint8_t)i;
    if (take(in) % 2) o.batch = 1 + below(in, 64);
    unsigned weights = take(in);
    o.g_weight = weights & 15u;
    o.h_weight = weights >> 4;
    o.h_step = below(in, 4);
    o.ties = (p15_ties)below(in, 3);
    o.prove = take(in) % 2;
    o.width = take(in) % 4 ? 1 + take(in) : take2(in);
    o.below = take(in) % 4 ? 40 : take2(in);
    o.first_bound = take(in) % 2 ? P15_FROM_H : take(in);
    o.last_bound = take(in) % 2 ? P15_MAX_BOUND : take2(in);
    o.limit = take(in) % 2 ? UINT64_MAX : take2(in);
    o.table_bytes = take(in) % 2 ? 0 : take2(in) * 16;
    o.rule = (p15_meeting_rule)below(in, 4);
    return o;
}

static void check_report(p15_search *search, p15_shape shape, p15_board start, p15_board goal, bool admissible) {
    const p15_report *r = p15_search_report(search);
    const uint8_t *lengths = oracle(shape, goal, false);
    if (r->path && r->state != P15_SEARCH_FAILED)
        CHECK(p15_board_replay(start, goal, shape, r->path, r->length) == P15_OK);
    if (lengths && r->path && r->state != P15_SEARCH_FAILED) CHECK(r->length >= lengths[twin_rank(shape, start)]);
    if (lengths && admissible) CHECK(r->lower_bound <= lengths[twin_rank(shape, start)]);
    CHECK(r->state <= P15_SEARCH_NO_ROOM && (r->state != P15_SEARCH_SOLVED || r->path));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, data + size};
    p15_problem *problem;
    partition *p = partition_of(below(&in, CASE_COUNT), take(&in) % 2, &problem);
    uint8_t *whole[MOST_PARTS], *values = NULL;
    bool sound = true;
    for (unsigned i = 0; i < p->count; i++) {
        built *b = &p->parts[i];
        whole[i] = allocate(b->payload_bytes, 1);
        memcpy(whole[i], b->payload, b->payload_bytes);
        if (damage(&in, b->payload, b->payload_bytes)) sound = false;
    }
    p15_evaluator *evaluator, *backward = NULL;
    p15_board start = take_board(&in, p->shape, problem->goal);
    p15_patterns sum;
    unsigned kinds = take(&in), h;
    p15_values each;
    CHECK(p15_evaluator_new(p->shape, problem->goal, &evaluator) == P15_OK);
    if (kinds & 1u) CHECK(p15_evaluator_add_lookups(evaluator, problem) == P15_OK);
    if (kinds & 2u) CHECK(p15_evaluator_add(evaluator, P15_LINEAR_CONFLICT) == P15_OK);
    if (kinds & 4u) {
        p15_patterns_init(p->shape, problem->goal, &sum);
        unsigned tables = below(&in, p->count + 1u);
        for (unsigned i = 0; i < tables; i++) {
            p15_table little = p->tables[i];
            p->tables[i].max_value = little.max_value < 40 ? little.max_value : 40;
            p15_status status = p15_patterns_add_table(&sum, &p->tables[i]);
            CHECK(status == P15_OK);
        }
        values = take_array(&in, p->shape, &sum);
        if (p15_evaluator_add_patterns(evaluator, &sum) != P15_OK) kinds &= ~4u;
    }
    p15_status status = p15_evaluator_board(evaluator, start, &h, &each);
    bool valid = p15_board_check(start, p->shape) == P15_OK && p15_board_solvable(start, problem->goal, p->shape);
    CHECK(status == P15_OK ? valid : !valid || (status == P15_ERR_CORRUPT && !sound));
    p15_search_options options = take_options(&in);
    options.start = start;
    options.goal = problem->goal;
    options.evaluator = evaluator;
    if (valid && take(&in) % 2) {
        CHECK(p15_evaluator_new(p->shape, start, &backward) == P15_OK);
        CHECK(p15_evaluator_add(backward, P15_MANHATTAN) == P15_OK);
        options.backward = backward;
    }
    p15_search *search = NULL;
    p15_trace trace;
    bool traced = take(&in) % 2, layers = take(&in) % 2;
    unsigned kernel = below(&in, P15_KERNEL_COUNT + 1u);
    if (kernel == P15_KERNEL_MEETING && !backward) kernel = P15_KERNEL_BIDIRECTIONAL;
    status = p15_kernel_new((p15_kernel)kernel, &options, &search);
    CHECK((status == P15_OK) == (search != NULL) && (valid || status != P15_OK));
    if (search) {
        if (traced) {
            p15_trace_init(&trace);
            p15_search_trace(search, &trace);
        }
        if (layers) CHECK(p15_search_count_layers(search) == P15_OK);
        bool more = true;
        for (unsigned calls = CALLS; more && calls > 0; calls--) {
            more = p15_search_run(search, 1 + take(&in));
            check_report(search, p->shape, start, problem->goal, sound && !(kinds & 4u));
        }
        if (!more) CHECK(p15_search_report(search)->state != P15_SEARCH_RUNNING);
        p15_search_delete(search);
        if (traced) p15_trace_free(&trace);
    }
    p15_evaluator_delete(evaluator);
    p15_evaluator_delete(backward);
    free(values);
    for (unsigned i = 0; i < p->count; i++) {
        memcpy(p->parts[i].payload, whole[i], p->parts[i].payload_bytes);
        free(whole[i]);
    }
    return 0;
}
