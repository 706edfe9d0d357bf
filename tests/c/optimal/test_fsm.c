/* p15_fsm: its sequences against breadth-first searches that remember every board. */

#include "optimal/fsm.h"
#include "twins.h"

static p15_fsm make(p15_shape shape, unsigned length) {
    p15_fsm fsm;
    CHECK(p15_fsm_init(shape, length, &fsm) == P15_OK);
    for (uint32_t i = 0; i < fsm.state_count * P15_DIRECTIONS; i++)
        CHECK(fsm.next[i] < fsm.state_count || fsm.next[i] == P15_NO_MOVE);
    return fsm;
}

static unsigned next_state(const p15_fsm *fsm, unsigned state, unsigned dir) {
    CHECK(state < fsm->state_count);
    return fsm->next[P15_DIRECTIONS * state + dir];
}

static void check_arguments(void) {
    const unsigned lengths[] = {0, 1, P15_MAX_SEQUENCE + 1, 1000};
    for (unsigned i = 0; i < 4; i++) {
        p15_fsm fsm;
        CHECK(p15_fsm_init(shape_of(4, 4), lengths[i], &fsm) == P15_ERR_ARGUMENT);
    }
}

/* Accepted sequences of 0 .. length moves from a cell. */
static void count_sequences(const p15_fsm *fsm, unsigned cell, unsigned length, uint64_t *counts) {
    uint64_t *at = allocate(fsm->state_count, sizeof *at);
    at[cell] = 1;
    for (unsigned moves = 0;; moves++) {
        counts[moves] = 0;
        for (uint32_t state = 0; state < fsm->state_count; state++) counts[moves] += at[state];
        if (moves == length) break;
        uint64_t *after = allocate(fsm->state_count, sizeof *after);
        for (uint32_t state = 0; state < fsm->state_count; state++)
            for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
                unsigned next = next_state(fsm, state, dir);
                if (next != P15_NO_MOVE) after[next] += at[state];
            }
        free(at);
        at = after;
    }
    free(at);
}

/* tests/data/depth_counts.json, 4x4/single/corner; and the sizes in the header. */
static void check_published_counts(void) {
    const uint64_t published[] = {1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808, 15544, 30821};
    for (unsigned length = 2; length <= P15_MAX_SEQUENCE; length += length < 10 ? 1 : 4) {
        p15_fsm fsm = make(shape_of(4, 4), length);
        for (unsigned corner = 0; corner < 16; corner += corner % 4 ? 9 : 3) {
            uint64_t counts[P15_MAX_SEQUENCE + 1];
            count_sequences(&fsm, corner, length, counts);
            for (unsigned moves = 0; moves <= length; moves++) CHECK(counts[moves] == published[moves]);
        }
        CHECK(length != 2 || fsm.state_count == 64);
        CHECK(length != 6 || fsm.state_count == 208);
        CHECK(length != 10 || fsm.state_count == 4147);
        CHECK(length != 14 || fsm.state_count == 53205);
        p15_fsm_free(&fsm);
    }
}

/* ------------------------------------------------- boards near a start, with their depths --- */

typedef struct {
    p15_board *boards; /* 0: a free slot; no board is 0 */
    uint8_t *depths, *sequences;
    size_t slots, count;
} board_set;

static board_set make_set(size_t slots) {
    return (board_set){allocate(slots, sizeof(p15_board)), allocate(slots, 1), allocate(slots, 1), slots, 0};
}

static void free_set(board_set *set) {
    free(set->boards);
    free(set->depths);
    free(set->sequences);
}

static size_t slot_of(const board_set *set, p15_board board) {
    size_t slot = (size_t)((board * 0x9e3779b97f4a7c15u) >> 20) % set->slots;
    while (set->boards[slot] != 0 && set->boards[slot] != board) slot = (slot + 1) % set->slots;
    return slot;
}

/* Adds every board within `length` moves of `start`; returns them in the order found. */
static p15_board *flood(board_set *set, p15_shape shape, p15_board start, unsigned length) {
    p15_board *queue = allocate(set->slots, sizeof *queue);
    set->boards[slot_of(set, start)] = queue[set->count++] = start;
    for (size_t head = 0; head < set->count; head++) {
        p15_board board = queue[head];
        unsigned blank = p15_board_blank(board), depth = set->depths[slot_of(set, board)];
        for (unsigned dir = 0; dir < P15_DIRECTIONS && depth < length; dir++) {
            int cell = p15_cell_neighbour(shape, blank, dir);
            if (cell < 0) continue;
            p15_board after = p15_board_slide(board, blank, (unsigned)cell);
            size_t slot = slot_of(set, after);
            if (set->boards[slot] != 0) continue;
            CHECK(set->count < set->slots / 2);
            set->boards[slot] = queue[set->count++] = after;
            set->depths[slot] = (uint8_t)(depth + 1);
        }
    }
    return queue;
}

