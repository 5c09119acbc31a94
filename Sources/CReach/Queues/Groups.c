#if defined(__linux__)

#include "Queues/Queues.h"
#include "Core/RealWaits.h"

// Semaphores and groups. They stay libdispatch's own, which says whether they are free. Who waits
// for one in a scope waits here.

/// Both return 0 when they are free.
typedef intptr_t (*try)(object, dispatch_time);

/// Waits for a semaphore or a group in the scope's time.
static intptr_t wait_for(uint32_t scope, object o, dispatch_time timeout, try real) {
  if (real(o, 0) == 0) return 0;
  if (timeout == 0) return 1;
  pthread_mutex_lock(&rch_lock);
  // A thread outside that frees it looks for waiters afterwards; so look once more after being
  // counted.
  atomic_fetch_add(&rch_waiting, 1);
  rch_outcome outcome = rch_woken;
  if (real(o, 0) == 0)
    pthread_mutex_unlock(&rch_lock);
  else
    outcome = rch_wait(scope, o, rch_when_dispatch(scope, timeout));
  atomic_fetch_sub(&rch_waiting, 1);
  // Whoever has signalled has taken the unit for this thread.
  if (rch_is_dying() && outcome == rch_woken && real == real_dispatch_semaphore_wait())
    dispatch_semaphore_signal(o);
  rch_die_if_dead();
  if (outcome == rch_ended && timeout == ~0ull) return real(o, timeout);
  return outcome != rch_woken;
}

// MARK: Semaphores

OVERRIDE intptr_t dispatch_semaphore_wait(object s, dispatch_time timeout) {
  uint32_t scope = rch_may_wait();
  if (!scope) return real_dispatch_semaphore_wait()(s, timeout);
  return wait_for(scope, s, timeout, real_dispatch_semaphore_wait());
}

OVERRIDE intptr_t dispatch_semaphore_signal(object s) {
  intptr_t result = real_dispatch_semaphore_signal()(s);
  // libdispatch wakes its threads so, also when it is called under the lock.
  if (atomic_load(&rch_waiting) == 0 || rch_is_of_libdispatch(__builtin_return_address(0)))
    return result;
  pthread_mutex_lock(&rch_lock);
  while (rch_is_awaited(s) && real_dispatch_semaphore_wait()(s, 0) == 0) result |= rch_wake(s);
  pthread_mutex_unlock(&rch_lock);
  return result;
}

// MARK: Groups

/// A block that is submitted when a group is empty.
typedef struct note {
  STAILQ_ENTRY(note) next;
  object group;
  rch_block *block;
} note;

STAILQ_HEAD(notes, note);

/// The notes of all groups, by their groups, in their order. A slot that is all zero is empty.
enum { slot_bits = 12 };
static struct notes slots[1 << slot_bits];

static _Atomic int note_count;

static struct notes *slot_of(object g) {
  struct notes *slot = &slots[rch_slot(g, slot_bits)];
  if (!slot->stqh_last) STAILQ_INIT(slot);
  return slot;
}

static bool is_empty(object g) { return real_dispatch_group_wait()(g, 0) == 0; }

static bool has_note(object g) {
  const note *n;
  STAILQ_FOREACH(n, slot_of(g), next) if (n->group == g) break;
  return n;
}

/// Takes out the notes of a group, in their order; returns the first one.
static note *take_notes(object g) {
  struct notes *slot = slot_of(g), due, others;
  STAILQ_INIT(&due);
  STAILQ_INIT(&others);
  for (note *n; (n = STAILQ_FIRST(slot));) {
    STAILQ_REMOVE_HEAD(slot, next);
    if (n->group == g)
      STAILQ_INSERT_TAIL(&due, n, next);
    else
      STAILQ_INSERT_TAIL(&others, n, next);
  }
  STAILQ_CONCAT(slot, &others);
  return STAILQ_FIRST(&due);
}

