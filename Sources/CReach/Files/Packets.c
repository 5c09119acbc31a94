#if defined(__linux__)

#include "Files/Files.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

// Packets of the loopback interface. What is sent can be seen at the other end at once, unless the
// kernel is so busy with packets that it leaves them to a thread of its own. Until that has run, no
// file is ready, and time would move past what is under way.
//
// So before it moves time, a scope that waits for files looks into `/proc/net/softnet_stat`, which
// tells how many packets wait on each processor. It waits until each queue has been empty once, for
// a tenth of a second at most, and asks the files again. The process pays for this only after it
// has made a socket.

/// Whether there has been a socket that could be one of the loopback interface.
static _Atomic bool has_sockets;

void rch_has_sockets(void) { atomic_store_explicit(&has_sockets, true, memory_order_relaxed); }

// MARK: What has been sent

/// Files stay open, since they are read before each move of time. Returns -1 if the file cannot be
/// opened.
static int keep_open(_Atomic int *cached, const char *path) {
  enum { not_opened = 0, failed = -1 };
  int file = atomic_load(cached), none = not_opened;
  if (file != not_opened) return file;
  file = open(path, O_RDONLY | O_CLOEXEC);
  // No file of ours has the number 0.
  if (file == 0) file = fcntl(file, F_DUPFD_CLOEXEC, 1);
  if (atomic_compare_exchange_strong(cached, &none, file)) return file;
  if (file != failed) close(file);
  return none;
}

/// How many packets the interface has sent in all, or -1.
static int64_t count_packets(void) {
  static _Atomic int cached;
  char text[24];
  int file = keep_open(&cached, "/sys/class/net/lo/statistics/tx_packets");
  ssize_t length = file < 0 ? -1 : pread(file, text, sizeof text - 1, 0);
  if (length <= 0) return -1;
  text[length] = 0;
  return strtoll(text, 0, 10);
}

/// The same from the table of this process's network. The interface is the first one there.
static int64_t count_packets_in_table(void) {
  FILE *table = fopen("/proc/self/net/dev", "re");
  if (!table) return -1;
  long long packets = -1;
  for (char line[512]; packets < 0 && fgets(line, sizeof line, table);)
    sscanf(line, " lo: %*u %*u %*u %*u %*u %*u %*u %*u %*u %lld", &packets);
  fclose(table);
  return packets;
}

/// Whether the counter is that of this process's network: in a container it may be the host's.
static bool counter_is_ours(void) {
  enum { unknown, yes, no };
  static _Atomic int known;
  int state = atomic_load_explicit(&known, memory_order_relaxed);
  if (state == unknown) {
    int64_t before = count_packets(), packets = count_packets_in_table();
    state = before >= 0 && before <= packets && packets <= count_packets() ? yes : no;
    atomic_store(&known, state);
  }
  return state == yes;
}

// MARK: What is under way

enum { max_processors = 256 };

/// Takes those processors out that have no packets to deliver; returns whether there are others.
static bool keep_busy(bool *are_busy) {
  // A line for each processor, with 15 numbers of 8 digits.
  char text[max_processors * 136];
  static _Atomic int cached;
  int file = keep_open(&cached, "/proc/net/softnet_stat");
  if (file < 0) return false;
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

bool rch_await_packets(_Atomic int64_t *arrived) {
  if (!atomic_load_explicit(&has_sockets, memory_order_relaxed)) return false;
  // The kernel takes a microsecond for each processor to print the queues. They are empty if
  // nothing has been sent since they were.
  int64_t sent = counter_is_ours() ? count_packets() : -1;
  if (sent >= 0 && sent == atomic_load(arrived)) return false;
  bool are_busy[max_processors];
  memset(are_busy, true, sizeof are_busy);
  // Other traffic may fill the queues again. Each has been empty once, or a tenth of a second has
  // passed.
  for (int looks = 0; keep_busy(are_busy); looks++)
    if (!rch_rests(looks)) return true;
  atomic_store(arrived, sent);
  return true;
}

#endif
