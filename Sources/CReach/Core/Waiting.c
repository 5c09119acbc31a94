#if defined(__linux__)

#include "Core/Override.h"

// Threads that wait for something known by its address, in the time of their scope.

typedef enum { asleep, woken, timed_out, crashed, ended } state;

/// A thread that waits, on its own stack.
typedef struct waiter {
  /// In the ready queue: the thread goes on. In the timer queue: its time is over.
  rch_entry turn, alarm;
  TAILQ_ENTRY(waiter) in_slot;
  LIST_ENTRY(waiter) in_parked;
  const void *key;
  uint32_t scope;
  int32_t thread;
  state state;
  /// Whether the thread serves the process, and waits for work, or awaits the body.
  bool is_idle;
  /// Whether the thread can end here, and whether it is to, because its host has crashed. One that
  /// lends others its stack ends after its turn.
  bool is_mortal, is_dead, lends_stack;
  /// Whether the thread has locks that other code may want.
  bool has_locks;
  /// Whether the thread does other work on the main queue meanwhile, and is doing some.
  _Atomic bool works;
  /// Posted when the thread has the baton, and for each poke.
  sem_t baton;
  _Atomic int pokes;
} waiter;

/// The waiting threads, by their keys, in the order in which they have come. A slot that is all
/// zero is empty.
enum { slot_bits = 10, slots = 1 << slot_bits };
static TAILQ_HEAD(slot, waiter) waiters[slots];
/// The threads without the baton: they wait, or have been woken and it is not their turn yet.
static LIST_HEAD(, waiter) parked;

_Atomic int rch_waiting;

/// How often threads of each scope have gone on or waited, by its place in the engine's tables.
static _Atomic int64_t stretches[cvt_max_scopes];

void rch_count_stretch(uint32_t scope) { atomic_fetch_add(&stretches[scope % cvt_max_scopes], 1); }

int64_t rch_stretches(uint32_t scope) { return atomic_load(&stretches[scope % cvt_max_scopes]); }

int64_t rch_turns_of_threads(uint32_t scope) { return rch_stretches(scope) / 2; }

static struct slot *slot_of(const void *key) { return &waiters[rch_slot(key, slot_bits)]; }

static waiter *find(const void *key) {
  waiter *w;
  TAILQ_FOREACH(w, slot_of(key), in_slot) if (w->key == key) break;
  return w;
}

uint32_t rch_may_wait(void) {
  uint32_t scope = rch_scope_here();
  if (!scope || !cvt_this_thread.scope || cvt_this_thread.number != scope) return 0;
  // Else the baton seems lost for a moment: this thread runs (see `cvt_baton_take_away`).
  return cvt_baton_is_lost() && cvt_baton_is_kept() ? 0 : scope;
}

/// The baton goes to the thread; or the scope has ended, and it goes on without.
static void hand_over(rch_entry *turn) { real_sem_post()(&((waiter *)turn)->baton); }

static rch_work tell(const rch_entry *turn) {
  return (rch_work){.what = "a thread", .thread = ((const waiter *)turn)->thread};
}

static void take_out(waiter *w) { TAILQ_REMOVE(slot_of(w->key), w, in_slot); }

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
  return atomic_load(&rch_waiting) > 0 && find(key);
}

/// A thread that has lost the baton, and has not asked for it since.
typedef struct straggler {
  struct straggler *next;
  uint32_t scope;
  int32_t thread;
} straggler;

static straggler *stragglers;

static void add_straggler(straggler *s) {
  s->next = stragglers;
  stragglers = s;
  // Threads that come to a lock of this thread look whether it waits.
  atomic_fetch_add(&rch_waiting, 1);
}

bool rch_take_away(uint32_t scope, int32_t thread, bool (*take)(void *), void *context) {
  straggler *s = NEW(straggler, 0, scope, thread);
  pthread_mutex_lock(&rch_lock);
  bool is_taken = take(context);
  if (is_taken) add_straggler(s);
  pthread_mutex_unlock(&rch_lock);
  if (!is_taken) free(s);
  return is_taken;
}

