#include "optimal/fsm.h"

#include <stdlib.h>
#include <string.h>

/* The irreducible sequences from every starting cell, as a forest: the root of cell c is node c. The longest sequences
 * are not nodes, because nothing follows from them. */
typedef struct {
    uint32_t child[P15_DIRECTIONS]; /* NO_NODE: not a move here; REDUCIBLE; LONGEST; else a node */
    uint32_t suffix;                /* the node of the sequence without its first move, NO_NODE for roots */
    uint32_t parent;
    uint32_t state;
    p15_board board;
    uint8_t blank, start;
    bool kept; /* a reducible sequence passes here: a state of the machine */
} node;

#define NO_NODE UINT32_MAX
#define REDUCIBLE (UINT32_MAX - 1)
#define LONGEST (UINT32_MAX - 2)

typedef struct {
    node *nodes;
    uint32_t count, capacity;
    uint64_t *reached; /* the boards reached from each start: open addressing, 0 for none */
    uint32_t reached_count, mask;
    int neighbours[P15_MAX_CELLS][P15_DIRECTIONS];
} forest;

/* A board and the start it was reached from in one word: the last of 16 cells is known from the others. */
static uint64_t key_of(p15_board board, unsigned start) {
    return (board & ~(UINT64_C(15) << 60)) | (uint64_t)start << 60;
}

static uint64_t *find_key(const forest *f, uint64_t key) {
    uint32_t at = (uint32_t)((key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 40) & f->mask;
    while (f->reached[at] && f->reached[at] != key) at = (at + 1) & f->mask;
    return &f->reached[at];
}

typedef enum { REACHED_BEFORE, REACHED_NOW, NO_MEMORY } reached;

/* Notes that a board is reached. */
static reached reach(forest *f, p15_board board, unsigned start) {
    if (4 * (uint64_t)f->reached_count >= 3 * (uint64_t)f->mask) {
        forest grown = *f;
        grown.mask = f->mask ? 2 * f->mask + 1 : 16383;
        grown.reached = calloc((size_t)grown.mask + 1, sizeof *grown.reached);
        if (!grown.reached) return NO_MEMORY;
        for (uint32_t i = 0; f->mask && i <= f->mask; i++)
            if (f->reached[i]) *find_key(&grown, f->reached[i]) = f->reached[i];
        free(f->reached);
        *f = grown;
    }
    uint64_t key = key_of(board, start), *slot = find_key(f, key);
    if (*slot) return REACHED_BEFORE;
    *slot = key;
    f->reached_count++;
    return REACHED_NOW;
}

static bool add_node(forest *f, p15_board board, unsigned blank, unsigned start, uint32_t parent, uint32_t suffix) {
    if (f->count == f->capacity) {
        uint32_t capacity = f->capacity ? 2 * f->capacity : 4096;
        node *nodes = realloc(f->nodes, (size_t)capacity * sizeof *nodes);
        if (!nodes) return false;
        f->nodes = nodes;
        f->capacity = capacity;
    }
    f->nodes[f->count++] = (node){.child = {NO_NODE, NO_NODE, NO_NODE, NO_NODE},
                                  .suffix = suffix,
                                  .parent = parent,
                                  .board = board,
                                  .blank = (uint8_t)blank,
                                  .start = (uint8_t)start};
    return true;
}

/* Extends sequences of one length by every move, in their order. False: out of memory. */
static bool extend(forest *f, uint32_t begin, uint32_t end, bool longest) {
    for (uint32_t i = begin; i < end; i++)
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            node *sequence = &f->nodes[i];
            int next = f->neighbours[sequence->blank][dir];
            if (next < 0) continue;
            uint32_t suffix = sequence->suffix == NO_NODE ? (uint32_t)next : f->nodes[sequence->suffix].child[dir];
            sequence->child[dir] = REDUCIBLE;
            if (suffix == REDUCIBLE) continue;
            p15_board board = p15_board_slide(sequence->board, sequence->blank, (unsigned)next);
            switch (reach(f, board, sequence->start)) {
            case NO_MEMORY:
                return false;
            case REACHED_BEFORE:
                for (uint32_t at = i; at != NO_NODE && !f->nodes[at].kept; at = f->nodes[at].parent)
                    f->nodes[at].kept = true;
                break;
            case REACHED_NOW:
                sequence->child[dir] = longest ? LONGEST : f->count;
                if (!longest && !add_node(f, board, (unsigned)next, sequence->start, i, suffix)) return false;
            }
        }
    return true;
}

