import CVirtualTime
import Dispatch
import _EscapementCore

/// One virtual-time scope: its jobs, its timers and its time.
///
/// A scope is drained by one thread at a time, the main thread, in slices: see `Scope+Draining`.
/// Everything that other threads may touch is behind a lock or atomic.
final class Scope: @unchecked Sendable {
  // Sendable because what is not behind a lock is marked below and touched by the draining thread
  // only; slices are closures on the main queue, one after the other.

  let number: UInt32
  let options: VirtualTimeOptions
  let clocks: UnsafeMutablePointer<cvt_clocks>
  let state: Lock<ScopeState>
  let body = BodyTask()
  /// Called, once, when nothing of the scope is run by it any more.
  let whenFinished = Lock<(@Sendable () -> Void)?>(nil)
  let asideVisits = Lock(AsideVisits())
  /// What went wrong, to be reported where the scope was started.
  let problems = Lock<[Problem]>([])

  // MARK: Only the draining thread. That it is one is what exclusivity checks would find out.

  @exclusivity(unchecked) var ready = ReadyQueue()
  @exclusivity(unchecked) var live = LiveTasks()
  @exclusivity(unchecked) var patience: Patience
  @exclusivity(unchecked) var ending = Ending.notBegun
  /// The number of the body's task; whatever belongs to the scope was created later.
  @exclusivity(unchecked) var firstTask: UInt64 = .max
  /// How often the main queue was let through since a job last ran, where that is needed.
  @exclusivity(unchecked) var mainQueueRounds = 0
  /// Whether a look at the scope is due after it has waited for long.
  @exclusivity(unchecked) var isWatched = false
  /// Whether this slice runs aside, see `Scope+Aside`.
  @exclusivity(unchecked) var isAside = false
  /// The scope's own, since its thread may not come back.
  lazy var asideQueue = DispatchQueue(label: "escapement.aside")

  init(number: UInt32, options: VirtualTimeOptions) {
    self.number = number
    self.options = options
    clocks = cvt_clocks_of(number)
    state = Lock(ScopeState(options: options))
    patience = Patience(jobLimit: options.jobLimit)
  }

  var now: Nanoseconds { cvt_clocks_elapsed(clocks) }

  /// Makes the main thread drain the scope.
  func schedule() { DispatchQueue.main.async { self.drain() } }
}

// MARK: - Finding

extension Scope {
  /// The scope that runs the caller, if there is one.
  static var current: Scope? { onThisThread ?? Scopes.find(ofCurrentTask) }

  /// The number of the scope that the current task belongs to, as far as is known.
  static var ofCurrentTask: UInt32 {
    let owner = cvt_current_owner()
    return owner == 0 && !Platform.capturesMainActor ? inherited : owner
  }

  /// The number of the scope in which the current task was created.
  ///
  /// Only for main-actor tasks that could not be captured; detached ones do not have it.
  @TaskLocal static var inherited: UInt32 = 0

  /// The scope that this thread drains right now.
  @inline(__always) static var onThisThread: Scope? {
    cvt_thread_scope().map { Unmanaged<Scope>.fromOpaque($0).takeUnretainedValue() }
  }
}

// MARK: - Jobs

extension Scope {
  /// Takes a job that the scope's own code has enqueued, unless it belongs elsewhere.
  @inline(__always) func acceptHere(_ job: UnownedJob, onMain: Bool) -> Bool {
    let pointer = job.pointer
    guard cvt_is_task(pointer) else {
      // An actor that has work, or a yield. The scope has given it, so it is done here.
      if patience.isWatching { patience.note(.current) }
      ready.append(ReadyJob(job, onMain: onMain))
      return true
    }
    let id = cvt_task_id(pointer)
    guard let task = cvt_task_record(id, true) else { return false }
    if cvt_owner(task) != number {
      // What is new was created here, and belongs to the scope.
      guard cvt_owner(task) == 0, id > firstTask else { return false }
      cvt_set_owner(task, number)
      if cvt_is_unstructured(pointer), Scope.seesCompletion { live.insert(pointer) }
    }
    makeReady(ReadyJob(job, onMain: onMain), task)
    return true
  }

  /// Takes a job of the scope that another thread has enqueued.
  func acceptFromElsewhere(_ job: UnownedJob, onMain: Bool) {
    if state.withLock({ $0.add(ReadyJob(job, onMain: onMain)) }) { schedule() }
  }

  @inline(__always) func makeReady(_ job: ReadyJob, _ task: UnsafeMutablePointer<cvt_task>) {
    let timer = cvt_timer(task)
    if timer != 0 { endCancelledSleep(task, timer) }
    if patience.isWatching { patience.note(.current) }
    ready.append(job)
  }

  /// Takes out the timer of a task that runs although its deadline has not come.
  ///
  /// The runtime leaves the job of a cancelled sleep where it was enqueued, until its deadline. Here
  /// it would be a deadline at which nothing happens. It is run at once, to free what it holds.
  private func endCancelledSleep(_ task: UnsafeMutablePointer<cvt_task>, _ timer: UInt32) {
    cvt_set_timer(task, 0)
    if let realSleep = endRealSleep(timer) {
      if let job = realSleep { ready.append(ReadyJob(endingSleep: job)) }
      return
    }
    let cancelled = state.withLock { state in
      state.timers.token(atSlot: timer - 1).flatMap { state.timers.remove($0) }
    }
    guard let cancelled, case .job(let job) = cancelled.wakeup else { return }
    cancelled.releaseTask()
    ready.append(ReadyJob(endingSleep: job))
  }

  /// Arms a sleep of a standard clock for the task that runs; `job` ends it.
  func arm(_ job: UnownedJob, until deadline: Nanoseconds) {
    let timer = SleepTimer(.job(job), armedAt: now)
    timer.retainTask()
    guard arm(timer, until: deadline) == nil else { return }
    timer.releaseTask()
    Platform.passOn(job)
  }

  /// Arms a timer, unless the scope has ended.
  func arm(_ timer: SleepTimer, until deadline: Nanoseconds) -> TimerToken? {
    let name = cvt_current_task_name()
    let armed = state.withLock { state in
      let armed = state.arm(timer, until: deadline, name: name.map(String.init(cString:)))
      // Under the lock, since the timer may fire on another thread as soon as it is free.
      if let armed, case .job = timer.wakeup, let task = timer.task {
        cvt_task_record(cvt_task_id(task), true).map { cvt_set_timer($0, armed.token.slot + 1) }
      }
      return armed
    }
    if armed?.mustDrain == true { schedule() }
    return armed?.token
  }

  func bodyWasCreated(as task: UnsafeMutableRawPointer, id: UInt64) {
    firstTask = id
    state.withLock { $0.body = task }
  }

  /// The body has ended; said by its task.
  func bodyEnded() {
    if state.withLock({ $0.bodyIsOver() }) { schedule() }
  }
}
