#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "CVirtualTime.h"
#include "Internal.h"

// What the runtime tells of jobs: when a task is enqueued anywhere, when a job begins on any
// thread, and when one has ended that was run by code outside the runtime's own library.
//
// The functions are defined in the program, and the linker prefers that to a shared library's. The
// two variables are meant for Thread Sanitizer; its own hooks are called as well. From which
// function a hook was called tells enqueues and beginnings from the rest. When the first scope
// starts, `Trial` looks whether a known task is seen at each point. If it is not, as with a static
// standard library, a warning says so, and nothing is known to be under way on other threads.
//
// An actor of the outside that has work is run in a closure on a global queue, and not by the
// runtime's own code, so that the end of its job is seen.

#if defined(__linux__)

extern SWIFT_CALL void swift_task_enqueue(void *job, void *identity, uintptr_t implementation);
extern SWIFT_CALL void swift_task_cancel(void *task);
extern void *swift_retain(void *object);

// The runtime calls these, if they are set, to tell Thread Sanitizer what happens before what.
typedef void (*tsan_hook)(void *address);
extern tsan_hook _swift_tsan_acquire, _swift_tsan_release;

static _Atomic(tsan_hook) former_acquire, former_release;
static void *_Atomic class_of_tasks;
/// Where the runtime calls the hook when it begins to run a job; learnt in the trial.
static _Atomic uintptr_t run_call;
/// How long these functions of the runtime are.
static _Atomic uintptr_t size_of_enqueue, size_of_switch, size_of_cancel;
static _Atomic bool works;

/// The observations of the trial on this thread.
static __thread struct {
  const void *expected, *enqueued, *begun, *ended, *cancelled;
  uintptr_t call;
} seen;

/// What a call has on the stack: the frame of its caller, and where that goes on.
typedef struct {
  uintptr_t caller, goes_on;
} call;

/// The task that this thread has enqueued last, until somebody has asked for it, and the call that
/// did so.
static __thread struct {
  uint64_t id;
  const call *place;
  call call;
} given;

static void gives(void *task, const call *place) {
  given.id = cvt_task_id(task);
  given.place = place;
  given.call = (call){place->caller, cvt_code_address(place->goes_on)};
}

#if defined(__x86_64__)

// A function keeps the frame of its caller where the one had it whose place it takes.

static bool may_be_giving(const call *here) {
  return here < given.place && memcmp(given.place, &given.call, sizeof given.call) == 0;
}

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *result) {
  if (_Unwind_GetCFA(context) < (uintptr_t)(given.place + 1)) return _URC_NO_REASON;
  *(bool *)result = _Unwind_GetIP(context) == given.call.goes_on;
  return _URC_END_OF_STACK;
}

#else

// On AArch64, that place depends on how many registers a function saves. The frame of the caller
// tells which call it is.

static bool may_be_giving(const call *here) { return (uintptr_t)here < given.call.caller; }

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *result) {
  enum { frame_register = 29 };
  *(bool *)result = _Unwind_GetIP(context) == given.call.goes_on &&
                    _Unwind_GetGR(context, frame_register) == given.call.caller;
  bool is_older = _Unwind_GetCFA(context) > given.call.caller;
  return *(bool *)result || is_older ? _URC_END_OF_STACK : _URC_NO_REASON;
}

#endif

/// Whether this thread is still inside the call that has enqueued the task. By now, the function of
/// the executor has taken its place on the stack.
static bool is_giving(void) {
  if (!may_be_giving(__builtin_frame_address(0))) return false;
  bool result = false;
  _Unwind_Backtrace(visit, &result);
  return result;
}

cvt_task *cvt_take_given_task(uint32_t scope) {
  if (!given.id) return 0;
  cvt_task *record = is_giving() ? cvt_task_record(given.id, false) : 0;
  given.id = 0;
  return record && cvt_owner(record) == scope && cvt_is_counted(record) ? record : 0;
}

// MARK: Jobs that have not ended

