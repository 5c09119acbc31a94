#pragma once

// Queues of libdispatch, and who may enter them.

#include "Core/Override.h"

// MARK: What libdispatch tells (QueueLayout.c)

/// The queue that a queue targets, or null for a queue of the system.
object rch_target(object queue);
/// The last one of the queues that a queue targets, one after the other, before those of the
/// system.
object rch_root(object queue);
/// Whether blocks of a queue run inside of another one.
bool rch_is_inside(object queue, object other);
/// Whether the queue itself has only one block at a time.
bool rch_has_width_one(object queue);
/// Whether a queue has only one block at a time, because of itself or of a queue that it targets.
bool rch_is_serial(object queue);
bool rch_is_suspended(object queue);
bool rch_runs_on_main(object queue);
/// This thread frees a block that never runs.
extern __thread bool rch_drops_block;
/// Resumes a queue or source of which this is the last reference. libdispatch ends the process when
/// one is freed that is suspended, and a block that never runs may be the one that resumes it.
void rch_resume_if_last(object o, const void *class_of_sources);
/// Whether a block was made as a barrier.
bool rch_is_barrier(const void *block);

// MARK: Who may enter (QueueOrder.c)

struct rch_block {
  rch_entry entry;
  /// If it is kept: among the blocks of its queue, and among those of its scope there.
  TAILQ_ENTRY(rch_block) in_queue, in_share;
  /// In the order in which blocks are submitted.
  uint64_t number;
  object queue, group;
  void *context;
  function function;
  bool is_barrier;
  /// The thread that waits, if it is the turn of one, or 0.
  int32_t thread;
  /// It has been submitted, and has not begun.
  bool is_pending;
  /// It was kept, and is in the ready queue now.
  bool is_let_in;
};
TAILQ_HEAD(rch_blocks, rch_block);

/// A function that a thread calls inside of a queue.
typedef struct {
  uint32_t scope;
  object queue;
  bool is_barrier;
  /// Whether the queue is occupied for the thread: not after the end of the scope.
  bool occupies;
  void *context;
  function function;
} rch_visit;
typedef void (*rch_submission)(object queue, void *context, function function);
/// Calls a function inside of a queue with a function of libdispatch that waits.
void rch_do_inside(const rch_visit *visit, rch_submission submit);
/// Lets others in while the thread is still inside, since the queue may have another target
/// afterwards. Those who come then wait for libdispatch only, and not for code of the user's.
void rch_leave(const rch_visit *visit);
/// A block is about to be put into the ready queue. Later work that is waited for keeps behind it.
/// Under the lock.
void rch_block_is_pending(rch_block *block);
/// A block will never run. Under the lock.
void rch_block_is_dropped(rch_block *block);
/// The task that an executor runs in a block is not under way while the block waits until others of
/// its scope have gone on.
static inline void rch_keep_task(rch_block *block, bool keeps) {
  if (block->entry.task) cvt_keep_task(block->entry.task, keeps);
}
/// Whether a block may enter its queue now, which it then occupies; else it is kept until it may.
bool rch_admit(rch_block *block);
/// The description of a block in reports.
rch_work rch_tell_of_block(const rch_entry *entry);
/// Whether work that is waited for need not let others go first. `occupies`: whether the queue is
/// occupied then.
bool rch_may_enter(object queue, uint32_t scope, bool is_barrier, bool *occupies);
/// The function that a block of a crashed host calls instead of its own.
void rch_do_nothing(void *context);
/// A block of a host that has crashed goes through its queue, calls nothing, and leaves no group.
void rch_bury(rch_block *b);
/// A block's turn has come.
void rch_run_block(rch_entry *entry);
/// Runs a block for which no scope is there any more, and frees it (Queues.c).
void rch_run_outside(void *block);
/// The block of a thread that waits for its turn has run, or never will (QueueWaiting.c).
void rch_turn_is_over(void *turn);
/// Nothing is called when the turn of a thread has come.
void rch_empty_turn(void *turn);
/// A queue through which blocks may go in that wait; it need not live any more.
typedef struct {
  object queue, root;
  bool has_width_one;
} rch_passage;
/// The queue, or one that targets it, may have become free.
void rch_let_in(rch_passage passage);

// MARK: What is known of them (QueueRecords.c)

/// A queue is about to get another target. Returns what `rch_has_target` wants to have.
struct rch_record *rch_leave_target(object queue);
void rch_has_target(struct rch_record *moving);