/// Forgets a straggler, or all of a scope; under the lock.
static void forget_stragglers(uint32_t scope, int32_t thread) {
  for (straggler **link = &stragglers; *link;) {
    straggler *s = *link;
    if (s->scope == scope && (thread == 0 || s->thread == thread)) {
      *link = s->next;
      free(s);
      atomic_fetch_sub(&rch_waiting, 1);
    } else {
      link = &s->next;
    }
  }
}

rch_activity rch_activity_of(uint32_t scope, int32_t thread) {
  const waiter *w;
  LIST_FOREACH(w, &parked, in_parked) if (w->thread == thread && w->scope == scope) break;
  if (w) return w->works ? rch_works : rch_waits;
  const straggler *s = stragglers;
  while (s && !(s->thread == thread && s->scope == scope)) s = s->next;
  return s ? rch_waits : rch_runs;
}

size_t rch_parked_threads(uint32_t scope, int32_t *threads, size_t capacity) {
  size_t count = 0;
  pthread_mutex_lock(&rch_lock);
  const waiter *w;
  LIST_FOREACH(w, &parked, in_parked)
    if (w->scope == scope && !w->is_idle && count < capacity) threads[count++] = w->thread;
  pthread_mutex_unlock(&rch_lock);
  return count;
}

bool rch_waits_in(uint32_t scope, int32_t thread) {
  return UNDER_LOCK(rch_activity_of(scope, thread)) == rch_waits;
}

bool rch_wake(const void *key) {
  waiter *w = find(key);
  if (w) end(w, woken);
  return w;
}

static void wait_for_baton(void *context) {
  while (real_sem_wait()(context)) {
  }
}

static bool wait_for_baton_or_poke(void *context) {
  waiter *w = context;
  w->works = false;
  wait_for_baton(&w->baton);
  // Whichever was posted first, there is one post more than there were pokes.
  if (atomic_load(&w->pokes) == 0) return true;
  atomic_fetch_sub(&w->pokes, 1);
  w->works = true;
  return false;
}

static void poke(void *context) {
  waiter *w = context;
  atomic_fetch_add(&w->pokes, 1);
  real_sem_post()(&w->baton);
}

/// This thread waits from now on; under the lock.
static void begin(waiter *w, uint32_t scope) {
  w->scope = scope;
  w->thread = cvt_thread_id();
  w->turn = (rch_entry){hand_over, hand_over, rch_on_own_thread, scope, tell};
  w->turn.life = cvt_current_life();
  w->is_mortal = cvt_is_mortal();
  w->has_locks = rch_locks_of_others > 0;
  w->is_idle = rch_hooks.is_idle() || cvt_this_thread.awaits_work;
  sem_init(&w->baton, 0, 0);
  LIST_INSERT_HEAD(&parked, w, in_parked);
  // Until it has its turn: it may have a lock that another thread wants meanwhile.
  atomic_fetch_add(&rch_waiting, 1);
  rch_hooks.wake_for_unlocked();
}

__thread int64_t rch_member_number;
__thread int rch_locks_of_others;
/// The host of this thread has crashed, and the thread has come to a wait, or was in one.
static __thread bool is_dead;

/// This thread goes on; under the lock.
static void go_on(waiter *w) {
  LIST_REMOVE(w, in_parked);
  atomic_fetch_sub(&rch_waiting, 1);
}

bool rch_is_doomed(void) {
  uint16_t life = cvt_current_life();
  return life && cvt_is_mortal() &&
         cvt_state_of_life(cvt_current_scope(), life) == cvt_life_has_ended;
}

bool rch_is_dying(void) { return is_dead; }

void rch_die_if_dead(void) {
  if (!is_dead) return;
  // Its mutexes stay locked: those who come to them wait in the time of the scope.
  if (rch_locks_of_others > 0)
    UNDER_LOCK(add_straggler(NEW(straggler, 0, cvt_current_scope(), cvt_thread_id())));
  // A thread that the scope's code has made hands on the baton in its own way (Threads.c).
  cvt_die(rch_member_number ? 0 : rch_the_engine.abandon);
}

void rch_die_if_doomed(void) {
  if (!rch_is_doomed()) return;
  is_dead = true;
  rch_die_if_dead();
}

void rch_die_if_dead_at(const void *key, rch_outcome outcome) {
  if (is_dead && outcome == rch_woken) UNDER_LOCK(rch_wake(key));
  rch_die_if_dead();
}

