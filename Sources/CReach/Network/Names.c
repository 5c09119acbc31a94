#if defined(__linux__)

#include "Network/Network.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <string.h>

// The overrides of functions that name sockets and their addresses. Each does what the real one
// does, unless the socket is one of a simulated network.

bool rch_network_socket(int family, int type, int protocol, int *result) {
  rch_network *n = rch_network_here();
  uint16_t life = n && (family == AF_INET || family == AF_INET6) ? cvt_current_life() : 0;
  if (!life) return false;
  int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
  *result = -1;
  errno = EPROTONOSUPPORT;
  // A process that any test makes must not keep it open.
  if (kind == SOCK_STREAM && (protocol == 0 || protocol == IPPROTO_TCP)) {
    *result = rch_renumber(real_socket()(AF_UNIX, type | SOCK_CLOEXEC, 0));
    if (*result >= 0) UNDER_LOCK(rch_make_note(n, *result, family, life));
  } else if (kind == SOCK_DGRAM && (protocol == 0 || protocol == IPPROTO_UDP)) {
    *result = UNDER_LOCK(rch_make_udp(n, family, type, life));
  }
  return true;
}

/// The note of a socket, or null; under the lock.
static rch_note *note_of(int file) {
  rch_network *n = rch_network_known();
  return n ? rch_note_of(n, file) : 0;
}

/// Whether a socket is one of the network.
static bool is_simulated(int file) {
  return rch_network_here() && UNDER_LOCK(note_of(file) != 0);
}

/// Binds a socket of the network; its errno.
static int bind_here(int file, const struct sockaddr *address, socklen_t size) {
  rch_network *n = rch_network_known();
  rch_note *o = note_of(file);
  rch_endpoint local;
  if (!o) return EBADF;
  uint16_t host = rch_host_of(n, o->life);
  if (!address || size < sizeof(sa_family_t)) return EINVAL;
  if (address->sa_family != o->family) return EAFNOSUPPORT;
  if (!rch_parse(address, size, host, &local)) return EINVAL;
  if (o->is_bound || o->is_connecting || o->is_connected) return EINVAL;
  if (local.host && local.host != host) return EADDRNOTAVAIL;
  return rch_bind_note(n, o, local);
}

/// Returns as a function of the C library does.
static int result_of(int error) {
  if (error) errno = error;
  return error ? -1 : 0;
}

OVERRIDE int bind(int file, const struct sockaddr *address, socklen_t size) {
  if (!is_simulated(file)) return rch_bind(file, address, size);
  return result_of(UNDER_LOCK(bind_here(file, address, size)));
}

bool rch_network_listen(int file, int backlog, int *result) {
  if (!is_simulated(file)) return false;
  pthread_mutex_lock(&rch_lock);
  rch_note *o = note_of(file);
  int error = !o ? EBADF : o->udp ? EOPNOTSUPP : o->is_connecting || o->is_connected ? EINVAL : 0;
  if (!error && !o->is_bound)
    error = rch_bind_note(rch_network_known(), o, (rch_endpoint){.is_v6 = o->family == AF_INET6});
  if (!error && real_listen()(file, backlog)) error = errno;
  if (!error) {
    o->listens = true;
    o->backlog = backlog < 0 ? INT32_MAX : backlog;
  }
  pthread_mutex_unlock(&rch_lock);
  *result = result_of(error);
  return true;
}

// MARK: Accepting

static bool listens(int file) {
  const rch_note *o;
  return UNDER_LOCK((o = note_of(file)) && o->listens);
}

/// Notes the socket that was accepted, whose peer has this name.
static void note_accepted(int file, int listener, const struct sockaddr_un *peer, socklen_t size) {
  rch_network *n = rch_network_known();
  const rch_note *from = n ? rch_note_of(n, listener) : 0;
  rch_connection *c = from ? rch_accepted(n, peer, size) : 0;
  if (!c) return;
  rch_note *o = rch_make_note(n, file, from->family, from->life);
  o->keeps_alive = from->keeps_alive;
  o->keep_idle = from->keep_idle;
  o->keep_interval = from->keep_interval;
  o->keep_count = from->keep_count;
  o->user_timeout = from->user_timeout;
  c->sides[1].cookie = o->cookie;
  o->is_connected = o->is_told = true;
  o->is_over = c->is_closed;
  o->local = c->sides[1].at;
  o->peer = c->sides[0].at;
  o->pump = &c->pumps[1];
  rch_forget_unaccepted(c);
  rch_free_closed(n);
}

