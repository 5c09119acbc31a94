#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Counters that all threads read (Counters.c). Those of Swift need macOS 15.

typedef struct {
  _Atomic int64_t value;
} cvt_counter;

/// How many scopes are alive.
extern cvt_counter cvt_scopes;

static inline int64_t cvt_scopes_alive(void) {
  return __c11_atomic_load(&cvt_scopes.value, __ATOMIC_RELAXED);
}
static inline void cvt_add_to_scopes(int64_t change) {
  __c11_atomic_fetch_add(&cvt_scopes.value, change, __ATOMIC_RELAXED);
}

/// Whether it can be seen that a task has completed: 0 not known yet, 1 no, 2 yes.
extern cvt_counter cvt_completion;

static inline int64_t cvt_completion_is_seen(void) {
  return __c11_atomic_load(&cvt_completion.value, __ATOMIC_RELAXED);
}
static inline void cvt_set_completion_is_seen(int64_t is_seen) {
  __c11_atomic_store(&cvt_completion.value, is_seen, __ATOMIC_RELAXED);
}

/// Whether the trial of the job hooks is over.
extern cvt_counter cvt_trial;

static inline bool cvt_trial_is_over(void) {
  return __c11_atomic_load(&cvt_trial.value, __ATOMIC_ACQUIRE) != 0;
}
static inline void cvt_set_trial_is_over(void) {
  __c11_atomic_store(&cvt_trial.value, 1, __ATOMIC_RELEASE);
}

/// How many jobs a scope has begun to run. Written by the thread that drains it, read by all. Lives
/// for ever, as the scope's clocks do.
cvt_counter *_Nonnull cvt_jobs_of(uint32_t scope);

static inline int64_t cvt_read(const cvt_counter *_Nonnull counter) {
  return __c11_atomic_load(&counter->value, __ATOMIC_RELAXED);
}
/// Adds one, when no other thread does.
static inline void cvt_count_up(cvt_counter *_Nonnull counter) {
  __c11_atomic_store(&counter->value, cvt_read(counter) + 1, __ATOMIC_RELAXED);
}

/// Whether the overrides of queues and threads have been tried and found to work.
extern cvt_counter cvt_reach;

static inline bool cvt_reach_works(void) {
  return __c11_atomic_load(&cvt_reach.value, __ATOMIC_ACQUIRE) != 0;
}
static inline void cvt_set_reach_works(void) {
  __c11_atomic_store(&cvt_reach.value, 1, __ATOMIC_RELEASE);
}

/// Whether the kernel has been tried and found to tell whether a thread sleeps.
extern cvt_counter cvt_sleep_seen;

static inline bool cvt_sleep_is_seen(void) {
  return __c11_atomic_load(&cvt_sleep_seen.value, __ATOMIC_ACQUIRE) != 0;
}
static inline void cvt_set_sleep_is_seen(void) {
  __c11_atomic_store(&cvt_sleep_seen.value, 1, __ATOMIC_RELEASE);
}

/// How many threads of callers drain scopes.
extern cvt_counter cvt_borrowed_threads;

/// Returns the new number.
static inline int64_t cvt_add_to_borrowed_threads(int64_t change) {
  return __c11_atomic_fetch_add(&cvt_borrowed_threads.value, change, __ATOMIC_RELAXED) + change;
}
