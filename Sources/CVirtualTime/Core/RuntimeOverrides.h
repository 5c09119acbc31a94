#pragma once

// The functions that this target overrides, for clocks and in the Swift runtime, as
// `Core/Overrides.h` in `CReach` lists the others: one row for each, with what happens without it.
// `real_name()` is the original.

#include "Core/Runtime.h"

#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// ClockOverrides.c. Not among them is what tells no time: `clock_getres` and `timespec_getres` tell
// how finely a clock can be read; `clock`, `times` and `getrusage` tell how long the processor has
// worked. Neither is `ftime`, which no program can be linked with any more; the C library's own is
// built on these.
#define CVT_CLOCKS(X)                                                                       \
  X(clock_gettime, "clocks tell real time")                                                 \
  X(timespec_get, "clocks tell real time")                                                  \
  X(gettimeofday, "clocks tell real time")                                                  \
  X(time, "clocks tell real time")

// JobRuns.c, Initialisers.c
#define CVT_TASKS(X)                                                                        \
  X(swift_job_run, "a scope does not see that a job has ended")                             \
  X(swift_job_run_on_task_executor, "a scope does not see that a job has ended")            \
  X(swift_job_run_on_serial_and_task_executor, "a scope does not see that a job has ended") \
  X(swift_task_immediate, "an immediate task belongs to the code that resumes it")          \
  X(swift_once, "tasks of a global belong to one scope")

// Creation.c, Randomness.c
#define CVT_SCHEDULES(X)                                                                    \
  X(swift_task_create, "a schedule runs tasks in impossible orders")                        \
  X(syscall, "each run of a schedule draws other random numbers")

// Arrivals.c, which has instructions of a processor.
#if defined(__x86_64__) || defined(__aarch64__)
#define CVT_ARRIVALS(X) X(swift_task_switch, "fewer orders of tasks are explored")
#else
#define CVT_ARRIVALS(X)
#endif

#define CVT_OVERRIDES(X) CVT_CLOCKS(X) CVT_TASKS(X) CVT_SCHEDULES(X) CVT_ARRIVALS(X)
