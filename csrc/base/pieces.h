/* P15_PIECE: how much of a long job is done at once.
 *
 * Whoever calls the core looks at signals and limits between two calls, and wants to do so every few milliseconds. Jobs
 * that grow with what is kept, such as growing a table or sorting a layer, are therefore done piece by piece: a call
 * works on at most so many nodes, and says whether the job is done. A piece takes some milliseconds at the most; a
 * small job is one piece. Tests compile the core with tiny pieces. */
#ifndef P15_BASE_PIECES_H
#define P15_BASE_PIECES_H

#ifndef P15_PIECE
#define P15_PIECE (1u << 16) /* nodes; a multiple of 8 */
#endif

_Static_assert(P15_PIECE >= 8 && P15_PIECE % 8 == 0, "whole buckets of 8 slots");

#endif
