#if defined(__linux__)

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CEventFiles.h"

#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
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

extern pthread_mutex_t rch_lock;

void with_lock_of_overrides(void (*call)(void *), void *context) {
  pthread_mutex_lock(&rch_lock);
  call(context);
  pthread_mutex_unlock(&rch_lock);
}

int32_t listen_unseen(int32_t socket) { return (int32_t)syscall(SYS_listen, socket, 16); }

void name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

#endif
