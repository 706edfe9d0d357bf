/* p15_multi_search: lengths against breadth-first search, counts against a recursive twin, the same answers whatever the
 * workers, visits and processor levels, limits, and no harm from damaged tables. */

#include "optimal/exact.h"
#include "optimal/limits.h"

enum { MOST_TABLES = 3, SPLIT_NODES = 2000 };

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

static p15_board draw_moves(const world *w, unsigned moves) {
    p15_board board = w->problem.goal;
    unsigned cells[P15_MAX_CELLS], axis = draw(2);
    for (unsigned i = 0; i < moves; i++, axis = 1 - axis)
        board =
            twin_slide_board(w->shape, board, cells[draw(twin_moves(w->shape, axis, p15_board_blank(board), cells))]);
    return board;
}

/* Every so many boards of a shape at their exact distance; h never exceeds it. */
static void check_lengths(p15_shape shape, unsigned home, unsigned k, unsigned tables, size_t step) {
    world w;
    make_world(shape, home, k, tables, &w);
    atlas a = make_atlas(shape, w.problem.goal, twin_multi_children);
    check_distances(multi_tile(&w.problem), &a, step, 5);
    free_atlas(&a);
    free_world(&w);
}

/* After a move from a board, a search decides whether the next board is nearer: all children of every so many boards. */
static void check_decisions(p15_shape shape, unsigned home, unsigned k, size_t step) {
    enum { MOST = 16 };
    world w;
    make_world(shape, home, k, 1, &w);
    subject s = multi_tile(&w.problem);
    atlas a = make_atlas(shape, w.problem.goal, twin_multi_children);
    for (size_t i = 1; i < a.count; i += step) {
        unsigned blank = p15_board_blank(a.boards[i]), length = a.lengths[twin_rank(shape, a.boards[i])];
        p15_board children[MOST];
        uint8_t limits[MOST], moves[MOST];
        p15_result results[MOST] = {{.status = P15_OK}};
        p15_batch batch;
        p15_worker *worker;
        unsigned count = twin_multi_children(shape, a.boards[i], children);
        for (unsigned c = 0; c < count; c++) {
            unsigned cell = p15_board_blank(children[c]);
            bool across = cell / shape.cols == blank / shape.cols;
            moves[c] = across ? cell > blank ? P15_RIGHT : P15_LEFT : cell > blank ? P15_DOWN : P15_UP;
            limits[c] = (uint8_t)(length - 1);
        }
        make_workers(s, &worker, 1);
        p15_batch_start(children, limits, NULL, results, count, &batch);
        batch.moves = moves;
        while (p15_worker_run_batch(worker, &batch, 1 + draw(2000))) continue;
        p15_worker_delete(worker);
        for (unsigned c = 0; c < count; c++) {
            bool nearer = a.lengths[twin_rank(shape, children[c])] < length;
            CHECK(results[c].status == P15_OK && results[c].solved == nearer);
            if (nearer) check_path(s, children[c], &results[c]);
            CHECK(results[c].iteration_count <= 1 && (nearer || results[c].lower_bound >= length));
        }
    }
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
        p15_iteration iterations[P15_MAX_ITERATIONS];
        p15_result result = solve_one(multi_tile(&w.problem), board, 1, 8, 1000, iterations);
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

/* ------------------------------------------------------------------------- the same answers --- */

static void check_boards(world *w, const p15_board *boards, size_t count) {
    subject s = multi_tile(&w->problem);
    check_alike(s, boards, count);
    check_limits(s, boards, count);
    check_node_limits(s, boards, count);
    check_stop(s, boards, count);
}

/* The goal, and boards that are some moves from it; `large`: at least one takes an iteration that is shared. */
static void check_all_alike(p15_shape shape, unsigned home, unsigned k, unsigned tables, unsigned count, unsigned walk,
                            bool large) {
    enum { MOST = 8 };
    world w;
    p15_board boards[MOST];
    uint64_t most = 0;
    make_world(shape, home, k, tables, &w);
    if (shape.cells == 9) check_statuses(multi_tile(&w.problem));
    boards[0] = w.problem.goal;
    for (unsigned i = 1; i <= count; i++) boards[i] = draw_moves(&w, walk);
    check_boards(&w, boards, count + 1);
    for (unsigned i = 0; i <= count; i++) {
        uint64_t generated = solve_one(multi_tile(&w.problem), boards[i], 1, 8, 1000, NULL).generated;
        most = generated > most ? generated : most;
    }
    CHECK(most > 4 * SPLIT_NODES || !large);
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
    p15_board boards[6];
    for (unsigned i = 0; i < 6; i++) boards[i] = draw_moves(&w, 18);
    check_alike(multi_tile(&w.problem), boards, 6);
    free_world(&w);
}

/* ---------------------------------------------------------------------------------- problems --- */

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
        p15_board board = draw_moves(&w, 7);
        p15_result result = solve_one(multi_tile(&w.problem), board, 2, 8, 100, NULL);
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
    p15_result results[MOST] = {{.status = P15_OK}};
    run_batch(multi_tile(&w.problem), some, NULL, max_nodes, boards, 300, results);
    for (unsigned i = 0; i < boards; i++) {
        CHECK(results[i].status == P15_OK || results[i].status == P15_ERR_CORRUPT);
        CHECK(!results[i].solved || results[i].status == P15_OK);
        CHECK(results[i].lower_bound <= P15_MULTI_MAX_LENGTH);
        if (results[i].solved) check_path(multi_tile(&w.problem), some[i], &results[i]);
    }
    free_world(&w);
}

