#if defined(__linux__)

#include "DispatchSources/Sources.h"

// The sources of scopes, by their objects.

LIST_HEAD(slot, rch_source);

/// There are at least as many slots as sources.
static struct slot *slots;
static int slot_bits = 5;
static size_t count;

static size_t slot_count(void) { return slots ? (size_t)1 << slot_bits : 0; }

static struct slot *slot_of(object o) { return &slots[rch_slot(o, slot_bits)]; }

static void grow(void) {
  struct slot *former = slots;
  size_t former_count = slot_count();
  slot_bits++;
  slots = calloc((size_t)1 << slot_bits, sizeof *slots);
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

rch_source *rch_lock_source(object o) {
  if (!rch_any_sources()) return 0;
  pthread_mutex_lock(&rch_lock);
  rch_source *s = rch_find_source(o);
  if (!s) pthread_mutex_unlock(&rch_lock);
  return s;
}

void rch_insert_source(rch_source *s) {
  if (count == slot_count()) grow();
  count++;
  LIST_INSERT_HEAD(slot_of(s->object), s, in_slot);
}

void rch_remove_source(rch_source *s) {
  if (rch_find_source(s->object) != s) return;
  count--;
  LIST_REMOVE(s, in_slot);
}

void rch_visit_sources(uint32_t scope, uint16_t life, void (*visit)(rch_source *)) {
  rch_source *s;
  for (size_t i = 0; i < slot_count(); i++)
    LIST_FOREACH(s, &slots[i], in_slot)
      if (s->alarm.scope == scope && s->alarm.life == life) visit(s);
}

#endif
