#include "CSimulation.h"

_Atomic(const csim_table *) csim_current;

void csim_set_table(csim_table table) {
  static csim_table kept;
  kept = table;
  __c11_atomic_store(&csim_current, &kept, __ATOMIC_RELEASE);
}
