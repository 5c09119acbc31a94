#if defined(__linux__)

#include "Queues.h"

#include <stdlib.h>
#include <sys/queue.h>

// Who may enter a queue. Since one thing at a time runs in a scope, a block finds its queue free unless a
// block of the scope *waits* inside, or the queue is suspended. Then it is kept here.

/// What is known of a queue that has blocks.
typedef struct record {
  LIST_ENTRY(record) in_slot;
  TAILQ_ENTRY(record) in_keepers;
  object queue;
  /// How many of its blocks have been submitted and have not begun.
  int pending;
  /// How many blocks wait inside, and how many of them are barriers.
  int occupants, barriers;
  /// The scope of the last one that began to wait inside.
  uint32_t occupant;
  /// The blocks that are kept.
  rch_block *first, **last;
  bool is_busy, is_keeper;
} record;

enum { slot_count = 1024 };
static LIST_HEAD(slot, record) slots[slot_count];
/// The queues that keep blocks. Those that came first are let in first.
static TAILQ_HEAD(, record) keepers = TAILQ_HEAD_INITIALIZER(keepers);
/// How many queues are occupied or keep blocks.
static _Atomic int busy;

static __thread rch_frame *frames;

static struct slot *slot_of(object q) {
  return &slots[(((uintptr_t)q >> 4) * 2654435761u >> 8) % slot_count];
}

static record *find(object q) {
  record *r;
  LIST_FOREACH(r, slot_of(q), in_slot) if (r->queue == q) break;
  return r;
}

static record *find_or_make(object q) {
  record *r = find(q);
  if (r) return r;
  r = calloc(1, sizeof *r);
  if (!r) abort();
  r->queue = q;
  r->last = &r->first;
  LIST_INSERT_HEAD(slot_of(q), r, in_slot);
  return r;
}

/// Brings up to date what depends on a record; it may be gone then.
static void has_changed(record *r) {
  bool is_busy = r->occupants || r->first;
  if (is_busy != r->is_busy) atomic_fetch_add(&busy, is_busy ? 1 : -1);
  r->is_busy = is_busy;
  if (r->first && !r->is_keeper) TAILQ_INSERT_TAIL(&keepers, r, in_keepers);
  if (!r->first && r->is_keeper) TAILQ_REMOVE(&keepers, r, in_keepers);
  r->is_keeper = r->first;
  if (is_busy || r->pending) return;
  LIST_REMOVE(r, in_slot);
  free(r);
}

static void occupy(object queue, uint32_t scope, bool is_barrier, int change) {
  for (object q = queue; rch_target(q); q = rch_target(q)) {
    record *r = find_or_make(q);
    r->occupants += change;
    if (change > 0) r->occupant = scope;
    if (q == queue && is_barrier) r->barriers += change;
    has_changed(r);
  }
}

void rch_occupy_queues(void) {
  for (rch_frame *f = frames; f && !f->occupies; f = f->outer) {
    occupy(f->queue, f->scope, f->is_barrier, +1);
    f->occupies = true;
  }
}

/// Whether a block has to wait until it may enter its queue; under the lock.
static bool is_kept_out(object queue, bool is_barrier) {
  for (object q = queue; rch_target(q); q = rch_target(q)) {
    if (rch_is_suspended(q)) return true;
    const record *r = atomic_load(&busy) == 0 ? 0 : find(q);
    if (r && r->occupants &&
        (rch_has_width_one(q) || r->barriers || (q == queue && is_barrier)))
      return true;
  }
  return false;
}

/// Whether a block of a queue runs inside another one.
static bool is_inside(object queue, object other) {
  while (queue && queue != other) queue = rch_target(queue);
  return queue;
}

/// Whether blocks of a scope are kept out of a queue by another scope alone; under the lock. Then time stands for
/// them, as it does while a thread outside keeps them out.
static bool is_kept_out_by_others(const rch_block *b) {
  bool result = false;
  for (object q = b->queue; rch_target(q); q = rch_target(q)) {
    if (rch_is_suspended(q)) return false;
    const record *r = find(q);
    if (r && r->occupants && r->occupant == b->entry.scope) return false;
    if (r && r->occupants) result = true;
  }
  return result || find(b->queue)->first->entry.scope != b->entry.scope;
}

static void set_holds_time(rch_block *b, bool holds) {
  if (b->holds_time != holds) rch_the_engine.hold(b->entry.scope, holds);
  b->holds_time = holds;
}

