/* p15_pages: zeroed, in place, and no memory until it is used, even where the system gives nobody more than it has. */

#if defined(__linux__)
#define _GNU_SOURCE /* getrlimit */
#endif

#include "check.h"
#include "base/pages.h"

#include <string.h>
#if defined(__linux__)
#include <sys/resource.h>
#endif

#define MB ((size_t)1 << 20)

/* Every step is zeroed, stays where it is, and keeps what was there. */
static void test_growth(size_t least, size_t most, size_t step) {
    p15_pages pages;
    CHECK(p15_pages_reserve(least, most, &pages) == P15_OK);
    CHECK(pages.bytes >= least && pages.bytes <= most && pages.usable >= least && pages.usable <= pages.bytes);
    CHECK((uintptr_t)pages.memory % 64 == 0);
    uint8_t *memory = pages.memory;
    size_t seen = 0;
    for (size_t bytes = least; bytes <= pages.bytes; bytes += step) {
        CHECK(p15_pages_use(&pages, bytes) == P15_OK && pages.memory == memory && pages.usable >= bytes);
        for (; seen < bytes; seen += 509) {
            CHECK(memory[seen] == 0);
            memory[seen] = (uint8_t)(seen % 251 + 1);
        }
    }
    for (size_t at = 0; at < seen; at += 509) CHECK(memory[at] == at % 251 + 1);
    size_t usable = pages.usable;
    CHECK(p15_pages_use(&pages, pages.bytes + 1) == P15_ERR_MEMORY && pages.usable == usable);
    CHECK(p15_pages_use(&pages, SIZE_MAX) == P15_ERR_MEMORY && pages.usable == usable);
    CHECK(p15_pages_use(&pages, pages.bytes) == P15_OK && pages.usable == pages.bytes);
    memory[pages.bytes - 1] = 1;
    p15_pages_release(&pages);
    CHECK(!pages.memory && !pages.bytes && !pages.usable && !pages.block);
    p15_pages_release(&pages);
}

static void test_refusals(void) {
    p15_pages pages;
    CHECK(p15_pages_reserve(SIZE_MAX, SIZE_MAX, &pages) == P15_ERR_MEMORY && !pages.memory);
    CHECK(p15_pages_reserve(SIZE_MAX / 2, SIZE_MAX, &pages) == P15_ERR_MEMORY && !pages.memory);
    CHECK(p15_pages_reserve(4096, SIZE_MAX / 2, &pages) == P15_OK && pages.bytes >= 4096); /* as much as there is */
    p15_pages_release(&pages);
}

#if defined(__linux__)
/* Bytes of data that this process may write, touched or not, which is what a limit on data counts. */
static size_t written_bytes(void) {
    char line[256];
    unsigned long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "VmData: %lu", &kilobytes) == 1) break;
    CHECK(fclose(file) == 0 && kilobytes > 0);
    return (size_t)kilobytes << 10;
}

/* With 64 MB left, four searches reserve 1 GB each, use a part, and are refused what is not there. */
static void test_without_overcommitment(void) {
    p15_pages pages[4];
    struct rlimit before, limit;
    CHECK(getrlimit(RLIMIT_DATA, &before) == 0);
    limit = before;
    limit.rlim_cur = written_bytes() + 64 * MB;
    CHECK(setrlimit(RLIMIT_DATA, &limit) == 0);
    for (unsigned i = 0; i < 4; i++) {
        CHECK(p15_pages_reserve(MB, 1024 * MB, &pages[i]) == P15_OK && pages[i].bytes == 1024 * MB);
        CHECK(p15_pages_use(&pages[i], 8 * MB) == P15_OK);
        memset(pages[i].memory, 1, 8 * MB);
    }
    size_t usable = pages[3].usable;
    CHECK(p15_pages_use(&pages[3], 100 * MB) == P15_ERR_MEMORY && pages[3].usable == usable);
    CHECK(p15_pages_use(&pages[3], 16 * MB) == P15_OK);
    p15_pages none;
    CHECK(p15_pages_reserve(100 * MB, 200 * MB, &none) == P15_ERR_MEMORY && !none.memory);
    for (unsigned i = 0; i < 4; i++) p15_pages_release(&pages[i]);
    CHECK(setrlimit(RLIMIT_DATA, &before) == 0);
}
#endif

int main(void) {
    test_growth(1000, 1000, 1);
    test_growth(4096, 40000, 1000);
    test_growth(MB, 64 * MB, 3 * MB + 4096);
    test_growth(5 * MB, 37 * MB + 12345, MB);
    test_refusals();
#if defined(__linux__)
    test_without_overcommitment();
#endif
    return 0;
}
