#include "p15_idastar.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPLIT_NODES 256u        /* an iteration that generated more is followed by a split .. */
#define SPLIT_SUBTREES 96u      /* .. into about so many subtrees, */
#define RESPLIT_NODES 1000000u  /* and one that generated more than this */
#define RESPLIT_SUBTREES 4096u  /* by a finer one */
#define SPLIT_MOVES 32u         /* at most so many moves below the root */

/* The fields of a p15_place. */
#define PERM 0xffffffu
#define MAP_BIT 24
#define ROW_BIT 40
#define ROW (UINT64_C(0xffff) << ROW_BIT)
#define VALUE_BIT 56

/* A node, followed in memory by its places, one a pattern and view. A frame of the depth-first stack is a node, its
 * places, and after them its children. */
typedef struct {
    p15_board board;
    uint16_t state;       /* of the automaton */
    uint8_t blank, h;
    uint8_t move;         /* that led here from the frame below */
    uint8_t depth;        /* moves from the root of the search */
    uint8_t child_count;
    uint8_t waiting_count;
    uint32_t waiting;     /* the children still to be visited: their numbers, a byte each, the next one lowest */
    uint32_t unused;
    uint8_t view_h[P15_MAX_VIEWS];
} node;

/* A child, followed by the places that differ from its parent's, one a view. */
typedef struct {
    uint16_t state;
    uint8_t move, h, tile;
    uint8_t unused[3];
} child;

/* Where the table entry of a child in a view lies. */
typedef struct {
    const uint8_t *byte;
    uint32_t shift;
} probe;

typedef struct {
    bool solved;
    uint8_t length, path[P15_PATH_BYTES];
} answer;

/* One depth-first search. */
typedef struct {
    p15_search *search;  /* NULL: idle */
    uint32_t order;      /* of the subtree in its iteration */
    unsigned bound;
    uint8_t *frames;     /* P15_MAX_LENGTH + 2 of them */
    node *top;
    unsigned root_depth;
    unsigned min_h;
    uint64_t expanded, generated;
    uint32_t answer_order; /* the first subtree that this lane solved in the iteration, UINT32_MAX for none */
    answer answer;
    size_t board;        /* of the batch */
    double started;
    probe probes[P15_DIRECTIONS][P15_MAX_VIEWS]; /* of the top node's children, on their way */
} lane;

/* A subtree: what the iterations learnt of it, followed by its root node and places. */
typedef struct {
    uint64_t expanded, generated; /* in the last iteration that it was part of */
    uint64_t path;                /* from the root, 2 bits a move */
    uint8_t min_h;                /* smallest h seen in it, or in what it was split from */
} subtree;

struct p15_search {
    const p15_problem *problem;
    p15_status status;
    bool ended;
    answer answer;
    unsigned bound, iteration_count;
    p15_iteration iterations[P15_MAX_ITERATIONS];
    uint64_t split_expanded, split_generated; /* since the last iteration ended: counted to the next one */
    uint64_t expanded, generated;
    uint8_t *subtrees, *spare;
    uint32_t subtree_count, subtree_room, spare_room;
    uint32_t *order, order_count, order_room;
    atomic_uint cursor, best; /* next to take; first known to be solved */
    lane scratch;             /* for splitting */
};

struct p15_worker {
    const p15_problem *problem;
    uint64_t expanded, generated;
    unsigned lane_count;
    lane lanes[P15_MAX_LANES];
    p15_search *searches[P15_MAX_LANES]; /* the lanes' own, for batches */
};

/* ------------------------------------------------------------------------------------------------ memory layout */

static size_t node_bytes(const p15_problem *problem) { return sizeof(node) + problem->place_count * sizeof(p15_place); }

static size_t child_bytes(const p15_problem *problem) {
    return sizeof(child) + problem->view_count * sizeof(p15_place);
}

static size_t frame_bytes(const p15_problem *problem) {
    return node_bytes(problem) + P15_DIRECTIONS * child_bytes(problem);
}

static size_t subtree_bytes(const p15_problem *problem) { return sizeof(subtree) + node_bytes(problem); }

P15_INLINE p15_place *places_of(node *n) { return (p15_place *)(n + 1); }

P15_INLINE p15_place *places_of_child(child *c) { return (p15_place *)(c + 1); }

static subtree *subtree_at(const p15_search *search, uint32_t index) {
    return (subtree *)(search->subtrees + index * subtree_bytes(search->problem));
}

static node *root_of(subtree *s) { return (node *)(s + 1); }

/* ------------------------------------------------------------------------------------------------ the problem */

p15_status p15_problem_init(p15_shape shape, unsigned home, const p15_automaton *automaton, p15_problem *problem) {
    if (home >= shape.cells) return P15_ERR_ARGUMENT;
    memset(problem, 0, sizeof *problem);
    problem->shape = shape;
    problem->home = home;
    problem->goal = p15_board_goal(shape, home);
    problem->cpu = p15_cpu_pick();
    problem->lane_count = 8;
    problem->automaton = automaton;
    return P15_OK;
}

