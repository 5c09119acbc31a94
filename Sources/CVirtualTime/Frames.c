#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "CVirtualTime.h"
#include "Internal.h"

// A task that is suspended has no stack. Its calls that have not returned are a list of contexts, each
// of which begins with its caller's and with the address where the caller goes on.

bool cvt_is_in_library(uint64_t address, const char *name) {
  Dl_info info;
  return dladdr((void *)(uintptr_t)address, &info) && info.dli_fname && strstr(info.dli_fname, name);
}

#if defined(__linux__)

#include <sys/uio.h>

// The linker defines where the section begins and ends.
extern const char __start_escapement_c[] __attribute__((visibility("hidden")));
extern const char __stop_escapement_c[] __attribute__((visibility("hidden")));

bool cvt_is_own(uint64_t address) {
  return address >= (uintptr_t)__start_escapement_c && address < (uintptr_t)__stop_escapement_c;
}

bool cvt_copy_memory(const void *from, void *to, size_t size) {
  struct iovec source = {(void *)from, size}, target = {to, size};
  return process_vm_readv(getpid(), &target, 1, &source, 1, 0) == (ssize_t)size;
}

static bool read_pair(uintptr_t from, uintptr_t pair[2]) {
  return cvt_copy_memory((const void *)from, pair, 2 * sizeof *pair);
}

uint64_t cvt_place_here(void) {
  // Foundation has no tables for unwinding, but each function of Swift has a pointer to its frame.
  enum { depth = 12, farthest = 1 << 20 };
  const uintptr_t asynchronous = UINT64_C(1) << 60;
  uint64_t place = 0;
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0), pair[2];
  for (int i = 0; i < depth && read_pair(frame, pair); i++) {
    place = (place ^ pair[1]) * UINT64_C(0x9e3779b97f4a7c15);
    uintptr_t next = pair[0] & ~asynchronous;
    if (next <= frame || next - frame > farthest) break;
    frame = next;
  }
  return place;
}

size_t cvt_waiting_frames(const void *task, uint64_t *addresses, size_t capacity) {
  // The runtime's `Job` ends with the function that resumes the task, and its context follows.
  const size_t resume_function = 7 * sizeof(void *);
  uintptr_t pair[2];
  if (!read_pair((uintptr_t)task + resume_function, pair)) return 0;
  size_t count = 0;
  if (pair[0] && capacity) addresses[count++] = pair[0];
  for (uintptr_t context = pair[1]; context && count < capacity; context = pair[0]) {
    if (!read_pair(context, pair)) break;
    if (pair[1]) addresses[count++] = pair[1];
  }
  return count;
}

cvt_dependency cvt_dependency_of(const void *task) {
  // The runtime's `AsyncTask` refers to a record of what it waits for, which refers back to it.
  const size_t dependency = 20 * sizeof(void *);
  const cvt_dependency none = {cvt_waits_for_nothing};
  uintptr_t record[2], pair[2];
  if (!read_pair((uintptr_t)task + dependency, record) || !record[0]) return none;
  if (!read_pair(record[0] + 4 * sizeof(void *), pair) || pair[1] != (uintptr_t)task) return none;
  uint32_t kind = (uint32_t)pair[0];
  if (kind > cvt_waits_for_executor || !read_pair(record[0] + 2 * sizeof(void *), pair))
    return none;
  cvt_dependency found = {kind, (const void *)pair[0]};
  // An actor is its own executor if there is no other implementation. An object begins with its type.
  if (kind == cvt_waits_for_executor && !pair[1])
    cvt_copy_memory(found.object, &found.actor_type, sizeof found.actor_type);
  return found;
}

uint64_t cvt_entry_point(const void *task) {
  const size_t resume_function = 7 * sizeof(void *), before_context = 3 * sizeof(void *);
  uintptr_t pair[2];
  if (!read_pair((uintptr_t)task + resume_function, pair)) return 0;
  if (!pair[1] || !read_pair(pair[1] - before_context, pair)) return 0;
  return pair[0];
}

#else

bool cvt_is_own(uint64_t address) { return false; }

bool cvt_copy_memory(const void *from, void *to, size_t size) { return false; }

uint64_t cvt_place_here(void) { return 0; }

cvt_dependency cvt_dependency_of(const void *task) {
  return (cvt_dependency){cvt_waits_for_nothing};
}

uint64_t cvt_entry_point(const void *task) { return 0; }

size_t cvt_waiting_frames(const void *task, uint64_t *addresses, size_t capacity) { return 0; }

#endif
