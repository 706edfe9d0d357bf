#include "optimal/fringe.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#define MOST_FRINGE 256u     /* a fringe with more nodes than this stays */
#define MOST_OF_QUESTION 64u /* the same, where all but one iteration are there to make a fringe */

/* ------------------------------------------------------------------------------------------------ paths */

void p15_idastar_answer(const p15_idastar *search, const p15_group *g, p15_answer *answer) {
    const p15_problem *problem = search->problem;
    const p15_nodes *like = &search->fringe;
    p15_child c = g->children[g->goal];
    unsigned who = p15_child_parent(c), dir = p15_child_move(c), blank = p15_child_blank(c);
    unsigned depth = p15_word_depth(p15_group_word(g, like, who, P15_WORD_DEPTH));
    p15_board board =
        p15_group_word(g, like, who, P15_WORD_BOARD) | (uint64_t)p15_group_word(g, like, who, P15_WORD_BOARD + 1) << 32;
    memset(answer, 0, sizeof *answer);
    answer->solved = p15_board_slide(board, blank, p15_cell_step(problem->shape, blank, dir)) == problem->goal;
    answer->length = (uint8_t)(depth + 1);
    for (unsigned byte = 0; byte <= depth / 4; byte++) {
        uint32_t word = p15_group_word(g, like, who, p15_word_count(problem->place_count, byte / 4));
        answer->path[byte] = (uint8_t)(word >> (8 * (byte % 4)));
    }
    p15_path_set(answer->path, depth, dir);
}

/* Whether an answer may be given: replays it. */
static p15_status check_answer(const p15_idastar *search) {
    const p15_answer *answer = &search->answer;
    /* An iteration before should have found what is shorter than the bound; questions leave out iterations. */
    bool late = answer->length != search->bound && !search->asking;
    if (!answer->solved || late) return P15_ERR_CORRUPT;
    return p15_path_replay(search->board, search->problem->goal, search->problem->shape, answer->path, answer->length);
}

/* ------------------------------------------------------------------------------------------------ iterations */

p15_counts p15_idastar_counts(const p15_idastar *search, uint32_t subtrees) {
    p15_counts sum = {0, 0};
    for (uint32_t i = 0; i < subtrees; i++) p15_counts_add(&sum, search->subtrees[search->turn[i]].counts);
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

/* Makes what was cut off the fringe. */
static p15_status move_fringe(p15_idastar *search) {
    p15_nodes made = search->next;
    search->next = search->fringe;
    search->next.count = 0;
    search->fringe = made;
    if (search->order_room < made.room) {
        free(search->order);
        free(search->seen);
        search->order = malloc(2 * (size_t)made.room * sizeof *search->order);
        search->seen = malloc(made.room);
        search->order_room = search->order && search->seen ? made.room : 0;
        if (!search->order_room) return P15_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < made.count; i++) {
        search->order[i] = i;
        search->seen[i] = (uint8_t)p15_node_h(&made, i);
    }
    return P15_OK;
}

/* Cuts the fringe into `count` subtrees. */
static void cut_fringe(p15_idastar *search, uint32_t count) {
    search->subtree_count = count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t nodes = search->fringe.count;
        search->subtrees[i] =
            (p15_subtree){.begin = (uint32_t)(nodes * i / count), .end = (uint32_t)(nodes * (i + 1) / count)};
        search->turn[i] = i;
    }
}

/* Orders the nodes of every subtree, and the subtrees within the bound: those that saw the smallest h come first. */
static void order_fringe(p15_idastar *search) {
    uint8_t keys[P15_MAX_SUBTREES];
    uint32_t before[P15_MAX_SUBTREES];
    for (uint32_t i = 0; i < search->subtree_count; i++) {
        p15_subtree *s = &search->subtrees[i];
        uint32_t *order = search->order + s->begin, count = s->end - s->begin;
        order_by(search->seen, order, count, search->order + search->order_room);
        unsigned least_f = search->moving ? 0 : UINT_MAX; /* a fringe that moves takes along what is beyond the bound */
        for (uint32_t at = 0; at < count; at++) {
            unsigned f = p15_node_depth(&search->fringe, order[at]) + p15_node_h(&search->fringe, order[at]);
            if (f < least_f) least_f = f;
        }
        keys[i] = count && least_f <= search->bound ? search->seen[order[0]] : 255;
    }
    search->turn_count = order_by(keys, search->turn, search->subtree_count, before);
}