/// The owners of the tasks that this thread has begun to run, in jobs that have not ended. Those of
/// the innermost job begin at `mark`.
typedef struct { uint32_t count, mark, depth, capacity, *owners; } begun_tasks;
static __thread begun_tasks begun;

static void push(uint32_t owner) {
  if (begun.count == begun.capacity) {
    begun.capacity = begun.capacity ? 2 * begun.capacity : 16;
    begun.owners = realloc(begun.owners, begun.capacity * sizeof(uint32_t));
    if (!begun.owners) abort();
  }
  begun.owners[begun.count++] = owner;
}

static void end_all(void) {
  while (begun.count > begun.mark) cvt_task_ended(begun.owners[--begun.count]);
}

const void *cvt_jobs_here(void) { return &begun; }

SLEEPERS_MEMORY int32_t cvt_count_tasks(const void *jobs, uint32_t scope) {
  const begun_tasks *tasks = jobs;
  int32_t count = 0;
  for (uint32_t i = 0; i < tasks->count; i++) count += tasks->owners[i] == scope;
  return count;
}

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
        gives(address, *(const call *const *)__builtin_frame_address(0));
      }
    } else if (begun.count && begun.depth == 0 && is_between_tasks() &&
               is_inside(caller, (uintptr_t)&swift_task_enqueue, 0x2000) &&
               *(void **)address != atomic_load_explicit(&class_of_tasks, memory_order_relaxed)) {
      // An actor is let go that this thread has run since before the first scope.
      end_all();
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
    // What this thread ran before in the same job has suspended or ended.
    if (is_between_tasks()) end_all();
    uint32_t owner = cvt_task_begins(address);
    if (owner) push(owner);
  }
}

// MARK: The trial

void cvt_install_job_hooks(void) {
  atomic_store(&size_of_enqueue, cvt_code_size((uintptr_t)&swift_task_enqueue, 0x100));
  atomic_store(&size_of_switch, cvt_code_size(cvt_task_switch(), 0x300));
  atomic_store(&size_of_cancel, cvt_code_size((uintptr_t)&swift_task_cancel, 0x100));
  atomic_store(&former_acquire, _swift_tsan_acquire);
  atomic_store(&former_release, _swift_tsan_release);
  _swift_tsan_acquire = on_acquire;
  _swift_tsan_release = on_release;
}

void cvt_trial_begins(void) { atomic_fetch_add(&cvt_counting_scopes, 1); }

void cvt_trial_ends(bool succeeded) {
  atomic_store(&works, succeeded);
  atomic_fetch_sub(&cvt_counting_scopes, 1);
}

bool cvt_trial_saw_enqueue(const void *task) { return seen.enqueued == task; }

void cvt_trial_expects(const void *task) {
  seen.expected = task;
  seen.begun = seen.ended = 0;
}

bool cvt_trial_saw_run(const void *task, const void *class) {
  bool succeeded = seen.begun == task && seen.ended == task;
  if (succeeded) {
    atomic_store(&class_of_tasks, (void *)class);
    atomic_store(&run_call, seen.call);
  }
  return succeeded;
}

bool cvt_sees_jobs(void) { return atomic_load_explicit(&works, memory_order_relaxed); }

const void *cvt_last_enqueued(void) { return seen.enqueued; }
const void *cvt_last_cancelled(void) { return seen.cancelled; }

// MARK: The overrides, which the linker prefers to the functions of the runtime
// outside its library: the engine and executors of the user's own. Weak, because the static library
// has a second definition, which then wins.

typedef struct { uint32_t mark, depth; } outer_job;

static outer_job job_begins(void) {
  outer_job outer = {begun.mark, begun.depth};
  begun.mark = begun.count;
  begun.depth++;
  return outer;
}

static void job_ended(void *job, outer_job outer) {
  seen.ended = job;
  end_all();
  begun.mark = outer.mark;
  begun.depth = outer.depth;
}

