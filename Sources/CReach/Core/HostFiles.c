#if defined(__linux__)

#include "Core/Override.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

// The files with which event loops of hosts wait: epoll, event and timer files, and pairs of
// sockets, with which libcurl wakes a thread. They are closed when the host crashes. `close` tells
// when its own code has closed one. Other ways to close it do not, but then the number has another
// inode. All epoll, event and timer files have the same one: a number that still has a file of
// these kinds is most likely that of the one noted last.
//
// A socket of the host may belong to the event loop of somebody else, such as one that SwiftNIO
// shares. That loop lives on, and knows the socket by its number until it closes it. So the number
// keeps a file, one that has hung up, which the loop closes. A loop may have such a socket before
// it watches it: files that no loop has closed are closed when a later scope ends.

enum { most = 1 << 16 };
/// The scope and the life in which each file was made, or 0. Of a file that has hung up, the scope
/// alone.
static _Atomic uint64_t lives[most];
static _Atomic ino_t inodes[most];
/// The highest number of a file that a scope has made.
static _Atomic int highest;
/// Whether it is the epoll file of an event loop.
static _Atomic bool is_loop[most];
/// Whether any file may have hung up.
static _Atomic bool any_has_hung_up;

static ino_t inode_of(int file) {
  struct stat status;
  return fstat(file, &status) ? 0 : status.st_ino;
}

uint16_t rch_life_of(const void *caller) {
  // libdispatch serves all scopes, and so do the run loops of threads that no host has made.
  bool is_shared =
      rch_is_of_libdispatch(caller) || (!rch_member_number && rch_is_of_foundation(caller));
  return is_shared ? 0 : cvt_current_life();
}

void rch_note_file(int file, const void *maker) {
  if (file < 0 || file >= most) return;
  uint64_t life = rch_life_of(maker);
  uint64_t scope = life ? rch_scope_here() : 0;
  atomic_store(&inodes[file], scope ? inode_of(file) : 0);
  atomic_store(&lives[file], scope ? scope << 16 | life : 0);
  int last = scope ? atomic_load(&highest) : most;
  while (last < file && !atomic_compare_exchange_weak(&highest, &last, file)) {
  }
}

void rch_forget_maker(int file) {
  if (file < 0 || file >= most) return;
  atomic_store(&lives[file], 0);
  atomic_store(&is_loop[file], false);
}

/// Closes a file that is known to be this owner's.
static void close_known(int file, uint64_t owner) {
  // Hosts of other scopes may crash at the same time.
  if (!atomic_compare_exchange_strong(&lives[file], &owner, 0)) return;
  if (inode_of(file) == atomic_load(&inodes[file])) close(file);
}

static uint64_t owner_of(int file) {
  return atomic_load_explicit(&lives[file], memory_order_relaxed);
}

static void close_files_of_life(uint32_t scope, uint16_t life) {
  uint64_t owner = (uint64_t)scope << 16 | life;
  for (int file = 0; file <= atomic_load(&highest); file++)
    if (owner_of(file) == owner) close_known(file, owner);
}

ADD(at_crash[rch_closes_files], close_files_of_life)

static int note_loop(int file, const void *maker) {
  rch_note_file(file, maker);
  if (file >= 0 && file < most) atomic_store(&is_loop[file], !rch_is_of_libdispatch(maker));
  return file;
}

OVERRIDE int epoll_create1(int flags) {
  return note_loop(real_epoll_create1()(flags), __builtin_return_address(0));
}

OVERRIDE int epoll_create(int size) {
  return note_loop(real_epoll_create()(size), __builtin_return_address(0));
}

OVERRIDE int socketpair(int domain, int type, int protocol, int pair[2]) {
  const void *maker = __builtin_return_address(0);
  int result = real_socketpair()(domain, type, protocol, pair);
  for (int i = 0; result == 0 && i < 2; i++) pair[i] = rch_renumber(pair[i]);
  // Foundation has one thread that watches its pairs.
  bool is_noted = result == 0 && !rch_is_of_foundation(maker);
  for (int i = 0; is_noted && i < 2; i++) rch_note_file(pair[i], maker);
  return result;
}

// MARK: Files that loops of others have

struct rch_watch {
  /// The number of the loop's file and 1, or 0.
  int loop;
  struct epoll_event event;
};

