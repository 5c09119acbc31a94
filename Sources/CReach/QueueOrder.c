#if defined(__linux__)

#include "Queues.h"

#include <stdlib.h>
#include <sys/queue.h>

// Who may enter a queue. Since one thing at a time runs in a scope, a block finds its queue free unless a
// block of the scope *waits* inside, or the queue is suspended. Then it is kept here.

/// How many blocks of a scope wait inside of a queue.
typedef struct occupancy {
  struct occupancy *next;
  uint32_t scope;
  int count;
} occupancy;

/// What is known of a queue that has blocks.
typedef struct record {
  LIST_ENTRY(record) in_slot;
  TAILQ_ENTRY(record) in_keepers;
  object queue;
  /// How many of its blocks, and if it is serial also of those that target it, have been submitted and have not
  /// begun.
  int pending;
  /// The blocks that wait inside, and how many of them are barriers.
  occupancy *occupants;
  int barriers;
  /// The blocks that are kept, how many they are, and how many of them hold time.
  rch_block *first, **last;
  int kept, holding;
  /// Whether they may be of several scopes.
  bool is_mixed;
  bool is_busy, is_keeper;
} record;

enum { slot_count = 1024 };
static LIST_HEAD(slot, record) slots[slot_count];
/// The queues that keep blocks. Those that came first are let in first.
static TAILQ_HEAD(, record) keepers = TAILQ_HEAD_INITIALIZER(keepers);
/// How many queues are occupied or keep blocks.
static _Atomic int busy;

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

static void count_occupant(record *r, uint32_t scope, int change) {
  occupancy **link = &r->occupants;
  while (*link && (*link)->scope != scope) link = &(*link)->next;
  occupancy *o = *link;
  if (!o) {
    if (!(*link = o = calloc(1, sizeof *o))) abort();
    o->scope = scope;
  }
  o->count += change;
  if (o->count) return;
  *link = o->next;
  free(o);
}

static void occupy(object queue, uint32_t scope, bool is_barrier, int change) {
  for (object q = queue; rch_target(q); q = rch_target(q)) {
    record *r = find_or_make(q);
    count_occupant(r, scope, change);
    if (q == queue && is_barrier) r->barriers += change;
    has_changed(r);
  }
}

