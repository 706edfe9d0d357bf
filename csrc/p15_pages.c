#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* MAP_ANONYMOUS, MADV_HUGEPAGE */
#endif

#include "p15_pages.h"

#include <stdint.h>
#include <stdlib.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
#endif

#if defined(MAP_ANONYMOUS)

#define HUGE_PAGE ((size_t)2 << 20)
#define ALIGNMENT HUGE_PAGE
#define SMALL ((size_t)4 << 20) /* in small pages, where less is sure to be used */

static void *take(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Only a wish. A small search should not have to wait for a page of which it uses little. */
static void want_huge_pages(void *memory, size_t least, size_t bytes) {
#if defined(MADV_HUGEPAGE)
    size_t skip = least < HUGE_PAGE ? SMALL : 0;
    if (bytes > skip) (void)madvise((uint8_t *)memory + skip, bytes - skip, MADV_HUGEPAGE);
#else
    (void)memory, (void)least, (void)bytes;
#endif
}

static void give(void *block, size_t bytes) { munmap(block, bytes); }

#else

#define ALIGNMENT ((size_t)64)

static void *take(size_t bytes) { return calloc(bytes, 1); }

static void want_huge_pages(void *memory, size_t least, size_t bytes) { (void)memory, (void)least, (void)bytes; }

static void give(void *block, size_t bytes) {
    (void)bytes;
    free(block);
}

#endif

p15_status p15_pages_reserve(size_t least, size_t most, p15_pages *pages) {
    *pages = (p15_pages){NULL, 0, NULL};
    if (most < least) most = least;
    for (size_t bytes = most;; bytes = bytes / 2 > least ? bytes / 2 : least) {
        void *block = bytes <= SIZE_MAX - ALIGNMENT ? take(bytes + ALIGNMENT) : NULL;
        if (block) {
            size_t past = (uintptr_t)block % ALIGNMENT;
            *pages = (p15_pages){(uint8_t *)block + (past ? ALIGNMENT - past : 0), bytes, block};
            want_huge_pages(pages->memory, least, bytes);
            return P15_OK;
        }
        if (bytes == least) return P15_ERR_MEMORY;
    }
}

void p15_pages_release(p15_pages *pages) {
    if (pages->block) give(pages->block, pages->bytes + ALIGNMENT);
    *pages = (p15_pages){NULL, 0, NULL};
}
