#pragma once

// What virtual time needs and Swift cannot say: a thread-local, an override of a libc function, and
// the calls of the Swift runtime that have no Swift spelling.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

// The functions of the C targets have a section of their own, so that reports can leave them out.
#if defined(__linux__)
#pragma clang section text = "escapement_c"
#endif

#include "Counters.h"
#include "Threads.h"

// MARK: Clocks (Clocks.c)

/// The readings of one scope's clocks. Lives for ever, so that any thread may look at any time.
typedef struct {
  /// The scope that uses this record, or 0.
  _Atomic uint32_t scope;
  /// Nanoseconds since the scope began.
  _Atomic int64_t elapsed;
  /// The readings of the clocks when the scope began, in nanoseconds.
  int64_t realtime, monotonic, boottime;
  /// Whether code of the scope reads these clocks, or the real ones.
  bool isVirtual;
  /// How far each reading moves the clocks on, and how far all of them have: the clocks are ahead
  /// of the scope's time by that much.
  int64_t tick;
  _Atomic int64_t ticked;
} cvt_clocks;

/// How many scopes can be alive at once.
enum { cvt_max_scopes = 4096 };

/// The clocks of the scope with this number, which may have ended.
cvt_clocks *_Nonnull cvt_clocks_of(uint32_t scope);

/// Whether a scope that is alive has its place in the table where this one would have it.
bool cvt_clocks_taken(uint32_t scope);

/// Starts the clocks of a scope. The wall clock is given, the others go on from their real reading.
void cvt_clocks_begin(uint32_t scope, int64_t realtime, bool is_virtual, int64_t tick);
void cvt_clocks_end(uint32_t scope);
/// Whether the scope that this thread drains has ended without it.
bool cvt_is_lost(void);
/// Stops a thread whose scope has ended without it.
void cvt_rest_if_lost(void);

/// The real reading of the monotonic clock, in nanoseconds.
int64_t cvt_uptime(void);
/// The real reading of a clock, in nanoseconds.
int64_t cvt_real_nanoseconds(clockid_t clock);
/// Whether the clocks that this thread's code reads are virtual.
bool cvt_reads_virtual_clocks(void);

/// The clocks of `ContinuousClock`, which goes on while the machine is suspended, and of
/// `SuspendingClock`.
#if defined(__linux__)
enum { cvt_continuous_clock = CLOCK_BOOTTIME, cvt_suspending_clock = CLOCK_MONOTONIC };
#else
enum { cvt_continuous_clock = CLOCK_MONOTONIC_RAW, cvt_suspending_clock = CLOCK_MONOTONIC };
#endif

/// The reading of a clock at the beginning of the scope, moved on by its ticks. Returns false for a
/// clock whose time is real.
bool cvt_clocks_base(const cvt_clocks *_Nonnull clocks, clockid_t clock, int64_t *_Nonnull base);

static inline int64_t cvt_clocks_elapsed(const cvt_clocks *_Nonnull clocks) {
  return __c11_atomic_load(&clocks->elapsed, __ATOMIC_ACQUIRE);
}
/// Whether these clocks are the scope's. If so, that what was read of them before is, too.
static inline bool cvt_clocks_are_taken(const cvt_clocks *_Nonnull clocks, uint32_t scope) {
  return __c11_atomic_load(&clocks->scope, __ATOMIC_ACQUIRE) == scope;
}
static inline void cvt_clocks_set_elapsed(cvt_clocks *_Nonnull clocks, int64_t elapsed) {
  __c11_atomic_store(&clocks->elapsed, elapsed, __ATOMIC_RELEASE);
}

// MARK: This thread (Thread.c)

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
  /// Whether this is the main thread, which runs a test in the scope, and whether it awaits a
  /// method of the test.
  bool is_visitor, awaits_method;
} cvt_thread;

// It is read on every enqueue and every reading of a clock, hence without a call.
#if defined(__linux__)
extern __thread cvt_thread cvt_this_thread __attribute__((tls_model("initial-exec")));
#else
extern __thread cvt_thread cvt_this_thread;
#endif

/// What this thread is doing.
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
/// The same if it is the current task that has waited.
void cvt_clocks_return_of_task(void);
/// How far the clocks of the code that runs have moved on by its waits in real time.
int64_t cvt_waited(void);
/// Keeps this thread from running on for so many nanoseconds.
void cvt_rest_for(int64_t duration);
static inline bool cvt_thread_is_visitor(void) { return cvt_this_thread.is_visitor; }
static inline void cvt_thread_awaits_method(bool awaits) { cvt_this_thread.awaits_method = awaits; }
static inline void cvt_thread_set_explores(bool explores) { cvt_this_thread.explores = explores; }
/// How many processors there are.
long cvt_processors(void);
/// Whether Thread Sanitizer watches the process.
bool cvt_is_sanitized(void);
/// Runs a function on a thread that can be spared: others are made when it does not come back.
void cvt_run_on_lane(void *_Nonnull context, void (*_Nonnull function)(void *_Nonnull context));
/// Starts a thread that belongs to no scope, looks on, and never ends.
void cvt_start_thread(void (*_Nonnull function)(void));
/// Never returns.
void cvt_wait_for_ever(void) __attribute__((noreturn));

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

