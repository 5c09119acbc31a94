#pragma once

// Whose code runs in a simulated network. A host has one life after the other: with each restart it
// gets another number. Tasks, threads and blocks belong to the life in which they were made, and
// what they make does as well. 0 is code of no host.

#include "ThisThread.h"

/// How many scopes have a simulated network.
extern _Atomic int cvt_networks;
static inline bool cvt_any_networks(void) {
  return __c11_atomic_load(&cvt_networks, __ATOMIC_RELAXED) != 0;
}

/// The life whose code this thread runs between tasks.
extern __thread uint16_t cvt_life_of_thread CVT_FAST;

/// The life whose code this thread runs: the current task's, and between tasks that of the thread.
uint16_t cvt_current_life(void);
/// The code that runs here belongs to this life from now on: the current task does, and between
/// tasks the thread. Returns the former one.
uint16_t cvt_set_current_life(uint16_t life);

/// The life to which a task belongs.
uint16_t cvt_life_of(const void *_Nonnull task);

// MARK: Lives that are stopped

/// Whether the code of a life runs, will run when the host goes on, or never runs again.
typedef enum cvt_life_state : uint8_t {
  cvt_life_runs,
  cvt_life_is_paused,
  cvt_life_has_ended,
} cvt_life_state;

void cvt_set_life_state(uint32_t scope, uint16_t life, cvt_life_state state);
cvt_life_state cvt_state_of_life(uint32_t scope, uint16_t life);
/// The state of the life to which a task belongs; it runs if there is none.
cvt_life_state cvt_state_of_task(const void *_Nonnull task);
/// The network of a scope ends, with so many lives: all that was set for them is forgotten.
void cvt_forget_lives(uint32_t scope, uint16_t count);

// MARK: Machines that are suspended

/// The machine of a life is suspended from a time of the scope on, or goes on.
void cvt_set_suspended(uint32_t scope, uint16_t life, bool is_suspended, int64_t now);
/// The machine of a life, or 0, goes on in another one: its clock does not jump.
void cvt_hand_on_suspended_time(uint32_t scope, uint16_t from, uint16_t to, int64_t now);
bool cvt_is_suspended(uint32_t scope, uint16_t life);
/// The time for which the machine of a life has been suspended until a time of the scope, in
/// nanoseconds: its suspending clock is behind that of the scope by as much.
int64_t cvt_suspended_time(uint32_t scope, uint16_t life, int64_t now);
/// The same for the code that this thread runs.
int64_t cvt_suspended_here(int64_t now);

// MARK: Wall clocks

/// The wall clock of a host in one of its lives, beside that of the scope.
typedef struct {
  /// How far it was ahead at a time of the scope, in nanoseconds, and how much further it is after
  /// each nanosecond since: more than -1.
  int64_t ahead, since;
  double drift;
} cvt_skew;

void cvt_set_skew(uint32_t scope, uint16_t life, cvt_skew skew);
cvt_skew cvt_skew_of(uint32_t scope, uint16_t life);
/// How far such a clock is ahead at a time of the scope.
int64_t cvt_ahead_at(cvt_skew skew, int64_t time);
/// The first time of the scope at which such a clock shows what that of the scope shows at `time`.
int64_t cvt_time_when_shown(cvt_skew skew, int64_t time);
/// The wall clock of the code that this thread runs.
cvt_skew cvt_skew_here(void);