p15_status p15_problem_add_view(p15_problem *problem, const p15_table *tables, unsigned table_count,
                                const uint8_t *cell_to) {
    unsigned cells = problem->shape.cells, covered = 0;
    if (problem->view_count == P15_MAX_VIEWS || problem->place_count + table_count > P15_MAX_PLACES ||
        cell_to[problem->home] != problem->home)
        return P15_ERR_PATTERN;
    for (unsigned i = 0; i < table_count; i++) {
        bool other = problem->place_count + i > 0 && tables[i].classic != problem->classic;
        if (tables[i].goal_map & covered || other || tables[i].space->shape.cells != cells ||
            tables[i].space->shape.cols != problem->shape.cols)
            return P15_ERR_PATTERN;
        covered |= tables[i].goal_map;
        if (problem->place_count == 0) problem->classic = tables[i].classic;
    }
    if (covered != (((1u << cells) - 1u) & ~(1u << problem->home))) return P15_ERR_PATTERN;
    p15_view *view = &problem->views[problem->view_count++];
    view->place_begin = (uint8_t)problem->place_count;
    memcpy(view->cell_to, cell_to, cells);
    for (unsigned i = 0; i < table_count; i++) {
        unsigned place = problem->place_count++;
        const p15_space *space = tables[i].space;
        problem->tables[place] = tables[i];
        problem->lookups[place] = (p15_lookup){tables[i].payload,  space->maps,      space->high,
                                               space->first_rows, space->last_rows, space->low,
                                               tables[i].row_bytes, &problem->tables[place]};
        for (unsigned cell = 0; cell < cells; cell++) {
            unsigned goal_cell = cell_to[cell], tile = p15_board_tile(problem->goal, cell);
            if (!(tables[i].goal_map >> goal_cell & 1u)) continue;
            view->place_of[tile] = (uint8_t)place;
            problem->label_of[place][tile] = (uint8_t)p15_count_cells(tables[i].goal_map & ((1u << goal_cell) - 1u));
        }
    }
    view->place_end = (uint8_t)problem->place_count;
    view->transposed = (cell_to[0] / problem->shape.cols == cell_to[1] / problem->shape.cols) == false;
    for (unsigned blank = 0; blank < cells; blank++)
        for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
            int cell = p15_cell_neighbour(problem->shape, blank, dir);
            if (cell < 0) continue;
            unsigned from = cell_to[cell], to = cell_to[blank];
            view->steps[blank][dir] = (p15_step){
                .flip = (uint16_t)(1u << from | 1u << to),
                .below_from = (uint16_t)((1u << from) - 1u),
                .below_to = (uint16_t)(((1u << to) - 1u) & ~(1u << from)),
                .region_shift = (uint8_t)(3 * from),
                .from_cell = (uint8_t)from,
                .to_cell = (uint8_t)to,
            };
        }
    return P15_OK;
}

/* The root node of a board: places, values by descent, h. */
static p15_status make_root(const p15_problem *problem, p15_board board, node *root) {
    if (p15_board_check(board, problem->shape) != P15_OK) return P15_ERR_BOARD;
    if (!p15_board_solvable(board, problem->goal, problem->shape)) return P15_ERR_UNSOLVABLE;
    memset(root, 0, node_bytes(problem));
    root->board = board;
    root->blank = (uint8_t)p15_board_blank(board, problem->shape);
    root->state = root->blank;
    p15_place *places = places_of(root);
    uint32_t maps[P15_MAX_PLACES] = {0}, perms[P15_MAX_PLACES] = {0};
    for (unsigned v = 0; v < problem->view_count; v++) {
        const p15_view *view = &problem->views[v];
        uint8_t tile_at[P15_MAX_CELLS]; /* by the view's cells */
        unsigned sum = 0;
        for (unsigned cell = 0; cell < problem->shape.cells; cell++)
            tile_at[view->cell_to[cell]] = (uint8_t)p15_board_tile(board, cell);
        for (unsigned cell = problem->shape.cells; cell-- > 0;) {
            if (tile_at[cell] == 0) continue;
            unsigned place = view->place_of[tile_at[cell]];
            maps[place] |= 1u << cell;
            perms[place] = perms[place] << 3 | problem->label_of[place][tile_at[cell]];
        }
        for (unsigned place = view->place_begin; place < view->place_end; place++) {
            const p15_table *table = &problem->tables[place];
            unsigned value, row = problem->classic ? p15_table_manhattan(table, maps[place], perms[place])
                                                   : p15_space_row(table->space, perms[place]);
            p15_status status =
                p15_table_value(table, maps[place], perms[place], view->cell_to[root->blank], &value);
            if (status != P15_OK) return status;
            places[place] = perms[place] | (uint64_t)maps[place] << MAP_BIT | (uint64_t)row << ROW_BIT |
                            (uint64_t)value << VALUE_BIT;
            sum += value;
        }
        if (sum > 255) return P15_ERR_CORRUPT;
        root->view_h[v] = (uint8_t)sum;
        if (sum > root->h) root->h = (uint8_t)sum;
    }
    return P15_OK;
}

