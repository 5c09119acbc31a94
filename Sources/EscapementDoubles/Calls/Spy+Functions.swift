extension Spy {
  /// Records a call and answers it, where the caller is not `async`.
  ///
  /// Inside an `async` test, Swift takes `{ saves($0) }` for a call of the `async` variant of the
  /// spy, even if the closure must not be `async`. Pass this function instead, or call it:
  ///
  /// ```swift
  /// let saver = AutoSaver(save: saves.function)
  /// let settings = Settings { key, value in pairs.function((key, value)) }
  /// ```
  ///
  /// For a parameter that is `async`, use ``asyncFunction(_:)``: `function` cannot wait for a
  /// handler that suspends.
  ///
  /// - Parameter input: The argument of the function.
  /// - Returns: The answer that the test has set.
  /// - Throws: The error that the test has set, or ``UnstubbedCallError``.
  @Sendable public func function(_ input: Input) throws(Failure) -> Output { try self(input) }

  /// Records a call and answers it, and waits for a handler that suspends.
  ///
  /// Use it inside a test that is not `async`, for a parameter that is: there Swift takes
  /// `{ await loads($0) }` for a call of the variant that is not `async`.
  ///
  /// - Parameter input: The argument of the function.
  /// - Returns: The answer that the test has set.
  /// - Throws: The error that the test has set, or ``UnstubbedCallError``.
  @Sendable public func asyncFunction(_ input: Input) async throws(Failure) -> Output {
    try await self(input)
  }
}

extension Spy where Input == Void {
  /// Records a call and answers it, where the caller is not `async`.
  ///
  /// - Returns: The answer that the test has set.
  /// - Throws: The error that the test has set, or ``UnstubbedCallError``.
  @Sendable public func function() throws(Failure) -> Output { try self(()) }

  /// Records a call and answers it, and waits for a handler that suspends.
  ///
  /// - Returns: The answer that the test has set.
  /// - Throws: The error that the test has set, or ``UnstubbedCallError``.
  @Sendable public func asyncFunction() async throws(Failure) -> Output { try await self(()) }
}
