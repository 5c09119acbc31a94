import CVirtualTime
import _EscapementCore

/// Decides which scope a job belongs to.
enum Routing {
  /// Gives a job to its scope; returns `false` if it belongs to none.
  @inline(__always) static func take(_ job: UnownedJob, onMain: Bool) -> Bool {
    if let here = cvt_thread_scope(),
      Unmanaged<Scope>.fromOpaque(here)._withUnsafeGuaranteedRef({
        $0.acceptHere(job, onMain: onMain)
      })
    {
      return true
    }
    if Scopes.isEmpty { return false }
    return takeFromElsewhere(job, onMain: onMain)
  }

  private static func takeFromElsewhere(_ job: UnownedJob, onMain: Bool) -> Bool {
    let pointer = job.pointer
    guard cvt_is_task(pointer) else { return false }
    let id = cvt_task_id(pointer)
    guard let task = cvt_task_record(id, true) else { return false }
    if cvt_owner(task) == 0 { cvt_set_owner(task, owner(of: pointer, id: id)) }
    guard let scope = Scopes.find(cvt_owner(task)) else { return false }
    scope.acceptFromElsewhere(job, onMain: onMain)
    return true
  }

  /// Where a task belongs that nobody has seen before: where it was created.
  ///
  /// Nearly always its creator has just enqueued it. A task that is older than the scope is not the
  /// scope's, whoever enqueues it.
  private static func owner(of task: UnsafeMutableRawPointer, id: UInt64) -> UInt32 {
    if let scope = Scopes.find(cvt_thread_birth()) {
      scope.bodyWasCreated(as: task, id: id)
      return scope.number
    }
    if let scope = Scopes.find(Scope.ofCurrentTask), id > scope.firstTask { return scope.number }
    return UInt32(cvt_outside)
  }
}
