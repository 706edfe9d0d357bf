/* p15_meeting: searches from the start and from the goal that meet: MM, MMe, NBS, and breadth-first search.
 *
 *     start  ->  h: to the goal     open | closed   <->   closed | open     h: to the start  <-  goal
 *
 * Each side has its own heuristic, to the other side's root ("front-to-end"), its own closed table and open lists. A
 * child that the other side knows, too, closes a solution of gF + gB moves; the shortest one so far has U moves. With
 * e = 1, the length of a move, and minima over the open nodes of a side:
 *
 *     MM    expands the least priority  max(g + h, 2 g)  of both sides
 *     MMe                               max(g + h, 2 g + e)
 *           bound = max(least priority, fminF, fminB, gminF + gminB + e)
 *     NBS   expands both nodes of a pair with the least  lb = max(fF, fB, gF + gB + e)
 *           bound = lb
 *
 * These end as soon as U <= bound. If both heuristics are admissible, no solution has fewer moves than the bound, so the
 * answer is a shortest one; a closed node that is reached with a smaller g is opened again, so they need not be
 * consistent. MM expands no node with g beyond half of the solution; NBS expands at most twice as many nodes as any
 * front-to-end search needs to prove the answer, if the heuristics are consistent.
 *
 *     breadth-first  expands a whole level of the side that has fewer open nodes (Pohl 1971). While both sides know all
 *                    boards within a and b moves, and none in common, every solution has more than a + b moves. So the
 *                    first child that the other side knows ends the search. It has no heuristics.
 *
 * What the papers leave open was chosen for few expansions, measured on 3x3, 3x4 and 4x4:
 *
 *     MM, MMe  Of equal priority, the start's side goes first; in a side the least h, then the node that came last.
 *     NBS      Nodes with f below lb are ready. While no two ready nodes make a pair, one more with f = lb becomes
 *              ready, of the start's side if there is one. Nodes become ready in the order of f, then the largest h
 *              first, then the node that came last. Of the ready ones the least g goes first, as published, then the
 *              least h, then the one that became ready last.
 *
 * With a batch, some nodes are expanded at once, and their children evaluated together: in MM and MMe nodes of one side
 * with its least priority, in NBS pairs of distinct nodes whose lb is the bound. So the promises above hold, but a search
 * may expand some more nodes.
 *
 * Tables know one goal only. So an evaluator may see the boards after a symmetry, with the tiles renamed: `back`. The
 * boards of the search, of its traces and of its answer are the caller's.
 *
 * Memory: 9 to 14 bytes per node in a closed table, and 8 per open node (16 where a heuristic has several components).
 *
 * R. C. Holte, A. Felner, G. Sharon, N. R. Sturtevant: Bidirectional search that is guaranteed to meet in the middle,
 * AAAI 2016. G. Sharon, R. C. Holte, A. Felner, N. R. Sturtevant: An improved priority function for bidirectional
 * heuristic search, SoCS 2016 (MMe). J. Chen, R. C. Holte, S. Zilles, N. R. Sturtevant: Front-to-end bidirectional
 * heuristic search with near-optimal node expansions, IJCAI 2017 (NBS). */
#ifndef P15_MEETING_MEETING_H
#define P15_MEETING_MEETING_H

#include "search/search.h"

/* Options: max_bytes, cpu, and
 *
 *     rule       P15_MM, P15_MME or P15_NBS
 *     batch      NBS rounds it down to whole pairs, unless it is 1; 1 for breadth-first
 *     evaluator  of the start's side; its goal is the image of the goal
 *     backward   of the goal's side; its goal is the image of the start. NULL: breadth-first, which reads the shape of
 *                the evaluator only, and no rule
 *     back       for each of these the direction here of each direction on its boards; 0, 1, 2, 3 without a symmetry
 *
 * P15_ERR_ARGUMENT: evaluators of other shapes, no symmetry has the directions of an evaluator, too.
 *
 * A run ends with a whole batch. Its trace has no evaluator. There, the side of nodes that were reached from the goal is
 * 1; the last expansion of a solved search has the board at which both sides meet, and its side is the one that came
 * last. */
extern const p15_search_type P15_MEETING;

#endif
