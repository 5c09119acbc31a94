#if defined(__linux__)

#include "Loops.h"

#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// The event loops that SwiftNIO shares in a process. Their threads belong to no scope. A scope may take them
// for itself: each thread joins the scope the next time it waits, and leaves it when the scope has ended.

REAL_OF(epoll_ctl)
REAL_OF(sem_wait)
REAL_OF(sem_post)

/// A thread that runs such a loop.
typedef struct shared_loop {
  struct shared_loop *next;
  int epoll;
  /// Whether the taker waits for it, and has called it.
  bool is_awaited, is_called;
  /// Whether its thread runs code of the scope whose turn it had last. Else it is outside of scopes, or it is idle: it
  /// waits for work.
  bool is_busy;
  rch_entry turn;
  sem_t go;
  bool is_late;
  /// What the engine wants to have back at the end.
  void *stay;
} shared_loop;

static shared_loop *loops;
/// The scope that has taken the loops, or 0.
static _Atomic uint32_t taker;
/// Readable for ever. A loop that finds it among its files is called.
static int call_file = -1;
static pthread_key_t key;
static bool has_key;

enum { unknown, not_shared, shared };
static __thread int kind;
static __thread int64_t number;
static __thread shared_loop *me;

/// Whether this thread runs a shared loop. SwiftNIO names these threads so.
static bool is_shared(void) {
  if (kind == unknown) {
    static const char prefix[] = "NIO-SGLTN";
    char name[16] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    kind = strncmp(name, prefix, sizeof prefix - 1) == 0 ? shared : not_shared;
    const char *digits = strchr(name, '#');
    number = digits ? atoi(digits + 1) : 0;
  }
  return kind == shared;
}

static void end_call(shared_loop *loop) {
  if (loop->is_called) real_epoll_ctl()(loop->epoll, EPOLL_CTL_DEL, call_file, 0);
  loop->is_called = false;
  if (loop->is_awaited) rch_the_engine.hold(atomic_load(&taker), false);
  loop->is_awaited = false;
}

static void forget(void *p) {
  pthread_mutex_lock(&rch_lock);
  shared_loop **link = &loops;
  while (*link != p) link = &(*link)->next;
  *link = (*link)->next;
  end_call(p);
  pthread_mutex_unlock(&rch_lock);
  sem_destroy(&((shared_loop *)p)->go);
  free(p);
}

static shared_loop *of_turn(rch_entry *turn) {
  return (shared_loop *)((char *)turn - offsetof(shared_loop, turn));
}

static void begin(rch_entry *turn) { real_sem_post()(&of_turn(turn)->go); }

static void begin_late(rch_entry *turn) {
  of_turn(turn)->is_late = true;
  begin(turn);
}

/// Takes note of the thread that calls; under the lock.
static shared_loop *register_loop(void) {
  if (me) return me;
  if (!has_key) has_key = pthread_key_create(&key, forget) == 0;
  me = calloc(1, sizeof *me);
  if (!me) abort();
  me->epoll = -1;
  sem_init(&me->go, 0, 0);
  pthread_setspecific(key, me);
  me->next = loops;
  loops = me;
  return me;
}

int32_t rch_take_shared_loops(uint32_t scope) {
  int32_t lost = 0;
  pthread_mutex_lock(&rch_lock);
  if (call_file < 0) {
    cvt_thread_exempt(+1);
    call_file = eventfd(1, EFD_CLOEXEC);
    cvt_thread_exempt(-1);
  }
  atomic_store(&taker, scope);
  struct epoll_event event = {EPOLLIN, {.u64 = rch_call_to_loop}};
  for (shared_loop *loop = loops; loop; loop = loop->next) {
    if (loop->is_busy && rch_the_engine.is_given_up(loop->turn.scope)) {
      lost++;
      continue;
    }
    loop->is_awaited = true;
    rch_the_engine.hold(scope, true);
    loop->is_called = real_epoll_ctl()(loop->epoll, EPOLL_CTL_ADD, call_file, &event) == 0;
  }
  pthread_mutex_unlock(&rch_lock);
  return lost;
}

void rch_give_back_shared_loops(uint32_t scope) {
  if (atomic_load(&taker) != scope) return;
  pthread_mutex_lock(&rch_lock);
  for (shared_loop *loop = loops; loop; loop = loop->next) {
    loop->is_awaited = false;
    end_call(loop);
  }
  atomic_store(&taker, 0);
  pthread_mutex_unlock(&rch_lock);
}

bool rch_is_shared_loop(void) { return is_shared(); }

int64_t rch_shared_loop_number(void) { return number; }

bool rch_has_shared_loops(uint32_t scope) { return atomic_load(&taker) == scope; }

void rch_shared_loop_begins(void) {
  if (!is_shared()) return;
  pthread_mutex_lock(&rch_lock);
  shared_loop *loop = register_loop();
  uint32_t scope = atomic_load(&taker);
  if (scope && !loop->is_awaited) {
    loop->is_awaited = true;
    rch_the_engine.hold(scope, true);
  }
  pthread_mutex_unlock(&rch_lock);
}

uint32_t rch_lend_loop(int epoll) {
  if (kind == not_shared || !is_shared()) return 0;
  // The scope may have ended while the thread did not wait.
  rch_return_loop();
  // If a scope takes the loops from now on, it calls this one.
  if (me && me->epoll == epoll && atomic_load(&taker) == 0) return 0;
  pthread_mutex_lock(&rch_lock);
  shared_loop *loop = register_loop();
  loop->epoll = epoll;
  uint32_t scope = atomic_load(&taker);
  loop->turn = (rch_entry){begin, begin_late, rch_on_own_thread, scope};
  loop->is_late = loop->is_busy = false;
  bool joins = scope && rch_the_engine.enqueue(&loop->turn);
  // The entry is ready, and time does not move before it has run.
  end_call(loop);
  pthread_mutex_unlock(&rch_lock);
  if (!joins) return 0;
  while (real_sem_wait()(&loop->go)) {
  }
  if (!loop->is_late) loop->stay = rch_the_engine.enter(scope);
  if (!loop->stay) return 0;
  rch_end_idling(epoll);
  // The loop believes its timers to be set, in another time.
  rch_ring_timers(cvt_thread_id());
  return scope;
}

void rch_return_loop(void) {
  if (!me || !me->stay) return;
  rch_the_engine.leave(me->stay);
  me->stay = 0;
}

static void set_busy(bool is_busy) {
  pthread_mutex_lock(&rch_lock);
  // If the scope has ended, the thread runs no code of it.
  me->is_busy = is_busy && rch_is_reached(me->turn.scope);
  pthread_mutex_unlock(&rch_lock);
}

static bool is_loop_here(int epoll) { return me && me->stay && me->epoll == epoll; }

void rch_begin_idling(int epoll) {
  if (is_loop_here(epoll)) set_busy(false);
}

bool rch_end_idling(int epoll) {
  if (!is_loop_here(epoll)) return true;
  set_busy(true);
  return me->is_busy;
}

bool rch_is_idle_loop(void) { return me && me->stay && !me->is_busy; }

#endif
