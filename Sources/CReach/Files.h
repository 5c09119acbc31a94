#pragma once

// What functions that wait for files have in common (FileWaits.c).

#include "Override.h"

#include <poll.h>
#include <signal.h>

/// Files for which a thread waits.
typedef struct {
  const struct pollfd *files;
  nfds_t count;
  /// Whether `select` waits for them, to which some states of a file are not ready that are to `poll`.
  bool is_select;
} rch_files;

/// Waits in the scope's time until one of the files is ready, up to a deadline.
rch_outcome rch_wait_for_files(uint32_t scope, rch_files files, int64_t deadline);

/// Whether a thread that need not wait goes on with its turn. One that never waits must let others run.
bool rch_keeps_turn(void);

/// So many nanoseconds from now on.
int64_t rch_deadline_after(uint32_t scope, int64_t nanoseconds);

/// Whether a duration is one that the C library takes.
bool rch_is_valid(const struct timespec *time);
