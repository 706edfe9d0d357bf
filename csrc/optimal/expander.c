#include "optimal/expander.h"

#define BITS 256
#include "optimal/node_batch.h"
#undef P15_OPTIMAL_NODE_BATCH_H
#define BITS 512
#include "optimal/node_batch.h"

#include <assert.h>

/* ------------------------------------------------------------------------------------------------ plain */

/* What the plain kernels may take for granted: with constants, the compiler unrolls their loops. */
typedef struct {
    unsigned lookups, patterns, move_words;
    bool axes; /* every second lookup exchanges rows and columns, and no other */
    bool classic;
} sizes;

#define HALVES ((sizes){2, 4, P15_FEW_MOVE_WORDS, true, false}) /* two patterns and their reflection */

P15_INLINE sizes sizes_of(const p15_problem *problem) {
    return (sizes){problem->lookup_count, problem->pattern_count, problem->move_words, false, problem->classic};
}

P15_INLINE bool has_halves(const p15_problem *problem) {
    return problem->lookup_count == 2 && problem->pattern_count == 4 && problem->move_words == P15_FEW_MOVE_WORDS &&
           !problem->lookups[0].transposed && problem->lookups[1].transposed && !problem->classic;
}

/* Takes the last nodes of a list, and lists their children. */
P15_INLINE void take(const p15_problem *problem, const uint16_t *rows, p15_node_batch *b, p15_nodes *nodes,
                     unsigned count, unsigned bound, sizes size) {
    const unsigned word_count = p15_word_count(size.patterns, size.move_words);
    unsigned n = 0;
    nodes->count -= count;
    memcpy(b->parents, nodes->words + (size_t)nodes->count * word_count, count * word_count * sizeof *b->parents);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t *parent = b->parents + i * word_count;
        b->slack[i] = bound - 1u - p15_word_depth(parent[P15_WORD_DEPTH]);
        for (unsigned v = 0; v < size.lookups; v++) {
            unsigned sum = 0;
            for (unsigned p = problem->lookups[v].pattern_begin; p < problem->lookups[v].pattern_end; p++)
                sum += parent[P15_WORD_STATES + 2 * p] >> P15_STATE_VALUE_BIT;
            b->lookup_h[v][i] = sum;
        }
    }
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

/* Prefetches the entries of all children in all lookups. */
P15_INLINE void look_up(const p15_problem *problem, p15_node_batch *b, sizes size) {
    for (unsigned i = 0; i < b->child_count; i++) {
        p15_batch_child c = b->children[i];
        const uint32_t *parent = b->parents + p15_child_parent(c) * p15_word_count(size.patterns, size.move_words);
        unsigned dir = p15_child_move(c), tile = p15_child_tile(c);
        bool sideways = dir == P15_LEFT || dir == P15_RIGHT;
        for (unsigned v = 0; v < size.lookups; v++) {
            const p15_lookup *lookup = &problem->lookups[v];
            unsigned pattern = lookup->pattern_of[tile], w = P15_WORD_STATES + 2 * pattern;
            p15_state old = parent[w] | (uint64_t)parent[w + 1] << 32;
            bool horizontal = sideways != (size.axes ? v % 2 == 1 : lookup->transposed);
            p15_state next = state_after(&problem->accesses[pattern], old, &lookup->moves[p15_child_blank(c)][dir],
                                         horizontal, size.classic, &b->bytes[v][i], &b->shifts[v][i]);
            b->low[v][i] = (uint32_t)next;
            b->high[v][i] = (uint32_t)(next >> 32);
        }
    }
}

