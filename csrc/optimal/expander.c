#include "optimal/expander.h"

#define BITS 256
#include "optimal/node_batch.h"
#undef P15_OPTIMAL_NODE_BATCH_H
#define BITS 512
#include "optimal/node_batch.h"

#include <assert.h>

/* ------------------------------------------------------------------------------------------------ plain */

/* Takes the last nodes of a list, and lists their children. */
P15_INLINE void take(const p15_problem *problem, const uint16_t *rows, p15_node_batch *b, p15_nodes *nodes,
                     unsigned count, unsigned bound) {
    const unsigned word_count = nodes->word_count;
    unsigned n = 0, most = 0;
    nodes->count -= count;
    memcpy(b->parents, nodes->words + (size_t)nodes->count * word_count, count * word_count * sizeof *b->parents);
    b->first = 0;
    for (unsigned v = 0; v < problem->lookup_count; v++) {
        unsigned largest = 0;
        for (unsigned i = 0; i < count; i++) {
            const uint32_t *parent = b->parents + i * word_count;
            unsigned sum = 0;
            for (unsigned p = problem->lookups[v].pattern_begin; p < problem->lookups[v].pattern_end; p++)
                sum += parent[P15_WORD_STATES + 2 * p] >> P15_STATE_VALUE_BIT;
            b->lookup_h[v][i] = sum;
            largest += sum == p15_head_h(parent[P15_WORD_HEAD]);
        }
        if (largest > most) {
            most = largest;
            b->first = v;
        }
    }
    for (unsigned i = 0; i < count; i++)
        b->slack[i] = bound - 1u - p15_word_depth(b->parents[i * word_count + P15_WORD_DEPTH]);
    for (unsigned d = 0; d < P15_DIRECTIONS; d++) {
        const unsigned dir = problem->plain ? P15_DOWN - d : p15_child_order[d]; /* the last one is expanded first */
        for (unsigned i = 0; i < count; i++) {
            const uint32_t *parent = b->parents + i * word_count;
            uint32_t head = parent[P15_WORD_HEAD];
            unsigned next = rows[(size_t)p15_head_state(head) * P15_DIRECTIONS + dir], blank = p15_head_blank(head);
            unsigned cell = p15_cell_step(problem->shape, blank, dir) & 15u; /* any cell when there is no such move */
            unsigned tile = parent[P15_WORD_BOARD + (cell >> 3)] >> (4 * (cell & 7u)) & 15u;
            b->children[n] = i | dir << 4 | blank << 6 | tile << 10 | next << 16;
            n += next != P15_NO_MOVE;
        }
    }
    b->parent_count = count;
    b->child_count = n;
    b->looked_up = 0;
}

/* The state of the moved tile's pattern after a move, its value still the old one, and the address of its entry. */
P15_INLINE p15_state state_after(const p15_pattern_access *access, p15_state old, const p15_lookup_move *move,
                                 bool horizontal, bool classic, uint64_t *byte, uint32_t *shift) {
    p15_state state = old ^ (uint64_t)move->flip << P15_STATE_MAP_BIT;
    unsigned map = (unsigned)(state >> P15_STATE_MAP_BIT) & 0xffffu,
             before = (unsigned)(old >> P15_STATE_MAP_BIT) & 0xffffu;
    uint32_t index = (uint32_t)access->high[map >> 8] + access->low[map & 255u];
    uint32_t perm = (uint32_t)old & P15_STATE_PERM, row = (uint32_t)(old >> P15_STATE_ROW_BIT) & 0xffffu;
    const uint8_t *at;
    if (!horizontal) {
        perm = p15_perm_move(perm, p15_count_bits(before & move->below_from), p15_count_bits(before & move->below_to));
        state = (state & ~(uint64_t)P15_STATE_PERM) | perm;
    }
    if (classic) {
        const p15_table *table = access->table;
        unsigned label = perm >> (3 * p15_count_bits(before & move->below_to)) & 7u;
        row += table->distance[move->to_cell][label] - (uint32_t)table->distance[move->from_cell][label];
        state = (state & ~P15_STATE_ROW) | (uint64_t)(row & 0xffffu) << P15_STATE_ROW_BIT;
        row = (uint32_t)access->first_rows[perm & 4095u] + access->last_rows[perm >> 12];
        at = access->payload + index * access->row_bytes + (row >> 1);
        *shift = 4 * (row & 1u);
    } else {
        if (!horizontal) {
            row = (uint32_t)access->first_rows[perm & 4095u] + access->last_rows[perm >> 12];
            state = (state & ~P15_STATE_ROW) | (uint64_t)row << P15_STATE_ROW_BIT;
        }
        uint64_t record = access->maps[index];
        uint32_t block = (uint32_t)(record >> 48) + ((uint32_t)(record >> move->region_shift) & 7u);
        at = access->payload + row * access->row_bytes + (block >> 3);
        *shift = block & 7u;
    }
    P15_PREFETCH_FAR(at);
    *byte = (uint64_t)(uintptr_t)at;
    return state;
}

