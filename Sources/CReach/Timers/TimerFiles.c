#if defined(__linux__)

#include "Timers/TimerFiles.h"
#include "Core/RealWaits.h"

// Timers that are files. In a scope the deadline of such a timer is in the scope's timer queue.
// When it has come, the real timer is set to fire at once, so that the file can be read.

/// A file that is a timer. Files have the same number again and again, so its memory is kept.
typedef struct timer_file {
  rch_entry alarm;
  struct timer_file *next;
  int file;
  clockid_t clock;
  /// The thread that has made it.
  int32_t thread;
  /// Its number in the scope's timer queue, or 0.
  uint64_t timer;
  int64_t deadline, interval;
  /// Whether the real timer is not known to be unset.
  bool may_be_set;
  /// Whether another one stands for the file by now. It is freed when its alarm has rung, or never
  /// will.
  bool is_replaced;
} timer_file;

enum { slots = 256 };
static timer_file *files[slots];
/// How many are in timer queues.
static _Atomic int armed;

/// The timer of that number; under the lock.
static timer_file *find(int file) {
  timer_file *t = file < 0 ? 0 : files[file % slots];
  while (t && (t->file != file || t->is_replaced)) t = t->next;
  return t;
}

static int set_real(timer_file *t, int64_t nanoseconds) {
  const struct itimerspec value = {{0, 0}, {0, nanoseconds}};
  t->may_be_set = nanoseconds != 0;
  return real_timerfd_settime()(t->file, 0, &value, 0);
}

/// Lets the alarm of a timer ring unheard. Returns what stands for the file from now on.
static timer_file *replace(timer_file *t) {
  timer_file **slot = &files[t->file % slots], *copy = NEW(timer_file);
  *copy = *t;
  copy->timer = 0;
  copy->next = *slot;
  *slot = copy;
  t->is_replaced = true;
  return copy;
}

static void remove_replaced(timer_file *t) {
  timer_file **link = &files[t->file % slots];
  while (*link != t) link = &(*link)->next;
  *link = t->next;
  free(t);
}

/// Returns what stands for the file from now on: another one if the alarm has left the queue and is
/// about to ring, and null if the timer was replaced before.
static timer_file *disarm(timer_file *t) {
  if (!t->timer) return t;
  if (!rch_the_engine.disarm(t->alarm.scope, t->timer)) return t->is_replaced ? t : replace(t);
  t->timer = 0;
  atomic_fetch_sub(&armed, 1);
  if (!t->is_replaced) return t;
  remove_replaced(t);
  return 0;
}

static void arm(timer_file *t) {
  t->timer = rch_the_engine.arm(&t->alarm, t->deadline, false);
  if (t->timer) atomic_fetch_add(&armed, 1);
}

/// Takes note that the alarm has left the timer queue; returns its timer, or null if it is not
/// wanted any more.
static timer_file *ring(rch_entry *alarm) {
  timer_file *t = (timer_file *)alarm;
  t->timer = 0;
  atomic_fetch_sub(&armed, 1);
  if (!t->is_replaced) return t;
  remove_replaced(t);
  return 0;
}

static void time_has_come(rch_entry *alarm) {
  pthread_mutex_lock(&rch_lock);
  timer_file *t = ring(alarm);
  if (!t) {
    pthread_mutex_unlock(&rch_lock);
    return;
  }
  if (t->interval && !__builtin_add_overflow(t->deadline, t->interval, &t->deadline)) arm(t);
  // The file may have been closed.
  bool is_set = set_real(t, 1) == 0;
  struct pollfd file = {t->file, POLLIN, 0};
  pthread_mutex_unlock(&rch_lock);
  // The kernel may take a moment.
  if (is_set) real_poll()(&file, 1, 1000);
}

/// The scope has ended: whoever waits for the file looks at the clock again.
static void drop(rch_entry *alarm) {
  pthread_mutex_lock(&rch_lock);
  timer_file *t = ring(alarm);
  if (t) set_real(t, 1);
  pthread_mutex_unlock(&rch_lock);
}

void rch_ring_timers(int32_t thread) {
  pthread_mutex_lock(&rch_lock);
  for (int i = 0; i < slots; i++)
    for (timer_file *t = files[i]; t; t = t->next) {
      struct pollfd file = {t->file, POLLIN, 0};
      if (t->thread == thread && !t->timer && set_real(t, 1) == 0) real_poll()(&file, 1, 1000);
    }
  pthread_mutex_unlock(&rch_lock);
}

static void end_timers_of_life(uint32_t scope, uint16_t life) {
  pthread_mutex_lock(&rch_lock);
  for (int i = 0; i < slots; i++)
    for (timer_file *t = files[i], *next; t; t = next) {
      next = t->next;
      if (t->alarm.scope == scope && t->alarm.life == life) disarm(t);
    }
  pthread_mutex_unlock(&rch_lock);
}

ADD(at_crash[rch_ends_timers], end_timers_of_life)

