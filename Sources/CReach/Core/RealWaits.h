#pragma once

// Waits in real time, and the clocks of the code that waits (RealWaits.c).

#include "Core/Override.h"

/// Whether waits are real here, and the clocks virtual.
bool rch_waits_really(void);

typedef struct {
  /// The clock that ends the wait. If that is the wall clock, it may be set meanwhile.
  clockid_t clock;
  /// When the wait began, on that clock, or 0 if the clocks of the code agree with it.
  int64_t began;
  /// How long it may take, in nanoseconds.
  int64_t limit;
  struct timespec until;
} rch_real_wait;

/// Begins a wait that has no limit yet.
rch_real_wait rch_begin_real_wait(void);
/// Begins a wait up to a time of a clock. Returns the time for the real function.
const struct timespec *rch_begin_real_wait_until(
    rch_real_wait *wait, clockid_t clock, const struct timespec *limit);
/// Ends a wait. One without a limit moves no clocks, unless it was for files, and a timer may have
/// ended it.
void rch_end_real_wait(const rch_real_wait *wait, bool is_for_files);

/// The task, whose waits are real, sets a timer: when a wait for files ends, as that of a run loop,
/// its clocks have moved on as far as the real ones.
void rch_begin_real_timer(void);

/// How far a time of the scope is ahead of this thread's clocks.
int64_t rch_rest_until(int64_t time);
/// The reading of a real clock `rest` nanoseconds from now.
int64_t rch_real_time_in(clockid_t clock, int64_t rest);
/// The clocks that the task reads move on by `duration` nanoseconds.
void rch_move_clocks(int64_t duration);

/// A call that waits for at most `nanoseconds`, which are computed only where waits are real and
/// clocks virtual.
#define WAIT_FOR(nanoseconds, call) WAIT_REALLY(nanoseconds, false, call)
/// The same for files.
#define WAIT_FOR_FILES(nanoseconds, call) WAIT_REALLY(nanoseconds, true, call)

#define WAIT_REALLY(nanoseconds, is_for_files, call)         \
  ({                                                         \
    rch_real_wait wait_ = rch_begin_real_wait();             \
    if (wait_.began) wait_.limit = (nanoseconds);            \
    __typeof__(call) result_ = (call);                       \
    rch_end_real_wait(&wait_, is_for_files);                 \
    result_;                                                 \
  })

/// A call that waits until a time of a clock, which it is given as `limit`.
#define WAIT_UNTIL(clock, time, call)                                              \
  ({                                                                               \
    rch_real_wait wait_;                                                           \
    const struct timespec *limit = rch_begin_real_wait_until(&wait_, clock, time); \
    __typeof__(call) result_ = (call);                                             \
    rch_end_real_wait(&wait_, false);                                              \
    result_;                                                                       \
  })

/// A call that sets a timer of libdispatch's to `when`, which becomes a time of the real clocks.
/// The call reads these.
#define SET_REAL_TIMER(when, call)                                \
  ({                                                              \
    if (rch_waits_really()) (when) = rch_real_dispatch_time(when); \
    cvt_thread_exempt(+1);                                        \
    (call);                                                       \
    cvt_thread_exempt(-1);                                        \
  })
