import EscapementVirtualTime
import TestSupport
import Testing

private let manual = VirtualTimeOptions(mode: .manual)

@Suite struct VirtualTimeLookingTests {
  @Test func `without sleepers there is no next deadline`() async throws {
    try await withVirtualTime { time in
      #expect(time.nextDeadline == nil)
      #expect(time.sleepers.isEmpty)
    }
  }

  @Test(.virtualStandardClocks)
  func `sleepers are listed with their names, in the order in which they will wake`()
    async throws
  {
    try await withVirtualTime(manual) { time in
      await time.advance(by: .seconds(1))
      Task(name: "later") { try await Task.sleep(for: .seconds(2)) }
      Task(name: "sooner") { try await time.sleep(for: .seconds(1)) }
      Task { try await Task.sleep(for: .seconds(2)) }
      let never = Task(name: "never") { try await time.sleep(for: .seconds(Int64.max)) }
      await time.settle()
      #expect(time.nextDeadline?.offset == .seconds(2))
      let sleepers = time.sleepers
      #expect(sleepers.map(\.taskName) == ["sooner", "later", nil, "never"])
      #expect(
        sleepers.map(\.deadline?.offset) == [.seconds(2), .seconds(3), .seconds(3), nil])
      #expect(sleepers.allSatisfy { $0.start.offset == .seconds(1) && $0.taskID != nil })
      #expect(Set(sleepers.map(\.taskID)).count == 4)
      #expect(sleepers[0].description.contains("“sooner”, asleep since +1.0 seconds until +2.0"))
      #expect(sleepers[3].description.contains("“never”, asleep since +1.0 seconds for ever"))
      await time.advance(by: .seconds(1))
      #expect(time.sleepers.map(\.taskName) == ["later", nil, "never"])
      #expect(time.nextDeadline?.offset == .seconds(3))
      never.cancel()
      await time.run()
    }
  }

  @Test(.virtualStandardClocks, arguments: KindOfSleep.allCases, [false, true])
  func `a cancelled sleep leaves no deadline behind`(kind: KindOfSleep, isOnMain: Bool)
    async throws
  {
    try await withVirtualTime(manual) { time in
      let task =
        isOnMain
        ? Task { @MainActor in try await kind.sleep(for: .seconds(1), time) }
        : Task { try await kind.sleep(for: .seconds(1), time) }
      await time.settle()
      #expect(time.nextDeadline?.offset == .seconds(1))
      task.cancel()
      #expect(time.nextDeadline == nil)
      #expect(time.sleepers.isEmpty)
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(time.now.offset == .zero)
    }
  }

  @Test func `a scope is never idle for its own code, and idle for other code while it waits`()
    async throws
  {
    try await withVirtualTime { time in
      #expect(!time.isIdle)
      await time.settle()
      #expect(!time.isIdle)
      let task = Task { #expect(!time.isIdle) }
      await task.value
    }
  }

  @Test(.virtualStandardClocks) func `on this platform the standard clocks are virtual`() {
    #if os(Linux)
      #expect(VirtualTime.virtualizesStandardClocks)
    #endif
  }
}