/// Finds the files that a loop watches.
static void find_watched(int loop, rch_watch *watches) {
  char path[40], line[128];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", loop);
  FILE *info = fopen(path, "re");
  while (info && fgets(line, sizeof line, info)) {
    int file;
    unsigned events;
    unsigned long long data;
    const char *format = "tfd: %d events: %x data: %llx";
    if (sscanf(line, format, &file, &events, &data) == 3 && file < most)
      watches[file] = (rch_watch){loop + 1, {events, {.u64 = data}}};
  }
  if (info) fclose(info);
}

rch_watch *rch_find_watches(void) {
  rch_watch *watches = calloc(most, sizeof *watches);
  if (!watches) abort();
  for (int loop = 0; loop < most; loop++)
    if (atomic_load_explicit(&is_loop[loop], memory_order_relaxed)) find_watched(loop, watches);
  return watches;
}

/// How a loop watches a file, or null if none does.
static const rch_watch *watch_of(const rch_watch *watches, int file) {
  return watches && file < most && watches[file].loop ? &watches[file] : 0;
}

bool rch_is_in_loop_of_other(const rch_watch *watches, uint32_t scope, uint16_t life, int file) {
  const rch_watch *w = watch_of(watches, file);
  return w && owner_of(w->loop - 1) != ((uint64_t)scope << 16 | life);
}

/// Makes both ends of a file that hangs up when the second one is closed. For datagrams it is a
/// pipe, where each call fails: an end without a sender's name would be none that SwiftNIO expects.
static bool make_ends(bool has_datagrams, int ends[2]) {
  if (has_datagrams) return pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0;
  const int type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
  return real_socketpair()(AF_UNIX, type, 0, ends) == 0;
}

/// Gives the number of a socket a file whose other end is closed.
static bool put_dead_file(int file) {
  int type = 0, ends[2];
  socklen_t size = sizeof type;
  real_getsockopt()(file, SOL_SOCKET, SO_TYPE, &type, &size);
  if (!make_ends(type == SOCK_DGRAM, ends)) return false;
  bool is_put = dup3(ends[0], file, O_CLOEXEC) == file;
  for (int i = 0; i < 2; i++) close(ends[i]);
  return is_put;
}

/// Gives a number a file that has hung up, which the same loop watches. Returns false if the system
/// has no files left.
static bool hang_up(const rch_watch *w, uint32_t scope, int file) {
  if (w) epoll_ctl(w->loop - 1, EPOLL_CTL_DEL, file, 0);
  if (!put_dead_file(file)) return false;
  struct epoll_event event = w ? w->event : (struct epoll_event){0};
  if (w) epoll_ctl(w->loop - 1, EPOLL_CTL_ADD, file, &event);
  if (file >= most) return true;
  atomic_store(&inodes[file], inode_of(file));
  atomic_store(&lives[file], (uint64_t)scope << 16);
  atomic_store(&any_has_hung_up, true);
  return true;
}

void rch_end_socket(const rch_watch *watches, uint32_t scope, uint16_t life, int file) {
  const rch_watch *w = watch_of(watches, file);
  bool is_of_other = rch_is_in_loop_of_other(watches, scope, life, file);
  // A thread may wait for it in the kernel, or other numbers may have the same socket.
  if (!is_of_other) real_shutdown()(file, SHUT_RDWR);
  bool may_be_known = watches && (!w || is_of_other);
  if (!may_be_known || !hang_up(w, scope, file)) close(file);
}

/// Closes the files of scopes that have ended before, if no loop watches them. Returns whether one
/// of this scope is left that a loop watches.
static bool close_unwatched(uint32_t scope) {
  bool is_left = false;
  rch_watch *watches = rch_find_watches();
  for (int file = 0; file < most; file++) {
    uint64_t owner = owner_of(file);
    if (!owner || owner & UINT16_MAX) continue;
    atomic_store(&any_has_hung_up, true);
    uint32_t maker = (uint32_t)(owner >> 16);
    if (watches[file].loop)
      is_left |= maker == scope;
    else if (maker != scope && !rch_is_reached(maker))
      close_known(file, owner);
  }
  free(watches);
  return is_left;
}

/// Waits until the loops, which run in real time again, have closed what they know: the next scope
/// that takes them would do it in its time.
static void close_left(uint32_t scope) {
  for (int looks = 0; atomic_exchange(&any_has_hung_up, false); looks++)
    if (!close_unwatched(scope) || !rch_rests(looks)) return;
}

ADD(at_end[rch_closes_left_files], close_left)

#endif
