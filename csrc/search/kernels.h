/* p15_kernel: the textbook searches by number, for those who choose one at run time. */
#ifndef P15_SEARCH_KERNELS_H
#define P15_SEARCH_KERNELS_H

#include "search/best_first/anytime.h"
#include "search/best_first/best_first.h"
#include "search/best_first/local.h"
#include "search/deepening/deepening.h"
#include "search/layers/beam_stack.h"
#include "search/layers/breadth_first.h"
#include "search/meeting/meeting.h"
#include "search/memory_bounded/rbfs.h"
#include "search/memory_bounded/sma.h"

/* puzzle15._core.search.searches names them in this order. */
typedef enum {
    P15_KERNEL_BEST_FIRST,
    P15_KERNEL_DEEPENING,
    P15_KERNEL_ANYTIME,
    P15_KERNEL_BIDIRECTIONAL, /* p15_meeting without `backward` */
    P15_KERNEL_MEETING,
    P15_KERNEL_BEAM,
    P15_KERNEL_BEAM_STACK,
    P15_KERNEL_BREADTH_FIRST_HEURISTIC,
    P15_KERNEL_RBFS,
    P15_KERNEL_SMA,
    P15_KERNEL_HILL_CLIMBING,
    P15_KERNEL_COUNT
} p15_kernel;

/* Makes a search of a kernel; P15_ERR_ARGUMENT, too, where there is no such one. */
p15_status p15_kernel_new(p15_kernel kernel, const p15_search_options *options, p15_search **search);

#endif
