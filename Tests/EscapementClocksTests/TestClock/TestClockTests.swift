import EscapementClocks
import Testing

@Suite struct TestClockTests {
  private let clock = TestClock()

  @Test func `a new clock begins at zero or at the given instant`() {
    #expect(clock.now.offset == .zero)
    #expect(clock.minimumResolution == .zero)
    #expect(TestClock<Duration>(now: .init(offset: .seconds(3))).now.offset == .seconds(3))
  }

  @Test func `the minimum resolution can be set`() {
    clock.minimumResolution = .seconds(1)
    #expect(clock.minimumResolution == .seconds(1))
  }

  @Test func `clocks have an identity`() {
    let other = TestClock()
    #expect(clock.id == clock.id)
    #expect(clock.id != other.id)
  }

  @Test func `a sleep ends at its deadline and not a nanosecond before`() async throws {
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(1) - .nanoseconds(1))
    #expect(clock.sleepers.count == 1)
    await clock.advance(by: .nanoseconds(1))
    #expect(clock.sleepers.isEmpty)
    try await task.value
    #expect(clock.now.offset == .seconds(1))
  }

  @Test(arguments: [Duration.zero, .nanoseconds(-1)])
  func `a sleep until now or before returns at once`(duration: Duration) async throws {
    try await clock.sleep(for: duration)
    #expect(clock.now.offset == .zero)
    #expect(clock.sleepers.isEmpty)
  }

  @Test(arguments: [Duration.zero, .seconds(1)])
  func `a cancelled task does not sleep`(duration: Duration) async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: duration)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `cancelling a sleeping task ends only its own sleep`() async throws {
    let cancelled = Task { try await clock.sleep(for: .seconds(1)) }
    let other = Task { try await clock.sleep(for: .seconds(2)) }
    try await clock.waitForSleepers(count: 2)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(clock.sleepers.map(\.deadline?.offset) == [.seconds(2)])
    await clock.advance(by: .seconds(2))
    try await other.value
  }

  @Test func `a clock and its sleeping tasks are freed when the tasks are cancelled`() async throws
  {
    weak var freed: TestClock<Duration>?
    do {
      let clock = TestClock()
      freed = clock
      let task = Task { try await clock.sleep(for: .seconds(1)) }
      try await clock.waitForSleepers(count: 1)
      task.cancel()
      _ = await task.result
    }
    #expect(freed == nil)
  }

  @Test func `a clock works with other duration types`() async throws {
    let clock = TestClock<Frames>(now: .init(offset: Frames(count: 10)))
    let task = Task { try await clock.sleep(for: Frames(count: 2)) }
    try await clock.waitForSleepers(count: 1)
    #expect(clock.nextDeadline?.offset == Frames(count: 12))
    await clock.advance(by: Frames(count: 2))
    try await task.value
    #expect(clock.now.offset == Frames(count: 12))
  }
}
