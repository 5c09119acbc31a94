#include "Core/RuntimeOverrides.h"
#include "Jobs/Jobs.h"

#include <stdlib.h>

// The jobs that this thread runs, and the tasks that it has begun to run in them. The runtime's own
// library runs jobs without these overrides. An actor of the outside that has work is run in a
// closure on a global queue, and not by the runtime's own code, so that the end of its job is seen.

#if defined(__linux__)

CVT_TASKS(REAL)

__thread cvt_begun_tasks cvt_begun;
static __thread const void *last_ended;

const void *cvt_last_ended(void) { return last_ended; }

void cvt_push_begun(uint32_t owner) {
  if (cvt_begun.count == cvt_begun.capacity) {
    cvt_begun.capacity = cvt_begun.capacity ? 2 * cvt_begun.capacity : 16;
    cvt_begun.owners = realloc(cvt_begun.owners, cvt_begun.capacity * sizeof(uint32_t));
    if (!cvt_begun.owners) abort();
  }
  cvt_begun.owners[cvt_begun.count++] = owner;
}

void cvt_end_begun(void) {
  while (cvt_begun.count > cvt_begun.mark) cvt_task_ended(cvt_begun.owners[--cvt_begun.count]);
}

const void *cvt_jobs_here(void) { return &cvt_begun; }

SLEEPERS_MEMORY int32_t cvt_count_tasks(const void *jobs, uint32_t scope) {
  const cvt_begun_tasks *tasks = jobs;
  int32_t count = 0;
  for (uint32_t i = 0; i < tasks->count; i++) count += tasks->owners[i] == scope;
  return count;
}

// MARK: The overrides, which the linker prefers to the functions of the runtime
// outside its library: the engine and executors of the user's own.

/// Runs a job by a call, at whose end the tasks have ended that it has begun to run.
#define RUN(job, call)                                 \
  const cvt_begun_tasks outer = cvt_begun;             \
  cvt_begun.mark = cvt_begun.count;                    \
  cvt_begun.depth++;                                   \
  call;                                                \
  last_ended = job;                                    \
  cvt_end_begun();                                     \
  cvt_begun.mark = outer.mark;                         \
  cvt_begun.depth = outer.depth;

OVERRIDE SWIFT_CALL void swift_job_run_on_task_executor(void *job, void *a, void *b) {
  RUN(job, real_swift_job_run_on_task_executor()(job, a, b))
}

OVERRIDE SWIFT_CALL void swift_job_run_on_serial_and_task_executor(
    void *job, void *a, void *b, void *c, void *d) {
  RUN(job, real_swift_job_run_on_serial_and_task_executor()(job, a, b, c, d))
}

/// Whether a task would be enqueued at its first call from its actor to itself, if it began to run
/// there on no task executor: to go to the engine's, which it prefers. Others could come between.
static bool needs_explorer(const void *actor, const void *job) {
  return actor && cvt_this_thread.explores && cvt_explorer().identity && cvt_is_task(job) &&
         cvt_prefers_executor(job);
}

OVERRIDE SWIFT_CALL void swift_job_run(void *job, void *a, void *b) {
  if (needs_explorer(a, job)) {
    cvt_executor explorer = cvt_explorer();
    return swift_job_run_on_serial_and_task_executor(
        job, a, b, (void *)explorer.identity, (void *)explorer.implementation);
  }
  RUN(job, real_swift_job_run()(job, a, b))
}

OVERRIDE SWIFT_CALL void swift_task_immediate(void *task, void *a, void *b) {
  if (atomic_load_explicit(&cvt_counting_scopes, memory_order_relaxed) > 0) cvt_adopt(task);
  if (needs_explorer(a, task)) {
    // The runtime would call its own function.
    swift_retain(task);
    return swift_job_run(task, a, b);
  }
  RUN(task, real_swift_task_immediate()(task, a, b))
}

#else

const void *cvt_jobs_here(void) { return 0; }
int32_t cvt_count_tasks(const void *jobs, uint32_t scope) { return 0; }

#endif
