#pragma once

// The parts of virtual time that Swift cannot express: thread-locals, overrides of functions of the
// C library and of the Swift runtime, and calls of the runtime that have no Swift spelling.

// The functions of the C targets have a section of their own, so that reports can leave them out.
#if defined(__linux__)
#pragma clang section text = "escapement_c"
#endif

#include "Clocks.h"
#include "Counters.h"
#include "Diagnosis.h"
#include "Exploring.h"
#include "Hosts.h"
#include "Interposition.h"
#include "Jobs.h"
#include "Tasks.h"
#include "ThisThread.h"
#include "Threads.h"
