#include "learning/value_iteration/sweeps.h"

#include "base/bits.h"
#include "base/cpu.h"
#include "base/moves.h"

#include <stdlib.h>
#include <string.h>

struct p15_sweeps {
    const p15_subproblem *subproblem;
    double gamma, value; /* value: of the states that this sweep finds */
    double *values;
    uint8_t *policy;
    size_t placements, cleared, at; /* cleared: those without a value yet; at: where the sweep is */
    uint64_t found, found_before;   /* states that have a value, and that had one before the sweep */
    /* For each placement of the tiles, as sets of the blank's cells: which states have a value, which got it in the
     * sweep before, and which in this one. The last two have three placements more, always empty, so that four can be
     * looked at together. */
    uint16_t *known, *now, *next;
    uint16_t left_edge, right_edge, adjacent[P15_MAX_CELLS]; /* sets of cells */
    unsigned cols;
    uint8_t place[P15_DIRECTIONS]; /* of each direction in the order */
};

/* Fills the parts of p15_subproblem_rank's sums that depend on the first i tiles alone. */
P15_INLINE void settle(const p15_subproblem *subproblem, uint64_t tiles, unsigned from, uint64_t *ranks,
                       uint64_t *numbers) {
    for (unsigned i = from; i < subproblem->tile_count; i++) {
        unsigned shift = 4 * (tiles >> (4 * i) & 15);
        ranks[i + 1] = ranks[i] * (subproblem->free_count - i) + (numbers[i] >> shift & 15);
        numbers[i + 1] = p15_numbers_without(numbers[i], shift);
    }
}

/* The state of a placement with the blank at `cell` has a neighbour in the direction `action` that got its value in the
 * sweep before. `number` is the digit of `cell`. */
P15_INLINE void update(p15_sweeps *sweeps, size_t placement, unsigned cell, unsigned number, unsigned action) {
    const p15_subproblem *subproblem = sweeps->subproblem;
    uint16_t bit = (uint16_t)(1u << cell);
    size_t rank = placement * (subproblem->free_count - subproblem->tile_count) + number;
    if (!(sweeps->known[placement] & bit)) {
        sweeps->known[placement] |= bit;
        sweeps->next[placement] |= bit;
        sweeps->values[rank] = sweeps->value;
        sweeps->policy[rank] = (uint8_t)action;
        sweeps->found++;
    } else if (sweeps->next[placement] & bit && sweeps->place[action] < sweeps->place[sweeps->policy[rank]]) {
        sweeps->policy[rank] = (uint8_t)action; /* as good, and before */
    }
}

p15_status p15_sweeps_new(const p15_subproblem *subproblem, double gamma, const uint8_t order[P15_DIRECTIONS],
                          double *values, uint8_t *policy, p15_sweeps **made) {
    *made = NULL;
    p15_moves moves;
    if (p15_moves_init(subproblem->shape, order, &moves)) return P15_ERR_ARGUMENT;
    if (!(gamma >= P15_MIN_GAMMA && gamma <= P15_MAX_GAMMA)) return P15_ERR_ARGUMENT;
    unsigned cells = subproblem->shape.cells, cols = subproblem->shape.cols;
    if (subproblem->state_count > SIZE_MAX / sizeof *values) return P15_ERR_MEMORY;
    size_t placements = (size_t)subproblem->state_count / (subproblem->free_count - subproblem->tile_count);
    p15_sweeps *sweeps = calloc(1, sizeof *sweeps);
    if (!sweeps) return P15_ERR_MEMORY;
    *sweeps = (p15_sweeps){subproblem, gamma, .values = values, .policy = policy, .placements = placements};
    sweeps->cols = cols;
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) sweeps->place[moves.order[i]] = (uint8_t)i;
    sweeps->known = calloc(placements, sizeof *sweeps->known);
    sweeps->now = calloc(placements + 3, sizeof *sweeps->now);
    sweeps->next = calloc(placements + 3, sizeof *sweeps->next);
    if (!sweeps->known || !sweeps->now || !sweeps->next) {
        p15_sweeps_delete(sweeps);
        return P15_ERR_MEMORY;
    }
    for (unsigned cell = 0; cell < cells; cell++) {
        sweeps->left_edge |= (uint16_t)((cell % cols == 0) << cell);
        sweeps->right_edge |= (uint16_t)((cell % cols == cols - 1) << cell);
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            int next = subproblem->cells[cell][direction];
            if (next >= 0) sweeps->adjacent[cell] |= (uint16_t)(1u << next);
        }
    }
    *made = sweeps;
    return P15_OK;
}

