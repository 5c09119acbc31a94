import Dispatch
import EscapementVirtualTime
import Foundation
import TestSupport
import Testing
import _EscapementCore

/// Loops that end by cancellation, and never wait.
enum CancellationLoop: CaseIterable {
  case isCancelled, checkCancellation, unsafeTask, iterator

  func callAsFunction() async {
    switch self {
    case .isCancelled: while !Task.isCancelled {}
    case .checkCancellation:
      while true { do { try Task.checkCancellation() } catch { return } }
    case .unsafeTask: while !withUnsafeCurrentTask(body: { $0!.isCancelled }) {}
    case .iterator: for await _ in Indefinite() {}
    }
  }

  /// A sequence without an end, whose `next()` never suspends.
  private struct Indefinite: AsyncSequence, AsyncIteratorProtocol {
    func makeAsyncIterator() -> Self { self }
    mutating func next() async -> Int? { Task.isCancelled ? nil : 1 }
  }
}

@Suite(.virtualStandardClocks) struct CancellationLoopTests {
  @Test(arguments: CancellationLoop.allCases)
  func `a ready job cancels a loop at once`(loop: CancellationLoop) async throws {
    let log = try await sameLog(rounds: 2) { log in
      let task = Task {
        log.mark("begin")
        await loop()
        log.mark("end")
      }
      Task { log.mark("other") }
      await log.wait(for: 2)
      task.cancel()
      await task.value
    }
    #expect(log == ["begin@0", "other@0", "end@0"], "\(log)")
  }

  @Test(arguments: CancellationLoop.allCases)
  func `a loop goes on until the instant at which it is cancelled`(
    loop: CancellationLoop
  ) async throws {
    let log = try await sameLog(rounds: 2) { log in
      let task = Task {
        await loop()
        log.mark("end")
      }
      try? await Task.sleep(for: .milliseconds(1500))
      task.cancel()
      await task.value
    }
    #expect(log == ["end@1500"], "\(log)")
  }

  @Test func `an actor of a loop is free afterwards`() async throws {
    actor Loop {
      func run() { while !Task.isCancelled {} }
      func value() -> Int { 1 }
    }
    let log = try await sameLog(rounds: 2) { log in
      let loop = Loop()
      let task = Task { await loop.run() }
      let other = Task { log.mark("\(await loop.value())") }
      try? await Task.sleep(for: .milliseconds(2))
      task.cancel()
      await other.value
    }
    #expect(log == ["1@2"], "\(log)")
  }

  @Test func `a block asks for a task of another`() async throws {
    let log = try await sameLog(rounds: 2) { log in
      let task = Task { try? await Task.sleep(for: .seconds(100)) }
      DispatchQueue.global().async {
        while !task.isCancelled {}
        log.mark("block")
      }
      Thread.detachNewThread {
        while !task.isCancelled {}
        log.mark("thread")
      }
      try? await Task.sleep(for: .milliseconds(3))
      task.cancel()
      await log.wait(for: 2)
    }
    #expect(log == ["block@3", "thread@3"], "\(log)")
  }

  @Test func `a child of a group that is cancelled ends`() async throws {
    let log = try await sameLog(rounds: 2) { log in
      await withTaskGroup { group in
        group.addTask { while !Task.isCancelled {} }
        group.addTask { try? await Task.sleep(for: .milliseconds(4)) }
        await group.next()
        group.cancelAll()
      }
      log.mark("end")
    }
    #expect(log == ["end@4"], "\(log)")
  }

  @Test func `a leftover loop ends with its scope`() async throws {
    let ends = Log<String>()
    var options = VirtualTimeOptions.reaching
    options.leftovers = .ignore
    try await withVirtualTime(options) { _ in
      Task {
        while !Task.isCancelled {}
        ends.append("end")
      }
      try await Task.sleep(for: .seconds(1))
    }
    #expect(ends.entries == ["end"])
  }

  @Test(arguments: 1...2)
  func `a thread outside cancels a loop at any moment, also when it is about to wait`(
    yields: Int
  ) async throws {
    for round in 0..<rounds(1_000) {
      try await withVirtualTime(.reaching) { time in
        let loop = Task {
          while !Task.isCancelled { for _ in 0..<yields { sched_yield() } }
        }
        await time.hold {
          outside {
            keepBusy(round % 500 * 50)
            loop.cancel()
          }
          await loop.value
        }
      }
    }
  }

