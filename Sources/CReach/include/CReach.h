#pragma once

// Work that is not a task's, in virtual time: blocks on queues, threads, and what they wait for.
//
// This target overrides functions of libdispatch and of the C library; each file is a subsystem.
// The seam to the engine is below: a subsystem puts *entries* into the ready queue and the timer
// queue of a scope, and *parks* threads. It needs to know nothing else of the engine, nor the
// engine of it.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CVirtualTime.h"
#include "Network.h"

// MARK: Entries

/// The description of an entry in reports.
typedef struct {
  /// Its kind, such as "a block". Null if it is the engine's own.
  const char *_Nullable what;
  /// The label of its queue, which lives as long as the entry.
  const char *_Nullable queue;
  bool queue_is_suspended;
  /// The function of the user's that it calls, or 0.
  uint64_t code;
  /// The thread that goes on with it, or 0.
  int32_t thread;
} rch_work;

/// The thread on which an entry of the ready queue runs.
typedef enum {
  /// On whatever thread drains the scope. Must return soon.
  rch_anywhere,
  /// On a thread that can be spared. May run code of the user's.
  rch_on_worker,
  /// On the main queue. May run code of the user's.
  rch_on_main,
  /// On a thread of its own, which waits for it: the scope is drained there from now on.
  rch_on_own_thread,
} rch_place;

/// Work of a scope that is not a task. Part of a larger object, whose memory it does not manage.
typedef struct rch_entry rch_entry;
struct rch_entry {
  /// Runs on the thread that has the scope's baton.
  void (*_Nonnull run)(rch_entry *_Nonnull entry);
  /// The scope has ended before the entry could run.
  void (*_Nonnull drop)(rch_entry *_Nonnull entry);
  rch_place place;
  /// The scope's number.
  uint32_t scope;
  /// Says what the entry is; null if it is the engine's own.
  rch_work (*_Nullable tell)(const rch_entry *_Nonnull entry);
  /// The queue in which it runs, if that matters for the order: of two entries of a queue, the
  /// second one must not overtake the first if one of them is exclusive.
  const void *_Nullable queue;
  bool is_exclusive;
  /// The task that an executor of the user's runs in it, if it is one of the same scope; or null.
  cvt_task *_Nullable task;
  /// While schedules are explored, it runs as soon as its queue lets it in. `URLSession` traps if
  /// other work comes between the cancellation of a request and the block that tells its protocol.
  bool goes_first;
  /// The life of a host whose code it is, or 0.
  uint16_t life;
};

static inline rch_work rch_tell(const rch_entry *_Nonnull entry) {
  return entry->tell ? entry->tell(entry) : (rch_work){0};
}
static inline void rch_run(rch_entry *_Nonnull entry) {
  uint16_t before = cvt_life_of_thread;
  cvt_life_of_thread = entry->life;
  entry->run(entry);
  cvt_life_of_thread = before;
}
static inline void rch_drop(rch_entry *_Nonnull entry) { entry->drop(entry); }

/// The owner of the server to which code of a scope has connected.
typedef enum {
  rch_no_server,
  /// These run in real time.
  rch_server_of_others,
  rch_server_of_process,
  /// A host of the scope's network, which code of no host cannot reach.
  rch_server_of_host,
} rch_server;

/// One of `count` events besides the usual one, which is 0: with this probability one of them.
typedef struct rch_draw rch_draw;
struct rch_draw {
  uint64_t count;
  double probability;
  /// Writes the text of a drawn event, which reports leave out if it is empty. Under locks.
  void (*_Nonnull tell)(
      const rch_draw *_Nonnull draw, uint64_t drawn, char *_Nonnull text, size_t capacity);
  const void *_Nullable context;
};

// MARK: What the engine does

