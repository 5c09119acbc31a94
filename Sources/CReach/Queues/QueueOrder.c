#if defined(__linux__)

#include "Queues/QueueRecords.h"

// Decides who may enter a queue. A block occupies its queue from its admission until its end.
// Blocks that come meanwhile are kept here, as are those of a queue that is suspended.
//
// In a concurrent queue, blocks of a scope go before a barrier of another scope that waits for
// blocks of theirs, which would make their time move. A barrier of the outside can come between: a
// thread that enters beside blocks of its scope does not keep the baton, since the barrier waits
// for them.

/// Whether a block has to wait until it may enter its queue; under the lock.
static bool is_kept_out(object queue, bool is_barrier) {
  for (object q = queue; rch_target(q); q = rch_target(q))
    if (rch_is_suspended(q) || rch_occupants_before(q, q == queue && is_barrier)) return true;
  return false;
}

/// Whether the blocks of another queue go before those of a queue that are submitted later: both
/// run inside a serial queue, which the other one can reach.
static bool shares_order(object other, object queue) {
  for (object q = other; rch_target(q); q = rch_target(q)) {
    if (rch_has_width_one(q) && rch_is_inside(queue, q)) return true;
    if (rch_is_suspended(q)) return false;
  }
  return false;
}

/// The queues that keep blocks and end where a queue ends; under the lock.
static rch_record *first_keeper(object root) {
  const rch_record *r = rch_find_record(root);
  return r ? TAILQ_FIRST(&r->tree) : 0;
}

/// Whether a block of the same scope that was submitted earlier is kept in another queue, and goes
/// first; under the lock. Scopes have no order among each other: a block behind one of another
/// scope does not go first, or each of the two could wait for the other one.
static bool comes_later(const rch_block *b) {
  for (const rch_record *r = first_keeper(rch_root(b->queue)); r; r = TAILQ_NEXT(r, in_tree)) {
    const rch_block *k = TAILQ_FIRST(&r->blocks);
    if (r->queue != b->queue && k->entry.scope == b->entry.scope && k->number < b->number &&
        shares_order(r->queue, b->queue))
      return true;
  }
  return false;
}

static void let_block_in(rch_block *b) {
  rch_keep_task(b, false);
  b->is_let_in = rch_the_engine.enqueue(&b->entry);
}

/// Lets those in that have waited for this queue and need not any more; under the lock. Not those
/// of other queues, whose scopes may be under way. The queue itself is not looked at: it may be
/// gone.
///
/// Of those of a scope that have an order among each other one is let in, and the next one when
/// that has run. Another scope does not wait for it, since its time would move meanwhile.
static void let_in(object queue, object root, bool has_width_one) {
  for (rch_record *r = first_keeper(root); r; r = TAILQ_NEXT(r, in_tree)) {
    rch_block *first = TAILQ_FIRST(&r->blocks);
    if (!rch_is_inside(r->queue, queue)) continue;
    if (!first->is_let_in && !is_kept_out(first->queue, first->is_barrier) && !comes_later(first))
      let_block_in(first);
    rch_update_waits(r);
    if (first->is_let_in && has_width_one && !r->root->tree_is_mixed && !rch_any_scope_waits())
      break;
  }
  rch_update_holds();
}

void rch_let_in(rch_passage p) {
  // A block may be about to be kept because it has found the queue suspended.
  pthread_mutex_lock(&rch_lock);
  while (rch_wake(p.queue)) {
  }
  let_in(p.queue, p.root, p.has_width_one);
  pthread_mutex_unlock(&rch_lock);
}

/// Lets those in that may have waited for a block of this queue; under the lock.
static void let_in_after(object queue) {
  object root = rch_root(queue);
  for (object q = queue; rch_target(q); q = rch_target(q)) let_in(q, root, rch_has_width_one(q));
}

// MARK: Blocks

/// Whether the blocks of a queue have an order.
static bool has_order(object q) { return rch_target(q); }

void rch_block_is_pending(rch_block *b) {
  static uint64_t count;
  b->number = ++count;
  b->is_pending = true;
  rch_count_pending(b->queue, b->entry.scope, +1);
}

/// Under the lock.
static void begins(rch_block *b) {
  if (!b->is_pending) return;
  b->is_pending = false;
  rch_count_pending(b->queue, b->entry.scope, -1);
}

void rch_block_is_dropped(rch_block *b) {
  bool was_let_in = b->is_let_in;
  if (was_let_in) rch_keep_no_more(rch_find_record(b->queue), b);
  b->is_let_in = false;
  begins(b);
  if (was_let_in) let_in_after(b->queue);
}

/// The kept block behind which one has to wait, or 0; under the lock.
///
/// In a concurrent queue, it does not wait for a barrier of another scope that waits for blocks of
/// its own scope: the barrier would make its time move.
static rch_block *comes_behind(const rch_record *r, const rch_block *b) {
  if (TAILQ_FIRST(&r->blocks) == b) return 0;
  rch_block *last = TAILQ_LAST(&r->blocks, rch_blocks);
  if (b->is_barrier || rch_has_width_one(b->queue)) return last;
  const rch_share *own = rch_find_share(r, b->entry.scope);
  if (own) return TAILQ_LAST(&own->blocks, rch_blocks);
  return rch_occupancy_of(r->occupants, b->entry.scope) ? 0 : last;
}

