#if defined(__linux__)

#include "Network/Network.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// The networks of scopes, and the hosts in them. The host with the number n has the address n of
// 10.0.0.0/8, and of fd00::/64.

static rch_network *networks[cvt_max_scopes];

rch_network *rch_network_of(uint32_t scope) {
  rch_network *n = scope > cvt_outside ? networks[scope % cvt_max_scopes] : 0;
  return n && n->scope == scope ? n : 0;
}

rch_network *rch_network_here(void) {
  if (!cvt_any_networks()) return 0;
  return rch_network_of(rch_scope_here());
}

rch_network *rch_network_known(void) {
  uint32_t scope = cvt_any_networks() ? cvt_current_scope() : 0;
  return rch_is_reached(scope) ? rch_network_of(scope) : 0;
}

// MARK: Beginning and end

/// Binds a socket to a name that the kernel makes, and listens there.
static bool open_door(rch_network *n) {
  n->door = real_socket()(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  n->door_name.sun_family = AF_UNIX;
  n->door_size = sizeof n->door_name;
  return n->door >= 0 &&
         !real_bind()(n->door, (void *)&n->door_name, sizeof n->door_name.sun_family) &&
         !real_listen()(n->door, 1) &&
         !real_getsockname()(n->door, (void *)&n->door_name, &n->door_size) &&
         rch_cookie_of(n->door);
}

static void close_files(rch_network *n) {
  if (n->door >= 0) close(n->door);
  if (n->epoll >= 0) close(n->epoll);
}

rch_network_begin rch_begin_network(void) {
  uint32_t scope = rch_scope_here();
  bool is_real = cvt_current_scope() > cvt_outside && !rch_is_reached(cvt_current_scope());
  if (!scope) return is_real ? rch_network_has_real_threads : rch_network_has_no_scope;
  if (rch_network_of(scope)) return rch_network_exists;
  rch_network *n = NEW(rch_network, .scope = scope, .epoll = real_epoll_create1()(EPOLL_CLOEXEC));
  TAILQ_INIT(&n->connections);
  TAILQ_INIT(&n->closed);
  TAILQ_INIT(&n->trains);
  if (!open_door(n) || n->epoll < 0) {
    close_files(n);
    free(n);
    return rch_network_has_no_sockets;
  }
  n->file = (struct pollfd){n->epoll, POLLIN, 0};
  // After all others: what they send can be read at once.
  n->wait = (rch_file_wait){
      .scope = scope, .order = INT64_MAX, .files = {&n->file, 1, false}, .become_ready = rch_relay};
  pthread_mutex_lock(&rch_lock);
  rch_begin_file_wait(&n->wait);
  networks[scope % cvt_max_scopes] = n;
  pthread_mutex_unlock(&rch_lock);
  atomic_fetch_add(&cvt_networks, 1);
  return rch_network_began;
}

static void end_network(uint32_t scope) {
  rch_network *n = rch_network_of(scope);
  if (!n) return;
  pthread_mutex_lock(&rch_lock);
  networks[scope % cvt_max_scopes] = 0;
  rch_end_file_wait(&n->wait);
  for (rch_connection *c; (c = TAILQ_FIRST(&n->connections));) rch_close_connection(c, true);
  for (rch_connection *c; (c = TAILQ_FIRST(&n->closed));) {
    rch_forget_unaccepted(c);
    // A timer that is about to run has been dropped with the scope.
    TAILQ_REMOVE(&n->closed, c, in_connections);
    free(c);
  }
  rch_forget_datagrams(n);
  rch_end_notes(n);
  for (int i = 0; i < rch_link_slots; i++)
    for (rch_link_state *l; (l = LIST_FIRST(&n->links[i]));) {
      LIST_REMOVE(l, in_slot);
      free(l);
    }
  rch_forget_names(n);
  pthread_mutex_unlock(&rch_lock);
  cvt_forget_lives(scope, n->life_count);
  close_files(n);
  for (int i = 1; i <= n->host_count; i++) free(n->hosts[i].name);
  free(n->hosts);
  free(n->lives);
  free(n);
  atomic_fetch_sub(&cvt_networks, 1);
}

ADD(at_end[rch_ends_network], end_network)

// MARK: Hosts

uint16_t rch_host_of(const rch_network *n, uint16_t life) {
  return life && life <= n->life_count ? n->lives[life] : 0;
}

/// Makes room for one more, from the number 1 on.
static void *grow(void *array, uint16_t count, size_t size) {
  bool is_full = count == 0 || ((count + 1) & count) == 0;
  array = is_full ? realloc(array, 2 * (count + 1u) * size) : array;
  if (!array) abort();
  return array;
}

bool rch_may_begin_life(const rch_network *n) { return n->life_count < UINT16_MAX; }

void rch_record(const rch_network *n, rch_host_event event) {
  if (event.host) event.name = n->hosts[event.host].name;
  if (event.other) event.other_name = n->hosts[event.other].name;
  rch_the_engine.record(n->scope, event);
}

void rch_begin_life(rch_network *n, uint16_t host, rch_host_event_kind beginning) {
  n->lives = grow(n->lives, n->life_count, sizeof *n->lives);
  n->lives[++n->life_count] = host;
  cvt_hand_on_suspended_time(n->scope, n->hosts[host].life, n->life_count, rch_time_of(n->scope));
  n->hosts[host].life = n->life_count;
  n->hosts[host].has_test_code = false;
  cvt_skew skew = n->hosts[host].skew;
  if (skew.ahead || skew.drift != 0) cvt_set_skew(n->scope, n->life_count, skew);
  rch_record(n, (rch_host_event){beginning, host, .amount = n->life_count, .sent_at = -1});
}

rch_host *rch_host_with(rch_network *n, uint16_t number) {
  return n && number && number <= n->host_count ? &n->hosts[number] : 0;
}

static uint16_t find_host(const rch_network *n, const char *name) {
  uint16_t host = n->host_count;
  while (host && strcasecmp(n->hosts[host].name, name)) host--;
  return host;
}

uint16_t rch_find_host(const char *name) {
  const rch_network *n = rch_network_here();
  return n ? UNDER_LOCK(find_host(n, name)) : 0;
}

uint16_t rch_add_host(const char *name) {
  enum { most = 1 << 15 };
  rch_network *n = rch_network_here();
  if (!n || n->host_count == most || !rch_may_begin_life(n)) return 0;
  pthread_mutex_lock(&rch_lock);
  n->hosts = grow(n->hosts, n->host_count, sizeof *n->hosts);
  uint16_t number = ++n->host_count;
  n->hosts[number] = (rch_host){.name = strdup(name)};
  if (!n->hosts[number].name) abort();
  rch_begin_life(n, number, rch_joins);
  pthread_mutex_unlock(&rch_lock);
  return number;
}

const char *rch_host_name(uint16_t host) {
  const rch_host *h = rch_host_with(rch_network_here(), host);
  return h ? h->name : 0;
}

uint32_t rch_scope_of_network(void) {
  const rch_network *n = rch_network_here();
  return n ? n->scope : 0;
}

uint16_t rch_life_of_host(uint16_t host) {
  const rch_host *h = rch_host_with(rch_network_here(), host);
  return h ? h->life : 0;
}

void rch_note_test_code(uint16_t host) {
  rch_host *h = rch_host_with(rch_network_here(), host);
  if (h) UNDER_LOCK(h->has_test_code = true);
}

uint16_t rch_current_host(void) {
  const rch_network *n = rch_network_here();
  return n ? UNDER_LOCK(rch_host_of(n, cvt_current_life())) : 0;
}

void **rch_session_of_host(void) {
  rch_network *n = rch_network_known();
  uint16_t host = n ? rch_host_of(n, cvt_current_life()) : 0;
  return host ? &n->hosts[host].session : 0;
}

void **rch_record_of_host(uint16_t host) {
  rch_host *h = rch_host_with(rch_network_here(), host);
  return h ? &h->record : 0;
}

void *rch_take_object(uint32_t scope) {
  rch_network *n = rch_network_of(scope);
  for (int i = 1; n && i <= n->host_count; i++) {
    rch_host *h = &n->hosts[i];
    void **place = h->session ? &h->session : &h->record, *object = *place;
    *place = 0;
    if (object) return object;
  }
  return 0;
}

// MARK: Addresses

static const uint32_t first_address = 10u << 24;

/// The host at an address of IPv4, in the order of this machine.
static uint16_t host_at(uint32_t address) {
  uint32_t number = address - first_address;
  return number && number < rch_nowhere ? (uint16_t)number : rch_nowhere;
}

bool rch_parse(
    const struct sockaddr *address, socklen_t size, uint16_t here, rch_endpoint *e) {
  *e = (rch_endpoint){0};
  uint32_t v4 = 0;
  if (address->sa_family == AF_INET && size >= sizeof(struct sockaddr_in)) {
    const struct sockaddr_in *a = (const void *)address;
    v4 = ntohl(a->sin_addr.s_addr);
    e->port = ntohs(a->sin_port);
  } else if (address->sa_family == AF_INET6 && size >= sizeof(struct sockaddr_in6)) {
    const struct sockaddr_in6 *a = (const void *)address;
    const uint8_t *bytes = a->sin6_addr.s6_addr;
    static const uint8_t net[14] = {0xfd};
    e->port = ntohs(a->sin6_port);
    e->is_v6 = !IN6_IS_ADDR_V4MAPPED(&a->sin6_addr);
    uint16_t number = (uint16_t)(bytes[14] << 8 | bytes[15]);
    if (!e->is_v6)
      v4 = (uint32_t)(bytes[12] << 24 | bytes[13] << 16 | number);
    else if (IN6_IS_ADDR_LOOPBACK(&a->sin6_addr))
      e->is_loopback = true;
    else if (!IN6_IS_ADDR_UNSPECIFIED(&a->sin6_addr))
      e->host = number && !memcmp(bytes, net, sizeof net) ? number : rch_nowhere;
  } else {
    return false;
  }
  if (!e->is_v6) {
    e->is_loopback = v4 >> 24 == 127;
    if (v4 && !e->is_loopback) e->host = host_at(v4);
  }
  if (e->is_loopback) e->host = here;
  return true;
}

static uint32_t v4_of(rch_endpoint e) {
  return e.is_loopback ? INADDR_LOOPBACK : e.host ? first_address + e.host : INADDR_ANY;
}

void rch_show(rch_endpoint e, int family, struct sockaddr *address, socklen_t *size) {
  struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(e.port)};
  struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(e.port)};
  uint8_t *bytes = v6.sin6_addr.s6_addr;
  v4.sin_addr.s_addr = htonl(v4_of(e));
  if (!e.is_v6 && e.host) {
    bytes[10] = bytes[11] = 0xff;
    memcpy(bytes + 12, &v4.sin_addr, 4);
  } else if (e.is_loopback) {
    v6.sin6_addr = in6addr_loopback;
  } else if (e.host) {
    bytes[0] = 0xfd;
    bytes[14] = (uint8_t)(e.host >> 8);
    bytes[15] = (uint8_t)e.host;
  }
  const void *shown = family == AF_INET ? (const void *)&v4 : &v6;
  socklen_t length = family == AF_INET ? sizeof v4 : sizeof v6;
  memcpy(address, shown, *size < length ? *size : length);
  *size = length;
}

