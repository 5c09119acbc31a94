#if defined(__linux__)

#include "SharedThreads/SharedThreads.h"

#include <string.h>

// Threads that serve the process. A scope may take them for itself: each comes the next time it
// waits for work. When all have come, they join the scope in the order of their numbers, and leave
// it when it has ended. SwiftNIO's are known by their names.

static rch_shared_thread *threads;
static _Atomic uint32_t taker;
/// How many loops the taker has used.
static int64_t places;
static pthread_key_t key;
static bool has_key;

static __thread rch_shared_thread *here;

rch_shared_thread *rch_shared_here(rch_shared_kind kind) {
  return here && here->kind == kind ? here : 0;
}

uint32_t rch_taker(void) { return atomic_load(&taker); }

// MARK: Being there

/// The taker waits for a thread; under the lock.
static void await(rch_shared_thread *thread) {
  if (!thread->is_awaited) rch_the_engine.hold(atomic_load(&taker), true);
  thread->is_awaited = true;
}

/// The taker does not wait for it any more; under the lock.
static void end_call(rch_shared_thread *thread) {
  rch_end_call_to_loop(thread);
  if (thread->is_awaited) rch_the_engine.hold(atomic_load(&taker), false);
  thread->is_awaited = false;
}

static void begin(rch_entry *turn) { real_sem_post()(&((rch_shared_thread *)turn)->go); }

static void begin_late(rch_entry *turn) {
  ((rch_shared_thread *)turn)->is_late = true;
  begin(turn);
}

/// The next thread that has come, in an order that does not depend on the kernel; under the lock.
static rch_shared_thread *first_of_those_who_have_come(void) {
  rch_shared_thread *first = 0;
  for (rch_shared_thread *t = threads; t; t = t->next) {
    if (!t->has_come) continue;
    if (!first || t->kind < first->kind || (t->kind == first->kind && t->number < first->number))
      first = t;
  }
  return first;
}

/// Whether the taker waits for one that has not come; under the lock.
static bool awaits_any(void) {
  for (rch_shared_thread *t = threads; t; t = t->next)
    if (t->is_awaited && !t->has_come) return true;
  return false;
}

/// Lets all threads join that have come, once the taker waits for no others; under the lock.
static void let_join(void) {
  if (awaits_any()) return;
  for (rch_shared_thread *t; (t = first_of_those_who_have_come());) {
    t->has_come = false;
    if (!rch_the_engine.enqueue(&t->turn)) begin_late(&t->turn);
    // The entry is ready, and time does not move before it has run.
    end_call(t);
  }
}

static void forget(void *p) {
  rch_leave_taker(p);
  pthread_mutex_lock(&rch_lock);
  rch_shared_thread **link = &threads;
  while (*link != p) link = &(*link)->next;
  *link = (*link)->next;
  end_call(p);
  let_join();
  pthread_mutex_unlock(&rch_lock);
  sem_destroy(&((rch_shared_thread *)p)->go);
  free(p);
}

