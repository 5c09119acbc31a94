#if defined(__linux__)

#include "Dispatch.h"

#include <stdlib.h>
#include <string.h>

// Queues. A block that a scope's code submits is an entry of the scope's ready queue. It runs on a lane,
// inside its queue by `dispatch_sync`: labels, specifics, preconditions and the exclusion of users
// outside are libdispatch's own. Since one thing at a time runs in a scope, a block finds its queue free
// unless a block of the scope *waits* inside, or the queue is suspended. Then it is kept here.

REAL(void, dispatch_async, object, void *)
REAL(void, dispatch_async_f, object, void *, function)
REAL(void, dispatch_barrier_async, object, void *)
REAL(void, dispatch_barrier_async_f, object, void *, function)
REAL(void, dispatch_async_enforce_qos_class_f, object, void *, function)
REAL(void, dispatch_sync, object, void *)
REAL(void, dispatch_sync_f, object, void *, function)
REAL(void, dispatch_barrier_sync, object, void *)
REAL(void, dispatch_barrier_sync_f, object, void *, function)
REAL(void, dispatch_async_and_wait, object, void *)
REAL(void, dispatch_async_and_wait_f, object, void *, function)
REAL(void, dispatch_barrier_async_and_wait, object, void *)
REAL(void, dispatch_barrier_async_and_wait_f, object, void *, function)
REAL(void, dispatch_apply, size_t, object, void *)
REAL(void, dispatch_apply_f, size_t, object, void *, void (*)(void *, size_t))
REAL(void, dispatch_after, dispatch_time, object, void *)
REAL(void, dispatch_after_f, dispatch_time, object, void *, function)
REAL(void, dispatch_resume, object)
REAL(void, dispatch_suspend, object)
REAL(void, dispatch_activate, object)
REAL(void, dispatch_release, object)
REAL(void, dispatch_retain, object)
REAL(void *, dispatch_block_create, unsigned long, void *)

// MARK: What libdispatch tells of a queue

// Where its parts are; for debuggers.
extern const struct {
  uint16_t version, label, label_size, flags, flags_size, serial_number, serial_number_size, width,
      width_size, running, running_size, suspend_count, suspend_count_size, target, target_size;
} dispatch_queue_offsets __attribute__((weak));

static const void *invoke_of_work_items;

static uint16_t width(object q) {
  return *(uint16_t *)((char *)q + dispatch_queue_offsets.width);
}
static object target(object q) { return *(object *)((char *)q + dispatch_queue_offsets.target); }

/// The queue's state comes before its serial number. Its highest bits count suspensions, and tell that the
/// queue has not been activated.
static bool is_suspended(object q) {
  const char *state = (char *)q + dispatch_queue_offsets.serial_number - sizeof(uint64_t);
  return __atomic_load_n((const uint64_t *)state, __ATOMIC_RELAXED) >> 55 != 0;
}

/// Whether a queue has only one block at a time, because of itself or of a queue that it targets.
static bool is_serial(object q) {
  while (target(q) && width(q) > 1) q = target(q);
  return target(q);
}

static bool is_on_main(object q) {
  while (q && q != (object)_dispatch_main_q) q = target(q);
  return q;
}

/// The data that libdispatch keeps inside a block that it has made.
typedef struct {
  struct block block;
  uint64_t magic, flags;
} work_item;

static bool is_barrier(const void *block) {
  const work_item *item = block;
  return item->block.invoke == invoke_of_work_items && item->flags & 1;
}

static void do_nothing(struct block *b) { (void)b; }

static const char main_key;

bool rch_is_on_main(void) { return dispatch_get_specific(&main_key); }

