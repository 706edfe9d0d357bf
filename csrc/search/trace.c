#include "search/trace.h"

#include <stdlib.h>
#include <string.h>

void p15_trace_init(p15_trace *trace) { *trace = (p15_trace){.bound = P15_NO_BOUND}; }

void p15_trace_free(p15_trace *trace) { free(trace->expansions); }

static p15_expansion *last_of(p15_trace *trace) {
    return trace->failed ? &trace->spare : &trace->expansions[trace->count - 1];
}

p15_expansion *p15_trace_node(p15_trace *trace, p15_board board, p15_values values, unsigned g, bool goal) {
    if (trace->count == trace->room && !trace->failed) {
        size_t room = trace->room ? 2 * trace->room : 16;
        p15_expansion *expansions = realloc(trace->expansions, room * sizeof *expansions);
        trace->failed = !expansions;
        if (expansions) {
            trace->expansions = expansions;
            trace->room = room;
        }
    }
    if (!trace->failed) trace->count++;
    trace->values = values;
    p15_expansion *last = last_of(trace);
    *last = (p15_expansion){.board = board,
                            .g = g,
                            .h = p15_values_h(values),
                            .iteration = trace->iteration,
                            .bound = trace->bound,
                            .side = trace->side,
                            .goal = goal};
    return last;
}

void p15_trace_pending(p15_trace *trace, p15_board board, p15_values values, unsigned g, bool goal) {
    p15_trace_node(trace, board, values, g, goal);
    if (!trace->failed) trace->pending++;
}

p15_traced_child *p15_trace_child(p15_trace *trace, unsigned direction, p15_fate fate) {
    p15_expansion *parent = last_of(trace);
    p15_traced_child *child = &parent->children[parent->child_count++];
    unsigned blank = p15_board_blank(parent->board), h = 0;
    p15_values values;
    if (trace->evaluator)
        h = p15_evaluator_child(trace->evaluator, parent->board, trace->values, blank, direction, &values);
    *child = (p15_traced_child){
        .board = p15_board_slide(parent->board, blank, p15_cell_step(trace->shape, blank, direction)),
        .direction = (uint8_t)direction,
        .h = (uint8_t)h,
        .fate = (uint8_t)fate};
    return child;
}

void p15_trace_drop(p15_trace *trace, size_t count) {
    trace->count -= count;
    if (trace->pending > trace->count) trace->pending = trace->count; /* the search has ended */
    if (trace->count) memmove(trace->expansions, trace->expansions + count, trace->count * sizeof *trace->expansions);
}
