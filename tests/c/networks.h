/* Small networks of random weights, whose numbers vary by some units around 0. */
#ifndef NETWORKS_H
#define NETWORKS_H

#include "learning/network/dense.h"
#include "twins.h"

static inline p15_dense *draw_network(bool quantized) {
    enum { HIDDEN = 40, OUTPUTS = 10 };
    static int8_t weights0[P15_DENSE_INPUTS * HIDDEN], weights1[HIDDEN * OUTPUTS];
    static float floats0[P15_DENSE_INPUTS * HIDDEN], floats1[HIDDEN * OUTPUTS], last[OUTPUTS], biases[HIDDEN];
    static int16_t biases0[HIDDEN];
    static int32_t biases1[OUTPUTS];
    p15_dense *network;
    for (unsigned i = 0; i < P15_DENSE_INPUTS * HIDDEN; i++) {
        weights0[i] = (int8_t)((int)draw(101) - 50);
        floats0[i] = (float)weights0[i] / 50;
    }
    for (unsigned i = 0; i < HIDDEN * OUTPUTS; i++) {
        weights1[i] = (int8_t)((int)draw(101) - 50);
        floats1[i] = (float)weights1[i] / 100;
    }
    for (unsigned i = 0; i < OUTPUTS; i++) last[i] = (float)((int)draw(101) - 50) / 100;
    p15_quantized_layers first = {HIDDEN, OUTPUTS, 2, P15_RELU, 1.0f / 2048, weights0, weights1, biases0, biases1};
    p15_dense_layer layers[] = {{P15_DENSE_INPUTS, HIDDEN, P15_ELU, floats0, biases},
                                {HIDDEN, OUTPUTS, P15_ELU, floats1, biases},
                                {OUTPUTS, 1, P15_LINEAR, last, biases}};
    CHECK((quantized ? p15_dense_new_quantized(&first, layers + 2, 1, p15_cpu_pick(), &network)
                     : p15_dense_new(layers, 3, p15_cpu_pick(), &network)) == P15_OK);
    return network;
}

#endif
