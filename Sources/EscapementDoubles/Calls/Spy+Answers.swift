extension Spy {
  /// The answer to one call.
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

    /// Runs a closure, whose result is the answer.
    public static func handler(
      _ handler: @escaping @Sendable (Input) throws(Failure) -> Output
    ) -> Answer {
      Answer(kind: .runs(handler))
    }

    /// Runs a closure that may suspend, for functions that are `async`.
    public static func handler(
      _ handler: @escaping @Sendable (Input) async throws(Failure) -> Output
    ) -> Answer {
      Answer(kind: .runsAsync(handler))
    }
  }

  /// Makes every later call return a value.
  public func returns(_ output: Output) { answer(.returns(output)) }

  /// Makes every later call throw an error.
  public func `throws`(_ error: Failure) { answer(.throws(error)) }

  /// Makes every later call run a closure.
  ///
  /// The spy holds no lock while the closure runs, so the closure may use the spy.
  public func handler(_ handler: @escaping @Sendable (Input) throws(Failure) -> Output) {
    answer(.handler(handler))
  }

  /// Makes every later call run a closure that may suspend.
  ///
  /// The closure can answer only calls by functions that are `async`. In a virtual-time scope its
  /// sleeps take no real time.
  public func handler(_ handler: @escaping @Sendable (Input) async throws(Failure) -> Output) {
    answer(.handler(handler))
  }

  /// Sets the answers to the next calls, one for each.
  ///
  /// ```swift
  /// spy.sequence(.throws(URLError(.timedOut)), .returns(.home))
  /// ```
  ///
  /// A call after the last answer fails the test, as a call without an answer does.
  public func sequence(_ answers: Answer...) { answer(answers) }
}
