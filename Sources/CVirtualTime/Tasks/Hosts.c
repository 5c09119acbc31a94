#include "Core/Internal.h"

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

// MARK: Lives that are stopped

enum { most_lives = 1 << 16 };

_Atomic int cvt_stopped_lives;
/// The states of the lives of each scope, by its place. A place gets memory when a life of such a
/// scope is first stopped, and keeps it, since any thread may look.
static _Atomic(_Atomic uint8_t *) states[cvt_max_scopes];

static _Atomic uint8_t *states_of(uint32_t scope) {
  return atomic_load_explicit(&states[scope % cvt_max_scopes], memory_order_acquire);
}

void cvt_set_life_state(uint32_t scope, uint16_t life, cvt_life_state new) {
  if (!states_of(scope)) {
    _Atomic uint8_t *none = 0, *memory = calloc(most_lives, 1);
    if (!memory) abort();
    if (!atomic_compare_exchange_strong(&states[scope % cvt_max_scopes], &none, memory))
      free(memory);
  }
  bool was_stopped = atomic_exchange(&states_of(scope)[life], new) != cvt_life_runs;
  atomic_fetch_add(&cvt_stopped_lives, (new != cvt_life_runs) - was_stopped);
}

void cvt_forget_lives(uint32_t scope, uint16_t count) {
  for (int life = 1; states_of(scope) && life <= count; life++)
    if (cvt_state_of_life(scope, (uint16_t)life) != cvt_life_runs)
      cvt_set_life_state(scope, (uint16_t)life, cvt_life_runs);
}

cvt_life_state cvt_state_of_life(uint32_t scope, uint16_t life) {
  if (!life || atomic_load_explicit(&cvt_stopped_lives, memory_order_relaxed) == 0)
    return cvt_life_runs;
  const _Atomic uint8_t *states = states_of(scope);
  return states ? atomic_load_explicit(&states[life], memory_order_relaxed) : cvt_life_runs;
}

cvt_life_state cvt_state_of_task(const void *task) {
  if (atomic_load_explicit(&cvt_stopped_lives, memory_order_relaxed) == 0) return cvt_life_runs;
  uint16_t life = cvt_life_of(task);
  return life ? cvt_state_of_life(cvt_owner_of(cvt_task_id(task)), life) : cvt_life_runs;
}
