#if defined(__linux__)

#include "Override.h"

#include <errno.h>
#include <semaphore.h>

// Threads that wait for something known by its address, in the time of their scope.

typedef enum { asleep, woken, timed_out, ended } state;

/// A thread that waits, on its own stack.
typedef struct waiter {
  struct waiter *next, *next_parked;
  const void *key;
  uint32_t scope;
  int32_t thread;
  state state;
  /// In the ready queue: the thread goes on. In the timer queue: its time is over.
  rch_entry turn, alarm;
  sem_t baton;
} waiter;

enum { slots = 1024 };
static waiter *waiters[slots];
/// Those that do not have the baton: they wait, or have been woken and it is not their turn yet.
static waiter *parked;

_Atomic int rch_waiting;

static waiter **slot(const void *key) {
  return &waiters[((uintptr_t)key >> 4) * 2654435761u % slots];
}

uint32_t rch_may_wait(void) {
  uint32_t scope = rch_scope_here();
  return scope && cvt_this_thread.scope && cvt_this_thread.number == scope ? scope : 0;
}

static waiter *of_turn(rch_entry *turn) {
  return (waiter *)((char *)turn - offsetof(waiter, turn));
}

/// The baton goes to the thread; or the scope has ended, and it goes on without.
static void hand_over(rch_entry *turn) { sem_post(&of_turn(turn)->baton); }

static void take_out(waiter *w) {
  waiter **link = slot(w->key);
  while (*link != w) link = &(*link)->next;
  *link = w->next;
  atomic_fetch_sub(&rch_waiting, 1);
}

/// Ends a wait; under the lock.
static void end(waiter *w, state state) {
  take_out(w);
  w->state = state;
  if (state == ended || !rch_the_engine.enqueue(&w->turn)) {
    w->state = ended;
    hand_over(&w->turn);
  }
}

static void time_is_over(rch_entry *alarm) {
  waiter *w = (waiter *)((char *)alarm - offsetof(waiter, alarm));
  pthread_mutex_lock(&rch_lock);
  if (w->state == asleep) end(w, timed_out);
  pthread_mutex_unlock(&rch_lock);
}

static void drop_alarm(rch_entry *alarm) { (void)alarm; }

bool rch_is_awaited(const void *key) {
  if (atomic_load(&rch_waiting) == 0) return false;
  waiter *w = *slot(key);
  while (w && w->key != key) w = w->next;
  return w;
}

bool rch_thread_waits(int32_t thread) {
  const waiter *w = parked;
  while (w && w->thread != thread) w = w->next_parked;
  return w;
}

bool rch_wake(const void *key) {
  waiter *w = *slot(key);
  while (w && w->key != key) w = w->next;
  if (w) end(w, woken);
  return w;
}

static void wait_for_baton(void *context) {
  while (sem_wait(context)) {
  }
}

rch_outcome rch_wait(uint32_t scope, const void *key, int64_t deadline) {
  waiter w = {.key = key, .scope = scope, .thread = cvt_thread_id()};
  w.turn = (rch_entry){hand_over, hand_over, rch_on_own_thread, scope};
  w.alarm = (rch_entry){time_is_over, drop_alarm, rch_anywhere, scope};
  sem_init(&w.baton, 0, 0);
  waiter **link = slot(key);
  while (*link) link = &(*link)->next;
  *link = &w;
  w.next_parked = parked;
  parked = &w;
  atomic_fetch_add(&rch_waiting, 1);
  rch_occupy_queues();
  uint64_t timer = deadline == rch_never ? 0 : rch_the_engine.arm(&w.alarm, deadline, true);
  pthread_mutex_unlock(&rch_lock);
  bool is_needed = rch_the_engine.park(wait_for_baton, &w.baton);
  if (timer && w.state != timed_out) rch_the_engine.disarm(scope, timer);
  pthread_mutex_lock(&rch_lock);
  link = &parked;
  while (*link != &w) link = &(*link)->next_parked;
  *link = w.next_parked;
  pthread_mutex_unlock(&rch_lock);
  sem_destroy(&w.baton);
  switch (w.state) {
    case timed_out: return rch_timed_out;
    case ended: return is_needed ? rch_ended_and_needed : rch_ended;
    default: return rch_woken;
  }
}

void rch_release_threads(uint32_t scope) {
  pthread_mutex_lock(&rch_lock);
  for (int i = 0; i < slots; i++)
    for (waiter *w = waiters[i], *next; w; w = next) {
      next = w->next;
      if (w->scope == scope) end(w, ended);
    }
  pthread_mutex_unlock(&rch_lock);
}

#endif
