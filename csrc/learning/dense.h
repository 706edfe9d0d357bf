/* p15_dense: the forward pass of a small dense network that looks at a 4x4 board and tells one number.
 *
 * The 256 inputs are 1 or 0: input 16 * tile + cell is 1 if the tile (0: the blank) lies on the cell. So the first layer is
 * no product but a sum of 16 rows of its weights, and a board's sums tell those of its children:
 *
 *     board --(16 rows)--> sums --activation--> inputs of layer 1 --(product)--> .. --> one number
 *       |                   |
 *      move         less a row, plus a row
 *       v                   v
 *     child ------------> sums --activation--> ..
 *
 * Each cell holds one tile, so what the blank's weight on a cell is may be taken from all tiles' weights on that cell, and
 * given to the biases: then the blank's rows are 0, and a move changes two rows, not four. The sums are integers in both
 * kinds of networks, so it does not matter by which moves a board was reached.
 *
 *     kind        weights of layer 0   sums    activation             layer 1                           further layers
 *     float       float                int32   of (sum / 2^k)         float                             float
 *     quantized   int8                 int16   min(max(sum >> shift,  int8; products of bytes added as  float
 *                                              0), 127), as bytes     int32; then times a float
 *
 * The k of a float network is the largest, up to 29, by which no board's sums leave 30 bits: 25 where no weight of a cell
 * differs from the blank's by more than 1. So a weight loses less than half of 2^-k.
 *
 * Floats: every number is rounded at once, and every sum adds in a fixed order: over the inputs one after the other, but for
 * layers of one output, whose products are first added in 16 lanes (input i in lane i % 16) and then lane j to lane j + 8,
 * + 4, + 2, + 1. So all processors agree to the last bit on quantized networks, and on float ones all from P15_CPU_V3 on:
 * these do not round the products of layers of more than 32 outputs before they add them. ELU takes its exponential from a
 * Taylor series of degree 7 after e^x = 2^n e^r, |r| <= ln(2) / 2: 6e-8 off at most.
 *
 * Layout: widths are padded with neurons that are 0, so that kernels need no remainders. Weights of a float layer lie in
 * panels of 16, 32 or (of float networks only) 64 outputs, which hold all inputs' rows one after the other, so a batch reads
 * each panel once from memory and then from the near caches; those of 64 as halves (IEEE 754 binary16) where each weight is
 * one and the processor converts them on the way. Weights of layer 1 of a quantized network lie in panels of 32 outputs;
 * where the processor multiplies bytes, with four inputs side by side:
 *
 *     panel 0: inputs 0..3 of output 0 | inputs 0..3 of output 1 | .. | of output 31 | inputs 4..7 of output 0 | ..
 *
 * Cost, in weights that are read: 15 rows of layer 0 for a board, 2 for a child, and all of the other layers, once a batch.
 *
 * A network is read-only: any number of threads may use it. A batch belongs to one thread at a time, and its network
 * outlives it.
 *
 * Sums that follow a move: Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer
 * shogi", 2018. */
#ifndef P15_LEARNING_DENSE_H
#define P15_LEARNING_DENSE_H

#include "base/bits.h"
#include "base/board.h"
#include "base/cpu.h"

#define P15_DENSE_INPUTS 256u
#define P15_DENSE_MAX_LAYERS 8u
#define P15_DENSE_MAX_WIDTH 2048u
#define P15_DENSE_MAX_BATCH 4096u

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

typedef struct p15_dense p15_dense;
typedef struct p15_dense_batch p15_dense_batch;

/* A network of 1 .. P15_DENSE_MAX_LAYERS float layers, which are copied. The first has 256 inputs, the last one output, and
 * each as many inputs as the one before has outputs. *network is NULL after a failure: P15_ERR_ARGUMENT (layers that do not
 * fit, weights that are not finite or beyond 1e6), P15_ERR_MEMORY. */
p15_status p15_dense_new(const p15_dense_layer *layers, unsigned count, p15_cpu cpu, p15_dense **network);

/* The same of two quantized layers and float ones after them: none, when layer 1 has one output. */
p15_status p15_dense_new_quantized(const p15_quantized_layers *first, const p15_dense_layer *layers, unsigned count,
                                   p15_cpu cpu, p15_dense **network);
void p15_dense_delete(p15_dense *network); /* NULL is fine */

/* Bytes of memory, and what of it a whole evaluation reads of layers after the first. */
size_t p15_dense_bytes(const p15_dense *network);

/* The network's number for one board of 4x4; needs 26 kB of stack. */
float p15_dense_board(const p15_dense *network, p15_board board);

/* An empty batch for up to `room` boards (1 .. P15_DENSE_MAX_BATCH). P15_ERR_ARGUMENT, P15_ERR_MEMORY. */
p15_status p15_dense_batch_new(const p15_dense *network, size_t room, p15_dense_batch **batch);
void p15_dense_batch_delete(p15_dense_batch *batch); /* NULL is fine */

/* Adds a board, or the child of a board after the tile at `cell` slid to the blank's place, `blank`. There is room. It is
 * cheap if the one that was added before is the same board, a child of it, or a near relative. */
void p15_dense_add(p15_dense_batch *batch, p15_board board);
void p15_dense_add_child(p15_dense_batch *batch, p15_board board, unsigned blank, unsigned cell);

/* How many boards were added. */
size_t p15_dense_count(const p15_dense_batch *batch);

/* The network's numbers for all boards in the order of their coming; the batch is empty afterwards. */
void p15_dense_run(p15_dense_batch *batch, float *outputs);

#endif
