#if defined(__linux__)

#include "Network/Network.h"

#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>

// Datagrams. A UDP socket is one end of a pair of Unix sockets, and the relay has the other one:
//
//   socket ── pair of Unix sockets ── end of the relay
//
// The relay writes a datagram that arrives to its end, and reads there the bytes that code has
// given to `write`. Datagrams that code gives to other functions do not go through the pair.
//
// The kernel does not know who has sent what there is to read. It does know how much of it nobody
// has read yet, in bytes of its memory: that tells how many senders can be forgotten. A receiver
// that does not read loses datagrams when its buffer is full, as with UDP.
//
// Datagrams may be lost, arrive twice, and overtake each other, if that is drawn. A cut link loses
// them. If no socket is there, nobody is told, as with firewalls that drop what they do not let in.

/// The most that IPv4 carries.
enum { most_bytes = 65507 };

/// A datagram that is under way.
typedef struct datagram {
  STAILQ_ENTRY(datagram) in_train;
  rch_endpoint from, to;
  int64_t sent_at;
  size_t size;
  char data[];
} datagram;

/// Datagrams that arrive by the same link at the same time, in the order in which they were sent.
struct rch_train {
  rch_delivery delivery;
  TAILQ_ENTRY(rch_train) in_trains;
  int64_t at;
  STAILQ_HEAD(, datagram) datagrams;
};

/// The sender of a datagram that nobody has read yet, and the memory that the datagram takes.
typedef struct sender {
  STAILQ_ENTRY(sender) in_unread;
  rch_endpoint from;
  int memory;
} sender;

/// The relay's end of a UDP socket.
struct rch_udp {
  rch_watched watched;
  rch_network *network;
  uint64_t cookie;
  int end;
  STAILQ_HEAD(, sender) unread;
  /// How much memory they take.
  int memory;
};

// MARK: Sending

static void end(rch_delivery *delivery) {
  rch_train *t = (rch_train *)delivery;
  rch_link_state *link = delivery->link;
  for (datagram *d; (d = STAILQ_FIRST(&t->datagrams));) {
    STAILQ_REMOVE_HEAD(&t->datagrams, in_train);
    free(d);
  }
  if (link->train == t) link->train = 0;
  TAILQ_REMOVE(&link->network->trains, t, in_trains);
  free(t);
}

void rch_forget_datagrams(rch_network *n) {
  for (rch_train *t; (t = TAILQ_FIRST(&n->trains));) end(&t->delivery);
}

/// How much memory is taken by what nobody has read.
static int unread_memory(const rch_udp *u) {
  int size = 0;
  return ioctl(u->end, SIOCOUTQ, &size) ? 0 : size;
}

/// Forgets who has sent what was read.
static void forget_senders(rch_udp *u) {
  int memory = unread_memory(u);
  for (sender *first; u->memory > memory && (first = STAILQ_FIRST(&u->unread));) {
    STAILQ_REMOVE_HEAD(&u->unread, in_unread);
    u->memory -= first->memory;
    free(first);
  }
}

static bool is_same(rch_endpoint a, rch_endpoint b) {
  return a.host == b.host && a.port == b.port && a.is_v6 == b.is_v6 &&
         a.is_loopback == b.is_loopback;
}

/// Gives a datagram to the socket that is there for it, if it has room.
static void give(rch_link_state *link, const datagram *d) {
  rch_network *n = link->network;
  const rch_note *o = rch_receiver_at(n, d->to);
  rch_udp *u = o && (!o->is_connected || is_same(o->peer, d->from)) ? o->udp : 0;
  if (!u) return;
  forget_senders(u);
  const int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
  bool has_room = real_send()(u->end, d->data, d->size, flags) == (ssize_t)d->size;
  int memory = has_room ? unread_memory(u) - u->memory : 0;
  if (has_room) rch_record_arrival(link, rch_gets_datagram, d->size, d->sent_at);
  // A thread may have read it at once.
  if (memory <= 0) return;
  sender *s = NEW(sender, .from = d->from, .memory = memory);
  STAILQ_INSERT_TAIL(&u->unread, s, in_unread);
  u->memory += memory;
}

static void arrive(rch_delivery *delivery) {
  const datagram *d;
  STAILQ_FOREACH(d, &((rch_train *)delivery)->datagrams, in_train)
    give(delivery->link, d);
  end(delivery);
}

/// The train that arrives at a time.
static rch_train *train_at(rch_link_state *link, int64_t at) {
  if (link->train && link->train->at == at) return link->train;
  rch_train *t = NEW(
      rch_train, .delivery = {.link = link, .deliver = arrive, .miss = end}, .at = at);
  STAILQ_INIT(&t->datagrams);
  TAILQ_INSERT_TAIL(&link->network->trains, t, in_trains);
  link->train = t;
  rch_deliver(&t->delivery, at);
  return t;
}

