#include "search/best_first/bidirectional.h"

#include "search/best_first/children.h"

#include <stdlib.h>

#define HEADROOM (4 * P15_OPEN_CHUNK_BYTES) /* of the open list: a chunk for a node's children, and a new row */

typedef struct {
    p15_board root;
    p15_closed closed;
    p15_open open;  /* rows are depths */
    unsigned depth; /* every board within it is known */
} side;

struct p15_bidirectional {
    side sides[2]; /* from the start, from the goal */
    p15_moves moves;
    size_t max_bytes;
    p15_search_state state;
    unsigned side; /* whose level is being expanded */
    p15_board meeting;
    uint64_t expanded, generated, largest_open, largest_closed;
    p15_trace *trace; /* NULL: none */
};

static size_t bytes_of_side(const side *s) { return p15_closed_bytes(&s->closed) + p15_open_bytes(&s->open); }

static size_t bytes_of(const p15_bidirectional *search) {
    return bytes_of_side(&search->sides[0]) + bytes_of_side(&search->sides[1]);
}

static p15_status start_side(p15_shape shape, p15_board root, size_t max_bytes, side *s) {
    s->root = root;
    p15_status status = p15_closed_init(shape, max_bytes, &s->closed);
    if (!status) status = p15_open_init(false, false, 1, max_bytes, &s->open);
    if (!status) status = p15_open_put(&s->open, 0, 0, root, 0);
    if (!status) {
        p15_where where = p15_closed_where(&s->closed, root);
        p15_closed_add(&s->closed, where, p15_closed_find(&s->closed, where), 0, 0);
    }
    return status;
}

p15_status p15_bidirectional_new(p15_shape shape, p15_board start, p15_board goal, const uint8_t order[P15_DIRECTIONS],
                                 size_t max_bytes, p15_bidirectional **made) {
    *made = NULL;
    if (p15_board_check(start, shape) || p15_board_check(goal, shape)) return P15_ERR_BOARD;
    if (!p15_board_solvable(start, goal, shape)) return P15_ERR_UNSOLVABLE;
    p15_bidirectional *search = calloc(1, sizeof *search);
    if (!search) return P15_ERR_MEMORY;
    search->max_bytes = max_bytes;
    search->meeting = start;
    search->state = start == goal ? P15_SEARCH_SOLVED : P15_SEARCH_RUNNING;
    search->largest_open = 2;
    p15_status status = p15_moves_init(shape, order, &search->moves);
    if (!status) status = start_side(shape, start, max_bytes, &search->sides[0]);
    if (!status) status = start_side(shape, goal, max_bytes, &search->sides[1]);
    if (!status && bytes_of(search) > max_bytes) status = P15_ERR_MEMORY;
    if (status) {
        p15_bidirectional_delete(search);
        return status;
    }
    *made = search;
    return P15_OK;
}

void p15_bidirectional_delete(p15_bidirectional *search) {
    if (!search) return;
    for (unsigned i = 0; i < 2; i++) {
        p15_closed_free(&search->sides[i].closed);
        p15_open_free(&search->sides[i].open);
    }
    free(search);
}

/* What a side may use, so that the open list has its headroom. */
static size_t most_bytes(const p15_bidirectional *search, const side *s) {
    size_t other = bytes_of(search) - bytes_of_side(s) + HEADROOM;
    return other < search->max_bytes ? search->max_bytes - other : 0;
}

/* A larger table for a side, at once. False: no room. */
static bool enlarge(p15_bidirectional *search, side *s) {
    return p15_closed_enlarge(&s->closed, p15_open_bytes(&s->open), most_bytes(search, s)) == P15_OK;
}

/* A piece of making the table of a side larger. False: come again. */
static bool grow_on(p15_bidirectional *search, side *s) {
    return s->closed.refused || p15_closed_grow_on(&s->closed, p15_open_bytes(&s->open), most_bytes(search, s));
}

static bool has_room(const side *s) { return s->closed.node_count + P15_DIRECTIONS <= s->closed.room; }

/* Makes the children of a board, and asks the memory for their places on both sides. Returns how many there are. */
P15_INLINE unsigned make_children(const p15_bidirectional *search, const side *s, const side *other, p15_board board,
                                  p15_child *children, p15_where *others) {
    unsigned count = p15_child_make(&s->closed, &search->moves, board, children);
    for (unsigned i = 0; i < count; i++) {
        others[i] = p15_closed_where(&other->closed, children[i].board);
        p15_closed_prefetch(&other->closed, others[i]);
    }
    return count;
}

/* The place of a child in its side's table; NULL: no room. */
P15_INLINE p15_slot *place_of(p15_bidirectional *search, side *s, p15_child *children, unsigned count,
                              unsigned number) {
    p15_slot *place = p15_closed_find(&s->closed, children[number].where);
    if (place) return place;
    if (!enlarge(search, s)) return NULL;
    p15_child_place(&s->closed, children, count);
    return p15_closed_find(&s->closed, children[number].where);
}

void p15_bidirectional_trace(p15_bidirectional *search, p15_trace *trace) {
    search->trace = trace;
    if (trace && search->state == P15_SEARCH_SOLVED) p15_trace_node(trace, search->meeting, 0, 0, true);
}

