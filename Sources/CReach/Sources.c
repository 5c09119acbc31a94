#if defined(__linux__)

#include "Dispatch.h"

#include <stdlib.h>
#include <string.h>

// Timers and sources of user data. Such a source of a scope is a source of libdispatch without any
// handler, which does nothing but exist; when it fires, and what then runs, is decided here.

REAL(object, dispatch_source_create, const void *, uintptr_t, uintptr_t, object)
REAL(void, dispatch_source_set_timer, object, dispatch_time, uint64_t, uint64_t)
REAL(void, dispatch_source_set_event_handler, object, void *)
REAL(void, dispatch_source_set_event_handler_f, object, function)
REAL(void, dispatch_source_set_cancel_handler, object, void *)
REAL(void, dispatch_source_set_cancel_handler_f, object, function)
REAL(void, dispatch_source_set_registration_handler, object, void *)
REAL(void, dispatch_source_set_registration_handler_f, object, function)
REAL(void, dispatch_source_merge_data, object, uintptr_t)
REAL(uintptr_t, dispatch_source_get_data, object)
REAL(void, dispatch_source_cancel, object)
REAL(void, dispatch_set_target_queue, object, object)
REAL(void, dispatch_set_context, object, void *)
REAL(void *, dispatch_get_context, object)
REAL(void, dispatch_set_finalizer_f, object, function)
REAL(void, dispatch_retain, object)
REAL(void, dispatch_release, object)

/// A block, or a function that is called with the context of the source.
typedef struct {
  void *block;
  function function;
} handler;

enum { event, cancellation, registration, handlers };

typedef struct source {
  rch_entry alarm;
  struct source *next;
  object object, queue;
  /// One of libdispatch's types.
  const void *type;
  handler handlers[handlers];
  void *context;
  /// What has been merged, or how often the timer has fired, and what the running handler sees of it.
  uintptr_t pending, data;
  int suspensions;
  bool is_registered, is_cancelled, is_submitted, has_told_cancellation;
  uint64_t timer, interval;
  int64_t deadline;
  /// How often the timer may still fire, if it ends the run of a run loop.
  int fires_left;
} source;

static source *sources;
static _Atomic int count;

/// The source of that address; under the lock.
static source *find(object o) {
  source *s = sources;
  while (s && s->object != o) s = s->next;
  return s;
}

static bool there_is_none(void) {
  return atomic_load_explicit(&count, memory_order_relaxed) == 0;
}

static void disarm(source *s) {
  if (s->timer) rch_the_engine.disarm(s->alarm.scope, s->timer);
  s->timer = 0;
}

/// libdispatch frees the source.
static void finalize(void *p) {
  source *s = p;
  pthread_mutex_lock(&rch_lock);
  disarm(s);
  source **link = &sources;
  while (*link != s) link = &(*link)->next;
  *link = s->next;
  pthread_mutex_unlock(&rch_lock);
  atomic_fetch_sub(&count, 1);
  for (int i = 0; i < handlers; i++)
    if (s->handlers[i].block) _Block_release(s->handlers[i].block);
  real_dispatch_release()(s->queue);
  free(s);
}

// A reference of its own: the real source's does not allow more to be taken.
static void move_to(source *s, object q) {
  if (!q) q = dispatch_get_global_queue(0, 0);
  real_dispatch_retain()(q);
  if (s->queue) real_dispatch_release()(s->queue);
  s->queue = q;
}

static void time_has_come(rch_entry *alarm);
static void drop(rch_entry *alarm) { (void)alarm; }

OVERRIDE object dispatch_source_create(
    const void *type, uintptr_t handle, uintptr_t mask, object q) {
  uint32_t scope = rch_scope_here();
  bool is_timer = type == _dispatch_source_type_timer;
  bool is_ours = is_timer || type == _dispatch_source_type_data_add ||
                 type == _dispatch_source_type_data_or || type == _dispatch_source_type_data_replace;
  if (!scope || !is_ours) return real_dispatch_source_create()(type, handle, mask, q);
  object o = real_dispatch_source_create()(_dispatch_source_type_data_add, 0, 0, q);
  source *s = calloc(1, sizeof *s);
  s->alarm = (rch_entry){time_has_come, drop, rch_anywhere, scope};
  s->object = o;
  move_to(s, q);
  s->type = type;
  s->suspensions = 1;
  real_dispatch_set_context()(o, s);
  real_dispatch_set_finalizer_f()(o, finalize);
  pthread_mutex_lock(&rch_lock);
  s->next = sources;
  sources = s;
  pthread_mutex_unlock(&rch_lock);
  atomic_fetch_add(&count, 1);
  return o;
}