/// The rest of a timer that is in a timer queue.
static struct itimerspec rest_of(const timer_file *t) {
  int64_t rest = t->deadline - rch_now(t->alarm.scope);
  return (struct itimerspec){rch_timespec(t->interval), rch_timespec(rest > 0 ? rest : 1)};
}

OVERRIDE int timerfd_create(int clock, int flags) {
  int file = real_timerfd_create()(clock, flags);
  if (file < 0) return file;
  rch_note_file(file, __builtin_return_address(0));
  // libdispatch serves all scopes.
  bool is_ours = !rch_is_of_libdispatch(__builtin_return_address(0));
  pthread_mutex_lock(&rch_lock);
  timer_file *t = find(file);
  if (t) {
    // The former file was closed. Its alarm rings still: whether its number is given again soon
    // depends on what else the process does, and nothing of a scope must.
    if (t->timer) t = replace(t);
    if (!is_ours) t->file = -1;
  } else if (is_ours) {
    files[file % slots] = t = NEW(timer_file, .file = file, .next = files[file % slots]);
  }
  if (t) {
    t->clock = clock;
    t->thread = cvt_thread_id();
    t->may_be_set = false;
  }
  pthread_mutex_unlock(&rch_lock);
  return file;
}

static clockid_t clock_of(const timer_file *t) {
  return t->clock == CLOCK_REALTIME_ALARM   ? CLOCK_REALTIME
         : t->clock == CLOCK_BOOTTIME_ALARM ? CLOCK_BOOTTIME
                                            : t->clock;
}

/// When a timer is to fire at first.
static int64_t deadline_of(const timer_file *t, int flags, const struct timespec *value) {
  uint32_t scope = t->alarm.scope;
  int64_t duration = rch_nanoseconds(value), now = rch_now(scope);
  if (!(flags & TFD_TIMER_ABSTIME)) return rch_deadline_after(scope, duration);
  int64_t deadline = rch_when(scope, clock_of(t), duration);
  return deadline > now ? deadline : now;
}

OVERRIDE int timerfd_settime(
    int file, int flags, const struct itimerspec *value, struct itimerspec *old) {
  uint32_t scope = rch_scope_here();
  bool is_real = !scope && rch_waits_really();
  if (is_real) rch_begin_real_timer();
  bool is_moved = is_real && flags & TFD_TIMER_ABSTIME && value && rch_is_valid(&value->it_value) &&
                  !rch_is_of_libdispatch(__builtin_return_address(0));
  if (!scope && !is_moved && atomic_load_explicit(&armed, memory_order_relaxed) == 0)
    return real_timerfd_settime()(file, flags, value, old);
  pthread_mutex_lock(&rch_lock);
  timer_file *t = find(file);
  struct itimerspec moved;
  if (is_moved && t && rch_nanoseconds(&value->it_value) > 0) {
    int64_t end = rch_when(cvt_current_scope(), clock_of(t), rch_nanoseconds(&value->it_value));
    int64_t time = rch_real_time_in(clock_of(t), rch_rest_until(end));
    moved = (struct itimerspec){value->it_interval, rch_timespec(time)};
    value = &moved;
  }
  bool is_ours = scope && t && value && rch_is_valid(&value->it_value) &&
                 rch_is_valid(&value->it_interval);
  int result = 0;
  struct itimerspec rest = {{0, 0}, {0, 0}};
  bool was_armed = t && t->timer;
  if (was_armed) {
    rest = rest_of(t);
    t = disarm(t);
  }
  if (!is_ours) {
    if (t) t->may_be_set = true;
    result = real_timerfd_settime()(file, flags, value, was_armed ? 0 : old);
  } else {
    // This also takes back what can be read.
    if (t->may_be_set) {
      if (!was_armed) real_timerfd_gettime()(file, &rest);
      result = set_real(t, 0);
    }
    if (result == 0 && rch_nanoseconds(&value->it_value) > 0) {
      uint16_t life = rch_life_of(__builtin_return_address(0));
      t->alarm = (rch_entry){time_has_come, drop, rch_anywhere, scope, .life = life};
      t->interval = rch_nanoseconds(&value->it_interval);
      t->deadline = deadline_of(t, flags, &value->it_value);
      if (t->deadline != rch_never) arm(t);
    }
  }
  if (old && (is_ours || was_armed)) *old = rest;
  pthread_mutex_unlock(&rch_lock);
  return result;
}

OVERRIDE int timerfd_gettime(int file, struct itimerspec *value) {
  if (atomic_load_explicit(&armed, memory_order_relaxed) == 0)
    return real_timerfd_gettime()(file, value);
  pthread_mutex_lock(&rch_lock);
  const timer_file *t = find(file);
  bool is_armed = t && t->timer && value;
  if (is_armed) *value = rest_of(t);
  pthread_mutex_unlock(&rch_lock);
  return is_armed ? 0 : real_timerfd_gettime()(file, value);
}

#endif
