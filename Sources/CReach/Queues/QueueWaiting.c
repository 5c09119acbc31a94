#if defined(__linux__)

#include "Queues/Queues.h"

// Work on queues that its submitter waits for: the thread is an entry behind those of the queue,
// and parks until its turn. Then it calls the real function, and the queue is occupied meanwhile.
// Concurrent loops run one iteration after the other, on the calling thread.

/// A thread that waits until it may enter a queue, or until its work has been done on the main
/// queue.
typedef struct {
  void *context;
  function function;
  /// Whether the queue is occupied for the thread.
  bool occupies;
  /// How far the main queue has come with the work.
  enum { fresh, begun, done } progress;
  /// The thread and the block.
  int references;
  /// Posted when the work is done.
  sem_t end;
} turn;

/// Under the lock.
static void release(turn *t) {
  if (--t->references) return;
  sem_destroy(&t->end);
  free(t);
}

void rch_turn_is_over(void *t) {
  UNDER_LOCK(release(t));
}

void rch_empty_turn(void *t) { ((turn *)t)->function = rch_do_nothing; }

static void work_on_main(void *p) {
  turn *t = p;
  UNDER_LOCK(t->progress = begun);
  t->function(t->context);
  pthread_mutex_lock(&rch_lock);
  t->progress = done;
  rch_wake(t);
  real_sem_post()(&t->end);
  pthread_mutex_unlock(&rch_lock);
}

static void turn_has_come(rch_entry *entry) {
  rch_block *b = (rch_block *)entry;
  // Blocks that are submitted from now on stay behind the thread, and the thread behind ready jobs.
  if (!rch_admit(b)) return;
  turn *t = b->context;
  pthread_mutex_lock(&rch_lock);
  t->occupies = true;
  rch_wake(t);
  pthread_mutex_unlock(&rch_lock);
  rch_free_block(b);
}

/// Waits until this thread may enter a queue. Returns false if the work has been done on the main
/// queue. A thread that dies with a queue has to give it back.
static bool enter(
    uint32_t scope, object q, void *context, function function, bool is_barrier, bool *occupies) {
  bool is_for_main = rch_runs_on_main(q);
  *occupies = false;
  bool may_enter = is_for_main ? rch_is_on_main() && !rch_the_engine.is_guest()
                               : rch_may_enter(q, scope, is_barrier, occupies);
  if (may_enter) return true;
  rch_die_if_doomed();
  turn *t = NEW(turn, .context = context, .function = function, .references = 2);
  sem_init(&t->end, 0, 0);
  rch_block *b = rch_make_block(scope, q, t, work_on_main, is_barrier);
  b->thread = cvt_thread_id();
  // On a worker it would enter the queue itself.
  if (!is_for_main) b->entry.run = turn_has_come;
  pthread_mutex_lock(&rch_lock);
  if (rch_submit_under_lock(b)) {
    rch_wait_for_turn(scope, t);
  } else {
    pthread_mutex_unlock(&rch_lock);
    rch_free_block(b);
  }
  pthread_mutex_lock(&rch_lock);
  *occupies = t->occupies;
  // If the scope has ended, what has not begun is done outside, and what has begun is waited for.
  bool is_undone = t->progress == fresh, is_under_way = t->progress == begun;
  pthread_mutex_unlock(&rch_lock);
  while (is_under_way && real_sem_wait()(&t->end)) {
  }
  rch_turn_is_over(t);
  if (!*occupies) rch_die_if_dead();
  return is_undone;
}

/// The queue, or the next one that it targets, that is suspended, or null.
static object suspended_one(object q) {
  while (rch_target(q) && !rch_is_suspended(q)) q = rch_target(q);
  return rch_target(q) ? q : 0;
}

/// A thread that was let in has gone on behind ready jobs of its scope, which may have suspended
/// the queue. It keeps its place there until they resume the queue.
static void wait_while_suspended(uint32_t scope, object q) {
  rch_outcome outcome = rch_woken;
  while (outcome == rch_woken && suspended_one(q)) {
    pthread_mutex_lock(&rch_lock);
    object suspended = suspended_one(q);
    if (suspended)
      outcome = rch_wait(scope, suspended, rch_never);
    else
      pthread_mutex_unlock(&rch_lock);
  }
}

static void call_block(void *block) { ((struct block *)block)->invoke(block); }

static void do_in(
    uint32_t scope, object q, void *context, function function, bool is_barrier,
    rch_submission submit) {
  bool occupies;
  if (!enter(scope, q, context, function, is_barrier, &occupies)) return;
  rch_visit visit = {scope, q, is_barrier, occupies, context, function};
  if (occupies) wait_while_suspended(scope, q);
  // The host has crashed while the thread waited.
  if (rch_is_dying())
    rch_leave(&visit);
  else
    rch_do_inside(&visit, submit);
  rch_die_if_dead();
}

#define SYNC(name, is_barrier, barrier_name)                                               \
  OVERRIDE void name(object q, void *block) {                                              \
    uint32_t scope = rch_may_wait();                                                       \
    if (!scope) return real_##name()(q, block);                                            \
    bool is_exclusive = is_barrier || rch_is_barrier(block);                               \
    do_in(scope, q, block, call_block, is_exclusive,                                       \
          is_exclusive ? real_##barrier_name##_f() : real_##name##_f());                   \
  }                                                                                        \
  OVERRIDE void name##_f(object q, void *context, function function) {                     \
    uint32_t scope = rch_may_wait();                                                       \
    if (!scope) return real_##name##_f()(q, context, function);                            \
    do_in(scope, q, context, function, is_barrier, real_##name##_f());                     \
  }
SYNC(dispatch_sync, false, dispatch_barrier_sync)
SYNC(dispatch_barrier_sync, true, dispatch_barrier_sync)
SYNC(dispatch_async_and_wait, false, dispatch_barrier_async_and_wait)
SYNC(dispatch_barrier_async_and_wait, true, dispatch_barrier_async_and_wait)

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
  if (!q || !rch_target(q)) iterate(&all); else dispatch_sync_f(q, &all, iterate);
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

#endif
