import Dispatch
import EscapementClocks
import EscapementDoubles
import EscapementFoundation
import EscapementTesting
import TestSupport
import Testing

/// Covers `VirtualQueue`, `WorkItems` and `Alarm` as well.
@Suite(.virtualTime(.init(leftovers: .fail))) struct VirtualDispatchQueueTests {
  let queue = VirtualDispatchQueue()
  let log = Log<String>()

  private func settle() async { await VirtualTime.current?.settle() }

  @Test func `work runs after the call, in the order of submission`() async {
    for number in 1...3 { queue.async { [log] in log.note("\(number)") } }
    log.note("here")
    await settle()
    #expect(log.entries == ["0.0 here", "0.0 1", "0.0 2", "0.0 3"])
  }

  @Test func `work that is submitted by other work runs after the work that was submitted before`()
    async
  {
    queue.async { [queue, log] in
      queue.async { log.note("inner") }
      log.note("outer")
    }
    queue.async { [log] in log.note("second") }
    await settle()
    #expect(log.entries == ["0.0 outer", "0.0 second", "0.0 inner"])
  }

  @Test func `work runs on the main actor`() async {
    queue.async { [log] in MainActor.assumeIsolated { log.note("main") } }
    await settle()
    #expect(log.entries.count == 1)
  }

  @Test(.virtualStandardClocks) func `work with a deadline runs exactly at its deadline`()
    async throws
  {
    let time = try #require(VirtualTime.current)
    queue.asyncAfter(deadline: .now() + .seconds(3)) { [log] in log.note("now") }
    queue.asyncAfter(deadline: queue.currentTime + .seconds(3)) { [log] in log.note("currentTime") }
    await time.advance(by: .seconds(3) - .nanoseconds(1))
    #expect(log.entries == [])
    await time.advance(by: .nanoseconds(1))
    #expect(log.entries.sorted() == ["3000.0 currentTime", "3000.0 now"])
  }

  @Test(.virtualStandardClocks)
  func `work with a deadline that has passed runs at once, but not inside the call`() async {
    queue.asyncAfter(deadline: .now() - 5) { [log] in log.note("late") }
    #expect(log.entries == [])
    await settle()
    #expect(log.entries == ["0.0 late"])
  }

  @Test(.virtualStandardClocks) func `work runs in the order of deadlines, not of the calls`()
    async throws
  {
    for seconds in [3, 1, 2] {
      queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [log] in log.note("\(seconds)") }
    }
    try await Task.sleep(for: .seconds(4))
    #expect(log.entries == ["1000.0 1", "2000.0 2", "3000.0 3"])
  }

  @Test(.virtualStandardClocks) func `a queue that is released drops work whose deadline is ahead`()
    async throws
  {
    var queue: VirtualDispatchQueue? = VirtualDispatchQueue()
    queue?.asyncAfter(deadline: .now() + 1) { [log] in log.note("dropped") }
    queue?.async { [log] in log.note("handed over") }
    queue = nil
    try await Task.sleep(for: .seconds(2))
    #expect(log.entries == ["0.0 handed over"])
  }

  // MARK: - Work items

  @Test(.virtualStandardClocks) func `a cancelled item does not run`() async throws {
    let item = DispatchWorkItem { [log] in log.note("ran") }
    queue.asyncAfter(deadline: .now() + 1, execute: item)
    item.cancel()
    try await Task.sleep(for: .seconds(2))
    #expect(log.entries == [])
  }

  @Test(.virtualStandardClocks) func `another queue is notified when an item has run`() async throws
  {
    let main = VirtualDispatchQueue(label: "main")
    let item = DispatchWorkItem { [log] in log.note("ran") }
    main.notify(after: item) { [log] in log.note("first") }
    main.notify(after: item) { [log] in log.note("second") }
    queue.asyncAfter(deadline: .now() + 1, execute: item)
    try await Task.sleep(for: .seconds(2))
    main.notify(after: item) { [log] in log.note("late") }
    await settle()
    #expect(log.entries == ["1000.0 ran", "1000.0 first", "1000.0 second", "2000.0 late"])
  }

  @Test(.virtualStandardClocks)
  func `a listener of a cancelled item is notified when the item is skipped`() async throws {
    let item = DispatchWorkItem { [log] in log.note("ran") }
    queue.notify(after: item) { [log] in log.note("notified") }
    queue.asyncAfter(deadline: .now() + 1, execute: item)
    item.cancel()
    try await Task.sleep(for: .seconds(2))
    #expect(log.entries == ["1000.0 notified"])
  }

  // MARK: - Waiting

  @Test func `sync runs the work that was submitted before, and then its own`() async {
    queue.async { [log] in log.note("before") }
    let result = queue.sync {
      log.note("sync")
      return 42
    }
    #expect(result == 42)
    await settle()
    #expect(log.entries == ["0.0 before", "0.0 sync"])
  }

  @Test func `sync from inside the queue fails the test at the line that created the queue`() async
  {
    let line = #line + 1
    let queue = VirtualDispatchQueue(label: "storage")
    queue.async { [log] in
      let issues = issues { queue.sync { log.note("run all the same") } }
      #expect(issues.map(\.line) == [line])
      #expect(issues.first?.message.contains("'storage' was called from inside") == true)
    }
    await settle()
    #expect(log.entries == ["0.0 run all the same"])
  }

  @Test func `sync from inside the queue by way of another queue fails the test`() async {
    let other = VirtualDispatchQueue(label: "other")
    queue.async { [queue, log] in
      #expect(issues { other.sync { queue.sync { log.note("inner") } } }.count == 1)
    }
    await settle()
    #expect(log.entries == ["0.0 inner"])
  }

  // MARK: - Timers

  @Test(.virtualStandardClocks) func `a timer fires at whole intervals until it is cancelled`()
    async throws
  {
    let timer = queue.makeTimer(deadline: .now() + 1, repeating: .seconds(2)) { [log] in
      log.note("tick")
    }
    try await Task.sleep(for: .milliseconds(5001))
    #expect(log.entries == ["1000.0 tick", "3000.0 tick", "5000.0 tick"])
    timer.cancel()
    timer.cancel()
    #expect(timer.isCancelled)
    try await Task.sleep(for: .seconds(10))
    #expect(log.entries.count == 3)
  }

  @Test(.virtualStandardClocks) func `a timer that never repeats fires once`() async throws {
    let timer = queue.makeTimer(deadline: .now() + 1, repeating: .never) { [log] in log.note("tick")
    }
    try await Task.sleep(for: .seconds(10))
    #expect(log.entries == ["1000.0 tick"])
    timer.cancel()
  }

  @Test(.virtualStandardClocks) func `a timer that is released is cancelled`() async throws {
    _ = queue.makeTimer(deadline: .now() + 1, repeating: .seconds(1)) { [log] in log.note("tick") }
    try await Task.sleep(for: .seconds(3))
    #expect(log.entries == [])
  }

  @Test(arguments: [DispatchTimeInterval.seconds(0), .nanoseconds(-1)])
  func `a timer without a positive interval fails the test`(interval: DispatchTimeInterval) {
    let line = #line + 1
    let queue = VirtualDispatchQueue()
    let issues = issues {
      let timer = queue.makeTimer(deadline: .now(), repeating: interval) {}
      #expect(timer.isCancelled)
    }
    #expect(issues.map(\.line) == [line])
  }
}

