#pragma once

// Hooks of the runtime for jobs.

#include "Tasks.h"

void cvt_install_job_hooks(void);
/// Whether the hooks have been tried and found to work. Else nothing is under way as far as is
/// known.
bool cvt_sees_jobs(void);

// The self-test of the hooks with one task: it is enqueued at an executor that runs it.
void cvt_self_test_begins(void);
/// This thread is about to run the task.
void cvt_self_test_expects(const void *_Nonnull task);
bool cvt_self_test_saw_run(const void *_Nonnull task, const void *_Nonnull class_of_tasks);
void cvt_self_test_ends(bool succeeded);
/// The task that this thread has enqueued last.
const void *_Nullable cvt_last_enqueued(void);
/// The task that this thread has cancelled last.
const void *_Nullable cvt_last_cancelled(void);
/// The task that this thread is just giving to an executor, if it is one of the scope and has not
/// begun; or null. Asked once for each task. `life`: becomes the life to which the task belongs.
cvt_task *_Nullable cvt_take_given_task(uint32_t scope, uint16_t *_Nonnull life);
