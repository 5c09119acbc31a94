#if defined(__linux__)

#include "Network/Network.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

// How a connection begins. A handshake takes a round trip, and `connect` waits for it or says that
// it is under way. The client's socket is connected to the relay at once, and filled: nobody can
// write to it, and it is not ready for anything, as if the kernel had sent the first packet.
//
// 1. After the latency to the server: does somebody listen there?
// 2. After the latency back: the relay takes the filling out, so that the client can write. If
//    nobody listens, it closes its end, and the client's error is "connection refused".
// 3. After one more latency to the server, the relay connects to the server's socket. This packet
//    is not lost: the next one, with bytes, would do as well.

/// The relay's name at the server, by which `accept` finds the connection. Abstract: no file.
static const char prefix[] = "escapement-";

static socklen_t name_of(const rch_connection *c, struct sockaddr_un *name) {
  *name = (struct sockaddr_un){.sun_family = AF_UNIX};
  int size = snprintf(
      name->sun_path + 1, sizeof name->sun_path - 1, "%s%llu-%u-%d", prefix,
      (unsigned long long)c->number, c->network->scope, getpid());
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size);
}

rch_connection *rch_accepted(rch_network *n, const struct sockaddr_un *peer, socklen_t size) {
  const size_t start = sizeof prefix - 1;
  char text[sizeof peer->sun_path + 1] = {0};
  if (size <= offsetof(struct sockaddr_un, sun_path) + 1 + start) return 0;
  memcpy(text, peer->sun_path + 1, size - offsetof(struct sockaddr_un, sun_path) - 1);
  uint64_t number = strncmp(text, prefix, start) ? 0 : strtoull(text + start, 0, 10);
  rch_connection *c = LIST_FIRST(&n->unaccepted);
  while (c && c->number != number) c = LIST_NEXT(c, in_unaccepted);
  return c;
}

int64_t rch_next_wait(rch_connection *c) {
  int64_t wait = INT64_C(1000000000) << c->attempts;
  if (c->attempts < 6) c->attempts++;
  return wait;
}

