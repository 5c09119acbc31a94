#pragma once

// Sources of libdispatch that a scope has made.

#include "Dispatch.h"
#include "Files.h"

typedef enum { rch_event, rch_cancellation, rch_registration, rch_handlers } rch_handler_kind;

/// A block, or a function that is called with the context of the source.
typedef struct {
  void *block;
  function function;
} rch_handler;

typedef struct rch_source {
  /// In the timer queue. Its scope is that of the source.
  rch_entry alarm;
  struct rch_source *next;
  object object, queue;
  /// One of libdispatch's types.
  const void *type;
  uintptr_t handle;
  rch_handler handlers[rch_handlers];
  void *context;
  /// What has been merged, how often the timer has fired, or how much can be read or is still to be sent, and what
  /// the running handler sees of it.
  uintptr_t pending, data;
  int suspensions;
  /// A handler has been submitted, and has not returned.
  bool is_busy;
  bool is_registered, is_cancelled, has_told_cancellation;
  uint64_t timer, interval;
  int64_t deadline;
  /// How often the timer may still fire, if it ends the run of a run loop.
  int fires_left;
  /// Whether the file is ready, and whether it will say no more.
  bool is_ready, is_over;
  bool is_watched;
  /// How many bytes had been sent when the handler began.
  int64_t sent;
  struct pollfd file;
  rch_file_wait wait;
} rch_source;

/// How many sources there are.
extern _Atomic int rch_sources;
static inline bool rch_any_sources(void) {
  return atomic_load_explicit(&rch_sources, memory_order_relaxed) != 0;
}

/// The source of that address, if it is one of a scope; under the lock.
rch_source *rch_find_source(object o);
/// Does what an active source does; under the lock.
void rch_source_goes_on(rch_source *source);

// MARK: Files (FileSources.c)

bool rch_is_file_type(const void *type);
void rch_prepare_file_source(rch_source *source);
/// Asks the file from now on if the source wants to know, and else not; under the lock.
void rch_watch_source(rch_source *source);
void rch_forget_file(rch_source *source);
/// A handler of a source of a file is about to be called, or has returned; under the lock.
void rch_file_handler_begins(rch_source *source);
void rch_file_handler_ends(rch_source *source);
