/* p15_build: one level of spaces of any size, state by state; test_table.c has whole tables. */

#include "tables.h"

/* The bit of a row in its block: word * 64 + 8 * d_1 + d_0. */
static size_t bit_of_row(unsigned k, uint32_t row) {
    return k < 2 ? 0 : (size_t)(row / (k * (k - 1)) * 64 + row / k % (k - 1) * 8 + row % k);
}

static bool get_bit(const uint64_t *words, size_t bit) { return words[bit / 64] >> (bit % 64) & 1u; }

/* Marks about one in `sparsity` of a segment's states. */
static uint64_t *draw_plane(const p15_space *space, unsigned segment, unsigned sparsity) {
    uint64_t *plane = allocate(p15_build_plane_bytes(space, segment), 1);
    uint32_t blocks = space->segment_begin[segment + 1] - space->segment_begin[segment];
    uint64_t marks = (uint64_t)blocks * space->row_count / sparsity + 1;
    for (uint64_t i = 0; i < marks; i++) {
        size_t bit = bit_of_row(space->k, draw(space->row_count));
        plane[draw(blocks) * space->word_count + bit / 64] |= UINT64_C(1) << (bit % 64);
    }
    return plane;
}

static uint64_t *words_of(const p15_build *build, unsigned plane, uint32_t block) {
    const p15_space *space = build->space;
    unsigned segment = p15_space_segment(space, space->block_map[block]);
    CHECK(build->planes[plane][segment] != NULL);
    return build->planes[plane][segment] + (size_t)(block - space->segment_begin[segment]) * space->word_count;
}

static bool has_marked_neighbour(const p15_build *build, unsigned plane, uint32_t block, uint32_t row) {
    const p15_space *space = build->space;
    size_t states[P15_MAX_MOVES];
    unsigned count = twin_neighbours(space, block, row, states), marked = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t *words = words_of(build, plane, (uint32_t)(states[i] / space->row_count));
        uint32_t next_row = (uint32_t)(states[i] % space->row_count);
        marked += get_bit(words, bit_of_row(space->k, next_row));
    }
    return marked > 0;
}

/* One level of one segment whose neighbours' planes are drawn at random. */
static void check_level(p15_space *space, unsigned level) {
    p15_build build;
    unsigned home = draw(space->shape.cells), segment = draw(P15_SEGMENTS);
    unsigned goal_map = draw_map(space->shape, space->k, home);
    CHECK(p15_build_init(space, goal_map, home, false, P15_CPU_PLAIN, &build) == P15_OK);
    while (!p15_build_touches(&build, level, segment)) segment = draw(P15_SEGMENTS);
    memset(build.level_of, (int)level, space->block_count);
    bool sources[P15_SEGMENTS] = {false};
    CHECK(p15_build_sources(&build, level, segment, sources) > 0);
    unsigned from = (level - 1) >> 1 & 1u, into = level >> 1 & 1u;
    for (unsigned s = 0; s < P15_SEGMENTS; s++)
        if (sources[s]) {
            CHECK(p15_build_touches(&build, level - 1, s));
            build.planes[from][s] = draw_plane(space, s, 6);
        }
    size_t bytes = p15_build_plane_bytes(space, segment);
    build.planes[into][segment] = draw_plane(space, segment, 20);
    build.planes[!into][segment] = draw_plane(space, segment, 20);
    uint64_t *before = allocate(bytes, 1), *after = allocate(bytes, 1), found = 0, placements = 0;
    memcpy(before, build.planes[into][segment], bytes);

    p15_build_level(&build, level, segment, &found, &placements);
    memcpy(after, build.planes[into][segment], bytes);
    uint32_t begin = space->segment_begin[segment], end = space->segment_begin[segment + 1];
    uint64_t added = 0, lost = 0, unvisited = 0;
    for (size_t i = 0; i < bytes / 8; i++) {
        lost |= before[i] & ~after[i];
        for (uint64_t bits = after[i] & ~before[i]; bits; bits &= bits - 1) added++;
    }
    for (uint32_t block = begin; block < end; block++) unvisited += build.unvisited[block];
    CHECK(lost == 0 && found == added && placements == 0);
    CHECK(unvisited == (uint64_t)(end - begin) * space->row_count - found);

    uint64_t states = (uint64_t)(end - begin) * space->row_count, seen = 0;
    bool all = states <= 20000;
    for (uint64_t i = 0; i < (all ? states : 4000); i++) {
        uint32_t block = begin + (all ? (uint32_t)(i / space->row_count) : draw(end - begin));
        uint32_t row = all ? (uint32_t)(i % space->row_count) : draw(space->row_count);
        size_t bit = (size_t)(block - begin) * space->word_count * 64 + bit_of_row(space->k, row);
        bool old = get_bit(before, bit), other = get_bit(build.planes[!into][segment], bit);
        bool expected = old || (!other && has_marked_neighbour(&build, from, block, row));
        CHECK(get_bit(after, bit) == expected);
        seen += get_bit(after, bit) && !old;
    }
    CHECK(!all || seen == found); /* nothing beside the rows' bits */

    for (build.cpu = P15_CPU_V3; build.cpu <= p15_cpu_highest(); build.cpu++) {
        uint64_t again = 0;
        memcpy(build.planes[into][segment], before, bytes);
        for (uint32_t block = begin; block < end; block++) build.unvisited[block] = space->row_count;
        p15_build_level(&build, level, segment, &again, &placements);
        CHECK(memcmp(build.planes[into][segment], after, bytes) == 0 && again == added);
    }
    for (unsigned s = 0; s < P15_SEGMENTS; s++) {
        free(build.planes[0][s]);
        free(build.planes[1][s]);
    }
    free(before);
    free(after);
    p15_build_free(&build);
}

static void check_levels(p15_shape shape, unsigned segments) {
    for (unsigned k = 1; k <= 8; k++) {
        p15_space space;
        CHECK(p15_space_init(shape, k, &space) == P15_OK);
        for (unsigned i = 0; i < segments; i++) check_level(&space, 5 + i % 4);
        p15_space_free(&space);
    }
}

static void check_arguments(void) {
    p15_space space;
    p15_build build;
    CHECK(p15_space_init(shape_of(3, 3), 3, &space) == P15_OK);
    const struct {
        unsigned goal_map, home;
    } wrong[] = {{7, 2}, {7, 9}, {3, 8}, {15, 8}, {0x203, 8}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(p15_build_init(&space, wrong[i].goal_map, wrong[i].home, false, P15_CPU_PLAIN, &build) ==
              P15_ERR_PATTERN);
    p15_space_free(&space);
}

int main(int count, char **arguments) {
    bool slow = is_slow(count, arguments);
    check_arguments();
    check_levels(shape_of(4, 4), slow ? 4 : 2);
    check_levels(shape_of(2, 8), slow ? 4 : 1);
    check_levels(shape_of(8, 2), 1);
    check_levels(shape_of(3, 5), 1);
    return 0;
}
