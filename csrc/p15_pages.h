/* p15_pages: a large array of zeroed memory that grows in place.
 *
 * A reservation is address space: the machine gives memory only for what is touched. So whoever does not know how much it
 * will need reserves all that it may use, and never has to copy. The system is asked for huge pages where it has them,
 * since look-ups all over the array would otherwise wait for address translations; for the first few megabytes only if so
 * much is sure to be used.
 *
 * Where there is no mmap, the memory comes from calloc, which most systems hand out as they touch it, too. */
#ifndef P15_PAGES_H
#define P15_PAGES_H

#include "p15_status.h"

#include <stddef.h>

_Static_assert(sizeof(size_t) == 8, "address space is taken for granted: 64-bit machines only");

typedef struct {
    void *memory;  /* aligned to 64 bytes; NULL: nothing reserved */
    size_t bytes;  /* that may be touched */
    void *block;   /* what to give back */
} p15_pages;

/* Reserves `most` bytes, or as much as the system allows, at least `least`; P15_ERR_MEMORY, *pages empty, below that. */
p15_status p15_pages_reserve(size_t least, size_t most, p15_pages *pages);

/* Gives all of it back, and leaves *pages empty. */
void p15_pages_release(p15_pages *pages);

#endif
