#include "Jobs/Jobs.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>

// Threads that end in the middle of what they run, because it is code of a host that has crashed.
// Nothing on the stack comes to its end: no destructor runs, no lock is given back. The thread
// jumps to where it began and returns from there, so that the C library gives its stack back. But
// Foundation knows run loops by their threads, and a new thread would have that of the dead one: a
// thread with a run loop stays.

#if defined(__linux__)

/// The place at which this thread began the code in which it may die, or null.
static __thread jmp_buf *beginning;

static bool has_run_loop(void) {
  void *(*find)(pthread_t) = (void *(*)(pthread_t))dlsym(RTLD_DEFAULT, "_CFRunLoopGet0b");
  return find && find(pthread_self());
}

void cvt_end_dead_thread(void) {
  // Thread Sanitizer keeps what it knows of a thread until a destructor of its own is called.
  if (has_run_loop() || cvt_is_sanitized()) cvt_wait_for_ever();
  // libdispatch traps when a thread ends inside of a queue, and destructors are code of the host.
  enum { most_keys = 1024 };
  for (pthread_key_t key = 0; key < most_keys; key++)
    if (pthread_getspecific(key)) pthread_setspecific(key, 0);
}

bool cvt_run_mortal(void (*function)(void *), void *context) {
  jmp_buf here;
  if (setjmp(here)) return false;
  beginning = &here;
  function(context);
  beginning = 0;
  return true;
}

bool cvt_is_mortal(void) { return beginning; }

void *cvt_set_mortal(void *new) {
  void *former = beginning;
  beginning = new;
  return former;
}

void cvt_die(void (*last)(void)) {
  cvt_begun.mark = 0;
  cvt_end_begun();
  if (last) last();
  longjmp(*beginning, 1);
}

#else

void *cvt_set_mortal(void *new) { return 0; }

#endif
