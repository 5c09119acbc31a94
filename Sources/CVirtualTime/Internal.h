#pragma once

#include <time.h>

#include "CVirtualTime.h"

/// How many scopes with virtual standard clocks are alive. While none is, reading a clock costs a
/// load more than without this library.
extern _Atomic int cvt_virtual_scopes;

/// What a clock really reads.
int64_t cvt_real_nanoseconds(clockid_t id);

// The clock that goes on while the machine is suspended, the base of `ContinuousClock`.
#if defined(__linux__)
#define cvt_clock_with_suspensions CLOCK_BOOTTIME
#else
#define cvt_clock_with_suspensions CLOCK_MONOTONIC_RAW
#endif
