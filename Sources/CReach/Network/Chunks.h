#pragma once

// The bytes of a connection that are under way (Chunks.c).

#include "Network/Network.h"

struct rch_chunk {
  TAILQ_ENTRY(rch_chunk) in_chunks;
  rch_chunk_kind kind;
  int64_t sent_at, at;
  size_t size, done;
  char data[];
};

/// A side has sent bytes.
void rch_add_bytes(rch_pump *pump, const char *data, size_t size);
/// All that is under way is lost.
void rch_drop_chunks(rch_pump *pump);
/// All that is under way is sent again, since a cut link is whole. Returns when it begins to arrive.
int64_t rch_send_again(rch_pump *pump);
