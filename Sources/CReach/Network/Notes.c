#if defined(__linux__)

#include "Network/Network.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

// Notes of the sockets of hosts. A note stays when its socket is closed, which nobody
// tells: when their number has doubled, those of closed sockets are dropped. Those of UDP have a
// file each, so that there are fewer before.

enum { first_port = 49152, ports = (1 << 16) - first_port, first_udp_sweep = 128 };

uint64_t rch_cookie_of(int file) {
  uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  int error = errno;
  if (real_getsockopt()(file, SOL_SOCKET, SO_COOKIE, &cookie, &size)) cookie = 0;
  errno = error;
  return cookie;
}

/// Looks at all files for sockets that have other numbers now, and notes those that have none.
static void find_again(rch_network *n) {
  DIR *files = opendir("/proc/self/fd");
  for (struct dirent *entry; files && (entry = readdir(files));) {
    int file = atoi(entry->d_name);
    rch_note *o = entry->d_name[0] == '.' ? 0 : rch_note_with(n, rch_cookie_of(file));
    if (o && rch_cookie_of(o->file) != o->cookie) o->file = file;
  }
  if (files) closedir(files);
  rch_note *o;
  for (int i = 0; files && i < rch_note_slots; i++)
    LIST_FOREACH(o, &n->notes[i], in_slot)
      if (o->file >= 0 && rch_cookie_of(o->file) != o->cookie) o->file = -1;
}

/// Whether the other end of a connection says that no file is left for a socket.
static bool is_closed(const rch_note *o) {
  if (!o->pump) return false;
  struct pollfd end = {o->pump->connection->sides[o->pump->number].end, 0, 0};
  return end.fd < 0 || (real_poll()(&end, 1, 0) > 0 && end.revents & POLLHUP);
}

bool rch_is_open(rch_network *n, rch_note *o) {
  if (!o) return false;
  if (rch_cookie_of(o->file) == o->cookie) return true;
  // It is closed, or was duplicated.
  if (o->file < 0 || is_closed(o)) return false;
  find_again(n);
  return o->file >= 0;
}

rch_note *rch_note_with(rch_network *n, uint64_t cookie) {
  rch_note *o = LIST_FIRST(&n->notes[cookie % rch_note_slots]);
  while (o && o->cookie != cookie) o = LIST_NEXT(o, in_slot);
  return o;
}

rch_note *rch_note_of(rch_network *n, int file) { return rch_note_with(n, rch_cookie_of(file)); }

static void forget(rch_network *n, rch_note *o) {
  LIST_REMOVE(o, in_slot);
  if (o->is_bound) LIST_REMOVE(o, in_bound);
  if (o->udp) {
    rch_free_udp(o->udp);
    n->udp_count--;
  }
  free(o);
  n->note_count--;
}

void rch_sweep_notes(rch_network *n) {
  find_again(n);
  for (int i = 0; i < rch_note_slots; i++)
    for (rch_note *o = LIST_FIRST(&n->notes[i]), *next; o; o = next) {
      next = LIST_NEXT(o, in_slot);
      if (!o->pump && rch_cookie_of(o->file) != o->cookie) forget(n, o);
    }
  n->next_sweep = 2 * n->note_count + rch_note_slots;
  n->next_udp_sweep = 2 * n->udp_count + first_udp_sweep;
}

rch_note *rch_make_note(rch_network *n, int file, int family, uint16_t life) {
  if (n->note_count >= n->next_sweep || n->udp_count >= n->next_udp_sweep) rch_sweep_notes(n);
  rch_note *o = NEW(
      rch_note, .cookie = rch_cookie_of(file), .file = file, .family = family, .life = life,
      .keep_idle = 7200, .keep_interval = 75, .keep_count = 9);
  LIST_INSERT_HEAD(&n->notes[o->cookie % rch_note_slots], o, in_slot);
  n->note_count++;
  return o;
}

/// How event loops watch the sockets, if hosts of the scope may use loops of others, or null.
static rch_watch *find_watches(const rch_network *n) {
  return rch_may_use_loops_of_others(n->scope) ? rch_find_watches() : 0;
}

