import EscapementClocks
import Synchronization

/// A test clock with the algorithm of swift-clocks, to compare with.
///
/// It does not know when code under test has come to rest. Before it wakes a sleeper, it waits for
/// twenty tasks of the lowest priority, one after the other, in the hope that everything else has
/// had its turn by then.
final class MegaYieldClock: Clock {
  typealias Duration = Swift.Duration
  typealias Instant = TestClock<Duration>.Instant

  private struct Sleep {
    let id: Int
    let deadline: Instant
    let continuation: AsyncStream<Never>.Continuation
  }

  private struct State {
    var now = Instant()
    var sleeps: [Sleep] = []
    var nextID = 0
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock(\.now) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let (end, continuation) = AsyncStream.makeStream(of: Never.self)
    let id = state.withLock { state -> Int? in
      guard deadline >= state.now else { return nil }
      state.nextID += 1
      state.sleeps.append(Sleep(id: state.nextID, deadline: deadline, continuation: continuation))
      return state.nextID
    }
    guard let id else { return }
    for await _ in end {}
    state.withLock { $0.sleeps.removeAll { $0.id == id } }
    try Task.checkCancellation()
  }

  func advance(by duration: Duration) async {
    let target = now.advanced(by: duration)
    repeat { await megaYield() } while wakeNext(until: target)
    await megaYield()
  }

  private func wakeNext(until target: Instant) -> Bool {
    let due = state.withLock { state -> Sleep? in
      guard
        let next = state.sleeps.indices.min(by: {
          state.sleeps[$0].deadline < state.sleeps[$1].deadline
        }), state.sleeps[next].deadline <= target
      else {
        state.now = target
        return nil
      }
      state.now = state.sleeps[next].deadline
      return state.sleeps.remove(at: next)
    }
    due?.continuation.finish()
    return due != nil
  }

  private func megaYield() async {
    for _ in 0..<20 { await Task.detached(priority: .background) { await Task.yield() }.value }
  }
}
