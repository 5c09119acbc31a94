import CReach
import CVirtualTime
import _EscapementCore

/// Gives each job to the scope that it belongs to.
enum Routing {
  /// Gives a job to its scope; returns `false` if it belongs to none.
  @inline(__always) static func take(
    _ job: UnownedJob, onMain: Bool, isArriving: Bool = false
  ) -> Bool {
    if Scopes.isEmpty { return false }
    cvt_baton_come_back()
    guard cvt_is_task(job.pointer) else { return takeActor(job, onMain: onMain) }
    guard let task = cvt_adopt(job.pointer) else { return false }
    let owner = cvt_owner(task)
    guard owner > UInt32(cvt_outside) else { return false }
    let ready = isArriving ? ReadyJob(arriving: job) : ReadyJob(job, onMain: onMain)
    if isArriving, keep(ready, task, of: owner) { return true }
    if owner == cvt_thread_number(), let here = cvt_thread_scope(), !cvt_is_lost(),
      cvt_baton_try_keep()
    {
      Unmanaged<Scope>.fromOpaque(here)._withUnsafeGuaranteedRef { $0.makeReady(ready, task) }
      cvt_baton_release()
      return true
    }
    return give(ready, to: owner) || giveLate(ready, task)
  }

  /// Keeps a task whose host is stopped: until that goes on, or for ever.
  private static func keep(
    _ job: ReadyJob, _ task: UnsafeMutablePointer<cvt_task>, of owner: UInt32
  ) -> Bool {
    let state = cvt_state_of_task(job.pointer)
    guard state != cvt_life_runs else { return false }
    guard state == cvt_life_is_paused, let scope = Scopes.find(owner) else {
      cvt_task_dropped(job.pointer)
      return true
    }
    cvt_keep_task(task, true)
    scope.state.withLock { $0.keep(job, of: cvt_life_of(job.pointer)) }
    return true
  }

  /// An actor that has work goes to the scope of the code that gave it the work.
  private static func takeActor(_ job: UnownedJob, onMain: Bool) -> Bool {
    let owner = cvt_current_scope()
    guard owner > UInt32(cvt_outside) else { return false }
    let ready = ReadyJob(job, onMain: onMain)
    if let here = Scope.onThisThread, here.number == owner, !cvt_is_lost(), cvt_baton_try_keep() {
      here.makeReady(ready, nil)
      cvt_baton_release()
      return true
    }
    return give(ready, to: owner)
  }

  private static func give(_ job: ReadyJob, to owner: UInt32) -> Bool {
    if let scope = Scopes.find(owner) {
      scope.acceptFromElsewhere(job)
      return true
    }
    // An actor may have the tasks of others.
    return cvt_is_task(job.pointer) && Scopes.isGivenUp(owner)
  }

  /// Lets a task go on whose scope has ended, unless it has gone on for too long.
  private static func giveLate(_ job: ReadyJob, _ task: UnsafeMutablePointer<cvt_task>) -> Bool {
    guard cvt_may_run_late(job.pointer, task) else { return true }
    if job.isOnMain || !cvt_is_cancelled(job.pointer) { return false }
    Platform.passOnCancelled(job.job)
    return true
  }

  /// Tells the scopes of their tasks.
  static func connect() {
    cvt_set_owner_events(
      cvt_owner_events(
        created: { number, task, isBody in
          Scopes.find(number)?.taskWasCreated(task, isBody: isBody)
        },
        goes_on: { scope, task in
          Unmanaged<Scope>.fromOpaque(scope)._withUnsafeGuaranteedRef { $0.taskGoesOn(task) }
        },
        woke_early: { number, task in Scopes.find(number)?.endCancelledSleep(task) },
        cancelled: { number, task in
          if cvt_timer(task) != 0 { Scopes.find(number)?.setSleepAside(of: task) }
          rch_task_cancelled(number)
        },
        came_to_rest: { number in Scopes.find(number)?.wakeUp() }))
  }
}
