#if os(Linux)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  /// `Task.sleep` without any time: an executor that takes what ends a sleep for due at once, and runs
  /// jobs one after the other.
  ///
  /// What a bare sleep costs here is the Swift runtime's own, and no virtual time can cost less.
  struct BareSleepFloor {
    private let shape: Shape

    init(_ shape: Shape) { self.shape = shape }

    func run() {
      let (executor, sleeps) = (Executors.global, shape.sleeps)
      for index in 0..<shape.tasks {
        executor.startTask {
          var durations = SleepDurations(ofTask: index)
          for _ in 0..<sleeps { try? await Task.sleep(for: durations.next()) }
        }
      }
      executor.runAll()
    }
  }

  private enum Executors: ExecutorFactory {
    static let global: ImmediateExecutor = {
      let executor = ImmediateExecutor(passingOnTo: Task.defaultExecutor)
      main = MainActor.executor
      replacement = executor
      _createExecutors(factory: Executors.self)
      return executor
    }()

    // Written once, before the runtime asks.
    nonisolated(unsafe) private static var main: (any MainExecutor)?
    nonisolated(unsafe) private static var replacement: ImmediateExecutor?

    static var mainExecutor: any MainExecutor { main! }
    static var defaultExecutor: any TaskExecutor { replacement! }
  }

  private final class ImmediateExecutor: TaskExecutor, SchedulingExecutor, @unchecked Sendable {
    // Sendable because only the thread that measures touches the jobs: nothing else runs meanwhile.

    private let base: any TaskExecutor
    private var isMeasuring = false
    private var jobs: [UnownedJob] = []

    init(passingOnTo base: any TaskExecutor) { self.base = base }

    func startTask(_ body: @escaping @Sendable @concurrent () async -> Void) {
      isMeasuring = true
      Task.detached(operation: body)
    }

    func runAll() {
      while !jobs.isEmpty {
        let ready = jobs
        jobs.removeAll(keepingCapacity: true)
        for job in ready {
          job.runSynchronously(on: unsafeBitCast((0, 0), to: UnownedSerialExecutor.self))
        }
      }
      isMeasuring = false
    }

    func enqueue(_ job: consuming ExecutorJob) {
      if isMeasuring { jobs.append(UnownedJob(job)) } else { base.enqueue(job) }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      enqueue(job)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      enqueue(job)
    }
  }
#endif