/// Lets those in that have waited for this queue and need not any more; under the lock. Not those of other
/// queues, whose scopes may be under way. The queue itself is not looked at: it may be gone.
static void let_in(object queue) {
  record *r;
  TAILQ_FOREACH(r, &keepers, in_keepers) {
    if (!is_inside(r->first->queue, queue)) continue;
    rch_block *first = r->first;
    if (!first->is_let_in && !is_kept_out(first->queue, first->is_barrier))
      first->is_let_in = rch_the_engine.enqueue(&first->entry);
    for (rch_block *b = first; b; b = b->next)
      set_holds_time(b, !b->is_let_in && is_kept_out_by_others(b));
  }
}

void rch_let_in(object queue) {
  if (atomic_load(&busy) == 0) return;
  pthread_mutex_lock(&rch_lock);
  let_in(queue);
  pthread_mutex_unlock(&rch_lock);
}

void rch_begin(rch_frame *f, object queue, uint32_t scope, bool is_barrier, bool occupies) {
  *f = (rch_frame){frames, queue, scope, is_barrier, occupies};
  frames = f;
}

void rch_end(rch_frame *f) {
  frames = f->outer;
  if (atomic_load(&busy) == 0) return;
  pthread_mutex_lock(&rch_lock);
  if (f->occupies) occupy(f->queue, f->scope, f->is_barrier, -1);
  for (object q = f->queue; rch_target(q); q = rch_target(q)) let_in(q);
  pthread_mutex_unlock(&rch_lock);
}

// MARK: Blocks

/// Whether the blocks of a queue have an order.
static bool has_order(object q) { return rch_target(q); }

void rch_block_is_pending(rch_block *b) {
  b->is_pending = true;
  if (has_order(b->queue)) find_or_make(b->queue)->pending++;
}

/// Under the lock.
static void begins(rch_block *b) {
  if (!b->is_pending) return;
  b->is_pending = false;
  if (!has_order(b->queue)) return;
  record *r = find(b->queue);
  r->pending--;
  has_changed(r);
}

/// Takes the first one out of the blocks that are kept; the record stays.
static void take_first(record *r) {
  r->first = r->first->next;
  if (!r->first) r->last = &r->first;
}

void rch_block_is_dropped(rch_block *b) {
  if (b->is_let_in) take_first(find(b->queue));
  begins(b);
}

bool rch_admit(rch_block *b, bool occupies) {
  if (!has_order(b->queue)) {
    b->is_pending = false;
    return true;
  }
  pthread_mutex_lock(&rch_lock);
  record *r = find(b->queue);
  bool result = !(r->first && r->first != b) && !is_kept_out(b->queue, b->is_barrier);
  if (result && b->is_let_in) {
    take_first(r);
  } else if (!result && !b->is_let_in) {
    b->next = 0;
    *r->last = b;
    r->last = &b->next;
  }
  b->is_let_in = false;
  if (!result) set_holds_time(b, is_kept_out_by_others(b));
  has_changed(r);
  if (result) begins(b);
  if (result && occupies) occupy(b->queue, b->entry.scope, b->is_barrier, +1);
  pthread_mutex_unlock(&rch_lock);
  return result;
}

/// Takes out a block of a scope that is kept; under the lock.
static rch_block *take_kept_block(uint32_t scope) {
  record *r;
  TAILQ_FOREACH(r, &keepers, in_keepers) {
    for (rch_block **link = &r->first; *link; link = &(*link)->next) {
      rch_block *b = *link;
      if (b->entry.scope != scope) continue;
      *link = b->next;
      if (!*link) r->last = link;
      b->is_let_in = false;
      set_holds_time(b, false);
      has_changed(r);
      return b;
    }
  }
  return 0;
}

void rch_drop_kept_blocks(uint32_t scope) {
  for (;;) {
    pthread_mutex_lock(&rch_lock);
    rch_block *b = take_kept_block(scope);
    if (b) let_in(b->queue);
    pthread_mutex_unlock(&rch_lock);
    if (!b) return;
    rch_drop(&b->entry);
  }
}

bool rch_must_wait_its_turn(object q, bool is_barrier) {
  if (!has_order(q)) return false;
  pthread_mutex_lock(&rch_lock);
  const record *r = find(q);
  bool result = (r && (r->pending || r->first)) || is_kept_out(q, is_barrier);
  pthread_mutex_unlock(&rch_lock);
  return result;
}

#endif
