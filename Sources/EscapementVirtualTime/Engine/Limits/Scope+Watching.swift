import CReach
import CVirtualTime
import _EscapementCore

// What happens when a scope waits, or a job of it runs, for too long in real time. The watchdog
// calls this, so nothing here may block: handlers of cancellations run on a thread of their own.

extension Scope {
  /// Whether a thread drains the scope.
  var isDrained: Bool { state.withLock({ $0.baton.thread }) != nil }

  /// Looks behind the scope's jobs that the hook does not see, in the pool's queues and the main
  /// queue.
  func lookBehindOthers(
    in pool: ArraySlice<TaskPriority> = [.high, .medium, .utility, .background]
  ) {
    guard let priority = pool.first else { return MainQueue.add { self.look() } }
    Task.detached(priority: priority) { self.lookBehindOthers(in: pool.dropFirst()) }
  }

  /// Looks whether the scope has gone on for too long as it does now.
  ///
  /// - Parameter poolDelay: How long work waits in the queue of the thread pool.
  func look(poolDelay: Nanoseconds = 0) {
    var effort = cvt_effort()
    let thread = state.withLock({ $0.baton.thread })
    let isKnown = thread.map { cvt_effort_of($0, &effort) } ?? false
    let (now, jobs) = (cvt_uptime(), cvt_read(jobsBegun))
    let runs = isKnown && !effort.is_waiting
    let share = runs ? 1 : ProcessorShare.now(at: now).share
    let (found, progress) = state.withLock { state in
      // `BatonWatch` looks twice before a thread that waits loses the baton.
      let mayLoseBaton = losesBaton && isKnown && !runs && state.watches.batonLooks < 2
      state.watches.batonLooks = 0
      var progress: String?
      if case .running = state.life {
        let counts = Progress.Counts(
          now: state.time.now, deadlines: state.time.events,
          jobs: jobs + rch_turns_of_threads(number),
          isHeld: state.isHeldWhileRunning)
        progress = state.watches.progress.look(at: now, counts, of: options)
      }
      let found = state.look(
        at: now, jobs: jobs, effort: isKnown ? effort : nil, share: mayLoseBaton ? 0 : share,
        poolDelay: poolDelay)
      return (found, progress)
    }
    if let progress { options.tellProgress("\(name) \(progress)\n") }
    switch found {
    case .nothing: break
    case .drain: handOver()
    case .blocked(let thread): jobIsBlocked(on: thread, isWaiting: effort.is_waiting)
    case .lost(let life, let body): isLost(life, body)
    }
  }

  /// A job has kept its thread for too long: cancels it and the body.
  private func jobIsBlocked(on thread: Int32, isWaiting: Bool) {
    var place = RunningPlace(of: thread, isWaiting: isWaiting)
    // The thread may have gone on meanwhile, with a job of another scope.
    if !state.withLock({ $0.isStillBlocked(jobs: cvt_read(jobsBegun)) }) { place = nil }
    let hasBody = state.withLock { state in
      if case .running = state.life { _ = state.reachLimit() }
      return state.life.hasBody
    }
    report(.blocked(place, at: now, after: options.blockLimit, body: bodyNumber))
    let cancellation = Cancellation(in: self, of: hasBody ? body : nil, place?.task)
    cvt_run_on_worker(Unmanaged.passRetained(cancellation).toOpaque()) {
      Unmanaged<Cancellation>.fromOpaque($0).takeRetainedValue().perform()
    }
  }

  /// The scope has ended without the thread that drains it, which a job keeps.
  private func isLost(_ life: Life, _ body: Life.Body) {
    if case .cancelling(_, _, let leftovers) = life {
      reportLeftovers(
        .leftovers(leftovers, unresponsive: leftovers, policy: options.leftovers), body)
    }
    finishWithoutThread(body)
  }
}

/// The cancellation of what keeps a thread.
private final class Cancellation {
  private let scope: Scope
  private let body: BodyTask?
  private let task: RunningTask?

  init(in scope: Scope, of body: BodyTask?, _ task: RunningTask?) {
    self.scope = scope
    self.body = body
    self.task = task
  }

  func perform() {
    scope.state.withLock { $0.beginCancellation() }
    body?.cancel()
    task?.cancel()
  }
}