int rch_open_server(rch_connection *c) {
  rch_network *n = c->network;
  rch_side *server = &c->sides[1];
  rch_note *listener = rch_listener_at(n, server->at);
  if (!listener) return ECONNREFUSED;
  int end = real_socket()(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct sockaddr_un name;
  socklen_t size = name_of(c, &name);
  if (end < 0 || real_bind()(end, (void *)&name, size) ||
      real_connect()(end, (const void *)&listener->name, listener->name_size)) {
    int error = errno;
    if (end >= 0) close(end);
    return error;
  }
  server->end = end;
  LIST_INSERT_HEAD(&n->unaccepted, c, in_unaccepted);
  c->is_unaccepted = true;
  c->listener = listener->cookie;
  listener->waiting++;
  rch_begin_reading(&c->pumps[1]);
  return 0;
}

void rch_fail_to_connect(rch_connection *c, int error) {
  rch_note *o = rch_note_with(c->network, c->sides[0].cookie);
  if (o) {
    o->is_connecting = false;
    o->error = o->failure = error;
  }
  rch_close_connection(c, true);
}

/// The answer has come to the client.
static void open_client(rch_connection *c) {
  static char filling[16 << 10];
  for (ssize_t size; c->filling > 0; c->filling -= (size_t)size) {
    size_t part = c->filling < sizeof filling ? c->filling : sizeof filling;
    size = real_recv()(c->sides[0].end, filling, part, MSG_DONTWAIT);
    if (size <= 0) return;
  }
  rch_note *o = rch_note_with(c->network, c->sides[0].cookie);
  if (o) {
    o->is_connecting = false;
    o->is_connected = true;
  }
  c->is_open = true;
  rch_send(&c->pumps[0], rch_opens);
  rch_begin_reading(&c->pumps[0]);
}

/// The client's packet has come to the server, or the answer to the client.
static void shake_hands(rch_delivery *d) {
  rch_connection *c = (rch_connection *)((char *)d - offsetof(rch_connection, handshake));
  const rch_side *client = &c->sides[0], *server = &c->sides[1];
  rch_note *o = rch_note_with(c->network, client->cookie);
  if (!rch_is_open(c->network, o)) return rch_close_connection(c, true);
  if (!c->is_answered) {
    const rch_note *listener = rch_listener_at(c->network, server->at);
    // A server whose queue is full drops the packet, and the client sends it again.
    if (listener && listener->waiting > listener->backlog)
      return rch_deliver(d, rch_time_of(c->network->scope) + rch_next_wait(c));
    c->attempts = 0;
    c->is_answered = true;
    c->is_refused = !listener;
    d->link = rch_link_between(c->network, server->at.host, client->at.host);
    return rch_deliver(d, rch_arrival_of_handshake(d->link));
  }
  rch_end_patience(&c->pumps[0]);
  if (!c->is_refused) return open_client(c);
  rch_record_arrival(d->link, rch_is_refused, 0, -1);
  rch_fail_to_connect(c, ECONNREFUSED);
}

/// Connects a client's socket to the relay, and fills it.
static int open_relay(rch_connection *c, int file) {
  rch_network *n = c->network;
  if (real_connect()(file, (const void *)&n->door_name, n->door_size)) return errno;
  c->sides[0].end = real_accept4()(n->door, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (c->sides[0].end < 0) return errno;
  static const char filling[16 << 10];
  const int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
  for (ssize_t sent; (sent = real_send()(file, filling, sizeof filling, flags)) > 0;)
    c->filling += (size_t)sent;
  return 0;
}

/// Begins to connect a socket; returns its errno.
static int begin_handshake(rch_network *n, rch_note *o, rch_endpoint server) {
  uint16_t host = rch_host_of(n, o->life);
  if (!server.host) server = (rch_endpoint){host, server.port, server.is_v6, true};
  if (server.host > n->host_count) return ENETUNREACH;
  rch_endpoint client = {host, o->local.port, server.is_v6, server.is_loopback};
  if (!o->is_bound) client.port = rch_free_port(n, o, client);
  if (!client.port) return EADDRNOTAVAIL;
  rch_connection *c = NEW(rch_connection, .network = n, .number = ++n->connections_made);
  c->sides[0] = (rch_side){.cookie = o->cookie, .end = -1, .at = client};
  c->sides[1] = (rch_side){.end = -1, .at = server};
  rch_prepare_pumps(c);
  TAILQ_INSERT_TAIL(&n->connections, c, in_connections);
  int error = open_relay(c, o->file);
  if (error) {
    rch_close_connection(c, false);
    rch_free_closed(n);
    return error;
  }
  o->local = client;
  o->peer = server;
  o->is_connecting = true;
  o->is_over = false;
  o->pump = &c->pumps[0];
  c->handshake = (rch_delivery){.link = c->pumps[0].delivery.link, .deliver = shake_hands, .miss = rch_hold};
  rch_await_answer(c);
  rch_deliver(&c->handshake, rch_arrival_of_handshake(c->handshake.link));
  return EINPROGRESS;
}

/// Waits for the answer, as a blocking `connect` does.
static int await_handshake(int file, int flags) {
  uint32_t scope = rch_may_wait();
  struct pollfd answer = {file, POLLOUT, 0};
  if (scope)
    rch_wait_for_files(scope, (rch_files){&answer, 1, false}, rch_never);
  else
    real_poll()(&answer, 1, -1);
  fcntl(file, F_SETFL, flags);
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(file, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

/// The first `connect` after the answer has come says that the socket is connected.
static const int news = -1;

/// Why a socket cannot be connected, as it is.
static int state_of(rch_note *o) {
  if (o->is_connecting) return EALREADY;
  if (o->failure) return o->failure;
  if (o->listens || o->is_told) return EISCONN;
  if (!o->is_connected) return 0;
  o->is_told = true;
  return news;
}

bool rch_misses_host(const struct sockaddr *address, socklen_t size) {
  rch_network *n = rch_network_here();
  rch_endpoint e;
  if (!n || !address || size < sizeof(sa_family_t) || !rch_parse(address, size, 0, &e))
    return false;
  const rch_host *host;
  const char *name = UNDER_LOCK((host = rch_host_with(n, e.host)) ? host->name : 0);
  if (name)
    rch_tell_of_server(n->scope, rch_server_of_host, "port %d of host '%s'", e.port, name);
  return name != 0;
}

bool rch_network_connect(int file, const struct sockaddr *peer, socklen_t size, int *result) {
  rch_network *n = rch_network_here();
  if (!n || !peer || size < sizeof(sa_family_t)) return false;
  pthread_mutex_lock(&rch_lock);
  rch_note *o = rch_note_of(n, file);
  rch_endpoint server;
  int error = EAFNOSUPPORT, flags = 0;
  if (o && o->udp) {
    error = rch_connect_udp(n, o, peer, size);
  } else if (o && rch_parse(peer, size, rch_host_of(n, o->life), &server) &&
             peer->sa_family == o->family) {
    error = state_of(o);
    if (!error) {
      // The socket is connected to the relay without a wait.
      flags = fcntl(file, F_GETFL);
      fcntl(file, F_SETFL, flags | O_NONBLOCK);
      error = begin_handshake(n, o, server);
      o->is_told = error == EINPROGRESS && !(flags & O_NONBLOCK);
      if (error != EINPROGRESS || flags & O_NONBLOCK) fcntl(file, F_SETFL, flags);
    }
    if (error == news) error = 0;
  }
  pthread_mutex_unlock(&rch_lock);
  if (!o && !rch_misses_host(peer, size)) return false;
  if (!o) error = ENETUNREACH;
  if (o && error == EINPROGRESS && !(flags & O_NONBLOCK)) error = await_handshake(file, flags);
  errno = error;
  *result = error ? -1 : 0;
  return true;
}

#endif
