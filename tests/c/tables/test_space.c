/* p15_space against slow twins: all maps, blocks, moves and rows of every shape. */

#include "tables/space.h"
#include "twins.h"

static void check_limits(void) {
    for (unsigned rows = 2; rows <= 8; rows++)
        for (unsigned cols = 2; rows * cols <= 16 && cols <= 8; cols++)
            for (unsigned k = 0; k < 20; k++) {
                p15_space space;
                bool fits = k >= 1 && k <= 8 && k < rows * cols;
                p15_status status = p15_space_init(shape_of(rows, cols), k, &space);
                CHECK(status == (fits ? P15_OK : P15_ERR_PATTERN));
                if (fits) p15_space_free(&space);
            }
}

/* The table in tables/space.h. */
static void check_sizes(void) {
    const struct {
        unsigned k, maps, blocks, perms;
    } sizes[] = {{6, 8008, 16412, 720}, {7, 11440, 27748, 5040}, {8, 12870, 35347, 40320}};
    const uint64_t states[] = {11816640, 139849920, 1425191040};
    for (unsigned i = 0; i < 3; i++) {
        p15_space space;
        CHECK(p15_space_init(shape_of(4, 4), sizes[i].k, &space) == P15_OK);
        CHECK(space.map_count == sizes[i].maps && space.block_count == sizes[i].blocks);
        CHECK(space.row_count == sizes[i].perms);
        size_t bytes =
            sizeof space + 8 * (size_t)space.map_count + 4 * (size_t)space.block_count; /* as the header says */
        CHECK((sizeof space + 500) / 1000 == 19 && (sizes[i].k < 8 || (bytes + 50000) / 100000 == 3));
        CHECK((uint64_t)space.block_count * space.row_count == states[i]);
        p15_space_free(&space);
    }
}

/* Every map has an index of its own, every cell outside it the block of its region. */
static void check_blocks(const p15_space *space) {
    p15_shape shape = space->shape;
    uint8_t *map_seen = allocate(space->map_count, 1);
    uint8_t *block_seen = allocate(space->block_count, 1);
    uint32_t maps = 0, blocks = 0;
    for (unsigned map = 0; map < 1u << shape.cells; map++) {
        if (twin_count(map) != space->k) continue;
        uint32_t index = p15_space_map_index(space, map);
        CHECK(index < space->map_count && !map_seen[index]++);
        maps++;

        unsigned colour = 0;
        for (unsigned cell = 0; cell < 8 && cell < shape.cells; cell++)
            colour += (map >> cell & 1u) * (cell / shape.cols + cell % shape.cols);
        unsigned segment = p15_space_segment(space, map);
        CHECK(segment == (map >> 8) * 2 + colour % 2);

        for (unsigned cell = 0; cell < shape.cells; cell++) {
            if (map >> cell & 1u) continue;
            uint32_t block = p15_space_block(space, map, cell);
            CHECK(block < space->block_count);
            CHECK(space->block_map[block] == map);
            CHECK(space->block_region[block] == twin_region(shape, map, cell, 0));
            CHECK(block >= space->segment_begin[segment]);
            CHECK(block < space->segment_begin[segment + 1]);
            blocks += !block_seen[block]++;
        }
    }
    CHECK(maps == space->map_count && blocks == space->block_count);

    CHECK(space->segment_begin[0] == 0);
    CHECK(space->segment_begin[P15_SEGMENTS] == space->block_count);
    for (unsigned segment = 0; segment < P15_SEGMENTS; segment++) {
        CHECK(space->segment_begin[segment] <= space->segment_begin[segment + 1]);
        for (uint32_t b = space->segment_begin[segment]; b < space->segment_begin[segment + 1]; b++)
            CHECK(p15_space_segment(space, space->block_map[b]) == segment);
    }
    for (uint32_t block = 1; block < space->block_count; block++) {
        uint32_t index = p15_space_map_index(space, space->block_map[block]);
        uint32_t before = p15_space_map_index(space, space->block_map[block - 1]);
        CHECK(index == before || index == before + 1);
    }
    free(map_seen);
    free(block_seen);
}

/* The moves out of a block, found tile by tile, each once among those of p15_space_moves; on the
 * way p15_perm_move against a tile that moves from cell to cell. */