/* Expands a node, and ends the search when the other side knows one of its children. */
P15_INLINE void expand(p15_bidirectional *search, side *s, const side *other, p15_board board, bool traced) {
    p15_child children[P15_DIRECTIONS];
    p15_where others[P15_DIRECTIONS];
    unsigned g = s->depth + 1, count = make_children(search, s, other, board, children, others);
    p15_board coming = p15_open_next(&s->open);
    if (coming) { /* so that by its turn the memory has answered */
        p15_child soon[P15_DIRECTIONS];
        p15_where soon_others[P15_DIRECTIONS];
        p15_closed_prefetch(&s->closed, p15_closed_where(&s->closed, coming));
        make_children(search, s, other, coming, soon, soon_others);
    }
    unsigned undo = 3u - p15_slot_direction(*p15_closed_find(&s->closed, p15_closed_where(&s->closed, board)));
    if (board == s->root) undo = P15_DIRECTIONS;
    search->expanded++;
    if (traced) {
        search->trace->side = (uint8_t)search->side;
        p15_trace_node(search->trace, board, 0, s->depth, false);
    }
    for (unsigned i = 0; i < count; i++) {
        if (children[i].direction == undo) continue;
        search->generated++;
        p15_slot *place = place_of(search, s, children, count, i);
        if (!place) {
            search->state = P15_SEARCH_NO_ROOM;
            return;
        }
        if (traced) p15_trace_child(search->trace, children[i].direction, *place ? P15_FATE_KNOWN : P15_FATE_OPEN);
        if (*place) continue;
        p15_closed_add(&s->closed, children[i].where, place, g, children[i].direction);
        const p15_slot *met = p15_closed_find(&other->closed, others[i]);
        if (met && *met) {
            search->meeting = children[i].board;
            search->state = P15_SEARCH_SOLVED;
            if (traced) p15_trace_node(search->trace, search->meeting, 0, g, true);
            return;
        }
        if (p15_open_put(&s->open, g, 0, children[i].board, 0) != P15_OK) {
            search->state = P15_SEARCH_NO_ROOM;
            return;
        }
    }
}

P15_INLINE bool run(p15_bidirectional *search, uint64_t expansions, bool traced) {
    for (; search->state == P15_SEARCH_RUNNING && expansions > 0; expansions--) {
        side *s = &search->sides[search->side], *other = &search->sides[1 - search->side];
        if (s->open.count && p15_open_first(&s->open) && s->open.row > s->depth) { /* its level is complete */
            s->depth++;
            search->side = search->sides[0].open.count <= search->sides[1].open.count ? 0 : 1;
            continue;
        }
        unsigned row, column;
        p15_board board;
        bool has_bytes = bytes_of(search) + HEADROOM <= search->max_bytes;
        if (has_bytes && !has_room(s) && !grow_on(search, s)) return true;
        if (!has_bytes || !has_room(s)) {
            search->state = P15_SEARCH_NO_ROOM;
        } else if (!p15_open_take(&s->open, &row, &column, &board, NULL)) {
            search->state = P15_SEARCH_FAILED;
        } else {
            expand(search, s, other, board, traced);
            uint64_t open = search->sides[0].open.count + search->sides[1].open.count;
            if (open > search->largest_open) search->largest_open = open;
            if (search->expanded > search->largest_closed) search->largest_closed = search->expanded;
        }
    }
    return search->state == P15_SEARCH_RUNNING;
}

static bool run_silently(p15_bidirectional *search, uint64_t expansions) { return run(search, expansions, false); }
static bool run_traced(p15_bidirectional *search, uint64_t expansions) { return run(search, expansions, true); }

bool p15_bidirectional_run(p15_bidirectional *search, uint64_t expansions) {
    for (unsigned i = 0; i < 2; i++)
        if (search->sides[i].closed.growth && !grow_on(search, &search->sides[i])) return true;
    return search->trace ? run_traced(search, expansions) : run_silently(search, expansions);
}

void p15_bidirectional_report(const p15_bidirectional *search, p15_report *report) {
    const side *sides = search->sides;
    unsigned bound = search->state == P15_SEARCH_SOLVED ? (unsigned)p15_bidirectional_path(search, NULL, 0)
                                                        : sides[0].depth + sides[1].depth + 1;
    *report = (p15_report){
        .state = search->state,
        .lower_bound = bound,
        .expanded = search->expanded,
        .generated = search->generated,
        .largest_open = search->largest_open,
        .largest_closed = search->largest_closed,
        .nodes = sides[0].closed.node_count + sides[1].closed.node_count,
        .bytes = bytes_of(search),
        .upkeep = sides[0].closed.growth || sides[1].closed.growth,
    };
}

size_t p15_bidirectional_path(const p15_bidirectional *search, uint8_t *directions, size_t room) {
    if (search->state != P15_SEARCH_SOLVED) return SIZE_MAX;
    const side *from = &search->sides[0], *to = &search->sides[1];
    size_t first = p15_closed_walk(&from->closed, &search->moves, from->root, search->meeting, directions, room);
    size_t second = p15_closed_walk(&to->closed, &search->moves, to->root, search->meeting, NULL, 0);
    p15_board board = search->meeting;
    for (size_t i = first; i < first + second; i++) { /* the goal's side was walked away from the goal */
        unsigned back = 3u - p15_slot_direction(*p15_closed_find(&to->closed, p15_closed_where(&to->closed, board)));
        if (i < room) directions[i] = (uint8_t)back;
        board = p15_moves_apply(&search->moves, board, back);
    }
    return first + second;
}
