#include "Jobs/Jobs.h"

#include <string.h>
#include <unwind.h>

// The task that a thread is just giving to an executor. The runtime has no word for that: the call
// that enqueues a task is on the stack then.

#if defined(__linux__)

/// The task that this thread has enqueued last, until somebody has asked for it, and the call that
/// did so.
static __thread struct {
  uint64_t id;
  const cvt_call *place;
  cvt_call call;
} given;

void cvt_gives(void *task, const cvt_call *place) {
  given.id = cvt_task_id(task);
  given.place = place;
  given.call = (cvt_call){place->caller, cvt_code_address(place->goes_on)};
}

#if defined(__x86_64__)

// A function keeps the frame of its caller where the one had it whose place it takes.

static bool may_be_giving(const cvt_call *here) {
  return here < given.place && memcmp(given.place, &given.call, sizeof given.call) == 0;
}

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *result) {
  if (_Unwind_GetCFA(context) < (uintptr_t)(given.place + 1)) return _URC_NO_REASON;
  *(bool *)result = _Unwind_GetIP(context) == given.call.goes_on;
  return _URC_END_OF_STACK;
}

#else

// On AArch64, that place depends on how many registers a function saves. The frame of the caller
// tells which call it is.

static bool may_be_giving(const cvt_call *here) { return (uintptr_t)here < given.call.caller; }

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *result) {
  enum { frame_register = 29 };
  *(bool *)result = _Unwind_GetIP(context) == given.call.goes_on &&
                    _Unwind_GetGR(context, frame_register) == given.call.caller;
  bool is_older = _Unwind_GetCFA(context) > given.call.caller;
  return *(bool *)result || is_older ? _URC_END_OF_STACK : _URC_NO_REASON;
}

#endif

/// Whether this thread is still inside the call that has enqueued the task. By now, the function of
/// the executor has taken its place on the stack.
static bool is_giving(void) {
  if (!may_be_giving(__builtin_frame_address(0))) return false;
  bool result = false;
  _Unwind_Backtrace(visit, &result);
  return result;
}

cvt_task *cvt_take_given_task(uint32_t scope, uint16_t *life) {
  if (!given.id) return 0;
  uint64_t id = is_giving() ? given.id : 0;
  cvt_task *record = id ? cvt_task_record(id, false) : 0;
  given.id = 0;
  if (!record || cvt_owner(record) != scope || !cvt_is_counted(record)) return 0;
  *life = cvt_any_networks() ? *cvt_task_life(id, true) : 0;
  return record;
}

#else

cvt_task *cvt_take_given_task(uint32_t scope, uint16_t *life) { return 0; }

#endif
