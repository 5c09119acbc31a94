#include "Jobs/Jobs.h"

#include <pthread.h>
#include <setjmp.h>

// Threads that end in the middle of what they run, because it is code of a host that has crashed.
// Nothing on the stack comes to its end: no destructor runs, no lock is given back. The thread
// jumps to where it began and returns from there, so that the C library gives its stack back.

#if defined(__linux__)

/// Where this thread began to run what it may die in, or null.
static __thread jmp_buf *beginning;

/// libdispatch traps when a thread ends inside of a queue, and the destructors are code of the
/// host.
static void forget_specifics(void) {
  enum { most_keys = 1024 };
  for (pthread_key_t key = 0; key < most_keys; key++)
    if (pthread_getspecific(key)) pthread_setspecific(key, 0);
}

bool cvt_run_mortal(void (*function)(void *), void *context) {
  jmp_buf here;
  if (setjmp(here)) {
    forget_specifics();
    return false;
  }
  beginning = &here;
  function(context);
  beginning = 0;
  return true;
}

bool cvt_is_mortal(void) { return beginning; }

void cvt_die(void (*last)(void)) {
  cvt_begun.mark = 0;
  cvt_end_begun();
  if (last) last();
  longjmp(*beginning, 1);
}

#endif
