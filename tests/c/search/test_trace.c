/* p15_trace: every search does the same with a trace as without, and tells all of it; also when the trace is taken
 * away, and when the system refuses its memory. */

#include "boards.h"
#include "search/best_first/best_first.h"
#include "search/best_first/bidirectional.h"
#include "search/best_first/local.h"
#include "search/deepening/deepening.h"

static unsigned allocations, refused = ~0u; /* how many there were; the first one to be refused, and all after it */

static void *refusing_realloc(void *memory, size_t size) {
    return allocations++ < refused ? realloc(memory, size) : NULL;
}

#define realloc refusing_realloc
#include "search/trace.c"
#undef realloc

#define ROOM ((size_t)64 << 20)
#define MOST 4096

/* What a search has done. */
typedef struct {
    p15_report report; /* of the deepening searches, the counts only */
    size_t length;
    uint8_t path[MOST];
} answer;

/* Who listens to a search. */
typedef struct {
    p15_trace trace;
    const p15_evaluator *evaluator;
    uint64_t wanted;                     /* expansions; then the trace is taken away */
    uint64_t expanded, goals, generated; /* that it told so far */
    uint64_t fates[P15_FATE_COUNT];
    const uint8_t *order;
} listener;

typedef struct {
    const p15_evaluator *evaluator;
    p15_board start;
    const uint8_t *order;
    unsigned variant;
    uint64_t piece; /* expansions, or visits, at once */
} task;

/* Checks what was told, and forgets it. False: no more is wanted. */
static bool listen(listener *l, bool ended) {
    p15_shape shape = p15_evaluator_shape(l->evaluator);
    size_t ready = l->trace.count - (ended ? 0 : l->trace.pending);
    CHECK(l->trace.pending <= l->trace.count && l->trace.count <= l->trace.room);
    for (size_t i = 0; i < ready; i++) {
        const p15_expansion *e = &l->trace.expansions[i];
        unsigned blank = p15_board_blank(e->board), at = 0;
        CHECK(e->h == (l->trace.evaluator ? h_of(l->evaluator, e->board) : 0));
        CHECK(!e->goal || e->child_count == 0);
        for (unsigned j = 0; j < e->child_count; j++, at++) {
            const p15_traced_child *child = &e->children[j];
            while (at < P15_DIRECTIONS && l->order[at] != child->direction) at++;
            CHECK(at < P15_DIRECTIONS && child->fate < P15_FATE_COUNT);
            int cell = p15_cell_neighbour(shape, blank, child->direction);
            CHECK(cell >= 0 && child->board == p15_board_slide(e->board, blank, (unsigned)cell));
            CHECK(child->h == (l->trace.evaluator ? h_of(l->evaluator, child->board) : 0));
            CHECK(child->fate != P15_FATE_CUT || e->bound != P15_NO_BOUND);
            l->fates[child->fate]++;
        }
        l->generated += e->child_count;
        *(e->goal ? &l->goals : &l->expanded) += 1;
    }
    p15_trace_drop(&l->trace, ready);
    return l->expanded + l->goals < l->wanted;
}

static answer run_best_first(const task *t, listener *l) {
    static const p15_bestfirst_options kinds[] = {
        {.g_weight = 1, .h_weight = 1, .ties = P15_TIES_LARGER_G, .batch = 1},
        {.g_weight = 1, .h_weight = 0, .ties = P15_TIES_FIFO, .batch = 1},
        {.g_weight = 2, .h_weight = 3, .ties = P15_TIES_LIFO, .batch = 1},
        {.g_weight = 0, .h_weight = 1, .ties = P15_TIES_FIFO, .batch = 5},
        {.g_weight = 0, .h_weight = 1, .ties = P15_TIES_FIFO, .batch = 1, .prove = true},
        {.g_weight = 1, .h_weight = 1, .ties = P15_TIES_FIFO, .batch = 7},
    };
    p15_bestfirst_options options = kinds[t->variant % 6];
    answer a = {.length = 0};
    p15_bestfirst *search;
    memcpy(options.order, t->order, sizeof options.order);
    options.max_bytes = ROOM;
    CHECK(p15_bestfirst_new(t->evaluator, t->start, &options, &search) == P15_OK);
    if (l) p15_bestfirst_trace(search, &l->trace);
    while (p15_bestfirst_run(search, t->piece))
        if (l && !listen(l, false)) p15_bestfirst_trace(search, NULL);
    p15_bestfirst_report(search, &a.report);
    a.length = p15_bestfirst_path(search, a.path, MOST);
    p15_bestfirst_delete(search);
    return a;
}

static answer run_bidirectional(const task *t, listener *l) {
    answer a = {.length = 0};
    p15_bidirectional *search;
    CHECK(p15_bidirectional_new(p15_evaluator_shape(t->evaluator), t->start, p15_evaluator_goal(t->evaluator), t->order,
                                ROOM, &search) == P15_OK);
    if (l) p15_bidirectional_trace(search, &l->trace);
    while (p15_bidirectional_run(search, t->piece))
        if (l && !listen(l, false)) p15_bidirectional_trace(search, NULL);
    p15_bidirectional_report(search, &a.report);
    a.length = p15_bidirectional_path(search, a.path, MOST);
    p15_bidirectional_delete(search);
    return a;
}

