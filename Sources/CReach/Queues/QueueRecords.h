#pragma once

// The records of queues that have blocks of scopes (QueueRecords.c). All under the lock.

#include "Queues/Queues.h"

/// How many blocks of a scope are inside of a queue or about to enter it, or have not begun.
typedef struct rch_occupancy {
  struct rch_occupancy *next;
  uint32_t scope;
  int count;
} rch_occupancy;

typedef struct rch_record rch_record;

/// The blocks of a scope that a queue keeps, in their order.
typedef struct rch_share {
  LIST_ENTRY(rch_share) in_record;
  rch_record *record;
  uint32_t scope;
  struct rch_blocks blocks;
  /// The other scope that alone keeps them out, or 0.
  uint32_t other;
} rch_share;

TAILQ_HEAD(rch_records, rch_record);
struct rch_record {
  LIST_ENTRY(rch_record) in_slot;
  TAILQ_ENTRY(rch_record) in_keepers, in_tree;
  object queue;
  /// How many of its own blocks have been submitted and have not begun; and if it is serial, also
  /// with those of the queues that target it.
  rch_occupancy *own, *pending;
  /// The blocks that are inside, and how many of them are barriers.
  rch_occupancy *occupants;
  int barriers;
  /// The blocks that are kept, and the same for each scope.
  struct rch_blocks blocks;
  LIST_HEAD(, rch_share) shares;
  bool is_busy;
  /// Its own blocks that are to be counted again when it has its new target, and the next such
  /// queue.
  rch_occupancy *moving;
  rch_record *next_moving;
  /// If it keeps blocks, the record of the queue in which its targets end.
  rch_record *root;
  /// The records of queues that end in this queue and keep blocks. Earlier blocks are let in first.
  struct rch_records tree;
  /// Whether they may keep blocks of several scopes.
  bool tree_is_mixed;
};

/// All queues that keep blocks.
extern struct rch_records rch_keepers;
/// How many queues are occupied or keep blocks.
extern _Atomic int rch_busy_queues;

rch_record *rch_find_record(object queue);
/// Brings up to date what depends on a record; it may be gone then.
void rch_record_has_changed(rch_record *record);
/// A block of a scope enters a queue, or has left it.
void rch_occupy(object queue, uint32_t scope, bool is_barrier, int change);
/// Notes of a queue and of the serial ones that it targets that blocks are pending, or not any
/// more.
void rch_count_pending(object queue, uint32_t scope, int change);
/// The blocks of a scope among those of all, or 0.
const rch_occupancy *rch_occupancy_of(const rch_occupancy *first, uint32_t scope);
/// The blocks that keep another one out of a queue which it has to go through, or 0.
const rch_occupancy *rch_occupants_before(object queue, bool is_barrier_of_queue);
/// The blocks of a scope that a queue keeps, or 0.
rch_share *rch_find_share(const rch_record *record, uint32_t scope);
/// A queue keeps a block, behind another one or behind all.
void rch_keep(rch_record *record, rch_block *block, rch_block *before);
/// A queue does not keep a block any more.
void rch_keep_no_more(rch_record *record, rch_block *block);

// MARK: Whose time stands (QueueHolds.c)

/// Waits in real time, while another scope alone keeps work of a scope out of a queue.
void rch_await_other_scope(object queue, uint32_t scope, bool is_barrier);

/// Asks the scopes whose blocks a queue keeps for whom they wait.
void rch_update_waits(rch_record *record);
/// The same for one scope.
void rch_update_wait(rch_share *share);
/// The blocks of a scope are not kept any more.
void rch_end_wait(rch_share *share);
/// Whether any scope waits for another one.
bool rch_any_scope_waits(void);
/// Holds the scopes that wait now, and ends the holds of the others.
void rch_update_holds(void);
