/* p15_rbfs: lengths and bounds. p15_sma: every count and every path against an obvious twin, in pieces, in every small
 * memory, also where the system has less of it than was reserved.
 *
 * The twin takes h from p15_evaluator_board, which test_evaluator holds. */

#include "base/pages.h"
#include "searches.h"
#include "search/memory_bounded/rbfs.h"

static size_t system_bytes; /* no more of a reservation becomes usable */

#define p15_pages_use(pages, bytes) ((bytes) > system_bytes ? P15_ERR_MEMORY : p15_pages_use(pages, bytes))
#include "search/memory_bounded/sma.c"
#undef p15_pages_use

#define NEVER UINT32_MAX /* the value of what leads nowhere */
#define MOST_MOVES 256

/* The board after a move that exists and does not undo the last one; 0: there is none. */
static p15_board twin_child(p15_shape shape, p15_board board, unsigned last, unsigned direction) {
    unsigned blank = p15_board_blank(board);
    int cell = p15_cell_neighbour(shape, blank, direction);
    return cell < 0 || direction + last == 3 ? 0 : p15_board_slide(board, blank, (unsigned)cell);
}

/* ------------------------------------------------------------------------------------------------ RBFS */

static void check_rbfs(const p15_evaluator *e, p15_board start, const uint8_t *order, size_t length) {
    p15_search *search;
    CHECK(p15_rbfs_new(e, start, order, &search) == P15_OK);
    const p15_report *report = p15_search_report(search);
    CHECK(p15_search_run(search, 0) && !report->path);
    while (p15_search_run(search, 1 + draw(1000)))
        CHECK(p15_search_report(search)->lower_bound <= length && report->state == P15_SEARCH_RUNNING);
    report = p15_search_report(search);
    CHECK(report->state == P15_SEARCH_SOLVED && report->lower_bound == length && report->length == length);
    CHECK(leads(p15_evaluator_shape(e), start, p15_evaluator_goal(e), report->path, length));
    p15_search_delete(search);
}

/* ------------------------------------------------------------------------------------------------ SMA* */

enum { MOST_NODES = 400 };

typedef struct twin_node {
    bool used;
    p15_board board;
    struct twin_node *parent, *kept[P15_DIRECTIONS]; /* the children in memory */
    unsigned rank, g, last, value, stamp, count;     /* count: of children, 0 before they were made */
    unsigned values[P15_DIRECTIONS];
    uint8_t directions[P15_DIRECTIONS];
} twin_node;

typedef struct {
    const p15_evaluator *evaluator;
    const uint8_t *order;
    unsigned room, system, deepest, stamps, nodes, most; /* most: that were in memory at a time */
    twin_node memory[MOST_NODES], *goal;
    p15_report report;
} sma_twin;

static unsigned twin_kept(const twin_node *n) {
    unsigned count = 0;
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) count += n->kept[i] != NULL;
    return count;
}

static void twin_forget(sma_twin *t, twin_node *n, const twin_node *expanding) {
    n->parent->kept[n->rank] = NULL;
    n->used = false;
    t->nodes--;
    if (n->parent != expanding) n->parent->stamp = ++t->stamps;
}

/* Whether there is memory for another node; if the system refuses, no more than now will ever fit. */
static bool twin_has_place(sma_twin *t) {
    if (t->nodes < t->most) return true;
    if (t->most == t->room) return false;
    if (t->most < t->system) return true;
    t->room = t->most;
    if (t->deepest >= t->room) t->deepest = t->room - 1;
    return false;
}

static void twin_keep(sma_twin *t, twin_node *parent, unsigned rank) {
    unsigned value = parent->values[rank], g = parent->g + 1, i = 0;
    if (!twin_has_place(t)) {
        twin_node *worst = NULL;
        if (g > t->deepest) {
            parent->values[rank] = NEVER;
            return;
        }
        for (twin_node *n = t->memory; n < t->memory + MOST_NODES; n++) {
            if (!n->used || n == parent || twin_kept(n)) continue;
            if (!worst || n->value > worst->value ||
                (n->value == worst->value && (n->g < worst->g || (n->g == worst->g && n->stamp < worst->stamp))))
                worst = n;
        }
        if (value > worst->value || (value == worst->value && g < worst->g)) return;
        twin_forget(t, worst, parent);
    }
    while (t->memory[i].used) i++;
    p15_shape shape = p15_evaluator_shape(t->evaluator);
    p15_board board = twin_child(shape, parent->board, parent->last, parent->directions[rank]);
    t->memory[i] = (twin_node){.used = true,
                               .board = board,
                               .parent = parent,
                               .rank = rank,
                               .g = g,
                               .last = parent->directions[rank],
                               .value = value,
                               .stamp = ++t->stamps};
    parent->kept[rank] = &t->memory[i];
    if (++t->nodes > t->most) t->most = t->nodes;
}

