#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "Core/Runtime.h"
#include "Registers.h"
#include "Runtime.h"

// What of CVirtualTime depends on the processor and needs no Swift runtime.

static int failures;
static void expect(bool holds, const char *what) {
  if (!holds) failures++;
  printf("%s  %s\n", holds ? "ok    " : "FAILED", what);
}

enum { scope = 9 };
static task body = {.id = 1}, child = {.id = 2};
static const int actor, room;
static char caller_context, caller_resume;

static void created(uint32_t scope, void *task, bool is_body) {}
static void ignore_job(void *scope, void *task) {}
static void ignore_task(uint32_t scope, cvt_task *task) {}
static void ignore_scope(uint32_t scope) {}

/// Lets this thread run the body of a scope.
static void begin_scope(void) {
  cvt_set_owner_events(
      (cvt_owner_events){created, ignore_job, ignore_task, ignore_task, ignore_scope});
  cvt_scope_begins(scope);
  cvt_this_thread.number = cvt_this_thread.birth = scope;
  cvt_adopt(&body);
  cvt_this_thread.birth = 0;
  current_task = &body;
}

// MARK: Switching to an actor

static bool has_switched(void *context, void *resume, const void *identity, uintptr_t implementation) {
  switched last = last_switch;
  return last.context == context && last.resume == resume && last.executor.identity == identity &&
         last.executor.implementation == implementation;
}

static void test_switch(void) {
  uint64_t changed = call_switch(&caller_context, &caller_resume, &actor, 5);
  expect(has_switched(&caller_context, &caller_resume, &actor, 5), "a switch passes on what it gets");
  expect(changed == 0, "a switch saves the registers of its caller");

  cvt_set_waiting_room((cvt_executor){&room, 6});
  cvt_this_thread.explores = true;
  cvt_this_thread.scope = &cvt_this_thread;  // any that is not null
  changed = call_switch(&caller_context, &caller_resume, &actor, 5);
  cvt_this_thread.explores = false;
  cvt_this_thread.scope = 0;
  void *context = last_switch.context;
  expect(
      has_switched(context, last_switch.resume, &room, 6) && context != &caller_context &&
          *(void **)context == &caller_context,
      "an explored switch goes to the waiting room, with a context of its own");
  expect(changed == 0, "an explored switch saves the registers of its caller");

  changed = call_resume(context, last_switch.resume);
  expect(
      has_switched(&caller_context, &caller_resume, &actor, 5),
      "a task that leaves the waiting room goes to its actor");
  expect(changed == 0, "leaving the waiting room saves the registers of its caller");
}

static void test_turning_away(void) {
  void *job[8] = {[7] = &caller_resume};
  cvt_turn_away(job);
  uint64_t changed = call_resume(&caller_context, job[7]);
  void **context = last_switch.context;
  expect(
      has_switched(context, last_switch.resume, &room, 6) && context[0] == &caller_context,
      "a task of a stopped host goes to the waiting room, with a context of its own");
  expect(changed == 0, "turning away saves the registers of its caller");
  call_resume(context, last_switch.resume);
  expect(
      has_switched(&caller_context, &caller_resume, 0, 0),
      "a task that leaves the waiting room goes on where it was, on its executor");
}

// MARK: Giving tasks to executors

static cvt_task *given[2];
static uint16_t life;

static SWIFT_CALL void keep(void *job, void *identity, uintptr_t implementation) {
  for (int i = 0; i < 2; i++) given[i] = cvt_take_given_task(scope, &life);
  __asm__ volatile("" ::: "memory");
}

