#include "Core/Internal.h"

#include <sys/mman.h>

// The Swift runtime numbers tasks from 1 upwards and never uses a number twice, so a table serves.
// It is read on every enqueue of every thread, hence lock-free: chunks are added and never freed,
// and the kernel provides their memory only where it is touched.

enum { chunk_bits = 20, chunk_size = 1 << chunk_bits, directory_size = 1 << 18 };

static _Atomic(cvt_task *) directory[directory_size];
static _Atomic uint64_t highest_chunk;
static uint64_t first_remembered_chunk;

static cvt_task *new_chunk(uint64_t index) {
  void *memory = mmap(0, chunk_size * sizeof(cvt_task), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  cvt_task *chunk = 0;
  if (!atomic_compare_exchange_strong(&directory[index], &chunk, (cvt_task *)memory)) {
    munmap(memory, chunk_size * sizeof(cvt_task));
    return chunk;
  }
  uint64_t highest = atomic_load(&highest_chunk);
  while (highest < index && !atomic_compare_exchange_weak(&highest_chunk, &highest, index)) {
  }
  return memory;
}

cvt_task *cvt_task_record(uint64_t task_id, bool create) {
  uint64_t index = task_id >> chunk_bits;
  if (index >= directory_size) return 0;
  cvt_task *chunk = atomic_load_explicit(&directory[index], memory_order_acquire);
  if (!chunk) chunk = create ? new_chunk(index) : 0;
  return chunk ? &chunk[task_id % chunk_size] : 0;
}

void cvt_forget_tasks(uint64_t latest) {
  // To give memory back takes longer than an empty scope.
  const uint64_t enough = 1 << 16;
  static uint64_t forgotten;
  if (latest - forgotten < enough) return;
  forgotten = latest;
  uint64_t highest = atomic_load(&highest_chunk);
  for (uint64_t index = first_remembered_chunk; index <= highest; index++) {
    cvt_task *chunk = atomic_load(&directory[index]);
    if (chunk) madvise(chunk, chunk_size * sizeof(cvt_task), MADV_DONTNEED);
  }
  first_remembered_chunk = highest;
}
