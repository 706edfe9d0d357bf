/* p15_multi_search: lengths against breadth-first search, counts against a recursive twin, the same further whatever
 * the workers, visits and processor levels, limits, and no harm from damaged tables. */

#include "multi.h"

#include "multitile/search.c" /* for the worker's level */

enum { MOST_TABLES = 3 };

typedef struct {
    p15_shape shape;
    unsigned count;
    multi_built built[MOST_TABLES];
    p15_multi_problem problem;
} world;

/* A problem of tables of k tiles, each seen through all symmetries that keep the home, as many as there may be. */
static void make_world(p15_shape shape, unsigned home, unsigned k, unsigned count, world *w) {
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    unsigned symmetries = p15_symmetries(shape, maps);
    w->shape = shape;
    w->count = count;
    CHECK(p15_multi_problem_init(shape, home, &w->problem) == P15_OK);
    for (unsigned i = 0; i < count; i++) {
        build_multi(shape, draw_map(shape, k, home), home, p15_cpu_highest(), 1000, &w->built[i]);
        for (unsigned s = 0; s < symmetries; s++)
            if (maps[s][home] == home && w->problem.lookup_count < P15_MULTI_MAX_LOOKUPS)
                CHECK(p15_multi_problem_add_lookup(&w->problem, &w->built[i].table, maps[s]) == P15_OK);
    }
}

static void free_world(world *w) {
    for (unsigned i = 0; i < w->count; i++) free_multi(&w->built[i]);
}

static p15_board draw_walk(const world *w, unsigned moves) {
    p15_board board = w->problem.goal;
    unsigned cells[P15_MAX_CELLS], axis = draw(2);
    for (unsigned i = 0; i < moves; i++, axis = 1 - axis)
        board =
            twin_slide_board(w->shape, board, cells[draw(twin_moves(w->shape, axis, p15_board_blank(board), cells))]);
    return board;
}

/* Every move is along a line, the axes alternate, and the last board is the goal. */
static void check_path(const world *w, p15_board board, const p15_result *result) {
    CHECK(result->status == P15_OK && result->solved && result->lower_bound == result->length);
    unsigned last = 2;
    CHECK(p15_multi_path_cell(result->path, 0) == p15_board_blank(board));
    for (unsigned i = 0; i < result->length; i++) {
        unsigned blank = p15_board_blank(board), cell = p15_multi_path_cell(result->path, i + 1), cols = w->shape.cols;
        unsigned axis = blank / cols == cell / cols ? 0 : 1;
        CHECK(cell < w->shape.cells && cell != blank && axis != last && (axis == 0 || blank % cols == cell % cols));
        last = axis;
        board = twin_slide_board(w->shape, board, cell);
    }
    CHECK(board == w->problem.goal);
}

static bool same_result(const p15_result *a, const p15_result *b) {
    return a->status == b->status && a->solved == b->solved && a->length == b->length &&
           a->lower_bound == b->lower_bound && memcmp(a->path, b->path, sizeof a->path) == 0 &&
           a->expanded == b->expanded && a->generated == b->generated && a->iteration_count == b->iteration_count;
}

static p15_multi_worker *new_worker(const world *w, p15_cpu cpu) {
    p15_multi_worker *worker;
    CHECK(p15_multi_worker_new(&w->problem, &worker) == P15_OK);
    if (cpu < worker->cpu) worker->cpu = cpu;
    return worker;
}

/* The search of one board by workers that take turns of `visits`. */
static p15_result solve_one(const world *w, p15_board board, unsigned limit, unsigned workers, uint64_t visits,
                            p15_cpu cpu, p15_iteration *iterations) {
    p15_multi_worker *worker[3];
    p15_multi_search *search;
    p15_result result;
    CHECK(p15_multi_search_new(&w->problem, &search) == P15_OK);
    for (unsigned i = 0; i < workers; i++) worker[i] = new_worker(w, cpu);
    p15_multi_search_begin(search, board, limit);
    do {
        uint64_t before = p15_multi_search_generated(search);
        for (unsigned busy = 1; busy;) {
            busy = 0;
            for (unsigned i = 0; i < workers; i++) busy += p15_multi_worker_run(worker[i], search, visits);
            CHECK(p15_multi_search_generated(search) >= before);
            before = p15_multi_search_generated(search);
        }
    } while (p15_multi_search_advance(search));
    p15_multi_search_result(search, &result, iterations);
    CHECK(p15_multi_search_generated(search) == result.generated);
    for (unsigned i = 0; i < workers; i++) p15_multi_worker_delete(worker[i]);
    p15_multi_search_delete(search);
    return result;
}

