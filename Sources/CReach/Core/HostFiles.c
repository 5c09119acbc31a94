#if defined(__linux__)

#include "Core/Override.h"

#include <fcntl.h>
#include <stdio.h>
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
// it watches it: files that no loop has closed are closed when a host crashes in a later scope.

enum { most = 1 << 16 };
/// The scope and the life in which each file was made, or 0. Of a file that has hung up, the scope
/// alone.
static _Atomic uint64_t lives[most];
static _Atomic ino_t inodes[most];
/// Whether it is the epoll file of an event loop.
static _Atomic bool is_loop[most];

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
}

void rch_forget_maker(int file) {
  if (file < 0 || file >= most) return;
  atomic_store(&lives[file], 0);
  atomic_store(&is_loop[file], false);
}

/// Whether a file is one that has hung up, and that no loop will close.
static bool is_left(int file, uint64_t owner) {
  return owner && !(owner & UINT16_MAX) && !rch_is_reached((uint32_t)(owner >> 16)) &&
         !rch_is_in_loop(file);
}

static void close_files_of_life(uint32_t scope, uint16_t life) {
  for (int file = 0; file < most; file++) {
    uint64_t owner = atomic_load_explicit(&lives[file], memory_order_relaxed);
    if (owner != ((uint64_t)scope << 16 | life) && !is_left(file, owner)) continue;
    // Hosts of other scopes may crash at the same time.
    if (!atomic_compare_exchange_strong(&lives[file], &owner, 0)) continue;
    if (inode_of(file) == atomic_load(&inodes[file])) close(file);
  }
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
  // Foundation has one thread that watches its pairs.
  bool is_noted = result == 0 && !rch_is_of_foundation(maker);
  for (int i = 0; is_noted && i < 2; i++) rch_note_file(pair[i], maker);
  return result;
}

// MARK: Files that loops of others have

/// Finds out how a loop watches a file; returns false if it does not.
static bool find_watch(int loop, int file, struct epoll_event *event) {
  char path[40], line[128];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", loop);
  FILE *info = fopen(path, "re");
  bool is_found = false;
  while (info && !is_found && fgets(line, sizeof line, info)) {
    int watched;
    unsigned events;
    unsigned long long data;
    const char *format = "tfd: %d events: %x data: %llx";
    is_found = sscanf(line, format, &watched, &events, &data) == 3 && watched == file;
    if (is_found) *event = (struct epoll_event){events, {.u64 = data}};
  }
  if (info) fclose(info);
  return is_found;
}

/// The loop that watches a file, or -1.
static int find_loop(int file, struct epoll_event *event) {
  for (int loop = 0; loop < most; loop++)
    if (atomic_load_explicit(&is_loop[loop], memory_order_relaxed) && find_watch(loop, file, event))
      return loop;
  return -1;
}

bool rch_is_in_loop(int file) {
  struct epoll_event event;
  return find_loop(file, &event) >= 0;
}

/// Gives a number a socket whose other end is closed.
static bool put_dead_socket(int file) {
  int pair[2];
  if (real_socketpair()(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair)) return false;
  bool is_put = dup3(pair[0], file, O_CLOEXEC) == file;
  for (int i = 0; i < 2; i++) close(pair[i]);
  return is_put;
}

void rch_hang_up(uint32_t scope, int file) {
  struct epoll_event event;
  int loop = find_loop(file, &event);
  // A thread may wait for it in the kernel. Or other numbers may have the same socket.
  if (loop < 0) real_shutdown()(file, SHUT_RDWR); else epoll_ctl(loop, EPOLL_CTL_DEL, file, 0);
  if (!put_dead_socket(file)) {
    close(file);
    return;
  }
  if (loop >= 0) epoll_ctl(loop, EPOLL_CTL_ADD, file, &event);
  if (file >= most) return;
  atomic_store(&inodes[file], inode_of(file));
  atomic_store(&lives[file], (uint64_t)scope << 16);
}

#endif
