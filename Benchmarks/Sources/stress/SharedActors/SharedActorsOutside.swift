import BenchmarkSupport
import EscapementVirtualTime
import Foundation
import Synchronization

/// Tasks outside all scopes that share actors with them.
final class SharedActorsOutside: Sendable {
  /// The actor that is shared with the scopes and with nobody else.
  let actor = SharedActor()

  private let isStopped = Atomic(false)
  private let tally = Tally("Real time on the same actors, outside", of: nil)

  func stop() { isStopped.store(true, ordering: .relaxed) }

  func finish() -> Int { tally.finish() }

  func checkUntilStopped() async {
    let actors: [any Napping] = [FirstActor.shared, SecondActor.shared, ThreadActor.shared, actor]
    while !isStopped.load(ordering: .relaxed) {
      for actor in actors { await tally.count { try await complaints(actor) } }
    }
  }

  private func complaints(_ actor: some Napping) async throws -> [String] {
    var expectations = Expectations()
    let start = ContinuousClock.now
    let nap = try await actor.nap(.milliseconds(1))
    let length = start.duration(to: .now)
    for (length, clock) in [(nap.length, "the actor's clock"), (length, "the caller's clock")] {
      expectations.expect(
        length >= .milliseconds(1) && length < .seconds(60),
        "a millisecond of real time is \(length) by \(clock)")
    }
    expectations.expect(nap.scopes == [nil, nil], "an actor's code outside is in a scope")
    expectations.expect(VirtualTime.current == nil, "a task outside is in a scope")
    expectations.expect(
      nap.begin.timeIntervalSince1970 > 1_700_000_000, "an actor's code outside reads \(nap.begin)")
    return expectations.complaints
  }
}