static p15_result *solve_batch(const world *w, const p15_board *boards, const uint8_t *limits,
                               const uint64_t *max_nodes, size_t count, unsigned workers, uint64_t visits) {
    p15_result *results = allocate(count, sizeof *results);
    p15_batch batch;
    p15_multi_worker *worker[3];
    p15_batch_start(boards, limits, max_nodes, results, count, &batch);
    for (unsigned i = 0; i < workers; i++) worker[i] = new_worker(w, next_level());
    for (unsigned busy = 1; busy;) {
        busy = 0;
        for (unsigned i = 0; i < workers; i++) busy += p15_multi_worker_run_batch(worker[i], &batch, visits);
    }
    CHECK(p15_batch_done(&batch) == count);
    for (unsigned i = 0; i < workers; i++) p15_multi_worker_delete(worker[i]);
    return results;
}

/* ------------------------------------------------------------------------- against distances --- */

/* Every so many boards of a shape at their exact distance; h never exceeds it. */
static void check_distances(p15_shape shape, unsigned home, unsigned k, unsigned tables, size_t step) {
    world w;
    make_world(shape, home, k, tables, &w);
    atlas a = make_atlas(shape, w.problem.goal, twin_multi_children);
    size_t count = 0;
    p15_board *boards = allocate(a.count / step + 1, sizeof *boards);
    for (size_t i = draw((uint32_t)step); i < a.count; i += step) boards[count++] = a.boards[i];
    p15_result *results = solve_batch(&w, boards, NULL, NULL, count, 2, 300);
    for (size_t i = 0; i < count; i++) {
        unsigned length = a.lengths[twin_rank(shape, boards[i])], h;
        uint8_t lookups[P15_MULTI_MAX_LOOKUPS];
        CHECK(p15_multi_heuristic(&w.problem, boards[i], &h, lookups) == P15_OK && results[i].status == P15_OK);
        CHECK(h <= length && results[i].length == length);
        for (unsigned v = 0; v < w.problem.lookup_count; v++) CHECK(lookups[v] <= h);
        check_path(&w, boards[i], &results[i]);
    }
    free(results);
    free(boards);
    free_atlas(&a);
    free_world(&w);
}

/* ------------------------------------------------------------------------------ against a twin --- */

/* IDA* by recursion, with distances of patterns from their twins: exact where no line has four cells. */
typedef struct {
    const world *w;
    twin_table twins[MOST_TABLES][P15_AXES];
    uint64_t expanded, generated;
} recursion;

static unsigned twin_h(const recursion *r, p15_board board, unsigned axis) {
    uint8_t cell_of[P15_MAX_CELLS];
    unsigned h = 0;
    p15_board_locate(board, r->w->shape, cell_of);
    for (unsigned v = 0; v < r->w->problem.lookup_count; v++) {
        const p15_multi_lookup *lookup = &r->w->problem.lookups[v];
        unsigned table = 0, k = lookup->table->lines->k;
        uint64_t state = (uint64_t)lookup->cell_to[cell_of[0]] << (4 * k);
        while (&r->w->built[table].table != lookup->table) table++;
        for (unsigned label = 0; label < k; label++)
            state |= (uint64_t)lookup->cell_to[cell_of[lookup->tile_of[label]]] << (4 * label);
        bool transposed = lookup->cell_to[1] / r->w->shape.cols != lookup->cell_to[0] / r->w->shape.cols;
        const twin_table *twin = &r->twins[table][axis ^ transposed];
        unsigned value = twin->values[twin_index(twin, state)];
        if (value > h) h = value;
    }
    return h;
}

static bool twin_visit(recursion *r, p15_board board, unsigned axis, unsigned left) {
    unsigned cells[P15_MAX_CELLS], count = twin_moves(r->w->shape, axis, p15_board_blank(board), cells);
    r->expanded++;
    r->generated += count;
    for (unsigned i = 0; i < count; i++)
        if (twin_slide_board(r->w->shape, board, cells[i]) == r->w->problem.goal) return true;
    for (unsigned cell = 0; cell < r->w->shape.cells; cell++)
        for (unsigned i = 0; i < count; i++) {
            p15_board child = twin_slide_board(r->w->shape, board, cells[i]);
            if (cells[i] == cell && left > 1 && twin_h(r, child, 1 - axis) < left &&
                twin_visit(r, child, 1 - axis, left - 1))
                return true;
        }
    return false;
}

