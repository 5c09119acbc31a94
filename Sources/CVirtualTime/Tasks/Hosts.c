#include "Core/Internal.h"

// The life of a host is kept for each task in a table beside the records, whose memory the kernel
// provides where a network is used.

_Atomic int cvt_networks;
__thread uint16_t cvt_life_of_thread;

static _Atomic uint16_t *life_of(const void *task, bool create) {
  return cvt_task_life(cvt_task_id(task), create);
}

uint16_t cvt_life_of(const void *task) {
  if (atomic_load_explicit(&cvt_networks, memory_order_relaxed) == 0) return 0;
  const _Atomic uint16_t *life = life_of(task, false);
  return life ? atomic_load_explicit(life, memory_order_relaxed) : 0;
}

uint16_t cvt_current_life(void) {
  if (atomic_load_explicit(&cvt_networks, memory_order_relaxed) == 0) return 0;
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
