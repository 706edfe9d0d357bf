/* What the searches with closed tables share: a node's children and their slots in the table, the steps of an expansion,
 * and the loop in which nodes are taken and expanded.
 *
 *     p15_family     the children of a board. The one of the node that is probably next is made early, so that the
 *                    memory has answered when the node is taken.
 *     p15_parent     a node that was taken: its family, and which of its children are worth an evaluation */
#ifndef P15_BEST_FIRST_EXPAND_H
#define P15_BEST_FIRST_EXPAND_H

#include "search/children.h"

#include <stdlib.h>

/* ------------------------------------------------------------------------------------------------ children */

typedef struct {
    p15_board board;     /* 0: none */
    size_t bucket_count; /* of the table for which `where` holds */
    unsigned count;
    p15_child list[P15_DIRECTIONS]; /* all children, the undo of the last move among them */
    p15_where where[P15_DIRECTIONS];
} p15_family;

/* Finds where a family's children are in a table, unless that is known, and prefetches these buckets. */
P15_INLINE void p15_family_locate(const p15_closed *closed, p15_family *family) {
    if (family->bucket_count == closed->bucket_count) return;
    family->bucket_count = closed->bucket_count;
    for (unsigned i = 0; i < family->count; i++) {
        family->where[i] = p15_closed_where(closed, family->list[i].board);
        p15_closed_prefetch(closed, family->where[i]);
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
    p15_slot *slot = p15_closed_find(closed, family->where[i]);
    if (slot) return slot;
    if (p15_closed_enlarge(closed) != P15_OK) return NULL; /* very rare: too many nodes in one neighbourhood */
    p15_family_locate(closed, family);
    return p15_closed_find(closed, family->where[i]);
}

/* ------------------------------------------------------------------------------------------------ parents */

typedef struct p15_parent {
    p15_family family;
    p15_values values;
    p15_slot slot;
    unsigned side;
    unsigned wanted; /* the children to evaluate, as bits */
} p15_parent;

/* Makes room for up to `most` nodes that are expanded together. */
static inline p15_status p15_parents_init(p15_search *search, unsigned most) {
    if (most < 1 || most > P15_MAX_EXPANDED) return P15_ERR_ARGUMENT;
    search->parents = malloc(most * sizeof *search->parents);
    return search->parents ? P15_OK : P15_ERR_MEMORY;
}

_Static_assert(P15_MAX_EVALUATIONS / P15_DIRECTIONS >= P15_MAX_EXPANDED, "all children of a batch have room");

/* Makes a batch for the children of up to `most` nodes, if there may be more than one or the evaluator prefers it. */
static inline p15_status p15_parents_batch(p15_search *search, unsigned most) {
    if (most == 1) return p15_search_batch(search, P15_DIRECTIONS);
    return p15_evaluations_new(search->evaluator, (size_t)most * P15_DIRECTIONS, &search->batches[0]);
}

/* Adds those children of a node to batches[0] that may be kept: not those that are known with a g as small, nor, with
 * `greedy`, any known ones. */
P15_INLINE void p15_parent_want(p15_search *search, p15_parent *p, bool greedy) {
    unsigned blank = p15_board_blank(p->family.board), undo = p15_slot_undo(p->slot), g = p15_slot_child_g(p->slot);
    p->wanted = 0;
    for (unsigned i = 0; i < p->family.count; i++) {
        unsigned direction = p->family.list[i].direction;
        const p15_slot *slot = p15_closed_find(&search->closed[0], p->family.where[i]);
        if (direction == undo || (slot && *slot && (greedy || g >= p15_slot_g(*slot)))) continue;
        p->wanted |= 1u << i;
        p15_evaluations_add(search->batches[0], p->family.board, p->values, blank, direction);
    }
}

/* The first `count` parents are to be expanded. Those of their children that may be kept are evaluated, if that is done
 * together: once all nodes are taken, so that the memory has answered. */
P15_INLINE void p15_parents_evaluate(p15_search *search, unsigned count, bool greedy) {
    if (search->batches[0]) {
        for (unsigned i = 0; i < count; i++) p15_parent_want(search, &search->parents[i], greedy);
        search->batch_values[0] = p15_evaluations_run(search->batches[0]);
    }
    search->parent_count = count;
    search->parent_at = 0;
}

/* A child that is not known with a g as small. */
typedef struct {
    p15_board board;
    p15_values values;
    p15_where where;
    p15_slot *slot; /* what it holds is the node that is known, or 0 */
    unsigned g, h, direction;
    unsigned next;  /* the child after it, in its family */
    unsigned count; /* children that were made so far, but for the undo of the last move */
    bool refused;   /* there is no memory for it */
} p15_made;

/* Traces a child. Its h is known if it was evaluated with others. */
P15_INLINE void p15_parent_trace(const p15_search *search, const p15_parent *p, const p15_made *made, p15_fate fate,
                                 bool evaluated) {
    p15_traced_child *child = p15_trace_child(search->trace, made->direction, fate);
    if (evaluated && (p->wanted >> (made->next - 1) & 1u)) child->h = (uint8_t)p15_values_h(made->values);
}

/* Makes the next child that is not known with a g as small, nor, with `greedy`, known at all. Values come from *values,
 * which has those of the children that are wanted, or, where that is NULL, are computed by `changes`, if there are any,
 * or by the evaluator. False: there is none, or there is no memory. */
P15_INLINE bool p15_parent_next(p15_search *search, p15_closed *closed, p15_parent *p, const p15_values **values,
                                const p15_h_changes *changes, bool greedy, p15_made *made) {
    p15_board board = p->family.board;
    unsigned blank = p15_board_blank(board), undo = p15_slot_undo(p->slot);
    while (made->next < p->family.count) {
        unsigned i = made->next++;
        made->direction = p->family.list[i].direction;
        if (made->direction == undo) continue;
        made->count++;
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
        made->where = p->family.where[i];
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

/* A function that a search gives to the loop below, which inlines it. gcc cannot do that in builds that are not optimized,
 * and these define no NDEBUG. */
#ifdef NDEBUG
#define P15_STEP P15_INLINE
#else
#define P15_STEP static inline
#endif

/* Files a child, and says what becomes of it. False: no memory, or the search has ended. */
typedef bool p15_keep(p15_search *search, const p15_parent *p, const p15_made *made, p15_fate *fate);

/* Makes the children of a node, and keeps them. False: as p15_keep. */
P15_INLINE bool p15_parent_expand(p15_search *search, p15_closed *closed, p15_parent *p, const p15_values **values,
                                  const p15_h_changes *changes, bool greedy, p15_keep *keep) {
    p15_made made = {.g = p15_slot_child_g(p->slot)};
    bool kept = true;
    search->report.expanded++;
    if (search->trace) p15_trace_node(search->trace, p->family.board, p->values, p15_slot_g(p->slot), false);
    while (kept && p15_parent_next(search, closed, p, values, changes, greedy, &made)) {
        p15_fate fate;
        kept = keep(search, p, &made, &fate);
        if (search->trace) p15_parent_trace(search, p, &made, fate, values != NULL);
    }
    search->report.generated += made.count;
    p15_search_count(search, p->side, p15_slot_g(p->slot), p15_values_h(p->values), made.count);
    return kept && !made.refused;
}

/* ------------------------------------------------------------------------------------------------ the loop */

/* Takes the nodes that are expanded next, parent_count of them. Returns how many entries of open lists it took; 0: the
 * search has ended, or the run pauses. */
typedef unsigned p15_take(p15_search *search, const p15_h_changes *changes, p15_parent *parents);

/* Expands a node. `together`: its children were evaluated with others. False: as p15_keep. */
typedef bool p15_expand(p15_search *search, p15_parent *p, bool together, const p15_h_changes *changes);

P15_INLINE bool p15_parent_run(p15_search *search, const p15_closed *closed, p15_parent *p, bool together,
                               const p15_h_changes *changes, p15_expand *expand) {
    if (p15_closed_has_room(closed) && expand(search, p, together, changes)) return true;
    return search->report.state == P15_SEARCH_RUNNING && p15_search_end(search, P15_SEARCH_NO_ROOM);
}

/* Takes and expands nodes. It may return between two nodes that were taken together, because a table grows. */
P15_INLINE bool p15_parents_run(p15_search *search, uint64_t expansions, p15_take *take, p15_expand *expand) {
    unsigned rest = search->parent_count - search->parent_at;
    expansions -= rest < expansions ? rest : expansions;
    for (;;) {
        while (search->parent_at < search->parent_count) {
            p15_parent *p = &search->parents[search->parent_at];
            p15_closed *closed = &search->closed[p->side];
            if (!p15_closed_prepare(closed)) return true;
            p15_family_locate(closed, &p->family);
            search->parent_at++;
            if (!p15_parent_run(search, closed, p, true, NULL, expand)) return false;
        }
        if (expansions == 0) return true;
        unsigned entries = take(search, NULL, search->parents);
        if (entries == 0) return search->report.state == P15_SEARCH_RUNNING;
        expansions -= entries < expansions ? entries : expansions;
    }
}

/* The same of nodes of one side that are expanded one by one. */
P15_INLINE bool p15_parents_run_singly(p15_search *search, uint64_t expansions, const p15_h_changes *changes,
                                       p15_take *take, p15_expand *expand) {
    while (expansions > 0) {
        p15_parent p; /* here, because nothing that is written can be part of it */
        if (!p15_closed_prepare(&search->closed[0])) return true;
        unsigned entries = take(search, changes, &p);
        if (entries == 0) return search->report.state == P15_SEARCH_RUNNING;
        if (search->parent_count > 0 && !p15_parent_run(search, &search->closed[0], &p, false, changes, expand))
            return false;
        expansions -= entries < expansions ? entries : expansions;
    }
    return true;
}

/* The one or the other, in the compilation for the evaluator. */
P15_INLINE bool p15_parents_run_best(p15_search *search, uint64_t expansions, p15_take *take, p15_expand *expand) {
    if (search->batches[0]) return p15_parents_run(search, expansions, take, expand);
    if (search->changes) return p15_parents_run_singly(search, expansions, search->changes, take, expand);
    return p15_parents_run_singly(search, expansions, NULL, take, expand);
}

/* ------------------------------------------------------------------------------------------------ paths */

/* Keeps the path of a solution: from the start to `meeting` by the nodes of the first side and, if `both`, on to the goal
 * by those of the second. False: no memory. */
bool p15_keep_path(p15_search *search, p15_board meeting, bool both);

#endif
