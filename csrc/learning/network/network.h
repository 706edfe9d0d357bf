/* p15_dense, the network: what is given, the checks of it, and how its weights lie in memory.
 *
 * Layout: widths are padded with neurons that are 0, so that kernels need no remainders. Weights of a float layer lie
 * in panels of 16, 32 or (of float networks only) 64 outputs, which hold all inputs' rows one after the other, so a
 * batch reads each panel once from memory and then from the near caches. Weights of layer 1 of a quantized network lie
 * in panels of 32 outputs; where the processor multiplies bytes, with four inputs side by side:
 *
 *     panel 0: inputs 0..3 of output 0 | inputs 0..3 of output 1 | .. | of output 31 | inputs 4..7 of output 0 | ..
 *
 * A network is read-only: any number of threads may use it. */
#ifndef P15_LEARNING_NETWORK_H
#define P15_LEARNING_NETWORK_H

#include "base/board.h"
#include "base/cpu.h"

#define P15_DENSE_INPUTS 256u
#define P15_DENSE_MAX_LAYERS 8u
#define P15_DENSE_MAX_WIDTH 2048u

typedef enum { P15_LINEAR, P15_RELU, P15_ELU, P15_ACTIVATION_COUNT } p15_activation;

/* A layer of floats; weights[i * outputs + o] is from input i to output o. */
typedef struct {
    unsigned inputs, outputs;
    p15_activation activation;
    const float *weights, *biases;
} p15_dense_layer;

/* The layers 0 and 1 of a quantized network: 256 inputs, `hidden` neurons, `outputs` neurons.
 *
 *     x = min(max((biases0 + weights0) >> shift, 0), 127),  y = activation(float(biases1 + x weights1) * scale) */
typedef struct {
    unsigned hidden, outputs, shift; /* shift: 0 .. 15 */
    p15_activation activation;       /* of layer 1; P15_LINEAR or P15_RELU */
    float scale;
    const int8_t *weights0, *weights1; /* -127 .. 127 */
    const int16_t *biases0;            /* so small that no sum leaves its 16 bits */
    const int32_t *biases1;            /* at most 2^30 */
} p15_quantized_layers;

#define P15_DENSE_LANES 16u     /* outputs whose sums stay together */
#define P15_DENSE_MOST_LANES 4u /* times 16 outputs are a panel */
#define P15_DENSE_BLOCK 64u     /* what the width of layer 0 is a multiple of, and what memory is aligned to */
#define P15_DENSE_GROUP 32u     /* outputs of a panel of layer 1 of quantized networks */

/* A layer after the first, in panels. */
typedef struct {
    unsigned inputs, outputs; /* inputs: four bytes count as one */
    unsigned lanes;           /* 16ths of a panel's outputs; 0 for the one row of a layer of one output */
    bool bytes;
    p15_activation activation;
    float scale;            /* of all sums; 1 for floats */
    void *biases, *weights; /* padded; of float, or of int32 and int8 */
} p15_layer;

typedef struct {
    p15_cpu cpu;
    bool quantized;
    unsigned width;            /* of layer 0, padded */
    void *rows, *biases;       /* [256][width] and [width] of int16 or int32: of quantized and of float networks */
    p15_activation activation; /* of layer 0 of a float network */
    float unit;                /* 2^-k */
    unsigned shift;
    p15_layer layers[P15_DENSE_MAX_LAYERS + 1]; /* the others */
    unsigned layer_count;
    unsigned widest; /* floats of a board between two layers */
} p15_dense;

/* A network of 1 .. P15_DENSE_MAX_LAYERS float layers, which are copied. The first has 256 inputs, the last one output,
 * and each as many inputs as the one before has outputs. *network is NULL after a failure: P15_ERR_ARGUMENT (layers
 * that do not fit, weights that are not finite or beyond 1e6), P15_ERR_MEMORY. */
p15_status p15_dense_new(const p15_dense_layer *layers, unsigned count, p15_cpu cpu, p15_dense **network);

/* The same of two quantized layers and float ones after them: none, when layer 1 has one output. */
p15_status p15_dense_new_quantized(const p15_quantized_layers *first, const p15_dense_layer *layers, unsigned count,
                                   p15_cpu cpu, p15_dense **network);
void p15_dense_delete(p15_dense *network); /* NULL is fine */

/* `bytes` bytes of 0, aligned to P15_DENSE_BLOCK; NULL: out of memory. */
void *p15_dense_allocate(size_t bytes);
void p15_dense_release(void *memory); /* NULL is fine */

#endif
