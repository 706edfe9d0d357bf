#include "optimal/fringe.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ADVANCING 256u  /* with more nodes, they become fixed roots */
#define MAX_OF_DECISION 64u /* the same, where all but one iteration only make a frontier */

/* What a worker's slot has beside p15_search_slot: nodes below its subtree. */
typedef struct {
    p15_expander expander;
    uint32_t at, end; /* nodes of the subtree that it has not taken yet */
    p15_nodes nodes;  /* to be expanded, the next ones last */
    p15_node_batch *batch;
} own_slot;

static const p15_problem *problem_of(const p15_fringe *search) { return search->base.problem; }

/* Whether the frontier is replaced after an iteration; if not, its nodes are fixed roots. */
static bool advances(const p15_fringe *search) { return search->phase != P15_FRINGE_FIXED; }

/* ------------------------------------------------------------------------------------------------ iterations */

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
static p15_status replace_frontier(p15_fringe *search) {
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
static void cut_frontier(p15_fringe *search, uint32_t count) {
    search->subtree_count = count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t nodes = search->frontier.count;
        search->subtrees[i] =
            (p15_subtree){.begin = (uint32_t)(nodes * i / count), .end = (uint32_t)(nodes * (i + 1) / count)};
        search->base.schedule[i] = i;
    }
}

/* Orders the nodes of every subtree, and the subtrees within the bound: those that saw the smallest h come first. */
static void order_frontier(p15_fringe *search) {
    uint8_t keys[P15_MAX_SUBTREES];
    uint32_t before[P15_MAX_SUBTREES];
    for (uint32_t i = 0; i < search->subtree_count; i++) {
        p15_subtree *s = &search->subtrees[i];
        uint32_t *order = search->order + s->begin, count = s->end - s->begin;
        order_by(search->seen, order, count, search->order + search->order_capacity);
        unsigned least_f = advances(search) ? 0 : UINT_MAX; /* then nodes beyond the bound are kept, too */
        for (uint32_t at = 0; at < count; at++) {
            unsigned f = p15_node_depth(&search->frontier, order[at]) + p15_node_h(&search->frontier, order[at]);
            if (f < least_f) least_f = f;
        }
        keys[i] = count && least_f <= search->base.bound ? search->seen[order[0]] : 255;
    }
    search->base.scheduled = order_by(keys, search->base.schedule, search->subtree_count, before);
}

static p15_status prepare(p15_idastar *base, uint64_t before) {
    p15_fringe *search = (p15_fringe *)base;
    const p15_problem *problem = problem_of(search);
    const uint64_t least = problem->shared;
    uint32_t most = search->decision ? MAX_OF_DECISION : MAX_ADVANCING;
    bool moved = advances(search);
    if (moved) {
        if (search->decision && search->next.count > most)
            for (; base->bound + 2 <= base->limit && base->bound + 2 <= problem->most_moves; base->bound += 2)
                if (before < least) before *= 5; /* about what an iteration that is left out would generate */
        bool kept = search->next.count <= problem->max_frontier;
        if (problem->plain || search->next.count > most || !kept) search->phase = P15_FRINGE_FIXED;
        p15_status status = kept ? replace_frontier(search) : P15_OK;
        if (status != P15_OK) return status;
    }
    bool shared = before >= least && !problem->plain;
    if (moved || (shared && search->subtree_count == 1)) {
        uint32_t nodes = search->frontier.count, count = nodes < P15_MAX_SUBTREES ? nodes : P15_MAX_SUBTREES;
        cut_frontier(search, shared && !advances(search) && count > 0 ? count : 1);
    }
    order_frontier(search);
    if (advances(search)) search->phase = base->bound + 2 <= base->limit ? P15_FRINGE_KEEPS : P15_FRINGE_ADVANCES;
    return P15_OK;
}

/* ------------------------------------------------------------------------------------------------ the machine */

/* The state in which the search begins. */
static unsigned first_state(const p15_fringe *search, unsigned blank) {
    return search->decision ? p15_fsm_after(search->fsm, blank, search->move) : blank;
}

