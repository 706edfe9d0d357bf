#include "learning/network/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WEIGHT 1e6f

void *p15_dense_allocate(size_t bytes) {
    char *memory = calloc(1, bytes + 2 * P15_DENSE_BLOCK);
    if (!memory) return NULL;
    char *aligned = memory + P15_DENSE_BLOCK + (P15_DENSE_BLOCK - (uintptr_t)memory % P15_DENSE_BLOCK);
    ((void **)aligned)[-1] = memory;
    return aligned;
}

void p15_dense_release(void *aligned) {
    if (aligned) free(((void **)aligned)[-1]);
}

static unsigned padded(unsigned width, unsigned to) { return (width + to - 1) / to * to; }

static bool are_fit(const float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(values[i]) <= MOST_WEIGHT)) return false;
    return true;
}

/* Whether layers follow on one of `inputs` outputs, and end in one. */
static bool are_layers(const p15_dense_layer *layers, unsigned count, unsigned inputs) {
    for (unsigned i = 0; i < count; i++) {
        const p15_dense_layer *l = &layers[i];
        if (l->inputs != inputs || l->outputs < 1 || l->outputs > P15_DENSE_MAX_WIDTH ||
            (unsigned)l->activation >= P15_ACTIVATION_COUNT || !are_fit(l->biases, l->outputs) ||
            !are_fit(l->weights, (size_t)l->inputs * l->outputs))
            return false;
        inputs = l->outputs;
    }
    return inputs == 1;
}

/* The index of a weight in a layer's panels. */
static size_t index_in(const p15_layer *l, unsigned input, unsigned output) {
    if (l->lanes == 0) return input;
    size_t wide = l->lanes * P15_DENSE_LANES;
    return (output / wide * l->inputs + input) * wide + output % wide;
}

/* Memory for a layer of so many outputs, padded to `width`. */
static bool allocate_layer(p15_dense *network, p15_layer *made, unsigned width, size_t weights) {
    made->biases = p15_dense_allocate(width * sizeof(float));
    made->weights = p15_dense_allocate(weights);
    if (width > network->widest) network->widest = width;
    return made->biases && made->weights;
}

static bool make_layer(p15_dense *network, const p15_dense_layer *given, p15_layer *made) {
    unsigned outputs = given->outputs, inputs = outputs == 1 ? padded(given->inputs, P15_DENSE_LANES) : given->inputs;
    *made = (p15_layer){.inputs = inputs, .outputs = outputs, .activation = given->activation, .scale = 1};
    made->lanes = outputs == 1                                           ? 0
                  : outputs <= P15_DENSE_LANES                           ? 1
                  : outputs <= 2 * P15_DENSE_LANES || network->quantized ? 2
                                                                         : P15_DENSE_MOST_LANES;
    unsigned width = outputs == 1 ? P15_DENSE_LANES : padded(outputs, made->lanes * P15_DENSE_LANES);
    size_t count = outputs == 1 ? inputs : (size_t)inputs * width;
    if (!allocate_layer(network, made, width, count * sizeof(float))) return false;
    memcpy(made->biases, given->biases, outputs * sizeof(float));
    for (unsigned i = 0; i < given->inputs; i++)
        for (unsigned o = 0; o < outputs; o++)
            ((float *)made->weights)[index_in(made, i, o)] = given->weights[(size_t)i * outputs + o];
    return true;
}

static bool make_layers(p15_dense *network, const p15_dense_layer *layers, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (!make_layer(network, &layers[i], &network->layers[network->layer_count++])) return false;
    return true;
}

static int32_t nearest(double x) { return (int32_t)(x < 0 ? x - 0.5 : x + 0.5); }

/* The weight of a tile on a cell to an output of layer 0, of floats or of bytes. */
typedef struct {
    const float *floats;
    const int8_t *bytes;
    unsigned outputs;
} weights_of;

static double weight_of(const weights_of *w, unsigned tile, unsigned cell, unsigned output) {
    size_t at = (size_t)(16 * tile + cell) * w->outputs + output;
    return w->floats ? (double)w->floats[at] : w->bytes[at];
}

/* The largest sum of one output. */
static double largest_sum(const weights_of *w, double bias, unsigned output) {
    double sum = 0;
    for (unsigned cell = 0; cell < 16; cell++) {
        double blank = weight_of(w, 0, cell, output), largest = 0;
        bias += blank;
        for (unsigned tile = 1; tile < 16; tile++) {
            double weight = fabs(weight_of(w, tile, cell, output) - blank);
            if (weight > largest) largest = weight;
        }
        sum += largest;
    }
    return sum + fabs(bias);
}

/* Writes element `at` of rows or biases: int16 of quantized networks, where each sum fits, and int32 of others. */
static void put(const p15_dense *network, void *array, size_t at, double value) {
    if (network->quantized)
        ((int16_t *)array)[at] = (int16_t)value;
    else
        ((int32_t *)array)[at] = nearest(value);
}

/* The first layer's rows and biases in units of 1 / `unit`, as whole numbers, with the blank's weights taken from the
 * tiles' and given to the biases. */
static bool make_sums(p15_dense *network, const weights_of *w, const float *biases, const int16_t *short_biases,
                      double unit) {
    size_t size = network->quantized ? sizeof(int16_t) : sizeof(int32_t), width = network->width;
    network->rows = p15_dense_allocate(P15_DENSE_INPUTS * width * size);
    network->biases = p15_dense_allocate(width * size);
    if (!network->rows || !network->biases) return false;
    for (unsigned o = 0; o < w->outputs; o++) {
        double bias = biases ? (double)biases[o] : short_biases[o];
        for (unsigned cell = 0; cell < 16; cell++) {
            double blank = weight_of(w, 0, cell, o);
            bias += blank;
            for (unsigned tile = 1; tile < 16; tile++)
                put(network, network->rows, (16 * tile + cell) * width + o,
                    (weight_of(w, tile, cell, o) - blank) * unit);
        }
        put(network, network->biases, o, bias * unit);
    }
    return true;
}