p15_status p15_heuristic(const p15_problem *problem, p15_board board, unsigned *h, uint8_t *views) {
    uint64_t memory[(sizeof(node) + P15_MAX_PLACES * sizeof(p15_place) + 7) / 8];
    node *root = (node *)memory;
    p15_status status = make_root(problem, board, root);
    if (status != P15_OK) return status;
    *h = root->h;
    if (views) memcpy(views, root->view_h, problem->view_count);
    return P15_OK;
}

/* ------------------------------------------------------------------------------------------------ one node
 *
 * ask .. take .. descend: the three steps of a visit. `views` and `places` are constants where the compiler knows them. */

/* The place of the moved tile's pattern after a move (its value still the old one), and where its table entry lies. */
P15_INLINE p15_place move_place(const p15_lookup *lookup, p15_place old, const p15_step *step, bool horizontal,
                                bool classic, probe *where) {
    p15_place place = old ^ (uint64_t)step->flip << MAP_BIT;
    unsigned map = (unsigned)(place >> MAP_BIT) & 0xffffu, before = (unsigned)(old >> MAP_BIT) & 0xffffu;
    uint32_t index = (uint32_t)lookup->high[map >> 8] + lookup->low[map & 255u];
    uint32_t perm = (uint32_t)old & PERM, row = (uint32_t)(old >> ROW_BIT) & 0xffffu;
    if (!horizontal) {
        perm = p15_perm_move(perm, p15_count_cells(before & step->below_from), p15_count_cells(before & step->below_to));
        place = (place & ~(uint64_t)PERM) | perm;
    }
    if (classic) {
        const p15_table *table = lookup->table;
        unsigned label = perm >> (3 * p15_count_cells(before & step->below_to)) & 7u;
        row += table->distance[step->to_cell][label] - (uint32_t)table->distance[step->from_cell][label];
        place = (place & ~ROW) | (uint64_t)(row & 0xffffu) << ROW_BIT;
        row = (uint32_t)lookup->first_rows[perm & 4095u] + lookup->last_rows[perm >> 12];
        where->byte = lookup->payload + index * lookup->row_bytes + (row >> 1);
        where->shift = 4 * (row & 1u);
    } else {
        if (!horizontal) {
            row = (uint32_t)lookup->first_rows[perm & 4095u] + lookup->last_rows[perm >> 12];
            place = (place & ~ROW) | (uint64_t)row << ROW_BIT;
        }
        uint64_t record = lookup->maps[index];
        uint32_t block = (uint32_t)(record >> 48) + ((uint32_t)(record >> step->region_shift) & 7u);
        where->byte = lookup->payload + row * lookup->row_bytes + (block >> 3);
        where->shift = block & 7u;
    }
    P15_PREFETCH(where->byte);
    return place;
}

/* Makes the children of the lane's top node and asks for their table bytes. `axes` says that there are two views, and
 * that the second exchanges rows and columns. */
P15_INLINE void ask(const p15_problem *problem, lane *l, unsigned views, bool axes, bool classic, size_t child_size,
                    size_t node_size) {
    node *n = l->top;
    const uint16_t *next = problem->automaton->next + (size_t)n->state * P15_DIRECTIONS;
    const p15_place *places = places_of(n);
    unsigned count = 0, cols = problem->shape.cols;
    const unsigned steps[P15_DIRECTIONS] = {0u - cols, 0u - 1u, 1u, cols};
#if defined(__GNUC__)
#pragma GCC unroll 4
#endif
    for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
        if (next[dir] == P15_NO_MOVE) continue;
        child *c = (child *)((uint8_t *)n + node_size + count * child_size);
        unsigned tile = p15_board_tile(n->board, n->blank + steps[dir]);
        bool sideways = dir == P15_LEFT || dir == P15_RIGHT;
        c->state = next[dir];
        c->move = (uint8_t)dir;
        c->tile = (uint8_t)tile;
        for (unsigned v = 0; v < views; v++) {
            const p15_view *view = &problem->views[v];
            unsigned place = view->place_of[tile];
            bool horizontal = sideways != (axes ? v == 1 : view->transposed);
            places_of_child(c)[v] = move_place(&problem->lookups[place], places[place], &view->steps[n->blank][dir],
                                               horizontal, classic, &l->probes[count][v]);
        }
        count++;
    }
    n->child_count = (uint8_t)count;
    l->expanded++;
}

