/* Tables of the single-tile metric with wrong payloads, under every look-up and every search that reads them. Input: the
 * tables, what is done to them, and what is asked. */

#include "damage.h"
#include "optimal/graph.h"
#include "optimal/reference.h"
#include "tables/placements.h"

typedef struct {
    partition p;
    p15_fsm fsm;
    p15_problem problem;
    uint8_t *whole[MOST_PARTS];
} subjects;

static subjects *subjects_of(unsigned number, bool classic) {
    static subjects *made[CASE_COUNT][2];
    subjects **s = &made[number][classic];
    if (*s) return *s;
    const damage_case *c = &CASES[number];
    p15_shape shape = shape_of(c->rows, c->cols);
    *s = allocate(1, sizeof **s);
    make_partition(shape, c->home, classic, c->count, c->goal_maps, &(*s)->p);
    (*s)->fsm = fsm_of(c->rows, c->cols, 8);
    start_problem(&(*s)->p, &(*s)->fsm, &(*s)->problem);
    (*s)->problem.large = UINT64_MAX;
    add_lookup(&(*s)->p, 0, &(*s)->problem);
    if (c->rows == c->cols && c->home + 1u == shape.cells) add_lookup(&(*s)->p, 1, &(*s)->problem);
    for (unsigned i = 0; i < c->count; i++) {
        (*s)->whole[i] = allocate((*s)->p.parts[i].payload_bytes, 1);
        memcpy((*s)->whole[i], (*s)->p.parts[i].payload, (*s)->p.parts[i].payload_bytes);
    }
    return *s;
}

/* Any numbers in place of those that a header has: a table is refused, or no look-up leaves it. */
static void check_header(input *in, const built *b) {
    p15_table table;
    unsigned map = take2(in), home = take(in), largest = take4(in);
    size_t bytes = take(in) % 4 ? b->payload_bytes : take4(in);
    if (take(in) % 2) map = b->goal_map;
    if (take(in) % 2) home = b->home;
    bool classic = take(in) % 4 ? b->classic : !b->classic;
    if (bytes == b->payload_bytes && classic != b->classic) bytes = p15_table_payload_bytes(&b->space, classic);
    if (bytes > b->payload_bytes) bytes = p15_table_payload_bytes(&b->space, classic) + 1;
    p15_status status = p15_table_init(&b->space, b->payload, bytes, classic, largest, map, home, &table);
    CHECK(status == P15_OK || status == P15_ERR_PATTERN || status == P15_ERR_CORRUPT || status == P15_ERR_ARGUMENT);
    if (status != P15_OK || classic != b->classic) return;
    CHECK(twin_count(map) == b->space.k && !(map >> b->space.shape.cells) && home < b->space.shape.cells);
    unsigned value = 0;
    status = p15_table_value(&table, map, (uint32_t)(076543210u & ((1u << 3 * b->space.k) - 1u)), home, &value);
    CHECK(status == P15_OK ? value <= 255 : status == P15_ERR_CORRUPT);
}

static void check_values(input *in, const built *b, const p15_table *table, bool sound) {
    const p15_space *space = &b->space;
    uint32_t block = take2(in) % space->block_count, row = take4(in) % space->row_count;
    uint32_t perm = p15_space_unrank(space, row);
    unsigned map = space->block_map[block], blank = p15_lowest_bit(space->block_region[block]), value = 0;
    p15_status status = p15_table_value(table, map, perm, blank, &value);
    CHECK(status == P15_OK ? value <= 255 : status == P15_ERR_CORRUPT);
    CHECK(p15_space_row(space, perm) == row && p15_space_block(space, map, blank) == block);
    for (unsigned cell = 0; cell < space->shape.cells; cell++)
        for (unsigned direction = 0; direction < P15_DIRECTIONS; direction++) {
            int to = p15_cell_neighbour(space->shape, cell, direction);
            if (!(map >> cell & 1u) || to < 0 || map >> to & 1) continue;
            int change = p15_table_change(table, map, perm, cell, (unsigned)to);
            CHECK(change % 2 != 0 && change >= -255 && change <= 255);
            if (sound && !table->classic) CHECK(change == 1 || change == -1);
        }
}

static void check_listing(input *in, const p15_table *table) {
    uint8_t order[P15_MAX_PATTERN];
    unsigned k = table->space->k;
    for (unsigned i = 0; i < k; i++) {
        unsigned j = below(in, i + 1);
        order[i] = order[j];
        order[j] = (uint8_t)i;
    }
    bool blank = take(in) % 2;
    p15_placed listing;
    p15_status status = p15_placed_init(table, order, blank, take(in) % 2, &listing);
    CHECK(status == P15_OK || status == P15_ERR_CORRUPT);
    if (status != P15_OK) return;
    uint8_t *values = allocate((size_t)p15_arrangements(table->space->shape.cells, k + blank), 1);
    p15_placed_write(&listing, 0, p15_placed_groups(table->space), values);
    p15_placed_free(&listing);
    free(values);
}

