import Dispatch

/// A serial executor on a dispatch queue of its own.
final class QueueExecutor: SerialExecutor {
  /// Submits what runs a job.
  typealias Submit = @Sendable (DispatchQueue, _ run: @escaping @Sendable () -> Void) -> Void

  let queue: DispatchQueue
  private let submit: Submit

  init(
    _ queue: DispatchQueue = DispatchQueue(label: "executor of a test"),
    submit: @escaping Submit = { $0.async(execute: $1) }
  ) {
    self.queue = queue
    self.submit = submit
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    submit(queue) { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Returns when all jobs that were enqueued before have run.
  func finishJobs() { queue.sync {} }
}

/// A task executor on a dispatch queue of its own.
final class QueueTaskExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "task executor of a test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
