#if defined(__linux__)

#include "Files/Files.h"
#include "Core/RealWaits.h"

// `poll` and `ppoll`, with which code waits for files one by one, and with which Foundation's run
// loops wait. What the files are, and which errors there are, the real function says.

/// Waits in the scope's time.
static int wait_in(
    uint32_t scope, struct pollfd *files, nfds_t count, int64_t limit, const sigset_t *signals) {
  const struct timespec none = {0, 0};
  return WAIT_IN_SCOPE(
      scope, ((rch_files){files, count, false}), limit,
      real_ppoll()(files, count, &none, signals), real_ppoll()(files, count, 0, signals));
}

OVERRIDE int ppoll(
    struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *signals) {
  if (timeout && !rch_is_valid(timeout)) return real_ppoll()(files, count, timeout, signals);
  uint32_t scope = rch_may_wait();
  if (!scope)
    return WAIT_FOR_FILES(rch_limit_of(timeout), real_ppoll()(files, count, timeout, signals));
  return wait_in(scope, files, count, rch_limit_of(timeout), signals);
}

OVERRIDE int poll(struct pollfd *files, nfds_t count, int milliseconds) {
  uint32_t scope = rch_may_wait();
  if (!scope)
    return WAIT_FOR_FILES(rch_limit_in(milliseconds), real_poll()(files, count, milliseconds));
  return wait_in(scope, files, count, rch_limit_in(milliseconds), 0);
}

// The compiler calls these instead when it knows the size of the array.

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
