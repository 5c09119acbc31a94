#pragma once

#include "Core/Runtime.h"

/// A call on the stack: the frame of its caller, and the address at which the caller goes on.
typedef struct {
  uintptr_t caller, goes_on;
} cvt_call;

/// A call is about to give a task to its executor (GivenTask.c).
void cvt_gives(void *task, const cvt_call *place);

/// The owners of the tasks that this thread has begun to run, in jobs that have not ended
/// (JobRuns.c). Those of the innermost job begin at `mark`.
typedef struct {
  uint32_t count, mark, depth, capacity, *owners;
} cvt_begun_tasks;
extern __thread cvt_begun_tasks cvt_begun CVT_FAST;

/// The innermost job runs a task of this scope.
void cvt_push_begun(uint32_t owner);
/// The tasks of the innermost job have suspended or ended.
void cvt_end_begun(void);
/// The job that this thread has ended last, if the runtime did not run it by itself.
const void *cvt_last_ended(void);
