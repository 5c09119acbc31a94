#if defined(__linux__)

#include "Queues/QueueRecords.h"

// The records of queues that have blocks of scopes. A queue has a record as long as there is
// something to know: how many of its blocks have not begun, and those that may not enter yet.
// Blocks of queues that share a serial target are kept and let in in the order in which they were
// submitted, and work that is waited for comes after all that such queues have been given before.
// Widths, targets and suspensions are read where `dispatch_queue_offsets` says, which libdispatch
// exports for debuggers. Work items need nothing of their own: libdispatch makes them of groups,
// through the functions above.

enum { slot_bits = 10, slot_count = 1 << slot_bits };
static LIST_HEAD(slot, rch_record) slots[slot_count];
struct rch_records rch_keepers = TAILQ_HEAD_INITIALIZER(rch_keepers);
_Atomic int rch_busy_queues;

static struct slot *slot_of(object q) { return &slots[rch_slot(q, slot_bits)]; }

rch_record *rch_find_record(object q) {
  rch_record *r;
  LIST_FOREACH(r, slot_of(q), in_slot) if (r->queue == q) break;
  return r;
}

static rch_record *find_or_make(object q) {
  rch_record *r = rch_find_record(q);
  if (r) return r;
  r = NEW(rch_record, .queue = q);
  TAILQ_INIT(&r->blocks);
  TAILQ_INIT(&r->tree);
  LIST_INSERT_HEAD(slot_of(q), r, in_slot);
  return r;
}

static void free_unless_needed(rch_record *r) {
  if (r->is_busy || r->pending || r->moving || !TAILQ_EMPTY(&r->tree)) return;
  LIST_REMOVE(r, in_slot);
  free(r);
}

static void begin_to_keep(rch_record *r) {
  r->root = find_or_make(rch_root(r->queue));
  if (TAILQ_EMPTY(&r->root->tree)) r->root->tree_is_mixed = false;
  TAILQ_INSERT_TAIL(&rch_keepers, r, in_keepers);
  TAILQ_INSERT_TAIL(&r->root->tree, r, in_tree);
}

static void end_to_keep(rch_record *r) {
  rch_record *root = r->root;
  TAILQ_REMOVE(&rch_keepers, r, in_keepers);
  TAILQ_REMOVE(&root->tree, r, in_tree);
  r->root = 0;
  if (root != r) free_unless_needed(root);
}

void rch_record_has_changed(rch_record *r) {
  const rch_block *first = TAILQ_FIRST(&r->blocks);
  bool is_busy = r->occupants || first;
  if (is_busy != r->is_busy) atomic_fetch_add(&rch_busy_queues, is_busy ? 1 : -1);
  r->is_busy = is_busy;
  bool keeps = first && !r->moving;
  if (keeps && !r->root) begin_to_keep(r);
  if (!keeps && r->root) end_to_keep(r);
  if (keeps) {
    const rch_block *other = TAILQ_FIRST(&TAILQ_FIRST(&r->root->tree)->blocks);
    r->root->tree_is_mixed |= LIST_NEXT(LIST_FIRST(&r->shares), in_record) ||
                              other->entry.scope != first->entry.scope;
  }
  free_unless_needed(r);
}

const rch_occupancy *rch_occupancy_of(const rch_occupancy *first, uint32_t scope) {
  const rch_occupancy *o = first;
  while (o && o->scope != scope) o = o->next;
  return o;
}

static void count(rch_occupancy **link, uint32_t scope, int change) {
  while (*link && (*link)->scope != scope) link = &(*link)->next;
  rch_occupancy *o = *link;
  if (!o) *link = o = NEW(rch_occupancy, .scope = scope);
  o->count += change;
  if (o->count) return;
  *link = o->next;
  free(o);
}

