#if defined(__linux__)

#include "DispatchSources/Sources.h"
#include "Queues/Queues.h"

// Queues and sources that are suspended, and resumed.

/// Takes note of that, if the object is a source (Sources.c).
void rch_source_resumed(object o, bool is_activation);
void rch_source_suspended(object o);

OVERRIDE void dispatch_resume(object o) {
  if (atomic_load_explicit(&rch_scopes, memory_order_relaxed) == 0)
    return real_dispatch_resume()(o);
  rch_source_resumed(o, false);
  rch_passage passage = {o, rch_root(o), rch_has_width_one(o)};
  real_dispatch_resume()(o);
  rch_let_in(passage);
}

OVERRIDE void dispatch_activate(object o) {
  if (atomic_load_explicit(&rch_scopes, memory_order_relaxed) == 0)
    return real_dispatch_activate()(o);
  rch_source_resumed(o, true);
  rch_passage passage = {o, rch_root(o), rch_has_width_one(o)};
  real_dispatch_activate()(o);
  rch_let_in(passage);
}

OVERRIDE void dispatch_suspend(object o) {
  real_dispatch_suspend()(o);
  if (atomic_load_explicit(&rch_scopes, memory_order_relaxed) != 0) rch_source_suspended(o);
}

#endif
