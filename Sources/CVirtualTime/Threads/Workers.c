#include "Core/Internal.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)

// Threads of our own, since libdispatch has no more than 255 of them, and each may wait in a
// scope's time.

typedef struct worker {
  struct worker *next;
  sem_t go;
  void *context;
  void (*function)(void *context);
} worker;

enum { max_idle_workers = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/// The workers that have nothing to do, the latest first.
static worker *idle;
static int idle_count;

static void *run_worker(void *argument) {
  worker *self = argument;
  bool has_returned;
  for (;;) {
    has_returned = cvt_run_mortal(self->function, self->context);
    pthread_mutex_lock(&lock);
    bool is_needed = has_returned && idle_count < max_idle_workers;
    if (is_needed) {
      self->next = idle;
      idle = self;
      idle_count++;
    }
    pthread_mutex_unlock(&lock);
    if (!is_needed) break;
    while (sem_wait(&self->go)) {
    }
  }
  sem_destroy(&self->go);
  free(self);
  if (!has_returned) cvt_end_dead_thread();
  return 0;
}

static void make_thread(worker *worker) {
  // The system may have as many threads as it allows, for a moment.
  enum { tries = 1000, pause = 10000000 };
  pthread_t thread;
  int error = EAGAIN;
  for (int i = 0; i < tries && error == EAGAIN; i++) {
    if (i > 0) cvt_rest_for(pause);
    error = pthread_create(&thread, 0, run_worker, worker);
  }
  if (error) {
    fprintf(
        stderr, "Virtual time needs another thread, and the system has made none for ten seconds: %s.\n",
        strerror(error));
    abort();
  }
  pthread_detach(thread);
}

void cvt_run_on_worker(void *context, void (*function)(void *context)) {
  cvt_thread_exempt(+1);
  pthread_mutex_lock(&lock);
  worker *worker = idle;
  if (worker) {
    idle = worker->next;
    idle_count--;
  }
  pthread_mutex_unlock(&lock);
  if (worker) {
    worker->context = context;
    worker->function = function;
    sem_post(&worker->go);
  } else {
    worker = calloc(1, sizeof *worker);
    if (!worker) abort();
    worker->context = context;
    worker->function = function;
    sem_init(&worker->go, 0, 0);
    make_thread(worker);
  }
  cvt_thread_exempt(-1);
}

#else

// A global queue for overcommitted work makes a thread for each job that finds none idle.
extern void *dispatch_get_global_queue(intptr_t priority, uintptr_t flags);
extern void dispatch_async_f(void *queue, void *context, void (*function)(void *));

void cvt_run_on_worker(void *context, void (*function)(void *)) {
  const uintptr_t overcommit = 2;
  dispatch_async_f(dispatch_get_global_queue(0, overcommit), context, function);
}

#endif

void cvt_rest_for(int64_t duration) {
  const struct timespec t = {duration / 1000000000, duration % 1000000000};
  nanosleep(&t, 0);
}

long cvt_processors(void) { return sysconf(_SC_NPROCESSORS_ONLN); }

bool cvt_is_sanitized(void) {
#if __has_feature(thread_sanitizer)
  return true;
#else
  return false;
#endif
}

static void *run_thread(void *function) {
  cvt_looks_on();
  ((void (*)(void))function)();
  return 0;
}

void cvt_start_thread(void (*function)(void)) {
  pthread_t thread;
  cvt_thread_exempt(+1);
  if (pthread_create(&thread, 0, run_thread, (void *)function) == 0) pthread_detach(thread);
  cvt_thread_exempt(-1);
}

void cvt_wait_for_ever(void) {
  for (;;) pause();
}