#if defined(__linux__)
extern __thread cvt_busy_wait cvt_this_busy_wait __attribute__((tls_model("initial-exec")));
#else
extern __thread cvt_busy_wait cvt_this_busy_wait;
#endif

/// This thread does not wait busily, or not any more.
static inline void cvt_end_busy_wait(void) {
  cvt_this_busy_wait = (cvt_busy_wait)cvt_no_busy_wait;
}
/// What is called when a thread has read virtual clocks as often as it may.
void cvt_set_reads_often(void (*_Nonnull function)(void));

/// Notes the job that this thread is about to run for its scope.
static inline void cvt_begin_job(void *_Nullable job, cvt_counter *_Nonnull jobs) {
  cvt_this_thread.job = job;
  cvt_this_thread.job_frame = __builtin_frame_address(0);
  cvt_clocks_return();
  cvt_end_busy_wait();
  cvt_count_up(jobs);
}

// MARK: Whether this thread has lost the baton of its scope (Baton.c)

/// What another thread has to know to take the baton from this one while it sleeps.
typedef struct {
  /// How many calls on the stack need the baton. While there are any, it stays.
  _Atomic uint32_t kept;
  /// Whether the baton was taken away. The thread asks for it before it does anything that needs
  /// it.
  _Atomic bool is_lost;
  const cvt_thread *_Nullable thread;
  const void *_Nullable jobs;
  /// The blocks of queues that the thread is inside of.
  void *_Nullable blocks;
} cvt_baton;

#if defined(__linux__)
extern __thread cvt_baton cvt_this_baton __attribute__((tls_model("initial-exec")));
#else
extern __thread cvt_baton cvt_this_baton;
#endif

/// The record of this thread.
cvt_baton *_Nonnull cvt_baton_here(void);

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

/// What asks for the baton of a scope, and waits for it.
void cvt_set_regain(void (*_Nonnull function)(uint32_t scope));
void cvt_baton_regain(void);
/// If this thread has lost the baton, and does not need it in a call that is on the stack: asks for
/// it, and waits until it comes back or the scope has ended.
static inline void cvt_baton_come_back(void) {
  if (__builtin_expect(cvt_baton_is_lost(), false) &&
      __c11_atomic_load(&cvt_this_baton.kept, __ATOMIC_RELAXED) == 0)
    cvt_baton_regain();
}

/// Whether no call on the stack of a thread that sleeps needs the baton.
bool cvt_baton_is_free(const cvt_baton *_Nonnull baton);
/// Takes the baton of a scope from a thread that sleeps and has been given a processor so many
/// times. Returns false if it needs it, or does not sleep.
bool cvt_baton_take_away(
    cvt_baton *_Nonnull baton, uint32_t scope, int32_t thread, int64_t turns);
/// How many tasks of a scope that are counted run on a thread that sleeps.
int32_t cvt_tasks_of(const cvt_baton *_Nonnull baton, uint32_t scope);

// MARK: What is known of each task (Tasks.c)

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

// MARK: What is printed when the process dies (LastWords.c)

/// Prints a text on standard error if a signal kills the process; returns its place, or -1 if there
/// are too many.
int cvt_keep_last_words(const char *_Nonnull text);
/// Does not print the text at this place any more.
void cvt_forget_last_words(int place);

// MARK: Whose task it is, and how many are under way (Ownership.c)

/// What Swift is told of tasks. Called on any thread, never under a lock.
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

// MARK: What the runtime tells of jobs (Jobs.c)

void cvt_install_job_hooks(void);
/// Whether the hooks have been tried and found to work. Else nothing is under way as far as is
/// known.
bool cvt_sees_jobs(void);

// The trial of the hooks with one task: it is enqueued at an executor that runs it.
void cvt_trial_begins(void);
bool cvt_trial_saw_enqueue(const void *_Nonnull task);
/// This thread is about to run the task.
void cvt_trial_expects(const void *_Nonnull task);
bool cvt_trial_saw_run(const void *_Nonnull task, const void *_Nonnull class_of_tasks);
void cvt_trial_ends(bool succeeded);
const void *_Nonnull cvt_class_of(const void *_Nonnull object);
/// The task that this thread has enqueued last.
const void *_Nullable cvt_last_enqueued(void);
/// The task that this thread has cancelled last.
const void *_Nullable cvt_last_cancelled(void);
/// The task that this thread is just giving to an executor, if it is one of the scope and has not
/// begun; or null. Asked once for each task.
cvt_task *_Nullable cvt_take_given_task(uint32_t scope);

#include "Runtime.h"
