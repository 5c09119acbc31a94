#pragma once

// Sources of libdispatch that a scope has made.

#include "Core/Override.h"
#include "Files/Files.h"

typedef enum {
  rch_registration,
  rch_event,
  rch_cancellation,
  rch_handlers,
  /// Nobody knows the source any more.
  rch_end = rch_handlers,
} rch_handler_kind;

/// A block, or a function that is called with the context of the source.
typedef struct {
  void *block;
  function function;
} rch_handler;

typedef struct rch_source {
  /// In the timer queue. Its scope is that of the source.
  rch_entry alarm;
  LIST_ENTRY(rch_source) in_slot;
  object object, queue;
  /// One of libdispatch's types.
  const void *type;
  uintptr_t handle;
  rch_handler handlers[rch_handlers];
  /// Is called at the end with this context, which the object has until then.
  function finalizer;
  void *context;
  /// What has been merged, how often the timer has fired, or how much can be read or is still to be
  /// sent, and what the running handler sees of it.
  uintptr_t pending, data;
  int suspensions;
  /// A handler has been submitted, and has not returned.
  bool is_busy;
  /// How many references there are that are none of the program.
  int requests;
  bool is_registered, is_cancelled, has_told_cancellation;
  uint64_t timer, interval;
  /// How many alarms the engine is about to call that were taken out, and whether nothing else
  /// needs the source.
  int late_alarms;
  bool is_free;
  int64_t deadline;
  /// How late the timer may be.
  int64_t leeway;
  /// How often the timer may still fire, if it ends the run of a run loop.
  int fires_left;
  /// Whether the file is ready, and whether it will say no more.
  bool is_ready, is_over;
  bool is_watched;
  /// How many bytes had been sent when the handler began.
  int64_t sent;
  struct pollfd file;
  rch_file_wait wait;
  /// The source that notices signals, and whether it is registered.
  object notice;
  bool is_noticed;
  LIST_ENTRY(rch_source) in_registered;
  /// The scope whose time stands until the notice has done something, or 0.
  uint32_t held;
} rch_source;

/// Whether somebody wants to be told.
static inline bool rch_has_handler(const rch_source *s, rch_handler_kind kind) {
  return s->handlers[kind].block || s->handlers[kind].function;
}

/// How many sources there are.
extern _Atomic int rch_sources;
static inline bool rch_any_sources(void) {
  return atomic_load_explicit(&rch_sources, memory_order_relaxed) != 0;
}

/// Does what an active source does; under the lock.
void rch_source_goes_on(rch_source *source);
/// Unlocks, and then does what a source has decided to do outside.
void rch_unlock_sources(void);
/// If the scope of a source has ended, it belongs to the one that uses it now; under the lock.
void rch_move_to_scope(rch_source *source, uint32_t scope);

// MARK: Timers (TimerSources.c)

/// Takes the alarm of a source out; under the lock.
void rch_disarm(rch_source *source);
/// The functions of an alarm: its time has come, or its scope has ended.
void rch_alarm_rings(rch_entry *alarm);
void rch_alarm_is_dropped(rch_entry *alarm);
/// Frees the memory of a source, as soon as no alarm is about to be called.
void rch_free_source(rch_source *source);

// MARK: Handlers (SourceHandlers.c)

/// Takes the handlers out of a source that needs them no more; under the lock.
void rch_take_handlers(rch_source *source, rch_handler handlers[rch_handlers]);
/// Frees a block that was a handler, with all that it has captured, in the queue of the source.
/// Under the lock.
void rch_free_handler(rch_source *source, void *block);
/// Not under the lock: what a handler has captured may use sources.
void rch_release_handlers(const rch_handler handlers[rch_handlers]);

// MARK: The table (SourceTable.c)

/// The source of that address, if it is one of a scope; under the lock.
rch_source *rch_find_source(object o);
/// The same, with the lock; without, if it is null.
rch_source *rch_lock_source(object o);
void rch_insert_source(rch_source *source);
/// Removes a source, if it is in the table; under the lock.
void rch_remove_source(rch_source *source);
/// Calls a function with each source of a life of a host; under the lock.
void rch_visit_sources(uint32_t scope, uint16_t life, void (*visit)(rch_source *source));

// MARK: Files (FileSources.c)

bool rch_is_file_type(const void *type);
void rch_prepare_file_source(rch_source *source);
/// Asks the file from now on if the source wants to know, and else not; under the lock.
void rch_watch_source(rch_source *source);
void rch_forget_file(rch_source *source);
/// A handler of a source of a file is about to be called, or has returned; under the lock.
void rch_file_handler_begins(rch_source *source);
void rch_file_handler_ends(rch_source *source);

// MARK: Signals (SignalSources.c)

bool rch_is_signal_type(const void *type);
void rch_prepare_signal_source(rch_source *source);
/// Whether an active source has to wait until its notice is registered. Time stands then; under the
/// lock.
bool rch_awaits_notice(rch_source *source);
/// Begins to notice signals; outside the lock.
void rch_begin_notice(object notice);
/// The source wants to know nothing more; under the lock.
void rch_end_notice(rch_source *source);
/// Outside the lock.
void rch_free_notice(object notice);

/// Takes note that an object, if it is a source, is about to be resumed or activated, or has been
/// suspended.
void rch_source_resumed(object o, bool is_activation);
void rch_source_suspended(object o);

// MARK: Sessions of FoundationNetworking (Networking.c)

/// A scope has made a source with this queue. If it is that of a session which another scope has
/// used as well, both are told; not under the lock.
void rch_queue_gets_source(object queue, uint32_t scope);
