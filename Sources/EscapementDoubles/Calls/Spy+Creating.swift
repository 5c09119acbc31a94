import _EscapementCore

// A spy that cannot throw an `UnstubbedCallError` needs a value to return. The initialisers are
// such that the compiler asks for the value wherever the type of the result has none of its own.

extension Spy {
  /// Creates a spy that has no answer, with the result of calls that have none.
  ///
  /// - `name`: The name of the function.
  /// - `placeholder`: The result of a call that has no answer and cannot throw an
  ///   ``UnstubbedCallError``. The test has failed by then.
  /// - `log`: A further log in which the spy records its calls.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public convenience init(
    _ name: String, placeholder: Output, log: CallLog? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      name, log: log,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    ) { placeholder }
  }

  /// Creates a spy that has no answer, of a function whose result has a placeholder.
  ///
  /// - `name`: The name of the function.
  /// - `log`: A further log in which the spy records its calls.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public convenience init(
    _ name: String, log: CallLog? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) where Output: PlaceholderProviding {
    self.init(
      name, log: log,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    ) { Output.placeholder }
  }

  /// Creates a spy of a function that returns nothing, and needs no answer.
  ///
  /// - `name`: The name of the function.
  /// - `log`: A further log in which the spy records its calls.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public convenience init(
    _ name: String, log: CallLog? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) where Output == Void {
    self.init(
      name, log: log,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    ) {}
  }

  /// Creates a spy that has no answer, of a function that can throw any error.
  ///
  /// - `name`: The name of the function.
  /// - `log`: A further log in which the spy records its calls.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  @_disfavoredOverload
  public convenience init(
    _ name: String, log: CallLog? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) where Failure == any Error {
    self.init(
      name, log: log,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column),
      placeholder: nil)
  }

  /// Does not exist: this spy needs a placeholder.
  @available(
    *, unavailable,
    message: """
      the function cannot throw an 'UnstubbedCallError', so a call without an answer needs a value to \
      return: pass 'placeholder:', or let the result type conform to 'PlaceholderProviding'
      """
  )
  @_disfavoredOverload
  public convenience init(
    _ name: String, log: CallLog? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) { fatalError("unavailable") }
}
