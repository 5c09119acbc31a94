#pragma once

// The places of threads and suspended tasks, and last words.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// MARK: Where a thread is (Stack.c)

enum { cvt_max_frames = 64 };

typedef struct {
  /// The calls that have not returned, innermost first, since the thread began to run a job of a
  /// scope.
  size_t count;
  uint64_t addresses[cvt_max_frames];
  /// The task that the thread runs, retained, or null; its number, and its name, which may be
  /// empty.
  void *_Nullable task;
  uint64_t task_id;
  char task_name[128];
  /// The type of the actor on which the task runs; null if that is none, or one with an executor of
  /// its own.
  const void *_Nullable actor_type;
  /// The object that is the executor on which the task runs, or null.
  const void *_Nullable executor;
} cvt_stack;

/// The place of this thread: a number that is the same for the same innermost calls.
uint64_t cvt_place_here(void);

/// Asks a thread of this process where it is. One call at a time. `stack` must be zero, and live
/// for ever. Returns false if it does not answer.
bool cvt_stack_of(int32_t thread, cvt_stack *_Nonnull stack);

// MARK: Where a task waits (Frames.c)

/// Where the calls of a suspended task go on, innermost first. Returns how many there are. If there
/// are more than the capacity, which is at least 16, some in the middle are left out.
///
/// If the task goes on meanwhile, the addresses are of no use, but nothing worse happens.
size_t cvt_waiting_frames(
    const void *_Nonnull task, uint64_t *_Nonnull addresses, size_t capacity);
/// The function with which a task begins that has not begun; and if it is one that the compiler has
/// made, the one that this calls, and so on. Of another task these are any numbers. Returns how
/// many were found.
size_t cvt_entry_points(const void *_Nonnull task, uint64_t *_Nonnull addresses, size_t capacity);

// MARK: Where a task comes back to its actor (Hops.c)

/// The instruction that hops to the part of a function which begins at an address; 0 if none is
/// found in the 64 KB before it.
uint64_t cvt_hop_to(uint64_t resume);

// MARK: What is printed when the process dies (LastWords.c)

/// Prints a text on standard error if a signal of its own kills the process, such as that of a trap,
/// and sets the mark to 1, if there is one. Returns its place, or -1 if there are too many.
int cvt_keep_last_words(const char *_Nonnull text, uint32_t *_Nullable has_died);
/// Does not print the text at this place any more.
void cvt_forget_last_words(int place);
