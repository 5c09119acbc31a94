import BenchmarkSupport
import EscapementClocks
import EscapementVirtualTime

/// The test of swift-clocks' README, again and again while other tasks keep the pool busy.
@MainActor struct ReadmeTest {
  enum Way: String, CaseIterable {
    case bareSleep = "bare Task.sleep"
    case testClock = "injected TestClock"
    case handle = "the handle as clock"
  }

  private let way: Way

  init(_ way: Way) { self.way = way }

  /// - Returns: How often it was wrong.
  func run(times: Int) async -> Int {
    let tally = Tally("README test, \(way.rawValue)", of: times)
    await withBusyTasks(8) {
      for _ in 0..<times { await tally.count { try await complaints() } }
    }
    return tally.finish()
  }

  private func complaints() async throws -> [String] {
    switch way {
    case .bareSleep:
      try await withVirtualTime { time in
        try await TimerModel { try await Task.sleep(for: $0) }.complaints {
          try await Task.sleep(for: $0)
          // The test has armed its sleep before the model has, and so wakes before it.
          await time.settle()
        }
      }
    case .testClock:
      try await withVirtualTime { _ in
        let clock = TestClock()
        return await TimerModel(clock: clock).complaints { await clock.advance(by: $0) }
      }
    case .handle:
      try await withVirtualTime { time in
        await TimerModel(clock: time).complaints { await time.advance(by: $0) }
      }
    }
  }
}
