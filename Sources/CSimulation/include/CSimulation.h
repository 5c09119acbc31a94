#pragma once

// The seam between code under test, which apps link, and virtual time, which they do not: a table
// that virtual time sets when its first scope begins. Until then a call costs a load.

#include <stdbool.h>
#include <stddef.h>

/// A place in the source, and what the program says of it. The texts live for ever.
typedef struct {
  const char *_Nonnull name;
  const char *_Nonnull file;
  size_t line;
} csim_point;

typedef struct {
  /// Whether something that has a probability happens in the scope of the caller.
  bool (*_Nonnull happens)(double probability, csim_point point);
  /// The caller has come to a point where it says whether a situation is reached.
  void (*_Nonnull reaches)(bool is_reached, csim_point point);
} csim_table;

/// The table, or null.
extern _Atomic(const csim_table *_Nullable) csim_current;

static inline const csim_table *_Nullable csim_table_here(void) {
  return __c11_atomic_load(&csim_current, __ATOMIC_ACQUIRE);
}

/// Sets the table for the rest of the process.
void csim_set_table(csim_table table);
