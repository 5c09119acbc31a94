#pragma once

// Common parts of event loops.

#include "Core/Override.h"

/// Lets the timers fire that a thread has made (TimerFiles.c).
void rch_ring_timers(int32_t thread);
