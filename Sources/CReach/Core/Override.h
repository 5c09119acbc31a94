#pragma once

// The common parts of all overrides, and the rules for them.
//
// - `rch_lock` protects all that the subjects know. Locks of the engine may be taken inside it, and
//   never around it. Swift code of the engine runs under it, so a thread that has another mutex
//   must not wait for it. No code of the user's runs under it.
// - A thread hands the baton on where it waits with `rch_wait`. It loses it where it sleeps in
//   anything else, unless `cvt_baton_keep` is on its stack: around all code but the user's, and
//   around real waits that are short.
// - Queues of the blocks that are under way are *occupied*: blocks that need them are kept in
//   `QueueOrder.c`, since libdispatch would stop their threads, which have the baton.
// - `rch_wait` is called with the lock, and returns without it. A key is an address, by which
//   threads of other scopes may wait as well: look again after each wake-up. Waits for files have
//   no key, and go on in the order in which their threads were made.
// - After `rch_woken`, an override tries again without waiting. All else is the end of a wait with
//   a limit (`ETIMEDOUT`, or 0 files). Without one, it calls the real function after `rch_ended`,
//   which waits outside of the scope; after `rch_ended_and_needed`, the main thread comes back as
//   after a signal (`EINTR`), or a wake-up without a reason.
// - Who has called `rch_wait` forgets what it has noted of the wait, and calls `rch_die_if_dead`.
//   A thread of a crashed host ends there, and nowhere else: never with what it has just got.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "CReach.h"
#include "CVirtualTime.h"
#include "Core/Overrides.h"

// `real_name()` is the original of an overridden function.
RCH_OVERRIDES(REAL)

/// How many scopes are alive whose queues and threads are virtual.
extern _Atomic int rch_scopes;

/// The scope whose code this thread runs, or 0, given that there is a scope at all.
uint32_t rch_find_scope_here(void);

/// The scope whose code this thread runs, if its queues and threads are virtual, or 0.
static inline uint32_t rch_scope_here(void) {
  return atomic_load_explicit(&rch_scopes, memory_order_relaxed) == 0 ? 0 : rch_find_scope_here();
}

/// Whether a scope is alive whose queues and threads are virtual.
bool rch_is_reached(uint32_t scope);

