/* Every search in the same tests: the same answer at once, in the smallest steps, with a trace, and at every level of
 * instructions; what it reports on the way; limits of memory; and a system that refuses memory.
 * tests/unit/searches compares every expansion with a twin, also under sanitizers. */

#include "boards.h"
#include "evaluators.h"
#include "search/best_first/anytime.h"
#include "search/best_first/best_first.h"
#include "search/best_first/local.h"
#include "search/deepening/deepening.h"
#include "search/layers/beam_stack.h"
#include "search/layers/breadth_first.h"
#include "search/meeting/meeting.h"
#include "search/memory_bounded/rbfs.h"
#include "search/memory_bounded/sma.h"

#define ROOM ((size_t)64 << 20) /* memory enough for any search here */

/* ------------------------------------------------------------------------------------- a system that refuses memory */

static unsigned requests, refused = UINT32_MAX; /* how many there were; the first one to be refused */
static bool only_one;                           /* the later ones are not refused */

static bool refuse(void) {
    unsigned number = requests++;
    return only_one ? number == refused : number >= refused;
}

/* The linker has the core call these (tests/helpers/compiling.py). */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
int __real_mprotect(void *memory, size_t size, int protection);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
int __wrap_mprotect(void *memory, size_t size, int protection);

void *__wrap_malloc(size_t size) { return refuse() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return refuse() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *memory, size_t size) { return refuse() ? NULL : __real_realloc(memory, size); }
int __wrap_mprotect(void *memory, size_t size, int protection) {
    return refuse() ? -1 : __real_mprotect(memory, size, protection);
}

/* --------------------------------------------------------------------------------------------------- the searches */

typedef enum {
    BEST_FIRST,
    ANYTIME,
    ARA,
    MEETING,
    BIDIRECTIONAL,
    BEAM,
    CLIMB,
    BREADTH,
    BEAM_STACK,
    DEEPENING,
    REMEMBERING,
    RBFS,
    SMA,
    KINDS
} kind;

typedef struct {
    p15_shape shape;
    p15_board start, goal;
    unsigned length;                   /* of a shortest solution */
    p15_evaluator *forward, *backward; /* to the goal, and to the start */
} problem;

/* Manhattan distance, as a function: its values are told of many boards at once. */
static void tell(void *context, const p15_board *boards, size_t count, uint8_t *values) {
    const p15_evaluator *e = context;
    for (size_t i = 0; i < count; i++)
        values[i] = (uint8_t)p15_board_manhattan(boards[i], p15_evaluator_goal(e), p15_evaluator_shape(e));
}

/* kinds: of heuristics, as bits; 0: Manhattan distance as a function. */
static problem problem_of(p15_shape shape, p15_board start, p15_board goal, unsigned length, unsigned kinds) {
    problem p = {shape, start, goal, length, evaluator_of(shape, goal, kinds), evaluator_of(shape, start, kinds)};
    if (kinds == 0) {
        CHECK(p15_evaluator_add_function(p.forward, tell, p.forward) == P15_OK);
        CHECK(p15_evaluator_add_function(p.backward, tell, p.backward) == P15_OK);
    }
    return p;
}

static void free_problem(problem *p) {
    p15_evaluator_delete(p->forward);
    p15_evaluator_delete(p->backward);
}

static const p15_search_options PRIORITIES[] = {
    {.g_weight = 1, .h_weight = 1, .ties = P15_TIES_LARGER_G, .batch = 1},
    {.g_weight = 0, .h_weight = 1, .ties = P15_TIES_LIFO, .batch = 1, .prove = true},
    {.g_weight = 1, .h_weight = 1, .ties = P15_TIES_FIFO, .batch = 9},
    {.g_weight = 1, .h_weight = 0, .ties = P15_TIES_FIFO, .batch = 1},
    {.g_weight = 2, .h_weight = 3, .ties = P15_TIES_LIFO, .batch = 1},
    {.g_weight = 0, .h_weight = 1, .ties = P15_TIES_LARGER_G, .batch = 30},
};
enum { VARIANTS = 6 };