static void check_counts(p15_shape shape, unsigned home, unsigned k, unsigned tables, unsigned boards) {
    world w;
    recursion r = {.w = &w};
    make_world(shape, home, k, tables, &w);
    for (unsigned i = 0; i < tables; i++) twin_multi(shape, w.built[i].table.goal_map, home, r.twins[i]);
    for (unsigned i = 0; i < boards; i++) {
        p15_board board = draw_board(w.shape, w.problem.goal);
        p15_iteration iterations[P15_MULTI_MAX_LENGTH];
        p15_result result = solve_one(&w, board, P15_NO_LIMIT, 1, 1000, P15_CPU_VNNI, iterations);
        check_path(&w, board, &result);
        unsigned across = twin_h(&r, board, 0), down = twin_h(&r, board, 1), bound = across < down ? across : down;
        uint64_t expanded = 0, generated = 0;
        bool split = false;
        for (unsigned j = 0; j < result.iteration_count; j++, bound++) {
            r.expanded = r.generated = 0;
            bool solved = (across <= bound && twin_visit(&r, board, 0, bound)) ||
                          (down <= bound && twin_visit(&r, board, 1, bound));
            CHECK(iterations[j].bound == bound && solved == (j + 1 == result.iteration_count));
            split = !solved && r.generated > SPLIT_NODES;
            if (split) break; /* the counts are those of other tasks now */
            CHECK(iterations[j].expanded == r.expanded && iterations[j].generated == r.generated);
            expanded += r.expanded;
            generated += r.generated;
        }
        CHECK(split || (result.expanded == expanded && result.generated == generated));
    }
    for (unsigned i = 0; i < tables; i++) twin_multi_free(r.twins[i]);
    free_world(&w);
}

/* -------------------------------------------------------------------------------- same further --- */

static unsigned check_same(const world *w, p15_board board) {
    p15_result first = solve_one(w, board, P15_NO_LIMIT, 1, UINT64_MAX, P15_CPU_VNNI, NULL);
    static const struct {
        unsigned workers, visits;
        p15_cpu cpu;
    } ways[] = {{1, 100, P15_CPU_PLAIN}, {2, 1, P15_CPU_V3}, {2, 37, P15_CPU_VNNI}, {3, 500, P15_CPU_PLAIN}};
    check_path(w, board, &first);
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        p15_result other = solve_one(w, board, P15_NO_LIMIT, ways[i].workers, ways[i].visits, ways[i].cpu, NULL);
        CHECK(same_result(&first, &other));
    }
    for (unsigned limit = first.length < 3 ? 0 : first.length - 3u; limit <= first.length; limit++) {
        p15_result limited = solve_one(w, board, limit, 2, 50, P15_CPU_VNNI, NULL);
        CHECK(limited.status == P15_OK && limited.solved == (limit == first.length));
        CHECK(limited.solved ? same_result(&limited, &first)
                             : limited.lower_bound > limit && limited.lower_bound <= first.length);
    }

    /* Batches: the same counts, and a limit of nodes that is met or just missed. */
    p15_board boards[3] = {board, board, board};
    uint64_t max_nodes[3] = {first.generated, first.generated ? first.generated - 1 : 0, first.generated / 2};
    for (unsigned workers = 1; workers <= 3; workers++) {
        p15_result *results = solve_batch(w, boards, NULL, max_nodes, 3, workers, 1 + draw(2000));
        CHECK(same_result(&results[0], &first));
        for (unsigned i = 1; i < 3; i++) {
            CHECK(results[i].status == P15_OK && results[i].generated <= max_nodes[i]);
            CHECK(results[i].solved == (first.generated == 0) && results[i].lower_bound <= first.length);
        }
        free(results);
    }
    return first.generated > 4 * SPLIT_NODES;
}

