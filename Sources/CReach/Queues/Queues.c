#if defined(__linux__)

#include "Queues/Queues.h"
#include "Core/RealWaits.h"

// Blocks that are submitted to queues. A block of a scope's code is an entry of the scope's ready
// queue. It runs on a worker, inside its queue by `dispatch_sync`: labels, specifics, preconditions
// and the exclusion of users outside are libdispatch's own.

// How libdispatch itself keeps a queue. It may use a queue that its user has released, which must
// not be retained as a user would.
void _os_object_retain_internal(object);
void _os_object_release_internal(object);

// MARK: Blocks

static void call(void *p) {
  rch_block *b = p;
  if (b->function) {
    b->function(b->context);
  } else {
    struct block *block = b->context;
    block->invoke(block);
  }
}

void rch_free_block(rch_block *b) {
  if (b->group) {
    dispatch_group_leave(b->group);
    real_dispatch_release()(b->group);
  }
  if (b->thread) rch_turn_is_over(b->context);
  if (!b->function) _Block_release(b->context);
  _os_object_release_internal(b->queue);
  free(b);
}

void rch_do_nothing(void *context) { (void)context; }

void rch_bury(rch_block *b) {
  if (cvt_state_of_life(b->entry.scope, b->entry.life) != cvt_life_has_ended) return;
  if (b->thread) return rch_empty_turn(b->context);
  b->function = rch_do_nothing;
  b->group = 0;
}

/// On the main queue already.
static void run_here(object q, void *context, function function) { function(context); }

void rch_run_block(rch_entry *entry) {
  rch_block *b = (rch_block *)entry;
  rch_bury(b);
  if (!rch_admit(b)) return;
  rch_submission submit = entry->place == rch_on_main ? run_here
                          : b->is_barrier             ? real_dispatch_barrier_sync_f()
                                                      : real_dispatch_sync_f();
  rch_visit visit = {entry->scope, b->queue, b->is_barrier, true, b, call};
  rch_do_inside(&visit, submit);
  rch_free_block(b);
}

void rch_run_outside(void *p) {
  const rch_block *b = p;
  if (!rch_the_engine.is_given_up(b->entry.scope)) call(p);
  rch_free_block(p);
}

/// The scope has ended. What was submitted runs outside: the queue may serve others, who rely on
/// it. Nothing runs that belongs to code without end.
static void submit_outside(rch_block *b) {
  if (b->is_barrier)
    real_dispatch_barrier_async_f()(b->queue, b, rch_run_outside);
  else
    real_dispatch_async_f()(b->queue, b, rch_run_outside);
}

static void drop(rch_entry *entry) {
  rch_block *b = (rch_block *)entry;
  rch_bury(b);
  pthread_mutex_lock(&rch_lock);
  bool was_submitted = b->is_pending || b->is_let_in;
  rch_block_is_dropped(b);
  pthread_mutex_unlock(&rch_lock);
  if (!b->thread && was_submitted) return submit_outside(b);
  rch_drops_block = true;
  rch_free_block(b);
  rch_drops_block = false;
}

/// The function of the user's in a block: Swift's blocks have captured it.
static uint64_t code_of(const rch_block *b) {
  if (b->function) return b->thread ? 0 : (uintptr_t)b->function;
  const struct { struct block block; uint64_t captured; } *block = b->context;
  const struct { unsigned long reserved, size; } *layout = block->block.descriptor;
  return layout && layout->size >= sizeof *block ? block->captured
                                                 : (uintptr_t)block->block.invoke;
}

rch_work rch_tell_of_block(const rch_entry *entry) {
  const rch_block *b = (const rch_block *)entry;
  return (rch_work){
      .what = b->thread ? "a thread" : "a block",
      .queue = dispatch_queue_get_label(b->queue),
      .queue_is_suspended = rch_target(b->queue) && rch_is_suspended(b->queue),
      .code = code_of(b),
      .thread = b->thread,
  };
}

static rch_place place_in(object queue) {
  return rch_runs_on_main(queue) ? rch_on_main : rch_on_worker;
}

rch_block *rch_make_block(
    uint32_t scope, void *queue, void *context, function function, bool is_barrier) {
  if (!function) {
    context = _Block_copy(context);
    is_barrier |= rch_is_barrier(context);
  }
  _os_object_retain_internal(queue);
  return NEW(
      rch_block,
      .entry = {
          .run = rch_run_block,
          .drop = drop,
          .place = place_in(queue),
          .scope = scope,
          .tell = rch_tell_of_block,
          .queue = rch_target(queue) ? queue : 0,
          .is_exclusive = is_barrier || rch_is_serial(queue),
          .goes_first = !function && rch_is_of_networking(context),
          .life = cvt_current_life(),
      },
      .queue = queue, .context = context, .function = function, .is_barrier = is_barrier);
}