// MARK: Running handlers

typedef struct {
  object object;
  int which;
} run_request;

static void call(object o, handler h, void *context) {
  if (h.block) ((struct block *)h.block)->invoke(h.block); else if (h.function) h.function(context);
}

/// Runs a handler, inside the queue of its source.
static void run(void *p) {
  run_request r = *(run_request *)p;
  free(p);
  pthread_mutex_lock(&rch_lock);
  source *s = find(r.object);
  bool is_event = r.which == event;
  if (is_event) s->is_submitted = false;
  bool is_due = !is_event || (s->suspensions == 0 && !s->is_cancelled && s->pending);
  handler h = {0, 0};
  if (is_due) {
    h = s->handlers[r.which];
    if (h.block) h.block = _Block_copy(h.block);
    if (is_event) {
      s->data = s->pending;
      s->pending = 0;
    }
  }
  void *context = s->context;
  pthread_mutex_unlock(&rch_lock);
  call(r.object, h, context);
  if (h.block) _Block_release(h.block);
  real_dispatch_release()(r.object);
}

/// Makes a handler ready; under the lock.
static void submit(source *s, int which) {
  if (which == event && s->is_submitted) return;
  if (which == event) s->is_submitted = true;
  real_dispatch_retain()(s->object);
  run_request *r = malloc(sizeof *r);
  *r = (run_request){s->object, which};
  rch_block *b = rch_make_block(s->alarm.scope, s->queue, r, run, false);
  if (rch_submit_under_lock(b)) return;
  // The scope has ended.
  rch_free_block(b);
  real_dispatch_release()(s->object);
  free(r);
}

/// Does what an active source does; under the lock.
static void go_on(source *s) {
  if (s->suspensions) return;
  if (!s->is_registered) submit(s, registration);
  s->is_registered = true;
  if (s->is_cancelled) {
    if (!s->has_told_cancellation) submit(s, cancellation);
    s->has_told_cancellation = true;
  } else if (s->pending) {
    submit(s, event);
  }
}

// MARK: Timers

static void arm(source *s) { s->timer = rch_the_engine.arm(&s->alarm, s->deadline, false); }

static void time_has_come(rch_entry *alarm) {
  source *s = (source *)alarm;
  pthread_mutex_lock(&rch_lock);
  s->timer = 0;
  s->pending++;
  if (s->fires_left > 0 && --s->fires_left == 0) s->interval = 0;
  if (s->interval && !__builtin_add_overflow(s->deadline, (int64_t)s->interval, &s->deadline))
    arm(s);
  go_on(s);
  pthread_mutex_unlock(&rch_lock);
}

/// Whether a run loop of Foundation calls, to end a run.
///
/// It ends when it is *past* its end. In exact time it would be just there, or, since it computes the timer's time
/// with floating-point numbers, a nanosecond before. And whoever runs it again until a date looks at the wall clock in
/// microseconds. So the timer fires at each microsecond until the run has ended and the timer is cancelled.
static bool is_run_loop(const void *caller) {
  Dl_info info;
  return dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libFoundation.so");
}
enum { fires_for_run_loop = 8, microsecond = 1000, error_of_time = 2 };

/// The first full microsecond of the wall clock from the end of a run on, as far as that is known.
static int64_t end_of_run(uint32_t scope, int64_t deadline) {
  int64_t base = cvt_clocks_of(scope)->realtime % microsecond;
  int64_t before = (base + deadline - error_of_time) % microsecond;
  if (before < 0) before += microsecond;
  int64_t rest = before == 0 ? 0 : microsecond - before;
  return deadline - error_of_time + rest;
}

OVERRIDE void dispatch_source_set_timer(
    object o, dispatch_time start, uint64_t interval, uint64_t leeway) {
  if (there_is_none()) return real_dispatch_source_set_timer()(o, start, interval, leeway);
  pthread_mutex_lock(&rch_lock);
  source *s = find(o);
  if (s && !s->is_cancelled) {
    disarm(s);
    s->pending = 0;
    s->interval = interval > INT64_MAX ? 0 : interval;
    s->fires_left = 0;
    s->deadline = rch_when_dispatch(s->alarm.scope, start);
    if (interval == UINT64_MAX && is_run_loop(__builtin_return_address(0))) {
      s->interval = microsecond;
      s->fires_left = fires_for_run_loop;
      if (s->deadline < rch_never / 2) s->deadline = end_of_run(s->alarm.scope, s->deadline);
    }
    if (s->deadline != rch_never) arm(s);
  }
  pthread_mutex_unlock(&rch_lock);
  if (!s) real_dispatch_source_set_timer()(o, start, interval, leeway);
}