/* The first sweep: the goal states. */
static void begin_sweeps(p15_sweeps *sweeps) {
    const p15_subproblem *subproblem = sweeps->subproblem;
    unsigned k = subproblem->tile_count;
    uint64_t tiles = 0, ranks[P15_MAX_CELLS + 1] = {0}, numbers[P15_MAX_CELLS + 1] = {subproblem->numbers};
    unsigned blanks = subproblem->free;
    for (unsigned i = 0; i < k; i++) {
        tiles |= (uint64_t)subproblem->goal[i] << (4 * i);
        blanks &= ~(1u << subproblem->goal[i]);
    }
    settle(subproblem, tiles, 0, ranks, numbers);
    sweeps->value = 1 / (1 - sweeps->gamma);
    for (unsigned left = blanks; left; left &= left - 1) {
        unsigned cell = p15_lowest_bit(left);
        update(sweeps, (size_t)ranks[k], cell, numbers[k] >> (4 * cell) & 15, P15_POLICY_DONE);
    }
    sweeps->at = sweeps->placements;
}

void p15_sweeps_delete(p15_sweeps *sweeps) {
    if (!sweeps) return;
    free(sweeps->known);
    free(sweeps->now);
    free(sweeps->next);
    free(sweeps);
}

/* Updates the neighbours of the states of a placement that got their value in the sweep before. */
static void sweep_placement(p15_sweeps *sweeps, size_t placement) {
    const p15_subproblem *subproblem = sweeps->subproblem;
    unsigned k = subproblem->tile_count, from = sweeps->now[placement], blanks = subproblem->free;
    uint64_t tiles = p15_subproblem_unrank(subproblem, (uint64_t)placement * (subproblem->free_count - k));
    uint64_t ranks[P15_MAX_CELLS + 1], numbers[P15_MAX_CELLS + 1];
    ranks[0] = 0;
    numbers[0] = subproblem->numbers;
    settle(subproblem, tiles, 0, ranks, numbers);
    /* Moves can be undone: the moves to a state are those from it, reversed. First, the blank moves a named tile. */
    for (unsigned i = 0; i < k; i++) {
        unsigned cell = tiles >> (4 * i) & 15;
        blanks &= ~(1u << cell);
        if (!(sweeps->adjacent[cell] & from)) continue;
        for (unsigned action = 0; action < P15_DIRECTIONS; action++) {
            int blank = subproblem->cells[cell][action];
            if (blank < 0 || !(from >> blank & 1)) continue;
            uint64_t moved = tiles ^ (uint64_t)(cell ^ (unsigned)blank) << (4 * i);
            uint64_t other_ranks[P15_MAX_CELLS + 1], other_numbers[P15_MAX_CELLS + 1];
            other_ranks[i] = ranks[i];
            other_numbers[i] = numbers[i];
            settle(subproblem, moved, i, other_ranks, other_numbers);
            update(sweeps, (size_t)other_ranks[k], cell, other_numbers[k] >> (4 * cell) & 15, action);
        }
    }
    /* Then it moves another tile: to the opposite of the action, by which it comes back. */
    const unsigned reached[P15_DIRECTIONS] = {
        [P15_DOWN] = from >> sweeps->cols,
        [P15_RIGHT] = (from & ~(unsigned)sweeps->left_edge) >> 1,
        [P15_LEFT] = (from & ~(unsigned)sweeps->right_edge) << 1,
        [P15_UP] = from << sweeps->cols,
    };
    for (unsigned action = 0; action < P15_DIRECTIONS; action++) {
        unsigned open = ~(unsigned)sweeps->known[placement] | sweeps->next[placement];
        for (unsigned left = reached[action] & blanks & open; left; left &= left - 1) {
            unsigned cell = p15_lowest_bit(left);
            update(sweeps, placement, cell, numbers[k] >> (4 * cell) & 15, action);
        }
    }
}

bool p15_sweeps_run(p15_sweeps *sweeps, size_t placements) {
    if (sweeps->cleared < sweeps->placements) { /* perhaps gigabytes, so not at once either */
        size_t left = sweeps->placements - sweeps->cleared, some = left < placements ? left : placements;
        size_t states = sweeps->subproblem->free_count - sweeps->subproblem->tile_count;
        size_t begin = sweeps->cleared * states;
        for (size_t i = begin; i < begin + some * states; i++) sweeps->values[i] = 0;
        memset(sweeps->policy + begin, P15_POLICY_NONE, some * states);
        sweeps->cleared += some;
        placements -= some;
        if (sweeps->cleared < sweeps->placements) return true;
        begin_sweeps(sweeps);
    }
    while (placements > 0) {
        if (sweeps->at >= sweeps->placements) {
            if (sweeps->found == sweeps->found_before) return false;
            uint16_t *done = sweeps->now;
            sweeps->now = sweeps->next;
            sweeps->next = done;
            memset(done, 0, sweeps->placements * sizeof *done);
            sweeps->value *= sweeps->gamma;
            sweeps->found_before = sweeps->found;
            sweeps->at = 0;
        }
        size_t end = sweeps->placements - sweeps->at < placements ? sweeps->placements : sweeps->at + placements;
        placements -= end - sweeps->at;
        while (sweeps->at < end) {
            uint64_t four;
            memcpy(&four, sweeps->now + sweeps->at, sizeof four);
            if (!four) {
                sweeps->at += 4;
                continue;
            }
            if (sweeps->now[sweeps->at]) sweep_placement(sweeps, sweeps->at);
            sweeps->at++;
        }
    }
    return true;
}
