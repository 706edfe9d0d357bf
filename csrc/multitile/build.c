#include "multitile/build.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PERMS 720

/* Bytes of a line's excesses. */
static size_t excess_bytes(const p15_line_space *lines, unsigned axis) {
    return lines->line_cells[axis] > 4 ? sizeof(uint32_t) : sizeof(uint16_t);
}

size_t p15_multi_build_bytes(const p15_line_space *lines) {
    size_t bytes = 0;
    for (unsigned axis = 0; axis < P15_AXES; axis++)
        bytes += (excess_bytes(lines, axis) + 4) * p15_line_space_entries(lines, axis) +
                 2 * (size_t)lines->block_count[axis];
    return bytes;
}

p15_status p15_multi_build_init(const p15_line_space *lines, unsigned goal_map, unsigned home, p15_cpu cpu,
                                p15_multi_build *build) {
    memset(build, 0, sizeof *build);
    if (!p15_is_goal(lines->shape, lines->k, goal_map, home)) return P15_ERR_PATTERN;
    uint8_t *memory = calloc(p15_multi_build_bytes(lines), 1);
    if (!memory) return P15_ERR_MEMORY;
    build->lines = lines;
    build->cpu = cpu;
    build->memory = memory;
    unsigned longer = excess_bytes(lines, 1) > excess_bytes(lines, 0); /* first, so that all numbers are aligned */
    for (unsigned i = 0; i < P15_AXES; i++) {
        build->excess[i ^ longer] = memory;
        memory += excess_bytes(lines, i ^ longer) * p15_line_space_entries(lines, i ^ longer);
    }
    for (unsigned axis = 0; axis < P15_AXES; axis++) {
        size_t entries = p15_line_space_entries(lines, axis);
        uint8_t **parts[] = {&build->done[axis], &build->first[axis], &build->next[axis][0], &build->next[axis][1]};
        for (unsigned i = 0; i < 4; i++, memory += entries) *parts[i] = memory;
        for (unsigned i = 0; i < 2; i++, memory += lines->block_count[axis]) build->touched[axis][i] = memory;
        p15_line_state goal = p15_line_space_goal(lines, axis, goal_map, home);
        build->next[axis][0][p15_line_space_entry(lines, goal)] = (uint8_t)(1u << goal.cell);
        build->touched[axis][0][goal.block] = 1;
    }
    return P15_OK;
}

void p15_multi_build_free(p15_multi_build *build) {
    free(build->memory);
    memset(build, 0, sizeof *build);
}

/* The lowest bit of the four bits of each cell of a set. */
static inline uint32_t spread(uint32_t cells) {
    cells = (cells | cells << 12) & 0x000f000fu;
    cells = (cells | cells << 6) & 0x03030303u;
    return (cells | cells << 3) & 0x11111111u;
}

/* Of each line of a block: the cells of this level that are new, and the cells whose distance along the line is one
 * more. Returns how many cells are new. */
P15_INLINE uint64_t meet(uint8_t *restrict next, uint8_t *restrict done, uint8_t *restrict first,
                         uint8_t *restrict fresh, uint8_t *restrict further, unsigned count, unsigned level,
                         unsigned all) {
    uint64_t found = 0;
    for (unsigned perm = 0; perm < count; perm++) {
        uint8_t before = done[perm], now = next[perm] & (uint8_t)~before;
        bool one = (now & (now - 1)) == 0, had_one = before && (before & (before - 1)) == 0;
        uint8_t further_cells = before == 0 ? (one ? (uint8_t)(all & ~now) : (uint8_t)all) : had_one ? before : 0;
        further[perm] = now ? further_cells : 0;
        first[perm] = before || !now ? first[perm] : (uint8_t)level;
        fresh[perm] = now;
        done[perm] = before | now;
        next[perm] = 0;
    }
    for (unsigned perm = 0; perm < count; perm++) found += p15_count_bits(fresh[perm]);
    return found;
}

/* Writes the excess of the cells that are new at this level: as uint16_t, or as uint32_t for longer lines. */
P15_INLINE void write_fresh(void *excess, bool longer, size_t entry, const uint8_t *restrict fresh,
                            const uint8_t *restrict first, unsigned count, unsigned level) {
    uint16_t *restrict shorts = longer ? NULL : (uint16_t *)excess + entry;
    uint32_t *restrict longs = longer ? (uint32_t *)excess + entry : NULL;
    for (unsigned perm = 0; perm < count; perm++) {
        unsigned more = level - first[perm] < P15_MOST_EXCESS ? level - first[perm] : P15_MOST_EXCESS;
        uint32_t fields = spread(fresh[perm]) * more;
        if (longer)
            longs[perm] |= fields;
        else
            shorts[perm] |= (uint16_t)fields;
    }
}

