#pragma once

#include <stdbool.h>
#include <stdint.h>

/// How many pairs of functions can be compared.
int32_t real_pairs(void);

/// What a pair is called.
const char *_Nonnull real_name(int32_t pair);

/// Calls both functions of a pair so many times, on this thread: those that the program is linked with, or those
/// behind them, which are the library's own.
void real_call(int32_t pair, bool is_behind, int64_t count);
