#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "Internal.h"

static const int64_t second = 1000000000;

#if !defined(__linux__)

int64_t cvt_real_nanoseconds(clockid_t id) { return (int64_t)clock_gettime_nsec_np(id); }

#else

// MARK: The real clock

typedef int (*clock_gettime_function)(clockid_t, struct timespec *);

static int through_the_kernel(clockid_t id, struct timespec *reading) {
  return (int)syscall(SYS_clock_gettime, id, reading);
}

/// The C library's function, which need not enter the kernel.
static int real_clock_gettime(clockid_t id, struct timespec *reading) {
  static _Atomic(clock_gettime_function) cached;
  clock_gettime_function function = atomic_load_explicit(&cached, memory_order_relaxed);
  if (!function) {
    function = (clock_gettime_function)dlsym(RTLD_NEXT, "clock_gettime");
    if (!function) function = through_the_kernel;
    atomic_store_explicit(&cached, function, memory_order_relaxed);
  }
  return function(id, reading);
}

int64_t cvt_real_nanoseconds(clockid_t id) {
  struct timespec reading;
  real_clock_gettime(id, &reading);
  return reading.tv_sec * second + reading.tv_nsec;
}

// MARK: The virtual clocks

static bool virtual_nanoseconds(clockid_t id, int64_t *reading) {
  const cvt_clocks *clocks = cvt_current_clocks();
  if (!clocks) return false;
  int64_t base;
  switch (id) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
      base = clocks->realtime;
      break;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
      base = clocks->monotonic;
      break;
    case CLOCK_BOOTTIME:
      base = clocks->boottime;
      break;
    default:  // The clocks of processor time stay real.
      return false;
  }
  if (__builtin_add_overflow(base, cvt_clocks_elapsed(clocks), reading)) *reading = INT64_MAX;
  return true;
}

// MARK: The overrides, which the linker prefers to the C library's

int clock_gettime(clockid_t id, struct timespec *reading) {
  int64_t now;
  if (!virtual_nanoseconds(id, &now)) return real_clock_gettime(id, reading);
  reading->tv_sec = now / second - (now % second < 0);
  reading->tv_nsec = now % second + (now % second < 0 ? second : 0);
  return 0;
}

int gettimeofday(struct timeval *restrict reading, void *restrict zone) {
  (void)zone;
  struct timespec now;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  reading->tv_sec = now.tv_sec;
  reading->tv_usec = now.tv_nsec / 1000;
  return result;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

#endif