static SWIFT_CALL void keep_saving_all(void *job, void *identity, uintptr_t implementation) {
  // More registers than the runtime's function.
  __asm__ volatile("" ::: "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "d8", "d9");
  for (int i = 0; i < 2; i++) given[i] = cvt_take_given_task(scope, &life);
  __asm__ volatile("" ::: "memory");
}

static SWIFT_CALL void forget(void *job, void *identity, uintptr_t implementation) {}

__attribute__((noinline)) static void enqueue(SWIFT_CALL void (*executor)(void *, void *, uintptr_t)) {
  swift_task_enqueue(&child, 0, (uintptr_t)executor);
  __asm__ volatile("" ::: "memory");
}

static void test_giving(void) {
  cvt_install_job_hooks();
  enqueue(keep);
  expect(cvt_underway(scope) == 1, "an enqueued task is under way");
  expect(given[0] && !given[1], "an executor is given a task once");
  enqueue(keep_saving_all);
  expect(given[0] && !given[1], "an executor that saves more registers is given a task once");
  enqueue(forget);
  expect(!cvt_take_given_task(scope, &life), "after the call, no task is given");
}

// MARK: Stacks

/// QEMU does not have this system call.
ssize_t process_vm_readv(
    pid_t process, const struct iovec *to, unsigned long to_count, const struct iovec *from,
    unsigned long from_count, unsigned long flags) {
  memcpy(to->iov_base, from->iov_base, to->iov_len);
  return (ssize_t)to->iov_len;
}

__attribute__((noinline)) static uint64_t here(void) {
  uint64_t place = cvt_place_here();
  __asm__ volatile("" ::: "memory");
  return place;
}

static void test_places(void) {
  uint64_t places[2];
  for (volatile int i = 0; i < 2; i++) places[i] = here();  // not unrolled
  expect(places[0] == places[1], "one call has one place");
  expect(places[0] != here(), "two calls have two places");
}

static sem_t done;
static _Atomic bool begun, stops;
static int32_t busy_thread;
static uintptr_t busy_function[2];

/// Never waits. Returns where its caller goes on.
__attribute__((noinline)) static void be_busy(void) {
  busy_function[0] = (uintptr_t)be_busy;
  busy_function[1] = (uintptr_t)__builtin_return_address(0);
  begun = true;
  while (!stops) {
  }
}

static void run_job(void *context) {
  static cvt_counter jobs;
  busy_thread = cvt_thread_id();
  cvt_begin_job(&child, &jobs);
  be_busy();
  expect(cvt_this_thread.job == &child, "a thread has its own thread-locals");
  sem_post(&done);
}

static void test_stack(void) {
  static cvt_stack stack;
  cvt_run_on_worker(&busy_thread, run_job);
  while (!begun) sched_yield();
  bool answers = cvt_stack_of(busy_thread, &stack);
  stops = true;
  sem_wait(&done);
  expect(cvt_this_thread.job == 0, "the thread-locals of others stay as they are");
  expect(answers && stack.count >= 2, "a busy thread tells where it is");
  expect(stack.addresses[0] - busy_function[0] < 0x100, "first in the function that is busy");
  expect(stack.addresses[1] == busy_function[1] - 1, "then in its caller");
  expect(stack.count <= 4, "and not in what the job was called by");
}

// MARK: Hops

// The code between the hop and its target only looks like a hop.
__asm__(".text\n"
        "page_hop: adrp x3, page_target\n nop\n add x0, x3, :lo12:page_target\n ret\n"
        "adrp x1, page_target\n add x1, x2, :lo12:page_target\n ret\n"
        "page_target: ret\n"
        "near_hop: adr x3, near_target\n ret\n"
        "adr x3, page_target\n ret\n"
        "near_target: ret\n");
extern const char page_hop[], page_target[], near_hop[], near_target[];

static void test_hops(void) {
  expect(cvt_hop_to((uintptr_t)page_target) == (uintptr_t)page_hop, "a hop by page is found");
  expect(cvt_hop_to((uintptr_t)near_target) == (uintptr_t)near_hop, "a hop nearby is found");
}

// MARK: System calls and clocks

static void test_system_calls(void) {
  long page = syscall(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  expect(page != -1, "a system call passes six arguments on");
  expect(syscall(SYS_munmap, page, 4096) == 0, "a system call passes its result on");
  errno = 0;
  expect(syscall(SYS_close, -1) == -1 && errno == EBADF, "a system call that fails sets errno");
}

static void test_clocks(void) {
  struct timespec time;
  cvt_clocks_begin(scope, INT64_C(978307200000000000), true, 0);
  cvt_clocks_set_elapsed(cvt_clocks_of(scope), 1500000000);
  clock_gettime(CLOCK_REALTIME, &time);
  cvt_clocks_end(scope);
  expect(time.tv_sec == 978307201 && time.tv_nsec == 500000000, "a scope reads its own clock");
  clock_gettime(CLOCK_REALTIME, &time);
  expect(time.tv_sec > 1600000000, "after the scope, clocks are real");
}

static void count(void *context) {
  ++*(int *)context;
  expect(cvt_this_thread.initialisers == 1, "an initialiser knows that it is one");
}

static void test_initialisers(void) {
  static intptr_t token;
  int calls = 0;
  for (int i = 0; i < 2; i++) swift_once(&token, count, &calls);
  expect(calls == 1 && cvt_this_thread.initialisers == 0, "an initialiser runs once");
}

int main(void) {
  setvbuf(stdout, 0, _IOLBF, 0);
  begin_scope();
  test_switch();
  test_turning_away();
  test_giving();
  test_places();
  test_stack();
  test_hops();
  test_system_calls();
  test_clocks();
  test_initialisers();
  return failures != 0;
}
