#if defined(__linux__)

#include "Files/Files.h"
#include "Core/RealWaits.h"

#include <errno.h>
#include <time.h>

// `poll` and `ppoll`, with which code waits for files one by one, and with which Foundation's run
// loops wait. What the files are, and which errors there are, the real function says.

static int poll_now(struct pollfd *files, nfds_t count, const sigset_t *signals) {
  const struct timespec none = {0, 0};
  return real_ppoll()(files, count, &none, signals);
}

/// Waits in the scope's time. `timeout` is null if there is none.
static int wait_in(
    uint32_t scope, struct pollfd *files, nfds_t count, const struct timespec *timeout,
    const sigset_t *signals) {
  bool waits = !timeout || timeout->tv_sec || timeout->tv_nsec;
  int64_t deadline = rch_deadline_after(scope, rch_limit_of(timeout));
  int ready = poll_now(files, count, signals);
  if (ready < 0 || ((ready > 0 || !waits) && rch_keeps_turn())) return ready;
  for (;;) {
    rch_outcome outcome = rch_wait_for_files(scope, (rch_files){files, count, false}, deadline);
    // A wait that the end of the scope has ended goes on in real time, if it has no timeout.
    if (outcome == rch_ended && !timeout) return real_ppoll()(files, count, 0, signals);
    ready = poll_now(files, count, signals);
    // Another thread may have been quicker.
    if (ready != 0 || outcome != rch_woken) return ready;
  }
}

OVERRIDE int ppoll(
    struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *signals) {
  if (timeout && !rch_is_valid(timeout)) return real_ppoll()(files, count, timeout, signals);
  uint32_t scope = rch_may_wait();
  if (!scope)
    return WAIT_FOR_FILES(rch_limit_of(timeout), real_ppoll()(files, count, timeout, signals));
  return wait_in(scope, files, count, timeout, signals);
}

OVERRIDE int poll(struct pollfd *files, nfds_t count, int milliseconds) {
  uint32_t scope = rch_may_wait();
  if (!scope)
    return WAIT_FOR_FILES(rch_limit_in(milliseconds), real_poll()(files, count, milliseconds));
  const struct timespec timeout = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  return wait_in(scope, files, count, milliseconds < 0 ? 0 : &timeout, 0);
}

// What calls of the above become when the compiler knows the size of the array.

OVERRIDE int __poll_chk(struct pollfd *files, nfds_t count, int milliseconds, size_t size) {
  bool is_real = size / sizeof *files < count || !rch_may_wait();
  if (!is_real) return poll(files, count, milliseconds);
  return WAIT_FOR_FILES(
      rch_limit_in(milliseconds), real___poll_chk()(files, count, milliseconds, size));
}

OVERRIDE int __ppoll_chk(
    struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *signals,
    size_t size) {
  bool is_real = size / sizeof *files < count || !rch_may_wait();
  if (!is_real) return ppoll(files, count, timeout, signals);
  return WAIT_FOR_FILES(
      rch_limit_of(timeout), real___ppoll_chk()(files, count, timeout, signals, size));
}

#endif
