/* p15_dense: the forward pass of a small dense network that maps a 4x4 board to one number.
 *
 * The 256 inputs are 1 or 0: input 16 * tile + cell is 1 if the tile (0: the blank) lies on the cell. So the first
 * layer is no product but a sum of 16 rows of its weights, and the sums of children follow from those of their parent:
 *
 *     board --(16 rows)--> sums --activation--> inputs of layer 1 --(product)--> .. --> one number
 *       |                   |
 *      move         less a row, plus a row
 *       v                   v
 *     child ------------> sums --activation--> ..
 *
 * Each cell holds one tile, so the blank's weight on a cell may be subtracted from all tiles' weights on that cell, and
 * added to the biases: then the blank's rows are 0, and a move changes two rows, not four. The sums are integers in both
 * kinds of networks, so they do not depend on the moves that led to a board.
 *
 *     kind        weights of layer 0   sums    activation             layer 1                           further layers
 *     float       float                int32   of (sum / 2^k)         float                             float
 *     quantized   int8                 int16   min(max(sum >> shift,  int8; products of bytes added as  float
 *                                              0), 127), as bytes     int32; then times a float
 *
 * The k of a float network is the largest, up to 29, by which no board's sums leave 30 bits: 25 where no weight of a
 * cell differs from the blank's by more than 1. So a weight loses less than half of 2^-k.
 *
 * Floats: every number is rounded at once, and every sum adds in a fixed order: over the inputs one after the other,
 * but for layers of one output, whose products are first added in 16 lanes (input i in lane i % 16) and then lane j to
 * lane j + 8, + 4, + 2, + 1. So all processors agree to the last bit on quantized networks, and on float ones all from
 * P15_CPU_V3 on: these do not round the products of layers of more than 32 outputs before they add them. ELU takes its
 * exponential from a Taylor series of degree 7 after e^x = 2^n e^r, |r| <= ln(2) / 2: 6e-8 off at most.
 *
 * Cost, in weights that are read: 15 rows of layer 0 for a board, 2 for a child, and all of the other layers, once a
 * batch.
 *
 * A network is read-only: any number of threads may use it. A batch belongs to one thread at a time, and its network
 * outlives it.
 *
 * Sums that follow a move: Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer
 * shogi", 2018. */
#ifndef P15_LEARNING_DENSE_H
#define P15_LEARNING_DENSE_H

#include "learning/network/network.h"

#define P15_DENSE_MAX_BATCH 4096u

typedef struct p15_dense_batch p15_dense_batch;

/* The network's number for one board of 4x4; needs 24 kB of stack. */
float p15_dense_board(const p15_dense *network, p15_board board);

/* An empty batch for up to `room` boards (1 .. P15_DENSE_MAX_BATCH). P15_ERR_ARGUMENT, P15_ERR_MEMORY. */
p15_status p15_dense_batch_new(const p15_dense *network, size_t room, p15_dense_batch **batch);
void p15_dense_batch_delete(p15_dense_batch *batch); /* NULL is fine */

/* Adds a board, or the child of a board after the tile at `cell` slid to the blank's cell, `blank`. There is room. It is
 * cheap if the board before it was the same one, a child of it, or a near relative. */
void p15_dense_add(p15_dense_batch *batch, p15_board board);
void p15_dense_add_child(p15_dense_batch *batch, p15_board board, unsigned blank, unsigned cell);

/* The network's numbers for all boards in the order in which they were added; the batch is empty afterwards. */
void p15_dense_run(p15_dense_batch *batch, float *outputs);

#endif
