/* What the searches with closed tables share: a node's children and their places in the table, nodes that are expanded
 * together, and the steps of an expansion.
 *
 *     p15_family     the children of a board. The one of the node that is probably next is made ahead of its turn, so
 *                    that the memory has answered by then.
 *     p15_parent     a node at its turn: its family, and which of its children are worth an evaluation
 *     p15_parents    some of them, whose children are evaluated together: a batch */
#ifndef P15_BEST_FIRST_EXPAND_H
#define P15_BEST_FIRST_EXPAND_H

#include "search/best_first/closed.h"
#include "search/children.h"
#include "search/search.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------------------------ children */

typedef struct {
    p15_board board;     /* 0: none */
    size_t bucket_count; /* of the table, when the places were found */
    unsigned count;
    p15_child list[P15_DIRECTIONS]; /* all children, the undo of the last move among them */
    p15_where places[P15_DIRECTIONS];
} p15_family;

/* Finds the places of a family's children in a table, unless they are known, and prefetches them. */
P15_INLINE void p15_family_locate(const p15_closed *closed, p15_family *family) {
    if (family->bucket_count == closed->bucket_count) return;
    family->bucket_count = closed->bucket_count;
    for (unsigned i = 0; i < family->count; i++) {
        family->places[i] = p15_closed_where(closed, family->list[i].board);
        p15_closed_prefetch(closed, family->places[i]);
    }
}

/* Makes the family of a board, unless it is there. */
P15_INLINE void p15_family_make(const p15_closed *closed, const p15_moves *moves, p15_board board, p15_family *family) {
    if (family->board != board) {
        family->board = board;
        family->bucket_count = 0;
        family->count = p15_child_make(moves, board, p15_board_blank(board), P15_DIRECTIONS, family->list);
    }
    p15_family_locate(closed, family);
}

/* The slot of a child (0: none yet), after enlarging the table if it must be. NULL: no memory. */
P15_INLINE p15_slot *p15_family_find(p15_closed *closed, p15_family *family, unsigned i) {
    p15_slot *slot = p15_closed_find(closed, family->places[i]);
    if (slot) return slot;
    if (p15_closed_enlarge(closed) != P15_OK) return NULL; /* very rare: too many nodes in one neighbourhood */
    p15_family_locate(closed, family);
    return p15_closed_find(closed, family->places[i]);
}

/* ------------------------------------------------------------------------------------------------ parents */

typedef struct {
    p15_family family;
    p15_values values;
    p15_slot slot;
    unsigned wanted; /* the children to evaluate, as bits */
} p15_parent;

/* Gives those children of a node to a batch that may be kept: not those that are known with a g as small, nor, with
 * `greedy`, any known ones. */
P15_INLINE void p15_parent_want(const p15_closed *closed, p15_parent *p, bool greedy, p15_evaluations *batch) {
    unsigned blank = p15_board_blank(p->family.board), undo = p15_slot_undo(p->slot), g = p15_slot_child_g(p->slot);
    p->wanted = 0;
    for (unsigned i = 0; i < p->family.count; i++) {
        unsigned direction = p->family.list[i].direction;
        const p15_slot *slot = p15_closed_find(closed, p->family.places[i]);
        if (direction == undo || (slot && *slot && (greedy || g >= p15_slot_g(*slot)))) continue;
        p->wanted |= 1u << i;
        p15_evaluations_add(batch, p->family.board, p->values, blank, direction);
    }
}

/* A child that is not known with a g as small. */
typedef struct {
    p15_board board;
    p15_values values;
    p15_where where;
    p15_slot *slot; /* what it holds is the node that is known, or 0 */
    unsigned g, h, direction;
    unsigned next; /* the child after it, in its family */
    bool refused;  /* there is no memory for it */
} p15_made;

/* Counts a node as expanded. */
P15_INLINE void p15_parent_count(p15_search *search, const p15_parent *p) {
    search->report.expanded++;
    search->report.generated += p->family.count - (p15_slot_g(p->slot) > 0);
}

/* Begins to make the children of a node. */
P15_INLINE p15_made p15_parent_begin(const p15_search *search, const p15_parent *p) {
    if (search->trace) p15_trace_node(search->trace, p->family.board, p->values, p15_slot_g(p->slot), false);
    return (p15_made){.g = p15_slot_child_g(p->slot)};
}

/* Traces a child. Its h is known if it was evaluated with others. */
P15_INLINE void p15_parent_trace(const p15_search *search, const p15_parent *p, const p15_made *made, p15_fate fate,
                                 bool evaluated) {
    p15_traced_child *child = p15_trace_child(search->trace, made->direction, fate);
    if (evaluated && (p->wanted >> (made->next - 1) & 1u)) child->h = (uint8_t)p15_values_h(made->values);
}

