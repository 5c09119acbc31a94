#if defined(__linux__)

#include "Files/Files.h"
#include "Core/RealWaits.h"
#include "SharedThreads/SharedThreads.h"

// Threads, such as event loops, and sources wait for files in the time of their scope. They do not
// wait in the kernel: then the kernel would decide when they go on. Before time moves, and before
// the scope waits for other threads, its drainer asks the kernel which of these files are ready.
//
// The file waits of a scope are in the order in which its threads were made. An epoll file is asked
// like any other. What is sent over a pipe or over the loopback interface can be seen at the other
// end at once. Files are asked as well after each 64 jobs. While the scope waits for other threads,
// one thread of the process watches the files of all such scopes, and wakes the scope whose file is
// ready. A thread whose wait is over at once keeps the baton, up to 63 times in a row in its scope.

typedef rch_file_wait file_wait;

/// The file waits of each scope, by its place in the engine's tables. First come its event loops
/// and the threads that its code has made, in the order in which they were made. Next come threads
/// that serve all scopes, in the order in which they wait, and last the sources.
static struct waits {
  TAILQ_HEAD(file_waits, rch_file_wait) all;
  /// The number of waits of the newest scope that has had this place, and that scope. A thread of a
  /// scope that was given up waits for ever.
  _Atomic int count;
  _Atomic uint32_t scope;
  /// How many packets had been sent when the scope last found that all of them had arrived.
  _Atomic int64_t arrived;
  /// How many looks at files in a row did not wait, and in which scope that was. It is not counted
  /// for each thread, since threads serve one scope after the other. Only for who has the baton.
  unsigned quick_looks;
  uint32_t looked_in;
} waits[cvt_max_scopes];

static struct waits *of_scope(uint32_t scope) { return &waits[scope % cvt_max_scopes]; }

bool rch_waits_for_files(uint32_t scope) {
  struct waits *waits = of_scope(scope);
  return atomic_load_explicit(&waits->count, memory_order_relaxed) > 0 &&
         atomic_load_explicit(&waits->scope, memory_order_relaxed) == scope;
}

/// Counts a wait that begins or ends, if it is of the newest scope; under the lock.
static void count_wait(struct waits *waits, uint32_t scope, int change) {
  if (scope > waits->scope) {
    waits->count = 0;
    waits->scope = scope;
  }
  if (scope == waits->scope) waits->count += change;
}

void rch_begin_file_wait(file_wait *w) {
  struct waits *waits = of_scope(w->scope);
  if (!waits->all.tqh_last) TAILQ_INIT(&waits->all);
  file_wait *before = TAILQ_LAST(&waits->all, file_waits);
  while (before && before->order > w->order) before = TAILQ_PREV(before, file_waits, in_waits);
  cvt_add(cvt_file_waits, +1);
  count_wait(waits, w->scope, +1);
  if (before)
    TAILQ_INSERT_AFTER(&waits->all, before, w, in_waits);
  else
    TAILQ_INSERT_HEAD(&waits->all, w, in_waits);
}

void rch_end_file_wait(file_wait *w) {
  struct waits *waits = of_scope(w->scope);
  cvt_add(cvt_file_waits, -1);
  count_wait(waits, w->scope, -1);
  TAILQ_REMOVE(&waits->all, w, in_waits);
}

void rch_move_file_wait(file_wait *w, int64_t order) {
  rch_end_file_wait(w);
  w->order = order;
  rch_begin_file_wait(w);
}

file_wait *rch_next_file_wait(uint32_t scope, file_wait *w) {
  w = w ? TAILQ_NEXT(w, in_waits) : TAILQ_FIRST(&of_scope(scope)->all);
  // A scope that has ended may have had the same place.
  while (w && w->scope != scope) w = TAILQ_NEXT(w, in_waits);
  return w;
}

static bool rests(const file_wait *w) { return w->rests && w->rests_at == rch_time_of(w->scope); }

/// The next wait that is to be asked; under the lock.
static file_wait *next_of(uint32_t scope, file_wait *w) {
  do w = rch_next_file_wait(scope, w);
  while (w && (w->is_over || rests(w)));
  return w;
}

static file_wait *first_of(uint32_t scope) { return next_of(scope, 0); }

