#if os(Linux)
  import CVirtualTime
  @_spi(ExperimentalCustomExecutors) import _Concurrency
  import _EscapementCore

  // When the first scope starts, `ReplacedExecutors` puts objects of its own in the places of both,
  // through the runtime's interface for custom executors (`_createExecutors`). They keep the
  // originals, and pass on what belongs to no scope. This is done late and not at launch, so that a
  // process that links the library and starts no scope keeps its executors. It is never undone: the
  // runtime keeps the executors in plain variables, which are read by all threads.
  //
  // Sleeps arrive the same way. `Task.sleep` and the `sleep` of the standard clocks make a job of
  // the runtime's own, which ends the sleep, and enqueue it at an executor *with a deadline*. In a
  // scope that job goes into the scope's timer queue.

  /// Captures jobs by standing in for the executors of the process.
  ///
  /// The runtime asks two objects to run jobs: the default executor, and the main actor's. These
  /// take their places, once and for the rest of the process, and pass on all that belongs to no
  /// scope.
  enum ReplacedExecutors: JobCapture, ExecutorFactory {
    static let global = GlobalExecutor(passingOnTo: Task.defaultExecutor)
    static let main = MainExecutor(passingOnTo: MainActor.executor)

    /// One that no task has chosen, and not the default.
    ///
    /// The runtime enqueues a task that runs on it at every call of a concurrent function.
    /// Elsewhere a loop like `while true { try? await Task.sleep(...) }`, once it is cancelled,
    /// would never give its thread back.
    private static let unchosen = GlobalExecutor(passingOnTo: global)

    /// The one that tasks prefer while schedules are explored, so that the runtime enqueues the
    /// actor at every hop onto it.
    private static let explorer = {
      let explorer = GlobalExecutor(passingOnTo: global)
      cvt_set_explorer(unsafeBitCast(explorer.asUnownedTaskExecutor(), to: cvt_executor.self))
      return explorer
    }()

    /// Where tasks wait, while schedules are explored, until they may go to the actor that they
    /// call.
    ///
    /// It keeps those that must not go on after their scope.
    private static let waitingRoom = {
      let waitingRoom = WaitingRoom()
      cvt_set_waiting_room(
        unsafeBitCast(waitingRoom.asUnownedSerialExecutor(), to: cvt_executor.self))
      return waitingRoom
    }()

    static var mainExecutor: any _Concurrency.MainExecutor { main }
    static var defaultExecutor: any TaskExecutor { global }

    static var virtualizesStandardClocks: Bool { true }
    static var capturesMainActor: Bool { true }
    static var hasJobHooks: Bool { true }
    static var reachesQueues: Bool { true }

    static func install() { _ = installed }

    // When the first scope starts, and not before: the runtime may not have asked for them yet, and
    // what uses this library without a scope stays as it was.
    private static let installed: Void = {
      _ = global
      _ = main
      _ = waitingRoom
      _createExecutors(factory: ReplacedExecutors.self)
    }()

    @inline(__always) static func run(_ job: ReadyJob) {
      if job.kind == .mainActor {
        job.job.runSynchronously(on: main.asUnownedSerialExecutor())
      } else if cvt_is_task(job.pointer), cvt_is_cancelled(job.pointer) {
        job.job.runSynchronously(on: unchosen.asUnownedTaskExecutor())
      } else {
        job.job.runSynchronously(on: .generic)
      }
    }

    static func prepareExploring() { _ = explorer }

    static func runSeeingHops(_ job: ReadyJob) {
      // The end of a sleep is a task of the runtime's own: to see it hop tells nothing.
      if job.kind == .mainActor || job.kind == .resumption
        || job.kind == .task && cvt_is_cancelled(job.pointer)
      {
        run(job)
      } else if cvt_sees_creation() {
        job.job.runSynchronously(on: explorer.asUnownedTaskExecutor())
      } else {
        job.job.runSynchronously(on: unchosen.asUnownedTaskExecutor())
      }
    }

    static func passOn(_ job: UnownedJob) { global.passOn(job) }

    static func passOnCancelled(_ job: UnownedJob) {
      exempt { global.runInPool(job, on: unchosen) }
    }
  }
#endif
