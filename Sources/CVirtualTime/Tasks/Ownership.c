#include "Core/Internal.h"

// A task belongs to the scope in which it was created. That is written into its record once, and
// everything else follows from it. The hooks call this file whenever the runtime enqueues a task,
// begins a job or has ended it.

/// The facts about a scope that any thread may read. Lives for ever, as the records of tasks do.
typedef struct {
  /// The scope that uses this place, or 0.
  _Atomic uint32_t scope;
  /// How many tasks of the scope are enqueued, or run in a job that has not ended.
  _Atomic int32_t underway;
  /// The number of the body's task. Tasks of the scope have higher ones.
  _Atomic uint64_t first_task;
} __attribute__((aligned(64))) ledger;

static ledger ledgers[cvt_max_scopes];
static cvt_owner_events events;

_Atomic int cvt_counting_scopes;
_Atomic int cvt_late_scopes;

static ledger *ledger_of(uint32_t scope) { return &ledgers[scope % cvt_max_scopes]; }

void cvt_scope_begins(uint32_t scope) {
  ledger *ledger = ledger_of(scope);
  atomic_store(&ledger->underway, 0);
  atomic_store(&ledger->first_task, UINT64_MAX);
  atomic_store(&ledger->scope, scope);
  atomic_fetch_add(&cvt_counting_scopes, 1);
}

uint64_t cvt_scope_ends(uint32_t scope, bool leaves_tasks) {
  ledger *ledger = ledger_of(scope);
  atomic_store(&ledger->scope, 0);
  if (leaves_tasks)
    atomic_fetch_add(&cvt_late_scopes, 1);
  else
    atomic_fetch_sub(&cvt_counting_scopes, 1);
  return atomic_load(&ledger->first_task);
}

void cvt_set_owner_events(cvt_owner_events new) { events = new; }

// MARK: Births

uint32_t cvt_current_scope(void) {
  void *task = cvt_current_task();
  if (!task) return cvt_this_thread.number;
  uint32_t owner = cvt_owner_of(cvt_task_id(task));
  // Without the hooks, a task that has never been enqueued is only known by its thread.
  return owner ? owner : cvt_this_thread.number;
}

/// The scope of a new task that this thread has just created.
static uint32_t owner_of_newborn(uint64_t id) {
  uint32_t creator = cvt_current_scope();
  // A task that a once-only initialiser makes, such as that of a global, belongs to the process.
  if (creator <= cvt_outside || cvt_this_thread.initialisers) return cvt_outside;
  // A task that is older than the scope is only seen for the first time here.
  return id > atomic_load(&ledger_of(creator)->first_task) ? creator : cvt_outside;
}

uint32_t cvt_owner_of(uint64_t task_id) {
  const cvt_task *record = cvt_task_record(task_id, false);
  return record ? cvt_owner(record) : 0;
}

bool cvt_is_older(uint64_t task_id, uint32_t scope) {
  return task_id < atomic_load(&ledger_of(scope)->first_task);
}

cvt_task *cvt_adopt(void *task) {
  uint64_t id = cvt_task_id(task);
  cvt_task *record = cvt_task_record(id, true);
  if (!record || cvt_owner(record) != 0) return record;
  uint32_t body_of = cvt_this_thread.birth;
  if (body_of) atomic_store(&ledger_of(body_of)->first_task, id);
  uint32_t owner = body_of ? body_of : owner_of_newborn(id);
  if (owner > cvt_outside && !body_of) cvt_inherit_life(task);
  __c11_atomic_store(&record->owner, owner, __ATOMIC_RELAXED);
  if (owner > cvt_outside && (body_of || cvt_is_unstructured(task)))
    events.created(owner, task, body_of != 0);
  return record;
}

// MARK: Counting

int32_t cvt_underway(uint32_t scope) { return atomic_load(&ledger_of(scope)->underway); }

void cvt_task_enqueued(void *task) {
  cvt_task *record = cvt_adopt(task);
  if (!record || cvt_owner(record) <= cvt_outside) return;
  ledger *ledger = ledger_of(cvt_owner(record));
  if (atomic_load(&ledger->scope) != cvt_owner(record)) return;
  atomic_store_explicit(&record->enqueued, cvt_counts, memory_order_relaxed);
  atomic_fetch_add(&ledger->underway, 1);
}

uint32_t cvt_task_begins(void *task) {
  cvt_task *record = cvt_task_record(cvt_task_id(task), false);
  if (!record || !atomic_load_explicit(&record->enqueued, memory_order_relaxed)) return 0;
  uint32_t owner = cvt_owner(record);
  // Another thread may be about to keep it.
  if (atomic_exchange(&record->enqueued, cvt_is_not_enqueued) == cvt_is_kept)
    cvt_add_to_underway(owner, +1);
  if (owner == cvt_this_thread.number && task != cvt_this_thread.job)
    events.goes_on(cvt_this_thread.scope, task);
  if (cvt_timer(record)) events.woke_early(owner, record);
  return owner;
}

void cvt_task_goes_on(void) {
  uint32_t scope = cvt_this_thread.number;
  void *task = cvt_current_task();
  if (task && cvt_current_scope() == scope &&
      atomic_load_explicit(&ledger_of(scope)->scope, memory_order_relaxed) == scope)
    events.goes_on(cvt_this_thread.scope, task);
}

bool cvt_is_let_go(void) {
  void *task = cvt_current_task();
  cvt_task *record = task ? cvt_task_record(cvt_task_id(task), false) : 0;
  uint32_t owner = record ? cvt_owner(record) : 0;
  return owner > cvt_outside &&
         atomic_load_explicit(&ledger_of(owner)->scope, memory_order_relaxed) != owner &&
         !cvt_may_run_late(task, record);
}

bool cvt_may_run_late(void *task, cvt_task *record) {
  enum { late_jobs = 10000 };
  if (!cvt_is_cancelled(task)) return true;
  if (atomic_load_explicit(&record->late_jobs, memory_order_relaxed) == late_jobs) return false;
  atomic_fetch_add_explicit(&record->late_jobs, 1, memory_order_relaxed);
  return true;
}

void cvt_task_cancelled(void *task) {
  cvt_task *record = cvt_task_record(cvt_task_id(task), false);
  if (record && cvt_owner(record) > cvt_outside) events.cancelled(cvt_owner(record), record);
}

void cvt_task_ended(uint32_t scope) {
  ledger *ledger = ledger_of(scope);
  if (atomic_load(&ledger->scope) != scope) return;
  if (atomic_fetch_sub(&ledger->underway, 1) == 1 && cvt_this_thread.number != scope)
    events.came_to_rest(scope);
}

void cvt_add_to_underway(uint32_t scope, int32_t change) {
  ledger *ledger = ledger_of(scope);
  if (atomic_load(&ledger->scope) == scope) atomic_fetch_add(&ledger->underway, change);
}

void cvt_keep_task(cvt_task *task, bool keeps) {
  uint8_t now = keeps ? cvt_counts : cvt_is_kept;
  if (atomic_compare_exchange_strong(&task->enqueued, &now, keeps ? cvt_is_kept : cvt_counts))
    cvt_add_to_underway(cvt_owner(task), keeps ? -1 : +1);
}

void cvt_task_dropped(void *task) {
  uint32_t owner = cvt_task_begins(task);
  if (owner) cvt_task_ended(owner);
}
