#include "Core/Runtime.h"

#include <dlfcn.h>

REAL(swift_task_isCancelled)

uint64_t cvt_task_id(const void *task) { return swift_task_getJobTaskId(task); }

// Called from Swift with a closure, which is passed as two words.
SWIFT_CALL void *cvt_closure_context(void *function, void *context) { return context; }

void *cvt_task_of_thread(void) { return swift_task_getCurrent(); }

void *cvt_current_task(void) {
  void *task = swift_task_getCurrent();
  return task == cvt_this_thread.host ? 0 : task;
}

const char *cvt_current_task_name(void) {
  return swift_task_getCurrentTaskName ? swift_task_getCurrentTaskName() : 0;
}

const void *cvt_current_actor(void) {
  // An actor is its own executor if there is no other implementation.
  cvt_executor executor = swift_task_getCurrentExecutor();
  return executor.implementation == 0 ? executor.identity : 0;
}

const void *cvt_current_executor(void) { return swift_task_getCurrentExecutor().identity; }

/// Whether a task has a child that has a child, and so on, so often that the stack may not suffice
/// to cancel it: the runtime cancels a child inside of the cancellation of its parent.
static bool is_deep(const void *task) {
  enum { deepest = 10000 };
  const void *child = task;
  for (int depth = 0; depth < deepest; depth++)
    if (!cvt_children_of(child, &child, 1)) return false;
  return true;
}

void cvt_cancel_task(void *task) {
  if (!is_deep(task)) swift_task_cancel(task);
}

// Not the override in `CReach`, which counts the questions of the user's code.
bool cvt_is_cancelled(void *task) { return real_swift_task_isCancelled()(task); }

size_t cvt_retain_count(void *object) { return swift_retainCount(object); }

// MARK: The hook of the global executor

typedef SWIFT_CALL void (*enqueue_function)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue_function original);

static bool (*take)(void *job);
static _Atomic(enqueue_function) enqueue_original;

static SWIFT_CALL void enqueue(void *job, enqueue_function original) {
  enqueue_original = original;
  if (!take(job)) original(job);
}

bool cvt_hook_enqueue(bool (*new_take)(void *job)) {
  // Not every SDK lists the symbol, although the runtime has it.
  enqueue_hook *hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
  if (!hook) return false;
  take = new_take;
  *hook = enqueue;
  return true;
}

void cvt_enqueue(void *job) { enqueue_original(job); }
