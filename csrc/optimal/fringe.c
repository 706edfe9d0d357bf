#include "optimal/fringe.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FRINGE 256u        /* a fringe with more records than this stays */
#define MOST_OF_QUESTION 64u    /* the same, where all but one iteration are there to make a fringe */
#define MOST_RECORDS (1u << 22) /* 4,000 times what sound tables make of such a fringe: more is a damaged table */

/* ------------------------------------------------------------------------------------------------ records */

bool p15_idastar_grow(p15_idastar *search) {
    size_t bytes = sizeof(p15_record) + search->problem->place_count * sizeof(p15_place);
    uint32_t room = search->record_room ? 2 * search->record_room : 256;
    uint8_t *memory = room <= MOST_RECORDS ? realloc(search->records, room * bytes) : NULL;
    if (!memory) {
        search->status = room <= MOST_RECORDS ? P15_ERR_MEMORY : P15_ERR_CORRUPT;
        return false;
    }
    search->records = memory;
    search->record_room = room;
    return true;
}

uint32_t p15_idastar_bridge(p15_idastar *search, const p15_stack *stack, uint32_t record, unsigned *count) {
    const p15_problem *problem = search->problem;
    const p15_node *n = (const p15_node *)stack->frames;
    for (; *count > 32; *count -= 32) {
        uint32_t made = p15_idastar_add_record(search);
        if (made == P15_NO_RECORD) return P15_NO_RECORD;
        for (unsigned i = 0; i < 32; i++) n = p15_node_above(n, problem->view_count, problem->place_count);
        *p15_record_at(search, made, problem->place_count) =
            (p15_record){.moves = n->moves, .before = record, .count = 32};
        record = made;
    }
    return record;
}

