#if defined(__linux__)

#include "Core/Override.h"

// Threads that a scope's code creates. Each stretch of such a thread, from one wait to the next,
// runs with the baton. The first begins when the entry for it comes to its turn in the ready queue.

typedef struct member {
  rch_entry turn;
  LIST_ENTRY(member) in_members;
  pthread_t thread;
  /// In the order in which the threads are made. The kernel uses its numbers again.
  int64_t number;
  uint32_t scope;
  sem_t go;
  /// The object that the engine wants to have back at the end.
  void *stay;
  void *(*start)(void *);
  void *argument, *result;
} member;

/// The threads that have not ended.
static LIST_HEAD(, member) members;

/// The baton goes to the thread; or the scope has ended, and it begins outside.
static void begin_now(rch_entry *turn) { real_sem_post()(&((member *)turn)->go); }

static rch_work tell(const rch_entry *turn) {
  (void)turn;
  return (rch_work){.what = "a thread that begins"};
}

static void free_member(member *m) {
  sem_destroy(&m->go);
  free(m);
}

/// The thread is about to end.
static void finish(void *p) {
  member *m = p;
  rch_count_stretch(m->scope);
  pthread_mutex_lock(&rch_lock);
  LIST_REMOVE(m, in_members);
  // Threads that join it wait for its number.
  while (rch_wake((const void *)m->thread)) {
  }
  pthread_mutex_unlock(&rch_lock);
  if (m->stay) rch_the_engine.leave(m->stay);
  free_member(m);
}

// MARK: Threads of hosts that have crashed

// Those who would join such a thread have died with it. It would keep its stack for ever.

typedef struct dead_thread {
  LIST_ENTRY(dead_thread) in_dead;
  pthread_t thread;
  uint32_t scope;
} dead_thread;

static LIST_HEAD(, dead_thread) dead_threads;

/// This thread ends in the middle of what it runs.
static void has_died(uint32_t scope) {
  pthread_attr_t attributes;
  int state = PTHREAD_CREATE_DETACHED;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getdetachstate(&attributes, &state);
    pthread_attr_destroy(&attributes);
  }
  if (state == PTHREAD_CREATE_DETACHED) return;
  dead_thread *d = NEW(dead_thread, .thread = pthread_self(), .scope = scope);
  pthread_mutex_lock(&rch_lock);
  LIST_INSERT_HEAD(&dead_threads, d, in_dead);
  pthread_mutex_unlock(&rch_lock);
}

/// Code that lives has joined the thread all the same.
static void was_joined(pthread_t thread) {
  pthread_mutex_lock(&rch_lock);
  dead_thread *d;
  LIST_FOREACH(d, &dead_threads, in_dead) if (pthread_equal(d->thread, thread)) break;
  if (d) LIST_REMOVE(d, in_dead);
  pthread_mutex_unlock(&rch_lock);
  free(d);
}

static void forget_dead_threads(uint32_t scope) {
  pthread_mutex_lock(&rch_lock);
  for (dead_thread *d = LIST_FIRST(&dead_threads), *next; d; d = next) {
    next = LIST_NEXT(d, in_dead);
    if (d->scope != scope) continue;
    pthread_detach(d->thread);
    LIST_REMOVE(d, in_dead);
    free(d);
  }
  pthread_mutex_unlock(&rch_lock);
}

ADD(at_end[rch_forgets_threads], forget_dead_threads)

// MARK: Beginning and joining

static void start(void *p) {
  member *m = p;
  m->result = m->start(m->argument);
}

static void *begin(void *p) {
  member *m = p;
  rch_member_number = m->number;
  cvt_life_of_thread = m->turn.life;
  while (real_sem_wait()(&m->go)) {
  }
  m->stay = rch_the_engine.enter(m->scope);
  // Threads that start others would go on with that in real time.
  if (!m->stay && rch_the_engine.is_given_up(m->scope)) cvt_wait_for_ever();
  bool lives = cvt_state_of_life(m->scope, m->turn.life) != cvt_life_has_ended;
  void *result;
  uint32_t scope = m->scope;
  pthread_cleanup_push(finish, m);
  lives = lives && cvt_run_mortal(start, m);
  result = lives ? m->result : 0;
  pthread_cleanup_pop(1);
  if (lives) return result;
  has_died(scope);
  cvt_end_dead_thread();
  return 0;
}

OVERRIDE int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  uint32_t scope = rch_scope_here();
  if (!scope || rch_is_of_libdispatch((const void *)start))
    return real_pthread_create()(thread, attributes, start, argument);
  static _Atomic int64_t last_number;
  member *m = NEW(
      member,
      .turn = {begin_now, begin_now, rch_on_own_thread, scope, tell, .life = cvt_current_life()},
      .number = atomic_fetch_add(&last_number, 1) + 1, .scope = scope, .start = start,
      .argument = argument);
  sem_init(&m->go, 0, 0);
  int result = real_pthread_create()(thread, attributes, begin, m);
  if (result) {
    free_member(m);
    return result;
  }
  pthread_mutex_lock(&rch_lock);
  m->thread = *thread;
  LIST_INSERT_HEAD(&members, m, in_members);
  // The thread may have ended as soon as the lock is free.
  if (!rch_the_engine.enqueue(&m->turn)) begin_now(&m->turn);
  pthread_mutex_unlock(&rch_lock);
  return 0;
}

/// Whether a thread has not ended yet; under the lock.
static bool is_alive(pthread_t thread) {
  const member *m;
  LIST_FOREACH(m, &members, in_members) if (pthread_equal(m->thread, thread)) break;
  return m;
}

/// Joins a thread whose function has ended, if it is gone soon: on a busy machine that may take
/// longer than a look of the watch. The baton is kept meanwhile, so that time stands. Returns
/// `EBUSY` if it is not.
static int join_ended(pthread_t thread, void **result) {
  int error, looks = 0;
  cvt_baton_keep();
  do error = pthread_tryjoin_np(thread, result);
  while (error == EBUSY && rch_rests(looks++));
  cvt_baton_release();
  return error;
}

OVERRIDE int pthread_join(pthread_t thread, void **result) {
  uint32_t scope = rch_may_wait();
  if (!scope || pthread_equal(thread, pthread_self())) return real_pthread_join()(thread, result);
  pthread_mutex_lock(&rch_lock);
  if (is_alive(thread))
    rch_wait(scope, (const void *)thread, rch_never);
  else
    pthread_mutex_unlock(&rch_lock);
  rch_die_if_dead();
  int error = join_ended(thread, result);
  // What follows the thread's function waits for something else.
  if (error == EBUSY) error = real_pthread_join()(thread, result);
  if (error == 0) was_joined(thread);
  return error;
}

#endif