/// Whether a socket is connected, and its connection is not over.
static bool has_peer(const rch_note *o) { return o->is_connected && !o->is_over; }

/// Shows one of the addresses of a socket; its errno.
static int show_name(const rch_note *o, bool is_peer, struct sockaddr *address, socklen_t *size) {
  if (!o) return EBADF;
  if (!address || !size) return EFAULT;
  rch_endpoint e = is_peer ? o->peer : o->local;
  rch_show(e, o->family, address, size);
  return 0;
}

OVERRIDE int accept4(int file, struct sockaddr *address, socklen_t *size, int flags) {
  if (!is_simulated(file))
    return real_accept4()(file, address, size, flags | rch_flags_of_sockets());
  if (!listens(file)) return result_of(EINVAL);
  struct sockaddr_un peer = {0};
  socklen_t length = sizeof peer;
  const struct pollfd client = {file, POLLIN, 0};
  uint32_t scope = fcntl(file, F_GETFL) & O_NONBLOCK ? 0 : rch_may_wait();
  struct pollfd now = client;
  while (scope && real_poll()(&now, 1, 0) == 0)
    if (rch_wait_for_files(scope, (rch_files){&client, 1, false}, rch_never) != rch_woken) break;
  int result = real_accept4()(file, (void *)&peer, &length, flags | SOCK_CLOEXEC);
  if (result < 0) return result;
  UNDER_LOCK(note_accepted(result, file, &peer, length));
  if (address && size) UNDER_LOCK(show_name(note_of(result), true, address, size));
  return result;
}

OVERRIDE int accept(int file, struct sockaddr *address, socklen_t *size) {
  return accept4(file, address, size, 0);
}

// MARK: Addresses

OVERRIDE int getsockname(int file, struct sockaddr *address, socklen_t *size) {
  if (!is_simulated(file)) return real_getsockname()(file, address, size);
  return result_of(UNDER_LOCK(show_name(note_of(file), false, address, size)));
}

OVERRIDE int getpeername(int file, struct sockaddr *address, socklen_t *size) {
  if (!is_simulated(file)) return real_getpeername()(file, address, size);
  const rch_note *o;
  return result_of(UNDER_LOCK(
      (o = note_of(file)) && !has_peer(o) ? ENOTCONN : show_name(o, true, address, size)));
}

// MARK: Options

/// The place of an option that a socket has, or null.
static int *option_of(rch_note *o, int level, int name) {
  if (level == IPPROTO_IPV6 && name == IPV6_V6ONLY) return &o->only_v6;
  if (level == SOL_SOCKET && name == SO_KEEPALIVE) return &o->keeps_alive;
  if (level != IPPROTO_TCP) return 0;
  switch (name) {
    case TCP_KEEPIDLE: return &o->keep_idle;
    case TCP_KEEPINTVL: return &o->keep_interval;
    case TCP_KEEPCNT: return &o->keep_count;
    case TCP_USER_TIMEOUT: return &o->user_timeout;
    case TCP_NODELAY: return &o->no_delay;
    default: return 0;
  }
}

/// Whether a UDP socket may have an option: not those that cut datagrams into several, or make one
/// of several, nor those for groups of hosts.
static bool is_option_of_udp(int level, int name) {
  bool is_for_groups =
      (level == IPPROTO_IP && (name == IP_ADD_MEMBERSHIP || name == IP_ADD_SOURCE_MEMBERSHIP)) ||
      (level == IPPROTO_IPV6 && name == IPV6_JOIN_GROUP) ||
      (level != SOL_SOCKET && (name == MCAST_JOIN_GROUP || name == MCAST_JOIN_SOURCE_GROUP));
  return level != IPPROTO_UDP && !is_for_groups;
}

