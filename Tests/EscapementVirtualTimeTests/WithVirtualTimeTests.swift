import EscapementVirtualTime
import TestSupport
import Testing
import _EscapementCore

@TaskLocal private var taskLocal = 0

private struct Failure: Error, Equatable {
  var number = 1
}

@Suite struct WithVirtualTimeTests {
  @Test func `returns what the body returns`() async throws {
    #expect(try await withVirtualTime { _ in 42 } == 42)
  }

  @Test(.virtualStandardClocks) func `throws what the body throws`() async {
    await #expect(throws: Failure(number: 7)) {
      try await withVirtualTime { _ in
        try await Task.sleep(for: .seconds(1))
        throw Failure(number: 7)
      }
    }
  }

  @Test func `a body that ends at once takes no virtual time`() async throws {
    let time = try await withVirtualTime { $0 }
    #expect(time.now.offset == .zero)
  }

  @Test(.virtualStandardClocks)
  func `the body may mutate captured variables and return a value that is not Sendable`()
    async throws
  {
    final class Box { var count = 0 }
    let box = Box()
    var count = 0
    let other = try await withVirtualTime { _ in
      try await Task.sleep(for: .seconds(1))
      box.count += 1
      count += 1
      return Box()
    }
    #expect(box.count == 1)
    #expect(count == 1)
    #expect(other.count == 0)
  }

  @Test func `the body and its tasks have the caller's task-local values and priority`()
    async throws
  {
    try await $taskLocal.withValue(5) {
      try await withVirtualTime { _ in
        #expect(taskLocal == 5)
        #expect(await Task { taskLocal }.value == 5)
        #expect(
          Test.current?.name
            == "the body and its tasks have the caller's task-local values and priority"
            || Test.current != nil)
      }
    }
    try await Task(priority: .low) {
      try await withVirtualTime { _ in #expect(Task.basePriority == .low) }
    }.value
  }

  @Test func `only handles of the same scope are the same clock`() async throws {
    let (first, same) = try await withVirtualTime { time in (time.id, VirtualTime.current?.id) }
    let isOther = try await withVirtualTime { [time = try await withVirtualTime { $0 }] in
      $0.id != time.id
    }
    #expect(first == same)
    #expect(isOther)
  }

  @Test(.virtualStandardClocks) func `scopes may run one after another`() async throws {
    for _ in 0..<200 {
      try await withVirtualTime { time in
        try await Task.sleep(for: .seconds(3))
        #expect(time.now.offset == .seconds(3))
      }
    }
  }

  // MARK: Nesting

  @Test(.virtualStandardClocks)
  func `a scope inside another is refused, and the outer one goes on`() async throws {
    try await withVirtualTime { time in
      await #expect(throws: VirtualTimeError.nestedScope) { try await withVirtualTime { _ in } }
      try await Task.sleep(for: .seconds(1))
      #expect(time.now.offset == .seconds(1))
    }
  }

  @Test(.virtualStandardClocks)
  func `a nested scope is refused in every kind of task of the scope`() async throws {
    try await withVirtualTime { _ in
      await #expect(throws: VirtualTimeError.nestedScope) {
        try await Task { try await withVirtualTime { _ in } }.value
      }
      await #expect(throws: VirtualTimeError.nestedScope) {
        try await Task.detached { try await withVirtualTime { _ in } }.value
      }
      await #expect(throws: VirtualTimeError.nestedScope) {
        try await Task { @MainActor in try await withVirtualTime { _ in } }.value
      }
      await #expect(throws: VirtualTimeError.nestedScope) {
        async let child: Void = withVirtualTime { _ in }
        try await child
      }
    }
    try await checkThatAnOrdinaryScopeWorks()
  }

  // MARK: A handle after its scope

  @Test(.virtualStandardClocks) func `after its scope the time of a handle no longer moves`()
    async throws
  {
    let time = try await withVirtualTime { time in
      await time.advance(by: .seconds(5))
      return time
    }
    #expect(time.now.offset == .seconds(5))
    #expect(time.nextDeadline == nil)
    #expect(time.sleepers.isEmpty)
    await #expect(throws: VirtualTimeError.scopeEnded) { try await time.sleep(for: .seconds(1)) }
    await #expect(throws: VirtualTimeError.scopeEnded) {
      try await withVirtualTime { _ in try await time.sleep(for: .seconds(1)) }
    }
    #expect(await time.hold { 7 } == 7)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks)
  func `moving time after the scope is reported at the line of the call`() async throws {
    let time = try await withVirtualTime { $0 }
    var lines: [Int] = []
    let issues = await issues {
      lines.append(#line + 1)
      await time.advance(by: .seconds(1))
      lines.append(#line + 1)
      await time.advance(to: .init(offset: .seconds(1)))
      lines.append(#line + 1)
      await time.advanceToNextDeadline()
      lines.append(#line + 1)
      await time.settle()
      lines.append(#line + 1)
      await time.run()
    }
    #expect(issues.map(\.line) == lines)
    for issue in issues {
      #expect(issue.message.contains("after the scope had ended"))
      #expect(!issue.isWarning)
    }
    #expect(time.now.offset == .zero)
    try await checkThatAnOrdinaryScopeWorks()
  }

  // MARK: Options

  @Test(
    .virtualStandardClocks,
    arguments: [
      (VirtualTimeOptions(stallLimit: .nanoseconds(-1)), "stallLimit"),
      (VirtualTimeOptions(holdLimit: .seconds(-5)), "holdLimit"),
      (VirtualTimeOptions(openHoldLimit: -1), "openHoldLimit"),
      (VirtualTimeOptions(jobLimit: 0), "jobLimit"),
      (VirtualTimeOptions(eventLimit: -1), "eventLimit"),
      (VirtualTimeOptions(wallClockStart: Duration.seconds(Int64.max)), "wallClockStart"),
    ]) func `an invalid option is refused by name`(
      options: VirtualTimeOptions, name: String
    ) async throws
  {
    let error = await #expect(throws: VirtualTimeError.self) {
      try await withVirtualTime(options) { _ in Issue.record("the body must not run") }
    }
    #expect(error?.description.contains(name) == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(arguments: [Duration.seconds(9_223_372_036), .seconds(-9_223_372_036)])
  func `a wall clock may start 292 years from 1970, and no further`(limit: Duration) async throws {
    let beyond = limit + (limit > .zero ? .nanoseconds(1) : .nanoseconds(-1))
    try await withVirtualTime(VirtualTimeOptions(wallClockStart: limit)) { _ in }
    await #expect(
      throws: VirtualTimeError.invalidOption(
        """
        wallClockStart: \(beyond); use -9,223,372,036...9,223,372,036 seconds, which is up to \
        292 years before and after 1970
        """)
    ) {
      try await withVirtualTime(VirtualTimeOptions(wallClockStart: beyond)) { _ in
        Issue.record("the body must not run")
      }
    }
  }

  @Test(.virtualStandardClocks)
  func `a body that has slept sees all work of its instant, however much that is`() async throws {
    try await withVirtualTime { _ in
      let work = Lock(0)
      let yielding = Task {
        try await Task.sleep(for: .seconds(1))
        for _ in 0..<20_000 { await Task.yield() }
        work.withLock { $0 += 1 }
      }
      try await Task.sleep(for: .seconds(1))
      #expect(work.withLock { $0 } == 1)
      try await yielding.value
    }
  }
}
