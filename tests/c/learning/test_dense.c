/* p15_dense: both kinds of networks against twins that multiply everything out; all levels of instructions that agree
 * to the last bit, alone, in batches of any size, and as children; what is refused. */

#include "learning/network/dense.h"
#include "boards.h"

#include <math.h>

#define MOST 4 /* layers */

typedef struct {
    unsigned count, widths[MOST + 1];
    p15_dense_layer layers[MOST];
    float *weights[MOST], *biases[MOST];
} floats;

static float draw_real(float most) { return most * ((float)draw(20001) / 10000.0f - 1.0f); }

static floats draw_floats(unsigned inputs, const unsigned *widths, unsigned count, p15_activation activation) {
    floats f = {.count = count, .widths = {inputs}};
    for (unsigned i = 0; i < count; i++) {
        unsigned from = f.widths[i], to = f.widths[i + 1] = widths[i];
        f.weights[i] = allocate((size_t)from * to, sizeof(float));
        f.biases[i] = allocate(to, sizeof(float));
        for (unsigned j = 0; j < from * to; j++) f.weights[i][j] = draw_real(0.25f);
        for (unsigned j = 0; j < to; j++) f.biases[i][j] = draw_real(1);
        f.layers[i] = (p15_dense_layer){from, to, i + 1 < count ? activation : P15_LINEAR, f.weights[i], f.biases[i]};
    }
    return f;
}

static void free_floats(floats *f) {
    for (unsigned i = 0; i < f->count; i++) {
        free(f->weights[i]);
        free(f->biases[i]);
    }
}

/* (1 + x / n)^n for a large n. */
static double twin_exponential(double x) {
    double power = x > -50 ? 1 + x / (1 << 24) : 0;
    for (unsigned i = 0; i < 24; i++) power *= power;
    return power;
}

static double twin_activation(double x, p15_activation activation) {
    if (activation == P15_RELU) return x > 0 ? x : 0;
    if (activation == P15_ELU) return x > 0 ? x : twin_exponential(x) - 1;
    return x;
}

/* The layers from x on. */
static double twin_layers(const floats *f, const double *x) {
    double here[P15_DENSE_INPUTS], next[P15_DENSE_INPUTS];
    memcpy(here, x, f->widths[0] * sizeof *here);
    for (unsigned i = 0; i < f->count; i++) {
        const p15_dense_layer *l = &f->layers[i];
        for (unsigned o = 0; o < l->outputs; o++) {
            double sum = l->biases[o];
            for (unsigned j = 0; j < l->inputs; j++) sum += here[j] * l->weights[j * l->outputs + o];
            next[o] = twin_activation(sum, l->activation);
        }
        memcpy(here, next, l->outputs * sizeof *here);
    }
    return here[0];
}

static double twin_float(const floats *f, p15_board board) {
    double x[P15_DENSE_INPUTS] = {0};
    for (unsigned cell = 0; cell < 16; cell++) x[16 * p15_board_tile(board, cell) + cell] = 1;
    return twin_layers(f, x);
}

typedef struct {
    p15_quantized_layers layers;
    int8_t *weights0, *weights1;
    int16_t *biases0;
    int32_t *biases1;
} quantized;

static int8_t draw_byte(unsigned extremes) {
    return (int8_t)(draw(8) < extremes ? (draw(2) ? 127 : -127) : (int)draw(255) - 127);
}

static quantized draw_quantized(unsigned hidden, unsigned outputs, unsigned extremes, unsigned shift,
                                p15_activation activation) {
    quantized q = {.weights0 = allocate(P15_DENSE_INPUTS * hidden, 1), .weights1 = allocate(hidden * outputs, 1)};
    q.biases0 = allocate(hidden, sizeof *q.biases0);
    q.biases1 = allocate(outputs, sizeof *q.biases1);
    for (unsigned i = 0; i < P15_DENSE_INPUTS * hidden; i++) q.weights0[i] = draw_byte(extremes);
    for (unsigned i = 0; i < hidden * outputs; i++) q.weights1[i] = draw_byte(extremes);
    for (unsigned i = 0; i < hidden; i++) q.biases0[i] = (int16_t)((int)draw(2 * 30735 + 1) - 30735);
    for (unsigned i = 0; i < outputs; i++) q.biases1[i] = (int32_t)draw(200001) - 100000;
    q.layers = (p15_quantized_layers){hidden,     outputs,    shift,     activation, 1.0f / 4096,
                                      q.weights0, q.weights1, q.biases0, q.biases1};
    return q;
}

static void free_quantized(quantized *q) {
    free(q->weights0);
    free(q->weights1);
    free(q->biases0);
    free(q->biases1);
}