/* Prefetches the entries of all children in the next lookup. */
P15_INLINE void look_up(const p15_problem *problem, p15_node_batch *b, bool classic) {
    const unsigned word_count = p15_word_count(problem->pattern_count, problem->move_words),
                   v = p15_batch_lookup(problem, b, b->looked_up++);
    const p15_lookup *lookup = &problem->lookups[v];
    for (unsigned i = 0; i < b->child_count; i++) {
        p15_batch_child c = b->children[i];
        const uint32_t *parent = b->parents + p15_child_parent(c) * word_count;
        unsigned dir = p15_child_move(c);
        bool horizontal = (dir == P15_LEFT || dir == P15_RIGHT) != lookup->transposed;
        unsigned pattern = lookup->pattern_of[p15_child_tile(c)], w = P15_WORD_STATES + 2 * pattern;
        p15_state old = parent[w] | (uint64_t)parent[w + 1] << 32;
        p15_state next = state_after(&problem->accesses[pattern], old, &lookup->moves[p15_child_blank(c)][dir],
                                     horizontal, classic, &b->bytes[i], &b->shifts[i]);
        b->low[v][i] = (uint32_t)next;
        b->high[v][i] = (uint32_t)(next >> 32);
    }
}

/* Reads the entries of the last lookup, and prunes the children beyond the bound. */
P15_INLINE void prune(const p15_problem *problem, p15_node_batch *b, bool classic) {
    const unsigned v = p15_batch_lookup(problem, b, b->looked_up - 1);
    unsigned left = 0;
    for (unsigned i = 0; i < b->child_count; i++) {
        unsigned who = p15_child_parent(b->children[i]);
        uint32_t low = b->low[v][i], high = b->high[v][i], old = low >> P15_STATE_VALUE_BIT;
        unsigned bits = (unsigned)*(const uint8_t *)(uintptr_t)b->bytes[i] >> b->shifts[i];
        unsigned change = classic ? (high >> (P15_STATE_ROW_BIT - 32)) + 2u * (bits & 15u) - old
                                  : 1u - 2u * ((((old + 1u) >> 1) ^ bits) & 1u);
        unsigned h = (b->lookup_h[v][who] + change) & 255u;
        bool stays = b->keeping || h <= b->slack[who];
        b->children[left] = b->children[i];
        b->h[left] = b->looked_up > 1 && b->h[i] > h ? b->h[i] : h;
        b->low[v][left] = low + (change << P15_STATE_VALUE_BIT);
        b->high[v][left] = high;
        for (unsigned other = 0; other + 1 < b->looked_up; other++) {
            unsigned u = p15_batch_lookup(problem, b, other);
            b->low[u][left] = b->low[u][i];
            b->high[u][left] = b->high[u][i];
        }
        left += stays;
    }
    b->child_count = left;
}

/* Writes child i, whose values are known, to the end of a list, and anything up to 7 words behind. */
P15_INLINE void write_child(const p15_problem *problem, const p15_node_batch *b, unsigned i, p15_nodes *to) {
    const unsigned word_count = to->word_count;
    p15_batch_child c = b->children[i];
    unsigned dir = p15_child_move(c), tile = p15_child_tile(c), blank = p15_child_blank(c);
    unsigned cell = p15_cell_step(problem->shape, blank, dir);
    const uint32_t *parent = b->parents + p15_child_parent(c) * word_count;
    uint32_t *child = to->words + (size_t)to->count++ * word_count;
    p15_board board = parent[P15_WORD_BOARD] | (uint64_t)parent[P15_WORD_BOARD + 1] << 32;
    unsigned depth = p15_word_depth(parent[P15_WORD_DEPTH]);
    assert(depth < problem->most_moves); /* its f is at most the bound, and no bound is larger (idastar.c) */
    for (unsigned w = 0; w < word_count; w += 8) memcpy(child + w, parent + w, 8 * sizeof *child);
    board = p15_board_slide(board, blank, cell);
    child[P15_WORD_BOARD] = (uint32_t)board;
    child[P15_WORD_BOARD + 1] = (uint32_t)(board >> 32);
    child[P15_WORD_STATES + 2 * problem->pattern_count + depth / P15_MOVES_PER_WORD] |=
        dir << (2 * (depth % P15_MOVES_PER_WORD));
    child[P15_WORD_HEAD] = p15_child_state(c) | cell << P15_HEAD_BLANK | b->h[i] << P15_HEAD_H;
    child[P15_WORD_DEPTH]++;
    for (unsigned v = 0; v < problem->lookup_count; v++) {
        unsigned w = P15_WORD_STATES + 2 * problem->lookups[v].pattern_of[tile];
        child[w] = b->low[v][i];
        child[w + 1] = b->high[v][i];
    }
}

