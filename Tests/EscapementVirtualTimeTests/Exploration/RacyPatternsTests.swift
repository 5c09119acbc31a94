import Dispatch
import EscapementTesting
import Foundation
import TestSupport
import Testing
import _EscapementCore

@testable import EscapementVirtualTime

/// A pattern of concurrent code that is wrong under some schedules.
private struct RacyPattern: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let options: VirtualTimeOptions
  let body: @Sendable () async throws -> Void

  init(
    _ description: String, _ options: VirtualTimeOptions = VirtualTimeOptions(leftovers: .ignore),
    _ body: @escaping @Sendable () async throws -> Void
  ) {
    testDescription = description
    var options = options
    options.stallLimit = .milliseconds(50)
    self.options = options
    self.body = body
  }

  static let all: [RacyPattern] = [
    RacyPattern("a balance is read and written in two calls") {
      let account = Account()
      await withTaskGroup { group in
        for _ in 1...2 { group.addTask { await account.set(account.balance + 1) } }
      }
      try await check(account.balance == 2)
    },
    RacyPattern("immediate tasks read and write a balance in two calls") {
      let account = Account()
      let tasks = (1...2).map { _ in Task.immediate { await account.set(account.balance + 1) } }
      for task in tasks { await task.value }
      try await check(account.balance == 2)
    },
    RacyPattern("immediate children read and write a balance in two calls") {
      let account = Account()
      await withTaskGroup { group in
        for _ in 1...2 {
          group.addImmediateTask { await account.set(account.balance + 1) }
        }
      }
      try await check(account.balance == 2)
    },
    RacyPattern("children of an immediate task read and write a balance in two calls") {
      let account = Account()
      let task = Task.immediate { @MainActor in
        async let first: Void = account.set(account.balance + 1)
        async let second: Void = account.set(account.balance + 1)
        _ = await (first, second)
      }
      await task.value
      try await check(account.balance == 2)
    },
    RacyPattern("tasks with no preference for an executor read and write a balance in two calls") {
      let account = Account()
      await withTaskGroup { group in
        for _ in 1...2 {
          group.addTask(executorPreference: nil) { await account.set(account.balance + 1) }
        }
      }
      try await check(account.balance == 2)
    },
    RacyPattern("a value is looked up, loaded, and stored") {
      let (cache, loads) = (Cache(), Account())
      async let first = cache.value(counting: loads)
      async let second = cache.value(counting: loads)
      _ = await (first, second)
      try await check(loads.balance == 1)
    },
    RacyPattern("a subscription and its end are sent off as tasks") {
      let list = Account()
      let subscribing = Task { await list.set(1) }
      let ending = Task { await list.set(0) }
      _ = await (subscribing.value, ending.value)
      try await check(list.balance == 0)
    },
    RacyPattern("a wait begins after the event for which it waits") {
      let event = Event()
      let waiting = Task { await event.wait() }
      let firing = Task { await event.fire() }
      await firing.value
      await waiting.value
    },
    RacyPattern("two timers of one second set the same value") {
      let ends = Log<Int>()
      let timers = (1...2).map { number in
        Task {
          try await Task.sleep(for: .seconds(1))
          ends.append(number)
        }
      }
      for timer in timers { try await timer.value }
      try check(ends.entries.last == 2)
    },
    RacyPattern("a form is checked, suspends, and is sent") {
      let form = Form()
      let taps = (1...2).map { _ in Task { await form.send() } }
      for tap in taps { await tap.value }
      try await check(form.sent == 1)
    },
    RacyPattern("a handler cancels before the wait is registered") {
      let waits = Waits()
      let task = Task { await waits.wait() }
      task.cancel()
      await task.value
    },
    RacyPattern("a stream that keeps one element has a slow reader") {
      let (stream, continuation) = AsyncStream.makeStream(
        of: Int.self, bufferingPolicy: .bufferingNewest(1))
      let reader = Task {
        var sum = 0
        for await number in stream {
          sum += number
          await Task.yield()
        }
        return sum
      }
      await Task.yield()
      for number in 1...3 {
        continuation.yield(number)
        await Task.yield()
      }
      continuation.finish()
      try await check(reader.value == 6)
    },
    RacyPattern("a limit is checked before a connection is opened") {
      let (pool, opening) = (Account(), Account())
      await withTaskGroup { group in
        for _ in 1...3 {
          group.addTask {
            guard await pool.balance < 1 else { return }
            await opening.set(1)
            await pool.add(1)
          }
        }
      }
      try await check(pool.balance == 1)
    },
    RacyPattern(
      "blocks of a concurrent queue count", VirtualTimeOptions(queuesAndThreads: .virtual)
    ) {
      let counts = Log<Int>()
      let (queue, all) = (DispatchQueue.global(), DispatchGroup())
      for _ in 1...2 {
        queue.async(group: all) {
          let former = counts.entries.last ?? 0
          queue.async(group: all) { counts.append(former + 1) }
        }
      }
      await withCheckedContinuation { done in all.notify(queue: .main) { done.resume() } }
      try check(counts.entries.last == 2)
    },
    RacyPattern("a timeout and its work have the same deadline") {
      let first = await withTaskGroup(of: String.self) { group in
        for name in ["work", "timeout"] {
          group.addTask {
            try? await Task.sleep(for: .seconds(1))
            return name
          }
        }
        return await group.next()
      }
      try check(first == "work")
    },
  ]
}

