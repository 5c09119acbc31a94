import _EscapementCore

/// A record of calls that several doubles share, for tests of the order between them.
///
/// ```swift
/// let log = CallLog()
/// let (session, store) = (MockSession(log: log), MockStore(log: log))
/// …
/// #expect(log.names == ["logIn(_:)", "save(_:)", "logOut()"])
/// ```
///
/// A call is recorded before it is answered. Calls that overlap in time are in any order.
public final class CallLog: Sendable {
  /// A call of one of the doubles.
  public struct Call: Sendable, CustomStringConvertible {
    /// The name of the spy or the delegate.
    public let name: String

    /// What it was given.
    public let input: any Sendable

    /// The name and what it was given.
    public var description: String { input is Void ? name : "\(name) \(input)" }
  }

  private let state = Lock([Call]())

  /// Creates an empty log.
  public init() {}

  /// All calls, in their order.
  public var calls: [Call] { state.withLock { $0 } }

  /// The names of all calls, in their order.
  public var names: [String] { calls.map(\.name) }

  func append(_ name: String, _ input: some Sendable) {
    state.withLock { $0.append(Call(name: name, input: input)) }
  }
}
