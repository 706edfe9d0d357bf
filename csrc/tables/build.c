#include "tables/build.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

p15_status p15_build_init(p15_space *space, unsigned goal_map, unsigned home, bool classic, p15_cpu cpu,
                          p15_build *build) {
    memset(build, 0, sizeof *build);
    if (!p15_is_goal(space->shape, space->k, goal_map, home)) return P15_ERR_PATTERN;
    if (p15_space_link(space) != P15_OK) return P15_ERR_MEMORY;
    build->space = space;
    build->cpu = cpu;
    build->classic = classic;
    build->goal_map = goal_map;
    build->goal_block = p15_space_block(space, goal_map, home);
    unsigned k = space->k, words = space->word_count, most = k > 2 ? k - 2 : 1;
    build->moves.k = k;
    build->moves.word_count = words;
    build->moves.gathers = malloc(sizeof *build->moves.gathers * most * most * words);
    build->unvisited = malloc(sizeof *build->unvisited * space->block_count);
    build->level_of = calloc(space->block_count, 1);
    if (!build->moves.gathers || !build->unvisited || !build->level_of) {
        p15_build_free(build);
        return P15_ERR_MEMORY;
    }
    for (uint32_t block = 0; block < space->block_count; block++) build->unvisited[block] = space->row_count;
    for (unsigned from = 2; from < k; from++)
        for (unsigned to = 2; to < k; to++) {
            uint16_t *gather = p15_block_gather(&build->moves, from, to);
            for (uint32_t word = 0; word < words; word++) {
                uint32_t perm = space->perms[word * k * (k - 1)];
                gather[p15_space_row(space, p15_perm_move(perm, from, to)) / (k * (k - 1))] = (uint16_t)word;
            }
        }
    p15_goal_distances(space, goal_map, build->distance);
    return P15_OK;
}

void p15_build_free(p15_build *build) {
    free(build->moves.gathers);
    free(build->unvisited);
    free(build->level_of);
    memset(build, 0, sizeof *build);
}

size_t p15_build_plane_bytes(const p15_space *space, unsigned segment) {
    return (size_t)(space->segment_begin[segment + 1] - space->segment_begin[segment]) * space->word_count * 8;
}

size_t p15_map_nibble_bytes(const p15_space *space) { return (space->row_count + 1) / 2; }

/* A segment's first map and the one after its last. */
static void segment_maps(const p15_space *space, unsigned segment, uint32_t *begin, uint32_t *end) {
    uint32_t first = space->segment_begin[segment], last = space->segment_begin[segment + 1];
    *begin = *end = 0;
    if (first == last) return;
    *begin = p15_space_map_index(space, space->block_map[first]);
    *end = p15_space_map_index(space, space->block_map[last - 1]) + 1;
}

size_t p15_build_nibble_bytes(const p15_space *space, unsigned segment) {
    uint32_t begin, end;
    segment_maps(space, segment, &begin, &end);
    return (size_t)(end - begin) * p15_map_nibble_bytes(space);
}

bool p15_build_touches(const p15_build *build, unsigned level, unsigned segment) {
    const p15_space *space = build->space;
    if (space->segment_begin[segment] == space->segment_begin[segment + 1]) return false;
    unsigned cells = (segment >> 1) << 8 & space->colours;
    unsigned colour = p15_count_bits(cells) + segment + p15_count_bits(build->goal_map & space->colours);
    return ((colour ^ level) & 1u) == 0;
}

/* Whether a block has states left to find and a neighbour that the last level reached. */
static bool worth(const p15_build *build, unsigned level, uint32_t block) {
    const p15_space *space = build->space;
    if (!build->unvisited[block]) return false;
    for (uint32_t i = space->move_begin[block]; i < space->move_begin[block + 1]; i++)
        if (build->level_of[space->moves[i].block] == level) return true;
    return false;
}