bool rch_knows_queues(void) {
  dispatch_queue_set_specific(_dispatch_main_q, &main_key, (void *)&main_key, 0);
  if (!&dispatch_queue_offsets || dispatch_queue_offsets.version < 5) return false;
  object serial = dispatch_queue_create_with_target("", 0, 0);
  object wide =
      dispatch_queue_create_with_target("", (object)_dispatch_queue_attr_concurrent, serial);
  bool knows = width(serial) == 1 && width(wide) > 1 && target(wide) == serial &&
               !is_on_main(wide) && !is_suspended(serial);
  real_dispatch_suspend()(serial);
  knows &= is_suspended(serial);
  real_dispatch_resume()(serial);
  knows &= !is_suspended(serial);
  real_dispatch_release()(wide);
  real_dispatch_release()(serial);
  struct block plain = {_NSConcreteGlobalBlock, 1 << 28, 0, (void (*)(struct block *))do_nothing,
                        &rch_plain_block};
  work_item *item = real_dispatch_block_create()(1, &plain);
  const uint64_t magic = 0xD159B10C;
  if (item->magic == magic && item->flags & 1)
    invoke_of_work_items = (void *)item->block.invoke;
  else
    knows = false;
  _Block_release(item);
  return knows;
}

// MARK: Blocks

struct rch_block {
  rch_entry entry;
  rch_block *next;
  object queue, group;
  void *context;
  function function;
  bool is_barrier;
  /// It was kept, and is in the ready queue now.
  bool is_let_in;
};

/// A block that this thread is inside of, the innermost first.
typedef struct frame {
  struct frame *outer;
  object queue;
  bool is_barrier;
  /// Whether the thread has waited inside, so that others may have come to the queue.
  bool has_waited;
} frame;

static __thread frame *frames;

/// What is known of a queue in which blocks wait, or behind which blocks are kept.
typedef struct record {
  struct record *next;
  object queue;
  int occupants, barriers;
  rch_block *first, **last;
} record;

static record *records;
static _Atomic int kept;

static record *find(object q) {
  record *r = records;
  while (r && r->queue != q) r = r->next;
  return r;
}

static record *find_or_make(object q) {
  record *r = find(q);
  if (r) return r;
  r = calloc(1, sizeof *r);
  r->queue = q;
  r->last = &r->first;
  // At the end, so that those who came first are let in first.
  record **link = &records;
  while (*link) link = &(*link)->next;
  *link = r;
  atomic_fetch_add(&kept, 1);
  return r;
}

static void forget_if_empty(record *r) {
  if (r->occupants || r->first) return;
  record **link = &records;
  while (*link != r) link = &(*link)->next;
  *link = r->next;
  free(r);
  atomic_fetch_sub(&kept, 1);
}

static void occupy(const frame *f, int change) {
  for (object q = f->queue; target(q); q = target(q)) {
    record *r = find_or_make(q);
    r->occupants += change;
    if (q == f->queue && f->is_barrier) r->barriers += change;
    forget_if_empty(r);
  }
}

void rch_occupy_queues(void) {
  for (frame *f = frames; f && !f->has_waited; f = f->outer) {
    occupy(f, +1);
    f->has_waited = true;
  }
}

/// Whether a block has to wait until it may enter its queue; under the lock.
static bool is_kept_out(object queue, bool is_barrier) {
  for (object q = queue; target(q); q = target(q)) {
    if (is_suspended(q)) return true;
    const record *r = find(q);
    if (r && r->occupants && (width(q) == 1 || r->barriers || (q == queue && is_barrier)))
      return true;
  }
  return false;
}

static bool is_suspended_somewhere(object q) {
  for (; target(q); q = target(q))
    if (is_suspended(q)) return true;
  return false;
}

/// Whether a block of a queue runs inside another one.
static bool is_inside(object queue, object other) {
  while (queue && queue != other) queue = target(queue);
  return queue;
}

/// Lets those in that have waited for this queue and need not any more; under the lock. Not those of other
/// queues, whose scopes may be under way. The queue itself is not looked at: it may be gone.
static void let_in(object queue) {
  for (record *r = records; r; r = r->next) {
    rch_block *b = r->first;
    if (b && !b->is_let_in && is_inside(b->queue, queue) &&
        !is_kept_out(b->queue, b->is_barrier))
      b->is_let_in = rch_the_engine.enqueue(&b->entry);
  }
}

