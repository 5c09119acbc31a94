#include "Core/RuntimeOverrides.h"

#if defined(__linux__)

#include <sched.h>

// Once-only initialisers, such as those of globals and static properties. Their tasks belong to the
// process.

REAL(swift_once)

/// Does the work of `swift_once` with a static standard library. The linker leaves out the file of
/// that library's own one, since ours is there.
void cvt_fallback_swift_once(intptr_t *token, void (*initialiser)(void *), void *context) {
  enum { fresh, running, done = -1 };
  _Atomic int *state = (_Atomic int *)token;
  int expected = fresh;
  if (atomic_compare_exchange_strong(state, &expected, running)) {
    initialiser(context);
    atomic_store(state, done);
  } else {
    while (atomic_load(state) != done) sched_yield();
  }
}

OVERRIDE void swift_once(intptr_t *token, void (*initialiser)(void *), void *context) {
  cvt_this_thread.initialisers++;
  real_swift_once()(token, initialiser, context);
  cvt_this_thread.initialisers--;
}

#endif
