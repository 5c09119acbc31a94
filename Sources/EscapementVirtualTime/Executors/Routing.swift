import CVirtualTime
import _EscapementCore

/// Gives each job to the scope that it belongs to.
enum Routing {
  /// Gives a job to its scope; returns `false` if it belongs to none.
  @inline(__always) static func take(_ job: UnownedJob, onMain: Bool) -> Bool {
    if Scopes.isEmpty { return false }
    guard cvt_is_task(job.pointer) else { return takeActor(job, onMain: onMain) }
    guard let task = cvt_adopt(job.pointer) else { return false }
    let owner = cvt_owner(task)
    guard owner > UInt32(cvt_outside) else { return false }
    let ready = ReadyJob(job, onMain: onMain)
    if owner == cvt_thread_number(), let here = cvt_thread_scope() {
      Unmanaged<Scope>.fromOpaque(here)._withUnsafeGuaranteedRef { $0.makeReady(ready, task) }
      return true
    }
    return give(ready, to: owner)
  }

  /// An actor that has work goes to the scope of the code that gave it the work.
  private static func takeActor(_ job: UnownedJob, onMain: Bool) -> Bool {
    let owner = cvt_current_scope()
    guard owner > UInt32(cvt_outside) else { return false }
    let ready = ReadyJob(job, onMain: onMain)
    if let here = Scope.onThisThread, here.number == owner {
      here.makeReady(ready, nil)
      return true
    }
    return give(ready, to: owner)
  }

  private static func give(_ job: ReadyJob, to owner: UInt32) -> Bool {
    guard let scope = Scopes.find(owner) else { return false }
    scope.acceptFromElsewhere(job)
    return true
  }

  /// Tells the scopes of their tasks.
  static func connect() {
    cvt_set_owner_events(
      cvt_owner_events(
        created: { number, task, isBody in
          Scopes.find(number)?.taskWasCreated(task, isBody: isBody)
        },
        began_inside: { scope in
          Unmanaged<Scope>.fromOpaque(scope)._withUnsafeGuaranteedRef { $0.jobBeganInside() }
        },
        woke_early: { number, task in Scopes.find(number)?.endCancelledSleep(task) },
        came_to_rest: { number in Scopes.find(number)?.wakeUp() }))
  }
}
