#include "learning/value_iteration.h"

#include "base/moves.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NIBBLES UINT64_C(0x1111111111111111)

enum { UNKNOWN = 0xff };

/* ------------------------------------------------------------------------------------------------ one subproblem */

p15_status p15_subproblem_init(p15_shape shape, const uint8_t *goal, unsigned count, unsigned fixed,
                               p15_subproblem *subproblem) {
    if (count < 1 || count >= shape.cells || fixed >> shape.cells) return P15_ERR_PATTERN;
    p15_subproblem made = {.shape = shape, .tile_count = count, .free = (uint16_t)(((1u << shape.cells) - 1) & ~fixed)};
    unsigned seen = fixed;
    for (unsigned i = 0; i < count; i++) {
        if (goal[i] >= shape.cells || seen >> goal[i] & 1) return P15_ERR_PATTERN;
        seen |= 1u << goal[i];
        made.goal[i] = goal[i];
    }
    for (unsigned cell = 0; cell < P15_MAX_CELLS; cell++) {
        made.numbers |= (uint64_t)made.free_count << (4 * cell);
        bool is_free = made.free >> cell & 1;
        made.free_count += is_free;
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            int next = is_free ? p15_cell_neighbour(shape, cell, direction) : -1;
            made.cells[cell][direction] = (int8_t)(next >= 0 && !(fixed >> next & 1) ? next : -1);
        }
    }
    if (made.free_count <= count) return P15_ERR_PATTERN;
    made.state_count = 1;
    for (unsigned i = 0; i <= count; i++) {
        made.state_count *= made.free_count - i;
        if (made.state_count > P15_MAX_STATES) return P15_ERR_MEMORY;
    }
    *subproblem = made;
    return P15_OK;
}

/* The cell of the `number`-th bit. */
static unsigned nth_cell(unsigned cells, unsigned number) {
    while (number--) cells &= cells - 1;
    return p15_lowest_bit(cells);
}

uint64_t p15_subproblem_unrank(const p15_subproblem *subproblem, uint64_t rank) {
    assert(rank < subproblem->state_count);
    uint8_t digits[P15_MAX_CELLS];
    for (unsigned i = subproblem->tile_count + 1; i-- > 0;) {
        digits[i] = (uint8_t)(rank % (subproblem->free_count - i));
        rank /= subproblem->free_count - i;
    }
    unsigned left = subproblem->free;
    uint64_t state = 0;
    for (unsigned i = 0; i <= subproblem->tile_count; i++) {
        unsigned cell = nth_cell(left, digits[i]);
        left ^= 1u << cell;
        state |= (uint64_t)cell << (4 * i);
    }
    return state;
}

/* The state after the blank has gone from `blank` to its neighbour `cell`. */
P15_INLINE uint64_t step(unsigned tile_count, uint64_t state, unsigned blank, unsigned cell) {
    uint64_t both = blank ^ cell, moved = state ^ both << (4 * tile_count);
    for (unsigned i = 0; i < tile_count; i++)
        if ((state >> (4 * i) & 15) == cell) return moved ^ both << (4 * i);
    return moved;
}

/* Where the tiles of G are. Its states follow one another, the blank being at each cell that is left, from the first on. */
typedef struct {
    uint64_t tiles; /* the state without the blank */
    unsigned left;  /* set of cells */
    bool is_goal;
} placement;

static placement placement_of(const p15_subproblem *subproblem, uint64_t number) {
    unsigned blanks = subproblem->free_count - subproblem->tile_count;
    uint64_t state = p15_subproblem_unrank(subproblem, number * blanks);
    placement place = {state & ~(UINT64_C(15) << (4 * subproblem->tile_count)), subproblem->free, true};
    for (unsigned i = 0; i < subproblem->tile_count; i++) {
        unsigned cell = state >> (4 * i) & 15;
        place.left ^= 1u << cell;
        place.is_goal &= cell == subproblem->goal[i];
    }
    return place;
}

/* ------------------------------------------------------------------------------------------------ learning */

struct p15_sweeps {
    const p15_subproblem *subproblem;
    double gamma, value; /* value: of the states that this sweep finds */
    double *values;
    uint8_t *policy;
    size_t placements, cleared, at; /* cleared: those without a value yet; at: where the sweep is */
    uint64_t found, found_before;   /* states that have a value, and that had one before the sweep */
    /* For each placement of the tiles, as sets of the blank's cells: which states have a value, which got it in the sweep
     * before, and which in this one. The last two have three placements more, always empty, so that four can be looked
     * at together. */
    uint16_t *known, *now, *next;
    uint16_t left_edge, right_edge, adjacent[P15_MAX_CELLS]; /* sets of cells */
    unsigned cols;
};

