#include "optimal/steps.h"

#include "optimal/group_v4.h"

#include <assert.h>

/* ------------------------------------------------------------------------------------------------ plain */

/* What the plain kernels may take for granted: with constants, the compiler unrolls their loops. */
typedef struct {
    unsigned views, places, move_words;
    bool axes; /* every second view exchanges rows and columns, and no other */
    bool classic;
} sizes;

#define HALVES ((sizes){2, 4, P15_FEW_MOVE_WORDS, true, false}) /* two patterns and their reflection */

P15_INLINE sizes sizes_of(const p15_problem *problem) {
    return (sizes){problem->view_count, problem->place_count, problem->move_words, false, problem->classic};
}

P15_INLINE bool has_halves(const p15_problem *problem) {
    return problem->view_count == 2 && problem->place_count == 4 && problem->move_words == P15_FEW_MOVE_WORDS &&
           !problem->views[0].transposed && problem->views[1].transposed && !problem->classic;
}

/* Takes the last nodes of a list, and lists their children. */
P15_INLINE void begin(const p15_problem *problem, const uint16_t *words, p15_group *g, p15_nodes *nodes, unsigned count,
                      unsigned bound, sizes size) {
    const unsigned word_count = p15_word_count(size.places, size.move_words);
    unsigned n = 0;
    nodes->count -= count;
    memcpy(g->parents, nodes->words + (size_t)nodes->count * word_count, count * word_count * sizeof *g->parents);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t *parent = g->parents + i * word_count;
        g->room[i] = bound - 1u - p15_word_depth(parent[P15_WORD_DEPTH]);
        for (unsigned v = 0; v < size.views; v++) {
            unsigned sum = 0;
            for (unsigned p = problem->views[v].place_begin; p < problem->views[v].place_end; p++)
                sum += parent[P15_WORD_PLACES + 2 * p] >> P15_PLACE_VALUE_BIT;
            g->view_h[v][i] = sum;
        }
    }
    for (unsigned d = 0; d < P15_DIRECTIONS; d++) {
        const unsigned dir = problem->plain ? P15_DOWN - d : p15_group_order[d]; /* the last one is expanded first */
        for (unsigned i = 0; i < count; i++) {
            const uint32_t *parent = g->parents + i * word_count;
            uint32_t head = parent[P15_WORD_HEAD];
            unsigned next = words[(size_t)p15_head_state(head) * P15_DIRECTIONS + dir], blank = p15_head_blank(head);
            unsigned cell = p15_cell_step(problem->shape, blank, dir) & 15u; /* anything when there is no such move */
            unsigned tile = parent[P15_WORD_BOARD + (cell >> 3)] >> (4 * (cell & 7u)) & 15u;
            g->children[n] = i | dir << 4 | blank << 6 | tile << 10 | next << 16;
            n += next != P15_NO_MOVE;
        }
    }
    g->parent_count = count;
    g->child_count = n;
}

/* The place of the moved tile's pattern after a move (its value still the old one), and where its table entry lies. */
P15_INLINE p15_place move_place(const p15_lookup *lookup, p15_place old, const p15_view_move *move, bool horizontal,
                                bool classic, uint64_t *byte, uint32_t *shift) {
    p15_place place = old ^ (uint64_t)move->flip << P15_PLACE_MAP_BIT;
    unsigned map = (unsigned)(place >> P15_PLACE_MAP_BIT) & 0xffffu,
             before = (unsigned)(old >> P15_PLACE_MAP_BIT) & 0xffffu;
    uint32_t index = (uint32_t)lookup->high[map >> 8] + lookup->low[map & 255u];
    uint32_t perm = (uint32_t)old & P15_PLACE_PERM, row = (uint32_t)(old >> P15_PLACE_ROW_BIT) & 0xffffu;
    const uint8_t *at;
    if (!horizontal) {
        perm = p15_perm_move(perm, p15_count_bits(before & move->below_from), p15_count_bits(before & move->below_to));
        place = (place & ~(uint64_t)P15_PLACE_PERM) | perm;
    }
    if (classic) {
        const p15_table *table = lookup->table;
        unsigned label = perm >> (3 * p15_count_bits(before & move->below_to)) & 7u;
        row += table->distance[move->to_cell][label] - (uint32_t)table->distance[move->from_cell][label];
        place = (place & ~P15_PLACE_ROW) | (uint64_t)(row & 0xffffu) << P15_PLACE_ROW_BIT;
        row = (uint32_t)lookup->first_rows[perm & 4095u] + lookup->last_rows[perm >> 12];
        at = lookup->payload + index * lookup->row_bytes + (row >> 1);
        *shift = 4 * (row & 1u);
    } else {
        if (!horizontal) {
            row = (uint32_t)lookup->first_rows[perm & 4095u] + lookup->last_rows[perm >> 12];
            place = (place & ~P15_PLACE_ROW) | (uint64_t)row << P15_PLACE_ROW_BIT;
        }
        uint64_t record = lookup->maps[index];
        uint32_t block = (uint32_t)(record >> 48) + ((uint32_t)(record >> move->region_shift) & 7u);
        at = lookup->payload + row * lookup->row_bytes + (block >> 3);
        *shift = block & 7u;
    }
    P15_PREFETCH_FAR(at);
    *byte = (uint64_t)(uintptr_t)at;
    return place;
}

