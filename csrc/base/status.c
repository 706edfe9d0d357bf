#include "base/status.h"

static const char *const texts[P15_STATUS_COUNT] = {
    [P15_OK] = "success",
    [P15_ERR_SHAPE] = "a shape needs 2 to 8 rows and columns and at most 16 cells",
    [P15_ERR_BOARD] = "a board holds each of 0 .. cells-1 exactly once",
    [P15_ERR_UNSOLVABLE] = "the goal cannot be reached from this board",
    [P15_ERR_PATTERN] = "a pattern is a non-empty set of the shape's tiles",
    [P15_ERR_MEMORY] = "out of memory",
    [P15_ERR_CORRUPT] = "the table is corrupt",
    [P15_ERR_ARGUMENT] = "an argument is outside its range",
    [P15_ERR_ANSWER] = "the moves that were found do not lead to the goal: a fault of puzzle15, please report it",
};

const char *p15_status_text(p15_status status) {
    /* Through unsigned: whether an enum is signed is the compiler's choice. */
    unsigned code = (unsigned)status;
    return code < P15_STATUS_COUNT ? texts[code] : "unknown status";
}