rch_block *rch_take_task(rch_block *b) {
  b->entry.task = cvt_take_given_task(b->entry.scope, &b->entry.life);
  return b;
}

bool rch_submit_under_lock(rch_block *b) {
  rch_block_is_pending(b);
  bool result = rch_the_engine.enqueue(&b->entry);
  if (!result) rch_block_is_dropped(b);
  return result;
}

void rch_submit(rch_block *b) {
  rch_keep_task(b, false);
  bool is_taken = UNDER_LOCK(rch_submit_under_lock(b));
  if (!is_taken) submit_outside(b);
}

#define ASYNC(name, barrier)                                                         \
  OVERRIDE void name(object q, void *block) {                                        \
    uint32_t scope = rch_scope_here();                                               \
    if (!scope) return real_##name()(q, block);                                      \
    rch_submit(rch_take_task(rch_make_block(scope, q, block, 0, barrier)));          \
  }                                                                                  \
  OVERRIDE void name##_f(object q, void *context, function function) {               \
    uint32_t scope = rch_scope_here();                                               \
    if (!scope) return real_##name##_f()(q, context, function);                      \
    rch_submit(rch_take_task(rch_make_block(scope, q, context, function, barrier))); \
  }
ASYNC(dispatch_async, false)
ASYNC(dispatch_barrier_async, true)

// MARK: Later

int64_t rch_when_dispatch(uint32_t scope, dispatch_time when) {
  const dispatch_time wall_now = ~1ull, forever = ~0ull;
  if (when == forever) return rch_never;
  if (when == 0 || when == wall_now) return rch_now(scope);
  if (!(when >> 63)) return rch_when(scope, CLOCK_MONOTONIC, (int64_t)when);
  if (when >> 62 & 1) return rch_when(scope, CLOCK_REALTIME, -(int64_t)when);
  return rch_when(scope, CLOCK_BOOTTIME, (int64_t)(when & ~(1ull << 63)));
}

int64_t rch_rest_of_dispatch(dispatch_time when) {
  return rch_rest_until(rch_when_dispatch(cvt_current_scope(), when));
}

dispatch_time rch_real_dispatch_time(dispatch_time when) {
  const dispatch_time wall_now = ~1ull, forever = ~0ull, continuous = 1ull << 63;
  if (when == 0 || when == wall_now || when == forever) return when;
  bool is_wall = when >> 62 == 3, is_continuous = when >> 62 == 2;
  clockid_t clock = is_wall ? CLOCK_REALTIME : is_continuous ? CLOCK_BOOTTIME : CLOCK_MONOTONIC;
  int64_t result = rch_real_time_in(clock, rch_rest_of_dispatch(when));
  if (result >= rch_never / 2) return forever;
  return is_wall ? (dispatch_time)-result : (dispatch_time)result | (is_continuous ? continuous : 0);
}

/// The time of a block has come.
static void submit_now(rch_entry *entry) {
  rch_block *b = (rch_block *)entry;
  entry->run = rch_run_block;
  entry->place = place_in(b->queue);
  rch_submit(b);
}

static void submit_at(uint32_t scope, dispatch_time when, rch_block *b) {
  int64_t deadline = rch_when_dispatch(scope, when);
  if (deadline <= rch_now(scope)) return rch_submit(b);
  b->entry.run = submit_now;
  b->entry.place = rch_anywhere;
  rch_keep_task(b, true);
  if (!rch_the_engine.arm(&b->entry, deadline, false)) drop(&b->entry);
}

OVERRIDE void dispatch_after(dispatch_time when, object q, void *block) {
  if (rch_is_alarm_of_method(q, block)) return;
  uint32_t scope = rch_scope_here();
  if (!scope) return SET_REAL_TIMER(when, real_dispatch_after()(when, q, block));
  submit_at(scope, when, rch_take_task(rch_make_block(scope, q, block, 0, false)));
}
OVERRIDE void dispatch_after_f(dispatch_time when, object q, void *context, function function) {
  uint32_t scope = rch_scope_here();
  if (!scope) return SET_REAL_TIMER(when, real_dispatch_after_f()(when, q, context, function));
  submit_at(scope, when, rch_take_task(rch_make_block(scope, q, context, function, false)));
}

#endif
