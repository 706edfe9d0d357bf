/* p15_products: layer 1 of a quantized network: products of bytes, and their activation. */
#ifndef P15_LEARNING_PRODUCTS_H
#define P15_LEARNING_PRODUCTS_H

#include "learning/network/network.h"

/* From the bytes x, `width` of them for each board, to y, for `boards` boards of `stride` floats each. */
void p15_products_run(const p15_dense *network, const uint8_t *x, float *y, size_t stride, size_t boards);

#endif
