import EscapementVirtualTime
import TestSupport
import Testing

@Suite struct ScopeEndingTests {
  @Test(.virtualStandardClocks) func `nothing is reported when all tasks have ended`() async throws
  {
    let issues = try await issues {
      try await withVirtualTime(VirtualTimeOptions(leftovers: .fail)) { time in
        for number in 0..<100 {
          Task { try await Task.sleep(for: .seconds(number)) }
          Task { @MainActor in try await time.sleep(for: .seconds(number)) }
        }
        let cancelled = Task { try await Task.sleep(for: .seconds(1)) }
        cancelled.cancel()
        try await Task.sleep(for: .seconds(100))
      }
    }
    #expect(issues.isEmpty)
  }

  @Test(.virtualStandardClocks)
  func `a task that has ended is not left over, although a reference to it remains`()
    async throws
  {
    let tasks = Log<Task<Void, any Error>>()
    let issues = try await issues {
      try await withVirtualTime(VirtualTimeOptions(leftovers: .fail)) { _ in
        tasks.append(Task {})
        tasks.append(Task { try await Task.sleep(for: .seconds(1)) })
        tasks.append(Task { @MainActor in throw CancellationError() })
        try await Task.sleep(for: .seconds(2))
      }
    }
    #expect(issues.isEmpty)
    #expect(tasks.count == 3)
  }

  @Test(.virtualStandardClocks)
  func `a task that is left over is cancelled and warned of at the call`() async throws {
    let log = Log<String>()
    var line = 0
    let issues = try await issues {
      line = #line + 1
      try await withVirtualTime { time in
        Task(name: "poller") {
          do {
            while true { try await Task.sleep(for: .seconds(1)) }
          } catch {
            log.note("\(type(of: error))")
          }
        }
        try await Task.sleep(for: .milliseconds(2500))
      }
    }
    #expect(log.entries == ["CancellationError at 2.5 seconds"])
    #expect(issues.map(\.line) == [line])
    #expect(issues.map(\.isWarning) == [true])
    let message = try #require(issues.first?.message)
    #expect(message.contains("1 task was left over"))
    #expect(message.contains("“poller”, asleep since +2.0 seconds until +3.0 seconds"))
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks, arguments: [VirtualTimeOptions.Leftovers.fail, .ignore])
  func `it can be made a failure, or nothing at all`(leftovers: VirtualTimeOptions.Leftovers)
    async throws
  {
    let log = Log<Bool>()
    let issues = try await issues {
      try await withVirtualTime(VirtualTimeOptions(leftovers: leftovers)) { time in
        Task {
          try? await Task.sleep(for: .seconds(1))
          log.append(Task.isCancelled)
        }
        await time.settle()
      }
    }
    #expect(log.entries == [true])
    #expect(issues.map(\.isWarning) == (leftovers == .fail ? [false] : []))
  }

  // What such a task does in an app is that it sleeps and goes on; others do nothing by themselves.
  @Test(.virtualStandardClocks)
  func `a warning lists the tasks that sleep, and a failure lists all`() async throws {
    for (leftovers, count) in [(VirtualTimeOptions.Leftovers.warn, 1), (.fail, 4)] {
      let issues = try await issues {
        try await withVirtualTime(VirtualTimeOptions(leftovers: leftovers)) { time in
          Task { try await untilCancelled() }
          Task { @MainActor in try await untilCancelled() }
          Task { try await Task.sleep(for: .seconds(Int64.max)) }
          Task.detached { try await time.sleep(for: .seconds(1)) }
          await time.settle()
        }
      }
      let message = try #require(issues.first?.message)
      #expect(message.contains(count == 1 ? "1 task was left over" : "4 tasks were left over"))
      #expect(message.split(separator: "next element of a stream").count == (count == 1 ? 1 : 3))
    }
  }

  @Test(.virtualStandardClocks)
  func `tasks that wait for events are cancelled without a warning`() async throws {
    let log = Log<Bool>()
    let issues = try await issues {
      try await withVirtualTime { time in
        Task {
          try? await untilCancelled()
          log.append(Task.isCancelled)
        }
        await time.settle()
      }
    }
    #expect(issues.isEmpty)
    #expect(log.entries == [true])
  }

  @Test(.virtualStandardClocks) func `of many only ten are listed`() async throws {
    let issues = try await issues {
      try await withVirtualTime { time in
        for _ in 0..<25 { Task { try await Task.sleep(for: .seconds(1)) } }
        await time.settle()
      }
    }
    #expect(issues.first?.message.contains("25 tasks were left over") == true)
    #expect(issues.first?.message.contains("  - and 15 more") == true)
  }

  @Test func `tasks that have not even begun see that they are cancelled`() async throws {
    let log = Log<Bool>()
    _ = try await issues {
      try await withVirtualTime { _ in
        Task { log.append(Task.isCancelled) }
        return
      }
    }
    #expect(log.count == 1)
  }