/* Takes in the bytes asked for: values, h, and the list of the children within the bound, those of smaller h first.
 * Returns whether a child has h = 0. */
P15_INLINE bool take(const p15_problem *problem, lane *l, unsigned views, bool classic, size_t child_size,
                     size_t node_size) {
    node *n = l->top;
    unsigned room = l->bound - n->depth - 1u, lower_count = 0, count = 0, goal = 0, min_h = l->min_h;
    uint32_t lower = 0, others = 0; /* lists of children */
    for (unsigned i = 0; i < n->child_count; i++) {
        child *c = (child *)((uint8_t *)n + node_size + i * child_size);
        unsigned h = 0;
        for (unsigned v = 0; v < views; v++) {
            p15_place *place = &places_of_child(c)[v];
            unsigned old = (unsigned)(*place >> VALUE_BIT), bits = (unsigned)*l->probes[i][v].byte >> l->probes[i][v].shift;
            unsigned change = classic ? ((unsigned)(*place >> ROW_BIT) & 0xffffu) + 2u * (bits & 15u) - old
                                      : 1u - 2u * ((((old + 1u) >> 1) ^ bits) & 1u);
            *place += (uint64_t)change << VALUE_BIT;
            unsigned sum = (n->view_h[v] + change) & 255u;
            h = sum > h ? sum : h;
        }
        c->h = (uint8_t)h;
        unsigned within = h <= room, first = within & (h < n->h) & !problem->plain;
        lower |= (first * i) << (8 * lower_count);
        lower_count += first;
        others |= ((within & !first) * i) << (8 * count);
        count += within & !first;
        goal |= within & (h == 0);
        min_h = h < min_h ? h : min_h;
    }
    l->min_h = min_h;
    l->generated += n->child_count;
    n->waiting = (uint32_t)((uint64_t)others << (8 * lower_count)) | lower;
    n->waiting_count = (uint8_t)(count + lower_count);
    return goal;
}

/* Writes the node of a child. */
P15_INLINE void descend(const p15_problem *problem, const node *parent, const child *c, unsigned views, unsigned places,
                        node *target) {
    unsigned cols = problem->shape.cols;
    const unsigned steps[P15_DIRECTIONS] = {0u - cols, 0u - 1u, 1u, cols};
    unsigned cell = parent->blank + steps[c->move];
    target->board = p15_board_slide(parent->board, parent->blank, cell);
    target->state = c->state;
    target->blank = (uint8_t)cell;
    target->h = c->h;
    target->move = c->move;
    target->depth = (uint8_t)(parent->depth + 1);
    const p15_place *from = (const p15_place *)(parent + 1), *changed = (const p15_place *)(c + 1);
    p15_place *to = places_of(target);
    for (unsigned i = 0; i < places; i++) to[i] = from[i];
    for (unsigned v = 0; v < views; v++) {
        unsigned place = problem->views[v].place_of[c->tile];
        target->view_h[v] = (uint8_t)(parent->view_h[v] + (changed[v] >> VALUE_BIT) - (from[place] >> VALUE_BIT));
        to[place] = changed[v];
    }
}

/* ------------------------------------------------------------------------------------------------ lanes */

typedef enum { LANE_RUNNING, LANE_EXHAUSTED, LANE_SOLVED } lane_end;

P15_INLINE lane_end visit(const p15_problem *problem, lane *l, unsigned views, unsigned places, bool axes, bool classic) {
    size_t node_size = sizeof(node) + places * sizeof(p15_place);
    size_t child_size = sizeof(child) + views * sizeof(p15_place);
    size_t frame_size = node_size + P15_DIRECTIONS * child_size;
    if (take(problem, l, views, classic, child_size, node_size)) return LANE_SOLVED;
    node *n = l->top;
    while (n->waiting_count == 0) {
        if ((uint8_t *)n == l->frames) return LANE_EXHAUSTED;
        n = (node *)((uint8_t *)n - frame_size);
    }
    const child *c = (const child *)((uint8_t *)n + node_size + (n->waiting & 255u) * child_size);
    n->waiting >>= 8;
    n->waiting_count--;
    node *next = (node *)((uint8_t *)n + frame_size);
    descend(problem, n, c, views, places, next);
    l->top = next;
    ask(problem, l, views, axes, classic, child_size, node_size);
    return LANE_RUNNING;
}

