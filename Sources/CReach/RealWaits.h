#pragma once

// What waits in real time do to the clocks of the code that waits (RealWaits.c).

#include "Override.h"

#include <time.h>

typedef struct {
  /// When the wait began, on the real monotonic clock, or 0 if the clocks of the code are real.
  int64_t began;
  /// How long it may take, in nanoseconds.
  int64_t limit;
  struct timespec until;
} rch_real_wait;

/// Before a wait of at most so many nanoseconds.
rch_real_wait rch_begin_real_wait(int64_t limit);
/// Before a wait up to a time of a clock. Returns the time for the real function.
const struct timespec *rch_begin_real_wait_until(
    rch_real_wait *wait, clockid_t clock, const struct timespec *limit);
/// After the wait.
void rch_end_real_wait(const rch_real_wait *wait);

/// The code sets a timer in real time: when that fires, its clocks have moved on as far.
void rch_begin_real_timer(void);

/// When the real clock will be as far as this thread's virtual one is at a time, in nanoseconds; now, if that has passed.
int64_t rch_real_time(clockid_t clock, int64_t time);

/// A call that waits for at most so many nanoseconds.
#define WAIT_FOR(nanoseconds, call)                          \
  ({                                                         \
    rch_real_wait wait_ = rch_begin_real_wait(nanoseconds);  \
    __typeof__(call) result_ = (call);                       \
    rch_end_real_wait(&wait_);                               \
    result_;                                                 \
  })

/// A call that waits until a time of a clock, which it is given as `limit`.
#define WAIT_UNTIL(clock, time, call)                                              \
  ({                                                                               \
    rch_real_wait wait_;                                                           \
    const struct timespec *limit = rch_begin_real_wait_until(&wait_, clock, time); \
    __typeof__(call) result_ = (call);                                             \
    rch_end_real_wait(&wait_);                                                     \
    result_;                                                                       \
  })
