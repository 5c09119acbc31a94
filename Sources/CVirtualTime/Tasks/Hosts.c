#include "Core/Internal.h"

#include <pthread.h>
#include <stdlib.h>

// The life of a host is kept for each task in a table beside the records, whose memory the kernel
// provides where a network is used.

_Atomic int cvt_networks;
__thread uint16_t cvt_life_of_thread;

static _Atomic uint16_t *life_of(const void *task, bool create) {
  return cvt_task_life(cvt_task_id(task), create);
}

uint16_t cvt_life_of(const void *task) {
  if (!cvt_any_networks()) return 0;
  const _Atomic uint16_t *life = life_of(task, false);
  return life ? atomic_load_explicit(life, memory_order_relaxed) : 0;
}

uint16_t cvt_current_life(void) {
  if (!cvt_any_networks()) return 0;
  const void *task = cvt_current_task();
  return task ? cvt_life_of(task) : cvt_life_of_thread;
}

uint16_t cvt_set_current_life(uint16_t new) {
  const void *task = cvt_current_task();
  _Atomic uint16_t *life = task ? life_of(task, true) : 0;
  if (life) return atomic_exchange_explicit(life, new, memory_order_relaxed);
  uint16_t before = cvt_life_of_thread;
  if (!task) cvt_life_of_thread = new;
  return before;
}

void cvt_inherit_life(const void *task) {
  uint16_t life = cvt_current_life();
  _Atomic uint16_t *place = life ? life_of(task, true) : 0;
  if (place) atomic_store_explicit(place, life, memory_order_relaxed);
}

_Atomic int cvt_stopped_lives;

#if defined(__linux__)

// MARK: What is set for lives

enum { most_lives = 1 << 16 };

/// All 0 until something is set.
typedef struct {
  _Atomic uint8_t state;
  _Atomic int64_t ahead, since;
  _Atomic double drift;
  _Atomic bool is_suspended;
  /// How long it has been suspended, less the time at which the last suspension began, if it lasts.
  _Atomic int64_t suspended;
} life;

/// The lives of one scope. Its memory is never freed, since any thread may look; that of lives for
/// which nothing is set is not touched.
typedef struct table {
  _Atomic uint32_t scope;
  life lives[most_lives];
  struct table *next_free;
} table;

static _Atomic(table *) tables[cvt_max_scopes];
static table *free_tables;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/// How many lives have a wall clock of their own, and whether any has been suspended.
static _Atomic int skewed_lives;
static _Atomic bool any_suspended;

static life *find(uint32_t scope, uint16_t number) {
  table *t = atomic_load_explicit(&tables[scope % cvt_max_scopes], memory_order_acquire);
  return t && atomic_load(&t->scope) == scope ? &t->lives[number] : 0;
}

static life *find_or_make(uint32_t scope, uint16_t number) {
  _Atomic(table *) *place = &tables[scope % cvt_max_scopes];
  pthread_mutex_lock(&lock);
  table *t = atomic_load(place);
  if (!t && (t = free_tables)) free_tables = t->next_free;
  if (!t && !(t = calloc(1, sizeof *t))) abort();
  atomic_store(&t->scope, scope);
  atomic_store(place, t);
  pthread_mutex_unlock(&lock);
  return &t->lives[number];
}

void cvt_forget_lives(uint32_t scope, uint16_t count) {
  table *t = atomic_load(&tables[scope % cvt_max_scopes]);
  if (!t) return;
  for (int number = 1; number <= count; number++) {
    cvt_set_life_state(scope, (uint16_t)number, cvt_life_runs);
    cvt_set_skew(scope, (uint16_t)number, (cvt_skew){0});
    atomic_store(&t->lives[number].is_suspended, false);
    atomic_store(&t->lives[number].suspended, 0);
  }
  pthread_mutex_lock(&lock);
  atomic_store(&tables[scope % cvt_max_scopes], 0);
  t->next_free = free_tables;
  free_tables = t;
  pthread_mutex_unlock(&lock);
}

// MARK: Lives that are stopped

void cvt_set_life_state(uint32_t scope, uint16_t number, cvt_life_state new) {
  bool was_stopped = atomic_exchange(&find_or_make(scope, number)->state, new) != cvt_life_runs;
  atomic_fetch_add(&cvt_stopped_lives, (new != cvt_life_runs) - was_stopped);
}

cvt_life_state cvt_state_of_life(uint32_t scope, uint16_t number) {
  bool any = number && atomic_load_explicit(&cvt_stopped_lives, memory_order_relaxed) > 0;
  const life *l = any ? find(scope, number) : 0;
  return l ? atomic_load_explicit(&l->state, memory_order_relaxed) : cvt_life_runs;
}