static double twin_quantized(const quantized *q, const floats *f, p15_board board) {
    const p15_quantized_layers *l = &q->layers;
    double y[P15_DENSE_INPUTS];
    for (unsigned o = 0; o < l->outputs; o++) {
        int32_t sum = l->biases1[o];
        for (unsigned i = 0; i < l->hidden; i++) {
            int x = l->biases0[i];
            for (unsigned cell = 0; cell < 16; cell++)
                x += l->weights0[(16 * p15_board_tile(board, cell) + cell) * l->hidden + i];
            CHECK(x <= INT16_MAX && x >= INT16_MIN);
            x = x < 0 ? 0 : x >> l->shift;
            sum += (x > 127 ? 127 : x) * l->weights1[i * l->outputs + o];
        }
        y[o] = twin_activation((float)sum * l->scale, l->activation);
    }
    return f->count ? twin_layers(f, y) : y[0];
}

static p15_dense *make(const quantized *q, const floats *f, p15_cpu cpu) {
    p15_dense *network;
    CHECK((q ? p15_dense_new_quantized(&q->layers, f->layers, f->count, cpu, &network)
             : p15_dense_new(f->layers, f->count, cpu, &network)) == P15_OK);
    CHECK(p15_dense_bytes(network) > P15_DENSE_INPUTS);
    return network;
}

static bool is_near(float found, double expected) { return fabs(found - expected) < 1e-4 * (10 + fabs(expected)); }

/* `q` may be NULL. */
static void compare(const quantized *q, const floats *f) {
    enum { BOARDS = 9 };
    p15_shape shape = shape_of(4, 4);
    p15_board boards[BOARDS], goal = p15_board_goal(shape, 15);
    float expected[BOARDS], found[BOARDS];
    for (unsigned i = 0; i < BOARDS; i++)
        boards[i] = i % 3 ? draw_near(shape, boards[i - 1], draw(4)) : draw_board(shape, goal);
    for (unsigned cpu = P15_CPU_PLAIN; cpu <= P15_CPU_VNNI; cpu++) {
        p15_dense *network = make(q, f, (p15_cpu)cpu);
        p15_dense_batch *batch;
        for (unsigned i = 0; i < BOARDS; i++) {
            float alone = p15_dense_board(network, boards[i]);
            if (cpu == P15_CPU_PLAIN || (!q && cpu == P15_CPU_V3)) {
                expected[i] = alone;
                CHECK(is_near(alone, q ? twin_quantized(q, f, boards[i]) : twin_float(f, boards[i])));
            }
            CHECK(memcmp(&alone, &expected[i], sizeof alone) == 0);
        }
        for (unsigned size = 1; size <= BOARDS; size++) {
            CHECK(p15_dense_batch_new(network, size, &batch) == P15_OK);
            for (unsigned begin = 0; begin < BOARDS; begin += size) {
                unsigned end = begin + size < BOARDS ? begin + size : BOARDS;
                for (unsigned i = begin; i < end; i++) p15_dense_add(batch, boards[i]);
                p15_dense_run(batch, found + begin);
            }
            CHECK(memcmp(found, expected, sizeof found) == 0);
            p15_dense_batch_delete(batch);
        }
        CHECK(p15_dense_batch_new(network, P15_DIRECTIONS + 1, &batch) == P15_OK);
        for (unsigned i = 0; i < BOARDS; i++) {
            unsigned blank = p15_board_blank(boards[i]), count = 0;
            float own[P15_DIRECTIONS + 1], outputs[P15_DIRECTIONS + 1];
            for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
                int cell = p15_cell_neighbour(shape, blank, direction);
                if (cell < 0) continue;
                own[count++] = p15_dense_board(network, p15_board_slide(boards[i], blank, (unsigned)cell));
                p15_dense_add_child(batch, boards[i], blank, (unsigned)cell);
            }
            own[count++] = expected[i];
            p15_dense_add(batch, boards[i]);
            p15_dense_run(batch, outputs);
            CHECK(memcmp(own, outputs, count * sizeof *own) == 0);
        }
        p15_dense_run(batch, found); /* of none */
        p15_dense_batch_delete(batch);
        p15_dense_delete(network);
    }
}

static void test_floats(void) {
    static const struct {
        unsigned count, widths[MOST];
    } shapes[] = {{1, {1}},           {2, {64, 1}},     {2, {7, 1}}, {3, {70, 20, 1}}, {4, {65, 130, 33, 1}},
                  {4, {3, 1, 16, 1}}, {3, {128, 64, 1}}};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (unsigned activation = 0; activation < P15_ACTIVATION_COUNT; activation++) {
            floats f = draw_floats(P15_DENSE_INPUTS, shapes[i].widths, shapes[i].count, (p15_activation)activation);
            compare(NULL, &f);
            free_floats(&f);
        }
}