static p15_status make(kind k, const problem *p, unsigned variant, size_t max_bytes, p15_search **search) {
    static const p15_search_type *const NEW[KINDS] = {
        [BEST_FIRST] = &P15_BESTFIRST,
        [ANYTIME] = &P15_ANYTIME,
        [ARA] = &P15_ANYTIME,
        [MEETING] = &P15_MEETING,
        [BIDIRECTIONAL] = &P15_MEETING,
        [BEAM] = &P15_BEAM,
        [CLIMB] = &P15_CLIMB,
        [BREADTH] = &P15_BREADTH_FIRST_HEURISTIC,
        [BEAM_STACK] = &P15_BEAM_STACK,
        [RBFS] = &P15_RBFS,
        [SMA] = &P15_SMA,
        [DEEPENING] = &P15_DEEPENING,
        [REMEMBERING] = &P15_DEEPENING,
    };
    static const size_t widths[] = {1000, 3, 50, P15_MAX_WIDTH, 20, 7};
    p15_search_options o = PRIORITIES[k == BEST_FIRST ? variant : 0];
    o.start = p->start;
    o.goal = p->goal;
    o.evaluator = p->forward;
    o.backward = k == MEETING ? p->backward : NULL;
    memcpy(o.order, ORDERS[variant % 3], sizeof o.order);
    for (unsigned i = 0; i < P15_DIRECTIONS; i++) o.back[0][i] = o.back[1][i] = (uint8_t)i;
    o.max_bytes = max_bytes;
    o.cpu = next_level();
    o.first_bound = P15_FROM_H;
    o.last_bound = P15_MAX_BOUND;
    o.limit = UINT64_MAX;
    o.below = 32;
    o.width = k == BEAM ? widths[variant] : variant ? (size_t)20 << variant : 4000;
    if (k == ANYTIME || k == ARA) {
        o.g_weight = 2;
        o.h_weight = 2 + variant;
        o.h_step = k == ARA ? 1 + variant % 2 : 0;
    }
    if (k == ANYTIME && variant % 2) o.batch = 5;
    if (k == MEETING) o.rule = (p15_meeting_rule)(variant % 3);
    if (k == MEETING && variant >= 3) o.batch = 8;
    if (k == DEEPENING && variant >= 3) o.batch = 2000; /* whose nodes need more room than there is at first */
    if (k == REMEMBERING) o.table_bytes = max_bytes;
    return p15_search_new(NEW[k], &o, search);
}

/* Whether the solution is a shortest one. */
static bool is_optimal(kind k, unsigned variant) { return k == BEST_FIRST ? variant < 4 : k != BEAM && k != CLIMB; }

/* What a search has done. */
typedef struct {
    p15_report report;
    size_t amid; /* calls that began amid a long job */
    uint8_t path[1000];
} answer;

static void check_path(const problem *p, const p15_report *report) {
    CHECK(report->length <= 1000 && report->length >= p->length);
    CHECK(leads(p->shape, p->start, p->goal, report->path, report->length));
}

/* Runs a search to its end, and checks what it reports on the way. A call that begins amid a long job expands nothing,
 * unless it ends the job; searches that meet may then expand a batch, and begin another job. */