/* After the last lookup: writes the children that are left to the ends of the lists. */
P15_INLINE void finish(const p15_problem *problem, p15_node_batch *b, p15_nodes *nodes, p15_nodes *next) {
    b->goal = b->child_count;
    for (unsigned i = 0; i < b->child_count; i++) {
        bool within = b->h[i] <= b->slack[p15_child_parent(b->children[i])];
        if (b->h[i] == 0 && within && b->goal == b->child_count) b->goal = i;
        write_child(problem, b, i, within ? nodes : next);
    }
}

/* ------------------------------------------------------------------------------------------------ compilations */

P15_INLINE void look_up_rows(const p15_problem *problem, p15_node_batch *b) {
    if (problem->classic)
        look_up(problem, b, true);
    else
        look_up(problem, b, false);
}

P15_INLINE void issue_rows(const p15_problem *problem, const uint16_t *rows, p15_node_batch *b, p15_nodes *nodes,
                           unsigned count, unsigned bound) {
    take(problem, rows, b, nodes, count, bound);
    look_up_rows(problem, b);
}

P15_INLINE bool resume_rows(const p15_problem *problem, p15_node_batch *b, p15_nodes *nodes, p15_nodes *next) {
    if (problem->classic)
        prune(problem, b, true);
    else
        prune(problem, b, false);
    bool done = b->looked_up == problem->lookup_count;
    if (done)
        finish(problem, b, nodes, next);
    else
        look_up_rows(problem, b);
    return done;
}

static void issue_plain(const p15_problem *problem, const uint16_t *rows, p15_node_batch *b, p15_nodes *nodes,
                        unsigned count, unsigned bound) {
    issue_rows(problem, rows, b, nodes, count, bound);
}

P15_TARGET_V3 static void issue_v3(const p15_problem *problem, const uint16_t *rows, p15_node_batch *b,
                                   p15_nodes *nodes, unsigned count, unsigned bound) {
#if P15_HAVE_V4
    if (nodes->columns) {
        issue_256(problem, rows, b, nodes, count, bound);
        return;
    }
#endif
    issue_rows(problem, rows, b, nodes, count, bound);
}

static bool resume_plain(const p15_problem *problem, p15_node_batch *b, p15_nodes *nodes, p15_nodes *next) {
    return resume_rows(problem, b, nodes, next);
}

P15_TARGET_V3 static bool resume_v3(const p15_problem *problem, p15_node_batch *b, p15_nodes *nodes, p15_nodes *next) {
#if P15_HAVE_V4
    if (nodes->columns) return resume_256(problem, b, nodes, next);
#endif
    return resume_rows(problem, b, nodes, next);
}

#if P15_HAVE_V4
P15_TARGET_V4 static void issue_v4(const p15_problem *problem, const uint16_t *rows, p15_node_batch *b,
                                   p15_nodes *nodes, unsigned count, unsigned bound) {
    issue_512(problem, rows, b, nodes, count, bound);
}

P15_TARGET_V4 static bool resume_v4(const p15_problem *problem, p15_node_batch *b, p15_nodes *nodes, p15_nodes *next) {
    return resume_512(problem, b, nodes, next);
}
#endif

typedef void issue_function(const p15_problem *, const uint16_t *, p15_node_batch *, p15_nodes *, unsigned, unsigned);
typedef bool resume_function(const p15_problem *, p15_node_batch *, p15_nodes *, p15_nodes *);

static issue_function *const ISSUE[] = P15_BY_LEVEL(issue_plain, issue_v3, issue_v4, issue_v4);
static resume_function *const RESUME[] = P15_BY_LEVEL(resume_plain, resume_v3, resume_v4, resume_v4);

p15_expander p15_expander_pick(const p15_problem *problem) {
    const unsigned width = p15_node_batch_size(problem);
    bool columns = P15_HAVE_V4 && problem->cpu >= P15_CPU_V3 && width > 1 && !problem->classic;
    p15_cpu cpu = columns || problem->cpu < P15_CPU_V3 ? problem->cpu : P15_CPU_V3;
    return (p15_expander){columns, width, ISSUE[cpu], RESUME[cpu]};
}
