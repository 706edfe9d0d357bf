#include "optimal/idastar.h"

#include <stdlib.h>
#include <string.h>

p15_idastar *p15_idastar_new(const p15_metric *metric, const void *problem) {
    p15_idastar *search = calloc(1, metric->bytes);
    if (!search) return NULL;
    search->metric = metric;
    search->problem = problem;
    search->ended = true;
    search->searched = malloc(metric->subtrees * sizeof *search->searched);
    search->schedule = malloc(metric->subtrees * sizeof *search->schedule);
    if (search->searched && search->schedule && metric->make_search(search)) return search;
    p15_idastar_delete(search);
    return NULL;
}

void p15_idastar_delete(p15_idastar *search) {
    if (!search) return;
    search->metric->free_search(search);
    free(search->searched);
    free(search->schedule);
    free(search);
}

static p15_status begin_iteration(p15_idastar *search, uint64_t before) {
    p15_status status = search->metric->prepare(search, before);
    if (status != P15_OK) return status;
    memset(search->searched, 0, search->scheduled * sizeof *search->searched);
    atomic_store(&search->cursor, 0);
    atomic_store(&search->best, P15_NO_SUBTREE);
    return P15_OK;
}

p15_status p15_idastar_begin(p15_idastar *search, p15_board board, unsigned move, unsigned limit) {
    search->ended = false;
    search->board = board;
    search->bound = 0;
    search->limit = limit;
    search->iteration_count = 0;
    search->counts = (p15_counts){0, 0};
    memset(&search->found, 0, sizeof search->found);
    p15_status status = search->metric->begin(search, move);
    search->found.solved = status == P15_OK && board == search->goal;
    search->ended = search->found.solved || search->bound > limit;
    if (status == P15_OK && !search->ended) status = begin_iteration(search, 0);
    search->status = status; /* the value of an assignment to an atomic has a type of its own in clang 14 */
    return status;
}

p15_counts p15_idastar_counts(const p15_idastar *search, uint32_t subtrees) {
    p15_counts sum = {0, 0};
    for (uint32_t i = 0; i < subtrees; i++) p15_counts_add(&sum, search->searched[i]);
    return sum;
}

bool p15_idastar_end_iteration(p15_idastar *search, const p15_found *found) {
    uint32_t best = atomic_load(&search->best);
    p15_counts counts = p15_idastar_counts(search, best == P15_NO_SUBTREE ? search->scheduled : best + 1);
    p15_counts_add(&search->counts, counts);
    if (search->status != P15_OK) { /* it was cut short, and has proved nothing */
        search->ended = true;
        return false;
    }
    search->iterations[search->iteration_count++] = (p15_iteration){search->bound, counts.expanded, counts.generated};
    if (best != P15_NO_SUBTREE) {
        search->found = *found;
        search->status = search->found.solved ? search->metric->check(search) : P15_ERR_CORRUPT;
        search->ended = true;
        return false;
    }
    search->bound += search->metric->step;
    if (search->bound > search->most_moves)
        search->status = P15_ERR_CORRUPT; /* no board is so far from the goal */
    else if (search->bound <= search->limit)
        search->status = begin_iteration(search, counts.generated);
    search->ended = search->status != P15_OK || search->bound > search->limit;
    return !search->ended;
}

bool p15_idastar_lengthen(p15_idastar *search) { return !search->metric->lengthen || search->metric->lengthen(search); }

void p15_idastar_result(const p15_idastar *search, p15_result *result, p15_iteration *iterations) {
    memset(result, 0, sizeof *result);
    result->status = search->status;
    result->solved = search->found.solved && search->status == P15_OK;
    result->length = result->solved ? search->found.length : 0;
    result->lower_bound = (uint8_t)(result->solved ? search->found.length : search->bound);
    memcpy(result->path, search->found.path, sizeof result->path);
    result->expanded = search->counts.expanded;
    result->generated = search->counts.generated;
    result->iteration_count = search->iteration_count;
    if (iterations) memcpy(iterations, search->iterations, search->iteration_count * sizeof *iterations);
}
