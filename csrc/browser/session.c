#include "browser/session.h"

#include "optimal/fringe.h"
#include "tables/build.h"

#include <stdlib.h>
#include <string.h>

#define SEQUENCE 10u        /* moves of the machine's operator sequences */
#define LONGER_SEQUENCE 14u /* and in large searches */
#define LARGE 4000000u      /* nodes of an iteration after which a search is large */
#define SLOTS 3u
#define MAX_TABLES 32u

typedef struct {
    uint16_t pattern;
    uint8_t *payload;
    p15_table table;
} session_table;

struct p15_session {
    p15_shape shape;
    unsigned home;
    p15_fsm fsm, longer;
    p15_problem problem;
    p15_space spaces[P15_MAX_PATTERN + 1]; /* [tiles of a pattern], those that have tables */
    session_table tables[MAX_TABLES];
    unsigned table_count;
    p15_idastar *search;
    p15_worker *worker;
    p15_graph graph;
    p15_board board;       /* that was asked about last */
    uint32_t reached;      /* the board of the last p15_session_reach; P15_NO_BOARD: there is none */
    bool reaching;         /* whether there may be more boards on its solutions */
    bool searching, query; /* whether a search is at work; and for a query's result */
    p15_status status;
    p15_result result; /* of the last search */
    p15_listing listing;
    p15_counts counts; /* of the searches that have ended since p15_session_begin */
    uint8_t path[P15_MAX_LENGTH];
};

/* ---- tables */

static void free_planes(p15_build *build) {
    for (unsigned segment = 0; segment < P15_SEGMENTS; segment++)
        for (unsigned plane = 0; plane < 2; plane++) free(build->planes[plane][segment]);
    p15_build_free(build);
}

static p15_status make_planes(p15_build *build) {
    for (unsigned segment = 0; segment < P15_SEGMENTS; segment++) {
        size_t bytes = p15_build_plane_bytes(build->space, segment);
        for (unsigned plane = 0; plane < 2 && bytes; plane++)
            if (!(build->planes[plane][segment] = calloc(bytes, 1))) return P15_ERR_MEMORY;
    }
    return P15_OK;
}

/* Level after level, until one finds nothing. Returns the largest value. */
static unsigned build_levels(p15_build *build) {
    uint64_t states = 1, placements = 0;
    unsigned level = 0;
    p15_build_start(build);
    while (states) {
        level++;
        states = 0;
        for (unsigned segment = 0; segment < P15_SEGMENTS; segment++) {
            bool sources[P15_SEGMENTS] = {false};
            if (p15_build_touches(build, level, segment) && p15_build_sources(build, level, segment, sources))
                p15_build_level(build, level, segment, &states, &placements);
        }
    }
    return level - 1;
}

static p15_status build_rows(const p15_build *build, uint8_t *payload) {
    const p15_space *space = build->space;
    size_t columns = ((size_t)space->block_count + 63) / 64;
    unsigned rows = space->k < 2 ? 1 : space->k * (space->k - 1);
    uint64_t *column = calloc(columns * 64, sizeof *column);
    if (!column) return P15_ERR_MEMORY;
    for (uint32_t word = 0; word < space->word_count; word++) {
        for (unsigned segment = 0; segment < P15_SEGMENTS; segment++)
            if (build->planes[1][segment]) p15_build_collect(build, segment, word, word + 1, column);
        p15_build_transpose(build, column, payload + (size_t)word * rows * columns * 8);
    }
    free(column);
    return P15_OK;
}

static p15_status build_table(p15_session *session, uint16_t pattern, session_table *made) {
    p15_space *space = &session->spaces[p15_count_bits(pattern)];
    p15_build build;
    p15_status status = P15_OK;
    if (!space->maps) status = p15_space_init(session->shape, p15_count_bits(pattern), space);
    if (status != P15_OK) return status;
    size_t bytes = p15_table_payload_bytes(space, false);
    *made = (session_table){.pattern = pattern, .payload = calloc(bytes, 1)};
    if (!made->payload) return P15_ERR_MEMORY;
    status = p15_build_init(space, pattern, session->home, false, P15_CPU_PLAIN, &build);
    if (status != P15_OK) return status;
    unsigned most = 0;
    status = make_planes(&build);
    if (status == P15_OK) {
        most = build_levels(&build);
        status = build_rows(&build, made->payload);
    }
    free_planes(&build);
    if (status != P15_OK) return status;
    return p15_table_init(space, made->payload, bytes, false, most, pattern, session->home, &made->table);
}