@Suite struct VirtualDispatchQueueOutsideScopesTests {
  @MainActor @Test func `sync waits on the main actor`() async {
    let log = Log<String>()
    let queue = VirtualDispatchQueue(clock: TestClock())
    queue.async { log.note("before") }
    queue.sync { log.note("sync") }
    #expect(log.entries == ["before", "sync"])
  }

  @Test func `sync outside the main actor and a scope fails the test`() async {
    let log = Log<String>()
    let queue = VirtualDispatchQueue(clock: TestClock())
    #expect(issues { queue.sync { log.note("run all the same") } }.count == 1)
    #expect(log.entries == ["run all the same"])
  }

  @Test func `a queue waits with any clock, and has its own current time`() async throws {
    let clock = TestClock()
    let log = Log<String>()
    let queue = VirtualDispatchQueue(clock: clock)
    queue.asyncAfter(deadline: queue.currentTime + .seconds(10)) { log.note("ran") }
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(log.entries == [])
    await clock.advance(by: .nanoseconds(1))
    await log.wait(for: 1)
    #expect(log.entries == ["ran"])
  }

  @Test func `a queue without a clock and a scope fails the test`() {
    let line = #line + 1
    let issues = issues { _ = VirtualDispatchQueue() }
    #expect(issues.map(\.line) == [line])
  }

  @Test func `a deadline that is set after the end of the scope fails the test`() async throws {
    let line = #line + 1
    let queue = try await withVirtualTime { VirtualDispatchQueue(clock: $0) }
    let issues = issues { queue.asyncAfter(deadline: queue.currentTime + 1) {} }
    #expect(issues.map(\.line) == [line])
  }
}
