import CVirtualTime

/// A job that can run now.
struct ReadyJob {
  let job: UnownedJob
  /// Whether it needs the main actor.
  let onMain: Bool
  /// Whether it is a task of its own, which the scope looks after.
  let isUnstructured: Bool

  @inline(__always) init(_ job: UnownedJob, onMain: Bool) {
    self.job = job
    self.onMain = onMain
    isUnstructured = cvt_is_task(job.pointer) && cvt_is_unstructured(job.pointer)
  }

  /// The runtime's object behind the job.
  @inline(__always) var pointer: UnsafeMutableRawPointer { job.pointer }

  /// A job of the runtime's own that ends a sleep; it is a task, and gone when it has run.
  @inline(__always) init(endingSleep job: UnownedJob) {
    self.job = job
    onMain = false
    isUnstructured = false
  }
}

extension UnownedJob {
  /// The runtime's object behind the job.
  @inline(__always) var pointer: UnsafeMutableRawPointer {
    unsafeBitCast(self, to: UnsafeMutableRawPointer.self)
  }
}
