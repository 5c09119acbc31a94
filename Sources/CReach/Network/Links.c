#if defined(__linux__)

#include "Network/Network.h"

#include <stdio.h>

// Links. What is sent arrives after the link's latency, and never before what was sent earlier on
// the same connection. A packet that is lost comes after the sender's next attempt: after 200 ms,
// 400 ms, 800 ms, and what follows waits behind it; one of a handshake after 1 s, 2 s, 4 s. A cut
// link keeps what is due until it is whole again; it arrives one latency later. Datagrams are not
// sent again, and do not wait for others.
//
// Jitter, loss, duplication and short reads are decisions of the schedule, whose first choice is
// the best case. So a scope that explores no schedules sees none of them.

static const int64_t first_attempt = INT64_C(200000000);
static const int64_t first_attempt_to_connect = INT64_C(1000000000);
enum { steps_of_jitter = 8, most_attempts = 8 };

/// A new link between two hosts takes the quality that all have.
static rch_link_state *make_link(
    rch_network *n, struct rch_links *slot, uint16_t from, uint16_t to) {
  rch_link_state *l = NEW(rch_link_state, .network = n, .from = from, .to = to);
  TAILQ_INIT(&l->held);
  LIST_INSERT_HEAD(slot, l, in_slot);
  return l;
}

rch_link_state *rch_link_between(rch_network *n, uint16_t from, uint16_t to) {
  struct rch_links *slot = &n->links[(from * 31u + to) % rch_link_slots];
  rch_link_state *l;
  LIST_FOREACH(l, slot, in_slot) if (l->from == from && l->to == to) break;
  return l ? l : make_link(n, slot, from, to);
}

static const rch_link_quality *quality_of(const rch_link_state *l) {
  static const rch_link_quality loopback;
  if (l->has_quality) return &l->quality;
  return l->from == l->to ? &loopback : &l->network->quality;
}

/// An event that is drawn for a packet of a link.
typedef struct {
  const rch_link_state *link;
  const char *what;
} event;

static void tell(const rch_draw *d, uint64_t drawn, char *text, size_t capacity) {
  const event *e = d->context;
  const rch_host *hosts = e->link->network->hosts;
  char degree[32] = "";
  if (d->count > 1)
    snprintf(degree, sizeof degree, " (%d of %d)", (int)drawn, (int)d->count);
  snprintf(
      text, capacity, "%s, from %s to %s%s", e->what, hosts[e->link->from].name,
      hosts[e->link->to].name, degree);
}

static uint64_t draw(
    const rch_link_state *l, uint64_t count, double probability, const char *what) {
  const event e = {l, what};
  return rch_the_engine.draw(l->network->scope, (rch_draw){count, probability, tell, &e});
}

void rch_record_arrival(
    const rch_link_state *l, rch_host_event_kind kind, size_t size, int64_t sent_at) {
  rch_record(l->network, (rch_host_event){kind, l->to, l->from, (int64_t)size, sent_at});
}

int64_t rch_latency(const rch_link_state *l) { return quality_of(l)->latency; }

static int64_t time_on_line(const rch_link_quality *q, size_t size) {
  if (!q->bytes_per_second) return 0;
  return (int64_t)((__int128)size * 1000000000 / q->bytes_per_second);
}

int64_t rch_longer(rch_link_state *l, size_t size) {
  int64_t more = time_on_line(quality_of(l), size);
  l->free_at += more;
  return more;
}

static void record(const rch_link_state *l, rch_host_event_kind kind) {
  rch_record(l->network, (rch_host_event){kind, l->from, l->to, .sent_at = -1});
}

bool rch_is_lost(const rch_link_state *l) {
  double loss = quality_of(l)->loss;
  bool is_lost = loss > 0 && draw(l, 1, loss, "a packet is lost");
  if (is_lost) record(l, rch_loses_packet);
  return is_lost;
}

bool rch_is_doubled(const rch_link_state *l) {
  double duplication = quality_of(l)->duplication;
  return duplication > 0 && draw(l, 1, duplication, "a packet comes twice");
}

size_t rch_first_part(const rch_link_state *l, size_t size) {
  enum { parts = 8 };
  double short_reads = quality_of(l)->short_reads;
  uint64_t part = short_reads > 0 && size > 1
                      ? draw(l, parts - 1, short_reads, "a packet comes in two parts") : 0;
  return !part ? size : size < parts ? 1 : (size_t)((unsigned __int128)size * part / parts);
}

/// How much later a packet comes at each step, in parts of the jitter. Each step has the same
/// probability, so these are the quantiles of a distribution, cut off at its last one.
enum { all_parts = 5880 };
static const int64_t quantiles[][steps_of_jitter] = {
    // step / 7
    [rch_uniform] = {0, 840, 1680, 2520, 3360, 4200, 5040, all_parts},
    // ln(8 / (8 - step)) / ln(8)
    [rch_exponential] = {0, 378, 813, 1329, 1960, 2773, 3920, all_parts},
    // step / (7 * (8 - step))
    [rch_pareto] = {0, 120, 280, 504, 840, 1400, 2520, all_parts}};

int64_t rch_flight(rch_link_state *l, size_t size) {
  const rch_link_quality *q = quality_of(l);
  int64_t at = rch_time_of(l->network->scope);
  if (q->bytes_per_second) {
    if (l->free_at > at) at = l->free_at;
    at += time_on_line(q, size);
    l->free_at = at;
  }
  at += q->latency;
  if (q->jitter) {
    const int others = steps_of_jitter - 1;
    double probability = (double)others / steps_of_jitter;
    uint64_t step = draw(l, others, probability, "a packet takes longer");
    at += (int64_t)((__int128)q->jitter * quantiles[q->distribution][step] / all_parts);
  }
  return at;
}

