import BenchmarkSupport
import EscapementClocks
import EscapementVirtualTime
import Synchronization

/// One task that sleeps a second very often, and one `advance` over all of it.
struct LongAdvance {
  enum Way: String, CaseIterable {
    case bareSleep = "Task.sleep"
    case testClock = "TestClock"
    case handle = "the handle"
  }

  private let way: Way

  init(_ way: Way) { self.way = way }

  /// - Returns: How many wake-ups were missing, or too many, when `advance` returned.
  @concurrent func run(sleeps: Int) async throws -> Int {
    let start = ContinuousClock.now
    let wrong = abs(try await wakeUpsInOneAdvance(over: sleeps) - sleeps)
    Tally.printResult(
      "One advance over all sleeps, \(way.rawValue)", wrong: wrong, of: sleeps, since: start)
    return wrong
  }

  private func wakeUpsInOneAdvance(over sleeps: Int) async throws -> Int {
    let way = way
    return try await withVirtualTime(VirtualTimeOptions(eventLimit: .max)) { time in
      let wakeUps = WakeUps()
      switch way {
      case .bareSleep:
        let task = Task { await wakeUps.countForEver { try await Task.sleep(for: .seconds(1)) } }
        await time.advance(by: .seconds(sleeps))
        task.cancel()
      case .testClock:
        let clock = TestClock()
        let task = Task { await wakeUps.countForEver { try await clock.sleep(for: .seconds(1)) } }
        await clock.advance(by: .seconds(sleeps))
        task.cancel()
      case .handle:
        let task = Task { await wakeUps.countForEver { try await time.sleep(for: .seconds(1)) } }
        await time.advance(by: .seconds(sleeps))
        task.cancel()
      }
      return wakeUps.count
    }
  }
}

private final class WakeUps: Sendable {
  private let counter = Atomic(0)

  var count: Int { counter.load(ordering: .relaxed) }

  func countForEver(_ sleep: @Sendable () async throws -> Void) async {
    while (try? await sleep()) != nil { counter.wrappingAdd(1, ordering: .relaxed) }
  }
}
