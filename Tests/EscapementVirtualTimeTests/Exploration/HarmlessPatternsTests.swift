import Dispatch
import Distributed
import EscapementTesting
import Foundation
import TestSupport
import Testing
import _EscapementCore

/// Patterns of concurrent code that are right, so that no schedule may make one fail.
@Suite(.virtualStandardClocks) struct HarmlessPatternsTests {
  private struct Wrong: Error {}

  private func expectNoAlarm(
    _ options: VirtualTimeOptions = VirtualTimeOptions(), schedules: Int = 300,
    _ body: @escaping @Sendable @concurrent () async throws -> Void
  ) async throws {
    let report = try await withExploration(schedules, options: options) { _ in try await body() }
    #expect(report.failure == nil, "\(String(describing: report.failure))")
    #expect(report.firstDifference == nil)
    #expect(report.distinctTraces > 1)
  }

  @Test func `one call of an actor reads and writes`() async throws {
    try await expectNoAlarm {
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 1...5 { group.addTask { await counter.add(1) } }
      }
      guard await counter.count == 5 else { throw Wrong() }
    }
  }

  @Test func `an actor decides and notes its decision before it suspends`() async throws {
    try await expectNoAlarm {
      let (store, counter) = (Store(), Counter())
      async let first = store.value(counting: counter)
      async let second = store.value(counting: counter)
      async let third = store.value(counting: counter)
      guard await first + second + third == 21, await counter.count == 1 else { throw Wrong() }
    }
  }

  @Test func `functions of the main actor that call each other are one piece`() async throws {
    try await expectNoAlarm {
      let till = Till()
      let buyers = (0..<3).map { _ in Task { await till.pay() } }
      for buyer in buyers { await buyer.value }
      guard await till.balance == 0 else { throw Wrong() }
    }
  }

  @Test func `functions of the main actor that an immediate task calls are one piece`()
    async throws
  {
    try await expectNoAlarm {
      let till = Till()
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await till.payAtOnce() } }
      }
      guard await till.balance == 0 else { throw Wrong() }
    }
  }

  @Test func `an immediate task goes on on the main actor after it has suspended`() async throws {
    try await expectNoAlarm {
      let till = Till()
      let buyers = await MainActor.run {
        (0..<3).map { _ in
          Task.immediate { @MainActor in
            await Task.yield()
            await till.pay()
          }
        }
      }
      for buyer in buyers { await buyer.value }
      guard await till.balance == 0 else { throw Wrong() }
    }
  }

  @Test func `an immediate task on an actor is one piece until it suspends`() async throws {
    try await expectNoAlarm {
      let host = ImmediateHost()
      async let first: Void = host.begin()
      async let second: Void = host.begin()
      _ = await (first, second)
      guard await host.overlaps == 0 else { throw Wrong() }
    }
  }

  @Test func `a stream keeps the order of one producer`() async throws {
    try await expectNoAlarm {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task {
        for number in 1...4 {
          continuation.yield(number)
          await Task.yield()
        }
        continuation.finish()
      }
      var seen: [Int] = []
      for await number in stream { seen.append(number) }
      guard seen == [1, 2, 3, 4] else { throw Wrong() }
    }
  }

  @Test func `a stream loses nothing of several producers`() async throws {
    try await expectNoAlarm {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task {
        await withTaskGroup { group in
          for number in 1...4 { group.addTask { _ = continuation.yield(number) } }
        }
        continuation.finish()
      }
      var sum = 0
      for await number in stream { sum += number }
      guard sum == 10 else { throw Wrong() }
    }
  }

  @Test func `results of a group are ordered by their indices`() async throws {
    try await expectNoAlarm {
      let squares = await withTaskGroup(of: (Int, Int).self) { group in
        for index in 0..<4 { group.addTask { (index, index * index) } }
        var squares = [Int](repeating: 0, count: 4)
        for await (index, square) in group { squares[index] = square }
        return squares
      }
      guard squares == [0, 1, 4, 9] else { throw Wrong() }
    }
  }

  @Test func `a lock protects what is read and written under it`() async throws {
    try await expectNoAlarm {
      let count = LockedNumber()
      await withTaskGroup { group in
        for _ in 1...4 {
          group.addTask {
            await Task.yield()
            count.withLock { $0 += 1 }
          }
        }
      }
      guard count.withLock({ $0 }) == 4 else { throw Wrong() }
    }
  }

  @Test func `a wait with a cancellation handler is resumed once`() async throws {
    try await expectNoAlarm {
      let gate = Gate()
      let waiting = Task { await gate.wait() }
      let opening = Task { gate.open() }
      waiting.cancel()
      await opening.value
      await waiting.value
    }
  }

  @Test func `a distributed actor is called as an actor is`() async throws {
    try await expectNoAlarm {
      let counter = DistributedCounter(actorSystem: LocalTestingDistributedActorSystem())
      try await withThrowingTaskGroup { group in
        for _ in 1...4 { group.addTask { try await counter.add() } }
        try await group.waitForAll()
      }
      guard try await counter.count() == 4 else { throw Wrong() }
    }
  }

  @Test func `an actor with an executor of its own keeps others out`() async throws {
    try await expectNoAlarm(.reaching) {
      let counter = QueueCounter()
      await withTaskGroup { group in
        for _ in 1...4 { group.addTask { await counter.add() } }
      }
      guard await counter.count == 4 else { throw Wrong() }
    }
  }

  @Test func `a serial queue protects its state`() async throws {
    try await expectNoAlarm(.reaching) {
      let queue = DispatchQueue(label: "serial")
      let count = LockedNumber()
      let all = DispatchGroup()
      for _ in 1...4 {
        DispatchQueue.global().async(group: all) {
          queue.sync {
            let former = count.withLock { $0 }
            count.withLock { $0 = former + 1 }
          }
        }
      }
      await withCheckedContinuation { done in all.notify(queue: queue) { done.resume() } }
      guard count.withLock({ $0 }) == 4 else { throw Wrong() }
    }
  }

  @Test func `work that takes less than its timeout is not cut off`() async throws {
    try await expectNoAlarm {
      let result = try await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask {
          try await Task.sleep(for: .seconds(1))
          return 1
        }
        group.addTask {
          try await Task.sleep(for: .seconds(2))
          throw Wrong()
        }
        defer { group.cancelAll() }
        return try await group.next()
      }
      guard result == 1 else { throw Wrong() }
    }
  }

  @Test func `a lock of tasks lets one in at a time`() async throws {
    try await expectNoAlarm {
      let mutex = TaskLock()
      let inside = LockedNumber()
      try await withThrowingTaskGroup { group in
        for _ in 1...4 {
          group.addTask {
            await mutex.acquire()
            let others = inside.withLock { inside in
              defer { inside += 1 }
              return inside
            }
            await Task.yield()
            inside.withLock { $0 -= 1 }
            await mutex.release()
            if others > 0 { throw Wrong() }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `tasks that poll and yield do not keep each other from running`() async throws {
    // With older priorities, a yield that drew a low one waited for thousands of others.
    try await expectNoAlarm {
      let count = LockedNumber()
      await withTaskGroup { group in
        for parity in 0..<2 {
          group.addTask {
            while count.withLock({ $0 }) < 10 {
              count.withLock { if $0 % 2 == parity { $0 += 1 } }
              await Task.yield()
            }
          }
        }
      }
    }
  }

  @Test func `a task that polls and yields does not keep others from running`() async throws {
    try await expectNoAlarm(VirtualTimeOptions(jobLimit: 10_000)) {
      let counter = Counter()
      let counting = Task { for _ in 1...5 { await counter.add(1) } }
      while await counter.count < 5 { await Task.yield() }
      await counting.value
    }
  }

  @Test func `a task that polls and yields does not keep due sleepers from running`() async throws {
    try await expectNoAlarm(VirtualTimeOptions(jobLimit: 1_000), schedules: 30) {
      let count = LockedNumber()
      @Sendable func add() { count.withLock { $0 += 1 } }
      async let polls: Void = {
        try? await Task.sleep(for: .seconds(1))
        while count.withLock({ $0 < 2 }) { await Task.yield() }
      }()
      try await Task.sleep(for: .seconds(1))
      add()
      try await Task.sleep(for: .zero)
      add()
      await polls
    }
  }

  @Test func `tasks of all priorities come to their end`() async throws {
    try await expectNoAlarm {
      let counter = Counter()
      let tasks = [TaskPriority.high, .low, .background, .medium].map { priority in
        Task.detached(priority: priority) { await counter.add(1) }
      }
      for task in tasks { await task.value }
      guard await counter.count == 4 else { throw Wrong() }
    }
  }
}

private final class LockedNumber: Sendable {
  private let number = Lock(0)
  func withLock<Result>(_ body: (inout Int) -> Result) -> Result { number.withLock { body(&$0) } }
}

private actor Counter {
  private(set) var count = 0
  func add(_ number: Int) { count += number }
}

/// Loads a value once.
private actor Store {
  private var loading: Task<Int, Never>?

  func value(counting counter: Counter) async -> Int {
    if let loading { return await loading.value }
    let loading = Task {
      await counter.add(1)
      return 7
    }
    self.loading = loading
    return await loading.value
  }
}

@MainActor private final class Till {
  private(set) var balance = 100

  nonisolated init() {}

  func pay() async {
    guard balance >= 100 else { return }
    await record()
    balance -= 100
  }

  func payAtOnce() async { await Task.immediate { await pay() }.value }

  /// Is asynchronous, but never suspends.
  private func record() async {}
}

private actor ImmediateHost {
  private var isBusy = false
  private(set) var overlaps = 0

  func begin() async {
    let task = Task.immediate {
      if self.isBusy { self.overlaps += 1 }
      self.isBusy = true
      await self.work()
      self.isBusy = false
    }
    await task.value
  }

  /// Is asynchronous, but never suspends.
  private func work() async {}
}

/// A wait that ends when the gate opens, or when its task is cancelled.
private final class Gate: Sendable {
  private enum State {
    case closed
    case waiting(CheckedContinuation<Void, Never>)
    case open
  }

  private let state = Lock(State.closed)

  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          if case .open = state { return true }
          state = .waiting(continuation)
          return false
        }
        if isOpen { continuation.resume() }
      }
    } onCancel: {
      open()
    }
  }

  func open() {
    let former = state.withLock { state in
      defer { state = .open }
      return state
    }
    if case .waiting(let continuation) = former { continuation.resume() }
  }
}

private distributed actor DistributedCounter {
  typealias ActorSystem = LocalTestingDistributedActorSystem

  private var number = 0
  distributed func add() { number += 1 }
  distributed func count() -> Int { number }
}

/// Runs the jobs of an actor on a serial queue.
private final class ExecutorOfOneQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private actor QueueCounter {
  private let executor = ExecutorOfOneQueue()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private(set) var count = 0
  func add() { count += 1 }
}

/// A lock that hands itself over to the task that waits longest.
private actor TaskLock {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func acquire() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func release() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