static void let_in_after(object queue) {
  if (atomic_load(&kept) == 0) return;
  pthread_mutex_lock(&rch_lock);
  let_in(queue);
  pthread_mutex_unlock(&rch_lock);
}

static void begin(frame *f, object queue, bool is_barrier) {
  *f = (frame){frames, queue, is_barrier, false};
  frames = f;
}

static void end(frame *f) {
  frames = f->outer;
  if (atomic_load(&kept) == 0) return;
  pthread_mutex_lock(&rch_lock);
  if (f->has_waited) occupy(f, -1);
  for (object q = f->queue; target(q); q = target(q)) let_in(q);
  pthread_mutex_unlock(&rch_lock);
}

/// Whether a block may enter; else it is kept.
static bool admit(rch_block *b) {
  if (atomic_load(&kept) == 0 && !is_suspended_somewhere(b->queue)) return true;
  pthread_mutex_lock(&rch_lock);
  record *r = find(b->queue);
  bool is_behind = r && r->first && r->first != b;
  bool result = !is_behind && !is_kept_out(b->queue, b->is_barrier);
  if (result && b->is_let_in) {
    r->first = b->next;
    if (!r->first) r->last = &r->first;
    forget_if_empty(r);
  } else if (!result && !b->is_let_in) {
    r = find_or_make(b->queue);
    b->next = 0;
    *r->last = b;
    r->last = &b->next;
  }
  b->is_let_in = false;
  pthread_mutex_unlock(&rch_lock);
  return result;
}

static void call(void *p) {
  rch_block *b = p;
  if (b->function) {
    b->function(b->context);
  } else {
    struct block *block = b->context;
    block->invoke(block);
  }
}

static void free_block(rch_block *b) {
  if (b->group) {
    dispatch_group_leave(b->group);
    real_dispatch_release()(b->group);
  }
  if (!b->function) _Block_release(b->context);
  real_dispatch_release()(b->queue);
  free(b);
}

static void run(rch_entry *entry) {
  rch_block *b = (rch_block *)entry;
  if (!admit(b)) return;
  frame here;
  begin(&here, b->queue, b->is_barrier);
  if (entry->place == rch_on_main)
    call(b);
  else if (b->is_barrier)
    real_dispatch_barrier_sync_f()(b->queue, b, call);
  else
    real_dispatch_sync_f()(b->queue, b, call);
  end(&here);
  free_block(b);
}

static void drop(rch_entry *entry) { free_block((rch_block *)entry); }

rch_block *rch_make_block(
    uint32_t scope, void *queue, void *context, function function, bool barrier) {
  rch_block *b = calloc(1, sizeof *b);
  rch_place place = is_on_main(queue) ? rch_on_main : rch_on_lane;
  b->entry = (rch_entry){run, drop, place, scope};
  b->queue = queue;
  real_dispatch_retain()(queue);
  b->context = function ? context : _Block_copy(context);
  b->function = function;
  b->is_barrier = barrier || (!function && is_barrier(b->context));
  b->entry.queue = target(queue) ? queue : 0;
  b->entry.is_exclusive = b->is_barrier || is_serial(queue);
  return b;
}

void rch_submit(rch_block *b) {
  if (!rch_the_engine.enqueue(&b->entry)) drop(&b->entry);
}

#define ASYNC(name, barrier)                                               \
  OVERRIDE void name(object q, void *block) {                              \
    uint32_t scope = rch_scope_here();                                     \
    if (!scope) return real_##name()(q, block);                            \
    rch_submit(rch_make_block(scope, q, block, 0, barrier));               \
  }                                                                        \
  OVERRIDE void name##_f(object q, void *context, function function) {     \
    uint32_t scope = rch_scope_here();                                     \
    if (!scope) return real_##name##_f()(q, context, function);            \
    rch_submit(rch_make_block(scope, q, context, function, barrier));      \
  }
ASYNC(dispatch_async, false)
ASYNC(dispatch_barrier_async, true)

