/* P15_PIECE: how much of a long job is done at once.
 *
 * Whoever calls the core handles signals and limits between two calls, every few milliseconds. So long jobs, such as
 * growing a table or sorting a layer, are done piece by piece: a call works on at most so many nodes, and returns
 * whether the job is done. Tests compile the core with tiny pieces. */
#ifndef P15_BASE_PIECES_H
#define P15_BASE_PIECES_H

#ifndef P15_PIECE
#define P15_PIECE (1u << 16) /* nodes; a multiple of 8 */
#endif

_Static_assert(P15_PIECE >= 8 && P15_PIECE % 8 == 0, "whole buckets of 8 slots");

#endif
