#include "Core/Internal.h"

#include <string.h>

// A task that is suspended has no stack. Its calls that have not returned are a list of contexts,
// each of which begins with its caller's and with the address where the caller goes on.

#if defined(__linux__)

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
    place = (place ^ cvt_code_address(pair[1])) * UINT64_C(0x9e3779b97f4a7c15);
    uintptr_t next = pair[0] & ~asynchronous;
    if (next <= frame || next - frame > farthest) break;
    frame = next;
  }
  return place;
}

// A chain that changes while it is read may be a circle.
enum { longest_chain = 10000 };

size_t cvt_waiting_frames(const void *task, uint64_t *addresses, size_t capacity) {
  // The runtime's `Job` ends with the function that resumes the task, and its context follows.
  const size_t resume_function = 7 * sizeof(void *), outermost = 8;
  uintptr_t pair[2];
  if (!read_pair((uintptr_t)task + resume_function, pair)) return 0;
  size_t count = 0;
  if (pair[0]) addresses[count++] = pair[0];
  uintptr_t context = pair[1];
  for (int i = 0; i < longest_chain && context; i++, context = pair[0]) {
    if (!read_pair(context, pair)) break;
    if (!pair[1]) continue;
    if (count == capacity) {
      // Of a long chain, the middle is left out.
      uint64_t *first = addresses + capacity - outermost;
      memmove(first, first + 1, (outermost - 1) * sizeof *first);
      count--;
    }
    addresses[count++] = pair[1];
  }
  return count;
}

/// The code of the function that a thunk of the compiler has captured in a box, or 0. Returns the
/// box of that function.
static uintptr_t captured(uintptr_t box, uint64_t *code) {
  *code = 0;
  // The object's header is followed by types, if the thunk is generic, and by the function.
  uintptr_t words[4];
  if (!cvt_copy_memory((const void *)(box + 2 * sizeof *words), words, sizeof words)) return 0;
  for (int i = 0; i < 3; i++) {
    // How far the code is from here, and how large its context is, which a type's first word does
    // not look like.
    struct { int32_t distance; uint32_t size; } function;
    if (!cvt_copy_memory((const void *)words[i], &function, sizeof function)) continue;
    if (function.size < 16 || function.size > 0x4000 || function.size % 8) continue;
    *code = words[i] + function.distance;
    return words[i + 1];
  }
  return 0;
}

size_t cvt_entry_points(const void *task, uint64_t *addresses, size_t capacity) {
  const size_t resume_function = 7 * sizeof(void *), before_context = 3 * sizeof(void *);
  uintptr_t pair[2];
  if (!read_pair((uintptr_t)task + resume_function, pair)) return 0;
  if (!pair[1] || !read_pair(pair[1] - before_context, pair)) return 0;
  size_t count = 0;
  if (capacity) addresses[count++] = pair[0];
  for (uintptr_t box = pair[1]; count < capacity && box;) box = captured(box, &addresses[count++]);
  return count && !addresses[count - 1] ? count - 1 : count;
}

#else

uint64_t cvt_place_here(void) { return 0; }

size_t cvt_entry_points(const void *task, uint64_t *addresses, size_t capacity) { return 0; }

size_t cvt_waiting_frames(const void *task, uint64_t *addresses, size_t capacity) { return 0; }

#endif
