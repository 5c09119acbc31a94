#if defined(__linux__)

#include "Core/Override.h"

#include <sys/syscall.h>

// The times of a scope, and rests in real time.

static const int64_t second = 1000000000;

int64_t rch_time_of(uint32_t scope) { return cvt_clocks_elapsed(cvt_clocks_of(scope)); }

int64_t rch_now(uint32_t scope) {
  int64_t now = rch_time_of(scope);
  return now - cvt_suspended_here(now);
}

int64_t rch_when(uint32_t scope, clockid_t clock, int64_t reading) {
  int64_t base, result;
  const cvt_clocks *clocks = cvt_clocks_of(scope);
  if (!cvt_clocks_base(clocks, clock, &base)) cvt_clocks_base(clocks, CLOCK_MONOTONIC, &base);
  if (__builtin_sub_overflow(reading, base, &result)) return reading < 0 ? 0 : rch_never;
  if (!cvt_is_continuous(clock)) return result;
  if (cvt_is_wall_clock(clock)) result = cvt_time_when_shown(cvt_skew_here(), result);
  // Before the beginning is in the past, too.
  return result < 0 ? result : result - cvt_suspended_here(rch_time_of(scope));
}

bool rch_is_valid(const struct timespec *t) {
  return t && t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < second;
}

int64_t rch_nanoseconds(const struct timespec *t) {
  int64_t result;
  return __builtin_mul_overflow(t->tv_sec, second, &result) ||
                 __builtin_add_overflow(result, t->tv_nsec, &result)
             ? rch_never
             : result;
}

int64_t rch_deadline_after(uint32_t scope, int64_t duration) {
  int64_t deadline;
  return __builtin_add_overflow(rch_now(scope), duration, &deadline) ? rch_never : deadline;
}

int64_t rch_limit_of(const struct timespec *timeout) {
  return timeout ? rch_nanoseconds(timeout) : rch_never;
}

int64_t rch_limit_in(int milliseconds) {
  return milliseconds < 0 ? rch_never : milliseconds * INT64_C(1000000);
}

// MARK: Rests

void rch_nap(void) { syscall(SYS_nanosleep, &(struct timespec){0, 100000}, 0); }

bool rch_rests(int looks) {
  enum { yields = 20, naps = 1000 };
  if (looks >= yields + naps) return false;
  if (looks < yields)
    real_sched_yield()();
  else
    rch_nap();
  return true;
}

#endif
