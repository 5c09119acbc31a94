#if defined(__linux__)

#include "Network/Chunks.h"

#include <string.h>

// Bytes that a side has sent, and that have not arrived. The kernel gives the relay more or fewer
// at once, which must not matter: bytes of one instant are cut at multiples of 16 KiB.

enum { segment = 16 << 10 };

/// How much room a chunk has for bytes: it grows by doubling.
static size_t room_for(size_t size) {
  size_t room = size ? 64 : 0;
  while (room < size) room *= 2;
  return room;
}

/// Adds bytes to the last chunk.
static rch_chunk *extend(rch_pump *p, rch_chunk *c, const char *data, size_t size) {
  if (room_for(c->size + size) > room_for(c->size)) {
    TAILQ_REMOVE(&p->chunks, c, in_chunks);
    c = realloc(c, sizeof *c + room_for(c->size + size));
    if (!c) abort();
    TAILQ_INSERT_TAIL(&p->chunks, c, in_chunks);
  }
  memcpy(c->data + c->size, data, size);
  c->size += size;
  return c;
}

static rch_chunk *add_chunk(rch_pump *p, rch_chunk_kind kind, const char *data, size_t size) {
  rch_network *n = p->connection->network;
  rch_chunk *c = malloc(sizeof *c + room_for(size));
  if (!c) abort();
  rch_link_state *l = p->delivery.link;
  int64_t at = kind == rch_opens ? rch_flight(l, 0) : rch_arrival(l, size);
  // Nothing overtakes what was sent before.
  if (at < p->last_at) at = p->last_at;
  p->last_at = at;
  *c = (rch_chunk){.kind = kind, .sent_at = rch_time_of(n->scope), .at = at, .size = size};
  if (size) memcpy(c->data, data, size);
  TAILQ_INSERT_TAIL(&p->chunks, c, in_chunks);
  p->kept += size;
  if (TAILQ_FIRST(&p->chunks) == c && !p->is_writing) rch_deliver(&p->delivery, at);
  return c;
}

void rch_send(rch_pump *p, rch_chunk_kind kind) { add_chunk(p, kind, 0, 0); }

void rch_add_bytes(rch_pump *p, const char *data, size_t size) {
  while (size) {
    size_t room = (size_t)(segment - p->sent % segment), part = size < room ? size : room;
    rch_chunk *last = TAILQ_LAST(&p->chunks, rch_chunks);
    if (room < segment && last && last->kind == rch_sends && last->done == 0 &&
        last->sent_at == rch_time_of(p->connection->network->scope)) {
      last = extend(p, last, data, part);
      p->kept += part;
      p->last_at = last->at += rch_longer(p->delivery.link, part);
    } else {
      add_chunk(p, rch_sends, data, part);
    }
    p->sent += (int64_t)part;
    data += part;
    size -= part;
  }
}

void rch_drop_chunks(rch_pump *p) {
  for (rch_chunk *c; (c = TAILQ_FIRST(&p->chunks));) {
    TAILQ_REMOVE(&p->chunks, c, in_chunks);
    free(c);
  }
  p->kept = 0;
}

int64_t rch_first_sent_at(const rch_pump *p) {
  const rch_chunk *first = TAILQ_FIRST(&p->chunks);
  return first ? first->sent_at : p->last_at;
}

int64_t rch_send_again(rch_pump *p) {
  p->last_at = 0;
  rch_chunk *c;
  TAILQ_FOREACH(c, &p->chunks, in_chunks) {
    int64_t at = rch_arrival(p->delivery.link, c->size - c->done);
    c->at = p->last_at = at > p->last_at ? at : p->last_at;
  }
  return TAILQ_FIRST(&p->chunks)->at;
}

#endif
