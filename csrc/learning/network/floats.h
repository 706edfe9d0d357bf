/* p15_layer, floats: the products and the activation of one layer of floats. */
#ifndef P15_LEARNING_FLOATS_H
#define P15_LEARNING_FLOATS_H

#include "learning/network/network.h"

/* From x to y, for `boards` boards of `stride` floats each. Outputs beyond the layer's are padding. */
void p15_layer_run(const p15_layer *layer, p15_cpu cpu, const float *x, float *y, size_t stride, size_t boards);

#endif
