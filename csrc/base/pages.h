/* p15_pages: a large array of zeroed memory that grows in place.
 *
 *     memory                usable            bytes
 *       |  may be touched     |  address space  |       both grow from the left; neither ever shrinks
 *
 * A reservation is address space alone: nothing of it counts as memory, not even where the system lets nobody have more
 * than it could give to all (vm.overcommit_memory = 2, Windows). So whoever does not know how much it will need reserves
 * all that it may use, makes it usable as it goes, and never has to copy. The machine gives pages for what is touched.
 *
 * The system is asked for huge pages where it has them, since look-ups all over the array would otherwise wait for address
 * translations; for the first few megabytes only if so much is sure to be used.
 *
 * Where there is neither mmap nor VirtualAlloc, the memory comes from calloc, and all of it is usable at once. */
#ifndef P15_BASE_PAGES_H
#define P15_BASE_PAGES_H

#include "base/status.h"

#include <stddef.h>

_Static_assert(sizeof(size_t) == 8, "address space is taken for granted: 64-bit machines only");

typedef struct {
    void *memory;  /* aligned to 64 bytes; NULL: nothing reserved */
    size_t bytes;  /* that are reserved */
    size_t usable; /* of these: that may be touched */
    void *block;   /* what to give back */
} p15_pages;

/* Reserves `most` bytes, or as much as the system allows, at least `least`, which are usable; P15_ERR_MEMORY, *pages empty,
 * below that. */
p15_status p15_pages_reserve(size_t least, size_t most, p15_pages *pages);

/* The seldom part of p15_pages_use. */
p15_status p15_pages_extend(p15_pages *pages, size_t bytes);

/* Makes the first `bytes` usable, if they are not yet. P15_ERR_MEMORY, nothing changed: more than were reserved, or than
 * the system has. */
static inline p15_status p15_pages_use(p15_pages *pages, size_t bytes) {
    return bytes <= pages->usable ? P15_OK : p15_pages_extend(pages, bytes);
}

/* Gives all of it back, and leaves *pages empty. */
void p15_pages_release(p15_pages *pages);

#endif
