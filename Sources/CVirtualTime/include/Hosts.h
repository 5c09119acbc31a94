#pragma once

// Whose code runs in a simulated network. A host has one life after the other: with each restart it
// gets another number. Tasks, threads and blocks belong to the life in which they were made, and
// what they make does as well. 0 is code of no host.

#include "ThisThread.h"

/// How many scopes have a simulated network.
extern _Atomic int cvt_networks;

/// The life whose code this thread runs between tasks.
extern __thread uint16_t cvt_life_of_thread CVT_FAST;

/// The life whose code this thread runs: the current task's, and between tasks that of the thread.
uint16_t cvt_current_life(void);
/// The code that runs here belongs to this life from now on: the current task does, and between
/// tasks the thread. Returns the former one.
uint16_t cvt_set_current_life(uint16_t life);

/// The life to which a task belongs.
uint16_t cvt_life_of(const void *_Nonnull task);
