/* p15_problem: a goal, and the lookups of additive tables whose maximum is the heuristic h.
 *
 * A lookup reads the tables of a partition for the board itself or for its image under a symmetry that keeps the home,
 * such as the reflection. The h of a lookup is the sum of its patterns' values. A move changes only the pattern of the
 * moved tile, so a child takes one table entry per lookup, and its values follow from its parent's.
 *
 * Ownership: a p15_problem points to tables and a machine that outlive it, and into itself: it stays where it was made.
 * It owns half a megabyte for vectors; p15_problem_free ends it.
 * Threads: a problem is read-only once its lookups are added, but for `longer`. */
#ifndef P15_OPTIMAL_PROBLEM_H
#define P15_OPTIMAL_PROBLEM_H

#include "base/cpu.h"
#include "base/path.h"
#include "optimal/fsm.h"
#include "tables/table.h"

#include <stdatomic.h>

#define P15_MAX_LOOKUPS 16
#define P15_MAX_LOOKUP_PATTERNS 48 /* patterns over all lookups */
#define P15_MAPS (1u << P15_MAX_CELLS)

/* Words of 16 moves in a node. Solutions on 2x7 and 2x8 may need them all, those on other shapes have at most 87 moves:
 * see P15_FARTHEST. */
#define P15_FEW_MOVE_WORDS 6
#define P15_MAX_MOVE_WORDS (P15_MAX_LENGTH / 16)

/* The state of a pattern in a lookup:
 *
 *     bits  0..23   perm            bits 32..47   map
 *     bits 24..31   value           bits 48..63   row; for classic tables the Manhattan distance */
typedef uint64_t p15_state;

#define P15_STATE_PERM 0xffffffu
#define P15_STATE_VALUE_BIT 24
#define P15_STATE_MAP_BIT 32
#define P15_STATE_ROW_BIT 48
#define P15_STATE_ROW (UINT64_C(0xffff) << P15_STATE_ROW_BIT)

/* What reading an entry needs of a pattern's table: one cache line. */
typedef struct {
    const uint8_t *payload;
    const uint64_t *maps;
    const uint16_t *high, *first_rows, *last_rows;
    const uint8_t *low;
    size_t row_bytes;
    const p15_table *table;
} p15_pattern_access;

/* What a move of the blank from a cell in a direction does to the pattern of the moved tile, in one lookup. */
typedef struct {
    uint16_t flip;       /* the tile's cell before and after */
    uint16_t below_from; /* the cells below each; without the tile's own cell */
    uint16_t below_to;
    uint8_t region_shift; /* of the blank's new cell in the map's record */
    uint8_t from_cell, to_cell;
} p15_lookup_move;

/* What the kernels for vectors read in a lookup of zero-aware tables. */
typedef struct {
    uint32_t cells[16];      /* [cell] the lookup's cell */
    uint32_t patterns[16];   /* [tile] the number of its pattern in the lookup */
    uint32_t fill[16];       /* [pattern] 7 in the fields of a perm that it does not have */
    uint32_t weights[4][16]; /* [i][pattern] what digit i of a perm's Lehmer code counts in its row; high half: i + 4 */
    uint32_t row_bytes[16];  /* [pattern] */
    uint64_t payloads[16];   /* [pattern] */
} p15_lookup_vectors;

typedef struct {
    uint8_t cell_to[P15_MAX_CELLS];    /* the symmetry: the lookup's cell for a cell of the board */
    uint8_t pattern_of[P15_MAX_CELLS]; /* the pattern of a tile */
    uint8_t pattern_begin, pattern_end;
    bool transposed;                                      /* horizontal moves of the board are vertical in the lookup */
    p15_lookup_move moves[P15_MAX_CELLS][P15_DIRECTIONS]; /* [blank's cell][direction of the blank] */
} p15_lookup;

typedef struct {
    p15_shape shape;
    unsigned home;
    p15_board goal; /* p15_board_goal(shape, home) */
    bool classic;   /* the format of all tables */
    p15_cpu cpu;
    bool plain;          /* the textbook search: moves in fixed order, every iteration from the root */
    unsigned slot_count; /* of a worker: 1 .. P15_MAX_SLOTS */
    unsigned move_words; /* of a node */
    unsigned most_moves; /* that they hold: no bound is larger */
    const p15_fsm *fsm;
    _Atomic(const p15_fsm *) longer; /* for longer sequences, in large searches; NULL: not made yet */
    uint64_t shared;       /* nodes of an iteration after which slots share the next ones; 50,000 to begin with */
    uint32_t max_frontier; /* the most fixed roots, at most P15_MAX_ORIGINS */
    uint64_t large;        /* nodes of an iteration after which a search takes `longer`; UINT64_MAX: never */
    unsigned lookup_count, pattern_count;
    p15_lookup lookups[P15_MAX_LOOKUPS];
    p15_lookup_vectors vectors[P15_MAX_LOOKUPS];
    uint64_t *maps; /* [P15_MAPS] the record of every map of a table's size, as in p15_space; NULL: not needed */
    p15_pattern_access accesses[P15_MAX_LOOKUP_PATTERNS];
    p15_table tables[P15_MAX_LOOKUP_PATTERNS];
    uint8_t label_of[P15_MAX_LOOKUP_PATTERNS][P15_MAX_CELLS]; /* of a tile, in its pattern */
} p15_problem;

/* Starts a problem without lookups. P15_ERR_ARGUMENT when home is no cell. */
p15_status p15_problem_init(p15_shape shape, unsigned home, const p15_fsm *fsm, p15_problem *problem);
void p15_problem_free(p15_problem *problem); /* of a problem that was started, or is all zeros */

/* Adds the lookup of tables (a partition: every tile in exactly one) for the image of the board under a symmetry that
 * keeps the home, as p15_symmetries gives it. P15_ERR_PATTERN when it is no such symmetry, or the tables are no
 * partition, differ in format or home, or are too many; P15_ERR_MEMORY. */
p15_status p15_problem_add_lookup(p15_problem *problem, const p15_table *tables, unsigned table_count,
                                  const uint8_t *cell_to);

/* Reads the table of a pattern from other memory from now on. Call it while no worker runs. P15_ERR_ARGUMENT unless it
 * is a table of the same pattern, space and format. */
p15_status p15_problem_move_table(p15_problem *problem, unsigned pattern, const p15_table *table);

/* Gives a machine for longer sequences, of the same shape, which must stay as long as the problem. Any thread may call
 * it; only the first one counts. */
void p15_problem_lengthen(p15_problem *problem, const p15_fsm *longer);

/* The pattern states of a board, whose values take descents. P15_ERR_BOARD, P15_ERR_UNSOLVABLE, P15_ERR_CORRUPT. */
p15_status p15_problem_states(const p15_problem *problem, p15_board board, p15_state *states);

/* Makes the states of a board those after a legal move of the blank: some lookups instead of descents. P15_ERR_CORRUPT. */
p15_status p15_problem_step(const p15_problem *problem, p15_board board, unsigned direction, p15_state *states);

/* The h of each lookup (lookup_h may be NULL) and their maximum. P15_ERR_CORRUPT. */
p15_status p15_problem_h(const p15_problem *problem, const p15_state *states, uint8_t *lookup_h, unsigned *h);

/* The same of a board. Fails as p15_problem_states does. */
p15_status p15_heuristic(const p15_problem *problem, p15_board board, unsigned *h, uint8_t *lookup_h);

#endif
