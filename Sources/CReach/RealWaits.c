#if defined(__linux__)

#include "RealWaits.h"

// Waits in real time of code whose clocks are virtual: inside a hold, and where queues and threads are real. Virtual
// time stands meanwhile. So that the code agrees with its clocks, a limit is as far ahead of the real clock as it was of
// the virtual one, and the clocks that the thread reads move on by what it has waited, until its task suspends.

rch_real_wait rch_begin_real_wait(int64_t limit) {
  return (rch_real_wait){cvt_reads_virtual_clocks() ? cvt_uptime() : 0, limit};
}

/// How far a time of a virtual clock is ahead, in nanoseconds.
static int64_t rest_until(clockid_t clock, int64_t time) {
  uint32_t scope = cvt_current_scope();
  int64_t end = rch_when(scope, clock, time), now = rch_now(scope) + cvt_this_thread.waited;
  return end > now ? end - now : 0;
}

/// What a real clock will read after so long.
static int64_t real_time_in(clockid_t clock, int64_t rest) {
  int64_t result;
  return __builtin_add_overflow(cvt_real_nanoseconds(clock), rest, &result) ? rch_never : result;
}

int64_t rch_real_time(clockid_t clock, int64_t time) {
  return real_time_in(clock, rest_until(clock, time));
}

const struct timespec *rch_begin_real_wait_until(
    rch_real_wait *wait, clockid_t clock, const struct timespec *limit) {
  *wait = rch_begin_real_wait(rch_never);
  if (!wait->began || !limit || limit->tv_nsec < 0 || limit->tv_nsec >= 1000000000) return limit;
  wait->limit = rest_until(clock, rch_nanoseconds(limit));
  int64_t until = real_time_in(clock, wait->limit);
  if (until == rch_never) return limit;
  wait->until = (struct timespec){until / 1000000000, until % 1000000000};
  return &wait->until;
}

void rch_end_real_wait(const rch_real_wait *wait) {
  if (!wait->began) return;
  int64_t took = cvt_uptime() - wait->began;
  // Exactly as long as the limit says, if it has come.
  cvt_this_thread.waited += took < wait->limit ? took : wait->limit;
  int64_t since_timer = cvt_this_thread.timer_base ? cvt_uptime() - cvt_this_thread.timer_base : 0;
  if (cvt_this_thread.waited < since_timer) cvt_this_thread.waited = since_timer;
  cvt_end_busy_wait();
}

void rch_begin_real_timer(void) {
  if (!cvt_this_thread.timer_base && cvt_reads_virtual_clocks())
    cvt_this_thread.timer_base = cvt_uptime() - cvt_this_thread.waited;
}

#endif
