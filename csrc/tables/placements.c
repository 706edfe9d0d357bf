#include "tables/placements.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define UNREACHED 255u /* no moves lead from there to the goal */

/* Lists the blocks of the tree, those of one row with their parent's as early as possible. */
static void grow(const p15_space *space, uint32_t root, p15_placed_step *steps, bool *known) {
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

p15_status p15_placed_init(const p15_table *table, const uint8_t *order, bool blank, bool delta, p15_placed *listing) {
    const p15_space *space = table->space;
    assert(!table->classic);
    memset(listing, 0, sizeof *listing);
    listing->table = table;
    listing->blank = blank;
    listing->delta = delta;
    memcpy(listing->order, order, space->k);
    listing->steps = malloc(space->block_count * sizeof *listing->steps);
    listing->ups = malloc(space->block_count * sizeof *listing->ups);
    listing->roots = malloc(space->row_count);
    listing->bits = calloc(8 * table->row_bytes, sizeof *listing->bits);
    listing->found = calloc(space->block_count, sizeof *listing->found); /* lanes that no perm has, too */
    listing->sums = calloc(2, sizeof *listing->sums);
    if (!listing->steps || !listing->ups || !listing->roots || !listing->bits || !listing->found || !listing->sums) {
        p15_placed_free(listing);
        return P15_ERR_MEMORY;
    }
    grow(space, table->goal_block, listing->steps, (bool *)listing->bits);
    for (uint32_t i = 1; i < space->block_count; i++) listing->ups[listing->steps[i].block] = listing->steps[i].up;
    for (uint32_t row = 0; row < space->row_count; row++) {
        unsigned value;
        p15_status status = p15_table_value(table, table->goal_map, p15_space_unrank(space, row), table->home, &value);
        /* the parity of boards makes states unreachable where at most one tile is not in the pattern */
        if (status == P15_ERR_CORRUPT && space->k + 2 >= space->shape.cells)
            value = UNREACHED;
        else if (status != P15_OK) {
            p15_placed_free(listing);
            return status;
        }
        listing->roots[row] = (uint8_t)value;
    }
    return P15_OK;
}

void p15_placed_free(p15_placed *listing) {
    free(listing->steps);
    free(listing->ups);
    free(listing->roots);
    free(listing->bits);
    free(listing->found);
    free(listing->sums);
    memset(listing, 0, sizeof *listing);
}

/* The value of a state, by the path to the root. */
P15_INLINE unsigned climb(const p15_placed *listing, uint32_t block, uint32_t perm, uint32_t row) {
    const p15_table *table = listing->table;
    unsigned here = p15_table_residue(table, row, block), more = 0;
    while (block != table->goal_block) {
        p15_space_move up = listing->ups[block];
        if (up.from != up.to) {
            perm = p15_perm_move(perm, up.from, up.to);
            row = p15_space_row(table->space, perm);
        }
        block = up.block;
        unsigned parent = 2 * p15_table_bit(table, row, block) + (~here & 1u);
        more += 2 - ((here - parent) & 3u); /* 1 or 3: without a branch, as they are equally likely */
        here = parent;
    }
    return listing->roots[row] == UNREACHED ? UNREACHED : (listing->roots[row] + more) & 255u;
}

/* The perms that are listed together: the first k-2 tiles stand in one order, the last two anywhere among them. */
static unsigned together(unsigned k) { return k < 2 ? 1 : k * (k - 1); }

uint32_t p15_placed_groups(const p15_space *space) { return space->row_count / together(space->k); }

/* Makes the perms of a group and the sums of their cells. */
P15_INLINE void begin_group(p15_placed *listing, uint32_t group) {
    const p15_table *table = listing->table;
    const p15_space *space = table->space;
    unsigned k = space->k, cells = space->shape.cells, count = together(k);
    p15_placed_sums *low = &listing->sums[0], *high = &listing->sums[1];
    uint32_t weights[P15_MAX_PATTERN]; /* by label */
    for (unsigned i = k, weight = listing->blank ? cells - k : 1; i-- > 0; weight *= cells - i)
        weights[listing->order[i]] = weight;
    for (unsigned lane = 0; lane < count; lane++) {
        unsigned digits[P15_MAX_PATTERN], left = group * count + lane, perm = 0;
        for (unsigned i = k; i-- > 0; left /= i + 1) digits[i] = left % (i + 1);
        low->rank[0][lane] = 0;
        for (unsigned i = 0; i < k; i++) {
            unsigned label = listing->order[i], under = (1u << (3 * digits[i])) - 1u;
            perm = (perm & under) | label << (3 * digits[i]) | (perm & ~under) << 3;
            low->rank[0][lane] -= digits[i] * weights[label];
        }
        listing->perms[lane] = perm;
        listing->rows[lane] = p15_space_row(space, perm);
    }
    for (unsigned byte = 1; byte < 256; byte++) {
        unsigned tiles = p15_count_bits(byte), lowest = p15_lowest_bit(byte), highest = 7;
        while (!(byte >> highest & 1u)) highest--;
        if (tiles > k) continue;
        unsigned shorter = byte & ~(1u << highest), rest = byte & (byte - 1);
        for (unsigned lane = 0; lane < count; lane++) {
            unsigned last = listing->perms[lane] >> (3 * (tiles - 1)) & 7u;
            unsigned first = listing->perms[lane] >> (3 * (k - tiles)) & 7u;
            low->rank[byte][lane] = low->rank[shorter][lane] + weights[last] * highest;
            high->rank[byte][lane] = high->rank[rest][lane] + weights[first] * (lowest + 8);
            if (!listing->delta) continue;
            low->near[byte][lane] = low->near[shorter][lane] + table->distance[highest][last];
            high->near[byte][lane] = high->near[rest][lane] + table->distance[(lowest + 8) % P15_MAX_CELLS][first];
        }
    }
}

/* Finds the values of a group. */
P15_INLINE void find_values(p15_placed *listing) {
    const p15_table *table = listing->table;
    const p15_space *space = table->space;
    unsigned count = together(space->k);
    for (size_t at = 0; at < table->row_bytes; at += 8) {
        uint64_t *matrix = &listing->bits[8 * at];
        memset(matrix, 0, 64 * sizeof *matrix);
        for (unsigned lane = 0; lane < count; lane++) {
            const uint8_t *entries = table->payload + listing->rows[lane] * table->row_bytes + at;
            for (unsigned byte = 0; byte < 8; byte++) matrix[lane] |= (uint64_t)entries[byte] << (8 * byte);
        }
        p15_transpose_words(matrix);
    }
    for (unsigned lane = 0; lane < count; lane++)
        listing->found[table->goal_block][lane] = listing->roots[listing->rows[lane]];
    for (uint32_t i = 1; i < space->block_count; i++) {
        p15_placed_step step = listing->steps[i];
        uint8_t *here = listing->found[step.block];
        if (step.up.from != step.up.to) {
            for (unsigned lane = 0; lane < count; lane++)
                here[lane] = (uint8_t)climb(listing, step.block, listing->perms[lane], listing->rows[lane]);
            continue;
        }
        const uint8_t *parent = listing->found[step.up.block];
        uint64_t bits = listing->bits[step.block];
        uint8_t more[P15_LANES]; /* a byte for each bit, not 0 if the bit is set */
        for (unsigned byte = 0; byte < 8; byte++) {
            uint64_t spread = (bits >> (8 * byte) & 255u) * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
            memcpy(more + 8 * byte, &spread, 8);
        }
        for (unsigned lane = 0; lane < P15_LANES; lane++) {
            uint8_t value = parent[lane], less = (more[lane] != 0) ^ ((value + 1) >> 1 & 1);
            here[lane] = value == UNREACHED ? UNREACHED : (uint8_t)(value + 1 - 2 * less);
        }
    }
}

/* Writes the values of a group. */
P15_INLINE void write_values(const p15_placed *listing, uint8_t *values) {
    const p15_space *space = listing->table->space;
    unsigned count = together(space->k);
    uint32_t next;
    for (uint32_t block = 0; block < space->block_count; block = next) {
        unsigned map = space->block_map[block];
        const p15_placed_sums *low = &listing->sums[0], *high = &listing->sums[1];
        uint32_t rank[P15_LANES];
        uint8_t near[P15_LANES], least[P15_LANES];
        for (unsigned lane = 0; lane < P15_LANES; lane++) {
            rank[lane] = low->rank[map & 255u][lane] + high->rank[map >> 8][lane];
            near[lane] = low->near[map & 255u][lane] + high->near[map >> 8][lane];
            least[lane] = UNREACHED;
        }
        for (next = block; next < space->block_count && space->block_map[next] == map; next++) {
            const uint8_t *found = listing->found[next];
            for (unsigned lane = 0; lane < P15_LANES; lane++)
                least[lane] = found[lane] < least[lane] ? found[lane] : least[lane];
            for (unsigned left = listing->blank ? space->block_region[next] : 0; left; left &= left - 1) {
                uint8_t *at = values + p15_rank_next(0, 0, map, p15_lowest_bit(left));
                for (unsigned lane = 0; lane < count; lane++)
                    at[rank[lane]] = found[lane] == UNREACHED ? 0 : found[lane] - near[lane];
            }
        }
        if (listing->blank) continue;
        for (unsigned lane = 0; lane < count; lane++)
            values[rank[lane]] = least[lane] == UNREACHED ? 0 : least[lane] - near[lane];
    }
}

P15_INLINE void list_group(p15_placed *listing, uint32_t group, uint8_t *values) {
    begin_group(listing, group);
    find_values(listing);
    write_values(listing, values);
}

P15_COMPILE_BY_LEVEL(void, list_group, (p15_placed * listing, uint32_t group, uint8_t *values),
                     list_group(listing, group, values));

void p15_placed_write(p15_placed *listing, uint32_t begin, uint32_t end, uint8_t *values) {
    for (uint32_t group = begin; group < end; group++) list_group_by_level[listing->table->cpu](listing, group, values);
}
