#include "search/layers/families.h"

#define AHEAD 8u /* families whose places are prefetched together, where children are evaluated one by one */

p15_status p15_families_init(const p15_evaluator *evaluator, p15_families *families) {
    families->most = AHEAD;
    if (!p15_evaluator_prefers_batches(evaluator)) return P15_OK;
    families->most = P15_MOST_FAMILIES;
    return p15_evaluations_new(evaluator, (size_t)P15_MOST_FAMILIES * P15_DIRECTIONS, &families->batch);
}

void p15_families_free(p15_families *families) { p15_evaluations_delete(families->batch); }

static void set_values(p15_frontier_node *node, p15_values values) {
    node->values = values;
    node->h = (uint8_t)p15_values_h(values);
}

/* The values of a child. */
P15_INLINE p15_values evaluate(const p15_search *search, const p15_frontier_node *parent, const p15_child *child) {
    p15_values values;
    if (search->changes) {
        unsigned tile = p15_board_tile(child->board, parent->blank);
        return (p15_values)((int)parent->values + (*search->changes)[parent->blank][child->direction][tile]);
    }
    p15_evaluator_child(search->evaluator, parent->board, parent->values, parent->blank, child->direction, &values);
    return values;
}

static void make_family(const p15_search *search, p15_evaluations *batch, const p15_frontier_node *parent,
                        p15_layer_family *family, const p15_frontier *next) {
    p15_child made[P15_DIRECTIONS];
    family->count = p15_child_make(&search->moves, parent->board, parent->blank, parent->direction, made);
    for (unsigned i = 0; i < family->count; i++) {
        p15_family_child *child = &family->children[i];
        unsigned direction = made[i].direction;
        child->node = (p15_frontier_node){.board = made[i].board,
                                          .blank = made[i].blank,
                                          .direction = made[i].direction,
                                          .back = (uint8_t)(1u << (3u - direction))};
        child->known = parent->back >> direction & 1u;
        if (child->known) continue;
        child->hash = p15_frontier_hash(made[i].board);
        if (next->room) p15_frontier_prefetch(next, child->hash);
        if (batch)
            p15_evaluations_add(batch, parent->board, parent->values, parent->blank, direction);
        else
            set_values(&child->node, evaluate(search, parent, &made[i]));
    }
}

void p15_families_make(const p15_search *search, p15_families *families, const p15_frontier_node *nodes, size_t count,
                       const p15_frontier *next) {
    for (size_t i = 0; i < count; i++) make_family(search, families->batch, &nodes[i], &families->list[i], next);
    if (!families->batch) return;
    const p15_values *values = p15_evaluations_run(families->batch);
    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j < families->list[i].count; j++)
            if (!families->list[i].children[j].known) set_values(&families->list[i].children[j].node, *values++);
}
