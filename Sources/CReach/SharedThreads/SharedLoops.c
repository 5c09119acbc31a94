#if defined(__linux__)

#include "Timers/TimerFiles.h"
#include "SharedThreads/SharedThreads.h"

// The event loops that SwiftNIO shares in a process. A loop is called through a file that is always
// ready.
//
// The loops of `MultiThreadedEventLoopGroup.singleton` are made in a once-only initialiser and
// belong to no scope. With `takesSharedEventLoops`, a scope takes them (`SharedLoops.c`): a file
// that is always ready is put among the files of each, so that the thread leaves the kernel; it
// joins the scope as a thread that begins, and leaves it when it has ended. Until each has joined,
// a hold is open. All timers of such a loop fire once, because it believes them to be set, in
// another time. The threads are known by the name that SwiftNIO gives them. If the scope is given
// up, a thread that waits for work leaves it as well. A thread that is inside code of the scope is
// lost: later scopes do not wait for it, and warn.

static int call_file(void) {
  static int file = -1;
  if (file < 0) {
    cvt_thread_exempt(+1);
    file = eventfd(1, EFD_CLOEXEC);
    cvt_thread_exempt(-1);
  }
  return file;
}

void rch_call_loop(rch_shared_thread *loop) {
  if (loop->epoll < 0) return;
  struct epoll_event event = {EPOLLIN, {.u64 = rch_call_to_loop}};
  loop->is_called = epoll_ctl(loop->epoll, EPOLL_CTL_ADD, call_file(), &event) == 0;
}

void rch_end_call_to_loop(rch_shared_thread *loop) {
  if (loop->is_called && loop->kind == rch_of_loop)
    epoll_ctl(loop->epoll, EPOLL_CTL_DEL, call_file(), 0);
  loop->is_called = false;
}

uint32_t rch_lend_loop(int epoll) {
  rch_shared_thread *loop = rch_shared_here(rch_of_loop);
  if (!loop) return 0;
  // The scope may have ended while the thread did not wait.
  rch_leave_taker(loop);
  // If a scope takes the loops from now on, it calls this one.
  if (loop->epoll == epoll && rch_taker() == 0) return 0;
  pthread_mutex_lock(&rch_lock);
  loop->epoll = epoll;
  uint32_t scope = rch_join_taker(loop, 0);
  // The loop believes its timers to be set, in another time.
  if (scope) rch_ring_timers(cvt_thread_id());
  return scope;
}

rch_shared_thread *rch_loop_in_scope(int epoll) {
  rch_shared_thread *loop = rch_shared_here(rch_of_loop);
  return loop && loop->stay && loop->epoll == epoll ? loop : 0;
}

#endif
