/* p15_pages: a large array of zeroed memory that grows in place.
 *
 *     memory                usable            bytes
 *       |  may be touched     |  address space  |       both grow to the right; neither ever shrinks
 *
 * A reservation takes only address space. It does not count as memory, even on systems that promise no more memory than
 * they have (Windows; Linux with vm.overcommit_memory = 2). So a caller that does not know how much it will need
 * reserves all that it may use, makes it usable step by step, and never has to copy.
 *
 * Lookups all over a large array would wait for address translations, so huge pages are requested where the system has
 * them. The first few megabytes get them only if the caller is sure to use that much. */
#ifndef P15_BASE_PAGES_H
#define P15_BASE_PAGES_H

#include "base/status.h"

#include <stddef.h>

typedef struct {
    void *memory;  /* aligned to 64 bytes; NULL: nothing is reserved */
    size_t bytes;  /* reserved */
    size_t usable; /* of these, how many may be touched */
    void *block;   /* what is given back to the system */
} p15_pages;

/* Reserves `most` bytes, or as many as the system allows, and makes the first `least` of them usable.
 * P15_ERR_MEMORY, with *pages empty, when the system allows fewer than `least`. */
p15_status p15_pages_reserve(size_t least, size_t most, p15_pages *pages);

/* The rarely needed part of p15_pages_use. */
p15_status p15_pages_extend(p15_pages *pages, size_t bytes);

/* Makes the first `bytes` usable, if they are not yet. P15_ERR_MEMORY, with nothing changed, when these are more
 * than were reserved or more than the system has. */
static inline p15_status p15_pages_use(p15_pages *pages, size_t bytes) {
    return bytes <= pages->usable ? P15_OK : p15_pages_extend(pages, bytes);
}

/* Gives all memory back and leaves *pages empty. */
void p15_pages_release(p15_pages *pages);

#endif
