#include "search/heuristics/children.h"

#include "nodes/neighbours.h"

/* A parent, read and checked once for all of its children. */
typedef struct {
    p15_board board;
    p15_values values;
    unsigned blank;
} parent;

static bool read_parent(p15_shape shape, unsigned width, const p15_board *board, const uint8_t *values, parent *of) {
    of->board = *board;
    if (p15_board_check(of->board, shape) != P15_OK) return false;
    of->blank = p15_board_blank(of->board);
    of->values = 0;
    for (unsigned i = 0; i < width; i++) of->values |= (p15_values)values[i] << (8 * i);
    return true;
}

/* Evaluates the children that wait, and writes their values. */
static void write_waiting(p15_evaluations *batch, size_t waiting, unsigned width, uint8_t *child_values) {
    if (waiting == 0) return;
    const p15_values *found = p15_evaluations_run(batch);
    for (size_t j = 0; j < waiting; j++) p15_values_spread(found[j], width, child_values + j * width);
}

size_t p15_evaluator_children(const p15_evaluator *evaluator, p15_evaluations *batch, size_t room,
                              const p15_board *boards, const uint8_t *values, size_t board_count,
                              const int64_t *parents, const uint8_t *directions, size_t count, uint8_t *child_values) {
    const p15_h_changes *changes = p15_evaluator_changes(evaluator);
    p15_shape shape = p15_evaluator_shape(evaluator);
    p15_neighbours neighbours;
    p15_neighbours_init(shape, &neighbours);
    unsigned width = p15_evaluator_count(evaluator);
    parent of = {0};
    int64_t known = -1;
    size_t i = 0, written = 0;
    for (; i < count; i++) {
        if (parents[i] != known) {
            known = parents[i];
            if ((uint64_t)known >= board_count) break;
            if (!read_parent(shape, width, &boards[known], &values[(size_t)known * width], &of)) break;
        }
        unsigned direction = directions[i];
        if (direction >= P15_DIRECTIONS || !(neighbours.legal[of.blank] >> direction & 1u)) break;
        if (batch) {
            p15_evaluations_add(batch, of.board, of.values, of.blank, direction);
            if (i + 1 - written < room) continue;
            write_waiting(batch, room, width, child_values + written * width);
            written = i + 1;
        } else if (changes && width == 1) {
            unsigned tile = p15_board_tile(of.board, p15_cell_step(shape, of.blank, direction));
            child_values[i] = (uint8_t)((int)of.values + (*changes)[of.blank][direction][tile]);
        } else {
            p15_values found;
            p15_evaluator_child(evaluator, of.board, of.values, of.blank, direction, &found);
            p15_values_spread(found, width, child_values + i * width);
        }
    }
    if (batch) write_waiting(batch, i - written, width, child_values + written * width);
    return i;
}
