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
        unsigned cell = p15_nth_bit(left, digits[i]);
        left ^= 1u << cell;
        state |= (uint64_t)cell << (4 * i);
    }
    return state;
}

/* Moves a state and its number in a direction. False: that leads off the board. */
P15_INLINE bool follow(const p15_subproblem *subproblem, unsigned direction, uint64_t *state, uint64_t *rank) {
    unsigned k = subproblem->tile_count, blank = *state >> (4 * k) & 15;
    int cell = direction < P15_DIRECTIONS ? subproblem->cells[blank][direction] : -1;
    if (cell < 0) return false;
    uint64_t before = *state, both = blank ^ (unsigned)cell;
    *state ^= both << (4 * k);
    for (unsigned i = 0; i < k; i++)
        if ((before >> (4 * i) & 15) == (unsigned)cell) *state ^= both << (4 * i);
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
        if (ends[rank] == P15_MAX_CELLS) return P15_ERR_CORRUPT; /* to a state from which no moves lead on */
        uint8_t cell = ends[rank] == UNKNOWN ? (uint8_t)(state >> (4 * k) & 15) : ends[rank];
        for (state = first, rank = start; ends[rank] == UNKNOWN;) {
            ends[rank] = cell;
            if (policy[rank] == P15_POLICY_DONE) break;
            if (!follow(subproblem, policy[rank], &state, &rank)) return P15_ERR_CORRUPT;
        }
    }
    return P15_OK;
}
