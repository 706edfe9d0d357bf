#include "search/deepening/walks.h"

#include <stdlib.h>

#define FRAMES (P15_MAX_BOUND + 2)

p15_status p15_walk_init(const p15_search *search, p15_walk *walk) {
    *walk = (p15_walk){.search = search, .frames = malloc(FRAMES * sizeof *walk->frames)};
    for (unsigned cell = 0; cell < p15_evaluator_shape(search->evaluator).cells; cell++)
        for (unsigned last = 0; last <= P15_DIRECTIONS; last++) {
            p15_child made[P15_DIRECTIONS];
            p15_choices *c = &walk->choices[cell][last];
            c->count = (uint8_t)p15_child_make(&search->moves, 0, cell, last, made);
            for (unsigned i = 0; i < c->count; i++) {
                c->directions[i] = made[i].direction;
                c->cells[i] = made[i].blank;
            }
        }
    p15_status status = walk->frames ? P15_OK : P15_ERR_MEMORY;
    if (!status && search->batches[0]) status = p15_walk_visit(walk);
    if (status) p15_walk_free(walk);
    return status;
}

p15_status p15_walk_visit(p15_walk *walk) {
    if (!walk->visited) walk->visited = malloc(FRAMES * sizeof *walk->visited);
    return walk->visited ? P15_OK : P15_ERR_MEMORY;
}

void p15_walk_free(p15_walk *walk) {
    p15_transpositions_delete(walk->table);
    p15_trees_delete(walk->trees);
    free(walk->visited);
    free(walk->frames);
    *walk = (p15_walk){0};
}

size_t p15_walk_bytes(const p15_walk *walk) {
    size_t bytes = FRAMES * (sizeof *walk->frames + (walk->visited ? sizeof *walk->visited : 0));
    bytes += walk->trees ? p15_trees_bytes() : 0;
    return bytes + (walk->table ? sizeof *walk->table + walk->table->memory.used : 0);
}

/* ------------------------------------------------------------------------------------------------ children at once */

static void trace(const p15_walk *walk, const p15_frame *f, const p15_visited *v, unsigned depth, unsigned known) {
    p15_trace_node(walk->search->trace, f->board, f->values, depth, false);
    for (unsigned i = 0; i < v->children.count; i++)
        p15_trace_child(walk->search->trace, v->children.list[i].direction,
                        v->open >> i & 1u ? P15_FATE_OPEN
                        : known >> i & 1u ? P15_FATE_KNOWN
                                          : P15_FATE_CUT);
}

/* Visits the last frame: evaluates its children, and decides which of them are within the bound. */
P15_INLINE void visit(p15_walk *walk) {
    const p15_search *search = walk->search;
    const p15_frame *f = &walk->frames[walk->top];
    p15_visited *v = &walk->visited[walk->top];
    const p15_children *c = &v->children;
    p15_where places[P15_DIRECTIONS];
    unsigned depth = walk->top, known = 0;
    p15_children_make(search, f->board, f->values, f->blank, f->last, &v->children);
    walk->counts.expanded++;
    v->cut = UINT32_MAX;
    v->open = 0;
    for (unsigned i = 0; i < c->count && walk->table; i++)
        if (depth + 1 + c->h[i] <= walk->bound) places[i] = p15_transpositions_where(walk->table, c->list[i].board);
    for (unsigned i = 0; i < c->count; i++) {
        unsigned least = depth + 1 + c->h[i];
        if (walk->table && least <= walk->bound) {
            unsigned proved = depth + 1 + p15_transpositions_bound(walk->table, places[i]);
            known |= (unsigned)(proved > walk->bound) << i;
            if (proved > least) least = proved;
        }
        if (least <= walk->bound)
            v->open |= (uint8_t)(1u << i);
        else if (least < v->cut)
            v->cut = least;
    }
    if (search->trace) trace(walk, f, v, depth, known);
}

/* Leaves the last frame, all of whose children were made. False: the table grows. */
P15_INLINE bool leave(p15_walk *walk) {
    unsigned cut = walk->visited[walk->top].cut, most = walk->bound + 3;
    if (walk->table) {
        cut = cut < most ? cut : most;
        if (!p15_transpositions_put(walk->table, walk->frames[walk->top].board, cut - walk->top)) return false;
    }
    p15_visited *parent = &walk->visited[--walk->top];
    if (cut < parent->cut) parent->cut = cut;
    return true;
}

static p15_progress run_visits(p15_walk *walk, uint64_t *visits) {
    const p15_search *search = walk->search;
    while (*visits > 0) {
        p15_frame *f = &walk->frames[walk->top];
        const p15_visited *v = &walk->visited[walk->top];
        const p15_children *c = &v->children;
        unsigned i = f->next;
        if (i == c->count) {
            walk->cut = v->cut;
            if (walk->top == 0) return P15_WALK_ENDED;
            unsigned depth = walk->top;
            if (!leave(walk)) return P15_WALK_RUNNING;
            if (walk->layers) p15_layers_add(walk->layers, 0, depth, f->h, (p15_counts){1, i});
            continue;
        }
        --*visits;
        walk->counts.generated++;
        f->next++;
        if (!(v->open >> i & 1u)) continue;
        f[1] = (p15_frame){c->list[i].board, c->values[i], c->h[i], c->list[i].blank, c->list[i].direction, 0};
        if (c->list[i].board == search->goal) {
            if (search->trace) p15_trace_node(search->trace, search->goal, c->values[i], walk->top + 1, true);
            return P15_WALK_SOLVED;
        }
        walk->top++;
        visit(walk);
    }
    return P15_WALK_RUNNING;
}

