#if defined(__linux__)

#include "Network/Network.h"

#include <fcntl.h>
#include <string.h>

// The overrides of functions for datagrams. `read` and `write` are the kernel's own: what a socket
// has written leaves when the scope looks at its files, and not at once.

/// The note of a UDP socket of the network, or null; under the lock.
static rch_note *udp_of(int file) {
  rch_network *n = rch_network_known();
  rch_note *o = n ? rch_note_of(n, file) : 0;
  return o && o->udp ? o : 0;
}

static bool is_udp(int file) { return rch_network_here() && UNDER_LOCK(udp_of(file) != 0); }

// MARK: Receiving

/// How long a socket waits for what there is to read.
static int64_t limit_of(int file) {
  struct timeval limit = {0};
  socklen_t size = sizeof limit;
  real_getsockopt()(file, SOL_SOCKET, SO_RCVTIMEO, &limit, &size);
  int64_t duration = limit.tv_sec * INT64_C(1000000000) + limit.tv_usec * INT64_C(1000);
  return duration ? duration : rch_never;
}

/// Waits until there is something to read, unless the caller does not want to wait. Returns its
/// errno.
static int await(int file, int flags, int64_t limit) {
  if (flags & MSG_ERRQUEUE) return EAGAIN;
  if (flags & MSG_DONTWAIT || fcntl(file, F_GETFL) & O_NONBLOCK) return 0;
  uint32_t scope = rch_may_wait();
  const struct pollfd input = {file, POLLIN, 0};
  int64_t own = limit_of(file);
  int64_t deadline = scope ? rch_deadline_after(scope, own < limit ? own : limit) : 0;
  struct pollfd now = input;
  while (scope && real_poll()(&now, 1, 0) == 0) {
    rch_outcome outcome = rch_wait_for_files(scope, (rch_files){&input, 1, false}, deadline);
    if (outcome == rch_timed_out) return EAGAIN;
    // The scope has ended. Nothing comes any more, and the thread would wait for ever.
    if (outcome != rch_woken) return ENETDOWN;
  }
  return 0;
}

/// The senders of what is read next.
static size_t find_senders(int file, rch_endpoint *senders, size_t capacity, int *family) {
  const rch_note *o = udp_of(file);
  if (o) *family = o->family;
  return o ? rch_find_senders(o->udp, senders, capacity) : 0;
}

/// Names the sender in a message that was received in a buffer of some size.
static void name_sender(struct msghdr *message, rch_endpoint sender, int family, socklen_t size) {
  if (!message->msg_name) return;
  message->msg_namelen = size;
  rch_show(sender, family, message->msg_name, &message->msg_namelen);
}

OVERRIDE ssize_t recvmsg(int file, struct msghdr *message, int flags) {
  if (!message || !is_udp(file)) return real_recvmsg()(file, message, flags);
  int error = await(file, flags, rch_never);
  if (error) return errno = error, -1;
  rch_endpoint sender = {0};
  int family = AF_INET;
  UNDER_LOCK(find_senders(file, &sender, 1, &family));
  socklen_t size = message->msg_namelen;
  ssize_t result = real_recvmsg()(file, message, flags);
  if (result >= 0) name_sender(message, sender, family, size);
  return result;
}

/// Receives what there is, and names the senders. Returns how many messages, or -1.
static int receive_some(int file, struct mmsghdr *messages, unsigned count, int flags) {
  enum { most = 64 };
  rch_endpoint senders[most] = {0};
  socklen_t sizes[most];
  int family = AF_INET;
  if (count > most) count = most;
  UNDER_LOCK(find_senders(file, senders, count, &family));
  for (unsigned i = 0; i < count; i++) sizes[i] = messages[i].msg_hdr.msg_namelen;
  int result = real_recvmmsg()(file, messages, count, flags | MSG_DONTWAIT, 0);
  for (int i = 0; i < result; i++)
    name_sender(&messages[i].msg_hdr, senders[i], family, sizes[i]);
  return result;
}

