"""The problems and searches of shortest solutions, for other extensions to hold."""

from libc.stdint cimport uint8_t, uint64_t

from puzzle15._core.c cimport P15_PATH_BYTES, _Bool, p15_board, p15_counts, p15_cpu, p15_iteration, p15_shape, p15_status


cdef extern from "optimal/fsm.h" nogil:
    ctypedef struct p15_fsm:
        pass


cdef extern from "optimal/problem.h" nogil:
    ctypedef struct p15_problem:
        p15_shape shape
        p15_board goal
        _Bool plain
        unsigned slot_count, lookup_count
        uint64_t large
        p15_cpu cpu


cdef extern from "optimal/idastar.h" nogil:
    ctypedef struct p15_idastar:
        pass
    ctypedef struct p15_metric:
        pass

    ctypedef struct p15_result:
        p15_status status
        _Bool solved
        uint8_t length, lower_bound
        uint8_t path[P15_PATH_BYTES]
        uint64_t expanded, generated
        double seconds
        unsigned iteration_count

    void p15_idastar_result(const p15_idastar *search, p15_result *result, p15_iteration *iterations)


cdef extern from "optimal/worker.h" nogil:
    ctypedef struct p15_worker:
        pass
    ctypedef enum p15_run_end:
        P15_RUN_ENDED, P15_RUN_PAUSED, P15_RUN_WAITS

    ctypedef struct p15_batch:
        const uint8_t *moves


cdef enum:
    _IDLE = 8  # of a problem: a hundred kilobytes each, or some megabytes after hard boards


cdef class StateMachine:
    cdef p15_fsm c
    cdef readonly tuple shape


cdef class AnyProblem:
    cdef const p15_metric *metric
    cdef const void *problem  # of the metric
    cdef p15_shape shape
    cdef p15_board goal
    cdef bint multi_tile
    cdef list tables
    cdef list moved  # tables that are not read any more, but that workers may still point to
    cdef unsigned lookup_count
    cdef uint64_t visits  # between two looks at signals and limits: some milliseconds
    cdef p15_worker *idle_workers[_IDLE]  # kept for the next board, with as many searches
    cdef p15_idastar *idle_searches[_IDLE]
    cdef unsigned idle_count
    cdef readonly int running  # searches and batches that are at work; counted under the GIL
    cdef lengthen(self)
    cdef p15_status heuristic_of(self, p15_board board, unsigned *h, uint8_t *lookups) noexcept nogil
    cdef move_table(self, unsigned index, table)
    cdef bytes directions(self, const uint8_t *path, unsigned length)


cdef class Problem(AnyProblem):
    cdef p15_problem c
    cdef StateMachine fsm, longer
    cdef object make_longer


cdef class Search:
    cdef AnyProblem problem
    cdef p15_idastar *c
    cdef p15_worker **workers
    cdef unsigned worker_count, made  # as asked for; those that were made by now
    cdef bint idle  # no board is begun, or the last one's search has ended
    cdef bint pause  # for all workers
    cdef p15_counts *seen  # of each worker, when it was last between two pieces of work
    cdef p15_counts before  # those of all workers when the present board was begun
    cdef object team
    cdef p15_status begin(self, uint64_t board, unsigned move, unsigned limit)
    cdef bint pursue(self, limits, after_iteration, uint64_t visits, uint64_t max_nodes) except -1
    cdef bint finish_iteration(self, limits, p15_run_end *state) except -1
    cdef p15_counts counts(self)
    cdef uint64_t generated(self)
    cdef unsigned report(self, after_iteration, unsigned reported) except? 0
    cdef end_team(self)