// MARK: Asking the kernel

/// The files of all threads of a scope; under the lock. Valid until the next call.
static struct pollfd *all_files(uint32_t scope, nfds_t *count) {
  static struct pollfd *files;
  static nfds_t capacity;
  *count = 0;
  for (file_wait *w = first_of(scope); w; w = next_of(scope, w))
    for (nfds_t i = 0; i < w->files.count; i++) {
      if (*count == capacity) {
        capacity = capacity ? 2 * capacity : 16;
        files = realloc(files, capacity * sizeof *files);
        if (!files) abort();
      }
      files[(*count)++] = w->files.files[i];
    }
  return files;
}

/// Whether the wait for a file is over.
static bool is_over(const file_wait *w, const struct pollfd *file) {
  if (!w->files.is_select) return file->revents != 0;
  int states = POLLNVAL;
  if (file->events & POLLIN) states |= POLLIN | POLLHUP | POLLERR;
  if (file->events & POLLOUT) states |= POLLOUT | POLLERR;
  if (file->events & POLLPRI) states |= POLLPRI;
  return (file->revents & states) != 0;
}

/// Asks the kernel once; under the lock. Returns whether to ask again.
static bool ask(uint32_t scope) {
  nfds_t count;
  bool again = false;
  struct pollfd *file = all_files(scope, &count);
  int ready = 0;
  while (count && (ready = real_poll()(file, count, 0)) < 0 && errno == EINTR) {
  }
  if (ready > 0) {
    for (file_wait *w = first_of(scope), *next; w; w = next) {
      next = next_of(scope, w);
      const struct pollfd *answers = file;
      bool is_ready = false;
      for (nfds_t i = 0; i < w->files.count; i++) is_ready |= is_over(w, file++);
      if (is_ready) again |= w->become_ready(w, answers);
    }
  }
  return again;
}

void rch_poll_files(uint32_t scope) {
  if (!rch_waits_for_files(scope) && !rch_any_is_busy()) return;
  pthread_mutex_lock(&rch_lock);
  rch_wake_busy_threads(scope);
  while (ask(scope)) {
  }
  pthread_mutex_unlock(&rch_lock);
}

bool rch_await_delivery(uint32_t scope) {
  if (!rch_waits_for_files(scope)) return false;
  return rch_await_packets(&of_scope(scope)->arrived);
}

// MARK: While the scope waits for other threads

/// Waits in the kernel for the files of scopes that wait for other threads.
static int watcher = -1;

static void *watch(void *context) {
  struct epoll_event events[64];
  for (;;) {
    int count = real_epoll_wait()(watcher, events, 64, -1);
    for (int i = 0; i < count; i++) rch_the_engine.look(events[i].data.u32);
  }
  return context;
}

/// Starts the thread that watches; under the lock. Returns whether there is one.
static bool start_watching(void) {
  if (watcher >= 0) return true;
  watcher = real_epoll_create1()(EPOLL_CLOEXEC);
  pthread_t thread;
  if (watcher < 0 || real_pthread_create()(&thread, 0, watch, 0)) return false;
  pthread_detach(thread);
  return true;
}

static int by_number(const void *a, const void *b) {
  return ((const struct pollfd *)a)->fd - ((const struct pollfd *)b)->fd;
}

void rch_watch_files(uint32_t scope) {
  // A thread outside that has cancelled a task found the scope at work, after the last look.
  if (rch_has_news_for_busy(scope)) return rch_the_engine.look(scope);
  if (!rch_waits_for_files(scope)) return;
  pthread_mutex_lock(&rch_lock);
  nfds_t count;
  struct pollfd *files = all_files(scope, &count);
  if (count && start_watching()) {
    qsort(files, count, sizeof *files, by_number);
    for (nfds_t i = 0; i < count; i++) {
      // The kernel knows a file once, and several may wait for it.
      struct epoll_event event = {(uint32_t)files[i].events | EPOLLONESHOT, {.u32 = scope}};
      for (; i + 1 < count && files[i + 1].fd == files[i].fd; i++)
        event.events |= (uint32_t)files[i + 1].events;
      int fd = files[i].fd;
      if (epoll_ctl(watcher, EPOLL_CTL_MOD, fd, &event) && errno == ENOENT)
        epoll_ctl(watcher, EPOLL_CTL_ADD, fd, &event);
    }
  }
  pthread_mutex_unlock(&rch_lock);
}

