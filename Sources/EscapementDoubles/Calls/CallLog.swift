import _EscapementCore

/// A record of calls that several doubles share, so that a test can check the order between them.
///
/// ```swift
/// let log = CallLog()
/// let (session, store) = (MockSession(log: log), MockStore(log: log))
/// …
/// #expect(log.names == ["logIn(_:)", "save(_:)", "logOut()"])
/// ```
///
/// A double records a call before it answers. The order of calls that overlap in time is
/// unspecified.
public final class CallLog: Sendable {
  /// A call that one of the doubles received.
  public struct Call: Sendable, CustomStringConvertible {
    /// The name of the spy or the delegate.
    public let name: String

    /// The arguments of the call.
    public let input: any Sendable

    /// The name and the arguments.
    public var description: String { input is Void ? name : "\(name) \(input)" }
  }

  private let state = Lock([Call]())

  /// Creates an empty log.
  public init() {}

  /// All calls, in the order in which they were recorded.
  public var calls: [Call] { state.withLock { $0 } }

  /// The names of all calls, in the order in which they were recorded.
  public var names: [String] { calls.map(\.name) }

  func append(_ name: String, _ input: some Sendable) {
    state.withLock { $0.append(Call(name: name, input: input)) }
  }
}