/* Asks all views about all children. `axes` says that every second view exchanges rows and columns, and no other. */
P15_INLINE void ask(const p15_problem *problem, p15_group *g, sizes size) {
    for (unsigned i = 0; i < g->child_count; i++) {
        p15_child c = g->children[i];
        const uint32_t *parent = g->parents + p15_child_parent(c) * p15_word_count(size.places, size.move_words);
        unsigned dir = p15_child_move(c), tile = p15_child_tile(c);
        bool sideways = dir == P15_LEFT || dir == P15_RIGHT;
        for (unsigned v = 0; v < size.views; v++) {
            const p15_view *view = &problem->views[v];
            unsigned place = view->place_of[tile], w = P15_WORD_PLACES + 2 * place;
            p15_place old = parent[w] | (uint64_t)parent[w + 1] << 32;
            bool horizontal = sideways != (size.axes ? v % 2 == 1 : view->transposed);
            p15_place made = move_place(&problem->lookups[place], old, &view->moves[p15_child_blank(c)][dir],
                                        horizontal, size.classic, &g->bytes[v][i], &g->shifts[v][i]);
            g->low[v][i] = (uint32_t)made;
            g->high[v][i] = (uint32_t)(made >> 32);
        }
    }
}

/* Writes child i, all of whose views have answered, to the end of a list. */
P15_INLINE void write_child(const p15_problem *problem, const p15_group *g, unsigned i, p15_nodes *to, sizes size) {
    const unsigned word_count = p15_word_count(size.places, size.move_words);
    p15_child c = g->children[i];
    unsigned dir = p15_child_move(c), tile = p15_child_tile(c), blank = p15_child_blank(c);
    unsigned cell = p15_cell_step(problem->shape, blank, dir);
    const uint32_t *parent = g->parents + p15_child_parent(c) * word_count;
    uint32_t *child = to->words + (size_t)to->count++ * word_count;
    p15_board board = parent[P15_WORD_BOARD] | (uint64_t)parent[P15_WORD_BOARD + 1] << 32;
    unsigned depth = p15_word_depth(parent[P15_WORD_DEPTH]);
    assert(depth < problem->most_moves);
    memcpy(child, parent, word_count * sizeof *child);
    board = p15_board_slide(board, blank, cell);
    child[P15_WORD_BOARD] = (uint32_t)board;
    child[P15_WORD_BOARD + 1] = (uint32_t)(board >> 32);
    child[P15_WORD_PLACES + 2 * size.places + depth / P15_MOVES_PER_WORD] |= dir << (2 * (depth % P15_MOVES_PER_WORD));
    child[P15_WORD_HEAD] = p15_child_state(c) | cell << P15_HEAD_BLANK | g->h[i] << P15_HEAD_H;
    child[P15_WORD_DEPTH]++;
    for (unsigned v = 0; v < size.views; v++) {
        unsigned w = P15_WORD_PLACES + 2 * problem->views[v].place_of[tile];
        child[w] = g->low[v][i];
        child[w + 1] = g->high[v][i];
    }
}