OVERRIDE int recvmmsg(
    int file, struct mmsghdr *messages, unsigned count, int flags, struct timespec *limit) {
  if (!is_udp(file)) return real_recvmmsg()(file, messages, count, flags, limit);
  unsigned received = 0;
  while (received < count) {
    int error = await(file, flags, rch_limit_of(limit));
    if (error) errno = error;
    int some = error ? -1 : receive_some(file, messages + received, count - received, flags);
    if (some <= 0) break;
    received += (unsigned)some;
    if (flags & MSG_WAITFORONE) flags |= MSG_DONTWAIT;
  }
  return received || !count ? (int)received : -1;
}

OVERRIDE ssize_t recvfrom(
    int file, void *data, size_t size, int flags, struct sockaddr *address, socklen_t *length) {
  if (!is_udp(file)) return real_recvfrom()(file, data, size, flags, address, length);
  struct iovec part = {data, size};
  bool has_name = address && length;
  struct msghdr message = {address, has_name ? *length : 0, &part, 1, 0, 0, 0};
  if (!has_name) message.msg_name = 0;
  ssize_t result = recvmsg(file, &message, flags);
  if (result >= 0 && has_name) *length = message.msg_namelen;
  return result;
}

OVERRIDE ssize_t recv(int file, void *data, size_t size, int flags) {
  if (!is_udp(file)) return real_recv()(file, data, size, flags);
  return recvfrom(file, data, size, flags, 0, 0);
}

OVERRIDE ssize_t __recv_chk(int file, void *data, size_t size, size_t room, int flags) {
  if (size > room || !is_udp(file)) return real___recv_chk()(file, data, size, room, flags);
  return recvfrom(file, data, size, flags, 0, 0);
}

OVERRIDE ssize_t __recvfrom_chk(
    int file, void *data, size_t size, size_t room, int flags, struct sockaddr *address,
    socklen_t *length) {
  if (size > room || !is_udp(file))
    return real___recvfrom_chk()(file, data, size, room, flags, address, length);
  return recvfrom(file, data, size, flags, address, length);
}

// MARK: Sending

/// Whether a message is where it says.
static bool is_there(const struct msghdr *message) {
  if (!message) return false;
  for (size_t i = 0; i < message->msg_iovlen; i++)
    if (!message->msg_iov[i].iov_base && message->msg_iov[i].iov_len) return false;
  return true;
}

/// Sends a message of a UDP socket; its errno.
static int send_here(int file, const struct msghdr *message) {
  rch_note *o = udp_of(file);
  if (!is_there(message)) return EFAULT;
  return o ? rch_send_message(rch_network_known(), o, message) : EBADF;
}

/// Whether a message is for a host, and its socket one of the machine: then it is not sent.
static bool misses_host(const struct msghdr *message) {
  if (!cvt_any_networks() || !message || !message->msg_name) return false;
  return rch_misses_host(message->msg_name, message->msg_namelen);
}

OVERRIDE ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
  int error;
  if (is_udp(file))
    error = UNDER_LOCK(send_here(file, message));
  else if (misses_host(message))
    error = ENETUNREACH;
  else
    return real_sendmsg()(file, message, flags);
  return error ? errno = error, -1 : (ssize_t)rch_size_of(message);
}

OVERRIDE ssize_t sendto(
    int file, const void *data, size_t size, int flags, const struct sockaddr *address,
    socklen_t length) {
  if (!cvt_any_networks()) return real_sendto()(file, data, size, flags, address, length);
  struct iovec part = {(void *)data, size};
  const struct msghdr message = {(void *)address, length, &part, 1, 0, 0, 0};
  return sendmsg(file, &message, flags);
}

OVERRIDE ssize_t send(int file, const void *data, size_t size, int flags) {
  if (!is_udp(file)) return real_send()(file, data, size, flags);
  return sendto(file, data, size, flags, 0, 0);
}

OVERRIDE int sendmmsg(int file, struct mmsghdr *messages, unsigned count, int flags) {
  if (!cvt_any_networks()) return real_sendmmsg()(file, messages, count, flags);
  for (unsigned i = 0; i < count; i++) {
    ssize_t sent = sendmsg(file, &messages[i].msg_hdr, flags);
    if (sent < 0) return i ? (int)i : -1;
    messages[i].msg_len = (unsigned)sent;
  }
  return (int)count;
}

#endif
