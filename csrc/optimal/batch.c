#include "optimal/batch.h"

void p15_batch_start(const p15_board *boards, const uint8_t *limits, const uint64_t *max_nodes, p15_result *results,
                     size_t count, p15_batch *batch) {
    batch->boards = boards;
    batch->limits = limits;
    batch->max_nodes = max_nodes;
    batch->moves = NULL;
    batch->results = results;
    batch->count = count;
    atomic_init(&batch->next, 0);
    atomic_init(&batch->done, 0);
    atomic_init(&batch->stopped, false);
    atomic_init(&batch->wants_longer, false);
}

void p15_batch_stop(p15_batch *batch) { atomic_store(&batch->stopped, true); }

size_t p15_batch_done(const p15_batch *batch) { return atomic_load(&((p15_batch *)batch)->done); }

bool p15_batch_wants_longer(const p15_batch *batch) { return atomic_load(&((p15_batch *)batch)->wants_longer); }

bool p15_batch_take(p15_batch *batch, size_t *board) {
    while ((*board = atomic_fetch_add(&batch->next, 1)) < batch->count) {
        if (batch->results[*board].status == P15_OK) return true;
        atomic_fetch_add(&batch->done, 1);
    }
    return false;
}
