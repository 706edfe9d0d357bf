/* Networks of any layers and weights: refused, or the numbers of boards are the same one by one, in batches, as children
 * and at two levels of instructions. Input: the layers, the weights, and boards. */

#include "fuzz.h"
#include "learning/network/dense.h"

#include <math.h>

enum { MOST_LAYERS = P15_DENSE_MAX_LAYERS + 1, MOST_BOARDS = 8 };

/* Numbers come again after so many. */
enum { PERIOD = 255 };

/* What the first numbers of an array are, the others are, too. */
static void repeat(void *array, size_t count, size_t bytes) {
    for (size_t done = PERIOD; done < count; done *= 2)
        memcpy((uint8_t *)array + done * bytes, array, (done < count - done ? done : count - done) * bytes);
}

/* Mostly small weights, some of them of any bits: infinite, no number, or too large. */
static float *take_floats(input *in, size_t count) {
    float *floats = allocate(count, sizeof *floats);
    unsigned odd = take(in);
    for (size_t i = 0; i < count && i < PERIOD; i++) floats[i] = (float)((int)((i * 37 + odd) % PERIOD) - 127) / 64;
    repeat(floats, count, sizeof *floats);
    for (unsigned changes = below(in, 6); changes > 0; changes--) {
        uint32_t at = take2(in), bits = take4(in);
        memcpy(&floats[at % (count ? count : 1)], &bits, count ? sizeof bits : 0);
    }
    return floats;
}

static void *take_whole(input *in, size_t count, size_t bytes) {
    uint8_t *numbers = allocate(count, bytes);
    unsigned odd = take(in);
    for (size_t i = 0; i < count && i < PERIOD; i++) {
        int64_t value = (int64_t)((i * 37 + odd) % PERIOD) - 127;
        memcpy(numbers + i * bytes, &value, bytes); /* the lowest bytes come first */
    }
    repeat(numbers, count, bytes);
    for (unsigned changes = below(in, 6); changes > 0; changes--) {
        uint32_t value = take4(in);
        memcpy(numbers + take2(in) % count * bytes, &value, bytes);
    }
    return numbers;
}

static bool same(float a, float b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static void check_boards(const p15_dense *network, input *in, float *outputs) {
    p15_shape shape = shape_of(4, 4);
    p15_board goal = p15_board_goal(shape, 15), boards[MOST_BOARDS];
    p15_dense_batch *batch;
    unsigned count = 1 + below(in, MOST_BOARDS - 4), added = 0;
    CHECK(p15_dense_batch_new(network, MOST_BOARDS, &batch) == P15_OK);
    while (added < count) {
        p15_board board = take_walk(in, shape, goal);
        p15_dense_add(batch, boards[added++] = board);
        unsigned blank = p15_board_blank(board);
        int cell = p15_cell_neighbour(shape, blank, below(in, P15_DIRECTIONS));
        if (cell < 0 || added == MOST_BOARDS) continue;
        p15_dense_add_child(batch, board, blank, (unsigned)cell);
        boards[added++] = p15_board_slide(board, blank, (unsigned)cell);
    }
    p15_dense_run(batch, outputs);
    for (unsigned i = 0; i < added; i++) CHECK(same(outputs[i], p15_dense_board(network, boards[i])));
    for (unsigned i = added; i < MOST_BOARDS; i++) outputs[i] = 0;
    p15_dense_batch_delete(batch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, data + size};
    p15_dense_layer layers[MOST_LAYERS] = {{0}};
    p15_quantized_layers first = {.hidden = 1 + below(&in, 20) * 4, .outputs = 1 + below(&in, 40)};
    bool quantized = take(&in) % 2;
    unsigned count = below(&in, MOST_LAYERS + 1u), inputs = quantized ? first.outputs : P15_DENSE_INPUTS;
    if (quantized && take(&in) % 4) count = below(&in, 3);
    for (unsigned i = 0; i < count; i++) {
        unsigned odd = take(&in);
        p15_dense_layer *l = &layers[i];
        l->inputs = odd % 32 == 31 ? take(&in) : inputs;
        l->outputs = odd % 64 == 30 ? 0 : i + 1 == count && odd % 16 != 15 ? 1 : 1 + below(&in, odd % 8 ? 9 : 70);
        l->activation = (p15_activation)below(&in, P15_ACTIVATION_COUNT + (odd % 128 == 29));
        l->weights = take_floats(&in, (size_t)l->inputs * l->outputs);
        l->biases = take_floats(&in, l->outputs);
        inputs = l->outputs;
    }
    first.shift = below(&in, 17);
    first.activation = (p15_activation)below(&in, P15_ACTIVATION_COUNT);
    uint32_t bits = take4(&in);
    memcpy(&first.scale, &bits, sizeof bits);
    if (bits % 16) first.scale = 1.0f / (float)(1 + bits % 1000);
    first.weights0 = take_whole(&in, (size_t)P15_DENSE_INPUTS * first.hidden, 1);
    first.weights1 = take_whole(&in, (size_t)first.hidden * first.outputs, 1);
    first.biases0 = take_whole(&in, first.hidden, 2);
    first.biases1 = take_whole(&in, first.outputs, 4);

    input boards = in;
    float expected[MOST_BOARDS], outputs[MOST_BOARDS];
    unsigned levels[2] = {take_level(&boards), take_level(&boards)};
    for (unsigned turn = 0; turn < 2; turn++) {
        unsigned level = levels[turn], other = levels[0];
        p15_dense *network;
        p15_status status = quantized ? p15_dense_new_quantized(&first, layers, count, (p15_cpu)level, &network)
                                      : p15_dense_new(layers, count, (p15_cpu)level, &network);
        CHECK((status == P15_OK) == (network != NULL));
        CHECK(status == P15_OK || status == P15_ERR_ARGUMENT);
        if (!network) break;
        in = boards;
        check_boards(network, &in, outputs);
        bool agree = turn == 1 && (quantized || (level >= P15_CPU_V3 && other >= P15_CPU_V3));
        for (unsigned i = 0; i < MOST_BOARDS && agree; i++) CHECK(same(outputs[i], expected[i]));
        memcpy(expected, outputs, sizeof expected);
        p15_dense_delete(network);
    }
    for (unsigned i = 0; i < count; i++) {
        free((void *)layers[i].weights);
        free((void *)layers[i].biases);
    }
    free((void *)first.weights0);
    free((void *)first.weights1);
    free((void *)first.biases0);
    free((void *)first.biases1);
    return 0;
}
