#include "Core/RuntimeOverrides.h"

#include <dlfcn.h>

#if defined(__linux__)

void *cvt_original(const char *name, void *interceptor, void *fallback, void *function) {
  if (interceptor) return interceptor;
  void *next = dlsym(RTLD_NEXT, name);
  return next ? next : fallback ? fallback : function;
}

static const cvt_override overrides[] = {CVT_OVERRIDES(OVERRIDE_ROW)};

const cvt_override *cvt_override_at(size_t index) {
  return index < sizeof overrides / sizeof *overrides ? &overrides[index] : 0;
}

#else

const cvt_override *cvt_override_at(size_t index) { return 0; }

#endif