/* Prepares an iteration, given how many nodes the one before generated. */
static p15_status begin_iteration(p15_idastar *search, uint64_t before) {
    const uint64_t least = search->problem->shared;
    uint32_t most = search->asking ? MOST_OF_QUESTION : MOST_FRINGE;
    bool moved = search->moving;
    if (search->moving) {
        if (search->asking && search->next.count > most)
            for (; search->bound + 2 <= search->limit && search->bound + 2 <= search->problem->most_moves;
                 search->bound += 2)
                if (before < least) before *= 5; /* about what an iteration that is left out would generate */
        bool kept = search->next.count <= search->problem->most_fringe;
        search->moving = !search->problem->plain && search->next.count <= most && kept;
        p15_status status = kept ? move_fringe(search) : P15_OK;
        if (status != P15_OK) return status;
    }
    bool shared = before >= least && !search->problem->plain;
    if (moved || (shared && search->subtree_count == 1)) {
        uint32_t nodes = search->fringe.count, count = nodes < P15_MAX_SUBTREES ? nodes : P15_MAX_SUBTREES;
        cut_fringe(search, shared && !search->moving && count > 0 ? count : 1);
    }
    order_fringe(search);
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

/* The state after the moves that lead to a node of the fringe; P15_NO_MOVE when they are reducible. */
static unsigned state_of(const p15_idastar *search, uint32_t i) {
    unsigned depth = p15_node_depth(&search->fringe, i), state = first_state(search, p15_board_blank(search->board));
    for (unsigned m = 0; m < depth && state != P15_NO_MOVE; m++) {
        unsigned word = p15_word_count(search->problem->place_count, m / P15_MOVES_PER_WORD);
        unsigned move = *p15_nodes_word(&search->fringe, i, word) >> (2 * (m % P15_MOVES_PER_WORD)) & 3u;
        state = search->automaton->next[(size_t)state * P15_DIRECTIONS + move];
    }
    return state;
}

bool p15_idastar_wants_words(const p15_idastar *search) {
    return !search->moving && !search->problem->plain && search->iteration_count > 0 &&
           search->automaton == search->problem->automaton &&
           search->iterations[search->iteration_count - 1].generated >= search->problem->large;
}

void p15_idastar_lengthen(p15_idastar *search) {
    search->automaton = atomic_load(&search->problem->longer);
    for (uint32_t i = 0; i < search->fringe.count; i++) {
        unsigned state = state_of(search, i);
        uint32_t *head = p15_nodes_word(&search->fringe, i, P15_WORD_HEAD);
        if (state == P15_NO_MOVE)
            *head |= 255u << P15_HEAD_H; /* never within a bound */
        else
            *head = (*head & ~0xffffu) | state;
    }
}

/* ------------------------------------------------------------------------------------------------ beginning */

p15_status p15_idastar_begin(p15_idastar *search, p15_board board, unsigned move, unsigned limit) {
    const p15_problem *problem = search->problem;
    p15_place places[P15_MAX_PLACES];
    uint8_t views[P15_MAX_VIEWS];
    search->ended = false;
    search->bound = 0;
    search->limit = limit;
    memset(&search->answer, 0, sizeof search->answer);
    search->iteration_count = 0;
    search->counts = (p15_counts){0, 0};
    search->status = p15_problem_places(problem, board, places, views, &search->bound);
    if (search->status != P15_OK) return search->status;
    search->answer.solved = board == problem->goal;
    search->ended = search->answer.solved || search->bound > limit;
    if (search->ended) return P15_OK;
    unsigned blank = p15_board_blank(board);
    search->asking = move < P15_DIRECTIONS;
    search->move = (uint8_t)move;
    search->automaton = problem->automaton;
    search->board = board;
    p15_nodes *nodes = &search->next;
    nodes->count = 0;
    if (!p15_nodes_reserve(nodes, 1)) return search->status = P15_ERR_MEMORY;
    for (unsigned w = 0; w < nodes->word_count; w++) *p15_nodes_word(nodes, 0, w) = 0;
    *p15_nodes_word(nodes, 0, P15_WORD_BOARD) = (uint32_t)board;
    *p15_nodes_word(nodes, 0, P15_WORD_BOARD + 1) = (uint32_t)(board >> 32);
    *p15_nodes_word(nodes, 0, P15_WORD_HEAD) =
        first_state(search, blank) | blank << P15_HEAD_BLANK | search->bound << P15_HEAD_H;
    for (unsigned p = 0; p < problem->place_count; p++) {
        *p15_nodes_word(nodes, 0, P15_WORD_PLACES + 2 * p) = (uint32_t)places[p];
        *p15_nodes_word(nodes, 0, P15_WORD_PLACES + 2 * p + 1) = (uint32_t)(places[p] >> 32);
    }
    nodes->count = 1;
    search->moving = true;
    return search->status = begin_iteration(search, 0);
}

bool p15_idastar_end_iteration(p15_idastar *search, const p15_answer *found) {
    uint32_t best = atomic_load(&search->best);
    p15_counts counts = p15_idastar_counts(search, best == P15_NO_SUBTREE ? search->turn_count : best + 1);
    p15_counts_add(&search->counts, counts);
    if (search->status != P15_OK) { /* it was cut short, and has proved nothing */
        search->ended = true;
        return false;
    }
    search->iterations[search->iteration_count++] = (p15_iteration){search->bound, counts.expanded, counts.generated};
    if (best != P15_NO_SUBTREE) {
        search->answer = *found;
        search->status = check_answer(search);
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
    assert(problem->most_fringe <= P15_MAX_ORIGINS);
    p15_idastar *search = calloc(1, sizeof *search);
    if (!search) return NULL;
    search->problem = problem;
    search->fringe = search->next = p15_nodes_none(problem, p15_steps_pick(problem).columns);
    return search;
}

void p15_idastar_delete(p15_idastar *search) {
    if (!search) return;
    p15_nodes_free(&search->fringe);
    p15_nodes_free(&search->next);
    free(search->seen);
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
    result->expanded = search->counts.expanded;
    result->generated = search->counts.generated;
    result->iteration_count = search->iteration_count;
    if (iterations) memcpy(iterations, search->iterations, search->iteration_count * sizeof *iterations);
}
