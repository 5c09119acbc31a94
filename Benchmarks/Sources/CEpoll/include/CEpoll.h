#pragma once

#include <stdint.h>

/// An epoll file that waits for all events of a file; `mode` is `edges`, `once` or 0.
int make_epoll(int file, uint32_t mode);
/// The events that it tells, or 0.
int next_events(int epoll);

extern const uint32_t edges, once;
