import _EscapementCore

/// How long work waits in the queue of the thread pool, and then in that of the lanes.
///
/// What a scope waits for may be behind much other work in that queue, more than once: a reply goes
/// through several tasks, or another scope. So a wait counts less while the queue is slow.
struct PoolDelay {
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

  /// How long work waits in the queue at present.
  func delay(at now: Nanoseconds) -> Nanoseconds {
    max(last, sentAt.map { now - $0 } ?? 0)
  }

  /// How much a wait counts while work waits in the queue for so long, from 0 to 1.
  ///
  /// At most 1/64 of the limit counts for each time that the queue moves on. All threads of the pool may
  /// be blocked for ever. So the limit is reached after a minute, or 32 times the limit if that is longer.
  static func weight(of limit: Nanoseconds, with delay: Nanoseconds) -> Double {
    let quick = min(limit / 64, 50_000_000)
    if delay <= quick { return 1 }
    let least = min(1.0 / 32, Double(limit) / 60_000_000_000)
    return max(least, Double(quick) / Double(delay))
  }
}
