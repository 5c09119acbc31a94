#include "CVirtualTime.h"

__thread cvt_thread cvt_this_thread;
