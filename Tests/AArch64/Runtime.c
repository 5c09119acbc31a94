#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "Runtime.h"

// Stands in for the Swift runtime: a library that has the functions which CVirtualTime calls and overrides.

void (*_swift_tsan_acquire)(void *), (*_swift_tsan_release)(void *);
task *current_task;
switched last_switch;

SWIFT_CALL uint64_t swift_task_getJobTaskId(const task *task) { return task->id; }
SWIFT_CALL void *swift_task_getCurrent(void) { return current_task; }
SWIFT_CALL const char *swift_task_getCurrentTaskName(void) { return "importer"; }
SWIFT_CALL executor swift_task_getCurrentExecutor(void) { return (executor){0, 0}; }
SWIFT_CALL bool swift_task_isCancelled(void *task) { return false; }
SWIFT_CALL void *swift_task_alloc(size_t size) { return malloc(size); }
SWIFT_CALL void swift_task_dealloc(void *memory) { free(memory); }
SWIFT_CALL void swift_task_cancel(void *task) {}
void *swift_retain(void *object) { return object; }
size_t swift_retainCount(void *object) { return 1; }
void *swift_unownedRetain(void *object) { return object; }
void swift_unownedRelease(void *object) {}
void swift_stdlib_random(void *buffer, size_t size) {}

/// Calls the hook, and then lets the function of the executor take its place on the stack.
SWIFT_CALL void swift_task_enqueue(void *job, void *identity, uintptr_t implementation) {
  if (_swift_tsan_release) _swift_tsan_release(job);
  // Other registers are saved than in the function that follows.
  __asm__ volatile("" ::: "x19", "x21", "x23", "x24");
  __attribute__((musttail)) return ((SWIFT_CALL void (*)(void *, void *, uintptr_t))implementation)(
      job, identity, implementation);
}

__attribute__((swiftasynccall)) void swift_task_switch(
    __attribute__((swift_async_context)) void *context, void *resume, const void *identity,
    uintptr_t implementation) {
  last_switch = (switched){context, resume, {identity, implementation}};
}

SWIFT_CALL void swift_job_run(void *job, void *a, void *b) {
  if (_swift_tsan_acquire) _swift_tsan_acquire(job);
  last_switch.resume = job;
}

void swift_once(intptr_t *token, void (*initialiser)(void *), void *context) {
  if (*token) return;
  *token = -1;
  initialiser(context);
}