/// Notes what an option means here; returns whether the kernel need not know it.
static bool note_option(rch_note *o, int level, int name, const void *value, socklen_t size) {
  int *option = option_of(o, level, name);
  if (option && size >= sizeof(int)) *option = *(const int *)value;
  if (option && o->pump) rch_look_at_link(o->pump);
  if (level == SOL_SOCKET && name == SO_LINGER && size >= sizeof(struct linger)) {
    const struct linger *linger = value;
    o->lingers_not = linger->l_onoff && linger->l_linger == 0;
  }
  if (o->udp && level == SOL_SOCKET && name == SO_RCVBUF && size >= sizeof(int))
    rch_set_room(o->udp, *(const int *)value);
  if (o->udp && !is_option_of_udp(level, name)) return false;
  // While the client is not connected, its socket must stay full.
  bool makes_room = level == SOL_SOCKET && name == SO_SNDBUF && o->is_connecting;
  return makes_room || level != SOL_SOCKET || name == SO_REUSEPORT;
}

/// Whether TCP takes a value for one of the options that do something.
static bool is_valid(int level, int name, const void *value, socklen_t size) {
  if (level != IPPROTO_TCP || size < sizeof(int)) return true;
  int number = *(const int *)value;
  switch (name) {
    case TCP_KEEPIDLE:
    case TCP_KEEPINTVL: return 1 <= number && number <= 32767;
    case TCP_KEEPCNT: return 1 <= number && number <= 127;
    case TCP_USER_TIMEOUT: return number >= 0;
    default: return true;
  }
}

/// Other options of TCP and IP do nothing.
OVERRIDE int setsockopt(int file, int level, int name, const void *value, socklen_t size) {
  rch_note *o;
  bool is_known = false;
  if (value && is_simulated(file) && !is_valid(level, name, value, size)) return result_of(EINVAL);
  if (value && rch_network_here())
    is_known =
        UNDER_LOCK((o = note_of(file)) && note_option(o, level, name, value, size));
  return is_known ? 0 : real_setsockopt()(file, level, name, value, size);
}

/// An option of a socket of the network that the kernel does not tell, or has otherwise.
static bool find_option(int file, int level, int name, int *value) {
  rch_note *o = note_of(file);
  *value = 0;
  if (!o || (o->udp && level == IPPROTO_UDP)) return false;
  const int *option = option_of(o, level, name);
  if (option) *value = *option;
  if (option || level != SOL_SOCKET) return true;
  if (name == SO_DOMAIN) *value = o->family;
  if (name == SO_PROTOCOL) *value = o->udp ? IPPROTO_UDP : IPPROTO_TCP;
  if (name == SO_ERROR) *value = o->error;
  // The kernel's own error is none once it was told.
  if (name == SO_ERROR && *value) {
    socklen_t size = sizeof o->error;
    real_getsockopt()(file, SOL_SOCKET, SO_ERROR, &o->error, &size);
    o->error = 0;
  }
  return *value != 0;
}

OVERRIDE int getsockopt(int file, int level, int name, void *value, socklen_t *size) {
  int found;
  bool is_known = value && size && rch_network_here() &&
                  UNDER_LOCK(find_option(file, level, name, &found));
  if (!is_known) return real_getsockopt()(file, level, name, value, size);
  if (*size > sizeof found) *size = sizeof found;
  memcpy(value, &found, *size);
  return 0;
}

// MARK: Shutting down

/// Prepares what the kernel does next; its errno, or -1 if there is nothing left to do.
static int shut_down(int file, int how) {
  rch_note *o = note_of(file);
  if (!o) return EBADF;
  bool is_listening = o->listens;
  if (is_listening && how != SHUT_WR) o->listens = false;
  if (o->udp && how != SHUT_RD) o->has_ended = true;
  // It wakes those who receive, also if it fails.
  if (o->udp && !o->is_connected) real_shutdown()(file, how);
  if (o->udp) return o->is_connected ? 0 : ENOTCONN;
  if (is_listening) return 0;
  if (!has_peer(o)) return ENOTCONN;
  if (how != SHUT_RD) rch_add_marker(o);
  // TCP tells the other side nothing of it, and a Unix socket would.
  return how == SHUT_RD ? -1 : 0;
}

OVERRIDE int shutdown(int file, int how) {
  if (!is_simulated(file)) return real_shutdown()(file, how);
  int error = UNDER_LOCK(shut_down(file, how));
  if (error == 0) return real_shutdown()(file, how);
  return error < 0 ? 0 : result_of(error);
}

int64_t rch_simulated_bytes(int file) {
  const rch_note *o = note_of(file);
  return !o ? -1 : o->pump ? o->pump->sent : 0;
}

#endif
