#if defined(__linux__)

#include "Core/RealWaits.h"

// Threads that wait without a call that waits: they read a clock in a loop until some time has
// passed, or run a run loop again and again that has nothing to wait for.
//
// Such a thread is *busy* when it has read clocks `cvt_reads_of_busy_wait` times, or run an empty
// run loop `cvt_runs_of_busy_wait` times, and has neither waited nor begun another job meanwhile.
// From then on it gives the baton up at each reading, or run, in the same place of the code. It
// looks again when something else of the scope has run, and at steps of time of its own: what it
// waits for may be a time that nobody else knows.
//
// Only the count of its turns tells such a loop from code that computes. The counts are 2^21
// readings of clocks, which take about 0.1 s, and 64 runs; they are deterministic. The place of the
// code is the return addresses of the 12 innermost calls, read along the frame pointers; 64
// readings elsewhere end the busy wait. Work of a busy thread does not wake other busy threads, or
// two of them would keep time from moving for ever. If nothing else can happen until its next step,
// the thread moves time itself and keeps the baton (`pass_time`), 63 times in a row: a step then
// takes microseconds instead of tens of them.

/// A busy thread without the baton, on its own stack.
typedef struct busy_thread {
  TAILQ_ENTRY(busy_thread) next;
  uint32_t scope;
  /// The count of the scope's work when the thread looked last.
  int64_t seen;
} busy_thread;

static TAILQ_HEAD(, busy_thread) busy_threads = TAILQ_HEAD_INITIALIZER(busy_threads);
static _Atomic int busy_count;

/// The busy wait of this thread.
static __thread struct {
  /// The place of the code that waits.
  uint64_t place;
  /// How many readings in a row were elsewhere.
  unsigned elsewhere;
  /// When it began, and when the thread looks next if nothing happens.
  int64_t start, next;
  /// How often the thread has looked.
  unsigned looks;
} wait;

int64_t rch_work_done(uint32_t scope) {
  return cvt_read(cvt_jobs_of(scope)) + rch_stretches(scope);
}

bool rch_any_is_busy(void) {
  return atomic_load_explicit(&busy_count, memory_order_relaxed);
}

/// Whether a thread of the scope is busy, and more has run since it looked if `has_news` is asked.
static bool is_any(uint32_t scope, bool has_news) {
  if (!rch_any_is_busy()) return false;
  const busy_thread *t;
  pthread_mutex_lock(&rch_lock);
  TAILQ_FOREACH(t, &busy_threads, next)
    if (t->scope == scope && (!has_news || t->seen != rch_work_done(scope))) break;
  pthread_mutex_unlock(&rch_lock);
  return t;
}

bool rch_is_busy(uint32_t scope) { return is_any(scope, false); }

bool rch_has_news_for_busy(uint32_t scope) { return is_any(scope, true); }

void rch_wake_busy_threads(uint32_t scope) {
  busy_thread *t;
  TAILQ_FOREACH(t, &busy_threads, next) {
    if (t->scope != scope || t->seen == rch_work_done(scope)) continue;
    t->seen = rch_work_done(scope);
    rch_wake(t);
  }
}

// MARK: Steps

/// When a thread that has been busy since `start` looks next.
///
/// After each millisecond, and a microsecond later, since what it waits for may have been computed
/// with floating-point numbers. After 100 seconds a step is ten times as long, after 1,000 a
/// hundred times.
static int64_t next_look(int64_t start, int64_t now) {
  const int64_t microsecond = 1000;
  int64_t elapsed = now - start, step = 1000 * microsecond;
  for (int64_t limit = INT64_C(100000000000); elapsed >= limit && limit < rch_never / 10;
       limit *= 10)
    step *= 10;
  int64_t since_step = elapsed % step;
  if (elapsed >= step && since_step < microsecond) return now - since_step + microsecond;
  return now - since_step + step;
}

/// Under the lock.
static void count_busy(int change) {
  atomic_fetch_add(&busy_count, change);
  cvt_add(cvt_file_waits, change);
}

