#if defined(__linux__)

#include "DispatchSources/Sources.h"
#include "Queues/Queues.h"

// Suspends and resumes queues and sources.

static void resume(object o, bool is_activation, void (*real)(object)) {
  if (atomic_load_explicit(&rch_scopes, memory_order_relaxed) == 0) return real(o);
  rch_source_resumed(o, is_activation);
  rch_passage passage = {o, rch_root(o), rch_has_width_one(o)};
  real(o);
  rch_let_in(passage);
}

OVERRIDE void dispatch_resume(object o) { resume(o, false, real_dispatch_resume()); }

OVERRIDE void dispatch_activate(object o) { resume(o, true, real_dispatch_activate()); }

OVERRIDE void dispatch_suspend(object o) {
  real_dispatch_suspend()(o);
  if (atomic_load_explicit(&rch_scopes, memory_order_relaxed) != 0) rch_source_suspended(o);
}

#endif