static void submit_to_group(rch_block *b, object group) {
  b->group = group;
  real_dispatch_retain()(group);
  dispatch_group_enter(group);
  rch_submit(b);
}

REAL(void, dispatch_group_async, object, object, void *)
REAL(void, dispatch_group_async_f, object, object, void *, function)
OVERRIDE void dispatch_group_async(object group, object q, void *block) {
  uint32_t scope = rch_scope_here();
  if (!scope) return real_dispatch_group_async()(group, q, block);
  submit_to_group(rch_make_block(scope, q, block, 0, false), group);
}
OVERRIDE void dispatch_group_async_f(object group, object q, void *context, function function) {
  uint32_t scope = rch_scope_here();
  if (!scope) return real_dispatch_group_async_f()(group, q, context, function);
  submit_to_group(rch_make_block(scope, q, context, function, false), group);
}

// MARK: Later

int64_t rch_when_dispatch(uint32_t scope, dispatch_time when) {
  const dispatch_time wall_now = ~1ull, forever = ~0ull;
  if (when == forever) return rch_never;
  if (when == 0 || when == wall_now) return rch_now(scope);
  if (!(when >> 63)) return rch_when(scope, CLOCK_MONOTONIC, (int64_t)when);
  if (when >> 62 & 1) return rch_when(scope, CLOCK_REALTIME, -(int64_t)when);
  return rch_when(scope, CLOCK_BOOTTIME, (int64_t)(when & ~(1ull << 63)));
}

/// A block that is submitted at its time.
typedef struct {
  rch_entry alarm;
  rch_block *block;
} later;

static void submit_now(rch_entry *alarm) {
  rch_submit(((later *)alarm)->block);
  free(alarm);
}

static void drop_later(rch_entry *alarm) {
  drop(&((later *)alarm)->block->entry);
  free(alarm);
}

static void submit_at(uint32_t scope, dispatch_time when, rch_block *b) {
  int64_t deadline = rch_when_dispatch(scope, when);
  if (deadline <= rch_now(scope)) return rch_submit(b);
  later *l = malloc(sizeof *l);
  *l = (later){{submit_now, drop_later, rch_anywhere, scope}, b};
  if (!rch_the_engine.arm(&l->alarm, deadline, false)) drop_later(&l->alarm);
}

OVERRIDE void dispatch_after(dispatch_time when, object q, void *block) {
  uint32_t scope = rch_scope_here();
  if (!scope) return real_dispatch_after()(when, q, block);
  submit_at(scope, when, rch_make_block(scope, q, block, 0, false));
}
OVERRIDE void dispatch_after_f(dispatch_time when, object q, void *context, function function) {
  uint32_t scope = rch_scope_here();
  if (!scope) return real_dispatch_after_f()(when, q, context, function);
  submit_at(scope, when, rch_make_block(scope, q, context, function, false));
}

// MARK: Work that its submitter waits for

/// A thread that waits until it may enter a queue, or until its work has been done on the main queue.
typedef struct {
  object queue;
  void *context;
  function function;
  uint32_t scope;
} turn;

static void turn_has_come(rch_entry *entry);

static void let_go_on(void *p) {
  turn *t = p;
  if (is_on_main(t->queue)) t->function(t->context);
  pthread_mutex_lock(&rch_lock);
  rch_wake(t);
  pthread_mutex_unlock(&rch_lock);
}

static bool must_wait_its_turn(object q, bool barrier) {
  if (atomic_load(&kept) == 0 && !is_suspended_somewhere(q)) return false;
  pthread_mutex_lock(&rch_lock);
  const record *r = find(q);
  bool result = (r && r->first) || is_kept_out(q, barrier);
  pthread_mutex_unlock(&rch_lock);
  return result;
}