void rch_occupy_queues(const cvt_baton *baton) {
  for (rch_frame *f = baton->blocks; f && !f->occupies; f = f->outer) {
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

/// Whether the blocks of another queue go before those of a queue that are submitted later: both run inside a
/// serial queue, which the other one can reach.
static bool shares_order(object other, object queue) {
  for (object q = other; rch_target(q); q = rch_target(q)) {
    if (rch_has_width_one(q) && is_inside(queue, q)) return true;
    if (rch_is_suspended(q)) return false;
  }
  return false;
}

/// Whether a block of the same scope that was submitted earlier is kept in another queue, and goes first; under the
/// lock. Scopes have no order among each other.
/// `is_ready`: those that have been let in do not count, because they are ready already.
static bool comes_later(const rch_block *b, bool is_ready) {
  const record *r;
  TAILQ_FOREACH(r, &keepers, in_keepers) {
    const rch_block *k = r->first;
    if (k->queue == b->queue) continue;
    while (k && (k->entry.scope != b->entry.scope || (is_ready && k->is_let_in))) k = k->next;
    if (k && k->number < b->number && shares_order(k->queue, b->queue)) return true;
  }
  return false;
}

/// The other scope that alone keeps a block out of its queue, or 0; under the lock.
static uint32_t other_scope_of(const rch_block *b) {
  uint32_t other = 0;
  for (object q = b->queue; rch_target(q); q = rch_target(q)) {
    if (rch_is_suspended(q)) return 0;
    const record *r = find(q);
    for (const occupancy *o = r ? r->occupants : 0; o; o = o->next) {
      if (o->scope == b->entry.scope) return 0;
      other = o->scope;
    }
  }
  if (other) return other;
  uint32_t first = find(b->queue)->first->entry.scope;
  return first != b->entry.scope ? first : 0;
}

/// Whether a scope's time stands until another scope goes on, directly or through others.
static bool waits_for(uint32_t scope, uint32_t other, int others) {
  const record *r;
  TAILQ_FOREACH(r, &keepers, in_keepers) {
    const rch_block *k = r->holding ? r->first : 0;
    while (k && !(k->holds_time && k->entry.scope == scope)) k = k->next;
    uint32_t next = k ? other_scope_of(k) : 0;
    if (next && (next == other || (others > 0 && waits_for(next, other, others - 1)))) return true;
  }
  return false;
}

/// Whether time stands for the scope of a block, as it does while a thread outside keeps it out: another scope alone
/// keeps it out, and does not wait for this one.
static bool is_kept_out_by_others(const rch_block *b) {
  enum { longest_chain = 4 };
  uint32_t other = other_scope_of(b);
  return other && !waits_for(other, b->entry.scope, longest_chain);
}

static void set_holds_time(record *r, rch_block *b, bool holds) {
  if (b->holds_time == holds) return;
  rch_the_engine.hold(b->entry.scope, holds);
  b->holds_time = holds;
  r->holding += holds ? 1 : -1;
}

/// Lets those of the blocks that a queue keeps hold time that others keep out; under the lock.
static void hold_time_for_kept(record *r) {
  // What is true of one block is true of all that are of the same scope.
  bool all_hold = is_kept_out_by_others(r->first);
  if (!r->is_mixed && r->holding == (all_hold ? r->kept : 0)) return;
  for (rch_block *b = r->first; b; b = b->next)
    set_holds_time(r, b, !b->is_let_in && is_kept_out_by_others(b));
}

/// Lets those in that have waited for this queue and need not any more; under the lock. Not those of other
/// queues, whose scopes may be under way. The queue itself is not looked at: it may be gone.
static void let_in(object queue) {
  record *r;
  TAILQ_FOREACH(r, &keepers, in_keepers) {
    if (!is_inside(r->first->queue, queue)) continue;
    rch_block *first = r->first;
    if (!first->is_let_in && !is_kept_out(first->queue, first->is_barrier) &&
        !comes_later(first, true))
      first->is_let_in = rch_the_engine.enqueue(&first->entry);
    hold_time_for_kept(r);
  }
}

void rch_let_in(object queue) {
  if (atomic_load(&busy) == 0) return;
  pthread_mutex_lock(&rch_lock);
  let_in(queue);
  pthread_mutex_unlock(&rch_lock);
}

void rch_begin(rch_frame *f, object queue, uint32_t scope, bool is_barrier, bool occupies) {
  *f = (rch_frame){cvt_this_baton.blocks, queue, scope, is_barrier, occupies};
  cvt_this_baton.blocks = f;
}

void rch_end(rch_frame *f) {
  if (atomic_load(&busy) == 0 && !cvt_baton_is_lost()) {
    cvt_this_baton.blocks = f->outer;
    return;
  }
  pthread_mutex_lock(&rch_lock);
  cvt_this_baton.blocks = f->outer;
  if (f->occupies) occupy(f->queue, f->scope, f->is_barrier, -1);
  for (object q = f->queue; rch_target(q); q = rch_target(q)) let_in(q);
  pthread_mutex_unlock(&rch_lock);
}

// MARK: Blocks

/// Whether the blocks of a queue have an order.
static bool has_order(object q) { return rch_target(q); }

/// Notes of a queue and of the serial ones that it targets that a block is pending, or not any more.
static void count_pending(object queue, int change) {
  for (object q = queue; rch_target(q); q = rch_target(q)) {
    if (q != queue && !rch_has_width_one(q)) continue;
    record *r = change > 0 ? find_or_make(q) : find(q);
    // The target may have been another one.
    if (!r || r->pending + change < 0) continue;
    r->pending += change;
    has_changed(r);
  }
}

void rch_block_is_pending(rch_block *b) {
  static uint64_t count;
  b->number = ++count;
  b->is_pending = true;
  count_pending(b->queue, +1);
}

/// Under the lock.
static void begins(rch_block *b) {
  if (!b->is_pending) return;
  b->is_pending = false;
  count_pending(b->queue, -1);
}

/// Takes the first one out of the blocks that are kept; the record stays.
static void take_first(record *r) {
  r->kept--;
  r->first = r->first->next;
  if (!r->first) r->last = &r->first;
}

/// Lets those in that may have waited for a block of this queue; under the lock.
static void let_in_after(object queue) {
  for (object q = queue; rch_target(q); q = rch_target(q)) let_in(q);
}

void rch_block_is_dropped(rch_block *b) {
  bool was_let_in = b->is_let_in;
  if (was_let_in) take_first(find(b->queue));
  b->is_let_in = false;
  begins(b);
  if (was_let_in) let_in_after(b->queue);
}

bool rch_admit(rch_block *b, bool occupies) {
  if (!has_order(b->queue)) {
    b->is_pending = false;
    return true;
  }
  pthread_mutex_lock(&rch_lock);
  record *r = find(b->queue);
  bool result = !(r->first && r->first != b) && !is_kept_out(b->queue, b->is_barrier) &&
                !comes_later(b, false);
  if (result && b->is_let_in) {
    take_first(r);
  } else if (!result && !b->is_let_in) {
    r->is_mixed = r->first && (r->is_mixed || r->first->entry.scope != b->entry.scope);
    r->kept++;
    b->next = 0;
    *r->last = b;
    r->last = &b->next;
  }
  b->is_let_in = false;
  if (!result) set_holds_time(r, b, is_kept_out_by_others(b));
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
      r->kept--;
      b->is_let_in = false;
      set_holds_time(r, b, false);
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
    if (b) let_in_after(b->queue);
    pthread_mutex_unlock(&rch_lock);
    if (!b) return;
    rch_drop(&b->entry);
  }
}

size_t rch_kept_work(uint32_t scope, rch_work *works, size_t capacity) {
  size_t count = 0;
  record *r;
  pthread_mutex_lock(&rch_lock);
  TAILQ_FOREACH(r, &keepers, in_keepers)
    for (rch_block *b = r->first; b && count < capacity; b = b->next)
      if (b->entry.scope == scope && !b->is_let_in) works[count++] = rch_tell(&b->entry);
  pthread_mutex_unlock(&rch_lock);
  return count;
}

bool rch_must_wait_its_turn(object q, bool is_barrier) {
  if (!has_order(q)) return false;
  pthread_mutex_lock(&rch_lock);
  bool result = is_kept_out(q, is_barrier);
  for (object at = q; !result && rch_target(at); at = rch_target(at)) {
    const record *r = at == q || rch_has_width_one(at) ? find(at) : 0;
    result = r && r->pending;
  }
  pthread_mutex_unlock(&rch_lock);
  return result;
}

#endif
