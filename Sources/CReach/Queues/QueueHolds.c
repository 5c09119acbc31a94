#if defined(__linux__)

#include "Queues/QueueRecords.h"

// Scopes whose work is kept out of a queue by work of *another* scope. At first they wait in real
// time, with the baton, so that the other one changes no order here: most work leaves its queue
// soon. When that has taken too long, their other work goes on, and their time is held, since a
// scope cannot know when the other one leaves. For each other scope, it has one hold for all its
// blocks in all queues. Whenever a queue becomes free, the scopes that wait for it are asked anew
// for whom they wait.
//
// Scopes that wait for each other in a cycle are not held, since none would go on. They are held
// after all when one of them does not wait any more.

/// In how many queues a scope waits for another one.
typedef struct wait {
  LIST_ENTRY(wait) in_waits;
  uint32_t scope, other;
  int count;
  /// In how many queues it waits in real time.
  int in_place;
  bool is_held;
  /// The last search that has come here.
  uint64_t search;
} wait;

static LIST_HEAD(, wait) waits;
/// A wait is new or over, and the holds have not been updated.
static bool waits_have_changed;

bool rch_any_scope_waits(void) { return !LIST_EMPTY(&waits); }

/// The scope whose work keeps work of a scope out of a queue, or 0. It is the same scope if its own
/// work does as well, or a suspension.
static uint32_t scope_before(object queue, uint32_t scope, bool is_barrier) {
  uint32_t other = 0;
  for (object q = queue; rch_target(q); q = rch_target(q)) {
    if (rch_is_suspended(q)) return scope;
    const rch_occupancy *o = rch_occupants_before(q, q == queue && is_barrier);
    for (; o; o = o->next) {
      if (o->scope == scope) return scope;
      other = o->scope;
    }
  }
  if (other) return other;
  const rch_record *r = rch_find_record(queue);
  const rch_block *first = r ? TAILQ_FIRST(&r->blocks) : 0;
  return first ? first->entry.scope : 0;
}

/// The other scope that alone keeps the blocks of a scope out of their queue, or 0.
static uint32_t other_scope_of(const rch_share *s) {
  const rch_block *b = TAILQ_FIRST(&s->blocks);
  uint32_t other = scope_before(b->queue, s->scope, b->is_barrier);
  return other == s->scope ? 0 : other;
}

static wait *find_or_make(uint32_t scope, uint32_t other) {
  wait *w;
  LIST_FOREACH(w, &waits, in_waits) if (w->scope == scope && w->other == other) return w;
  w = NEW(wait, .scope = scope, .other = other);
  LIST_INSERT_HEAD(&waits, w, in_waits);
  return w;
}

static void count_wait(uint32_t scope, uint32_t other, int change) {
  wait *w = find_or_make(scope, other);
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
    if (w->scope != scope || w->search == search || w->count + w->in_place == 0) continue;
    w->search = search;
    if (w->other == other || reaches(w->other, other, search)) return true;
  }
  return false;
}

/// Whether another scope waits for a scope, so that none of them would go on.
static bool is_cycle(uint32_t scope, uint32_t other) {
  static uint64_t searches;
  return reaches(other, scope, ++searches);
}

static bool holds(const wait *w) { return w->count > 0 && !is_cycle(w->scope, w->other); }

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
    if (w->count + w->in_place > 0) continue;
    LIST_REMOVE(w, in_waits);
    free(w);
  }
}

void rch_await_other_scope(object queue, uint32_t scope, bool is_barrier) {
  uint32_t other;
  // The other one may need the main thread in order to go on.
  if (rch_runs_on_main(queue) || cvt_thread_id() == getpid()) return;
  for (int looks = 0; (other = scope_before(queue, scope, is_barrier)); looks++) {
    const rch_record *r = rch_find_record(queue);
    bool has_own = r && (rch_find_share(r, scope) || rch_occupancy_of(r->occupants, scope));
    if (other == scope || has_own || is_cycle(scope, other)) break;
    find_or_make(scope, other)->in_place++;
    pthread_mutex_unlock(&rch_lock);
    cvt_baton_keep();
    bool may_go_on = rch_rests(looks / 2);
    cvt_baton_release();
    // The scope may have been given up, and has dropped its blocks.
    cvt_rest_if_lost();
    pthread_mutex_lock(&rch_lock);
    find_or_make(scope, other)->in_place--;
    waits_have_changed = true;
    if (!may_go_on) break;
  }
}

#endif
