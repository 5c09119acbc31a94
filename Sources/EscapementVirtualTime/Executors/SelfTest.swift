import CVirtualTime
import Dispatch
import IssueReporting
import _EscapementCore

/// Checks, when the first scope starts, the assumptions of the engine about the inside of the
/// runtime.
enum SelfTest {
  /// The first call runs the self-test; later ones wait for it.
  static func run() async {
    if cvt_get(cvt_self_test_is_over) != 0 { return }
    await tests.value
  }

  private static let tests = Task.detached {
    await Scope.checkThatCompletionIsSeen()
    StreamWaits.learn()
    // No Apple platform has the hooks, however new it is.
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *), Platform.hasJobHooks {
      cvt_install_job_hooks()
      cvt_self_test_begins()
      cvt_self_test_ends(
        await withUnsafeContinuation { continuation in
          let executor = SelfTestExecutor(continuation)
          Task.detached(executorPreference: executor) { withExtendedLifetime(executor) {} }
        })
      if !cvt_sees_jobs() { warn() }
    }
    Reach.runSelfTest()
    cvt_set(cvt_self_test_is_over, 1)
  }

  private static func warn() {
    warn(
      """
      Virtual time cannot see on this runtime when a job ends on another thread. A task of a scope \
      that waits for an actor which is busy elsewhere, or which has an executor of its own, does not \
      hold time.

      Put such calls into 'hold { }', or link the standard library dynamically.
      """)
  }

  /// Shows a warning that belongs to no test: IssueReporting would give it to XCTest, which fails a
  /// test for it, or is not there.
  static func warn(_ message: String) {
    SourceLocation(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
      .reportIssue(message, severity: .warning)
  }
}

/// Looks whether the hooks see the one job that it gets: enqueued here, run on another thread.
///
/// Not the executor of an actor, since the compiler leaves out a hop after which nothing happens.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class SelfTestExecutor: TaskExecutor {
  private let continuation: UnsafeContinuation<Bool, Never>

  init(_ continuation: UnsafeContinuation<Bool, Never>) { self.continuation = continuation }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isSeen = cvt_last_enqueued() == UnsafeRawPointer(job.pointer)
    // Tells tasks from other objects of the runtime.
    let taskClass = job.pointer.load(as: Int.self)
    DispatchQueue.global().async {
      cvt_self_test_expects(job.pointer)
      job.runSynchronously(on: .generic)
      let isRun = cvt_self_test_saw_run(job.pointer, UnsafeRawPointer(bitPattern: taskClass)!)
      self.continuation.resume(returning: isSeen && isRun)
    }
  }
}
