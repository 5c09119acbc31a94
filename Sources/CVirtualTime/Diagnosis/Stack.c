#include "Core/Runtime.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The place of a thread that does not come back. A signal asks it, and it answers in the handler,
// so everything there is safe in a handler.
//
// The signal is `SIGPROF`, since this is the only one without another meaning that libdispatch does
// not block on its threads. If the process has a handler of its own for it, the place is left out.
// A thread that computes is asked a hundred times: it may be in a function of the runtime just
// then.

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <ucontext.h>
#include <unwind.h>

enum { signal_that_asks = SIGPROF };

enum { nothing, asked, answering, answered };

/// The thread that is being asked, and the state of the question. One thread is asked at a time.
static struct {
  _Atomic int state;
  int32_t thread;
  cvt_stack *answer;
} question;

static uintptr_t interrupted_at(void *context) {
#if defined(__x86_64__)
  return (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#else
  return (uintptr_t)((ucontext_t *)context)->uc_mcontext.pc;
#endif
}

typedef struct {
  uintptr_t start;
  bool has_started;
  cvt_stack *answer;
} walk;

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *argument) {
  walk *walk = argument;
  int is_exact = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
  // The first frames are those of the handler.
  if (address == walk->start) walk->has_started = true;
  if (!walk->has_started) return _URC_NO_REASON;
  // Frames that are older than the job are the engine's, and its caller's.
  uintptr_t job = (uintptr_t)cvt_this_thread.job_frame;
  if (job && _Unwind_GetCFA(context) > job + 2 * sizeof(void *)) return _URC_END_OF_STACK;
  if (!address || walk->answer->count == cvt_max_frames) return _URC_END_OF_STACK;
  // A call goes on behind itself.
  walk->answer->addresses[walk->answer->count++] = is_exact ? address : address - 1;
  return _URC_NO_REASON;
}

static void answer(int signal, siginfo_t *info, void *context) {
  int error = errno, expected = asked;
  if (question.thread == cvt_thread_id() &&
      atomic_compare_exchange_strong(&question.state, &expected, answering)) {
    cvt_stack *answer = question.answer;
    walk walk = {interrupted_at(context), false, answer};
    _Unwind_Backtrace(visit, &walk);
    answer->task = cvt_current_task();
    if (answer->task) {
      answer->task_id = cvt_task_id(answer->task);
      swift_retain(answer->task);
      // The lock of the task's records is recursive.
      const char *name = cvt_current_task_name();
      if (name) strncpy(answer->task_name, name, sizeof answer->task_name - 1);
      answer->executor = cvt_current_executor();
      // An object begins with its type.
      const void *const *actor = cvt_current_actor();
      if (actor) answer->actor_type = *actor;
    }
    atomic_store(&question.state, answered);
  }
  errno = error;
}

/// Whether the signal is ours to use.
static bool takes_signal(void) {
  struct sigaction former;
  if (sigaction(signal_that_asks, 0, &former)) return false;
  if (former.sa_flags & SA_SIGINFO) return former.sa_sigaction == answer;
  if (former.sa_handler != SIG_DFL) return false;
  // It stays for ever: a late signal would end the process.
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&action.sa_mask);
  return sigaction(signal_that_asks, &action, 0) == 0;
}

static _Unwind_Reason_Code ignore(struct _Unwind_Context *context, void *argument) {
  return _URC_END_OF_STACK;
}

/// Waits until the question is answered, for at most half a second.
static bool is_answered(void) {
  const struct timespec pause = {0, 1000000};
  for (int round = 0; round < 500; round++) {
    if (atomic_load(&question.state) == answered) return true;
    nanosleep(&pause, 0);
  }
  return atomic_load(&question.state) == answered;
}

bool cvt_stack_of(int32_t thread, cvt_stack *stack) {
  // Thread Sanitizer delays a signal until the thread calls a function of the system.
  if (cvt_is_sanitized()) return false;
  // A handler that has not come back still writes to the last answer.
  if (atomic_load(&question.state) != nothing || !takes_signal()) return false;
  _Unwind_Backtrace(ignore, 0);  // what it prepares once is not safe in a handler
  question.thread = thread;
  question.answer = stack;
  atomic_store(&question.state, asked);
  bool succeeds = syscall(SYS_tgkill, getpid(), thread, signal_that_asks) == 0 && is_answered();
  int expected = asked;
  if (!succeeds && !atomic_compare_exchange_strong(&question.state, &expected, nothing))
    succeeds = is_answered();
  if (succeeds) atomic_store(&question.state, nothing);
  return succeeds;
}

#else

bool cvt_stack_of(int32_t thread, cvt_stack *stack) { return false; }

#endif
