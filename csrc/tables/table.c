#include "tables/table.h"

#include <string.h>

size_t p15_table_row_bytes(const p15_space *space, bool classic) {
    return classic ? (space->row_count + 1) / 2 : ((size_t)space->block_count + 63) / 64 * 8;
}

size_t p15_table_payload_bytes(const p15_space *space, bool classic) {
    return p15_table_row_bytes(space, classic) * (classic ? space->map_count : space->row_count);
}

p15_status p15_table_init(const p15_space *space, const uint8_t *payload, size_t payload_bytes, bool classic,
                          unsigned max_value, unsigned goal_map, unsigned home, p15_table *table) {
    if (!p15_is_goal(space->shape, space->k, goal_map, home)) return P15_ERR_PATTERN;
    if (payload_bytes != p15_table_payload_bytes(space, classic) || max_value > 255) return P15_ERR_CORRUPT;
    memset(table, 0, sizeof *table);
    table->space = space;
    table->payload = payload;
    table->classic = classic;
    table->cpu = p15_cpu_highest();
    table->max_value = max_value;
    table->goal_map = goal_map;
    table->home = home;
    table->goal_block = p15_space_block(space, goal_map, home);
    table->row_bytes = p15_table_row_bytes(space, classic);
    p15_goal_distances(space, goal_map, table->distance);
    return P15_OK;
}

unsigned p15_table_manhattan(const p15_table *table, unsigned map, uint32_t perm) {
    unsigned sum = 0;
    for (unsigned cell = 0; map >> cell; cell++) {
        if (!(map >> cell & 1u)) continue;
        sum += table->distance[cell][perm & 7u];
        perm >>= 3;
    }
    return sum;
}

/* A walk down from a state to the goal. */
typedef struct {
    const p15_table *table;
    uint32_t block, perm, row;
    unsigned here, steps; /* the value modulo 4 */
    unsigned count;
    struct {
        uint32_t block, perm, row;
    } next[P15_MAX_MOVES]; /* neighbours */
} walk;

P15_INLINE bool at_goal(const walk *w) { return w->block == w->table->goal_block && w->row == 0; }

/* Lists a state's neighbours, and prefetches their entries. */
P15_INLINE void list_neighbours(walk *w) {
    const p15_space *space = w->table->space;
    unsigned map = space->block_map[w->block], region = space->block_region[w->block];
    w->count = 0;
    for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++)
        for (unsigned cells = p15_space_step(space, region, dir) & map; cells; cells &= cells - 1) {
            p15_space_move move = p15_space_move_of(space, map, p15_lowest_bit(cells), dir);
            uint32_t perm = p15_perm_move(w->perm, move.from, move.to), row = p15_space_row(space, perm);
            P15_PREFETCH(w->table->payload + row * w->table->row_bytes + (move.block >> 3));
            w->next[w->count].block = move.block;
            w->next[w->count].perm = perm;
            w->next[w->count++].row = row;
        }
}

/* Steps to a neighbour one closer. Returns false when there is none. */
P15_INLINE bool step_down(walk *w) {
    unsigned closer = (w->here + 3) & 3u;
    for (unsigned i = 0; i < w->count; i++) {
        /* the parity is the other one in any case */
        if (p15_table_bit(w->table, w->next[i].row, w->next[i].block) != closer >> 1) continue;
        w->block = w->next[i].block;
        w->perm = w->next[i].perm;
        w->row = w->next[i].row;
        w->here = closer;
        return ++w->steps <= w->table->max_value;
    }
    return false;
}

/* Several walks, step by step together: so their entries come from memory at the same time. */
P15_INLINE p15_status walk_down(walk *walks, unsigned count) {
    for (bool walking = true; walking;) {
        walking = false;
        for (unsigned i = 0; i < count; i++)
            if (!at_goal(&walks[i])) list_neighbours(&walks[i]);
        for (unsigned i = 0; i < count; i++) {
            if (at_goal(&walks[i])) continue;
            if (!step_down(&walks[i])) return P15_ERR_CORRUPT;
            walking = true;
        }
    }
    for (unsigned i = 0; i < count; i++)
        if (walks[i].here != 0) return P15_ERR_CORRUPT;
    return P15_OK;
}

P15_COMPILE_BY_LEVEL(p15_status, walk_down, (walk * walks, unsigned count), return walk_down(walks, count));

#define MOST_WALKS 12u /* together */

p15_status p15_table_values(const p15_table *tables, const uint32_t *maps, const uint32_t *perms, const uint8_t *blanks,
                            unsigned count, unsigned *values) {
    walk walks[MOST_WALKS];
    for (unsigned begin = 0; begin < count; begin += MOST_WALKS) {
        unsigned n = 0;
        for (unsigned i = begin; i < count && i < begin + MOST_WALKS; i++) {
            const p15_table *table = &tables[i];
            uint32_t row = p15_space_row(table->space, perms[i]);
            if (table->classic) {
                unsigned nibble = p15_table_nibble(table, p15_space_map_index(table->space, maps[i]), row);
                values[i] = p15_table_manhattan(table, maps[i], perms[i]) + 2 * nibble;
                if (values[i] > table->max_value) return P15_ERR_CORRUPT;
                continue;
            }
            walk *w = &walks[n++];
            w->table = table;
            w->block = p15_space_block(table->space, maps[i], blanks[i]);
            w->perm = perms[i];
            w->row = row;
            w->here = p15_table_residue(table, row, w->block);
            w->steps = 0;
        }
        if (n == 0) continue;
        p15_status status = walk_down_by_level[tables[begin].cpu](walks, n);
        if (status != P15_OK) return status;
        for (unsigned i = 0; i < n; i++) values[begin + i] = walks[i].steps;
    }
    return P15_OK;
}

p15_status p15_table_value(const p15_table *table, unsigned map, uint32_t perm, unsigned blank, unsigned *value) {
    const uint32_t maps[] = {map};
    const uint8_t blanks[] = {(uint8_t)blank};
    return p15_table_values(table, maps, &perm, blanks, 1, value);
}

int p15_table_change(const p15_table *table, unsigned map, uint32_t perm, unsigned from, unsigned to) {
    const p15_space *space = table->space;
    unsigned rest = map & ~(1u << from), next = rest | 1u << to;
    unsigned i = p15_count_bits(rest & ((1u << from) - 1u)), j = p15_count_bits(rest & ((1u << to) - 1u));
    uint32_t next_perm = p15_perm_move(perm, i, j), row = p15_space_row(space, perm),
             next_row = p15_space_row(space, next_perm);
    if (table->classic) {
        unsigned label = perm >> (3 * i) & 7u;
        int nibbles = (int)p15_table_nibble(table, p15_space_map_index(space, next), next_row) -
                      (int)p15_table_nibble(table, p15_space_map_index(space, map), row);
        return table->distance[to][label] - table->distance[from][label] + 2 * nibbles;
    }
    unsigned here = p15_table_residue(table, row, p15_space_block(space, map, to));
    unsigned further = p15_table_bit(table, next_row, p15_space_block(space, next, from)) == ((here + 1) >> 1 & 1u);
    return 2 * (int)further - 1;
}
