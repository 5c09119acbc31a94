import EscapementVirtualTime
import TestSupport
import Testing

@MainActor private final class Model {
  private(set) var count = 0
  private var timer: Task<Void, any Error>?

  func start() {
    timer = Task {
      while true {
        try await Task.sleep(for: .seconds(1))
        count += 1
      }
    }
  }

  func stop() { timer?.cancel() }
}

private let manual = VirtualTimeOptions(mode: .manual)

@Suite struct VirtualTimeMovingTests {
  // MARK: advance

  @Test(.virtualStandardClocks) @MainActor func `a model counts the seconds of an advance`()
    async throws
  {
    try await withVirtualTime { time in
      let model = Model()
      model.start()
      await time.advance(by: .seconds(1))
      #expect(model.count == 1)
      await time.advance(by: .seconds(4))
      #expect(model.count == 5)
      model.stop()
      await time.settle()
      await time.run()
      #expect(model.count == 5)
    }
  }

  @Test(.virtualStandardClocks)
  func `advance stops at each deadline, and sets the time before a task wakes`() async throws {
    let log = Log<Duration>()
    try await withVirtualTime(manual) { time in
      for seconds in [3, 1, 2] {
        Task {
          try await Task.sleep(for: .seconds(seconds))
          log.noteTime()
        }
      }
      await time.advance(by: .seconds(10))
      #expect(time.now.offset == .seconds(10))
    }
    #expect(log.entries == [.seconds(1), .seconds(2), .seconds(3)])
  }

  @Test(.virtualStandardClocks) func `tasks wake at the deadline and not a nanosecond before`()
    async throws
  {
    let log = Log<Duration>()
    try await withVirtualTime(manual) { time in
      Task {
        try await Task.sleep(for: .seconds(1))
        log.noteTime()
      }
      await time.advance(by: .seconds(1) - .nanoseconds(1))
      #expect(log.count == 0)
      await time.advance(by: .nanoseconds(1))
      #expect(log.entries == [.seconds(1)])
    }
  }

  @Test(.virtualStandardClocks) func `advance returns when all consequences are done`() async throws
  {
    try await withVirtualTime { time in
      let log = Log<String>()
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let consumer = Task { @MainActor in
        for await number in stream {
          await Task.detached { await Task.yield() }.value
          log.note("\(number)")
        }
      }
      Task {
        try await Task.sleep(for: .seconds(1))
        await withTaskGroup { group in
          for number in 1...3 { group.addTask { continuation.yield(number) } }
        }
      }
      await time.advance(by: .seconds(1))
      #expect(log.entries == (1...3).map { "\($0) at 1.0 seconds" })
      continuation.finish()
      await consumer.value
    }
  }

  @Test(.virtualStandardClocks) func `a deadline that is armed during an advance is reached in it`()
    async throws
  {
    let log = Log<Duration>()
    try await withVirtualTime(manual) { time in
      let task = Task {
        for milliseconds in [100, 200, 300, 400, 1] {
          try await Task.sleep(for: .milliseconds(milliseconds))
          log.noteTime()
        }
      }
      await time.advance(by: .seconds(1))
      #expect(log.entries == [100, 300, 600, 1000].map { .milliseconds($0) })
      task.cancel()
      await time.settle()
    }
  }

  @Test(.virtualStandardClocks) func `advancing by zero runs the work that is due`() async throws {
    let log = Log<Duration>()
    try await withVirtualTime(manual) { time in
      Task {
        log.noteTime()
        try await Task.sleep(for: .zero)
        log.noteTime()
        try await Task.sleep(for: .nanoseconds(1))
        log.noteTime()
      }
      #expect(log.count == 0)
      await time.advance(by: .zero)
      #expect(log.entries == [.zero, .zero])
      await time.advance(by: .nanoseconds(1))
      #expect(log.count == 3)
    }
  }

  @Test func `advance(to:) ends at the instant`() async throws {
    try await withVirtualTime(manual) { time in
      await time.advance(to: .init(offset: .seconds(2)))
      #expect(time.now.offset == .seconds(2))
      await time.advance(to: time.now)
      #expect(time.now.offset == .seconds(2))
    }
  }

  @Test func `an advance rounds up to whole nanoseconds`() async throws {
    try await withVirtualTime(manual) { time in
      await time.advance(by: Duration(attoseconds: 1))
      #expect(time.now.offset == .nanoseconds(1))
    }
  }

