/* p15_node: nodes of the search, and the three steps of a visit to one: ask .. take .. descend. Only fringe and worker
 * use it.
 *
 * A stack of frames is one depth-first search. A frame holds a node, the node's places (one per pattern and view), and
 * after them the node's children; a child is followed by the places that differ from its parent's (one per view):
 *
 *     | node | place 0 | place 1 | ..    | child 0 | place | place | child 1 | place | place | ..
 *
 * Table entries come from main memory. So a visit does not wait for those that it needs: p15_stack_ask makes the
 * children of the top node, computes where their entries lie and asks for these bytes. The next visit takes them in
 * (p15_stack_take) and writes the node of the next child (p15_stack_descend).
 *
 * All functions are inlined into the kernels of worker.c. The numbers of views and of places are constants there
 * wherever the compiler knows them. */
#ifndef P15_OPTIMAL_NODES_H
#define P15_OPTIMAL_NODES_H

#include "base/cpu.h"
#include "optimal/views.h"

typedef struct {
    p15_board board;
    uint64_t moves; /* that led here, 2 bits each, the last one lowest; older ones have dropped out */
    uint16_t state; /* of the automaton */
    uint8_t blank, h;
    uint8_t depth; /* moves from the root of the search */
    uint8_t child_count;
    uint8_t waiting_count;
    uint8_t unused[5];
    uint32_t waiting; /* the children still to be visited: their numbers, a byte each, the next one lowest */
    uint8_t view_h[P15_MAX_VIEWS];
} p15_node;

typedef struct {
    uint16_t state;
    uint8_t move, h, tile;
    uint8_t unused[3];
} p15_child;

_Static_assert(sizeof(p15_node) % sizeof(p15_place) == 0, "places follow their node at once");
_Static_assert(sizeof(p15_child) % sizeof(p15_place) == 0, "places follow their child at once");

/* Where the table entry of a child in a view lies. */
typedef struct {
    const uint8_t *byte;
    uint32_t shift;
} p15_probe;

typedef struct {
    uint8_t *frames; /* P15_MAX_LENGTH + 2 of them */
    p15_node *top;
    const uint16_t *words; /* the automaton's rows */
    unsigned bound, min_h; /* no node beyond the bound is visited; the smallest h that was seen */
    uint64_t expanded, generated;
    p15_probe probes[P15_DIRECTIONS][P15_MAX_VIEWS]; /* of the top node's children, on their way */
} p15_stack;

/* ------------------------------------------------------------------------------------------------ memory layout */

P15_INLINE size_t p15_node_bytes(unsigned places) { return sizeof(p15_node) + places * sizeof(p15_place); }

P15_INLINE size_t p15_child_bytes(unsigned views) { return sizeof(p15_child) + views * sizeof(p15_place); }

P15_INLINE size_t p15_frame_bytes(unsigned views, unsigned places) {
    return p15_node_bytes(places) + P15_DIRECTIONS * p15_child_bytes(views);
}

P15_INLINE p15_place *p15_node_places(const p15_node *n) { return (p15_place *)(n + 1); }

P15_INLINE p15_place *p15_child_places(const p15_child *c) { return (p15_place *)(c + 1); }

/* A child of a node that lies in a frame. */
P15_INLINE p15_child *p15_node_child(const p15_node *n, unsigned number, unsigned views, unsigned places) {
    return (p15_child *)((uint8_t *)n + p15_node_bytes(places) + number * p15_child_bytes(views));
}

/* The node of the frame below another one, and of that above it. */
P15_INLINE p15_node *p15_node_parent(const p15_node *n, unsigned views, unsigned places) {
    return (p15_node *)((uint8_t *)n - p15_frame_bytes(views, places));
}

P15_INLINE p15_node *p15_node_above(const p15_node *n, unsigned views, unsigned places) {
    return (p15_node *)((uint8_t *)n + p15_frame_bytes(views, places));
}

/* Whether a node is the one at the bottom of its stack. */
P15_INLINE bool p15_stack_at_root(const p15_stack *stack, const p15_node *n) { return (uint8_t *)n == stack->frames; }

/* ------------------------------------------------------------------------------------------------ ask */

/* The place of the moved tile's pattern after a move (its value still the old one), and where its table entry lies. */
P15_INLINE p15_place p15_place_move(const p15_lookup *lookup, p15_place old, const p15_view_move *move, bool horizontal,
                                    bool classic, p15_probe *where) {
    p15_place place = old ^ (uint64_t)move->flip << P15_PLACE_MAP_BIT;
    unsigned map = (unsigned)(place >> P15_PLACE_MAP_BIT) & 0xffffu,
             before = (unsigned)(old >> P15_PLACE_MAP_BIT) & 0xffffu;
    uint32_t index = (uint32_t)lookup->high[map >> 8] + lookup->low[map & 255u];
    uint32_t perm = (uint32_t)old & P15_PLACE_PERM, row = (uint32_t)(old >> P15_PLACE_ROW_BIT) & 0xffffu;
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
        where->byte = lookup->payload + index * lookup->row_bytes + (row >> 1);
        where->shift = 4 * (row & 1u);
    } else {
        if (!horizontal) {
            row = (uint32_t)lookup->first_rows[perm & 4095u] + lookup->last_rows[perm >> 12];
            place = (place & ~P15_PLACE_ROW) | (uint64_t)row << P15_PLACE_ROW_BIT;
        }
        uint64_t record = lookup->maps[index];
        uint32_t block = (uint32_t)(record >> 48) + ((uint32_t)(record >> move->region_shift) & 7u);
        where->byte = lookup->payload + row * lookup->row_bytes + (block >> 3);
        where->shift = block & 7u;
    }
    P15_PREFETCH(where->byte);
    return place;
}

