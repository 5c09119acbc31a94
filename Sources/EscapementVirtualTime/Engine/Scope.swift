import CReach
import CVirtualTime
import Dispatch
import EscapementClocks
import _EscapementCore

/// One virtual-time scope: its jobs, its timers and its time.
///
/// A scope is drained by one thread at a time, which has its baton: see `Scope+Draining`.
/// Everything that other threads may touch is behind a lock or atomic.
final class Scope: @unchecked Sendable {
  // Sendable because all is constant or behind a lock, but for `draining`: the thread touches it
  // that has the baton, which is taken and laid down under the lock of the state.

  let number: UInt32
  /// The test, or the place in the source code, that has started the scope.
  let name: String
  let options: VirtualTimeOptions
  let clocks: UnsafeMutablePointer<cvt_clocks>
  /// How many jobs have begun to run.
  let jobsBegun: UnsafeMutablePointer<cvt_counter>
  /// Whether the order of jobs and sleepers follows a schedule; see `Scope+Exploring`.
  let isExploring: Bool
  /// Records what happens, if that is wanted.
  let recorder: TimelineRecorder?
  let body = BodyTask()
  let caller = Lock(Caller())
  let reports = ScopeReports()
  let state: Lock<ScopeState>
  /// Unchecked, since that the thread has the baton is what exclusivity checks would find out.
  @exclusivity(unchecked) var draining: Draining

  init(number: UInt32, name: String, options: VirtualTimeOptions) {
    self.number = number
    self.name = name
    let options = cvt_is_sanitized() ? options.underThreadSanitizer : options
    self.options = options
    clocks = cvt_clocks_of(number)
    jobsBegun = cvt_jobs_of(number)
    isExploring = options.exploredRun != nil
    recorder = options.recorder ?? (options.wantsTimeline ? TimelineRecorder() : nil)
    state = Lock(ScopeState(options: options))
    draining = Draining(options)
  }

  /// The task that waits for the scope.
  struct Caller {
    var task: UnsafeMutableRawPointer?
    /// Called, once, when nothing of the scope is run by it any more.
    var whenFinished: (@Sendable (Life.Body) -> Void)?
  }

  /// The scope's time, until it ends.
  var now: Nanoseconds { cvt_clocks_elapsed(clocks) }

  /// The scope's time, also when it has ended and another scope has its clocks.
  var nowOrAtEnd: Nanoseconds {
    let elapsed = now
    return cvt_clocks_are_taken(clocks, number) ? elapsed : state.withLock({ $0.time.now })
  }
}

// MARK: - Finding

