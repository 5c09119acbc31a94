#pragma once

// The shared state of this target, and its rules.
//
// - No lock: the runtime calls the hooks and overrides on any thread, and under locks of its own.
//   Shared variables are atomic. Swift gets its events (`cvt_owner_events`) on any thread.
// - Tables hold the record of each scope, at its number modulo `cvt_max_scopes`, for ever. A reader
//   compares the number of the scope that has the place: it may be another one.
// - `ThisThread.h` has the record of a thread. Another thread reads it only while the thread
//   sleeps, and by way of the kernel, since the thread may end.
// - A folder uses only those before it: Core, Tasks, Clocks, Exploring, Jobs, Threads, Diagnosis.

// This header is the first that a file includes, or one that includes it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdatomic.h>

#include "CVirtualTime.h"

/// Reads what a thread has written that sleeps, which Thread Sanitizer takes for a race.
#define SLEEPERS_MEMORY __attribute__((no_sanitize("thread")))

// MARK: Memory and code (Addresses.c)

/// How long a function is; `guess` in a program whose table of symbols does not say it, as one that
/// is linked statically.
uintptr_t cvt_code_size(uintptr_t function, uintptr_t guess);

/// An address of code that was on the stack, without what a processor adds to sign it: AArch64 has
/// the signature in the bits above those of a user's address.
static inline uintptr_t cvt_code_address(uintptr_t address) {
#if defined(__aarch64__)
  return address & (UINT64_C(1) << 48) - 1;
#else
  return address;
#endif
}

/// Copies memory that another thread may have freed; returns whether it is there.
bool cvt_copy_memory(const void *from, void *to, size_t size);

// MARK: Whose task it is (Ownership.c)

/// How many scopes are alive, or have left tasks. While there are none, the hooks do nothing.
extern _Atomic int cvt_counting_scopes;
/// How many scopes have left tasks.
extern _Atomic int cvt_late_scopes;

void cvt_task_enqueued(void *task);
/// A task begins to run. Returns its owner if it was counted when it was enqueued, else 0.
uint32_t cvt_task_begins(void *task);
/// The running task does something that is not a suspension.
void cvt_task_goes_on(void);
/// Whether the current task must not go on: its scope has ended, and it has used up what it may run
/// since. Counts.
bool cvt_is_let_go(void);
/// The life of a host to which a task belongs (TaskTable.c), or null if there is no place for it;
/// `create` makes one.
_Atomic uint16_t *cvt_task_life(uint64_t task_id, bool create);
/// A new task belongs to the life whose code has made it (Hosts.c).
void cvt_inherit_life(const void *task);
/// How many lives of hosts are stopped (Hosts.c).
extern _Atomic int cvt_stopped_lives;
/// A task whose life is stopped is about to run: it goes to the waiting room instead (Arrivals.c).
void cvt_turn_away(void *task);
/// A task is marked as cancelled, and its handlers are about to be called.
void cvt_task_cancelled(void *task);
/// A task of the scope that was counted runs no more.
void cvt_task_ended(uint32_t scope);

// MARK: Clocks (Clocks.c)

/// How many scopes with virtual standard clocks are alive. While none is, reading a clock costs a
/// load more than without this library.
extern _Atomic int cvt_virtual_scopes;

/// The virtual clocks that this thread's code is to read, or null.
cvt_clocks *cvt_current_clocks(void);

// MARK: Schedules (Creation.c, Arrivals.c)

/// The executor that new tasks prefer on threads that explore.
cvt_executor cvt_explorer(void);
/// The beginning of the runtime's `swift_task_switch`.
uintptr_t cvt_task_switch(void);

// MARK: Jobs (JobRuns.c)

/// The tasks that this thread has begun to run, in jobs that have not ended.
const void *cvt_jobs_here(void);
/// How many of them are of a scope, and counted. The thread must be this one, or sleep.
int32_t cvt_count_tasks(const void *jobs, uint32_t scope);
