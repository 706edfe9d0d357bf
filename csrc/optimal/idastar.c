#include "optimal/idastar.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#define MAX_ADVANCING 256u  /* with more nodes, they become fixed roots */
#define MAX_OF_DECISION 64u /* the same, where all but one iteration only make a frontier */

/* ------------------------------------------------------------------------------------------------ paths */

void p15_idastar_find(const p15_idastar *search, const p15_node_batch *b, p15_found *found) {
    const p15_problem *problem = search->problem;
    const p15_nodes *like = &search->frontier;
    p15_batch_child c = b->children[b->goal];
    unsigned who = p15_child_parent(c), dir = p15_child_move(c), blank = p15_child_blank(c);
    unsigned depth = p15_word_depth(p15_parent_word(b, like, who, P15_WORD_DEPTH));
    p15_board board = p15_parent_word(b, like, who, P15_WORD_BOARD) |
                      (uint64_t)p15_parent_word(b, like, who, P15_WORD_BOARD + 1) << 32;
    memset(found, 0, sizeof *found);
    found->solved = p15_board_slide(board, blank, p15_cell_step(problem->shape, blank, dir)) == problem->goal;
    found->length = (uint8_t)(depth + 1);
    for (unsigned byte = 0; byte <= depth / 4; byte++) {
        uint32_t word = p15_parent_word(b, like, who, p15_word_count(problem->pattern_count, byte / 4));
        found->path[byte] = (uint8_t)(word >> (8 * (byte % 4)));
    }
    p15_path_set(found->path, depth, dir);
}

/* Replays the solution. */
static p15_status check_found(const p15_idastar *search) {
    const p15_found *found = &search->found;
    /* An iteration before should have found what is shorter than the bound; decisions leave out iterations. */
    bool late = found->length != search->bound && !search->decision;
    if (!found->solved || late) return P15_ERR_CORRUPT;
    return p15_path_replay(search->board, search->problem->goal, search->problem->shape, found->path, found->length);
}

/* ------------------------------------------------------------------------------------------------ iterations */

p15_counts p15_idastar_counts(const p15_idastar *search, uint32_t subtrees) {
    p15_counts sum = {0, 0};
    for (uint32_t i = 0; i < subtrees; i++) p15_counts_add(&sum, search->subtrees[search->schedule[i]].counts);
    return sum;
}

/* Orders numbers by their keys, else as they were. Returns how many have a key below 255. */
static uint32_t order_by(const uint8_t *key, uint32_t *order, uint32_t count, uint32_t *before) {
    uint32_t begin[257] = {0};
    for (uint32_t i = 0; i < count; i++) begin[key[before[i] = order[i]] + 1]++;
    for (unsigned k = 0; k < 256; k++) begin[k + 1] += begin[k];
    uint32_t below = begin[255];
    for (uint32_t i = 0; i < count; i++) order[begin[key[before[i]]]++] = before[i];
    return below;
}

/* Takes the nodes that were cut off as the frontier. */
static p15_status replace_frontier(p15_idastar *search) {
    p15_nodes made = search->next;
    search->next = search->frontier;
    search->next.count = 0;
    search->frontier = made;
    if (search->order_capacity < made.capacity) {
        free(search->order);
        free(search->seen);
        search->order = malloc(2 * (size_t)made.capacity * sizeof *search->order);
        search->seen = malloc(made.capacity);
        search->order_capacity = search->order && search->seen ? made.capacity : 0;
        if (!search->order_capacity) return P15_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < made.count; i++) {
        search->order[i] = i;
        search->seen[i] = (uint8_t)p15_node_h(&made, i);
    }
    return P15_OK;
}

/* Cuts the frontier into `count` subtrees. */
static void cut_frontier(p15_idastar *search, uint32_t count) {
    search->subtree_count = count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t nodes = search->frontier.count;
        search->subtrees[i] =
            (p15_subtree){.begin = (uint32_t)(nodes * i / count), .end = (uint32_t)(nodes * (i + 1) / count)};
        search->schedule[i] = i;
    }
}

