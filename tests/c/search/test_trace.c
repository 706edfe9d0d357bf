/* p15_trace: every search does the same with a trace as without, and tells all of it; also when the trace is taken
 * away, and when the system refuses its memory. */

#include "searches.h"
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

#define MOST 4096

/* What a search has done. */
typedef struct {
    p15_report report;
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

typedef enum kind { BEST_FIRST, BIDIRECTIONAL, BEAM, CLIMB, DEEPENING, KINDS } kind;

static p15_search *search_of(kind k, const task *t) {
    static const p15_bestfirst_options kinds[] = {
        {.g_weight = 1, .h_weight = 1, .ties = P15_TIES_LARGER_G, .batch = 1},
        {.g_weight = 1, .h_weight = 0, .ties = P15_TIES_FIFO, .batch = 1},
        {.g_weight = 2, .h_weight = 3, .ties = P15_TIES_LIFO, .batch = 1},
        {.g_weight = 0, .h_weight = 1, .ties = P15_TIES_FIFO, .batch = 5},
        {.g_weight = 0, .h_weight = 1, .ties = P15_TIES_FIFO, .batch = 1, .prove = true},
        {.g_weight = 1, .h_weight = 1, .ties = P15_TIES_FIFO, .batch = 7},
    };
    static const size_t widths[] = {1, 3, 50, P15_MAX_WIDTH};
    const p15_evaluator *e = t->evaluator;
    p15_bestfirst_options options = kinds[t->variant % 6];
    uint32_t first = t->variant % 2 ? 9 : P15_FROM_H, last = t->variant % 2 ? 9 : P15_MAX_BOUND;
    uint64_t limit = t->variant % 3 ? UINT64_MAX : 500;
    p15_search *search;
    p15_status status;
    memcpy(options.order, t->order, sizeof options.order);
    options.max_bytes = ROOM;
    if (k == BEST_FIRST)
        status = p15_bestfirst_new(e, t->start, &options, &search);
    else if (k == BIDIRECTIONAL)
        status = p15_bidirectional_new(p15_evaluator_shape(e), t->start, p15_evaluator_goal(e), t->order, ROOM,
                                       p15_cpu_pick(), &search);
    else if (k == BEAM)
        status = p15_beam_new(e, t->start, t->order, widths[t->variant % 4], ROOM, &search);
    else if (k == CLIMB)
        status = p15_climb_new(e, t->start, t->order, &search);
    else
        status = p15_deepening_new(e, t->start, t->order, first, last, limit, p15_cpu_pick(), &search);
    CHECK(status == P15_OK);
    return search;
}

static answer run_search(kind k, const task *t, listener *l) {
    uint64_t limit = k == DEEPENING && t->variant % 3 == 0 ? 500 : UINT64_MAX;
    p15_search *search = search_of(k, t);
    if (l) p15_search_trace(search, &l->trace);
    while (p15_search_report(search)->generated < limit && p15_search_run(search, t->piece))
        if (l && !listen(l, false)) p15_search_trace(search, NULL);
    answer a = {.report = *p15_search_report(search)};
    a.length = path_of(search, a.path, MOST);
    p15_search_delete(search);
    return a;
}

static void check_same(const answer *one, const answer *other) {
    check_counts(&one->report, &other->report);
    CHECK(one->report.lower_bound == other->report.lower_bound && one->length == other->length);
    CHECK(one->length == SIZE_MAX || memcmp(one->path, other->path, one->length) == 0);
}

static void check_search(kind k, const task *t, uint64_t *fates) {
    answer alone = run_search(k, t, NULL);
    bool makes_all = k == DEEPENING; /* also children that the search does not come to */
    for (unsigned variant = 0; variant < 3; variant++) {
        listener l = {.evaluator = t->evaluator, .wanted = variant == 1 ? 1 + draw(20) : UINT64_MAX, .order = t->order};
        task own = *t;
        if (variant == 1) own.piece = 1;
        p15_trace_init(p15_evaluator_shape(t->evaluator), k == BIDIRECTIONAL ? NULL : t->evaluator, &l.trace);
        allocations = 0;
        refused = variant == 2 ? draw(3) : ~0u;
        answer traced = run_search(k, &own, &l);
        refused = ~0u;
        check_same(&alone, &traced);
        if (variant != 1) listen(&l, true);
        if (variant == 0) {
            CHECK(!l.trace.failed && l.expanded == alone.report.expanded);
            CHECK(makes_all ? l.generated >= alone.report.generated : l.generated == alone.report.generated);
            CHECK(l.goals == 1 || k == BEST_FIRST || (l.goals == 0 && alone.length == SIZE_MAX) || k == CLIMB);
            for (unsigned fate = 0; fate < P15_FATE_COUNT; fate++) fates[fate] += l.fates[fate];
        }
        if (variant == 2) CHECK(l.expanded <= alone.report.expanded);
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
                for (unsigned k = 0; k < KINDS; k++) check_search((enum kind)k, &t, fates);
            }
            p15_evaluator_delete(e);
        }
    }
    for (unsigned fate = 0; fate < P15_FATE_COUNT; fate++) CHECK(fates[fate] > 0);
    return 0;
}
