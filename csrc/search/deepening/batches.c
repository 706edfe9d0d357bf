#include "search/deepening/batches.h"

#include <stdlib.h>

#define NONE UINT32_MAX /* no node */
#define FIRST_ROOM 4096u

typedef struct {
    p15_board board;
    p15_values values;
    uint32_t parent;   /* of a free node: the next free one */
    uint32_t children; /* that wait, or have such themselves */
    uint16_t depth;
    uint8_t blank, last;
} node;

_Static_assert(sizeof(node) == 32, "as the header says");

struct p15_batches {
    p15_search *search;
    unsigned most;
    node *nodes;
    uint32_t *waiting; /* numbers of nodes: the stack */
    size_t room;       /* of both */
    uint32_t used;     /* nodes that were ever made in this iteration */
    uint32_t free;     /* of these, the first free one */
    uint32_t goal;     /* its node, once it is met */
    size_t waiting_count;
    uint32_t taken[P15_MAX_EXPANDED];
    uint8_t counts[P15_MAX_EXPANDED]; /* of children */
    p15_child *made;                  /* P15_DIRECTIONS for each node of a batch */
};

p15_status p15_batches_new(p15_search *search, unsigned most, p15_batches **made) {
    *made = NULL;
    if (most < 2 || most > P15_MAX_EXPANDED) return P15_ERR_ARGUMENT;
    p15_batches *b = calloc(1, sizeof *b);
    if (!b) return P15_ERR_MEMORY;
    b->search = search;
    b->most = most;
    b->room = FIRST_ROOM;
    b->nodes = malloc(b->room * sizeof *b->nodes);
    b->waiting = malloc(b->room * sizeof *b->waiting);
    b->made = malloc(most * P15_DIRECTIONS * sizeof *b->made);
    p15_status status = b->nodes && b->waiting && b->made ? P15_OK : P15_ERR_MEMORY;
    if (!status) status = p15_evaluations_new(search->evaluator, (size_t)most * P15_DIRECTIONS, &search->batches[0]);
    if (status)
        p15_batches_delete(b);
    else
        *made = b;
    return status;
}

void p15_batches_delete(p15_batches *b) {
    if (!b) return;
    free(b->nodes);
    free(b->waiting);
    free(b->made);
    free(b);
}

size_t p15_batches_bytes(const p15_batches *b) { return sizeof *b + b->room * (sizeof *b->nodes + sizeof *b->waiting); }

/* Makes room for `count` more nodes. */
static bool make_room(p15_batches *b, size_t count) {
    if (b->used + count <= b->room) return true; /* free nodes are used first, and need no room */
    if (b->room > NONE / 2) return false;
    node *nodes = realloc(b->nodes, 2 * b->room * sizeof *nodes);
    if (nodes) b->nodes = nodes;
    uint32_t *waiting = realloc(b->waiting, 2 * b->room * sizeof *waiting);
    if (waiting) b->waiting = waiting;
    if (!nodes || !waiting) return false;
    b->room *= 2;
    return true;
}

/* Returns the number of the node. */
static uint32_t push(p15_batches *b, node n) {
    uint32_t number = b->free;
    if (number != NONE)
        b->free = b->nodes[number].parent;
    else
        number = b->used++;
    if (n.parent != NONE) b->nodes[n.parent].children++;
    b->nodes[number] = n;
    return b->waiting[b->waiting_count++] = number;
}

/* Frees a node that was expanded if no node below it waits, and then its parents. */
static void release(p15_batches *b, uint32_t number) {
    while (number != NONE && b->nodes[number].children == 0) {
        uint32_t parent = b->nodes[number].parent;
        b->nodes[number].parent = b->free;
        b->free = number;
        if (parent != NONE) b->nodes[parent].children--;
        number = parent;
    }
}

void p15_batches_start(p15_batches *b, p15_walk *walk, unsigned bound) {
    const p15_search *search = b->search;
    walk->bound = bound;
    walk->cut = UINT32_MAX;
    walk->counts = (p15_counts){0, 0};
    b->waiting_count = b->used = 0;
    b->free = NONE;
    push(b, (node){.board = search->start,
                   .values = search->values,
                   .parent = NONE,
                   .blank = (uint8_t)p15_board_blank(search->start),
                   .last = P15_DIRECTIONS});
}