static void twin_back_up(sma_twin *t, twin_node *n) {
    for (bool first = true; n; n = n->parent, first = false) {
        unsigned value = NEVER;
        for (unsigned i = 0; i < n->count; i++) value = n->values[i] < value ? n->values[i] : value;
        bool changed = value != n->value;
        if (!changed && !first) return;
        n->value = value;
        if (n->parent) n->parent->values[n->rank] = value;
        if (value == NEVER && n->parent) {
            twin_forget(t, n, NULL);
        } else {
            n->stamp = ++t->stamps;
            if (!changed) return;
        }
    }
}

/* Whether a node is taken before another one. */
static bool twin_before(const twin_node *a, const twin_node *b) {
    bool a_leaf = twin_kept(a) == 0, b_leaf = twin_kept(b) == 0;
    if (a->value != b->value) return a->value < b->value;
    if (a->g != b->g) return a->g > b->g;
    return a_leaf != b_leaf ? a_leaf : a->stamp > b->stamp;
}

static void twin_take(sma_twin *t) {
    p15_shape shape = p15_evaluator_shape(t->evaluator);
    p15_board goal = p15_evaluator_goal(t->evaluator);
    twin_node *n = NULL;
    for (twin_node *each = t->memory; each < t->memory + MOST_NODES; each++)
        if (each->used && (each->count == 0 || twin_kept(each) < each->count) && (!n || twin_before(each, n))) n = each;
    unsigned proved = n->value <= t->deepest ? n->value : t->deepest + 1, begin = 0, end;
    if (proved > t->report.lower_bound) t->report.lower_bound = proved;
    if (n->board == goal) {
        t->goal = n;
        t->report.state = P15_SEARCH_SOLVED;
        return;
    }
    t->report.expanded++;
    if (n->count == 0) {
        for (unsigned i = 0; i < P15_DIRECTIONS; i++) {
            p15_board child = twin_child(shape, n->board, n->last, t->order[i]);
            if (!child) continue;
            unsigned f = n->g + 1 + h_of(t->evaluator, child), value = f < n->value ? n->value : f;
            bool fits = value <= t->deepest && (n->g + 1 < t->deepest || child == goal);
            n->directions[n->count] = t->order[i];
            n->values[n->count++] = fits ? value : NEVER;
        }
        end = n->count;
    } else {
        while (n->kept[begin] || n->values[begin] != n->value) begin++;
        end = begin + 1;
        t->report.reopened++;
    }
    t->report.generated += end - begin;
    for (unsigned rank = begin; rank < end; rank++)
        if (n->values[rank] != NEVER) twin_keep(t, n, rank);
    twin_back_up(t, n);
    if (t->memory[0].value == NEVER) {
        t->report.state = P15_SEARCH_NO_ROOM;
        t->report.lower_bound = t->deepest + 1;
    }
}

/* A search in a memory of `room` nodes, of which the system has `system`, for at most some thousand expansions. */
static p15_search_state check_sma(const p15_evaluator *e, p15_board start, const uint8_t *order, unsigned room,
                                  unsigned system, size_t length) {
    static sma_twin t;
    p15_search *search;
    p15_report report;
    uint8_t path[MOST_MOVES];
    memset(&t, 0, sizeof t);
    t.evaluator = e;
    t.order = order;
    t.room = room;
    t.system = system;
    t.deepest = room - 1;
    t.nodes = t.most = 1;
    t.memory[0] = (twin_node){.used = true, .board = start, .last = P15_DIRECTIONS, .value = h_of(e, start)};
    system_bytes = system * sizeof(node);
    CHECK(p15_sma_new(e, start, order, room * sizeof(node), &search) == P15_OK);
    CHECK(p15_search_run(search, 0) && path_of(search, NULL, 0) == SIZE_MAX);
    for (bool more = true; more && t.report.expanded < 4000;) {
        unsigned steps = 1 + draw(20);
        more = p15_search_run(search, steps);
        while (steps-- > 0 && t.report.state == P15_SEARCH_RUNNING) twin_take(&t);
        report = *p15_search_report(search);
        CHECK(report.state == t.report.state && more == (report.state == P15_SEARCH_RUNNING));
        CHECK(report.lower_bound == t.report.lower_bound && report.reopened == t.report.reopened);
        CHECK(report.expanded == t.report.expanded && report.generated == t.report.generated);
        CHECK(report.nodes == t.nodes && report.bytes == t.most * sizeof(node));
        CHECK(report.lower_bound <= length || report.lower_bound == t.deepest + 1);
    }
    if (report.state == P15_SEARCH_SOLVED) {
        size_t found = path_of(search, path, MOST_MOVES);
        const twin_node *n = t.goal;
        CHECK(found == n->g && leads(p15_evaluator_shape(e), start, p15_evaluator_goal(e), path, found));
        for (size_t i = found; i-- > 0; n = n->parent) CHECK(path[i] == n->last);
        CHECK(found >= length && (found == length || length + 1 > t.room));
    }
    p15_search_delete(search);
    return report.state;
}

