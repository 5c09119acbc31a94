/// Jobs that can run now, first come first served.
///
/// A ring that doubles when it is full, in memory of its own: an array would look on every access
/// whether it is shared.
struct ReadyQueue: ~Copyable {
  private var jobs = UnsafeMutablePointer<ReadyJob>.allocate(capacity: 16)
  private var mask = 15
  /// These count on without end; their difference is the number of jobs.
  private var head = 0
  private var tail = 0

  @inline(__always) mutating func append(_ job: ReadyJob) {
    if tail - head > mask { grow() }
    (jobs + (tail & mask)).initialize(to: job)
    tail += 1
  }

  @inline(__always) var first: ReadyJob? { head < tail ? jobs[head & mask] : nil }

  @discardableResult
  @inline(__always) mutating func popFirst() -> ReadyJob? {
    guard let first else { return nil }
    head += 1
    return first
  }

  mutating func removeAll() { head = tail }

  var count: Int { tail - head }

  /// The job that is so many places behind the first one.
  subscript(place: Int) -> ReadyJob { jobs[(head + place) & mask] }

  /// Makes a job the first one; the others keep their order.
  mutating func bringForward(_ place: Int) {
    let job = self[place]
    var place = place
    while place > 0 {
      jobs[(head + place) & mask] = jobs[(head + place - 1) & mask]
      place -= 1
    }
    jobs[head & mask] = job
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<ReadyJob>.allocate(capacity: 2 * (mask + 1))
    for index in head..<tail {
      (larger + (index & (2 * mask + 1))).initialize(to: jobs[index & mask])
    }
    jobs.deallocate()
    jobs = larger
    mask = 2 * mask + 1
  }

  deinit { jobs.deallocate() }
}
