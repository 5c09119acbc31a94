#include "Core/Internal.h"

cvt_lone_counter cvt_counters[cvt_counter_count];
static cvt_lone_counter jobs[cvt_max_scopes];

cvt_counter *cvt_jobs_of(uint32_t scope) { return &jobs[scope % cvt_max_scopes].counter; }
