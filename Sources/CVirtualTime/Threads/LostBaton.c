#include "Core/Internal.h"

// A thread that has the baton of a scope, and waits for something that the scope does not know,
// loses it. The watch of `EscapementVirtualTime` decides that, while the thread sleeps.

cvt_baton *cvt_baton_here(void) {
  cvt_baton *baton = &cvt_this_baton;
  baton->thread = &cvt_this_thread;
  baton->jobs = cvt_jobs_here();
  return baton;
}

bool cvt_baton_is_free(const cvt_baton *baton) {
  cvt_baton copy;
  cvt_thread state;
  // The thread may have ended.
  return cvt_copy_memory(baton, &copy, sizeof copy) && copy.kept == 0 &&
         cvt_copy_memory(copy.thread, &state, sizeof state) && !state.exempt &&
         !state.initialisers;
}

SLEEPERS_MEMORY bool cvt_baton_take_away(cvt_baton *baton, uint32_t scope, int32_t thread, int64_t turns) {
  if (!cvt_baton_is_free(baton) || baton->thread->number != scope) return false;
  // A thread that has waited for one of our own locks runs as soon as this one has it.
  if (!cvt_sleep_of(thread, turns).sleeps) return false;
  __c11_atomic_store(&baton->is_lost, true, __ATOMIC_SEQ_CST);
  // If it has not run since then, it sees that when it runs next.
  if (cvt_sleep_of(thread, turns).sleeps) return true;
  __c11_atomic_store(&baton->is_lost, false, __ATOMIC_SEQ_CST);
  return false;
}

int32_t cvt_tasks_of(const cvt_baton *baton, uint32_t scope) {
  return cvt_count_tasks(baton->jobs, scope);
}
