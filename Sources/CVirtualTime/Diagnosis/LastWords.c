#include "Core/Internal.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Texts for standard error, which are lost if a signal kills the process: a test that traps never
// reports its schedule, nor why its scope has cancelled it. The handler only writes, and then lets
// the former one do what it does, such as Swift's, which prints a backtrace.
//
// A process that calls 'exit', or is killed from outside, by Ctrl-C or a limit of time, has no last
// words.

enum { capacity = 256 };

struct words {
  uint32_t *has_died;
  char text[];
};
static _Atomic(struct words *) kept[capacity];

static const int deadly[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
static struct sigaction former[NSIG];

static void say_last_words(int signal, siginfo_t *info, void *context) {
  for (int i = 0; i < capacity; i++) {
    // Another thread may die at the same time. The words are not freed: the process ends.
    struct words *words = atomic_exchange(&kept[i], NULL);
    if (!words) continue;
    if (words->has_died) *words->has_died = 1;
    if (write(STDERR_FILENO, words->text, strlen(words->text)) < 0) continue;
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

int cvt_keep_last_words(const char *text, uint32_t *has_died) {
  static atomic_flag is_installed = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&is_installed)) install();
  size_t size = strlen(text) + 1;
  struct words *words = malloc(sizeof *words + size);
  words->has_died = has_died;
  memcpy(words->text, text, size);
  for (int i = 0; i < capacity; i++) {
    struct words *none = NULL;
    if (atomic_compare_exchange_strong(&kept[i], &none, words)) return i;
  }
  free(words);
  return -1;
}

void cvt_forget_last_words(int place) {
  if (place >= 0) free(atomic_exchange(&kept[place], NULL));
}