unsigned p15_build_sources(const p15_build *build, unsigned level, unsigned segment, bool *sources) {
    const p15_space *space = build->space;
    unsigned found = 0;
    for (uint32_t block = space->segment_begin[segment]; block < space->segment_begin[segment + 1]; block++) {
        if (!worth(build, level, block)) continue;
        for (uint32_t i = space->move_begin[block]; i < space->move_begin[block + 1]; i++) {
            uint32_t next = space->moves[i].block;
            unsigned source = p15_space_segment(space, space->block_map[next]);
            if (build->level_of[next] != level || sources[source]) continue;
            sources[source] = true;
            found++;
        }
    }
    return found;
}

static unsigned plane_of(unsigned level) { return level >> 1 & 1u; }

static uint64_t *block_words(const p15_build *build, unsigned plane, uint32_t block) {
    const p15_space *space = build->space;
    unsigned segment = p15_space_segment(space, space->block_map[block]);
    assert(build->planes[plane][segment]);
    return build->planes[plane][segment] + (size_t)(block - space->segment_begin[segment]) * space->word_count;
}

/* Writes the nibbles of a map's newly reached placements, given as words of bits. */
static uint64_t write_nibbles(const p15_build *build, unsigned level, unsigned map, const uint64_t *fresh,
                              uint8_t *nibbles) {
    const p15_space *space = build->space;
    unsigned k = space->k, position = 0;
    uint8_t pairs[4][64] = {{0}}; /* Manhattan distance of the labels on positions 2i and 2i + 1 */
    for (unsigned cell = 0; cell < space->shape.cells; cell++) {
        if (!(map >> cell & 1u)) continue;
        for (unsigned key = 0; key < 64; key++)
            pairs[position / 2][key] =
                (uint8_t)(pairs[position / 2][key] + build->distance[cell][position % 2 ? key >> 3 : key & 7u]);
        position++;
    }
    uint64_t found = 0;
    for (unsigned word = 0; word < space->word_count; word++)
        for (uint64_t bits = fresh[word]; bits; bits &= bits - 1, found++) {
            unsigned bit = p15_lowest_bit(bits);
            uint32_t row = k < 2 ? 0 : word * k * (k - 1) + (bit >> 3) * k + (bit & 7u);
            uint32_t perm = space->perms[row];
            unsigned distance = (unsigned)pairs[0][perm & 63u] + pairs[1][perm >> 6 & 63u] +
                                pairs[2][perm >> 12 & 63u] + pairs[3][perm >> 18 & 63u];
            assert(level >= distance);
            unsigned excess = (level - distance) / 2;
            nibbles[row >> 1] |= (uint8_t)((excess < 15 ? excess : 15) << (4 * (row & 1u)));
        }
    return found;
}

/* ------------------------------------------------------------------------------------------------ levels */

P15_INLINE void collect(const p15_block_moves *moves, const uint64_t *source, unsigned from, unsigned to,
                        uint64_t *sum) {
    if (moves->k == 8) /* loops of constant lengths for the large ones */
        p15_block_collect(moves, source, from, to, sum, 8, 720);
    else if (moves->k == 7)
        p15_block_collect(moves, source, from, to, sum, 7, 120);
    else
        p15_block_collect(moves, source, from, to, sum, moves->k, moves->word_count);
}

P15_INLINE uint64_t visit(p15_build *build, unsigned level, uint32_t block) {
    const p15_space *space = build->space;
    unsigned words = space->word_count;
    if (!worth(build, level, block)) return 0;
    uint64_t sum[P15_MAX_BLOCK_WORDS];
    memset(sum, 0, words * sizeof *sum);
    for (uint32_t i = space->move_begin[block]; i < space->move_begin[block + 1]; i++) {
        p15_space_move move = space->moves[i]; /* undone: from the neighbour, `to` comes back to `from` */
        if (build->level_of[move.block] == level)
            collect(&build->moves, block_words(build, plane_of(level - 1), move.block), move.to, move.from, sum);
    }
    uint64_t found = p15_block_keep(sum, block_words(build, plane_of(level), block),
                                    block_words(build, !plane_of(level), block), words);
    if (found) {
        build->unvisited[block] -= (uint32_t)found;
        build->level_of[block] = (uint8_t)(level + 1);
    }
    return found;
}

