import EscapementTesting
import _EscapementCore

/// The delegate of a mocked class: held weakly, as the real class does, and told by the mock.
///
/// A class that answers through a delegate is mocked by two protocols, one for it and one for its
/// delegate. The mock of the first keeps the second in a `DelegateSpy`:
///
/// ```swift
/// let delegate = DelegateSpy<any LocationFetcherDelegate>("locationFetcherDelegate")
/// var locationFetcherDelegate: (any LocationFetcherDelegate)? {
///   get { delegate.value }
///   set { delegate.value = newValue }
/// }
/// ```
///
/// To tell nobody is what a real class does without a word, and the test then waits for something
/// that never comes. Here it fails the test, at the line that made the delegate, and the message says
/// whether there never was a delegate or it is gone.
public final class DelegateSpy<Delegate> {
  private struct State {
    weak var object: AnyObject?
    var wasSet = false
    var told: [String] = []
  }

  /// The name, as it appears in messages.
  public let name: String

  private let log: CallLog?
  private let owner = DoubleOwner.current
  private let location: SourceLocation
  private let state = Lock(State())

  /// Creates a place for a delegate.
  ///
  /// - `name`: The name of the property.
  /// - `log`: The log in which is recorded what the delegate is told.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
  public init(
    _ name: String = "delegate", log: CallLog? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.name = name
    self.log = log
    location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The delegate, if it was set and still exists.
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

  /// What the delegate was told, in the order of the calls.
  public var told: [String] { state.withLock { $0.told } }

  /// Records a message, and has the delegate told of it.
  ///
  /// ```swift
  /// delegate.tell("didUpdateLocations") { $0.locationFetcher(self, didUpdateLocations: [here]) }
  /// ```
  ///
  /// - Parameters:
  ///   - message: The name of what the delegate is told.
  ///   - call: Calls the delegate. It is run under no lock, and not if there is no delegate.
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
      '\(name)' was to be told '\(message)', but it has been released.

      A delegate is held weakly. Whoever creates it has to keep it: it may have been a temporary \
      value of the test, or the code under test has let it go too early.
      """
      : """
      '\(name)' was to be told '\(message)', but there is none.

      The code under test may have forgotten to set it, or has set it to nil, or sets it on another \
      object.
      """
  }
}

// Sendable where what it hands out is; the rest is behind the lock.
extension DelegateSpy: Sendable where Delegate: Sendable {}

@available(*, deprecated, renamed: "DelegateSpy")
public typealias MockDelegate = DelegateSpy
