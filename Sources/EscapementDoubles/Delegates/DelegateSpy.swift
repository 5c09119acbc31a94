import EscapementTesting
import _EscapementCore

/// The delegate property of a mock: it holds the delegate weakly, and records what the mock tells
/// it.
///
/// A class that answers through a delegate needs two protocols in order to be mocked, one for the
/// class and one for its delegate. The mock of the class keeps its delegate in a `DelegateSpy`:
///
/// ```swift
/// let delegate = DelegateSpy<any LocationFetcherDelegate>("locationFetcherDelegate")
/// var locationFetcherDelegate: (any LocationFetcherDelegate)? {
///   get { delegate.value }
///   set { delegate.value = newValue }
/// }
/// ```
///
/// A real class without a delegate fails silently, and a test then waits for a call that never
/// comes. A `DelegateSpy` fails the test instead, at the line that created the spy. The message
/// says whether the delegate was never set or has been released.
public final class DelegateSpy<Delegate> {
  private struct State {
    weak var object: AnyObject?
    var wasSet = false
    var told: [String] = []
  }

  /// The name of the property, for messages.
  public let name: String

  private let log: CallLog?
  private let owner = DoubleOwner.current
  private let location: SourceLocation
  private let state = Lock(State())

  /// Creates a spy that has no delegate yet.
  ///
  /// - `name`: The name of the property.
  /// - `log`: A further log in which the spy records what it tells the delegate.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    _ name: String = "delegate", log: CallLog? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.name = name
    self.log = log
    location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The delegate; `nil` if it was not set, or has been released.
  public var value: Delegate? {
    get { state.withLock { $0.object } as? Delegate }
    set {
      let object = newValue.map { $0 as AnyObject }
      state.withLock { state in
        state.object = object
        state.wasSet = object != nil
      }
    }
  }

  /// The messages that the delegate was told, in the order of the calls.
  public var told: [String] { state.withLock { $0.told } }

  /// Records a message and calls the delegate.
  ///
  /// Without a delegate the test fails, and nothing is recorded.
  ///
  /// ```swift
  /// delegate.tell("didUpdateLocations") { $0.locationFetcher(self, didUpdateLocations: [here]) }
  /// ```
  ///
  /// - Parameters:
  ///   - message: The name of the message, such as that of the delegate's method.
  ///   - call: Calls the delegate. The spy holds no lock meanwhile.
  /// - Throws: The error of `call`.
  public func tell(_ message: String, _ call: (Delegate) throws -> Void) rethrows {
    guard let delegate = value else {
      owner.report(missing(message), at: location)
      return
    }
    state.withLock { $0.told.append(message) }
    log?.append(message, ())
    try call(delegate)
  }

  private func missing(_ message: String) -> String {
    state.withLock { $0.wasSet }
      ? """
      '\(message)' could not be sent to '\(name)', because the delegate has been released.

      The delegate is held weakly. It may have been a temporary value of the test, or the code under \
      test may have released it too early. Keep it in a variable for as long as it is needed.
      """
      : """
      '\(message)' could not be sent to '\(name)', because no delegate is set.

      The code under test may not have set it, may have set it to nil, or may have set it on another \
      object. Set it before the mock answers.
      """
  }
}

// Sendable if the delegate is; all other state is protected by the lock.
extension DelegateSpy: Sendable where Delegate: Sendable {}
