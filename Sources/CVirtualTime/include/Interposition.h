#pragma once

// The common parts of all overrides, those of this target and of `CReach`.

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A function that is overridden.
typedef struct {
  const char *_Nonnull name;
  /// The consequence of a missing override.
  const char *_Nonnull without;
  /// The function that calls come to: the override, or another one if the library is linked
  /// statically.
  const void *_Nonnull function;
} cvt_override;

/// The function of this target's table with this number, from 0; null behind the last one.
const cvt_override *_Nullable cvt_override_at(size_t index);

/// Whether an address is in a function of the C targets.
bool cvt_is_own(uint64_t address);
/// Whether an address is in a library whose path contains this name.
bool cvt_is_in_library(uint64_t address, const char *_Nonnull name);
/// The original of an overridden function: `interceptor`, a sanitizer's, if there is one; else that
/// of the next library; else `fallback`, if there is one, or else `function`, whose definition in a
/// static library wins.
void *_Nonnull cvt_original(
    const char *_Nonnull name, void *_Nullable interceptor, void *_Nullable fallback,
    void *_Nonnull function);

// Weak: where the library is linked statically, its own definition wins, instead of a linker error.
// But the definitions of Thread Sanitizer are weak as well, and come first.
#if __has_feature(thread_sanitizer)
#define OVERRIDE __attribute__((visibility("default")))
#else
#define OVERRIDE __attribute__((weak, visibility("default")))
#endif

/// A row of a table of overrides, as a `cvt_override`.
#define OVERRIDE_ROW(name, without) {#name, without, (const void *)name},

/// Defines `real_name()`, the original of the function `name`.
#if defined(__linux__)
#define REAL(name, ...)                                                                          \
  __attribute__((weak)) extern __typeof__(name) __interceptor_##name, cvt_fallback_##name;       \
  __attribute__((unused)) static __typeof__(name) *real_##name(void) {                           \
    static _Atomic(void *) cached;                                                               \
    void *function = atomic_load_explicit(&cached, memory_order_relaxed);                        \
    if (function) return (__typeof__(name) *)function;                                           \
    function = cvt_original(                                                                     \
        #name, (void *)__interceptor_##name, (void *)cvt_fallback_##name, (void *)name);         \
    atomic_store_explicit(&cached, function, memory_order_relaxed);                              \
    return (__typeof__(name) *)function;                                                         \
  }
#else
#define REAL(name, ...) \
  static __typeof__(name) *real_##name(void) { return name; }
#endif

#define SWIFT_CALL __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))
