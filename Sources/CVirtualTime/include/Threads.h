#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What other threads are doing, and where threads and suspended tasks are.

// MARK: Whether a thread sleeps (Sleeping.c)

typedef struct {
  /// Whether the thread sleeps: it neither runs nor could run, nor is being woken.
  bool sleeps;
  /// Whether it waits for a process, or for a lock of the C library.
  bool is_for_others;
  /// The thread that has the lock for which it waits, or 0 if that is unknown.
  int32_t owner;
  /// In what function of the kernel.
  char place[48];
} cvt_sleep;

/// How often a thread was given a processor; -1 if that is unknown.
int64_t cvt_turns_of(int32_t thread);
/// What the kernel says of a thread that has been given a processor so many times: if there were
/// more, it does not sleep.
cvt_sleep cvt_sleep_of(int32_t thread, int64_t turns);
/// The file under /proc/self/task, or the system call, that does not tell what is needed, or null.
/// `sleeper` is a thread that sleeps, or is about to.
const char *_Nullable cvt_missing_of_sleep(int32_t sleeper);

// MARK: What a thread is doing (Effort.c)

/// The kernel's number of this thread.
int32_t cvt_thread_id(void);

typedef struct {
  /// Whether the thread waits. Else it runs, or would if a processor were free.
  bool is_waiting;
  /// For how long it has run, in nanoseconds.
  int64_t processor_time;
} cvt_effort;

/// What a thread of this process is doing. Returns false if that cannot be found out.
bool cvt_effort_of(int32_t thread, cvt_effort *_Nonnull effort);

/// Lets a thread run only when a processor would be idle else.
void cvt_lower_priority(int32_t thread);

/// How many other threads of this process run, or would if a processor were free; those with the
/// lowest priority, and those that look on, are left out.
int32_t cvt_runnable_threads(void);
/// This thread, which never ends, looks at others now and then, and does none of the work that a
/// scope may wait for.
void cvt_looks_on(void);
/// For how long all threads of this process have run, in nanoseconds.
int64_t cvt_process_time(void);
/// For how long this thread has run, in nanoseconds.
int64_t cvt_thread_time(void);

// MARK: Where a thread is (Stack.c)

enum { cvt_max_frames = 64 };

typedef struct {
  /// The calls that have not returned, innermost first, since the thread began to run a job of a
  /// scope.
  size_t count;
  uint64_t addresses[cvt_max_frames];
  /// The task that the thread runs, retained, or null; its number, and its name, which may be
  /// empty.
  void *_Nullable task;
  uint64_t task_id;
  char task_name[128];
  /// The type of the actor on which the task runs; null if that is none, or one with an executor of
  /// its own.
  const void *_Nullable actor_type;
  /// The object that is the executor on which the task runs, or null.
  const void *_Nullable executor;
} cvt_stack;

/// Where this thread is: a number that is the same for the same innermost calls.
uint64_t cvt_place_here(void);

/// Asks a thread of this process where it is. One call at a time. `stack` must be zero, and live
/// for ever. Returns false if it does not answer.
bool cvt_stack_of(int32_t thread, cvt_stack *_Nonnull stack);

// MARK: Where a task waits (Frames.c)

/// Where the calls of a suspended task go on, innermost first. Returns how many there are. If there
/// are more than the capacity, which is at least 16, some in the middle are left out.
///
/// If the task goes on meanwhile, the addresses are of no use, but nothing worse happens.
size_t cvt_waiting_frames(
    const void *_Nonnull task, uint64_t *_Nonnull addresses, size_t capacity);
/// Whether an address is in a library whose path contains this name.
bool cvt_is_in_library(uint64_t address, const char *_Nonnull name);
/// Whether an address is in a function of the C targets.
bool cvt_is_own(uint64_t address);
/// The function with which a task begins that has not begun; and if it is one that the compiler has
/// made, the one that this calls, and so on. Of another task these are any numbers. Returns how
/// many were found.
size_t cvt_entry_points(const void *_Nonnull task, uint64_t *_Nonnull addresses, size_t capacity);

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

/// What a task may wait for; with the runtime's numbers.
typedef enum cvt_dependency_kind : uint32_t {
  /// Nothing, or it cannot be seen.
  cvt_waits_for_nothing = 0,
  cvt_waits_for_task = 1,
  cvt_waits_for_continuation = 2,
  cvt_waits_for_group = 3,
  cvt_waits_for_executor = 4,
} cvt_dependency_kind;

/// What a task waits for that does not run.
typedef struct cvt_dependency {
  cvt_dependency_kind kind;
  /// The task, the group, or the object that is the executor.
  const void *_Nullable object;
  /// The type of the actor whose executor it is; null if the actor has one of its own.
  const void *_Nullable actor_type;
} cvt_dependency;

cvt_dependency cvt_dependency_of(const void *_Nonnull task);
