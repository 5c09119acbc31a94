import CVirtualTime
import Dispatch
import IssueReporting
import Synchronization

/// Tries, when the first scope starts, what the engine assumes about the inside of the runtime.
enum Trial {
  private static let isDone = Atomic<Bool>(false)

  /// The first call tries; later ones wait for it.
  static func run() async {
    if isDone.load(ordering: .acquiring) { return }
    await trial.value
  }

  private static let trial = Task.detached {
    await Scope.checkThatCompletionIsSeen()
    if Platform.hasJobHooks {
      cvt_install_job_hooks()
      cvt_trial_begins()
      cvt_trial_ends(
        await withUnsafeContinuation { continuation in
          let visited = Visited(executor: TrialExecutor(continuation))
          Task.detached { await visited.visit() }
        })
      if !cvt_sees_jobs() { warn() }
    }
    isDone.store(true, ordering: .releasing)
  }

  private static func warn() {
    reportIssue(
      """
      Virtual time cannot see on this runtime when a job ends on another thread. A task of a scope \
      that waits for an actor which is busy elsewhere, or which has an executor of its own, does not \
      hold time.

      Put such calls into 'hold { }', or link the standard library dynamically.
      """, severity: .warning)
  }
}

/// An actor with an executor of its own.
private actor Visited {
  let executor: TrialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(executor: TrialExecutor) { self.executor = executor }

  func visit() {}
}

/// Looks whether the hooks see the one job that it gets: enqueued here, run on another thread.
private final class TrialExecutor: SerialExecutor {
  private let continuation: UnsafeContinuation<Bool, Never>

  init(_ continuation: UnsafeContinuation<Bool, Never>) { self.continuation = continuation }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isSeen = cvt_trial_saw_enqueue(job.pointer)
    // Tells tasks from other objects of the runtime.
    let taskClass = Int(bitPattern: cvt_class_of(job.pointer))
    DispatchQueue.global().async {
      cvt_trial_expects(job.pointer)
      job.runSynchronously(on: self.asUnownedSerialExecutor())
      let isRun = cvt_trial_saw_run(job.pointer, UnsafeRawPointer(bitPattern: taskClass)!)
      self.continuation.resume(returning: isSeen && isRun)
    }
  }
}
