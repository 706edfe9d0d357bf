/* p15_evaluator_children: the values of many children from those of their parents. */
#ifndef P15_HEURISTICS_CHILDREN_H
#define P15_HEURISTICS_CHILDREN_H

#include "search/heuristics/evaluator.h"

/* Child i is that of boards[parents[i]] after the blank's move directions[i]. All values of a board stand together,
 * p15_evaluator_count(evaluator) bytes. Children one after the other that have one parent are cheapest. `batch` is empty
 * and has room for `room` children; it is NULL where p15_evaluator_prefers_batches says no.
 *
 * Returns the first i whose parent is no board, or whose move is illegal; count if all were done. */
size_t p15_evaluator_children(const p15_evaluator *evaluator, p15_evaluations *batch, size_t room,
                              const p15_board *boards, const uint8_t *values, size_t board_count,
                              const int64_t *parents, const uint8_t *directions, size_t count, uint8_t *child_values);

#endif
