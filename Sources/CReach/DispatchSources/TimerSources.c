#if defined(__linux__)

#include "Core/RealWaits.h"
#include "DispatchSources/Sources.h"

// Timers of scopes. The engine calls an alarm without a lock. So a source may be cancelled, set
// anew, given to another scope or freed when its alarm is about to be called: such an alarm is
// *late*. It does nothing, and the memory of the source stays until then.

typedef rch_source source;

void rch_disarm(source *s) {
  if (s->timer && !rch_the_engine.disarm(s->alarm.scope, s->timer)) s->late_alarms++;
  s->timer = 0;
}

/// Whether an alarm that is called is late. The last one frees a source that is no more; under the
/// lock.
static bool is_late(source *s) {
  if (s->late_alarms == 0) return false;
  if (--s->late_alarms == 0 && s->is_free) free(s);
  return true;
}

void rch_free_source(source *s) {
  pthread_mutex_lock(&rch_lock);
  s->is_free = true;
  if (s->late_alarms == 0) free(s);
  pthread_mutex_unlock(&rch_lock);
}

void rch_alarm_is_dropped(rch_entry *alarm) {
  source *s = (source *)alarm;
  pthread_mutex_lock(&rch_lock);
  if (!is_late(s)) s->timer = 0;
  pthread_mutex_unlock(&rch_lock);
}

static void arm(source *s) {
  int64_t late = s->leeway ? rch_the_engine.lateness(s->alarm.scope, s->leeway) : 0, deadline;
  if (__builtin_add_overflow(s->deadline, late, &deadline)) deadline = rch_never;
  s->timer = rch_the_engine.arm(&s->alarm, deadline, false);
}

void rch_alarm_rings(rch_entry *alarm) {
  source *s = (source *)alarm;
  pthread_mutex_lock(&rch_lock);
  if (is_late(s)) {
    pthread_mutex_unlock(&rch_lock);
    return;
  }
  s->timer = 0;
  s->pending++;
  if (s->fires_left > 0 && --s->fires_left == 0) s->interval = 0;
  if (s->interval) {
    // Instants that had passed when the timer was set count, and are not waited for one by one.
    int64_t late = rch_now(s->alarm.scope) - s->deadline;
    uint64_t missed = late > 0 ? (uint64_t)late / s->interval : 0;
    s->pending += missed;
    s->deadline += (int64_t)(missed * s->interval);
    if (!__builtin_add_overflow(s->deadline, (int64_t)s->interval, &s->deadline)) arm(s);
  }
  rch_source_goes_on(s);
  rch_unlock_sources();
}

/// When a run loop of Foundation sets a timer for the end of a run.
///
/// The run ends when it is *past* its end. In exact time it would be just there, or, since it
/// computes the timer's time with floating-point numbers, a nanosecond before. And `run(until:)`
/// looks at the wall clock in microseconds, and would run in steps of a few nanoseconds. So the
/// timer fires at full microseconds until the run has ended and the timer is cancelled.
enum { fires_for_run_loop = 8, microsecond = 1000, error_of_time = 2 };

/// The first full microsecond of the wall clock from the end of a run on, as far as that is known.
static int64_t end_of_run(uint32_t scope, int64_t deadline) {
  int64_t base;
  cvt_clocks_base(cvt_clocks_of(scope), CLOCK_REALTIME, &base);
  base %= microsecond;
  int64_t before = (base + deadline - error_of_time) % microsecond;
  if (before < 0) before += microsecond;
  int64_t rest = before == 0 ? 0 : microsecond - before;
  return deadline - error_of_time + rest;
}

static void set_real_timer(object o, dispatch_time start, uint64_t interval, uint64_t leeway) {
  if (rch_waits_really()) rch_begin_real_timer();
  SET_REAL_TIMER(start, real_dispatch_source_set_timer()(o, start, interval, leeway));
}

/// When a timer of a source fires, in the time of the machine to which the source belongs.
static int64_t deadline_of(const source *s, dispatch_time start) {
  uint32_t scope = s->alarm.scope;
  int64_t when = rch_when_dispatch(scope, start), now = rch_time_of(scope);
  if (when == rch_never) return when;
  return when + cvt_suspended_here(now) - cvt_suspended_time(scope, s->alarm.life, now);
}

OVERRIDE void dispatch_source_set_timer(
    object o, dispatch_time start, uint64_t interval, uint64_t leeway) {
  uint32_t here = rch_scope_here();
  source *s = rch_lock_source(o);
  if (!s) return set_real_timer(o, start, interval, leeway);
  if (!s->is_cancelled) {
    rch_move_to_scope(s, here);
    rch_disarm(s);
    s->pending = 0;
    s->interval = interval > INT64_MAX ? 0 : interval;
    s->fires_left = 0;
    // As libdispatch does, at most half of the interval.
    uint64_t most = s->interval ? s->interval / 2 : INT64_MAX;
    s->leeway = (int64_t)(leeway < most ? leeway : most);
    bool is_of_foundation = rch_is_of_foundation(__builtin_return_address(0));
    // The program has not asked for it, or for no time.
    if (is_of_foundation || leeway >= INT64_MAX) s->leeway = 0;
    s->deadline = deadline_of(s, start);
    if (interval == UINT64_MAX && is_of_foundation) {
      s->interval = microsecond;
      s->fires_left = fires_for_run_loop;
      if (s->deadline < rch_never / 2) s->deadline = end_of_run(s->alarm.scope, s->deadline);
    }
    if (s->deadline != rch_never) arm(s);
  }
  pthread_mutex_unlock(&rch_lock);
}

#endif
