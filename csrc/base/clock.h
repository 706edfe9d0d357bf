/* p15_clock: a clock for measuring durations. */
#ifndef P15_BASE_CLOCK_H
#define P15_BASE_CLOCK_H

/* Seconds since an arbitrary moment in the past. The clock is never set back, so differences are durations. Safe
 * from any thread. */
double p15_clock_now(void);

#endif