/* Visits the busy lanes in turn until one ends or *visits is used up. Returns the lane that ended, or lane_count. */
P15_INLINE unsigned run_lanes(p15_worker *w, uint64_t *visits, lane_end *end, unsigned views, unsigned places,
                              bool axes, bool classic) {
    const p15_problem *problem = w->problem;
    while (*visits > 0) {
        unsigned busy = 0;
        for (unsigned i = 0; i < w->lane_count; i++) {
            if (!w->lanes[i].search) continue;
            busy++;
            *end = visit(problem, &w->lanes[i], views, places, axes, classic);
            if (*end != LANE_RUNNING) return i;
        }
        *visits -= busy < *visits ? busy : *visits;
        if (!busy) break;
    }
    return w->lane_count;
}

typedef unsigned run_function(p15_worker *, uint64_t *, lane_end *);

#define RUN_FUNCTION(name, views, places, axes, classic)                                                        \
    static unsigned run_##name##_plain(p15_worker *w, uint64_t *visits, lane_end *end) {                        \
        return run_lanes(w, visits, end, views, places, axes, classic);                                         \
    }                                                                                                           \
    P15_TARGET_V3 static unsigned run_##name##_v3(p15_worker *w, uint64_t *visits, lane_end *end) {             \
        return run_lanes(w, visits, end, views, places, axes, classic);                                         \
    }
RUN_FUNCTION(halves, 2, 4, true, false) /* two patterns and their reflection */
RUN_FUNCTION(views, w->problem->view_count, w->problem->place_count, false, false)
RUN_FUNCTION(classic_views, w->problem->view_count, w->problem->place_count, false, true)

static run_function *pick_run(const p15_problem *problem) {
    bool v3 = problem->cpu == P15_CPU_V3;
    if (problem->classic) return v3 ? run_classic_views_v3 : run_classic_views_plain;
    if (problem->view_count == 2 && problem->place_count == 4 && !problem->views[0].transposed &&
        problem->views[1].transposed)
        return v3 ? run_halves_v3 : run_halves_plain;
    return v3 ? run_views_v3 : run_views_plain;
}

static void set_move(uint8_t *path, unsigned index, unsigned move) {
    unsigned shift = 2 * (index % 4);
    path[index / 4] = (uint8_t)((path[index / 4] & ~(3u << shift)) | move << shift);
}

static bool make_lane(const p15_problem *problem, lane *l) {
    memset(l, 0, sizeof *l);
    l->frames = malloc(frame_bytes(problem) * (P15_MAX_LENGTH + 2));
    return l->frames != NULL;
}

/* Puts a lane to work on the subtree that is `order` in the search's iteration. */
static void load_lane(lane *l, p15_search *search, uint32_t order) {
    const p15_problem *problem = search->problem;
    node *root = root_of(subtree_at(search, search->order[order]));
    l->search = search;
    l->order = order;
    l->bound = search->bound;
    memcpy(l->frames, root, node_bytes(problem));
    l->top = (node *)l->frames;
    l->root_depth = root->depth;
    l->min_h = root->h;
    l->expanded = l->generated = 0;
    size_t child_size = child_bytes(problem), node_size = node_bytes(problem);
    if (problem->classic) ask(problem, l, problem->view_count, false, true, child_size, node_size);
    else ask(problem, l, problem->view_count, false, false, child_size, node_size);
}

/* Gives a lane the next subtree of a search, if there is one that can still matter. */
static bool take_subtree(lane *l, p15_search *search) {
    uint32_t order = atomic_fetch_add(&search->cursor, 1);
    l->search = NULL;
    if (order >= search->order_count || order > atomic_load(&search->best)) return false;
    load_lane(l, search, order);
    return true;
}

/* The path to the child with h = 0 of a lane's top node. Returns false when that board is not the goal: then the tables
 * are damaged. */
static bool write_answer(const p15_problem *problem, lane *l, answer *a) {
    size_t node_size = node_bytes(problem), child_size = child_bytes(problem), frame_size = frame_bytes(problem);
    node *top = l->top;
    const subtree *s = subtree_at(l->search, l->search->order[l->order]);
    for (unsigned i = 0; i < top->child_count; i++) {
        child *c = (child *)((uint8_t *)top + node_size + i * child_size);
        if (c->h != 0) continue;
        int cell = p15_cell_neighbour(problem->shape, top->blank, c->move);
        if (p15_board_slide(top->board, top->blank, (unsigned)cell) != problem->goal) continue;
        memset(a, 0, sizeof *a);
        a->solved = true;
        a->length = (uint8_t)(top->depth + 1);
        for (unsigned m = 0; m < l->root_depth; m++) set_move(a->path, m, s->path >> (2 * m) & 3u);
        for (node *n = top; (uint8_t *)n != l->frames; n = (node *)((uint8_t *)n - frame_size))
            set_move(a->path, n->depth - 1u, n->move);
        set_move(a->path, top->depth, c->move);
        return true;
    }
    return false;
}

