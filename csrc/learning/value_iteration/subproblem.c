#include "learning/value_iteration/subproblem.h"

#include "base/bits.h"
#include "base/cpu.h"

#include <assert.h>

enum { UNKNOWN = 0xff };

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

/* Where the tiles of G are. Its states have consecutive numbers, one for each cell of the blank that is left. */
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

/* Moves a state and its number in a direction. False: that leads off the board. */
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
        /* Follow the policy to a known state, and then again to write the cell. */
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
