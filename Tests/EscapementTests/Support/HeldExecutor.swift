import TestSupport
import _EscapementCore

/// The executor of an actor that is busy while a test holds it.
///
/// While it is not held, it runs each job at once, on the thread that enqueues the job. A test must
/// not use the actor from two threads at once.
final class HeldExecutor: SerialExecutor {
  private let state = Lock<(isHeld: Bool, jobs: [UnownedJob])>((false, []))
  /// One entry for each job that came while the executor was held.
  let held = Log<Void>()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isHeld = state.withLock { state in
      if state.isHeld { state.jobs.append(job) }
      return state.isHeld
    }
    if isHeld { held.append(()) } else { run(job) }
  }

  func hold() {
    state.withLock { $0.isHeld = true }
  }

  /// Runs the jobs that have come, in their order.
  func release() {
    let jobs = state.withLock { state in
      defer { state = (false, []) }
      return state.jobs
    }
    for job in jobs { run(job) }
  }

  private func run(_ job: UnownedJob) {
    job.runSynchronously(on: asUnownedSerialExecutor())
  }
}
