#include "learning/network/dense.h"

#include "learning/network/kernels.h"

#include <stdlib.h>

struct p15_dense_batch {
    const p15_dense *network;
    size_t room, count;
    p15_sums sums;
    uint8_t *bytes;        /* [room][width], of quantized networks */
    float *floats, *other; /* [room][widest] */
    void *memory;
};

/* Adds the board after a tile of `board` slid. */
static void add(p15_dense_batch *batch, p15_board board, unsigned tile, unsigned cell, unsigned blank) {
    const p15_dense *network = batch->network;
    void *inputs = network->quantized ? (void *)(batch->bytes + batch->count * network->width)
                                      : (void *)(batch->floats + batch->count * network->widest);
    p15_sums_inputs(network, &batch->sums, board, tile, cell, blank, inputs);
    batch->count++;
}

void p15_dense_add(p15_dense_batch *batch, p15_board board) { add(batch, board, 0, 0, 0); }

void p15_dense_add_child(p15_dense_batch *batch, p15_board board, unsigned blank, unsigned cell) {
    add(batch, board, p15_board_tile(board, cell), cell, blank);
}

void p15_dense_run(p15_dense_batch *batch, float *outputs) {
    const p15_dense *network = batch->network;
    size_t stride = network->widest, count = batch->count;
    float *x = batch->floats, *y = batch->other;
    if (count == 0) return;
    if (network->quantized) p15_products_run(network, batch->bytes, x, stride, count);
    for (unsigned i = 0; i < network->layer_count; i++) {
        p15_layer_run(&network->layers[i], network->cpu, x, y, stride, count);
        float *swap = x;
        x = y;
        y = swap;
    }
    for (size_t b = 0; b < count; b++) outputs[b] = x[b * stride];
    batch->count = 0;
}

float p15_dense_board(const p15_dense *network, p15_board board) {
    _Alignas(64) float floats[P15_DENSE_MAX_WIDTH], other[P15_DENSE_MAX_WIDTH];
    _Alignas(64) union {
        uint16_t of_quantized[P15_DENSE_MAX_WIDTH];
        uint32_t of_float[P15_DENSE_MAX_WIDTH];
    } sums;
    _Alignas(64) uint8_t bytes[P15_DENSE_MAX_WIDTH];
    p15_dense_batch batch = {
        .network = network, .room = 1, .sums = {.sums = &sums}, .bytes = bytes, .floats = floats, .other = other};
    float output;
    p15_dense_add(&batch, board);
    p15_dense_run(&batch, &output);
    return output;
}

p15_status p15_dense_batch_new(const p15_dense *network, size_t room, p15_dense_batch **made) {
    *made = NULL;
    if (room < 1 || room > P15_DENSE_MAX_BATCH) return P15_ERR_ARGUMENT;
    size_t sums = network->width * sizeof(uint32_t), bytes = network->quantized ? room * network->width : 0;
    size_t floats = room * network->widest * sizeof(float);
    p15_dense_batch *batch = calloc(1, sizeof *batch);
    char *memory = batch ? p15_dense_allocate(sums + bytes + 2 * floats) : NULL;
    if (!memory) {
        free(batch);
        return P15_ERR_MEMORY;
    }
    *batch = (p15_dense_batch){.network = network, .room = room, .memory = memory};
    batch->sums.sums = memory;
    batch->bytes = (uint8_t *)memory + sums;
    batch->floats = (float *)(memory + sums + bytes);
    batch->other = (float *)(memory + sums + bytes + floats);
    *made = batch;
    return P15_OK;
}

void p15_dense_batch_delete(p15_dense_batch *batch) {
    if (!batch) return;
    p15_dense_release(batch->memory);
    free(batch);
}