void rch_occupy(object queue, uint32_t scope, bool is_barrier, int change) {
  for (object q = queue; rch_target(q); q = rch_target(q)) {
    rch_record *r = find_or_make(q);
    count(&r->occupants, scope, change);
    if (q == queue && is_barrier) r->barriers += change;
    rch_record_has_changed(r);
  }
}

void rch_count_pending(object queue, uint32_t scope, int change) {
  for (object q = queue; rch_target(q); q = rch_target(q)) {
    if (q != queue && !rch_has_width_one(q)) continue;
    rch_record *r = change > 0 ? find_or_make(q) : rch_find_record(q);
    // The target may have been another one, if it was changed while the queue ran.
    const rch_occupancy *before = r ? rch_occupancy_of(r->pending, scope) : 0;
    if (change < 0 && (!before || before->count + change < 0)) continue;
    count(&r->pending, scope, change);
    if (q == queue) count(&r->own, scope, change);
    rch_record_has_changed(r);
  }
}

const rch_occupancy *rch_occupants_before(object q, bool is_barrier_of_queue) {
  const rch_record *r = atomic_load(&rch_busy_queues) == 0 ? 0 : rch_find_record(q);
  return r && (rch_has_width_one(q) || r->barriers || is_barrier_of_queue) ? r->occupants : 0;
}

// MARK: Kept blocks

rch_share *rch_find_share(const rch_record *r, uint32_t scope) {
  rch_share *s;
  LIST_FOREACH(s, &r->shares, in_record) if (s->scope == scope) break;
  return s;
}

void rch_keep(rch_record *r, rch_block *b, rch_block *before) {
  rch_share *s = rch_find_share(r, b->entry.scope);
  if (!s) {
    s = NEW(rch_share, .record = r, .scope = b->entry.scope);
    TAILQ_INIT(&s->blocks);
    LIST_INSERT_HEAD(&r->shares, s, in_record);
  }
  TAILQ_INSERT_TAIL(&s->blocks, b, in_share);
  if (before)
    TAILQ_INSERT_AFTER(&r->blocks, before, b, in_queue);
  else
    TAILQ_INSERT_TAIL(&r->blocks, b, in_queue);
}

void rch_keep_no_more(rch_record *r, rch_block *b) {
  rch_share *s = rch_find_share(r, b->entry.scope);
  TAILQ_REMOVE(&s->blocks, b, in_share);
  TAILQ_REMOVE(&r->blocks, b, in_queue);
  if (!TAILQ_EMPTY(&s->blocks)) return;
  rch_end_wait(s);
  LIST_REMOVE(s, in_record);
  free(s);
}

// MARK: Another target

rch_record *rch_leave_target(object queue) {
  if (atomic_load_explicit(&rch_scopes, memory_order_relaxed) == 0) return 0;
  rch_record *all = 0, *r;
  pthread_mutex_lock(&rch_lock);
  for (int i = 0; i < slot_count; i++)
    LIST_FOREACH(r, &slots[i], in_slot) {
      if (!r->own || !rch_is_inside(r->queue, queue)) continue;
      for (const rch_occupancy *o = r->own; o; o = o->next) count(&r->moving, o->scope, o->count);
      r->next_moving = all;
      all = r;
    }
  for (r = all; r; r = r->next_moving)
    for (const rch_occupancy *o = r->moving; o; o = o->next)
      rch_count_pending(r->queue, o->scope, -o->count);
  pthread_mutex_unlock(&rch_lock);
  return all;
}

void rch_has_target(rch_record *r) {
  if (!r) return;
  pthread_mutex_lock(&rch_lock);
  for (rch_record *next; r; r = next) {
    next = r->next_moving;
    object queue = r->queue;
    rch_occupancy *moving = r->moving;
    r->moving = 0;
    for (rch_occupancy *o; (o = moving); free(o)) {
      moving = o->next;
      rch_count_pending(queue, o->scope, o->count);
    }
  }
  pthread_mutex_unlock(&rch_lock);
}

#endif