/* All first moves of a board, as far as some visits lead. */
static void check_graph(input *in, p15_problem *problem, p15_board board, bool sound) {
    p15_graph graph;
    p15_worker *worker;
    problem->cpu = take_level(in); /* before a search is made for it */
    problem->slot_count = 1 + below(in, 4);
    p15_idastar *search = p15_idastar_new(&P15_SINGLE_TILE, problem);
    p15_query asked = {.move = P15_DIRECTIONS, .limit = P15_NO_LIMIT};
    const p15_query *query = &asked;
    uint32_t root = P15_NO_BOARD;
    unsigned calls = 60;
    CHECK(search && p15_graph_init(problem->shape, problem->goal, false, &graph) == P15_OK);
    CHECK(p15_worker_new(&P15_SINGLE_TILE, problem, &worker) == P15_OK);
    p15_status status = P15_OK;
    while (query && status == P15_OK && calls > 0) {
        p15_result result = {.status = P15_OK};
        bool more = true;
        asked = *query; /* the graph may move its queries */
        status = p15_idastar_begin(search, root == P15_NO_BOARD ? board : graph.known[asked.index].board, asked.move,
                                   asked.limit);
        while (status == P15_OK && more && calls > 0) {
            calls--;
            if (!p15_worker_run(worker, search, 100)) more = p15_idastar_advance(search, &worker, 1);
        }
        if (status != P15_OK || more) break;
        p15_idastar_result(search, &result, NULL);
        if (root == P15_NO_BOARD) {
            status = result.status;
            if (status != P15_OK) break;
            CHECK(result.solved);
            status = p15_graph_add_path(&graph, board, result.length, result.path);
            CHECK(status == P15_OK);
            root = p15_graph_find_known(&graph, board);
            status = p15_graph_reach(&graph, root);
        } else {
            status = p15_graph_add_result(&graph, &result);
            if (status == P15_OK && !p15_graph_next_query(&graph)) status = p15_graph_reach(&graph, root);
        }
        query = p15_graph_next_query(&graph);
    }
    if (status == P15_OK && !query) {
        uint64_t count;
        p15_listing listing;
        p15_listing_state state;
        unsigned listed = 0;
        CHECK(p15_solutions_count(&graph, &count) == P15_OK && count > 0);
        p15_listing_begin(root, (const uint8_t[]){3, 2, 1, 0}, &listing);
        while ((state = p15_listing_next(&graph, &listing)) == P15_LISTING_SOLUTION && listed < 200) listed++;
        CHECK(state != P15_LISTING_WRONG && (listed == 200 || listed == count));
    } else
        CHECK(status == P15_OK || (status == P15_ERR_CORRUPT && !sound));
    p15_worker_delete(worker);
    p15_idastar_delete(search);
    p15_graph_free(&graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, data + size};
    subjects *s = subjects_of(below(&in, CASE_COUNT), take(&in) % 2);
    p15_problem *problem = &s->problem;
    unsigned asked = below(&in, 8), part = below(&in, s->p.count), h;
    uint8_t lookups[P15_MAX_LOOKUPS];
    p15_board board = take_board(&in, problem->shape, problem->goal);
    bool sound = true;
    for (unsigned i = 0; i < s->p.count; i++)
        if (damage(&in, s->p.parts[i].payload, s->p.parts[i].payload_bytes)) sound = false;
    bool valid =
        p15_board_check(board, problem->shape) == P15_OK && p15_board_solvable(board, problem->goal, problem->shape);
    p15_status status = p15_heuristic(problem, board, &h, lookups);
    CHECK(status == P15_OK ? valid : !valid || (status == P15_ERR_CORRUPT && !sound));
    if (asked == 0) check_header(&in, &s->p.parts[part]);
    if (asked == 1) check_values(&in, &s->p.parts[part], &s->p.tables[part], sound);
    if (asked == 2 && !problem->classic) check_listing(&in, &s->p.tables[part]);
    if (asked == 3 && valid) check_graph(&in, problem, board, sound);
    if (asked == 4 && problem->shape.cells == 4) {
        p15_reference_solution solution;
        status = p15_reference_solve(s->p.tables, s->p.count, board, &solution);
        CHECK(status == P15_OK ? valid : !valid || (status == P15_ERR_CORRUPT && !sound));
    }
    if (asked > 4) search_board(single_tile(problem), &in, board, sound, 500);
    for (unsigned i = 0; i < s->p.count; i++) memcpy(s->p.parts[i].payload, s->whole[i], s->p.parts[i].payload_bytes);
    problem->plain = false;
    return 0;
}
