#if defined(__linux__)

#include "Core/RealWaits.h"

// Semaphores of POSIX. Whether one is free, the real object tells; who has to wait parks. Those of
// libdispatch's own are real.

/// How many threads wait for semaphores in virtual time.
static _Atomic int waiting_for_semaphores;

/// Waits in the scope's time.
static int wait_in(uint32_t scope, sem_t *s, int64_t deadline) {
  atomic_fetch_add(&waiting_for_semaphores, 1);
  int result;
  rch_outcome outcome = rch_woken;
  while ((result = sem_trywait(s)) && errno == EAGAIN && outcome == rch_woken) {
    pthread_mutex_lock(&rch_lock);
    // Whoever posts from now on looks for those who wait.
    if ((result = sem_trywait(s)) == 0 || errno != EAGAIN) {
      pthread_mutex_unlock(&rch_lock);
      break;
    }
    outcome = rch_wait(scope, s, deadline);
    if (rch_is_dying()) break;
  }
  atomic_fetch_sub(&waiting_for_semaphores, 1);
  rch_die_if_dead_at(s, outcome);
  if (result == 0 || errno != EAGAIN) return result;
  if (outcome == rch_ended && deadline == rch_never) return real_sem_wait()(s);
  // The main thread comes back without it, as if a signal had come.
  errno = outcome == rch_ended_and_needed && deadline == rch_never ? EINTR : ETIMEDOUT;
  return -1;
}

OVERRIDE int sem_wait(sem_t *s) {
  if (sem_trywait(s) == 0) return 0;
  uint32_t scope = rch_may_wait();
  if (!scope || rch_is_of_libdispatch(__builtin_return_address(0))) return real_sem_wait()(s);
  return wait_in(scope, s, rch_never);
}

OVERRIDE int sem_timedwait(sem_t *s, const struct timespec *t) {
  uint32_t scope = rch_is_valid(t) ? rch_may_wait() : 0;
  if (!scope || rch_is_of_libdispatch(__builtin_return_address(0)))
    return WAIT_UNTIL(CLOCK_REALTIME, t, real_sem_timedwait()(s, limit));
  return wait_in(scope, s, rch_when(scope, CLOCK_REALTIME, rch_nanoseconds(t)));
}

OVERRIDE int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *t) {
  bool is_virtual = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
  uint32_t scope = is_virtual && rch_is_valid(t) ? rch_may_wait() : 0;
  if (!scope || rch_is_of_libdispatch(__builtin_return_address(0)))
    return WAIT_UNTIL(clock, t, real_sem_clockwait()(s, clock, limit));
  return wait_in(scope, s, rch_when(scope, clock, rch_nanoseconds(t)));
}

OVERRIDE int sem_post(sem_t *s) {
  int result = real_sem_post()(s);
  // The engine posts under its locks.
  if (atomic_load(&waiting_for_semaphores) == 0 || cvt_this_thread.exempt ||
      rch_is_of_libdispatch(__builtin_return_address(0)))
    return result;
  UNDER_LOCK(rch_wake(s));
  return result;
}

#endif
