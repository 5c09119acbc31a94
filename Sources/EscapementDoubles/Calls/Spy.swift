import EscapementTesting
import _EscapementCore

/// A function that records its calls, and returns or throws what the test has set.
///
/// A hand-written mock has one spy for each function of its protocol:
///
/// ```swift
/// final class MockPlaceService: PlaceService {
///   let placeSpy = Spy<Int, Place, any Error>("place(id:)")
///   func place(id: Int) async throws -> Place { try await placeSpy(id) }
/// }
/// ```
///
/// The test sets the answer, and checks the arguments afterwards:
///
/// ```swift
/// service.placeSpy.returns(.home)
/// await model.load(id: 7)
/// #expect(service.placeSpy.calls == [7])
/// ```
///
/// - `Input` is the type of the argument: a tuple for several arguments, `Void` for none.
/// - `Output` is the type of the result.
/// - `Failure` is the type of the errors: `any Error`, one type, or `Never`.
///
/// A spy may be called from any thread, and from several threads at once. Functions that are
/// `async` and functions that are not can both call it. The spy records a call before it answers.
///
/// Where code takes a function instead of a protocol, pass ``function(_:)`` or
/// ``asyncFunction(_:)``.
///
/// A call without an answer fails the test at the line that created the spy, and then throws an
/// ``UnstubbedCallError``. If the function cannot throw this error, it returns the placeholder: the
/// value that was passed to the initialiser, or that of ``PlaceholderProviding`` (`nil`, zero,
/// `false`, an empty collection). A function that returns `Void` needs no answer.
public final class Spy<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  /// The name of the function, for messages and for the log.
  public let name: String

  /// Makes the result of a call that has no answer; `nil` if such a call can throw.
  private let placeholder: (@Sendable () -> Output)?
  private let log: CallLog?
  private let owner = DoubleOwner.current
  private let location: SourceLocation
  private let counter = EventCounter()
  private let state = Lock(SpyStateMachine<Input, Answer>())

  init(
    _ name: String, log: CallLog?, at location: SourceLocation,
    placeholder: (@Sendable () -> Output)?
  ) {
    self.name = name
    self.placeholder = placeholder
    self.log = log
    self.location = location
  }

  // MARK: - Inspecting the calls

  /// The arguments of all calls so far, in the order of the calls.
  public var calls: [Input] { state.withLock { $0.calls } }

  /// Suspends until the spy has recorded so many calls.
  ///
  /// Returns at once if it has recorded them already. Otherwise the last of the calls resumes the
  /// caller: after it has been recorded, and before it is answered.
  ///
  /// In a virtual-time scope the wait has no limit: if nothing can happen any more, the scope
  /// reports that it is stuck. Elsewhere the limit is a minute of real time.
  ///
  /// - `count`: The number of calls.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  /// - Throws: `CancellationError` if the task is cancelled; `MissingEventsError` at the limit.
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

  /// Records a call and answers it.
  ///
  /// - Parameter input: The argument of the function.
  /// - Returns: The answer that the test has set.
  /// - Throws: The error that the test has set, or ``UnstubbedCallError``.
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

  /// Records a call and answers it.
  ///
  /// This is the variant for a function that is `async`. A handler runs on the caller's isolation.
  ///
  /// - Parameter input: The argument of the function.
  /// - Returns: The answer that the test has set.
  /// - Throws: The error that the test has set, or ``UnstubbedCallError``.
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

  /// Fails the test, and then throws an error or returns the placeholder.
  private func refuse(
    _ reason: UnstubbedCallError.Reason, _ input: Input
  ) throws(Failure) -> Output {
    if case .noAnswer = reason, Output.self == Void.self, let nothing = () as? Output {
      return nothing
    }
    let error = UnstubbedCallError(name: name, input: "\(input)", reason: reason)
    owner.report(error.description, at: location)
    if let failure = error as? Failure { throw failure }
    // Each initialiser of a spy that cannot throw the error has set a placeholder.
    return placeholder!()
  }
}

extension Spy where Input == Void {
  /// Records a call and answers it.
  ///
  /// - Returns: The answer that the test has set.
  /// - Throws: The error that the test has set, or ``UnstubbedCallError``.
  public func callAsFunction() throws(Failure) -> Output { try callAsFunction(()) }

  /// Records a call and answers it.
  ///
  /// This is the variant for a function that is `async`. A handler runs on the caller's isolation.
  ///
  /// - Returns: The answer that the test has set.
  /// - Throws: The error that the test has set, or ``UnstubbedCallError``.
  public func callAsFunction() async throws(Failure) -> Output { try await callAsFunction(()) }
}
