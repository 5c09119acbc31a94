#if defined(__linux__)

#include "Network/Network.h"
#include "SharedThreads/SharedThreads.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <string.h>

// Connections of a scope to servers outside of it, of other processes or of this one: time moves
// while an answer is under way.

/// An address of either family.
typedef union {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
} address;

static bool is_of_internet(const address *a) {
  return a->any.sa_family == AF_INET || a->any.sa_family == AF_INET6;
}

static uint16_t port_of(const address *a) {
  return ntohs(a->any.sa_family == AF_INET ? a->v4.sin_port : a->v6.sin6_port);
}

static bool have_same_host(const address *a, const address *b) {
  if (a->any.sa_family != b->any.sa_family) return false;
  return a->any.sa_family == AF_INET
             ? a->v4.sin_addr.s_addr == b->v4.sin_addr.s_addr
             : memcmp(&a->v6.sin6_addr, &b->v6.sin6_addr, sizeof a->v6.sin6_addr) == 0;
}

static bool get_local(int file, address *local) {
  socklen_t size = sizeof *local;
  return getsockname(file, &local->any, &size) == 0 && is_of_internet(local);
}

/// The scope in which this process has listened last at each port, `cvt_outside`, or 0 if it never
/// has.
static _Atomic uint32_t ports[1 << 16];

// A socket of a scope sends at once. Otherwise the kernel keeps a small packet until the other end
// has acknowledged the one before, which takes up to 40 ms of real time, and time would move
// meanwhile. An accepted socket has the option of the one that listens. And it may be bound to a
// port that the scope keeps (KeptPorts.c).
OVERRIDE int socket(int domain, int type, int protocol) {
  int result;
  if (rch_network_socket(domain, type, protocol, &result)) return result;
  bool is_of_internet = domain == AF_INET || domain == AF_INET6;
  result = real_socket()(domain, is_of_internet ? type | rch_flags_of_sockets() : type, protocol);
  if (!is_of_internet) return result;
  result = rch_renumber(result);
  rch_has_sockets();
  int error = errno;
  // It fails for sockets that are not TCP.
  if (result >= 0 && rch_scope_here() &&
      setsockopt(result, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int)) == 0)
    setsockopt(result, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
  errno = error;
  return result;
}

OVERRIDE int listen(int file, int backlog) {
  uint32_t scope = rch_scope_here();
  int result;
  if (rch_network_listen(file, backlog, &result)) return result;
  result = real_listen()(file, backlog);
  address local;
  if (result == 0 && get_local(file, &local))
    atomic_store(&ports[port_of(&local)], scope ? scope : cvt_outside);
  return result;
}

/// Finds the owner of the server to which a connection has begun.
static rch_server server_of(uint32_t scope, int file, const address *peer) {
  int type = 0;
  socklen_t size = sizeof type;
  if (getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &size) || type != SOCK_STREAM)
    return rch_no_server;
  struct pollfd answer = {file, POLLOUT, 0};
  // It has been refused.
  if (real_poll()(&answer, 1, 0) > 0 && answer.revents & (POLLERR | POLLHUP)) return rch_no_server;
  address local;
  bool is_on_this_host = get_local(file, &local) && have_same_host(&local, peer);
  uint32_t owner = is_on_this_host ? atomic_load(&ports[port_of(peer)]) : 0;
  if (!owner) return rch_server_of_others;
  // The scope may have the event loops on which it runs.
  bool is_ours = owner == scope || (owner == cvt_outside && rch_taker() == scope);
  return is_ours ? rch_no_server : rch_server_of_process;
}

static void tell_engine(uint32_t scope, rch_server server, const address *peer) {
  bool is_v4 = peer->any.sa_family == AF_INET;
  char host[INET6_ADDRSTRLEN] = "?";
  inet_ntop(
      peer->any.sa_family, is_v4 ? (const void *)&peer->v4.sin_addr : &peer->v6.sin6_addr, host,
      sizeof host);
  rch_tell_of_server(scope, server, is_v4 ? "%s:%d" : "[%s]:%d", host, port_of(peer));
}

OVERRIDE int connect(int file, const struct sockaddr *peer, socklen_t size) {
  uint32_t scope = rch_scope_here();
  int result;
  if (rch_network_connect(file, peer, size, &result)) return result;
  result = real_connect()(file, peer, size);
  int error = errno;
  address copy = {0};
  if (scope && peer && size <= sizeof copy && (result == 0 || error == EINPROGRESS)) {
    memcpy(&copy, peer, size);
    rch_server server = is_of_internet(&copy) ? server_of(scope, file, &copy) : rch_no_server;
    if (server) tell_engine(scope, server, &copy);
  }
  errno = error;
  return result;
}

#endif
