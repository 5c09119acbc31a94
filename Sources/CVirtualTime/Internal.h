#pragma once

#include "CVirtualTime.h"

/// The clocks of the scope whose jobs this thread runs right now.
cvt_clocks *cvt_thread_clocks(void);
