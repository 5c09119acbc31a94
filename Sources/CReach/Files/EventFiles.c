#if defined(__linux__)

#include "Files/Files.h"
#include "SharedThreads/SharedThreads.h"

// Event loops that a scope does not own. Such a loop runs in real time. It is noticed when code of
// the scope wakes it through its eventfd, which belongs to where the loop was made. A loop that a
// host of a network uses and has not made is noticed as well: its sockets are not the host's.

/// The owner of the files of shared loops.
static const uint32_t all_scopes = UINT32_MAX;

/// The scope in which each file was made, `all_scopes`, `cvt_outside`, or 0 if the file is not
/// known.
static _Atomic uint32_t owners[1 << 16];
/// The lives of hosts whose code made the files, or 0.
static _Atomic uint16_t lives[1 << 16];

/// The last scope, of those that have a place in the engine's tables, whose host has given work to a
/// loop that it has not made.
static _Atomic uint32_t users[cvt_max_scopes];

bool rch_may_use_loops_of_others(uint32_t scope) {
  return rch_taker() == scope || atomic_load(&users[scope % cvt_max_scopes]) == scope;
}

OVERRIDE int eventfd(unsigned value, int flags) {
  int file = real_eventfd()(value, flags);
  rch_note_file(file, __builtin_return_address(0));
  if (file < 0 || (size_t)file >= sizeof owners / sizeof *owners) return file;
  uint32_t scope = rch_scope_here();
  bool is_known = !rch_is_of_system(__builtin_return_address(0));
  rch_shared_thread *loop = scope || !is_known ? 0 : rch_shared_here(rch_of_loop);
  bool is_shared = loop;
  if (loop) loop->event = file;
  atomic_store(
      &owners[file], !is_known ? 0 : scope ? scope : is_shared ? all_scopes : cvt_outside);
  atomic_store(&lives[file], cvt_current_life());
  return file;
}

void rch_forget_event_file(int file) {
  if (file >= 0 && (size_t)file < sizeof owners / sizeof *owners) atomic_store(&owners[file], 0);
}

static void tell_of_host(uint32_t scope) { rch_the_engine.meets_loop_of_other_host(scope); }
static void tell(uint32_t scope) { rch_the_engine.meets_foreign_loop(scope, false); }
static void tell_of_shared(uint32_t scope) { rch_the_engine.meets_foreign_loop(scope, true); }

/// Code of the scope wakes a loop that it has taken; under the lock.
static void use_loop(uint32_t scope, int event) {
  const rch_shared_thread *loop = rch_use_loop(event);
  for (rch_file_wait *w = 0; loop && (w = rch_next_file_wait(scope, w));)
    if (w->files.count == 1 && w->files.files->fd == loop->epoll)
      return rch_move_file_wait(w, loop->place);
}

OVERRIDE int eventfd_write(int file, eventfd_t value) {
  uint32_t scope = rch_scope_here();
  if (scope && file >= 0 && (size_t)file < sizeof owners / sizeof *owners) {
    uint32_t owner = atomic_load_explicit(&owners[file], memory_order_relaxed);
    bool is_shared = owner == all_scopes;
    bool is_foreign = is_shared ? rch_taker() != scope : owner && owner != scope;
    if (is_shared && !is_foreign) UNDER_LOCK(use_loop(scope, file));
    uint16_t life = owner ? cvt_current_life() : 0;
    bool is_of_other = life && life != atomic_load_explicit(&lives[file], memory_order_relaxed);
    if (is_foreign || is_of_other) rch_the_engine.uses_foreign_loop(scope);
    if (is_of_other) {
      atomic_store(&users[scope % cvt_max_scopes], scope);
      rch_notify(scope, tell_of_host);
    }
    if (is_foreign) rch_notify(scope, is_shared ? tell_of_shared : tell);
  }
  return real_eventfd_write()(file, value);
}

#endif
