#include "search/search.h"

#include <stdlib.h>

_Static_assert(P15_CLOSED_MAX_G + 255u < P15_MOST_LAYERS, "every node has a layer");

bool p15_search_run(p15_search *search, uint64_t expansions) {
    return search->report.state == P15_SEARCH_RUNNING && search->type->run(search, expansions);
}

const p15_report *p15_search_report(p15_search *search) {
    const p15_closed *closed = search->closed;
    if (closed->slots) {
        search->report.nodes = closed[0].node_count + closed[1].node_count;
        search->report.upkeep = closed[0].growth || closed[1].growth;
    }
    if (search->type->complete) search->type->complete(search);
    if (search->memory.used) search->report.bytes = search->memory.used;
    return &search->report;
}

void p15_search_trace(p15_search *search, p15_trace *trace) {
    search->trace = trace;
    if (trace) {
        trace->shape = p15_evaluator_shape(search->options.evaluator);
        trace->evaluator = search->evaluator;
    }
    if (search->type->traced) search->type->traced(search);
}

p15_status p15_search_count_layers(p15_search *search) {
    search->report.layers = search->layers = calloc(1, sizeof *search->layers);
    if (!search->layers) return P15_ERR_MEMORY;
    if (search->type->counted) search->type->counted(search);
    return P15_OK;
}

void p15_search_delete(p15_search *search) {
    if (!search) return;
    if (search->type->end) search->type->end(search);
    for (unsigned i = 0; i < 2; i++) {
        p15_evaluations_delete(search->batches[i]);
        p15_closed_free(&search->closed[i]);
    }
    for (unsigned i = 0; i < 4; i++) p15_open_free(&search->open[i]);
    free(search->parents);
    free(search->layers);
    free(search->path);
    free(search->iterations);
    free(search);
}

p15_status p15_search_new(const p15_search_type *type, const p15_search_options *options, p15_search **made) {
    const p15_evaluator *evaluator = options->evaluator;
    p15_shape shape = p15_evaluator_shape(evaluator);
    p15_board start = options->start, goal = options->goal;
    p15_status status = P15_OK;
    p15_moves moves;
    *made = NULL;
    if (p15_moves_init(shape, options->order, &moves) != P15_OK) return P15_ERR_ARGUMENT;
    if (p15_board_check(start, shape) || p15_board_check(goal, shape)) return P15_ERR_BOARD;
    if (!p15_board_solvable(start, goal, shape)) return P15_ERR_UNSOLVABLE;
    if (!type->by_sides && goal != p15_evaluator_goal(evaluator)) return P15_ERR_ARGUMENT;
    p15_search *search = calloc(1, type->bytes);
    if (!search) return P15_ERR_MEMORY;
    search->type = type;
    search->options = *options;
    search->moves = moves;
    search->start = start;
    search->goal = goal;
    search->memory.most = options->max_bytes;
    if (!type->by_sides) {
        search->evaluator = evaluator;
        search->changes = p15_evaluator_changes(evaluator);
        status = p15_evaluator_board(evaluator, start, &search->h, &search->values);
    }
    if (status == P15_OK) status = type->make(search);
    if (status == P15_OK)
        *made = search;
    else
        p15_search_delete(search);
    return status;
}

bool p15_search_end(p15_search *search, p15_search_state state) {
    search->report.state = state;
    return false;
}

bool p15_search_exhausted(p15_search *search) {
    return p15_search_end(search, search->report.path ? P15_SEARCH_SOLVED : P15_SEARCH_FAILED);
}

p15_status p15_search_batch(p15_search *search, size_t room) {
    if (!p15_evaluator_prefers_batches(search->evaluator)) return P15_OK;
    return p15_evaluations_new(search->evaluator, room, &search->batches[0]);
}

p15_status p15_search_root(p15_search *search, unsigned side) {
    p15_closed *closed = &search->closed[side];
    p15_board root = side == 0 ? search->start : search->goal;
    p15_status status = p15_closed_init(p15_evaluator_shape(search->options.evaluator), &search->memory, closed);
    if (!status) p15_closed_add(closed, p15_closed_where(closed, root), p15_closed_known(closed, root), 0, 0);
    return status;
}

bool p15_search_at_goal(p15_search *search) {
    if (search->trace) p15_trace_node(search->trace, search->goal, search->values, 0, true);
    return p15_search_end(search, p15_search_path(search, 0) ? P15_SEARCH_SOLVED : P15_SEARCH_NO_ROOM);
}

uint8_t *p15_search_path(p15_search *search, size_t length) {
    uint8_t *path = realloc(search->path, length + 1);
    if (!path) return NULL;
    search->report.to_best = search->report.expanded;
    if (!search->path) search->report.to_first = search->report.expanded;
    search->report.path = search->path = path;
    search->report.length = length;
    return path;
}

bool p15_search_iterated(p15_search *search, unsigned bound, uint64_t expanded, uint64_t generated) {
    p15_report *report = &search->report;
    if (report->iteration_count == search->iteration_room) {
        size_t room = search->iteration_room ? 2 * search->iteration_room : 16;
        p15_iteration *iterations = realloc(search->iterations, room * sizeof *iterations);
        if (!iterations) return false;
        report->iterations = search->iterations = iterations;
        search->iteration_room = room;
    }
    search->iterations[report->iteration_count++] = (p15_iteration){bound, expanded, generated};
    return true;
}