p15_status p15_session_add(p15_session *session, const uint16_t *patterns, unsigned count, const uint8_t *cell_to) {
    p15_table tables[MAX_TABLES];
    for (unsigned i = 0; i < count; i++) {
        unsigned at = 0;
        while (at < session->table_count && session->tables[at].pattern != patterns[i]) at++;
        if (at == MAX_TABLES || count > MAX_TABLES || p15_count_bits(patterns[i]) > P15_MAX_PATTERN)
            return P15_ERR_PATTERN;
        if (at == session->table_count) {
            session_table *made = &session->tables[at];
            p15_status status = build_table(session, patterns[i], made);
            if (status != P15_OK) {
                free(made->payload);
                *made = (session_table){.payload = NULL};
                return status;
            }
            session->table_count++;
        }
        tables[i] = session->tables[at].table;
    }
    return p15_problem_add_lookup(&session->problem, tables, count, cell_to);
}

/* ---- a session */

p15_session *p15_session_new(unsigned rows, unsigned cols, unsigned home) {
    p15_session *session = calloc(1, sizeof *session);
    if (!session) return NULL;
    session->home = home;
    session->reached = P15_NO_BOARD;
    if (p15_shape_init(rows, cols, &session->shape) == P15_OK &&
        p15_fsm_init(session->shape, SEQUENCE, &session->fsm) == P15_OK &&
        p15_problem_init(session->shape, home, &session->fsm, &session->problem) == P15_OK &&
        p15_graph_init(session->shape, session->problem.goal, false, &session->graph) == P15_OK) {
        session->problem.slot_count = SLOTS;
        session->problem.large = LARGE;
        return session;
    }
    p15_session_delete(session);
    return NULL;
}

const p15_problem *p15_session_problem(const p15_session *session) { return &session->problem; }

static void stop(p15_session *session) {
    p15_idastar_delete(session->search);
    p15_worker_delete(session->worker);
    session->search = NULL;
    session->worker = NULL;
    session->searching = false;
}

void p15_session_delete(p15_session *session) {
    if (!session) return;
    stop(session);
    p15_graph_free(&session->graph);
    p15_problem_free(&session->problem);
    p15_fsm_free(&session->fsm);
    p15_fsm_free(&session->longer);
    for (unsigned i = 0; i < session->table_count; i++) free(session->tables[i].payload);
    for (unsigned k = 0; k <= P15_MAX_PATTERN; k++) p15_space_free(&session->spaces[k]);
    free(session);
}

/* ---- searches */

static p15_status begin_search(p15_session *session, p15_board board, unsigned move, unsigned limit, bool query) {
    p15_status status = P15_OK;
    if (session->searching) stop(session); /* a worker that was stopped is of no further use */
    if (!session->search && !(session->search = p15_idastar_new(&P15_SINGLE_TILE, &session->problem)))
        return P15_ERR_MEMORY;
    if (!session->worker) status = p15_worker_new(&P15_SINGLE_TILE, &session->problem, &session->worker);
    if (status == P15_OK) status = p15_idastar_begin(session->search, board, move, limit);
    session->searching = status == P15_OK;
    session->query = query;
    return status;
}

p15_status p15_session_begin(p15_session *session, p15_board board, unsigned limit) {
    if (session->status != P15_OK) p15_session_forget(session);
    session->counts = (p15_counts){0, 0};
    session->result = (p15_result){.status = P15_OK};
    session->board = board;
    session->reaching = false;
    session->reached = P15_NO_BOARD;
    session->status = begin_search(session, board, P15_DIRECTIONS, limit, false);
    return session->status;
}

/* After an error, nothing is known any more. */
static p15_status known(p15_session *session, p15_board board, uint32_t *index) {
    if (session->status != P15_OK) p15_session_forget(session);
    *index = p15_graph_find_known(&session->graph, board);
    if (*index == P15_NO_BOARD) return P15_ERR_ARGUMENT;
    session->board = board;
    return P15_OK;
}

p15_status p15_session_query(p15_session *session, p15_board board) {
    uint32_t index;
    p15_status status = known(session, board, &index);
    return status == P15_OK ? p15_graph_query(&session->graph, index) : status;
}

p15_status p15_session_query_child(p15_session *session, p15_board board, unsigned move) {
    uint32_t index;
    p15_status status = known(session, board, &index);
    return status == P15_OK ? p15_graph_query_child(&session->graph, index, move) : status;
}

p15_status p15_session_reach(p15_session *session, p15_board board) {
    uint32_t index;
    p15_status status = known(session, board, &index);
    if (status != P15_OK) return status;
    session->reached = index;
    session->reaching = true;
    p15_listing_begin(index, (const uint8_t[P15_DIRECTIONS]){0, 1, 2, 3}, &session->listing);
    return p15_graph_reach(&session->graph, index);
}