/* Makes the children of the top node and asks for their table bytes. `axes` says that every second view exchanges rows
 * and columns, and no other. */
P15_INLINE void p15_stack_ask(const p15_problem *problem, p15_stack *stack, unsigned views, unsigned places, bool axes,
                              bool classic) {
    p15_node *n = stack->top;
    const uint16_t *next = stack->words + (size_t)n->state * P15_DIRECTIONS;
    const p15_place *old = p15_node_places(n);
    unsigned count = 0;
#if defined(__GNUC__)
#pragma GCC unroll 4
#endif
    for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
        if (next[dir] == P15_NO_MOVE) continue;
        p15_child *c = p15_node_child(n, count, views, places);
        unsigned tile = p15_board_tile(n->board, p15_cell_step(problem->shape, n->blank, dir));
        bool sideways = dir == P15_LEFT || dir == P15_RIGHT;
        c->state = next[dir];
        c->move = (uint8_t)dir;
        c->tile = (uint8_t)tile;
        for (unsigned v = 0; v < views; v++) {
            const p15_view *view = &problem->views[v];
            unsigned place = view->place_of[tile];
            bool horizontal = sideways != (axes ? v % 2 == 1 : view->transposed);
            p15_child_places(c)[v] = p15_place_move(&problem->lookups[place], old[place], &view->moves[n->blank][dir],
                                                    horizontal, classic, &stack->probes[count][v]);
        }
        count++;
    }
    n->child_count = (uint8_t)count;
    stack->expanded++;
}

/* ------------------------------------------------------------------------------------------------ take */

/* Takes in the bytes asked for: values, h, and the list of the children within the bound, those of smaller h first;
 * bit i of *beyond is set for child i beyond it. Returns whether a child has h = 0. */
P15_INLINE bool p15_stack_take(const p15_problem *problem, p15_stack *stack, unsigned views, unsigned places,
                               bool classic, unsigned *beyond) {
    p15_node *n = stack->top;
    unsigned room = stack->bound - n->depth - 1u, lower_count = 0, count = 0, goal = 0, min_h = stack->min_h;
    uint32_t lower = 0, others = 0; /* lists of children */
    unsigned cut = 0;
    for (unsigned i = 0; i < n->child_count; i++) {
        p15_child *c = p15_node_child(n, i, views, places);
        unsigned h = 0;
        for (unsigned v = 0; v < views; v++) {
            p15_place *place = &p15_child_places(c)[v];
            const p15_probe *probe = &stack->probes[i][v];
            unsigned old = (unsigned)(*place >> P15_PLACE_VALUE_BIT), bits = (unsigned)*probe->byte >> probe->shift;
            unsigned change = classic ? ((unsigned)(*place >> P15_PLACE_ROW_BIT) & 0xffffu) + 2u * (bits & 15u) - old
                                      : 1u - 2u * ((((old + 1u) >> 1) ^ bits) & 1u);
            *place += (uint64_t)change << P15_PLACE_VALUE_BIT;
            unsigned sum = (n->view_h[v] + change) & 255u;
            h = sum > h ? sum : h;
        }
        c->h = (uint8_t)h;
        unsigned within = h <= room, first = within & (h < n->h) & !problem->plain;
        lower |= (first * i) << (8 * lower_count);
        lower_count += first;
        others |= ((within & !first) * i) << (8 * count);
        count += within & !first;
        cut |= (unsigned)!within << i;
        goal |= within & (h == 0);
        min_h = h < min_h ? h : min_h;
    }
    stack->min_h = min_h;
    stack->generated += n->child_count;
    n->waiting = (uint32_t)((uint64_t)others << (8 * lower_count)) | lower;
    n->waiting_count = (uint8_t)(count + lower_count);
    *beyond = cut;
    return goal;
}

/* ------------------------------------------------------------------------------------------------ descend */

P15_INLINE void p15_places_copy(const p15_place *from, unsigned places, p15_place *to) {
    for (unsigned i = 0; i < places; i++) to[i] = from[i];
}

/* Writes all places of a child. */
P15_INLINE void p15_child_write_places(const p15_problem *problem, const p15_node *parent, const p15_child *c,
                                       unsigned views, unsigned places, p15_place *to) {
    const p15_place *changed = p15_child_places(c);
    p15_places_copy(p15_node_places(parent), places, to);
    for (unsigned v = 0; v < views; v++) to[problem->views[v].place_of[c->tile]] = changed[v];
}

/* Takes the next waiting child of a node, the top one or one below it, and makes the child's node the top one. */
P15_INLINE void p15_stack_descend(const p15_problem *problem, p15_stack *stack, p15_node *parent, unsigned views,
                                  unsigned places) {
    const p15_child *c = p15_node_child(parent, parent->waiting & 255u, views, places);
    p15_node *target = p15_node_above(parent, views, places);
    unsigned cell = p15_cell_step(problem->shape, parent->blank, c->move);
    parent->waiting >>= 8;
    parent->waiting_count--;
    target->board = p15_board_slide(parent->board, parent->blank, cell);
    target->state = c->state;
    target->blank = (uint8_t)cell;
    target->h = c->h;
    target->moves = parent->moves << 2 | c->move;
    target->depth = (uint8_t)(parent->depth + 1);
    p15_child_write_places(problem, parent, c, views, places, p15_node_places(target));
    for (unsigned v = 0; v < views; v++) {
        p15_place before = p15_node_places(parent)[problem->views[v].place_of[c->tile]];
        target->view_h[v] = (uint8_t)(parent->view_h[v] + (p15_child_places(c)[v] >> P15_PLACE_VALUE_BIT) -
                                      (before >> P15_PLACE_VALUE_BIT));
    }
    stack->top = target;
}

#endif
