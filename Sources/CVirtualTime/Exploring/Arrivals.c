#include "Core/RuntimeOverrides.h"

// A task that calls an actor arrives there at once, even where it has just made or resumed a task
// that could be faster. So while schedules are explored, a task goes to the engine first, and from
// there to the actor. In the plain order, a job that has called actors `cvt_asks_of_look` times
// does so once: a loop may call an actor until a ready task has changed it.
//
// The task is first enqueued on an executor of the engine, `WaitingRoom`, with a function that goes
// to the actor when the engine runs it. What the task wanted to do is kept in memory of the task,
// in the form of a context of the runtime, so that reports find its calls. If the actor had no
// work, it runs at once, because when the task arrives has been decided already. The
// runtime's own functions call theirs directly and do not reach the override; their hops are
// enqueued, as the preference wants it.

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

// The context comes in a register of its own. Two instructions hand it over to an ordinary
// function: a parameter for it would make clang mark the pointer to the caller's frame, and the
// unwinder would crash when a thread is asked where it is.
#if defined(__x86_64__)
#define PASS_CONTEXT_FIRST_TO(function) __asm__("movq %r14, %rdi\n\tjmp " #function)
#define PASS_CONTEXT_LAST_TO(function) __asm__("movq %r14, %rcx\n\tjmp " #function)
#else
#define PASS_CONTEXT_FIRST_TO(function) __asm__("mov x0, x22\n\tb " #function)
#define PASS_CONTEXT_LAST_TO(function) __asm__("mov x3, x22\n\tb " #function)
#endif

/// A task on its way to an actor. Begins as each context of the runtime does, with that of the
/// caller and the function in which the caller goes on, so that a report can tell what the task
/// calls.
typedef struct {
  void *caller;
  resume_function resume;
  cvt_executor actor;
} arrival;

static cvt_executor waiting_room;

REAL(swift_task_switch)

void cvt_set_waiting_room(cvt_executor executor) { waiting_room = executor; }

uintptr_t cvt_task_switch(void) { return (uintptr_t)real_swift_task_switch(); }

/// Lets the task go on on an executor.
#define switch_to(context, resume, executor) \
  real_swift_task_switch()(context, resume, (executor).identity, (executor).implementation)

__attribute__((used)) static SWIFT_ASYNC_CALL void go_to_actor(void *context) {
  const arrival it = *(arrival *)context;
  swift_task_dealloc(context);
  return switch_to(it.caller, it.resume, it.actor);
}

/// The engine lets a task go to its actor.
__attribute__((naked)) static SWIFT_ASYNC_CALL void arrive(ASYNC_CONTEXT void *context) {
  PASS_CONTEXT_FIRST_TO(go_to_actor);
}

static arrival *make_arrival(void *context, resume_function resume, cvt_executor actor) {
  arrival *result = swift_task_alloc(sizeof *result);
  *result = (arrival){context, resume, actor};
  return result;
}

/// The words of the runtime's task with the function in which it goes on, and with its context.
enum { word_of_resume = 7, word_of_context = 8 };

uintptr_t cvt_actor_of_arrival(const void *task) {
  const resume_function resume = ((const resume_function *)task)[word_of_resume];
  const arrival *context = ((const arrival *const *)task)[word_of_context];
  return resume == arrive ? (uintptr_t)context->actor.identity : 0;
}

void cvt_keep_memory(uintptr_t actor) { swift_unownedRetain((void *)actor); }
void cvt_give_memory_back(uintptr_t actor) { swift_unownedRelease((void *)actor); }

// MARK: Tasks of hosts that are stopped

// When such a task is about to run, wherever that is (in the mailbox of an actor, on the main
// actor, on an executor of the user's), it goes to the waiting room instead. There the engine keeps
// it until its host goes on, or for ever.

/// The code address at which the task goes on that this thread is about to run.
static __thread resume_function turned_away;

__attribute__((used)) static SWIFT_ASYNC_CALL void go_to_waiting_room(void *context) {
  arrival *arrival = make_arrival(context, turned_away, swift_task_getCurrentExecutor());
  return switch_to(arrival, arrive, waiting_room);
}

__attribute__((naked)) static SWIFT_ASYNC_CALL void turn_away(ASYNC_CONTEXT void *context) {
  PASS_CONTEXT_FIRST_TO(go_to_waiting_room);
}

void cvt_turn_away(void *task) {
  resume_function *resume = (resume_function *)task + word_of_resume;
  turned_away = *resume;
  *resume = turn_away;
}

// MARK: Tasks that call actors

/// Whether the engine is to let ready jobs go before a call of an actor: always while schedules are
/// explored, and where the current task has stopped its own host.
static bool lets_others_go(void) {
  if (cvt_this_thread.explores) return true;
  if (__builtin_expect(
          atomic_load_explicit(&cvt_stopped_lives, memory_order_relaxed) > 0, false) &&
      cvt_state_of_task(cvt_current_task()) != cvt_life_runs)
    return true;
  if (__builtin_expect(--cvt_this_busy_wait.asks_left > 0, true)) return false;
  cvt_this_busy_wait.asks_left = cvt_asks_of_look;
  return true;
}

/// Whether the current task is one of the scope that this thread drains.
static bool is_drained_here(void) {
  return waiting_room.identity && cvt_current_task() &&
         cvt_current_scope() == cvt_this_thread.number;
}

__attribute__((used)) static SWIFT_ASYNC_CALL void go(
    resume_function resume, const void *identity, uintptr_t implementation, void *context) {
  // The waiting room never lets it in. Its thread must not wait, since it may have an actor that
  // others share.
  if (atomic_load_explicit(&cvt_late_scopes, memory_order_relaxed) > 0 && waiting_room.identity &&
      cvt_is_let_go())
    return switch_to(context, resume, waiting_room);
  if (cvt_this_thread.scope && identity && __builtin_expect(lets_others_go(), false) &&
      is_drained_here() && identity != cvt_current_executor()) {
    arrival *arrival = make_arrival(context, resume, (cvt_executor){identity, implementation});
    return switch_to(arrival, arrive, waiting_room);
  }
  return real_swift_task_switch()(context, resume, identity, implementation);
}

OVERRIDE __attribute__((naked)) SWIFT_ASYNC_CALL void swift_task_switch(
    ASYNC_CONTEXT void *context, resume_function resume, const void *identity,
    uintptr_t implementation) {
  PASS_CONTEXT_LAST_TO(go);
}

#else

void cvt_set_waiting_room(cvt_executor executor) {}
void cvt_turn_away(void *task) {}
uintptr_t cvt_actor_of_arrival(const void *task) { return 0; }
void cvt_keep_memory(uintptr_t actor) {}
void cvt_give_memory_back(uintptr_t actor) {}

#if defined(__linux__)
uintptr_t cvt_task_switch(void) { return (uintptr_t)&swift_task_switch; }
#endif

#endif
