#include "search/layers/families.h"

#define AHEAD 8u /* families whose places are asked for at once, where children are evaluated one by one */

p15_status p15_families_init(const p15_evaluator *evaluator, const uint8_t order[P15_DIRECTIONS],
                             p15_families *families) {
    families->evaluator = evaluator;
    families->changes = p15_evaluator_changes(evaluator);
    families->evaluated = NULL;
    families->most = AHEAD;
    p15_status status = p15_moves_init(p15_evaluator_shape(evaluator), order, &families->moves);
    if (status || !p15_evaluator_prefers_batches(evaluator)) return status;
    families->most = P15_MOST_FAMILIES;
    return p15_children_new(evaluator, (size_t)P15_MOST_FAMILIES * P15_DIRECTIONS, &families->evaluated);
}

void p15_families_free(p15_families *families) { p15_children_delete(families->evaluated); }

/* The values of a child. */
P15_INLINE p15_values evaluate(const p15_families *f, const p15_frontier_node *parent, const p15_frontier_node *child) {
    p15_values values;
    if (f->changes) {
        unsigned tile = p15_board_tile(child->board, parent->blank);
        return (p15_values)((int)parent->values + (*f->changes)[parent->blank][child->direction][tile]);
    }
    p15_evaluator_child(f->evaluator, parent->board, parent->values, parent->blank, child->direction, &values);
    return values;
}

static void make_family(p15_families *f, const p15_frontier_node *parent, p15_family *family,
                        const p15_frontier *next) {
    family->count = 0;
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
        unsigned direction = f->moves.order[i];
        int cell = f->moves.cells[parent->blank][direction];
        if (cell < 0 || direction + parent->direction == 3u) continue;
        p15_family_child *child = &family->children[family->count++];
        p15_board board = p15_board_slide(parent->board, parent->blank, (unsigned)cell);
        child->node = (p15_frontier_node){.board = board,
                                          .blank = (uint8_t)cell,
                                          .direction = (uint8_t)direction,
                                          .back = (uint8_t)(1u << (3u - direction))};
        child->known = parent->back >> direction & 1u;
        if (child->known) continue;
        child->hash = p15_frontier_hash(board);
        if (next->room) p15_frontier_prefetch(next, child->hash);
        if (f->evaluated) {
            p15_children_add(f->evaluated, parent->board, parent->values, parent->blank, direction);
            continue;
        }
        child->node.values = evaluate(f, parent, &child->node);
        child->node.h = (uint8_t)p15_values_h(child->node.values);
    }
}

void p15_families_make(p15_families *families, const p15_frontier_node *nodes, size_t count, const p15_frontier *next) {
    for (size_t i = 0; i < count; i++) make_family(families, &nodes[i], &families->families[i], next);
    if (!families->evaluated) return;
    const p15_values *values = p15_children_run(families->evaluated);
    for (size_t i = 0; i < count; i++) {
        p15_family *family = &families->families[i];
        for (unsigned j = 0; j < family->count; j++) {
            if (family->children[j].known) continue;
            family->children[j].node.values = *values;
            family->children[j].node.h = (uint8_t)p15_values_h(*values++);
        }
    }
}
