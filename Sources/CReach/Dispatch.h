#pragma once

// What of libdispatch and of blocks no C header declares here.

#include "Override.h"

typedef void *object;
typedef void (*function)(void *);
typedef uint64_t dispatch_time;

struct block {
  void *isa;
  int flags, reserved;
  void (*invoke)(struct block *);
  const void *descriptor;
};

extern void *_Block_copy(const void *);
extern void _Block_release(const void *);
extern void *_NSConcreteGlobalBlock[];
/// The description of a block that captures nothing.
static const struct { unsigned long reserved, size; } rch_plain_block = {0, sizeof(struct block)};

extern char _dispatch_main_q[], _dispatch_queue_attr_concurrent[];
extern char _dispatch_source_type_timer[], _dispatch_source_type_data_add[];
extern char _dispatch_source_type_data_or[], _dispatch_source_type_data_replace[];
extern char _dispatch_source_type_read[], _dispatch_source_type_write[], _dispatch_source_type_signal[];
extern object dispatch_queue_create_with_target(const char *, object, object);
extern object dispatch_get_global_queue(intptr_t, uintptr_t);
extern void dispatch_group_enter(object);
extern void dispatch_group_leave(object);

extern const char *dispatch_queue_get_label(object);
extern void dispatch_queue_set_specific(object, const void *, void *, void (*)(void *));
extern void *dispatch_queue_get_specific(object, const void *);
extern void *dispatch_get_specific(const void *);

/// Whether this thread is inside the main queue, which `dispatchMain` takes away from the main thread.
bool rch_is_on_main(void);

/// Whether nobody else has a reference to an object of libdispatch (QueueLayout.c).
bool rch_is_last_reference(object o);
