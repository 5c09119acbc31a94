#if defined(__linux__)

#include "Sources.h"

#include <stdlib.h>

// The sources of scopes, by their objects.

LIST_HEAD(slot, rch_source);

/// There are at least as many slots as sources, and a power of two.
static struct slot *slots;
static size_t slot_count, count;

static struct slot *slot_of(object o) {
  const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
  return &slots[((uint64_t)(uintptr_t)o * golden >> 32) & (slot_count - 1)];
}

static void grow(void) {
  struct slot *former = slots;
  size_t former_count = slot_count;
  slot_count = former_count ? 2 * former_count : 64;
  slots = calloc(slot_count, sizeof *slots);
  if (!slots) abort();
  for (size_t i = 0; i < former_count; i++)
    for (rch_source *s; (s = LIST_FIRST(&former[i]));) {
      LIST_REMOVE(s, in_slot);
      LIST_INSERT_HEAD(slot_of(s->object), s, in_slot);
    }
  free(former);
}

rch_source *rch_find_source(object o) {
  if (count == 0) return 0;
  rch_source *s;
  LIST_FOREACH(s, slot_of(o), in_slot) if (s->object == o) break;
  return s;
}

void rch_insert_source(rch_source *s) {
  if (count == slot_count) grow();
  count++;
  LIST_INSERT_HEAD(slot_of(s->object), s, in_slot);
}

void rch_remove_source(rch_source *s) {
  if (rch_find_source(s->object) != s) return;
  count--;
  LIST_REMOVE(s, in_slot);
}

#endif
