#include "tables/space.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BLOCKS 65536u /* 16 bits number them */

static uint32_t factorial(unsigned n) { return (uint32_t)p15_arrangements(n, n); }

/* Grows `cells` to their connected component inside `free_cells`. */
static unsigned flood(const p15_space *space, unsigned cells, unsigned free_cells) {
    for (;;) {
        unsigned grown = cells;
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) grown |= p15_space_step(space, cells, dir) & free_cells;
        if (grown == cells) return cells;
        cells = grown;
    }
}

/* The first block and the region of each cell of one map, and the blocks' own records. False if there are too many. */
static bool number_regions(p15_space *space, unsigned map) {
    unsigned free_cells = space->everywhere & ~map, left = free_cells;
    uint64_t record = (uint64_t)space->block_count << 48;
    for (unsigned region = 0; left; region++) {
        unsigned cells = flood(space, left & (0u - left), free_cells);
        if (region == P15_MAX_REGIONS || space->block_count == MOST_BLOCKS) return false;
        for (unsigned rest = cells; rest; rest &= rest - 1) record |= (uint64_t)region << (3 * p15_lowest_bit(rest));
        space->block_map[space->block_count] = (uint16_t)map;
        space->block_region[space->block_count] = (uint16_t)cells;
        space->block_count++;
        left &= ~cells;
    }
    space->maps[p15_space_map_index(space, map)] = record;
    return true;
}

/* Lehmer code of a perm's first `count` labels. */
static void lehmer(uint32_t perm, unsigned count, unsigned *digits) {
    for (unsigned i = 0; i < count; i++) {
        digits[i] = 0;
        for (unsigned j = i + 1; j < count; j++) digits[i] += (perm >> (3 * j) & 7u) < (perm >> (3 * i) & 7u);
    }
}

/* How much digit i adds to the row. */
static uint32_t weight(unsigned k, unsigned i) { return i == 0 ? 1 : i == 1 ? k : k * (k - 1) * factorial(k - 1 - i); }

static void fill_row_tables(p15_space *space) {
    unsigned k = space->k, head = k < 4 ? k : 4;
    for (uint32_t word = 0; word < 4096; word++) {
        uint32_t row = 0;
        for (unsigned i = 0; i < head; i++) {
            unsigned label = word >> (3 * i) & 7u, smaller = label; /* labels below it not yet used before it */
            for (unsigned j = 0; j < i; j++) smaller -= smaller && (word >> (3 * j) & 7u) < label;
            row += smaller * weight(k, i);
        }
        space->first_rows[word] = (uint16_t)row;
        unsigned digits[4];
        row = 0;
        if (k > 4) {
            lehmer(word, k - 4, digits);
            for (unsigned i = 4; i < k; i++) row += digits[i - 4] * weight(k, i);
        }
        space->last_rows[word] = (uint16_t)row;
    }
}