static int64_t arrival(rch_link_state *l, size_t size, int64_t wait) {
  int64_t at = rch_flight(l, size);
  for (int i = 0; i < most_attempts && rch_is_lost(l); i++, wait *= 2) at += wait;
  return at;
}

int64_t rch_arrival(rch_link_state *l, size_t size) { return arrival(l, size, first_attempt); }

int64_t rch_arrival_of_handshake(rch_link_state *l) {
  return arrival(l, 0, first_attempt_to_connect);
}

// MARK: Deliveries

bool rch_keeps(const rch_link_state *l) {
  return l->is_cut || l->network->hosts[l->to].is_dark;
}

void rch_arrive(rch_delivery *d) {
  if (rch_keeps(d->link)) d->miss(d); else d->deliver(d);
}

void rch_hold(rch_delivery *d) {
  if (!d->is_held) TAILQ_INSERT_TAIL(&d->link->held, d, in_held);
  d->is_held = true;
}

static void is_due(rch_entry *entry) {
  rch_delivery *d = (rch_delivery *)entry;
  rch_network *n = d->link->network;
  pthread_mutex_lock(&rch_lock);
  d->is_armed = false;
  rch_arrive(d);
  rch_free_closed(n);
  pthread_mutex_unlock(&rch_lock);
}

/// The scope has ended, and the network ends with it.
static void drop(rch_entry *entry) { ((rch_delivery *)entry)->is_armed = false; }

void rch_deliver(rch_delivery *d, int64_t at) {
  if (d->is_armed || d->is_held) return;
  d->alarm = (rch_entry){is_due, drop, rch_anywhere, d->link->network->scope};
  d->timer = rch_the_engine.arm(&d->alarm, at, false);
  d->is_armed = d->timer != 0;
}

void rch_stop(rch_delivery *d) {
  if (d->is_held) TAILQ_REMOVE(&d->link->held, d, in_held);
  d->is_held = false;
  // It may be about to run. Then it finds nothing to do.
  if (d->is_armed && rch_the_engine.disarm(d->link->network->scope, d->timer)) d->is_armed = false;
}

/// Bytes that were put on the line while it was cut are lost. All bytes under way are sent again, so
/// that the line is not used twice at a time.
static void clear_line(rch_link_state *l) {
  l->free_at = 0;
  rch_pump *p;
  LIST_FOREACH(p, &l->pumps, in_link) if (p->delivery.is_armed) {
    rch_stop(&p->delivery);
    // It may be about to run. Then it is held if the link is cut again.
    if (!p->delivery.is_armed) rch_hold(&p->delivery);
  }
}

void rch_release_held(rch_link_state *l) {
  if (!rch_keeps(l) && TAILQ_FIRST(&l->held) && quality_of(l)->bytes_per_second) clear_line(l);
  for (rch_delivery *d; !rch_keeps(l) && (d = TAILQ_FIRST(&l->held));) {
    TAILQ_REMOVE(&l->held, d, in_held);
    d->is_held = false;
    rch_deliver(d, d->go_again ? d->go_again(d) : rch_arrival_of_handshake(l));
  }
}

// MARK: What tests do

void rch_set_link(uint16_t from, uint16_t to, rch_link_quality quality) {
  rch_network *n = rch_network_here();
  if (!n) return;
  pthread_mutex_lock(&rch_lock);
  if (from && to) {
    rch_link_state *l = rch_link_between(n, from, to);
    l->has_quality = true;
    l->quality = quality;
  } else {
    n->quality = quality;
  }
  pthread_mutex_unlock(&rch_lock);
}

rch_link_quality rch_link(uint16_t from, uint16_t to) {
  rch_network *n = rch_network_here();
  if (!n) return (rch_link_quality){0};
  return UNDER_LOCK(from && to ? *quality_of(rch_link_between(n, from, to)) : n->quality);
}

void rch_cut_link(uint16_t from, uint16_t to, bool is_cut) {
  rch_network *n = rch_network_here();
  if (!n || !from || !to || from == to) return;
  pthread_mutex_lock(&rch_lock);
  rch_link_state *l = rch_link_between(n, from, to);
  if (l->is_cut != is_cut) record(l, is_cut ? rch_is_cut_off : rch_is_heard_again);
  l->is_cut = is_cut;
  rch_release_held(l);
  rch_pump *p;
  LIST_FOREACH(p, &l->pumps, in_link)
    for (int i = 0; i < 2; i++) rch_look_at_link(&p->connection->pumps[i]);
  pthread_mutex_unlock(&rch_lock);
}

bool rch_link_is_cut(uint16_t from, uint16_t to) {
  rch_network *n = rch_network_here();
  return n && UNDER_LOCK(rch_link_between(n, from, to)->is_cut);
}

size_t rch_reset_connections(uint16_t one, uint16_t other) {
  rch_network *n = rch_network_here();
  if (!n) return 0;
  size_t count = 0;
  pthread_mutex_lock(&rch_lock);
  for (rch_connection *c = TAILQ_FIRST(&n->connections), *next; c; c = next) {
    next = TAILQ_NEXT(c, in_connections);
    uint16_t client = c->sides[0].at.host, server = c->sides[1].at.host;
    bool is_meant = (client == one && server == other) || (client == other && server == one);
    if (!is_meant) continue;
    rch_close_connection(c, true);
    count++;
  }
  if (count)
    rch_record(
        n, (rch_host_event){rch_loses_connections, one, other, (int64_t)count, .sent_at = -1});
  rch_free_closed(n);
  pthread_mutex_unlock(&rch_lock);
  return count;
}

#endif