/* Writes child i, whose values are known, to the end of a list. */
P15_INLINE void write_child(const p15_problem *problem, const p15_node_batch *b, unsigned i, p15_nodes *to,
                            sizes size) {
    const unsigned word_count = p15_word_count(size.patterns, size.move_words);
    p15_batch_child c = b->children[i];
    unsigned dir = p15_child_move(c), tile = p15_child_tile(c), blank = p15_child_blank(c);
    unsigned cell = p15_cell_step(problem->shape, blank, dir);
    const uint32_t *parent = b->parents + p15_child_parent(c) * word_count;
    uint32_t *child = to->words + (size_t)to->count++ * word_count;
    p15_board board = parent[P15_WORD_BOARD] | (uint64_t)parent[P15_WORD_BOARD + 1] << 32;
    unsigned depth = p15_word_depth(parent[P15_WORD_DEPTH]);
    assert(depth < problem->most_moves); /* its f is at most the bound, and no bound is larger (idastar.c) */
    memcpy(child, parent, word_count * sizeof *child);
    board = p15_board_slide(board, blank, cell);
    child[P15_WORD_BOARD] = (uint32_t)board;
    child[P15_WORD_BOARD + 1] = (uint32_t)(board >> 32);
    child[P15_WORD_STATES + 2 * size.patterns + depth / P15_MOVES_PER_WORD] |= dir
                                                                               << (2 * (depth % P15_MOVES_PER_WORD));
    child[P15_WORD_HEAD] = p15_child_state(c) | cell << P15_HEAD_BLANK | b->h[i] << P15_HEAD_H;
    child[P15_WORD_DEPTH]++;
    for (unsigned v = 0; v < size.lookups; v++) {
        unsigned w = P15_WORD_STATES + 2 * problem->lookups[v].pattern_of[tile];
        child[w] = b->low[v][i];
        child[w + 1] = b->high[v][i];
    }
}

/* Reads the entries of all children, and writes the children. */
P15_INLINE void finish(const p15_problem *problem, p15_node_batch *b, p15_nodes *nodes, p15_nodes *next, sizes size) {
    uint8_t within[P15_MOST_CHILDREN], beyond[P15_MOST_CHILDREN]; /* lists of children */
    unsigned within_count = 0, beyond_count = 0;
    b->goal = b->child_count;
    for (unsigned i = 0; i < b->child_count; i++) {
        unsigned who = p15_child_parent(b->children[i]), h = 0;
        for (unsigned v = 0; v < size.lookups; v++) {
            uint32_t low = b->low[v][i], old = low >> P15_STATE_VALUE_BIT;
            unsigned bits = (unsigned)*(const uint8_t *)(uintptr_t)b->bytes[v][i] >> b->shifts[v][i];
            unsigned change = size.classic ? (b->high[v][i] >> (P15_STATE_ROW_BIT - 32)) + 2u * (bits & 15u) - old
                                           : 1u - 2u * ((((old + 1u) >> 1) ^ bits) & 1u);
            b->low[v][i] = low + (change << P15_STATE_VALUE_BIT);
            unsigned sum = (b->lookup_h[v][who] + change) & 255u;
            h = sum > h ? sum : h;
        }
        b->h[i] = h;
        within[within_count] = beyond[beyond_count] = (uint8_t)i;
        within_count += h <= b->slack[who];
        beyond_count += h > b->slack[who];
    }
    for (unsigned i = 0; i < within_count; i++) {
        if (b->h[within[i]] == 0 && b->goal == b->child_count) b->goal = within[i];
        write_child(problem, b, within[i], nodes, size);
    }
    for (unsigned i = 0; i < beyond_count && b->keeping; i++) write_child(problem, b, beyond[i], next, size);
}

/* ------------------------------------------------------------------------------------------------ compilations */

P15_INLINE void issue_sized(const p15_problem *problem, const uint16_t *rows, p15_node_batch *b, p15_nodes *nodes,
                            unsigned count, unsigned bound, sizes size) {
    take(problem, rows, b, nodes, count, bound, size);
    look_up(problem, b, size);
}

P15_INLINE void issue_rows(const p15_problem *problem, const uint16_t *rows, p15_node_batch *b, p15_nodes *nodes,
                           unsigned count, unsigned bound) {
    if (has_halves(problem))
        issue_sized(problem, rows, b, nodes, count, bound, HALVES);
    else
        issue_sized(problem, rows, b, nodes, count, bound, sizes_of(problem));
}

P15_INLINE bool resume_rows(const p15_problem *problem, p15_node_batch *b, p15_nodes *nodes, p15_nodes *next) {
    if (has_halves(problem))
        finish(problem, b, nodes, next, HALVES);
    else
        finish(problem, b, nodes, next, sizes_of(problem));
    return true;
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
