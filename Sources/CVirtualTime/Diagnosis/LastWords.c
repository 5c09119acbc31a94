#include "Core/Internal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Texts for standard error, which are lost if a signal kills the process: a test that traps never
// reports its schedule, nor why its scope has cancelled it. The handler only writes, and then lets
// the former one do what it does, such as Swift's, which prints a backtrace.

enum { capacity = 64 };
static _Atomic(char *) texts[capacity];

static const int deadly[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
static struct sigaction former[NSIG];

static void say_last_words(int signal, siginfo_t *info, void *context) {
  for (int i = 0; i < capacity; i++) {
    // Another thread may die at the same time. The text is not freed: the process ends.
    char *text = atomic_exchange(&texts[i], NULL);
    if (text && write(STDERR_FILENO, text, strlen(text)) < 0) break;
  }
  struct sigaction *next = &former[signal];
  if (next->sa_flags & SA_SIGINFO) {
    next->sa_sigaction(signal, info, context);
  } else if (next->sa_handler != SIG_DFL && next->sa_handler != SIG_IGN) {
    next->sa_handler(signal);
  } else {
    sigaction(signal, next, NULL);
    // It comes when this function returns, also if no instruction has caused it that would be
    // repeated.
    raise(signal);
  }
}

static void install(void) {
  struct sigaction action = {.sa_sigaction = say_last_words, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
    sigaction(deadly[i], &action, &former[deadly[i]]);
}

int cvt_keep_last_words(const char *text) {
  static atomic_flag is_installed = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&is_installed)) install();
  char *copy = strdup(text);
  for (int i = 0; i < capacity; i++) {
    char *none = NULL;
    if (atomic_compare_exchange_strong(&texts[i], &none, copy)) return i;
  }
  free(copy);
  return -1;
}

void cvt_forget_last_words(int place) {
  if (place >= 0) free(atomic_exchange(&texts[place], NULL));
}