/* Makes the next child that is not known with a g as small, nor, with `greedy`, known at all. Values come from *values,
 * which has those of the children that are wanted, or, where that is NULL, are computed by `changes`, if there are any,
 * or by the evaluator. False: there is none, or there is no memory. */
P15_INLINE bool p15_parent_next(const p15_search *search, p15_closed *closed, p15_parent *p, const p15_values **values,
                                const p15_h_changes *changes, bool greedy, p15_made *made) {
    p15_board board = p->family.board;
    unsigned blank = p15_board_blank(board), undo = p15_slot_undo(p->slot);
    while (made->next < p->family.count) {
        unsigned i = made->next++;
        made->direction = p->family.list[i].direction;
        if (made->direction == undo) continue;
        bool known = values && !(p->wanted >> i & 1u);
        if (!known) {
            if (values) made->values = *(*values)++;
            made->slot = p15_family_find(closed, &p->family, i);
            made->refused = made->slot == NULL;
            if (made->refused) return false;
            known = *made->slot && (greedy || made->g >= p15_slot_g(*made->slot)); /* maybe by another of a batch */
        }
        if (known) {
            if (search->trace) p15_parent_trace(search, p, made, P15_FATE_KNOWN, values != NULL);
            continue;
        }
        made->board = p->family.list[i].board;
        made->where = p->family.places[i];
        if (values) {
            made->h = p15_values_h(made->values);
        } else if (changes) {
            unsigned tile = p15_board_tile(made->board, blank);
            made->values = made->h = (unsigned)((int)p->values + (*changes)[blank][made->direction][tile]);
        } else {
            made->h = p15_evaluator_child(search->evaluator, board, p->values, blank, made->direction, &made->values);
        }
        return true;
    }
    return false;
}

/* What becomes of a child that is filed. */
P15_INLINE p15_fate p15_made_fate(const p15_made *made) { return *made->slot ? P15_FATE_REOPENED : P15_FATE_OPEN; }

/* Notes the g of a child and how it was reached. */
P15_INLINE void p15_made_note(p15_closed *closed, const p15_made *made) {
    if (*made->slot)
        *made->slot = p15_slot_moved(*made->slot, made->g, made->direction);
    else
        p15_closed_add(closed, made->where, made->slot, made->g, made->direction);
}

/* ------------------------------------------------------------------------------------------------ batches */

typedef struct {
    p15_parent *list;         /* NULL: nodes are expanded, and children evaluated, one by one */
    unsigned most, count, at; /* at: the one whose children are made next */
    p15_evaluations *batch;
    const p15_values *values; /* of its children and of those behind it */
} p15_parents;

/* Room for `most` nodes, where more than one or an evaluator that prefers batches asks for it. */
static inline p15_status p15_parents_init(const p15_evaluator *evaluator, unsigned most, p15_parents *parents) {
    if (most < 1 || most > P15_MAX_EXPANDED) return P15_ERR_ARGUMENT;
    if (most == 1 && !p15_evaluator_prefers_batches(evaluator)) return P15_OK;
    parents->most = most;
    parents->list = malloc(most * sizeof *parents->list);
    return parents->list ? p15_evaluations_new(evaluator, (size_t)most * P15_DIRECTIONS, &parents->batch)
                         : P15_ERR_MEMORY;
}

static inline void p15_parents_free(p15_parents *parents) {
    p15_evaluations_delete(parents->batch);
    free(parents->list);
}

/* Evaluates the children of the parents that were listed, of which there are `count`. */
P15_INLINE void p15_parents_evaluate(const p15_closed *closed, p15_parents *parents, unsigned count, bool greedy) {
    for (unsigned i = 0; i < count; i++) p15_parent_want(closed, &parents->list[i], greedy, parents->batch);
    parents->values = p15_evaluations_run(parents->batch);
    parents->count = count;
    parents->at = 0;
}

/* The next node of a batch that is to be expanded, once the table has room; NULL: the batch is finished, or *more is
 * false: there is no memory, or the table grows and the rest is left for the next call. */
P15_INLINE p15_parent *p15_parents_next(p15_search *search, p15_closed *closed, p15_parents *parents, bool *more) {
    *more = true;
    if (parents->at == parents->count) return NULL;
    p15_parent *p = &parents->list[parents->at];
    *more = p15_closed_prepare(closed);
    if (!*more) return NULL;
    *more = p15_closed_has_room(closed) || p15_search_end(search, P15_SEARCH_NO_ROOM);
    if (!*more) return NULL;
    p15_family_locate(closed, &p->family);
    parents->at++;
    return p;
}

/* ------------------------------------------------------------------------------------------------ paths */

/* Keeps the path of a solution: from the start to `meeting` by the nodes of one table and, if there is another, on to
 * the goal by the nodes of that one, which was filled from the goal on. False: no memory. */
bool p15_keep_path(p15_search *search, const p15_closed *from, const p15_closed *to, p15_board meeting);

#endif
