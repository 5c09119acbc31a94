#pragma once

// What event loops have in common.

#include "Override.h"

// MARK: Loops that serve the process (SharedLoops.c)

/// What `epoll_wait` tells a shared loop that a scope has called.
static const uint64_t rch_call_to_loop = UINT64_C(0xe5ca9e3e27c0ffee);

/// This thread is about to wait in `epoll_wait`, outside of scopes. If it runs a shared loop and a scope has taken
/// these, it joins that scope, and has its baton. Returns the scope, or 0.
uint32_t rch_lend_loop(int epoll);
/// The scope has ended: a shared loop leaves it.
void rch_return_loop(void);
/// This thread begins, or ends, to wait in `epoll_wait` in a scope. If the file is that of a shared loop, the loop is
/// idle meanwhile. Then `rch_end_idling` returns false if the scope has ended.
void rch_begin_idling(int epoll);
bool rch_end_idling(int epoll);
/// Whether this thread runs a shared loop.
bool rch_is_shared_loop(void);
/// Which of the shared loops this thread runs, as its name says.
int64_t rch_shared_loop_number(void);
/// This thread, which is outside of scopes, makes the files of a loop, and is going to wait for them.
void rch_shared_loop_begins(void);
/// Whether a scope has taken the shared loops.
bool rch_has_shared_loops(uint32_t scope);

// MARK: Timers (TimerFiles.c)

/// Lets the timers fire that a thread has made.
void rch_ring_timers(int32_t thread);
