#pragma once

// Those who wait for files in the time of their scope (FileWaits.c).

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct rch_file_wait rch_file_wait;
struct rch_file_wait {
  rch_file_wait *next;
  uint32_t scope;
  /// Of those whose files are ready at once, the one with the lowest number goes first.
  int64_t order;
  const struct pollfd *files;
  nfds_t count;
  /// Whether the files need not be asked any more.
  bool is_over;
  /// Whether they need not be asked again before time has moved on from this.
  bool rests;
  int64_t rests_at;
  /// A file is ready; under the lock. The answers of the kernel are in the order of the files.
  void (*become_ready)(rch_file_wait *wait, const struct pollfd *answers);
};

/// The files are asked from now on, or not any more; under the lock.
void rch_begin_file_wait(rch_file_wait *wait);
void rch_end_file_wait(rch_file_wait *wait);

/// Whether anyone waits for files in the time of a scope.
bool rch_waits_for_files(uint32_t scope);