void rch_find_bound_lives(uint32_t scope, bool *lives) {
  pthread_mutex_lock(&rch_lock);
  waiter *w;
  LIST_FOREACH(w, &parked, in_parked) if (w->scope == scope)
      lives[w->turn.life] |= !w->is_mortal || w->lends_stack || w->has_locks;
  pthread_mutex_unlock(&rch_lock);
}

static void end_threads_of_life(uint32_t scope, uint16_t life) {
  pthread_mutex_lock(&rch_lock);
  for (waiter *w = LIST_FIRST(&parked), *next; w; w = next) {
    next = LIST_NEXT(w, in_parked);
    if (w->scope != scope || w->turn.life != life || !w->is_mortal) continue;
    w->is_dead = w->turn.goes_first = true;
    if (w->key && w->state == asleep && !w->lends_stack) end(w, crashed);
  }
  pthread_mutex_unlock(&rch_lock);
}

ADD(at_crash[rch_ends_threads], end_threads_of_life)

rch_outcome rch_wait(uint32_t scope, const void *key, int64_t deadline) {
  cvt_end_busy_wait();
  rch_count_stretch(scope);
  rch_outcome outcome = rch_wait_idly(scope, key, deadline);
  rch_count_stretch(scope);
  return outcome;
}

static rch_outcome wait_at(
    uint32_t scope, const void *key, int64_t deadline, bool lends_stack) {
  if (rch_is_doomed()) {
    pthread_mutex_unlock(&rch_lock);
    is_dead = true;
    return rch_crashed;
  }
  waiter w = {.key = key, .lends_stack = lends_stack};
  begin(&w, scope);
  w.alarm = (rch_entry){time_is_over, drop_alarm, rch_anywhere, scope};
  struct slot *slot = slot_of(key);
  if (!slot->tqh_last) TAILQ_INIT(slot);
  TAILQ_INSERT_TAIL(slot, &w, in_slot);
  forget_stragglers(scope, w.thread);
  uint64_t timer = deadline == rch_never ? 0 : rch_the_engine.arm(&w.alarm, deadline, true);
  pthread_mutex_unlock(&rch_lock);
  bool is_needed = rch_the_engine.park(&w.turn, wait_for_baton_or_poke, poke, &w);
  if (timer && w.state != timed_out) rch_the_engine.disarm(scope, timer);
  pthread_mutex_lock(&rch_lock);
  if (w.state == asleep) {
    // The scope had ended before.
    take_out(&w);
    w.state = ended;
  }
  go_on(&w);
  is_dead |= w.is_dead;
  pthread_mutex_unlock(&rch_lock);
  sem_destroy(&w.baton);
  switch (w.state) {
    case timed_out: return rch_timed_out;
    case crashed: return rch_crashed;
    case ended: return is_needed ? rch_ended_and_needed : rch_ended;
    default: return rch_woken;
  }
}

rch_outcome rch_wait_idly(uint32_t scope, const void *key, int64_t deadline) {
  return wait_at(scope, key, deadline, false);
}

rch_outcome rch_wait_for_turn(uint32_t scope, const void *key) {
  cvt_end_busy_wait();
  rch_count_stretch(scope);
  rch_outcome outcome = wait_at(scope, key, rch_never, true);
  rch_count_stretch(scope);
  return outcome;
}

void rch_regain(uint32_t scope) {
  waiter w = {0};
  cvt_end_busy_wait();
  rch_count_stretch(scope);
  pthread_mutex_lock(&rch_lock);
  begin(&w, scope);
  forget_stragglers(scope, w.thread);
  pthread_mutex_unlock(&rch_lock);
  rch_the_engine.regain(&w.turn, wait_for_baton, &w.baton);
  UNDER_LOCK(go_on(&w));
  sem_destroy(&w.baton);
}

static void release_threads(uint32_t scope) {
  pthread_mutex_lock(&rch_lock);
  forget_stragglers(scope, 0);
  for (int i = 0; i < slots; i++)
    for (waiter *w = TAILQ_FIRST(&waiters[i]), *next; w; w = next) {
      next = TAILQ_NEXT(w, in_slot);
      if (w->scope == scope) end(w, ended);
    }
  pthread_mutex_unlock(&rch_lock);
}

ADD(at_end[rch_releases_threads], release_threads)

#endif
