#include "tables/placements.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define UNREACHED 255u /* no moves lead from there to the goal */

/* Lists the blocks of the tree, those of one row with their parent's as early as possible. */
static void grow(const p15_space *space, uint32_t root, p15_listing_step *steps, bool *known) {
    uint32_t count = 1, same = 0, other = 0; /* listed; the next whose moves within the row, and others, are tried */
    p15_space_move moves[P15_MAX_MOVES];
    steps[0].block = (uint16_t)root;
    known[root] = true;
    while (other < count) {
        bool within = same < count;
        uint16_t block = steps[within ? same++ : other++].block;
        unsigned of = p15_space_moves(space, block, moves);
        for (unsigned i = 0; i < of; i++) {
            p15_space_move move = moves[i];
            if (known[move.block] || (within && move.from != move.to)) continue;
            known[move.block] = true;
            steps[count].block = move.block;
            steps[count++].up = (p15_space_move){.block = block, .from = move.to, .to = move.from};
            if (within) continue;
            other--; /* it may have further ones, after those within the new row */
            break;
        }
    }
    assert(count == space->block_count);
}

p15_status p15_listing_init(const p15_table *table, const uint8_t *order, const uint8_t *cell_to, bool blank,
                            bool delta, p15_listing *listing) {
    const p15_space *space = table->space;
    assert(!table->classic);
    memset(listing, 0, sizeof *listing);
    listing->table = table;
    listing->blank = blank;
    listing->delta = delta;
    memcpy(listing->order, order, space->k);
    memcpy(listing->cell_to, cell_to, space->shape.cells);
    listing->steps = malloc(space->block_count * sizeof *listing->steps);
    listing->ups = malloc(space->block_count * sizeof *listing->ups);
    listing->roots = malloc(space->row_count);
    listing->found = calloc(space->block_count, 1);
    if (!listing->steps || !listing->ups || !listing->roots || !listing->found) {
        p15_listing_free(listing);
        return P15_ERR_MEMORY;
    }
    grow(space, table->goal_block, listing->steps, (bool *)listing->found);
    for (uint32_t i = 1; i < space->block_count; i++) listing->ups[listing->steps[i].block] = listing->steps[i].up;
    for (uint32_t row = 0; row < space->row_count; row++) {
        unsigned value;
        p15_status status = p15_table_value(table, table->goal_map, p15_space_unrank(space, row), table->home, &value);
        /* the parity of boards makes states unreachable where at most one tile is not in the pattern */
        if (status == P15_ERR_CORRUPT && space->k + 2 >= space->shape.cells)
            value = UNREACHED;
        else if (status != P15_OK) {
            p15_listing_free(listing);
            return status;
        }
        listing->roots[row] = (uint8_t)value;
    }
    return P15_OK;
}

void p15_listing_free(p15_listing *listing) {
    free(listing->steps);
    free(listing->ups);
    free(listing->roots);
    free(listing->found);
    memset(listing, 0, sizeof *listing);
}

/* The value of a state, by the path to the root. */
P15_INLINE unsigned climb(const p15_listing *listing, uint32_t block, uint32_t perm, uint32_t row) {
    const p15_table *table = listing->table;
    unsigned here = p15_table_residue(table, row, block), more = 0;
    while (block != table->goal_block) {
        p15_space_move up = listing->ups[block];
        if (up.from != up.to) {
            perm = p15_perm_move(perm, up.from, up.to);
            row = p15_space_row(table->space, perm);
        }
        block = up.block;
        unsigned parent = p15_table_residue(table, row, block);
        more += ((here - parent) & 3u) == 1 ? 1u : -1u;
        here = parent;
    }
    return listing->roots[row] == UNREACHED ? UNREACHED : (listing->roots[row] + more) & 255u;
}

P15_INLINE void list_row(p15_listing *listing, uint32_t row, uint8_t *values) {
    const p15_table *table = listing->table;
    const p15_space *space = table->space;
    unsigned k = space->k, cells = space->shape.cells;
    uint32_t perm = p15_space_unrank(space, row), next;
    uint8_t *found = listing->found;
    found[table->goal_block] = listing->roots[row];
    for (uint32_t i = 1; i < space->block_count; i++) {
        p15_listing_step step = listing->steps[i];
        unsigned value = found[step.up.block];
        if (step.up.from != step.up.to)
            value = climb(listing, step.block, perm, row);
        else if (value != UNREACHED)
            value += p15_table_bit(table, row, step.block) == ((value + 1) >> 1 & 1u) ? 1u : -1u;
        found[step.block] = (uint8_t)value;
    }
    for (uint32_t block = 0; block < space->block_count; block = next) {
        unsigned map = space->block_map[block], taken = 0, least = UNREACHED, fields = perm;
        uint8_t cell_of[P15_MAX_PATTERN];
        for (unsigned left = map; left; left &= left - 1, fields >>= 3)
            cell_of[fields & 7u] = listing->cell_to[p15_lowest_bit(left)];
        uint64_t rank = 0;
        for (unsigned i = 0; i < k; i++) {
            unsigned cell = cell_of[listing->order[i]];
            rank = p15_placement_next(rank, cells - i, taken, cell);
            taken |= 1u << cell;
        }
        unsigned from = listing->delta ? p15_table_manhattan(table, map, perm) : 0;
        for (next = block; next < space->block_count && space->block_map[next] == map; next++) {
            unsigned value = found[next] == UNREACHED ? 0 : found[next] - from;
            if (found[next] < least) least = found[next];
            for (unsigned left = listing->blank ? space->block_region[next] : 0; left; left &= left - 1)
                values[p15_placement_next(rank, cells - k, taken, listing->cell_to[p15_lowest_bit(left)])] =
                    (uint8_t)value;
        }
        if (!listing->blank) values[rank] = least == UNREACHED ? 0 : (uint8_t)(least - from);
    }
}

static void row_plain(p15_listing *listing, uint32_t row, uint8_t *values) { list_row(listing, row, values); }

P15_TARGET_V3 static void row_v3(p15_listing *listing, uint32_t row, uint8_t *values) {
    list_row(listing, row, values);
}

typedef void row_function(p15_listing *, uint32_t, uint8_t *);

static row_function *const ROWS[] = P15_BY_LEVEL(row_plain, row_v3, row_v3, row_v3);

void p15_listing_rows(p15_listing *listing, uint32_t begin, uint32_t end, uint8_t *values) {
    for (uint32_t row = begin; row < end; row++) ROWS[listing->table->cpu](listing, row, values);
}