int main(int count, char **arguments) {
    check_problems();
    for (unsigned home = 0; home < 4; home++) check_lengths(shape_of(2, 2), home, 1 + home % 2, 1, 1);
    for (unsigned home = 0; home < 6; home++) check_lengths(shape_of(2, 3), home, 1 + home % 4, 2, 1);
    for (unsigned home = 0; home < 6; home++) check_lengths(shape_of(3, 2), home, 4 - home % 4, 1, 1);
    for (unsigned home = 0; home < 8; home += 3) check_lengths(shape_of(2, 4), home, 4, 2, 5);
    check_lengths(shape_of(4, 2), 2, 4, 2, 9);
    check_lengths(shape_of(4, 2), 7, 3, 3, 9);
    for (unsigned home = 0; home < 9; home += 4) check_lengths(shape_of(3, 3), home, 3 + home % 3, 2, 500);
    for (unsigned home = 0; home < 6; home++) check_decisions(shape_of(2, 3), home, 1 + home % 4, 1);
    for (unsigned home = 0; home < 9; home += 4) check_decisions(shape_of(3, 3), home, 1 + home % 5, 500);
    check_counts(shape_of(3, 3), 8, 4, 2, 20);
    check_counts(shape_of(3, 3), 4, 4, 1, 10);
    check_counts(shape_of(2, 3), 1, 2, 1, 20);
    check_counts(shape_of(2, 5), 9, 3, 1, 4);
    check_all_alike(shape_of(3, 3), 8, 1, 1, 4, 60, true);
    check_all_alike(shape_of(4, 4), 15, 4, 2, 3, 24, true);
    check_all_alike(shape_of(4, 4), 5, 3, 2, 3, 15, false);
    check_four_views(15, (const unsigned[4][2]){{0, 0}, {0, 1}, {1, 0}, {1, 1}});
    check_four_views(15, (const unsigned[4][2]){{0, 0}, {2, 0}, {2, 1}, {1, 0}});
    check_four_views(12, (const unsigned[4][2]){{0, 0}, {1, 1}, {0, 1}, {1, 0}});
    check_all_alike(shape_of(2, 8), 15, 2, 1, 3, 11, false);
    check_all_alike(shape_of(8, 2), 3, 2, 1, 3, 11, false);
    static const struct {
        unsigned rows, cols, k;
    } damaged[] = {{2, 2, 1}, {2, 2, 2}, {2, 3, 3}, {3, 3, 3}, {4, 4, 3}, {3, 4, 3}, {2, 8, 3}, {8, 2, 2}};
    for (unsigned i = 0; i < sizeof damaged / sizeof *damaged; i++)
        for (unsigned share = 1; share <= 1000; share *= 10)
            check_damage(shape_of(damaged[i].rows, damaged[i].cols), damaged[i].k, share, 4);
    if (!is_slow(count, arguments)) return 0;
    for (unsigned home = 0; home < 8; home++) check_lengths(shape_of(2, 4), home, 4, 2, 1);
    for (unsigned home = 0; home < 9; home++) check_lengths(shape_of(3, 3), home, 5, 2, home == 8 ? 1 : 30);
    check_all_alike(shape_of(4, 4), 15, 4, 2, 4, 28, true);
    for (unsigned i = 0; i < 40; i++) check_damage(shape_of(2 + i % 3, 2 + i / 3 % 3), 1 + i % 3, 1000, 20);
    return 0;
}
