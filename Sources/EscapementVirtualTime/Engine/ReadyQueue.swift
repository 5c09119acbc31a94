/// Jobs that can run now, first come first served.
///
/// Two arrays that swap: one fills while the other empties, so that no element ever moves.
struct ReadyQueue {
  private var filling: ContiguousArray<ReadyJob> = []
  private var emptying: ContiguousArray<ReadyJob> = []
  private var next = 0

  @inline(__always) mutating func append(_ job: ReadyJob) { filling.append(job) }

  @inline(__always) mutating func popFirst() -> ReadyJob? {
    if next == emptying.count {
      guard !filling.isEmpty else { return nil }
      emptying.removeAll(keepingCapacity: true)
      swap(&filling, &emptying)
      next = 0
    }
    defer { next += 1 }
    return emptying[next]
  }

  mutating func removeAll() { self = ReadyQueue() }
}
