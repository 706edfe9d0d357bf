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

/* The half of this value in *half; false: there is none. */
static bool half_of(float value, uint16_t *half) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    int exponent = (int)(magnitude >> 23) - 127 + 15;
    if (magnitude == 0) {
        *half = (uint16_t)sign;
        return true;
    }
    if (exponent >= 31 || exponent < -10) return false;
    uint32_t fraction = (magnitude & 0x7fffffu) | 0x800000u;
    unsigned lost = exponent > 0 ? 13 : 14u + (unsigned)-exponent; /* bits of the fraction; small halves have fewer */
    if (fraction & ((1u << lost) - 1u)) return false;
    fraction >>= lost;
    *half = (uint16_t)(sign | (exponent > 0 ? ((uint32_t)exponent << 10) + (fraction & 0x3ffu) : fraction));
    return true;
}

/* Where a weight lies in a layer's panels. */
static size_t place_in(const p15_layer *l, unsigned input, unsigned output) {
    if (l->lanes == 0) return input;
    size_t wide = l->lanes * P15_DENSE_LANES;
    return (output / wide * l->inputs + input) * wide + output % wide;
}

static bool make_layer(p15_dense *network, const p15_dense_layer *given, p15_layer *made) {
    unsigned outputs = given->outputs, inputs = outputs == 1 ? padded(given->inputs, P15_DENSE_LANES) : given->inputs;
    *made = (p15_layer){.inputs = inputs, .outputs = outputs, .activation = given->activation};
    made->lanes = outputs == 1                                           ? 0
                  : outputs <= P15_DENSE_LANES                           ? 1
                  : outputs <= 2 * P15_DENSE_LANES || network->quantized ? 2
                                                                         : P15_DENSE_MOST_LANES;
    unsigned width = outputs == 1 ? P15_DENSE_LANES : padded(outputs, made->lanes * P15_DENSE_LANES);
    size_t count = outputs == 1 ? inputs : (size_t)inputs * width;
    bool halves = network->cpu >= P15_CPU_V4 && made->lanes == P15_DENSE_MOST_LANES;
    uint16_t half;
    for (size_t i = 0; i < (size_t)given->inputs * outputs && halves; i++) halves = half_of(given->weights[i], &half);
    made->biases = p15_dense_allocate(width * sizeof(float));
    if (halves)
        made->halves = p15_dense_allocate(count * sizeof(uint16_t));
    else
        made->weights = p15_dense_allocate(count * sizeof(float));
    if (!made->biases || (!made->weights && !made->halves)) return false;
    memcpy(made->biases, given->biases, outputs * sizeof(float));
    for (unsigned i = 0; i < given->inputs; i++)
        for (unsigned o = 0; o < outputs; o++) {
            float weight = given->weights[(size_t)i * outputs + o];
            if (halves)
                half_of(weight, &made->halves[place_in(made, i, o)]);
            else
                made->weights[place_in(made, i, o)] = weight;
        }
    network->bytes += width * sizeof(float) + count * (halves ? sizeof(uint16_t) : sizeof(float));
    if (width > network->widest) network->widest = width;
    return true;
}

static bool make_layers(p15_dense *network, const p15_dense_layer *layers, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (!make_layer(network, &layers[i], &network->layers[network->layer_count++])) return false;
    return true;
}

static int32_t nearest(double x) { return (int32_t)(x < 0 ? x - 0.5 : x + 0.5); }

/* The first layer's rows and biases, without the blank's, as whole numbers: their largest sum has at most 30 bits. */
static bool make_sums(p15_dense *network, const p15_dense_layer *first) {
    unsigned outputs = first->outputs, width = network->width;
    int32_t *rows = p15_dense_allocate((size_t)P15_DENSE_INPUTS * width * sizeof *rows),
            *biases = p15_dense_allocate(width * sizeof *biases);
    network->rows = rows;
    network->biases = biases;
    if (!rows || !biases) return false;
    double most = 1;
    for (unsigned o = 0; o < outputs; o++) {
        double bias = first->biases[o], sum = 0;
        for (unsigned cell = 0; cell < 16; cell++) {
            double blank = first->weights[(size_t)cell * outputs + o], largest = 0;
            bias += blank;
            for (unsigned tile = 1; tile < 16; tile++) {
                double weight = fabs(first->weights[(size_t)(16 * tile + cell) * outputs + o] - blank);
                if (weight > largest) largest = weight;
            }
            sum += largest;
        }
        sum += fabs(bias);
        if (sum > most) most = sum;
    }
    double unit = 1 << 29;
    while (most * unit > 1 << 30) unit /= 2;
    network->unit = (float)(1 / unit);
    for (unsigned o = 0; o < outputs; o++) {
        double bias = first->biases[o];
        for (unsigned cell = 0; cell < 16; cell++) {
            double blank = first->weights[(size_t)cell * outputs + o];
            bias += blank;
            for (unsigned tile = 1; tile < 16; tile++)
                rows[(size_t)(16 * tile + cell) * width + o] =
                    nearest((first->weights[(size_t)(16 * tile + cell) * outputs + o] - blank) * unit);
        }
        biases[o] = nearest(bias * unit);
    }
    network->bytes += ((size_t)P15_DENSE_INPUTS + 1) * width * sizeof *rows;
    return true;
}