// MARK: Waiting

bool rch_keeps_turn(uint32_t scope) {
  struct waits *waits = of_scope(scope);
  if (waits->looked_in != scope) waits->quick_looks = 0;
  waits->looked_in = scope;
  return ++waits->quick_looks % 64 != 0;
}

static bool wake_thread(file_wait *w, const struct pollfd *answers) {
  (void)answers;
  w->is_over = true;
  rch_wake(w);
  return false;
}

/// The place of this thread among the waiting threads; under the lock.
static int64_t order_here(void) {
  static int64_t others = rch_order_of_others;
  const rch_shared_thread *loop = rch_shared_here(rch_of_loop);
  if (loop) return loop->place ? loop->place : rch_order_of_unused_loops + loop->number;
  return rch_member_number ? rch_order_of_members + rch_member_number : ++others;
}

rch_outcome rch_wait_for_files(uint32_t scope, rch_files files, int64_t deadline) {
  of_scope(scope)->quick_looks = 0;
  pthread_mutex_lock(&rch_lock);
  file_wait w = {
      .scope = scope,
      .order = order_here(),
      .files = files,
      .become_ready = wake_thread,
  };
  rch_begin_file_wait(&w);
  rch_outcome outcome = rch_wait(scope, &w, deadline);
  UNDER_LOCK(rch_end_file_wait(&w));
  rch_die_if_dead();
  return outcome;
}

/// Takes a call out of the events; returns whether there was one.
static bool take_call(struct epoll_event *events, int *count) {
  for (int i = 0; i < *count; i++)
    if (events[i].data.u64 == rch_call_to_loop) {
      events[i] = events[--*count];
      return true;
    }
  return false;
}

/// The same outside of scopes; a loop that is called to a scope waits there instead, or goes on
/// there with what it has to do.
static int wait_outside(
    int epoll, struct epoll_event *events, int count, int timeout, const sigset_t *signals) {
  if (rch_lend_loop(epoll))
    return epoll_pwait(epoll, events, count, timeout, signals);
  int ready = real_epoll_pwait()(epoll, events, count, timeout, signals);
  if (!take_call(events, &ready)) return ready;
  // Work of the scope may have come with the call.
  rch_lend_loop(epoll);
  return ready > 0 || timeout == 0 ? ready : epoll_pwait(epoll, events, count, timeout, signals);
}

OVERRIDE int epoll_pwait(
    int epoll, struct epoll_event *events, int count, int timeout, const sigset_t *signals) {
  uint32_t scope = rch_may_wait();
  if (!scope)
    return WAIT_FOR_FILES(
        rch_limit_in(timeout), wait_outside(epoll, events, count, timeout, signals));
  const struct pollfd file = {epoll, POLLIN, 0};
  int64_t deadline = rch_deadline_after(scope, rch_limit_in(timeout));
  int ready = real_epoll_pwait()(epoll, events, count, 0, signals);
  if (ready < 0 || ((ready > 0 || timeout == 0) && rch_keeps_turn(scope))) return ready;
  rch_shared_thread *loop = rch_loop_in_scope(epoll);
  for (;;) {
    if (loop) rch_set_idle(loop, true);
    // An event loop without timers. Reports do not show it.
    cvt_this_thread.awaits_work = timeout < 0 && !cvt_current_task();
    rch_outcome outcome = rch_wait_for_files(scope, (rch_files){&file, 1, false}, deadline);
    cvt_this_thread.awaits_work = false;
    if (loop && !rch_end_idling(loop)) outcome = rch_ended;
    if (outcome == rch_ended) {
      // A wait that the end of the scope has ended goes on in real time, if it has no timeout.
      return wait_outside(epoll, events, count, timeout < 0 ? -1 : 0, signals);
    }
    ready = real_epoll_pwait()(epoll, events, count, 0, signals);
    // Another thread may have been quicker.
    if (ready != 0 || outcome != rch_woken) return ready;
  }
}

OVERRIDE int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout) {
  return epoll_pwait(epoll, events, count, timeout, 0);
}

#endif
