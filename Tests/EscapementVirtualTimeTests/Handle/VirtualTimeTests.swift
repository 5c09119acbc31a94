import EscapementVirtualTime
import TestSupport
import Testing

@Suite struct VirtualTimeTests {
  @Test func `a new scope starts at zero`() async throws {
    try await withVirtualTime { time in
      #expect(time.now == VirtualTime.Instant())
      #expect(time.minimumResolution == .nanoseconds(1))
    }
  }

  @Test func `outside all scopes, the error for a required handle names the trait`() async throws {
    let error = #expect(throws: VirtualTimeError.outsideScope) { try VirtualTime.required }
    #expect(error?.description.contains("'@Test(.virtualTime)'") == true)
    try await withVirtualTime { time in
      let required = try VirtualTime.required
      #expect(required.id == time.id)
    }
  }

  @Test func `a sleep takes exactly its time`() async throws {
    try await withVirtualTime { time in
      for nanoseconds in [1, 999, 1_000_000_001, 86_400_000_000_000] as [Int64] {
        let start = time.now
        try await time.sleep(for: .nanoseconds(nanoseconds))
        #expect(start.duration(to: time.now) == .nanoseconds(nanoseconds))
      }
    }
  }

  @Test(.virtualStandardClocks) func `a sleep rounds up to whole nanoseconds`() async throws {
    try await withVirtualTime { time in
      try await time.sleep(for: Duration(attoseconds: 1))
      #expect(time.now.offset == .nanoseconds(1))
      try await Task.sleep(for: Duration(attoseconds: 1))
      #expect(time.now.offset == .nanoseconds(2))
    }
  }

  @Test(
    .virtualStandardClocks,
    arguments: KindOfSleep.allCases, [Duration.zero, .nanoseconds(-1), .seconds(-1)])
  func `a sleep until now or before ends without a move of time`(
    kind: KindOfSleep, duration: Duration
  ) async throws {
    try await withVirtualTime(VirtualTimeOptions(mode: .manual)) { time in
      await time.advance(by: .seconds(10))
      try await kind.sleep(for: duration, time)
      #expect(time.now.offset == .seconds(10))
      #expect(time.sleepers.isEmpty)
    }
  }

  @Test func `a sleep on the handle until now or before does not even suspend`() async throws {
    try await withVirtualTime { time in
      let log = Log<Int>()
      Task { log.append(1) }
      try await time.sleep(until: time.now)
      try await time.sleep(for: .seconds(-Int64.max))
      #expect(log.count == 0)
      await time.settle()
    }
  }

  @Test(
    .virtualStandardClocks, arguments: KindOfSleep.allCases,
    [Duration.zero, .seconds(-1), .seconds(1)])
  func `a cancelled task does not sleep`(kind: KindOfSleep, duration: Duration) async throws {
    try await withVirtualTime { time in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await kind.sleep(for: duration, time)
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(time.now.offset == .zero)
    }
  }

  @Test(.virtualStandardClocks, arguments: KindOfSleep.allCases)
  func `a cancellation ends only the sleep of its task, at once`(kind: KindOfSleep) async throws {
    try await withVirtualTime { time in
      let cancelled = Task { try await kind.sleep(for: .seconds(1), time) }
      let other = Task { try await kind.sleep(for: .seconds(2), time) }
      await time.settle()
      #expect(time.sleepers.count == 2)
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      #expect(time.now.offset == .zero)
      #expect(time.sleepers.map(\.deadline?.offset) == [.seconds(2)])
      try await other.value
      #expect(time.now.offset == .seconds(2))
    }
  }

  @Test(
    .virtualStandardClocks,
    arguments: KindOfSleep.allCases,
    [Duration.seconds(Int64.max), .seconds(Int64.max / 2), .seconds(10_000_000_000)])
  func `a sleep beyond the range ends only by cancellation`(
    kind: KindOfSleep, duration: Duration
  ) async throws {
    try await withVirtualTime { time in
      let task = Task { try await kind.sleep(for: duration, time) }
      await time.settle()
      #expect(time.sleepers.map(\.deadline) == [nil])
      try await Task.sleep(for: .seconds(1))
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(time.now.offset == .seconds(1))
    }
  }

