import CVirtualTime

// Where the executors cannot be replaced, as on Apple platforms, `EnqueueHook` uses the runtime's
// hook for enqueued jobs instead. It sees tasks, actors and groups, but neither sleeps nor
// main-actor jobs. Injected clocks are exact there; the standard ones stay real; main-actor jobs
// stay in the main queue, and the scope lets that run between its own jobs. Both are behind the
// protocol `JobCapture`. With `ESCAPEMENT_PORTABLE=1` in the environment, Linux uses it, too.

/// Captures jobs through the runtime's hook, where its executors cannot be replaced.
///
/// The hook sees tasks, actors and groups, but neither main-actor jobs nor sleeps: injected
/// clocks are exact, the standard ones stay real.
enum EnqueueHook: JobCapture {
  static var virtualizesStandardClocks: Bool { false }
  static var capturesMainActor: Bool { false }
  static var hasJobHooks: Bool { false }
  static var reachesQueues: Bool { false }

  static func install() { _ = installed }

  private static let installed: Void = {
    let isInstalled = cvt_hook_enqueue { job in
      Routing.take(unsafeBitCast(job, to: UnownedJob.self), onMain: false)
    }
    precondition(isInstalled, "this Swift runtime has no hook for enqueued jobs")
  }()

  @inline(__always) static func run(_ job: ReadyJob) { job.job.runSynchronously(on: .generic) }

  static func prepareExploring() {}

  static func runSeeingHops(_ job: ReadyJob) { run(job) }

  static func passOn(_ job: UnownedJob) { cvt_enqueue(job.pointer) }
  static func passOnCancelled(_ job: UnownedJob) { passOn(job) }
}
