#if defined(__linux__)

#include "Core/RealWaits.h"
#include "DispatchSources/Sources.h"
#include "Queues/Queues.h"

// Sources of a scope. Such a source is a source of libdispatch without any handler, which does
// nothing but exist; when it fires, and what then runs, is decided here. `DispatchIO` is made of
// these sources and of blocks. One handler of a source runs at a time. A source whose scope has
// ended belongs to the one that uses it next; if there is none, its handlers run outside.
//
// A run loop of Foundation is `ppoll` on an epoll file, a `timerfd` for its timers, and a dispatch
// timer for its end.

typedef rch_source source;

_Atomic int rch_sources;
/// What objects of libdispatch that are sources begin with, as soon as a scope has made one.
static _Atomic(const void *) class_of_sources;

void rch_move_to_scope(source *s, uint32_t scope) {
  if (!scope || rch_is_reached(s->alarm.scope)) return;
  rch_disarm(s);
  s->alarm.scope = scope;
}

/// Takes a reference of its own: the real source's does not allow more to be taken. Returns the
/// queue before, which is to be released.
static object move_to(source *s, object q) {
  object former = s->queue;
  s->queue = q ? q : dispatch_get_global_queue(0, 0);
  dispatch_retain(s->queue);
  return former;
}

static rch_work tell(const rch_entry *alarm) {
  return (rch_work){.what = "a timer", .queue = dispatch_queue_get_label(((source *)alarm)->queue)};
}

OVERRIDE object dispatch_source_create(
    const void *type, uintptr_t handle, uintptr_t mask, object q) {
  uint32_t scope = rch_scope_here();
  bool is_timer = type == _dispatch_source_type_timer;
  bool is_ours = is_timer || rch_is_file_type(type) || rch_is_signal_type(type) ||
                 type == _dispatch_source_type_data_add || type == _dispatch_source_type_data_or ||
                 type == _dispatch_source_type_data_replace;
  if (!scope || !is_ours) return real_dispatch_source_create()(type, handle, mask, q);
  // A run loop ends its run by a timer.
  uint16_t life = is_timer ? rch_life_of(__builtin_return_address(0)) : cvt_current_life();
  // Which thread frees a real source is not known, and so it must not have the last reference to
  // the queue.
  object o = real_dispatch_source_create()(_dispatch_source_type_data_add, 0, 0, 0);
  source *s = NEW(
      source,
      .alarm = {rch_alarm_rings, rch_alarm_is_dropped, rch_anywhere, scope, tell, .life = life},
      .object = o, .type = type, .handle = handle, .suspensions = 1);
  move_to(s, q);
  if (rch_is_file_type(type)) rch_prepare_file_source(s);
  if (rch_is_signal_type(type)) rch_prepare_signal_source(s);
  atomic_store(&class_of_sources, *(const void **)o);
  UNDER_LOCK(rch_insert_source(s));
  atomic_fetch_add(&rch_sources, 1);
  rch_queue_gets_source(s->queue, scope);
  return o;
}

// MARK: Submitting

typedef struct run_request {
  struct run_request *next;
  source *source;
  object queue;
  rch_handler_kind kind;
  /// A block that is only freed, if there is one.
  void *block;
} run_request;

/// What this thread runs outside as soon as it has unlocked: libdispatch may call what is
/// overridden.
static __thread run_request *outside;

static void run(void *p);

void rch_unlock_sources(void) {
  run_request *all = outside, *next;
  outside = 0;
  pthread_mutex_unlock(&rch_lock);
  for (; all; all = next) {
    next = all->next;
    real_dispatch_async_f()(all->queue, all, run);
  }
}

static void call(rch_handler h, void *context) {
  if (h.block) ((struct block *)h.block)->invoke(h.block); else if (h.function) h.function(context);
}

static bool has_event(const source *s) { return s->pending || s->is_ready; }

/// Takes the handler out that is to be called; under the lock. One of a source that has been
/// suspended since is submitted again when it is resumed.
static rch_handler take(source *s, rch_handler_kind kind) {
  if (kind != rch_cancellation && s->is_cancelled) return (rch_handler){0};
  if (s->suspensions) {
    if (kind == rch_registration) s->is_registered = false;
    if (kind == rch_cancellation) s->has_told_cancellation = false;
    return (rch_handler){0};
  }
  if (kind == rch_event) {
    if (!has_event(s)) return (rch_handler){0};
    s->data = s->pending;
    s->pending = 0;
    s->is_ready = false;
  }
  rch_handler h = s->handlers[kind];
  if (kind != rch_event)
    // It is called once, and what it has captured is free then.
    s->handlers[kind] = (rch_handler){0};
  else if (h.block)
    h.block = _Block_copy(h.block);
  return h;
}

