#include "Core/Internal.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Asks the kernel about the threads of this process.

#if defined(__linux__)

int32_t cvt_thread_id(void) {
  static __thread int32_t id;
  if (!id) id = (int32_t)syscall(SYS_gettid);
  return id;
}

bool cvt_read_file(const char *path, char *text, size_t capacity) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, text, capacity - 1);
  if (file >= 0) close(file);
  text[length > 0 ? length : 0] = 0;
  return length > 0;
}

/// Reads a file about a thread; returns whether there is something in it.
static bool read_file(int32_t thread, const char *name, char *text, size_t capacity) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/%s", thread, name);
  return cvt_read_file(path, text, capacity);
}

/// The letter for what the thread is doing: R runs or could run, S and D wait. 0 if that is
/// unknown.
static char state_of(int32_t thread) {
  char text[512];
  if (!read_file(thread, "stat", text, sizeof text)) return 0;
  // The name of the thread stands before it in parentheses, and may contain some.
  const char *end = strrchr(text, ')');
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

// MARK: Whether a thread sleeps

// Whether a thread sleeps, as the kernel says. No single file tells: `syscall` takes a thread for
// asleep that is being woken; `wchan` does not, but takes a page fault for a wait, which `stat`
// does not; and all are about one moment. So `schedstat`, which counts how often the thread was
// given a processor, is read before and after.
//
// In this order: `schedstat`, `wchan` twice, `stat`, `syscall`, `schedstat`. A sleep for a process,
// or for a lock inside the C library, means that time stands. A futex with an owner (`Mutex`) is
// taken for a wait only if the owner waits in the same scope.

int64_t cvt_turns_of(int32_t thread) {
  char text[96];
  long long turns = -1;
  if (read_file(thread, "schedstat", text, sizeof text)) sscanf(text, "%*s %*s %lld", &turns);
  return turns;
}

/// Whether memory belongs to the C library: its own locks are held for a moment only.
static bool is_of_c_library(uintptr_t address) {
  // The alignment of the heaps of threads in glibc, and the place of their locks.
  const uintptr_t heap = 64 << 20, first = 0x10, last = 0x80;
  if (address % heap >= first && address % heap <= last) return true;
  Dl_info info;
  return dladdr((void *)address, &info) && info.dli_fname &&
         (strstr(info.dli_fname, "/libc.so") || strstr(info.dli_fname, "/ld-linux"));
}

/// Finds out what a system call waits for.
static void find_cause(long number, const uintptr_t arguments[2], cvt_sleep *sleep) {
  if (number == SYS_wait4 || number == SYS_waitid) sleep->is_for_others = true;
  if (number != SYS_futex) return;
  enum { lock_pi = 6, lock_pi2 = 13, command = 0x7f, owner = 0x3fffffff };
  int operation = (int)arguments[1] & command;
  if (operation == lock_pi || operation == lock_pi2) {
    uint32_t word = 0;
    if (cvt_copy_memory((const void *)arguments[0], &word, sizeof word))
      sleep->owner = (int32_t)(word & owner);
  } else if (is_of_c_library(arguments[0])) {
    sleep->is_for_others = true;
  }
}

cvt_sleep cvt_sleep_of(int32_t thread, int64_t turns) {
  cvt_sleep sleep = {0};
  char text[512];
  if (turns < 0 || cvt_turns_of(thread) != turns) return sleep;
  for (int i = 0; i < 2; i++)
    if (!read_file(thread, "wchan", text, sizeof text) || text[0] == '0') return sleep;
  snprintf(sleep.place, sizeof sleep.place, "%s", text);
  if (state_of(thread) != 'S') return sleep;
  long number;
  uintptr_t arguments[2];
  if (!read_file(thread, "syscall", text, sizeof text) ||
      sscanf(text, "%ld %lx %lx", &number, &arguments[0], &arguments[1]) != 3)
    return sleep;
  if (cvt_turns_of(thread) != turns) return sleep;
  sleep.sleeps = true;
  find_cause(number, arguments, &sleep);
  return sleep;
}

const char *cvt_missing_of_sleep(int32_t sleeper) {
  char text[512];
  static const char *const names[] = {"schedstat", "wchan", "stat", "syscall"};
  for (int i = 0; i < 4; i++)
    if (!read_file(sleeper, names[i], text, sizeof text)) return names[i];
  if (!cvt_copy_memory(names, text, sizeof names)) return "process_vm_readv";
  if (cvt_turns_of(cvt_thread_id()) < 0) return "schedstat";
  if (cvt_sleep_of(cvt_thread_id(), cvt_turns_of(cvt_thread_id())).sleeps) return "wchan";
  for (int i = 0; i < 1000; i++) {
    if (cvt_sleep_of(sleeper, cvt_turns_of(sleeper)).sleeps) return 0;
    syscall(SYS_nanosleep, &(struct timespec){0, 1000000}, 0);
  }
  return "wchan";
}

#else

int32_t cvt_thread_id(void) { return 0; }
bool cvt_effort_of(int32_t thread, cvt_effort *effort) { return false; }
void cvt_lower_priority(int32_t thread) {}
int32_t cvt_runnable_threads(void) { return 0; }
void cvt_looks_on(void) {}
int64_t cvt_turns_of(int32_t thread) { return -1; }
cvt_sleep cvt_sleep_of(int32_t thread, int64_t turns) { return (cvt_sleep){0}; }
const char *cvt_missing_of_sleep(int32_t sleeper) { return "/proc"; }

#endif
