#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Counters that all threads read (Counters.c). Those of Swift need macOS 15.

/// How many scopes can be alive at once.
enum { cvt_max_scopes = 4096 };

typedef struct {
  _Atomic int64_t value;
} cvt_counter;

/// A counter in a cache line of its own, since several threads write.
typedef struct {
  cvt_counter counter;
} __attribute__((aligned(64))) cvt_lone_counter;

static inline int64_t cvt_read(const cvt_counter *_Nonnull counter) {
  return __c11_atomic_load(&counter->value, __ATOMIC_RELAXED);
}
/// Adds one, when no other thread does.
static inline void cvt_count_up(cvt_counter *_Nonnull counter) {
  __c11_atomic_store(&counter->value, cvt_read(counter) + 1, __ATOMIC_RELAXED);
}

/// How many jobs a scope has begun to run. Written by the thread that drains it, read by all. Lives
/// for ever, as the scope's clocks do.
cvt_counter *_Nonnull cvt_jobs_of(uint32_t scope);

/// The counters of the process. Those of a self-test are 0 until it has succeeded.
typedef enum cvt_count : uint32_t {
  /// How many scopes are alive.
  cvt_scopes_alive,
  /// How many threads of callers drain scopes.
  cvt_borrowed_threads,
  /// How many threads wait for files in virtual time, or are busy waiting.
  cvt_file_waits,
  /// How many processes the code of scopes has made that have not been seen to end.
  cvt_children,
  /// Whether it can be seen that a task has completed: 0 not known yet, 1 no, 2 yes.
  cvt_completion_is_seen,
  /// Whether the self-test of the job hooks is over.
  cvt_self_test_is_over,
  /// Whether calls arrive at the overrides of queues and threads.
  cvt_reach_works,
  /// Whether the kernel tells that a thread sleeps.
  cvt_sleep_is_seen,
  cvt_counter_count
} cvt_count;

extern cvt_lone_counter cvt_counters[cvt_counter_count];

static inline int64_t cvt_get(cvt_count count) {
  return __c11_atomic_load(&cvt_counters[count].counter.value, __ATOMIC_ACQUIRE);
}
static inline void cvt_set(cvt_count count, int64_t value) {
  __c11_atomic_store(&cvt_counters[count].counter.value, value, __ATOMIC_RELEASE);
}
/// Returns the new value.
static inline int64_t cvt_add(cvt_count count, int64_t change) {
  return __c11_atomic_fetch_add(&cvt_counters[count].counter.value, change, __ATOMIC_SEQ_CST) + change;
}
