import BenchmarkSupport
import EscapementVirtualTime
import Synchronization
import Timers

/// The timer queue alone: as many entries as there are tasks, each armed again when it is due.
struct TimerQueueFloor {
  private struct Entry {
    var durations: SleepDurations
    var sleepsLeft: Int
  }

  private let shape: Shape

  init(_ shape: Shape) { self.shape = shape }

  func run() {
    var queue = TimerQueue<Int64, Entry>()
    for index in 0..<shape.tasks {
      var durations = SleepDurations(ofTask: index)
      let deadline = durations.nextNanoseconds()
      _ = queue.insert(Entry(durations: durations, sleepsLeft: shape.sleeps - 1), at: deadline)
    }
    while let due = queue.popFirst() {
      var entry = due.element
      guard entry.sleepsLeft > 0 else { continue }
      entry.sleepsLeft -= 1
      let deadline = due.deadline + entry.durations.nextNanoseconds()
      _ = queue.insert(entry, at: deadline)
    }
  }
}

/// Jobs alone: each task yields instead of sleeping, and so is enqueued and run once more.
struct JobFloor {
  private let shape: Shape

  init(_ shape: Shape) { self.shape = shape }

  func run() async throws -> Int? {
    let yields = shape.sleeps
    let tasks = (0..<shape.tasks).map { _ in
      Task { for _ in 0..<yields { await Task.yield() } }
    }
    for task in tasks { await task.value }
    return nil
  }
}

/// A sleep without a clock: each task suspends on a continuation that cancellation would resume,
/// is found in a list, and resumed.
struct SuspensionFloor {
  private final class Suspended: Sendable {
    typealias Continuation = UnsafeContinuation<Void, any Error>

    private let continuations = Mutex<[Continuation]>([])

    @inline(__always) func wait() async throws {
      try Task.checkCancellation()
      try await withTaskCancellationHandler {
        try await withUnsafeThrowingContinuation { continuation in
          continuations.withLock { $0.append(continuation) }
        }
      } onCancel: {
        for continuation in takeAll() { continuation.resume(throwing: CancellationError()) }
      }
    }

    func takeAll() -> [Continuation] {
      continuations.withLock { continuations in
        defer { continuations = [] }
        return continuations
      }
    }
  }

  private let shape: Shape
  private let time: VirtualTime

  init(_ shape: Shape, time: VirtualTime) {
    self.shape = shape
    self.time = time
  }

  func run() async throws -> Int? {
    let waits = shape.sleeps
    let suspended = Suspended()
    let before = ResidentMemory.bytes
    let tasks = (0..<shape.tasks).map { _ in
      Task { for _ in 0..<waits { try await suspended.wait() } }
    }
    await time.settle()
    let after = ResidentMemory.bytes
    for _ in 0..<waits {
      for continuation in suspended.takeAll() { continuation.resume() }
      await Task.yield()
    }
    for task in tasks { try await task.value }
    return before.flatMap { before in after.map { $0 - before } }
  }
}
