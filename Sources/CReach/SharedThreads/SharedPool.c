#if defined(__linux__)

#include "SharedThreads/SharedThreads.h"

// The threads of the pool that SwiftNIO shares in a process, `NIOThreadPool.singleton`. All wait
// for work with one condition. A scope that takes them wakes those that wait: a condition may wake
// without a reason. Each of them joins the scope before it looks for work again, and so do those
// that have had work outside meanwhile.
//
// A thread that begins in the scope holds time until it has joined.

/// The first ones with which a thread of the pool has waited.
static _Atomic(pthread_cond_t *) condition_of_pool;
static _Atomic(pthread_mutex_t *) mutex_of_pool;

rch_shared_thread *rch_waits_for_work(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  rch_shared_thread *me = rch_shared_here(rch_of_pool);
  if (!me) return 0;
  pthread_cond_t *none = 0;
  if (atomic_compare_exchange_strong(&condition_of_pool, &none, condition))
    atomic_store(&mutex_of_pool, mutex);
  return condition == atomic_load(&condition_of_pool) ? me : 0;
}

int rch_wait_for_work(rch_shared_thread *me, pthread_cond_t *condition, pthread_mutex_t *mutex) {
  rch_leave_taker(me);
  pthread_mutex_lock(&rch_lock);
  int result = 0;
  if (!rch_taker()) {
    me->is_idle = true;
    pthread_mutex_unlock(&rch_lock);
    result = real_pthread_cond_wait()(condition, mutex);
    pthread_mutex_lock(&rch_lock);
  }
  rch_join_taker(me, mutex);
  return result;
}

void rch_end_wait_for_work(rch_shared_thread *me, pthread_mutex_t *mutex) {
  rch_leave_taker(me);
  pthread_mutex_lock(&rch_lock);
  rch_join_taker(me, mutex);
}

void rch_call_pool(void) {
  pthread_cond_t *condition = atomic_load(&condition_of_pool);
  pthread_mutex_t *mutex = atomic_load(&mutex_of_pool);
  if (!mutex) return;
  // Whoever was about to wait does so by now.
  pthread_mutex_lock(mutex);
  real_pthread_cond_broadcast()(condition);
  pthread_mutex_unlock(mutex);
}

void rch_looks_for_work(pthread_mutex_t *mutex, bool has_locked) {
  rch_shared_thread *me = rch_shared_here(rch_of_pool);
  if (!me || !rch_taker()) return;
  // It may be there already.
  if (me->stay && rch_is_reached(me->turn.scope)) return;
  const pthread_mutex_t *known = atomic_load(&mutex_of_pool);
  if (mutex && known && mutex != known) return;
  pthread_mutex_lock(&rch_lock);
  // Until a thread of the pool has waited for work, nobody knows the mutex of the pool.
  bool is_new = me->is_called && !known && !me->turn.run;
  bool joins = mutex ? is_new || mutex == known : me->is_awaited;
  pthread_mutex_unlock(&rch_lock);
  if (!joins) return;
  rch_leave_taker(me);
  pthread_mutex_lock(&rch_lock);
  rch_join_taker(me, has_locked ? mutex : 0);
}

void rch_uses_pool(const pthread_cond_t *condition) {
  if (condition != atomic_load(&condition_of_pool)) return;
  uint32_t scope = rch_scope_here();
  if (scope && scope != rch_taker()) rch_notify(scope, rch_the_engine.meets_shared_pool);
}

#endif
