#include "search/deepening/remembering.h"

#include "search/deepening/transpositions.h"
#include "search/children.h"

#include <stdlib.h>

/* A node on the way of the walk. */
typedef struct {
    p15_board board;
    p15_children children;
    uint16_t cut; /* the smallest f that was cut off below it */
    uint8_t open; /* the children that are visited, as bits */
    uint8_t next; /* the child that is made next */
} frame;

struct p15_remembering {
    p15_walk *walk;
    p15_transpositions table;
    frame frames[P15_MAX_BOUND + 2];
};

p15_status p15_remembering_new(p15_walk *walk, size_t max_bytes, p15_remembering **made) {
    *made = NULL;
    p15_remembering *r = malloc(sizeof *r);
    if (!r) return P15_ERR_MEMORY;
    r->walk = walk;
    p15_status status = p15_transpositions_init(p15_evaluator_shape(walk->search->evaluator), max_bytes, &r->table);
    if (status == P15_OK)
        *made = r;
    else
        free(r);
    return status;
}

void p15_remembering_delete(p15_remembering *r) {
    if (!r) return;
    p15_transpositions_free(&r->table);
    free(r);
}

bool p15_remembering_grows(const p15_remembering *r) { return r->table.closed.growth != NULL; }

size_t p15_remembering_bytes(const p15_remembering *r) { return sizeof *r + r->table.memory.used; }

/* Visits a node at a depth: evaluates its children, and decides which of them are to be visited. */
P15_INLINE void visit(p15_remembering *r, frame *f, p15_board board, p15_values values, unsigned blank, unsigned last,
                      unsigned depth) {
    p15_walk *walk = r->walk;
    p15_where places[P15_DIRECTIONS];
    unsigned bound = walk->bound, known = 0;
    f->board = board;
    f->cut = UINT16_MAX;
    f->open = f->next = 0;
    const p15_search *search = walk->search;
    p15_children_make(search->evaluator, walk->batch, &search->moves, board, values, blank, last, &f->children);
    const p15_children *c = &f->children;
    for (unsigned i = 0; i < c->count; i++)
        if (depth + 1 + c->h[i] <= bound) places[i] = p15_transpositions_where(&r->table, c->list[i].board);
    for (unsigned i = 0; i < c->count; i++) {
        unsigned least = depth + 1 + c->h[i];
        if (least <= bound) {
            unsigned proved = depth + 1 + p15_transpositions_bound(&r->table, places[i]);
            known |= (unsigned)(proved > bound) << i;
            if (proved > least) least = proved;
        }
        if (least > bound)
            f->cut = least < f->cut ? (uint16_t)least : f->cut;
        else
            f->open |= (uint8_t)(1u << i);
    }
    if (!search->trace) return;
    p15_trace_node(search->trace, board, values, depth, false);
    for (unsigned i = 0; i < c->count; i++)
        p15_trace_child(search->trace, c->list[i].direction,
                        f->open >> i & 1u ? P15_FATE_OPEN
                        : known >> i & 1u ? P15_FATE_KNOWN
                                          : P15_FATE_CUT);
}

void p15_remembering_start(p15_remembering *r, const p15_root *root, unsigned bound) {
    p15_walk *walk = r->walk;
    walk->bound = bound;
    walk->cut = UINT32_MAX;
    walk->top = 0;
    walk->expanded = 1;
    walk->generated = 0;
    visit(r, r->frames, root->board, root->values, root->blank, root->last, 0);
}

static void write_path(p15_remembering *r) {
    p15_walk *walk = r->walk;
    for (unsigned i = 0; i <= walk->top; i++)
        walk->path[i] = r->frames[i].children.list[r->frames[i].next - 1].direction;
    walk->length = walk->top + 1;
}

p15_progress p15_remembering_run(p15_remembering *r, uint64_t *visits) {
    p15_walk *walk = r->walk;
    const p15_search *search = walk->search;
    frame *f = r->frames + walk->top;
    while (*visits > 0) {
        if (f->next == f->children.count) {
            if (walk->top == 0) {
                walk->cut = f->cut == UINT16_MAX ? UINT32_MAX : f->cut;
                return P15_PART_ENDED;
            }
            unsigned least = f->cut < walk->bound + 3 ? f->cut : walk->bound + 3;
            if (!p15_transpositions_put(&r->table, f->board, least - walk->top)) return P15_PART_RUNNING;
            f--;
            walk->top--;
            if (least < f->cut) f->cut = (uint16_t)least;
            continue;
        }
        --*visits;
        walk->generated++;
        unsigned i = f->next++;
        if (!(f->open >> i & 1u)) continue;
        const p15_children *c = &f->children;
        if (c->list[i].board == search->goal) {
            if (search->trace) p15_trace_node(search->trace, search->goal, c->values[i], walk->top + 1, true);
            write_path(r);
            return P15_PART_SOLVED;
        }
        visit(r, f + 1, c->list[i].board, c->values[i], c->list[i].blank, c->list[i].direction, walk->top + 1);
        f++;
        walk->top++;
        walk->expanded++;
    }
    return P15_PART_RUNNING;
}