/// Puts a datagram on the line once.
static void put(rch_link_state *link, const datagram *draft, const struct msghdr *message) {
  datagram *d = malloc(sizeof *d + draft->size);
  if (!d) abort();
  *d = *draft;
  char *rest = d->data;
  for (size_t i = 0; i < message->msg_iovlen; i++)
    rest = mempcpy(rest, message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
  rch_train *t = train_at(link, rch_flight(link, d->size));
  STAILQ_INSERT_TAIL(&t->datagrams, d, in_train);
}

/// Gives a socket a port that nobody asked for, if it has none.
static int ensure_port(rch_network *n, rch_note *o) {
  if (o->is_bound) return 0;
  return rch_bind_note(n, o, (rch_endpoint){.is_v6 = o->family == AF_INET6}) ? EAGAIN : 0;
}

/// Finds the receiver at an address, for a sender; an errno.
static int find_receiver(
    const rch_network *n, const rch_note *o, const struct sockaddr *address, socklen_t size,
    rch_endpoint *to) {
  uint16_t host = rch_host_of(n, o->life);
  if (size < sizeof(sa_family_t) || !rch_parse(address, size, host, to)) return EINVAL;
  if (o->family == AF_INET && to->is_v6) return EAFNOSUPPORT;
  if (o->only_v6 && !to->is_v6) return ENETUNREACH;
  if (!to->host) *to = (rch_endpoint){host, to->port, to->is_v6, true};
  return to->host > n->host_count ? ENETUNREACH : 0;
}

size_t rch_size_of(const struct msghdr *message) {
  size_t size = 0;
  for (size_t i = 0; i < message->msg_iovlen; i++) size += message->msg_iov[i].iov_len;
  return size;
}

/// Sends a message of a socket; one without a name is for its peer. Returns its errno.
static int send_message(rch_network *n, rch_note *o, const struct msghdr *message) {
  rch_endpoint to = o->peer;
  int error = !message->msg_name ? o->is_connected ? 0 : EDESTADDRREQ
                                 : find_receiver(
                                       n, o, message->msg_name, message->msg_namelen, &to);
  size_t size = rch_size_of(message);
  if (!error && !to.port) error = EINVAL;
  if (!error && size > most_bytes) error = EMSGSIZE;
  if (!error && o->has_ended) error = EPIPE;
  if (!error) error = ensure_port(n, o);
  if (error) return error;
  uint16_t host = rch_host_of(n, o->life);
  const datagram draft = {
      .from = {host, o->local.port, to.is_v6, to.is_loopback}, .to = to,
      .sent_at = rch_time_of(n->scope), .size = size};
  rch_link_state *link = rch_link_between(n, host, to.host);
  if (link->is_cut || n->hosts[host].is_dark || rch_is_lost(link)) return 0;
  put(link, &draft, message);
  if (rch_is_doubled(link)) put(link, &draft, message);
  return 0;
}

// MARK: What code has written

/// Sends what is in the pair.
static void empty_pair(rch_udp *u) {
  static char data[most_bytes + 1];
  rch_note *o = rch_note_with(u->network, u->cookie);
  for (ssize_t size; (size = real_recv()(u->end, data, sizeof data, MSG_DONTWAIT)) >= 0;) {
    struct iovec part = {data, (size_t)size};
    const struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (o) send_message(u->network, o, &message);
  }
}

static void become_ready(rch_watched *end, uint32_t events) {
  (void)events;
  empty_pair((rch_udp *)end);
}

int rch_send_message(rch_network *n, rch_note *o, const struct msghdr *message) {
  empty_pair(o->udp);
  return send_message(n, o, message);
}

// MARK: Sockets

int rch_make_udp(rch_network *n, int family, int type, uint16_t life) {
  int ends[2];
  bool is_made = !real_socketpair()(AF_UNIX, type | SOCK_CLOEXEC, 0, ends);
  // The ends of sockets that are closed are files, too.
  if (!is_made) rch_sweep_notes(n);
  if (!is_made && real_socketpair()(AF_UNIX, type | SOCK_CLOEXEC, 0, ends)) return -1;
  rch_udp *u = NEW(
      rch_udp, .watched = {2 * ++n->connections_made, become_ready}, .network = n,
      .cookie = rch_cookie_of(ends[0]), .end = ends[1]);
  STAILQ_INIT(&u->unread);
  struct epoll_event event = {EPOLLIN, {.ptr = &u->watched}};
  epoll_ctl(n->epoll, EPOLL_CTL_ADD, u->end, &event);
  rch_make_note(n, ends[0], family, life)->udp = u;
  return ends[0];
}

void rch_free_udp(rch_udp *u) {
  close(u->end);
  for (sender *s; (s = STAILQ_FIRST(&u->unread));) {
    STAILQ_REMOVE_HEAD(&u->unread, in_unread);
    free(s);
  }
  free(u);
}

int rch_connect_udp(
    rch_network *n, rch_note *o, const struct sockaddr *address, socklen_t size) {
  empty_pair(o->udp);
  if (address->sa_family == AF_UNSPEC) {
    if (o->has_address_of_peer) o->local.host = o->local.is_loopback = false;
    o->is_connected = o->has_address_of_peer = false;
    return 0;
  }
  rch_endpoint peer;
  int error = find_receiver(n, o, address, size, &peer);
  if (!error) error = ensure_port(n, o);
  if (error) return error;
  o->peer = peer;
  o->is_connected = true;
  if (!o->local.host) {
    o->has_address_of_peer = true;
    o->local = (rch_endpoint){
        rch_host_of(n, o->life), o->local.port, peer.is_v6, peer.is_loopback};
  }
  return 0;
}

void rch_set_room(rch_udp *u, int size) {
  real_setsockopt()(u->end, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

size_t rch_find_senders(rch_udp *u, rch_endpoint *senders, size_t capacity) {
  forget_senders(u);
  size_t count = 0;
  const sender *s;
  STAILQ_FOREACH(s, &u->unread, in_unread) {
    if (count == capacity) break;
    senders[count++] = s->from;
  }
  return count;
}

#endif