static void check_all_the_same(p15_shape shape, unsigned home, unsigned k, unsigned tables, unsigned boards,
                               unsigned walk, bool large) {
    world w;
    unsigned split = 0;
    make_world(shape, home, k, tables, &w);
    split += check_same(&w, w.problem.goal);
    for (unsigned i = 0; i < boards; i++) split += check_same(&w, draw_walk(&w, walk));
    CHECK(split > 0 || !large);
    free_world(&w);
}

/* Four lookups on 4x4, which have loops of their own if all have the same lines and none is mirrored: tables 0 and 1
 * have the same lines; table 2 has one tile less. A view is a table, and whether it is seen through the symmetry. */
static void check_four_views(unsigned home, const unsigned lookups[4][2]) {
    world w = {.shape = shape_of(4, 4), .count = MOST_TABLES};
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS];
    unsigned symmetry = p15_symmetries(w.shape, maps);
    while (maps[--symmetry][home] != home) continue;
    CHECK(symmetry > 0);
    for (unsigned i = 0; i < MOST_TABLES; i++)
        build_multi(w.shape, draw_map(w.shape, i < 2 ? 4 : 3, home), home, p15_cpu_highest(), 1000, &w.built[i]);
    multi_built *b = &w.built[1];
    unsigned goal_map = b->table.goal_map;
    p15_multi_table_free(&b->table);
    CHECK(p15_multi_table_init(&w.built[0].lines, b->payload, b->payload_bytes, goal_map, home, &b->table) == P15_OK);
    CHECK(p15_multi_problem_init(w.shape, home, &w.problem) == P15_OK);
    for (unsigned v = 0; v < 4; v++)
        CHECK(p15_multi_problem_add_lookup(&w.problem, &w.built[lookups[v][0]].table, maps[lookups[v][1] * symmetry]) ==
              P15_OK);
    for (unsigned i = 0; i < 6; i++) check_same(&w, draw_walk(&w, 18));
    free_world(&w);
}

/* ----------------------------------------------------------------------------- other batches --- */

static void check_batches(void) {
    enum { BOARDS = 40 };
    world w;
    make_world(shape_of(3, 3), 8, 3, 2, &w);
    p15_board boards[BOARDS];
    uint8_t limits[BOARDS];
    for (unsigned i = 0; i < BOARDS; i++) boards[i] = draw_board(w.shape, w.problem.goal);
    boards[3] = 0;                               /* no board */
    boards[4] = w.problem.goal ^ UINT64_C(0x11); /* nor this */
    boards[5] = w.problem.goal ^ UINT64_C(0x33); /* tiles 1 and 2 change positions */
    boards[6] = w.problem.goal;
    p15_result *all = solve_batch(&w, boards, NULL, NULL, BOARDS, 1, 1000);
    CHECK(all[3].status == P15_ERR_BOARD && all[4].status == P15_ERR_BOARD && all[5].status == P15_ERR_UNSOLVABLE);
    CHECK(all[6].solved && all[6].length == 0 && all[6].generated == 0);
    for (unsigned i = 0; i < BOARDS; i++) limits[i] = (uint8_t)(all[i].length - i % 2u * (all[i].length > 0));
    p15_result *limited = solve_batch(&w, boards, limits, NULL, BOARDS, 3, 10);
    for (unsigned i = 0; i < BOARDS; i++) {
        CHECK(limited[i].status == all[i].status && limited[i].solved == (all[i].solved && limits[i] == all[i].length));
        if (limited[i].solved) CHECK(same_result(&limited[i], &all[i]));
        if (all[i].status == P15_OK && !limited[i].solved) CHECK(limited[i].lower_bound == all[i].length);
    }
    /* Boards that are passed over, and a batch that is stopped after some visits. */
    for (unsigned when = 0; when < 20; when++) {
        p15_result results[BOARDS] = {{.status = P15_OK}};
        p15_batch batch;
        p15_multi_worker *worker[2] = {new_worker(&w, P15_CPU_VNNI), new_worker(&w, P15_CPU_VNNI)};
        results[0].status = P15_ERR_ARGUMENT;
        p15_batch_start(boards, NULL, NULL, results, BOARDS, &batch);
        for (unsigned i = 0; i < when; i++) p15_multi_worker_run_batch(worker[i % 2], &batch, 100);
        p15_batch_stop(&batch);
        for (unsigned i = 0; i < 2; i++)
            while (p15_multi_worker_run_batch(worker[i], &batch, 100)) {
            }
        CHECK(p15_batch_done(&batch) == BOARDS);
        CHECK(results[0].status == P15_ERR_ARGUMENT && !results[0].solved);
        for (unsigned i = 1; i < BOARDS; i++) {
            CHECK(results[i].status == all[i].status && results[i].lower_bound <= all[i].lower_bound);
            if (results[i].solved) CHECK(same_result(&results[i], &all[i]));
        }
        for (unsigned i = 0; i < 2; i++) p15_multi_worker_delete(worker[i]); /* they are fit for another batch, too */
    }
    p15_batch none;
    p15_multi_worker *idle = new_worker(&w, P15_CPU_VNNI);
    p15_batch_start(NULL, NULL, NULL, NULL, 0, &none);
    CHECK(!p15_multi_worker_run_batch(idle, &none, 100) && p15_batch_done(&none) == 0);
    p15_multi_worker_delete(idle);
    p15_multi_worker_delete(NULL);
    p15_multi_search_delete(NULL);
    free(limited);
    free(all);
    free_world(&w);
}

