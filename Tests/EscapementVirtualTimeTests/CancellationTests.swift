import Dispatch
import EscapementVirtualTime
import TestSupport
import Testing
import _EscapementCore

/// Cancels the task around a scope after a number of events, from inside the scope.
private final class Canceller: Sendable {
  private let state = Lock<(task: Task<Void, Never>?, left: Int)>((nil, 0))

  init(after events: Int) { state.withLock { $0.left = events } }

  func start(_ task: Task<Void, Never>) { state.withLock { $0.task = task } }

  func event() {
    let task = state.withLock { state in
      state.left -= 1
      return state.left == -1 ? state.task : nil
    }
    task?.cancel()
  }

  var wasReached: Bool { state.withLock { $0.left < 0 } }
}

/// A cancelled test ends at any point, and the next test is not affected.
@Suite struct CancellationTests {
  @Test(.virtualStandardClocks) func `a scope in a cancelled task has a cancelled body`()
    async throws
  {
    let log = Log<Bool>()
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: CancellationError.self) {
        try await withVirtualTime { time in
          log.append(Task.isCancelled)
          try await Task.sleep(for: .seconds(1))
        }
      }
    }.value
    #expect(log.entries == [true])
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks, arguments: KindOfSleep.allCases)
  func `a cancellation wakes a sleeping body`(kind: KindOfSleep) async throws {
    try await cancelFromOutside(VirtualTimeOptions(mode: .manual, stallLimit: .seconds(600))) {
      time in
      try await kind.sleep(for: .seconds(1), time)
    }
  }

  @Test(.virtualStandardClocks)
  func `a cancellation wakes a body that waits for work outside the scope`() async throws {
    try await cancelFromOutside { try await $0.hold { try await untilCancelled() } }
    try await cancelFromOutside { _ in try await untilCancelled() }
  }

  /// Cancels the task around a scope when its body waits.
  private func cancelFromOutside(
    _ options: VirtualTimeOptions = VirtualTimeOptions(
      stallLimit: .seconds(600), holdLimit: .seconds(600)),
    _ body: @escaping @Sendable (VirtualTime) async throws -> Void
  ) async throws {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let outer = Task {
      _ = await #expect(throws: CancellationError.self) {
        try await withVirtualTime(options) { time in
          start.yield()
          try await body(time)
        }
      }
    }
    for await _ in started { break }
    outer.cancel()
    await outer.value
    try await checkThatAnOrdinaryScopeWorks()
  }

  /// Every step of a scope is an event, and the test may be cancelled after each of them.
  @Test(.virtualStandardClocks, arguments: 0..<40)
  func `a test that is cancelled after any event ends`(events: Int) async throws {
    let canceller = Canceller(after: events)
    let (gate, open) = AsyncStream.makeStream(of: Never.self)
    let outer = Task {
      for await _ in gate {}
      do {
        try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { time in
          canceller.event()
          let ticker = Task { @MainActor in
            for _ in 0..<10 {
              try? await Task.sleep(for: .seconds(1))
              canceller.event()
            }
          }
          await time.advance(by: .seconds(3))
          canceller.event()
          try await Task.sleep(for: .seconds(2))
          canceller.event()
          await time.hold {
            canceller.event()
            await withCheckedContinuation { continuation in
              outside {
                canceller.event()
                continuation.resume()
                canceller.event()
              }
            }
            canceller.event()
          }
          try await withThrowingTaskGroup { group in
            for second in 1...5 {
              group.addTask {
                canceller.event()
                try await time.sleep(for: .seconds(second))
                canceller.event()
              }
            }
            for try await _ in group { canceller.event() }
          }
          await time.run()
          canceller.event()
          await ticker.value
          canceller.event()
        }
      } catch is CancellationError {
      } catch {
        Issue.record(error)
      }
    }
    canceller.start(outer)
    open.finish()
    await outer.value
    #expect(canceller.wasReached == (events < 34), "there are 34 events")
    try await checkThatAnOrdinaryScopeWorks()
  }

  @Test(.virtualStandardClocks)
  func `a test that is cancelled from another thread at any moment ends`() async throws {
    for round in 0..<50 {
      let outer = Task {
        try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { time in
          for second in 1...20 {
            Task { try await Task.sleep(for: .seconds(second)) }
          }
          for _ in 0..<20 {
            try await Task.sleep(for: .seconds(1))
            await time.hold {
              await withCheckedContinuation { continuation in
                outside { continuation.resume() }
              }
            }
          }
        }
      }
      outside(after: .microseconds(round * 20)) {
        outer.cancel()
      }
      do {
        try await outer.value
      } catch is CancellationError {}
    }
    try await checkThatAnOrdinaryScopeWorks()
  }
}
