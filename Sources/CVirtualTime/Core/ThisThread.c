#include "Core/Internal.h"

__thread cvt_thread cvt_this_thread;
__thread cvt_busy_wait cvt_this_busy_wait = cvt_no_busy_wait;
__thread cvt_baton cvt_this_baton;

static void (*regain)(uint32_t scope);

void cvt_set_regain(void (*function)(uint32_t scope)) { regain = function; }

void cvt_baton_regain(void) {
  if (cvt_this_thread.exempt || cvt_this_thread.initialisers) return;
  cvt_baton_keep();
  regain(cvt_this_thread.number);
  cvt_baton_release();
}