cvt_life_state cvt_state_of_task(const void *task) {
  if (atomic_load_explicit(&cvt_stopped_lives, memory_order_relaxed) == 0) return cvt_life_runs;
  uint16_t number = cvt_life_of(task);
  return number ? cvt_state_of_life(cvt_owner_of(cvt_task_id(task)), number) : cvt_life_runs;
}

// MARK: Machines that are suspended

void cvt_set_suspended(uint32_t scope, uint16_t number, bool is_suspended, int64_t now) {
  life *l = find_or_make(scope, number);
  if (atomic_exchange(&l->is_suspended, is_suspended) == is_suspended) return;
  atomic_fetch_add(&l->suspended, is_suspended ? -now : now);
  atomic_store(&any_suspended, true);
}

bool cvt_is_suspended(uint32_t scope, uint16_t number) {
  const life *l = atomic_load(&any_suspended) && number ? find(scope, number) : 0;
  return l && atomic_load(&l->is_suspended);
}

int64_t cvt_suspended_time(uint32_t scope, uint16_t number, int64_t now) {
  const life *l = atomic_load(&any_suspended) && number ? find(scope, number) : 0;
  return l ? atomic_load(&l->suspended) + (atomic_load(&l->is_suspended) ? now : 0) : 0;
}

void cvt_hand_on_suspended_time(uint32_t scope, uint16_t from, uint16_t to, int64_t now) {
  int64_t time = cvt_suspended_time(scope, from, now);
  if (time) atomic_store(&find_or_make(scope, to)->suspended, time);
}

int64_t cvt_suspended_here(int64_t now) {
  if (!atomic_load_explicit(&any_suspended, memory_order_relaxed)) return 0;
  return cvt_suspended_time(cvt_current_scope(), cvt_current_life(), now);
}

// MARK: Wall clocks

static bool is_skewed(cvt_skew skew) { return skew.ahead || skew.drift != 0; }

void cvt_set_skew(uint32_t scope, uint16_t number, cvt_skew new) {
  life *l = find_or_make(scope, number);
  atomic_fetch_add(&skewed_lives, is_skewed(new) - is_skewed(cvt_skew_of(scope, number)));
  atomic_store(&l->ahead, new.ahead);
  atomic_store(&l->since, new.since);
  atomic_store(&l->drift, new.drift);
}

cvt_skew cvt_skew_of(uint32_t scope, uint16_t number) {
  const life *l = number ? find(scope, number) : 0;
  return l ? (cvt_skew){atomic_load(&l->ahead), atomic_load(&l->since), atomic_load(&l->drift)}
           : (cvt_skew){0};
}

cvt_skew cvt_skew_here(void) {
  if (atomic_load_explicit(&skewed_lives, memory_order_relaxed) == 0) return (cvt_skew){0};
  return cvt_skew_of(cvt_current_scope(), cvt_current_life());
}

int64_t cvt_ahead_at(cvt_skew skew, int64_t time) {
  if (skew.drift == 0) return skew.ahead;
  return skew.ahead + (int64_t)(skew.drift * (double)(time - skew.since));
}

int64_t cvt_time_when_shown(cvt_skew skew, int64_t shown) {
  // So far away, it makes no difference.
  if (shown > INT64_MAX / 2 || shown < INT64_MIN / 2) return shown;
  int64_t time = shown - skew.ahead;
  if (skew.drift == 0) return time;
  time = skew.since + (int64_t)((double)(time - skew.since) / (1 + skew.drift));
  // Floating-point numbers are a little off.
  while (time + cvt_ahead_at(skew, time) >= shown) time--;
  while (time + cvt_ahead_at(skew, time) < shown) time++;
  return time;
}

#else

void cvt_set_life_state(uint32_t scope, uint16_t number, cvt_life_state new) {}
cvt_life_state cvt_state_of_life(uint32_t scope, uint16_t number) { return cvt_life_runs; }
cvt_life_state cvt_state_of_task(const void *task) { return cvt_life_runs; }
void cvt_set_suspended(uint32_t scope, uint16_t number, bool is_suspended, int64_t now) {}
bool cvt_is_suspended(uint32_t scope, uint16_t number) { return false; }
void cvt_hand_on_suspended_time(uint32_t scope, uint16_t from, uint16_t to, int64_t now) {}
int64_t cvt_suspended_time(uint32_t scope, uint16_t number, int64_t now) { return 0; }
int64_t cvt_suspended_here(int64_t now) { return 0; }
void cvt_forget_lives(uint32_t scope, uint16_t count) {}
void cvt_set_skew(uint32_t scope, uint16_t number, cvt_skew skew) {}
cvt_skew cvt_skew_of(uint32_t scope, uint16_t number) { return (cvt_skew){0}; }
cvt_skew cvt_skew_here(void) { return (cvt_skew){0}; }
int64_t cvt_ahead_at(cvt_skew skew, int64_t time) { return 0; }
int64_t cvt_time_when_shown(cvt_skew skew, int64_t time) { return time; }

#endif
