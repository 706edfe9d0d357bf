#include "base/cpu.h"

#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {"plain", "v3", "v4", "vnni"};

_Static_assert(sizeof NAMES / sizeof *NAMES == P15_CPU_COUNT, "each level has a name");

const char *p15_cpu_name(p15_cpu level) { return NAMES[level]; }

#if P15_HAVE_V4
p15_cpu p15_cpu_highest(void) {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
        !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("popcnt"))
        return P15_CPU_PLAIN;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
        return P15_CPU_V3;
    return __builtin_cpu_supports("avx512vnni") ? P15_CPU_VNNI : P15_CPU_V4;
}
#else
p15_cpu p15_cpu_highest(void) { return P15_CPU_PLAIN; }
#endif

p15_status p15_cpu_wanted(p15_cpu *level) {
    const char *name = getenv("PUZZLE15_CPU");
    p15_cpu highest = p15_cpu_highest();
    *level = highest;
    if (!name || !*name) return P15_OK;
    for (*level = P15_CPU_PLAIN; *level <= highest; ++*level)
        if (strcmp(name, NAMES[*level]) == 0) return P15_OK;
    *level = P15_CPU_PLAIN;
    return P15_ERR_ARGUMENT;
}
