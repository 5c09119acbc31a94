#pragma once

// A network between hosts of a scope. Their TCP sockets are Unix sockets, with a relay between the
// client and the server that keeps what was sent until it is to arrive:
//
//   client ── Unix socket ── end 0, relay, end 1 ── Unix socket ── server
//
// So reads, writes, waits, `close` and `dup` are the kernel's own, whatever code uses them. Only
// what is *named* is overridden: addresses, ports, hosts, options of TCP. A socket is known by the
// kernel's cookie for it, which is never used again, and not by its number. How much a burst of
// writes moves is the same in each run, as it is not with TCP of the loopback interface.
//
// A UDP socket has a pair of Unix sockets with the relay instead.
//
// All of this is touched under `rch_lock`. The relay is a file wait of the scope, and what is under
// way is a timer of the scope, so both run on the thread that has the baton.
//
// Hosts.c has hosts and addresses, Links.c the way from one host to another, Handshakes.c how a
// connection begins, Relays.c what it carries, Patience.c when it is given up, Datagrams.c what UDP
// sockets send, Notes.c what is known of sockets, Names.c and Messages.c the overrides, Resolver.c
// how hosts are found by name, Crashes.c what becomes of hosts.

#include "Files/Files.h"

#include <netinet/in.h>
#include <sys/un.h>

typedef struct rch_network rch_network;

/// Where a socket is: a port of a host. A host without a number is any one, or none.
typedef struct {
  uint16_t host, port;
  bool is_v6;
  /// Whether it is the host's own loopback interface.
  bool is_loopback;
} rch_endpoint;

// MARK: Hosts (Hosts.c)

typedef struct {
  char *name;
  uint16_t life;
  /// Whether its machine has no power: nothing arrives there.
  bool is_dark;
  /// Whether the test itself has run code there, in this life.
  bool has_test_code;
  /// Its wall clock, in all of its lives.
  cvt_skew skew;
  /// The port that the next socket without one gets.
  uint16_t next_port;
  /// The `URLSession.shared` of its code, and its `HostRecord`: retained, or null.
  void *session, *record;
} rch_host;

/// The host with a number, or null.
rch_host *rch_host_with(rch_network *network, uint16_t number);
/// Whether there are numbers left for lives.
bool rch_may_begin_life(const rch_network *network);
/// A host begins a life; under the lock.
void rch_begin_life(rch_network *network, uint16_t host, rch_host_event_kind beginning);
/// The network of the scope whose code this thread runs, or null. Not under the lock, since a thread
/// that has lost the baton asks for it first.
rch_network *rch_network_here(void);
/// The same under the lock.
rch_network *rch_network_known(void);
rch_network *rch_network_of(uint32_t scope);
/// The host of a life, or 0.
uint16_t rch_host_of(const rch_network *network, uint16_t life);
/// The timeline of the scope shows what happens to a host.
void rch_record(const rch_network *network, rch_host_event event);
/// The session of the host whose code this is, or null if it is of none; under the lock.
void **rch_session_of_host(void);
/// Takes out an object of one of a scope's hosts; null if there is none left; under the lock.
void *rch_take_object(uint32_t scope);
/// Whether an address is one of the Internet. It may be that of no host; then the host is
/// `rch_nowhere`. `here` is the host whose loopback interface is meant.
bool rch_parse(
    const struct sockaddr *address, socklen_t size, uint16_t here, rch_endpoint *endpoint);
enum { rch_nowhere = UINT16_MAX };
/// Writes an endpoint as an address of a family, as `getsockname` does.
void rch_show(rch_endpoint endpoint, int family, struct sockaddr *address, socklen_t *size);

// MARK: Links (Links.c)

typedef struct rch_link_state rch_link_state;
typedef struct rch_train rch_train;

/// Something that is under way on a link. Part of a larger object.
typedef struct rch_delivery rch_delivery;
struct rch_delivery {
  rch_entry alarm;
  TAILQ_ENTRY(rch_delivery) in_held;
  rch_link_state *link;
  /// Whether a timer is armed for it, or a cut link keeps it.
  bool is_armed, is_held;
  uint64_t timer;
  /// It has arrived, or would have if the link were not cut; under the lock.
  void (*deliver)(rch_delivery *delivery);
  void (*miss)(rch_delivery *delivery);
  /// Tells when it arrives after the link has kept it; or null, for one without bytes.
  int64_t (*go_again)(rch_delivery *delivery);
};

