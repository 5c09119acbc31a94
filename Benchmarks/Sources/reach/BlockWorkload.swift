import BenchmarkSupport
import Dispatch
import EscapementVirtualTime

/// What is done with many blocks on a serial queue.
enum BlockWorkload: String, CaseIterable {
  case one = "one of many"
  case awaited = "awaited by a task"
  case later = "asyncAfter"

  /// How long a block takes in a scope whose queues are virtual.
  func microseconds(_ count: Int) async throws -> Double {
    let start = ContinuousClock.now
    try await withVirtualTime { _ in await play(count) }
    return start.duration(to: .now).microseconds / Double(count)
  }

  /// How long a block takes outside of scopes; `nil` if that is mostly waiting.
  func realMicroseconds(_ count: Int) async throws -> Double? {
    if self == .later { return nil }
    let start = ContinuousClock.now
    await play(count)
    return start.duration(to: .now).microseconds / Double(count)
  }

  private func play(_ count: Int) async {
    let queue = DispatchQueue(label: "benchmark")
    switch self {
    case .one:
      for _ in 1..<count { queue.async {} }
      await withCheckedContinuation { done in queue.async { done.resume() } }
    case .awaited:
      for _ in 0..<count {
        await withCheckedContinuation { done in queue.async { done.resume() } }
      }
    case .later:
      for i in 1..<count { queue.asyncAfter(deadline: .now() + .microseconds(i)) {} }
      await withCheckedContinuation { done in
        queue.asyncAfter(deadline: .now() + .microseconds(count)) { done.resume() }
      }
    }
  }
}
