/* Preloaded: refuses one allocation of the extension modules, those of the interpreter and of numpy never. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static atomic_long asked, refused = -1; /* allocations so far; the number of the one to refuse, -1: none */

/* Counts from 0 again. */
void refuse(long number) {
    atomic_store(&asked, 0);
    atomic_store(&refused, number);
}

long allocations(void) { return atomic_load(&asked); }

static bool grants(const void *caller) {
    Dl_info info;
    if (atomic_load(&refused) < 0 || !dladdr(caller, &info) || !strstr(info.dli_fname, "puzzle15/_core/")) return true;
    return atomic_fetch_add(&asked, 1) != atomic_load(&refused);
}

#define GRANTS grants(__builtin_return_address(0))

void *malloc(size_t size) { return GRANTS ? __libc_malloc(size) : NULL; }
void *calloc(size_t count, size_t size) { return GRANTS ? __libc_calloc(count, size) : NULL; }
void *realloc(void *memory, size_t size) { return GRANTS ? __libc_realloc(memory, size) : NULL; }
