/* p15_build under ThreadSanitizer: threads that share the segments of each level, and then the words of the rows, build
 * what one thread builds. */

#include "tables.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3 };

/* A job of numbered pieces, which threads take one after the other. */
typedef struct job {
    void (*piece)(struct job *of, unsigned number, uint64_t *states);
    void *build;
    built *table;
    unsigned level, count;
    atomic_uint next;
    atomic_uint_fast64_t states;
} job;

static void *take_pieces(void *of) {
    job *j = of;
    uint64_t states = 0;
    for (unsigned number; (number = atomic_fetch_add(&j->next, 1)) < j->count;) j->piece(j, number, &states);
    atomic_fetch_add(&j->states, states);
    return NULL;
}

/* What all pieces find. */
static uint64_t run_job(job *j) {
    pthread_t threads[THREADS];
    j->next = 0;
    j->states = 0;
    for (unsigned i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, take_pieces, j) == 0);
    for (unsigned i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    return j->states;
}

static void visit_segment(job *j, unsigned segment, uint64_t *states) {
    p15_build *build = j->build;
    bool sources[P15_SEGMENTS] = {false};
    uint64_t placements = 0;
    if (p15_build_touches(build, j->level, segment) && p15_build_sources(build, j->level, segment, sources) > 0)
        p15_build_level(build, j->level, segment, states, &placements);
}

static void write_word(job *j, unsigned word, uint64_t *states) {
    const p15_build *build = j->build;
    const p15_space *space = build->space;
    size_t columns = ((size_t)space->block_count + 63) / 64, word_rows = space->k < 2 ? 1 : space->k * (space->k - 1);
    uint64_t *column = allocate(columns * 64, sizeof *column);
    for (unsigned segment = 0; segment < P15_SEGMENTS; segment++)
        if (build->planes[1][segment]) p15_build_collect(build, segment, word, word + 1, column);
    p15_build_transpose(build, column, j->table->payload + word * word_rows * columns * 8);
    free(column);
    ++*states;
}

static void check_segments(p15_shape shape, unsigned goal_map, bool classic) {
    p15_build build;
    built alone, together;
    build_table(shape, goal_map, 0, classic, P15_CPU_PLAIN, false, &alone);
    build_open(shape, goal_map, 0, classic, p15_cpu_highest(), &build, &together);
    job levels = {.piece = visit_segment, .build = &build, .count = P15_SEGMENTS};
    p15_build_start(&build);
    for (uint64_t found = 1; found;) {
        levels.level++;
        found = run_job(&levels);
        CHECK(found == alone.states[levels.level]);
    }
    job words = {.piece = write_word, .build = &build, .table = &together, .count = together.space.word_count};
    if (!classic) CHECK(run_job(&words) == together.space.word_count);
    build_close(&build);
    CHECK(memcmp(alone.payload, together.payload, alone.payload_bytes) == 0);
    build_free(&alone);
    build_free(&together);
}

int main(void) {
    check_segments(shape_of(3, 3), 0x1e, false);
    check_segments(shape_of(3, 4), 0x3c, false);
    check_segments(shape_of(3, 4), 0x3c, true);
    return 0;
}