/* Books what a lane found in its subtree. */
static void finish_subtree(p15_worker *w, lane *l, lane_end end) {
    p15_search *search = l->search;
    subtree *s = subtree_at(search, search->order[l->order]);
    s->expanded = l->expanded;
    s->generated = l->generated;
    s->min_h = (uint8_t)l->min_h;
    w->expanded += l->expanded;
    w->generated += l->generated;
    if (end != LANE_SOLVED) return;
    answer found;
    if (!write_answer(w->problem, l, &found)) found.solved = false;
    if (l->order < l->answer_order) {
        l->answer_order = l->order;
        l->answer = found;
    }
    unsigned best = atomic_load(&search->best);
    while (l->order < best && !atomic_compare_exchange_weak(&search->best, &best, l->order)) {}
}

/* ------------------------------------------------------------------------------------------------ iterations */

static bool reserve_subtrees(p15_search *search, uint32_t count) {
    if (count <= search->spare_room) return true;
    uint32_t room = search->spare_room ? search->spare_room : 64;
    while (room < count) room *= 2;
    uint8_t *memory = realloc(search->spare, room * subtree_bytes(search->problem));
    if (!memory) return false;
    search->spare = memory;
    search->spare_room = room;
    return true;
}

/* Replaces every subtree, in the order given, by those of its children. Returns false for want of memory; a goal met on
 * the way ends the search. */
static bool split_once(p15_search *search) {
    const p15_problem *problem = search->problem;
    size_t node_size = node_bytes(problem), child_size = child_bytes(problem), stride = subtree_bytes(problem);
    lane *l = &search->scratch;
    uint32_t count = 0;
    for (uint32_t i = 0; i < search->order_count; i++) {
        subtree *parent = subtree_at(search, search->order[i]);
        if (!reserve_subtrees(search, count + P15_DIRECTIONS)) return false;
        load_lane(l, search, i);
        l->bound = 255;
        bool goal = take(problem, l, problem->view_count, problem->classic, child_size, node_size);
        search->split_expanded += l->expanded;
        search->split_generated += l->generated;
        if (goal) {
            search->ended = true;
            if (!write_answer(problem, l, &search->answer)) search->status = P15_ERR_CORRUPT;
            return true;
        }
        for (unsigned c = 0; c < l->top->child_count; c++) {
            child *made = (child *)((uint8_t *)l->top + node_size + c * child_size);
            subtree *s = (subtree *)(search->spare + count++ * stride);
            s->expanded = parent->expanded;
            s->generated = parent->generated;
            s->min_h = parent->min_h;
            s->path = parent->path | (uint64_t)made->move << (2 * l->root_depth);
            descend(problem, l->top, made, problem->view_count, problem->place_count, root_of(s));
        }
    }
    uint8_t *memory = search->subtrees;
    uint32_t room = search->subtree_room;
    search->subtrees = search->spare;
    search->subtree_room = search->spare_room;
    search->spare = memory;
    search->spare_room = room;
    search->subtree_count = count;
    return true;
}

/* Lists the subtrees within f = limit, the most promising first. */
static bool order_subtrees(p15_search *search, unsigned limit) {
    if (search->order_room < search->subtree_count) {
        uint32_t *memory = realloc(search->order, search->subtree_count * sizeof *memory);
        if (!memory) return false;
        search->order = memory;
        search->order_room = search->subtree_count;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < search->subtree_count; i++) {
        subtree *s = subtree_at(search, i);
        if (root_of(s)->depth + root_of(s)->h > limit) continue;
        uint32_t at = count++;
        /* insertion from the end: mostly in order already */
        for (; at > 0; at--) {
            const subtree *before = subtree_at(search, search->order[at - 1]);
            if (before->min_h < s->min_h || (before->min_h == s->min_h && before->expanded >= s->expanded)) break;
            search->order[at] = search->order[at - 1];
        }
        search->order[at] = i;
    }
    search->order_count = count;
    return true;
}

/* Splits if the last iteration asks for it, and sets up the next one. */
static p15_status begin_iteration(p15_search *search) {
    uint64_t generated = search->iteration_count ? search->iterations[search->iteration_count - 1].generated : 0;
    uint32_t aim = search->problem->plain || generated <= SPLIT_NODES ? 1
                   : generated <= RESPLIT_NODES                       ? SPLIT_SUBTREES
                                                                      : RESPLIT_SUBTREES;
    while (search->subtree_count < aim && root_of(subtree_at(search, 0))->depth < SPLIT_MOVES && !search->ended) {
        if (!order_subtrees(search, 255) || !split_once(search)) return P15_ERR_MEMORY;
        if (search->subtree_count == 0) return P15_ERR_CORRUPT;
    }
    if (search->ended) return search->status;
    if (!order_subtrees(search, search->bound)) return P15_ERR_MEMORY;
    atomic_store(&search->cursor, 0);
    atomic_store(&search->best, UINT32_MAX);
    return P15_OK;
}