P15_COMPILE_BY_LEVEL(uint64_t, visit, (p15_build * build, unsigned level, uint32_t block),
                     return visit(build, level, block));

void p15_build_start(p15_build *build) {
    block_words(build, 0, build->goal_block)[0] = 1; /* the perm 0 1 2 .. is row 0 */
    build->unvisited[build->goal_block]--;
    build->level_of[build->goal_block] = 1;
}

void p15_build_level(p15_build *build, unsigned level, unsigned segment, uint64_t *states, uint64_t *placements) {
    const p15_space *space = build->space;
    uint32_t begin = space->segment_begin[segment], end = space->segment_begin[segment + 1], next;
    uint32_t first_map, last_map;
    segment_maps(space, segment, &first_map, &last_map);
    for (uint32_t block = begin; block < end; block = next) {
        unsigned map = space->block_map[block], words = space->word_count;
        for (next = block; next < end && space->block_map[next] == map;) next++;
        uint64_t seen[P15_MAX_BLOCK_WORDS], found = 0;
        if (build->classic) {
            memset(seen, 0, words * sizeof *seen);
            for (uint32_t region = block; region < next; region++)
                for (unsigned plane = 0; plane < 2; plane++) {
                    const uint64_t *bits = block_words(build, plane, region);
                    for (unsigned i = 0; i < words; i++) seen[i] |= bits[i];
                }
        }
        for (uint32_t region = block; region < next; region++)
            found += visit_by_level[build->cpu](build, level, region);
        *states += found;
        if (!build->classic || !found) continue;
        uint64_t fresh[P15_MAX_BLOCK_WORDS] = {0};
        for (uint32_t region = block; region < next; region++) {
            const uint64_t *bits = block_words(build, plane_of(level), region);
            for (unsigned i = 0; i < words; i++) fresh[i] |= bits[i] & ~seen[i];
        }
        uint32_t index = p15_space_map_index(space, map) - first_map;
        *placements += write_nibbles(build, level, map, fresh,
                                     build->nibbles[segment] + (size_t)index * p15_map_nibble_bytes(space));
    }
}

void p15_build_collect(const p15_build *build, unsigned segment, uint32_t word_begin, uint32_t word_end,
                       uint64_t *columns) {
    const p15_space *space = build->space;
    size_t length = ((size_t)space->block_count + 63) / 64 * 64;
    const uint64_t *words = build->planes[1][segment];
    for (uint32_t block = space->segment_begin[segment]; block < space->segment_begin[segment + 1]; block++) {
        for (uint32_t word = word_begin; word < word_end; word++)
            columns[(word - word_begin) * length + block] = words[word];
        words += space->word_count;
    }
}

void p15_build_transpose(const p15_build *build, const uint64_t *column, uint8_t *rows) {
    const p15_space *space = build->space;
    unsigned k = space->k, row_words = (space->block_count + 63) / 64;
    for (unsigned group = 0; group < row_words; group++) {
        uint64_t matrix[64];
        memcpy(matrix, column + (size_t)group * 64, sizeof matrix);
        p15_transpose_words(matrix);
        for (unsigned d1 = 0; d1 < (k > 1 ? k - 1 : 1); d1++)
            for (unsigned d0 = 0; d0 < k; d0++) {
                uint8_t *target = rows + ((size_t)(d1 * k + d0) * row_words + group) * 8;
                uint64_t bits = matrix[8 * d1 + d0];
                for (unsigned byte = 0; byte < 8; byte++) target[byte] = (uint8_t)(bits >> (8 * byte));
            }
    }
}
