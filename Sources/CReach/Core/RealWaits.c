#if defined(__linux__)

#include "Core/RealWaits.h"

// Waits in real time of code whose clocks are virtual: inside a hold, and where queues and threads
// are real. Virtual time stands meanwhile. So that the code agrees with its clocks, a limit is as
// far ahead of the real clock as it was of the virtual one, and the clocks that the task reads move
// on by what it has waited, until it suspends.
//
// A timer that fires in real time, as that of a run loop, ties the clocks to the real one, or its
// code would find itself early. Outside of holds, Swift's clocks stand, or a `Task.sleep` that
// follows would move virtual time by what the wait took.

bool rch_waits_really(void) {
  return cvt_reads_virtual_clocks() &&
         (!rch_is_reached(cvt_current_scope()) || rch_the_engine.is_held());
}

int64_t rch_rest_until(int64_t time) {
  int64_t now = rch_deadline_after(cvt_current_scope(), cvt_waited());
  return time == rch_never ? rch_never : time > now ? time - now : 0;
}

int64_t rch_real_time_in(clockid_t clock, int64_t rest) {
  int64_t result;
  return __builtin_add_overflow(cvt_real_nanoseconds(clock), rest, &result) ? rch_never : result;
}

void rch_move_clocks(int64_t duration) {
  if (cvt_this_thread.waiter != cvt_current_task()) cvt_clocks_return();
  cvt_this_thread.waiter = cvt_current_task();
  // In a hold, no sleep of a task ends.
  cvt_this_thread.moves_swift_clocks = rch_the_engine.is_held();
  cvt_this_thread.waited += duration;
}

static rch_real_wait begin_on(clockid_t clock) {
  return (rch_real_wait){clock, rch_waits_really() ? cvt_real_nanoseconds(clock) : 0, rch_never};
}

rch_real_wait rch_begin_real_wait(void) { return begin_on(CLOCK_MONOTONIC); }

const struct timespec *rch_begin_real_wait_until(
    rch_real_wait *wait, clockid_t clock, const struct timespec *limit) {
  *wait = begin_on(clock);
  if (!wait->began || !limit || limit->tv_nsec < 0 || limit->tv_nsec >= 1000000000) return limit;
  wait->limit = rch_rest_until(rch_when(cvt_current_scope(), clock, rch_nanoseconds(limit)));
  int64_t until = rch_real_time_in(clock, wait->limit);
  if (until == rch_never) return limit;
  wait->until = rch_timespec(until);
  return &wait->until;
}

void rch_end_real_wait(const rch_real_wait *wait, bool is_for_files) {
  if (!wait->began) return;
  cvt_end_busy_wait();
  int64_t now = cvt_real_nanoseconds(wait->clock), took = now > wait->began ? now - wait->began : 0;
  // Exactly by the limit, if it has come.
  rch_move_clocks(wait->limit == rch_never ? 0 : took < wait->limit ? took : wait->limit);
  if (!is_for_files || !cvt_this_thread.timer_base || took >= wait->limit) return;
  int64_t behind = now - cvt_this_thread.timer_base - cvt_waited();
  if (behind > 0) rch_move_clocks(behind);
}

void rch_begin_real_timer(void) {
  rch_move_clocks(0);
  if (!cvt_this_thread.timer_base) cvt_this_thread.timer_base = cvt_uptime() - cvt_this_thread.waited;
}

#endif
