#include "Core/Internal.h"

#include <stdlib.h>
#include <string.h>

// What the runtime's object of a task says about it: its name, its parent and children, and what it
// waits for. The object refers to a list of records. All is read as the memory of another process
// would be: if the task goes on meanwhile, what is found is of no use, but nothing worse happens.

static int compare_tasks(const void *a, const void *b) {
  uint64_t one = cvt_task_id(*(void *const *)a), other = cvt_task_id(*(void *const *)b);
  return (one > other) - (one < other);
}

void cvt_sort_tasks(void **tasks, size_t count) {
  if (count) qsort(tasks, count, sizeof *tasks, compare_tasks);
}

#if defined(__linux__)

// The words of the runtime's `AsyncTask`.
enum {
  word_of_flags = 4,
  word_of_status = 12,
  word_of_records = 13,
  word_of_high_id = 18,
  word_of_dependency = 20,
  // A child task goes on with its parent and the next child.
  word_of_parent = 26,
  word_of_next_child = 27,
};

// The kinds of records.
enum { record_of_async_let = 1, record_of_group = 2, record_of_name = 6, mask_of_kind = 0xff };

// Bits of the flags, and of the status.
enum { is_child_task = 1 << 24, has_name = 1 << 30, runs = 0x800, has_ended = 0x2000 };

/// A record begins with its kind and the next one.
typedef struct { uintptr_t kind, next, value; } record;

extern const uint32_t _swift_concurrency_debug_internal_layout_version __attribute__((weak));

/// Whether the runtime has the layout that is known here.
static bool layout_is_known(void) {
  return &_swift_concurrency_debug_internal_layout_version &&
         _swift_concurrency_debug_internal_layout_version == 1;
}

static uintptr_t word_at(const void *object, int index) {
  uintptr_t word = 0;
  cvt_copy_memory((const char *)object + index * sizeof word, &word, sizeof word);
  return word;
}

/// Reads the next record of a task's list. `next` is the place of the record, and then of the one
/// behind it.
static bool read_record(uintptr_t *next, record *record) {
  if (!*next || !cvt_copy_memory((const void *)*next, record, sizeof *record)) return false;
  *next = record->next;
  return true;
}

// A list that changes while it is read may lead anywhere.
enum { longest_list = 1000 };

uint64_t cvt_number_of(const void *task) {
  return word_at(task, word_of_flags) >> 32 | (word_at(task, word_of_high_id) & UINT32_MAX) << 32;
}

bool cvt_name_of(const void *task, char *name, size_t size) {
  if (!layout_is_known() || !(word_at(task, word_of_flags) & has_name)) return false;
  uintptr_t next = word_at(task, word_of_records);
  record record;
  for (int i = 0; i < longest_list && read_record(&next, &record); i++) {
    if ((record.kind & mask_of_kind) != record_of_name) continue;
    // Up to the end of the page, and then behind it: there may be no memory.
    size_t page = 4096 - record.value % 4096, first = page < size - 1 ? page : size - 1;
    memset(name, 0, size);
    if (!cvt_copy_memory((const void *)record.value, name, first)) return false;
    if (!memchr(name, 0, first) && first < size - 1)
      cvt_copy_memory((const void *)(record.value + first), name + first, size - 1 - first);
    return true;
  }
  return false;
}

bool cvt_is_on_thread(const void *task) {
  return layout_is_known() && word_at(task, word_of_status) & runs;
}

const void *cvt_parent_of(const void *task) {
  if (!layout_is_known() || !(word_at(task, word_of_flags) & is_child_task)) return 0;
  return (const void *)word_at(task, word_of_parent);
}

size_t cvt_children_of(const void *task, const void **children, size_t capacity) {
  if (!layout_is_known()) return 0;
  size_t count = 0;
  uintptr_t next = word_at(task, word_of_records);
  record record;
  for (int i = 0; i < longest_list && read_record(&next, &record); i++) {
    uintptr_t kind = record.kind & mask_of_kind;
    if (kind != record_of_async_let && kind != record_of_group) continue;
    for (const void *child = (const void *)record.value; child && count < capacity;
         child = (const void *)word_at(child, word_of_next_child)) {
      // The memory may be another's by now.
      if (cvt_parent_of(child) != task) break;
      if (!(word_at(child, word_of_status) & has_ended)) children[count++] = child;
      if (kind == record_of_async_let) break;
    }
  }
  return count;
}

int32_t cvt_tasks_waiting_for(const void *actor, uint32_t scope) {
  // An actor has a list of the jobs that have come since it last looked, and one of those before,
  // by priority. A job begins like an object, and goes on with the next one.
  enum { word_of_new = 5, word_of_old = 8, word_of_next = 2, farthest = 100000 };
  if (!layout_is_known()) return 0;
  int32_t count = 0, steps = 0;
  const int lists[] = {word_of_new, word_of_old};
  for (int i = 0; i < 2; i++)
    for (uintptr_t job = word_at(actor, lists[i]); job && steps++ < farthest;
         job = word_at((const void *)job, word_of_next)) {
      const void *task = (const void *)job;
      if (word_at(task, word_of_flags) & 0xff) continue;
      const cvt_task *record = cvt_task_record(cvt_number_of(task), false);
      count += record && cvt_owner(record) == scope && cvt_is_counted(record);
    }
  return count;
}

cvt_dependency cvt_dependency_of(const void *task) {
  // The record of what a task waits for refers back to the task.
  const cvt_dependency none = {cvt_waits_for_nothing};
  const char *place = (const char *)word_at(task, word_of_dependency);
  uintptr_t words[6];
  if (!place || !cvt_copy_memory(place, words, sizeof words) || words[5] != (uintptr_t)task)
    return none;
  uint32_t kind = (uint32_t)words[4];
  if (kind > cvt_waits_for_executor) return none;
  cvt_dependency found = {kind, (const void *)words[2]};
  // An actor is its own executor if there is no other implementation. An object begins with its
  // type.
  if (kind == cvt_waits_for_executor && !words[3])
    cvt_copy_memory(found.object, &found.actor_type, sizeof found.actor_type);
  return found;
}

#else

uint64_t cvt_number_of(const void *task) { return cvt_task_id(task); }

bool cvt_name_of(const void *task, char *name, size_t size) { return false; }

bool cvt_is_on_thread(const void *task) { return false; }

const void *cvt_parent_of(const void *task) { return 0; }

size_t cvt_children_of(const void *task, const void **children, size_t capacity) { return 0; }

int32_t cvt_tasks_waiting_for(const void *actor, uint32_t scope) { return 0; }

cvt_dependency cvt_dependency_of(const void *task) {
  return (cvt_dependency){cvt_waits_for_nothing};
}

#endif
