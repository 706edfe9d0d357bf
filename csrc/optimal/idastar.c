#include "optimal/idastar.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FRINGE 256u        /* a fringe with more records than this stays */
#define MOST_RECORDS (1u << 22) /* 4,000 times what sound tables make of such a fringe: more is a damaged table */
#define NOWHERE UINT32_MAX

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
    uint64_t moves; /* that led here, 2 bits each, the last one lowest; older ones have dropped out */
    uint16_t state; /* of the automaton */
    uint8_t blank, h;
    uint8_t depth; /* moves from the root of the search */
    uint8_t child_count;
    uint8_t waiting_count;
    uint8_t unused[5];
    uint32_t waiting; /* the children still to be visited: their numbers, a byte each, the next one lowest */
    uint8_t view_h[P15_MAX_VIEWS];
} node;

/* A node that is no frame. */
typedef struct {
    node node;
    p15_place places[P15_MAX_PLACES];
} lone_node;

_Static_assert(offsetof(lone_node, places) == sizeof(node), "places follow their node at once");

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

/* A node from which iterations go on, followed by its places: one cache line for two views of two patterns. Records are
 * never taken back during a search: later ones name them as the way they came. */
typedef struct {
    p15_board board;
    uint64_t moves;  /* as in a node; the last `count` of them come after those of record `before` */
    uint32_t before; /* NOWHERE: from the start */
    uint32_t link;   /* the next record of the same h */
    uint16_t state;
    uint8_t blank, h, depth, count;
    uint8_t unused[2];
} record;

/* What a staying fringe's iterations learn of a record. */
typedef struct {
    uint64_t expanded, generated; /* below it, in the last iteration that it was part of */
    uint32_t record;
    uint16_t min_h, f; /* the smallest h seen below it; its own f */
} subtree;

/* One depth-first search below a record. */
typedef struct {
    p15_search *search; /* NULL: idle */
    uint32_t record;    /* NOWHERE: it has just come to the iteration */
    uint32_t order;     /* staying fringe: of the subtree in its iteration */
    unsigned joined;    /* 1 + the number of the iteration it has joined, 0 for none */
    unsigned bound;
    uint8_t *frames; /* P15_MAX_LENGTH + 2 of them */
    node *top;
    unsigned min_h;
    uint64_t expanded, generated; /* below this record */
    uint32_t answer_order;        /* the first subtree that this lane solved in the iteration, NOWHERE for none */
    answer answer;
    size_t board; /* of the batch */
    double started;
    probe probes[P15_DIRECTIONS][P15_MAX_VIEWS]; /* of the top node's children, on their way */
} lane;

