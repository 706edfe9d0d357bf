/* p15_batches: visits the nodes of a walk (walks.h) in no fixed order, and evaluates the children of many together.
 *
 * An iteration that does not meet the goal visits every node within its bound, whatever the order. So nodes wait in a
 * stack, and the last ones of it are expanded together, up to a batch: their children are evaluated in one call, and
 * those within the bound are pushed. Counts and the next bound are those of a walk; only the iteration that meets the
 * goal may meet it earlier or later, and on another path of a length within the bound.
 *
 *     stack    [ depth d .. | depth d+1 .. | .. | the deepest ]     depths never decrease towards the top
 *                                    [ a batch: the last nodes ]
 *
 * Nodes of a depth are only expanded when all deeper ones are, in the same batch or before. So at most 3 * batch nodes of
 * each depth wait.
 *
 * A node that was expanded stays as long as a node below it waits, so that the path to the goal can be read.
 *
 * Memory: 32 bytes per node. Threads: one at a time. */
#ifndef P15_DEEPENING_BATCHES_H
#define P15_DEEPENING_BATCHES_H

#include "search/deepening/walks.h"

typedef struct p15_batches p15_batches;

/* For a search that has no other evaluations, which it gets; `most` nodes (2 .. P15_MAX_EXPANDED) are expanded together.
 * P15_ERR_ARGUMENT, P15_ERR_MEMORY. */
p15_status p15_batches_new(p15_search *search, unsigned most, p15_batches **batches);
void p15_batches_delete(p15_batches *batches); /* NULL is fine */

/* As p15_walk_start and p15_walk_run, with the bound, the counts and the limit of the walk, of which nothing else is
 * used. At most three nodes beyond the limit are generated. P15_WALK_NO_ROOM: no memory for more nodes. */
void p15_batches_start(p15_batches *batches, p15_walk *walk, unsigned bound);
p15_progress p15_batches_run(p15_batches *batches, p15_walk *walk, uint64_t *visits);

/* After P15_WALK_SOLVED: the length of the path to the goal. Writes its directions; NULL: nothing. */
size_t p15_batches_path(const p15_batches *batches, uint8_t *path);

size_t p15_batches_bytes(const p15_batches *batches); /* of memory */

#endif
