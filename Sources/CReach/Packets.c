#if defined(__linux__)

#include "Files.h"
#include "Override.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Packets of the loopback interface. What is sent can be seen at the other end at once, unless the kernel is
// so busy with packets that it leaves them to a thread of its own. Until that has run, no file is ready, and time
// would move past what is under way.

REAL_OF(socket)

/// Whether there has been a socket that could be one of the loopback interface.
static _Atomic bool has_sockets;

// A socket of a scope sends at once. Otherwise the kernel keeps a small packet until the other end has acknowledged
// the one before, which takes up to 40 ms of real time, and time would move meanwhile. An accepted socket has the
// option of the one that listens.
OVERRIDE int socket(int domain, int type, int protocol) {
  int result = real_socket()(domain, type, protocol);
  if (domain != AF_INET && domain != AF_INET6) return result;
  atomic_store_explicit(&has_sockets, true, memory_order_relaxed);
  // It fails for sockets that are not TCP.
  int error = errno;
  if (result >= 0 && rch_scope_here())
    setsockopt(result, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  errno = error;
  return result;
}

enum { max_processors = 256 };

/// Takes those processors out that have no packets to deliver; returns whether there are others.
static bool keep_busy(bool *are_busy) {
  // A line for each processor, with 15 numbers of 8 digits.
  char text[max_processors * 136];
  static _Atomic int cached = -1;
  int file = atomic_load(&cached);
  if (file < 0) {
    file = open("/proc/net/softnet_stat", O_RDONLY | O_CLOEXEC);
    int none = -1;
    if (file < 0) return false;
    if (!atomic_compare_exchange_strong(&cached, &none, file)) {
      close(file);
      file = none;
    }
  }
  ssize_t length = pread(file, text, sizeof text - 1, 0);
  text[length > 0 ? length : 0] = 0;
  bool result = false;
  const char *line = text;
  for (int i = 0; i < max_processors; i++) {
    unsigned packets = 0;
    // The twelfth number, since Linux 5.10.
    bool is_known =
        *line &&
        sscanf(line, "%*x %*x %*x %*x %*x %*x %*x %*x %*x %*x %*x %x", &packets) == 1;
    are_busy[i] &= is_known && packets > 0;
    result |= are_busy[i];
    line = strchr(line, '\n');
    if (!line++) break;
  }
  return result;
}

bool rch_await_packets(void) {
  if (!atomic_load_explicit(&has_sockets, memory_order_relaxed)) return false;
  bool are_busy[max_processors];
  memset(are_busy, true, sizeof are_busy);
  // Other traffic may fill the queues again. Each has been empty once, or a tenth of a second has passed.
  enum { yields = 20, naps = 1000 };
  int look = 0;
  for (; look < yields + naps && keep_busy(are_busy); look++) {
    if (look < yields)
      sched_yield();
    else
      syscall(SYS_nanosleep, &(struct timespec){0, 100000}, 0);
  }
  return look > 0;
}

#endif
