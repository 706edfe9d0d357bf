/* Evaluators of several heuristics, and orders of moves for the searches that use them. */
#ifndef EVALUATORS_H
#define EVALUATORS_H

#include "check.h"
#include "search/heuristics/evaluator.h"

static const uint8_t ORDERS[][P15_DIRECTIONS] = {{0, 1, 2, 3}, {3, 1, 0, 2}, {2, 3, 1, 0}};

/* An evaluator of some components, as bits: 1 << kind. */
static inline p15_evaluator *evaluator_of(p15_shape shape, p15_board goal, unsigned kinds) {
    p15_evaluator *e;
    CHECK(p15_evaluator_new(shape, goal, &e) == P15_OK);
    for (unsigned kind = 0; kind < P15_HEURISTIC_COUNT; kind++)
        if (kinds >> kind & 1u) CHECK(p15_evaluator_add(e, (p15_heuristic_kind)kind) == P15_OK);
    return e;
}

#endif
