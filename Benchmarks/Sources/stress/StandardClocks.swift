import Dispatch
import Foundation

/// What the standard clocks read at a moment.
struct StandardClocks {
  let continuous = ContinuousClock.now
  let suspending = SuspendingClock.now
  let dispatch = DispatchTime.now()
  let date = Date()

  /// How much time has passed by each of them since an earlier moment.
  func elapsed(since start: StandardClocks) -> [(clock: String, elapsed: Duration)] {
    [
      ("ContinuousClock", start.continuous.duration(to: continuous)),
      ("SuspendingClock", start.suspending.duration(to: suspending)),
      ("DispatchTime", .nanoseconds(dispatch.uptimeNanoseconds - start.dispatch.uptimeNanoseconds)),
      // To the microsecond, which is as far as its floating-point number goes.
      ("Date", .microseconds((date.timeIntervalSince(start.date) * 1_000_000).rounded())),
    ]
  }
}
