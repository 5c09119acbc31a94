#if defined(__linux__)

#include "Queues/QueueRecords.h"

// Holds the scopes whose blocks are kept out of a queue by blocks of *another* scope: a scope
// cannot know when that ends. For each other scope, it has one hold for all its blocks in all
// queues. Whenever a queue becomes free, the scopes that wait for it are asked anew for whom they
// wait.
//
// Scopes that wait for each other in a cycle are not held, since none would go on. They are held
// after all when one of them does not wait any more.

/// In how many queues a scope waits for another one.
typedef struct wait {
  LIST_ENTRY(wait) in_waits;
  uint32_t scope, other;
  int count;
  bool is_held;
  /// The last search that has come here.
  uint64_t search;
} wait;

static LIST_HEAD(, wait) waits;
/// A wait is new or over, and the holds have not been updated.
static bool waits_have_changed;

bool rch_any_scope_waits(void) { return !LIST_EMPTY(&waits); }

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

static void count_wait(uint32_t scope, uint32_t other, int change) {
  wait *w;
  LIST_FOREACH(w, &waits, in_waits) if (w->scope == scope && w->other == other) break;
  if (!w) {
    w = NEW(wait, .scope = scope, .other = other);
    LIST_INSERT_HEAD(&waits, w, in_waits);
  }
  waits_have_changed |= w->count == 0 || w->count + change == 0;
  w->count += change;
}

static void wait_for(rch_share *s, uint32_t other) {
  if (s->other == other) return;
  if (s->other) count_wait(s->scope, s->other, -1);
  s->other = other;
  if (other) count_wait(s->scope, other, +1);
}

void rch_end_wait(rch_share *s) { wait_for(s, 0); }

void rch_update_wait(rch_share *s) { wait_for(s, other_scope_of(s)); }

void rch_update_waits(rch_record *r) {
  rch_share *s;
  LIST_FOREACH(s, &r->shares, in_record) rch_update_wait(s);
}

/// Whether a scope waits for another one, directly or through others.
static bool reaches(uint32_t scope, uint32_t other, uint64_t search) {
  wait *w;
  LIST_FOREACH(w, &waits, in_waits) {
    if (w->scope != scope || w->count == 0 || w->search == search) continue;
    w->search = search;
    if (w->other == other || reaches(w->other, other, search)) return true;
  }
  return false;
}

static bool holds(const wait *w) {
  static uint64_t searches;
  return w->count > 0 && !reaches(w->other, w->scope, ++searches);
}

static void set_is_held(wait *w, bool is_held) {
  if (w->is_held != is_held) rch_the_engine.hold(w->scope, is_held);
  w->is_held = is_held;
}

void rch_update_holds(void) {
  if (!waits_have_changed) return;
  waits_have_changed = false;
  wait *w, *next;
  // First the new holds: time must not move between the holds of a scope.
  LIST_FOREACH(w, &waits, in_waits) if (holds(w)) set_is_held(w, true);
  for (w = LIST_FIRST(&waits); w; w = next) {
    next = LIST_NEXT(w, in_waits);
    if (!holds(w)) set_is_held(w, false);
    if (w->count > 0) continue;
    LIST_REMOVE(w, in_waits);
    free(w);
  }
}

#endif
