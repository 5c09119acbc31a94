#include "CEpoll.h"

#include <sys/epoll.h>

const uint32_t edges = EPOLLET, once = EPOLLONESHOT;

int make_epoll(int file, uint32_t mode) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | mode, {.fd = file}};
  epoll_ctl(epoll, EPOLL_CTL_ADD, file, &event);
  return epoll;
}

int next_events(int epoll) {
  struct epoll_event event;
  return epoll_wait(epoll, &event, 1, 0) > 0 ? (int)event.events : 0;
}