/* Takes in all answers, and writes the children: the group is done. */
P15_INLINE void finish(const p15_problem *problem, p15_group *g, p15_nodes *nodes, p15_nodes *next, sizes size) {
    uint8_t within[P15_MOST_CHILDREN], beyond[P15_MOST_CHILDREN]; /* lists of children */
    unsigned within_count = 0, beyond_count = 0;
    g->goal = g->child_count;
    for (unsigned i = 0; i < g->child_count; i++) {
        unsigned who = p15_child_parent(g->children[i]), h = 0;
        for (unsigned v = 0; v < size.views; v++) {
            uint32_t place = g->low[v][i], old = place >> P15_PLACE_VALUE_BIT;
            unsigned bits = (unsigned)*(const uint8_t *)(uintptr_t)g->bytes[v][i] >> g->shifts[v][i];
            unsigned change = size.classic ? (g->high[v][i] >> (P15_PLACE_ROW_BIT - 32)) + 2u * (bits & 15u) - old
                                           : 1u - 2u * ((((old + 1u) >> 1) ^ bits) & 1u);
            g->low[v][i] = place + (change << P15_PLACE_VALUE_BIT);
            unsigned sum = (g->view_h[v][who] + change) & 255u;
            h = sum > h ? sum : h;
        }
        g->h[i] = h;
        within[within_count] = beyond[beyond_count] = (uint8_t)i;
        within_count += h <= g->room[who];
        beyond_count += h > g->room[who];
    }
    for (unsigned i = 0; i < within_count; i++) {
        if (g->h[within[i]] == 0 && g->goal == g->child_count) g->goal = within[i];
        write_child(problem, g, within[i], nodes, size);
    }
    for (unsigned i = 0; i < beyond_count && g->keeping; i++) write_child(problem, g, beyond[i], next, size);
}

/* ------------------------------------------------------------------------------------------------ compilations */

P15_INLINE void begin_sized(const p15_problem *problem, const uint16_t *words, p15_group *g, p15_nodes *nodes,
                            unsigned count, unsigned bound, sizes size) {
    begin(problem, words, g, nodes, count, bound, size);
    ask(problem, g, size);
}

P15_INLINE void begin_rows(const p15_problem *problem, const uint16_t *words, p15_group *g, p15_nodes *nodes,
                           unsigned count, unsigned bound) {
    if (has_halves(problem))
        begin_sized(problem, words, g, nodes, count, bound, HALVES);
    else
        begin_sized(problem, words, g, nodes, count, bound, sizes_of(problem));
}

P15_INLINE bool go_on_rows(const p15_problem *problem, p15_group *g, p15_nodes *nodes, p15_nodes *next) {
    if (has_halves(problem))
        finish(problem, g, nodes, next, HALVES);
    else
        finish(problem, g, nodes, next, sizes_of(problem));
    return true;
}

static void begin_plain(const p15_problem *problem, const uint16_t *words, p15_group *g, p15_nodes *nodes,
                        unsigned count, unsigned bound) {
    begin_rows(problem, words, g, nodes, count, bound);
}

P15_TARGET_V3 static void begin_v3(const p15_problem *problem, const uint16_t *words, p15_group *g, p15_nodes *nodes,
                                   unsigned count, unsigned bound) {
    begin_rows(problem, words, g, nodes, count, bound);
}

static bool go_on_plain(const p15_problem *problem, p15_group *g, p15_nodes *nodes, p15_nodes *next) {
    return go_on_rows(problem, g, nodes, next);
}

P15_TARGET_V3 static bool go_on_v3(const p15_problem *problem, p15_group *g, p15_nodes *nodes, p15_nodes *next) {
    return go_on_rows(problem, g, nodes, next);
}

#if P15_HAVE_V4
P15_TARGET_V4 static void begin_v4(const p15_problem *problem, const uint16_t *words, p15_group *g, p15_nodes *nodes,
                                   unsigned count, unsigned bound) {
    begin_columns(problem, words, g, nodes, count, bound);
    ask_columns(problem, g);
}

P15_TARGET_V4 static bool go_on_v4(const p15_problem *problem, p15_group *g, p15_nodes *nodes, p15_nodes *next) {
    sift_columns(problem, g);
    bool done = g->asked == problem->view_count;
    if (done)
        finish_columns(problem, g, nodes, next);
    else
        ask_columns(problem, g);
    return done;
}
#endif

typedef void begin_function(const p15_problem *, const uint16_t *, p15_group *, p15_nodes *, unsigned, unsigned);
typedef bool go_on_function(const p15_problem *, p15_group *, p15_nodes *, p15_nodes *);

static begin_function *const BEGIN[] = P15_BY_LEVEL(begin_plain, begin_v3, begin_v4, begin_v4);
static go_on_function *const GO_ON[] = P15_BY_LEVEL(go_on_plain, go_on_v3, go_on_v4, go_on_v4);

p15_steps p15_steps_pick(const p15_problem *problem) {
    const unsigned width = p15_group_size(problem);
    bool columns = P15_HAVE_V4 && problem->cpu >= P15_CPU_V4 && width > 1 && !problem->classic;
    p15_cpu cpu = columns || problem->cpu < P15_CPU_V3 ? problem->cpu : P15_CPU_V3;
    return (p15_steps){columns, width, BEGIN[cpu], GO_ON[cpu]};
}
