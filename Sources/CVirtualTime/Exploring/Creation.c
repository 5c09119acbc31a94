#include "Core/RuntimeOverrides.h"

// While schedules are explored, each hop of a task onto an actor must be seen. The runtime enters
// an idle actor on the same thread and enqueues nothing, unless the task prefers an executor. So
// tasks are created with a preference for one that runs them as the engine would.
//
// `Task.immediate` and others pass an empty option if their caller names no executor, and the
// runtime takes that for a preference for none; the override fills it in. The runtime runs the jobs
// of the main actor, of actors with executors of their own, and immediate tasks on no task
// executor, and would enqueue such a task at the first call from its actor to itself. So
// `swift_job_run` and `swift_task_immediate` run it on the engine's. With a static standard
// library, the override is not called. Jobs then run as on an executor that no task prefers, which
// shows some of the hops.

#if defined(__linux__)

enum {
  in_group = 1,
  in_async_let = 2,
  in_async_let_with_buffer = 4,
  on_executor = 5,
  on_owned_executor = 6
};

/// A task executor that the task prefers.
typedef struct {
  task_option option;
  cvt_executor executor;
} executor_option;

REAL(swift_task_create)

static cvt_executor explorer;
static _Atomic bool is_called;

void cvt_set_explorer(cvt_executor executor) { explorer = executor; }
cvt_executor cvt_explorer(void) { return explorer; }
bool cvt_sees_creation(void) { return atomic_load_explicit(&is_called, memory_order_relaxed); }

/// Whether a task is made to prefer an executor, or inherits the preference of its parent.
static bool has_preference(const task_option *option) {
  for (; option; option = option->next) {
    switch (option->flags & 0xff) {
      case in_group:
      case in_async_let:
      case in_async_let_with_buffer:
      case on_executor:
      case on_owned_executor: return true;
    }
  }
  return false;
}

/// The option of a task whose caller has left out the executor. `Task.immediate` and others make
/// one all the same, and the runtime takes that for a preference for none, also in a child of a
/// task that has one.
static executor_option *empty_preference(task_option *option) {
  for (; option; option = option->next) {
    executor_option *preference = (executor_option *)option;
    if ((option->flags & 0xff) == on_owned_executor && !preference->executor.identity)
      return preference;
  }
  return 0;
}

static void (*method_begins)(void *task);
void cvt_set_method_begins(void (*function)(void *)) { method_begins = function; }

static task_and_context create_task(
    size_t flags, task_option *options, const void *type, void *start, void *context) {
  __typeof__(swift_task_create) *create = real_swift_task_create();
  if (!cvt_this_thread.explores) return create(flags, options, type, start, context);
  executor_option preference = {{on_executor, options}, explorer};
  executor_option *empty = empty_preference(options);
  if (empty) {
    preference.option.next = empty->option.next;
    *empty = preference;
  } else if (has_preference(options)) {
    return create(flags, options, type, start, context);
  } else {
    options = &preference.option;
  }
  atomic_store_explicit(&is_called, true, memory_order_relaxed);
  return create(flags, options, type, start, context);
}

OVERRIDE SWIFT_CALL task_and_context swift_task_create(
    size_t flags, task_option *options, const void *type, void *start, void *context) {
  task_and_context result = create_task(flags, options, type, start, context);
  if (cvt_this_thread.is_visitor &&
      cvt_is_in_library((uintptr_t)__builtin_return_address(0), "libXCTest"))
    method_begins(result.task);
  return result;
}

#else

void cvt_set_method_begins(void (*function)(void *)) {}
void cvt_set_explorer(cvt_executor executor) {}
bool cvt_sees_creation(void) { return false; }

#endif

// MARK: The filter of failures

/// Weak, because EscapementTesting has the definition that wins; it may not be in the program. A
/// weak reference to nothing would be shorter, but not all linkers for Apple platforms accept it.
__attribute__((weak)) SWIFT_CALL void *escapement_failure_filter_provider(void) { return 0; }

void *cvt_failure_filter_provider(void) { return escapement_failure_filter_provider(); }
