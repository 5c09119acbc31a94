// call to undeclared function 'clock_nanosleep'
#include <time.h>

int wait_until(const struct timespec *when) {
  return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, when, 0);
}
