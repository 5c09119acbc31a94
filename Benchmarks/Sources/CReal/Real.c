#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#include "CReal.h"

typedef void *object;
extern object dispatch_semaphore_create(intptr_t);
extern object dispatch_group_create(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

typedef enum { takes_one, takes_time } kind;

static const struct {
  const char *name, *first, *second;
  kind kind;
} pairs[] = {
    {"pthread_mutex_lock, _unlock", "pthread_mutex_lock", "pthread_mutex_unlock", takes_one},
    {"pthread_cond_signal, _broadcast", "pthread_cond_signal", "pthread_cond_broadcast", takes_one},
    {"dispatch_semaphore_signal, _wait", "dispatch_semaphore_signal", "dispatch_semaphore_wait",
     takes_time},
    {"dispatch_group_enter, _leave", "dispatch_group_enter", "dispatch_group_leave", takes_one},
};

int32_t real_pairs(void) { return sizeof pairs / sizeof *pairs; }
const char *real_name(int32_t pair) { return pairs[pair].name; }

void real_call(int32_t pair, bool is_behind, int64_t count) {
  static object semaphore, group;
  if (!semaphore) semaphore = dispatch_semaphore_create(0);
  if (!group) group = dispatch_group_create();
  void *arguments[] = {&mutex, &condition, semaphore, group};
  void *argument = arguments[pair];
  void *library = is_behind ? RTLD_NEXT : RTLD_DEFAULT;
  intptr_t (*first)(void *) = (intptr_t(*)(void *))dlsym(library, pairs[pair].first);
  void *second = dlsym(library, pairs[pair].second);
  for (int64_t i = 0; i < count; i++) {
    first(argument);
    if (pairs[pair].kind == takes_time)
      ((intptr_t(*)(void *, uint64_t))second)(argument, ~0ull);
    else
      ((intptr_t(*)(void *))second)(argument);
  }
}
