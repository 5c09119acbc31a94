#pragma once

// Threads of our own, and what other threads are doing.

#include "ThisThread.h"

// MARK: Threads of our own (Workers.c)

/// Keeps this thread from running on for so many nanoseconds.
void cvt_rest_for(int64_t duration);
/// How many processors there are.
long cvt_processors(void);
/// Whether Thread Sanitizer watches the process.
bool cvt_is_sanitized(void);
/// Runs a function on a thread that can be spared: others are made when it does not come back.
void cvt_run_on_worker(void *_Nonnull context, void (*_Nonnull function)(void *_Nonnull context));
/// Starts a thread that belongs to no scope, looks on, and never ends.
void cvt_start_thread(void (*_Nonnull function)(void));
/// Never returns.
void cvt_wait_for_ever(void) __attribute__((noreturn));

// MARK: Threads that die (MortalThreads.c)

/// Runs a function on this thread, which may die in it; returns whether it has returned. If not,
/// the thread is to end.
bool cvt_run_mortal(void (*_Nonnull function)(void *_Nonnull), void *_Nonnull context);
/// The last call of a thread that has died. May not return.
void cvt_end_dead_thread(void);
/// Whether this thread is inside of such a function.
bool cvt_is_mortal(void);
/// This thread is inside of no such function, if that is null, or again of the one for which this
/// has returned what is given. Returns what it was inside of.
void *_Nullable cvt_set_mortal(void *_Nullable function);
/// Leaves that function: the tasks that this thread runs have ended their jobs, `last` is called,
/// and nothing else on the stack comes to its end.
void cvt_die(void (*_Nullable last)(void)) __attribute__((noreturn));

// MARK: Whether a thread sleeps (OtherThreads.c)

typedef struct {
  /// Whether the thread sleeps: it neither runs nor could run, nor is being woken.
  bool sleeps;
  /// Whether it waits for a process, or for a lock of the C library.
  bool is_for_others;
  /// The thread that has the lock for which it waits, or 0 if that is unknown.
  int32_t owner;
  /// In what function of the kernel.
  char place[48];
} cvt_sleep;

/// How often a thread was given a processor; -1 if that is unknown.
int64_t cvt_turns_of(int32_t thread);
/// What the kernel says of a thread that has been given a processor so many times: if there were
/// more, it does not sleep.
cvt_sleep cvt_sleep_of(int32_t thread, int64_t turns);
/// The file under /proc/self/task, or the system call, that does not tell what is needed, or null.
/// `sleeper` is a thread that sleeps, or is about to.
const char *_Nullable cvt_missing_of_sleep(int32_t sleeper);

// MARK: What a thread is doing (OtherThreads.c)

/// Reads the beginning of a file; returns whether there is something in it.
bool cvt_read_file(const char *_Nonnull path, char *_Nonnull text, size_t capacity);
/// The kernel's number of this thread.
int32_t cvt_thread_id(void);

typedef struct {
  /// Whether the thread waits. Else it runs, or would if a processor were free.
  bool is_waiting;
  /// For how long it has run, in nanoseconds.
  int64_t processor_time;
} cvt_effort;

/// Finds out whether a thread of this process waits, and how long it has run. Returns false if
/// that cannot be found out.
bool cvt_effort_of(int32_t thread, cvt_effort *_Nonnull effort);

/// Lets a thread run only when a processor would be idle else.
void cvt_lower_priority(int32_t thread);

/// How many other threads of this process run, or would if a processor were free; those with the
/// lowest priority, and those that look on, are left out.
int32_t cvt_runnable_threads(void);
/// This thread, which never ends, looks at others now and then, and does none of the work that a
/// scope may wait for.
void cvt_looks_on(void);

// MARK: Whether a thread loses the baton (LostBaton.c)

/// The record of this thread.
cvt_baton *_Nonnull cvt_baton_here(void);

/// Whether no call on the stack of a thread that sleeps needs the baton.
bool cvt_baton_is_free(const cvt_baton *_Nonnull baton);
/// Takes the baton of a scope from a thread that sleeps and has been given a processor so many
/// times. Returns false if it needs it, or does not sleep.
bool cvt_baton_take_away(
    cvt_baton *_Nonnull baton, uint32_t scope, int32_t thread, int64_t turns);
/// How many tasks of a scope that are counted run on a thread that sleeps.
int32_t cvt_tasks_of(const cvt_baton *_Nonnull baton, uint32_t scope);
