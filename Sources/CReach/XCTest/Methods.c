#if defined(__linux__)

#include "Core/Override.h"

#include <string.h>

// Waits of XCTest for asynchronous methods, on the main thread while a test visits a scope. The
// engine waits for a method before XCTest does, which then has nothing to wait for, or waits for a
// method that was given up. A block of a queue of XCTest's is to end each wait after 30 days: it
// would be a deadline of the scope.

static __thread enum { not_awaited, has_ended, is_given_up } method;

/// The function that ends the wait for a method that was given up, and the queue for it.
static __thread struct {
  void *queue, *block;
} alarm_of_method;

void rch_method_was_awaited(bool ended) { method = ended ? has_ended : is_given_up; }

bool rch_is_alarm_of_method(void *queue, void *block) {
  static const char prefix[] = "org.swift.XCTest";
  if (method == not_awaited) return false;
  if (strncmp(dispatch_queue_get_label(queue), prefix, sizeof prefix - 1) != 0) return false;
  if (method == is_given_up) {
    alarm_of_method.queue = queue;
    alarm_of_method.block = _Block_copy(block);
  }
  method = not_awaited;
  return true;
}

void rch_give_alarm_of_method(void) {
  void *block = alarm_of_method.block;
  if (!block) return;
  alarm_of_method.block = 0;
  real_dispatch_async()(alarm_of_method.queue, block);
  _Block_release(block);
}

#endif