/* Numbers the kept nodes in order and links each to the longest kept suffix of its sequence plus a move. */
static p15_status link_states(forest *f, unsigned cells, p15_fsm *fsm) {
    uint32_t states = 0;
    for (uint32_t i = 0; i < f->count; i++)
        if (f->nodes[i].kept) f->nodes[i].state = states++;
    uint32_t rows = states + P15_DIRECTIONS * cells;
    if (rows > P15_NO_MOVE) return P15_ERR_ARGUMENT;
    fsm->state_count = states;
    fsm->next = malloc((size_t)rows * P15_DIRECTIONS * sizeof *fsm->next);
    if (!fsm->next) return P15_ERR_MEMORY;
    for (uint32_t i = 0; i < f->count; i++) {
        if (!f->nodes[i].kept) continue;
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            uint32_t at = i, child = f->nodes[at].child[dir];
            while (child != REDUCIBLE && (child >= LONGEST || !f->nodes[child].kept) &&
                   f->nodes[at].suffix != NO_NODE) {
                at = f->nodes[at].suffix;
                child = f->nodes[at].child[dir];
            }
            uint16_t *next = &fsm->next[(size_t)f->nodes[i].state * P15_DIRECTIONS + dir];
            *next = child == NO_NODE || child == REDUCIBLE ? P15_NO_MOVE : (uint16_t)f->nodes[child].state;
        }
    }
    for (unsigned cell = 0; cell < cells; cell++)
        for (unsigned move = 0; move < P15_DIRECTIONS; move++) {
            uint16_t *next = &fsm->next[(size_t)p15_fsm_after(fsm, cell, move) * P15_DIRECTIONS];
            memcpy(next, &fsm->next[cell * P15_DIRECTIONS], P15_DIRECTIONS * sizeof *next);
            next[3 - move] = P15_NO_MOVE;
        }
    return P15_OK;
}

/* Lists the irreducible sequences of all lengths below `length`. False: out of memory. */
static bool list_sequences(forest *f, p15_shape shape, unsigned length) {
    for (unsigned cell = 0; cell < shape.cells; cell++) {
        p15_board board = p15_board_goal(shape, cell);
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++)
            f->neighbours[cell][dir] = p15_cell_neighbour(shape, cell, dir);
        if (reach(f, board, cell) == NO_MEMORY || !add_node(f, board, cell, cell, NO_NODE, NO_NODE)) return false;
        f->nodes[cell].kept = true;
    }
    for (uint32_t depth = 1, begin = 0, end = f->count; depth <= length; depth++, begin = end, end = f->count)
        if (!extend(f, begin, end, depth == length)) return false;
    return true;
}

p15_status p15_fsm_init(p15_shape shape, unsigned length, p15_fsm *fsm) {
    fsm->next = NULL;
    if (length < 2 || length > P15_MAX_SEQUENCE) return P15_ERR_ARGUMENT;
    forest f = {.nodes = NULL};
    bool listed = list_sequences(&f, shape, length);
    p15_status status = listed ? link_states(&f, shape.cells, fsm) : P15_ERR_MEMORY;
    free(f.nodes);
    free(f.reached);
    return status;
}

void p15_fsm_free(p15_fsm *fsm) {
    free(fsm->next);
    fsm->next = NULL;
}