static void check_moves(p15_space *space) {
    p15_shape shape = space->shape;
    for (uint32_t block = 0; block < space->block_count; block++) {
        unsigned map = space->block_map[block], region = space->block_region[block], found = 0;
        p15_space_move moves[P15_MAX_MOVES], back[P15_MAX_MOVES];
        unsigned count = p15_space_moves(space, block, moves);
        CHECK(count <= P15_MAX_MOVES);
        uint32_t perm = draw_perm(space->k);
        for (unsigned cell = 0, position = 0; cell < shape.cells; cell++) {
            if (!(map >> cell & 1u)) continue;
            for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
                int next = p15_cell_neighbour(shape, cell, dir);
                if (next < 0 || !(region >> next & 1u)) continue;
                found++;
                uint8_t at[P15_MAX_CELLS];
                twin_place(shape, map, perm, at);
                at[next] = at[cell];
                at[cell] = EMPTY;
                unsigned after = twin_map(shape, at), times = 0;
                for (unsigned i = 0; i < count; i++) {
                    if (moves[i].from != position || space->block_map[moves[i].block] != after) continue;
                    times++;
                    unsigned blank_region = space->block_region[moves[i].block];
                    CHECK(blank_region == twin_region(shape, after, cell, 0));
                    CHECK(moves[i].to == twin_count(after & ((1u << next) - 1u)));
                    uint32_t moved = p15_perm_move(perm, moves[i].from, moves[i].to);
                    CHECK(moved == twin_perm(shape, at));
                    CHECK(p15_perm_move(moved, moves[i].to, moves[i].from) == perm);
                }
                CHECK(times == 1);
            }
            position++;
        }
        CHECK(found == count);
        for (unsigned i = 0; i < count; i++) {
            unsigned undone = 0, others = p15_space_moves(space, moves[i].block, back);
            for (unsigned j = 0; j < others; j++)
                undone += back[j].block == block && back[j].from == moves[i].to && back[j].to == moves[i].from;
            CHECK(undone == 1);
        }
    }
}

static void check_links(p15_space *space) {
    CHECK(space->moves == NULL);
    CHECK(p15_space_link(space) == P15_OK);
    uint32_t total = 0;
    for (uint32_t block = 0; block < space->block_count; block++) {
        p15_space_move moves[P15_MAX_MOVES];
        unsigned count = p15_space_moves(space, block, moves);
        CHECK(space->move_begin[block] == total);
        total += count;
        CHECK(space->move_begin[block + 1] == total);
        for (unsigned i = 0; i < count; i++) {
            p15_space_move linked = space->moves[space->move_begin[block] + i];
            CHECK(linked.block == moves[i].block);
            CHECK(linked.from == moves[i].from && linked.to == moves[i].to);
        }
    }
    p15_space_move *kept = space->moves;
    CHECK(p15_space_link(space) == P15_OK && space->moves == kept);
}

/* Rows and perms are inverse; tests/golden/test_tables.py holds their order. */
static void check_rows(const p15_space *space) {
    for (uint32_t row = 0; row < space->row_count; row++) {
        uint32_t perm = p15_space_unrank(space, row);
        CHECK(p15_space_row(space, perm) == row && space->perms[row] == perm);
    }
}

static void check_perm_moves(unsigned k) {
    for (unsigned trial = 0; trial < 1000; trial++) {
        uint32_t perm = draw_perm(k);
        for (unsigned from = 0; from < k; from++)
            for (unsigned to = 0; to < k; to++) {
                unsigned labels[9], count = 0;
                uint32_t expected = 0;
                for (unsigned i = 0; i < k; i++)
                    if (i != from) labels[count++] = perm >> (3 * i) & 7u;
                for (unsigned i = count; i > to; i--) labels[i] = labels[i - 1];
                labels[to] = perm >> (3 * from) & 7u;
                for (unsigned i = 0; i < k; i++) expected |= labels[i] << (3 * i);
                CHECK(p15_perm_move(perm, from, to) == expected);
            }
    }
}

int main(int count, char **arguments) {
    bool slow = is_slow(count, arguments);
    check_limits();
    check_sizes();
    for (unsigned k = 1; k <= 8; k++) check_perm_moves(k);
    for (unsigned rows = 2; rows <= 8; rows++)
        for (unsigned cols = 2; rows * cols <= 16 && cols <= 8; cols++)
            for (unsigned k = 1; k <= 8 && k < rows * cols; k++) {
                if (k > 5 && rows != cols && !slow) continue;
                p15_space space;
                CHECK(p15_space_init(shape_of(rows, cols), k, &space) == P15_OK);
                check_blocks(&space);
                check_moves(&space);
                check_links(&space);
                if (k < 6 || rows == cols) check_rows(&space);
                p15_space_free(&space);
            }
    return 0;
}
