/* p15_reference: the search of this library in its simplest form. Read it first.
 *
 * IDA* (Korf 1985) goes through iterations of a depth-first search. An iteration has a bound: it cuts off nodes whose f
 * = g + h exceeds the bound, where g is the number of moves made and h a lower bound on those to come. The first bound
 * is h of the board. A move changes both g and h by an odd number, so f stays even or odd, and each bound is larger by
 * 2 than the one before. So the first solution that is found is a shortest one.
 *
 * h comes from pattern databases (tables/table.h). A table holds how many moves the tiles of one pattern still need.
 * The tables are additive: they count moves of their own tiles only, so the values of disjoint patterns add up. On a
 * square board whose goal has the blank on the main diagonal, the reflected board needs equally many moves. The same
 * tables give a second sum for it, and h is the larger one (Korf & Felner 2002).
 *
 * A move slides one tile, so it changes the value of one pattern. The search carries the values along, and looks up by
 * how much a move changes one of them.
 *
 * The fast search (optimal/worker.h) has the same tables, moves and bounds. tests/c/optimal/test_reference.c compares
 * the two. */
#ifndef P15_OPTIMAL_REFERENCE_H
#define P15_OPTIMAL_REFERENCE_H

#include "tables/table.h"

#define P15_REFERENCE_TABLES 8

typedef struct {
    unsigned length;
    uint8_t moves[P15_FARTHEST + 1]; /* of the blank; with damaged tables, one more may be tried */
    uint64_t expanded;               /* nodes whose children were made, over all iterations */
} p15_reference_solution;

/* Finds a shortest solution with the tables of a partition: at most P15_REFERENCE_TABLES of them, every tile in exactly
 * one. P15_ERR_BOARD; P15_ERR_UNSOLVABLE; P15_ERR_CORRUPT for damaged tables. */
p15_status p15_reference_solve(const p15_table *tables, unsigned count, p15_board board,
                               p15_reference_solution *solution);

#endif
