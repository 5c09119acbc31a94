import Dispatch
import EscapementTesting
import Foundation
import OpenCombine
import OpenCombineDispatch
import OpenCombineFoundation
import Testing

/// The operators on each kind of scheduler, un-injected.
@Suite(.virtualTime) struct SchedulersTests {
  @Test func `the main queue is exact`() async throws {
    try await expectInstants(on: DispatchQueue.main)
  }

  @Test func `a serial queue is exact`() async throws {
    try await expectInstants(on: DispatchQueue(label: "Serial"))
  }

  @Test func `a global queue is exact`() async throws {
    try await expectInstants(on: DispatchQueue.global())
  }

  @Test func `an operation queue is as exact as a date`() async throws {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    try await expectInstants(on: queue, within: .microseconds(1))
  }

  @Test func `the run loop of a thread is as exact as a date`() async throws {
    let thread = await ThreadWithLoop.start(for: 5)
    try await expectInstants(on: thread.loop, within: .microseconds(1))
  }
}

/// Unchecked because the methods of a run loop that schedulers call may be called from any thread.
private struct ThreadWithLoop: @unchecked Sendable {
  let loop: RunLoop

  /// Starts a thread that runs its loop for some seconds.
  static func start(for seconds: TimeInterval) async -> ThreadWithLoop {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let loop = RunLoop.current
        // Without a timer, a loop ends at once.
        loop.add(Timer(timeInterval: seconds, repeats: false) { _ in }, forMode: .default)
        continuation.resume(returning: ThreadWithLoop(loop: loop))
        loop.run(until: Date(timeIntervalSinceNow: seconds))
      }
    }
  }
}

/// Sends three values, 70 ms apart, through each operator.
private func expectInstants<S: Scheduler>(
  on scheduler: S, within tolerance: Duration = .zero
) async throws {
  let log = Log()
  let values = PassthroughSubject<Int, Never>()
  let subscriptions = [
    values.throttle(for: .milliseconds(100), scheduler: scheduler, latest: true)
      .sink { log.append("throttled \($0)") },
    values.debounce(for: .milliseconds(300), scheduler: scheduler)
      .sink { log.append("debounced \($0)") },
    values.delay(for: .seconds(2), scheduler: scheduler)
      .sink { log.append("delayed \($0)") },
  ]
  for value in 1...3 {
    values.send(value)
    try await Task.sleep(for: .milliseconds(70))
  }
  try await Task.sleep(for: .seconds(4))
  subscriptions.forEach { $0.cancel() }
  let expected = [
    ("throttled 1", 0), ("throttled 2", 100), ("throttled 3", 200), ("debounced 3", 440),
    ("delayed 1", 2_000), ("delayed 2", 2_070), ("delayed 3", 2_140),
  ]
  #expect(log.entries.map(\.value) == expected.map(\.0))
  for (entry, (_, time)) in zip(log.entries, expected) {
    let instants = (.milliseconds(time) - tolerance)...(.milliseconds(time) + tolerance)
    #expect(instants.contains(entry.time), "\(entry)")
  }
}