extern rch_engine rch_the_engine;
/// Lets the engine know something of a scope when it comes to that, on the thread that drains it:
/// the caller may have locks that others want.
void rch_notify(uint32_t scope, void (*tell)(uint32_t scope));
/// The same for a server to which code of a scope has connected, whose name has this format.
void rch_tell_of_server(uint32_t scope, rch_server server, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Protects all that the subsystems know. The engine's locks may be taken inside it. No code of the
/// user's is called under it.
extern pthread_mutex_t rch_lock;
static inline void rch_unlock(const char *guard) { pthread_mutex_unlock(&rch_lock); }
/// The value of an expression that is computed under the lock.
#define UNDER_LOCK(...)                                                    \
  ({                                                                       \
    pthread_mutex_lock(&rch_lock);                                         \
    __attribute__((cleanup(rch_unlock), unused)) const char guard_ = 0;    \
    __VA_ARGS__;                                                           \
  })

/// New memory with these contents. Without memory, the process ends.
#define NEW(type, ...)                     \
  ({                                       \
    type *new_ = malloc(sizeof *new_);     \
    if (!new_) abort();                    \
    *new_ = (type){__VA_ARGS__};           \
    new_;                                  \
  })

/// The slot of an object in a table of 2^`bits` slots. The highest bits of the product, since keys
/// on the stacks of threads differ in their higher bits alone.
static inline size_t rch_slot(const void *key, int bits) {
  return (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits);
}

// MARK: Times (Times.c)

static const int64_t rch_never = INT64_MAX;

// Code computes in the time of its machine: the scope's time, less the time for which this host of
// a network was suspended. The engine knows the difference.

/// The time of a scope, which links of a network have.
int64_t rch_time_of(uint32_t scope);
/// The time now on the machine of the code that runs, and when a clock there will have a reading.
int64_t rch_now(uint32_t scope);
int64_t rch_when(uint32_t scope, clockid_t clock, int64_t reading);
/// The time there after a duration in nanoseconds, or `rch_never`.
int64_t rch_deadline_after(uint32_t scope, int64_t duration);
/// A timeout in nanoseconds, which is `rch_never` if it is null, or negative.
int64_t rch_limit_of(const struct timespec *timeout);
int64_t rch_limit_in(int milliseconds);
/// A time of the C library in nanoseconds, and whether it is a duration that the C library takes.
int64_t rch_nanoseconds(const struct timespec *time);
bool rch_is_valid(const struct timespec *time);
static inline struct timespec rch_timespec(int64_t nanoseconds) {
  return (struct timespec){nanoseconds / 1000000000, nanoseconds % 1000000000};
}
/// Rests for a tenth of a millisecond of real time.
void rch_nap(void);
/// Rests for a moment of real time between two looks, longer after many `looks`; returns false
/// after a tenth of a second.
bool rch_rests(int looks);

// MARK: What subjects add to the core

/// The steps at the end of a scope, in this order.
typedef enum {
  rch_gives_back_threads,
  rch_drops_blocks,
  rch_hands_over_notes,
  rch_releases_threads,
  rch_forgets_files,
  rch_forgets_session,
  rch_ends_network,
  rch_releases_ports,
  rch_closes_left_files,
  rch_forgets_children,
  rch_forgets_threads,
  rch_ends,
} rch_ending;

/// The steps when a host crashes, in this order.
typedef enum {
  rch_ends_threads,
  rch_ends_sources,
  rch_ends_timers,
  rch_closes_sockets,
  rch_closes_files,
  rch_crashes,
} rch_crash_step;

/// Set before `main`, with `ADD`, by the subjects that are needed here and need what is here.
extern struct rch_hooks {
  void (*at_end[rch_ends])(uint32_t scope);
  void (*at_crash[rch_crashes])(uint32_t scope, uint16_t life);
  /// Wakes those who wait for mutexes that this thread has unlocked; under the lock.
  void (*wake_for_unlocked)(void);
  /// Whether this thread serves the process, and waits for work.
  bool (*is_idle)(void);
} rch_hooks;

#define ADD(hook, function) \
  __attribute__((constructor)) static void add_##function(void) { rch_hooks.hook = function; }

// MARK: Waiting (Waiting.c)

/// Whether this thread has the baton of the scope whose code it runs: it may wait in the scope's
/// time. Returns the scope, or 0.
uint32_t rch_may_wait(void);

typedef enum {
  rch_woken,
  rch_timed_out,
  rch_crashed,
  rch_ended,
  rch_ended_and_needed
} rch_outcome;

/// Waits without the baton for `rch_wake` with this key, up to a deadline. Called with the lock,
/// which it unlocks.
rch_outcome rch_wait(uint32_t scope, const void *key, int64_t deadline);
/// The same for a busy thread, which does nothing when it goes on but look whether its wait is
/// over.
rch_outcome rch_wait_idly(uint32_t scope, const void *key, int64_t deadline);
/// The same for a thread whose stack others use until its turn is over: it ends only after that.
rch_outcome rch_wait_for_turn(uint32_t scope, const void *key);
/// Whether the host has crashed whose code this thread runs: it ends where it waits.
bool rch_is_doomed(void);
/// Ends this thread if that is so, instead of a wait.
void rch_die_if_doomed(void);
/// Whether this thread has waited, and ends.
bool rch_is_dying(void);
/// Ends this thread if that is so. To be called after each wait, when the thread has nothing noted
/// any more.
void rch_die_if_dead(void);
/// The same; if the thread was woken before its host crashed, the next one is, in its place.
void rch_die_if_dead_at(const void *key, rch_outcome outcome);
/// How many entries wait, and how many threads wait, or wait for their turn to go on.
extern _Atomic int rch_waiting;
/// A thread of the scope does something, or has done something; and how often that was.
void rch_count_stretch(uint32_t scope);
int64_t rch_stretches(uint32_t scope);
/// Makes the first thread ready that waits for a key; under the lock. Returns whether there is one.
bool rch_wake(const void *key);
/// Wakes those who wait for mutexes that this thread has unlocked; under the lock.
void rch_wake_for_unlocked(void);
bool rch_is_awaited(const void *key);
/// The activity of a thread, as one scope sees it. A thread that waits does so in the scope's time,
/// or for its turn to go on. One that works has left such a wait for a moment, to run a job of the
/// main queue. All others run, also those that wait in another scope.
typedef enum { rch_runs, rch_waits, rch_works } rch_activity;
/// Finds the activity of a thread; under the lock.
rch_activity rch_activity_of(uint32_t scope, int32_t thread);

/// The number of this thread among those that code of scopes has made, in the order in which they
/// were made, or 0.
extern __thread int64_t rch_member_number;

// MARK: Whose code an address is (Libraries.c)

/// Whether an address is in libdispatch, whose threads and files serve all scopes.
bool rch_is_of_libdispatch(const void *address);

/// Whether it is in Foundation, without the libraries that belong to it.
bool rch_is_of_foundation(const void *address);
/// Whether it is in libdispatch or in a library of Foundation, whose files serve all scopes.
bool rch_is_of_system(const void *address);
/// Whether the code of a block is FoundationNetworking's own.
bool rch_is_of_networking(const void *block);

// MARK: Files of hosts (HostFiles.c)

/// The life of the host to which a file belongs that code at this address makes or sets, or 0.
uint16_t rch_life_of(const void *caller);
/// Code at this address has made an epoll, event or timer file, or a socket of a pair.
void rch_note_file(int file, const void *maker);
/// How event loops watch files, by the numbers of the files. To be freed.
typedef struct rch_watch rch_watch;
rch_watch *rch_find_watches(void);
/// Whether a file is watched by an event loop that the host with this life has not made.
bool rch_is_in_loop_of_other(const rch_watch *watches, uint32_t scope, uint16_t life, int file);
/// Closes a socket of a host that ends. With `watches`, if a loop of others may know its number,
/// gives the number a file that has hung up, until that loop closes it.
void rch_end_socket(const rch_watch *watches, uint32_t scope, uint16_t life, int file);
/// A file is about to be closed: others may get its number.
void rch_forget_maker(int file);

// MARK: Numbers of files (FileNumbers.c)

/// Code is about to close a file.
void rch_note_closed(int file);
/// Gives a new socket another number if the scope has closed that lately. Returns the number.
int rch_renumber(int file);

// MARK: Busy waits (BusyWaits.c)

/// How much has run in the scope: jobs, threads, and cancellations.
int64_t rch_work_done(uint32_t scope);
/// Waits without the baton until more has run in the scope than was `seen`, or until the deadline.
void rch_wait_busily(uint32_t scope, int64_t seen, int64_t deadline);
/// Whether this thread does something that must not wait.
bool rch_needs_baton(void);
/// Whether a thread of any scope is busy waiting.
bool rch_any_is_busy(void);
/// Whether one of this scope is.
bool rch_is_busy(uint32_t scope);
/// Whether one of this scope has not seen all that has run.
bool rch_has_news_for_busy(uint32_t scope);
/// Wakes the busy threads that may find that something has happened; under the lock.
void rch_wake_busy_threads(uint32_t scope);
/// Whether this thread has a lock of this package (Conditions.c).
bool rch_has_lock_of_package(void);
/// How many other mutexes the thread has locked.
///
/// A thread that has one must not wait for `rch_lock`: the thread that has that lock may call the
/// engine, whose Swift code may wait for a mutex of the runtime.
extern __thread int rch_locks_of_others;
/// Finds the lives of a scope with a thread that cannot end where it waits, since it has a lock or
/// is the test's.
void rch_find_bound_lives(uint32_t scope, bool *lives);

// MARK: Methods of XCTest (Methods.c)

/// Whether a block is to end a wait for a method that the engine has awaited; then it is not the
/// caller's any more.
bool rch_is_alarm_of_method(void *queue, void *block);
/// Ends the wait for a method that was given up, on the main thread, whose run loop is about to
/// run. Not before: XCTest traps if a wait ends before it has begun.
void rch_give_alarm_of_method(void);

// MARK: Queues (Queues.c)

/// A block that is submitted to a queue; `context` is a block if there is no function.
typedef struct rch_block rch_block;
rch_block *rch_make_block(
    uint32_t scope, void *queue, void *context, void (*function)(void *), bool is_barrier);
/// If an executor enqueues a task in this function, the block is to run it; returns the block.
rch_block *rch_take_task(rch_block *block);
void rch_submit(rch_block *block);
/// The same under the lock. Returns false if the scope has ended; then the block is the caller's.
bool rch_submit_under_lock(rch_block *block);
/// Frees a block that has run, or never will.
void rch_free_block(rch_block *block);
/// Dispatch time in the scope's.
int64_t rch_when_dispatch(uint32_t scope, uint64_t time);
/// The same time for a real function of libdispatch, where waits are real and clocks virtual.
uint64_t rch_real_dispatch_time(uint64_t time);
/// How far a time of libdispatch is ahead of this thread's clocks, in nanoseconds.
int64_t rch_rest_of_dispatch(uint64_t time);