/* Orders the nodes of every subtree, and the subtrees within the bound: those that saw the smallest h come first. */
static void order_frontier(p15_idastar *search) {
    uint8_t keys[P15_MAX_SUBTREES];
    uint32_t before[P15_MAX_SUBTREES];
    for (uint32_t i = 0; i < search->subtree_count; i++) {
        p15_subtree *s = &search->subtrees[i];
        uint32_t *order = search->order + s->begin, count = s->end - s->begin;
        order_by(search->seen, order, count, search->order + search->order_capacity);
        unsigned least_f = search->advancing ? 0 : UINT_MAX; /* then nodes beyond the bound are kept, too */
        for (uint32_t at = 0; at < count; at++) {
            unsigned f = p15_node_depth(&search->frontier, order[at]) + p15_node_h(&search->frontier, order[at]);
            if (f < least_f) least_f = f;
        }
        keys[i] = count && least_f <= search->bound ? search->seen[order[0]] : 255;
    }
    search->scheduled = order_by(keys, search->schedule, search->subtree_count, before);
}

/* Prepares an iteration, given how many nodes the one before generated. */
static p15_status begin_iteration(p15_idastar *search, uint64_t before) {
    const uint64_t least = search->problem->shared;
    uint32_t most = search->decision ? MAX_OF_DECISION : MAX_ADVANCING;
    bool moved = search->advancing;
    if (search->advancing) {
        if (search->decision && search->next.count > most)
            for (; search->bound + 2 <= search->limit && search->bound + 2 <= search->problem->most_moves;
                 search->bound += 2)
                if (before < least) before *= 5; /* about what an iteration that is left out would generate */
        bool kept = search->next.count <= search->problem->max_frontier;
        search->advancing = !search->problem->plain && search->next.count <= most && kept;
        p15_status status = kept ? replace_frontier(search) : P15_OK;
        if (status != P15_OK) return status;
    }
    bool shared = before >= least && !search->problem->plain;
    if (moved || (shared && search->subtree_count == 1)) {
        uint32_t nodes = search->frontier.count, count = nodes < P15_MAX_SUBTREES ? nodes : P15_MAX_SUBTREES;
        cut_frontier(search, shared && !search->advancing && count > 0 ? count : 1);
    }
    order_frontier(search);
    search->keeping = search->advancing && search->bound + 2 <= search->limit;
    atomic_store(&search->cursor, 0);
    atomic_store(&search->best, P15_NO_SUBTREE);
    return P15_OK;
}

/* ------------------------------------------------------------------------------------------------ the machine */

/* The state in which the search begins. */
static unsigned first_state(const p15_idastar *search, unsigned blank) {
    return search->decision ? p15_fsm_after(search->fsm, blank, search->move) : blank;
}

/* The state after the moves that lead to a node of the frontier; P15_NO_MOVE when they are pruned. */
static unsigned state_of(const p15_idastar *search, uint32_t i) {
    unsigned depth = p15_node_depth(&search->frontier, i), state = first_state(search, p15_board_blank(search->board));
    for (unsigned m = 0; m < depth && state != P15_NO_MOVE; m++) {
        unsigned word = p15_word_count(search->problem->pattern_count, m / P15_MOVES_PER_WORD);
        unsigned move = *p15_nodes_word(&search->frontier, i, word) >> (2 * (m % P15_MOVES_PER_WORD)) & 3u;
        state = search->fsm->next[(size_t)state * P15_DIRECTIONS + move];
    }
    return state;
}

bool p15_idastar_wants_longer(const p15_idastar *search) {
    return !search->advancing && !search->problem->plain && search->iteration_count > 0 &&
           search->fsm == search->problem->fsm &&
           search->iterations[search->iteration_count - 1].generated >= search->problem->large;
}

void p15_idastar_lengthen(p15_idastar *search) {
    search->fsm = atomic_load(&search->problem->longer);
    for (uint32_t i = 0; i < search->frontier.count; i++) {
        unsigned state = state_of(search, i);
        uint32_t *head = p15_nodes_word(&search->frontier, i, P15_WORD_HEAD);
        if (state == P15_NO_MOVE)
            *head |= 255u << P15_HEAD_H; /* never within a bound */
        else
            *head = (*head & ~0xffffu) | state;
    }
}

/* ------------------------------------------------------------------------------------------------ beginning */

