#include "CVirtualTime.h"

cvt_counter cvt_scopes;
cvt_counter cvt_completion;
cvt_counter cvt_trial;
cvt_counter cvt_reach;
cvt_counter cvt_sleep_seen;
cvt_counter cvt_borrowed_threads;

/// Each in a cache line of its own, since several threads write.
static struct {
  cvt_counter counter;
} __attribute__((aligned(64))) jobs[cvt_max_scopes];

cvt_counter *cvt_jobs_of(uint32_t scope) { return &jobs[scope % cvt_max_scopes].counter; }
