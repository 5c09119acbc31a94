#if defined(__linux__)

#include "Core/Override.h"

#include <fcntl.h>

// The numbers of sockets. FoundationNetworking watches a new socket later if it has the number of
// one that is about to be forgotten. The kernel gives the lowest number that is free, which depends
// on the files of other threads. So no socket of a scope gets a number that it has closed lately.

enum { most = 16 };

/// The numbers that each scope has closed last, by its place in the engine's tables, and 1; or 0.
static _Atomic int closed[cvt_max_scopes][most];
static _Atomic unsigned counts[cvt_max_scopes];

void rch_note_closed(int file) {
  // A thread that has lost the baton does not wait for it here: it may have `rch_lock`.
  uint32_t scope = cvt_current_scope();
  if (file < 0 || !rch_is_reached(scope)) return;
  unsigned place = scope % cvt_max_scopes;
  atomic_store(&closed[place][atomic_fetch_add(&counts[place], 1) % most], file + 1);
}

static bool was_closed(uint32_t scope, int file) {
  for (int i = 0; i < most; i++)
    if (atomic_load(&closed[scope % cvt_max_scopes][i]) == file + 1) return true;
  return false;
}

int rch_renumber(int file) {
  uint32_t scope = file >= 0 ? rch_scope_here() : 0;
  while (scope && was_closed(scope, file)) {
    bool is_closed_on_exec = fcntl(file, F_GETFD) & FD_CLOEXEC;
    int other = fcntl(file, is_closed_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD, file + 1);
    if (other < 0) break;
    real_close()(file);
    file = other;
  }
  return file;
}

#endif
