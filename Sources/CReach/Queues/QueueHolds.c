#if defined(__linux__)

#include "Queues/QueueRecords.h"

// Holds the scopes whose blocks are kept out of a queue by blocks of *another* scope: a scope cannot
// know when that ends. Its hold in a queue is one for all its blocks there, and is updated whenever
// the queue becomes free.
//
// Two scopes may keep blocks of each other out. If both were held, none would go on. So a scope is
// *excused* if its hold would close a cycle of scopes that wait for each other.

/// In how many queues a scope is held because of another scope.
typedef struct wait {
  LIST_ENTRY(wait) in_waits;
  uint32_t scope, other;
  int count;
  /// The last search that has come here.
  uint64_t search;
} wait;

static LIST_HEAD(, wait) waits;

bool rch_any_is_held(void) { return !LIST_EMPTY(&waits); }

/// The other scope that alone keeps the blocks of a scope out of their queue, or 0.
static uint32_t other_scope_of(const rch_share *s) {
  const rch_block *b = TAILQ_FIRST(&s->blocks);
  uint32_t other = 0;
  for (object q = b->queue; rch_target(q); q = rch_target(q)) {
    if (rch_is_suspended(q)) return 0;
    const rch_occupancy *o = rch_occupants_before(q, q == b->queue && b->is_barrier);
    for (; o; o = o->next) {
      if (o->scope == s->scope) return 0;
      other = o->scope;
    }
  }
  if (other) return other;
  uint32_t first = TAILQ_FIRST(&s->record->blocks)->entry.scope;
  return first != s->scope ? first : 0;
}

/// Whether a scope is held because of another scope, directly or through others.
static bool waits_for(uint32_t scope, uint32_t other, uint64_t search) {
  wait *w;
  LIST_FOREACH(w, &waits, in_waits) {
    if (w->scope != scope || w->search == search) continue;
    w->search = search;
    if (w->other == other || waits_for(w->other, other, search)) return true;
  }
  return false;
}

static void count_wait(uint32_t scope, uint32_t other, int change) {
  wait *w;
  LIST_FOREACH(w, &waits, in_waits) if (w->scope == scope && w->other == other) break;
  if (!w) {
    w = NEW(wait, .scope = scope, .other = other);
    LIST_INSERT_HEAD(&waits, w, in_waits);
  }
  w->count += change;
  if (w->count) return;
  LIST_REMOVE(w, in_waits);
  free(w);
}

/// Holds a scope because of another one, unless it is excused, or ends its hold.
static void decide(rch_share *s, uint32_t other) {
  static uint64_t searches;
  bool was_held = s->is_held;
  if (was_held && s->other == other) return;
  if (was_held) count_wait(s->scope, s->other, -1);
  s->other = other;
  s->is_held = other && !waits_for(other, s->scope, ++searches);
  if (s->is_held) count_wait(s->scope, other, +1);
  if (s->is_held != was_held) rch_the_engine.hold(s->scope, s->is_held);
}

void rch_end_hold(rch_share *s) { decide(s, 0); }

void rch_update_hold(rch_share *s) { decide(s, other_scope_of(s)); }

void rch_update_holds(rch_record *r) {
  rch_share *s;
  LIST_FOREACH(s, &r->shares, in_record) rch_update_hold(s);
}

#endif