p15_status p15_space_init(p15_shape shape, unsigned k, p15_space *space) {
    if (k < 1 || k > P15_MAX_PATTERN || k >= shape.cells) return P15_ERR_PATTERN;
    memset(space, 0, sizeof *space);
    space->shape = shape;
    space->k = k;
    space->row_count = factorial(k);
    space->word_count = k < 2 ? 1 : factorial(k - 2);
    space->everywhere = (1u << shape.cells) - 1u;
    for (unsigned cell = 0; cell < shape.cells; cell += shape.cols) space->first_column |= 1u << cell;
    for (unsigned cell = 0; cell < shape.cells; cell++)
        if ((cell / shape.cols + cell % shape.cols) & 1u) space->colours |= (uint16_t)(1u << cell);

    /* Low bytes of each size, even colour first; a byte holding cells beyond the board is never asked for. */
    uint32_t low_count[9] = {0};
    uint8_t sizes[256], colours[256];
    unsigned low_bytes = shape.cells < 8 ? 1u << shape.cells : 256u;
    for (unsigned byte = 0; byte < 256; byte++) {
        sizes[byte] = (uint8_t)p15_count_bits(byte);
        colours[byte] = p15_count_bits(byte & space->colours) & 1u;
    }
    for (unsigned colour = 0; colour < 2; colour++)
        for (unsigned byte = 0; byte < low_bytes; byte++)
            if (colours[byte] == colour) space->low[byte] = (uint8_t)low_count[sizes[byte]]++;
    unsigned high_bytes = shape.cells <= 8 ? 1u : 1u << (shape.cells - 8);
    for (unsigned byte = 0; byte < high_bytes; byte++) {
        space->high[byte] = (uint16_t)space->map_count;
        unsigned size = sizes[byte];
        if (size <= k && k - size <= 8) space->map_count += low_count[k - size];
    }

    size_t most_blocks = (size_t)space->map_count * P15_MAX_REGIONS;
    space->maps = calloc(space->map_count, sizeof *space->maps);
    space->block_map = malloc(most_blocks * sizeof *space->block_map);
    space->block_region = malloc(most_blocks * sizeof *space->block_region);
    if (!space->maps || !space->block_map || !space->block_region) {
        p15_space_free(space);
        return P15_ERR_MEMORY;
    }
    for (unsigned segment = 0; segment < P15_SEGMENTS; segment++) {
        space->segment_begin[segment] = space->block_count;
        unsigned byte = segment >> 1;
        for (unsigned low = 0; low < low_bytes && byte < high_bytes; low++)
            if (sizes[byte] + sizes[low] == (int)k && colours[low] == (segment & 1u) &&
                !number_regions(space, byte << 8 | low)) {
                p15_space_free(space);
                return P15_ERR_PATTERN;
            }
    }
    space->segment_begin[P15_SEGMENTS] = space->block_count;
    fill_row_tables(space);
    return P15_OK;
}

void p15_space_free(p15_space *space) {
    free(space->maps);
    free(space->block_map);
    free(space->block_region);
    free(space->move_begin);
    free(space->moves);
    free(space->perms);
    memset(space, 0, sizeof *space);
}

uint32_t p15_space_unrank(const p15_space *space, uint32_t row) {
    unsigned k = space->k, labels = (1u << k) - 1u;
    uint32_t perm = 0, rest = k > 1 ? row / (k * (k - 1)) : 0;
    uint32_t inner = k > 1 ? row % (k * (k - 1)) : 0;
    for (unsigned i = 0; i < k; i++) {
        uint32_t digit = i == 0 ? inner % k : i == 1 ? inner / k : rest / factorial(k - 1 - i);
        if (i >= 2) rest %= factorial(k - 1 - i);
        unsigned label = p15_nth_bit(labels, digit);
        labels &= ~(1u << label);
        perm |= label << (3 * i);
    }
    return perm;
}

unsigned p15_space_moves(const p15_space *space, uint32_t block, p15_space_move *moves) {
    unsigned map = space->block_map[block], region = space->block_region[block], count = 0;
    for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++)
        for (unsigned cells = p15_space_step(space, region, dir) & map; cells; cells &= cells - 1)
            moves[count++] = p15_space_move_of(space, map, p15_lowest_bit(cells), dir);
    return count;
}

p15_status p15_space_link(p15_space *space) {
    if (space->moves) return P15_OK;
    uint32_t total = 0, *begin = malloc(((size_t)space->block_count + 1) * sizeof *begin);
    p15_space_move *moves = malloc((size_t)space->block_count * P15_MAX_MOVES * sizeof *moves);
    uint32_t *perms = malloc(space->row_count * sizeof *perms);
    if (!begin || !moves || !perms) {
        free(begin);
        free(moves);
        free(perms);
        return P15_ERR_MEMORY;
    }
    for (uint32_t row = 0; row < space->row_count; row++) perms[row] = p15_space_unrank(space, row);
    space->perms = perms;
    for (uint32_t block = 0; block < space->block_count; block++) {
        begin[block] = total;
        total += p15_space_moves(space, block, moves + total);
    }
    begin[space->block_count] = total;
    space->move_begin = begin;
    space->moves = moves;
    return P15_OK;
}

void p15_goal_distances(const p15_space *space, unsigned goal_map, uint8_t distance[P15_MAX_CELLS][P15_MAX_PATTERN]) {
    for (unsigned goal = 0, label = 0; goal < space->shape.cells; goal++) {
        if (!(goal_map >> goal & 1u)) continue;
        for (unsigned cell = 0; cell < space->shape.cells; cell++)
            distance[cell][label] = (uint8_t)p15_cell_distance(space->shape, cell, goal);
        label++;
    }
}
