import EscapementTesting
import TestSupport
import Testing

private func neverResumed() async {
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}

private func untilCancelled() async throws {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
  try Task.checkCancellation()
}

private let impatient = VirtualTimeOptions(stallLimit: .milliseconds(20))
private struct Failure: Error {}

@Suite struct VirtualTimeTraitIssueTests {
  @Test(
    .virtualStandardClocks,
    .expecting("is stuck at +5.0 seconds", line: #line - 4),
    .virtualTime(impatient))
  func `a stuck test fails at the line of the test, and not of the trait`() async throws {
    try await Task.sleep(for: .seconds(5))
    try await untilCancelled()
  }

  @Test(
    .plainOrder(because: "A run of an exploration that passes reports no warning."),
    .expecting("1 task was left over", line: #line - 3), .virtualTime)
  func `without options, a problem is shown at the line of the test`() async throws {
    let time = try VirtualTime.required
    Task { try await time.sleep(for: .seconds(3600)) }
    await time.settle()
  }

  @Test(
    .expecting("is stuck at +0.0 seconds", line: #line - 3),
    .virtualTime(impatient))
  func `a stuck test that ignores its cancellation fails, and the process goes on`() async throws {
    let canary = [1, 2, 3]
    await neverResumed()
    Issue.record("the test was not resumed: \(canary)")
  }

  @Test(
    .expecting("is stuck at +0.0 seconds", line: #line - 3),
    .virtualTime(impatient), arguments: 1...3)
  func `each stuck case of a parameterised test fails`(number: Int) async throws {
    await neverResumed()
    Issue.record("the test was not resumed: \(number)")
  }

  @Test(
    .expecting("is stuck at +0.0 seconds", line: #line - 3),
    .virtualTime(impatient))
  @MainActor func `a stuck test on the main actor fails`() async throws {
    try await untilCancelled()
  }

  @Test(
    .expecting("1 task was left over", line: #line - 3),
    .virtualTime(.init(leftovers: .fail)))
  func `leftover tasks can fail the test`() async throws {
    // Long, because it is real where the standard clocks are, and the scope may have to wait.
    Task { try await Task.sleep(for: .seconds(3600)) }
    await VirtualTime.current?.settle()
  }
}

@Suite struct VirtualTimeTraitConsequenceTests {
  @Test(
    .expecting("cancelled. A failure that it recorded afterwards is not shown."),
    .virtualTime(impatient))
  func `a failure of a body that was cancelled is counted and not shown`() async throws {
    try? await untilCancelled()
    Issue.record("the body goes on")
  }

  @Test(
    .expecting("cancelled. 2 failures that it recorded afterwards are not shown."),
    .virtualTime(impatient))
  func `two failures of such a body are counted, also of a task that it has made`() async {
    try? await untilCancelled()
    #expect(Bool(false))
    await Task { _ = Issue.record("the task goes on") }.value
  }

  @Test func `failures before the problem are shown`() async throws {
    let failures = try await failures {
      try? await withVirtualTime(impatient) { _ in
        Issue.record("before")
        try await untilCancelled()
      }
    }
    #expect(failures.map { $0.text.contains("is stuck") } == [false, true])
  }

  @Test func `failures of what a body that has ended leaves over are shown`() async throws {
    let failures = try await failures {
      try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { time in
        _ = Task {
          try? await time.sleep(for: .seconds(1))
          Issue.record("left over")
        }
      }
    }
    #expect(failures.count == 1)
  }
}

@Suite struct VirtualTimeTraitLeftoverTests {
  @Test(.virtualTime(.init(leftovers: .ignore)))
  func `a test may leave a task that never ends`() {
    _ = Task { await neverResumed() }
  }

  @Test func `a task that never ends keeps nothing of the body`() async throws {
    final class Captured: Sendable {}
    weak var captured: Captured?
    do {
      let object = Captured()
      captured = object
      try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { _ in
        withExtendedLifetime(object) {}
        _ = Task { await neverResumed() }
      }
    }
    #expect(captured == nil)
  }
}

@Suite struct VirtualTimeTraitPassingOnTests {
  @Test(.expecting("Failure()"), .virtualTime) func `an error of the test passes through`() throws {
    throw Failure()
  }

  @Test(.virtualStandardClocks, .expecting("Failure()"), .virtualTime)
  func `an error that is thrown after a sleep on the main actor passes through`() async throws {
    try await Task { @MainActor in try await Task.sleep(for: .seconds(3)) }.value
    throw Failure()
  }

  @Test(.virtualTime) func `the test is known in the tasks that it starts`() async {
    #expect(Test.current != nil)
    #expect(await Task { Test.current }.value == Test.current)
    #expect(await Task { @MainActor in Test.current }.value == Test.current)
    async let inChild = Test.current
    #expect(await inChild == Test.current)
  }

  @Test(.virtualTime(.init(mode: .manual)))
  func `the options apply, and the handle is available`() async throws {
    let time = try #require(VirtualTime.current)
    let task = Task { try await Task.sleep(for: .seconds(1)) }
    await time.settle()
    #expect(time.now.offset == .zero)
    await time.advance(by: .seconds(1))
    try await task.value
  }

  @Test(.virtualTime) func `a scope inside the test is refused`() async {
    await #expect(throws: VirtualTimeError.nestedScope) { try await withVirtualTime { _ in } }
  }

  @Test(.virtualStandardClocks, .virtualTime) @MainActor
  func `a test on the main actor stays there`() async throws {
    MainActor.assertIsolated()
    try await Task.sleep(for: .seconds(1))
    MainActor.assertIsolated()
    #expect(VirtualTime.current?.now.offset == .seconds(1))
  }

  @Test(.virtualTime) func `a test need not be asynchronous`() {
    #expect(VirtualTime.current?.now.offset == .zero)
  }
}

/// A test that is cancelled from outside.
private struct Cancelling: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    await #expect(throws: CancellationError.self) {
      try await withThrowingTaskGroup { group in
        try await withoutActuallyEscaping(function) { function in
          group.addTask { try await function() }
          group.cancelAll()
          try await group.waitForAll()
        }
      }
    }
  }
}

@Suite struct VirtualTimeTraitCancellationTests {
  @Test(Cancelling(), .virtualTime(.init(mode: .manual)))
  func `cancelling the test ends it`() async throws {
    try await Task.sleep(for: .seconds(1))
    Issue.record("time was not moved")
  }
}

@Suite(.virtualTime(.init(mode: .manual)))
struct VirtualTimeOfNestedSuites {
  @Suite struct Inner {
    @Test(arguments: [1, 2]) func `have the trait of the outer one, each case its own scope`(
      seconds: Int
    ) async throws {
      let time = try #require(VirtualTime.current)
      #expect(time.now.offset == .zero)
      await time.advance(by: .seconds(seconds))
      #expect(time.now.offset == .seconds(seconds))
    }
  }
}