  @Test(.virtualStandardClocks) func `a task that wakes may advance time itself`() async throws {
    let log = Log<String>()
    try await withVirtualTime(manual) { time in
      for seconds in 1...4 {
        Task {
          try await Task.sleep(for: .seconds(seconds))
          log.note("\(seconds)")
        }
      }
      Task {
        try await Task.sleep(for: .milliseconds(1500))
        log.note("begin")
        await time.advance(by: .seconds(1))
        log.note("end")
      }
      await time.advance(by: .seconds(3))
      #expect(time.now.offset == .seconds(4))
    }
    #expect(
      log.entries == [
        "1 at 1.0 seconds", "begin at 1.5 seconds", "2 at 2.0 seconds", "end at 2.5 seconds",
        "3 at 3.0 seconds", "4 at 4.0 seconds",
      ])
  }

  @Test(.virtualStandardClocks) func `an advance also waits for a longer nested advance`()
    async throws
  {
    try await withVirtualTime(manual) { time in
      Task {
        try await Task.sleep(for: .seconds(1))
        await time.advance(by: .seconds(10))
      }
      await time.advance(by: .seconds(2))
      #expect(time.now.offset == .seconds(12))
    }
  }

  @Test(.virtualStandardClocks, arguments: [(1, 5), (5, 1), (3, 3)])
  func `two advances at once add up`(
    first: Int, second: Int
  ) async throws {
    try await withVirtualTime(manual) { time in
      let log = Log<Int>()
      let sleeper = Task {
        for second in 1...20 {
          try await Task.sleep(for: .seconds(1))
          log.append(second)
        }
      }
      async let one: Void = time.advance(by: .seconds(first))
      async let other: Void = time.advance(by: .seconds(second))
      _ = await (one, other)
      #expect(time.now.offset == .seconds(first + second))
      #expect(log.entries == Array(1...(first + second)))
      sleeper.cancel()
      await time.settle()
    }
  }

  @Test(arguments: [(1, 5), (5, 1), (3, 3)])
  func `of two advances to instants at once, the later instant counts`(
    first: Int, second: Int
  ) async throws {
    try await withVirtualTime(.manual) { time in
      async let one: Void = time.advance(to: .init(offset: .seconds(first)))
      async let other: Void = time.advance(to: .init(offset: .seconds(second)))
      _ = await (one, other)
      #expect(time.now.offset == .seconds(max(first, second)))
    }
  }

  @Test func `advances to the next deadline at once each pass a deadline`() async throws {
    try await withVirtualTime(.manual) { time in
      let sleepers = (1...2).map { seconds in Task { try await time.sleep(for: .seconds(seconds)) }
      }
      async let one = time.advanceToNextDeadline()
      async let other = time.advanceToNextDeadline()
      #expect(await [one, other] == [.seconds(1), .seconds(1)])
      #expect(time.now.offset == .seconds(2))
      for sleeper in sleepers { try await sleeper.value }
    }
  }

  @Test(.virtualStandardClocks) func `in automatic mode an advance ends at its instant as well`()
    async throws
  {
    try await withVirtualTime { time in
      let task = Task { try await Task.sleep(for: .seconds(5)) }
      await time.advance(by: .seconds(3))
      #expect(time.now.offset == .seconds(3))
      try await task.value
      #expect(time.now.offset == .seconds(5))
    }
  }

  @Test func `an advance in a cancelled task reaches its end`() async throws {
    try await withVirtualTime(manual) { time in
      let task = Task { await time.advance(by: .seconds(3)) }
      task.cancel()
      await task.value
      #expect(time.now.offset == .seconds(3))
    }
  }

  @Test(.virtualStandardClocks) func `the longest advance ends at the last instant of the range`()
    async throws
  {
    let last = VirtualTime.Instant(offset: .nanoseconds(Int64.max - 1))
    try await withVirtualTime(manual) { time in
      let task = Task { try await Task.sleep(for: .seconds(1_000_000_000)) }
      await time.advance(by: .seconds(Int64.max))
      #expect(time.now == last)
      try await task.value
      await time.advance(by: .seconds(Int64.max))
      #expect(time.now == last)
      await time.advance(to: last.advanced(by: .seconds(1)))
      #expect(time.now == last)
    }
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks, arguments: KindOfSleep.allCases)
  func `near the end of the range all sleeps are alike`(kind: KindOfSleep) async throws {
    try await withVirtualTime(manual) { time in
      await time.advance(by: .nanoseconds(Int64.max - 3))
      let sleeps = (0...3).map { distance in
        Task { try await kind.sleep(for: .nanoseconds(distance), time) }
      }
      await time.settle()
      try await sleeps[0].value
      let now = time.now
      #expect(
        time.sleepers.map(\.deadline) == [
          now.advanced(by: .nanoseconds(1)), now.advanced(by: .nanoseconds(2)), nil,
        ])
      await time.advance(by: .seconds(1))
      try await sleeps[1].value
      try await sleeps[2].value
      sleeps[3].cancel()
      await #expect(throws: CancellationError.self) { try await sleeps[3].value }
    }
  }

  // MARK: Refusals

  @Test(
    .virtualStandardClocks,
    arguments: [Duration.nanoseconds(-1), .seconds(-1), .seconds(-Int64.max)])
  func `a negative advance is reported, and time does not move`(duration: Duration)
    async throws
  {
    var line = 0
    let issues = try await issues {
      try await withVirtualTime { time in
        await time.advance(by: .seconds(2))
        line = #line + 1
        await time.advance(by: duration)
        #expect(time.now.offset == .seconds(2))
      }
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("advanced by \(duration)") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks) func `an advance to the past is reported, and time does not move`()
    async throws
  {
    var line = 0
    let issues = try await issues {
      try await withVirtualTime { time in
        await time.advance(by: .seconds(2))
        line = #line + 1
        await time.advance(to: .init(offset: .seconds(2) - .nanoseconds(1)))
        #expect(time.now.offset == .seconds(2))
      }
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("it is +2.0 seconds already") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  // MARK: advanceToNextDeadline

  @Test(.virtualStandardClocks) func `advanceToNextDeadline returns how far time moved`()
    async throws
  {
    try await withVirtualTime(manual) { time in
      let log = Log<Int>()
      for seconds in [2, 5, 5] {
        Task {
          try await Task.sleep(for: .seconds(seconds))
          log.append(seconds)
        }
      }
      #expect(await time.advanceToNextDeadline() == .seconds(2))
      #expect(log.entries == [2])
      #expect(await time.advanceToNextDeadline() == .seconds(3))
      #expect(log.entries == [2, 5, 5])
      #expect(await time.advanceToNextDeadline() == nil)
      #expect(time.now.offset == .seconds(5))
    }
  }

  @Test(.virtualStandardClocks) func `a sleep without end is not a next deadline`() async throws {
    try await withVirtualTime(manual) { time in
      let task = Task { try await Task.sleep(for: .seconds(Int64.max)) }
      #expect(await time.advanceToNextDeadline() == nil)
      #expect(time.now.offset == .zero)
      task.cancel()
      await time.settle()
    }
  }

  // MARK: settle

  @Test(.virtualStandardClocks, arguments: [VirtualTimeOptions.Mode.automatic, .manual])
  func `settle runs all work that is due, and time does not move`(mode: VirtualTimeOptions.Mode)
    async throws
  {
    try await withVirtualTime(VirtualTimeOptions(mode: mode)) { time in
      let log = Log<Int>()
      let task = Task {
        for number in 1...5 {
          await Task { @MainActor in log.append(number) }.value
          await Task.yield()
        }
        try await Task.sleep(for: .nanoseconds(1))
        log.append(6)
      }
      await time.settle()
      #expect(log.entries == [1, 2, 3, 4, 5])
      #expect(time.now.offset == .zero)
      await time.run()
      try await task.value
    }
  }

  @Test func `settle returns if no work is due`() async throws {
    try await withVirtualTime { time in
      for _ in 0..<3 { await time.settle() }
      #expect(time.now.offset == .zero)
    }
  }

  // MARK: run

  @Test(.virtualStandardClocks) func `run ends when no deadline is left`() async throws {
    let log = Log<Duration>()
    try await withVirtualTime(manual) { time in
      for step in 1...3 {
        Task {
          for _ in 0..<step {
            try await Task.sleep(for: .seconds(step))
            log.noteTime()
          }
        }
      }
      await time.run()
      #expect(time.now.offset == .seconds(9))
      #expect(time.nextDeadline == nil)
    }
    #expect(log.entries == [1, 2, 3, 4, 6, 9].map { .seconds($0) })
  }

  @Test(.virtualStandardClocks)
  func `run with a repeating timer is reported with the name of its task`()
    async throws
  {
    var line = 0
    let issues = try await issues {
      try await withVirtualTime { time in
        let task = Task(name: "heartbeat") {
          while true { try await Task.sleep(for: .seconds(1)) }
        }
        line = #line + 1
        await time.run(limit: 100)
        #expect(time.now.offset == .seconds(100))
        task.cancel()
        await time.settle()
      }
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("“heartbeat”") == true)
    #expect(issues.first?.message.contains("passed 100 deadlines, up to +100.0 seconds") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks) func `run may pass as many deadlines as its limit says`()
    async throws
  {
    try await withVirtualTime(manual) { time in
      let task = Task { for _ in 0..<10 { try await Task.sleep(for: .seconds(1)) } }
      await time.run(limit: 10)
      #expect(time.now.offset == .seconds(10))
      try await task.value
      await time.run(limit: 0)
    }
  }
}
