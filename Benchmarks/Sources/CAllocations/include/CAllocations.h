#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations can be counted here: with glibc, whose own functions are still to be found
/// under other names when a program defines `malloc`.
bool allocations_can_be_counted(void);

/// Begins to count the calls of `malloc` and its relatives, from zero, on all threads.
void allocations_begin(void);

/// Ends counting, and returns the number of calls.
uint64_t allocations_end(void);

#endif
