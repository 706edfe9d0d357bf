/* p15_status: what every C function that can fail returns.
 *
 * 0 is success. The Cython layer maps each number to one Python exception, and arrays of per-board results store them
 * as bytes. A test walks all of them. */
#ifndef P15_BASE_STATUS_H
#define P15_BASE_STATUS_H

typedef enum p15_status {
    P15_OK = 0,
    P15_ERR_SHAPE,      /* rows or cols outside 2..8, or more than 16 cells */
    P15_ERR_BOARD,      /* not a permutation of 0..cells-1 */
    P15_ERR_UNSOLVABLE, /* the goal lies in the other half of the boards */
    P15_ERR_PATTERN,    /* empty, with a tile outside the shape, or overlapping */
    P15_ERR_MEMORY,     /* an allocation failed, or a buffer is too small */
    P15_ERR_CORRUPT,    /* table bytes that contradict their own header */
    P15_ERR_ARGUMENT,   /* any other value outside its documented range */
    P15_ERR_ANSWER,     /* a solution that was found does not lead to the goal: a fault of this library */
    P15_STATUS_COUNT    /* how many there are; never returned */
} p15_status;

/* A static text, without a full stop, to which the caller adds what was given; "unknown status" outside the enum. */
const char *p15_status_text(p15_status status);

#endif