/// Has a request run in the queue; under the lock.
static void submit(source *s, rch_handler_kind kind, void *block) {
  uint32_t scope = s->alarm.scope;
  run_request *r = NEW(run_request, outside, s, s->queue, kind, block);
  if (rch_is_reached(scope)) {
    rch_block *b = rch_make_block(scope, s->queue, r, run, false);
    if (kind != rch_end) rch_take_task(b);
    // A source of a crashed host belongs to the code that frees it.
    if (cvt_state_of_life(scope, s->alarm.life) != cvt_life_has_ended) b->entry.life = s->alarm.life;
    if (rch_submit_under_lock(b)) return;
    rch_free_block(b);
  }
  // The scope has ended.
  outside = r;
}

/// Makes a handler ready; under the lock.
static void submit_handler(source *s, rch_handler_kind kind) {
  s->is_busy = true;
  s->requests++;
  dispatch_retain(s->object);
  submit(s, kind, 0);
}

void rch_free_handler(source *s, void *block) { submit(s, rch_end, block); }

void rch_source_goes_on(source *s) {
  if (!s->suspensions && !s->is_busy && !rch_awaits_notice(s)) {
    bool was_registered = s->is_registered;
    s->is_registered = true;
    if (!was_registered && !s->is_cancelled && rch_has_handler(s, rch_registration)) {
      submit_handler(s, rch_registration);
    } else if (s->is_cancelled) {
      if (!s->has_told_cancellation) submit_handler(s, rch_cancellation);
      s->has_told_cancellation = true;
    } else if (has_event(s)) {
      submit_handler(s, rch_event);
    }
  }
  rch_watch_source(s);
}

// MARK: Running handlers, and the end

/// It is as if the source had been cancelled, and had told that; under the lock.
static void end_source(source *s) {
  s->is_cancelled = s->has_told_cancellation = true;
  rch_disarm(s);
  rch_end_notice(s);
  rch_watch_source(s);
}

/// Frees a source that nobody knows any more. It may run code: that of its finaliser, and of what
/// its handlers have captured.
static void free_source(source *s) {
  rch_release_handlers(s->handlers);
  if (s->notice) rch_free_notice(s->notice);
  if (s->finalizer && s->context) s->finalizer(s->context);
  real_dispatch_release()(s->queue);
  rch_free_source(s);
}

/// Whether code may run when the source is freed.
static bool has_code(const source *s) {
  bool result = s->finalizer;
  for (int i = 0; i < rch_handlers; i++) result |= s->handlers[i].block != 0;
  return result;
}

// The object must not be touched after its last release.
static void release(object o, bool is_of_request) {
  const void *class = atomic_load_explicit(&class_of_sources, memory_order_relaxed);
  if (__builtin_expect(rch_drops_block, false)) rch_resume_if_last(o, class);
  if (!class || *(const void **)o != class) return real_dispatch_release()(o);
  uint32_t here = rch_scope_here();
  source *s = rch_lock_source(o);
  if (!s) return real_dispatch_release()(o);
  if (is_of_request) s->requests--;
  int left = rch_references(o) - 1;
  // Of a source that only its requests know, nothing but a cancellation is told.
  if (left == s->requests && !s->is_cancelled) end_source(s);
  if (left > 0) {
    // Under the lock: two threads must not both believe that theirs is not the last one.
    real_dispatch_release()(o);
    pthread_mutex_unlock(&rch_lock);
    return;
  }
  s->context = dispatch_get_context(o);
  rch_move_to_scope(s, here);
  rch_remove_source(s);
  atomic_fetch_sub(&rch_sources, 1);
  // As libdispatch does, code runs in the queue: whoever drops a source may have a lock.
  bool is_freed_here = is_of_request || !has_code(s);
  if (!is_freed_here) submit(s, rch_end, 0);
  rch_unlock_sources();
  real_dispatch_release()(o);
  if (is_freed_here) free_source(s);
}

OVERRIDE void dispatch_release(object o) { release(o, false); }

