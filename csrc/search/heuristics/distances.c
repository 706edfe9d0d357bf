#include "search/heuristics/distances.h"

void p15_distances_init(p15_shape shape, p15_board goal, p15_distances *distances) {
    *distances = (p15_distances){.shape = shape, .goal = goal};
    p15_board_locate(goal, shape, distances->goal_of);
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned tile = 1; tile < shape.cells; tile++)
            distances->taxicabs[cell][tile] = (uint8_t)p15_cell_distance(shape, cell, distances->goal_of[tile]);
}

/* ------------------------------------------------------------------------------------------------ sums over tiles */

void p15_distances_changes(const p15_distances *d, bool misplaced, p15_h_changes changes) {
    for (unsigned blank = 0; blank < d->shape.cells; blank++)
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            int cell = p15_cell_neighbour(d->shape, blank, dir);
            for (unsigned tile = 1; cell >= 0 && tile < d->shape.cells; tile++)
                changes[blank][dir][tile] =
                    (int8_t)(misplaced ? (d->goal_of[tile] != blank) - (d->goal_of[tile] != cell)
                                       : p15_distances_change(d, tile, (unsigned)cell, blank));
        }
}

unsigned p15_distances_misplaced(const p15_distances *d, p15_board board) {
    unsigned count = 0;
    for (unsigned cell = 0; cell < d->shape.cells; cell++) {
        unsigned tile = p15_board_tile(board, cell);
        count += tile != 0 && d->goal_of[tile] != cell;
    }
    return count;
}

/* ------------------------------------------------------------------------------------------------ reversals */

unsigned p15_reversals_count(const p15_distances *d, p15_board board) {
    unsigned count = 0;
    for (unsigned cell = 0; cell < d->shape.cells; cell++)
        for (unsigned dir = P15_RIGHT; dir <= P15_DOWN; dir++) {
            int next = p15_cell_neighbour(d->shape, cell, dir);
            unsigned tile = p15_board_tile(board, cell), other = next < 0 ? 0 : p15_board_tile(board, (unsigned)next);
            count += tile && other && d->goal_of[tile] == next && d->goal_of[other] == cell;
        }
    return count;
}

/* ------------------------------------------------------------------------------------------------ linear conflict */

void p15_conflict_lines_init(const p15_distances *d, p15_conflict_lines *lines) {
    unsigned rows = d->shape.rows, cols = d->shape.cols;
    lines->count = rows + cols;
    for (unsigned i = 0; i < rows + cols; i++) {
        bool is_row = i < rows;
        p15_line *made = &lines->lines[i];
        made->shift = (uint8_t)(4 * (is_row ? i * cols : i - rows));
        made->stride = (uint8_t)(4 * (is_row ? 1 : cols));
        made->cells = (uint8_t)(is_row ? cols : rows);
        made->bits = made->cells <= 4 ? P15_LINE_TABLE_BITS : 4;
        for (unsigned tile = 1; tile < d->shape.cells; tile++) {
            unsigned row = d->goal_of[tile] / cols, col = d->goal_of[tile] % cols;
            if (is_row ? row == i : col == i - rows) made->position[tile] = (uint8_t)(1 + (is_row ? col : row));
        }
    }
    for (unsigned blank = 0; blank < d->shape.cells; blank++)
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            int cell = p15_cell_neighbour(d->shape, blank, dir);
            for (unsigned tile = 1; cell >= 0 && tile < d->shape.cells; tile++) {
                bool vertical = dir == P15_UP || dir == P15_DOWN;
                unsigned along = vertical ? blank % cols : blank / cols;
                unsigned into = vertical ? blank / cols : rows + blank % cols;
                unsigned out_of = vertical ? (unsigned)cell / cols : rows + (unsigned)cell % cols;
                unsigned home = lines->lines[into].position[tile]     ? into
                                : lines->lines[out_of].position[tile] ? out_of
                                                                      : P15_NO_LINE;
                lines->moves[blank][dir][tile] = (p15_line_move){
                    .change = (int8_t)p15_distances_change(d, tile, (unsigned)cell, blank),
                    .line = (uint8_t)home,
                    .shift = (uint8_t)(home == P15_NO_LINE ? 0 : along * lines->lines[home].bits),
                };
            }
        }
    for (unsigned code = 0; code < sizeof lines->leavers; code++)
        lines->leavers[code] = (uint8_t)p15_line_count_leavers(code, P15_LINE_TABLE_BITS);
}

unsigned p15_conflict_lines_leavers(const p15_conflict_lines *lines, p15_board board) {
    unsigned sum = 0;
    for (unsigned i = 0; i < lines->count; i++)
        sum += p15_line_leavers(lines, &lines->lines[i], p15_line_code(&lines->lines[i], board));
    return sum;
}
