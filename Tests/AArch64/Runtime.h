#pragma once

#include <stddef.h>
#include <stdint.h>

#define SWIFT_CALL __attribute__((swiftcall))

/// A task of the runtime: its flags are the fifth word.
typedef struct {
  void *words[4];
  uint64_t flags;
  uint64_t id;
} task;

typedef struct {
  const void *identity;
  uintptr_t implementation;
} executor;

/// What the runtime's `swift_task_switch` was called with.
typedef struct {
  void *context;
  void *resume;
  executor executor;
} switched;

extern task *current_task;
extern switched last_switch;

SWIFT_CALL void swift_task_enqueue(void *job, void *identity, uintptr_t implementation);
SWIFT_CALL void swift_job_run(void *job, void *a, void *b);
void swift_once(intptr_t *token, void (*initialiser)(void *), void *context);