#else

#include "CReach.h"

rch_network_begin rch_begin_network(void) { return rch_network_has_real_threads; }
uint16_t rch_add_host(const char *name) { return 0; }
void rch_set_name_server(rch_name_server server) {}
rch_name_server rch_the_name_server(void) { return (rch_name_server){0}; }
void rch_set_name(const char *name, uint16_t host) {}
uint16_t rch_find_host(const char *name) { return 0; }
const char *rch_host_name(uint16_t host) { return 0; }
uint32_t rch_scope_of_network(void) { return 0; }
uint16_t rch_life_of_host(uint16_t host) { return 0; }
void rch_note_test_code(uint16_t host) {}
uint16_t rch_current_host(void) { return 0; }
void **rch_record_of_host(uint16_t host) { return 0; }
void rch_set_link(uint16_t from, uint16_t to, rch_link_quality quality) {}
rch_link_quality rch_link(uint16_t from, uint16_t to) { return (rch_link_quality){0}; }
void rch_cut_link(uint16_t from, uint16_t to, bool is_cut) {}
bool rch_link_is_cut(uint16_t from, uint16_t to) { return false; }
size_t rch_reset_connections(uint16_t one, uint16_t other) { return 0; }
bool rch_crash_host(uint16_t host, bool loses_power) { return false; }
bool rch_end_paused_hosts(uint32_t scope) { return false; }
bool rch_end_hosts(uint32_t scope, bool all) { return false; }
bool rch_restart_host(uint16_t host) { return false; }
void rch_set_activity(uint16_t host, rch_host_activity activity) {}
void rch_set_clock(uint16_t host, int64_t ahead, double drift) {}
int64_t rch_clock_ahead(uint16_t host) { return 0; }
double rch_clock_drift(uint16_t host) { return 0; }
cvt_life_state rch_state_of_host(uint16_t host) { return cvt_life_runs; }

#endif