static answer run(kind k, const problem *p, p15_search *search, uint64_t steps, size_t max_bytes, p15_trace *trace) {
    answer a = {.report = *p15_search_report(search)};
    size_t traced = 0;
    p15_search_trace(search, trace);
    for (bool more = true; more;) {
        p15_report before = a.report;
        more = p15_search_run(search, steps);
        a.report = *p15_search_report(search);
        const p15_report *now = &a.report;
        bool exhausted = k == SMA && now->state == P15_SEARCH_NO_ROOM; /* its bound is of what fits */
        CHECK(now->bytes <= max_bytes && more == (now->state == P15_SEARCH_RUNNING));
        CHECK(now->lower_bound >= before.lower_bound && (exhausted || now->lower_bound <= p->length));
        CHECK(steps > 1 || !before.upkeep || !now->upkeep || now->expanded <= before.expanded + (k == MEETING ? 8 : 0));
        a.amid += before.upkeep;
        if (now->path && k != CLIMB && (!more || now->upkeep)) check_path(p, now);
        if (!trace) continue;
        size_t ready = trace->count - (more ? trace->pending : 0);
        for (size_t i = 0; i < ready; i++) traced += !trace->expansions[i].goal;
        p15_trace_drop(trace, ready);
    }
    CHECK(!p15_search_run(search, 1));
    if (trace && !trace->failed && a.report.state != P15_SEARCH_NO_ROOM) CHECK(traced == a.report.expanded);
    if ((k == DEEPENING || k == REMEMBERING) && a.report.state == P15_SEARCH_SOLVED && p->length > 0) {
        CHECK(a.report.iteration_count > 0);
        CHECK(a.report.iterations[a.report.iteration_count - 1].bound == a.report.length);
    }
    if (a.report.path) memcpy(a.path, a.report.path, a.report.length);
    p15_search_delete(search);
    return a;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void check_same(const answer *one, const answer *other) {
    const p15_report *a = &one->report, *b = &other->report;
    CHECK(a->state == b->state && a->expanded == b->expanded && a->generated == b->generated);
    CHECK(a->reopened == b->reopened && a->nodes == b->nodes && a->lower_bound == b->lower_bound);
    CHECK(a->largest_open == b->largest_open && a->largest_closed == b->largest_closed);
    CHECK(!a->path == !b->path && a->length == b->length && memcmp(one->path, other->path, a->length) == 0);
}

/* Returns how many searches kept so many nodes that long jobs were cut into pieces: a closed table that has grown to n
 * nodes by halves has carried more than n. */
static unsigned test_steps(const problem *p) {
    unsigned large = 0;
    for (unsigned k = 0; k < KINDS; k++)
        for (unsigned variant = 0; variant < VARIANTS; variant++) {
            answer first;
            for (unsigned way = 0; way < 4; way++) {
                p15_search *search;
                p15_trace trace;
                p15_trace_init(&trace);
                CHECK(make((kind)k, p, variant, ROOM, &search) == P15_OK);
                uint64_t steps = way == 0 ? UINT64_MAX : way == 1 ? 1 : 1 + draw(200);
                answer a = run((kind)k, p, search, steps, ROOM, way == 2 ? &trace : NULL);
                p15_trace_free(&trace);
                if (way == 0)
                    first = a;
                else
                    check_same(&first, &a);
                if (way == 1 && a.report.nodes >= 4000 && k != SMA) {
                    CHECK(a.amid * P15_PIECE >= a.report.nodes);
                    large++;
                }
                CHECK(a.report.state == P15_SEARCH_SOLVED || (a.report.state == P15_SEARCH_FAILED && k <= CLIMB));
                if (is_optimal((kind)k, variant))
                    CHECK(a.report.length == p->length && a.report.lower_bound == p->length);
            }
        }
    return large;
}

/* Whatever the limit, a search keeps to it, and proves no more than is true: `run` checks that. */
static void test_limits(const problem *p) {
    const size_t most = 400000;
    for (unsigned k = 0; k < KINDS; k++) {
        unsigned states[4] = {0};
        if (k == CLIMB || k == DEEPENING || k == RBFS) continue; /* they have none */
        for (size_t max_bytes = 0; max_bytes < most; max_bytes += 1 + draw(max_bytes < 50000 ? 1000 : 20000)) {
            p15_search *search;
            p15_status status = make((kind)k, p, draw(VARIANTS), max_bytes, &search);
            CHECK(status == P15_OK || (status == P15_ERR_MEMORY && !search && max_bytes < 60000));
            if (status) continue;
            size_t room = k == REMEMBERING ? SIZE_MAX : max_bytes;
            states[run((kind)k, p, search, 1 + draw(100), room, NULL).report.state]++;
        }
        CHECK(states[P15_SEARCH_SOLVED] > 5);
        CHECK(states[P15_SEARCH_NO_ROOM] > 5 || k == REMEMBERING || k == SMA); /* these forget */
    }
}

/* Refuses the first request, then the second, and so on, until a search needs none that is refused. */
static void test_refused_memory(const problem *p) {
    for (unsigned k = 0; k < KINDS; k++)
        for (unsigned variant = 0; variant < VARIANTS; variant += 1 + draw(2)) {
            unsigned last = 0, failures = 0;
            /* The last search ends at the refused request, so the next number may lie a step beyond it. */
            for (unsigned number = 0; number <= last + number / 3; number += 1 + number / 3) {
                p15_search *search;
                p15_trace trace;
                p15_trace_init(&trace);
                only_one = draw(2);
                requests = 0;
                refused = number;
                p15_status status = make((kind)k, p, variant, ROOM, &search);
                CHECK(status == P15_OK || (status == P15_ERR_MEMORY && !search));
                p15_search_state state = P15_SEARCH_NO_ROOM;
                if (!status) state = run((kind)k, p, search, 1 + draw(100), ROOM, draw(2) ? &trace : NULL).report.state;
                if (k == DEEPENING) CHECK(state == P15_SEARCH_SOLVED || state == P15_SEARCH_NO_ROOM);
                failures += state == P15_SEARCH_NO_ROOM;
                p15_trace_free(&trace);
                refused = UINT32_MAX;
                last = requests;
            }
            CHECK(failures > 0);
        }
}

static void test_evaluators(void) {
    p15_shape shape = shape_of(4, 4);
    for (refused = 0;; refused++) {
        p15_evaluator *e;
        requests = 0;
        p15_status status = p15_evaluator_new(shape, p15_board_goal(shape, 15), &e);
        for (unsigned i = 0; i < P15_HEURISTIC_COUNT && !status; i++)
            status = p15_evaluator_add(e, (p15_heuristic_kind)i);
        p15_evaluator_delete(e);
        if (!status) break;
        CHECK(status == P15_ERR_MEMORY);
    }
    CHECK(refused > 2);
    refused = UINT32_MAX;
}

int main(int count, char **arguments) {
    static const unsigned kinds[] = {1u << P15_MANHATTAN, 0, 1u << P15_MISPLACED | 1u << P15_WALKING_DISTANCE};
    p15_shape shape = shape_of(3, 3);
    p15_board goal = draw_board(shape, p15_board_goal(shape, 8));
    uint8_t *lengths = distances(shape, goal);
    unsigned large = 0;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned least = 0; least < 32; least += 12) {
            bool chosen = least == 0 || (least > 12) == (i == 0);
            if (!chosen && !is_slow(count, arguments)) continue;
            p15_board start = goal;
            while (lengths[twin_rank(shape, start)] < least) start = draw_board(shape, goal);
            problem p = problem_of(shape, start, goal, lengths[twin_rank(shape, start)], kinds[i]);
            large += test_steps(&p);
            if (least > 12 && i < 2) test_limits(&p);
            if (least > 10) test_refused_memory(&p);
            free_problem(&p);
        }
    CHECK(large > 10);
    p15_board near = goal;
    while (lengths[twin_rank(shape, near)] != 1) near = draw_board(shape, goal);
    problem p = problem_of(shape, near, goal, 1, kinds[0]); /* the first iteration solves it */
    test_refused_memory(&p);
    free_problem(&p);
    test_evaluators();
    free(lengths);
    return 0;
}
