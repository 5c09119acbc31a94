#include <pthread.h>
#include <unistd.h>

#include "CVirtualTime.h"

__thread cvt_thread cvt_this_thread;

// libdispatch, which every Swift program for Linux has. Its global queues for overcommitted work make
// a thread for each job that finds none idle.
extern void *dispatch_get_global_queue(intptr_t priority, uintptr_t flags);
extern void dispatch_async_f(void *queue, void *context, void (*function)(void *));

void cvt_run_on_lane(void *context, void (*function)(void *)) {
  const uintptr_t overcommit = 2;
  dispatch_async_f(dispatch_get_global_queue(0, overcommit), context, function);
}

long cvt_processors(void) { return sysconf(_SC_NPROCESSORS_ONLN); }

static void *run_thread(void *function) {
  ((void (*)(void))function)();
  return 0;
}

void cvt_start_thread(void (*function)(void)) {
  pthread_t thread;
  if (pthread_create(&thread, 0, run_thread, (void *)function) == 0) pthread_detach(thread);
}

void cvt_wait_for_ever(void) {
  for (;;) pause();
}
