#if defined(__linux__)

#include "Queues/Queues.h"

// The parts of queues and of blocks, as libdispatch makes them.

// The places of the parts of a queue; for debuggers.
extern const struct {
  uint16_t version, label, label_size, flags, flags_size, serial_number, serial_number_size, width,
      width_size, running, running_size, suspend_count, suspend_count_size, target, target_size;
} dispatch_queue_offsets __attribute__((weak));

static const void *invoke_of_work_items;

static uint16_t width(object q) {
  return *(uint16_t *)((char *)q + dispatch_queue_offsets.width);
}

object rch_target(object q) { return *(object *)((char *)q + dispatch_queue_offsets.target); }

object rch_root(object q) {
  for (object next = rch_target(q); next && rch_target(next); next = rch_target(q)) q = next;
  return q;
}

bool rch_is_inside(object q, object other) {
  while (q && q != other) q = rch_target(q);
  return q;
}

bool rch_has_width_one(object q) { return width(q) == 1; }

/// The queue's state comes before its serial number. Its highest bits count suspensions, and tell
/// that the queue has not been activated.
bool rch_is_suspended(object q) {
  const char *state = (char *)q + dispatch_queue_offsets.serial_number - sizeof(uint64_t);
  return __atomic_load_n((const uint64_t *)state, __ATOMIC_RELAXED) >> 55 != 0;
}

bool rch_is_serial(object q) {
  while (rch_target(q) && width(q) > 1) q = rch_target(q);
  return rch_target(q);
}

bool rch_runs_on_main(object q) {
  while (q && q != (object)_dispatch_main_q) q = rch_target(q);
  return q;
}

/// What an object begins with: its class, and how many references there are besides the first one,
/// inside of libdispatch and outside.
typedef struct {
  const void *class;
  int internal, external;
} header;

int rch_references(object o) {
  return __atomic_load_n(&((const header *)o)->external, __ATOMIC_RELAXED) + 1;
}

/// The data that libdispatch keeps inside a block that it has made.
typedef struct {
  struct block block;
  uint64_t magic, flags;
} work_item;

bool rch_is_barrier(const void *block) {
  const work_item *item = block;
  return item->block.invoke == invoke_of_work_items && item->flags & 1;
}

/// The class of queues that programs make, serial and concurrent.
static const void *queue_classes[2];

__thread bool rch_drops_block;

void rch_resume_if_last(object o, const void *class_of_sources) {
  const void *class = ((const header *)o)->class;
  bool may_be_suspended =
      class == class_of_sources || class == queue_classes[0] || class == queue_classes[1];
  if (!may_be_suspended || rch_references(o) > 1) return;
  real_dispatch_activate()(o);
  while (rch_is_suspended(o)) real_dispatch_resume()(o);
}

static void do_nothing(struct block *b) { (void)b; }

static const char main_key;

bool rch_is_on_main(void) { return dispatch_get_specific(&main_key); }

bool rch_knows_queues(void) {
  dispatch_queue_set_specific(_dispatch_main_q, &main_key, (void *)&main_key, 0);
  if (!&dispatch_queue_offsets || dispatch_queue_offsets.version < 5) return false;
  object serial = dispatch_queue_create_with_target("", 0, 0);
  object wide =
      dispatch_queue_create_with_target("", (object)_dispatch_queue_attr_concurrent, serial);
  bool knows = width(serial) == 1 && width(wide) > 1 && rch_target(wide) == serial &&
               !rch_runs_on_main(wide) && !rch_is_suspended(serial);
  queue_classes[0] = ((const header *)serial)->class;
  queue_classes[1] = ((const header *)wide)->class;
  knows &= rch_references(serial) == 1;
  dispatch_retain(serial);
  knows &= rch_references(serial) == 2;
  real_dispatch_release()(serial);
  real_dispatch_suspend()(serial);
  knows &= rch_is_suspended(serial);
  real_dispatch_resume()(serial);
  knows &= !rch_is_suspended(serial);
  real_dispatch_release()(wide);
  real_dispatch_release()(serial);
  struct block plain = {_NSConcreteGlobalBlock, 1 << 28, 0, (void (*)(struct block *))do_nothing,
                        &rch_plain_block};
  work_item *item = dispatch_block_create(1, &plain);
  const uint64_t magic = 0xD159B10C;
  if (item->magic == magic && item->flags & 1)
    invoke_of_work_items = (void *)item->block.invoke;
  else
    knows = false;
  _Block_release(item);
  return knows;
}

#endif