/// The way from one host to another.
struct rch_link_state {
  LIST_ENTRY(rch_link_state) in_slot;
  rch_network *network;
  uint16_t from, to;
  bool has_quality, is_cut;
  rch_link_quality quality;
  /// When all that was sent has been put on the line.
  int64_t free_at;
  TAILQ_HEAD(, rch_delivery) held;
  /// The connections that send by it.
  LIST_HEAD(, rch_pump) pumps;
  /// The latest datagrams that are under way, or null.
  rch_train *train;
};

rch_link_state *rch_link_between(rch_network *network, uint16_t from, uint16_t to);
/// When something arrives that is sent now, and sent again if it is lost.
int64_t rch_arrival(rch_link_state *link, size_t size);
/// The same for a packet of a handshake.
int64_t rch_arrival_of_handshake(rch_link_state *link);
/// When something arrives that is sent now, and not lost; drawn anew at each call.
int64_t rch_flight(rch_link_state *link, size_t size);
/// Whether a packet is lost, or comes twice; drawn at each call.
bool rch_is_lost(const rch_link_state *link);
bool rch_is_doubled(const rch_link_state *link);
/// How many bytes of a packet of TCP come at once; drawn at each call.
size_t rch_first_part(const rch_link_state *link, size_t size);
/// How much later it arrives if it is longer by so much, and not sent by itself.
int64_t rch_longer(rch_link_state *link, size_t size);
/// Delivers at an instant, or when the link is whole again after that.
void rch_deliver(rch_delivery *delivery, int64_t at);
/// Whether nothing arrives at the end of a link, and how long packets take at least.
bool rch_keeps(const rch_link_state *link);
int64_t rch_latency(const rch_link_state *link);
/// The timeline shows what arrives.
void rch_record_arrival(
    const rch_link_state *link, rch_host_event_kind kind, size_t size, int64_t sent_at);
/// It is due.
void rch_arrive(rch_delivery *delivery);
/// The link keeps it until it is whole again.
void rch_hold(rch_delivery *delivery);
void rch_stop(rch_delivery *delivery);
/// Sends on its way what a link has kept, if it need not keep it any more.
void rch_release_held(rch_link_state *link);

// MARK: Sockets (Notes.c)

/// A note of a socket of a host.
typedef struct rch_note rch_note;
struct rch_note {
  LIST_ENTRY(rch_note) in_slot, in_bound;
  uint64_t cookie;
  /// Its number; another one if it was duplicated and the first one closed.
  int file, family;
  uint16_t life;
  /// Options: `IPV6_V6ONLY`, `SO_KEEPALIVE` and those of TCP for it, `TCP_USER_TIMEOUT`,
  /// `TCP_NODELAY`.
  int only_v6, keeps_alive, keep_idle, keep_interval, keep_count, user_timeout, no_delay;
  /// Whether a UDP socket sends no more, and has its address while it is connected.
  bool has_ended, has_address_of_peer;
  bool is_bound, listens, is_connecting, is_connected;
  /// Whether its connection is over: reset, or ended by both sides.
  bool is_over;
  /// Whether the client was told that it is connected, and whether a close is a reset.
  bool is_told, lingers_not;
  /// How many clients may wait until they are accepted, and how many do.
  int backlog, waiting;
  /// Its pending error, if the kernel has another one, and why it could not connect.
  int error, failure;
  /// The direction in which it sends, or null.
  struct rch_pump *pump;
  /// The relay's end if it is one of UDP, or null.
  struct rch_udp *udp;
  rch_endpoint local, peer;
  /// The Unix address to which it is bound.
  struct sockaddr_un name;
  socklen_t name_size;
};