/// Waits until this thread may enter a queue. Returns false if the work has been done on the main queue.
static bool enter(uint32_t scope, object q, void *context, function function, bool barrier) {
  bool is_for_main = is_on_main(q);
  if (is_for_main && rch_is_on_main()) return true;
  while (is_for_main || must_wait_its_turn(q, barrier)) {
    turn t = {q, context, function, scope};
    rch_block *b = rch_make_block(scope, q, &t, let_go_on, barrier);
    // On a lane it would enter the queue itself.
    if (!is_for_main) b->entry.run = turn_has_come;
    pthread_mutex_lock(&rch_lock);
    if (!rch_the_engine.enqueue(&b->entry)) {
      pthread_mutex_unlock(&rch_lock);
      drop(&b->entry);
      return true;
    }
    rch_outcome outcome = rch_wait(scope, &t, rch_never);
    if (outcome != rch_woken) return !is_for_main;
    if (is_for_main) return false;
  }
  return true;
}

static void turn_has_come(rch_entry *entry) {
  rch_block *b = (rch_block *)entry;
  if (!admit(b)) return;
  let_go_on(b->context);
  free_block(b);
}

static void call_block(void *block) { ((struct block *)block)->invoke(block); }

#define SYNC(name, barrier)                                                       \
  OVERRIDE void name(object q, void *block) {                                     \
    uint32_t scope = rch_may_wait();                                              \
    if (!scope) return real_##name()(q, block);                                   \
    bool is_exclusive = barrier || is_barrier(block);                             \
    if (!enter(scope, q, block, call_block, is_exclusive)) return;                \
    frame here; \
    begin(&here, q, is_exclusive); \
    real_##name()(q, block);                                                      \
    end(&here); \
  }                                                                               \
  OVERRIDE void name##_f(object q, void *context, function function) {            \
    uint32_t scope = rch_may_wait();                                              \
    if (!scope) return real_##name##_f()(q, context, function);                   \
    if (!enter(scope, q, context, function, barrier)) return;                     \
    frame here; \
    begin(&here, q, barrier); \
    real_##name##_f()(q, context, function);                                      \
    end(&here); \
  }
SYNC(dispatch_sync, false)
SYNC(dispatch_barrier_sync, true)
SYNC(dispatch_async_and_wait, false)
SYNC(dispatch_barrier_async_and_wait, true)

/// One iteration after the other, on this thread.
typedef struct {
  size_t count;
  void *context;
  void (*function)(void *, size_t);
} iterations;

static void iterate(void *p) {
  const iterations *all = p;
  for (size_t i = 0; i < all->count; i++) all->function(all->context, i);
}

static void apply(object q, iterations all) {
  if (!q || !target(q)) iterate(&all); else dispatch_sync_f(q, &all, iterate);
}

OVERRIDE void dispatch_apply(size_t count, object q, void *block) {
  if (!rch_may_wait()) return real_dispatch_apply()(count, q, block);
  struct block *b = block;
  apply(q, (iterations){count, block, (void (*)(void *, size_t))(void *)b->invoke});
}
OVERRIDE void dispatch_apply_f(
    size_t count, object q, void *context, void (*function)(void *, size_t)) {
  if (!rch_may_wait()) return real_dispatch_apply_f()(count, q, context, function);
  apply(q, (iterations){count, context, function});
}

// MARK: Suspending

void rch_source_resumed(object o, bool is_activation);
void rch_source_suspended(object o);

OVERRIDE void dispatch_resume(object o) {
  if (atomic_load_explicit(&rch_scopes, memory_order_relaxed) == 0)
    return real_dispatch_resume()(o);
  rch_source_resumed(o, false);
  real_dispatch_resume()(o);
  let_in_after(o);
}
OVERRIDE void dispatch_activate(object o) {
  if (atomic_load_explicit(&rch_scopes, memory_order_relaxed) == 0)
    return real_dispatch_activate()(o);
  rch_source_resumed(o, true);
  real_dispatch_activate()(o);
  let_in_after(o);
}
OVERRIDE void dispatch_suspend(object o) {
  real_dispatch_suspend()(o);
  if (atomic_load_explicit(&rch_scopes, memory_order_relaxed) != 0) rch_source_suspended(o);
}

#endif
