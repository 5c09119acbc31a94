#include "Core/RuntimeOverrides.h"

#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>

// While schedules are explored, `SystemRandomNumberGenerator` gives the same numbers in each run.
// It asks the kernel with `syscall`, which is overridden for the calls of this one function of the
// runtime. Others that ask the kernel, such as libraries of cryptography, are not affected.

#if defined(__linux__)

/// The states of the generators (SplitMix64) of the scopes that are explored; 0 if the numbers are
/// real.
static _Atomic uint64_t states[cvt_max_scopes];
static const uint64_t increment = 0x9E3779B97F4A7C15;
/// How long the function is that asks for random numbers.
static _Atomic uintptr_t size_of_random;

void cvt_random_begins(uint32_t scope, bool repeats) {
  // To find a symbol takes as long as many tasks.
  if (!atomic_load(&size_of_random))
    atomic_store(&size_of_random, cvt_code_size((uintptr_t)&swift_stdlib_random, 0x200));
  atomic_store(&states[scope % cvt_max_scopes], repeats ? increment : 0);
}

static uint64_t next(_Atomic uint64_t *state) {
  uint64_t z = atomic_fetch_add(state, increment) + increment;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

/// Draws so many bytes; returns false if those of this thread's code are real.
static bool draw(char *buffer, size_t size) {
  // A number for a once-only initialiser, such as that of a global, belongs to the process.
  if (!cvt_this_thread.explores || cvt_this_thread.initialisers) return false;
  uint32_t scope = cvt_current_scope();
  if (scope <= cvt_outside || atomic_load(&cvt_clocks_of(scope)->scope) != scope) return false;
  _Atomic uint64_t *state = &states[scope % cvt_max_scopes];
  if (!atomic_load(state)) return false;
  while (size) {
    uint64_t number = next(state);
    size_t part = size < sizeof number ? size : sizeof number;
    memcpy(buffer, &number, part);
    buffer += part;
    size -= part;
  }
  return true;
}

// Threads call `syscall` that Thread Sanitizer does not know yet, or not any more.
#pragma clang attribute push( \
    __attribute__((disable_sanitizer_instrumentation)), apply_to = function)

REAL(syscall)

OVERRIDE long syscall(long number, ...) {
  // Like the C library's own, this passes on as many words as a system call can have.
  va_list list;
  va_start(list, number);
  long word[6];
  for (int i = 0; i < 6; i++) word[i] = va_arg(list, long);
  va_end(list);
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  bool is_random = number == SYS_getrandom && word[1] > 0 &&
                   caller - (uintptr_t)&swift_stdlib_random <
                       atomic_load_explicit(&size_of_random, memory_order_relaxed);
  if (is_random && draw((char *)word[0], (size_t)word[1])) return word[1];
  return real_syscall()(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}

#pragma clang attribute pop

#else

void cvt_random_begins(uint32_t scope, bool repeats) {}

#endif
