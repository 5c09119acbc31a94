#if defined(__linux__)

#include "DispatchSources/Sources.h"
#include "Network/Network.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>

// Sources of files. The file is asked as those of threads are, unless a handler has been submitted
// and has not returned: as with libdispatch, a handler that leaves the file ready is called again.
//
// They wait behind all threads, in the order in which they were made.

bool rch_is_file_type(const void *type) {
  return type == _dispatch_source_type_read || type == _dispatch_source_type_write;
}

/// How many bytes can be read, or are still to be sent; 1 if that cannot be said, as of a socket
/// that listens.
static uintptr_t amount(const rch_source *s) {
  int result;
  bool is_read = s->type == _dispatch_source_type_read;
  return ioctl(s->file.fd, is_read ? FIONREAD : SIOCOUTQ, &result) == 0 ? (uintptr_t)result : 1;
}

// MARK: Handlers that do nothing

// `URLSession` keeps its write source while it waits for an answer, and so takes a whole processor
// in real time. In a scope, such a handler would be called again and again at one instant, which
// then never ends. So the write source of a TCP socket whose handler has sent nothing is asked
// again when time has moved.

/// How many bytes have ever been given to a TCP socket; -1 of other files. Under the lock.
static int64_t sent(const rch_source *s) {
  struct tcp_info info;
  socklen_t size = sizeof info;
  int waiting;
  int file = s->file.fd;
  if (s->type != _dispatch_source_type_write || ioctl(file, SIOCOUTQ, &waiting)) return -1;
  int64_t simulated = rch_simulated_bytes(file);
  if (simulated >= 0) return simulated + waiting;
  if (real_getsockopt()(file, IPPROTO_TCP, TCP_INFO, &info, &size)) return -1;
  bool is_known = size >= offsetof(struct tcp_info, tcpi_bytes_received);
  return is_known ? (int64_t)info.tcpi_bytes_acked + waiting : -1;
}

void rch_file_handler_begins(rch_source *s) { s->sent = sent(s); }

void rch_file_handler_ends(rch_source *s) {
  s->wait.rests = s->sent >= 0 && sent(s) == s->sent;
  s->wait.rests_at = rch_time_of(s->alarm.scope);
}

// MARK: Asking

static rch_source *of_wait(rch_file_wait *wait) {
  return (rch_source *)((char *)wait - offsetof(rch_source, wait));
}

static bool become_ready(rch_file_wait *wait, const struct pollfd *answer) {
  rch_source *s = of_wait(wait);
  bool is_usable = answer->revents & s->file.events;
  // The other end is gone, or the file is closed.
  s->is_over = !is_usable;
  s->is_ready = !(answer->revents & POLLNVAL);
  s->pending = is_usable ? amount(s) : 0;
  rch_source_goes_on(s);
  return false;
}

void rch_prepare_file_source(rch_source *s) {
  static _Atomic int64_t next_order = rch_order_of_sources;
  short events = s->type == _dispatch_source_type_read ? POLLIN : POLLOUT;
  s->file = (struct pollfd){(int)s->handle, events, 0};
  s->wait = (rch_file_wait){
      .order = atomic_fetch_add(&next_order, 1),
      .files = {&s->file, 1, false},
      .become_ready = become_ready,
  };
}

void rch_forget_file(rch_source *s) {
  if (s->is_watched) rch_end_file_wait(&s->wait);
  s->is_watched = false;
}

void rch_watch_source(rch_source *s) {
  // Without a handler, a file that stays ready would be told without end.
  bool is_wanted = rch_is_file_type(s->type) && rch_has_handler(s, rch_event) && s->is_registered &&
                   !s->suspensions && !s->is_busy && !s->is_cancelled && !s->is_over &&
                   rch_is_reached(s->alarm.scope);
  if (is_wanted == s->is_watched) return;
  if (!is_wanted) return rch_forget_file(s);
  s->wait.scope = s->alarm.scope;
  rch_begin_file_wait(&s->wait);
  s->is_watched = true;
}

static void forget_files(uint32_t scope) {
  if (!rch_waits_for_files(scope)) return;
  pthread_mutex_lock(&rch_lock);
  for (rch_file_wait *w = rch_next_file_wait(scope, 0), *next; w; w = next) {
    next = rch_next_file_wait(scope, w);
    if (w->become_ready != become_ready) continue;
    rch_source *s = of_wait(w);
    rch_forget_file(s);
    // Another scope may have taken it over.
    rch_watch_source(s);
  }
  pthread_mutex_unlock(&rch_lock);
}

ADD(at_end[rch_forgets_files], forget_files)

#endif