/* The state after the moves that lead to a node of the frontier; P15_NO_MOVE when they are pruned. */
static unsigned state_of(const p15_fringe *search, uint32_t i) {
    unsigned depth = p15_node_depth(&search->frontier, i);
    unsigned state = first_state(search, p15_board_blank(search->base.board));
    for (unsigned m = 0; m < depth && state != P15_NO_MOVE; m++) {
        unsigned word = p15_word_count(problem_of(search)->pattern_count, m / P15_MOVES_PER_WORD);
        unsigned move = *p15_nodes_word(&search->frontier, i, word) >> (2 * (m % P15_MOVES_PER_WORD)) & 3u;
        state = search->fsm->next[(size_t)state * P15_DIRECTIONS + move];
    }
    return state;
}

/* Whether the search has just ended a large iteration, and has the shorter sequences. */
static bool wants_longer(const p15_fringe *search) {
    const p15_idastar *base = &search->base;
    const p15_problem *problem = problem_of(search);
    return !advances(search) && !problem->plain && base->iteration_count > 0 && search->fsm == problem->fsm &&
           base->iterations[base->iteration_count - 1].generated >= problem->large;
}

/* Longer sequences prune fixed roots, too: another path of the same length leads to each of their boards. */
static bool lengthen(p15_idastar *base) {
    p15_fringe *search = (p15_fringe *)base;
    const p15_fsm *longer = atomic_load(&problem_of(search)->longer);
    if (!wants_longer(search)) return true;
    if (!longer) return false;
    search->fsm = longer;
    for (uint32_t i = 0; i < search->frontier.count; i++) {
        unsigned state = state_of(search, i);
        uint32_t *head = p15_nodes_word(&search->frontier, i, P15_WORD_HEAD);
        if (state == P15_NO_MOVE)
            *head |= 255u << P15_HEAD_H; /* never within a bound */
        else
            *head = (*head & ~0xffffu) | state;
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ one board */

static void free_search(p15_idastar *base) {
    p15_fringe *search = (p15_fringe *)base;
    p15_nodes_free(&search->frontier);
    p15_nodes_free(&search->next);
    free(search->seen);
    free(search->order);
}

/* The states of the search's board. After a move, they follow from those of the board before it, which is often known
 * from the search before: queries ask about all its neighbours. */
static p15_status root_states(p15_fringe *search, unsigned move, p15_state *states) {
    const p15_problem *problem = problem_of(search);
    p15_board board = search->base.board, from = board;
    bool moved = move < P15_DIRECTIONS; /* else p15_problem_states checks the board */
    if (moved && p15_board_check(board, problem->shape) != P15_OK) return P15_ERR_BOARD;
    unsigned blank = p15_board_blank(board);
    int before = moved ? p15_cell_neighbour(problem->shape, blank, 3 - move) : -1;
    if (before >= 0) from = p15_board_slide(board, blank, (unsigned)before);
    if (from == 0 || search->known != from) { /* 0 is no board */
        search->known = 0;
        p15_status status = p15_problem_states(problem, from, search->states);
        if (status != P15_OK) return status;
        search->known = from;
    }
    memcpy(states, search->states, problem->pattern_count * sizeof *states);
    return before >= 0 ? p15_problem_step(problem, from, move, states) : P15_OK;
}

/* Makes the root a node that was cut off. */
static p15_status begin(p15_idastar *base, unsigned move) {
    p15_fringe *search = (p15_fringe *)base;
    const p15_problem *problem = problem_of(search);
    p15_state states[P15_MAX_LOOKUP_PATTERNS];
    p15_board board = base->board;
    p15_status status = root_states(search, move, states);
    if (status == P15_OK) status = p15_problem_h(problem, states, NULL, &base->bound);
    if (status != P15_OK || board == problem->goal || base->bound > base->limit) return status;
    if (base->bound == 0) return P15_ERR_CORRUPT; /* with all tiles home, it would be the goal */
    unsigned blank = p15_board_blank(board);
    search->decision = move < P15_DIRECTIONS;
    search->move = (uint8_t)move;
    search->fsm = problem->fsm;
    search->phase = P15_FRINGE_ADVANCES;
    p15_nodes *nodes = &search->next;
    nodes->count = 0;
    if (!p15_nodes_reserve(nodes, 1)) return P15_ERR_MEMORY;
    for (unsigned w = 0; w < nodes->word_count; w++) *p15_nodes_word(nodes, 0, w) = 0;
    *p15_nodes_word(nodes, 0, P15_WORD_BOARD) = (uint32_t)board;
    *p15_nodes_word(nodes, 0, P15_WORD_BOARD + 1) = (uint32_t)(board >> 32);
    *p15_nodes_word(nodes, 0, P15_WORD_HEAD) =
        first_state(search, blank) | blank << P15_HEAD_BLANK | base->bound << P15_HEAD_H;
    for (unsigned p = 0; p < problem->pattern_count; p++) {
        *p15_nodes_word(nodes, 0, P15_WORD_STATES + 2 * p) = (uint32_t)states[p];
        *p15_nodes_word(nodes, 0, P15_WORD_STATES + 2 * p + 1) = (uint32_t)(states[p] >> 32);
    }
    nodes->count = 1;
    return P15_OK;
}

static p15_status check(const p15_idastar *base) {
    const p15_fringe *search = (const p15_fringe *)base;
    const p15_found *found = &base->found;
    /* An iteration before should have found what is shorter than the bound; decisions leave out iterations. */
    if (found->length != base->bound && !search->decision) return P15_ERR_CORRUPT;
    return p15_path_replay(base->board, base->goal, problem_of(search)->shape, found->path, found->length);
}

/* ------------------------------------------------------------------------------------------------ slots */

static p15_status make_slots(p15_worker *w) {
    const p15_problem *problem = w->problem;
    p15_expander expander = p15_expander_pick(problem);
    w->shape = problem->shape;
    w->goal = problem->goal;
    w->tiles = 1;
    w->slot_count = problem->slot_count < P15_MAX_SLOTS ? problem->slot_count : P15_MAX_SLOTS;
    w->memory = malloc(w->slot_count * (sizeof(p15_node_batch) + sizeof(own_slot)) + P15_LINE);
    if (!w->memory) return P15_ERR_MEMORY;
    uintptr_t aligned = ((uintptr_t)w->memory + P15_LINE - 1) & ~(uintptr_t)(P15_LINE - 1);
    p15_node_batch *batches = (p15_node_batch *)aligned;
    own_slot *slots = (own_slot *)(batches + w->slot_count);
    for (unsigned i = 0; i < w->slot_count; i++) {
        slots[i] = (own_slot){expander, 0, 0, p15_nodes_none(problem, expander.columns), &batches[i]};
        w->slots[i].own = &slots[i];
    }
    return P15_OK;
}

static void free_slots(p15_worker *w) {
    for (unsigned i = 0; i < w->slot_count; i++) p15_nodes_free(&((own_slot *)w->slots[i].own)->nodes);
}

static void join(p15_search_slot *slot) { ((own_slot *)slot->own)->batch->parent_count = 0; }

static void take(p15_search_slot *slot) {
    const p15_subtree *s = &((p15_fringe *)slot->search)->subtrees[slot->search->schedule[slot->position]];
    own_slot *own = slot->own;
    own->at = s->begin;
    own->end = s->end;
    own->nodes.count = 0;
}

/* Fills the slot up to `count` nodes, at most P15_MAX_PARENTS, if its subtree has as many. False: out of memory. */
static bool refill(p15_fringe *search, own_slot *own, unsigned count) {
    uint32_t within[P15_MAX_PARENTS];
    unsigned begin = own->nodes.count, taken = 0;
    if (!p15_nodes_reserve(&own->nodes, P15_MAX_PARENTS)) return false;
    while (begin + taken < count && own->at < own->end) {
        uint32_t i = search->order[own->at++];
        if (p15_node_h(&search->frontier, i) + p15_node_depth(&search->frontier, i) <= search->base.bound) {
            within[taken++] = i;
        } else if (search->phase == P15_FRINGE_KEEPS) {
            if (!p15_nodes_reserve(&search->next, 1)) return false;
            p15_nodes_push(&search->next, &search->frontier, &i, 1);
        }
    }
    p15_nodes_push(&own->nodes, &search->frontier, within, taken);
    for (unsigned i = 0; i < taken && !advances(search); i++)
        *p15_nodes_word(&own->nodes, begin + i, P15_WORD_DEPTH) |= within[i] << P15_DEPTH_ORIGIN;
    return true;
}

/* Notes the smallest h seen below fixed roots, given the nodes that a batch has just taken. */
static void note_h(p15_fringe *search, const p15_node_batch *b) {
    for (unsigned i = 0; i < b->parent_count; i++) {
        uint8_t *seen = &search->seen[p15_word_origin(p15_parent_word(b, &search->frontier, i, P15_WORD_DEPTH))];
        unsigned h = p15_head_h(p15_parent_word(b, &search->frontier, i, P15_WORD_HEAD));
        if (h < *seen) *seen = (uint8_t)h;
    }
}

static p15_search_slot_end visit(p15_worker *w, p15_search_slot *slot) {
    const p15_problem *problem = w->problem;
    p15_fringe *search = (p15_fringe *)slot->search;
    own_slot *own = slot->own;
    p15_node_batch *b = own->batch;
    if (slot->searched.generated + slot->counts.generated > slot->most) return P15_SLOT_OVER;
    if (b->parent_count > 0) {
        if (!p15_nodes_reserve(&own->nodes, P15_MOST_CHILDREN) ||
            (b->keeping && !p15_nodes_reserve(&search->next, P15_MOST_CHILDREN))) {
            search->base.status = P15_ERR_MEMORY;
            return P15_SLOT_EXHAUSTED;
        }
        if (!own->expander.resume(problem, b, &own->nodes, &search->next)) return P15_SLOT_RUNNING;
        if (b->goal < b->child_count) return P15_SLOT_SOLVED;
    }
    unsigned most = own->expander.width;
    for (;;) {
        if (slot->searching) {
            if (own->nodes.count < most && own->at < own->end && !refill(search, own, most)) {
                search->base.status = P15_ERR_MEMORY;
                return P15_SLOT_EXHAUSTED;
            }
            if (own->nodes.count) break;
        }
        if (!p15_search_slot_next(w, slot)) return P15_SLOT_EXHAUSTED;
    }
    if (most > own->nodes.count) most = own->nodes.count;
    b->keeping = search->phase == P15_FRINGE_KEEPS && search->next.count <= problem->max_frontier;
    if (search->phase == P15_FRINGE_KEEPS && !b->keeping) search->phase = P15_FRINGE_ADVANCES; /* too many */
    own->expander.issue(problem, search->fsm->next, b, &own->nodes, most, search->base.bound);
    if (!advances(search)) note_h(search, b);
    slot->counts.expanded += b->parent_count;
    slot->counts.generated += b->child_count;
    return P15_SLOT_RUNNING;
}

static unsigned run(p15_worker *w, uint64_t *visits, p15_search_slot_end *end) {
    for (uint64_t spent = 1; *visits > 0 && spent > 0; *visits -= spent < *visits ? spent : *visits) {
        spent = 0;
        for (unsigned i = 0; i < w->slot_count; i++) {
            if (!w->slots[i].search) continue;
            *end = visit(w, &w->slots[i]);
            if (*end != P15_SLOT_RUNNING) return i;
            spent += ((const own_slot *)w->slots[i].own)->batch->parent_count;
        }
    }
    return w->slot_count;
}

/* Writes the path to the child with h = 0 of the slot's batch, which is done. When that child's board is not the goal,
 * the tables are damaged, and it is not solved. */
static void find(p15_search_slot *slot) {
    const p15_fringe *search = (const p15_fringe *)slot->search;
    const p15_problem *problem = problem_of(search);
    const p15_node_batch *b = ((const own_slot *)slot->own)->batch;
    const p15_nodes *like = &search->frontier;
    p15_found *found = &slot->found;
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

/* ------------------------------------------------------------------------------------------------ the metric */

static bool make_search(p15_idastar *base) {
    const p15_problem *problem = base->problem;
    p15_fringe *search = (p15_fringe *)base;
    assert(problem->max_frontier <= P15_MAX_ORIGINS);
    base->goal = problem->goal;
    base->most_moves = problem->most_moves;
    search->frontier = search->next = p15_nodes_none(problem, p15_expander_pick(problem).columns);
    return true;
}

const p15_metric P15_SINGLE_TILE = {.bytes = sizeof(p15_fringe),
                                    .subtrees = P15_MAX_SUBTREES,
                                    .step = 2,
                                    .make_search = make_search,
                                    .free_search = free_search,
                                    .begin = begin,
                                    .prepare = prepare,
                                    .check = check,
                                    .lengthen = lengthen,
                                    .make_slots = make_slots,
                                    .free_slots = free_slots,
                                    .join = join,
                                    .take = take,
                                    .run = run,
                                    .find = find};
