import BenchmarkSupport
import EscapementClocks
import EscapementVirtualTime

/// Unstructured tasks that each sleep several times, one sleep after the other.
///
/// The tasks are created where they are measured and not by a common function, so that a sleep is
/// called as in an app, without a closure in between.
struct SleepWorkload {
  private let shape: Shape
  private let time: VirtualTime

  init(_ shape: Shape, time: VirtualTime) {
    self.shape = shape
    self.time = time
  }

  func runUnInjected() async throws -> Int? {
    let sleeps = shape.sleeps
    let before = ResidentMemory.bytes
    let tasks = (0..<shape.tasks).map { index in
      Task {
        var durations = SleepDurations(ofTask: index)
        for _ in 0..<sleeps { try await Task.sleep(for: durations.next()) }
      }
    }
    let memory = await memory(since: before)
    for task in tasks { try await task.value }
    return memory
  }

  func runOnHandle() async throws -> Int? {
    let sleeps = shape.sleeps
    let time = time
    let before = ResidentMemory.bytes
    let tasks = (0..<shape.tasks).map { index in
      Task {
        var durations = SleepDurations(ofTask: index)
        for _ in 0..<sleeps { try await time.sleep(for: durations.next()) }
      }
    }
    let memory = await memory(since: before)
    for task in tasks { try await task.value }
    return memory
  }

  func runOnTestClock() async throws -> Int? {
    let sleeps = shape.sleeps
    let clock = TestClock()
    let before = ResidentMemory.bytes
    let tasks = (0..<shape.tasks).map { index in
      Task {
        var durations = SleepDurations(ofTask: index)
        for _ in 0..<sleeps { try await clock.sleep(for: durations.next()) }
      }
    }
    let memory = await memory(since: before)
    await clock.advance(by: shape.longest)
    for task in tasks { try await task.value }
    return memory
  }

  /// What has been added once everybody sleeps.
  private func memory(since before: Int?) async -> Int? {
    await time.settle()
    guard let before, let now = ResidentMemory.bytes else { return nil }
    return now - before
  }
}
