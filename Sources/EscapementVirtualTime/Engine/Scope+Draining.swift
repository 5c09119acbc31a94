import CVirtualTime
import Dispatch
import _EscapementCore

/// How many jobs a scope runs before it lets others use the main thread.
private let jobsPerSlice = 256

/// Why a slice ended.
enum SliceEnd {
  /// The slice was long enough.
  case unfinished
  /// What is next has to run on the other thread, see `Scope+Aside`.
  case elsewhere
  /// The scope waits for somebody outside.
  case parked
  /// Nothing is left.
  case ended
}

extension Scope {
  /// Runs what is ready, then decides what happens next, until the scope has to wait.
  func drain() {
    isAside = false
    proceed(after: drainSlice())
  }

  /// Goes on, in real time, after a slice.
  func proceed(after end: SliceEnd) {
    switch end {
    case .unfinished:
      limitJobsAfterBody()
      if isAside { scheduleAside() } else { schedule() }
    case .elsewhere:
      if isAside { schedule() } else { scheduleAside() }
    case .parked: watch()
    case .ended: finish()
    }
  }

  private func enter() {
    var thread = cvt_thread_state()
    thread.scope = Unmanaged.passUnretained(self).toOpaque()
    thread.clocks = clocks
    thread.number = number
    thread.host = cvt_current_task()
    cvt_thread_set_state(thread)
  }

  func drainSlice() -> SliceEnd {
    // There may be a scope around this, when its code runs the main queue itself, as a run loop does.
    let outer = cvt_thread_state()
    enter()
    defer { cvt_thread_set_state(outer) }
    var budget = jobsPerSlice
    while true {
      while let job = ready.first {
        if belongsElsewhere(job) { return .elsewhere }
        if budget == 0 { return .unfinished }
        budget -= 1
        ready.popFirst()
        run(job)
      }
      if !Platform.capturesMainActor, mainQueueRounds < 4 {
        // What is still to run on the main actor is in the main queue, ahead of the next slice.
        mainQueueRounds += 1
        return .unfinished
      }
      if let end = proceed() { return end }
    }
  }

  private func run(_ job: ReadyJob) {
    guard patience.allowsJob() || tolerateMoreJobs() else { return drop(job) }
    cvt_thread_set_job(job.pointer)
    Platform.run(job)
    if !Platform.capturesMainActor { mainQueueRounds = 0 }
    if job.isUnstructured, Scope.seesCompletion { live.didRun(job.pointer) }
  }

  /// Takes the next step; returns why the slice ends, if it does.
  private func proceed() -> SliceEnd? {
    // Counted under the lock, so that the thread on which the count falls to 0 finds the scope parked.
    let (step, now) = state.withLock { ($0.next(isUnderway: isUnderwayElsewhere), $0.now) }
    if now != self.now {
      cvt_clocks_set_elapsed(clocks, now)
      patience.timeMoved()
    }
    switch step {
    case .run(let jobs):
      for job in jobs { takeIn(job) }
    case .wake(let timer):
      wake(timer)
    case .resume(let driver, let outcome):
      driver.continuation.resume(returning: outcome)
    case .ask(let step, let driver):
      if !step() { state.withLock { $0.stepsAreDone(of: driver) } }
    case .askOutside(let outsiders):
      for outsider in outsiders { outsider.ask() }
    case .tooManyEvents:
      tooManyEvents()
    case .bodyIsOver:
      return cancelLeftovers() ? nil : .ended
    case .park:
      return .parked
    }
    return nil
  }

  /// Whether a task of the scope is enqueued or running on another thread, as far as is seen.
  private var isUnderwayElsewhere: Bool { cvt_sees_jobs() && cvt_underway(number) > 0 }

  /// Takes a job that another thread has enqueued.
  private func takeIn(_ job: ReadyJob) {
    let isTask = cvt_is_task(job.pointer)
    makeReady(job, isTask ? cvt_task_record(cvt_task_id(job.pointer), false) : nil)
  }

  private func wake(_ timer: SleepTimer) {
    switch timer.wakeup {
    case .job(let job):
      if let task = timer.task {
        cvt_task_record(cvt_task_id(task), false).map { cvt_set_timer($0, 0) }
      }
      timer.releaseTask()
      run(ReadyJob(endingSleep: job))
    case .sleeper(let sleeper):
      sleeper.continuation?.resume()
    }
  }
}
