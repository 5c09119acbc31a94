#if defined(__linux__)

#include "Network/Network.h"

#include <stdlib.h>

// Hosts that crash, begin again, and stand still. When a process ends, the kernel closes its
// sockets: the bytes that they have sent arrive, and the other side's bytes are answered with a
// reset. A machine without power answers nothing. The other side sends its bytes again, and gets
// its reset as soon as the machine is back.

static void record(const rch_network *n, uint16_t host, rch_host_event_kind kind, int64_t amount) {
  UNDER_LOCK(rch_record(n, (rch_host_event){kind, host, .amount = amount, .sent_at = -1}));
}

static cvt_life_state state_of(const rch_network *n, const rch_host *h) {
  return cvt_state_of_life(n->scope, h->life);
}

/// Those who are connected to a host hear of it no more, or again.
static void look_at_links(rch_network *n, uint16_t host) {
  rch_connection *c;
  TAILQ_FOREACH(c, &n->connections, in_connections)
    for (int i = 0; i < 2; i++)
      if (c->sides[i].at.host == host) rch_look_at_link(&c->pumps[1 - i]);
}

static void lose_power(rch_network *n, uint16_t host) {
  n->hosts[host].is_dark = true;
  for (rch_connection *c = TAILQ_FIRST(&n->connections), *next; c; c = next) {
    next = TAILQ_NEXT(c, in_connections);
    for (int i = 0; i < 2; i++)
      if (c->sides[i].at.host == host) rch_lose_side(c, i);
  }
  look_at_links(n, host);
}

static void end_life(rch_network *n, rch_host *h) {
  cvt_set_life_state(n->scope, h->life, cvt_life_has_ended);
  for (int i = 0; i < rch_crashes; i++) rch_hooks.at_crash[i](n->scope, h->life);
  // Never freed: it would close files whose numbers others have by then.
  h->session = 0;
  rch_the_engine.life_has_changed(n->scope, h->life);
}

bool rch_crash_host(uint16_t host, bool loses_power) {
  rch_network *n = rch_network_here();
  rch_host *h = rch_host_with(n, host);
  if (!h || state_of(n, h) == cvt_life_has_ended) return false;
  record(n, host, loses_power ? rch_has_no_power : rch_has_crashed, 0);
  if (loses_power) UNDER_LOCK(lose_power(n, host));
  end_life(n, h);
  return true;
}

bool rch_end_paused_hosts(uint32_t scope) {
  rch_network *n = rch_network_of(scope);
  bool has_ended_any = false;
  for (int i = 1; n && i <= n->host_count; i++) {
    rch_host *h = &n->hosts[i];
    if (state_of(n, h) != cvt_life_is_paused) continue;
    end_life(n, h);
    has_ended_any = true;
  }
  return has_ended_any;
}

bool rch_end_hosts(uint32_t scope, bool all) {
  rch_network *n = rch_network_of(scope);
  if (!n) return false;
  bool has_ended_any = false;
  bool *is_bound = calloc(n->life_count + 1, sizeof *is_bound);
  if (!is_bound) return false;
  rch_find_bound_lives(scope, is_bound);
  for (int i = 1; i <= n->host_count; i++) {
    rch_host *h = &n->hosts[i];
    if (is_bound[h->life] || state_of(n, h) == cvt_life_has_ended) continue;
    if (h->has_test_code && !all) continue;
    end_life(n, h);
    has_ended_any = true;
  }
  free(is_bound);
  return has_ended_any;
}

/// Sends the deliveries on their way that links have kept for a host.
static void release_held(rch_network *n, uint16_t host) {
  rch_link_state *l;
  for (int i = 0; i < rch_link_slots; i++)
    LIST_FOREACH(l, &n->links[i], in_slot) if (l->to == host) rch_release_held(l);
}

bool rch_restart_host(uint16_t host) {
  rch_network *n = rch_network_here();
  rch_host *h = rch_host_with(n, host);
  if (!h || state_of(n, h) != cvt_life_has_ended || !rch_may_begin_life(n)) return false;
  pthread_mutex_lock(&rch_lock);
  rch_begin_life(n, host, rch_has_restarted);
  h->is_dark = false;
  release_held(n, host);
  look_at_links(n, host);
  pthread_mutex_unlock(&rch_lock);
  return true;
}

void rch_set_activity(uint16_t host, rch_host_activity activity) {
  rch_network *n = rch_network_here();
  const rch_host *h = rch_host_with(n, host);
  bool runs = activity == rch_host_runs;
  if (!h || state_of(n, h) != (runs ? cvt_life_is_paused : cvt_life_runs)) return;
  static const rch_host_event_kind kinds[] = {rch_goes_on, rch_is_paused, rch_falls_asleep};
  record(n, host, kinds[activity], 0);
  cvt_set_suspended(n->scope, h->life, activity == rch_host_sleeps, rch_time_of(n->scope));
  cvt_set_life_state(n->scope, h->life, runs ? cvt_life_runs : cvt_life_is_paused);
  rch_the_engine.life_has_changed(n->scope, h->life);
}

void rch_set_clock(uint16_t host, int64_t ahead, double drift) {
  rch_network *n = rch_network_here();
  rch_host *h = rch_host_with(n, host);
  if (!h) return;
  h->skew = (cvt_skew){ahead, rch_time_of(n->scope), drift};
  cvt_set_skew(n->scope, h->life, h->skew);
  UNDER_LOCK(rch_record(
      n, (rch_host_event){
             rch_has_clock, host, .amount = ahead, .drift = drift, .sent_at = -1}));
}

int64_t rch_clock_ahead(uint16_t host) {
  rch_network *n = rch_network_here();
  const rch_host *h = rch_host_with(n, host);
  return h ? cvt_ahead_at(h->skew, rch_time_of(n->scope)) : 0;
}

double rch_clock_drift(uint16_t host) {
  const rch_host *h = rch_host_with(rch_network_here(), host);
  return h ? h->skew.drift : 0;
}

cvt_life_state rch_state_of_host(uint16_t host) {
  rch_network *n = rch_network_here();
  const rch_host *h = rch_host_with(n, host);
  return h ? state_of(n, h) : cvt_life_runs;
}

#endif