/* Takes the last nodes of the stack, and makes and evaluates their children. Returns how many nodes there are. */
static unsigned take(p15_batches *b, const p15_walk *walk, const p15_values **values) {
    const p15_search *search = b->search;
    uint64_t left = walk->limit - walk->counts.generated, most = b->most;
    if (most > left / (P15_DIRECTIONS - 1)) most = left / (P15_DIRECTIONS - 1);
    if (most == 0) most = 1;
    if (most > b->waiting_count) most = b->waiting_count;
    p15_child *made = b->made;
    b->waiting_count -= most;
    for (unsigned i = 0; i < most; i++) {
        b->taken[i] = b->waiting[b->waiting_count + i];
        const node *n = &b->nodes[b->taken[i]];
        b->counts[i] = (uint8_t)p15_child_make(&search->moves, n->board, n->blank, n->last, made);
        for (unsigned j = 0; j < b->counts[i]; j++)
            p15_evaluations_add(search->batches[0], n->board, n->values, n->blank, made++->direction);
    }
    *values = p15_evaluations_run(search->batches[0]);
    return (unsigned)most;
}

/* Traces an expansion. Nodes are told apart by their numbers, from 1 on; 0: the child is cut off. */
static void trace(const p15_search *search, uint32_t number, const node *n, const p15_child *made,
                  const p15_values *values, const uint32_t *pushed, unsigned count) {
    p15_trace_node(search->trace, n->board, n->values, n->depth, false)->id = number + 1;
    for (unsigned j = 0; j < count; j++) {
        p15_fate fate = pushed[j] ? P15_FATE_OPEN : P15_FATE_CUT;
        p15_traced_child *child = p15_trace_child(search->trace, made[j].direction, fate);
        child->h = (uint8_t)p15_values_h(values[j]);
        child->id = pushed[j];
    }
}

/* Cuts off a node's children, or pushes them, the last one first. Returns whether one is the goal. */
static bool expand(p15_batches *b, p15_walk *walk, uint32_t number, const p15_child *made, const p15_values *values,
                   unsigned count) {
    p15_search *search = b->search;
    const node n = b->nodes[number];
    uint32_t pushed[P15_DIRECTIONS] = {0};
    bool met = false;
    for (unsigned j = count; j-- > 0;) {
        unsigned f = n.depth + 1 + p15_values_h(values[j]);
        if (f > walk->bound) {
            if (f < walk->cut) walk->cut = f;
            continue;
        }
        uint32_t child = push(b, (node){.board = made[j].board,
                                        .values = values[j],
                                        .parent = number,
                                        .depth = (uint16_t)(n.depth + 1),
                                        .blank = made[j].blank,
                                        .last = made[j].direction});
        pushed[j] = child + 1;
        if (made[j].board != search->goal) continue;
        b->goal = child;
        met = true;
    }
    p15_counts_add(&walk->counts, (p15_counts){1, count});
    p15_search_count(search, 0, n.depth, p15_values_h(n.values), count);
    if (search->trace) trace(search, number, &n, made, values, pushed, count);
    if (met && search->trace) {
        const node *goal = &b->nodes[b->goal];
        p15_trace_node(search->trace, goal->board, goal->values, goal->depth, true)->id = b->goal + 1;
    }
    release(b, number);
    return met;
}

p15_progress p15_batches_run(p15_batches *b, p15_walk *walk, uint64_t *visits) {
    while (*visits > 0) {
        if (b->waiting_count == 0) return P15_WALK_ENDED;
        if (!make_room(b, (size_t)b->most * P15_DIRECTIONS)) return P15_WALK_NO_ROOM;
        const p15_values *values;
        const p15_child *made = b->made;
        unsigned count = take(b, walk, &values);
        for (unsigned i = 0; i < count; i++) {
            if (expand(b, walk, b->taken[i], made, values, b->counts[i])) return P15_WALK_SOLVED;
            made += b->counts[i];
            values += b->counts[i];
        }
        size_t children = (size_t)(made - b->made);
        *visits -= children < *visits ? children : *visits;
    }
    return P15_WALK_RUNNING;
}

size_t p15_batches_path(const p15_batches *b, uint8_t *path) {
    size_t length = b->nodes[b->goal].depth;
    uint32_t number = b->goal;
    for (size_t i = length; path && i > 0; number = b->nodes[number].parent) path[--i] = b->nodes[number].last;
    return length;
}
