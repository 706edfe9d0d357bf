/* p15_clock: seconds that pass. */
#ifndef P15_BASE_CLOCK_H
#define P15_BASE_CLOCK_H

/* Seconds since some time in the past, by a clock that nobody sets: only differences mean something. From any thread. */
double p15_clock_now(void);

#endif
