#include "CVirtualTime.h"

cvt_counter cvt_scopes;
cvt_counter cvt_completion;
cvt_counter cvt_trial;
cvt_counter cvt_reach;
cvt_counter cvt_sleep_seen;
cvt_counter cvt_borrowed_threads;
