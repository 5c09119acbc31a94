#pragma once

// Threads that serve the process and belong to no scope: those that run the event loops that
// SwiftNIO shares, and those of the thread pool that it shares. One scope at a time may have them
// (SharedThreads.c).

#include "Core/Override.h"

typedef enum { rch_of_loop, rch_of_pool } rch_shared_kind;

typedef struct rch_shared_thread rch_shared_thread;
struct rch_shared_thread {
  /// With it the thread joins a scope. The scope is 0 after it has left.
  rch_entry turn;
  rch_shared_thread *next;
  rch_shared_kind kind;
  /// Its number among those of its kind.
  int64_t number;
  /// The files with which the thread of a loop waits for work, and with which others wake it; or
  /// -1.
  int epoll, event;
  /// Its place among the loops that the taker has used, from 1 on, or 0.
  int64_t place;
  /// Whether the taker waits for it, and has called it; whether it has come, and waits for the
  /// others.
  bool is_awaited, is_called, has_come;
  /// Whether it waits for work, and runs nobody's code. Kept outside of scopes for threads of the
  /// pool only.
  bool is_idle;
  sem_t go;
  bool is_late;
  /// The scope that it has joined, which the engine gets back at the end; or null.
  void *stay;
};

// MARK: All of them

/// This thread, if it is shared and of that kind, or null.
rch_shared_thread *rch_shared_here(rch_shared_kind kind);
/// The scope that has taken the shared threads, or 0.
uint32_t rch_taker(void);
/// This thread, which is idle outside of scopes, joins the scope that has taken the shared threads,
/// and has its baton. Called with the lock, which it unlocks, and with a mutex that others need
/// meanwhile, or null. Returns the scope, or 0.
uint32_t rch_join_taker(rch_shared_thread *me, pthread_mutex_t *mutex);
/// The scope has ended: this thread leaves it.
void rch_leave_taker(rch_shared_thread *me);
/// This thread begins, or ends, to wait for work in a scope. `rch_end_idling` returns false if the
/// scope has ended.
void rch_set_idle(rch_shared_thread *me, bool is_idle);
bool rch_end_idling(rch_shared_thread *me);

// MARK: Those of loops (SharedLoops.c)

/// Code of the scope that has taken the loops wakes the one with this event file; under the lock.
/// Returns the loop if the scope has not used it before, or null.
rch_shared_thread *rch_use_loop(int event);

/// `epoll_wait` gives this to a loop that a scope has called.
static const uint64_t rch_call_to_loop = UINT64_C(0xe5ca9e3e27c0ffee);

/// Makes the thread leave `epoll_wait`, if it is there; under the lock. Or does not any more.
void rch_call_loop(rch_shared_thread *loop);
void rch_end_call_to_loop(rch_shared_thread *loop);
/// This thread is about to wait in `epoll_wait`, outside of scopes. If it runs a shared loop, it
/// joins the scope that has taken these. Returns the scope, or 0.
uint32_t rch_lend_loop(int epoll);
/// This thread, if it is in a scope and runs the shared loop that waits for work with this file, or
/// null.
rch_shared_thread *rch_loop_in_scope(int epoll);

// MARK: Those of the pool (SharedPool.c)

/// This thread, if it is one of the pool and waits for work with this condition, or null.
rch_shared_thread *rch_waits_for_work(pthread_cond_t *condition, pthread_mutex_t *mutex);
/// Waits for work outside of scopes, or joins the scope that has taken the pool. May return without
/// a reason.
int rch_wait_for_work(rch_shared_thread *me, pthread_cond_t *condition, pthread_mutex_t *mutex);
/// The scope has ended in which this thread has waited for work. May join the next one.
void rch_end_wait_for_work(rch_shared_thread *me, pthread_mutex_t *mutex);
/// Wakes the threads for which the taker waits.
void rch_call_pool(void);
/// This thread is about to lock a mutex, or has just locked it, or, if that is null, has woken
/// those that wait for it to begin. If it is one of the pool and looks for work outside of scopes,
/// it joins the scope that has taken the pool.
void rch_looks_for_work(pthread_mutex_t *mutex, bool has_locked);
/// Code of a scope wakes those that wait for a condition: the engine is told if that is the pool of
/// others.
void rch_uses_pool(const pthread_cond_t *condition);