/* ------------------------------------------------------------------------------------------------ both */

static void check_8_puzzle(p15_board goal, unsigned kinds, unsigned count) {
    p15_shape shape = shape_of(3, 3);
    uint8_t *lengths = distances(shape, goal);
    p15_evaluator *e = evaluator_of(shape, goal, kinds);
    unsigned solved = 0, forgetful = 0;
    for (unsigned i = 0; i < count; i++) {
        p15_board start = i ? draw_near(shape, goal, 2 + draw(24)) : goal;
        const uint8_t *order = ORDERS[i % 3];
        unsigned length = lengths[twin_rank(shape, start)];
        if (i % 4 == 0 || length < 18) check_rbfs(e, start, order, length);
        for (unsigned room = P15_SMA_LEAST_NODES; room < MOST_NODES; room += 1 + draw(100)) {
            unsigned system = P15_SMA_LEAST_NODES + draw(room);
            solved += check_sma(e, start, order, room, system, length) == P15_SEARCH_SOLVED;
            forgetful += system < room;
        }
    }
    CHECK(solved > count && forgetful > count / 2);
    p15_evaluator_delete(e);
    free(lengths);
}

/* Solutions as long as the memory, or longer: a memory that turns out to be smaller makes paths shorter. */
static void check_long_paths(void) {
    p15_shape shape = shape_of(2, 5);
    p15_board goal = p15_board_goal(shape, 9);
    p15_evaluator *e = evaluator_of(shape, goal, 1u << P15_WALKING_DISTANCE);
    uint8_t *lengths = distances(shape, goal);
    unsigned states[4] = {0};
    for (unsigned i = 0; i < 300;) {
        p15_board start = draw_board(shape, goal);
        unsigned length = lengths[twin_rank(shape, start)], h = h_of(e, start);
        if (h < 28 || h > 34) continue;
        states[check_sma(e, start, ORDERS[i % 3], P15_SMA_LEAST_NODES + 1 + i % 20, P15_SMA_LEAST_NODES + i % 5,
                         length)]++;
        i++;
    }
    CHECK(states[P15_SEARCH_NO_ROOM] > 20);
    p15_evaluator_delete(e);
    free(lengths);
}

static void check_arguments(void) {
    static const uint8_t wrong[P15_DIRECTIONS] = {0, 1, 1, 2};
    p15_shape shape = shape_of(3, 3);
    p15_board goal = p15_board_goal(shape, 8);
    p15_evaluator *e = evaluator_of(shape, goal, 1u << P15_MANHATTAN);
    p15_search *rbfs;
    p15_search *sma;
    system_bytes = SIZE_MAX;
    CHECK(p15_rbfs_new(e, goal, wrong, &rbfs) == P15_ERR_ARGUMENT && !rbfs);
    CHECK(p15_rbfs_new(e, goal ^ 1, ORDERS[0], &rbfs) == P15_ERR_BOARD && !rbfs);
    CHECK(p15_sma_new(e, goal, wrong, SIZE_MAX, &sma) == P15_ERR_ARGUMENT && !sma);
    CHECK(p15_sma_new(e, goal ^ 1, ORDERS[0], SIZE_MAX, &sma) == P15_ERR_BOARD && !sma);
    CHECK(p15_sma_new(e, goal, ORDERS[0], P15_SMA_LEAST_NODES * sizeof(node) - 1, &sma) == P15_ERR_MEMORY && !sma);
    p15_search_delete(NULL);
    p15_search_delete(NULL);
    p15_evaluator_delete(e);
}

int main(void) {
    p15_board goal = p15_board_goal(shape_of(3, 3), 8);
    check_8_puzzle(goal, 1u << P15_MANHATTAN, 24);
    check_8_puzzle(draw_board(shape_of(3, 3), goal), 1u << P15_LINEAR_CONFLICT, 24);
    check_8_puzzle(goal, 1u << P15_MISPLACED, 12);
    check_long_paths();
    check_arguments();
    return 0;
}
