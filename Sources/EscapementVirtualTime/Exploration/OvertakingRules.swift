import CReach

/// Which ready jobs must not overtake others, given them in their order.
struct OvertakingRules {
  private var hasMain = false
  /// The queues that have blocks, and whether one of these is exclusive.
  private var queues: [UnsafeRawPointer: Bool] = [:]
  /// The queue of the latest job, which most often is that of the next one as well.
  private var latest: (queue: UnsafeRawPointer, isExclusive: Bool)?

  /// Whether the next job may overtake all that were given before.
  mutating func allows(_ job: ReadyJob) -> Bool {
    if job.isOnMain {
      defer { hasMain = true }
      return !hasMain
    }
    guard let entry = job.entry, let queue = entry.pointee.queue else { return true }
    let isExclusive = entry.pointee.is_exclusive
    let former = latest?.queue == queue ? latest?.isExclusive : queues[queue]
    let isNow = former == true || isExclusive
    if former != isNow { queues[queue] = isNow }
    latest = (queue, isNow)
    return former == nil || former == false && !isExclusive
  }
}