private struct Wrong: Error {}

private func check(_ condition: Bool) throws { if !condition { throw Wrong() } }

private actor Account {
  private(set) var balance = 0
  func set(_ balance: Int) { self.balance = balance }
  func add(_ amount: Int) { balance += amount }
}

private actor Cache {
  private var stored: Int?

  func value(counting loads: Account) async -> Int {
    if let stored { return stored }
    await loads.add(1)
    stored = 7
    return 7
  }
}

private actor Event {
  private var waiting: CheckedContinuation<Void, Never>?
  func wait() async { await withCheckedContinuation { waiting = $0 } }
  func fire() { waiting?.resume() }
}

private actor Waits {
  private var waiting: CheckedContinuation<Void, Never>?
  private func keep(_ continuation: CheckedContinuation<Void, Never>) { waiting = continuation }
  private func end() {
    waiting?.resume()
    waiting = nil
  }

  nonisolated func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in Task { await keep(continuation) } }
    } onCancel: {
      Task { await end() }
    }
  }
}

@MainActor private final class Form {
  private(set) var sent = 0

  nonisolated init() {}

  func send() async {
    guard sent == 0 else { return }
    await Account().set(1)
    sent += 1
  }
}

@Suite(.virtualStandardClocks) struct RacyPatternsTests {
  @Test(.takingTurns, arguments: RacyPattern.all.indices)
  func `a race is found, and fails again in a process of its own`(index: Int) async throws {
    let pattern = RacyPattern.all[index]
    let report = try await withExploration(1_000, options: pattern.options) { _ in
      try await pattern.body()
    }
    let failure = try #require(report.failure, "\(pattern.testDescription)")
    #expect(failure.schedule.overtakings.count <= 2, "\(pattern.testDescription)")
    #expect(report.firstDifference == nil)
    let schedule = "\(failure.schedule)"
    let code = try await #require(pattern.exitCode(under: schedule), "\(pattern.testDescription)")
    await #expect(processExitsWith: .exitCode(code)) {
      [index = index as Int, schedule = schedule as String] in
      exit(try await RacyPattern.all[index].exitCode(under: schedule) ?? 0)
    }
  }

  @Test(.takingTurns, arguments: RacyPattern.all.indices)
  func `a race is among the first orders of all`(index: Int) async throws {
    let pattern = RacyPattern.all[index]
    let report = try await withExploration(
      1_000, ExplorationOptions(strategy: .exhaustive), options: pattern.options
    ) { _ in
      try await pattern.body()
    }
    let failure = try #require(report.failure, "\(pattern.testDescription): \(report)")
    #expect(failure.schedule.overtakings.count <= 2, "\(pattern.testDescription)")
    #expect(report.firstDifference == nil)
  }
}

extension RacyPattern {
  /// Runs under a schedule; returns a number from 100 that depends on all decisions, or `nil` if it passes.
  fileprivate func exitCode(under schedule: String) async throws -> Int32? {
    var options = options
    let run = ExploredRun(.schedule(try ExecutionSchedule(parsing: schedule)), stallsAtOnce: false)
    options.exploredRun = run
    let hasFailed = Lock(false)
    _ = await issues { [options] in
      do {
        try await withVirtualTime(options) { _ in try await body() }
      } catch {
        hasFailed.withLock { $0 = true }
      }
    }
    guard hasFailed.withLock(\.self) else { return nil }
    return 100 + Int32(run.outcome.trace.fingerprint.value % 100)
  }
}
