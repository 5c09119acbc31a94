#if defined(__linux__)

#include "Network/Chunks.h"

#include <string.h>
#include <sys/ioctl.h>

// Relays. The relay reads what a side has sent as soon as the scope looks at its files, keeps it
// until it is to arrive, and writes it to the other side. When 1 MiB is under way it reads no more,
// and the sender's buffer fills.
//
// A side that has closed is found as TCP finds it: what is sent there is answered with a reset.

enum { most_at_once = 64 << 10, window = 1 << 20 };
/// How much later the rest of a packet comes, in nanoseconds.
enum { second_part = 1000 };

// MARK: What the relay waits for

/// Tells the kernel for what the end of a side is waited.
static void watch(rch_connection *c, int number) {
  rch_pump *in = &c->pumps[number], *out = &c->pumps[1 - number];
  int epoll = c->network->epoll, end = c->sides[number].end;
  if (end < 0) return;
  struct epoll_event event = {
      (in->is_reading ? EPOLLIN : 0) | (out->is_writing ? EPOLLOUT : 0), {.ptr = &in->watched}};
  // An end of which nothing is wanted would still be ready when it is closed.
  int what = !event.events ? EPOLL_CTL_DEL : in->is_watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  if (what != EPOLL_CTL_DEL || in->is_watched) epoll_ctl(epoll, what, end, &event);
  in->is_watched = event.events != 0;
}

static void set_reading(rch_pump *p, bool reads) {
  if (p->is_reading == reads) return;
  p->is_reading = reads;
  watch(p->connection, p->number);
}

static void set_writing(rch_pump *p, bool writes) {
  if (p->is_writing == writes) return;
  p->is_writing = writes;
  watch(p->connection, 1 - p->number);
}

void rch_begin_reading(rch_pump *p) {
  if (!p->has_all && !p->is_over) set_reading(p, true);
}

// MARK: The end of a connection

void rch_add_marker(rch_note *o) {
  rch_connection *c = o->pump ? o->pump->connection : 0;
  const int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
  if (c && !c->sides[o->pump->number].has_marker)
    c->sides[o->pump->number].has_marker = real_send()(o->file, "", 1, flags) == 1;
}

static void close_end(rch_network *n, rch_side *s, bool resets) {
  if (s->end < 0) return;
  // Whoever closes a Unix socket that has unread bytes resets it: here with a byte that nobody
  // reads.
  rch_note *o = rch_note_with(n, s->cookie);
  if (resets && rch_is_open(n, o)) rch_add_marker(o);
  char marker;
  if (!resets && s->has_marker) real_recv()(s->end, &marker, 1, MSG_DONTWAIT);
  close(s->end);
  s->end = -1;
}

/// Whether a side reads an error when the connection is reset. If the other side has ended it
/// before, it reads the end, and only its pending error tells.
static bool reads_reset(const rch_connection *c, int number) {
  rch_note *o = rch_note_with(c->network, c->sides[number].cookie);
  bool has_ended = c->pumps[1 - number].is_over && !c->sides[1 - number].is_lost;
  if (o && has_ended && !c->is_closed) o->error = EPIPE;
  return !has_ended;
}

void rch_close_connection(rch_connection *c, bool resets) {
  const bool read_reset[] = {resets && reads_reset(c, 0), resets && reads_reset(c, 1)};
  for (int i = 0; i < 2; i++) {
    rch_pump *p = &c->pumps[i];
    set_reading(p, false);
    set_writing(p, false);
    rch_stop(&p->delivery);
    rch_end_patience(p);
    rch_drop_chunks(p);
    p->is_over = true;
  }
  rch_stop(&c->handshake);
  close_end(c->network, &c->sides[0], read_reset[0]);
  // A server that accepts it later is to see the reset.
  if (!c->is_unaccepted) close_end(c->network, &c->sides[1], read_reset[1]);
  if (c->is_closed) return;
  c->is_closed = true;
  c->was_reset = resets;
  for (int i = 0; i < 2; i++) {
    rch_note *o = rch_note_with(c->network, c->sides[i].cookie);
    if (o) o->is_over = true;
    LIST_REMOVE(&c->pumps[i], in_link);
  }
  TAILQ_REMOVE(&c->network->connections, c, in_connections);
  TAILQ_INSERT_TAIL(&c->network->closed, c, in_connections);
}

static void lose_side(rch_connection *c, int number, bool resets) {
  rch_pump *to_it = &c->pumps[1 - number];
  bool has_arrived = to_it->is_writing;
  c->sides[number].is_lost = true;
  set_reading(&c->pumps[number], false);
  set_writing(to_it, false);
  if (number == 1) rch_forget_unaccepted(c);
  close_end(c->network, &c->sides[number], resets);
  // The other side sends the bytes again for which there was no room.
  if (has_arrived) rch_arrive(&to_it->delivery);
}