p15_status p15_idastar_begin(p15_idastar *search, p15_board board, unsigned move, unsigned limit) {
    const p15_problem *problem = search->problem;
    p15_state states[P15_MAX_LOOKUP_PATTERNS];
    uint8_t lookup_h[P15_MAX_LOOKUPS];
    search->ended = false;
    search->bound = 0;
    search->limit = limit;
    memset(&search->found, 0, sizeof search->found);
    search->iteration_count = 0;
    search->counts = (p15_counts){0, 0};
    search->status = p15_problem_states(problem, board, states, lookup_h, &search->bound);
    if (search->status != P15_OK) return search->status;
    search->found.solved = board == problem->goal;
    search->ended = search->found.solved || search->bound > limit;
    if (search->ended) return P15_OK;
    unsigned blank = p15_board_blank(board);
    search->decision = move < P15_DIRECTIONS;
    search->move = (uint8_t)move;
    search->fsm = problem->fsm;
    search->board = board;
    p15_nodes *nodes = &search->next;
    nodes->count = 0;
    if (!p15_nodes_reserve(nodes, 1)) return search->status = P15_ERR_MEMORY;
    for (unsigned w = 0; w < nodes->word_count; w++) *p15_nodes_word(nodes, 0, w) = 0;
    *p15_nodes_word(nodes, 0, P15_WORD_BOARD) = (uint32_t)board;
    *p15_nodes_word(nodes, 0, P15_WORD_BOARD + 1) = (uint32_t)(board >> 32);
    *p15_nodes_word(nodes, 0, P15_WORD_HEAD) =
        first_state(search, blank) | blank << P15_HEAD_BLANK | search->bound << P15_HEAD_H;
    for (unsigned p = 0; p < problem->pattern_count; p++) {
        *p15_nodes_word(nodes, 0, P15_WORD_STATES + 2 * p) = (uint32_t)states[p];
        *p15_nodes_word(nodes, 0, P15_WORD_STATES + 2 * p + 1) = (uint32_t)(states[p] >> 32);
    }
    nodes->count = 1;
    search->advancing = true;
    return search->status = begin_iteration(search, 0);
}

bool p15_idastar_end_iteration(p15_idastar *search, const p15_found *found) {
    uint32_t best = atomic_load(&search->best);
    p15_counts counts = p15_idastar_counts(search, best == P15_NO_SUBTREE ? search->scheduled : best + 1);
    p15_counts_add(&search->counts, counts);
    if (search->status != P15_OK) { /* it was cut short, and has proved nothing */
        search->ended = true;
        return false;
    }
    search->iterations[search->iteration_count++] = (p15_iteration){search->bound, counts.expanded, counts.generated};
    if (best != P15_NO_SUBTREE) {
        search->found = *found;
        search->status = check_found(search);
        search->ended = true;
        return false;
    }
    search->bound += 2;
    if (search->bound > search->problem->most_moves)
        search->status = P15_ERR_CORRUPT;
    else if (search->bound <= search->limit)
        search->status = begin_iteration(search, counts.generated);
    search->ended = search->status != P15_OK || search->bound > search->limit;
    return !search->ended;
}

/* ------------------------------------------------------------------------------------------------ public calls */

p15_idastar *p15_idastar_new(const p15_problem *problem) {
    assert(problem->max_frontier <= P15_MAX_ORIGINS);
    p15_idastar *search = calloc(1, sizeof *search);
    if (!search) return NULL;
    search->problem = problem;
    search->frontier = search->next = p15_nodes_none(problem, p15_expander_pick(problem).columns);
    return search;
}

void p15_idastar_delete(p15_idastar *search) {
    if (!search) return;
    p15_nodes_free(&search->frontier);
    p15_nodes_free(&search->next);
    free(search->seen);
    free(search->order);
    free(search);
}

void p15_idastar_result(const p15_idastar *search, p15_result *result, p15_iteration *iterations) {
    memset(result, 0, sizeof *result);
    result->status = search->status;
    result->solved = search->found.solved && search->status == P15_OK;
    result->length = search->found.length;
    result->lower_bound = (uint8_t)(result->solved ? search->found.length : search->bound);
    memcpy(result->path, search->found.path, sizeof result->path);
    result->expanded = search->counts.expanded;
    result->generated = search->counts.generated;
    result->iteration_count = search->iteration_count;
    if (iterations) memcpy(iterations, search->iterations, search->iteration_count * sizeof *iterations);
}
