#include "Core/Internal.h"

#include <unistd.h>

// A scope's readings live in a static table and are never freed, so that a late reader finds no
// stranger's.

static cvt_clocks all[cvt_max_scopes];

_Atomic int cvt_virtual_scopes;

cvt_clocks *cvt_clocks_of(uint32_t scope) { return &all[scope % cvt_max_scopes]; }

bool cvt_clocks_taken(uint32_t scope) { return !cvt_clocks_are_taken(cvt_clocks_of(scope), 0); }

void cvt_clocks_begin(uint32_t scope, int64_t realtime, bool is_virtual, int64_t tick) {
  cvt_clocks *clocks = cvt_clocks_of(scope);
  clocks->realtime = realtime;
  clocks->monotonic = cvt_real_nanoseconds(CLOCK_MONOTONIC);
  clocks->boottime = cvt_real_nanoseconds(cvt_continuous_clock);
  clocks->isVirtual = is_virtual;
  clocks->tick = tick;
  atomic_store(&clocks->ticked, 0);
  atomic_store(&clocks->elapsed, 0);
  atomic_store(&clocks->scope, scope);
  if (is_virtual) atomic_fetch_add(&cvt_virtual_scopes, 1);
}

bool cvt_is_wall_clock(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
#if defined(__linux__)
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:  // As on a machine that has not been told of leap seconds.
#endif
      return true;
    default: return false;
  }
}

bool cvt_is_continuous(clockid_t clock) {
#if defined(__linux__)
  if (clock == CLOCK_BOOTTIME_ALARM) return true;
#endif
  return clock == cvt_continuous_clock || cvt_is_wall_clock(clock);
}

bool cvt_clocks_base(const cvt_clocks *clocks, clockid_t clock, int64_t *base) {
  if (cvt_is_wall_clock(clock)) clock = CLOCK_REALTIME;
  switch (clock) {
    case CLOCK_REALTIME: *base = clocks->realtime; break;
    case CLOCK_MONOTONIC:
#if defined(__linux__)
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
#endif
      *base = clocks->monotonic;
      break;
    case cvt_continuous_clock:
#if defined(__linux__)
    case CLOCK_BOOTTIME_ALARM:
#endif
      *base = clocks->boottime;
      break;
    default:  // The clocks of processor time and of devices stay real.
      return false;
  }
  int64_t ticked = atomic_load_explicit(&clocks->ticked, memory_order_relaxed);
  if (__builtin_add_overflow(*base, ticked, base)) *base = INT64_MAX;
  return true;
}

void cvt_clocks_end(uint32_t scope) {
  cvt_clocks *clocks = cvt_clocks_of(scope);
  atomic_store(&clocks->scope, 0);
  if (clocks->isVirtual) atomic_fetch_sub(&cvt_virtual_scopes, 1);
}

bool cvt_is_lost(void) {
  cvt_clocks *clocks = cvt_this_thread.clocks;
  return clocks &&
         atomic_load_explicit(&clocks->scope, memory_order_relaxed) != cvt_this_thread.number;
}

static cvt_clocks *clocks_here(void) {
  if (atomic_load_explicit(&cvt_virtual_scopes, memory_order_relaxed) == 0) return 0;
  if (cvt_this_thread.exempt) return 0;
  uint32_t scope = cvt_current_scope();
  if (scope <= cvt_outside) return 0;
  cvt_clocks *clocks = cvt_clocks_of(scope);
  if (atomic_load_explicit(&clocks->scope, memory_order_acquire) != scope) return 0;
  return clocks->isVirtual ? clocks : 0;
}

int64_t cvt_waited(void) {
  int64_t waited = cvt_this_thread.waited;
  return waited && cvt_this_thread.waiter == cvt_current_task() ? waited : 0;
}

void cvt_clocks_return_of_task(void) {
  if (cvt_this_thread.waiter == cvt_current_task()) cvt_clocks_return();
}

bool cvt_reads_virtual_clocks(void) { return clocks_here(); }

void cvt_rest_if_lost(void) {
  // Such a thread must not use a processor for ever. But the main thread runs other tests.
  while (cvt_is_lost()) {
    if (cvt_this_thread.is_visitor) cvt_this_thread = (cvt_thread){0}; else pause();
  }
}

static cvt_clocks *find_clocks(void) {
  cvt_baton_come_back();
  cvt_rest_if_lost();
  return clocks_here();
}

static void (*reads_often)(void) = cvt_end_busy_wait;

void cvt_set_reads_often(void (*function)(void)) { reads_often = function; }

cvt_clocks *cvt_current_clocks(void) {
  cvt_clocks *clocks = find_clocks();
  if (!clocks || __builtin_expect(--cvt_this_busy_wait.reads_left > 0, true)) return clocks;
  reads_often();
  // Time may have moved, and the scope may have ended.
  return find_clocks();
}