/// Calls a handler inside its queue, and after a cancellation also that of the cancellation.
static void run_handlers(source *s, rch_handler_kind kind) {
  for (bool goes_on = true; goes_on; kind = rch_cancellation) {
    rch_handler former[rch_handlers] = {0};
    pthread_mutex_lock(&rch_lock);
    rch_handler h = take(s, kind);
    if (kind == rch_cancellation && !s->suspensions) rch_take_handlers(s, former);
    bool is_of_file = rch_is_file_type(s->type) && kind == rch_event;
    if (is_of_file) rch_file_handler_begins(s);
    pthread_mutex_unlock(&rch_lock);
    rch_release_handlers(former);
    call(h, dispatch_get_context(s->object));
    if (h.block) _Block_release(h.block);
    pthread_mutex_lock(&rch_lock);
    if (is_of_file) rch_file_handler_ends(s);
    // Sources of files and signals are unregistered before.
    bool tells_at_once = !rch_is_file_type(s->type) && !s->notice;
    goes_on = tells_at_once && s->is_cancelled && !s->has_told_cancellation && !s->suspensions;
    if (goes_on) {
      s->has_told_cancellation = true;
    } else {
      s->is_busy = false;
      rch_source_goes_on(s);
    }
    rch_unlock_sources();
  }
}

/// Fulfils a request inside its queue.
static void run(void *p) {
  run_request r = *(run_request *)p;
  free(p);
  if (r.block) return _Block_release(r.block);
  if (r.kind == rch_end) return free_source(r.source);
  source *s = r.source;
  pthread_mutex_lock(&rch_lock);
  bool is_elsewhere = s->queue != r.queue;
  if (is_elsewhere) submit(s, r.kind, 0);
  rch_unlock_sources();
  if (is_elsewhere) return;
  run_handlers(s, r.kind);
  release(s->object, true);
}

// MARK: User data

OVERRIDE void dispatch_source_merge_data(object o, uintptr_t value) {
  uint32_t here = rch_scope_here();
  source *s = rch_lock_source(o);
  if (!s) return real_dispatch_source_merge_data()(o, value);
  if (!s->is_cancelled) {
    rch_move_to_scope(s, here);
    if (s->type == _dispatch_source_type_data_add)
      s->pending += value;
    else if (s->type == _dispatch_source_type_data_or)
      s->pending |= value;
    else
      s->pending = value;
    rch_source_goes_on(s);
  }
  rch_unlock_sources();
}

// MARK: Cancelling, suspending, moving

static void end_sources_of_life(uint32_t scope, uint16_t life) {
  UNDER_LOCK(rch_visit_sources(scope, life, end_source));
}

ADD(at_crash[rch_ends_sources], end_sources_of_life)

OVERRIDE void dispatch_source_cancel(object o) {
  real_dispatch_source_cancel()(o);
  uint32_t here = rch_scope_here();
  source *s = rch_lock_source(o);
  if (!s) return;
  if (!s->is_cancelled) {
    rch_move_to_scope(s, here);
    s->is_cancelled = true;
    rch_disarm(s);
    rch_end_notice(s);
    rch_source_goes_on(s);
  }
  object notice = s->notice;
  rch_unlock_sources();
  if (notice) real_dispatch_source_cancel()(notice);
}

void rch_source_resumed(object o, bool is_activation) {
  uint32_t here = rch_scope_here();
  source *s = rch_lock_source(o);
  if (!s) return;
  object notice = 0;
  if (!is_activation || s->suspensions) {
    rch_move_to_scope(s, here);
    s->suspensions--;
    rch_source_goes_on(s);
    if (!s->suspensions) notice = s->notice;
  }
  rch_unlock_sources();
  if (notice) rch_begin_notice(notice);
}

void rch_source_suspended(object o) {
  source *s = rch_lock_source(o);
  if (!s) return;
  s->suspensions++;
  rch_watch_source(s);
  pthread_mutex_unlock(&rch_lock);
}

OVERRIDE void dispatch_set_target_queue(object o, object q) {
  source *s = rch_lock_source(o);
  if (!s) {
    struct rch_record *moving = rch_leave_target(o);
    real_dispatch_set_target_queue()(o, q);
    return rch_has_target(moving);
  }
  object former = move_to(s, q);
  pthread_mutex_unlock(&rch_lock);
  // Whoever frees a queue may submit something.
  real_dispatch_release()(former);
}

#endif
