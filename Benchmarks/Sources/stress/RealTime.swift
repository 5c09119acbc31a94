import BenchmarkSupport
import EscapementVirtualTime
import Foundation
import Synchronization

/// Tasks outside all scopes: their sleeps must take their time, and their clocks must be real.
final class RealTime: Sendable {
  private let isStopped = Atomic(false)
  private let tally = Tally("Real time beside them", of: nil)

  func stop() { isStopped.store(true, ordering: .relaxed) }

  func finish() -> Int { tally.finish() }

  func checkUntilStopped() async {
    while !isStopped.load(ordering: .relaxed) {
      await tally.count {
        var complaints = try await sleepComplaints(.milliseconds(10))
        for _ in 0..<10 { complaints += await mainActorComplaints() }
        return complaints
      }
    }
  }

  private func sleepComplaints(_ duration: Duration) async throws -> [String] {
    var expectations = Expectations()
    let start = StandardClocks()
    try await Task.sleep(for: duration)
    for (clock, elapsed) in StandardClocks().elapsed(since: start) {
      // A wall clock may be set meanwhile, by a little.
      let least = clock == "Date" ? duration / 2 : duration
      expectations.expect(
        elapsed >= least && elapsed < .seconds(60),
        "\(duration) of real time are \(elapsed) by \(clock)")
    }
    expectations.expect(VirtualTime.current == nil, "a task outside is in a scope")
    return expectations.complaints
  }

  /// The scopes run on the main queue as well, in turns with this.
  @MainActor private func mainActorComplaints() -> [String] {
    var expectations = Expectations()
    expectations.expect(MainActorTurn.isExclusive(), "two are on the main actor at once")
    expectations.expect(VirtualTime.current == nil, "the main actor outside is in a scope")
    expectations.expect(
      Date().timeIntervalSince1970 > 1_700_000_000, "the main actor outside reads \(Date())")
    return expectations.complaints
  }
}
