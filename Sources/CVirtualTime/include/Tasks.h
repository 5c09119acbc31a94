#pragma once

// Tasks: to which scope they belong, what the runtime says of them, and its calls that have no
// spelling in Swift.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: What is known of each task (TaskTable.c)

typedef struct {
  /// The scope the task belongs to, `cvt_outside`, or 0 when nothing is known. Written once.
  _Atomic uint32_t owner;
  /// One of `cvt_enqueued`.
  _Atomic uint8_t enqueued;
  /// How many jobs it has run after the end of its scope, cancelled.
  _Atomic uint16_t late_jobs;
  /// The timer that is to end the task's sleep, in its scope's queue, or 0.
  _Atomic uint64_t timer;
} cvt_task;

/// Whether a task is enqueued, and has not begun: not as far as is known, it counts as under way,
/// or it does not because its executor keeps it until others of its scope have gone on.
enum cvt_enqueued { cvt_is_not_enqueued, cvt_counts, cvt_is_kept };

/// The owner of tasks that belong to no scope.
enum { cvt_outside = 1 };

/// The record of a task, or null if there is none; `create` makes one.
cvt_task *_Nullable cvt_task_record(uint64_t task_id, bool create);

/// Forgets all tasks and frees the memory, now and then. One call at a time, while no scope is
/// alive.
void cvt_forget_tasks(uint64_t latest);

static inline uint32_t cvt_owner(const cvt_task *_Nonnull task) {
  return __c11_atomic_load(&task->owner, __ATOMIC_RELAXED);
}
static inline bool cvt_is_counted(const cvt_task *_Nonnull task) {
  return __c11_atomic_load(&task->enqueued, __ATOMIC_RELAXED) == cvt_counts;
}
static inline uint64_t cvt_timer(const cvt_task *_Nonnull task) {
  return __c11_atomic_load(&task->timer, __ATOMIC_SEQ_CST);
}
static inline void cvt_set_timer(cvt_task *_Nonnull task, uint64_t timer) {
  __c11_atomic_store(&task->timer, timer, __ATOMIC_SEQ_CST);
}

// MARK: Whose task it is, and how many are under way (Ownership.c)

/// Functions by which Swift hears of tasks. Called on any thread, never under a lock.
typedef struct {
  /// A scope has a new task that is not a child; the first is its body's.
  void (*_Nonnull created)(uint32_t scope, void *_Nonnull task, bool is_body);
  /// A task of the scope that this thread drains runs inside a job, without the scope's doing: the
  /// next one in an actor's mailbox, or one that changes its actor.
  void (*_Nonnull goes_on)(void *_Nonnull scope, void *_Nonnull task);
  /// A task begins to run whose timer is armed.
  void (*_Nonnull woke_early)(uint32_t scope, cvt_task *_Nonnull task);
  /// A task is cancelled.
  void (*_Nonnull cancelled)(uint32_t scope, cvt_task *_Nonnull task);
  /// The last task that was under way on other threads has ended its job.
  void (*_Nonnull came_to_rest)(uint32_t scope);
} cvt_owner_events;
void cvt_set_owner_events(cvt_owner_events events);

void cvt_scope_begins(uint32_t scope);
/// `leaves_tasks`: tasks of the scope may still run, and are counted. Returns the number of the
/// body's task.
uint64_t cvt_scope_ends(uint32_t scope, bool leaves_tasks);

/// The scope of the code that this thread runs, or a number up to `cvt_outside`: the current
/// task's, and between tasks that of the thread.
uint32_t cvt_current_scope(void);

/// The scope that a task belongs to, `cvt_outside`, or 0 when nothing is known.
uint32_t cvt_owner_of(uint64_t task_id);
/// Whether a task is older than a scope that is alive.
bool cvt_is_older(uint64_t task_id, uint32_t scope);

/// The record of a task; one that is new belongs where this thread's code belongs.
cvt_task *_Nullable cvt_adopt(void *_Nonnull task);

/// How many tasks of a scope are enqueued, or run in a job that has not ended, on any thread.
int32_t cvt_underway(uint32_t scope);
/// Adds to the number of tasks of a scope that are under way.
void cvt_add_to_underway(uint32_t scope, int32_t change);
/// A task that is enqueued is kept by its executor, or not any more. Nothing if it has begun.
void cvt_keep_task(cvt_task *_Nonnull task, bool keeps);
/// Whether a task whose scope has ended may run another job. One that has been cancelled may run
/// 10,000, to clean up: a loop that swallows its cancellation would never end.
bool cvt_may_run_late(void *_Nonnull task, cvt_task *_Nonnull record);
/// A job that was enqueued will never be run.
void cvt_task_dropped(void *_Nonnull task);

// MARK: The Swift runtime (Runtime.c)

/// The runtime's `TaskExecutorRef`.
typedef struct {
  const void *_Nullable identity;
  uintptr_t implementation;
} cvt_executor;

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

// MARK: Who a task is (Records.c)

/// The number of a task, which may have ended.
uint64_t cvt_number_of(const void *_Nonnull task);
/// Sorts tasks that live by their numbers.
void cvt_sort_tasks(void *_Nonnull *_Nullable tasks, size_t count);
/// Copies the name of a task. Returns false if it has none, or if that cannot be seen.
bool cvt_name_of(const void *_Nonnull task, char *_Nonnull name, size_t size);
/// Whether a thread runs a task, which is not suspended then; the thread may wait.
bool cvt_is_on_thread(const void *_Nonnull task);
/// The task of which this one is a child, or null.
const void *_Nullable cvt_parent_of(const void *_Nonnull task);
/// The child tasks of a task that have not ended: those of its groups, and those of 'async let'.
/// Returns how many were found.
size_t cvt_children_of(
    const void *_Nonnull task, const void *_Nullable *_Nonnull children, size_t capacity);

/// How many tasks of a scope are in the mailbox of an actor, whose thread must not go on meanwhile.
int32_t cvt_tasks_waiting_for(const void *_Nonnull actor, uint32_t scope);

/// The kinds of things for which a task may wait; with the runtime's numbers.
typedef enum cvt_dependency_kind : uint32_t {
  /// Nothing, or it cannot be seen.
  cvt_waits_for_nothing = 0,
  cvt_waits_for_task = 1,
  cvt_waits_for_continuation = 2,
  cvt_waits_for_group = 3,
  cvt_waits_for_executor = 4,
} cvt_dependency_kind;

/// The thing for which a suspended task waits.
typedef struct cvt_dependency {
  cvt_dependency_kind kind;
  /// The task, the group, or the object that is the executor.
  const void *_Nullable object;
  /// The type of the actor whose executor it is; null if the actor has one of its own.
  const void *_Nullable actor_type;
} cvt_dependency;

cvt_dependency cvt_dependency_of(const void *_Nonnull task);
