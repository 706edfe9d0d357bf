/*
 * CHECK(condition): print where and what, and exit with 1, unless it holds.
 * Works whether or not NDEBUG is defined, unlike assert.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                     \
    ((condition) ? (void)0                                                                   \
                 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)))

#endif
