#if defined(__linux__)

#include "Files/Files.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

// Processes that are made. Until such a process runs its program, it has the files of this process
// open. A file that is closed here meanwhile would be open for its other end: the end would come
// late, at another place of the order.
//
// So nothing is closed while a process is made. The kernel closes the files that the program does
// not get after `posix_spawn` has returned, so the child is looked at until it runs code of its
// program.

/// A thread that makes a process locks it for writing, and a thread that closes a file for reading.
/// It may be locked inside `rch_lock`, and never around it.
static pthread_rwlock_t files = PTHREAD_RWLOCK_INITIALIZER;

/// In the child of a `fork`, no other thread makes a process.
static void forget_others(void) {
  files = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
}
__attribute__((constructor)) static void begin(void) { pthread_atfork(0, 0, forget_others); }

OVERRIDE int close(int file) {
  if (atomic_load_explicit(&rch_scopes, memory_order_relaxed) == 0) return real_close()(file);
  rch_forget_maker(file);
  rch_forget_event_file(file);
  rch_note_closed(file);
  cvt_baton_keep();
  // This fails in the handler of a signal that has interrupted a thread which makes a process.
  bool shares = pthread_rwlock_rdlock(&files) == 0;
  int result = real_close()(file);
  if (shares) pthread_rwlock_unlock(&files);
  cvt_baton_release();
  return result;
}

/// The observations of a child of this process.
typedef struct {
  /// It has left the memory of this process, which is when `posix_spawn` returns.
  bool has_left;
  /// How many pages it had needed when its code was loaded, or 0.
  unsigned long pages;
} progress;

/// Whether a child runs its program, or has ended.
///
/// The kernel closes the files that the program does not get just before its first instruction. So
/// that is over when the child waits, or has needed a page of memory after the kernel has loaded
/// its code. One look may tell of the memory that the child has left, so each step is seen by a
/// look that begins after the one before.
static bool runs_program(pid_t child, progress *p) {
  char path[32], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", child);
  if (!cvt_read_file(path, text, sizeof text)) return true;
  // The name before it may contain anything.
  const char *rest = strrchr(text, ')');
  char state;
  unsigned flags;
  unsigned long pages, end_of_code;
  const char *format =
      ") %c %*d %*d %*d %*d %*d %u %lu %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %*u %*u %*d %*u "
      "%*u %lu";
  if (!rest || sscanf(rest, format, &state, &flags, &pages, &end_of_code) != 4) return true;
  if (state == 'Z' || state == 'X') return true;
  const unsigned forked_but_no_program = 0x40;
  if (!p->has_left) {
    p->has_left = !(flags & forked_but_no_program);
    return false;
  }
  if (p->pages == 0) {
    if (end_of_code != 0) p->pages = pages;
    return false;
  }
  return state == 'S' || pages > p->pages;
}

// On a busy machine it may be long until the child gets a processor.
enum { naps = 20000 };

/// Waits in real time until a child runs its program.
static void await_program(pid_t child) {
  progress progress = {0};
  for (int i = 0; i < naps && !runs_program(child, &progress); i++) rch_nap();
}

// MARK: Processes that run while time moves

/// A process that code of a scope has made, and that may run.
typedef struct child {
  LIST_ENTRY(child) next;
  uint32_t scope;
  pid_t process;
} child;

static LIST_HEAD(, child) children;

static void forget(child *c) {
  LIST_REMOVE(c, next);
  cvt_add(cvt_children, -1);
  free(c);
}

static void remember(uint32_t scope, pid_t process) {
  child *c = NEW(child, .scope = scope, .process = process);
  pthread_mutex_lock(&rch_lock);
  LIST_INSERT_HEAD(&children, c, next);
  cvt_add(cvt_children, +1);
  pthread_mutex_unlock(&rch_lock);
}

/// Whether a child of this process has not ended. If it has, its end stays for whoever waits for
/// it.
static bool runs(pid_t process) {
  siginfo_t end = {0};
  return waitid(P_PID, (id_t)process, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == 0;
}

bool rch_forget_children(uint32_t scope) {
  bool any_runs = false;
  pthread_mutex_lock(&rch_lock);
  for (child *c = LIST_FIRST(&children), *next; c; c = next) {
    next = LIST_NEXT(c, next);
    if (c->scope != scope) continue;
    any_runs |= runs(c->process);
    forget(c);
  }
  pthread_mutex_unlock(&rch_lock);
  return any_runs;
}

static void forget_children(uint32_t scope) { rch_forget_children(scope); }

ADD(at_end[rch_forgets_children], forget_children)

#define SPAWN(name)                                                                               \
  OVERRIDE int name(                                                                              \
      pid_t *process, const char *program, const posix_spawn_file_actions_t *actions,             \
      const posix_spawnattr_t *attributes, char *const *arguments, char *const *environment) {    \
    pid_t child;                                                                                  \
    if (!process) process = &child;                                                               \
    bool is_alone = atomic_load_explicit(&rch_scopes, memory_order_relaxed) == 0;                 \
    cvt_baton_keep();                                                                             \
    if (!is_alone) pthread_rwlock_wrlock(&files);                                                 \
    int result =                                                                                  \
        real_##name()(process, program, actions, attributes, arguments, environment);             \
    if (!is_alone && result == 0) await_program(*process);                                        \
    if (!is_alone) pthread_rwlock_unlock(&files);                                                 \
    cvt_baton_release();                                                                          \
    uint32_t scope = result == 0 ? rch_scope_here() : 0;                                          \
    if (scope) remember(scope, *process);                                                         \
    return result;                                                                                \
  }
SPAWN(posix_spawn)
SPAWN(posix_spawnp)

#endif
