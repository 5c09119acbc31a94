/// A way to wait until the code under test has come to rest.
///
/// A clock that is advanced by hand wakes one sleeper at a time. Before it wakes the next one, all
/// consequences of the first must be done. A virtual-time scope knows exactly when that is, and
/// implements this protocol for the clocks that its code uses.
public protocol Settling: Sendable {
  /// Whether the standard clocks and the wall clock are those of the scope, which nobody sets.
  var virtualizesClocks: Bool { get }

  /// Suspends the caller, and calls `step` each time no other code in the scope can run.
  ///
  /// The caller resumes after `step` has returned `false` and again no other code can run.
  ///
  /// - Parameter step: Wakes a task and returns `true`, or returns `false` if there is nothing left
  ///   to do. It runs outside of every lock, one call at a time.
  func repeatWhenIdle(_ step: @escaping @Sendable () -> Bool) async
}

/// Finds the virtual-time scope that runs the caller.
public enum SettlingScope {
  private static let finder = Lock<(@Sendable () -> (any Settling)?)?>(nil)

  /// The scope that runs the caller, if there is one.
  public static var current: (any Settling)? {
    finder.withLock { $0 }?()
  }

  /// Sets the function that finds the scope.
  ///
  /// The engine calls this once, before its first scope starts.
  public static func find(with finder: @escaping @Sendable () -> (any Settling)?) {
    self.finder.withLock { $0 = finder }
  }
}