static void test_quantized(void) {
    static const struct {
        unsigned hidden, outputs, extremes, shift;
    } shapes[] = {{64, 32, 1, 0}, {1, 1, 0, 8}, {130, 33, 8, 2}, {100, 65, 4, 5}, {192, 16, 8, 0}};
    static const unsigned tails[][2] = {{1}, {20, 1}};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (unsigned tail = 0; tail < 2; tail++) {
            quantized q = draw_quantized(shapes[i].hidden, shapes[i].outputs, shapes[i].extremes, shapes[i].shift,
                                         tail ? P15_LINEAR : P15_RELU);
            floats f = draw_floats(shapes[i].outputs, tails[tail], tail + 1, P15_RELU);
            if (shapes[i].outputs == 1 && tail == 0) {
                free_floats(&f);
                f.count = 0;
            }
            compare(&q, &f);
            free_floats(&f);
            free_quantized(&q);
        }
}

static bool refuses(const floats *f, const p15_dense_layer *layers, unsigned count) {
    p15_dense *network;
    return p15_dense_new(layers ? layers : f->layers, count, p15_cpu_pick(), &network) == P15_ERR_ARGUMENT && !network;
}

static bool refuses_quantized(const floats *f, p15_quantized_layers first, unsigned count) {
    p15_dense *network;
    return p15_dense_new_quantized(&first, f->layers, count, p15_cpu_pick(), &network) == P15_ERR_ARGUMENT && !network;
}

static void test_errors(void) {
    floats f = draw_floats(P15_DENSE_INPUTS, (const unsigned[]){8, 4, 1}, 3, P15_RELU);
    p15_dense_layer bad[3][3];
    for (unsigned i = 0; i < 3; i++) memcpy(bad[i], f.layers, sizeof bad[i]);
    bad[0][1].inputs = 7;
    bad[1][0].outputs = P15_DENSE_MAX_WIDTH + 1;
    bad[2][1].activation = P15_ACTIVATION_COUNT;
    for (unsigned i = 0; i < 3; i++) CHECK(refuses(&f, bad[i], 3));
    CHECK(refuses(&f, f.layers + 1, 2) && refuses(&f, NULL, 0) && refuses(&f, NULL, 2));
    CHECK(refuses(&f, NULL, P15_DENSE_MAX_LAYERS + 1));
    float *const places[] = {&f.weights[1][5], &f.biases[0][0]};
    static const float wrong[] = {1.1e6f, -INFINITY, NAN};
    for (unsigned i = 0; i < 6; i++) {
        float kept = *places[i % 2];
        *places[i % 2] = wrong[i / 2];
        CHECK(refuses(&f, NULL, 3));
        *places[i % 2] = kept;
    }
    p15_dense *network = make(NULL, &f, p15_cpu_pick());
    p15_dense_batch *batch;
    CHECK(p15_dense_batch_new(network, 0, &batch) == P15_ERR_ARGUMENT && batch == NULL);
    CHECK(p15_dense_batch_new(network, P15_DENSE_MAX_BATCH + 1, &batch) == P15_ERR_ARGUMENT && batch == NULL);
    p15_dense_batch_delete(NULL);
    p15_dense_delete(network);
    p15_dense_delete(NULL);
    free_floats(&f);

    quantized q = draw_quantized(8, 4, 1, 2, P15_RELU);
    f = draw_floats(4, (const unsigned[]){1}, 1, P15_LINEAR);
    p15_quantized_layers first[6];
    for (unsigned i = 0; i < 6; i++) first[i] = q.layers;
    first[0].hidden = 0;
    first[1].hidden = P15_DENSE_MAX_WIDTH + 1;
    first[2].outputs = 3;
    first[3].shift = 16;
    first[4].scale = NAN;
    first[5].activation = P15_ELU;
    for (unsigned i = 0; i < 6; i++) CHECK(refuses_quantized(&f, first[i], 1));
    CHECK(refuses_quantized(&f, q.layers, 0));
    /* Each weight or bias beyond its range, then at its end. */
#define REFUSED(place, beyond, end)                \
    do {                                           \
        place = beyond;                            \
        CHECK(refuses_quantized(&f, q.layers, 1)); \
        place = end;                               \
    } while (0)
    REFUSED(q.weights0[100], -128, -127);
    REFUSED(q.weights1[10], -128, -127);
    REFUSED(q.biases0[3], 30736, 30735);
    REFUSED(q.biases0[3], -30737, -30736);
    REFUSED(q.biases1[3], (1 << 30) + 1, 1 << 30);
    p15_dense_delete(make(&q, &f, p15_cpu_pick()));
    free_quantized(&q);
    free_floats(&f);
}

int main(void) {
    test_floats();
    test_quantized();
    test_errors();
    return 0;
}
