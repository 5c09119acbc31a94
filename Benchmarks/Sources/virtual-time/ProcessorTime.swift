import Foundation

/// The time for which this process has had a processor, on all its threads.
///
/// On a machine that others use as well, it tells more than the time on the wall.
enum ProcessorTime {
  static var now: Duration {
    var reading = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &reading)
    return .seconds(reading.tv_sec) + .nanoseconds(reading.tv_nsec)
  }
}
