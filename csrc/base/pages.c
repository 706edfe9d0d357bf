#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* MAP_ANONYMOUS, MADV_HUGEPAGE */
#endif

#include "base/pages.h"

#include <stdbool.h>
#include <stdint.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define SMALL ((size_t)4 << 20) /* in small pages, where less is sure to be used */

#if defined(__wasm__)

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT ((size_t)64)

#define MOST ((size_t)64 << 20)

/* The memory of a module grows in one piece and is never given back. So there is no address space without memory, and
 * an array that may become large is reserved no larger than this. */
static void *take(size_t bytes) { return bytes <= MOST + ALIGNMENT ? malloc(bytes) : NULL; }

static bool make_usable(void *memory, size_t before, size_t bytes) {
    return memset((uint8_t *)memory + before, 0, bytes - before) != NULL;
}

static void give(void *block, size_t bytes) {
    (void)bytes;
    free(block);
}

#elif !defined(_WIN32)

#include <sys/mman.h>
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

#define ALIGNMENT HUGE_PAGE

static void *take(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static bool make_usable(void *memory, size_t before, size_t bytes) {
    (void)before;
    return mprotect(memory, bytes, PROT_READ | PROT_WRITE) == 0;
}

static void give(void *block, size_t bytes) { munmap(block, bytes); }

#else

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#define ALIGNMENT ((size_t)64)

static void *take(size_t bytes) { return VirtualAlloc(NULL, bytes, MEM_RESERVE, PAGE_NOACCESS); }

static bool make_usable(void *memory, size_t before, size_t bytes) {
    (void)before;
    return VirtualAlloc(memory, bytes, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

static void give(void *block, size_t bytes) {
    (void)bytes;
    VirtualFree(block, 0, MEM_RELEASE);
}

#endif

/* Only a wish. A small search should not have to wait for a page of which it uses little. */
static void want_huge_pages(void *memory, size_t least, size_t bytes) {
#if defined(MADV_HUGEPAGE)
    size_t skip = least < HUGE_PAGE ? SMALL : 0;
    if (bytes > skip) (void)madvise((uint8_t *)memory + skip, bytes - skip, MADV_HUGEPAGE);
#else
    (void)memory, (void)least, (void)bytes;
#endif
}

p15_status p15_pages_extend(p15_pages *pages, size_t bytes) {
    if (bytes > pages->bytes) return P15_ERR_MEMORY;
    /* by huge pages, so that calls are few and no such page is in two parts */
    bytes = pages->bytes - bytes < HUGE_PAGE ? pages->bytes : (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (!make_usable(pages->memory, pages->usable, bytes)) return P15_ERR_MEMORY;
    pages->usable = bytes;
    return P15_OK;
}

p15_status p15_pages_reserve(size_t least, size_t most, p15_pages *pages) {
    *pages = (p15_pages){.memory = NULL};
    if (most < least) most = least;
    for (size_t bytes = most;; bytes = bytes / 2 > least ? bytes / 2 : least) {
        void *block = bytes <= SIZE_MAX - ALIGNMENT ? take(bytes + ALIGNMENT) : NULL;
        if (block) {
            size_t past = (uintptr_t)block % ALIGNMENT;
            *pages = (p15_pages){(uint8_t *)block + (past ? ALIGNMENT - past : 0), bytes, 0, block};
            want_huge_pages(pages->memory, least, bytes);
            if (p15_pages_use(pages, least) == P15_OK) return P15_OK;
            p15_pages_release(pages);
            return P15_ERR_MEMORY;
        }
        if (bytes == least) return P15_ERR_MEMORY;
    }
}

void p15_pages_release(p15_pages *pages) {
    if (pages->block) give(pages->block, pages->bytes + ALIGNMENT);
    *pages = (p15_pages){.memory = NULL};
}
