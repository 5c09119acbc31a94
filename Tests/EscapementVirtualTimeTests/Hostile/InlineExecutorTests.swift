import EscapementVirtualTime
import TestSupport
import Testing
import _EscapementCore

/// A serial executor that runs a job on the thread that enqueues it, unless it is busy elsewhere.
private final class InlineExecutor: SerialExecutor {
  private struct State {
    var isBusy = false
    var waiting: [UnownedJob] = []

    mutating func next() -> UnownedJob? {
      guard !waiting.isEmpty else {
        isBusy = false
        return nil
      }
      return waiting.removeFirst()
    }
  }

  private let state = Lock(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFree = state.withLock { state in
      state.waiting.append(job)
      defer { state.isBusy = true }
      return !state.isBusy
    }
    guard isFree else { return }
    while let job = state.withLock({ $0.next() }) {
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}

private actor Inline {
  private nonisolated let executor = InlineExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var count = 0

  func nap(_ duration: Duration) async throws -> Duration {
    count += 1
    return try await measure { try await Task.sleep(for: duration) }
  }

  func scope() -> VirtualTime.ID? { VirtualTime.current?.id }

  func startTask() -> Task<VirtualTime.ID?, Never> {
    Task {
      count += 1
      return VirtualTime.current?.id
    }
  }

  func holding(_ time: VirtualTime) async -> VirtualTime.ID? {
    await time.hold { await resumedByForeignThread() }
    return VirtualTime.current?.id
  }
}

/// Actors whose executor runs jobs inside of `enqueue`.
@Suite(.virtualStandardClocks) struct InlineExecutorTests {
  @Test func `an actor that runs jobs inline belongs to the scope that calls it`() async throws {
    let shared = Inline()
    try await withThrowingTaskGroup { group in
      for number in 1...4 {
        group.addTask {
          try await withVirtualTime { time in
            for _ in 0..<100 {
              try #require(try await shared.nap(.seconds(number)) == .seconds(number))
              try #require(await shared.scope() == time.id)
              try #require(await shared.startTask().value == time.id)
              try #require(await shared.holding(time) == time.id)
            }
            #expect(time.now.offset == .seconds(100 * number))
          }
        }
      }
      group.addTask {
        for _ in 0..<200 {
          try #require(await shared.scope() == nil)
          try #require(try await shared.nap(.microseconds(100)) >= .microseconds(100))
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `many tasks on an actor that runs jobs inline`() async throws {
    try await withVirtualTime { time in
      let actor = Inline()
      try await withThrowingTaskGroup { group in
        for number in 1...2_000 { group.addTask { try await actor.nap(.seconds(number)) } }
        var sum = Duration.zero
        for try await length in group { sum += length }
        #expect(sum == .seconds(2_000 * 2_001 / 2))
      }
      #expect(time.now.offset == .seconds(2_000))
    }
  }
}
