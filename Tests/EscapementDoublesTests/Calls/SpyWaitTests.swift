import EscapementDoubles
import EscapementTesting
import TestSupport
import Testing

@Suite struct SpyWaitTests {
  private let spy = Spy<Int, Void, Never>("save(_:)")

  /// Not `async`, as most code under test.
  private func call(_ number: Int) { spy(number) }

  @Test func `a wait for calls that have been made returns at once`() async throws {
    call(1)
    call(2)
    try await spy.wait(forCallCount: 0)
    try await spy.wait(forCallCount: 2)
  }

  @Test(.virtualStandardClocks, .virtualTime) func `a wait ends with the last of the calls`()
    async throws
  {
    let time = try #require(VirtualTime.current)
    Task {
      for number in 1...5 {
        try await Task.sleep(for: .seconds(60))
        call(number)
      }
    }
    try await spy.wait(forCallCount: 2)
    #expect(time.now.offset == .seconds(120))
    #expect(spy.calls == [1, 2])
    try await spy.wait(forCallCount: 5)
    #expect(time.now.offset == .seconds(300))
  }

  @Test func `a call by a foreign thread ends the wait`() async throws {
    async let waiting: Void = spy.wait(forCallCount: 3)
    for number in 1...3 { onForeignThread { call(number) } }
    try await waiting
    #expect(spy.calls == [1, 2, 3])
  }

  @Test func `a wait of a cancelled task throws`() async {
    let task = Task { try await spy.wait(forCallCount: 1) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(.virtualTime(.init(leftovers: .ignore)))
  func `a task that is cancelled while it waits throws`() async throws {
    let task = Task { try await spy.wait(forCallCount: 1) }
    await VirtualTime.current?.settle()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(
    .virtualStandardClocks,
    .expecting(
      """
      The test waits for events that have not come:
        - 1 of 2 calls of 'save(_:)', at EscapementDoublesTests/SpyWaitTests.swift:
      """),
    .virtualTime(.init(stallLimit: .milliseconds(20))))
  func `a stuck scope names the calls that are never made`() async throws {
    Task {
      try await Task.sleep(for: .seconds(60))
      call(1)
    }
    try await spy.wait(forCallCount: 2)
  }

  @Test(
    .expecting("  - 0 of 1 calls of 'load(id:)', at"),
    .virtualTime(.init(stallLimit: .milliseconds(20))))
  func `a stuck scope does not name waits that have ended`() async throws {
    call(1)
    let other = Spy<Int, Void, Never>("load(id:)")
    let cancelled = Task { try await spy.wait(forCallCount: 7) }
    await VirtualTime.current?.settle()
    cancelled.cancel()
    async let waiting: Void = spy.wait(forCallCount: 2)
    await VirtualTime.current?.settle()
    call(2)
    try await waiting
    try await other.wait(forCallCount: 1)
  }

  @Test func `a negative number fails the test`() async throws {
    let line = #line + 1
    let issues = try await issues { try await spy.wait(forCallCount: -1) }
    #expect(issues.map(\.line) == [line])
    #expect(
      issues.first?.message.hasPrefix("'count' must not be negative (got -1).") == true)
  }
}
