/* p15_status: what every C function that can fail returns.
 *
 * 0 is success, so `if (status)` reads as "if it failed". The numbers are part of the interface: the Cython layer
 * maps each to one Python exception, and arrays of per-board results store them as bytes. New codes go before
 * P15_STATUS_COUNT; a test walks all of them. */
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

/* One line of English for a status, without a full stop. It begins a message to which the caller adds what was given
 * and what mends it.
 *
 * Never NULL; a value outside the enum gives "unknown status". The text is static: do not free it. Safe from any
 * thread. */
const char *p15_status_text(p15_status status);

#endif
