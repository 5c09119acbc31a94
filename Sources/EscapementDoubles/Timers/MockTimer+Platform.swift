import Foundation

extension MockTimer {
  /// A timer without an interval and a block.
  ///
  /// `Timer` is an abstract class of a cluster on Apple's platforms, where a subclass can only be
  /// made as an object, and an ordinary class on Linux, where that initialiser does not exist.
  static func make() -> MockTimer {
    #if canImport(Darwin)
      MockTimer()
    #else
      MockTimer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
    #endif
  }
}
