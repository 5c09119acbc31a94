#pragma once

// A simulated network between the hosts of a scope (`Network` in this target). All functions are
// about the scope of the code that calls them, and do nothing if it has no network.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CVirtualTime.h"

typedef enum {
  rch_network_began,
  /// The code is of no scope, or a hold lets it run in real time.
  rch_network_has_no_scope,
  /// The queues and threads of the scope are real.
  rch_network_has_real_threads,
  rch_network_exists,
  /// The kernel has no numbers for sockets (`SO_COOKIE`), or no files are left.
  rch_network_has_no_sockets,
} rch_network_begin;

/// The scope has a network from now on, until it ends.
rch_network_begin rch_begin_network(void);

/// Adds a host with a name; returns its number, from 1 on, or 0 if there are too many.
uint16_t rch_add_host(const char *_Nonnull name);
/// The number of the host with a name, or 0. Names differ in more than case.
uint16_t rch_find_host(const char *_Nonnull name);
/// The name of the host with a number, until the network ends; null if there is none.
const char *_Nullable rch_host_name(uint16_t host);
/// How long the network's name server takes for an answer, in nanoseconds, and whether it gives
/// none.
typedef struct {
  int64_t latency;
  bool is_down;
} rch_name_server;

void rch_set_name_server(rch_name_server server);
rch_name_server rch_the_name_server(void);
/// From now on, a name is that of a host, whatever hosts are called; of none if the host is 0.
void rch_set_name(const char *_Nonnull name, uint16_t host);

/// The scope whose network the code may use that calls this, or 0.
uint32_t rch_scope_of_network(void);
/// The life of a host, to which what its code makes belongs.
uint16_t rch_life_of_host(uint16_t host);
/// The test itself runs code of a host, and may have its event loops when the scope has ended.
void rch_note_test_code(uint16_t host);
/// The host to which the code belongs that calls this, or 0.
uint16_t rch_current_host(void);

/// A place for an object that is retained, and released when the network ends; null if there is no
/// such host.
void *_Nullable *_Nullable rch_record_of_host(uint16_t host);

/// Ends the life of a host: none of its code runs any more, and its files are closed.
/// `loses_power`: nobody is told, and nothing arrives there. Returns whether it was alive.
bool rch_crash_host(uint16_t host, bool loses_power);
/// At the end of a scope, ends each life that stands still: it would do so for ever. Returns
/// whether there were any.
bool rch_end_paused_hosts(uint32_t scope);
/// At the end of a scope, ends each life whose threads can all end where they wait. Returns whether
/// there were any.
/// `all`: also those in which the test has run code of its own.
bool rch_end_hosts(uint32_t scope, bool all);
/// A host that has crashed begins a new life. Returns false if it had not, or if there have been
/// 65,535 lives in the network.
bool rch_restart_host(uint16_t host);
/// The machine of a living host runs, stands still, or sleeps. Its suspending clock stands while it
/// sleeps.
typedef enum { rch_host_runs, rch_host_pauses, rch_host_sleeps } rch_host_activity;
/// A host that runs stands still, or one that stands still runs.
void rch_set_activity(uint16_t host, rch_host_activity activity);
cvt_life_state rch_state_of_host(uint16_t host);

/// Sets the wall clock of a host: `ahead` nanoseconds before the scope's, with a gain of `drift`
/// nanoseconds in each nanosecond from now on.
void rch_set_clock(uint16_t host, int64_t ahead, double drift);
int64_t rch_clock_ahead(uint16_t host);
double rch_clock_drift(uint16_t host);

typedef enum { rch_uniform, rch_exponential, rch_pareto } rch_distribution;

/// The time that packets are under way from one host to another, in nanoseconds.
typedef struct {
  int64_t latency;
  /// How much longer a packet may take; drawn for each from a distribution.
  int64_t jitter;
  rch_distribution distribution;
  /// How much goes through in a second; 0 is as much as there is.
  int64_t bytes_per_second;
  /// The share of packets that are lost, from 0 to 1.
  double loss;
  /// The share of datagrams that arrive twice, from 0 to 1.
  double duplication;
  /// The share of packets of TCP that arrive in two parts, from 0 to 1.
  double short_reads;
} rch_link_quality;

/// Sets the quality of one direction of a link; of all links without one of their own if both
/// hosts are 0.
void rch_set_link(uint16_t from, uint16_t to, rch_link_quality quality);
rch_link_quality rch_link(uint16_t from, uint16_t to);
/// Nothing that one host sends arrives at the other one from now on; or what was kept arrives, and
/// what is sent.
void rch_cut_link(uint16_t from, uint16_t to, bool is_cut);
bool rch_link_is_cut(uint16_t from, uint16_t to);
/// Resets the connections between two hosts at once, at both ends. Returns how many there were.
size_t rch_reset_connections(uint16_t one, uint16_t other);

// MARK: What timelines show

/// The kinds of events of hosts; in all but the last ten, another host takes part.
typedef enum {
  rch_gets_bytes,
  rch_gets_datagram,
  rch_gets_connection,
  rch_gets_end,
  rch_gets_reset,
  rch_is_refused,
  rch_loses_packet,
  rch_is_cut_off,
  rch_is_heard_again,
  rch_loses_connections,
  rch_has_crashed,
  rch_has_no_power,
  rch_joins,
  rch_has_restarted,
  rch_is_paused,
  rch_falls_asleep,
  rch_goes_on,
  rch_has_clock,
  /// Of no host: the name server is down, or answers again.
  rch_has_no_names,
  rch_has_names,
} rch_host_event_kind;

typedef struct {
  rch_host_event_kind kind;
  uint16_t host, other;
  /// How many bytes it is, how far the clock is ahead in nanoseconds, or which life begins.
  int64_t amount;
  /// When the other host has sent it, or -1.
  int64_t sent_at;
  /// How much the clock gains in each nanosecond.
  double drift;
  /// The names of the hosts, or null; until the network ends.
  const char *_Nullable name, *_Nullable other_name;
} rch_host_event;
