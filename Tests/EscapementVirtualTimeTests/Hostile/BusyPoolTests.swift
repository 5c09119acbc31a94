import Dispatch
import EscapementVirtualTime
import TestSupport
import Testing

/// Counts seconds in a task of its own, as most view models do.
@MainActor private final class Model {
  private(set) var count = 0
  private var task: Task<Void, any Error>?

  func start() {
    task = Task {
      while true {
        try await Task.sleep(for: .seconds(1))
        count += 1
      }
    }
  }

  func stop() { task?.cancel() }
}

/// Scopes while other tasks keep all threads of the pool busy.
@Suite(.virtualStandardClocks) struct BusyPoolTests {
  private func whileThePoolIsBusy(_ body: () async throws -> Void) async rethrows {
    let tasks = (0..<8).map { _ in
      Task.detached {
        while !Task.isCancelled {
          keepBusy(20)
          await Task.yield()
        }
      }
    }
    defer { for task in tasks { task.cancel() } }
    try await body()
  }

  @Test(.timeLimit(.minutes(60))) @MainActor
  func `a scope of the main actor comes to its end while the pool is busy`() async throws {
    try await whileThePoolIsBusy {
      for _ in 0..<20 {
        try await withVirtualTime { time in
          let model = Model()
          model.start()
          try await Task.sleep(for: .seconds(5))
          await time.settle()
          #expect(model.count == 5)
          model.stop()
        }
      }
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `a scope of the pool comes to its end while the pool is busy`() async throws {
    try await whileThePoolIsBusy {
      for _ in 0..<20 {
        try await withVirtualTime { time in
          let model = Model()
          await model.start()
          try await Task.sleep(for: .seconds(5))
          await time.settle()
          #expect(await model.count == 5)
          await model.stop()
        }
      }
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `a scope that waits for the pool is not taken for stuck while the pool is busy`()
    async throws
  {
    let options = VirtualTimeOptions(
      queuesAndThreads: .real, stallLimit: .milliseconds(20), holdLimit: .milliseconds(20),
      blockLimit: .milliseconds(20))
    let work = { for _ in 0..<12 { DispatchQueue.global().async { keepBusy(1_000_000) } } }
    try await withVirtualTime(options) { time in
      work()
      await withCheckedContinuation { done in DispatchQueue.global().async { done.resume() } }
      work()
      await time.hold {
        await withCheckedContinuation { done in DispatchQueue.global().async { done.resume() } }
      }
      work()
      waitForPool()
    }
  }
}

/// Blocks the thread until the pool has done what it was given before.
private func waitForPool() {
  let done = DispatchSemaphore(value: 0)
  DispatchQueue.global().async { done.signal() }
  done.wait()
}