/* ------------------------------------------------------------------------------------------------ children one by one */

/* Counts the nodes below a child that is within the bound. False: they are to be visited. */
P15_INLINE bool count_tree(const p15_walk *walk, const p15_frame *f, unsigned depth, uint64_t generated,
                           p15_counts *tree, unsigned *cut) {
    unsigned f_least = depth + f->h, slack = (walk->bound - f_least) / 2;
    p15_counts levels[P15_TREE_LEVELS];
    if (!walk->trees || depth < walk->horizon ||
        !p15_trees_count(walk->trees, f->board, f->blank, f->last, slack, walk->limit - generated, levels))
        return false;
    *tree = (p15_counts){0, 0};
    for (unsigned i = 0; i <= slack; i++) {
        p15_counts_add(tree, levels[i]);
        if (walk->layers) p15_counts_add(&walk->layers->by_f[0][f_least + 2 * (slack - i)], levels[i]);
    }
    if (walk->bound + 2 < *cut) *cut = walk->bound + 2; /* every tree has children that are cut off */
    return true;
}

P15_INLINE p15_progress run(p15_walk *walk, const p15_h_changes *changes, uint64_t *visits) {
    const p15_evaluator *evaluator = walk->search->evaluator;
    p15_board goal = walk->search->goal;
    unsigned bound = walk->bound, cut = walk->cut, depth = walk->top + 1;
    p15_counts counts = walk->counts, tree;
    p15_layers *layers = walk->layers;
    uint64_t left = *visits;
    p15_frame *f = walk->frames + walk->top;
    p15_progress progress = P15_WALK_RUNNING;
    while (left > 0) {
        const p15_choices *c = &walk->choices[f->blank][f->last];
        if (f->next == c->count) {
            if (f == walk->frames) {
                progress = P15_WALK_ENDED;
                break;
            }
            depth--;
            if (layers) p15_layers_add(layers, 0, depth, f->h, (p15_counts){1, c->count});
            f--;
            continue;
        }
        left--;
        counts.generated++;
        unsigned direction = c->directions[f->next], cell = c->cells[f->next], h;
        p15_values values = 0;
        if (changes)
            h = (unsigned)(f->h + (*changes)[f->blank][direction][p15_board_tile(f->board, cell)]);
        else
            h = p15_evaluator_child(evaluator, f->board, f->values, f->blank, direction, &values);
        f->next++;
        if (depth + h > bound) {
            if (depth + h < cut) cut = depth + h;
            continue;
        }
        p15_board board = p15_board_slide(f->board, f->blank, cell);
        f[1] = (p15_frame){board, values, (uint8_t)h, (uint8_t)cell, (uint8_t)direction, 0};
        if (board == goal) {
            progress = P15_WALK_SOLVED;
            break;
        }
        if (changes && count_tree(walk, &f[1], depth, counts.generated, &tree, &cut)) {
            p15_counts_add(&counts, tree);
            left -= tree.generated < left ? tree.generated : left;
            continue;
        }
        f++;
        depth++;
        counts.expanded++;
    }
    walk->top = (unsigned)(f - walk->frames);
    walk->cut = cut;
    walk->counts = counts;
    *visits = left;
    return progress;
}

static p15_progress run_changes(p15_walk *walk, uint64_t *visits) { return run(walk, walk->search->changes, visits); }
static p15_progress run_any(p15_walk *walk, uint64_t *visits) { return run(walk, NULL, visits); }

/* ------------------------------------------------------------------------------------------------ both */

/* Counts the nodes on the path in their layers, or, with `times` -1, takes them out again: the loops count a node and its
 * children when they leave it. */
static void count_path(const p15_walk *walk, uint64_t times) {
    for (unsigned depth = 0; depth <= walk->top; depth++) {
        const p15_frame *f = &walk->frames[depth];
        p15_layers_add(walk->layers, 0, depth, f->h, (p15_counts){times, times * f->next});
    }
}

void p15_walk_start(p15_walk *walk, unsigned bound) {
    const p15_search *search = walk->search;
    walk->bound = bound;
    walk->cut = UINT32_MAX;
    walk->top = 0;
    walk->frames[0] = (p15_frame){.board = search->start,
                                  .values = search->values,
                                  .h = (uint8_t)search->h,
                                  .blank = (uint8_t)p15_board_blank(search->start),
                                  .last = P15_DIRECTIONS};
    walk->layers = search->layers;
    walk->at_once = search->batches[0] || search->trace || walk->table;
    walk->counts = (p15_counts){!walk->at_once, 0};
    if (walk->at_once) visit(walk);
    if (walk->layers) count_path(walk, 1);
}

p15_progress p15_walk_run(p15_walk *walk, uint64_t *visits) {
    if (walk->layers) count_path(walk, UINT64_MAX);
    p15_progress progress = walk->at_once           ? run_visits(walk, visits)
                            : walk->search->changes ? run_changes(walk, visits)
                                                    : run_any(walk, visits);
    if (walk->layers) count_path(walk, 1);
    return progress;
}

size_t p15_walk_length(const p15_walk *walk) { return walk->top + 1; }

void p15_walk_path(const p15_walk *walk, uint8_t *path) {
    for (unsigned i = 1; i <= walk->top + 1; i++) *path++ = walk->frames[i].last;
}