extension Scope {
  /// The scope that the code on this thread belongs to, if there is one.
  static var current: Scope? {
    let owner = cvt_current_scope()
    if let here = onThisThread, here.number == owner { return here }
    return Scopes.find(owner == 0 && !Platform.capturesMainActor ? inherited : owner)
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
  /// Takes a job of the scope that another thread has enqueued.
  func acceptFromElsewhere(_ job: ReadyJob) {
    if state.withLock({ $0.add(job) }) { handOver(to: job.isOnMain ? .main : nil) }
  }

  /// Takes a job on the thread that drains the scope.
  @inline(__always) func makeReady(_ job: ReadyJob, _ task: UnsafeMutablePointer<cvt_task>?) {
    if let task, cvt_timer(task) != 0 { endCancelledSleep(task) }
    if draining.patience.isWatching { draining.patience.note(.current) }
    // A task of the runtime's own ends a sleep.
    if let recorder, task != nil, job.kind != .resumption, job.kind != .arrival {
      recorder.ready(job.pointer, at: now)
    }
    draining.ready.append(isExploring ? withCandidate(job) : job)
  }

  /// Takes out the timer of a task that runs although its deadline has not come.
  ///
  /// The runtime leaves the job of a cancelled sleep where it was enqueued, until its deadline.
  /// Here it would be a deadline at which nothing happens. It is run at once, to free what it
  /// holds.
  func endCancelledSleep(_ task: UnsafeMutablePointer<cvt_task>) {
    let timer = cvt_timer(task)
    cvt_set_timer(task, 0)
    let cancelled = state.withLock { $0.time.endSleep(timer) }
    guard let (job, timer) = cancelled else { return }
    if let timer { recorder?.sleepCancelled(timer.task, at: now) }
    timer?.releaseTask()
    acceptFromElsewhere(ReadyJob(endingSleep: job))
  }

  /// Lets the task that runs sleep until a deadline; `job` ends the sleep.
  func sleep(
    until deadline: Nanoseconds, tolerance: Duration?, on clock: SleepClock,
    endedBy job: UnownedJob
  ) {
    let deadline = late(deadline, tolerance)
    let timer = SleepTimer(.job(job), on: clock, armedAt: now)
    let record = timer.task.flatMap { cvt_task_record(cvt_task_id($0), true) }
    if let record, cvt_timer(record) != 0 { endCancelledSleep(record) }
    timer.retainTask()
    guard arm(timer, of: record, until: deadline) != nil else {
      timer.releaseTask()
      return Platform.passOn(job)
    }
    // Either this or the thread that cancels the task sees what the other has done.
    if let task = timer.task, let record, cvt_is_cancelled(task) { setSleepAside(of: record) }
  }

  /// Arms a timer, unless the scope has ended.
  ///
  /// - Parameter record: That of the task, if a job of the runtime's own ends its sleep.
  func arm(
    _ timer: SleepTimer, of record: UnsafeMutablePointer<cvt_task>? = nil,
    until deadline: Nanoseconds, isOfVisitor: Bool = false
  ) -> TimerToken? {
    let name = cvt_current_task_name().map(String.init(cString:))
    var observers: [(UnsafeContinuation<SleepObservers.Sleep?, Never>, SleepObservers.Sleep)]?
    let armed = state.withLock { state in
      let armed = state.arm(timer, until: deadline, name: name, isOfVisitor: isOfVisitor)
      if !state.time.sleepers.observers.isEmpty, armed != nil {
        observers = state.time.sleepers.observers.note(
          SleepingTask(timer, until: deadline, name: name))
      }
      // Under the lock, since the timer may fire on another thread as soon as it is free.
      if let armed, let record { cvt_set_timer(record, armed.token.rawValue) }
      return armed
    }
    if let observers {
      for (observer, sleep) in observers { observer.resume(returning: sleep) }
    }
    if let task = timer.task {
      recorder?.slept(task, until: deadline, name: name, at: timer.armedAt)
    }
    if armed?.mustDrain == true { handOver() }
    return armed?.token
  }

  /// A task that is not a child was created in the scope.
  func taskWasCreated(_ task: UnsafeMutableRawPointer, isBody: Bool) {
    recorder?.created(task, isBody: isBody, at: now)
    if isBody {
      state.withLock { $0.body = task }
    } else if Scope.seesCompletion {
      // A visit beside real queues has the number of the scope, and does not drain it.
      if Scope.onThisThread === self, cvt_baton_try_keep() {
        if draining.live.insert(task) { draining.patience.isExceeded(by: .tasks) }
        cvt_baton_release()
      } else {
        _ = Unmanaged<AnyObject>.fromOpaque(task).retain()
        state.withLock { $0.newTasks.append(task) }
      }
    }
  }

  /// The unstructured tasks that have not completed, as far as is known, oldest first.
  func livingTasks() -> [UnsafeMutableRawPointer] {
    for task in state.withLock({ $0.takeNewTasks() }) {
      if draining.live.insert(task) { draining.patience.isExceeded(by: .tasks) }
      Unmanaged<AnyObject>.fromOpaque(task).release()
    }
    return draining.live.remaining()
  }

  /// Makes sure that a thread looks at the scope.
  func wakeUp() {
    if state.withLock({ $0.startDraining() }) { handOver() }
  }

  func openHold(of task: UnsafeMutableRawPointer? = nil, by opener: TaskDescription? = nil) {
    if state.withLock({ $0.openHold(of: task, by: opener) }) { handOver() }
  }

  func closeHold(of task: UnsafeMutableRawPointer? = nil, by opener: TaskDescription? = nil) {
    if state.withLock({ $0.closeHold(of: task, by: opener) }) { handOver() }
  }

  /// The body has ended, its task says.
  func endBody() {
    recorder?.current(.bodyEnded, at: now)
    if state.withLock({ $0.endBody() }) { handOver() }
  }
}
