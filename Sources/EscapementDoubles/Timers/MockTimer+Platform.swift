import Foundation

extension MockTimer {
  /// A timer without an interval and a block.
  ///
  /// On Apple's platforms `Timer` is the abstract class of a cluster, and a subclass has only the
  /// initialiser of `NSObject`. On Linux `Timer` is an ordinary class that lacks this initialiser.
  static func make() -> MockTimer {
    #if canImport(Darwin)
      MockTimer()
    #else
      MockTimer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
    #endif
  }
}
