#include "optimal/fringe.h"

#include <stdlib.h>

#define MOST_FRINGE 256u     /* a fringe with more nodes than this stays */
#define MOST_OF_QUESTION 64u /* the same, where all but one iteration are there to make a fringe */
#define MOST_NODES 0x10000u  /* of a fringe that stays, and ways: far more than sound tables make of such a fringe */
#define MOST_SUBTREES 256u   /* of a fringe that lanes share */

/* ------------------------------------------------------------------------------------------------ ways */

static void write_moves(const uint32_t *moves, unsigned count, uint8_t *path) {
    for (unsigned m = 0; m < count; m++) path[m] = (uint8_t)p15_moves_get(moves, m);
}

/* Writes the moves of a way, which end at path[end]. */
static void write_way(const p15_idastar *search, unsigned number, unsigned end, uint8_t *path) {
    for (; number != 0; number = search->ways[number].before) {
        const p15_way *way = &search->ways[number];
        end -= way->count;
        write_moves(way->moves, way->count, path + end);
    }
}

/* Writes the moves that lead to a node of the fringe, and returns their number. */
static unsigned write_fringe_path(const p15_idastar *search, uint32_t i, uint8_t *path) {
    uint32_t way = *p15_nodes_word(&search->fringe, i, P15_WORD_WAY), moves[P15_MOVE_WORDS];
    unsigned depth = p15_way_depth(way), begin = depth - p15_way_count(way);
    for (unsigned w = 0; w < P15_MOVE_WORDS; w++) moves[w] = *p15_nodes_word(&search->fringe, i, P15_WORD_MOVES + w);
    write_moves(moves, p15_way_count(way), path + begin);
    write_way(search, p15_way_number(way), begin, path);
    return depth;
}

void p15_idastar_answer(const p15_idastar *search, const p15_group *g, p15_answer *answer) {
    const p15_nodes *like = &search->fringe;
    p15_child c = g->children[g->goal];
    unsigned who = p15_child_parent(c), dir = p15_child_move(c), blank = p15_child_blank(c);
    p15_board board =
        p15_group_word(g, like, who, P15_WORD_BOARD) | (uint64_t)p15_group_word(g, like, who, P15_WORD_BOARD + 1) << 32;
    uint32_t way = p15_group_word(g, like, who, P15_WORD_WAY), moves[P15_MOVE_WORDS];
    uint8_t path[P15_MAX_LENGTH + 1];
    unsigned depth = p15_way_depth(way), count = p15_way_count(way), begin = depth - count;
    memset(answer, 0, sizeof *answer);
    answer->solved =
        p15_board_slide(board, blank, p15_cell_step(search->problem->shape, blank, dir)) == search->problem->goal;
    answer->length = (uint8_t)(depth + 1);
    for (unsigned w = 0; w < P15_MOVE_WORDS; w++) moves[w] = p15_group_word(g, like, who, P15_WORD_MOVES + w);
    if (search->moving)
        write_way(search, p15_way_number(way), begin, path);
    else
        write_fringe_path(search, p15_way_number(way), path);
    write_moves(moves, count < P15_KEPT_MOVES ? count : P15_KEPT_MOVES, path + begin);
    unsigned known = count < P15_KEPT_MOVES ? depth : begin + P15_KEPT_MOVES;
    if (known == depth) path[known++] = (uint8_t)dir;
    for (unsigned m = 0; m < known; m++) p15_path_set(answer->path, m, path[m]);
    answer->known = (uint8_t)known;
    p15_board_apply(search->board, search->problem->shape, path, known, &answer->rest);
}

/* Makes the moves of those nodes of the fringe that have many of them ways, so that there is room for more. */
static p15_status make_ways(p15_idastar *search) {
    for (uint32_t i = 0; i < search->fringe.count; i++) {
        uint32_t *way = p15_nodes_word(&search->fringe, i, P15_WORD_WAY);
        if (p15_way_count(*way) <= P15_KEPT_MOVES / 2) continue;
        if (search->way_count >= search->way_room) {
            uint32_t room = search->way_room ? 2 * search->way_room : 256;
            p15_way *ways = room <= MOST_NODES ? realloc(search->ways, room * sizeof *ways) : NULL;
            if (!ways) return room <= MOST_NODES ? P15_ERR_MEMORY : P15_ERR_CORRUPT;
            search->ways = ways;
            search->way_room = room;
        }
        p15_way *w = &search->ways[search->way_count];
        *w = (p15_way){.before = (uint16_t)p15_way_number(*way), .count = (uint8_t)p15_way_count(*way)};
        for (unsigned m = 0; m < P15_MOVE_WORDS; m++) {
            uint32_t *moves = p15_nodes_word(&search->fringe, i, P15_WORD_MOVES + m);
            w->moves[m] = *moves;
            *moves = 0;
        }
        *way = p15_way_depth(*way) | search->way_count++ << P15_WAY_NUMBER;
    }
    return P15_OK;
}

/* ------------------------------------------------------------------------------------------------ iterations */

p15_iteration p15_idastar_iteration(const p15_idastar *search, uint32_t subtrees) {
    p15_iteration it = {.bound = search->bound};
    for (uint32_t i = 0; i < subtrees; i++) {
        it.expanded += search->subtrees[search->turn[i]].expanded;
        it.generated += search->subtrees[search->turn[i]].generated;
    }
    return it;
}

/* Orders nodes by the smallest h seen, else as they were. */
static void order_nodes(const uint8_t *seen, uint32_t *order, uint32_t count, uint32_t *before) {
    uint32_t begin[257] = {0};
    for (uint32_t i = 0; i < count; i++) begin[seen[before[i] = order[i]] + 1]++;
    for (unsigned h = 0; h < 256; h++) begin[h + 1] += begin[h];
    for (uint32_t i = 0; i < count; i++) order[begin[seen[before[i]]]++] = before[i];
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
    return make_ways(search);
}

