extension ScopeState {
  /// Moves time to an instant for the thread that has the baton, if nothing can happen before or then.
  ///
  /// - Parameter isUnderway: Whether a task of the scope is enqueued or running on another thread.
  mutating func passTime(to instant: Nanoseconds, isUnderway: Bool) -> Bool {
    guard case .running = life, movesByItself, events < eventLimit, hasEmptyInbox, holds == 0,
      !isUnderway, overdue == nil, outsiders.isEmpty, exploring == nil
    else { return false }
    if let nextDeadline, nextDeadline <= instant { return false }
    events += 1
    moveTime(to: instant)
    return true
  }

  mutating func moveTime(to instant: Nanoseconds) { now = max(now, instant) }
}
