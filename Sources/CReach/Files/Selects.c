#if defined(__linux__)

#include "Files/Files.h"
#include "Core/RealWaits.h"

#include <fcntl.h>
#include <string.h>

// `select` and `pselect`. Which files are ready, and which errors there are, the real function
// says.

/// The sets of a call, as words: they may have more files than `fd_set`.
typedef struct {
  unsigned long *sets[3];
  int count;
  const sigset_t *signals;
  /// The contents of the sets when the call began, and its files.
  unsigned long *copies;
  struct pollfd *files;
} selection;

enum { bits = 8 * sizeof(long), max_files = 1 << 16 };
static const short events[3] = {POLLIN, POLLOUT, POLLPRI};

static size_t words_of(const selection *s) { return ((size_t)s->count + bits - 1) / bits; }

/// Asks the kernel about the files that the sets contained at first.
static int select_again(selection *s, const struct timespec *timeout) {
  size_t words = words_of(s);
  for (int i = 0; i < 3; i++)
    if (s->sets[i]) memcpy(s->sets[i], s->copies + i * words, words * sizeof(long));
  return real_pselect()(
      s->count, (fd_set *)s->sets[0], (fd_set *)s->sets[1], (fd_set *)s->sets[2], timeout,
      s->signals);
}

static bool begin(selection *s) {
  size_t words = words_of(s);
  s->copies = calloc(3 * words + 1, sizeof(long));
  s->files = malloc(((size_t)s->count + 1) * sizeof *s->files);
  for (int i = 0; s->copies && i < 3; i++)
    if (s->sets[i]) memcpy(s->copies + i * words, s->sets[i], words * sizeof(long));
  return s->copies && s->files;
}

/// The files of the sets, for `poll`.
static rch_files files_of(const selection *s) {
  size_t words = words_of(s), count = 0;
  for (int file = 0; file < s->count; file++) {
    struct pollfd wanted = {file, 0, 0};
    for (int i = 0; i < 3; i++)
      if (s->copies[i * words + file / bits] >> file % bits & 1) wanted.events |= events[i];
    // The kernel does not look at sets beyond its table of the process's files. It has refused
    // other files that do not exist.
    if (wanted.events && fcntl(file, F_GETFD) < 0) continue;
    if (wanted.events) s->files[count++] = wanted;
  }
  return (rch_files){s->files, count, true};
}

OVERRIDE int pselect(
    int count, fd_set *readable, fd_set *writable, fd_set *exceptional,
    const struct timespec *timeout, const sigset_t *signals) {
  bool is_valid = count >= 0 && (!timeout || rch_is_valid(timeout));
  uint32_t scope = is_valid ? rch_may_wait() : 0;
  selection s = {
      .sets = {(unsigned long *)readable, (unsigned long *)writable, (unsigned long *)exceptional},
      .count = count < max_files ? count : max_files,
      .signals = signals};
  if (!scope || !begin(&s)) {
    free(s.copies);
    free(s.files);
    return WAIT_FOR_FILES(
        rch_limit_of(is_valid ? timeout : 0),
        real_pselect()(count, readable, writable, exceptional, timeout, signals));
  }
  const struct timespec none = {0, 0};
  int result = WAIT_IN_SCOPE(
      scope, files_of(&s), rch_limit_of(timeout), select_again(&s, &none), select_again(&s, 0));
  int error = errno;
  free(s.copies);
  free(s.files);
  errno = error;
  return result;
}

OVERRIDE int select(
    int count, fd_set *readable, fd_set *writable, fd_set *exceptional, struct timeval *timeout) {
  bool is_valid = !timeout || (timeout->tv_sec >= 0 && timeout->tv_usec >= 0);
  uint32_t scope = is_valid ? rch_may_wait() : 0;
  struct timespec duration = {0};
  if (timeout && is_valid)
    duration = (struct timespec){
        timeout->tv_sec + timeout->tv_usec / 1000000, timeout->tv_usec % 1000000 * 1000};
  if (!scope)
    return WAIT_FOR_FILES(
        timeout ? rch_nanoseconds(&duration) : rch_never,
        real_select()(count, readable, writable, exceptional, timeout));
  if (!timeout) return pselect(count, readable, writable, exceptional, 0, 0);
  int64_t deadline = rch_deadline_after(scope, rch_nanoseconds(&duration));
  int result = pselect(count, readable, writable, exceptional, &duration, 0);
  // Linux tells how much was left.
  int64_t rest = deadline == rch_never ? deadline : deadline - rch_now(scope);
  if (rest < 0) rest = 0;
  *timeout = (struct timeval){rest / 1000000000, rest % 1000000000 / 1000};
  return result;
}

#endif
