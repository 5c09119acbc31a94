import CVirtualTime

#if os(Linux)
  import Glibc
#endif

/// The platform's part of the engine: how the jobs of tasks reach their scope.
protocol JobCapture {
  /// Whether sleeps and readings of the standard clocks reach the scope as well.
  static var virtualizesStandardClocks: Bool { get }

  /// Whether main-actor jobs reach the scope; else the main queue runs them between its slices.
  static var capturesMainActor: Bool { get }

  /// Whether the runtime tells of jobs, wherever they are enqueued and run, if the self-test succeeds.
  static var hasJobHooks: Bool { get }

  /// Whether queues and threads can be virtual.
  static var reachesQueues: Bool { get }

  /// Starts to capture jobs, for the rest of the process.
  static func install()

  /// Makes sure that tasks can be created as ``runSeeingHops(_:)`` needs them.
  static func prepareExploring()

  /// Runs a job of a scope on this thread.
  static func run(_ job: ReadyJob)

  /// The same, so that each hop of a task onto an actor is a job of its own, as far as possible.
  static func runSeeingHops(_ job: ReadyJob)

  /// Gives back a job that belongs to no scope.
  static func passOn(_ job: UnownedJob)

  /// The same with the job of a cancelled task, so that it gives its thread back now and then.
  static func passOnCancelled(_ job: UnownedJob)
}

extension JobCapture {
  /// Lets the caller of a scope go on, on another thread than its own, which does not come back.
  ///
  /// Its continuation has been resumed, which notes the result, and waits for the task to suspend.
  /// When the continuation was made, the runtime prepared the task to go on behind it. So the task
  /// is run as a job, as if it had suspended.
  static func resume(_ caller: UnsafeMutableRawPointer) {
    passOn(unsafeBitCast(caller, to: UnownedJob.self))
  }
}

#if os(Linux)
  /// The replaced executors, or the hook if `ESCAPEMENT_PORTABLE=1` is in the environment.
  ///
  /// The hook is what other platforms use. So tests on Linux can show how they would run there.
  enum Platform: JobCapture {
    private static let usesHook = getenv("ESCAPEMENT_PORTABLE").map { String(cString: $0) } == "1"

    static var virtualizesStandardClocks: Bool { !usesHook }
    static var capturesMainActor: Bool { !usesHook }
    static var hasJobHooks: Bool { !usesHook }
    static var reachesQueues: Bool { !usesHook }

    static func install() { usesHook ? EnqueueHook.install() : ReplacedExecutors.install() }

    static func prepareExploring() { if !usesHook { ReplacedExecutors.prepareExploring() } }

    @inline(__always) static func run(_ job: ReadyJob) {
      usesHook ? EnqueueHook.run(job) : ReplacedExecutors.run(job)
    }

    static func runSeeingHops(_ job: ReadyJob) {
      usesHook ? EnqueueHook.runSeeingHops(job) : ReplacedExecutors.runSeeingHops(job)
    }

    static func passOn(_ job: UnownedJob) {
      usesHook ? EnqueueHook.passOn(job) : ReplacedExecutors.passOn(job)
    }

    static func passOnCancelled(_ job: UnownedJob) {
      usesHook ? EnqueueHook.passOnCancelled(job) : ReplacedExecutors.passOnCancelled(job)
    }
  }
#else
  typealias Platform = EnqueueHook
#endif

extension UnownedSerialExecutor {
  /// The executor that stands for "no particular executor" in the runtime; it has no public
  /// spelling.
  static var generic: Self { unsafeBitCast((0, 0), to: Self.self) }
}
