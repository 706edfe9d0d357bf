/* p15_sums: layer 0 of a network: the sums of a board's rows, and those of its children.
 *
 * The sums of the board that was asked for last are held. Those of a relative follow from them: a row less and a row
 * more for each cell that differs. */
#ifndef P15_LEARNING_SUMS_H
#define P15_LEARNING_SUMS_H

#include "learning/network/network.h"

typedef struct {
    p15_board board; /* whose sums are held; 0: none */
    void *sums;      /* [width] of int16 or int32, aligned to P15_DENSE_BLOCK */
} p15_sums;

/* Writes the inputs of layer 1 after the tile at `cell` of the board slid to `blank`: `width` bytes of a quantized
 * network, else floats. With tile 0 and the same cell twice, those of the board itself. */
void p15_sums_inputs(const p15_dense *network, p15_sums *sums, p15_board board, unsigned tile, unsigned cell,
                     unsigned blank, void *inputs);

#endif
