#pragma once

// The Swift runtime: its executors, and calls that have no Swift spelling. Included by
// CVirtualTime.h.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: While schedules are explored (Exploring.c)

/// The runtime's `TaskExecutorRef`.
typedef struct {
  const void *_Nullable identity;
  uintptr_t implementation;
} cvt_executor;

/// The executor that new tasks are to prefer on threads that explore.
void cvt_set_explorer(cvt_executor executor);
/// The executor to which tasks go on threads that explore, before they go to an actor.
void cvt_set_waiting_room(cvt_executor executor);
/// Whether a task has been created so.
bool cvt_sees_creation(void);

/// A scope that is explored begins; `SystemRandomNumberGenerator` may give it the same numbers in
/// each run.
void cvt_random_begins(uint32_t scope, bool repeats);

/// An object of EscapementTesting that provides the filter of failures, retained; null without it.
void *_Nullable cvt_failure_filter_provider(void);

/// Sets the function that is called when XCTest has created and enqueued a task on a thread that
/// visits a scope, and before XCTest waits for the task.
void cvt_set_method_begins(void (*_Nonnull function)(void *_Nonnull task));

// MARK: The Swift runtime (Runtime.c)

/// The number of a task. Numbers start at 1, grow, and are never used again.
uint64_t cvt_task_id(const void *_Nonnull task);

/// The runtime's `JobFlags`. Their place is fixed: schedulers read the priority there.
static inline uint32_t cvt_job_flags(const void *_Nonnull job) {
  return *(const uint32_t *)((const char *)job + 4 * sizeof(void *));
}
/// Whether a job is a task; else it is an actor that has work, or an internal job.
static inline bool cvt_is_task(const void *_Nonnull job) { return (cvt_job_flags(job) & 0xff) == 0; }
/// Whether a job that is not a task only resumes one, as that of `Task.yield` does.
static inline bool cvt_resumes_task(const void *_Nonnull job) {
  return (cvt_job_flags(job) & 0xff) == 195;
}
/// The task that such a job resumes, which follows the runtime's `Job`.
static inline void *_Nullable cvt_resumed_task(const void *_Nonnull job) {
  return *(void *const *)((const char *)job + 8 * sizeof(void *));
}
/// Whether a task is no child: not an `async let` and in no group.
static inline bool cvt_is_unstructured(const void *_Nonnull task) {
  return (cvt_job_flags(task) & (1u << 24 | 1u << 26 | 1u << 28)) == 0;
}
/// Whether a task was created with a preference for a task executor, or inherits one.
static inline bool cvt_prefers_executor(const void *_Nonnull task) {
  return (cvt_job_flags(task) & 1u << 29) != 0;
}
/// Whether an unstructured task has completed. Its future follows the runtime's `AsyncTask`, and
/// begins with a word whose lowest bits are 0 until there is a result.
static inline bool cvt_has_completed(const void *_Nonnull task) {
  const size_t future = 26 * sizeof(void *);
  return (*(const uintptr_t *)((const char *)task + future) & 3) != 0;
}
void *_Nullable cvt_current_task(void);
/// The same, or the task in whose job this thread drains a scope.
void *_Nullable cvt_task_of_thread(void);
/// The actor on which this thread runs a task; null on none, and on one with an executor of its
/// own, such as the main actor.
const void *_Nullable cvt_current_actor(void);
/// The object that is the executor on which this thread runs a task, or null.
const void *_Nullable cvt_current_executor(void);
const char *_Nullable cvt_current_task_name(void);
/// Cancels a task, unless the runtime may have too little stack for all the children of its
/// children.
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
