#if defined(__linux__)

#include "DispatchSources/Sources.h"

// Sources of signals. A real source outside of scopes, the *notice*, has libdispatch take the
// signals. It tells the source of the scope. Time stands until the notice is registered, and from
// the moment at which the scope sends a signal to its own process until the notice has seen it.

/// The context of a notice, which may outlive the source.
typedef struct {
  object source, notice;
} recipient;

/// The sources of signals that are registered.
static LIST_HEAD(, rch_source) registered;

bool rch_is_signal_type(const void *type) { return type == _dispatch_source_type_signal; }

/// Stops time for the source, or lets it go on; under the lock.
static void set_holds_time(rch_source *s, uint32_t scope) {
  if (s->held == scope) return;
  if (s->held) rch_the_engine.hold(s->held, false);
  if (scope) rch_the_engine.hold(scope, true);
  s->held = scope;
}

/// The source of a notice; under the lock.
static rch_source *recipient_of(const recipient *l) {
  rch_source *s = rch_find_source(l->source);
  return s && s->notice == l->notice ? s : 0;
}

static void has_registered(void *p) {
  pthread_mutex_lock(&rch_lock);
  rch_source *s = recipient_of(p);
  if (s && !s->is_cancelled) {
    LIST_INSERT_HEAD(&registered, s, in_registered);
    s->is_noticed = true;
    rch_source_goes_on(s);
    set_holds_time(s, 0);
  }
  rch_unlock_sources();
}

static void has_seen(void *p) {
  const recipient *l = p;
  uintptr_t signals = real_dispatch_source_get_data()(l->notice);
  pthread_mutex_lock(&rch_lock);
  rch_source *s = recipient_of(l);
  if (s && !s->is_cancelled) {
    s->pending += signals;
    rch_source_goes_on(s);
    set_holds_time(s, 0);
  }
  rch_unlock_sources();
}

void rch_prepare_signal_source(rch_source *s) {
  s->notice = real_dispatch_source_create()(
      _dispatch_source_type_signal, s->handle, 0, dispatch_get_global_queue(0, 0));
  dispatch_set_context(s->notice, NEW(recipient, s->object, s->notice));
  dispatch_set_finalizer_f(s->notice, free);
  real_dispatch_source_set_registration_handler_f()(s->notice, has_registered);
  real_dispatch_source_set_event_handler_f()(s->notice, has_seen);
}

bool rch_awaits_notice(rch_source *s) {
  if (!s->notice || s->is_noticed || s->is_cancelled) return false;
  if (rch_is_reached(s->alarm.scope)) set_holds_time(s, s->alarm.scope);
  return true;
}

void rch_begin_notice(object notice) { real_dispatch_activate()(notice); }

void rch_end_notice(rch_source *s) {
  if (s->is_noticed) LIST_REMOVE(s, in_registered);
  s->is_noticed = false;
  set_holds_time(s, 0);
}

void rch_free_notice(object notice) {
  real_dispatch_source_cancel()(notice);
  // An inactive source must not be released.
  real_dispatch_activate()(notice);
  real_dispatch_release()(notice);
}

/// Whether libdispatch handles a signal, and not code of the user's.
static bool is_taken(int signal) {
  struct sigaction action;
  return sigaction(signal, 0, &action) == 0 &&
         rch_is_of_libdispatch((const void *)action.sa_handler);
}

OVERRIDE int kill(pid_t process, int signal) {
  uint32_t scope = rch_any_sources() && process == getpid() ? rch_scope_here() : 0;
  if (!scope || !is_taken(signal)) return real_kill()(process, signal);
  pthread_mutex_lock(&rch_lock);
  rch_source *s;
  LIST_FOREACH(s, &registered, in_registered)
    if (s->handle == (uintptr_t)signal && s->alarm.scope == scope) set_holds_time(s, scope);
  pthread_mutex_unlock(&rch_lock);
  return real_kill()(process, signal);
}

#endif
