/* What is made for learning, for lists of values and for heuristics, when the system refuses memory: the status says so,
 * the pointer is NULL, and what had been made is given back, which the sanitized run checks. */

#include "evaluators.h"
#include "learning/network/dense.h"
#include "learning/value_iteration/sweeps.h"
#include "tables.h"
#include "tables/placements.h"

static unsigned requests, refused = UINT32_MAX; /* how many there were; the first one to be refused */
static bool only_one;                           /* the later ones are not refused */

static bool refuse(void) {
    unsigned number = requests++;
    return only_one ? number == refused : number >= refused;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size) { return refuse() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return refuse() ? NULL : __real_calloc(count, size); }

/* Makes something and ends it; its status. */
typedef p15_status maker(const void *subject);

/* Refuses the first request, then the second one, .. until there are no more: at least `least`. First with all that
 * follow it, then alone. */
static void check_refusals(maker make, const void *subject, unsigned least) {
    for (unsigned way = 0; way < 2; way++) {
        p15_status status = P15_ERR_MEMORY;
        only_one = way == 1;
        for (refused = 0; status != P15_OK; refused++) {
            CHECK(status == P15_ERR_MEMORY && refused < 100);
            requests = 0;
            status = make(subject);
        }
        CHECK(requests == refused - 1 && requests >= least);
    }
    refused = UINT32_MAX;
}

/* ------------------------------------------------------------------------------------------------ learning */

enum { HIDDEN = 40, OUTPUTS = 8 };

static float floats[P15_DENSE_INPUTS * HIDDEN];
static int8_t bytes[P15_DENSE_INPUTS * HIDDEN];
static int16_t shorts[HIDDEN];
static int32_t words[OUTPUTS];

static const p15_dense_layer LAYERS[] = {{P15_DENSE_INPUTS, HIDDEN, P15_RELU, floats, floats},
                                         {HIDDEN, OUTPUTS, P15_ELU, floats, floats},
                                         {OUTPUTS, 1, P15_LINEAR, floats, floats}};

static p15_status float_network(const void *cpu) {
    p15_dense *network;
    p15_status status = p15_dense_new(LAYERS, 3, *(const p15_cpu *)cpu, &network);
    CHECK((status == P15_OK) == (network != NULL));
    p15_dense_delete(network);
    return status;
}

static p15_status quantized_network(const void *cpu) {
    const p15_quantized_layers first = {HIDDEN, OUTPUTS, 3, P15_RELU, 1, bytes, bytes, shorts, words};
    p15_dense *network;
    p15_status status = p15_dense_new_quantized(&first, LAYERS + 2, 1, *(const p15_cpu *)cpu, &network);
    CHECK((status == P15_OK) == (network != NULL));
    p15_dense_delete(network);
    return status;
}

static p15_status batch_of(const void *network) {
    p15_dense_batch *batch;
    p15_status status = p15_dense_batch_new(network, 5, &batch);
    CHECK((status == P15_OK) == (batch != NULL));
    p15_dense_batch_delete(batch);
    return status;
}

static void check_networks(void) {
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) floats[i] = (float)draw(100) / 100;
    for (p15_cpu cpu = P15_CPU_PLAIN; cpu <= p15_cpu_highest(); cpu++) {
        p15_dense *network;
        check_refusals(float_network, &cpu, 7);
        check_refusals(quantized_network, &cpu, 7);
        CHECK(p15_dense_new(LAYERS, 3, cpu, &network) == P15_OK);
        check_refusals(batch_of, network, 2);
        p15_dense_delete(network);
    }
}

static p15_status learn(const void *subproblem) {
    static double values[1000];
    static uint8_t policy[1000];
    p15_sweeps *sweeps;
    p15_status status = p15_sweeps_new(subproblem, 0.9, ORDERS[0], values, policy, &sweeps);
    if (status != P15_OK) return status;
    while (p15_sweeps_run(sweeps, 10)) {
    }
    p15_sweeps_delete(sweeps);
    return status;
}

static void check_sweeps(void) {
    const uint8_t goal[] = {0, 1};
    p15_subproblem subproblem;
    CHECK(p15_subproblem_init(shape_of(3, 3), goal, 2, 0, &subproblem) == P15_OK);
    CHECK(subproblem.state_count == 9 * 8 * 7);
    check_refusals(learn, &subproblem, 4);
}

/* ------------------------------------------------------------------------------------------------ tables */

static p15_status space(const void *shape) {
    p15_space made;
    p15_status status = p15_space_init(*(const p15_shape *)shape, 3, &made);
    if (status != P15_OK) return status;
    status = p15_space_link(&made);
    p15_space_free(&made);
    return status;
}

static p15_status list(const void *table) {
    static const uint8_t ORDER[] = {0, 1, 2, 3};
    p15_placed listing;
    p15_status status = p15_placed_init(table, ORDER, false, false, &listing);
    if (status == P15_OK) p15_placed_free(&listing);
    return status;
}

static void check_tables(void) {
    p15_shape shape = shape_of(3, 3);
    built b;
    p15_table table;
    check_refusals(space, &shape, 5);
    build_table(shape, 0x00f, 8, false, P15_CPU_PLAIN, false, &b);
    CHECK(p15_table_init(&b.space, b.payload, b.payload_bytes, false, b.max_value, 0x00f, 8, &table) == P15_OK);
    check_refusals(list, &table, 6);
    build_free(&b);
}

/* ------------------------------------------------------------------------------------------------ heuristics */

/* Every heuristic that needs no tables, and children that are evaluated together. */
static p15_status evaluate(const void *goal) {
    p15_evaluator *e;
    p15_evaluations *children = NULL;
    p15_status status = p15_evaluator_new(shape_of(3, 3), *(const p15_board *)goal, &e);
    CHECK((status == P15_OK) == (e != NULL));
    for (unsigned kind = 0; kind < P15_HEURISTIC_COUNT && status == P15_OK; kind++)
        status = p15_evaluator_add(e, (p15_heuristic_kind)kind);
    if (status == P15_OK) status = p15_evaluations_new(e, 9, &children);
    p15_evaluations_delete(children);
    p15_evaluator_delete(e);
    return status;
}

int main(void) {
    p15_board goal = p15_board_goal(shape_of(3, 3), 8);
    check_networks();
    check_sweeps();
    check_tables();
    check_refusals(evaluate, &goal, 4);
    return 0;
}