static void check_problems(void) {
    uint8_t maps[P15_MAX_SYMMETRIES][P15_MAX_CELLS], none[P15_MAX_CELLS] = {0};
    p15_shape shape = shape_of(3, 3);
    p15_multi_problem problem, other, blind;
    multi_built b, c;
    p15_symmetries(shape, maps);
    build_multi(shape, 0x007, 8, p15_cpu_highest(), 1000, &b);
    build_multi(shape, 0x070, 8, p15_cpu_highest(), 1000, &c);
    CHECK(p15_multi_problem_init(shape, 9, &problem) == P15_ERR_ARGUMENT);
    CHECK(p15_multi_problem_init(shape, 8, &problem) == P15_OK);
    CHECK(p15_multi_problem_add_lookup(&problem, &b.table, none) == P15_ERR_PATTERN);
    CHECK(p15_multi_problem_add_lookup(&problem, &b.table, maps[2]) == P15_ERR_PATTERN); /* it moves the home */
    CHECK(p15_multi_problem_move_table(&problem, 0, &b.table) == P15_ERR_ARGUMENT);
    for (unsigned i = 0; i < P15_MULTI_MAX_LOOKUPS; i++)
        CHECK(p15_multi_problem_add_lookup(&problem, &b.table, maps[i % 2]) == P15_OK);
    CHECK(p15_multi_problem_add_lookup(&problem, &b.table, maps[0]) == P15_ERR_PATTERN);
    CHECK(p15_multi_problem_move_table(&problem, 0, &c.table) == P15_ERR_ARGUMENT);
    p15_multi_table again;
    CHECK(p15_multi_table_init(&b.lines, b.payload, b.payload_bytes, 0x007, 8, &again) == P15_OK);
    CHECK(p15_multi_problem_move_table(&problem, 1, &again) == P15_OK && problem.lookups[1].table == &again);
    CHECK(p15_multi_problem_init(shape, 4, &other) == P15_OK);
    CHECK(p15_multi_problem_add_lookup(&other, &b.table, maps[0]) == P15_ERR_PATTERN);
    CHECK(p15_multi_problem_init(shape_of(2, 4), 7, &other) == P15_OK);
    CHECK(p15_multi_problem_add_lookup(&other, &b.table, maps[0]) == P15_ERR_PATTERN);

    /* Without lookups h is 0, and the search is a blind one. */
    world w = {.shape = shape};
    CHECK(p15_multi_problem_init(shape, 0, &blind) == P15_OK);
    w.problem = blind;
    atlas a = make_atlas(shape, blind.goal, twin_multi_children);
    for (unsigned i = 0; i < 20; i++) {
        p15_board board = draw_walk(&w, 7);
        p15_result result = solve_one(&w, board, P15_NO_LIMIT, 2, 100, P15_CPU_PLAIN, NULL);
        check_path(&w, board, &result);
        CHECK(result.length == a.lengths[twin_rank(shape, board)]);
    }
    free_atlas(&a);
    p15_multi_table_free(&again);
    free_multi(&b);
    free_multi(&c);
}

/* ------------------------------------------------------------------------------ damaged tables --- */