static bool make_short_sums(p15_dense *network, const p15_quantized_layers *first) {
    unsigned hidden = first->hidden, width = network->width;
    int16_t *rows = p15_dense_allocate((size_t)P15_DENSE_INPUTS * width * sizeof *rows),
            *biases = p15_dense_allocate(width * sizeof *biases);
    network->rows = rows;
    network->biases = biases;
    if (!rows || !biases) return false;
    for (unsigned o = 0; o < hidden; o++) {
        int bias = first->biases0[o];
        for (unsigned cell = 0; cell < 16; cell++) {
            int blank = first->weights0[(size_t)cell * hidden + o];
            bias += blank;
            for (unsigned tile = 1; tile < 16; tile++)
                rows[(size_t)(16 * tile + cell) * width + o] =
                    (int16_t)(first->weights0[(size_t)(16 * tile + cell) * hidden + o] - blank);
        }
        biases[o] = (int16_t)bias; /* within 16 bits: it is a possible sum of blanks' weights and a bias */
    }
    network->bytes += ((size_t)P15_DENSE_INPUTS + 1) * width * sizeof *rows;
    return true;
}

static bool make_products(p15_dense *network, const p15_quantized_layers *first) {
    unsigned hidden = first->hidden, outputs = first->outputs, width = network->width;
    unsigned side = network->cpu >= P15_CPU_V3 ? 4 : 1; /* inputs side by side */
    network->outputs = padded(outputs, P15_DENSE_GROUP);
    network->products = p15_dense_allocate((size_t)width * network->outputs);
    network->product_biases = p15_dense_allocate(network->outputs * sizeof(int32_t));
    if (!network->products || !network->product_biases) return false;
    memcpy(network->product_biases, first->biases1, outputs * sizeof(int32_t));
    for (unsigned i = 0; i < hidden; i++)
        for (unsigned o = 0; o < outputs; o++)
            network->products[(o / P15_DENSE_GROUP * (width / side) + i / side) * side * P15_DENSE_GROUP +
                              side * (o % P15_DENSE_GROUP) + i % side] = first->weights1[(size_t)i * outputs + o];
    network->bytes += ((size_t)width + sizeof(int32_t)) * network->outputs;
    if (network->outputs > network->widest) network->widest = network->outputs;
    return true;
}

static p15_dense *empty(p15_cpu cpu, unsigned width) {
    p15_dense *network = calloc(1, sizeof *network);
    if (!network) return NULL;
    network->cpu = cpu < p15_cpu_pick() ? cpu : p15_cpu_pick();
    network->width = padded(width, P15_DENSE_BLOCK);
    network->widest = P15_DENSE_LANES;
    network->bytes = sizeof *network;
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
    return finished(network, make_sums(network, layers) && make_layers(network, layers + 1, count - 1), made);
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
    network->scale = first->scale;
    network->product_activation = first->activation;
    return finished(
        network,
        make_short_sums(network, first) && make_products(network, first) && make_layers(network, layers, count), made);
}

void p15_dense_delete(p15_dense *network) {
    if (!network) return;
    for (unsigned i = 0; i < network->layer_count; i++) {
        p15_dense_release(network->layers[i].biases);
        p15_dense_release(network->layers[i].weights);
        p15_dense_release(network->layers[i].halves);
    }
    p15_dense_release(network->rows);
    p15_dense_release(network->biases);
    p15_dense_release(network->products);
    p15_dense_release(network->product_biases);
    free(network);
}

size_t p15_dense_bytes(const p15_dense *network) { return network->bytes; }