  @Test(.virtualStandardClocks) func `time stands while the rest comes to its end`() async throws {
    let log = Log<String>()
    try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { time in
      Task {
        try? await Task.sleep(for: .seconds(10))
        log.note("cancelled")
        await Task { @MainActor in log.note("cleaned up") }.value
        await Task { try? await time.sleep(for: .seconds(5)) }.value
        log.note("done")
      }
      try await Task.sleep(for: .seconds(1))
    }
    #expect(
      log.entries == [
        "cancelled at 1.0 seconds", "cleaned up at 1.0 seconds", "done at 1.0 seconds",
      ])
  }

  @Test(.virtualStandardClocks)
  func `a task that was advancing time when the body ended is only left over`() async throws {
    let issues = try await issues {
      try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { time in
        Task { await time.advance(by: .seconds(10)) }
        try await Task.sleep(for: .seconds(1))
        #expect(time.now.offset == .seconds(1))
      }
    }
    #expect(issues.map(\.message) == [])
    try await checkThatAnOrdinaryScopeWorks()
  }

  // MARK: Those who ignore it

  @Test(.virtualStandardClocks) func `a loop that swallows its cancellation is let go, and named`()
    async throws
  {
    var line = 0
    let issues = try await issues {
      line = #line + 1
      try await withVirtualTime { time in
        Task(name: "stubborn") { while true { try? await Task.sleep(for: .seconds(1)) } }
        try await Task.sleep(for: .milliseconds(2500))
      }
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues.map(\.isWarning) == [false])
    let message = try #require(issues.first?.message)
    #expect(message.contains("“stubborn”, asleep since +2.0 seconds"))
    #expect(message.contains("have not ended after their cancellation"))
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks) func `so it is on the main actor`() async throws {
    let issues = try await issues {
      try await withVirtualTime { time in
        Task { @MainActor in while true { try? await Task.sleep(for: .seconds(1)) } }
        try await Task.sleep(for: .milliseconds(2500))
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("have not ended after their cancellation") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks, arguments: KindOfSleep.allCases)
  func `so it is with every kind of sleep`(kind: KindOfSleep) async throws {
    let issues = try await issues {
      try await withVirtualTime { time in
        Task { while true { try? await kind.sleep(for: .seconds(1), time) } }
        try await Task.sleep(for: .milliseconds(2500))
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("have not ended after their cancellation") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  // In a process of its own: until the scope lets go of the thread, it takes a processor, and the more
  // tests share the main queue, the longer that takes.
  @Test(.virtualStandardClocks, .takingTurns)
  func `so it is on an actor, where it never gives its thread back`() async throws {
    await #expect(processExitsWith: .success) {
      actor Stubborn {
        func sleepForEver(_ kind: KindOfSleep, _ time: VirtualTime) async {
          while true { try? await kind.sleep(for: .seconds(1), time) }
        }
      }
      // Sleeps that read the clock: others leave a thread behind that never stands.
      for kind in [KindOfSleep.bare, .continuous, .suspending] {
        let issues = try await issues {
          try await withVirtualTime(VirtualTimeOptions(stallLimit: .milliseconds(20))) { time in
            let stubborn = Stubborn()
            Task { await stubborn.sleepForEver(kind, time) }
            try await Task.sleep(for: .milliseconds(2500))
          }
        }
        #expect(issues.count == 1)
        #expect(issues.first?.message.contains("have not ended after their cancellation") == true)
        try await checkThatAnOrdinaryScopeWorks()
      }
    }
  }

  @Test(.virtualStandardClocks) func `a continuation that is never resumed is let go`() async throws
  {
    let issues = try await issues {
      try await withVirtualTime { time in
        Task { await neverResumed() }
        try await Task.sleep(for: .seconds(1))
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("have not ended after their cancellation") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks) func `a loop that yields for ever is let go`() async throws {
    let issues = try await issues {
      try await withVirtualTime(VirtualTimeOptions(jobLimit: 1000)) { time in
        Task { while true { await Task.yield() } }
        await Task.yield()
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("have not ended after their cancellation") == true)
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks)
  func `a loop that runs on after the body, and minds its cancellation, ends`() async throws {
    let log = Log<Bool>()
    let result = try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore, jobLimit: 1000)) {
      time in
      Task {
        while !Task.isCancelled { await Task.yield() }
        log.append(true)
      }
      await Task.yield()
      return 7
    }
    #expect(result == 7)
    #expect(log.count == 1)
  }

  @Test(.virtualStandardClocks) func `however many are left over, all of them end`() async throws {
    let log = Log<Void>()
    try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { time in
      for _ in 0..<6_000 {
        Task {
          try? await Task.sleep(for: .seconds(1))
          await Task.yield()
          log.append(())
        }
      }
      await time.settle()
    }
    #expect(log.count == 6_000)
  }

  @Test(.virtualStandardClocks)
  func `tasks that start others when they are cancelled come to an end, or are let go`()
    async throws
  {
    @Sendable func respawn(_ generations: Int) {
      Task {
        try? await Task.sleep(for: .seconds(1))
        if generations > 0 { respawn(generations - 1) }
      }
    }
    for (generations, ends) in [(5, true), (1000, false)] {
      let issues = try await issues {
        try await withVirtualTime { time in
          respawn(generations)
          await time.settle()
        }
      }
      #expect(issues.map(\.isWarning) == [ends])
    }
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks) func `a body that throws leaves its tasks to the same end`()
    async throws
  {
    struct Failure: Error {}
    let issues = await issues {
      await #expect(throws: Failure.self) {
        try await withVirtualTime { time in
          Task(name: "orphan") { try await Task.sleep(for: .seconds(1)) }
          await time.settle()
          throw Failure()
        }
      }
    }
    #expect(issues.map(\.isWarning) == [true])
    #expect(issues.first?.message.contains("“orphan”") == true)
  }

  @Test(.virtualStandardClocks) func `the tasks of a scope that has ended are freed`() async throws
  {
    final class Canary: Sendable {}
    weak var freed: Canary?
    _ = try await issues {
      try await withVirtualTime { time in
        let canary = Canary()
        freed = canary
        Task {
          try await Task.sleep(for: .seconds(1)); withExtendedLifetime(canary) {}
        }
        Task {
          try await time.sleep(for: .seconds(1)); withExtendedLifetime(canary) {}
        }
        Task { @MainActor in
          try await untilCancelled()
          withExtendedLifetime(canary) {}
        }
        await time.settle()
      }
    }
    #expect(freed == nil)
  }
}