/* Searches with noise in the tables end: with a solution, with a bound, or with P15_ERR_CORRUPT. */
static void check_damage(p15_shape shape, unsigned k, unsigned share, unsigned boards) {
    enum { MOST = 20 };
    world w;
    p15_board some[MOST];
    uint64_t max_nodes[MOST];
    make_world(shape, draw(shape.cells), k, 1, &w);
    multi_built *b = &w.built[0];
    size_t codebooks = p15_multi_codebooks_bytes(&b->lines);
    for (size_t i = codebooks; i < b->payload_bytes; i++)
        if (draw(1000) < share) b->payload[i] = (uint8_t)draw(256);
    for (unsigned i = 0; i < boards; i++) {
        some[i] = draw_board(w.shape, w.problem.goal);
        max_nodes[i] = 1000;
    }
    p15_result *results = solve_batch(&w, some, NULL, max_nodes, boards, 2, 300);
    for (unsigned i = 0; i < boards; i++) {
        CHECK(results[i].status == P15_OK || results[i].status == P15_ERR_CORRUPT);
        CHECK(!results[i].solved || results[i].status == P15_OK);
        CHECK(results[i].lower_bound <= P15_MULTI_MAX_LENGTH);
        if (results[i].solved) check_path(&w, some[i], &results[i]);
    }
    free(results);
    free_world(&w);
}

int main(int count, char **arguments) {
    check_problems();
    check_batches();
    for (unsigned home = 0; home < 4; home++) check_distances(shape_of(2, 2), home, 1 + home % 2, 1, 1);
    for (unsigned home = 0; home < 6; home++) check_distances(shape_of(2, 3), home, 1 + home % 4, 2, 1);
    for (unsigned home = 0; home < 6; home++) check_distances(shape_of(3, 2), home, 4 - home % 4, 1, 1);
    for (unsigned home = 0; home < 8; home += 3) check_distances(shape_of(2, 4), home, 4, 2, 5);
    check_distances(shape_of(4, 2), 2, 4, 2, 9);
    check_distances(shape_of(4, 2), 7, 3, 3, 9);
    for (unsigned home = 0; home < 9; home += 4) check_distances(shape_of(3, 3), home, 3 + home % 3, 2, 500);
    check_counts(shape_of(3, 3), 8, 4, 2, 20);
    check_counts(shape_of(3, 3), 4, 4, 1, 10);
    check_counts(shape_of(2, 3), 1, 2, 1, 20);
    check_counts(shape_of(2, 5), 9, 3, 1, 4);
    check_all_the_same(shape_of(3, 3), 8, 1, 1, 4, 60, true);
    check_all_the_same(shape_of(4, 4), 15, 4, 2, 3, 24, true);
    check_all_the_same(shape_of(4, 4), 5, 3, 2, 3, 15, false);
    check_four_views(15, (const unsigned[4][2]){{0, 0}, {0, 1}, {1, 0}, {1, 1}});
    check_four_views(15, (const unsigned[4][2]){{0, 0}, {2, 0}, {2, 1}, {1, 0}});
    check_four_views(12, (const unsigned[4][2]){{0, 0}, {1, 1}, {0, 1}, {1, 0}});
    check_all_the_same(shape_of(2, 8), 15, 2, 1, 3, 11, false);
    check_all_the_same(shape_of(8, 2), 3, 2, 1, 3, 11, false);
    static const struct {
        unsigned rows, cols, k;
    } damaged[] = {{2, 2, 1}, {2, 2, 2}, {2, 3, 3}, {3, 3, 3}, {4, 4, 3}, {3, 4, 3}, {2, 8, 3}, {8, 2, 2}};
    for (unsigned i = 0; i < sizeof damaged / sizeof *damaged; i++)
        for (unsigned share = 1; share <= 1000; share *= 10)
            check_damage(shape_of(damaged[i].rows, damaged[i].cols), damaged[i].k, share, 4);
    if (!is_slow(count, arguments)) return 0;
    for (unsigned home = 0; home < 8; home++) check_distances(shape_of(2, 4), home, 4, 2, 1);
    for (unsigned home = 0; home < 9; home++) check_distances(shape_of(3, 3), home, 5, 2, home == 8 ? 1 : 30);
    check_all_the_same(shape_of(4, 4), 15, 4, 2, 4, 28, true);
    for (unsigned i = 0; i < 40; i++) check_damage(shape_of(2 + i % 3, 2 + i / 3 % 3), 1 + i % 3, 1000, 20);
    return 0;
}