/* Counts in sequences[] how often the accepted sequences of `left` more moves meet each board. */
static void walk_sequences(const p15_fsm *fsm, p15_shape shape, board_set *set, p15_board board, unsigned state,
                           unsigned moves, unsigned length) {
    size_t slot = slot_of(set, board);
    CHECK(set->boards[slot] == board && set->depths[slot] == moves);
    set->sequences[slot]++;
    unsigned blank = p15_board_blank(board);
    for (unsigned dir = 0; dir < P15_DIRECTIONS && moves < length; dir++) {
        unsigned next = next_state(fsm, state, dir);
        if (next == P15_NO_MOVE) continue;
        int cell = p15_cell_neighbour(shape, blank, dir);
        CHECK(cell >= 0);
        p15_board after = p15_board_slide(board, blank, (unsigned)cell);
        walk_sequences(fsm, shape, set, after, next, moves + 1, length);
    }
}

/* Words of at most `length` moves reach every board within that distance once, at its depth. */
static void check_once(p15_shape shape, unsigned length) {
    p15_fsm fsm = make(shape, length);
    for (unsigned cell = 0; cell < shape.cells; cell++) {
        board_set set = make_set(1 << 16);
        p15_board start = p15_board_goal(shape, cell);
        free(flood(&set, shape, start, length));
        walk_sequences(&fsm, shape, &set, start, cell, 0, length);
        for (size_t slot = 0; slot < set.slots; slot++) CHECK(set.sequences[slot] == (set.boards[slot] != 0));
        free_set(&set);
    }
    p15_fsm_free(&fsm);
}

/* After a move that alone is known, every move is allowed but its undo, and leads to the state that it leads to from
 * the cell. */
static void check_after(p15_shape shape, unsigned length) {
    p15_fsm fsm = make(shape, length);
    for (unsigned cell = 0; cell < shape.cells; cell++)
        for (unsigned move = 0; move < P15_DIRECTIONS; move++)
            for (unsigned dir = 0; dir < P15_DIRECTIONS; dir++) {
                unsigned after = p15_fsm_after(&fsm, cell, move);
                unsigned expected = dir + move == 3 ? P15_NO_MOVE : next_state(&fsm, cell, dir);
                CHECK(fsm.next[P15_DIRECTIONS * after + dir] == expected);
            }
    p15_fsm_free(&fsm);
}

/* A long sequence is refused exactly where its last moves are: some part of it, ending there and of at
 * most `length` moves, is refused from the cell where that part starts. */
static void check_parts(p15_shape shape, unsigned length) {
    enum { MOVES = 300 };
    p15_fsm fsm = make(shape, length);
    for (unsigned trial = 0; trial < 20; trial++) {
        unsigned cell = draw(shape.cells), state = cell, count = 0;
        unsigned cells[MOVES + 1], moves[MOVES + 1];
        cells[0] = cell;
        for (unsigned attempt = 0; attempt < MOVES; attempt++) {
            unsigned dir = draw(P15_DIRECTIONS);
            int after = p15_cell_neighbour(shape, cell, dir);
            if (after < 0) continue;
            bool refused = false;
            moves[count] = dir;
            for (unsigned part = 1; part <= length && part <= count + 1; part++) {
                unsigned at = cells[count + 1 - part];
                for (unsigned i = count + 1 - part; i <= count && at != P15_NO_MOVE; i++)
                    at = next_state(&fsm, at, moves[i]);
                refused |= at == P15_NO_MOVE;
            }
            unsigned next = next_state(&fsm, state, dir);
            CHECK((next == P15_NO_MOVE) == refused);
            if (refused) continue;
            state = next;
            cell = cells[++count] = (unsigned)after;
        }
    }
    p15_fsm_free(&fsm);
}

int main(void) {
    check_arguments();
    check_published_counts();
    for (unsigned rows = 2; rows <= 8; rows++)
        for (unsigned cols = 2; rows * cols <= 16 && cols <= 8; cols++) {
            p15_shape shape = shape_of(rows, cols);
            check_parts(shape, 2);
            check_after(shape, 8);
            check_once(shape, 6);
            check_once(shape, 9);
            check_parts(shape, 6);
            check_parts(shape, 12);
        }
    check_once(shape_of(2, 2), 14);
    check_once(shape_of(2, 3), 14);
    check_once(shape_of(2, 8), 14);
    check_once(shape_of(3, 3), 13);
    return 0;
}
