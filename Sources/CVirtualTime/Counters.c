#include "CVirtualTime.h"

cvt_counter cvt_scopes;
cvt_counter cvt_completion;
