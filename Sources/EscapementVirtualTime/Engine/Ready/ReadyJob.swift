import CReach
import CVirtualTime

/// A job that can run now, or an entry that is not a task's.
struct ReadyJob {
  enum Kind: CaseIterable {
    /// A task on the main actor, or a job of the runtime's own there.
    case mainActor
    /// A task that is on no actor yet.
    case task
    /// A task that is about to go to an actor, while schedules are explored.
    case arrival
    /// An actor that has work.
    case actor
    /// A job of the runtime's own that only resumes a task: it ends a sleep or a yield.
    case resumption
    /// An entry that may run on any thread.
    case entry
    /// An entry that runs code of the user's, such as a block of a queue.
    case entryOnWorker
    /// The same on the main queue.
    case entryOnMain
    /// A thread that waits for the baton.
    case thread
  }

  let job: UnownedJob
  let kind: Kind
  /// Its number among the candidates, while schedules are explored.
  var candidate: UInt32 = 0

  @inline(__always) init(_ job: UnownedJob, onMain: Bool) {
    self.job = job
    let isTask = cvt_is_task(job.pointer)
    kind =
      onMain ? .mainActor : isTask ? .task : cvt_resumes_task(job.pointer) ? .resumption : .actor
  }

  @inline(__always) init(arriving job: UnownedJob) {
    self.job = job
    kind = .arrival
  }

  @inline(__always) init(endingSleep job: UnownedJob) {
    self.job = job
    kind = .resumption
  }

  @inline(__always) init(_ entry: UnsafeMutablePointer<rch_entry>) {
    job = unsafeBitCast(entry, to: UnownedJob.self)
    kind =
      switch entry.pointee.place {
      case rch_on_worker: .entryOnWorker
      case rch_on_main: .entryOnMain
      case rch_on_own_thread: .thread
      default: .entry
      }
  }

  /// The runtime's object behind the job.
  @inline(__always) var pointer: UnsafeMutableRawPointer { job.pointer }

  /// The entry, if the job is not a task's.
  @inline(__always) var entry: UnsafeMutablePointer<rch_entry>? {
    switch kind {
    case .mainActor, .task, .arrival, .actor, .resumption: nil
    case .entry, .entryOnWorker, .entryOnMain, .thread:
      pointer.assumingMemoryBound(to: rch_entry.self)
    }
  }

  /// Whether it runs on the main queue.
  @inline(__always) var isOnMain: Bool { kind == .mainActor || kind == .entryOnMain }

  /// The task that it is, or that it resumes, as far as that can be seen.
  var task: UnsafeMutableRawPointer? {
    if cvt_is_task(pointer) { return pointer }
    return cvt_resumes_task(pointer) ? cvt_resumed_task(pointer) : nil
  }

  /// Whether it is a task that is not a child, which the scope looks after.
  @inline(__always) var isUnstructured: Bool {
    switch kind {
    case .task: cvt_is_unstructured(pointer)
    case .mainActor: cvt_is_task(pointer) && cvt_is_unstructured(pointer)
    case .arrival, .actor, .resumption, .entry, .entryOnWorker, .entryOnMain, .thread: false
    }
  }
}

extension UnownedJob {
  /// The runtime's object behind the job.
  @inline(__always) var pointer: UnsafeMutableRawPointer {
    unsafeBitCast(self, to: UnsafeMutableRawPointer.self)
  }
}
