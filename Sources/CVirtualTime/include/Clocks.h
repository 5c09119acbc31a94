#pragma once

// The clocks of scopes, and the real ones.

#include "ThisThread.h"

#include <time.h>

/// The readings of one scope's clocks. Lives for ever, so that any thread may look at any time.
struct cvt_clocks {
  /// The scope that uses this record, or 0.
  _Atomic uint32_t scope;
  /// Nanoseconds since the scope began.
  _Atomic int64_t elapsed;
  /// The readings of the clocks when the scope began, in nanoseconds.
  int64_t realtime, monotonic, boottime;
  /// Whether code of the scope reads these clocks, or the real ones.
  bool isVirtual;
  /// How far each reading moves the clocks on, and how far all of them have: the clocks are ahead
  /// of the scope's time by that much.
  int64_t tick;
  _Atomic int64_t ticked;
};

/// The clocks of the scope with this number, which may have ended.
cvt_clocks *_Nonnull cvt_clocks_of(uint32_t scope);

/// Whether a scope that is alive has its place in the table where this one would have it.
bool cvt_clocks_taken(uint32_t scope);

/// Starts the clocks of a scope. The wall clock is given, the others go on from their real reading.
void cvt_clocks_begin(uint32_t scope, int64_t realtime, bool is_virtual, int64_t tick);
void cvt_clocks_end(uint32_t scope);
/// Whether the scope that this thread drains has ended without it.
bool cvt_is_lost(void);
/// Stops a thread whose scope has ended without it.
void cvt_rest_if_lost(void);

/// The real reading of a clock, in nanoseconds.
int64_t cvt_real_nanoseconds(clockid_t clock);
/// That of the monotonic clock, and how long all threads of the process, and this one, have run.
static inline int64_t cvt_uptime(void) { return cvt_real_nanoseconds(CLOCK_MONOTONIC); }
static inline int64_t cvt_process_time(void) { return cvt_real_nanoseconds(CLOCK_PROCESS_CPUTIME_ID); }
static inline int64_t cvt_thread_time(void) { return cvt_real_nanoseconds(CLOCK_THREAD_CPUTIME_ID); }
/// Whether the clocks that this thread's code reads are virtual.
bool cvt_reads_virtual_clocks(void);

/// The clocks of `ContinuousClock`, which goes on while the machine is suspended, and of
/// `SuspendingClock`.
#if defined(__linux__)
enum { cvt_continuous_clock = CLOCK_BOOTTIME, cvt_suspending_clock = CLOCK_MONOTONIC };
#else
enum { cvt_continuous_clock = CLOCK_MONOTONIC_RAW, cvt_suspending_clock = CLOCK_MONOTONIC };
#endif

/// Whether a clock tells the time of day, which hosts of a network may have differently.
bool cvt_is_wall_clock(clockid_t clock);
/// Whether a clock goes on while the machine is suspended.
bool cvt_is_continuous(clockid_t clock);
/// The reading of a clock at the beginning of the scope, moved on by its ticks. Returns false for a
/// clock whose time is real.
bool cvt_clocks_base(const cvt_clocks *_Nonnull clocks, clockid_t clock, int64_t *_Nonnull base);

static inline int64_t cvt_clocks_elapsed(const cvt_clocks *_Nonnull clocks) {
  return __c11_atomic_load(&clocks->elapsed, __ATOMIC_ACQUIRE);
}
/// Whether these clocks are the scope's. If so, that what was read of them before is, too.
static inline bool cvt_clocks_are_taken(const cvt_clocks *_Nonnull clocks, uint32_t scope) {
  return __c11_atomic_load(&clocks->scope, __ATOMIC_ACQUIRE) == scope;
}
static inline void cvt_clocks_set_elapsed(cvt_clocks *_Nonnull clocks, int64_t elapsed) {
  __c11_atomic_store(&clocks->elapsed, elapsed, __ATOMIC_RELEASE);
}

/// This thread's clocks return to the scope's time if it is the current task that has waited.
void cvt_clocks_return_of_task(void);
/// How far the clocks of the code that runs have moved on by its waits in real time.
int64_t cvt_waited(void);

/// Sets the function that a thread calls when it has no reading of virtual clocks left.
void cvt_set_reads_often(void (*_Nonnull function)(void));
