#if defined(__linux__)

#include "Core/Override.h"

#include <stdarg.h>
#include <stdio.h>

_Atomic int rch_scopes;
rch_engine rch_the_engine;
pthread_mutex_t rch_lock = PTHREAD_MUTEX_INITIALIZER;

/// The scopes whose queues and threads are virtual, by their place in the engine's tables.
static _Atomic uint32_t reached[cvt_max_scopes];

struct rch_hooks rch_hooks;

void rch_connect(rch_engine engine) {
  rch_the_engine = engine;
  cvt_set_regain(rch_regain);
}

typedef struct {
  rch_entry entry;
  void (*tell)(uint32_t scope);
} notice;

static void tell(rch_entry *entry) {
  ((notice *)entry)->tell(entry->scope);
  free(entry);
}

static void drop(rch_entry *entry) { free(entry); }

void rch_notify(uint32_t scope, void (*f)(uint32_t scope)) {
  notice *n = NEW(notice, {tell, drop, rch_anywhere, scope}, f);
  if (!rch_the_engine.enqueue(&n->entry)) free(n);
}

typedef struct {
  rch_entry entry;
  rch_server server;
  char name[128];
} meeting;

static void tell_of_server(rch_entry *entry) {
  const meeting *m = (meeting *)entry;
  rch_the_engine.meets_server(entry->scope, m->server, m->name);
  free(entry);
}

void rch_tell_of_server(uint32_t scope, rch_server server, const char *format, ...) {
  meeting *m = NEW(meeting, {tell_of_server, drop, rch_anywhere, scope}, server);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(m->name, sizeof m->name, format, arguments);
  va_end(arguments);
  if (!rch_the_engine.enqueue(&m->entry)) free(m);
}

void rch_scope_begins(uint32_t scope) {
  atomic_store(&reached[scope % cvt_max_scopes], scope);
  atomic_fetch_add(&rch_scopes, 1);
}

void rch_scope_ends(uint32_t scope) {
  _Atomic uint32_t *place = &reached[scope % cvt_max_scopes];
  if (atomic_load(place) != scope) return;
  atomic_store(place, 0);
  for (int i = 0; i < rch_ends; i++) rch_hooks.at_end[i](scope);
  atomic_fetch_sub(&rch_scopes, 1);
}

uint64_t rch_draw_here(rch_draw draw) {
  uint32_t scope = rch_scope_here();
  return scope ? rch_the_engine.draw(scope, draw) : 0;
}

bool rch_is_reached(uint32_t scope) {
  return scope > cvt_outside &&
         atomic_load_explicit(&reached[scope % cvt_max_scopes], memory_order_relaxed) == scope;
}

uint32_t rch_find_scope_here(void) {
  if (cvt_this_thread.exempt || cvt_this_thread.initialisers) return 0;
  cvt_baton_come_back();
  uint32_t scope = cvt_current_scope();
  if (!rch_is_reached(scope)) return 0;
  return rch_the_engine.is_held() ? 0 : scope;
}

// MARK: The table

static const cvt_override overrides[] = {RCH_OVERRIDES(OVERRIDE_ROW)};

const cvt_override *rch_override_at(size_t index) {
  const size_t count = sizeof overrides / sizeof *overrides;
  return index < count ? &overrides[index] : cvt_override_at(index - count);
}

#else

#include "CReach.h"

void rch_connect(rch_engine engine) {}
void rch_scope_begins(uint32_t scope) {}
void rch_scope_ends(uint32_t scope) {}
bool rch_forget_children(uint32_t scope) { return false; }
int32_t rch_take_shared_threads(uint32_t scope) { return 0; }
bool rch_is_idle_shared_thread(void) { return false; }
void rch_method_was_awaited(bool ended) {}
bool rch_waits_for_files(uint32_t scope) { return false; }
void rch_poll_files(uint32_t scope) {}
bool rch_await_delivery(uint32_t scope) { return false; }
void rch_watch_files(uint32_t scope) {}
void rch_regain(uint32_t scope) {}
bool rch_take_away(uint32_t scope, int32_t thread, bool (*take)(void *), void *context) {
  return false;
}
bool rch_waits_in(uint32_t scope, int32_t thread) { return false; }
int64_t rch_turns_of_threads(uint32_t scope) { return 0; }
void rch_task_cancelled(uint32_t scope) {}
size_t rch_parked_threads(uint32_t scope, int32_t *threads, size_t capacity) { return 0; }
size_t rch_kept_work(uint32_t scope, rch_work *works, size_t capacity) { return 0; }
uint64_t rch_draw_here(rch_draw draw) { return 0; }
const cvt_override *rch_override_at(size_t index) { return 0; }
bool rch_knows_queues(void) { return false; }

#endif
