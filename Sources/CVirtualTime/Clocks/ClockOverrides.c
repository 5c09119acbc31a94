#include "Core/RuntimeOverrides.h"

#if !defined(__linux__)

int64_t cvt_real_nanoseconds(clockid_t id) { return (int64_t)clock_gettime_nsec_np(id); }

#else

// This file defines `clock_gettime`, `gettimeofday`, `timespec_get` and `time`, and
// the linker prefers them to the C library's. All functions that tell the time end there, also
// `Date()` and `DispatchTime.now()`. The override finds out whose code is running (Ownership.c).
// Code of no scope reads the real clocks. While no scope is alive, a reading costs one load more
// than without the library.

static const int64_t second = 1000000000;

CVT_CLOCKS(REAL)

int64_t cvt_real_nanoseconds(clockid_t id) {
  struct timespec reading;
  real_clock_gettime()(id, &reading);
  return reading.tv_sec * second + reading.tv_nsec;
}

// MARK: The virtual clocks

/// When a clock that began at `base` has run for `elapsed` nanoseconds.
///
/// Seconds and their parts are added apart: as nanoseconds, the sum may be too large for 64 bits.
static struct timespec after(int64_t base, int64_t elapsed) {
  struct timespec sum = {
      .tv_sec = base / second + elapsed / second,
      .tv_nsec = base % second + elapsed % second,
  };
  if (sum.tv_nsec >= second) {
    sum.tv_sec += 1;
    sum.tv_nsec -= second;
  } else if (sum.tv_nsec < 0) {
    sum.tv_sec -= 1;
    sum.tv_nsec += second;
  }
  return sum;
}

/// How far the clocks have moved on by waits in real time. Those of Swift, which `caller` reads,
/// stand outside of holds, since `Task.sleep` takes the scope's time there.
static int64_t waited(const void *caller) {
  int64_t result = cvt_waited();
  if (!result || cvt_this_thread.moves_swift_clocks) return result;
  return cvt_is_in_library((uintptr_t)caller, "swift_Concurrency") ? 0 : result;
}

/// Reads a virtual clock; returns false for a thread, or a clock, whose time is real.
static bool virtual_clock_gettime(clockid_t id, struct timespec *reading, const void *caller) {
  cvt_clocks *clocks = cvt_current_clocks();
  if (!clocks) return false;
  // Ahead of the reading, so that the sleep of a task that reads a clock for its deadline takes
  // exactly its time.
  if (clocks->tick) atomic_fetch_add_explicit(&clocks->ticked, clocks->tick, memory_order_relaxed);
  int64_t base, elapsed;
  if (!cvt_clocks_base(clocks, id, &base)) return false;
  int64_t now = cvt_clocks_elapsed(clocks);
  if (__builtin_add_overflow(now, waited(caller), &elapsed)) elapsed = INT64_MAX;
  if (cvt_is_wall_clock(id)) base += cvt_ahead_at(cvt_skew_here(), now);
  if (!cvt_is_continuous(id)) base -= cvt_suspended_here(now);
  *reading = after(base, elapsed);
  return true;
}

// MARK: The overrides, which the linker prefers to the C library's

OVERRIDE int clock_gettime(clockid_t id, struct timespec *reading) {
  return virtual_clock_gettime(id, reading, __builtin_return_address(0))
             ? 0
             : real_clock_gettime()(id, reading);
}

OVERRIDE int timespec_get(struct timespec *reading, int base) {
  bool is_virtual = base == TIME_UTC && virtual_clock_gettime(CLOCK_REALTIME, reading, 0);
#ifdef TIME_MONOTONIC
  is_virtual |= base == TIME_MONOTONIC && virtual_clock_gettime(CLOCK_MONOTONIC, reading, 0);
#endif
  return is_virtual ? base : real_timespec_get()(reading, base);
}

// Under another name in C, whose headers declare that `reading` is not null. It may be.
OVERRIDE int cvt_gettimeofday(struct timeval *restrict, struct timezone *restrict)
    __asm__("gettimeofday");

int cvt_gettimeofday(struct timeval *restrict reading, struct timezone *restrict zone) {
  struct timespec now;
  if (!virtual_clock_gettime(CLOCK_REALTIME, &now, 0)) return real_gettimeofday()(reading, zone);
  if (reading) *reading = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return zone ? real_gettimeofday()(0, zone) : 0;
}

OVERRIDE time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

#endif