static answer run_beam(const task *t, listener *l) {
    static const size_t widths[] = {1, 3, 50, P15_MAX_WIDTH};
    answer a = {.length = 0};
    p15_beam *search;
    CHECK(p15_beam_new(t->evaluator, t->start, t->order, widths[t->variant % 4], ROOM, &search) == P15_OK);
    if (l) p15_beam_trace(search, &l->trace);
    while (p15_beam_run(search, t->piece))
        if (l && !listen(l, false)) p15_beam_trace(search, NULL);
    p15_beam_report(search, &a.report);
    a.length = p15_beam_path(search, a.path, MOST);
    p15_beam_delete(search);
    return a;
}

static answer run_climb(const task *t, listener *l) {
    answer a = {.length = 0};
    CHECK(p15_climb(t->evaluator, t->start, t->order, l ? &l->trace : NULL, &a.report, a.path, &a.length) == P15_OK);
    return a;
}

static answer run_deepening(const task *t, listener *l) {
    uint32_t first = t->variant % 2 ? 9 : P15_FROM_H, last = t->variant % 2 ? 9 : P15_MAX_BOUND;
    uint64_t limit = t->variant % 3 ? UINT64_MAX : 500;
    p15_deepening_result result;
    p15_deepening *search;
    CHECK(p15_deepening_new(t->evaluator, t->start, t->order, first, last, limit, p15_cpu_pick(), &search) == P15_OK);
    if (l) p15_deepening_trace(search, &l->trace);
    do {
        if (l && !listen(l, false)) p15_deepening_trace(search, NULL);
        p15_deepening_look(search, &result);
    } while (result.generated < limit && p15_deepening_run(search, t->piece));
    p15_deepening_look(search, &result);
    answer a = {.report = {.expanded = result.expanded, .generated = result.generated}};
    a.length = result.solved ? result.length : SIZE_MAX;
    if (result.solved) memcpy(a.path, result.path, result.length);
    p15_deepening_delete(search);
    return a;
}

typedef answer search_function(const task *, listener *);

static search_function *const SEARCHES[] = {run_best_first, run_bidirectional, run_beam, run_climb, run_deepening};

static void check_same(const answer *one, const answer *other) {
    CHECK(one->report.state == other->report.state && one->report.lower_bound == other->report.lower_bound);
    CHECK(one->report.expanded == other->report.expanded && one->report.generated == other->report.generated);
    CHECK(one->report.reopened == other->report.reopened && one->report.nodes == other->report.nodes);
    CHECK(one->report.bytes == other->report.bytes && one->length == other->length);
    CHECK(one->length == SIZE_MAX || memcmp(one->path, other->path, one->length) == 0);
}

static void check_search(search_function *search, const task *t, uint64_t *fates) {
    answer alone = search(t, NULL);
    bool makes_all = search == run_deepening; /* also children that the search does not come to */
    for (unsigned kind = 0; kind < 3; kind++) {
        listener l = {.evaluator = t->evaluator, .wanted = kind == 1 ? 1 + draw(20) : UINT64_MAX, .order = t->order};
        task own = *t;
        if (kind == 1) own.piece = 1;
        p15_trace_init(p15_evaluator_shape(t->evaluator), search == run_bidirectional ? NULL : t->evaluator, &l.trace);
        allocations = 0;
        refused = kind == 2 ? draw(3) : ~0u;
        answer traced = search(&own, &l);
        refused = ~0u;
        check_same(&alone, &traced);
        if (kind != 1) listen(&l, true);
        if (kind == 0) {
            CHECK(!l.trace.failed && l.expanded == alone.report.expanded);
            CHECK(makes_all ? l.generated >= alone.report.generated : l.generated == alone.report.generated);
            CHECK(l.goals == 1 || search == run_best_first || (l.goals == 0 && alone.length == SIZE_MAX) ||
                  search == run_climb);
            for (unsigned fate = 0; fate < P15_FATE_COUNT; fate++) fates[fate] += l.fates[fate];
        }
        if (kind == 2) CHECK(l.expanded <= alone.report.expanded);
        p15_trace_free(&l.trace);
    }
}

int main(void) {
    static const uint8_t sides[][2] = {{2, 3}, {2, 4}, {3, 3}};
    static const unsigned kinds[] = {0, 1u << P15_MANHATTAN, 1u << P15_MISPLACED | 1u << P15_LINEAR_CONFLICT};
    uint64_t fates[P15_FATE_COUNT] = {0};
    for (unsigned s = 0; s < 3; s++) {
        p15_shape shape;
        CHECK(p15_shape_init(sides[s][0], sides[s][1], &shape) == P15_OK);
        for (unsigned kind = 0; kind < 3; kind++) {
            p15_board goal = draw_board(shape, p15_board_goal(shape, 0));
            p15_evaluator *e = evaluator_of(shape, goal, kinds[kind]);
            for (unsigned i = 0; i < 12; i++) {
                task t = {e, draw_near(shape, goal, i), ORDERS[i % 3], i, 1 + draw(100)};
                for (unsigned search = 0; search < 5; search++) check_search(SEARCHES[search], &t, fates);
            }
            p15_evaluator_delete(e);
        }
    }
    for (unsigned fate = 0; fate < P15_FATE_COUNT; fate++) CHECK(fates[fate] > 0);
    return 0;
}