void rch_lose_side(rch_connection *c, int number) { lose_side(c, number, false); }

void rch_give_up_side(rch_connection *c, int number) {
  rch_pump *p = &c->pumps[number];
  if (c->sides[1 - number].is_lost) return rch_close_connection(c, true);
  rch_stop(&p->delivery);
  rch_drop_chunks(p);
  p->is_over = true;
  lose_side(c, number, true);
}

void rch_forget_unaccepted(rch_connection *c) {
  rch_note *listener = rch_note_with(c->network, c->listener);
  if (c->is_unaccepted) LIST_REMOVE(c, in_unaccepted);
  if (c->is_unaccepted && listener) listener->waiting--;
  c->is_unaccepted = false;
  if (c->is_closed) close_end(c->network, &c->sides[1], c->was_reset);
}

/// Whether a timer or a link still has something of the connection, or a server may accept it.
static bool is_used(rch_connection *c) {
  if (c->is_unaccepted && !rch_listener_at(c->network, c->sides[1].at)) rch_forget_unaccepted(c);
  const rch_delivery *deliveries[] = {
      &c->handshake, &c->pumps[0].delivery, &c->pumps[1].delivery};
  for (int i = 0; i < 3; i++)
    if (deliveries[i]->is_armed || deliveries[i]->is_held) return true;
  return c->pumps[0].patience_timer || c->pumps[1].patience_timer || c->is_unaccepted;
}

void rch_free_closed(rch_network *n) {
  for (rch_connection *c = TAILQ_FIRST(&n->closed), *next; c; c = next) {
    next = TAILQ_NEXT(c, in_connections);
    if (is_used(c)) continue;
    for (int i = 0; i < 2; i++) {
      rch_note *o = rch_note_with(n, c->sides[i].cookie);
      if (o) o->pump = 0;
    }
    TAILQ_REMOVE(&n->closed, c, in_connections);
    free(c);
  }
}

// MARK: Sending

/// Reads what a side has sent, but for a marker; 0 at the end, -1 if there is nothing or an error.
static ssize_t read_end(const rch_side *s, char *data, size_t size) {
  int there = 0;
  if (s->has_marker && (ioctl(s->end, FIONREAD, &there) || there <= 1)) return 0;
  if (s->has_marker && (size_t)there <= size) size = (size_t)there - 1;
  return real_recv()(s->end, data, size, MSG_DONTWAIT);
}

/// Whether a side that has ended has closed its socket to reset the connection.
static bool aborts(rch_pump *p) {
  rch_network *n = p->connection->network;
  rch_note *o = rch_note_with(n, p->connection->sides[p->number].cookie);
  return o && o->lingers_not && !rch_is_open(n, o);
}

/// A side has sent something, or has closed.
static void read_side(rch_pump *p) {
  static char data[most_at_once];
  while (p->is_reading) {
    ssize_t size = read_end(&p->connection->sides[p->number], data, sizeof data);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return;
    if (size > 0) {
      rch_add_bytes(p, data, (size_t)size);
      if (p->kept >= window) set_reading(p, false);
    } else {
      set_reading(p, false);
      p->has_all = true;
      rch_send(p, size == 0 && !aborts(p) ? rch_ends_sending : rch_resets);
    }
  }
}

// MARK: Arriving

/// Answers with a reset, since the receiving socket is gone.
static void find_nobody(rch_pump *p) {
  rch_pump *back = &p->connection->pumps[1 - p->number];
  rch_drop_chunks(p);
  set_reading(p, false);
  set_reading(back, false);
  p->is_over = true;
  rch_send(back, rch_resets);
}

/// Writes a part of a chunk to the other side; returns whether all of it was taken.
static bool write_chunk(rch_pump *p, rch_chunk *c, size_t part) {
  int end = p->connection->sides[1 - p->number].end;
  while (c->done < part) {
    const int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    ssize_t sent = real_send()(end, c->data + c->done, part - c->done, flags);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) set_writing(p, true);
    // The receiver has closed, and its kernel says so.
    if (sent < 0 && errno != EAGAIN) find_nobody(p);
    if (sent < 0) return false;
    c->done += (size_t)sent;
    p->kept -= (size_t)sent;
  }
  return true;
}

