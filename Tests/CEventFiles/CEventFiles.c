#if defined(__linux__)

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CEventFiles.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int32_t make_epoll(void) { return epoll_create1(EPOLL_CLOEXEC); }

int32_t add_to_epoll(int32_t epoll, int32_t file) {
  struct epoll_event event = {EPOLLIN, {.fd = file}};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, file, &event);
}

int32_t wait_for_epoll(int32_t epoll, int32_t milliseconds, int32_t *ready) {
  struct epoll_event events[16];
  int count = epoll_wait(epoll, events, 16, milliseconds);
  for (int i = 0; i < count; i++) ready[i] = events[i].data.fd;
  return count;
}

int32_t make_eventfd(bool is_semaphore) {
  return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | (is_semaphore ? EFD_SEMAPHORE : 0));
}

void write_eventfd(int32_t file, uint64_t value) { eventfd_write(file, value); }

int32_t make_timerfd(int32_t clock) { return timerfd_create(clock, TFD_CLOEXEC | TFD_NONBLOCK); }

static struct timespec timespec_of(int64_t nanoseconds) {
  return (struct timespec){nanoseconds / 1000000000, nanoseconds % 1000000000};
}

static void store(const struct itimerspec *from, int64_t *to) {
  to[0] = from->it_value.tv_sec * 1000000000 + from->it_value.tv_nsec;
  to[1] = from->it_interval.tv_sec * 1000000000 + from->it_interval.tv_nsec;
}

int32_t set_timerfd(
    int32_t file, bool is_absolute, int64_t value, int64_t interval, int64_t *old) {
  const struct itimerspec new = {timespec_of(interval), timespec_of(value)};
  struct itimerspec former;
  if (timerfd_settime(file, is_absolute ? TFD_TIMER_ABSTIME : 0, &new, &former)) return errno;
  store(&former, old);
  return 0;
}

void get_timerfd(int32_t file, int64_t *rest) {
  struct itimerspec value;
  timerfd_gettime(file, &value);
  store(&value, rest);
}

/// A set of more files than `fd_set` has.
typedef struct {
  fd_set parts[64];
} large_set;

static int32_t wait_for(
    int32_t way, int32_t file, bool writes, int64_t nanoseconds, int64_t *rest,
    const sigset_t *signals) {
  struct pollfd one = {file, writes ? POLLOUT : POLLIN, 0};
  large_set set = {0};
  if (file >= 0) FD_SET(file % FD_SETSIZE, &set.parts[file / FD_SETSIZE]);
  fd_set *readable = writes ? 0 : &set.parts[0], *writable = writes ? &set.parts[0] : 0;
  bool ends = nanoseconds >= 0;
  struct timespec timeout = timespec_of(nanoseconds);
  struct timeval part = {timeout.tv_sec, timeout.tv_nsec / 1000};
  int result = -1;
  switch (way) {
    case with_poll: result = poll(&one, 1, ends ? (int)(nanoseconds / 1000000) : -1); break;
    case with_ppoll: result = ppoll(&one, 1, ends ? &timeout : 0, signals); break;
    case with_select:
      result = select(file + 1, readable, writable, 0, ends ? &part : 0);
      *rest = part.tv_sec * 1000000000 + part.tv_usec * 1000;
      break;
    case with_pselect:
      result = pselect(file + 1, readable, writable, 0, ends ? &timeout : 0, signals);
  }
  if (result < 0) return -errno;
  bool is_set = way < with_select
                    ? one.revents & (one.events | POLLNVAL)
                    : file >= 0 && FD_ISSET(file % FD_SETSIZE, &set.parts[file / FD_SETSIZE]);
  return is_set == (result > 0) ? result : -1000;
}

int32_t wait_for_file(
    int32_t way, int32_t file, bool writes, int64_t nanoseconds, int64_t *rest) {
  return wait_for(way, file, writes, nanoseconds, rest, 0);
}

int32_t wait_with_all_signals(int32_t way, int32_t file) {
  sigset_t none;
  sigemptyset(&none);
  return wait_for(way, file, false, -1, 0, &none);
}

struct posix_locks {
  sem_t semaphore;
  pthread_mutex_t mutex;
};

posix_locks *make_posix_locks(void) {
  posix_locks *locks = malloc(sizeof *locks);
  sem_init(&locks->semaphore, 0, 0);
  pthread_mutex_init(&locks->mutex, 0);
  return locks;
}

void free_posix_locks(posix_locks *locks) {
  sem_destroy(&locks->semaphore);
  pthread_mutex_destroy(&locks->mutex);
  free(locks);
}

static struct timespec after(clockid_t clock, int64_t nanoseconds) {
  struct timespec now;
  clock_gettime(clock, &now);
  return timespec_of(now.tv_sec * 1000000000 + now.tv_nsec + nanoseconds);
}

int32_t wait_for_posix_semaphore(posix_locks *locks, int64_t nanoseconds, bool has_clock) {
  sem_t *s = &locks->semaphore;
  const struct timespec t = after(has_clock ? CLOCK_MONOTONIC : CLOCK_REALTIME, nanoseconds);
  int error = nanoseconds < 0 ? sem_wait(s)
              : has_clock     ? sem_clockwait(s, CLOCK_MONOTONIC, &t)
                              : sem_timedwait(s, &t);
  return error ? errno : 0;
}

void post_posix_semaphore(posix_locks *locks) { sem_post(&locks->semaphore); }

int32_t lock_posix_mutex(posix_locks *locks, int64_t nanoseconds, bool has_clock) {
  pthread_mutex_t *m = &locks->mutex;
  const struct timespec t = after(has_clock ? CLOCK_MONOTONIC : CLOCK_REALTIME, nanoseconds);
  return nanoseconds < 0 ? pthread_mutex_lock(m)
         : has_clock     ? pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &t)
                         : pthread_mutex_timedlock(m, &t);
}

void unlock_posix_mutex(posix_locks *locks) { pthread_mutex_unlock(&locks->mutex); }

extern pthread_mutex_t rch_lock;

void with_lock_of_overrides(void (*call)(void *), void *context) {
  pthread_mutex_lock(&rch_lock);
  call(context);
  pthread_mutex_unlock(&rch_lock);
}

int32_t listen_unseen(int32_t socket) { return (int32_t)syscall(SYS_listen, socket, 16); }

enum { most_datagrams = 128 };

int32_t send_several(int32_t file, const void *address, uint32_t size, int32_t count) {
  struct mmsghdr messages[most_datagrams] = {0};
  struct iovec parts[most_datagrams];
  char bytes[most_datagrams];
  for (int i = 0; i < count; i++) {
    bytes[i] = (char)('a' + i);
    parts[i] = (struct iovec){&bytes[i], 1};
    messages[i].msg_hdr = (struct msghdr){(void *)address, size, &parts[i], 1, 0, 0, 0};
  }
  return sendmmsg(file, messages, (unsigned)count, 0);
}

int32_t receive_several(int32_t file, int32_t count, char *bytes, uint16_t *ports) {
  struct mmsghdr messages[most_datagrams] = {0};
  struct iovec parts[most_datagrams];
  struct sockaddr_in senders[most_datagrams] = {0};
  for (int i = 0; i < count; i++) {
    parts[i] = (struct iovec){&bytes[i], 1};
    messages[i].msg_hdr =
        (struct msghdr){&senders[i], sizeof senders[i], &parts[i], 1, 0, 0, 0};
  }
  int received = recvmmsg(file, messages, (unsigned)count, 0, 0);
  for (int i = 0; i < received; i++) ports[i] = ntohs(senders[i].sin_port);
  return received;
}

void name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

#endif