bool p15_idastar_answer(const p15_idastar *search, const p15_stack *stack, uint32_t record, p15_answer *answer) {
    const p15_problem *problem = search->problem;
    unsigned views = problem->view_count, places = problem->place_count;
    const p15_node *top = stack->top;
    answer->solved = false;
    for (unsigned i = 0; i < top->child_count; i++) {
        const p15_child *c = p15_node_child(top, i, views, places);
        if (c->h != 0) continue;
        int cell = p15_cell_neighbour(problem->shape, top->blank, c->move);
        if (p15_board_slide(top->board, top->blank, (unsigned)cell) != problem->goal) continue;
        memset(answer, 0, sizeof *answer);
        answer->length = (uint8_t)(top->depth + 1);
        unsigned left = top->depth;
        p15_path_set(answer->path, left, c->move);
        for (const p15_node *n = top; !p15_stack_at_root(stack, n); n = p15_node_parent(n, views, places))
            p15_path_set(answer->path, --left, n->moves & 3u);
        for (uint32_t at = record; at != P15_NO_RECORD; at = p15_record_at(search, at, places)->before) {
            const p15_record *r = p15_record_at(search, at, places);
            for (unsigned m = 0; m < r->count; m++) p15_path_set(answer->path, --left, r->moves >> (2 * m) & 3u);
        }
        return answer->solved = left == 0;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------ iterations */

/* The smallest h seen, 255 for subtrees beyond the bound. */
static unsigned subtree_key(const p15_idastar *search, uint32_t i) {
    return search->subtrees[i].f <= search->bound ? search->subtrees[i].min_h : 255;
}

/* Lists the subtrees within the bound, those that saw the smallest h first, else in the order they had. */
static void order_subtrees(p15_idastar *search) {
    uint32_t *order = search->order, *before = order + search->subtree_room, begin[257] = {0};
    memcpy(before, order, search->subtree_count * sizeof *order);
    for (uint32_t i = 0; i < search->subtree_count; i++) begin[subtree_key(search, i) + 1]++;
    for (unsigned key = 0; key < 256; key++) begin[key + 1] += begin[key];
    search->order_count = begin[255];
    for (uint32_t i = 0; i < search->subtree_count; i++) order[begin[subtree_key(search, before[i])]++] = before[i];
}

p15_iteration p15_idastar_iteration(const p15_idastar *search, uint32_t subtrees) {
    p15_iteration it = {.bound = search->bound};
    if (search->moving) {
        it.expanded = search->moved_expanded;
        it.generated = search->moved_generated;
    } else {
        for (uint32_t i = 0; i < subtrees; i++) {
            it.expanded += search->subtrees[search->order[i]].expanded;
            it.generated += search->subtrees[search->order[i]].generated;
        }
    }
    return it;
}

/* Lets the fringe stay: its records become the subtrees of all further iterations. */
static p15_status settle(p15_idastar *search) {
    if (search->next_count > search->subtree_room) {
        uint32_t room = search->next_count;
        p15_subtree *subtrees = realloc(search->subtrees, room * sizeof *subtrees);
        if (subtrees) search->subtrees = subtrees;
        uint32_t *order = realloc(search->order, 2 * (size_t)room * sizeof *order);
        if (order) search->order = order;
        if (!subtrees || !order) return P15_ERR_MEMORY;
        search->subtree_room = room;
    }
    search->subtree_count = 0;
    for (unsigned h = 0; h < 256; h++) {
        const p15_record *r;
        for (uint32_t at = search->next[h]; at != P15_NO_RECORD; at = r->link) {
            r = p15_record_at(search, at, search->problem->place_count);
            search->order[search->subtree_count] = search->subtree_count;
            search->subtrees[search->subtree_count++] =
                (p15_subtree){.record = at, .min_h = (uint16_t)h, .f = (uint16_t)(r->depth + h)};
        }
    }
    search->moving = false;
    return P15_OK;
}

static p15_status begin_iteration(p15_idastar *search) {
    if (search->asking && search->next_count > MOST_OF_QUESTION) search->bound += (search->limit - search->bound) & ~1u;
    uint32_t most = search->asking ? MOST_OF_QUESTION : MOST_FRINGE;
    if (search->moving && (search->problem->plain || search->next_count > most)) {
        p15_status status = settle(search);
        if (status != P15_OK) return status;
    }
    if (search->moving) {
        memcpy(search->present, search->next, sizeof search->present);
        memset(search->next, 0xff, sizeof search->next);
        search->present_h = 0;
        search->next_count = 0;
        search->moved_expanded = search->moved_generated = 0;
    } else {
        order_subtrees(search);
    }
    search->keeping = search->moving && search->bound + 2 <= search->limit;
    atomic_store(&search->cursor, 0);
    atomic_store(&search->best, P15_NO_SUBTREE);
    return P15_OK;
}

/* ------------------------------------------------------------------------------------------------ words */

/* The state in which the search begins. */
static unsigned first_state(const p15_idastar *search, unsigned blank) {
    return search->asking ? p15_automaton_after(search->automaton, blank, search->move) : blank;
}

/* The state after the moves that lead to a record; P15_NO_MOVE when they are reducible. */
static unsigned state_of(const p15_idastar *search, const p15_record *r) {
    unsigned places = search->problem->place_count, depth = r->depth, left = depth;
    uint8_t moves[P15_MAX_LENGTH];
    for (;; r = p15_record_at(search, r->before, places)) {
        for (unsigned m = 0; m < r->count; m++) moves[--left] = r->moves >> (2 * m) & 3u;
        if (r->before == P15_NO_RECORD) break;
    }
    unsigned state = first_state(search, r->blank);
    for (unsigned i = 0; i < depth && state != P15_NO_MOVE; i++)
        state = search->automaton->next[(size_t)state * P15_DIRECTIONS + moves[i]];
    return state;
}

bool p15_idastar_wants_words(const p15_idastar *search) {
    return !search->moving && !search->problem->plain && search->iteration_count > 0 &&
           search->automaton == search->problem->automaton &&
           search->iterations[search->iteration_count - 1].generated >= search->problem->large;
}

void p15_idastar_lengthen(p15_idastar *search) {
    uint32_t *order = search->order, *number = order + search->subtree_room, kept = 0, listed = 0, within = 0;
    search->automaton = atomic_load(&search->problem->longer);
    for (uint32_t i = 0; i < search->subtree_count; i++) {
        p15_record *r = p15_record_at(search, search->subtrees[i].record, search->problem->place_count);
        unsigned state = state_of(search, r);
        number[i] = state == P15_NO_MOVE ? P15_NO_SUBTREE : kept;
        if (state == P15_NO_MOVE) continue;
        r->state = (uint16_t)state;
        search->subtrees[kept++] = search->subtrees[i];
    }
    for (uint32_t i = 0; i < search->subtree_count; i++) {
        if (number[order[i]] == P15_NO_SUBTREE) continue;
        within += i < search->order_count;
        order[listed++] = number[order[i]];
    }
    search->subtree_count = kept;
    search->order_count = within;
}

/* ------------------------------------------------------------------------------------------------ beginning */

/* Begins with a board that a move has led to, P15_DIRECTIONS for none. */
static p15_status begin(p15_idastar *search, p15_board board, unsigned move, unsigned limit) {
    const p15_problem *problem = search->problem;
    p15_place places[P15_MAX_PLACES];
    uint8_t views[P15_MAX_VIEWS];
    search->status = P15_OK;
    search->ended = false;
    search->bound = 0;
    search->limit = limit;
    memset(&search->answer, 0, sizeof search->answer);
    search->iteration_count = 0;
    search->expanded = search->generated = 0;
    p15_status status = p15_problem_places(problem, board, places, views, &search->bound);
    if (status != P15_OK) return status;
    if (board == problem->goal) {
        search->ended = true;
        search->answer.solved = true;
        return P15_OK;
    }
    if (search->bound > limit) {
        search->ended = true;
        return P15_OK;
    }
    unsigned blank = p15_board_blank(board);
    search->asking = move < P15_DIRECTIONS;
    search->move = (uint8_t)move;
    search->automaton = problem->automaton;
    search->record_count = 0;
    if (p15_idastar_add_record(search) == P15_NO_RECORD) return search->status;
    p15_record *r = p15_record_at(search, 0, problem->place_count);
    *r = (p15_record){.board = board,
                      .before = P15_NO_RECORD,
                      .link = P15_NO_RECORD,
                      .state = (uint16_t)first_state(search, blank),
                      .blank = (uint8_t)blank,
                      .h = (uint8_t)search->bound};
    memcpy(p15_record_places(r), places, problem->place_count * sizeof *places);
    memset(search->next, 0xff, sizeof search->next);
    search->next[r->h] = 0;
    search->next_count = 1;
    search->moving = true;
    return begin_iteration(search);
}

p15_status p15_idastar_begin(p15_idastar *search, p15_board board, unsigned limit) {
    return begin(search, board, P15_DIRECTIONS, limit);
}

p15_status p15_idastar_begin_child(p15_idastar *search, p15_board board, unsigned move, unsigned limit) {
    return begin(search, board, move, limit);
}

bool p15_idastar_end_iteration(p15_idastar *search, const p15_answer *found) {
    uint32_t best = atomic_load(&search->best);
    p15_iteration it = p15_idastar_iteration(search, best == P15_NO_SUBTREE ? search->order_count : best + 1);
    search->expanded += it.expanded;
    search->generated += it.generated;
    if (search->status != P15_OK) { /* it was cut short, and has proved nothing */
        search->ended = true;
        return false;
    }
    if (search->iteration_count < P15_MAX_ITERATIONS) search->iterations[search->iteration_count++] = it;
    if (best != P15_NO_SUBTREE) {
        search->answer = *found;
        if (!search->answer.solved) search->status = P15_ERR_CORRUPT;
        search->ended = true;
        return false;
    }
    search->bound += 2;
    if (search->bound > P15_MAX_LENGTH || search->iteration_count == P15_MAX_ITERATIONS)
        search->status = P15_ERR_CORRUPT;
    else if (search->bound <= search->limit)
        search->status = begin_iteration(search);
    search->ended = search->status != P15_OK || search->bound > search->limit;
    return !search->ended;
}

/* ------------------------------------------------------------------------------------------------ public calls */

p15_idastar *p15_idastar_empty(const p15_problem *problem) {
    p15_idastar *search = calloc(1, sizeof *search);
    if (search) search->problem = problem;
    return search;
}

p15_status p15_idastar_new(const p15_problem *problem, p15_board board, unsigned limit, p15_idastar **search) {
    p15_idastar *s = p15_idastar_empty(problem);
    if (!s) return P15_ERR_MEMORY;
    p15_status status = p15_idastar_begin(s, board, limit);
    if (status != P15_OK)
        p15_idastar_delete(s);
    else
        *search = s;
    return status;
}

void p15_idastar_delete(p15_idastar *search) {
    if (!search) return;
    free(search->records);
    free(search->subtrees);
    free(search->order);
    free(search);
}

void p15_idastar_result(const p15_idastar *search, p15_result *result, p15_iteration *iterations) {
    memset(result, 0, sizeof *result);
    result->status = search->status;
    result->solved = search->answer.solved && search->status == P15_OK;
    result->length = search->answer.length;
    result->lower_bound = (uint8_t)(result->solved ? search->answer.length : search->bound);
    memcpy(result->path, search->answer.path, sizeof result->path);
    result->expanded = search->expanded;
    result->generated = search->generated;
    result->iteration_count = search->iteration_count;
    if (iterations) memcpy(iterations, search->iterations, search->iteration_count * sizeof *iterations);
}
