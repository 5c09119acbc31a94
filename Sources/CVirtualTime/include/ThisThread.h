#pragma once

// This thread: which code it runs for which scope, whether it waits busily, and whether it has the
// baton of its scope.

#include "Counters.h"

// Thread-locals that are read without a call.
#if defined(__linux__)
#define CVT_FAST __attribute__((tls_model("initial-exec")))
#else
#define CVT_FAST
#endif

typedef struct cvt_clocks cvt_clocks;

typedef struct {
  /// The scope that this thread drains right now, as an unretained reference, its number and
  /// clocks.
  void *_Nullable scope;
  cvt_clocks *_Nullable clocks;
  uint32_t number;
  /// The scope for whose body this thread creates a task right now, or 0.
  uint32_t birth;
  /// The task of the caller inside which this thread drains a scope, or null.
  void *_Nullable host;
  /// The job that the scope runs on this thread, and the frame of the function that does so.
  void *_Nullable job;
  void *_Nullable job_frame;
  /// How many once-only initialisers are on the stack.
  uint32_t initialisers;
  /// How many calls of the engine's own are on the stack, for which queues and threads are real.
  uint32_t exempt;
  /// How long a task has waited in real time on this thread: the clocks that it reads here have
  /// moved on by as much.
  int64_t waited;
  void *_Nullable waiter;
  /// When that was 0 on the real monotonic clock, if the task has set a timer in real time, or 0.
  int64_t timer_base;
  /// Whether the tasks that this thread creates belong to a scope whose schedules are explored.
  bool explores;
  /// Whether Swift's clocks have moved on as well.
  bool moves_swift_clocks;
  /// Whether this is the main thread, which runs a test in the scope, and whether this thread waits
  /// for work: as an event loop does, or for a method of the test.
  bool is_visitor, awaits_work;
} cvt_thread;

// Read on every enqueue and every reading of a clock.
extern __thread cvt_thread cvt_this_thread CVT_FAST;

/// The present work of this thread.
static inline cvt_thread cvt_thread_state(void) { return cvt_this_thread; }
static inline void cvt_thread_set_state(cvt_thread state) { cvt_this_thread = state; }
/// The scope that this thread drains right now.
static inline void *_Nullable cvt_thread_scope(void) { return cvt_this_thread.scope; }
static inline uint32_t cvt_thread_number(void) { return cvt_this_thread.number; }
static inline void cvt_thread_set_birth(uint32_t scope) { cvt_this_thread.birth = scope; }
static inline void cvt_thread_exempt(int32_t change) { cvt_this_thread.exempt += change; }
/// The clocks that this thread reads return to the scope's time, after waits in real time.
static inline void cvt_clocks_return(void) {
  cvt_this_thread.waited = cvt_this_thread.timer_base = 0;
}
static inline bool cvt_thread_is_visitor(void) { return cvt_this_thread.is_visitor; }
static inline void cvt_thread_awaits_work(bool awaits) { cvt_this_thread.awaits_work = awaits; }
static inline void cvt_thread_set_explores(bool explores) { cvt_this_thread.explores = explores; }

// MARK: Busy waits

/// How this thread reads clocks, and what it does meanwhile (BusyWaits.c in `CReach`).
typedef enum cvt_busy_kind : uint32_t {
  cvt_is_not_busy, cvt_reads_clocks, cvt_runs_loop, cvt_waits_really
} cvt_busy_kind;
typedef struct {
  /// How many times it may read a virtual clock, and run an empty run loop, before it is taken to
  /// wait.
  uint32_t reads_left, runs_left;
  cvt_busy_kind kind;
  /// How many times it may ask whether a task is cancelled, or call an actor, before it lets others
  /// run, and how often it has done so.
  uint32_t asks_left, looks;
} cvt_busy_wait;

/// More than any program reads clocks at one instant that does not wait for time to pass.
enum { cvt_reads_of_busy_wait = 1 << 21, cvt_runs_of_busy_wait = 64, cvt_asks_of_look = 1 << 16 };
/// The state of a thread that has not begun to wait busily.
#define cvt_no_busy_wait \
  {cvt_reads_of_busy_wait, cvt_runs_of_busy_wait, cvt_is_not_busy, cvt_asks_of_look, 0}

extern __thread cvt_busy_wait cvt_this_busy_wait CVT_FAST;

/// This thread does not wait busily, or not any more.
static inline void cvt_end_busy_wait(void) {
  cvt_this_busy_wait = (cvt_busy_wait)cvt_no_busy_wait;
}

/// Notes the job that this thread is about to run for its scope.
static inline void cvt_begin_job(void *_Nullable job, cvt_counter *_Nonnull jobs) {
  cvt_this_thread.job = job;
  cvt_this_thread.job_frame = __builtin_frame_address(0);
  cvt_clocks_return();
  cvt_end_busy_wait();
  cvt_count_up(jobs);
}

// MARK: The baton

/// The record with which another thread takes the baton from this one while it sleeps.
typedef struct {
  /// How many calls on the stack need the baton. While there are any, it stays.
  _Atomic uint32_t kept;
  /// Whether the baton was taken away. The thread asks for it before it does anything that needs
  /// it.
  _Atomic bool is_lost;
  const cvt_thread *_Nullable thread;
  const void *_Nullable jobs;
} cvt_baton;

extern __thread cvt_baton cvt_this_baton CVT_FAST;

// No fence is needed: whoever takes the baton away makes sure that the thread sleeps, and has not
// run between two looks. What the thread has written before is visible then.

/// This thread needs the baton, if it has it, until `cvt_baton_release`.
static inline void cvt_baton_keep(void) {
  uint32_t kept = __c11_atomic_load(&cvt_this_baton.kept, __ATOMIC_RELAXED);
  __c11_atomic_store(&cvt_this_baton.kept, kept + 1, __ATOMIC_RELAXED);
  __c11_atomic_signal_fence(__ATOMIC_SEQ_CST);
}
static inline void cvt_baton_release(void) {
  uint32_t kept = __c11_atomic_load(&cvt_this_baton.kept, __ATOMIC_RELAXED);
  // Thread Sanitizer does not know what the kernel tells.
  __c11_atomic_store(&cvt_this_baton.kept, kept - 1, __ATOMIC_RELEASE);
}
static inline bool cvt_baton_is_kept(void) {
  return __c11_atomic_load(&cvt_this_baton.kept, __ATOMIC_RELAXED) > 0;
}
static inline bool cvt_baton_is_lost(void) {
  return __c11_atomic_load(&cvt_this_baton.is_lost, __ATOMIC_RELAXED);
}
static inline void cvt_baton_set_lost(bool is_lost) {
  __c11_atomic_store(&cvt_this_baton.is_lost, is_lost, __ATOMIC_RELAXED);
}
/// Keeps the baton, if it is not lost.
static inline bool cvt_baton_try_keep(void) {
  cvt_baton_keep();
  if (!cvt_baton_is_lost()) return true;
  cvt_baton_release();
  return false;
}

/// The function that asks for the baton of a scope, and waits for it.
void cvt_set_regain(void (*_Nonnull function)(uint32_t scope));
void cvt_baton_regain(void);
/// If this thread has lost the baton, and does not need it in a call that is on the stack: asks for
/// it, and waits until it comes back or the scope has ended.
static inline void cvt_baton_come_back(void) {
  if (__builtin_expect(cvt_baton_is_lost(), false) && !cvt_baton_is_kept()) cvt_baton_regain();
}