static bool make_bytes(p15_dense *network, const p15_quantized_layers *first) {
    unsigned outputs = first->outputs, width = network->width, group = P15_DENSE_GROUP;
    unsigned side = network->cpu >= P15_CPU_V3 ? 4 : 1; /* inputs side by side */
    p15_layer *made = &network->layers[network->layer_count++];
    *made = (p15_layer){width / 4, outputs, 2, true, first->activation, first->scale, NULL, NULL};
    if (!allocate_layer(network, made, padded(outputs, group), (size_t)width * padded(outputs, group))) return false;
    memcpy(made->biases, first->biases1, outputs * sizeof(int32_t));
    for (unsigned i = 0; i < first->hidden; i++)
        for (unsigned o = 0; o < outputs; o++)
            ((int8_t *)made
                 ->weights)[(o / group * (width / side) + i / side) * side * group + side * (o % group) + i % side] =
                first->weights1[(size_t)i * outputs + o];
    return true;
}

static p15_dense *empty(p15_cpu cpu, unsigned width) {
    p15_dense *network = calloc(1, sizeof *network);
    if (!network) return NULL;
    network->cpu = cpu < p15_cpu_highest() ? cpu : p15_cpu_highest();
    network->width = padded(width, P15_DENSE_BLOCK);
    network->widest = P15_DENSE_LANES;
    return network;
}

static p15_status finished(p15_dense *network, bool good, p15_dense **made) {
    if (!good) {
        p15_dense_delete(network);
        return P15_ERR_MEMORY;
    }
    network->widest = padded(network->widest, P15_DENSE_LANES);
    *made = network;
    return P15_OK;
}

p15_status p15_dense_new(const p15_dense_layer *layers, unsigned count, p15_cpu cpu, p15_dense **made) {
    *made = NULL;
    if (count < 1 || count > P15_DENSE_MAX_LAYERS || !are_layers(layers, count, P15_DENSE_INPUTS))
        return P15_ERR_ARGUMENT;
    p15_dense *network = empty(cpu, layers[0].outputs);
    if (!network) return P15_ERR_MEMORY;
    network->activation = layers[0].activation;
    network->widest = network->width;
    weights_of weights = {.floats = layers[0].weights, .outputs = layers[0].outputs};
    double most = 1, unit = 1 << 29; /* the largest sum has at most 30 bits */
    for (unsigned o = 0; o < weights.outputs; o++) most = fmax(most, largest_sum(&weights, layers[0].biases[o], o));
    while (most * unit > 1 << 30) unit /= 2;
    network->unit = (float)(1 / unit);
    return finished(network,
                    make_sums(network, &weights, layers[0].biases, NULL, unit) &&
                        make_layers(network, layers + 1, count - 1),
                    made);
}

/* Whether the weights of a quantized network keep to their ranges. */
static bool are_quantized(const p15_quantized_layers *first) {
    unsigned hidden = first->hidden, outputs = first->outputs;
    if (hidden < 1 || hidden > P15_DENSE_MAX_WIDTH || outputs < 1 || outputs > P15_DENSE_MAX_WIDTH ||
        first->shift > 15 || (first->activation != P15_LINEAR && first->activation != P15_RELU) ||
        !are_fit(&first->scale, 1))
        return false;
    for (size_t i = 0; i < (size_t)P15_DENSE_INPUTS * hidden; i++)
        if (first->weights0[i] == INT8_MIN) return false;
    for (size_t i = 0; i < (size_t)hidden * outputs; i++)
        if (first->weights1[i] == INT8_MIN) return false;
    for (unsigned o = 0; o < hidden; o++)
        if (first->biases0[o] > INT16_MAX - 16 * 127 || first->biases0[o] < INT16_MIN + 16 * 127) return false;
    for (unsigned o = 0; o < outputs; o++)
        if (first->biases1[o] > 1 << 30 || first->biases1[o] < -(1 << 30)) return false;
    return true;
}

p15_status p15_dense_new_quantized(const p15_quantized_layers *first, const p15_dense_layer *layers, unsigned count,
                                   p15_cpu cpu, p15_dense **made) {
    *made = NULL;
    if (count > P15_DENSE_MAX_LAYERS || !are_quantized(first) || !are_layers(layers, count, first->outputs))
        return P15_ERR_ARGUMENT;
    p15_dense *network = empty(cpu, first->hidden);
    if (!network) return P15_ERR_MEMORY;
    network->quantized = true;
    network->shift = first->shift;
    network->widest = network->width / 4;
    weights_of weights = {.bytes = first->weights0, .outputs = first->hidden};
    return finished(network,
                    make_sums(network, &weights, NULL, first->biases0, 1) && make_bytes(network, first) &&
                        make_layers(network, layers, count),
                    made);
}

void p15_dense_delete(p15_dense *network) {
    if (!network) return;
    for (unsigned i = 0; i < network->layer_count; i++) {
        p15_dense_release(network->layers[i].biases);
        p15_dense_release(network->layers[i].weights);
    }
    p15_dense_release(network->rows);
    p15_dense_release(network->biases);
    free(network);
}