/// The cookie of an open socket, or 0.
uint64_t rch_cookie_of(int file);
/// Whether a socket is open, under its number or another one, which is noted then.
bool rch_is_open(rch_network *network, rch_note *note);
rch_note *rch_note_with(rch_network *network, uint64_t cookie);
rch_note *rch_note_of(rch_network *network, int file);
rch_note *rch_make_note(rch_network *network, int file, int family, uint16_t life);
/// Forgets the sockets that are closed.
void rch_sweep_notes(rch_network *network);
/// Forgets all sockets, and ends the waits for clients.
void rch_end_notes(rch_network *network);
/// Gives a socket its place, and a name that the kernel makes. Returns 0, or an error.
int rch_bind_note(rch_network *network, rch_note *note, rch_endpoint local);
/// The socket that listens at an endpoint, or null.
rch_note *rch_listener_at(rch_network *network, rch_endpoint endpoint);
/// The UDP socket at an endpoint, or null.
rch_note *rch_receiver_at(rch_network *network, rch_endpoint endpoint);
/// A port that nobody asked for, the same in each run; 0 if none is free.
uint16_t rch_free_port(rch_network *network, const rch_note *note, rch_endpoint local);

// MARK: Names (Resolver.c)

/// A name that the test has given to a host, or taken from all if there is none.
typedef struct rch_name {
  LIST_ENTRY(rch_name) in_names;
  char *name;
  uint16_t host;
} rch_name;

/// The network ends; under the lock.
void rch_forget_names(rch_network *network);

// MARK: The relay (Relays.c)

/// An end of the relay; part of a larger object.
typedef struct rch_watched {
  /// Of the ends that are ready at once, the lowest goes first.
  uint64_t order;
  /// Called under the lock, with events of epoll.
  void (*become_ready)(struct rch_watched *end, uint32_t events);
} rch_watched;

/// Ends of the relay are ready.
bool rch_relay(rch_file_wait *wait, const struct pollfd *answers);

// MARK: Datagrams (Datagrams.c)

typedef struct rch_udp rch_udp;

/// Makes a UDP socket and its note. Returns its file, or -1.
int rch_make_udp(rch_network *network, int family, int type, uint16_t life);
/// The socket is closed.
void rch_free_udp(rch_udp *udp);
/// How many bytes a message has.
size_t rch_size_of(const struct msghdr *message);
/// Sends a message, to its name or to the socket's peer. Returns its errno.
int rch_send_message(rch_network *network, rch_note *note, const struct msghdr *message);
/// Gives a socket a peer, or takes it from it if the address has no family. Returns its errno.
int rch_connect_udp(
    rch_network *network, rch_note *note, const struct sockaddr *address, socklen_t size);
/// How many bytes a socket keeps until they are read.
void rch_set_room(rch_udp *udp, int size);
/// Finds the senders of the datagrams that are read next. Returns how many there are.
size_t rch_find_senders(rch_udp *udp, rch_endpoint *senders, size_t capacity);
/// The network ends.
void rch_forget_datagrams(rch_network *network);

// MARK: Connections (Relays.c, Handshakes.c)

/// The kinds of chunks that a side sends.
typedef enum { rch_opens, rch_sends, rch_ends_sending, rch_resets } rch_chunk_kind;
typedef struct rch_chunk rch_chunk;
typedef struct rch_connection rch_connection;

/// One direction of a connection, from the side with its number to the other one.
typedef struct rch_pump {
  rch_watched watched;
  rch_delivery delivery;
  rch_connection *connection;
  int number;
  /// Whether the relay waits for what there is to read, and for room to write; and whether its
  /// epoll file knows the end of this side.
  bool is_reading, is_writing, is_watched;
  /// Whether nothing more comes, and whether all has been delivered.
  bool has_all, is_over;
  TAILQ_HEAD(rch_chunks, rch_chunk) chunks;
  /// How many bytes are under way, and have been sent in all.
  size_t kept;
  int64_t sent;
  int64_t last_at;
  LIST_ENTRY(rch_pump) in_link;
  /// Ends when its side has heard nothing for too long; since when it hears nothing.
  rch_entry patience;
  uint64_t patience_timer;
  int64_t unheard_since;
  /// Since when the link is whole again, if its side's questions would be answered with resets.
  int64_t whole_since;
} rch_pump;

/// One side of a connection: the cookie of its socket, and the relay's end or -1.
typedef struct {
  uint64_t cookie;
  int end;
  rch_endpoint at;
  /// Whether the last byte that it has sent is none of its own: a reset needs one that is unread.
  bool has_marker;
  /// Whether its machine has lost power, or it has given up.
  bool is_lost;
} rch_side;