__attribute__((weak)) SWIFT_CALL void swift_job_run_on_task_executor(void *job, void *a, void *b) {
  REAL("swift_job_run_on_task_executor")
  outer_job outer = job_begins();
  ((SWIFT_CALL void (*)(void *, void *, void *))function)(job, a, b);
  job_ended(job, outer);
}

__attribute__((weak)) SWIFT_CALL void swift_job_run_on_serial_and_task_executor(
    void *job, void *a, void *b, void *c, void *d) {
  REAL("swift_job_run_on_serial_and_task_executor")
  outer_job outer = job_begins();
  ((SWIFT_CALL void (*)(void *, void *, void *, void *, void *))function)(job, a, b, c, d);
  job_ended(job, outer);
}

/// Whether a task would be enqueued at its first call from its actor to itself, if it began to run
/// there on no task executor: to go to the engine's, which it prefers. Others could come between.
static bool needs_explorer(const void *actor, const void *job) {
  return actor && cvt_this_thread.explores && cvt_explorer().identity && cvt_is_task(job) &&
         cvt_prefers_executor(job);
}

/// `a` and `b` are the executor of an actor, or null.
__attribute__((weak)) SWIFT_CALL void swift_job_run(void *job, void *a, void *b) {
  REAL("swift_job_run")
  if (needs_explorer(a, job)) {
    cvt_executor explorer = cvt_explorer();
    return swift_job_run_on_serial_and_task_executor(
        job, a, b, (void *)explorer.identity, (void *)explorer.implementation);
  }
  outer_job outer = job_begins();
  ((SWIFT_CALL void (*)(void *, void *, void *))function)(job, a, b);
  job_ended(job, outer);
}

/// Begins to run a new task at once, inside the job of its creator; `a` and `b` are the executor of
/// its actor, or null.
__attribute__((weak)) SWIFT_CALL void swift_task_immediate(void *task, void *a, void *b) {
  REAL("swift_task_immediate")
  if (atomic_load_explicit(&cvt_counting_scopes, memory_order_relaxed) > 0) cvt_adopt(task);
  if (needs_explorer(a, task)) {
    // The runtime would call its own function.
    swift_retain(task);
    return swift_job_run(task, a, b);
  }
  outer_job outer = job_begins();
  ((SWIFT_CALL void (*)(void *, void *, void *))function)(task, a, b);
  job_ended(task, outer);
}

/// What `swift_once` does. The static library has its own in a file of its own, which the linker
/// leaves out, since ours is there.
static void once(intptr_t *token, void (*initialiser)(void *), void *context) {
  enum { fresh, running, done = -1 };
  _Atomic int *state = (_Atomic int *)token;
  int expected = fresh;
  if (atomic_compare_exchange_strong(state, &expected, running)) {
    initialiser(context);
    atomic_store(state, done);
  } else {
    while (atomic_load(state) != done) sched_yield();
  }
}

/// Runs the initialiser of a global or a static property, once.
__attribute__((weak)) void swift_once(intptr_t *token, void (*initialiser)(void *), void *context) {
  REAL("swift_once")
  if (!function) function = (void *)once;
  cvt_this_thread.initialisers++;
  ((void (*)(intptr_t *, void (*)(void *), void *))function)(token, initialiser, context);
  cvt_this_thread.initialisers--;
}

#else

void cvt_install_job_hooks(void) {}
void cvt_trial_begins(void) {}
void cvt_trial_ends(bool succeeded) {}
bool cvt_trial_saw_enqueue(const void *task) { return false; }
void cvt_trial_expects(const void *task) {}
bool cvt_trial_saw_run(const void *task, const void *class) { return false; }
bool cvt_sees_jobs(void) { return false; }
const void *cvt_jobs_here(void) { return 0; }
int32_t cvt_count_tasks(const void *jobs, uint32_t scope) { return 0; }
const void *cvt_last_enqueued(void) { return 0; }
const void *cvt_last_cancelled(void) { return 0; }
cvt_task *cvt_take_given_task(uint32_t scope) { return 0; }

#endif

const void *cvt_class_of(const void *object) { return *(void **)object; }
