#if defined(__linux__)

#include "Core/RealWaits.h"
#include "SharedThreads/SharedThreads.h"

// Mutexes and conditions. If the owner of a mutex waits in the time of a scope, a thread of that
// scope waits there, too. Else the real function is right, and the scope's time stands: the owner
// runs, or waits in the time of another scope, and what that one does must change no order here. It
// may be a lock of the process: the engine's, the runtime's, or the test library's.

/// How many threads wait for mutexes.
static _Atomic int waiting_for_mutexes;

static bool is_mine(const pthread_mutex_t *m) {
  return __atomic_load_n(&m->__data.__owner, __ATOMIC_RELAXED) == cvt_thread_id();
}

// MARK: Mutexes

/// How many locks of this package the thread has. Other mutexes that it locks meanwhile are of the
/// runtime, and are held for a moment as well. `rch_lock` must not be taken then.
static __thread int locks_of_package;

bool rch_has_lock_of_package(void) { return locks_of_package > 0; }

/// Mutexes that the thread has unlocked, and for which others may still wait in the scope's time.
enum { max_unlocked = 64 };
static __thread const void *unlocked[max_unlocked];
static __thread int unlocked_count;

/// Whether a mutex is of this package, which holds it for a moment only: `Lock` has a kind of its
/// own.
static bool is_of_package(const pthread_mutex_t *m) {
  return m == &rch_lock || m->__data.__kind == PTHREAD_MUTEX_ADAPTIVE_NP;
}

/// Waits for a mutex whose owner runs, so that this thread may keep the baton.
static int lock_soon(pthread_mutex_t *m) {
  if (atomic_load_explicit(&rch_scopes, memory_order_relaxed) == 0)
    return real_pthread_mutex_lock()(m);
  cvt_baton_keep();
  int result = real_pthread_mutex_lock()(m);
  cvt_baton_release();
  return result;
}

/// Locks `rch_lock`, unless that may never be free.
static bool lock_reach(void) {
  if (rch_locks_of_others == 0) {
    pthread_mutex_lock(&rch_lock);
    return true;
  }
  for (int round = 0; round < 1000; round++) {
    if (pthread_mutex_trylock(&rch_lock) == 0) {
      locks_of_package++;
      return true;
    }
    real_sched_yield()();
  }
  return false;
}

/// Waits for a mutex whose owner runs, for as long as is left in the scope's time, in real time.
static int lock_for(pthread_mutex_t *m, int64_t duration) {
  int64_t end = cvt_uptime() + (duration < rch_never / 2 ? duration : rch_never / 2);
  const struct timespec t = rch_timespec(end);
  cvt_baton_keep();
  int result = real_pthread_mutex_clocklock()(m, CLOCK_MONOTONIC, &t);
  cvt_baton_release();
  return result;
}

/// Waits a little for a mutex whose owner works for others, and cannot go on in this scope before
/// this thread has waited.
static void await_work(void) {
  cvt_baton_keep();
  real_usleep()(100);
  cvt_baton_release();
}

/// Locks a mutex that is not of this package, while threads of scopes wait, up to a deadline. This
/// is over with the scope, at the latest.
__attribute__((noinline)) static int lock_other(pthread_mutex_t *m, int64_t deadline) {
  bool has_limit = deadline != rch_never;
  int result;
  while ((result = pthread_mutex_trylock(m)) == EBUSY) {
    uint32_t scope = rch_may_wait();
    if (!scope) return has_limit ? ETIMEDOUT : lock_soon(m);
    if (has_limit && m->__data.__kind == PTHREAD_MUTEX_ERRORCHECK_NP && is_mine(m)) return EDEADLK;
    if (deadline <= rch_now(scope)) return ETIMEDOUT;
    if (!lock_reach()) continue;
    // Whoever unlocks it from now on looks for those who wait.
    atomic_fetch_add(&waiting_for_mutexes, 1);
    result = pthread_mutex_trylock(m);
    int32_t owner = __atomic_load_n(&m->__data.__owner, __ATOMIC_RELAXED);
    rch_activity of_owner = has_limit && is_mine(m) ? rch_waits : rch_activity_of(scope, owner);
    bool waits = result == EBUSY && of_owner == rch_waits;
    rch_outcome outcome = rch_woken;
    if (waits) outcome = rch_wait(scope, m, deadline); else pthread_mutex_unlock(&rch_lock);
    atomic_fetch_sub(&waiting_for_mutexes, 1);
    rch_die_if_dead_at(m, outcome);
    if (result != EBUSY) return result;
    if (of_owner == rch_runs)
      return has_limit ? lock_for(m, deadline - rch_now(scope)) : lock_soon(m);
    // It may have locked the mutex before its wait.
    if (of_owner == rch_works) await_work();
    if (has_limit && outcome != rch_woken) return pthread_mutex_trylock(m) ? ETIMEDOUT : 0;
  }
  return result;
}

OVERRIDE int pthread_mutex_clocklock(
    pthread_mutex_t *m, clockid_t clock, const struct timespec *t) {
  bool is_virtual = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
  uint32_t scope = is_virtual && rch_is_valid(t) && !locks_of_package ? rch_may_wait() : 0;
  int result = scope ? lock_other(m, rch_when(scope, clock, rch_nanoseconds(t)))
                     : WAIT_UNTIL(clock, t, real_pthread_mutex_clocklock()(m, clock, limit));
  if (result == 0) rch_locks_of_others++;
  return result;
}

OVERRIDE int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *t) {
  return pthread_mutex_clocklock(m, CLOCK_REALTIME, t);
}