static p15_status begin_search(p15_search *search, p15_board board) {
    const p15_problem *problem = search->problem;
    search->status = P15_OK;
    search->ended = false;
    memset(&search->answer, 0, sizeof search->answer);
    search->iteration_count = 0;
    search->split_expanded = search->split_generated = search->expanded = search->generated = 0;
    if (search->subtree_room < 1) {
        search->subtrees = malloc(subtree_bytes(problem));
        if (!search->subtrees) return P15_ERR_MEMORY;
        search->subtree_room = 1;
    }
    search->subtree_count = 1;
    subtree *s = subtree_at(search, 0);
    memset(s, 0, sizeof *s);
    p15_status status = make_root(problem, board, root_of(s));
    if (status != P15_OK) return status;
    search->bound = root_of(s)->h;
    if (board == problem->goal) {
        search->ended = true;
        search->answer.solved = true;
        return P15_OK;
    }
    return begin_iteration(search);
}

/* Ends the iteration that `lanes` worked on. Returns whether there is another one. */
static bool end_iteration(p15_search *search, lane *const *lanes, unsigned lane_count) {
    uint32_t best = atomic_load(&search->best), last = search->order_count;
    p15_iteration it = {search->bound, search->split_expanded, search->split_generated};
    search->split_expanded = search->split_generated = 0;
    if (best != UINT32_MAX) last = best + 1;
    for (uint32_t i = 0; i < last; i++) {
        const subtree *s = subtree_at(search, search->order[i]);
        it.expanded += s->expanded;
        it.generated += s->generated;
    }
    if (search->iteration_count < P15_MAX_ITERATIONS) search->iterations[search->iteration_count++] = it;
    search->expanded += it.expanded;
    search->generated += it.generated;
    for (unsigned i = 0; i < lane_count; i++)
        if (best != UINT32_MAX && lanes[i]->answer_order == best) search->answer = lanes[i]->answer;
    if (best != UINT32_MAX) {
        search->ended = true;
        if (!search->answer.solved) search->status = P15_ERR_CORRUPT;
        return false;
    }
    search->bound += 2;
    if (search->bound > P15_MAX_LENGTH || search->iteration_count == P15_MAX_ITERATIONS) search->status = P15_ERR_CORRUPT;
    else search->status = begin_iteration(search);
    if (search->status != P15_OK) search->ended = true;
    return !search->ended;
}

/* ------------------------------------------------------------------------------------------------ public calls */

static p15_status make_search(const p15_problem *problem, p15_search **search) {
    p15_search *s = calloc(1, sizeof *s);
    if (!s || !make_lane(problem, &s->scratch)) {
        free(s);
        return P15_ERR_MEMORY;
    }
    s->problem = problem;
    *search = s;
    return P15_OK;
}

p15_status p15_search_new(const p15_problem *problem, p15_board board, p15_search **search) {
    p15_search *s;
    p15_status status = make_search(problem, &s);
    if (status != P15_OK) return status;
    status = begin_search(s, board);
    if (status != P15_OK) p15_search_delete(s);
    else *search = s;
    return status;
}

void p15_search_delete(p15_search *search) {
    if (!search) return;
    free(search->scratch.frames);
    free(search->subtrees);
    free(search->spare);
    free(search->order);
    free(search);
}

p15_status p15_worker_new(const p15_problem *problem, p15_worker **worker) {
    p15_worker *w = calloc(1, sizeof *w);
    if (!w) return P15_ERR_MEMORY;
    w->problem = problem;
    w->lane_count = problem->lane_count < P15_MAX_LANES ? problem->lane_count : P15_MAX_LANES;
    for (unsigned i = 0; i < w->lane_count; i++)
        if (!make_lane(problem, &w->lanes[i]) || make_search(problem, &w->searches[i]) != P15_OK) {
            p15_worker_delete(w);
            return P15_ERR_MEMORY;
        }
    *worker = w;
    return P15_OK;
}

void p15_worker_delete(p15_worker *worker) {
    if (!worker) return;
    for (unsigned i = 0; i < worker->lane_count; i++) {
        free(worker->lanes[i].frames);
        p15_search_delete(worker->searches[i]);
    }
    free(worker);
}

uint64_t p15_worker_generated(const p15_worker *worker) {
    uint64_t running = 0;
    for (unsigned i = 0; i < worker->lane_count; i++)
        if (worker->lanes[i].search) running += worker->lanes[i].generated;
    return worker->generated + running;
}

uint64_t p15_worker_expanded(const p15_worker *worker) {
    uint64_t running = 0;
    for (unsigned i = 0; i < worker->lane_count; i++)
        if (worker->lanes[i].search) running += worker->lanes[i].expanded;
    return worker->expanded + running;
}

