#include "CVirtualTime.h"
#include "Internal.h"

static __thread void *scope;
static __thread cvt_clocks *clocks;
static __thread uint32_t birth;

void *cvt_thread_scope(void) { return scope; }
cvt_clocks *cvt_thread_clocks(void) { return clocks; }

void cvt_thread_set_scope(void *new_scope, cvt_clocks *new_clocks) {
  scope = new_scope;
  clocks = new_clocks;
}

uint32_t cvt_thread_birth(void) { return birth; }
void cvt_thread_set_birth(uint32_t scope_number) { birth = scope_number; }
