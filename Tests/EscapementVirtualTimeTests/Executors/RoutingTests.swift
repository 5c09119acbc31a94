import EscapementVirtualTime
import TestSupport
import Testing

private actor Counter {
  private(set) var count = 0
  let scope = Log<ObjectIdentifier?>()

  func increment() {
    count += 1
    scope.append(VirtualTime.current?.id)
  }

  func sleepAndIncrement() async throws {
    try await Task.sleep(for: .seconds(1))
    increment()
  }
}

@MainActor private func scopeOnMainActor() -> ObjectIdentifier? {
  MainActor.assertIsolated()
  return VirtualTime.current?.id
}

@concurrent private func scopeOfConcurrentFunction() async -> ObjectIdentifier? {
  VirtualTime.current?.id
}

@Suite struct RoutingTests {
  @Test func `work that the body starts belongs to the scope`() async throws {
    try await withVirtualTime { time in
      let id = time.id
      #expect(VirtualTime.current?.id == id)
      #expect(await Task { VirtualTime.current?.id }.value == id)
      #expect(await Task.detached { VirtualTime.current?.id }.value == id)
      #expect(await Task.immediate { VirtualTime.current?.id }.value == id)
      #expect(await Task { @MainActor in VirtualTime.current?.id }.value == id)
      #expect(await scopeOnMainActor() == id)
      #expect(await scopeOfConcurrentFunction() == id)
      async let child = VirtualTime.current?.id
      #expect(await child == id)
      let inGroup = await withTaskGroup { group in
        for _ in 0..<10 { group.addTask { VirtualTime.current?.id } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(inGroup == Array(repeating: id, count: 10))
      let counter = Counter()
      await counter.increment()
      await Task { await counter.increment() }.value
      #expect(counter.scope.entries == [id, id])
    }
    #expect(VirtualTime.current == nil)
  }

  @Test(.virtualStandardClocks) func `work that a task of the scope starts belongs to the scope`()
    async throws
  {
    try await withVirtualTime { time in
      let inner = Task {
        await Task.detached {
          await Task { @MainActor in
            async let child = scopeOfConcurrentFunction()
            return await child
          }.value
        }.value
      }
      #expect(await inner.value == time.id)
    }
  }

  @Test(.virtualStandardClocks) func `all kinds of tasks sleep in virtual time`() async throws {
    let log = Log<Duration>()
    try await withVirtualTime { time in
      let counter = Counter()
      try await Task { try await counter.sleepAndIncrement() }.value
      log.noteTime()
      try await Task.detached { try await Task.sleep(for: .seconds(1)) }.value
      log.noteTime()
      try await Task { @MainActor in try await Task.sleep(for: .seconds(1)) }.value
      log.noteTime()
      async let child: Void = Task.sleep(for: .seconds(1))
      try await child
      log.noteTime()
      try await withThrowingTaskGroup { group in
        for _ in 0..<10 { group.addTask { try await Task.sleep(for: .seconds(1)) } }
        try await group.waitForAll()
      }
      log.noteTime()
      try await Task.immediate { try await Task.sleep(for: .seconds(1)) }.value
      log.noteTime()
      #expect(await counter.count == 1)
    }
    #expect(log.entries == (1...6).map { .seconds($0) })
  }

  @Test(.virtualStandardClocks) func `the body runs on the caller's isolation`() async throws {
    try await Self.onMainActor()
    let counter = Counter()
    try await counter.runScope()
  }

  @MainActor private static func onMainActor() async throws {
    var count = 0
    try await withVirtualTime { _ in
      MainActor.assertIsolated()
      try await Task.sleep(for: .seconds(1))
      MainActor.assertIsolated()
      count += 1
    }
    #expect(count == 1)
  }

  @Test(.virtualStandardClocks) func `jobs run one at a time, first come first served`()
    async throws
  {
    let log = Log<Int>()
    try await withVirtualTime { time in
      let counter = Counter()
      for number in 0..<30 {
        switch number % 3 {
        case 0: Task { log.append(number) }
        case 1: Task.detached { log.append(number) }
        default: Task { @MainActor in log.append(number) }
        }
      }
      #expect(log.count == 0)
      await time.settle()
      #expect(await counter.count == 0)
    }
    #expect(log.entries == Array(0..<30))
  }

  @Test func `a low priority does not delay a task`() async throws {
    let log = Log<Int>()
    try await withVirtualTime { time in
      for (number, priority) in [TaskPriority.background, .high, .low, .userInitiated].enumerated()
      {
        Task(priority: priority) { log.append(number) }
      }
      await time.settle()
    }
    #expect(log.entries == [0, 1, 2, 3])
  }

  @Test(.virtualStandardClocks) func `tasks that yield take turns`() async throws {
    let log = Log<String>()
    try await withVirtualTime { time in
      for name in ["a", "b", "c"] {
        Task {
          for round in 1...3 {
            log.append("\(name)\(round)")
            await Task.yield()
          }
        }
      }
      await time.settle()
    }
    #expect(log.entries == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"])
  }

  @Test(.virtualStandardClocks) func `the same program gives the same order every time`()
    async throws
  {
    var orders: Set<[String]> = []
    for _ in 0..<20 {
      let log = Log<String>()
      try await withVirtualTime { time in
        let counter = Counter()
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        Task { for await number in stream { log.note("received \(number)") } }
        await withTaskGroup { group in
          for number in 0..<10 {
            group.addTask {
              try? await Task.sleep(for: .milliseconds(number * 7 % 5))
              await counter.increment()
              continuation.yield(number)
              await MainActor.run { log.note("main \(number)") }
            }
          }
        }
        continuation.finish()
        await time.settle()
      }
      orders.insert(log.entries)
    }
    #expect(orders.count == 1)
    #expect(orders.first?.count == 20)
  }

  @Test func `a task from outside stays outside when the scope awaits it`() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let outside = Task {
      for await _ in stream {}
      return VirtualTime.current?.id
    }
    try await withVirtualTime { time in
      continuation.finish()
      #expect(await time.hold { await outside.value } == nil)
    }
  }

  @Test(.virtualStandardClocks) func `scopes side by side do not affect each other`() async throws {
    try await withThrowingTaskGroup { group in
      for number in 1...16 {
        group.addTask {
          try await withVirtualTime { time in
            for second in 1...20 {
              try await Task.sleep(for: .seconds(number))
              #expect(time.now.offset == .seconds(number * second))
              #expect(VirtualTime.current?.id == time.id)
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

extension Counter {
  fileprivate func runScope() async throws {
    let result = try await withVirtualTime { _ in
      self.assertIsolated()
      try await Task.sleep(for: .seconds(1))
      self.assertIsolated()
      self.increment()
      return self.count
    }
    #expect(result == 1)
  }
}