OVERRIDE int pthread_mutex_lock(pthread_mutex_t *m) {
  if (is_of_package(m)) {
    locks_of_package++;
    return lock_soon(m);
  }
  bool is_alone = atomic_load_explicit(&rch_waiting, memory_order_relaxed) == 0;
  bool is_other = !is_alone && !locks_of_package;
  if (is_other && rch_locks_of_others == 0) rch_looks_for_work(m, false);
  int result = is_other ? lock_other(m, rch_never) : lock_soon(m);
  if (result) return result;
  bool is_first = rch_locks_of_others++ == 0;
  // A scope may have taken the pool, and submitted work, since this thread looked before the mutex
  // was locked.
  if (is_first && !locks_of_package && atomic_load(&rch_waiting) > 0) rch_looks_for_work(m, true);
  return 0;
}

void rch_wake_for_unlocked(void) {
  for (int i = 0; i < unlocked_count; i++) rch_wake(unlocked[i]);
  unlocked_count = 0;
}

ADD(wake_for_unlocked, rch_wake_for_unlocked)

/// Wakes those who wait for a mutex that has been unlocked, if this thread may have `rch_lock`.
__attribute__((noinline)) static void note_unlocked(const pthread_mutex_t *m) {
  if (atomic_load(&waiting_for_mutexes) > 0) unlocked[unlocked_count++] = m;
  if (unlocked_count == 0) return;
  while (!lock_reach()) {
    // Later, when the thread unlocks the next one.
    if (unlocked_count < max_unlocked) return;
  }
  rch_wake_for_unlocked();
  pthread_mutex_unlock(&rch_lock);
}

OVERRIDE int pthread_mutex_unlock(pthread_mutex_t *m) {
  // Another thread may free the mutex as soon as it is unlocked.
  bool is_ours = is_of_package(m);
  int result = real_pthread_mutex_unlock()(m);
  if (is_ours) {
    if (locks_of_package > 0) locks_of_package--;
    return result;
  }
  if (rch_locks_of_others > 0) rch_locks_of_others--;
  if (!locks_of_package && (atomic_load(&waiting_for_mutexes) > 0 || unlocked_count > 0))
    note_unlocked(m);
  return result;
}

// MARK: Conditions

static int wait_for(uint32_t scope, pthread_cond_t *c, pthread_mutex_t *m, int64_t deadline) {
  pthread_mutex_lock(&rch_lock);
  // A thread that signals looks for those who wait only if there are any.
  atomic_fetch_add(&rch_waiting, 1);
  int result = real_pthread_mutex_unlock()(m);
  if (result) {
    pthread_mutex_unlock(&rch_lock);
    atomic_fetch_sub(&rch_waiting, 1);
    return result;
  }
  if (rch_locks_of_others > 0) rch_locks_of_others--;
  rch_wake(m);
  rch_outcome outcome = rch_wait(scope, c, deadline);
  atomic_fetch_sub(&rch_waiting, 1);
  rch_die_if_dead_at(c, outcome);
  pthread_mutex_lock(m);
  // A condition may wake without a reason, as it does here for a scope that has ended.
  return outcome == rch_woken || deadline == rch_never ? 0 : ETIMEDOUT;
}

OVERRIDE int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  uint32_t scope = rch_may_wait();
  rch_shared_thread *of_pool = rch_waits_for_work(c, m);
  if (!of_pool) return scope ? wait_for(scope, c, m, rch_never) : real_pthread_cond_wait()(c, m);
  if (!scope) return rch_wait_for_work(of_pool, c, m);
  rch_set_idle(of_pool, true);
  int result = wait_for(scope, c, m, rch_never);
  if (!rch_end_idling(of_pool)) rch_end_wait_for_work(of_pool, m);
  return result;
}

/// Whether a time is one that waits for conditions take; it may be negative.
static bool is_instant(const struct timespec *t) { return t->tv_nsec >= 0 && t->tv_nsec < 1000000000; }

OVERRIDE int pthread_cond_clockwait(
    pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *t) {
  bool is_virtual = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
  uint32_t scope = is_virtual && is_instant(t) ? rch_may_wait() : 0;
  if (!scope) return WAIT_UNTIL(clock, t, real_pthread_cond_clockwait()(c, m, clock, limit));
  return wait_for(scope, c, m, rch_when(scope, clock, rch_nanoseconds(t)));
}

OVERRIDE int pthread_cond_timedwait(
    pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t) {
  // How glibc notes the clock that was chosen with the condition's attributes.
  clockid_t clock = c->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  return pthread_cond_clockwait(c, m, clock, t);
}

/// Wakes those who wait in a scope's time; returns whether there was one.
static bool wake(pthread_cond_t *c, bool all) {
  if (atomic_load(&rch_waiting) == 0 || is_mine(&rch_lock)) return false;
  pthread_mutex_lock(&rch_lock);
  bool any = rch_wake(c);
  while (all && rch_wake(c)) {
  }
  pthread_mutex_unlock(&rch_lock);
  return any;
}

OVERRIDE int pthread_cond_signal(pthread_cond_t *c) {
  rch_uses_pool(c);
  return wake(c, false) ? 0 : real_pthread_cond_signal()(c);
}

OVERRIDE int pthread_cond_broadcast(pthread_cond_t *c) {
  rch_uses_pool(c);
  wake(c, true);
  int result = real_pthread_cond_broadcast()(c);
  rch_looks_for_work(0, false);
  return result;
}

#endif
