#if defined(__linux__)

#include "Files/Files.h"

#include <netinet/in.h>

// Ports that the system has chosen for servers of a scope. When such a server closes, the system
// could give its port to the next server of the process, that of another scope: whoever asks a
// server that is down, or begins it again, would meet the other one. So a second socket is bound to
// the port, which does not listen, until the scope ends.
//
// Linux binds several sockets to a port if all have SO_REUSEADDR and none of them listens. So each
// TCP socket of a scope has it (Connections.c).

enum { most = 16 };

/// The last sockets of each scope that keep a port, by its place in the engine's tables: their
/// numbers and 1, or 0.
static _Atomic int kept[cvt_max_scopes][most];
/// How many ports each scope has kept.
static _Atomic unsigned counts[cvt_max_scopes];

/// Puts another socket at a place, or none, and closes the one that was there.
static void release(_Atomic int *place, int next) {
  int last = atomic_exchange(place, next);
  if (last) close(last - 1);
}

/// Whether a name leaves the choice of the port to the system.
static bool has_no_port(const struct sockaddr *name, socklen_t size) {
  if (name->sa_family == AF_INET)
    return size >= sizeof(struct sockaddr_in) && !((const struct sockaddr_in *)name)->sin_port;
  return name->sa_family == AF_INET6 && size >= sizeof(struct sockaddr_in6) &&
         !((const struct sockaddr_in6 *)name)->sin6_port;
}

/// The option of a socket, or -1.
static int option(int file, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  return getsockopt(file, level, name, &value, &size) ? -1 : value;
}

static void keep_port(uint32_t scope, int file) {
  struct sockaddr_storage name;
  socklen_t size = sizeof name;
  if (option(file, SOL_SOCKET, SO_TYPE) != SOCK_STREAM) return;
  if (getsockname(file, (void *)&name, &size)) return;
  int keeper = real_socket()(name.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (keeper < 0) return;
  setsockopt(keeper, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
  int only_v6 = name.ss_family == AF_INET6 ? option(file, IPPROTO_IPV6, IPV6_V6ONLY) : -1;
  if (only_v6 >= 0) setsockopt(keeper, IPPROTO_IPV6, IPV6_V6ONLY, &only_v6, sizeof only_v6);
  if (real_bind()(keeper, (void *)&name, size)) {
    close(keeper);
    return;
  }
  unsigned place = scope % cvt_max_scopes;
  release(&kept[place][atomic_fetch_add(&counts[place], 1) % most], keeper + 1);
}

int rch_bind(int file, const struct sockaddr *name, socklen_t size) {
  int result = real_bind()(file, name, size);
  uint32_t scope = result == 0 && has_no_port(name, size) ? rch_scope_here() : 0;
  int error = errno;
  if (scope) keep_port(scope, file);
  errno = error;
  return result;
}

static void release_ports(uint32_t scope) {
  unsigned place = scope % cvt_max_scopes;
  if (atomic_exchange(&counts[place], 0) == 0) return;
  for (int i = 0; i < most; i++) release(&kept[place][i], 0);
}

ADD(at_end[rch_releases_ports], release_ports)

#endif
