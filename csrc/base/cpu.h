/* p15_cpu: compile a hot function for several processor levels, and pick one of the compilations at run time.
 *
 * No file is compiled for one processor as a whole. A hot function is written once, as an always-inlined body, and
 * wrapped several times. Each wrapper may use the instructions of one level:
 *
 *     plain   those of every processor
 *     v3      P15_TARGET_V3: AVX2, FMA, BMI2, popcnt (Intel since 2013, AMD since 2015)
 *     v4      P15_TARGET_V4: AVX-512 F, BW, DQ and VL (Intel's servers since 2017, AMD since 2022)
 *     vnni    P15_TARGET_VNNI: the instruction that adds four products of bytes (Intel's servers since 2019, AMD
 *             since 2022)
 *
 * Most functions have the first two levels; the others stand behind P15_HAVE_V4. Callers choose with a p15_cpu value,
 * so tests can run all compilations. On other processors than x86-64 all wrappers are the plain one.
 *
 * gcc for 64-bit Windows (MinGW) has the plain level only: it aligns the stack to 16 bytes, and reads vectors of 32 and
 * 64 bytes from there by instructions that fault (gcc's bug 54412). clang aligns the stack, so it has all levels.
 *
 * A processor of one level has all below. So code compares levels by order, never by equality, and every choice is
 * written with P15_BY_LEVEL. tests/c/test_c.py checks each use of it. */
#ifndef P15_BASE_CPU_H
#define P15_BASE_CPU_H

#include "base/status.h"

typedef enum { P15_CPU_PLAIN, P15_CPU_V3, P15_CPU_V4, P15_CPU_VNNI, P15_CPU_COUNT } p15_cpu;

_Static_assert(P15_CPU_COUNT == 4, "P15_BY_LEVEL names a compilation for each level");

/* "plain", "v3", "v4" or "vnni". */
const char *p15_cpu_name(p15_cpu level);

/* The highest level that this processor has. */
p15_cpu p15_cpu_highest(void);

/* The level that the environment variable PUZZLE15_CPU names; the highest one where it is not set, or empty.
 * P15_ERR_ARGUMENT, and the plain level: it names none, or one that this processor lacks.
 *
 * The program reads it once at its start, refuses to run if it fails, and sets it in what it makes: objects with
 * compilations to choose from have the highest level at first. */
p15_status p15_cpu_wanted(p15_cpu *level);

#if defined(__x86_64__) && (defined(__clang__) || !defined(_WIN32))
#define P15_TARGET_V3 __attribute__((target("avx2,fma,bmi,bmi2,popcnt")))
#define P15_TARGET_V4 __attribute__((target("avx2,fma,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl")))
#define P15_TARGET_VNNI \
    __attribute__((target("avx2,fma,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define P15_HAVE_V4 1
#define P15_INLINE_V4 P15_TARGET_V4 static inline __attribute__((always_inline))
/* A function's compilations, as an array indexed by level. A level without a compilation of its own runs that of the
 * next lower level. Without P15_HAVE_V4 the last two need not exist. */
#define P15_BY_LEVEL(plain, v3, v4, vnni) {plain, v3, v4, vnni}
#else
#define P15_TARGET_V3
#define P15_HAVE_V4 0
#define P15_BY_LEVEL(plain, v3, v4, vnni) {plain, v3, v3, v3}
#endif

/* Compiles a function of most kinds, whose body calls an always-inlined one, for the plain level and for v3, and lists
 * the two by level: `name##_by_level`. */
#define P15_COMPILE_BY_LEVEL(type, name, parameters, body)   \
    static type name##_plain parameters { body; }            \
    P15_TARGET_V3 static type name##_v3 parameters { body; } \
    static type(*const name##_by_level[]) parameters = P15_BY_LEVEL(name##_plain, name##_v3, name##_v3, name##_v3)

#define P15_INLINE static inline __attribute__((always_inline))
#define P15_PREFETCH(address) __builtin_prefetch(address)
#define P15_PREFETCH_FAR(address) __builtin_prefetch(address, 0, 2) /* into the second cache, which has more places */

#endif
