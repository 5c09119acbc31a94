#if defined(__linux__)

#include "Override.h"

#include <string.h>

// Waits of XCTest for asynchronous methods, on the main thread while a test visits a scope. The engine waits for a method
// before XCTest does, which then has nothing to wait for, or waits for a method that was given up. A block of a queue of
// XCTest's is to end each wait after 30 days: it would be a deadline of the scope.

REAL(void, dispatch_after, uint64_t, void *, void *)
uint64_t dispatch_time(uint64_t base, int64_t delta);
const char *dispatch_queue_get_label(void *queue);

static __thread enum { not_awaited, has_ended, is_given_up } method;

void rch_method_was_awaited(bool ended) { method = ended ? has_ended : is_given_up; }

bool rch_is_alarm_of_method(void *queue, void *block) {
  static const char prefix[] = "org.swift.XCTest";
  if (method == not_awaited) return false;
  if (strncmp(dispatch_queue_get_label(queue), prefix, sizeof prefix - 1) != 0) return false;
  enum { moment = 100000000 };
  if (method == is_given_up) real_dispatch_after()(dispatch_time(0, moment), queue, block);
  method = not_awaited;
  return true;
}

#endif
