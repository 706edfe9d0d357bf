"""What the C core offers to the extension modules, and how its statuses become exceptions.

The contracts are in the headers.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t


# What C calls bool. A bint is an int: calling through a pointer to a function that returns the other one is undefined.
cdef extern from "stdbool.h":
    ctypedef bint _Bool "bool"


cdef extern from "base/status.h" nogil:
    ctypedef enum p15_status:
        P15_OK
        P15_ERR_SHAPE
        P15_ERR_BOARD
        P15_ERR_UNSOLVABLE
        P15_ERR_PATTERN
        P15_ERR_MEMORY
        P15_ERR_CORRUPT
        P15_ERR_ARGUMENT
        P15_ERR_ANSWER
        P15_STATUS_COUNT

    const char *p15_status_text(p15_status status)


cdef extern from "base/board.h" nogil:
    """
    _Static_assert(P15_UP == 0 && P15_LEFT == 1 && P15_RIGHT == 2 && P15_DOWN == 3 && P15_DIRECTIONS == 4,
                   "Python numbers directions so, and takes 3 - d for the opposite of d");
    """
    enum:
        P15_MAX_CELLS
        P15_MAX_SYMMETRIES
        P15_DIRECTIONS

    ctypedef struct p15_shape:
        uint8_t rows, cols, cells
    ctypedef uint64_t p15_board

    p15_status p15_shape_init(unsigned rows, unsigned cols, p15_shape *out)
    int p15_cell_neighbour(p15_shape shape, unsigned cell, unsigned dir)
    unsigned p15_symmetries(p15_shape shape, uint8_t (*out)[P15_MAX_CELLS])

    p15_status p15_board_check(p15_board board, p15_shape shape)
    p15_status p15_board_pack(const uint8_t *tiles, p15_shape shape, p15_board *out)
    void p15_board_unpack(p15_board board, p15_shape shape, uint8_t *tiles)
    unsigned p15_board_blank(p15_board board)
    p15_board p15_board_goal(p15_shape shape, unsigned home)
    _Bool p15_board_solvable(p15_board board, p15_board goal, p15_shape shape)
    p15_board p15_board_transform(p15_board board, p15_shape shape, const uint8_t *cell_to, const uint8_t *tile_to)
    unsigned p15_board_manhattan(p15_board board, p15_board goal, p15_shape shape)
    size_t p15_board_apply(p15_board board, p15_shape shape, const uint8_t *dirs, size_t count, p15_board *out)
    p15_status p15_board_replay(p15_board board, p15_board goal, p15_shape shape, const uint8_t *dirs, size_t count)


cdef extern from "base/text.h" nogil:
    void p15_text_read_lines(const char *text, size_t length, size_t count, p15_shape wanted, p15_board *boards,
                             uint8_t (*shapes)[2])


cdef extern from "base/cpu.h" nogil:
    ctypedef enum p15_cpu:
        P15_CPU_V3
        P15_CPU_V4
        P15_CPU_COUNT

    const char *p15_cpu_name(p15_cpu level)
    p15_cpu p15_cpu_highest()
    p15_status p15_cpu_wanted(p15_cpu *level)
    p15_cpu p15_cpu_pick()


cdef extern from "base/bits.h" nogil:
    unsigned p15_count_bits(uint64_t bits)


cdef extern from "tables/space.h" nogil:
    enum:
        P15_SEGMENTS
        P15_MAX_PATTERN

    ctypedef struct p15_space:
        p15_shape shape
        unsigned k
        uint32_t map_count, block_count, row_count, word_count
        uint16_t *block_map
        uint16_t *block_region
        uint32_t segment_begin[P15_SEGMENTS + 1]

    p15_status p15_space_init(p15_shape shape, unsigned k, p15_space *space)
    void p15_space_free(p15_space *space)
    p15_status p15_space_link(p15_space *space)
    uint32_t p15_space_block(const p15_space *space, unsigned map, unsigned cell)
    unsigned p15_space_segment(const p15_space *space, unsigned map)
    uint32_t p15_space_unrank(const p15_space *space, uint32_t row)
    _Bool p15_space_reachable(const p15_space *space, uint32_t block, uint32_t perm, unsigned goal_map, unsigned home)


cdef extern from "tables/table.h" nogil:
    ctypedef struct p15_table:
        const p15_space *space
        const uint8_t *payload
        _Bool classic
        unsigned max_value, goal_map, home

    ctypedef struct p15_table_report:
        uint64_t entries, unreachable, false_goals, stuck

    size_t p15_table_row_bytes(const p15_space *space, _Bool classic)
    size_t p15_table_payload_bytes(const p15_space *space, _Bool classic)
    p15_status p15_table_init(const p15_space *space, const uint8_t *payload, size_t payload_bytes, _Bool classic,
                              unsigned max_value, unsigned goal_map, unsigned home, p15_table *table)
    p15_status p15_table_value(const p15_table *table, unsigned map, uint32_t perm, unsigned blank, unsigned *value)
    void p15_table_check(const p15_table *table, uint32_t row_begin, uint32_t row_end, p15_table_report *report)


cdef extern from "tables/build.h" nogil:
    enum:
        P15_MAX_LEVELS

    ctypedef struct p15_build:
        unsigned goal_map
        uint64_t *planes[2][P15_SEGMENTS]
        uint8_t *nibbles[P15_SEGMENTS]

    p15_status p15_build_init(p15_space *space, unsigned goal_map, unsigned home, _Bool classic, p15_cpu cpu,
                              p15_build *build)
    void p15_build_free(p15_build *build)
    size_t p15_build_plane_bytes(const p15_space *space, unsigned segment)
    size_t p15_build_nibble_bytes(const p15_space *space, unsigned segment)
    _Bool p15_build_touches(const p15_build *build, unsigned level, unsigned segment)
    unsigned p15_build_sources(const p15_build *build, unsigned level, unsigned segment, _Bool *sources)
    void p15_build_start(p15_build *build)
    void p15_build_level(p15_build *build, unsigned level, unsigned segment, uint64_t *states, uint64_t *placements)
    void p15_build_collect(const p15_build *build, unsigned segment, uint32_t word_begin, uint32_t word_end,
                           uint64_t *columns)
    void p15_build_transpose(const p15_build *build, const uint64_t *column, uint8_t *rows)


cdef extern from "optimal/fsm.h" nogil:
    ctypedef struct p15_fsm:
        uint32_t state_count

    void p15_fsm_free(p15_fsm *fsm)

    ctypedef struct p15_fsm_maker:
        pass

    p15_status p15_fsm_maker_new(p15_shape shape, unsigned length, p15_fsm_maker **maker)
    _Bool p15_fsm_maker_run(p15_fsm_maker *maker, p15_fsm *fsm, p15_status *status)
    void p15_fsm_maker_delete(p15_fsm_maker *maker)


cdef extern from "optimal/path.h" nogil:
    enum:
        P15_MAX_LENGTH
        P15_PATH_BYTES

    unsigned p15_path_move(const uint8_t *path, unsigned index)
    void p15_path_transform(const uint8_t *lengths, size_t count, const uint8_t *to, uint8_t *paths)
    size_t p15_path_count(const uint8_t *lengths, size_t count)
    p15_status p15_path_follow(const p15_board *boards, const uint8_t *lengths, const uint8_t *paths, size_t count,
                               p15_shape shape, p15_board *out_boards, uint8_t *out_lengths, uint8_t *out_paths,
                               uint32_t *out_starts)
    void p15_path_beside(const p15_board *boards, const uint8_t *lengths, const uint8_t *known, size_t count,
                         p15_shape shape, p15_board *children, uint8_t *limits, uint8_t *skip)


cdef extern from "base/iteration.h" nogil:
    ctypedef struct p15_counts:
        uint64_t expanded, generated

    ctypedef struct p15_iteration:
        unsigned bound
        uint64_t expanded, generated


cdef extern from "optimal/batch.h" nogil:
    enum:
        P15_NO_LIMIT

    ctypedef struct p15_result:
        p15_status status
        _Bool solved
        uint8_t length, lower_bound
        uint8_t path[P15_PATH_BYTES]
        uint64_t expanded, generated
        double seconds
        unsigned iteration_count

    ctypedef struct p15_batch:
        const uint8_t *moves

    void p15_batch_start(const p15_board *boards, const uint8_t *limits, const uint64_t *max_nodes, p15_result *results,
                         size_t count, p15_batch *batch)
    void p15_batch_stop(p15_batch *batch)
    size_t p15_batch_done(const p15_batch *batch)
    _Bool p15_batch_wants_longer(const p15_batch *batch)


cdef extern from "optimal/problem.h" nogil:
    enum:
        P15_MAX_LOOKUPS
        P15_MAX_LOOKUP_PATTERNS
        P15_MAX_SLOTS

    ctypedef struct p15_problem:
        p15_shape shape
        p15_board goal
        _Bool plain
        unsigned slot_count, lookup_count
        uint64_t large

    p15_status p15_problem_init(p15_shape shape, unsigned home, const p15_fsm *fsm, p15_problem *problem)
    void p15_problem_free(p15_problem *problem)
    p15_status p15_problem_add_lookup(p15_problem *problem, const p15_table *tables, unsigned table_count,
                                      const uint8_t *cell_to)
    p15_status p15_problem_move_table(p15_problem *problem, unsigned pattern, const p15_table *table)
    void p15_problem_lengthen(p15_problem *problem, const p15_fsm *longer)
    p15_status p15_heuristic(const p15_problem *problem, p15_board board, unsigned *h, uint8_t *lookup_h)


cdef extern from "optimal/idastar.h" nogil:
    enum:
        P15_MAX_ITERATIONS

    ctypedef struct p15_idastar:
        pass

    p15_idastar *p15_idastar_new(const p15_problem *problem)
    p15_status p15_idastar_begin(p15_idastar *search, p15_board board, unsigned move, unsigned limit)
    _Bool p15_idastar_wants_longer(const p15_idastar *search)
    void p15_idastar_lengthen(p15_idastar *search)
    void p15_idastar_delete(p15_idastar *search)
    void p15_idastar_result(const p15_idastar *search, p15_result *result, p15_iteration *iterations)


cdef extern from "optimal/worker.h" nogil:
    ctypedef struct p15_worker:
        pass

    p15_status p15_worker_new(const p15_problem *problem, p15_worker **worker)
    void p15_worker_delete(p15_worker *worker)
    p15_counts p15_worker_counts(const p15_worker *worker)
    _Bool p15_worker_run(p15_worker *worker, p15_idastar *search, uint64_t visits)
    _Bool p15_idastar_advance(p15_idastar *search, p15_worker *const *workers, unsigned worker_count)
    uint64_t p15_idastar_generated(const p15_idastar *search, p15_worker *const *workers, unsigned worker_count)
    _Bool p15_worker_run_batch(p15_worker *worker, p15_batch *batch, uint64_t visits)


cdef extern from "multitile/lines.h" nogil:
    enum:
        P15_AXES

    ctypedef struct p15_line_space:
        p15_shape shape
        unsigned k
        uint32_t map_count, perm_count
        uint32_t block_count[P15_AXES]

    ctypedef struct p15_line_state:
        uint16_t block, perm
        uint8_t cell

    p15_status p15_line_space_init(p15_shape shape, unsigned k, p15_line_space *lines)
    void p15_line_space_free(p15_line_space *lines)
    p15_line_state p15_line_space_state(const p15_line_space *lines, unsigned axis, const uint8_t *cell_of,
                                        unsigned blank)


cdef extern from "multitile/table.h" nogil:
    ctypedef struct p15_multi_table:
        const p15_line_space *lines
        unsigned goal_map, home

    size_t p15_multi_payload_bytes(const p15_line_space *lines)
    p15_status p15_multi_table_init(const p15_line_space *lines, const uint8_t *payload, size_t payload_bytes,
                                    unsigned goal_map, unsigned home, p15_multi_table *table)
    void p15_multi_table_free(p15_multi_table *table)
    p15_status p15_multi_table_value(const p15_multi_table *table, p15_line_state state, unsigned *values)


cdef extern from "multitile/build.h" nogil:
    enum:
        P15_MULTI_MAX_LEVELS

    ctypedef struct p15_multi_build:
        pass

    p15_status p15_multi_build_init(const p15_line_space *lines, unsigned goal_map, unsigned home, p15_cpu cpu,
                                    p15_multi_build *build)
    void p15_multi_build_free(p15_multi_build *build)
    size_t p15_multi_build_bytes(const p15_line_space *lines)
    uint64_t p15_multi_build_level(p15_multi_build *build, unsigned level, unsigned axis, uint32_t block_begin,
                                   uint32_t block_end)
    p15_status p15_multi_build_finish(p15_multi_build *build, uint8_t *payload, _Bool *done)


cdef extern from "multitile/problem.h" nogil:
    enum:
        P15_MULTI_MAX_PATTERN

    ctypedef struct p15_multi_problem:
        p15_shape shape
        p15_board goal
        unsigned lookup_count

    p15_status p15_multi_problem_init(p15_shape shape, unsigned home, p15_multi_problem *problem)
    p15_status p15_multi_problem_add_lookup(p15_multi_problem *problem, const p15_multi_table *table,
                                            const uint8_t *cell_to)
    p15_status p15_multi_problem_move_table(p15_multi_problem *problem, unsigned lookup, const p15_multi_table *table)
    p15_status p15_multi_heuristic(const p15_multi_problem *problem, p15_board board, unsigned *h, uint8_t *lookup_h)


cdef extern from "multitile/search.h" nogil:
    unsigned p15_multi_path_cell(const uint8_t *path, unsigned index)

    ctypedef struct p15_multi_search:
        pass
    ctypedef struct p15_multi_worker:
        pass

    p15_status p15_multi_search_new(const p15_multi_problem *problem, p15_multi_search **search)
    void p15_multi_search_delete(p15_multi_search *search)
    p15_status p15_multi_search_begin(p15_multi_search *search, p15_board board, unsigned limit)
    void p15_multi_search_result(const p15_multi_search *search, p15_result *result, p15_iteration *iterations)
    uint64_t p15_multi_search_generated(const p15_multi_search *search)
    _Bool p15_multi_search_advance(p15_multi_search *search)
    p15_status p15_multi_worker_new(const p15_multi_problem *problem, p15_multi_worker **worker)
    void p15_multi_worker_delete(p15_multi_worker *worker)
    p15_counts p15_multi_worker_counts(const p15_multi_worker *worker)
    _Bool p15_multi_worker_run(p15_multi_worker *worker, p15_multi_search *search, uint64_t visits)

    _Bool p15_multi_worker_run_batch(p15_multi_worker *worker, p15_batch *batch, uint64_t visits)


cdef extern from "optimal/graph.h" nogil:
    enum:
        P15_NO_BOARD
        P15_NOT_KNOWN

    ctypedef struct p15_known:
        p15_board board
        uint8_t distance, moves
        _Bool whole

    ctypedef struct p15_query:
        uint32_t index
        uint8_t move, limit

    ctypedef struct p15_graph:
        p15_known *known
        uint32_t count, pending_count
        uint32_t *order
        uint32_t query_count

    p15_status p15_graph_init(p15_shape shape, p15_board goal, p15_graph *graph)
    void p15_graph_free(p15_graph *graph)
    void p15_graph_clear(p15_graph *graph)
    uint32_t p15_graph_find(const p15_graph *graph, p15_board board)
    p15_status p15_graph_add_path(p15_graph *graph, p15_board board, unsigned length, const uint8_t *path)
    p15_status p15_graph_query(p15_graph *graph, uint32_t index)
    p15_status p15_graph_query_child(p15_graph *graph, uint32_t index, unsigned move)
    p15_status p15_graph_query_path(p15_graph *graph, uint32_t index)
    p15_status p15_graph_solution(const p15_graph *graph, uint32_t index, uint8_t *path)
    p15_status p15_graph_reach(p15_graph *graph, uint32_t index)
    const p15_query *p15_graph_next_query(p15_graph *graph)
    p15_status p15_graph_add_result(p15_graph *graph, const p15_result *result)


cdef extern from "optimal/solutions.h" nogil:
    enum:
        P15_COUNT_WORDS

    ctypedef enum p15_listing_state:
        P15_LISTING_SOLUTION
        P15_LISTING_WRONG
        P15_LISTING_ENDED

    ctypedef struct p15_listing:
        uint32_t at[P15_MAX_LENGTH + 1]
        uint8_t path[P15_PATH_BYTES]
        unsigned depth

    p15_status p15_solutions_count(const p15_graph *graph, uint64_t *ways)
    p15_status p15_solutions_fewest_runs(const p15_graph *graph, const uint8_t *order, uint8_t *path, unsigned *runs)
    void p15_listing_begin(uint32_t index, const uint8_t *order, p15_listing *listing)
    p15_listing_state p15_listing_next(const p15_graph *graph, p15_listing *listing)


cdef extern from "learning/network/dense.h":
    enum:
        P15_DENSE_INPUTS
        P15_DENSE_MAX_LAYERS
        P15_DENSE_MAX_WIDTH
        P15_DENSE_MAX_BATCH

    ctypedef enum p15_activation:
        P15_LINEAR
        P15_RELU
        P15_ELU
        P15_ACTIVATION_COUNT

    ctypedef struct p15_dense_layer:
        unsigned inputs, outputs
        p15_activation activation
        const float *weights
        const float *biases

    ctypedef struct p15_quantized_layers:
        unsigned hidden, outputs, shift
        p15_activation activation
        float scale
        const int8_t *weights0
        const int8_t *weights1
        const int16_t *biases0
        const int32_t *biases1

    ctypedef struct p15_dense:
        pass
    ctypedef struct p15_dense_batch:
        pass

    p15_status p15_dense_new(const p15_dense_layer *layers, unsigned count, p15_cpu cpu,
                             p15_dense **network) noexcept nogil
    p15_status p15_dense_new_quantized(const p15_quantized_layers *first,
                                       const p15_dense_layer *layers, unsigned count, p15_cpu cpu,
                                       p15_dense **network) noexcept nogil
    void p15_dense_delete(p15_dense *network) noexcept nogil
    size_t p15_dense_bytes(const p15_dense *network) noexcept nogil
    p15_status p15_dense_batch_new(const p15_dense *network, size_t room,
                                   p15_dense_batch **batch) noexcept nogil
    void p15_dense_batch_delete(p15_dense_batch *batch) noexcept nogil
    void p15_dense_add(p15_dense_batch *batch, p15_board board) noexcept nogil
    void p15_dense_add_child(p15_dense_batch *batch, p15_board board, unsigned blank,
                             unsigned cell) noexcept nogil
    void p15_dense_run(p15_dense_batch *batch, float *outputs) noexcept nogil


cdef extern from "search/heuristics/patterns.h":
    enum:
        P15_MAX_PATTERNS
        P15_MAX_ARRAY_PATTERN

    ctypedef struct p15_patterns:
        pass

    void p15_patterns_init(p15_shape shape, p15_board goal, p15_patterns *sum) noexcept nogil
    p15_status p15_patterns_add_table(p15_patterns *sum, const p15_table *table) noexcept nogil
    p15_status p15_patterns_add_array(p15_patterns *sum, const uint8_t *values, size_t size,
                                      const uint8_t *tiles, unsigned count,
                                      const uint8_t *cell_to) noexcept nogil


cdef extern from "search/heuristics/evaluator.h":
    enum:
        P15_MAX_COMPONENTS

    ctypedef uint64_t p15_values
    ctypedef int8_t p15_h_changes[P15_MAX_CELLS][P15_DIRECTIONS][P15_MAX_CELLS]

    ctypedef enum p15_heuristic_kind:
        P15_MISPLACED
        P15_MANHATTAN
        P15_REVERSAL
        P15_LINEAR_CONFLICT
        P15_WALKING_DISTANCE
        P15_HEURISTIC_COUNT

    ctypedef struct p15_evaluator:
        pass
    ctypedef void p15_function(void *context, const p15_board *boards, size_t count,
                               uint8_t *values) noexcept nogil

    p15_status p15_evaluator_new(p15_shape shape, p15_board goal,
                                 p15_evaluator **evaluator) noexcept nogil
    void p15_evaluator_delete(p15_evaluator *evaluator) noexcept nogil
    p15_status p15_evaluator_add(p15_evaluator *evaluator, p15_heuristic_kind kind) noexcept nogil
    p15_status p15_evaluator_add_views(p15_evaluator *evaluator,
                                       const p15_problem *problem) noexcept nogil
    p15_status p15_evaluator_add_network(p15_evaluator *evaluator, const p15_dense *network,
                                         _Bool residual, float lowered) noexcept nogil
    p15_status p15_evaluator_add_function(p15_evaluator *evaluator, p15_function *function,
                                          void *context) noexcept nogil
    p15_status p15_evaluator_add_patterns(p15_evaluator *evaluator,
                                          const p15_patterns *sum) noexcept nogil
    unsigned p15_evaluator_count(const p15_evaluator *evaluator) noexcept nogil
    _Bool p15_evaluator_has_function(const p15_evaluator *evaluator) noexcept nogil
    p15_shape p15_evaluator_shape(const p15_evaluator *evaluator) noexcept nogil
    p15_board p15_evaluator_goal(const p15_evaluator *evaluator) noexcept nogil
    p15_status p15_evaluator_board(const p15_evaluator *evaluator, p15_board board, unsigned *h,
                                   p15_values *values) noexcept nogil
    p15_status p15_evaluator_boards(const p15_evaluator *evaluator, const p15_board *boards,
                                    size_t count, uint8_t *h, uint8_t *status) noexcept nogil
    unsigned p15_evaluator_child(const p15_evaluator *evaluator, p15_board parent, p15_values values,
                                 unsigned blank, unsigned direction,
                                 p15_values *child_values) noexcept nogil
    const p15_h_changes *p15_evaluator_changes(const p15_evaluator *evaluator) noexcept nogil


cdef extern from "search/trace.h":
    const uint32_t P15_NO_BOUND

    ctypedef enum p15_fate:
        P15_FATE_OPEN
        P15_FATE_KNOWN
        P15_FATE_REOPENED
        P15_FATE_CUT
        P15_FATE_DROPPED
        P15_FATE_COUNT

    ctypedef struct p15_traced_child:
        p15_board board
        uint8_t direction
        uint8_t h
        uint8_t fate
        uint32_t place

    ctypedef struct p15_expansion:
        p15_board board
        uint32_t g, h
        uint32_t iteration, bound
        uint8_t side, child_count
        _Bool goal
        uint32_t place
        p15_traced_child children[P15_DIRECTIONS]

    ctypedef struct p15_trace:
        p15_expansion *expansions
        size_t count, pending, room
        _Bool failed

    void p15_trace_init(p15_shape shape, const p15_evaluator *evaluator, p15_trace *trace) noexcept nogil
    void p15_trace_free(p15_trace *trace) noexcept nogil
    void p15_trace_drop(p15_trace *trace, size_t count) noexcept nogil


cdef extern from "search/search.h":
    ctypedef enum p15_search_state:
        P15_SEARCH_RUNNING
        P15_SEARCH_SOLVED
        P15_SEARCH_FAILED
        P15_SEARCH_NO_ROOM

    ctypedef struct p15_report:
        p15_search_state state
        unsigned lower_bound
        uint64_t expanded, generated, reopened
        uint64_t largest_open, largest_closed
        size_t nodes, bytes
        _Bool upkeep
        const uint8_t *path
        size_t length
        unsigned improvements, h_weight
        const p15_iteration *iterations
        size_t iteration_count

    ctypedef struct p15_search:
        pass

    _Bool p15_search_run(p15_search *search, uint64_t expansions) noexcept nogil
    const p15_report *p15_search_report(p15_search *search) noexcept nogil
    void p15_search_trace(p15_search *search, p15_trace *trace) noexcept nogil
    void p15_search_delete(p15_search *search) noexcept nogil


cdef extern from "search/deepening/deepening.h":
    enum:
        P15_MAX_BOUND
    const uint32_t P15_FROM_H

    p15_status p15_deepening_new(const p15_evaluator *evaluator, p15_board start, const uint8_t *order,
                                 uint32_t first_bound, uint32_t last_bound, uint64_t limit,
                                 p15_cpu cpu, p15_search **search) noexcept nogil
    p15_status p15_deepening_remember(p15_search *search, size_t max_bytes) noexcept nogil


cdef extern from "search/best_first/closed.h":
    const unsigned P15_CLOSED_MAX_G


cdef extern from "search/best_first/best_first.h":
    enum:
        P15_MAX_WEIGHT
        P15_MAX_EXPANDED

    ctypedef enum p15_ties:
        P15_TIES_FIFO
        P15_TIES_LIFO
        P15_TIES_LARGER_G

    ctypedef struct p15_bestfirst_options:
        unsigned g_weight, h_weight
        p15_ties ties
        _Bool prove
        uint8_t order[P15_DIRECTIONS]
        size_t max_bytes
        p15_cpu cpu
        unsigned batch

    p15_status p15_bestfirst_new(const p15_evaluator *evaluator, p15_board start,
                                 const p15_bestfirst_options *options, p15_search **search) noexcept nogil


cdef extern from "search/best_first/bidirectional.h":
    p15_status p15_bidirectional_new(p15_shape shape, p15_board start, p15_board goal, const uint8_t *order,
                                     size_t max_bytes, p15_search **search) noexcept nogil


cdef extern from "search/best_first/local.h":
    enum:
        P15_MAX_WIDTH

    p15_status p15_beam_new(const p15_evaluator *evaluator, p15_board start, const uint8_t *order,
                            size_t width, size_t max_bytes, p15_search **search) noexcept nogil
    p15_status p15_climb_new(const p15_evaluator *evaluator, p15_board start, const uint8_t *order,
                             p15_search **search) noexcept nogil


cdef extern from "search/meeting/meeting.h":
    ctypedef enum p15_meeting_rule:
        P15_MM
        P15_MME
        P15_NBS
        P15_MEETING_COUNT

    ctypedef struct p15_end:
        p15_board root
        const p15_evaluator *evaluator
        uint8_t back[P15_DIRECTIONS]

    ctypedef struct p15_meeting_options:
        p15_meeting_rule rule
        uint8_t order[P15_DIRECTIONS]
        size_t max_bytes
        p15_cpu cpu
        unsigned batch

    p15_status p15_meeting_new(const p15_end *ends, const p15_meeting_options *options,
                               p15_search **search) noexcept nogil


cdef extern from "search/best_first/anytime.h":
    enum:
        P15_MOST_PARTS

    ctypedef struct p15_anytime_options:
        unsigned g_weight, h_weight, h_step
        uint8_t order[P15_DIRECTIONS]
        size_t max_bytes
        p15_cpu cpu
        unsigned batch

    p15_status p15_anytime_new(const p15_evaluator *evaluator, p15_board start,
                               const p15_anytime_options *options, p15_search **search) noexcept nogil


cdef extern from "search/layers/breadth_first.h":
    p15_status p15_breadth_new(const p15_evaluator *evaluator, p15_board start, const uint8_t *order,
                               size_t max_bytes, p15_search **search) noexcept nogil


cdef extern from "search/layers/beam_stack.h":
    enum:
        P15_MOST_STACK_WIDTH
        P15_MOST_STACK_MOVES

    p15_status p15_beam_stack_new(const p15_evaluator *evaluator, p15_board start, const uint8_t *order,
                                  size_t width, unsigned below, size_t max_bytes,
                                  p15_search **search) noexcept nogil


cdef extern from "search/memory_bounded/rbfs.h":
    p15_status p15_rbfs_new(const p15_evaluator *evaluator, p15_board start, const uint8_t *order,
                            p15_search **search) noexcept nogil


cdef extern from "search/memory_bounded/sma.h":
    enum:
        P15_SMA_NODE_BYTES
        P15_SMA_LEAST_NODES

    p15_status p15_sma_new(const p15_evaluator *evaluator, p15_board start, const uint8_t *order,
                           size_t max_bytes, p15_search **search) noexcept nogil


cdef extern from "learning/value_iteration/subproblem.h":
    enum:
        P15_POLICY_DONE
        P15_POLICY_NONE

    ctypedef struct p15_subproblem:
        p15_shape shape
        unsigned tile_count, free_count
        uint64_t state_count

    p15_status p15_subproblem_init(p15_shape shape, const uint8_t *goal, unsigned count,
                                   unsigned fixed, p15_subproblem *subproblem) noexcept nogil
    uint64_t p15_subproblem_rank(const p15_subproblem *subproblem, uint64_t state) noexcept nogil
    uint64_t p15_subproblem_unrank(const p15_subproblem *subproblem, uint64_t rank) noexcept nogil
    uint64_t p15_subproblem_check(const p15_subproblem *subproblem, double gamma,
                                  const double *values, const uint8_t *policy, uint64_t begin,
                                  uint64_t end) noexcept nogil
    p15_status p15_subproblem_ends(const p15_subproblem *subproblem, const uint8_t *policy,
                                   uint64_t begin, uint64_t end, uint8_t *ends) noexcept nogil


cdef extern from "learning/value_iteration/sweeps.h":
    const double P15_MIN_GAMMA
    const double P15_MAX_GAMMA

    ctypedef struct p15_sweeps:
        pass

    p15_status p15_sweeps_new(const p15_subproblem *subproblem, double gamma, double *values,
                              uint8_t *policy, p15_sweeps **sweeps) noexcept nogil
    void p15_sweeps_delete(p15_sweeps *sweeps) noexcept nogil
    _Bool p15_sweeps_run(p15_sweeps *sweeps, size_t placements) noexcept nogil
    uint64_t p15_sweeps_found(const p15_sweeps *sweeps) noexcept nogil


cdef extern from "learning/value_iteration/plan.h":
    ctypedef struct p15_plan:
        p15_shape shape
        unsigned stage_count

    ctypedef struct p15_course:
        unsigned length, largest
        uint8_t begins[P15_MAX_CELLS]
        uint16_t lengths[P15_MAX_CELLS]
        unsigned stage, begin

    p15_status p15_plan_init(p15_shape shape, p15_board goal, const uint8_t *order,
                             unsigned initial_size, p15_plan *plan) noexcept nogil
    unsigned p15_plan_end(const p15_plan *plan, unsigned stage) noexcept nogil
    p15_status p15_plan_add(p15_plan *plan, unsigned stage, unsigned begin,
                            const uint8_t *policy, uint64_t count) noexcept nogil
    p15_status p15_plan_solve(const p15_plan *plan, p15_board board, p15_course *course,
                              uint8_t *directions, size_t room) noexcept nogil
    size_t p15_plan_solve_many(const p15_plan *plan, const p15_board *boards, size_t count,
                               uint8_t *status, uint16_t *lengths, uint8_t *largest,
                               unsigned *stage, unsigned *begin) noexcept nogil


cdef extern from "learning/environment/random.h":
    uint64_t p15_random_seed(uint64_t seed) noexcept nogil


cdef extern from "learning/environment/rank.h":
    uint64_t p15_rank(p15_board board, p15_shape shape) noexcept nogil


cdef extern from "learning/environment/scramble.h":
    ctypedef struct p15_scramble:
        p15_shape shape

    void p15_scramble_init_uniform(p15_shape shape, p15_board goal, p15_scramble *scramble) noexcept nogil
    p15_status p15_scramble_init_walk(p15_shape shape, p15_board goal, uint32_t least, uint32_t most,
                                      p15_scramble *scramble) noexcept nogil
    p15_status p15_scramble_init_listed(p15_shape shape, p15_board goal, const p15_board *boards,
                                        const uint64_t *ends, const uint64_t *chances, size_t level_count,
                                        p15_scramble *scramble) noexcept nogil


cdef extern from "learning/environment/episodes.h":
    ctypedef struct p15_episodes:
        p15_shape shape
        p15_board goal
        float move_reward, goal_reward, illegal_reward
        _Bool progress, one_hot
        uint32_t most_steps
        const uint8_t *distances
        p15_board *boards
        uint64_t *randoms
        uint32_t *steps
        uint8_t *ended
        uint8_t *left

    void p15_episodes_init(p15_shape shape, p15_episodes *episodes) noexcept nogil
    void p15_episodes_begin(const p15_episodes *episodes, const p15_scramble *scramble, const uint64_t *indices,
                            size_t count) noexcept nogil
    void p15_episodes_place(const p15_episodes *episodes, size_t index, p15_board board) noexcept nogil
    void p15_episodes_step(const p15_episodes *episodes, const p15_scramble *scramble, const uint8_t *actions,
                           size_t begin, size_t end, float *rewards, uint8_t *terminated,
                           uint8_t *truncated) noexcept nogil
    void p15_episodes_observe(const p15_episodes *episodes, size_t begin, size_t end, uint8_t *observations,
                              int8_t (*masks)[P15_DIRECTIONS]) noexcept nogil
    void p15_episodes_advise(const p15_episodes *episodes, size_t begin, size_t end, uint8_t *distances,
                             int8_t (*optimal)[P15_DIRECTIONS]) noexcept nogil


cdef inline int check_status(p15_status status, str given) except -1:
    """0 for P15_OK, else raise the status's exception, its text preceded by `given` (or None)."""
    if status == P15_OK:
        return 0
    from puzzle15 import errors

    cdef str text = p15_status_text(status).decode("ascii")
    exception = {
        P15_ERR_SHAPE: errors.BoardError,
        P15_ERR_BOARD: errors.BoardError,
        P15_ERR_UNSOLVABLE: errors.UnsolvableError,
        P15_ERR_MEMORY: MemoryError,
        P15_ERR_CORRUPT: errors.TableCorruptError,
        P15_ERR_ANSWER: errors.InternalError,
    }.get(status, ValueError)
    raise exception(f"{given}: {text}" if given else text)


cdef inline p15_shape to_shape(object shape) except *:
    """The p15_shape of a Python (rows, cols); BoardError if it is none."""
    cdef p15_shape out
    rows, cols = shape
    # A side that would not fit the C type is as wrong as a side of 0.
    check_status(
        p15_shape_init(rows if 0 <= rows <= 255 else 0, cols if 0 <= cols <= 255 else 0, &out),
        f"shape ({rows}, {cols})",
    )
    return out


cdef inline int check_board(p15_board board, p15_shape shape) except -1:
    """BoardError unless it is a board of the shape."""
    check_status(p15_board_check(board, shape), f"packed board {board:#x} of {shape.rows}x{shape.cols}")
    return 0


cdef inline int same_length(size_t given, size_t expected) except -1:
    """ValueError unless an array has the length that is expected."""
    if given != expected:
        check_status(P15_ERR_ARGUMENT, f"array length {given}, expected {expected}")
    return 0


cdef inline bytes unpack_path(const uint8_t *path, unsigned length):
    """The directions of a packed path (csrc/optimal/path.h)."""
    return bytes([p15_path_move(path, i) for i in range(length)])
