#include "Core/Internal.h"

#include <sys/mman.h>

// The Swift runtime numbers tasks from 1 upwards and never uses a number twice, so a table serves.
// It is read on every enqueue of every thread, hence lock-free: chunks are added and never freed,
// and the kernel provides their memory only where it is touched. So a second column costs nothing
// until a network uses it.

enum { chunk_bits = 20, chunk_size = 1 << chunk_bits, directory_size = 1 << 18 };

typedef struct {
  cvt_task records[chunk_size];
  /// The lives of hosts to which the tasks belong.
  _Atomic uint16_t lives[chunk_size];
} chunk;

static _Atomic(chunk *) directory[directory_size];
static _Atomic uint64_t highest_chunk;
static uint64_t first_remembered_chunk;

static chunk *new_chunk(uint64_t index) {
  void *memory = mmap(0, sizeof(chunk), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 0;
  chunk *other = 0;
  if (!atomic_compare_exchange_strong(&directory[index], &other, (chunk *)memory)) {
    munmap(memory, sizeof(chunk));
    return other;
  }
  uint64_t highest = atomic_load(&highest_chunk);
  while (highest < index && !atomic_compare_exchange_weak(&highest_chunk, &highest, index)) {
  }
  return memory;
}

static chunk *chunk_of(uint64_t task_id, bool create) {
  uint64_t index = task_id >> chunk_bits;
  if (index >= directory_size) return 0;
  chunk *chunk = atomic_load_explicit(&directory[index], memory_order_acquire);
  return chunk || !create ? chunk : new_chunk(index);
}

cvt_task *cvt_task_record(uint64_t task_id, bool create) {
  chunk *chunk = chunk_of(task_id, create);
  return chunk ? &chunk->records[task_id % chunk_size] : 0;
}

_Atomic uint16_t *cvt_task_life(uint64_t task_id, bool create) {
  chunk *chunk = chunk_of(task_id, create);
  return chunk ? &chunk->lives[task_id % chunk_size] : 0;
}

void cvt_forget_tasks(uint64_t latest) {
  // To give memory back takes longer than an empty scope.
  const uint64_t enough = 1 << 16;
  static uint64_t forgotten;
  if (latest - forgotten < enough) return;
  forgotten = latest;
  uint64_t highest = atomic_load(&highest_chunk);
  for (uint64_t index = first_remembered_chunk; index <= highest; index++) {
    chunk *chunk = atomic_load(&directory[index]);
    if (chunk) madvise(chunk, sizeof *chunk, MADV_DONTNEED);
  }
  first_remembered_chunk = highest;
}