// MARK: User data

OVERRIDE void dispatch_source_merge_data(object o, uintptr_t value) {
  if (there_is_none()) return real_dispatch_source_merge_data()(o, value);
  pthread_mutex_lock(&rch_lock);
  source *s = find(o);
  if (s && !s->is_cancelled) {
    if (s->type == _dispatch_source_type_data_add)
      s->pending += value;
    else if (s->type == _dispatch_source_type_data_or)
      s->pending |= value;
    else
      s->pending = value;
    go_on(s);
  }
  pthread_mutex_unlock(&rch_lock);
  if (!s) real_dispatch_source_merge_data()(o, value);
}

OVERRIDE uintptr_t dispatch_source_get_data(object o) {
  if (there_is_none()) return real_dispatch_source_get_data()(o);
  pthread_mutex_lock(&rch_lock);
  const source *s = find(o);
  uintptr_t data = s ? s->data : 0;
  pthread_mutex_unlock(&rch_lock);
  return s ? data : real_dispatch_source_get_data()(o);
}

// MARK: Handlers

static bool set_handler(object o, int which, void *block, function function) {
  if (there_is_none()) return false;
  pthread_mutex_lock(&rch_lock);
  source *s = find(o);
  void *former = 0;
  if (s) {
    former = s->handlers[which].block;
    s->handlers[which] = (handler){block ? _Block_copy(block) : 0, function};
  }
  pthread_mutex_unlock(&rch_lock);
  if (former) _Block_release(former);
  return s;
}

#define HANDLER(name, which)                                                          \
  OVERRIDE void name(object o, void *block) {                                         \
    if (!set_handler(o, which, block, 0)) real_##name()(o, block);                    \
  }                                                                                   \
  OVERRIDE void name##_f(object o, function function) {                               \
    if (!set_handler(o, which, 0, function)) real_##name##_f()(o, function);          \
  }
HANDLER(dispatch_source_set_event_handler, event)
HANDLER(dispatch_source_set_cancel_handler, cancellation)
HANDLER(dispatch_source_set_registration_handler, registration)

// The context of the real source leads to ours.
OVERRIDE void dispatch_set_context(object o, void *context) {
  if (there_is_none()) return real_dispatch_set_context()(o, context);
  pthread_mutex_lock(&rch_lock);
  source *s = find(o);
  if (s) s->context = context;
  pthread_mutex_unlock(&rch_lock);
  if (!s) real_dispatch_set_context()(o, context);
}
OVERRIDE void *dispatch_get_context(object o) {
  if (there_is_none()) return real_dispatch_get_context()(o);
  pthread_mutex_lock(&rch_lock);
  const source *s = find(o);
  void *context = s ? s->context : 0;
  pthread_mutex_unlock(&rch_lock);
  return s ? context : real_dispatch_get_context()(o);
}

// MARK: Cancelling, suspending, moving

OVERRIDE void dispatch_source_cancel(object o) {
  real_dispatch_source_cancel()(o);
  if (there_is_none()) return;
  pthread_mutex_lock(&rch_lock);
  source *s = find(o);
  if (s && !s->is_cancelled) {
    s->is_cancelled = true;
    disarm(s);
    go_on(s);
  }
  pthread_mutex_unlock(&rch_lock);
}

void rch_source_resumed(object o, bool is_activation) {
  if (there_is_none()) return;
  pthread_mutex_lock(&rch_lock);
  source *s = find(o);
  if (s && !(is_activation && s->suspensions == 0)) {
    s->suspensions--;
    go_on(s);
  }
  pthread_mutex_unlock(&rch_lock);
}

void rch_source_suspended(object o) {
  if (there_is_none()) return;
  pthread_mutex_lock(&rch_lock);
  source *s = find(o);
  if (s) s->suspensions++;
  pthread_mutex_unlock(&rch_lock);
}

OVERRIDE void dispatch_set_target_queue(object o, object q) {
  real_dispatch_set_target_queue()(o, q);
  if (there_is_none()) return;
  pthread_mutex_lock(&rch_lock);
  source *s = find(o);
  if (s) move_to(s, q);
  pthread_mutex_unlock(&rch_lock);
}

#endif