/* Marks the further cells of a block on the lines of the other axis. */
P15_INLINE void send(p15_multi_build *build, unsigned level, unsigned axis, uint32_t block, const uint8_t *further) {
    const p15_line_space *lines = build->lines;
    unsigned count = lines->perm_count, cells = lines->line_cells[axis];
    uint8_t bit = (uint8_t)(1u << block / lines->map_count);
    uint16_t perms[MAX_PERMS];
    unsigned found = 0;
    for (unsigned perm = 0; perm < count; perm++) {
        perms[found] = (uint16_t)perm;
        found += further[perm] != 0;
    }
    for (unsigned cell = 0; cell < cells; cell++) {
        p15_crossing crossing = lines->crossings[axis][(size_t)block * lines->line_cells[axis] + cell];
        const uint16_t *order = lines->reorder + (size_t)crossing.order * count;
        uint8_t *target = build->next[1 - axis][(level + 1) & 1u] + (size_t)crossing.block * count;
        uint8_t any = 0;
        for (unsigned i = 0; i < found; i++) {
            uint8_t further_cells = further[perms[i]] >> cell & 1u;
            any |= further_cells;
            target[order[perms[i]]] |= (uint8_t)(bit & (0u - further_cells));
        }
        if (any) build->touched[1 - axis][(level + 1) & 1u][crossing.block] = 1;
    }
}

P15_INLINE uint64_t level_of_blocks(p15_multi_build *build, unsigned level, unsigned axis, uint32_t begin,
                                    uint32_t end) {
    const p15_line_space *lines = build->lines;
    unsigned count = lines->perm_count, cells = lines->line_cells[axis], all = (1u << cells) - 1u;
    uint64_t found = 0;
    for (uint32_t block = begin; block < end; block++) {
        uint8_t *touched = &build->touched[axis][level & 1u][block];
        uint8_t fresh[MAX_PERMS], further[MAX_PERMS];
        size_t entry = (size_t)block * count;
        if (!*touched) continue;
        *touched = 0;
        found += meet(build->next[axis][level & 1u] + entry, build->done[axis] + entry, build->first[axis] + entry,
                      fresh, further, count, level, all);
        write_fresh(build->excess[axis], cells > 4, entry, fresh, build->first[axis] + entry, count, level);
        send(build, level, axis, block, further);
    }
    return found;
}

P15_COMPILE_BY_LEVEL(uint64_t, level_of_blocks,
                     (p15_multi_build * build, unsigned level, unsigned axis, uint32_t begin, uint32_t end),
                     return level_of_blocks(build, level, axis, begin, end));

uint64_t p15_multi_build_level(p15_multi_build *build, unsigned level, unsigned axis, uint32_t block_begin,
                               uint32_t block_end) {
    return level_of_blocks_by_level[build->cpu](build, level, axis, block_begin, block_end);
}

/* ------------------------------------------------------------------------------------------------ the payload */

#define EXCESSES (1u << 16) /* of a line of four cells */

typedef struct {
    uint32_t count;
    uint16_t excess;
} combination;

static int by_count(const void *a, const void *b) {
    const combination *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1) : x->excess - y->excess;
}

static unsigned field(unsigned excess, unsigned cell) { return excess >> (4 * cell) & 15u; }

/* The smallest excess beside each cell: what lowering must not change. */
static unsigned others_of(unsigned excess) {
    unsigned others = 0;
    for (unsigned cell = 0; cell < 4; cell++) {
        unsigned least = P15_MOST_EXCESS;
        for (unsigned other = 0; other < 4; other++)
            if (other != cell && field(excess, other) < least) least = field(excess, other);
        others |= least << (4 * cell);
    }
    return others;
}

/* The lowest combination with the same `others`. It stands for all of these. */
static unsigned lowest_like(unsigned excess) {
    unsigned others = others_of(excess), lowest = 0;
    for (unsigned cell = 0; cell < 4; cell++) { /* others is 0 but at a cell that alone has no excess */
        if (field(others, cell) == 0) continue;
        lowest = 0x1111u * field(others, cell) & ~(15u << (4 * cell));
    }
    return lowest;
}

