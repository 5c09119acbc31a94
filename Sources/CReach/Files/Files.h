#pragma once

// Threads and sources that wait for files in the time of their scope (FileWaits.c).

#include "Core/Override.h"

/// Files for which a thread or a source waits.
typedef struct {
  const struct pollfd *files;
  nfds_t count;
  /// Whether `select` waits for them, to which some states of a file are not ready that are to
  /// `poll`.
  bool is_select;
} rch_files;

/// From where on the places of the threads of a scope are counted, those of threads that serve all
/// scopes, and those of sources. Before them are the shared loops, first those that the scope has
/// used, in the order of their first use: SwiftNIO gives them out in turn, also to the next scope.
static const int64_t rch_order_of_unused_loops = INT64_C(1) << 31,
                     rch_order_of_members = INT64_C(1) << 32, rch_order_of_others = INT64_C(1) << 48,
                     rch_order_of_sources = INT64_C(1) << 56;

typedef struct rch_file_wait rch_file_wait;
struct rch_file_wait {
  TAILQ_ENTRY(rch_file_wait) in_waits;
  uint32_t scope;
  /// Of those whose files are ready at once, the one with the lowest number goes first.
  int64_t order;
  rch_files files;
  /// Whether the files need not be asked any more.
  bool is_over;
  /// Whether they need not be asked again before time has moved on from this.
  bool rests;
  int64_t rests_at;
  /// A file is ready; under the lock. The answers of the kernel are in the order of the files.
  /// Returns whether other files may be ready because of it.
  bool (*become_ready)(rch_file_wait *wait, const struct pollfd *answers);
};

/// The files are asked from now on, or not any more; under the lock.
void rch_begin_file_wait(rch_file_wait *wait);
void rch_end_file_wait(rch_file_wait *wait);
/// The files are asked at another place of the order; under the lock.
void rch_move_file_wait(rch_file_wait *wait, int64_t order);
/// The wait of a scope that comes after this one, or the first one; under the lock.
rch_file_wait *rch_next_file_wait(uint32_t scope, rch_file_wait *wait);

/// There is a socket that could be one of the loopback interface.
void rch_has_sockets(void);
/// The flag that a socket of a scope gets when it is made or accepted; 0 outside of scopes. A
/// process that is made meanwhile, as for an exit test, would have the socket, too, and closing it
/// in the scope would end nothing.
static inline int rch_flags_of_sockets(void) { return rch_scope_here() ? SOCK_CLOEXEC : 0; }

/// Binds a socket that is in no simulated network. If the system chooses the port, the scope keeps
/// it until it ends (KeptPorts.c).
int rch_bind(int file, const struct sockaddr *name, socklen_t size);

/// A file is about to be closed: others may get its number.
void rch_forget_event_file(int file);
/// Whether hosts of the scope may use event loops that they have not made.
bool rch_may_use_loops_of_others(uint32_t scope);
/// Waits in real time until packets have been delivered that are under way on the loopback
/// interface. Returns whether anything may have come since a scope last called this, even before
/// the call: its files are to be asked again. Keeps how many packets have arrived, for each scope,
/// since one scope has not asked its files when another one has waited (Packets.c).
bool rch_await_packets(_Atomic int64_t *arrived);

/// Waits in the scope's time until one of the files is ready, up to a deadline.
rch_outcome rch_wait_for_files(uint32_t scope, rch_files files, int64_t deadline);

/// Whether a thread that need not wait goes on with its turn. One that never waits must let others
/// run.
bool rch_keeps_turn(uint32_t scope);

/// Waits for files in the scope's time, for at most `limit` nanoseconds. `ask` is the call of the
/// real function that does not wait. If the scope ends and there is no limit, `wait` goes on in
/// real time.
#define WAIT_IN_SCOPE(scope, files, limit, ask, wait)                                          \
  ({                                                                                           \
    const int64_t limit_ = (limit), deadline_ = rch_deadline_after(scope, limit_);             \
    int ready_ = (ask);                                                                        \
    bool is_over_ = ready_ < 0 || ((ready_ > 0 || limit_ == 0) && rch_keeps_turn(scope));      \
    while (!is_over_) {                                                                        \
      rch_outcome outcome_ = rch_wait_for_files(scope, files, deadline_);                      \
      bool goes_on_ = outcome_ == rch_ended && limit_ == rch_never;                            \
      ready_ = goes_on_ ? (wait) : (ask);                                                      \
      /* Another thread may have been quicker. */                                              \
      is_over_ = goes_on_ || ready_ != 0 || outcome_ != rch_woken;                             \
    }                                                                                          \
    ready_;                                                                                    \
  })
