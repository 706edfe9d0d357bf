/*
 * CHECK(condition): print where and what, and exit with 1, unless it holds.
 * Works whether or not NDEBUG is defined, unlike assert.
 *
 * is_slow(count, arguments): whether a main with these was told to run its large sweeps, too.
 *
 * draw(bound): the next of a fixed sequence of numbers below `bound`.  A failed
 * CHECK prints the seed and how many numbers had been drawn.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 15u

static uint64_t draw_state = SEED;
static unsigned long draw_count;

#define CHECK(condition)                                                                                          \
    ((condition)                                                                                                  \
         ? (void)0                                                                                                \
         : (fprintf(stderr, "%s:%d: %s (seed %u, draw %lu)\n", __FILE__, __LINE__, #condition, SEED, draw_count), \
            exit(1)))

static inline bool is_slow(int count, char **arguments) { return count > 1 && strcmp(arguments[1], "slow") == 0; }

static inline uint32_t draw(uint32_t bound) {
    draw_count++;
    draw_state = draw_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((draw_state >> 32) * bound >> 32);
}

#endif
