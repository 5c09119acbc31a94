import Dispatch
import Synchronization

/// Blocks of a concurrent queue pass an item on, each to the next place; it comes to the end only
/// if they run in the reverse of the order in which they were submitted.
///
/// Source: Chistikov, Majumdar, Niksic: *Hitting Families of Schedules for Asynchronous Programs*
/// (CAV 2016).
@concurrent func pipeline() async throws {
  let place = Place()
  let group = DispatchGroup()
  for stage in (0..<6).reversed() {
    DispatchQueue.global().async(group: group) { place.pass(from: stage) }
  }
  await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
  try check(place.current < 6)
}

/// The place of the item, under a lock.
private final class Place: Sendable {
  private let value = Mutex(0)

  var current: Int { value.withLock(\.self) }

  func pass(from stage: Int) { value.withLock { if $0 == stage { $0 += 1 } } }
}
