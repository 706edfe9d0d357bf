/* p15_problem: a goal, and the views of additive tables whose maximum is the heuristic h.
 *
 * A view is a partition's tables seen through a symmetry of the board that keeps the home. The h of a view is the sum
 * of its patterns' values, h of a board the maximum over views. A move changes only the pattern of the moved tile, so a
 * child costs one table look-up per view, and its value follows from its parent's.
 *
 * Ownership: a p15_problem points to tables and an automaton that outlive it, and into itself: it stays where it was
 * made. It owns half a megabyte for AVX-512; p15_problem_free ends it.
 * Threads: a problem is read-only once its views are added, but for its longer words. */
#ifndef P15_OPTIMAL_VIEWS_H
#define P15_OPTIMAL_VIEWS_H

#include "base/cpu.h"
#include "optimal/automaton.h"
#include "optimal/path.h"
#include "tables/table.h"

#include <stdatomic.h>

#define P15_MAX_VIEWS 16
#define P15_MAX_PLACES 48 /* patterns over all views */
#define P15_MAX_LANES 16
#define P15_MAPS (1u << P15_MAX_CELLS)

/* Words of 16 moves in a node. Solutions on 2x7 and 2x8 may need them all, those on other shapes have at most 87 moves:
 * see P15_FARTHEST. */
#define P15_FEW_MOVE_WORDS 6
#define P15_MAX_MOVE_WORDS (P15_MAX_LENGTH / 16)

/* Where the tiles of one pattern stand in one view, in one word:
 *
 *     bits  0..23   perm            bits 32..47   map
 *     bits 24..31   value           bits 48..63   row; for classic tables the Manhattan distance */
typedef uint64_t p15_place;

#define P15_PLACE_PERM 0xffffffu
#define P15_PLACE_VALUE_BIT 24
#define P15_PLACE_VALUE (UINT64_C(0xff) << P15_PLACE_VALUE_BIT)
#define P15_PLACE_MAP_BIT 32
#define P15_PLACE_ROW_BIT 48
#define P15_PLACE_ROW (UINT64_C(0xffff) << P15_PLACE_ROW_BIT)

/* What looking up an entry needs of a place's table: one cache line. */
typedef struct {
    const uint8_t *payload;
    const uint64_t *maps;
    const uint16_t *high, *first_rows, *last_rows;
    const uint8_t *low;
    size_t row_bytes;
    const p15_table *table;
} p15_lookup;

/* What a move of the blank from a cell in a direction does to the pattern of the moved tile, in one view. */
typedef struct {
    uint16_t flip;       /* the tile's cell before and after */
    uint16_t below_from; /* the cells below each; without the tile's own cell */
    uint16_t below_to;
    uint8_t region_shift; /* of the blank's new cell in the map's record */
    uint8_t from_cell, to_cell;
} p15_view_move;

/* What the kernels for AVX-512 look up in a view of tables of bits. */
typedef struct {
    uint32_t cells[16];      /* [cell] the view's cell */
    uint32_t patterns[16];   /* [tile] its pattern: the number of its place in the view */
    uint32_t fill[16];       /* [pattern] 7 in the fields of a perm that it does not have */
    uint32_t weights[4][16]; /* [i][pattern] what digit i of a perm's Lehmer code counts in its row; high half: i + 4 */
    uint32_t row_bytes[16];  /* [pattern] */
    uint64_t payloads[16];   /* [pattern] */
} p15_view_vectors;

typedef struct {
    uint8_t cell_to[P15_MAX_CELLS];  /* the symmetry: the view's cell for a cell of the board */
    uint8_t place_of[P15_MAX_CELLS]; /* index of the place that a tile belongs to */
    uint8_t place_begin, place_end;
    bool transposed;                                    /* horizontal moves of the board are vertical in the view */
    p15_view_move moves[P15_MAX_CELLS][P15_DIRECTIONS]; /* [blank's cell][direction of the blank] */
} p15_view;

typedef struct {
    p15_shape shape;
    unsigned home;
    p15_board goal; /* p15_board_goal(shape, home) */
    bool classic;   /* the format of all tables */
    p15_cpu cpu;
    bool plain;          /* the textbook search: moves in fixed order, every iteration from the root */
    unsigned lane_count; /* 1 .. P15_MAX_LANES */
    unsigned move_words; /* of a node */
    unsigned most_moves; /* that they hold: no bound is larger */
    const p15_automaton *automaton;
    _Atomic(const p15_automaton *) longer; /* longer words, for large searches; NULL: not made yet */
    uint64_t shared;      /* nodes of an iteration after which lanes share the next ones; 50,000 to begin with */
    uint32_t most_fringe; /* nodes of a fringe that stays, at most P15_MAX_ORIGINS */
    uint64_t large;       /* nodes of an iteration after which a search goes on with longer words; UINT64_MAX: never */
    unsigned view_count, place_count;
    p15_view views[P15_MAX_VIEWS];
    p15_view_vectors vectors[P15_MAX_VIEWS];
    uint64_t *maps; /* [P15_MAPS] the record of every map of a table's size, as in p15_space; NULL: not needed */
    p15_lookup lookups[P15_MAX_PLACES]; /* of each place */
    p15_table tables[P15_MAX_PLACES];
    uint8_t label_of[P15_MAX_PLACES][P15_MAX_CELLS]; /* of a tile, in the place it belongs to */
} p15_problem;

/* Starts a problem without views. P15_ERR_ARGUMENT when home is no cell. */
p15_status p15_problem_init(p15_shape shape, unsigned home, const p15_automaton *automaton, p15_problem *problem);
void p15_problem_free(p15_problem *problem); /* of a problem that was started, or is all zeros */

/* Adds the view of tables (a partition: every tile in exactly one) through a symmetry, as p15_symmetries gives it,
 * that keeps the home. P15_ERR_PATTERN when it is no such symmetry, or the tables are no partition, differ in format
 * or home, or are too many; P15_ERR_MEMORY. */
p15_status p15_problem_add_view(p15_problem *problem, const p15_table *tables, unsigned table_count,
                                const uint8_t *cell_to);

/* Lets a place look up the same table in other memory. Call it while no worker runs; the old memory must stay as
 * long as the workers that there are. P15_ERR_ARGUMENT unless it is a table of the same pattern, space and format. */
p15_status p15_problem_move_table(p15_problem *problem, unsigned place, const p15_table *table);

/* Gives longer words, which must stay as long as the problem: those of a longer automaton of the same shape. Any thread
 * may call it; what others have given before stays. */
void p15_problem_lengthen(p15_problem *problem, const p15_automaton *longer);

/* The places of a board, the h of each view, and their maximum. P15_ERR_BOARD, P15_ERR_UNSOLVABLE, P15_ERR_CORRUPT. */
p15_status p15_problem_places(const p15_problem *problem, p15_board board, p15_place *places, uint8_t *views,
                              unsigned *h);

/* The heuristic of a board, and of each view (views may be NULL). Fails as p15_problem_places does. */
p15_status p15_heuristic(const p15_problem *problem, p15_board board, unsigned *h, uint8_t *views);

#endif