typedef struct {
  /// Puts an entry into the ready queue, behind all that is ready. Any thread. Returns whether the
  /// scope takes it; else the entry is untouched.
  bool (*_Nonnull enqueue)(rch_entry *_Nonnull entry);
  /// Runs an entry, whose place is anywhere, at a time of its scope, on the thread that drains it.
  /// Any thread. Returns a number for `disarm`, or 0 if the scope has ended. `is_sleep`: the
  /// current task, if there is one, sleeps until then.
  uint64_t (*_Nonnull arm)(rch_entry *_Nonnull entry, int64_t deadline, bool is_sleep);
  /// Takes a timer out. Returns whether it was still there.
  bool (*_Nonnull disarm)(uint32_t scope, uint64_t timer);
  /// Hands on the baton, which this thread has, and calls `wait`. When that returns, this thread
  /// has the baton again, or the scope has ended. Returns whether the thread must come back even
  /// then.
  ///
  /// On the main queue, code that is not the main actor's lets that queue go on meanwhile: `poke`
  /// makes `wait` return `false` once, and the thread does what is to be done there, and waits
  /// again. `turn` is what the baton comes with.
  bool (*_Nonnull park)(
      rch_entry *_Nonnull turn, bool (*_Nonnull wait)(void *_Nonnull context),
      void (*_Nonnull poke)(void *_Nonnull context), void *_Nonnull context);
  /// Whether this thread runs code on the main queue that is neither the main actor's nor a block
  /// of that queue.
  bool (*_Nonnull is_guest)(void);
  /// Moves time to an instant, if nothing of the scope can happen before or then but that this
  /// thread goes on, which has the baton. Returns whether it has.
  bool (*_Nonnull pass_time)(uint32_t scope, int64_t instant);
  /// Whether nothing of the scope can happen but that this thread goes on, which has the baton.
  bool (*_Nonnull is_alone)(uint32_t scope);
  /// Moves time as `pass_time` for a thread that sleeps until a deadline, unless somebody wants to
  /// see its sleep.
  bool (*_Nonnull sleep_alone)(uint32_t scope, int64_t deadline);
  /// This thread has lost the baton, because it waited for something unknown: asks for it with an
  /// entry, and calls `wait` until it comes. Returns whether the thread must come back even if the
  /// scope has ended.
  bool (*_Nonnull regain)(
      rch_entry *_Nonnull turn, void (*_Nonnull wait)(void *_Nonnull context),
      void *_Nonnull context);
  /// This thread, which has just been given the baton of a scope, is not one of the engine's: it
  /// has the baton from now on. Returns what `leave` wants to have, or null if the scope has ended.
  void *_Nullable (*_Nonnull enter)(uint32_t scope);
  /// Whether the scope has ended without its body, so that its code must never go on.
  bool (*_Nonnull is_given_up)(uint32_t scope);
  /// The thread goes. It hands on the baton, if it has it.
  void (*_Nonnull leave)(void *_Nonnull stay);
  /// Holds the time of a scope, or ends that. Any thread.
  void (*_Nonnull hold)(uint32_t scope, bool begins);
  /// Whether the code that this thread runs does real work while time is held.
  bool (*_Nonnull is_held)(void);
  /// A file for which a scope waits is ready: if no thread drains the scope, one must look. Any
  /// thread.
  void (*_Nonnull look)(uint32_t scope);
  /// Code of a scope is about to wake an event loop that does not belong to it, or to its host. On
  /// the thread of that code.
  void (*_Nonnull uses_foreign_loop)(uint32_t scope);
  /// Code of a scope has woken an event loop that does not belong to it. On the thread that drains
  /// the scope. `is_shared`: the loop is one that SwiftNIO shares in the process.
  void (*_Nonnull meets_foreign_loop)(uint32_t scope, bool is_shared);
  /// Code of a host has woken an event loop that this host has not made. On the thread that drains
  /// the scope.
  void (*_Nonnull meets_loop_of_other_host)(uint32_t scope);
  /// Code of a scope has given work to the thread pool that SwiftNIO shares in the process, which
  /// the scope does not have. On the thread that drains the scope.
  void (*_Nonnull meets_shared_pool)(uint32_t scope);
  /// Code of a scope has connected to a server that does not belong to the scope, or to a host from
  /// outside of the network. On the thread that drains the scope.
  void (*_Nonnull meets_server)(
      uint32_t scope, rch_server server, const char *_Nonnull name);
  /// Draws for a scope: a decision of its schedule, and always 0 where none are explored. On the
  /// thread that has the baton.
  uint64_t (*_Nonnull draw)(uint32_t scope, rch_draw draw);
  /// The lateness of a timer of a scope with a tolerance, in nanoseconds: drawn as `draw` does.
  int64_t (*_Nonnull lateness)(uint32_t scope, int64_t tolerance);
  /// Something happens to a host of a scope's network. Under the lock.
  void (*_Nonnull record)(uint32_t scope, rch_host_event event);
  /// A life of a host is paused, goes on, or has ended.
  void (*_Nonnull life_has_changed)(uint32_t scope, uint16_t life);
  /// This thread, which is one of the engine's, ends inside of what it runs, and hands on the baton
  /// if it has it.
  void (*_Nonnull abandon)(void);
  /// The scope uses a session of FoundationNetworking that another one uses. On the thread that
  /// drains the scope.
  void (*_Nonnull shares_session)(uint32_t scope);
} rch_engine;

