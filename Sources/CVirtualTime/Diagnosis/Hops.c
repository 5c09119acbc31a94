#include "Core/Internal.h"

#include <string.h>

// The compiler splits an asynchronous function at its suspensions. When a call has returned to the
// part behind it, this part hops back to the actor of the function, and the task waits for its
// turn in a part that begins with the code after the `await`. The line of the `await` is that of
// the hop, which takes the address of the part with which the task goes on.

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

static uint32_t word(const uint8_t *code) {
  uint32_t word;
  memcpy(&word, code, sizeof word);
  return word;
}

#if defined(__x86_64__)

enum { instruction = 1, longest_use = 7 };

/// Whether the instruction at an address is `lea target(%rip), %register`.
static bool takes(const uint8_t *code, uint64_t address, uint64_t target) {
  if ((code[0] & 0xfb) != 0x48 || code[1] != 0x8d || (code[2] & 0xc7) != 0x05) return false;
  return address + longest_use + (int64_t)(int32_t)word(code + 3) == target;
}

#else

// The linker may make one instruction of `adrp` and `add`, between which others may stand.
enum { instruction = 4, longest_use = 9 * instruction };

/// Whether the instruction at an address is `adr register, target`, or `adrp` with an `add`.
static bool takes(const uint8_t *code, uint64_t address, uint64_t target) {
  uint32_t first = word(code), number = first & 31;
  if ((first & 0x1f000000) != 0x10000000) return false;
  int64_t distance = ((int64_t)((uint64_t)first << 40) >> 45) * 4 + (first >> 29 & 3);
  if (!(first >> 31)) return address + distance == target;
  const uint64_t page = 4096;
  if (address / page + distance != target / page) return false;
  for (int i = instruction; i < longest_use; i += instruction) {
    uint32_t next = word(code + i);
    bool adds = (next & 0xffc00000) == 0x91000000 && (next >> 5 & 31) == number;
    if (adds && (next >> 10 & 0xfff) == target % page) return true;
  }
  return false;
}

#endif

uint64_t cvt_hop_to(uint64_t resume) {
  // Memory is mapped in whole pages. The last instruction of a page may end in the next one.
  enum { page = 4096, farthest = 16 * page };
  uint8_t code[page + longest_use] = {0};
  for (uint64_t end = resume, first; resume - end < farthest; end = first) {
    first = (end - 1) / page * page;
    if (!cvt_copy_memory((const void *)(uintptr_t)first, code, end - first)) return 0;
    for (uint64_t size = (end - first) / instruction * instruction; size; size -= instruction) {
      uint64_t offset = size - instruction;
      if (takes(code + offset, first + offset, resume)) return first + offset;
    }
    memcpy(code + page, code, longest_use);
  }
  return 0;
}

#else

uint64_t cvt_hop_to(uint64_t resume) { return 0; }

#endif
