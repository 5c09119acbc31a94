/// The seam through which a clock asks the virtual-time scope that runs the caller to settle.
///
/// A clock that is advanced by hand wakes one sleeper, and must know when all that follows from it
/// is done before it wakes the next. Inside a scope this is known exactly.
public protocol Settling: Sendable {
  /// Suspends the caller, and calls `step` each time nothing else in the scope can run.
  ///
  /// The caller resumes after `step` has returned `false`, when again nothing else can run.
  ///
  /// - Parameter step: Makes something happen and returns `true`, or returns `false`. It runs
  ///   outside every lock, one call at a time.
  func repeatWhenIdle(_ step: @escaping @Sendable () -> Bool) async
}

/// Finds the scope that runs the caller.
public enum SettlingScope {
  private static let finder = Lock<(@Sendable () -> (any Settling)?)?>(nil)

  /// The scope that runs the caller, if there is one.
  public static var current: (any Settling)? {
    finder.withLock { $0 }?()
  }

  /// Tells how to find the scope.
  ///
  /// Called once, by the engine, before its first scope starts.
  public static func find(with finder: @escaping @Sendable () -> (any Settling)?) {
    self.finder.withLock { $0 = finder }
  }
}
