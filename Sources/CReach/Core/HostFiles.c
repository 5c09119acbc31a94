#if defined(__linux__)

#include "Core/Override.h"

#include <stdio.h>
#include <string.h>

// The files with which event loops of hosts wait: epoll, event and timer files. They are closed
// when the host crashes. `close` tells when its own code has closed one. Other ways to close it do
// not, but a number that still has a file of these kinds is most likely that of the one noted last.

/// The scope and the life in which each file was made, or 0.
static _Atomic uint64_t lives[1 << 16];

uint16_t rch_life_of(const void *caller) {
  // libdispatch serves all scopes, and so do the run loops of threads that no host has made.
  bool is_shared =
      rch_is_of_libdispatch(caller) || (!rch_member_number && rch_is_of_foundation(caller));
  return is_shared ? 0 : cvt_current_life();
}

void rch_note_file(int file, const void *maker) {
  if (file < 0 || (size_t)file >= sizeof lives / sizeof *lives) return;
  uint64_t life = rch_life_of(maker);
  uint64_t scope = life ? rch_scope_here() : 0;
  atomic_store(&lives[file], scope ? scope << 16 | life : 0);
}

void rch_forget_maker(int file) {
  if (file >= 0 && (size_t)file < sizeof lives / sizeof *lives) atomic_store(&lives[file], 0);
}

/// Whether a file is one of the kinds that are noted.
static bool is_noted_kind(int file) {
  char path[32], name[32] = "";
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return readlink(path, name, sizeof name - 1) > 0 &&
         (strstr(name, "[eventpoll]") || strstr(name, "[eventfd]") || strstr(name, "[timerfd]"));
}

static void close_files_of_life(uint32_t scope, uint16_t life) {
  uint64_t owner = (uint64_t)scope << 16 | life;
  for (int file = 0; (size_t)file < sizeof lives / sizeof *lives; file++) {
    if (atomic_load_explicit(&lives[file], memory_order_relaxed) != owner) continue;
    atomic_store(&lives[file], 0);
    if (is_noted_kind(file)) close(file);
  }
}

ADD(at_crash[rch_closes_files], close_files_of_life)

OVERRIDE int epoll_create1(int flags) {
  int file = real_epoll_create1()(flags);
  rch_note_file(file, __builtin_return_address(0));
  return file;
}

OVERRIDE int epoll_create(int size) {
  int file = real_epoll_create()(size);
  rch_note_file(file, __builtin_return_address(0));
  return file;
}

#endif