void rch_wait_busily(uint32_t scope, int64_t seen, int64_t deadline) {
  pthread_mutex_lock(&rch_lock);
  busy_thread t = {.scope = scope, .seen = seen};
  TAILQ_INSERT_TAIL(&busy_threads, &t, next);
  count_busy(+1);
  rch_outcome outcome = rch_wait_idly(scope, &t, deadline);
  pthread_mutex_lock(&rch_lock);
  TAILQ_REMOVE(&busy_threads, &t, next);
  count_busy(-1);
  pthread_mutex_unlock(&rch_lock);
  rch_die_if_dead();
  // Others that are busy may wait for what this one does now.
  if (outcome == rch_timed_out) rch_count_stretch(scope);
  if (outcome == rch_ended || outcome == rch_ended_and_needed) cvt_end_busy_wait();
}

/// Waits until something has happened, or until the next step.
static void look_later(uint32_t scope) {
  int64_t now = rch_now(scope);
  if (now >= wait.next) wait.next = next_look(wait.start, now);
  // Now and then the baton changes hands, so that the scope sees that the job goes on.
  if (++wait.looks % 64 != 0 && rch_the_engine.pass_time(scope, wait.next))
    return rch_count_stretch(scope);
  rch_wait_busily(scope, rch_work_done(scope), wait.next);
}

// MARK: Who is busy

bool rch_needs_baton(void) {
  return atomic_load_explicit(&cvt_this_baton.kept, memory_order_relaxed) > 0 ||
         rch_has_lock_of_package();
}

static void begin(uint32_t scope, uint64_t place, cvt_busy_kind kind) {
  cvt_this_busy_wait.kind = kind;
  wait.place = place;
  wait.elsewhere = 0;
  wait.start = wait.next = rch_now(scope);
  // It may have done something for others that are busy.
  rch_count_stretch(scope);
}

/// This thread has read clocks as often as it may, and its waits are real: its clocks go on with
/// the real one.
static void reads_really(cvt_busy_wait *this) {
  int64_t now = cvt_uptime();
  static __thread int64_t before;
  if (this->kind == cvt_waits_really) rch_move_clocks(now - before);
  before = now;
  this->kind = cvt_waits_really;
  this->reads_left = 1;
}

/// This thread has read clocks as often as it may.
static void reads_often(void) {
  cvt_busy_wait *this = &cvt_this_busy_wait;
  if (rch_needs_baton()) return cvt_end_busy_wait();
  uint32_t scope = rch_may_wait();
  if (!scope && rch_waits_really()) return reads_really(this);
  // Between runs of a run loop it reads clocks a few times only.
  if (!scope || this->kind == cvt_runs_loop || this->kind == cvt_waits_really)
    return cvt_end_busy_wait();
  uint64_t place = cvt_place_here();
  if (this->kind == cvt_is_not_busy) begin(scope, place, cvt_reads_clocks);
  this->reads_left = 1;
  if (place != wait.place) {
    if (++wait.elsewhere == 64) cvt_end_busy_wait();
    return;
  }
  wait.elsewhere = 0;
  look_later(scope);
}

__attribute__((constructor)) static void begin_to_watch(void) { cvt_set_reads_often(reads_often); }

/// Foundation asks this before it runs a run loop, and does not run it if there is nothing to wait
/// for.
OVERRIDE unsigned char _CFRunLoopFinished(void *loop, void *mode) {
  rch_give_alarm_of_method();
  cvt_busy_wait *this = &cvt_this_busy_wait;
  unsigned char is_empty = real__CFRunLoopFinished()(loop, mode);
  if (!is_empty || !rch_scope_here()) return is_empty;
  bool was_busy = this->kind == cvt_runs_loop;
  if (!was_busy && this->runs_left > 1) {
    this->runs_left--;
    return is_empty;
  }
  uint32_t scope = rch_needs_baton() ? 0 : rch_may_wait();
  if (!scope) return is_empty;
  uint64_t place = cvt_place_here();
  if (was_busy && place != wait.place) {
    cvt_end_busy_wait();
    return is_empty;
  }
  if (!was_busy) begin(scope, place, cvt_runs_loop);
  this->reads_left = 64;
  look_later(scope);
  // Another thread may have added something.
  return real__CFRunLoopFinished()(loop, mode);
}

#endif
