#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CVirtualTime.h"
#include "Internal.h"

int64_t cvt_process_time(void) {
  return cvt_real_nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t cvt_thread_time(void) {
  return cvt_real_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}

#if defined(__linux__)

int32_t cvt_thread_id(void) {
  static __thread int32_t id;
  if (!id) id = (int32_t)syscall(SYS_gettid);
  return id;
}

/// The letter for what the thread is doing: R runs or could run, S and D wait. 0 if that is
/// unknown.
static char state_of(int32_t thread) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return 0;
  text[length] = 0;
  // The name of the thread stands before it in parentheses, and may contain some.
  char *end = strrchr(text, ')');
  return end && end[1] == ' ' ? end[2] : 0;
}

bool cvt_effort_of(int32_t thread, cvt_effort *effort) {
  // How the kernel numbers the processor clocks of threads.
  clockid_t clock = (clockid_t)(~(unsigned)thread << 3 | 6);
  struct timespec used;
  char state = state_of(thread);
  if (!state || syscall(SYS_clock_gettime, clock, &used)) return false;
  effort->is_waiting = state != 'R';
  effort->processor_time = used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
  return true;
}

static const int lowest_priority = 19;

/// The threads that look on, in the order in which they were made; 0 behind them.
enum { max_onlookers = 16 };
static _Atomic int32_t onlookers[max_onlookers];

void cvt_looks_on(void) {
  for (int i = 0; i < max_onlookers; i++) {
    int32_t none = 0;
    if (atomic_compare_exchange_strong(&onlookers[i], &none, cvt_thread_id())) return;
  }
}

static bool looks_on(int32_t thread) {
  for (int i = 0; i < max_onlookers && onlookers[i]; i++)
    if (onlookers[i] == thread) return true;
  return false;
}

int32_t cvt_runnable_threads(void) {
  DIR *threads = opendir("/proc/self/task");
  if (!threads) return 0;
  int32_t count = 0;
  for (struct dirent *entry; (entry = readdir(threads));) {
    int32_t thread = atoi(entry->d_name);
    if (thread && thread != cvt_thread_id() && !looks_on(thread) && state_of(thread) == 'R' &&
        getpriority(PRIO_PROCESS, (id_t)thread) < lowest_priority)
      count++;
  }
  closedir(threads);
  return count;
}

void cvt_lower_priority(int32_t thread) {
  setpriority(PRIO_PROCESS, (id_t)thread, lowest_priority);
}

#else

void cvt_lower_priority(int32_t thread) {}
int32_t cvt_thread_id(void) { return 0; }
bool cvt_effort_of(int32_t thread, cvt_effort *effort) { return false; }
int32_t cvt_runnable_threads(void) { return 0; }
void cvt_looks_on(void) {}

#endif
