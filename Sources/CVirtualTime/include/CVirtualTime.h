#pragma once

// What virtual time needs and Swift cannot say: a thread-local, an override of a libc function, and
// the calls of the Swift runtime that have no Swift spelling.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Clocks (Clocks.c)

/// The readings of one scope's clocks. Lives for ever, so that any thread may look at any time.
typedef struct {
  /// The scope that uses this record, or 0.
  _Atomic uint32_t scope;
  /// Nanoseconds since the scope began.
  _Atomic int64_t elapsed;
  /// What the clocks read when the scope began, in nanoseconds.
  int64_t realtime, monotonic, boottime;
  /// Whether code of the scope reads these clocks, or the real ones.
  bool isVirtual;
  /// Whether a thread that drains the scope is given up.
  _Atomic bool isCondemned;
} cvt_clocks;

/// How many scopes can be alive at once.
enum { cvt_max_scopes = 4096 };

/// The clocks of the scope with this number, which may have ended.
cvt_clocks *_Nonnull cvt_clocks_of(uint32_t scope);

/// Whether a scope that is alive has its place in the table where this one would have it.
bool cvt_clocks_taken(uint32_t scope);

/// Starts the clocks of a scope. The wall clock is given, the others go on from their real reading.
void cvt_clocks_begin(uint32_t scope, int64_t realtime, bool is_virtual);
void cvt_clocks_end(uint32_t scope);
/// Lets the thread that drains the scope wait for ever when it reads a clock next.
void cvt_clocks_condemn(cvt_clocks *_Nonnull clocks);

static inline int64_t cvt_clocks_elapsed(const cvt_clocks *_Nonnull clocks) {
  return __c11_atomic_load(&clocks->elapsed, __ATOMIC_RELAXED);
}
static inline void cvt_clocks_set_elapsed(cvt_clocks *_Nonnull clocks, int64_t elapsed) {
  __c11_atomic_store(&clocks->elapsed, elapsed, __ATOMIC_RELAXED);
}

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

// MARK: The running scope (Thread.c)

typedef struct {
  void *_Nullable scope;
  cvt_clocks *_Nullable clocks;
  uint32_t birth;
} cvt_thread;

// They are read on every enqueue and every reading of a clock, hence without a call.
#if defined(__linux__)
extern __thread cvt_thread cvt_this_thread __attribute__((tls_model("initial-exec")));
#else
extern __thread cvt_thread cvt_this_thread;
#endif

/// The scope whose jobs this thread runs right now, as an unretained reference.
static inline void *_Nullable cvt_thread_scope(void) { return cvt_this_thread.scope; }
/// Enters a scope, or with null leaves it.
static inline void cvt_thread_set_scope(void *_Nullable scope, cvt_clocks *_Nullable clocks) {
  cvt_this_thread.scope = scope;
  cvt_this_thread.clocks = clocks;
}

/// The scope for which this thread creates a task right now, or 0.
static inline uint32_t cvt_thread_birth(void) { return cvt_this_thread.birth; }
static inline void cvt_thread_set_birth(uint32_t scope) { cvt_this_thread.birth = scope; }

// MARK: What is known of each task (Tasks.c)

typedef struct {
  /// The scope the task belongs to, `cvt_outside`, or 0 when nothing is known.
  _Atomic uint32_t owner;
  /// Where the timer is that is to end the task's sleep, counted from 1, or 0.
  _Atomic uint32_t timer;
} cvt_task;

/// The owner of tasks that belong to no scope.
enum { cvt_outside = 1 };

/// The record of a task, or null if there is none; `create` makes one.
cvt_task *_Nullable cvt_task_record(uint64_t task_id, bool create);

/// Forgets all tasks and frees the memory. One call at a time, while no scope is alive.
void cvt_forget_tasks(void);

static inline uint32_t cvt_owner(const cvt_task *_Nonnull task) {
  return __c11_atomic_load(&task->owner, __ATOMIC_RELAXED);
}
static inline void cvt_set_owner(cvt_task *_Nonnull task, uint32_t owner) {
  __c11_atomic_store(&task->owner, owner, __ATOMIC_RELAXED);
}
static inline uint32_t cvt_timer(const cvt_task *_Nonnull task) {
  return __c11_atomic_load(&task->timer, __ATOMIC_RELAXED);
}
static inline void cvt_set_timer(cvt_task *_Nonnull task, uint32_t timer) {
  __c11_atomic_store(&task->timer, timer, __ATOMIC_RELAXED);
}

// MARK: The Swift runtime (Runtime.c)

/// The number of a task. Numbers start at 1, grow, and are never used again.
uint64_t cvt_task_id(const void *_Nonnull task);

/// The runtime's `JobFlags`. Their place is fixed: schedulers read the priority there.
static inline uint32_t cvt_job_flags(const void *_Nonnull job) {
  return *(const uint32_t *)((const char *)job + 4 * sizeof(void *));
}
/// Whether a job is a task; else it is an actor that has work, or an internal job.
static inline bool cvt_is_task(const void *_Nonnull job) { return (cvt_job_flags(job) & 0xff) == 0; }
/// Whether a task is nobody's child: not an `async let` and in no group.
static inline bool cvt_is_unstructured(const void *_Nonnull task) {
  return (cvt_job_flags(task) & (1u << 24 | 1u << 26 | 1u << 28)) == 0;
}
/// Whether an unstructured task has completed. Its future follows the runtime's `AsyncTask`, and
/// begins with a word whose lowest bits are 0 until there is a result.
static inline bool cvt_has_completed(const void *_Nonnull task) {
  const size_t future = 26 * sizeof(void *);
  return (*(const uintptr_t *)((const char *)task + future) & 3) != 0;
}
void *_Nullable cvt_current_task(void);
/// The owner of the task that this thread runs right now, or 0.
uint32_t cvt_current_owner(void);
const char *_Nullable cvt_current_task_name(void);
void cvt_cancel_task(void *_Nonnull task);
bool cvt_is_cancelled(void *_Nonnull task);
size_t cvt_retain_count(void *_Nonnull object);

/// Lets the processor fetch the first cache lines of an object, while other work goes on.
static inline void cvt_prefetch(const void *_Nonnull object, size_t lines) {
  for (size_t line = 0; line < lines; line++) __builtin_prefetch((const char *)object + 64 * line);
}

/// Lets `take` have each job that is enqueued globally, unless it returns `false`. Returns whether
/// this runtime can do that.
bool cvt_hook_enqueue(bool (*_Nonnull take)(void *_Nonnull job));
/// Enqueues a job globally, past the hook.
void cvt_enqueue(void *_Nonnull job);