  @Test func `time moves for a loop that asks an actor, and for a task that was cancelled before`()
    async throws
  {
    actor Work {
      private(set) var isDone = false
      func finish() { isDone = true }
    }
    try await withVirtualTime(.reaching) { time in
      let work = Work()
      Task {
        try await Task.sleep(for: .seconds(1))
        await work.finish()
      }
      let asked = Task.isCancelled
      Task {}.cancel()
      while await !work.isDone { sched_yield() }
      #expect(time.now.offset == .seconds(1))
      #expect(!asked)
    }
  }

  @Test func `loops end in each schedule`() async throws {
    let end = try await withVirtualTime(.reaching, order: .exploring(4)) { time in
      let tasks = (0..<2).map { _ in Task { while !Task.isCancelled {} } }
      try await Task.sleep(for: .seconds(1))
      for task in tasks { task.cancel() }
      for task in tasks { await task.value }
      return time.now.offset
    }
    #expect(end == .seconds(1))
  }

  @Test func `code that asks a million times takes no time`() async throws {
    try await withVirtualTime(.reaching) { time in
      let ticker = Task {
        while !Task.isCancelled { try? await Task.sleep(for: .nanoseconds(700)) }
      }
      for _ in 0..<1_000_000 { try Task.checkCancellation() }
      #expect(time.now.offset == .zero)
      ticker.cancel()
    }
  }

  @Test func `code that asks three million times, and waits for nothing, goes on`() async throws {
    try await withVirtualTime(.reaching) { time in
      for _ in 0..<3_000_000 { try Task.checkCancellation() }
      #expect(time.now.offset == .zero)
    }
  }

  @Test func `tasks that ask three million times each come to their ends`() async throws {
    let count = try await withVirtualTime(.reaching) { _ in
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<2 {
          group.addTask { (0..<3_000_000).reduce(0) { sum, _ in sum + (Task.isCancelled ? 0 : 1) } }
        }
        return await group.reduce(0, +)
      }
    }
    #expect(count == 6_000_000)
  }

  @Test func `a loop that asks twice a round, and reads a clock, ends at that time`() async throws {
    try await withVirtualTime(.reaching) { time in
      let sleeper = Task { try await Task.sleep(for: .seconds(60)) }
      defer { sleeper.cancel() }
      let end = Date() + 0.005
      while Date() < end { if Task.isCancelled || Task.isCancelled { break } }
      #expect(time.now.offset == .milliseconds(5))
    }
  }

  @Test func `a loop that reads a clock as well ends by either`() async throws {
    let log = try await sameLog(rounds: 2) { log in
      let end = Date() + 0.005
      while Date() < end, !Task.isCancelled {}
      log.mark("time")
      let task = Task {
        let end = ContinuousClock.now + .seconds(1)
        while ContinuousClock.now < end, !Task.isCancelled {}
        log.mark("cancelled")
      }
      try? await Task.sleep(for: .milliseconds(5))
      task.cancel()
      await task.value
    }
    #expect(log == ["time@5", "cancelled@10"], "\(log)")
  }

  @Test func `a loop that is alone takes no time, although a thread of another scope waits`()
    async throws
  {
    let (begun, begins) = AsyncStream<Void>.makeStream()
    let (end, ends) = AsyncStream<Void>.makeStream()
    async let other: Void? = try? withVirtualTime(
      .init(mode: .manual, queuesAndThreads: .virtual)
    ) { time in
      Thread.detachNewThread { BusyWait.continuous(.milliseconds(20)) }
      await time.advance(by: .milliseconds(19))
      begins.finish()
      await time.hold { for await _ in end {} }
      await time.advance(by: .milliseconds(2))
    }
    for await _ in begun {}
    try await withVirtualTime(.init(queuesAndThreads: .virtual, eventLimit: 100)) { time in
      for _ in 0..<4_000_000 where Task.isCancelled { break }
      #expect(time.now.offset == .zero)
    }
    ends.finish()
    await other
  }
}