/// A note has been submitted, or has been handed to libdispatch.
static void forget(note *n) {
  real_dispatch_release()(n->group);
  atomic_fetch_sub(&rch_waiting, 1);
  atomic_fetch_sub(&note_count, 1);
  free(n);
}

OVERRIDE void dispatch_group_leave(object g) {
  real_dispatch_group_leave()(g);
  if (atomic_load(&rch_waiting) == 0) return;
  note *due = 0;
  pthread_mutex_lock(&rch_lock);
  // Waiting threads keep it alive; without them it may be gone by now.
  if ((rch_is_awaited(g) || has_note(g)) && is_empty(g)) {
    while (rch_wake(g)) {
    }
    due = take_notes(g);
  }
  pthread_mutex_unlock(&rch_lock);
  for (note *next; due; due = next) {
    next = STAILQ_NEXT(due, next);
    rch_submit(due->block);
    forget(due);
  }
}

OVERRIDE intptr_t dispatch_group_wait(object g, dispatch_time timeout) {
  uint32_t scope = rch_may_wait();
  if (!scope) return WAIT_FOR(rch_rest_of_dispatch(timeout), real_dispatch_group_wait()(g, timeout));
  return wait_for(scope, g, timeout, real_dispatch_group_wait());
}

static void hand_over_notes(uint32_t scope) {
  if (atomic_load(&note_count) == 0) return;
  struct notes left, *slot;
  STAILQ_INIT(&left);
  pthread_mutex_lock(&rch_lock);
  for (slot = slots; slot < slots + (1 << slot_bits); slot++)
    for (note *n = STAILQ_FIRST(slot), *next; n; n = next) {
      next = STAILQ_NEXT(n, next);
      if (n->block->entry.scope != scope) continue;
      STAILQ_REMOVE(slot, n, note, next);
      STAILQ_INSERT_TAIL(&left, n, next);
    }
  pthread_mutex_unlock(&rch_lock);
  for (note *n; (n = STAILQ_FIRST(&left));) {
    STAILQ_REMOVE_HEAD(&left, next);
    rch_bury(n->block);
    real_dispatch_group_notify_f()(n->group, n->block->queue, n->block, rch_run_outside);
    forget(n);
  }
}

ADD(at_end[rch_hands_over_notes], hand_over_notes)

static void notify(object g, rch_block *b) {
  note *n = NEW(note, .group = g, .block = b);
  pthread_mutex_lock(&rch_lock);
  atomic_fetch_add(&rch_waiting, 1);
  bool is_due = is_empty(g);
  if (!is_due) {
    rch_keep_task(b, true);
    dispatch_retain(g);
    atomic_fetch_add(&note_count, 1);
    STAILQ_INSERT_TAIL(slot_of(g), n, next);
  }
  pthread_mutex_unlock(&rch_lock);
  if (!is_due) return;
  atomic_fetch_sub(&rch_waiting, 1);
  free(n);
  rch_submit(b);
}

static void submit(object g, rch_block *b) {
  b->group = g;
  dispatch_retain(g);
  dispatch_group_enter(g);
  rch_submit(b);
}

#define IN_GROUP(name, submit)                                                    \
  OVERRIDE void name(object g, object q, void *block) {                           \
    uint32_t scope = rch_scope_here();                                            \
    if (!scope) return real_##name()(g, q, block);                                \
    submit(g, rch_take_task(rch_make_block(scope, q, block, 0, false)));          \
  }                                                                               \
  OVERRIDE void name##_f(object g, object q, void *context, function function) {  \
    uint32_t scope = rch_scope_here();                                            \
    if (!scope) return real_##name##_f()(g, q, context, function);                \
    submit(g, rch_take_task(rch_make_block(scope, q, context, function, false))); \
  }
IN_GROUP(dispatch_group_async, submit)
IN_GROUP(dispatch_group_notify, notify)

#endif
