// The functions of the C library that allocate, in front of the library's own: the program's
// definitions come first, also for the Swift runtime and all other shared libraries. Each calls the
// library's function, which is the one that allocates.

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "CAllocations.h"

// While counting is off, an allocation costs one more read of a flag.
static atomic_bool is_counting;
static _Atomic uint64_t count;

void allocations_begin(void) {
  atomic_store(&count, 0);
  atomic_store(&is_counting, true);
}

uint64_t allocations_end(void) {
  atomic_store(&is_counting, false);
  return atomic_load(&count);
}

#if !defined(__GLIBC__)

bool allocations_can_be_counted(void) { return false; }

#else

bool allocations_can_be_counted(void) { return true; }

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void count_one(void) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed))
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}

void *malloc(size_t size) {
  count_one();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count_one();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count_one();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  count_one();
  void *memory = __libc_memalign(alignment, size);
  if (!memory) return ENOMEM;
  *result = memory;
  return 0;
}

#endif
