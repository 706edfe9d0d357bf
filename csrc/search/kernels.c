#include "search/kernels.h"

static const p15_search_type *const KERNELS[] = {
    [P15_KERNEL_BEST_FIRST] = &P15_BESTFIRST,
    [P15_KERNEL_DEEPENING] = &P15_DEEPENING,
    [P15_KERNEL_ANYTIME] = &P15_ANYTIME,
    [P15_KERNEL_BIDIRECTIONAL] = &P15_MEETING,
    [P15_KERNEL_MEETING] = &P15_MEETING,
    [P15_KERNEL_BEAM] = &P15_BEAM,
    [P15_KERNEL_BEAM_STACK] = &P15_BEAM_STACK,
    [P15_KERNEL_BREADTH_FIRST_HEURISTIC] = &P15_BREADTH_FIRST_HEURISTIC,
    [P15_KERNEL_RBFS] = &P15_RBFS,
    [P15_KERNEL_SMA] = &P15_SMA,
    [P15_KERNEL_HILL_CLIMBING] = &P15_CLIMB,
};

_Static_assert(sizeof KERNELS / sizeof *KERNELS == P15_KERNEL_COUNT, "each kernel makes a search");

p15_status p15_kernel_new(p15_kernel kernel, const p15_search_options *options, p15_search **search) {
    *search = NULL;
    return (unsigned)kernel < P15_KERNEL_COUNT ? p15_search_new(KERNELS[kernel], options, search) : P15_ERR_ARGUMENT;
}