/* Takes the result of the search that has ended. */
static p15_status end_search(p15_session *session) {
    p15_result *result = &session->result;
    p15_idastar_result(session->search, result, NULL);
    session->searching = false;
    p15_counts_add(&session->counts, (p15_counts){result->expanded, result->generated});
    if (session->query) return p15_graph_add_result(&session->graph, result);
    if (result->status != P15_OK || !result->solved) return result->status;
    return p15_graph_add_path(&session->graph, session->search->board, result->length, result->path);
}

/* Begins the search of the next query; false if there is none. */
static bool next_query(p15_session *session) {
    const p15_query *query = p15_graph_next_query(&session->graph);
    if (!query) return false;
    session->status = begin_search(session, session->graph.known[query->index].board, query->move, query->limit, true);
    return session->status == P15_OK;
}

/* Looks for further boards on the solutions; false if all are known. */
static bool reach_further(p15_session *session) {
    if (!session->reaching) return false;
    session->status = p15_graph_reach(&session->graph, session->reached);
    session->reaching = session->status == P15_OK && session->graph.pending_count > 0;
    return session->reaching;
}

bool p15_session_run(p15_session *session, double visits) {
    if (session->status != P15_OK) return false;
    if (!session->searching && !next_query(session)) return session->status == P15_OK && reach_further(session);
    if (p15_worker_run(session->worker, session->search, (uint64_t)visits)) return true;
    if (p15_idastar_advance(session->search, &session->worker, 1)) {
        if (!p15_idastar_lengthen(session->search)) {
            if (!session->longer.next && p15_fsm_init(session->shape, LONGER_SEQUENCE, &session->longer) != P15_OK)
                return true; /* it goes on with the shorter ones */
            p15_problem_lengthen(&session->problem, &session->longer);
            p15_idastar_lengthen(session->search);
        }
        return true;
    }
    session->status = end_search(session);
    return session->status == P15_OK && session->query;
}

/* ---- what is known */

p15_status p15_session_status(const p15_session *session) { return session->status; }

unsigned p15_session_lower_bound(const p15_session *session) {
    p15_result now = session->result;
    uint32_t index = p15_graph_find_known(&session->graph, session->board);
    if (index != P15_NO_BOARD) return session->graph.known[index].distance;
    if (session->searching) p15_idastar_result(session->search, &now, NULL);
    return now.lower_bound;
}

static p15_counts counts(const p15_session *session) {
    p15_counts all = session->counts;
    if (session->searching) {
        p15_result now;
        p15_idastar_result(session->search, &now, NULL);
        p15_counts_add(&all, (p15_counts){now.expanded, now.generated});
    }
    return all;
}

double p15_session_expanded(const p15_session *session) { return (double)counts(session).expanded; }
double p15_session_generated(const p15_session *session) { return (double)counts(session).generated; }

unsigned p15_session_distance(const p15_session *session, p15_board board) {
    uint32_t index = p15_graph_find_known(&session->graph, board);
    return index == P15_NO_BOARD ? P15_NOT_KNOWN : session->graph.known[index].distance;
}

unsigned p15_session_moves(const p15_session *session, p15_board board) {
    uint32_t index = p15_graph_find(&session->graph, board);
    return index == P15_NO_BOARD ? 0 : session->graph.known[index].moves;
}

static void write_path(p15_session *session, const uint8_t *path, unsigned length) {
    for (unsigned i = 0; i < length; i++) session->path[i] = (uint8_t)p15_path_move(path, i);
}

p15_status p15_session_solution(p15_session *session, p15_board board) {
    uint8_t path[P15_PATH_BYTES];
    uint32_t index;
    p15_status status = known(session, board, &index);
    if (status == P15_OK) status = p15_graph_solution(&session->graph, index, path);
    if (status != P15_OK) return status;
    write_path(session, path, session->graph.known[index].distance);
    return P15_OK;
}

p15_listing_state p15_session_next_solution(p15_session *session) {
    p15_listing *listing = &session->listing;
    if (session->reached == P15_NO_BOARD) return P15_LISTING_WAITS;
    p15_listing_state state = p15_listing_next(&session->graph, listing);
    if (state == P15_LISTING_SOLUTION)
        write_path(session, listing->path, session->graph.known[session->reached].distance);
    return state;
}

unsigned p15_session_known(const p15_session *session) { return session->graph.count; }

void p15_session_forget(p15_session *session) {
    stop(session);
    p15_graph_clear(&session->graph);
    session->reaching = false;
    session->reached = P15_NO_BOARD;
    session->result = (p15_result){.status = P15_OK};
    session->status = P15_OK;
}

const uint8_t *p15_session_path(const p15_session *session) { return session->path; }

double p15_session_count(p15_session *session) {
    uint64_t count;
    if (session->reached == P15_NO_BOARD || session->reaching) return -1;
    return p15_solutions_count(&session->graph, &count) == P15_OK ? (double)count : -1;
}