/// The first bytes of a client have come, or an acknowledgement: the server may accept.
static bool open_server(rch_connection *c, rch_chunk *opening) {
  int error = rch_open_server(c);
  if (error == EAGAIN) {
    // The queue of the server is full.
    opening->at = rch_time_of(c->network->scope) + rch_next_wait(c);
    rch_deliver(&c->pumps[0].delivery, opening->at);
  } else if (error) {
    rch_close_connection(c, true);
  }
  return !error;
}

/// Delivers what is due.
static void arrive(rch_pump *p) {
  static const rch_host_event_kind kinds[] = {
      [rch_opens] = rch_gets_connection, [rch_sends] = rch_gets_bytes,
      [rch_ends_sending] = rch_gets_end, [rch_resets] = rch_gets_reset};
  rch_connection *c = p->connection;
  rch_side *target = &c->sides[1 - p->number];
  int64_t now = rch_time_of(c->network->scope);
  for (rch_chunk *next; (next = TAILQ_FIRST(&p->chunks)) && next->at <= now;) {
    if (next->kind == rch_opens && !open_server(c, next)) return;
    if (next->kind != rch_resets && target->end < 0) return find_nobody(p);
    bool is_new = next->kind == rch_sends && !next->done;
    size_t part = is_new ? rch_first_part(p->delivery.link, next->size) : next->size;
    if (!write_chunk(p, next, part)) return;
    if (part < next->size) {
      next->at = now + second_part;
      continue;
    }
    rch_record_arrival(p->delivery.link, kinds[next->kind], next->size, next->sent_at);
    if (next->kind == rch_resets) return rch_close_connection(c, true);
    if (next->kind == rch_ends_sending) {
      real_shutdown()(target->end, SHUT_WR);
      p->is_over = true;
    }
    TAILQ_REMOVE(&p->chunks, next, in_chunks);
    free(next);
    if (p->is_over && c->pumps[1 - p->number].is_over) return rch_close_connection(c, false);
  }
  if (p->kept < window / 2 && c->sides[p->number].end >= 0) rch_begin_reading(p);
  rch_chunk *next = TAILQ_FIRST(&p->chunks);
  if (next) rch_deliver(&p->delivery, next->at);
}

static rch_pump *pump_of(rch_delivery *d) {
  return (rch_pump *)((char *)d - offsetof(rch_pump, delivery));
}

static void has_arrived(rch_delivery *d) {
  if (!pump_of(d)->is_writing) arrive(pump_of(d));
}

static int64_t go_again(rch_delivery *d) { return rch_send_again(pump_of(d)); }

static void is_kept(rch_delivery *d) {
  rch_hold(d);
  rch_look_at_link(pump_of(d));
}

// MARK: The relay

static void become_ready(rch_watched *end, uint32_t events) {
  rch_pump *in = (rch_pump *)end, *out = &in->connection->pumps[1 - in->number];
  if (in->is_reading && events & ~(uint32_t)EPOLLOUT) read_side(in);
  if (out->is_writing && events & ~(uint32_t)EPOLLIN) {
    set_writing(out, false);
    rch_arrive(&out->delivery);
  }
}

void rch_prepare_pumps(rch_connection *c) {
  for (int i = 0; i < 2; i++) {
    rch_link_state *link =
        rch_link_between(c->network, c->sides[i].at.host, c->sides[1 - i].at.host);
    c->pumps[i] = (rch_pump){
        .watched = {2 * c->number + (unsigned)i, become_ready},
        .delivery = {.link = link, .deliver = has_arrived, .miss = is_kept,
                     .go_again = go_again},
        .connection = c, .number = i, .unheard_since = rch_never};
    LIST_INSERT_HEAD(&link->pumps, &c->pumps[i], in_link);
    TAILQ_INIT(&c->pumps[i].chunks);
  }
}

static int by_order(const void *a, const void *b) {
  const rch_watched *m = ((const struct epoll_event *)a)->data.ptr;
  const rch_watched *n = ((const struct epoll_event *)b)->data.ptr;
  return (m->order > n->order) - (m->order < n->order);
}

bool rch_relay(rch_file_wait *wait, const struct pollfd *answers) {
  (void)answers;
  rch_network *n = (rch_network *)((char *)wait - offsetof(rch_network, wait));
  enum { most_events = 4096 };
  static struct epoll_event events[most_events];
  int count = real_epoll_wait()(n->epoll, events, most_events, 0);
  if (count > 1) qsort(events, (size_t)count, sizeof *events, by_order);
  for (int i = 0; i < count; i++) {
    rch_watched *end = events[i].data.ptr;
    end->become_ready(end, events[i].events);
  }
  rch_free_closed(n);
  // There may be room again for those who write.
  return count > 0;
}

#endif