void rch_end_notes(rch_network *n) {
  rch_sweep_notes(n);
  rch_watch *watches = find_watches(n);
  for (int i = 0; i < rch_note_slots; i++)
    for (rch_note *o; (o = LIST_FIRST(&n->notes[i])); forget(n, o)) {
      if (rch_cookie_of(o->file) != o->cookie) continue;
      if (rch_is_in_loop_of_other(watches, n->scope, o->life, o->file))
        rch_end_socket(watches, n->scope, o->life, o->file);
      // Or a thread that waits for clients would wait for ever, in real time. An event loop does
      // not wait there, and may take the end of a listening socket for an error of its own.
      else if (o->listens && !(fcntl(o->file, F_GETFL) & O_NONBLOCK))
        real_shutdown()(o->file, SHUT_RDWR);
    }
  free(watches);
}

/// Closes the sockets of a life, as the kernel does when a process ends; under the lock.
static void close_sockets_of(rch_network *n, uint16_t life) {
  rch_watch *watches = find_watches(n);
  for (int i = 0; i < rch_note_slots; i++)
    for (rch_note *o = LIST_FIRST(&n->notes[i]), *next; o; o = next) {
      next = LIST_NEXT(o, in_slot);
      if (o->life != life) continue;
      while (rch_is_open(n, o)) rch_end_socket(watches, n->scope, life, o->file);
      // It has a file.
      if (o->udp) forget(n, o);
    }
  free(watches);
}

static void close_sockets(uint32_t scope, uint16_t life) {
  rch_network *n = rch_network_of(scope);
  if (n) UNDER_LOCK(close_sockets_of(n, life));
}

ADD(at_crash[rch_closes_sockets], close_sockets)

/// Whether both have an address in common.
static bool overlap(const rch_note *o, rch_endpoint local, bool only_v6) {
  rch_endpoint other = o->local;
  if (other.port != local.port) return false;
  // A socket of IPv6 without an address serves IPv4 as well, unless it does not want to.
  bool o_serves_both = other.is_v6 && !other.host && !o->only_v6;
  bool serves_both = local.is_v6 && !local.host && !only_v6;
  if (other.is_v6 != local.is_v6 && !o_serves_both && !serves_both) return false;
  return !other.host || !local.host || other.is_loopback == local.is_loopback;
}

/// The sockets that are bound to a port of a host, and others.
static struct rch_notes *bound_to(rch_network *n, uint16_t host, uint16_t port) {
  return &n->bound[(host * 31u + port) % rch_note_slots];
}

/// Whether an open socket of the same host is bound where this one would be.
static bool is_taken(rch_network *n, const rch_note *note, rch_endpoint local) {
  uint16_t host = rch_host_of(n, note->life);
  rch_note *o;
  LIST_FOREACH(o, bound_to(n, host, local.port), in_bound)
    if (rch_host_of(n, o->life) == host && !o->udp == !note->udp &&
        overlap(o, local, note->only_v6) && rch_is_open(n, o))
      return true;
  return false;
}

static rch_note *find_bound(rch_network *n, rch_endpoint e, bool is_udp) {
  rch_note *o;
  LIST_FOREACH(o, bound_to(n, e.host, e.port), in_bound)
    if ((is_udp ? o->udp != 0 : o->listens) && rch_host_of(n, o->life) == e.host &&
        overlap(o, e, true) && rch_is_open(n, o))
      break;
  return o;
}

rch_note *rch_listener_at(rch_network *n, rch_endpoint e) { return find_bound(n, e, false); }

rch_note *rch_receiver_at(rch_network *n, rch_endpoint e) { return find_bound(n, e, true); }

uint16_t rch_free_port(rch_network *n, const rch_note *o, rch_endpoint local) {
  rch_host *h = &n->hosts[rch_host_of(n, o->life)];
  for (int i = 0; i < ports; i++) {
    local.port = (uint16_t)(first_port + h->next_port);
    h->next_port = (uint16_t)((h->next_port + 1) % ports);
    if (!is_taken(n, o, local)) return local.port;
  }
  return 0;
}

int rch_bind_note(rch_network *n, rch_note *o, rch_endpoint local) {
  if (!local.port)
    local.port = rch_free_port(n, o, local);
  else if (is_taken(n, o, local))
    local.port = 0;
  if (!local.port) return EADDRINUSE;
  const sa_family_t family = AF_UNIX;
  o->name_size = sizeof o->name;
  if (!o->udp && (real_bind()(o->file, (const void *)&family, sizeof family) ||
                  real_getsockname()(o->file, (void *)&o->name, &o->name_size)))
    return errno;
  o->is_bound = true;
  o->local = local;
  LIST_INSERT_HEAD(bound_to(n, rch_host_of(n, o->life), local.port), o, in_bound);
  return 0;
}

#endif