struct p15_search {
    const p15_problem *problem;
    _Atomic(p15_status) status; /* the lane that moves a fringe may find it, while others read it */
    bool ended;
    answer answer;
    unsigned bound, limit, iteration_count;
    p15_iteration iterations[P15_MAX_ITERATIONS];
    uint64_t expanded, generated; /* in finished iterations */
    uint8_t *records;             /* record, places */
    uint32_t record_count, record_room;
    bool moving;  /* whether the fringe moves on, or stays */
    bool keeping; /* moving, and the next bound is within the limit: what is cut off will be wanted */
    /* a moving fringe: records listed by h, the latest first */
    uint32_t present[256], next[256];
    unsigned present_h; /* no record of a smaller h is left in `present` */
    uint32_t next_count;
    uint64_t moved_expanded, moved_generated; /* in this iteration */
    /* a staying fringe */
    subtree *subtrees;
    uint32_t subtree_count, subtree_room;
    uint32_t *order, order_count; /* subtrees within the bound, the most promising first */
    atomic_uint cursor, best;     /* next to take; first known to be solved */
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

static size_t record_bytes(const p15_problem *problem) {
    return sizeof(record) + problem->place_count * sizeof(p15_place);
}

P15_INLINE p15_place *places_of(node *n) { return (p15_place *)(n + 1); }

P15_INLINE p15_place *places_of_child(child *c) { return (p15_place *)(c + 1); }

static record *record_at(const p15_search *search, uint32_t index) {
    return (record *)(search->records + index * record_bytes(search->problem));
}

/* Makes a record, and returns its index; NOWHERE for want of memory, or when there are MOST_RECORDS. */
static uint32_t add_record(p15_search *search) {
    if (search->record_count == MOST_RECORDS) return NOWHERE;
    if (search->record_count == search->record_room) {
        uint32_t room = search->record_room ? 2 * search->record_room : 256;
        uint8_t *memory = realloc(search->records, room * record_bytes(search->problem));
        if (!memory) return NOWHERE;
        search->records = memory;
        search->record_room = room;
    }
    return search->record_count++;
}

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

static bool is_symmetry(p15_shape shape, const uint8_t *cell_to) {
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    for (unsigned s = p15_symmetries(shape, maps); s-- > 0;)
        if (memcmp(maps[s], cell_to, shape.cells) == 0) return true;
    return false;
}

p15_status p15_problem_add_view(p15_problem *problem, const p15_table *tables, unsigned table_count,
                                const uint8_t *cell_to) {
    unsigned cells = problem->shape.cells, covered = 0;
    if (problem->view_count == P15_MAX_VIEWS || problem->place_count + table_count > P15_MAX_PLACES ||
        !is_symmetry(problem->shape, cell_to) || cell_to[problem->home] != problem->home)
        return P15_ERR_PATTERN;
    for (unsigned i = 0; i < table_count; i++) {
        bool other = problem->place_count + i > 0 && tables[i].classic != problem->classic;
        if (tables[i].goal_map & covered || tables[i].goal_map >> problem->home & 1u || other ||
            tables[i].space->shape.cells != cells || tables[i].space->shape.cols != problem->shape.cols ||
            p15_space_block(tables[i].space, tables[i].goal_map, problem->home) != tables[i].goal_block)
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
        problem->lookups[place] =
            (p15_lookup){tables[i].payload, space->maps, space->high,         space->first_rows,
                         space->last_rows,  space->low,  tables[i].row_bytes, &problem->tables[place]};
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

p15_status p15_problem_move_table(p15_problem *problem, unsigned place, const p15_table *table) {
    if (place >= problem->place_count) return P15_ERR_ARGUMENT;
    const p15_table *old = &problem->tables[place];
    if (table->space != old->space || table->classic != old->classic || table->goal_map != old->goal_map)
        return P15_ERR_ARGUMENT;
    problem->tables[place].payload = table->payload;
    problem->lookups[place].payload = table->payload;
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
            p15_status status = p15_table_value(table, maps[place], perms[place], view->cell_to[root->blank], &value);
            if (status != P15_OK) return status;
            places[place] = perms[place] | (uint64_t)maps[place] << MAP_BIT | (uint64_t)row << ROW_BIT |
                            (uint64_t)value << VALUE_BIT;
            sum += value;
        }
        if (sum > P15_MAX_LENGTH) return P15_ERR_CORRUPT;
        root->view_h[v] = (uint8_t)sum;
        if (sum > root->h) root->h = (uint8_t)sum;
    }
    return P15_OK;
}

p15_status p15_heuristic(const p15_problem *problem, p15_board board, unsigned *h, uint8_t *views) {
    lone_node lone;
    node *root = &lone.node;
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
        perm =
            p15_perm_move(perm, p15_count_cells(before & step->below_from), p15_count_cells(before & step->below_to));
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

/* Takes in the bytes asked for: values, h, and the list of the children within the bound, those of smaller h first; bit i
 * of *beyond is set for child i beyond it. Returns whether a child has h = 0. */
P15_INLINE bool take(const p15_problem *problem, lane *l, unsigned views, bool classic, size_t child_size,
                     size_t node_size, unsigned *beyond) {
    node *n = l->top;
    unsigned room = l->bound - n->depth - 1u, lower_count = 0, count = 0, goal = 0, min_h = l->min_h;
    uint32_t lower = 0, others = 0; /* lists of children */
    unsigned cut = 0;
    for (unsigned i = 0; i < n->child_count; i++) {
        child *c = (child *)((uint8_t *)n + node_size + i * child_size);
        unsigned h = 0;
        for (unsigned v = 0; v < views; v++) {
            p15_place *place = &places_of_child(c)[v];
            unsigned old = (unsigned)(*place >> VALUE_BIT),
                     bits = (unsigned)*l->probes[i][v].byte >> l->probes[i][v].shift;
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
        cut |= (unsigned)!within << i;
        goal |= within & (h == 0);
        min_h = h < min_h ? h : min_h;
    }
    l->min_h = min_h;
    l->generated += n->child_count;
    n->waiting = (uint32_t)((uint64_t)others << (8 * lower_count)) | lower;
    n->waiting_count = (uint8_t)(count + lower_count);
    *beyond = cut;
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
    target->moves = parent->moves << 2 | c->move;
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

/* Records for the first moves of a way of `count` moves from the lane's record to its top node's children, until at most
 * 32 are left; the last of them. NOWHERE for want of memory. */
static uint32_t bridge(lane *l, unsigned *count, size_t frame_size) {
    uint32_t before = l->record;
    for (unsigned moves = 32; *count > 32; moves += 32, *count -= 32) {
        uint32_t made = add_record(l->search);
        if (made == NOWHERE) return NOWHERE;
        *record_at(l->search, made) =
            (record){.moves = ((const node *)(l->frames + moves * frame_size))->moves, .before = before, .count = 32};
        before = made;
    }
    return before;
}

/* Puts the children beyond the bound, a bit each, on the next fringe. */
P15_INLINE bool keep_beyond(const p15_problem *problem, lane *l, unsigned beyond, unsigned views, unsigned places,
                            size_t child_size, size_t node_size, size_t frame_size) {
    p15_search *search = l->search;
    const node *n = l->top;
    unsigned cols = problem->shape.cols, count = n->depth + 1u - ((const node *)l->frames)->depth;
    const unsigned steps[P15_DIRECTIONS] = {0u - cols, 0u - 1u, 1u, cols};
    uint32_t before = l->record;
    if (count > 32 && (before = bridge(l, &count, frame_size)) == NOWHERE) return false;
    for (unsigned i = 0; beyond >> i; i++) {
        if (!(beyond >> i & 1u)) continue;
        const child *c = (const child *)((const uint8_t *)n + node_size + i * child_size);
        uint32_t index = add_record(search);
        if (index == NOWHERE) return false;
        record *r = (record *)(search->records + index * (sizeof(record) + places * sizeof(p15_place)));
        unsigned cell = n->blank + steps[c->move];
        r->board = p15_board_slide(n->board, n->blank, cell);
        r->moves = n->moves << 2 | c->move;
        r->before = before;
        r->link = search->next[c->h];
        r->state = c->state;
        r->blank = (uint8_t)cell;
        r->h = c->h;
        r->depth = (uint8_t)(n->depth + 1);
        r->count = (uint8_t)count;
        const p15_place *from = (const p15_place *)(n + 1), *changed = (const p15_place *)(c + 1);
        p15_place *to = (p15_place *)(r + 1);
        for (unsigned p = 0; p < places; p++) to[p] = from[p];
        for (unsigned v = 0; v < views; v++) to[problem->views[v].place_of[c->tile]] = changed[v];
        search->next[c->h] = index;
        search->next_count++;
    }
    return true;
}

/* Makes a record the lane's root. */
P15_INLINE void load_record(const p15_problem *problem, lane *l, uint32_t index, unsigned views, unsigned places) {
    const record *r = (const record *)(l->search->records + index * (sizeof(record) + places * sizeof(p15_place)));
    node *n = (node *)l->frames;
    l->record = index;
    l->top = n;
    l->min_h = r->h;
    n->board = r->board;
    n->moves = r->moves;
    n->state = r->state;
    n->blank = r->blank;
    n->h = r->h;
    n->depth = r->depth;
    const p15_place *from = (const p15_place *)(r + 1);
    p15_place *to = places_of(n);
    for (unsigned p = 0; p < places; p++) to[p] = from[p];
    for (unsigned v = 0; v < views; v++) {
        unsigned h = 0;
        for (unsigned p = problem->views[v].place_begin; p < problem->views[v].place_end; p++)
            h += (unsigned)(from[p] >> VALUE_BIT);
        n->view_h[v] = (uint8_t)h;
    }
}

/* The next record of a moving fringe, or NOWHERE. Records not yet within the bound go over to the next one. */
P15_INLINE uint32_t next_moving(p15_search *search, size_t record_size) {
    for (;;) {
        uint32_t index = search->present[search->present_h];
        if (index == NOWHERE) {
            if (search->present_h == 255) return NOWHERE;
            search->present_h++;
            continue;
        }
        record *r = (record *)(search->records + index * record_size);
        search->present[search->present_h] = r->link;
        if (r->depth + (unsigned)r->h <= search->bound) return index;
        r->link = search->next[r->h];
        search->next[r->h] = index;
        search->next_count++;
    }
}

/* Ends the work below the lane's record and goes on with the next one that can still matter; false: there is none. */
P15_INLINE bool next_record(p15_worker *w, lane *l, unsigned views, unsigned places) {
    p15_search *search = l->search;
    uint32_t index;
    w->expanded += l->expanded;
    w->generated += l->generated;
    if (search->moving) {
        search->moved_expanded += l->expanded;
        search->moved_generated += l->generated;
        index = next_moving(search, sizeof(record) + places * sizeof(p15_place));
    } else {
        if (l->record != NOWHERE) {
            subtree *s = &search->subtrees[search->order[l->order]];
            s->expanded = l->expanded;
            s->generated = l->generated;
            s->min_h = (uint16_t)l->min_h;
        }
        l->order = atomic_fetch_add(&search->cursor, 1);
        bool none = l->order >= search->order_count || l->order > atomic_load(&search->best);
        index = none ? NOWHERE : search->subtrees[search->order[l->order]].record;
    }
    l->expanded = l->generated = 0;
    l->bound = search->bound;
    if (index == NOWHERE) return false;
    load_record(w->problem, l, index, views, places);
    return true;
}

P15_INLINE lane_end visit(p15_worker *w, lane *l, unsigned views, unsigned places, bool axes, bool classic) {
    const p15_problem *problem = w->problem;
    size_t node_size = sizeof(node) + places * sizeof(p15_place);
    size_t child_size = sizeof(child) + views * sizeof(p15_place);
    size_t frame_size = node_size + P15_DIRECTIONS * child_size;
    if (l->record == NOWHERE) {
        if (!next_record(w, l, views, places)) return LANE_EXHAUSTED;
        ask(problem, l, views, axes, classic, child_size, node_size);
        return LANE_RUNNING;
    }
    unsigned beyond;
    if (take(problem, l, views, classic, child_size, node_size, &beyond)) return LANE_SOLVED;
    if (l->search->keeping && beyond &&
        !keep_beyond(problem, l, beyond, views, places, child_size, node_size, frame_size)) {
        l->search->status = l->search->record_count < MOST_RECORDS ? P15_ERR_MEMORY : P15_ERR_CORRUPT;
        return LANE_EXHAUSTED;
    }
    node *n = l->top;
    while (n->waiting_count == 0) {
        if ((uint8_t *)n == l->frames) {
            if (!next_record(w, l, views, places)) return LANE_EXHAUSTED;
            ask(problem, l, views, axes, classic, child_size, node_size);
            return LANE_RUNNING;
        }
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
    while (*visits > 0) {
        unsigned busy = 0;
        for (unsigned i = 0; i < w->lane_count; i++) {
            if (!w->lanes[i].search) continue;
            busy++;
            *end = visit(w, &w->lanes[i], views, places, axes, classic);
            if (*end != LANE_RUNNING) return i;
        }
        *visits -= busy < *visits ? busy : *visits;
        if (!busy) break;
    }
    return w->lane_count;
}

typedef unsigned run_function(p15_worker *, uint64_t *, lane_end *);

#define RUN_FUNCTION(name, views, places, axes, classic)                                            \
    static unsigned run_##name##_plain(p15_worker *w, uint64_t *visits, lane_end *end) {            \
        return run_lanes(w, visits, end, views, places, axes, classic);                             \
    }                                                                                               \
    P15_TARGET_V3 static unsigned run_##name##_v3(p15_worker *w, uint64_t *visits, lane_end *end) { \
        return run_lanes(w, visits, end, views, places, axes, classic);                             \
    }                                                                                               \
    static run_function *const RUN_##name[] =                                                       \
        P15_BY_LEVEL(run_##name##_plain, run_##name##_v3, run_##name##_v3, run_##name##_v3);
RUN_FUNCTION(halves, 2, 4, true, false) /* two patterns and their reflection */
RUN_FUNCTION(views, w->problem->view_count, w->problem->place_count, false, false)
RUN_FUNCTION(classic_views, w->problem->view_count, w->problem->place_count, false, true)

static run_function *pick_run(const p15_problem *problem) {
    if (problem->classic) return RUN_classic_views[problem->cpu];
    if (problem->view_count == 2 && problem->place_count == 4 && !problem->views[0].transposed &&
        problem->views[1].transposed)
        return RUN_halves[problem->cpu];
    return RUN_views[problem->cpu];
}

static bool make_lane(const p15_problem *problem, lane *l) {
    memset(l, 0, sizeof *l);
    l->answer_order = NOWHERE;
    l->frames = malloc(frame_bytes(problem) * (P15_MAX_LENGTH + 2));
    return l->frames != NULL;
}

/* Gives an idle lane to the iteration of a search. */
static void join(lane *l, p15_search *search) {
    l->search = search;
    l->record = NOWHERE;
    l->expanded = l->generated = 0;
    l->answer_order = NOWHERE;
}

/* The path to the child with h = 0 of a lane's top node. Returns false when that board is not the goal: then the tables
 * are damaged. */
static bool write_answer(const p15_problem *problem, lane *l, answer *a) {
    size_t node_size = node_bytes(problem), child_size = child_bytes(problem), frame_size = frame_bytes(problem);
    node *top = l->top;
    for (unsigned i = 0; i < top->child_count; i++) {
        child *c = (child *)((uint8_t *)top + node_size + i * child_size);
        if (c->h != 0) continue;
        int cell = p15_cell_neighbour(problem->shape, top->blank, c->move);
        if (p15_board_slide(top->board, top->blank, (unsigned)cell) != problem->goal) continue;
        memset(a, 0, sizeof *a);
        a->solved = true;
        a->length = (uint8_t)(top->depth + 1);
        unsigned left = top->depth;
        p15_path_set(a->path, left, c->move);
        for (node *n = top; (uint8_t *)n != l->frames; n = (node *)((uint8_t *)n - frame_size))
            p15_path_set(a->path, --left, n->moves & 3u);
        for (uint32_t at = l->record; at != NOWHERE; at = record_at(l->search, at)->before) {
            const record *r = record_at(l->search, at);
            for (unsigned m = 0; m < r->count; m++) p15_path_set(a->path, --left, r->moves >> (2 * m) & 3u);
        }
        return left == 0;
    }
    return false;
}

/* Books the answer of a lane. */
static void finish_lane(p15_worker *w, lane *l) {
    p15_search *search = l->search;
    w->expanded += l->expanded;
    w->generated += l->generated;
    uint32_t order = 0;
    if (search->moving) {
        search->moved_expanded += l->expanded;
        search->moved_generated += l->generated;
    } else {
        subtree *s = &search->subtrees[search->order[l->order]];
        s->expanded = l->expanded;
        s->generated = l->generated;
        order = l->order;
    }
    l->answer_order = order;
    if (!write_answer(w->problem, l, &l->answer)) l->answer.solved = false;
    unsigned best = atomic_load(&search->best);
    while (order < best && !atomic_compare_exchange_weak(&search->best, &best, order)) {
    }
    l->search = NULL;
}

/* ------------------------------------------------------------------------------------------------ iterations */

/* The smallest h seen, 255 for subtrees beyond the bound. */
static unsigned subtree_key(const p15_search *search, uint32_t i) {
    return search->subtrees[i].f <= search->bound ? search->subtrees[i].min_h : 255;
}

/* Lists the subtrees within the bound, those that saw the smallest h first, else in the order they had. */
static void order_subtrees(p15_search *search) {
    uint32_t *order = search->order, *before = order + search->subtree_room, begin[257] = {0};
    memcpy(before, order, search->subtree_count * sizeof *order);
    for (uint32_t i = 0; i < search->subtree_count; i++) begin[subtree_key(search, i) + 1]++;
    for (unsigned key = 0; key < 256; key++) begin[key + 1] += begin[key];
    search->order_count = begin[255];
    for (uint32_t i = 0; i < search->subtree_count; i++) order[begin[subtree_key(search, before[i])]++] = before[i];
}

/* Lets the fringe stay: its records become the subtrees of all further iterations. */
static p15_status settle(p15_search *search) {
    if (search->next_count > search->subtree_room) {
        uint32_t room = search->next_count;
        subtree *subtrees = realloc(search->subtrees, room * sizeof *subtrees);
        if (subtrees) search->subtrees = subtrees;
        uint32_t *order = realloc(search->order, 2 * (size_t)room * sizeof *order);
        if (order) search->order = order;
        if (!subtrees || !order) return P15_ERR_MEMORY;
        search->subtree_room = room;
    }
    search->subtree_count = 0;
    for (unsigned h = 0; h < 256; h++)
        for (uint32_t at = search->next[h]; at != NOWHERE; at = record_at(search, at)->link) {
            search->order[search->subtree_count] = search->subtree_count;
            search->subtrees[search->subtree_count++] =
                (subtree){.record = at, .min_h = (uint16_t)h, .f = (uint16_t)(record_at(search, at)->depth + h)};
        }
    search->moving = false;
    return P15_OK;
}

static p15_status begin_iteration(p15_search *search) {
    if (search->moving && (search->problem->plain || search->next_count > MOST_FRINGE)) {
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
    atomic_store(&search->best, NOWHERE);
    return P15_OK;
}

static p15_status begin_search(p15_search *search, p15_board board, unsigned limit) {
    const p15_problem *problem = search->problem;
    lone_node lone;
    node *root = &lone.node;
    search->status = P15_OK;
    search->ended = false;
    search->bound = 0;
    search->limit = limit;
    memset(&search->answer, 0, sizeof search->answer);
    search->iteration_count = 0;
    search->expanded = search->generated = 0;
    p15_status status = make_root(problem, board, root);
    if (status != P15_OK) return status;
    search->bound = root->h;
    if (board == problem->goal) {
        search->ended = true;
        search->answer.solved = true;
        return P15_OK;
    }
    if (search->bound > limit) {
        search->ended = true;
        return P15_OK;
    }
    search->record_count = 0;
    if (add_record(search) == NOWHERE) return P15_ERR_MEMORY;
    record *r = record_at(search, 0);
    *r = (record){
        .board = board, .before = NOWHERE, .link = NOWHERE, .state = root->state, .blank = root->blank, .h = root->h};
    memcpy(r + 1, places_of(root), problem->place_count * sizeof(p15_place));
    memset(search->next, 0xff, sizeof search->next);
    search->next[r->h] = 0;
    search->next_count = 1;
    search->moving = true;
    return begin_iteration(search);
}

/* Ends an iteration; `finder` is the lane that found the answer, or NULL. Returns whether there is another iteration. */
static bool end_iteration(p15_search *search, const lane *finder) {
    uint32_t best = atomic_load(&search->best), last = best == NOWHERE ? search->order_count : best + 1;
    p15_iteration it = {.bound = search->bound};
    if (search->moving) {
        it.expanded = search->moved_expanded;
        it.generated = search->moved_generated;
    } else {
        for (uint32_t i = 0; i < last; i++) {
            it.expanded += search->subtrees[search->order[i]].expanded;
            it.generated += search->subtrees[search->order[i]].generated;
        }
    }
    search->expanded += it.expanded;
    search->generated += it.generated;
    if (search->status != P15_OK) { /* it was cut short, and has proved nothing */
        search->ended = true;
        return false;
    }
    if (search->iteration_count < P15_MAX_ITERATIONS) search->iterations[search->iteration_count++] = it;
    if (best != NOWHERE) {
        search->answer = finder->answer;
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

static p15_status make_search(const p15_problem *problem, p15_search **search) {
    p15_search *s = calloc(1, sizeof *s);
    if (!s) return P15_ERR_MEMORY;
    s->problem = problem;
    *search = s;
    return P15_OK;
}

p15_status p15_search_new(const p15_problem *problem, p15_board board, unsigned limit, p15_search **search) {
    p15_search *s;
    p15_status status = make_search(problem, &s);
    if (status != P15_OK) return status;
    status = begin_search(s, board, limit);
    if (status != P15_OK)
        p15_search_delete(s);
    else
        *search = s;
    return status;
}

void p15_search_delete(p15_search *search) {
    if (!search) return;
    free(search->records);
    free(search->subtrees);
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

static unsigned busy_lanes(const p15_worker *w) {
    unsigned busy = 0;
    for (unsigned i = 0; i < w->lane_count; i++) busy += w->lanes[i].search != NULL;
    return busy;
}

bool p15_worker_run(p15_worker *worker, p15_search *search, uint64_t visits) {
    run_function *run = pick_run(worker->problem);
    if (search->ended || search->status != P15_OK) return false;
    for (;;) {
        uint32_t best = atomic_load(&search->best);
        for (unsigned i = 0; i < worker->lane_count; i++) {
            lane *l = &worker->lanes[i];
            if (!search->moving && l->search && l->record != NOWHERE && l->order > best) {
                worker->expanded += l->expanded;
                worker->generated += l->generated;
                l->search = NULL;
            }
            if (l->search || l->joined == search->iteration_count + 1) continue;
            l->joined = search->iteration_count + 1;
            /* a moving fringe is one lane's work: the order of its records must not depend on who was faster */
            if (!search->moving || atomic_fetch_add(&search->cursor, 1) == 0) join(l, search);
        }
        if (busy_lanes(worker) == 0) return false;
        if (visits == 0) return true;
        lane_end end = LANE_RUNNING;
        unsigned ended = run(worker, &visits, &end);
        if (ended == worker->lane_count) continue;
        if (end == LANE_SOLVED)
            finish_lane(worker, &worker->lanes[ended]);
        else
            worker->lanes[ended].search = NULL;
    }
}

bool p15_search_advance(p15_search *search, p15_worker *const *workers, unsigned worker_count) {
    if (search->ended) return false;
    uint32_t best = atomic_load(&search->best);
    const lane *finder = NULL;
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->lane_count; i++) {
            lane *l = &workers[w]->lanes[i];
            if (best != NOWHERE && l->answer_order == best) finder = l;
            l->search = NULL;
        }
    bool more = end_iteration(search, finder);
    for (unsigned w = 0; w < worker_count; w++)
        for (unsigned i = 0; i < workers[w]->lane_count; i++) {
            workers[w]->lanes[i].answer_order = NOWHERE;
            workers[w]->lanes[i].joined = 0;
        }
    return more;
}

void p15_search_result(const p15_search *search, p15_result *result, p15_iteration *iterations) {
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

void p15_batch_start(const p15_board *boards, const uint8_t *limits, p15_result *results, size_t count,
                     p15_batch *batch) {
    batch->boards = boards;
    batch->limits = limits;
    batch->results = results;
    batch->count = count;
    atomic_init(&batch->next, 0);
    atomic_init(&batch->done, 0);
}

size_t p15_batch_done(const p15_batch *batch) { return atomic_load(&((p15_batch *)batch)->done); }

/* What beginning a board takes, in visits: of some boards that is all that they take. */
#define BOARD_VISITS 16

/* Gives a lane boards of the batch until one needs visits. False when none is left, or the visits that may be made do not
 * allow for another one. */
static bool next_board(p15_worker *w, unsigned index, p15_batch *batch, uint64_t *visits) {
    lane *l = &w->lanes[index];
    p15_search *search = w->searches[index];
    l->search = NULL;
    while (*visits > 0 && (l->board = atomic_fetch_add(&batch->next, 1)) < batch->count) {
        p15_result *result = &batch->results[l->board];
        if (result->status == P15_OK) {
            *visits -= *visits < BOARD_VISITS ? *visits : BOARD_VISITS;
            l->started = p15_clock_now();
            unsigned limit = batch->limits ? batch->limits[l->board] : P15_NO_LIMIT;
            p15_status status = begin_search(search, batch->boards[l->board], limit);
            if (status == P15_OK && !search->ended) {
                join(l, search);
                return true;
            }
            p15_search_result(search, result, NULL);
            result->status = status;
            result->seconds = p15_clock_now() - l->started;
        } else {
            --*visits;
        }
        atomic_fetch_add(&batch->done, 1);
    }
    return false;
}

bool p15_worker_run_batch(p15_worker *worker, p15_batch *batch, uint64_t visits) {
    run_function *run = pick_run(worker->problem);
    for (unsigned i = 0; i < worker->lane_count; i++)
        if (!worker->lanes[i].search) next_board(worker, i, batch, &visits);
    unsigned busy = busy_lanes(worker);
    while (visits > 0 && busy > 0) {
        lane_end end;
        unsigned ended = run(worker, &visits, &end);
        if (ended == worker->lane_count) continue;
        lane *l = &worker->lanes[ended];
        p15_search *search = worker->searches[ended];
        if (end == LANE_SOLVED) finish_lane(worker, l);
        if (end_iteration(search, l)) {
            join(l, search);
            continue;
        }
        p15_result *result = &batch->results[l->board];
        p15_search_result(search, result, NULL);
        result->seconds = (p15_clock_now() - l->started) / busy;
        atomic_fetch_add(&batch->done, 1);
        if (!next_board(worker, ended, batch, &visits)) busy--;
    }
    return busy > 0 || atomic_load(&batch->next) < batch->count;
}