struct rch_connection {
  TAILQ_ENTRY(rch_connection) in_connections;
  LIST_ENTRY(rch_connection) in_unaccepted;
  rch_network *network;
  /// In the order in which they were made.
  uint64_t number;
  /// The client and the server.
  rch_side sides[2];
  rch_pump pumps[2];
  rch_delivery handshake;
  bool is_answered, is_refused, is_open, is_unaccepted, is_closed, was_reset;
  /// How often the server's queue was full, and which socket it waits at.
  int attempts;
  uint64_t listener;
  /// With how many bytes the client's socket was filled.
  size_t filling;
};

/// Prepares both directions of a connection, without ends.
void rch_prepare_pumps(rch_connection *connection);
void rch_send(rch_pump *pump, rch_chunk_kind kind);
void rch_begin_reading(rch_pump *pump);
/// Nothing more happens to the connection. `resets`: whoever still has it sees a reset.
void rch_close_connection(rch_connection *connection, bool resets);
/// The machine of a side has lost power: it sends nothing, and answers nothing.
void rch_lose_side(rch_connection *connection, int number);
/// A side gives the connection up. The other one is not told.
void rch_give_up_side(rch_connection *connection, int number);
/// When what waits first was sent.
int64_t rch_first_sent_at(const rch_pump *pump);
/// Frees the connections that are closed and have nothing under way; under the lock, and not
/// inside of anything that uses one.
void rch_free_closed(rch_network *network);
/// The server's side is to be connected: returns 0, or why it is not.
int rch_open_server(rch_connection *connection);
/// How long a side waits before it sends the packet again to connect: twice as long as before.
int64_t rch_next_wait(rch_connection *connection);
/// The client cannot connect.
void rch_fail_to_connect(rch_connection *connection, int error);
/// Nobody will accept a connection.
void rch_forget_unaccepted(rch_connection *connection);
/// The connection that the server's socket has just accepted, by the name of its peer.
rch_connection *rch_accepted(
    rch_network *network, const struct sockaddr_un *peer, socklen_t size);
/// The side is about to end sending: keeps a byte that a reset needs.
void rch_add_marker(rch_note *note);

// MARK: Patience (Patience.c)

/// A client waits for the answer to its first packet.
void rch_await_answer(rch_connection *connection);
/// The link of a pump, or that of the other direction, was cut or healed, or keeps something.
void rch_look_at_link(rch_pump *pump);
void rch_end_patience(rch_pump *pump);

// MARK: The network

enum { rch_note_slots = 1 << 10, rch_link_slots = 1 << 10 };

struct rch_network {
  uint32_t scope;
  /// From 1 on.
  rch_host *hosts;
  uint16_t host_count;
  /// The host of each life, from 1 on.
  uint16_t *lives;
  uint16_t life_count;
  rch_name_server name_server;
  LIST_HEAD(, rch_name) names;
  rch_link_quality quality;
  LIST_HEAD(rch_links, rch_link_state) links[rch_link_slots];
  /// By their cookies, and those that are bound by host and port.
  LIST_HEAD(rch_notes, rch_note) notes[rch_note_slots], bound[rch_note_slots];
  /// How many sockets there are, and how many of them are of UDP; and how many are too many.
  size_t note_count, next_sweep, udp_count, next_udp_sweep;
  TAILQ_HEAD(, rch_train) trains;
  TAILQ_HEAD(rch_connections, rch_connection) connections, closed;
  LIST_HEAD(, rch_connection) unaccepted;
  uint64_t connections_made;
  /// The relay's ends. One file for all of them: who asks it pays for those that are ready.
  int epoll;
  struct pollfd file;
  rch_file_wait wait;
  /// The Unix address to which clients connect.
  int door;
  struct sockaddr_un door_name;
  socklen_t door_size;
};

// MARK: What `socket`, `connect` and `listen` do in a network (Names.c, Handshakes.c)

/// Whether a socket is one of the network; then `result` is what the function returns.
bool rch_network_socket(int family, int type, int protocol, int *result);
bool rch_network_connect(int file, const struct sockaddr *peer, socklen_t size, int *result);
bool rch_network_listen(int file, int backlog, int *result);
/// Whether an address is that of a host, which code that belongs to none cannot reach. The scope is
/// told.
bool rch_misses_host(const struct sockaddr *address, socklen_t size);
/// How many bytes the relay has read of a socket; -1 if it is not one of the network. Under the
/// lock.
int64_t rch_simulated_bytes(int file);
