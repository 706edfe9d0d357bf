#include "search/deepening/walks.h"

#include <stdlib.h>
#include <string.h>

p15_status p15_walk_init(const p15_search *search, p15_walk *walk) {
    const p15_moves *moves = &search->moves;
    p15_status status;
    *walk = (p15_walk){.search = search, .frames = malloc((P15_MAX_BOUND + 2) * sizeof *walk->frames)};
    for (unsigned cell = 0; cell < P15_MAX_CELLS; cell++)
        for (unsigned last = 0; last <= P15_DIRECTIONS; last++)
            for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
                p15_choices *c = &walk->choices[cell][last];
                unsigned direction = moves->order[i];
                int next = moves->cells[cell][direction];
                if (next < 0 || direction + last == 3u) continue;
                c->directions[c->count] = (uint8_t)direction;
                c->cells[c->count++] = (uint8_t)next;
            }
    status = walk->frames ? P15_OK : P15_ERR_MEMORY;
    if (status == P15_OK && p15_evaluator_prefers_batches(search->evaluator)) {
        walk->values = malloc((P15_MAX_BOUND + 2) * sizeof *walk->values);
        status = walk->values ? p15_evaluations_new(search->evaluator, P15_DIRECTIONS, &walk->batch) : P15_ERR_MEMORY;
    }
    if (status != P15_OK) p15_walk_free(walk);
    return status;
}

void p15_walk_free(p15_walk *walk) {
    p15_evaluations_delete(walk->batch);
    free(walk->values);
    free(walk->frames);
    *walk = (p15_walk){0};
}

/* Traces the node of a frame, with all its children, and which of them are cut off. */
static void trace_frame(const p15_walk *walk, const p15_frame *f, unsigned depth) {
    const p15_choices *c = &walk->choices[f->blank][f->last];
    p15_trace_node(walk->search->trace, f->board, f->values, depth, false);
    for (unsigned i = 0; i < c->count; i++) {
        p15_traced_child *child = p15_trace_child(walk->search->trace, c->directions[i], P15_FATE_OPEN);
        if (depth + 1 + child->h > walk->bound) child->fate = P15_FATE_CUT;
    }
}

void p15_walk_start(p15_walk *walk, const p15_root *root, unsigned bound, unsigned horizon) {
    walk->moves = root->moves;
    walk->depth = root->depth;
    walk->bound = bound;
    walk->horizon = horizon;
    walk->cut = UINT32_MAX;
    walk->top = 0;
    walk->frames[0] = (p15_frame){root->board, root->values, root->h, root->blank, root->last, 0};
    walk->expanded = 1;
    walk->generated = 0;
    if (walk->search->trace) trace_frame(walk, walk->frames, walk->depth);
}

static void write_path(p15_walk *walk) {
    unsigned length = 0;
    for (unsigned i = walk->depth; i-- > 0;) walk->path[length++] = (uint8_t)(walk->moves >> (2 * i) & 3u);
    for (unsigned i = 0; i <= walk->top; i++) {
        const p15_frame *f = &walk->frames[i];
        walk->path[length++] = walk->choices[f->blank][f->last].directions[f->next - 1];
    }
    walk->length = length;
}

/* Evaluates all children of a frame. */
static void evaluate(p15_walk *walk, const p15_frame *f) {
    const p15_choices *c = &walk->choices[f->blank][f->last];
    for (unsigned i = 0; i < c->count; i++)
        p15_evaluations_add(walk->batch, f->board, f->values, f->blank, c->directions[i]);
    memcpy(walk->values[f - walk->frames], p15_evaluations_run(walk->batch), c->count * sizeof **walk->values);
}

P15_INLINE p15_progress run(p15_walk *walk, const p15_h_changes *changes, uint64_t *visits, bool together,
                            bool traced) {
    const p15_evaluator *evaluator = walk->search->evaluator;
    p15_board goal = walk->search->goal;
    unsigned bound = walk->bound, horizon = walk->horizon, cut = walk->cut, depth = walk->depth + walk->top + 1;
    uint64_t expanded = walk->expanded, generated = walk->generated, left = *visits;
    p15_frame *f = walk->frames + walk->top;
    p15_progress progress = P15_PART_RUNNING;
    while (left > 0) {
        const p15_choices *c = &walk->choices[f->blank][f->last];
        if (f->next == c->count) {
            if (f == walk->frames) {
                progress = P15_PART_ENDED;
                break;
            }
            f--;
            depth--;
            continue;
        }
        left--;
        generated++;
        unsigned direction = c->directions[f->next], cell = c->cells[f->next], h;
        p15_values values = 0;
        if (changes) {
            h = (unsigned)(f->h + (*changes)[f->blank][direction][p15_board_tile(f->board, cell)]);
        } else if (together) {
            if (f->next == 0) evaluate(walk, f);
            values = walk->values[f - walk->frames][f->next];
            h = p15_values_h(values);
        } else {
            h = p15_evaluator_child(evaluator, f->board, f->values, f->blank, direction, &values);
        }
        f->next++;
        if (depth + h > bound) {
            if (depth + h < cut) cut = depth + h;
            continue;
        }
        p15_board board = p15_board_slide(f->board, f->blank, cell);
        if (board == goal) {
            if (traced) p15_trace_node(walk->search->trace, board, values, depth, true);
            progress = P15_PART_SOLVED;
            break;
        }
        f[1] = (p15_frame){board, values, (uint8_t)h, (uint8_t)cell, (uint8_t)direction, 0};
        if (depth == horizon) {
            progress = P15_PART_HORIZON;
            break;
        }
        f++;
        if (traced) trace_frame(walk, f, depth);
        depth++;
        expanded++;
    }
    walk->top = (unsigned)(f - walk->frames);
    walk->cut = cut;
    walk->expanded = expanded;
    walk->generated = generated;
    *visits = left;
    if (progress == P15_PART_SOLVED) write_path(walk);
    return progress;
}

static p15_progress run_changes(p15_walk *walk, uint64_t *visits) {
    return run(walk, walk->search->changes, visits, false, false);
}
static p15_progress run_together(p15_walk *walk, uint64_t *visits) { return run(walk, NULL, visits, true, false); }
static p15_progress run_any(p15_walk *walk, uint64_t *visits) { return run(walk, NULL, visits, false, false); }
static p15_progress run_traced(p15_walk *walk, uint64_t *visits) {
    return run(walk, NULL, visits, walk->batch != NULL, true);
}

p15_progress p15_walk_run(p15_walk *walk, uint64_t *visits) {
    if (walk->search->trace) return run_traced(walk, visits);
    if (walk->batch) return run_together(walk, visits);
    return walk->search->changes ? run_changes(walk, visits) : run_any(walk, visits);
}

p15_root p15_walk_reached(const p15_walk *walk) {
    const p15_frame *f = &walk->frames[walk->top + 1];
    uint64_t moves = walk->moves;
    for (unsigned i = 1; i <= walk->top + 1; i++) moves = moves << 2 | walk->frames[i].last;
    return (p15_root){f->board, f->values, moves, (uint8_t)walk->horizon, f->h, f->blank, f->last};
}
