#include "Jobs/Jobs.h"

// Hooks that the runtime calls when it enqueues a task, and when a job begins, on any thread.
// JobRuns.c sees the end of a job that code outside the runtime's own library has run.
//
// Two variables of the runtime are meant for Thread Sanitizer; its own hooks are called as well.
// From which function a hook was called tells enqueues and beginnings from the rest. When the first
// scope starts, `SelfTest` looks whether each point sees a known task. If one does not, as with a
// static standard library, a warning says so, and no work on other threads is known.

#if defined(__linux__)

// The runtime calls these, if they are set, to tell Thread Sanitizer what happens before what.
typedef void (*tsan_hook)(void *address);
extern tsan_hook _swift_tsan_acquire, _swift_tsan_release;

static _Atomic(tsan_hook) former_acquire, former_release;
static void *_Atomic class_of_tasks;
/// The place in the runtime that calls the hook when a job begins; learnt in the self-test.
static _Atomic uintptr_t run_call;
/// How long these functions of the runtime are.
static _Atomic uintptr_t size_of_enqueue, size_of_switch, size_of_cancel;
static _Atomic bool works;

/// The observations of the self-test on this thread.
static __thread struct {
  const void *expected, *enqueued, *begun, *cancelled;
  uintptr_t call;
} seen;

static bool is_between_tasks(void) { return !cvt_current_task(); }

// MARK: The hooks

// The hooks are called by all of the runtime, also while it holds locks of its own. From where,
// tells what has happened.

static bool is_inside(uintptr_t caller, uintptr_t function, uintptr_t size) {
  return caller - function < size;
}

static uintptr_t size(const _Atomic uintptr_t *size) {
  return atomic_load_explicit(size, memory_order_relaxed);
}

/// The runtime lets go of a job, a task, an actor, or something else.
static void on_release(void *address) {
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  if (atomic_load_explicit(&cvt_counting_scopes, memory_order_relaxed) > 0) {
    if (is_inside(caller, (uintptr_t)&swift_task_enqueue, size(&size_of_enqueue))) {
      seen.enqueued = address;
      if (cvt_is_task(address)) {
        cvt_task_enqueued(address);
        cvt_gives(address, *(const cvt_call *const *)__builtin_frame_address(0));
      }
    } else if (cvt_begun.count && cvt_begun.depth == 0 && is_between_tasks() &&
               is_inside(caller, (uintptr_t)&swift_task_enqueue, 0x2000) &&
               *(void **)address != atomic_load_explicit(&class_of_tasks, memory_order_relaxed)) {
      // An actor is let go that this thread has run since before the first scope.
      cvt_end_begun();
    }
  }
  tsan_hook former = atomic_load_explicit(&former_release, memory_order_acquire);
  if (former) former(address);
}

/// The runtime takes up a job, an actor, a task, or something else.
static void on_acquire(void *address) {
  tsan_hook former = atomic_load_explicit(&former_acquire, memory_order_acquire);
  if (former) former(address);
  if (atomic_load_explicit(&cvt_counting_scopes, memory_order_relaxed) <= 0 || !address) return;
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  uintptr_t run = atomic_load_explicit(&run_call, memory_order_relaxed);
  if (!run) {
    if (!seen.begun && address == seen.expected) {
      seen.begun = address;
      seen.call = caller;
    }
  } else if (caller != run) {
    // A task that goes from actor to actor may never suspend.
    if (cvt_this_thread.scope && is_inside(caller, cvt_task_switch(), size(&size_of_switch)))
      cvt_task_goes_on();
    else if (is_inside(caller, (uintptr_t)&swift_task_cancel, size(&size_of_cancel)))
      cvt_task_cancelled((void *)(seen.cancelled = address));
  } else if (cvt_is_task(address)) {
    // The tasks that this thread ran before in the same job have suspended or ended.
    if (is_between_tasks()) cvt_end_begun();
    uint32_t owner = cvt_task_begins(address);
    if (owner) cvt_push_begun(owner);
    if (owner && cvt_state_of_task(address) != cvt_life_runs) cvt_turn_away(address);
  }
}

// MARK: The self-test

void cvt_install_job_hooks(void) {
  atomic_store(&size_of_enqueue, cvt_code_size((uintptr_t)&swift_task_enqueue, 0x100));
  atomic_store(&size_of_switch, cvt_code_size(cvt_task_switch(), 0x300));
  atomic_store(&size_of_cancel, cvt_code_size((uintptr_t)&swift_task_cancel, 0x100));
  atomic_store(&former_acquire, _swift_tsan_acquire);
  atomic_store(&former_release, _swift_tsan_release);
  _swift_tsan_acquire = on_acquire;
  _swift_tsan_release = on_release;
}

void cvt_self_test_begins(void) { atomic_fetch_add(&cvt_counting_scopes, 1); }

void cvt_self_test_ends(bool succeeded) {
  atomic_store(&works, succeeded);
  atomic_fetch_sub(&cvt_counting_scopes, 1);
}

void cvt_self_test_expects(const void *task) {
  seen.expected = task;
  seen.begun = 0;
}

bool cvt_self_test_saw_run(const void *task, const void *class) {
  bool succeeded = seen.begun == task && cvt_last_ended() == task;
  if (succeeded) {
    atomic_store(&class_of_tasks, (void *)class);
    atomic_store(&run_call, seen.call);
  }
  return succeeded;
}

bool cvt_sees_jobs(void) { return atomic_load_explicit(&works, memory_order_relaxed); }

const void *cvt_last_enqueued(void) { return seen.enqueued; }
const void *cvt_last_cancelled(void) { return seen.cancelled; }

#else

void cvt_install_job_hooks(void) {}
void cvt_self_test_begins(void) {}
void cvt_self_test_ends(bool succeeded) {}
void cvt_self_test_expects(const void *task) {}
bool cvt_self_test_saw_run(const void *task, const void *class) { return false; }
bool cvt_sees_jobs(void) { return false; }
const void *cvt_last_enqueued(void) { return 0; }
const void *cvt_last_cancelled(void) { return 0; }

#endif
