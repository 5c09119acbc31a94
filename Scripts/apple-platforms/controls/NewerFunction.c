// 'clock_gettime_newer' is only available on macOS 15.0 or newer
#include <os/availability.h>

int clock_gettime_newer(void) API_AVAILABLE(macos(15.0));

int reading(void) { return clock_gettime_newer(); }
