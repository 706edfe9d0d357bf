/* Tables of both metrics that an input damages, and searches with them.
 *
 * The tables of a case are built once. Each input changes bytes of their payloads, which have exactly their size, and
 * they are restored afterwards. */
#ifndef DAMAGE_H
#define DAMAGE_H

#include "fuzz.h"
#include "subjects.h"

typedef struct {
    unsigned rows, cols, home, count, goal_maps[5];
} damage_case;

static const damage_case CASES[] = {
    {2, 2, 3, 2, {0x03, 0x04}},
    {2, 3, 5, 2, {0x07, 0x18}},
    {3, 2, 0, 2, {0x2a, 0x14}},
    {3, 3, 8, 2, {0x01b, 0x0e4}},
    {3, 3, 4, 3, {0x00f, 0x0e0, 0x100}},
    {4, 4, 15, 5, {0x0013, 0x008c, 0x0700, 0x1060, 0x6800}},
    {2, 8, 15, 5, {0x0007, 0x0038, 0x01c0, 0x0e00, 0x7000}},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

/* The distances of all boards of a small shape by rank, else NULL; kept. */
static inline const uint8_t *oracle(p15_shape shape, p15_board goal, bool multi_tile) {
    static struct {
        p15_shape shape;
        p15_board goal;
        bool multi_tile;
        uint8_t *lengths;
    } kept[2 * CASE_COUNT + 30];
    unsigned i = 0;
    if (shape.cells > 9) return NULL;
    for (; i < sizeof kept / sizeof *kept && kept[i].lengths; i++)
        if (kept[i].shape.rows == shape.rows && kept[i].shape.cols == shape.cols && kept[i].goal == goal &&
            kept[i].multi_tile == multi_tile)
            return kept[i].lengths;
    if (i == sizeof kept / sizeof *kept) return NULL;
    atlas a = make_atlas(shape, goal, multi_tile ? twin_multi_children : twin_slides);
    free(a.boards);
    kept[i].shape = shape;
    kept[i].goal = goal;
    kept[i].multi_tile = multi_tile;
    kept[i].lengths = a.lengths;
    return a.lengths;
}

/* What an input does to a payload: nothing, some bytes, all of them, or a sequence over and over. */
static inline bool damage(input *in, uint8_t *payload, size_t bytes) {
    unsigned kind = below(in, 4), byte;
    if (kind == 1)
        for (unsigned changes = below(in, 32); changes > 0; changes--) {
            uint32_t at = take2(in) | take(in) << 16;
            payload[at % bytes] = (uint8_t)take(in);
        }
    if (kind == 2) {
        byte = take(in);
        memset(payload, (int)byte, bytes);
    }
    if (kind == 3) {
        uint32_t random = take4(in), share = below(in, 17);
        for (size_t i = 0; i < bytes; i++) {
            random = random * 1664525u + 1013904223u;
            if (random >> 28 < share) payload[i] = (uint8_t)(random >> 16);
        }
    }
    return kind != 0;
}

/* The search of one board, by a batch or by itself, for so many visits. What has ended is an error, or an answer that
 * leads to the goal; with sound tables it is a shortest one. */
static inline void search_board(subject s, input *in, p15_board board, bool sound, unsigned most_visits) {
    const uint8_t *lengths = oracle(s.shape, s.goal, s.multi != NULL);
    unsigned visits = 1 + below(in, 200), calls = most_visits / visits + 1, limit = P15_NO_LIMIT, move = P15_DIRECTIONS;
    bool valid = p15_board_check(board, s.shape) == P15_OK && p15_board_solvable(board, s.goal, s.shape), more = true;
    p15_result result = {.status = P15_OK};
    p15_worker *workers[2];
    *cpu_of(s) = take_level(in);
    set_slots(s, 1 + below(in, P15_MAX_SLOTS));
    if (s.single) {
        s.single->plain = take(in) % 4 == 3;
        if (s.single->plain) s.single->slot_count = 1;
        s.single->shared = 1 + take(in);
        s.single->max_frontier = 1 + take2(in);
    }
    if (take(in) % 2) limit = take(in);
    uint64_t most_nodes = 1 + take2(in);
    uint8_t limit_byte = (uint8_t)limit;
    if (take(in) % 2) {
        p15_batch batch;
        make_workers(s, workers, 1);
        p15_batch_start(&board, limit == P15_NO_LIMIT ? NULL : &limit_byte, &most_nodes, &result, 1, &batch);
        while (more && calls-- > 0) more = p15_worker_run_batch(workers[0], &batch, visits);
        if (more) p15_batch_stop(&batch);
        while (p15_worker_run_batch(workers[0], &batch, visits)) continue;
        CHECK(p15_batch_done(&batch) == 1);
        delete_workers(workers, 1);
        sound = sound && !more;
    } else {
        if (limit < P15_FARTHEST / 2) move = below(in, P15_DIRECTIONS + 1u); /* queries ask for no more moves */
        p15_idastar *search = search_of(s);
        CHECK(search);
        result.status = p15_idastar_begin(search, board, move, limit);
        make_workers(s, workers, 2);
        if (result.status == P15_OK) {
            do {
                bool running = true;
                for (unsigned turn = 0; running && calls > 0; calls--, turn++)
                    running = p15_worker_run(workers[turn % 2], search, visits) ||
                              p15_worker_run(workers[1 - turn % 2], search, visits);
                if (running) break;
                more = p15_idastar_advance(search, workers, 2);
            } while (more && calls > 0);
            p15_idastar_result(search, &result, NULL);
        } else
            more = false;
        p15_idastar_delete(search);
        delete_workers(workers, 2);
        sound = sound && !more;
    }
    if (!valid) {
        CHECK(result.status != P15_OK && !result.solved);
        return;
    }
    CHECK(result.status == P15_OK || (!sound && result.status == P15_ERR_CORRUPT));
    if (result.solved && result.status == P15_OK && move == P15_DIRECTIONS) {
        check_path(s, board, &result);
        CHECK(result.length <= limit && (!lengths || result.length >= lengths[twin_rank(s.shape, board)]));
    }
    if (sound && lengths && result.status == P15_OK && move == P15_DIRECTIONS) {
        unsigned length = lengths[twin_rank(s.shape, board)];
        CHECK(result.lower_bound <= length && (!result.solved || result.length == length));
    }
}

#endif