  @Test func `instants count from the start of the scope`() throws {
    let instant = VirtualTime.Instant(offset: .seconds(2))
    #expect(instant.advanced(by: .seconds(1)).offset == .seconds(3))
    #expect(instant.duration(to: VirtualTime.Instant()) == .seconds(-2))
    #expect(VirtualTime.Instant() < instant)
    #expect("\(instant)" == "+2.0 seconds")
    #expect(Set([instant, instant, VirtualTime.Instant()]).count == 2)
  }

  @Test func `instants beyond the range saturate`() {
    let end = VirtualTime.Instant().advanced(by: .seconds(Int64.max))
    #expect(end.advanced(by: .nanoseconds(1)) == end)
    #expect(end.advanced(by: Duration(attoseconds: .max)) == end)
    #expect(end.advanced(by: .nanoseconds(-1)) < end)
    let start = VirtualTime.Instant().advanced(by: .seconds(-Int64.max))
    #expect(start.advanced(by: .nanoseconds(-1)) == start)
    #expect(start.duration(to: end) == .seconds(Int64.max))
    let outside = VirtualTime.Instant(offset: Duration(attoseconds: .max))
    #expect(outside.advanced(by: .zero) == end)
    #expect(VirtualTime.Instant().duration(to: outside) == .seconds(Int64.max))
  }

  @Test func `the handle can be injected as a clock`() async throws {
    func wait(_ clock: any Clock<Duration>) async throws { try await clock.sleep(for: .seconds(1)) }
    try await withVirtualTime { time in
      try await wait(time)
      #expect(time.now.offset == .seconds(1))
      let elapsed = try await time.measure { try await wait(time) }
      #expect(elapsed == .seconds(1))
    }
  }

  @Test(.virtualStandardClocks) func `automatic time jumps whenever the body waits for anything`()
    async throws
  {
    try await withVirtualTime { time in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let producer = Task {
        for number in 1...3 {
          try await Task.sleep(for: .seconds(1))
          continuation.yield(number)
        }
        continuation.finish()
      }
      var received: [Duration] = []
      for await _ in stream { received.append(time.now.offset) }
      #expect(received == [.seconds(1), .seconds(2), .seconds(3)])
      try await producer.value
    }
  }

  @Test(.virtualStandardClocks) func `time stands while the body computes`() async throws {
    try await withVirtualTime { time in
      Task { try await Task.sleep(for: .seconds(1)) }
      for _ in 0..<100 { await Task.yield() }
      #expect(time.now.offset == .zero)
      await time.run()
    }
  }

  @Test(.virtualStandardClocks)
  func `equal deadlines wake in the order of arming, for all kinds of sleeps`() async throws {
    let log = Log<Int>()
    try await withVirtualTime { time in
      for number in 0..<20 {
        Task {
          switch number % 4 {
          case 0: try await Task.sleep(for: .seconds(1))
          case 1: try await time.sleep(for: .seconds(1))
          case 2: try await SuspendingClock().sleep(until: .now + .seconds(1))
          default: try await Task.sleep(nanoseconds: 1_000_000_000)
          }
          #expect(time.now.offset == .seconds(1))
          log.append(number)
        }
      }
      await time.advance(by: .seconds(1))
    }
    #expect(log.entries == Array(0..<20))
  }

  @Test(.virtualStandardClocks)
  func `equal deadlines wake one by one, after all consequences of the one before`()
    async throws
  {
    let log = Log<String>()
    try await withVirtualTime { time in
      for name in ["a", "b"] {
        Task {
          try await Task.sleep(for: .seconds(1))
          log.append("\(name) wakes")
          await Task { @MainActor in
            await Task.yield()
            await Task.detached { log.append("\(name) is done") }.value
          }.value
        }
      }
      await time.advance(by: .seconds(1))
    }
    #expect(log.entries == ["a wakes", "a is done", "b wakes", "b is done"])
  }

  @Test(.virtualStandardClocks) func `one task sleeps 20,000 times in one advance`() async throws {
    let log = Log<Void>()
    try await withVirtualTime { time in
      let task = Task {
        for _ in 0..<20_000 {
          try await Task.sleep(for: .seconds(1))
          log.append(())
        }
      }
      await time.advance(by: .seconds(20_000) - .nanoseconds(1))
      #expect(log.count == 19_999)
      await time.advance(by: .nanoseconds(1))
      #expect(log.count == 20_000)
      try await task.value
    }
  }
}