/* Fills what of the sums of p15_subproblem_rank is settled once the first i tiles are. */
P15_INLINE void settle(const p15_subproblem *subproblem, uint64_t tiles, unsigned from, uint64_t *ranks,
                       uint64_t *numbers) {
    for (unsigned i = from; i < subproblem->tile_count; i++) {
        unsigned shift = 4 * (tiles >> (4 * i) & 15);
        ranks[i + 1] = ranks[i] * (subproblem->free_count - i) + (numbers[i] >> shift & 15);
        numbers[i + 1] = numbers[i] - (NIBBLES << shift << 4);
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
    } else if (sweeps->next[placement] & bit && action < sweeps->policy[rank]) {
        sweeps->policy[rank] = (uint8_t)action; /* as good, and before */
    }
}

p15_status p15_sweeps_new(const p15_subproblem *subproblem, double gamma, double *values, uint8_t *policy,
                          p15_sweeps **made) {
    *made = NULL;
    if (!(gamma >= P15_MIN_GAMMA && gamma <= P15_MAX_GAMMA)) return P15_ERR_ARGUMENT;
    unsigned k = subproblem->tile_count, cells = subproblem->shape.cells, cols = subproblem->shape.cols;
    uint64_t placements = subproblem->state_count / (subproblem->free_count - k);
    if (subproblem->state_count > SIZE_MAX / sizeof *values) return P15_ERR_MEMORY;
    p15_sweeps *sweeps = calloc(1, sizeof *sweeps);
    if (!sweeps) return P15_ERR_MEMORY;
    *sweeps = (p15_sweeps){.subproblem = subproblem,
                           .gamma = gamma,
                           .values = values,
                           .policy = policy,
                           .placements = (size_t)placements,
                           .cols = cols};
    sweeps->known = calloc((size_t)placements, sizeof *sweeps->known);
    sweeps->now = calloc((size_t)placements + 3, sizeof *sweeps->now);
    sweeps->next = calloc((size_t)placements + 3, sizeof *sweeps->next);
    if (!sweeps->known || !sweeps->now || !sweeps->next) {
        p15_sweeps_delete(sweeps);
        return P15_ERR_MEMORY;
    }
    for (unsigned cell = 0; cell < cells; cell += cols) {
        sweeps->left_edge |= (uint16_t)(1u << cell);
        sweeps->right_edge |= (uint16_t)(1u << (cell + cols - 1));
    }
    for (unsigned cell = 0; cell < cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            int next = subproblem->cells[cell][direction];
            if (next >= 0) sweeps->adjacent[cell] |= (uint16_t)(1u << next);
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

uint64_t p15_sweeps_found(const p15_sweeps *sweeps) { return sweeps->found; }

/* Updates the neighbours of the states of a placement that got their value in the sweep before. */
static void sweep_placement(p15_sweeps *sweeps, size_t placement) {
    const p15_subproblem *subproblem = sweeps->subproblem;
    unsigned k = subproblem->tile_count, from = sweeps->now[placement], blanks = subproblem->free;
    uint64_t tiles = p15_subproblem_unrank(subproblem, (uint64_t)placement * (subproblem->free_count - k));
    uint64_t ranks[P15_MAX_CELLS + 1], numbers[P15_MAX_CELLS + 1];
    ranks[0] = 0;
    numbers[0] = subproblem->numbers;
    settle(subproblem, tiles, 0, ranks, numbers);
    /* Moves can be undone: those that lead to a state are those that lead away from it, the other way round. Tiles that
     * the blank changes places with: */
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
    /* And where it goes without moving a named tile; to the opposite of the action, by which it comes back. */
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
    if (sweeps->cleared < sweeps->placements) { /* gigabytes perhaps, so not at once either */
        size_t left = sweeps->placements - sweeps->cleared, some = left < placements ? left : placements;
        size_t states = sweeps->subproblem->free_count - sweeps->subproblem->tile_count,
               begin = sweeps->cleared * states;
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

uint64_t p15_subproblem_check(const p15_subproblem *subproblem, double gamma, const double *values,
                              const uint8_t *policy, uint64_t begin, uint64_t end) {
    unsigned k = subproblem->tile_count, blanks = subproblem->free_count - k;
    double top = 1 / (1 - gamma);
    uint64_t wrong = 0;
    for (uint64_t number = begin / blanks; number * blanks < end; number++) {
        placement place = placement_of(subproblem, number);
        uint64_t rank = number * blanks;
        for (unsigned left = place.left; left; left &= left - 1, rank++) {
            if (rank < begin || rank >= end) continue;
            unsigned blank = p15_lowest_bit(left);
            uint64_t state = place.tiles | (uint64_t)blank << (4 * k);
            double best = 0;
            uint8_t first = P15_POLICY_NONE;
            for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
                int cell = subproblem->cells[blank][direction];
                if (cell < 0) continue;
                double value = values[p15_subproblem_rank(subproblem, step(k, state, blank, (unsigned)cell))];
                if (value > best) {
                    best = value;
                    first = (uint8_t)direction;
                }
            }
            double expected = place.is_goal ? top : gamma * best;
            double error = values[rank] - expected;
            bool close = error <= 1e-9 * expected && error >= -1e-9 * expected; /* false of NaN, too */
            wrong += !close || policy[rank] != (place.is_goal ? P15_POLICY_DONE : first);
        }
    }
    return wrong;
}

/* Where the policy leads from a state, which it changes together with its number. False: nowhere. */
P15_INLINE bool follow(const p15_subproblem *subproblem, unsigned direction, uint64_t *state, uint64_t *rank) {
    unsigned k = subproblem->tile_count, blank = *state >> (4 * k) & 15;
    int cell = direction < P15_DIRECTIONS ? subproblem->cells[blank][direction] : -1;
    if (cell < 0) return false;
    *state = step(k, *state, blank, (unsigned)cell);
    *rank = p15_subproblem_rank(subproblem, *state);
    return true;
}

p15_status p15_subproblem_ends(const p15_subproblem *subproblem, const uint8_t *policy, uint64_t begin, uint64_t end,
                               uint8_t *ends) {
    unsigned k = subproblem->tile_count;
    for (uint64_t start = begin; start < end; start++) {
        if (ends[start] != UNKNOWN) continue;
        if (policy[start] == P15_POLICY_NONE) {
            ends[start] = P15_MAX_CELLS;
            continue;
        }
        /* Down to what is known, and the same way again to write it. */
        uint64_t first = p15_subproblem_unrank(subproblem, start), state = first, rank = start;
        uint64_t left = subproblem->state_count;
        while (ends[rank] == UNKNOWN && policy[rank] != P15_POLICY_DONE)
            if (left-- == 0 || !follow(subproblem, policy[rank], &state, &rank)) return P15_ERR_CORRUPT;
        uint8_t cell = ends[rank] == UNKNOWN ? (uint8_t)(state >> (4 * k) & 15) : ends[rank];
        for (state = first, rank = start; ends[rank] == UNKNOWN;) {
            ends[rank] = cell;
            if (policy[rank] == P15_POLICY_DONE) break;
            if (!follow(subproblem, policy[rank], &state, &rank)) return P15_ERR_CORRUPT;
        }
    }
    return P15_OK;
}

/* ------------------------------------------------------------------------------------------------ whole boards */

p15_status p15_plan_init(p15_shape shape, p15_board goal, const uint8_t *order, unsigned initial_size, p15_plan *plan) {
    if (p15_board_check(goal, shape)) return P15_ERR_BOARD;
    unsigned tiles = shape.cells - 1u, seen = 1u << p15_moves_blank(goal);
    if (initial_size < 1 || initial_size > tiles) return P15_ERR_ARGUMENT;
    memset(plan, 0, sizeof *plan);
    for (unsigned i = 0; i < tiles; i++) {
        if (order[i] >= shape.cells || seen >> order[i] & 1) return P15_ERR_PATTERN;
        seen |= 1u << order[i];
        plan->order[i] = order[i];
    }
    plan->shape = shape;
    plan->goal = goal;
    plan->initial_size = initial_size;
    plan->stage_count = (tiles + initial_size - 1) / initial_size;
    return P15_OK;
}

p15_status p15_plan_add(p15_plan *plan, unsigned stage, unsigned begin, const uint8_t *policy, uint64_t count) {
    if (stage >= plan->stage_count || begin > stage * plan->initial_size) return P15_ERR_ARGUMENT;
    unsigned fixed = 0;
    for (unsigned i = 0; i < begin; i++) fixed |= 1u << plan->order[i];
    p15_subproblem subproblem;
    p15_status status =
        p15_subproblem_init(plan->shape, plan->order + begin, p15_plan_end(plan, stage) - begin, fixed, &subproblem);
    if (status) return status;
    if (subproblem.state_count != count) return P15_ERR_ARGUMENT;
    plan->subproblems[stage][begin] = subproblem;
    plan->policies[stage][begin] = policy;
    return P15_OK;
}

p15_status p15_plan_solve(const p15_plan *plan, p15_board board, p15_course *course, uint8_t *directions, size_t room) {
    *course = (p15_course){0};
    if (p15_board_check(board, plan->shape)) return P15_ERR_BOARD;
    /* Or the last stages would ask for ever larger subproblems, in vain. */
    if (!p15_board_solvable(board, plan->goal, plan->shape)) return P15_ERR_UNSOLVABLE;
    for (unsigned stage = 0; stage < plan->stage_count; stage++) {
        uint8_t cell_of[P15_MAX_CELLS];
        p15_board_locate(board, plan->shape, cell_of);
        unsigned end = p15_plan_end(plan, stage), blank = cell_of[0];
        for (unsigned begin = stage * plan->initial_size;; begin--) {
            const uint8_t *policy = plan->policies[stage][begin];
            if (!policy) {
                course->stage = stage;
                course->begin = begin;
                return P15_ERR_ARGUMENT;
            }
            const p15_subproblem *subproblem = &plan->subproblems[stage][begin];
            unsigned k = end - begin, length = 0;
            uint8_t place_of[P15_MAX_CELLS]; /* a tile's nibble in the state; k, which no tile has, of unnamed ones */
            memset(place_of, (int)k, sizeof place_of);
            uint64_t state = (uint64_t)blank << (4 * k), home = 0;
            for (unsigned i = 0; i < k; i++) {
                home |= (uint64_t)plan->order[begin + i] << (4 * i);
                unsigned tile = p15_board_tile(plan->goal, plan->order[begin + i]);
                place_of[tile] = (uint8_t)i;
                state |= (uint64_t)cell_of[tile] << (4 * i);
            }
            unsigned direction = policy[p15_subproblem_rank(subproblem, state)];
            if (direction == P15_POLICY_NONE) {
                if (begin == 0) return P15_ERR_CORRUPT;
                continue;
            }
            while (direction != P15_POLICY_DONE) {
                int next = direction < P15_DIRECTIONS ? subproblem->cells[blank][direction] : -1;
                if (next < 0 || course->length == UINT16_MAX) return P15_ERR_CORRUPT; /* a circle */
                unsigned cell = (unsigned)next;
                unsigned place = place_of[p15_board_tile(board, cell)];
                uint64_t both = blank ^ cell;
                state ^= both << (4 * k);
                if (place < k) state ^= both << (4 * place);
                board = p15_board_slide(board, blank, cell);
                blank = cell;
                if (course->length < room) directions[course->length] = (uint8_t)direction;
                course->length++;
                length++;
                direction = policy[p15_subproblem_rank(subproblem, state)];
            }
            if ((state ^ home) << (64 - 4 * k)) return P15_ERR_CORRUPT; /* done, but not at home */
            course->begins[stage] = (uint8_t)begin;
            course->lengths[stage] = (uint16_t)length;
            if (k > course->largest) course->largest = k;
            break;
        }
    }
    return P15_OK;
}

size_t p15_plan_solve_many(const p15_plan *plan, const p15_board *boards, size_t count, uint8_t *status,
                           uint16_t *lengths, uint8_t *largest, unsigned *stage, unsigned *begin) {
    size_t missing = 0;
    for (size_t i = 0; i < count; i++) {
        if (status[i]) continue;
        p15_course course;
        status[i] = (uint8_t)p15_plan_solve(plan, boards[i], &course, NULL, 0);
        if (status[i] == P15_ERR_ARGUMENT && !missing++) {
            *stage = course.stage;
            *begin = course.begin;
        }
        if (status[i]) continue;
        lengths[i] = (uint16_t)course.length;
        largest[i] = (uint8_t)course.largest;
    }
    return missing;
}