/* Whether `low` may stand for `excess`, and what that costs: above all the most that it lowers a cell by. */
static bool stands_for(unsigned low, unsigned excess, unsigned *loss) {
    unsigned most = 0, sum = 0;
    for (unsigned cell = 0; cell < 4; cell++) {
        if (field(low, cell) > field(excess, cell)) return false;
        unsigned lost = field(excess, cell) - field(low, cell);
        if (lost > most) most = lost;
        sum += lost;
    }
    *loss = 64 * most + sum;
    return others_of(low) == others_of(excess);
}

/* Makes the codebook of combinations that were counted. number_of[excess] is the index for each of them. False if none
 * of the codebook stands for one of them. */
static bool make_codebook(combination *found, unsigned found_count, uint16_t codebook[P15_CODEBOOK_SIZE],
                          uint8_t *number_of) {
    unsigned size = 0;
    for (unsigned pass = 0; pass < 2; pass++) /* first the lowest ones, which are at most 61; then the most frequent */
        for (unsigned i = 0; i < found_count; i++) {
            uint16_t excess = pass == 0 ? (uint16_t)lowest_like(found[i].excess) : found[i].excess;
            bool there = false;
            for (unsigned j = 0; j < size; j++) there |= codebook[j] == excess;
            if (!there && size < P15_CODEBOOK_SIZE) codebook[size++] = excess;
        }
    for (unsigned j = size; j < P15_CODEBOOK_SIZE; j++) codebook[j] = 0;
    for (unsigned i = 0; i < found_count; i++) {
        unsigned least = UINT32_MAX, loss;
        for (unsigned j = 0; j < size; j++)
            if (stands_for(codebook[j], found[i].excess, &loss) && loss < least) {
                least = loss;
                number_of[found[i].excess] = (uint8_t)j;
            }
        if (least == UINT32_MAX) return false;
    }
    return true;
}

/* Writes a codebook and codes. */
static p15_status write_codes(const p15_multi_build *build, unsigned axis, uint8_t *codebook_bytes, uint8_t *entries) {
    const uint16_t *excess = build->excess[axis];
    size_t count = p15_line_space_entries(build->lines, axis);
    uint16_t codebook[P15_CODEBOOK_SIZE];
    unsigned found_count = 0;
    uint32_t *counts = calloc(EXCESSES, sizeof *counts);
    combination *found = malloc(EXCESSES * sizeof *found);
    uint8_t *number_of = malloc(EXCESSES);
    p15_status status = counts && found && number_of ? P15_OK : P15_ERR_MEMORY;
    if (status == P15_OK) {
        for (size_t entry = 0; entry < count; entry++) counts[excess[entry]]++;
        for (unsigned i = 0; i < EXCESSES; i++)
            if (counts[i]) found[found_count++] = (combination){counts[i], (uint16_t)i};
        qsort(found, found_count, sizeof *found, by_count);
        if (!make_codebook(found, found_count, codebook, number_of)) status = P15_ERR_PATTERN;
    }
    if (status == P15_OK) {
        memset(codebook_bytes, 0, P15_CODEBOOK_BYTES);
        for (unsigned i = 0; i < 4 * P15_CODEBOOK_SIZE; i++) codebook_bytes[i] = (uint8_t)field(codebook[i / 4], i % 4);
        for (size_t entry = 0; entry < count; entry++)
            entries[entry] = (uint8_t)(3 * number_of[excess[entry]] + build->first[axis][entry] % 3);
    }
    free(counts);
    free(found);
    free(number_of);
    return status;
}

p15_status p15_multi_build_write(const p15_multi_build *build, unsigned axis, uint8_t *payload) {
    const p15_line_space *lines = build->lines;
    unsigned codebooks = axis == 1 && p15_multi_coded(lines, 0), cells = lines->line_cells[axis];
    uint8_t *entries = payload + p15_multi_codebooks_bytes(lines) + (axis ? p15_multi_axis_bytes(lines, 0) : 0);
    if (p15_multi_coded(lines, axis))
        return write_codes(build, axis, payload + codebooks * P15_CODEBOOK_BYTES, entries);
    unsigned bytes = p15_multi_entry_bytes(cells);
    for (size_t entry = 0; entry < p15_line_space_entries(lines, axis); entry++) {
        uint32_t excess =
            cells > 4 ? ((const uint32_t *)build->excess[axis])[entry] : ((const uint16_t *)build->excess[axis])[entry];
        excess |= spread((uint8_t)~build->done[axis][entry]) * P15_MOST_EXCESS; /* of cells that were not reached */
        for (unsigned i = 0; i < bytes; i++) entries[entry * bytes + i] = (uint8_t)(excess >> (8 * i));
    }
    return P15_OK;
}
