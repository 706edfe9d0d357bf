#include "p15_automaton.h"

#include <stdlib.h>
#include <string.h>

/* The irreducible words from every starting cell, as a forest: the root of cell c is node c. */
typedef struct {
    uint32_t child[P15_DIRECTIONS]; /* NONE: not a move here; REDUCIBLE; else a node */
    uint32_t suffix;                /* the node of the word without its first move, NONE for roots */
    uint32_t parent;
    p15_board board;
    uint8_t blank, start;
    bool kept;                      /* a reducible word passes here: a state of the automaton */
    uint32_t state;
} node;

#define NONE UINT32_MAX
#define REDUCIBLE (UINT32_MAX - 1)

typedef struct {
    node *nodes;
    uint32_t count, room;
    uint32_t *slots; /* open addressing on (start, board): the boards reached */
    uint32_t mask;
} forest;

static uint32_t *find_slot(const forest *f, p15_board board, unsigned start) {
    uint64_t hash = (board ^ (uint64_t)start << 60 ^ start) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(hash >> 32) & f->mask;
    while (f->slots[at] != NONE && (f->nodes[f->slots[at]].board != board || f->nodes[f->slots[at]].start != start))
        at = (at + 1) & f->mask;
    return &f->slots[at];
}

static bool grow(forest *f) {
    uint32_t room = f->room ? 2 * f->room : 4096;
    node *nodes = realloc(f->nodes, (size_t)room * sizeof *nodes);
    if (!nodes) return false;
    f->nodes = nodes;
    uint32_t *slots = malloc((size_t)room * 2 * sizeof *slots);
    if (!slots) return false;
    free(f->slots);
    f->slots = slots;
    f->mask = 2 * room - 1;
    f->room = room;
    memset(slots, 0xff, (size_t)room * 2 * sizeof *slots);
    for (uint32_t i = 0; i < f->count; i++) *find_slot(f, nodes[i].board, nodes[i].start) = i;
    return true;
}

static bool add_node(forest *f, p15_board board, unsigned blank, unsigned start, uint32_t parent, uint32_t suffix) {
    if (f->count == f->room && !grow(f)) return false;
    node *n = &f->nodes[f->count];
    *n = (node){.suffix = suffix, .parent = parent, .board = board, .blank = (uint8_t)blank, .start = (uint8_t)start};
    for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) n->child[dir] = NONE;
    *find_slot(f, board, start) = f->count++;
    return true;
}

/* Extends every word of one length by every move, in the words' order. */
static bool extend(forest *f, p15_shape shape, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; i++)
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            node word = f->nodes[i];
            int next = p15_cell_neighbour(shape, word.blank, dir);
            if (next < 0) continue;
            uint32_t suffix = word.suffix == NONE ? (uint32_t)next : f->nodes[word.suffix].child[dir];
            if (suffix == REDUCIBLE) {
                f->nodes[i].child[dir] = REDUCIBLE;
                continue;
            }
            p15_board board = p15_board_slide(word.board, word.blank, (unsigned)next);
            if (*find_slot(f, board, word.start) != NONE) {
                f->nodes[i].child[dir] = REDUCIBLE;
                for (uint32_t at = i; at != NONE && !f->nodes[at].kept; at = f->nodes[at].parent) f->nodes[at].kept = true;
                continue;
            }
            if (!add_node(f, board, (unsigned)next, word.start, i, suffix)) return false;
            f->nodes[i].child[dir] = f->count - 1;
        }
    return true;
}

/* Numbers the kept nodes in order and links each to the longest kept suffix of its word plus a move. */
static p15_status link_states(forest *f, p15_automaton *automaton) {
    uint32_t states = 0;
    for (uint32_t i = 0; i < f->count; i++)
        if (f->nodes[i].kept) f->nodes[i].state = states++;
    if (states > P15_NO_MOVE) return P15_ERR_ARGUMENT;
    automaton->state_count = states;
    automaton->next = malloc((size_t)states * P15_DIRECTIONS * sizeof *automaton->next);
    if (!automaton->next) return P15_ERR_MEMORY;
    for (uint32_t i = 0; i < f->count; i++) {
        if (!f->nodes[i].kept) continue;
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            uint32_t at = i, child = f->nodes[at].child[dir];
            while (child != REDUCIBLE && (child == NONE || !f->nodes[child].kept) && f->nodes[at].suffix != NONE) {
                at = f->nodes[at].suffix;
                child = f->nodes[at].child[dir];
            }
            uint16_t *next = &automaton->next[(size_t)f->nodes[i].state * P15_DIRECTIONS + dir];
            if (child == NONE || child == REDUCIBLE) {
                *next = P15_NO_MOVE;
            } else {
                if (!f->nodes[child].kept) child = f->nodes[child].blank; /* the root of the cell reached */
                *next = (uint16_t)f->nodes[child].state;
            }
        }
    }
    return P15_OK;
}

p15_status p15_automaton_init(p15_shape shape, unsigned length, p15_automaton *automaton) {
    automaton->next = NULL;
    automaton->state_count = 0;
    if (length < 2 || length > P15_MAX_WORD) return P15_ERR_ARGUMENT;
    forest f = {0};
    p15_status status = P15_OK;
    for (unsigned cell = 0; cell < shape.cells && status == P15_OK; cell++) {
        if (add_node(&f, p15_board_goal(shape, cell), cell, cell, NONE, NONE)) f.nodes[cell].kept = true;
        else status = P15_ERR_MEMORY;
    }
    for (uint32_t depth = 0, begin = 0, end = f.count; depth < length && status == P15_OK; depth++) {
        if (!extend(&f, shape, begin, end)) status = P15_ERR_MEMORY;
        begin = end;
        end = f.count;
    }
    if (status == P15_OK) status = link_states(&f, automaton);
    free(f.nodes);
    free(f.slots);
    return status;
}

void p15_automaton_free(p15_automaton *automaton) {
    free(automaton->next);
    automaton->next = NULL;
}