void rch_connect(rch_engine engine);

// MARK: What the engine calls

/// The scope's queues and threads are virtual from now on, and until it ends.
void rch_scope_begins(uint32_t scope);
void rch_scope_ends(uint32_t scope);

/// Whether anyone waits for files in the time of a scope.
bool rch_waits_for_files(uint32_t scope);

/// Forgets the processes that code of a scope has made until now; returns whether one of them runs.
bool rch_forget_children(uint32_t scope);

/// The threads that serve the process, those of event loops and of a pool, belong to the scope from
/// now on, and until it ends. Returns how many of them are lost: they are inside code of scopes
/// that were given up.
int32_t rch_take_shared_threads(uint32_t scope);
/// Whether this thread is one of them, and waits for work: it goes on even if the scope is given
/// up.
bool rch_is_idle_shared_thread(void);

/// This thread has awaited a method of XCTest, and XCTest waits for it next: it has ended, or was
/// given up.
void rch_method_was_awaited(bool ended);

/// Makes the threads of a scope ready whose files are ready, and those that are busy waiting, if
/// something has happened. On the thread that drains the scope.
void rch_poll_files(uint32_t scope);
/// Waits in real time until the kernel has delivered what is under way to the files for which a
/// scope waits. Returns whether there may have been anything since it was called last.
bool rch_await_delivery(uint32_t scope);
/// The scope waits for other threads. The engine is told as soon as a file of the scope is ready.
void rch_watch_files(uint32_t scope);
/// This thread, which has lost the baton of a scope, waits until it gets it back, or the scope has
/// ended.
void rch_regain(uint32_t scope);
/// Takes the baton of a scope from a thread, if `take` says that it could. It is a straggler until
/// it asks for the baton: it may run, and nothing of the scope is done by it.
bool rch_take_away(
    uint32_t scope, int32_t thread, bool (*_Nonnull take)(void *_Nonnull context),
    void *_Nonnull context);
/// Whether a thread waits in the time of this scope or for its turn to go on, or straggles there.
bool rch_waits_in(uint32_t scope, int32_t thread);
/// How often threads have waited in the time of this scope, and of those before with its place, and
/// have gone on. Any thread.
int64_t rch_turns_of_threads(uint32_t scope);
/// A task of a scope is cancelled: a loop may have waited for that. Any thread.
void rch_task_cancelled(uint32_t scope);
/// The threads of a scope that wait in its time, without those that wait for work as they serve the
/// process. Returns how many were found.
size_t rch_parked_threads(uint32_t scope, int32_t *_Nonnull threads, size_t capacity);

/// The blocks of a scope that may not enter their queues yet, and the threads that wait until they
/// may. On the thread that drains the scope, and not after it has gone on. Returns how many were
/// found.
size_t rch_kept_work(uint32_t scope, rch_work *_Nonnull works, size_t capacity);

/// Draws for the scope of the code that calls this; always the usual event outside of scopes.
uint64_t rch_draw_here(rch_draw draw);

/// The overridden function with this number, from 0, of this target or `CVirtualTime`; null behind
/// the last one.
const cvt_override *_Nullable rch_override_at(size_t index);
/// Whether the inside of a queue is as it is expected to be. Once.
bool rch_knows_queues(void);
