#if defined(__linux__)

#include "DispatchSources/Sources.h"

#include <string.h>

// The handlers of sources, and what these read.

void rch_take_handlers(rch_source *s, rch_handler handlers[rch_handlers]) {
  memcpy(handlers, s->handlers, sizeof s->handlers);
  memset(s->handlers, 0, sizeof s->handlers);
}

void rch_release_handlers(const rch_handler handlers[rch_handlers]) {
  for (int i = 0; i < rch_handlers; i++)
    if (handlers[i].block) _Block_release(handlers[i].block);
}

static bool set_handler(object o, rch_handler_kind kind, void *block, function function) {
  rch_source *s = rch_lock_source(o);
  if (!s) return false;
  void *former = s->handlers[kind].block;
  s->handlers[kind] = (rch_handler){block ? _Block_copy(block) : 0, function};
  rch_watch_source(s);
  // As libdispatch does: whoever sets another handler may have a lock.
  bool is_freed_here = !s->is_registered;
  if (former && !is_freed_here) rch_free_handler(s, former);
  rch_unlock_sources();
  if (former && is_freed_here) _Block_release(former);
  return true;
}

#define HANDLER(name, kind)                                                           \
  OVERRIDE void name(object o, void *block) {                                         \
    if (!set_handler(o, kind, block, 0)) real_##name()(o, block);                    \
  }                                                                                   \
  OVERRIDE void name##_f(object o, function function) {                               \
    if (!set_handler(o, kind, 0, function)) real_##name##_f()(o, function);          \
  }
HANDLER(dispatch_source_set_event_handler, rch_event)
HANDLER(dispatch_source_set_cancel_handler, rch_cancellation)
HANDLER(dispatch_source_set_mandatory_cancel_handler, rch_cancellation)
HANDLER(dispatch_source_set_registration_handler, rch_registration)

OVERRIDE void dispatch_set_finalizer_f(object o, function finalizer) {
  rch_source *s = rch_lock_source(o);
  if (!s) return real_dispatch_set_finalizer_f()(o, finalizer);
  s->finalizer = finalizer;
  pthread_mutex_unlock(&rch_lock);
}

#define GETTER(type, name, field)              \
  OVERRIDE type name(object o) {               \
    const rch_source *s = rch_lock_source(o);  \
    if (!s) return real_##name()(o);           \
    type result = s->field;                    \
    pthread_mutex_unlock(&rch_lock);           \
    return result;                             \
  }
GETTER(uintptr_t, dispatch_source_get_data, data)
GETTER(uintptr_t, dispatch_source_get_handle, handle)

#endif