bool rch_admit(rch_block *b) {
  if (!has_order(b->queue)) {
    b->is_pending = false;
    return true;
  }
  pthread_mutex_lock(&rch_lock);
  rch_await_other_scope(b->queue, b->entry.scope, b->is_barrier);
  rch_record *r = rch_find_record(b->queue);
  rch_block *before = comes_behind(r, b);
  bool result = !before && !is_kept_out(b->queue, b->is_barrier) && !comes_later(b);
  bool was_let_in = b->is_let_in;
  if (result && was_let_in) rch_keep_no_more(r, b);
  if (!result && !was_let_in) rch_keep(r, b, before);
  b->is_let_in = false;
  if (!result) {
    rch_keep_task(b, true);
    rch_update_wait(rch_find_share(r, b->entry.scope));
  }
  // The next one may run beside it; or it does not run, and was before others.
  bool lets_in = was_let_in && (!result || (!TAILQ_EMPTY(&r->blocks) && !b->entry.is_exclusive));
  rch_record_has_changed(r);
  if (result) {
    rch_occupy(b->queue, b->entry.scope, b->is_barrier, +1);
    begins(b);
  }
  if (lets_in) let_in_after(b->queue);
  rch_update_holds();
  pthread_mutex_unlock(&rch_lock);
  return result;
}

/// Takes out a block of a scope that is kept; under the lock.
static rch_block *take_kept_block(uint32_t scope) {
  rch_record *r;
  TAILQ_FOREACH(r, &rch_keepers, in_keepers) {
    const rch_share *s = rch_find_share(r, scope);
    if (!s) continue;
    rch_block *b = TAILQ_FIRST(&s->blocks);
    b->is_let_in = false;
    rch_keep_task(b, false);
    rch_keep_no_more(r, b);
    rch_record_has_changed(r);
    return b;
  }
  return 0;
}

static void drop_kept_blocks(uint32_t scope) {
  for (;;) {
    pthread_mutex_lock(&rch_lock);
    rch_block *b = take_kept_block(scope);
    if (b) let_in_after(b->queue);
    pthread_mutex_unlock(&rch_lock);
    if (!b) return;
    rch_drop(&b->entry);
  }
}

ADD(at_end[rch_drops_blocks], drop_kept_blocks)

size_t rch_kept_work(uint32_t scope, rch_work *works, size_t capacity) {
  size_t count = 0;
  const rch_record *r;
  const rch_block *b;
  pthread_mutex_lock(&rch_lock);
  TAILQ_FOREACH(r, &rch_keepers, in_keepers) {
    const rch_share *s = rch_find_share(r, scope);
    if (!s) continue;
    TAILQ_FOREACH(b, &s->blocks, in_share)
      if (count < capacity && !b->is_let_in) works[count++] = rch_tell(&b->entry);
  }
  pthread_mutex_unlock(&rch_lock);
  return count;
}

bool rch_may_enter(object q, uint32_t scope, bool is_barrier, bool *occupies) {
  *occupies = false;
  if (!has_order(q)) return true;
  pthread_mutex_lock(&rch_lock);
  rch_await_other_scope(q, scope, is_barrier);
  bool result = !is_kept_out(q, is_barrier);
  for (object at = q; result && rch_target(at); at = rch_target(at)) {
    const rch_record *r = at == q || rch_has_width_one(at) ? rch_find_record(at) : 0;
    // Scopes have no order among each other.
    result = !r || !rch_occupancy_of(r->pending, scope);
  }
  if (result) rch_occupy(q, scope, is_barrier, +1);
  *occupies = result;
  pthread_mutex_unlock(&rch_lock);
  return result;
}

// MARK: Inside a queue

/// Whether the thread keeps the baton until it is inside the queue. Then time stands while others
/// keep it out. But not beside blocks of its own scope: a barrier of the outside may come between,
/// and waits for these.
static bool keeps_baton(const rch_visit *v) {
  if (!v->occupies || !has_order(v->queue) || rch_has_width_one(v->queue)) return true;
  return UNDER_LOCK(rch_occupancy_of(rch_find_record(v->queue)->occupants, v->scope)->count == 1);
}

void rch_leave(const rch_visit *v) {
  if (!v->occupies || !has_order(v->queue)) return;
  pthread_mutex_lock(&rch_lock);
  rch_occupy(v->queue, v->scope, v->is_barrier, -1);
  let_in_after(v->queue);
  pthread_mutex_unlock(&rch_lock);
}

static void work_inside(void *p) {
  const rch_visit *v = p;
  cvt_baton_release();
  v->function(v->context);
  cvt_baton_keep();
  rch_leave(v);
}

/// The thread may have lost the baton on its way.
static void work_beside(void *p) {
  const rch_visit *v = p;
  cvt_baton_come_back();
  v->function(v->context);
  rch_leave(v);
}

void rch_do_inside(const rch_visit *v, rch_submission submit) {
  bool keeps = keeps_baton(v);
  if (keeps) cvt_baton_keep();
  submit(v->queue, (void *)v, keeps ? work_inside : work_beside);
  if (keeps) cvt_baton_release();
}

#endif
