#if defined(__linux__)

#include "Core/RealWaits.h"

// Sleeps of the thread that has the baton. They take the scope's time.

static const int64_t second = 1000000000;

/// Sleeps until a deadline, or until the scope ends.
static void sleep_until(uint32_t scope, int64_t deadline) {
  static __thread unsigned sleeps;
  UNDER_LOCK(rch_wake_for_unlocked());
  // Now and then the baton changes hands, so that the scope sees that the job goes on.
  bool may_be_alone = ++sleeps % 64 != 0 && !rch_is_doomed();
  if (may_be_alone && rch_the_engine.sleep_alone(scope, deadline)) {
    cvt_end_busy_wait();
    return rch_count_stretch(scope);
  }
  // Nothing wakes this one but the deadline.
  const char key = 0;
  pthread_mutex_lock(&rch_lock);
  rch_wait(scope, &key, deadline);
  rch_die_if_dead();
}

/// A duration of at least 1 ns: Foundation sleeps for 0 ns again and again until some time has
/// passed.
static int64_t at_least_1(int64_t duration) { return duration < 1 ? 1 : duration; }

static void sleep_for(uint32_t scope, int64_t duration) {
  sleep_until(scope, rch_deadline_after(scope, at_least_1(duration)));
}

OVERRIDE int nanosleep(const struct timespec *duration, struct timespec *rest) {
  uint32_t scope = rch_may_wait();
  if (!rch_is_valid(duration)) return real_nanosleep()(duration, rest);
  if (!scope)
    return WAIT_FOR(at_least_1(rch_nanoseconds(duration)), real_nanosleep()(duration, rest));
  sleep_for(scope, rch_nanoseconds(duration));
  if (rest) *rest = (struct timespec){0};
  return 0;
}

OVERRIDE int usleep(useconds_t duration) {
  uint32_t scope = rch_may_wait();
  if (!scope) return WAIT_FOR(duration * INT64_C(1000), real_usleep()(duration));
  sleep_for(scope, duration * INT64_C(1000));
  return 0;
}

/// Lets others run. With locks of its own, CoreFoundation calls `sleep(0)` until another thread has
/// unlocked them, which has them for a moment, or longer if the kernel takes its processor. So the
/// baton is handed on only after a tenth of a second of such calls.
static void yield(uint32_t scope) {
  static const int64_t patience = second / 10;
  static __thread int64_t first, latest;
  int64_t now = cvt_uptime();
  if (now - latest > patience) first = now;
  latest = now;
  if (now - first < patience) {
    real_sched_yield()();
    return;
  }
  first = now;
  const char key = 0;
  pthread_mutex_lock(&rch_lock);
  rch_wait_idly(scope, &key, rch_now(scope));
  rch_die_if_dead();
}

OVERRIDE unsigned sleep(unsigned duration) {
  uint32_t scope = rch_may_wait();
  if (!scope) return WAIT_FOR(duration * second, real_sleep()(duration));
  if (duration == 0) yield(scope); else sleep_for(scope, duration * second);
  return 0;
}

OVERRIDE int clock_nanosleep(
    clockid_t clock, int flags, const struct timespec *t, struct timespec *rest) {
  bool is_virtual = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ||
                    clock == CLOCK_BOOTTIME || clock == CLOCK_TAI;
  if (!is_virtual || !rch_is_valid(t)) return real_clock_nanosleep()(clock, flags, t, rest);
  uint32_t scope = rch_may_wait();
  if (!scope && flags & TIMER_ABSTIME)
    return WAIT_UNTIL(clock, t, real_clock_nanosleep()(clock, flags, limit, rest));
  if (!scope) return WAIT_FOR(rch_nanoseconds(t), real_clock_nanosleep()(clock, flags, t, rest));
  if (flags & TIMER_ABSTIME) {
    int64_t deadline = rch_when(scope, clock, rch_nanoseconds(t));
    if (deadline > rch_now(scope)) sleep_until(scope, deadline);
  } else {
    sleep_for(scope, rch_nanoseconds(t));
    if (rest) *rest = (struct timespec){0};
  }
  return 0;
}

#endif
