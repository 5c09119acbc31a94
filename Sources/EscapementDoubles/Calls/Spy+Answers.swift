extension Spy {
  /// What one call is answered.
  public struct Answer: Sendable {
    enum Kind {
      case returns(Output)
      case `throws`(Failure)
      case runs(@Sendable (Input) throws(Failure) -> Output)
      case runsAsync(@Sendable (Input) async throws(Failure) -> Output)
    }

    let kind: Kind

    /// Returns a value.
    public static func returns(_ output: Output) -> Answer { Answer(kind: .returns(output)) }

    /// Throws an error.
    public static func `throws`(_ error: Failure) -> Answer { Answer(kind: .throws(error)) }

    /// Runs a closure.
    public static func handler(
      _ handler: @escaping @Sendable (Input) throws(Failure) -> Output
    ) -> Answer {
      Answer(kind: .runs(handler))
    }

    /// Runs a closure, which may suspend; for functions that are `async`.
    public static func handler(
      _ handler: @escaping @Sendable (Input) async throws(Failure) -> Output
    ) -> Answer {
      Answer(kind: .runsAsync(handler))
    }
  }

  /// Has every call from now on return a value.
  public func returns(_ output: Output) { answer(.returns(output)) }

  /// Has every call from now on throw an error.
  public func `throws`(_ error: Failure) { answer(.throws(error)) }

  /// Has every call from now on run a closure, outside all locks.
  public func handler(_ handler: @escaping @Sendable (Input) throws(Failure) -> Output) {
    answer(.handler(handler))
  }

  /// Has every call from now on run a closure, which may suspend.
  ///
  /// Only functions that are `async` can be answered so. The closure may sleep: in a virtual-time
  /// scope that takes no time.
  public func handler(_ handler: @escaping @Sendable (Input) async throws(Failure) -> Output) {
    answer(.handler(handler))
  }

  /// Answers the next calls one after the other.
  ///
  /// ```swift
  /// spy.sequence(.throws(URLError(.timedOut)), .returns(.home))
  /// ```
  ///
  /// A call for which there is no answer left is a call without an answer.
  public func sequence(_ answers: Answer...) { answer(answers) }
}
