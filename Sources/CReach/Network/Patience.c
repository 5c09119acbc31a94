#if defined(__linux__)

#include "Network/Network.h"

// When a side of a connection gives up, since it hears nothing of the other one, by the times of
// Linux:
//
// - An attempt to connect: after 127 s, which are seven packets.
// - What it has sent: after 924.6 s, which are sixteen packets, or its `TCP_USER_TIMEOUT`.
// - If it has nothing to send, and keeps the connection alive: when it has heard nothing for
//   `TCP_KEEPIDLE`, and none of `TCP_KEEPCNT` packets, `TCP_KEEPINTVL` apart, was answered. A
//   machine that has begun again answers the next one with a reset.
//
// While the link is whole nothing of that can happen, so that a connection has no timer then.

static const int64_t millisecond = INT64_C(1000000), second = INT64_C(1000000000);
static const int64_t connecting = INT64_C(127) * second;
static const int64_t sending = INT64_C(924600000000);

static rch_pump *other_of(const rch_pump *p) { return &p->connection->pumps[1 - p->number]; }

static rch_note *sender_of(const rch_pump *p) {
  return rch_note_with(p->connection->network, p->connection->sides[p->number].cookie);
}

/// Whether one of the sides hears nothing of the other one.
static bool is_cut(const rch_pump *p) {
  return rch_keeps(p->delivery.link) || rch_keeps(other_of(p)->delivery.link);
}

/// When a side sends the first packet to ask whether the other side lives that is not answered.
static int64_t first_question(const rch_pump *p, int64_t idle) {
  const rch_pump *back = other_of(p);
  int64_t latency = rch_latency(back->delivery.link), answer = p->last_at + latency;
  int64_t first = (answer > back->last_at ? answer : back->last_at) + idle;
  // Those before were answered.
  int64_t period = idle + latency + rch_latency(p->delivery.link);
  int64_t late = p->unheard_since - first;
  return late > 0 ? first + (late + period - 1) / period * period : first;
}

/// When the answer comes to the first question that arrives since the link is whole: a reset.
static int64_t next_answer(const rch_pump *p, int64_t first, int64_t interval) {
  int64_t there = rch_latency(p->delivery.link), late = p->whole_since - there - first;
  int64_t questions = late > 0 ? (late + interval - 1) / interval : 0;
  return first + questions * interval + there + rch_latency(other_of(p)->delivery.link);
}

/// When a side gives up, as things are.
static int64_t end_of_patience(const rch_pump *p) {
  const rch_note *o = sender_of(p);
  if (!o || p->connection->sides[p->number].is_lost) return rch_never;
  if (p->delivery.is_held)
    return rch_first_sent_at(p) + (o->user_timeout ? o->user_timeout * millisecond : sending);
  bool is_forgotten = p->connection->sides[1 - p->number].is_lost;
  if (!o->keeps_alive || (!is_cut(p) && !is_forgotten)) return rch_never;
  int64_t first = first_question(p, o->keep_idle * second);
  return is_cut(p) ? first + o->keep_count * o->keep_interval * second
                   : next_answer(p, first, o->keep_interval * second);
}

static void arm(rch_pump *p, int64_t at);

static void patience_ends(rch_entry *entry) {
  rch_pump *p = (rch_pump *)((char *)entry - offsetof(rch_pump, patience));
  rch_connection *c = p->connection;
  rch_network *n = c->network;
  pthread_mutex_lock(&rch_lock);
  p->patience_timer = 0;
  if (!c->is_closed && !c->is_open) {
    rch_fail_to_connect(c, ETIMEDOUT);
  } else if (!c->is_closed) {
    int64_t end = end_of_patience(p);
    rch_note *o = sender_of(p);
    if (end > rch_time_of(n->scope)) {
      arm(p, end);
    } else {
      if (is_cut(p)) o->error = ETIMEDOUT;
      rch_give_up_side(c, p->number);
    }
  }
  rch_free_closed(n);
  pthread_mutex_unlock(&rch_lock);
}

static void drop_patience(rch_entry *entry) {
  ((rch_pump *)((char *)entry - offsetof(rch_pump, patience)))->patience_timer = 0;
}

static void arm(rch_pump *p, int64_t at) {
  uint32_t scope = p->connection->network->scope;
  rch_end_patience(p);
  // It may be about to end, and looks again.
  if (at == rch_never || p->patience_timer) return;
  p->patience = (rch_entry){patience_ends, drop_patience, rch_anywhere, scope};
  p->patience_timer = rch_the_engine.arm(&p->patience, at, false);
}

void rch_end_patience(rch_pump *p) {
  if (p->patience_timer && rch_the_engine.disarm(p->connection->network->scope, p->patience_timer))
    p->patience_timer = 0;
}

void rch_await_answer(rch_connection *c) {
  arm(&c->pumps[0], rch_time_of(c->network->scope) + connecting);
}

void rch_look_at_link(rch_pump *p) {
  if (!p->connection->is_open) return;
  bool hears = !is_cut(p) && !p->connection->sides[1 - p->number].is_lost;
  if (hears)
    p->unheard_since = rch_never;
  else if (p->unheard_since == rch_never)
    p->unheard_since = rch_time_of(p->connection->network->scope);
  if (is_cut(p))
    p->whole_since = rch_never;
  else if (p->whole_since == rch_never)
    p->whole_since = rch_time_of(p->connection->network->scope);
  arm(p, end_of_patience(p));
}

#endif