bool p15_worker_run(p15_worker *worker, p15_search *search, uint64_t visits) {
    run_function *run = pick_run(worker->problem);
    if (search->ended) return false;
    for (unsigned i = 0; i < worker->lane_count; i++)
        if (!worker->lanes[i].search) {
            worker->lanes[i].answer_order = UINT32_MAX;
            take_subtree(&worker->lanes[i], search);
        }
    while (visits > 0) {
        lane_end end;
        unsigned ended = run(worker, &visits, &end);
        unsigned best = atomic_load(&search->best);
        if (ended < worker->lane_count) {
            lane *l = &worker->lanes[ended];
            finish_subtree(worker, l, end);
            best = atomic_load(&search->best);
            take_subtree(l, search);
        }
        for (unsigned i = 0; i < worker->lane_count; i++)
            if (worker->lanes[i].search && worker->lanes[i].order > best) worker->lanes[i].search = NULL;
        bool busy = false;
        for (unsigned i = 0; i < worker->lane_count; i++) busy |= worker->lanes[i].search != NULL;
        if (!busy) return false;
    }
    return true;
}

bool p15_search_advance(p15_search *search, p15_worker *const *workers, unsigned worker_count) {
    if (search->ended) return false;
    uint32_t best = atomic_load(&search->best);
    lane *none = NULL, **finder = &none;
    unsigned found = 0;
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->lane_count; i++) {
            lane *l = &workers[w]->lanes[i];
            if (best != UINT32_MAX && l->answer_order == best) {
                none = l;
                found = 1;
            }
            l->search = NULL;
        }
    bool more = end_iteration(search, finder, found);
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->lane_count; i++) workers[w]->lanes[i].answer_order = UINT32_MAX;
    return more;
}

void p15_search_result(const p15_search *search, p15_result *result, p15_iteration *iterations) {
    memset(result, 0, sizeof *result);
    result->status = search->status;
    result->solved = search->answer.solved && search->status == P15_OK;
    result->length = search->answer.length;
    result->lower_bound = (uint8_t)(result->solved ? search->answer.length : search->bound);
    memcpy(result->path, search->answer.path, sizeof result->path);
    result->expanded = search->expanded + search->split_expanded;
    result->generated = search->generated + search->split_generated;
    result->iteration_count = search->iteration_count;
    if (iterations) memcpy(iterations, search->iterations, search->iteration_count * sizeof *iterations);
}

void p15_batch_start(const p15_board *boards, p15_result *results, size_t count, p15_batch *batch) {
    batch->boards = boards;
    batch->results = results;
    batch->count = count;
    atomic_init(&batch->next, 0);
    atomic_init(&batch->done, 0);
}

size_t p15_batch_done(const p15_batch *batch) { return atomic_load(&((p15_batch *)batch)->done); }

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ends a lane's board and gives it boards of the batch until one needs visits or none is left. */
static void next_board(p15_worker *w, unsigned index, p15_batch *batch) {
    lane *l = &w->lanes[index];
    p15_search *search = w->searches[index];
    if (l->search) {
        p15_result *result = &batch->results[l->board];
        p15_search_result(search, result, NULL);
        result->seconds = (now() - l->started) / w->lane_count;
        atomic_fetch_add(&batch->done, 1);
    }
    for (;;) {
        l->search = NULL;
        l->board = atomic_fetch_add(&batch->next, 1);
        if (l->board >= batch->count) return;
        p15_result *result = &batch->results[l->board];
        if (result->status != P15_OK) {
            atomic_fetch_add(&batch->done, 1);
            continue;
        }
        l->started = now();
        l->answer_order = UINT32_MAX;
        p15_status status = begin_search(search, batch->boards[l->board]);
        if (status == P15_OK && !search->ended && take_subtree(l, search)) return;
        p15_search_result(search, result, NULL);
        if (status != P15_OK) result->status = status;
        result->seconds = now() - l->started;
        atomic_fetch_add(&batch->done, 1);
    }
}

bool p15_worker_run_batch(p15_worker *worker, p15_batch *batch, uint64_t visits) {
    run_function *run = pick_run(worker->problem);
    for (unsigned i = 0; i < worker->lane_count; i++)
        if (!worker->lanes[i].search) next_board(worker, i, batch);
    while (visits > 0) {
        lane_end end;
        unsigned ended = run(worker, &visits, &end);
        if (ended < worker->lane_count) {
            lane *l = &worker->lanes[ended];
            p15_search *search = worker->searches[ended];
            finish_subtree(worker, l, end);
            while (!take_subtree(l, search)) {
                if (end_iteration(search, &l, 1)) continue;
                l->search = search; /* ended: booked by next_board */
                next_board(worker, ended, batch);
                break;
            }
        }
        bool busy = false;
        for (unsigned i = 0; i < worker->lane_count; i++) busy |= worker->lanes[i].search != NULL;
        if (!busy) return false;
    }
    return true;
}
