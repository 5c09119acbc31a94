#pragma once

// Functions of the Swift runtime that no header declares.

#include "Core/Internal.h"

#define SWIFT_ASYNC_CALL __attribute__((swiftasynccall))
#define ASYNC_CONTEXT __attribute__((swift_async_context))

typedef SWIFT_ASYNC_CALL void (*resume_function)(ASYNC_CONTEXT void *context);

/// The runtime's `TaskOptionRecord`; the lowest byte of the flags is its kind.
typedef struct task_option {
  size_t flags;
  struct task_option *next;
} task_option;

typedef struct {
  void *task, *context;
} task_and_context;

extern void *swift_retain(void *object);
extern size_t swift_retainCount(void *object);
// An unowned reference keeps the memory of an object, and not the object.
extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);
extern void swift_stdlib_random(void *buffer, size_t size);
extern SWIFT_CALL uint64_t swift_task_getJobTaskId(const void *job);
extern SWIFT_CALL void *swift_task_getCurrent(void);
// Weak, since the runtime of systems before macOS 26 does not have it.
extern SWIFT_CALL const char *swift_task_getCurrentTaskName(void) __attribute__((weak));
extern SWIFT_CALL cvt_executor swift_task_getCurrentExecutor(void);
extern SWIFT_CALL void swift_task_cancel(void *task);
extern SWIFT_CALL bool swift_task_isCancelled(void *task);
extern SWIFT_CALL void *swift_task_alloc(size_t size);
extern SWIFT_CALL void swift_task_dealloc(void *memory);
extern SWIFT_CALL void swift_task_enqueue(void *job, void *identity, uintptr_t implementation);

// Overridden functions. Two arguments are an executor, or null.

/// Creates a task.
SWIFT_CALL task_and_context swift_task_create(
    size_t flags, task_option *options, const void *type, void *start, void *context);
/// Lets the current task go on on an executor.
SWIFT_ASYNC_CALL void swift_task_switch(
    ASYNC_CONTEXT void *context, resume_function resume, const void *identity,
    uintptr_t implementation);
/// Run a job on the executor of an actor, on one that its task prefers, or on both.
SWIFT_CALL void swift_job_run(void *job, void *a, void *b);
SWIFT_CALL void swift_job_run_on_task_executor(void *job, void *a, void *b);
SWIFT_CALL void swift_job_run_on_serial_and_task_executor(
    void *job, void *a, void *b, void *c, void *d);
/// Begins to run a new task at once on the executor of its actor, inside the job of its creator.
SWIFT_CALL void swift_task_immediate(void *task, void *a, void *b);
/// Runs the initialiser of a global or a static property, once.
void swift_once(intptr_t *token, void (*initialiser)(void *), void *context);
