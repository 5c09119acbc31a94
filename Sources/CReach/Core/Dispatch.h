#pragma once

// Functions of libdispatch, of blocks, of the C library, of Foundation and of the Swift runtime
// that no C header declares.

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CVirtualTime.h"

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

/// Whether this thread is inside the main queue, which `dispatchMain` takes away from the main
/// thread.
bool rch_is_on_main(void);

/// How many references there are to an object of libdispatch (QueueLayout.c).
int rch_references(object o);

unsigned char _CFRunLoopFinished(void *, void *);
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);
void dispatch_activate(object);
void dispatch_after(dispatch_time, object, void *);
void dispatch_after_f(dispatch_time, object, void *, function);
void dispatch_apply(size_t, object, void *);
void dispatch_apply_f(size_t, object, void *, void (*)(void *, size_t));
void dispatch_async(object, void *);
void dispatch_async_and_wait(object, void *);
void dispatch_async_and_wait_f(object, void *, function);
void dispatch_async_f(object, void *, function);
void dispatch_barrier_async(object, void *);
void dispatch_barrier_async_and_wait(object, void *);
void dispatch_barrier_async_and_wait_f(object, void *, function);
void dispatch_barrier_async_f(object, void *, function);
void dispatch_barrier_sync(object, void *);
void dispatch_barrier_sync_f(object, void *, function);
void *dispatch_block_create(unsigned long, void *);
void *dispatch_get_context(object);
void dispatch_group_async(object, object, void *);
void dispatch_group_async_f(object, object, void *, function);
void dispatch_group_notify(object, object, void *);
void dispatch_group_notify_f(object, object, void *, function);
intptr_t dispatch_group_wait(object, dispatch_time);
void dispatch_release(object);
void dispatch_resume(object);
void dispatch_retain(object);
intptr_t dispatch_semaphore_signal(object);
intptr_t dispatch_semaphore_wait(object, dispatch_time);
void dispatch_set_context(object, void *);
void dispatch_set_finalizer_f(object, function);
void dispatch_set_target_queue(object, object);
void dispatch_source_cancel(object);
object dispatch_source_create(const void *, uintptr_t, uintptr_t, object);
uintptr_t dispatch_source_get_data(object);
uintptr_t dispatch_source_get_handle(object);
void dispatch_source_merge_data(object, uintptr_t);
void dispatch_source_set_cancel_handler(object, void *);
void dispatch_source_set_cancel_handler_f(object, function);
void dispatch_source_set_event_handler(object, void *);
void dispatch_source_set_event_handler_f(object, function);
void dispatch_source_set_mandatory_cancel_handler(object, void *);
void dispatch_source_set_mandatory_cancel_handler_f(object, function);
void dispatch_source_set_registration_handler(object, void *);
void dispatch_source_set_registration_handler_f(object, function);
void dispatch_source_set_timer(object, dispatch_time, uint64_t, uint64_t);
void dispatch_suspend(object);
void dispatch_sync(object, void *);
void dispatch_sync_f(object, void *, function);

// The getters of `Task.isCancelled`, of a task and of the current one, and of
// `UnsafeCurrentTask.isCancelled`: `a`, `b` and `c` are the task and its types.
SWIFT_CALL bool $sScT11isCancelledSbvg(void *a, void *b, void *c, SWIFT_SELF void *self);
SWIFT_CALL bool $sScTss5NeverORszABRs_rlE11isCancelledSbvgZ(
    void *a, void *b, void *c, SWIFT_SELF void *self);
SWIFT_CALL bool $sSct11isCancelledSbvg(void *a, void *b, void *c, SWIFT_SELF void *self);
SWIFT_CALL bool swift_task_isCancelled(void *a, void *b, void *c, SWIFT_SELF void *self);
/// `Task.checkCancellation()`.
SWIFT_CALL void $sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ(
    SWIFT_SELF void *self, __attribute__((swift_error_result)) void **error);
/// The getter of `URLSession.shared`.
SWIFT_CALL void *$s20FoundationNetworking10URLSessionC6sharedACvgZ(SWIFT_SELF void *type);