/* The smallest h seen, 255 for subtrees beyond the bound. */
static unsigned subtree_key(const p15_idastar *search, uint32_t i) {
    return search->subtrees[i].f <= search->bound ? search->subtrees[i].min_h : 255;
}

/* Lists the subtrees within the bound, those that saw the smallest h first, else in the order they had. */
static void order_subtrees(p15_idastar *search) {
    uint32_t *order = search->turn, *before = order + search->subtree_room, begin[257] = {0};
    memcpy(before, order, search->subtree_count * sizeof *order);
    for (uint32_t i = 0; i < search->subtree_count; i++) begin[subtree_key(search, i) + 1]++;
    for (unsigned key = 0; key < 256; key++) begin[key + 1] += begin[key];
    search->turn_count = begin[255];
    for (uint32_t i = 0; i < search->subtree_count; i++) order[begin[subtree_key(search, before[i])]++] = before[i];
}

/* Cuts the fringe into `count` subtrees. */
static p15_status cut_fringe(p15_idastar *search, uint32_t count) {
    if (count > search->subtree_room) {
        p15_subtree *subtrees = realloc(search->subtrees, count * sizeof *subtrees);
        if (subtrees) search->subtrees = subtrees;
        uint32_t *turn = realloc(search->turn, 2 * (size_t)count * sizeof *turn);
        if (turn) search->turn = turn;
        if (!subtrees || !turn) return P15_ERR_MEMORY;
        search->subtree_room = count;
    }
    search->subtree_count = count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t nodes = search->fringe.count;
        search->subtrees[i] =
            (p15_subtree){.begin = (uint32_t)(nodes * i / count), .end = (uint32_t)(nodes * (i + 1) / count)};
        search->turn[i] = i;
    }
    return P15_OK;
}

/* Orders the nodes of every subtree, and the subtrees. */
static void order_fringe(p15_idastar *search) {
    for (uint32_t i = 0; i < search->subtree_count; i++) {
        p15_subtree *s = &search->subtrees[i];
        uint32_t *order = search->order + s->begin, count = s->end - s->begin;
        order_nodes(search->seen, order, count, search->order + search->order_room);
        s->min_h = count ? search->seen[order[0]] : 255;
        s->f = search->moving ? 0 : UINT16_MAX; /* a fringe that moves takes along what is beyond the bound */
        for (uint32_t at = 0; at < count; at++) {
            unsigned f = p15_node_depth(&search->fringe, order[at]) + p15_node_h(&search->fringe, order[at]);
            if (f < s->f) s->f = (uint16_t)f;
        }
    }
    order_subtrees(search);
}

/* Prepares an iteration, given how many nodes the one before generated. */
static p15_status begin_iteration(p15_idastar *search, uint64_t before) {
    const uint64_t least = search->problem->shared;
    uint32_t most = search->asking ? MOST_OF_QUESTION : MOST_FRINGE;
    bool moved = search->moving;
    if (search->moving) {
        if (search->asking && search->next.count > most)
            for (; search->bound + 2 <= search->limit; search->bound += 2)
                if (before < least) before *= 5; /* about what an iteration that is left out would generate */
        search->moving = !search->problem->plain && search->next.count <= most;
        p15_status status = move_fringe(search);
        if (status == P15_OK && search->fringe.count > MOST_NODES && !search->moving) status = P15_ERR_CORRUPT;
        if (status != P15_OK) return status;
    }
    bool shared = before >= least && !search->problem->plain;
    if (moved || (shared && search->subtree_count == 1)) {
        uint32_t nodes = search->fringe.count, count = nodes < MOST_SUBTREES ? nodes : MOST_SUBTREES;
        p15_status status = cut_fringe(search, shared && !search->moving && count > 0 ? count : 1);
        if (status != P15_OK) return status;
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
    uint8_t path[P15_MAX_LENGTH];
    unsigned count = write_fringe_path(search, i, path), state = first_state(search, p15_board_blank(search->board));
    for (unsigned m = 0; m < count && state != P15_NO_MOVE; m++)
        state = search->automaton->next[(size_t)state * P15_DIRECTIONS + path[m]];
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
    search->board = board;
    search->way_count = 1;
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
    return begin_iteration(search, 0);
}

p15_status p15_idastar_begin(p15_idastar *search, p15_board board, unsigned limit) {
    return begin(search, board, P15_DIRECTIONS, limit);
}

p15_status p15_idastar_begin_child(p15_idastar *search, p15_board board, unsigned move, unsigned limit) {
    return begin(search, board, move, limit);
}

bool p15_idastar_end_iteration(p15_idastar *search, const p15_answer *found) {
    uint32_t best = atomic_load(&search->best);
    p15_iteration it = p15_idastar_iteration(search, best == P15_NO_SUBTREE ? search->turn_count : best + 1);
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
        search->status = begin_iteration(search, it.generated);
    search->ended = search->status != P15_OK || search->bound > search->limit;
    return !search->ended;
}

/* ------------------------------------------------------------------------------------------------ public calls */

p15_idastar *p15_idastar_empty(const p15_problem *problem) {
    p15_idastar *search = calloc(1, sizeof *search);
    if (!search) return NULL;
    search->problem = problem;
    search->fringe = search->next = p15_nodes_none(problem->place_count, p15_steps_pick(problem).columns);
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
    p15_nodes_free(&search->fringe);
    p15_nodes_free(&search->next);
    free(search->ways);
    free(search->seen);
    free(search->subtrees);
    free(search->order);
    free(search->turn);
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
