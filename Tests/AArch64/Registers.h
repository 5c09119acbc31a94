#pragma once

#include <stdint.h>

// Calls of code that gets its context in x22. Each returns how many of the registers have changed that a function
// must save: x19, x21, x23 to x28, and d8 to d15. The Swift ABI takes x20 and x22 out.

/// Calls `swift_task_switch`.
uint64_t call_switch(void *context, void *resume, const void *identity, uintptr_t implementation);
/// Calls a function with which a task goes on.
uint64_t call_resume(void *context, void *resume);
