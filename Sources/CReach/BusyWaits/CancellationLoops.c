#if defined(__linux__)

#include "Core/Override.h"

// Loops that ask whether a task is cancelled, or yield their thread, and never wait: in real time,
// another thread ends them.
//
// A job looks each time that it has asked `cvt_asks_of_look` times. From the second look on it
// gives the baton up. The first looks only let ready jobs run, since the job may compute something,
// which takes no time. After `looks_of_busy_wait` of them it counts as waiting, unless nothing else
// of the scope can happen: time moves, and the job goes on each time that something else has run. A
// job that reads clocks between its looks waits for them (BusyWaits.c).

enum { looks_of_busy_wait = 32, asks_while_waiting = 1 << 10 };
/// The number of questions that one yield counts as, since code that computes does not yield.
enum { asks_of_yield = 1 << 12 };

/// How many readings of clocks were left at the last look.
static __thread uint32_t reads_left;

/// How many tasks of each scope have been cancelled, by its place in the engine's tables.
static _Atomic uint32_t cancellations[cvt_max_scopes];

static uint32_t cancellations_here(void) {
  return atomic_load(&cancellations[cvt_this_thread.number % cvt_max_scopes]);
}

/// The count of cancellations before the last answer. If it is another one when the thread is known
/// to wait, the answer may be out of date.
static __thread struct {
  uint32_t count;
  /// Whether the next question counts anew, and whether there was one since the job looked first.
  bool is_old, is_known;
  /// How often the loop may still go on at once. Not for ever, if it asks no more.
  uint8_t wakes_left;
} answer;

/// A question is about to be answered for the first time since the last look.
static __attribute__((noinline)) void note_answer(void) {
  answer.count = cancellations_here();
  answer.is_old = false;
  answer.is_known = true;
  answer.wakes_left = 64;
}

/// Waits until more has run in the scope, unless a task was cancelled since the last answer.
static void wait_until(uint32_t scope, int64_t deadline) {
  int64_t seen = rch_work_done(scope);
  if (answer.is_known && answer.wakes_left > 0 && answer.count != cancellations_here()) {
    answer.wakes_left--;
    seen--;
  }
  rch_wait_busily(scope, seen, deadline);
  answer.is_old = true;
}

static __attribute__((noinline)) void ask_often(void) {
  cvt_busy_wait *this = &cvt_this_busy_wait;
  cvt_rest_if_lost();
  this->asks_left = cvt_asks_of_look;
  // A job that reads clocks as well waits for them.
  if (rch_needs_baton() || this->kind != cvt_is_not_busy) return;
  uint32_t scope = rch_may_wait();
  if (!scope) return;
  if (++this->looks == 1) {
    answer.is_old = true;
    answer.is_known = false;
    return;
  }
  bool is_waiting = this->looks >= looks_of_busy_wait;
  if (this->reads_left != reads_left) {
    if (is_waiting) this->asks_left = cvt_asks_of_look << 6;
    is_waiting = false;
  }
  if (is_waiting) {
    this->asks_left = asks_while_waiting;
    if (rch_the_engine.is_alone(scope)) {
      if (!rch_is_busy(scope)) return;
      // Another loop may wait for what this job has done.
      rch_count_stretch(scope);
      is_waiting = false;
    }
  }
  wait_until(scope, is_waiting ? rch_never : rch_now(scope));
  reads_left = this->reads_left;
}

static inline void ask(uint32_t count) {
  uint32_t *left = &cvt_this_busy_wait.asks_left;
  if (__builtin_expect(*left <= count, false)) ask_often(); else *left -= count;
}

/// A question is asked, and answered next.
static inline void ask_once(void) {
  ask(1);
  if (__builtin_expect(answer.is_old, false)) note_answer();
}

OVERRIDE int sched_yield(void) {
  // No other thread of the scope may run. Only a thread outside can be meant, and on a busy machine
  // each yield takes milliseconds.
  enum { yields_of_real_one = 1024 };
  static __thread unsigned yields;
  ask(asks_of_yield);
  if (rch_may_wait() && ++yields % yields_of_real_one != 0) return 0;
  return real_sched_yield()();
}

void rch_task_cancelled(uint32_t scope) {
  atomic_fetch_add(&cancellations[scope % cvt_max_scopes], 1);
  rch_count_stretch(scope);
  // A loop that is about to wait sees this work, or is seen here.
  atomic_thread_fence(memory_order_seq_cst);
  if (rch_any_is_busy()) rch_the_engine.look(scope);
}

// MARK: What tells whether a task is cancelled

#define ASKED(name)                                                                   \
  OVERRIDE SWIFT_CALL bool name(void *a, void *b, void *c, SWIFT_SELF void *self) {   \
    ask_once();                                                                       \
    return real_##name()(a, b, c, self);                                              \
  }

ASKED($sScTss5NeverORszABRs_rlE11isCancelledSbvgZ)
ASKED($sScT11isCancelledSbvg)
ASKED(swift_task_isCancelled)
ASKED($sSct11isCancelledSbvg)

OVERRIDE SWIFT_CALL void $sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ(
    SWIFT_SELF void *self, __attribute__((swift_error_result)) void **error) {
  ask_once();
  real_$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ()(self, error);
}

#endif
