import EscapementTesting
import _EscapementCore

/// A function that records how it is called, and answers as the test has told it.
///
/// Hand-written mocks are made of it, one spy for each function of the protocol:
///
/// ```swift
/// final class MockPlaceService: PlaceService {
///   let placeSpy = Spy<Int, Place, any Error>("place(id:)")
///   func place(id: Int) async throws -> Place { try await placeSpy(id) }
/// }
/// ```
///
/// The test says what it answers, and looks at what it was given:
///
/// ```swift
/// service.placeSpy.returns(.home)
/// await model.load(id: 7)
/// #expect(service.placeSpy.calls == [7])
/// ```
///
/// - `Input` is what the function takes: a tuple if that is more than one thing, `Void` if nothing.
/// - `Output` is what it returns.
/// - `Failure` is what it throws: `any Error`, a type, or `Never`.
///
/// A spy may be called from any thread, also from several at once, by functions that are `async` and
/// by those that are not. A call is recorded before it is answered.
///
/// A call without an answer fails the test at the line that made the spy, and then throws an
/// ``UnstubbedCallError``. A function that cannot throw it returns the placeholder of the spy
/// or an empty value (`nil`, zero, `false`, an empty collection); for a type that has none the
/// process ends, since there is nothing that the function could return. A function that returns
/// nothing needs no answer.
public final class Spy<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  /// The name, as it appears in messages and in the log.
  public let name: String

  private let placeholder: Output?
  private let log: CallLog?
  private let owner = DoubleOwner.current
  private let location: SourceLocation
  private let counter = EventCounter()
  private let state = Lock(SpyStateMachine<Input, Answer>())

  /// Creates a spy that has no answer.
  ///
  /// - `name`: The name of the function.
  /// - `placeholder`: What is returned, after the test has been failed, by a call without an answer
  ///   that cannot throw.
  /// - `log`: The log that the calls are recorded in, besides the spy's own.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
  public init(
    _ name: String, placeholder: Output? = nil, log: CallLog? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.name = name
    self.placeholder = placeholder
    self.log = log
    location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  // MARK: - Looking

  /// What the function was given in all calls so far, in their order.
  public var calls: [Input] { state.withLock { $0.calls } }

  /// Suspends until there have been so many calls.
  ///
  /// Returns at once if there have been; otherwise the call that makes up the number resumes the
  /// caller, when it has been recorded and before it is answered.
  ///
  /// In a virtual-time scope this takes as long as anything can happen there; then the scope reports
  /// that it is stuck. Elsewhere it waits for a minute of real time.
  ///
  /// - `count`: The number of calls.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
  /// - Throws: `CancellationError` when the task is cancelled before; ``MissingEventsError``.
  public func wait(
    forCallCount count: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async throws {
    try await counter.wait(
      for: count, "calls of '\(name)'",
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  // MARK: - Answering

  func answer(_ answer: Answer) { state.withLock { $0.answer(answer) } }

  func answer(_ answers: [Answer]) { state.withLock { $0.answer(answers) } }

  // MARK: - Being called

  /// Records a call, and answers it.
  ///
  /// - Parameter input: What the function is given.
  /// - Returns: What the test has said.
  /// - Throws: What the test has said; ``UnstubbedCallError``.
  public func callAsFunction(_ input: Input) throws(Failure) -> Output {
    switch record(input) {
    case .answer(let answer):
      switch answer.kind {
      case .returns(let output): return output
      case .throws(let error): throw error
      case .runs(let handler): return try handler(input)
      case .runsAsync: return try refuse(.handlerIsAsynchronous, input)
      }
    case .unstubbed: return try refuse(.noAnswer, input)
    case .exhausted(let count): return try refuse(.answersUsedUp(count), input)
    }
  }

  /// Records a call, and answers it.
  ///
  /// The same for a function that is `async`. A handler runs on the caller's isolation.
  ///
  /// - Parameter input: What the function is given.
  /// - Returns: What the test has said.
  /// - Throws: What the test has said; ``UnstubbedCallError``.
  public func callAsFunction(_ input: Input) async throws(Failure) -> Output {
    switch record(input) {
    case .answer(let answer):
      switch answer.kind {
      case .returns(let output): return output
      case .throws(let error): throw error
      case .runs(let handler): return try handler(input)
      case .runsAsync(let handler): return try await handler(input)
      }
    case .unstubbed: return try refuse(.noAnswer, input)
    case .exhausted(let count): return try refuse(.answersUsedUp(count), input)
    }
  }

  private func record(_ input: Input) -> SpyStateMachine<Input, Answer>.Decision {
    let decision = state.withLock { $0.call(input) }
    log?.append(name, input)
    counter.increment()
    return decision
  }

  /// Fails the test, and throws or returns what can be.
  private func refuse(
    _ reason: UnstubbedCallError.Reason, _ input: Input
  ) throws(Failure) -> Output {
    if case .noAnswer = reason, Output.self == Void.self, let nothing = () as? Output {
      return nothing
    }
    let error = UnstubbedCallError(name: name, input: "\(input)", reason: reason)
    owner.report(error.description, at: location)
    if let failure = error as? Failure { throw failure }
    if let value = placeholder ?? Placeholder.make() { return value }
    fatalError(
      """
      \(error)

      The process ends because '\(name)' cannot throw an error, and nothing is known that it could \
      return. Give the spy an answer, or a 'placeholder'.
      """)
  }
}

extension Spy where Input == Void {
  /// Records a call, and answers it.
  ///
  /// - Returns: What the test has said.
  /// - Throws: What the test has said; ``UnstubbedCallError``.
  public func callAsFunction() throws(Failure) -> Output { try callAsFunction(()) }

  /// Records a call, and answers it.
  ///
  /// The same for a function that is `async`. A handler runs on the caller's isolation.
  ///
  /// - Returns: What the test has said.
  /// - Throws: What the test has said; ``UnstubbedCallError``.
  public func callAsFunction() async throws(Failure) -> Output { try await callAsFunction(()) }
}