static bool begins_with(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

/// Takes note of this thread, if it is shared. The taker waits until it joins.
static void take_note(const char *name) {
  bool is_loop = begins_with(name, "NIO-SGLTN-");
  if (!is_loop && !begins_with(name, "SGLTN-TP-#")) return;
  if (here || rch_scope_here()) return;
  const char *digits = strchr(name, '#');
  here = NEW(
      rch_shared_thread, .kind = is_loop ? rch_of_loop : rch_of_pool,
      .number = digits ? atoi(digits + 1) : 0, .epoll = -1, .event = -1, .is_idle = true);
  sem_init(&here->go, 0, 0);
  pthread_mutex_lock(&rch_lock);
  if (!has_key) has_key = pthread_key_create(&key, forget) == 0;
  pthread_setspecific(key, here);
  here->next = threads;
  threads = here;
  if (atomic_load(&taker)) await(here);
  pthread_mutex_unlock(&rch_lock);
}

// SwiftNIO's threads name themselves before they do anything else.
OVERRIDE int pthread_setname_np(pthread_t thread, const char *name) {
  int result = real_pthread_setname_np()(thread, name);
  if (pthread_equal(thread, pthread_self())) take_note(name);
  return result;
}

// MARK: Taking

int32_t rch_take_shared_threads(uint32_t scope) {
  int32_t lost = 0;
  bool calls_pool = false;
  pthread_mutex_lock(&rch_lock);
  atomic_store(&taker, scope);
  // Threads that lock a mutex look whether they are to join.
  atomic_fetch_add(&rch_waiting, 1);
  places = 0;
  for (rch_shared_thread *t = threads; t; t = t->next) {
    t->place = 0;
    bool is_lost = !t->is_idle && rch_the_engine.is_given_up(t->turn.scope);
    lost += is_lost;
    // Work in the pool may take any time.
    if (is_lost || (t->kind == rch_of_pool && !t->is_idle)) continue;
    await(t);
    if (t->kind == rch_of_loop) rch_call_loop(t); else calls_pool = t->is_called = true;
  }
  pthread_mutex_unlock(&rch_lock);
  if (calls_pool) rch_call_pool();
  // Else it would depend on the kernel which work of the scope comes before them.
  for (int looks = 0; UNDER_LOCK(awaits_any()) && rch_rests(looks); looks++) {
  }
  return lost;
}

static void give_back_threads(uint32_t scope) {
  if (atomic_load(&taker) != scope) return;
  pthread_mutex_lock(&rch_lock);
  for (rch_shared_thread *t = threads; t; t = t->next) {
    t->is_awaited = false;
    end_call(t);
    if (t->has_come) begin_late(&t->turn);
    t->has_come = false;
  }
  atomic_store(&taker, 0);
  atomic_fetch_sub(&rch_waiting, 1);
  pthread_mutex_unlock(&rch_lock);
}

ADD(at_end[rch_gives_back_threads], give_back_threads)

rch_shared_thread *rch_use_loop(int event) {
  rch_shared_thread *t = threads;
  while (t && t->event != event) t = t->next;
  if (!t || t->place) return 0;
  t->place = ++places;
  return t;
}

// MARK: Joining

void rch_set_idle(rch_shared_thread *me, bool is_idle) {
  UNDER_LOCK(me->is_idle = is_idle);
}

uint32_t rch_join_taker(rch_shared_thread *me, pthread_mutex_t *mutex) {
  uint32_t scope = atomic_load(&taker);
  // Else a schedule would depend on which of the threads serves which part of the scope.
  me->turn = (rch_entry){begin, begin_late, rch_on_own_thread, scope, .goes_first = true};
  me->is_late = false;
  me->is_idle = me->has_come = scope;
  if (scope) let_join(); else end_call(me);
  pthread_mutex_unlock(&rch_lock);
  if (!scope) return 0;
  if (mutex) pthread_mutex_unlock(mutex);
  while (real_sem_wait()(&me->go)) {
  }
  if (!me->is_late) me->stay = rch_the_engine.enter(scope);
  if (mutex) pthread_mutex_lock(mutex);
  if (me->stay) rch_end_idling(me); else rch_set_idle(me, false);
  return me->stay ? scope : 0;
}

void rch_leave_taker(rch_shared_thread *me) {
  if (!me->stay) return;
  UNDER_LOCK(me->turn.scope = 0);
  void *stay = me->stay;
  // `leave` may lock a mutex, and then call this function again.
  me->stay = 0;
  rch_the_engine.leave(stay);
}

bool rch_end_idling(rch_shared_thread *me) {
  pthread_mutex_lock(&rch_lock);
  // If the scope ends from now on, it sees that the thread is busy.
  me->is_idle = !rch_is_reached(me->turn.scope);
  pthread_mutex_unlock(&rch_lock);
  return !me->is_idle;
}

bool rch_is_idle_shared_thread(void) { return here && here->stay && here->is_idle; }

ADD(is_idle, rch_is_idle_shared_thread)

#endif
