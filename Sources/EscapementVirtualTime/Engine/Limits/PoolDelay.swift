import _EscapementCore

/// How long work waits in the queue of the thread pool, and then in that of the workers.
///
/// What a scope waits for may be behind much other work in that queue, more than once: a reply goes
/// through several tasks, or another scope. So a wait counts less while the queue is slow.
struct PoolDelay {
  /// A queue that has not moved on for so long never does: all threads of the pool are blocked.
  static let longest: Nanoseconds = 600_000_000_000

  private var last: Nanoseconds = 0
  private var sentAt: Nanoseconds?

  /// Returns whether to put a block into the queue, which calls `arrive`.
  mutating func send(at now: Nanoseconds) -> Bool {
    guard sentAt == nil else { return false }
    sentAt = now
    return true
  }

  /// The block has begun to run.
  mutating func arrive(at now: Nanoseconds) {
    last = sentAt.map { now - $0 } ?? last
    sentAt = nil
  }

  /// How long work waits in the queue at present; 0 if for ever, which is no reason for a scope to
  /// wait.
  func delay(at now: Nanoseconds) -> Nanoseconds {
    let waiting = sentAt.map { now - $0 } ?? 0
    return waiting < Self.longest ? max(last, waiting) : 0
  }

  /// How much a wait counts while work waits in the queue for so long, from 0 to 1.
  ///
  /// At most 1/16 of the limit counts for each time that the queue moves on.
  static func weight(of limit: Nanoseconds, with delay: Nanoseconds) -> Double {
    let quick = min(limit / 16, 50_000_000)
    return delay <= quick ? 1 : Double(quick) / Double(delay)
  }
}
