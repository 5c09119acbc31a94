#if defined(__linux__)

#include "Network/Network.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>
#include <strings.h>

// How code of a network finds a host by its name. A host asks the name server of the network and
// waits for its answer, as the C library does by default: it asks twice, and waits 5 s each time.
// Nothing is remembered. Code that belongs to no host is the test's, and knows all names at once.

static const int64_t patience = INT64_C(5000000000);
enum { attempts = 2 };

/// Lets the scope's time pass on this thread.
static void rest(int64_t duration) {
  const struct timespec time = rch_timespec(duration);
  if (duration > 0 && rch_may_wait()) nanosleep(&time, 0);
}

/// Asks the name server; returns whether it has answered.
static bool is_answered(void) {
  for (int left = attempts; left > 0; left--) {
    const rch_network *n = rch_network_here();
    if (!n) return true;
    rch_name_server server = UNDER_LOCK(n->name_server);
    // The answer to an earlier question will do.
    bool comes = !server.is_down && server.latency <= left * patience;
    rest(comes ? server.latency : patience);
    if (comes) return true;
  }
  return false;
}

/// Whether it is an address. A name has no colon.
static bool is_number(const char *node) {
  struct in_addr number;
  return inet_aton(node, &number) || strchr(node, ':');
}

/// Whether two names are the same. A point at the end says that a name is whole.
static bool is_same(const char *one, const char *other) {
  size_t size = strlen(one), length = strlen(other);
  if (size && one[size - 1] == '.') size--;
  if (length && other[length - 1] == '.') length--;
  return size == length && !strncasecmp(one, other, size);
}

/// The host that has a name now, or 0; under the lock.
static uint16_t find(const rch_network *n, const char *name) {
  const rch_name *other;
  LIST_FOREACH(other, &n->names, in_names)
    if (is_same(other->name, name)) return other->host;
  uint16_t host = n->host_count;
  while (host && !is_same(n->hosts[host].name, name)) host--;
  return host;
}

/// Resolves what needs no network. The C library reads files and has locks of its own, which all
/// scopes share: the thread keeps the baton, so that time stands.
static int resolve(
    const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  cvt_baton_keep();
  int error = real_getaddrinfo()(node, service, hints, result);
  cvt_baton_release();
  return error;
}

/// A host's name has its address of IPv4, and that of IPv6 for those who ask for that alone.
OVERRIDE int getaddrinfo(
    const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  if (!rch_network_here()) return real_getaddrinfo()(node, service, hints, result);
  bool wants_number = hints && hints->ai_flags & AI_NUMERICHOST;
  if (!node || wants_number || is_number(node) || is_same(node, "localhost"))
    return resolve(node, service, hints, result);
  bool is_host = cvt_current_life() != 0;
  if (is_host && !is_answered()) return EAI_AGAIN;
  const rch_network *n = rch_network_here();
  uint16_t host = n ? UNDER_LOCK(find(n, node)) : 0;
  // There is no other name for code of a host.
  if (!host && is_host) return EAI_NONAME;
  if (!host) return real_getaddrinfo()(node, service, hints, result);
  int family = hints && hints->ai_family == AF_INET6 ? AF_INET6 : AF_INET;
  union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
  } a;
  socklen_t size = sizeof a;
  rch_show((rch_endpoint){.host = host, .is_v6 = family == AF_INET6}, family, &a.any, &size);
  char text[INET6_ADDRSTRLEN];
  const void *bytes = family == AF_INET6 ? (const void *)&a.v6.sin6_addr : &a.v4.sin_addr;
  inet_ntop(family, bytes, text, sizeof text);
  int error = resolve(text, service, hints, result);
  if (!error && (*result)->ai_canonname) {
    free((*result)->ai_canonname);
    (*result)->ai_canonname = strdup(node);
  }
  return error;
}

// MARK: What tests do

void rch_set_name_server(rch_name_server server) {
  rch_network *n = rch_network_here();
  if (!n) return;
  pthread_mutex_lock(&rch_lock);
  if (server.is_down != n->name_server.is_down) {
    rch_host_event_kind kind = server.is_down ? rch_has_no_names : rch_has_names;
    rch_record(n, (rch_host_event){kind, .sent_at = -1});
  }
  n->name_server = server;
  pthread_mutex_unlock(&rch_lock);
}

rch_name_server rch_the_name_server(void) {
  const rch_network *n = rch_network_here();
  return n ? UNDER_LOCK(n->name_server) : (rch_name_server){0};
}

/// The entry of a name, which is made if there is none; under the lock.
static rch_name *entry_of(rch_network *n, const char *name) {
  rch_name *e;
  LIST_FOREACH(e, &n->names, in_names) if (is_same(e->name, name)) return e;
  e = NEW(rch_name, .name = strdup(name));
  if (!e->name) abort();
  LIST_INSERT_HEAD(&n->names, e, in_names);
  return e;
}

void rch_set_name(const char *name, uint16_t host) {
  rch_network *n = rch_network_here();
  if (n) UNDER_LOCK(entry_of(n, name)->host = host);
}

void rch_forget_names(rch_network *n) {
  for (rch_name *e; (e = LIST_FIRST(&n->names));) {
    LIST_REMOVE(e, in_names);
    free(e->name);
    free(e);
  }
}

#endif
