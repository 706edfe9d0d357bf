/* yardstick: how fast one thread reads single bytes all over a large array, most of which no cache holds.
 *
 *     yardstick BYTES READS IN_FLIGHT LEVEL
 *
 * Prints the nanoseconds per read. Each read is asked for IN_FLIGHT reads ahead, into the nearest cache (LEVEL 1) or the
 * second one (LEVEL 2). A processor has few places for what the nearest cache waits for, so that is the narrower way. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define MOST_IN_FLIGHT 256

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int count, char **arguments) {
    if (count != 5) return 2;
    size_t bytes = strtoull(arguments[1], NULL, 10), reads = strtoull(arguments[2], NULL, 10);
    unsigned in_flight = (unsigned)strtoul(arguments[3], NULL, 10), level = (unsigned)strtoul(arguments[4], NULL, 10);
    if (bytes == 0 || in_flight == 0 || in_flight > MOST_IN_FLIGHT) return 2;
    uint8_t *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
#ifdef MADV_HUGEPAGE
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    memset(memory, 1, bytes);
    size_t at[MOST_IN_FLIGHT] = {0};
    uint64_t random = UINT64_C(88172645463325252), sum = 0;
    double begin = now();
    for (size_t i = 0, slot = 0; i < reads; i++, slot = slot + 1 == in_flight ? 0 : slot + 1) {
        sum += memory[at[slot]];
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        at[slot] = (size_t)((random >> 32) * (uint64_t)bytes >> 32);
        if (level == 1)
            __builtin_prefetch(memory + at[slot], 0, 3);
        else
            __builtin_prefetch(memory + at[slot], 0, 2);
    }
    double seconds = now() - begin;
    if (sum != reads) return 1;
    printf("%.3f\n", 1e9 * seconds / (double)reads);
    return 0;
}
